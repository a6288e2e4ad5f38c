//! Objects that functions which regions call use, and so do code of the host, regions or data clauses, and
//! that no `declare` names: host and device have one each, and a region that names the object has a copy of
//! the host's, though the program means one. Regions whose functions use such an object map it, as they map
//! objects that the region names itself; the copy is in the device's own object, as for `declare link`.
//!
//! ```c
//! double factor = 2;                                        // host and device have one each
//! double scaled(double x) { return factor * x; }            // no `routine`: the call in the region makes it one
//! factor = 5;
//! #pragma acc parallel loop                                 // copyin(factor) is added
//! for (...) a[i] = scaled(b[i]);
//! ```
//!
//! An object that nothing writes is the same on both sides. An object whose initial value has addresses is
//! not copied, since the addresses are those of the host: it stays divided. The warning says so, and is an
//! error where the memory of the device is its own and something stores to the object for certain.
//!
//! This comes before the pass `reach`: host and device are both in sight for the last time.

use super::env::Env;
use super::reach::Walk;
use crate::acc::{DataMap, ElementPart, Elements, LaunchArg, MapKind, RedType, SizeClauses};
use crate::analysis::bases::{Base, Bases};
use crate::entities::{Block, Func, Global};
use crate::function::{Body, Function, FunctionKind, Linkage, SlotKind};
use crate::module::{DeclareKind, Init, Module};
use crate::op::{Access, Address, Inst, Op, Operand, Pos};
use crate::report::{Decision, PassError, Warning, ids, topics};
use crate::types::Type;
use crate::visit::Part;
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the functions of one side do with an object.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// They read it, or write it.
    any: bool,
    /// They may write it: they store to it, or give its address away.
    written: bool,
    /// They store to it.
    stored: bool,
}

impl Uses {
    fn add(&mut self, use_: Use) {
        self.any = true;
        self.written |= use_ != Use::Read;
        self.stored |= use_ == Use::Store;
    }
}

/// What an operation does with an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Reads it.
    Read,
    /// Gives its address away.
    Escape,
    /// Stores to it.
    Store,
}

/// The first use of an object in a function that regions call.
#[derive(Clone, Copy)]
struct First {
    func: Func,
    pos: Pos,
    /// No `routine` directive marks the function: the front end has not looked at it.
    implicit: bool,
}

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    if module.functions.values().any(is_region) {
        unite(module, env);
    }
    Ok(())
}

/// Has regions map the objects that are divided between host and device, and warns of them.
fn unite(module: &mut Module, env: &mut Env<'_>) {
    let mut divided: Vec<_> = find(module).into_iter().collect();
    divided.sort_by_key(|(_, (First { func, pos, .. }, ..))| (*func, pos.line, pos.column));
    let mut mapped = Vec::new();
    for (global, (first, there, here)) in divided {
        let is_copied = is_copyable(module, global);
        if is_copied {
            mapped.push((global, there.written));
        }
        if first.implicit {
            let warning = warning(module, global, first, (there, here), is_copied);
            match !is_copied && (there.stored || here.stored) {
                true => env.report.divided.push(warning),
                false => env.report.warnings.push(warning),
            }
        }
    }
    if !mapped.is_empty() {
        map(module, &mapped, env);
    }
}

/// The divided objects, with what the device and the host do with them.
fn find(module: &Module) -> BTreeMap<Global, (First, Uses, Uses)> {
    let (device, host) = (on_device(module), on_host(module));
    let mut there: SecondaryMap<Global, Uses> = SecondaryMap::new();
    let mut here: SecondaryMap<Global, Uses> = SecondaryMap::new();
    let mut first: BTreeMap<Global, First> = BTreeMap::new();
    let mut named: SecondaryMap<Global, bool> = SecondaryMap::new();
    for (func, function) in &module.functions {
        let Some(body) = function.body.as_deref().filter(|_| device[func] || host[func]) else { continue };
        each_named(body, |global| named[global] = true);
        let is_called = device[func] && !is_region(function);
        let implicit = function.routine.as_ref().is_none_or(|routine| routine.implicit);
        let mut is_used = |global: Global, pos: Pos| {
            let data = &module.globals[global];
            if is_called && !(data.constant || data.thread_local || data.declare.is_some()) {
                let use_ = First { func, pos, implicit };
                let known = first.entry(global).or_insert(use_);
                if implicit && !known.implicit {
                    *known = use_;
                }
            }
        };
        each_mapped(body, |global, (region, parameter), pos| {
            // A construct in code of the device uses the object there.
            is_used(global, pos);
            let Some(body) = module.functions[region].body.as_deref() else { return };
            each_use_of_parameter(body, parameter, |use_| there[global].add(use_));
        });
        each_use(body, |base, use_, pos| {
            let Base::Global(global) = base else { return };
            for (side, is_there) in [(&mut there, device[func]), (&mut here, host[func])] {
                if is_there {
                    side[global].add(use_);
                }
            }
            is_used(global, pos);
        });
    }
    let divided = first.into_iter().map(|(global, first)| (global, (first, there[global], here[global])));
    let is_divided = |(global, (_, there, here)): &(Global, (First, Uses, Uses))| {
        there.any && (here.any || named[*global]) && (there.written || here.written)
    };
    divided.filter(is_divided).collect()
}

