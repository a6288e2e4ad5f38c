//! What calls do to memory, over the call graph.
//!
//! A function that only computes, or touches nothing but objects of its own frame, is no obstacle to
//! running the iterations that call it at once. What a function calls counts as its own.

use super::bases::{Base, Bases};
use crate::entities::{Func, Global};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Callee, Class, Op, Operand, Pos};
use cranelift_entity::{EntitySet, SecondaryMap};

/// What a call does besides returning a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effect {
    /// Nothing.
    #[default]
    Nothing,
    /// It reads objects with names: [`Callees::read_by`] has them.
    ReadsObjects,
    /// It reads memory that it does not own.
    Reads,
    /// It writes memory that it does not own, or does something else that others may notice.
    Writes(Witness),
}

/// Why a call is no computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The function that does it: the called one, or one that it calls in turn. `None`: called through a
    /// pointer.
    pub function: Option<Func>,
    /// The object it writes, if that is known.
    pub object: Option<Global>,
    /// Where; nowhere if the function is defined elsewhere.
    pub pos: Pos,
}

/// Effects by function, the pointers at file scope that are declared `restrict`, and the layout of objects
/// there.
#[derive(Clone, Debug)]
pub struct Callees {
    /// Of functions that code of a device calls; the others may do anything.
    effects: SecondaryMap<Func, Effect>,
    objects: SecondaryMap<Func, Vec<Global>>,
    restrict: EntitySet<Global>,
    layouts: SecondaryMap<Global, Option<(u64, u32)>>,
}

impl Default for Callees {
    /// For code whose calls do not matter.
    fn default() -> Callees {
        Callees {
            effects: SecondaryMap::new(),
            objects: SecondaryMap::new(),
            restrict: EntitySet::new(),
            layouts: SecondaryMap::new(),
        }
    }
}