/// Whether the bytes of an object mean the same on the device.
fn is_copyable(module: &Module, global: Global) -> bool {
    let data = &module.globals[global];
    data.size > 0
        && match &data.init {
            Init::Zero => true,
            Init::Bytes(_, relocations) => relocations.is_empty(),
            Init::Extern => false,
        }
}

/// Has launches map the objects that their regions' functions use, and puts the copies where those functions
/// look.
fn map(module: &mut Module, objects: &[(Global, bool)], env: &mut Env<'_>) {
    let mut used: SecondaryMap<Func, Vec<Global>> = SecondaryMap::new();
    let mut types: FxHashMap<Global, FxHashSet<Type>> = FxHashMap::default();
    for (func, function) in module.functions.iter().filter(|(_, function)| !is_region(function)) {
        let Some(body) = function.body.as_deref() else { continue };
        let mut is_used = |global: Global| {
            if objects.iter().any(|&(object, _)| object == global) && !used[func].contains(&global) {
                used[func].push(global);
            }
        };
        each_use(body, |base, _, _| {
            if let Base::Global(global) = base {
                is_used(global);
            }
        });
        each_mapped(body, |global, _, _| is_used(global));
        each_access(body, |global, ty| {
            types.entry(global).or_default().insert(ty);
        });
    }
    let regions: Vec<Func> =
        module.functions.iter().filter(|(_, function)| is_region(function)).map(|(func, _)| func).collect();
    let mut wanted: FxHashMap<Func, Vec<DataMap>> = FxHashMap::default();
    for region in regions {
        let mut walk = Walk::new(module);
        walk.function(region);
        walk.run();
        let reached = walk.functions;
        let uses = |global: Global| {
            module.functions.keys().any(|func| reached[func] && used[func].contains(&global))
        };
        for &(global, written) in objects.iter().filter(|&&(global, _)| uses(global)) {
            let ty =
                types.get(&global).filter(|types| types.len() == 1).and_then(|types| types.iter().next());
            wanted.entry(region).or_default().push(data_map(module, global, written, ty.copied()));
        }
    }
    for &(global, _) in objects {
        module.globals[global].declare = Some(DeclareKind::Map(MapKind::Link));
    }
    for function in module.functions.values_mut() {
        let name = function.name.clone();
        let Some(body) = function.body.as_deref_mut() else { continue };
        for block in body.order.clone() {
            for at in (0..body.blocks[block].insts.len()).rev() {
                let Op::Launch(launch) = &body.blocks[block].insts[at].op else { continue };
                if let Some(maps) = wanted.get(&launch.region) {
                    add_maps(body, (block, at), maps, &name, env);
                }
            }
        }
    }
}

/// The implicit data clause of an object; `ty` is what the code takes it for, if that is one type.
fn data_map(module: &Module, global: Global, written: bool, ty: Option<Type>) -> DataMap {
    let data = &module.globals[global];
    let whole = ty.filter(|ty| data.size.is_multiple_of(u64::from(ty.bytes())));
    let elements = whole.map(|ty| {
        let ty = RedType { ty, signed: true, boolean: false };
        let bytes = u64::from(ty.ty.bytes());
        Arc::new(Elements { bytes, parts: vec![ElementPart { offset: 0, ty, count: 1 }] })
    });
    let kind = if written { MapKind::Copy } else { MapKind::CopyIn };
    let map = DataMap::whole(kind, data.name.clone(), Operand::Global(global), data.size, Pos::none());
    DataMap { implicit: true, elements, ..map }
}