impl Callees {
    /// Of the functions of a module.
    pub fn new(module: &Module) -> Callees {
        let anything = Effect::Writes(Witness { function: None, object: None, pos: Pos::none() });
        let mut found = Callees {
            effects: SecondaryMap::with_default(anything),
            objects: SecondaryMap::new(),
            restrict: EntitySet::new(),
            layouts: SecondaryMap::new(),
        };
        let globals = module.globals.iter().filter(|(_, data)| data.restrict);
        found.restrict.extend(globals.map(|(global, _)| global));
        for (global, data) in &module.globals {
            let is_plain = data.size > 0 && !data.thread_local && data.declare.is_none();
            found.layouts[global] = is_plain.then_some((data.size, data.align));
        }
        let mut calls: SecondaryMap<Func, Vec<Func>> = SecondaryMap::new();
        let mut reached: Vec<Func> = Vec::new();
        let mut is_reached: EntitySet<Func> = EntitySet::with_capacity(module.functions.len());
        let mut reach = |func: Func, reached: &mut Vec<Func>| {
            if is_reached.insert(func) {
                reached.push(func);
            }
        };
        called_on_devices(module, |func| reach(func, &mut reached));
        let mut next = 0;
        while let Some(&func) = reached.get(next) {
            next += 1;
            let data = &module.functions[func];
            found.effects[func] = match &data.body {
                Some(body) => own_effect(module, func, body, &mut calls[func], &mut found.objects[func]),
                None if is_pure_function(&data.name) => Effect::Nothing,
                None => Effect::Writes(Witness { function: Some(func), object: None, pos: Pos::none() }),
            };
            calls[func].iter().for_each(|&callee| reach(callee, &mut reached));
        }
        // Effects only grow, so this ends.
        loop {
            let mut changed = false;
            for &func in &reached {
                for &callee in &calls[func] {
                    let joined = stronger(found.effects[func], found.effects[callee]);
                    changed |= joined != found.effects[func];
                    found.effects[func] = joined;
                    for global in found.objects[callee].clone() {
                        if !found.objects[func].contains(&global) {
                            found.objects[func].push(global);
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return found;
            }
        }
    }

    /// Whether a global is a pointer declared `restrict`.
    pub fn is_restrict(&self, global: Global) -> bool {
        self.restrict.contains(global)
    }

    /// The objects that a function reads by name, or what it calls does.
    pub fn read_by(&self, callee: Callee) -> &[Global] {
        match callee {
            Callee::Direct(func) => &self.objects[func],
            Callee::Indirect(_) => &[],
        }
    }

    /// The size and alignment in bytes of a global of which there can be copies: it is no thread's own, has
    /// no `declare`, and its size is known.
    pub fn layout(&self, global: Global) -> Option<(u64, u32)> {
        self.layouts[global]
    }

    /// The effect of a call.
    pub fn of(&self, callee: Callee, pos: Pos) -> Effect {
        match callee {
            Callee::Direct(func) => self.effects[func],
            Callee::Indirect(_) => Effect::Writes(Witness { function: None, object: None, pos }),
        }
    }
}

/// Visits the functions that compute constructs and routines call by their names.
fn called_on_devices(module: &Module, mut visit: impl FnMut(Func)) {
    for data in module.functions.values() {
        let Some(body) = &data.body else { continue };
        if body.constructs.is_empty() && data.routine.is_none() {
            continue;
        }
        for block in body.order.iter().map(|&block| &body.blocks[block]) {
            if block.construct.is_none() && data.routine.is_none() {
                continue;
            }
            for inst in &block.insts {
                if let Op::Call { callee: Callee::Direct(func), .. } = inst.op {
                    visit(func);
                }
            }
        }
    }
}

fn stronger(a: Effect, b: Effect) -> Effect {
    match (a, b) {
        (Effect::Writes(_), _) | (_, Effect::Nothing) => a,
        (_, Effect::Writes(_)) | (Effect::Nothing, _) => b,
        (Effect::Reads, _) | (_, Effect::Reads) => Effect::Reads,
        (Effect::ReadsObjects, Effect::ReadsObjects) => Effect::ReadsObjects,
    }
}

/// What a function does by itself; notes what it calls.
fn own_effect(
    module: &Module,
    func: Func,
    body: &Body,
    calls: &mut Vec<Func>,
    objects: &mut Vec<Global>,
) -> Effect {
    let bases = Bases::new(body);
    let mut effect = Effect::Nothing;
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        let writes = |object| Effect::Writes(Witness { function: Some(func), object, pos: inst.pos });
        let written = |base: Operand| match bases.of(base) {
            Base::Slot(_) => Effect::Nothing,
            Base::Global(global) => writes(Some(global)),
            Base::Unknown => writes(None),
        };
        let mut read = |base: Operand| match bases.of(base) {
            Base::Slot(_) => Effect::Nothing,
            Base::Global(global) if module.globals[global].constant => Effect::Nothing,
            Base::Global(global) => {
                objects.push(global);
                Effect::ReadsObjects
            }
            Base::Unknown => Effect::Reads,
        };
        let own = match &inst.op {
            Op::Load { addr, access, .. } if !access.volatile => read(addr.base),
            Op::Store { addr, access, .. } if !access.volatile => written(addr.base),
            Op::MemCopy { dst, src, .. } => stronger(written(dst.base), read(src.base)),
            Op::MemSet { dst, .. } => written(dst.base),
            Op::Call { callee: Callee::Direct(callee), args, dest, .. } => {
                calls.push(*callee);
                // What a called function writes through a pointer may be a slot of this one, but not only.
                let shares = args.iter().chain(dest).any(|&arg| matches!(bases.of(arg), Base::Slot(_)));
                if shares { Effect::Reads } else { Effect::Nothing }
            }
            op => match op.class() {
                Class::Value | Class::Lane | Class::Frame | Class::Abstract => Effect::Nothing,
                Class::Memory | Class::Atomic | Class::Call | Class::Directive | Class::Threads => {
                    writes(None)
                }
            },
        };
        effect = stronger(effect, own);
    }
    effect
}

/// Functions of the C library that only compute. They may set `errno`, which no device has.
fn is_pure_function(name: &str) -> bool {
    const DOUBLE: &[&str] = &[
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "ceil",
        "copysign",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "fabs",
        "fdim",
        "floor",
        "fma",
        "fmax",
        "fmin",
        "fmod",
        "hypot",
        "ilogb",
        "ldexp",
        "llrint",
        "llround",
        "log",
        "log10",
        "log1p",
        "log2",
        "logb",
        "lrint",
        "lround",
        "nearbyint",
        "nextafter",
        "pow",
        "remainder",
        "rint",
        "round",
        "scalbln",
        "scalbn",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
    ];
    const INTEGER: &[&str] = &["abs", "labs", "llabs"];
    const COMPLEX: &[&str] =
        &["cabs", "carg", "ccos", "cexp", "cimag", "clog", "conj", "cpow", "creal", "csin", "csqrt", "ctan"];
    let is_known = |name: &str| DOUBLE.contains(&name) || COMPLEX.contains(&name);
    INTEGER.contains(&name) || is_known(name) || name.strip_suffix(['f', 'l']).is_some_and(is_known)
}