/// Adds maps to a launch that lacks them. A mapped pointer leads to the device's copy of its target, if there
/// is a copy.
fn add_maps(
    body: &mut Body,
    (block, at): (Block, usize),
    maps: &[DataMap],
    name: &Arc<str>,
    env: &mut Env<'_>,
) {
    let pos = body.blocks[block].insts[at].pos;
    let mut loads = Vec::new();
    let mut added = Vec::new();
    for map in maps {
        let Op::Launch(launch) = &body.blocks[block].insts[at].op else { return };
        if launch.maps.iter().any(|known| known.var == map.var && known.pointer_bias.is_none()) {
            continue;
        }
        if env.explains {
            let text = format!(
                "implicit `{}`: a function that the construct calls uses it, and no `declare` names it",
                map.kind.written(launch.dims.clauses, &map.name)
            );
            env.report.decisions.push(Decision { pos, function: name.clone(), topic: topics::DATA, text });
        }
        added.push(DataMap { pos, ..map.clone() });
        let is_pointer = map.elements.as_ref().is_some_and(|elements| {
            elements.parts[0].ty.ty == Type::Ptr && map.bytes.as_int() == Some(elements.bytes as i64)
        });
        if is_pointer {
            let value = body.temp(Type::Ptr);
            let addr = Address::at(map.start);
            loads.push(Inst { op: Op::Load { dst: value, addr, access: Access::natural(Type::Ptr) }, pos });
            added.push(DataMap {
                kind: MapKind::Attach,
                start: Operand::Local(value),
                bytes: Operand::Int(Type::I64, 0),
                pointer_bias: Some(Operand::Int(Type::I64, 0)),
                pointer_at: Some(addr),
                elements: None,
                pos,
                ..map.clone()
            });
        }
    }
    if let Op::Launch(launch) = &mut body.blocks[block].insts[at].op {
        launch.maps.append(&mut added);
    }
    body.blocks[block].insts.splice(at..at, loads);
}

fn is_region(function: &Function) -> bool {
    matches!(function.kind, FunctionKind::Region(_))
}

/// Functions that regions reach.
fn on_device(module: &Module) -> SecondaryMap<Func, bool> {
    let mut walk = Walk::new(module);
    let regions = module.functions.iter().filter(|(_, function)| is_region(function));
    regions.for_each(|(func, _)| walk.function(func));
    walk.run();
    walk.functions
}

/// Functions that the host reaches otherwise than through regions: from `main`, or from whatever others can
/// call.
fn on_host(module: &Module) -> SecondaryMap<Func, bool> {
    let is_main = |function: &Function| &*function.name == "main" && function.body.is_some();
    let has_main = module.functions.values().any(is_main);
    let mut walk = Walk::new(module);
    walk.enters_regions = false;
    for (func, function) in &module.functions {
        if is_main(function) || !has_main && function.linkage != Linkage::Internal {
            walk.function(func);
        }
    }
    module.constructors.iter().chain(&module.destructors).for_each(|(_, func)| walk.function(*func));
    walk.run();
    walk.functions
}

/// Tells which objects a body uses, how, and where. Directives that name an object do neither.
fn each_use(body: &Body, mut tell: impl FnMut(Base, Use, Pos)) {
    let bases = Bases::new(body);
    for &block in &body.order {
        let data = &body.blocks[block];
        for Inst { op, pos } in &data.insts {
            let mut note = |operand: Operand, use_: Use| tell(bases.of(operand), use_, *pos);
            match op {
                Op::Data(_) | Op::Launch(_) => {}
                Op::Load { addr, .. } | Op::AtomicLoad { addr, .. } => note(addr.base, Use::Read),
                Op::MemCopy { dst, src, .. } => {
                    note(dst.base, Use::Store);
                    note(src.base, Use::Read);
                }
                // The local stands for the object from there on.
                Op::Copy { dst, src: base } | Op::Index { dst, base, .. }
                    if bases.of(Operand::Local(*dst)) == bases.of(*base) => {}
                op => op.parts(|part| match part {
                    Part::Value(operand) => note(*operand, Use::Escape),
                    Part::Address(address) => note(address.base, Use::Store),
                    Part::Variable(_)
                    | Part::Def(_)
                    | Part::NamedLocal(_)
                    | Part::Func(_)
                    | Part::Sig(_)
                    | Part::Agg(_)
                    | Part::Block(_)
                    | Part::Loop(_)
                    | Part::Construct(_)
                    | Part::Red(_)
                    | Part::Pos(_) => {}
                }),
            }
        }
        data.term.operands(|operand| tell(bases.of(operand), Use::Escape, data.term_pos));
    }
}

/// Tells which objects the data clauses of a body name.
fn each_named(body: &Body, mut tell: impl FnMut(Global)) {
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        let maps = match &inst.op {
            Op::Launch(launch) => &launch.maps,
            Op::Data(data) => &data.maps,
            _ => continue,
        };
        for map in maps {
            if let Some(Operand::Global(global)) = map.var {
                tell(global);
            }
        }
    }
}

/// Tells which objects the launches of a body map, for which parameters of regions, and where.
fn each_mapped(body: &Body, mut tell: impl FnMut(Global, (Func, usize), Pos)) {
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        let Op::Launch(launch) = &inst.op else { continue };
        for (n, arg) in launch.args.iter().enumerate() {
            if let LaunchArg::Map(map) = arg
                && let Some(Operand::Global(global)) = launch.maps[*map as usize].var
            {
                tell(global, (launch.region, n), inst.pos);
            }
        }
    }
}

/// Tells what a region does with the object that a parameter leads to.
fn each_use_of_parameter(body: &Body, parameter: usize, mut tell: impl FnMut(Use)) {
    let is_it = |kind: &SlotKind| *kind == SlotKind::Mapped(body.params[parameter]);
    match body.slots.iter().find(|(_, data)| is_it(&data.kind)) {
        Some((slot, _)) => each_use(body, |base, use_, _| {
            if base == Base::Slot(slot) {
                tell(use_);
            }
        }),
        // It goes its own way to the object.
        None => tell(Use::Escape),
    }
}

/// Tells the types that a body loads and stores objects with.
fn each_access(body: &Body, mut tell: impl FnMut(Global, Type)) {
    let bases = Bases::new(body);
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        let (addr, ty) = match &inst.op {
            Op::Load { dst, addr, .. } => (addr, body.locals[*dst].ty),
            Op::Store { addr, src, .. } => (addr, body.operand_type(*src)),
            _ => continue,
        };
        if let Base::Global(global) = bases.of(addr.base) {
            tell(global, ty);
        }
    }
}

/// Whether constructs are OpenMP's, for what users are to write.
fn is_openmp(module: &Module) -> bool {
    let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.order.iter().flat_map(|&block| &body.blocks[block].insts));
    insts.any(|inst| matches!(&inst.op, Op::Launch(launch) if launch.dims.clauses != SizeClauses::OpenAcc))
}

fn warning(
    module: &Module,
    global: Global,
    first: First,
    (there, here): (Uses, Uses),
    is_copied: bool,
) -> Warning {
    let function = module.functions[first.func].name.clone();
    let name = &module.globals[global].name;
    let message = match is_copied {
        true => format!(
            "`{function}` runs on the device and uses `{name}`, which no `declare` names: every construct that calls it copies the object"
        ),
        false => format!(
            "`{function}` runs on the device, where `{name}` is another object than on the host: no `declare` names it"
        ),
    };
    let (declare, to, from) = match is_openmp(module) {
        true => ("omp declare target enter", "omp target update to", "omp target update from"),
        false => ("acc declare copyin", "acc update device", "acc update self"),
    };
    let mut advice = format!("write `#pragma {declare}({name})` behind its declaration");
    let device = format!("`#pragma {to}({name})` where the host has changed it");
    let host = format!("`#pragma {from}({name})` where the host needs what the device wrote");
    advice += &match (here.written, there.written) {
        (true, true) => format!(", {device}, and {host}"),
        (true, false) => format!(", and {device}"),
        (false, _) => format!(", and {host}"),
    };
    Warning { id: ids::ROUTINE_VARIABLE, pos: first.pos, function, message, notes: vec![advice] }
}
