//! Cuts constructs out into functions: `outline-threads` those of the host's threads, first of all passes,
//! and `outline` compute constructs.
//!
//! Before: a construct is the set of blocks that name it, entered by one block and left to one block, and its
//! clauses say what becomes of each variable from outside. After: the construct is a function of kind
//! [`FunctionKind::Region`] or [`FunctionKind::Threaded`], the parent launches it with [`Op::Launch`], and no
//! block names it. What threads of the host execute may hold other constructs, which go with its code: to the
//! passes between, a `target` in a `task` is one in an ordinary function.
//!
//! | the variable is | in the region it is |
//! | --- | --- |
//! | an object in a data clause, or a part of one | a slot of kind [`crate::SlotKind::Mapped`], its address a parameter |
//! | a pointer with a mapped section | a local or slot that starts as the translated pointer |
//! | `firstprivate` and a scalar of up to 8 bytes | a local or slot that starts as a value parameter |
//! | `firstprivate` and larger | a slot that starts as a copy of the bytes that travel with the launch |
//! | `private` | a new local or slot |
//! | shared by threads of the host | a slot of kind [`crate::SlotKind::Mapped`], its address a parameter |
//! | declared inside | itself |
//! | a constant, or a global with `declare`, or a global in code of the host | itself |
//!
//! Any other variable from outside is a defect of the front end, which writes implicit clauses out.

mod capture;
#[cfg(test)]
mod tests;

use super::by_value;
use super::env::{Env, Work, context, each_body};
use crate::acc::{
    ConstructData, ConstructKind, DataKind, DataMap, Launch, MapKind, PrivateVar, ReductionClause,
    RegionData, SizeClauses,
};
use crate::edit::compact::compact;
use crate::entities::{Block, Construct, Func, Loop, Sig};
use crate::function::{BlockData, Body, Function, FunctionKind, Linkage};
use crate::module::Module;
use crate::op::{Inst, Op, Operand, Pos, Terminator};
use crate::report::{Decision, PassError, Report, topics};
use crate::types::{Extend, PassBy, Signature};
use crate::visit::PartMut;
use capture::{Capture, References};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let mut signatures = Signatures::default();
    each_body(module, |mut work| {
        by_value::run(work.body);
        if env.explains {
            explain_data(&work, env.report);
        }
        if work.body.constructs.is_empty() {
            return Ok(());
        }
        outline_function(&mut work, &mut signatures, |_| true)
    })
}

/// Runs the pass for constructs that threads of the host execute: the outermost of each function, then those
/// in the functions that come of it.
pub fn run_threads(module: &mut Module, _: &mut Env<'_>) -> Result<(), PassError> {
    let mut signatures = Signatures::default();
    let mut next = 0;
    while next < module.functions.len() {
        let func = Func::from_u32(next as u32);
        next += 1;
        let is_outermost = |data: &ConstructData| data.kind.is_threaded() && data.parent.is_none();
        let function = &mut module.functions[func];
        let has_any = |body: &mut Box<Body>| body.constructs.values().any(is_outermost);
        let Some(mut body) = function.body.take_if(has_any) else { continue };
        let mut work = Work { module, func, body: &mut body };
        let result = outline_function(&mut work, &mut signatures, is_outermost);
        module.functions[func].body = Some(body);
        result?;
    }
    Ok(())
}

/// Function types by value; made from the module on first use.
#[derive(Default)]
struct Signatures(Option<FxHashMap<Signature, Sig>>);

impl Signatures {
    fn get(&mut self, module: &mut Module, signature: Signature) -> Sig {
        let known =
            self.0.get_or_insert_with(|| module.signatures.iter().map(|(sig, s)| (s.clone(), sig)).collect());
        *known.entry(signature).or_insert_with_key(|signature| module.signatures.push(signature.clone()))
    }
}

/// Cuts out the constructs of a kind, none of which is inside of another.
fn outline_function(
    work: &mut Work<'_>,
    signatures: &mut Signatures,
    is_wanted: impl Fn(&ConstructData) -> bool,
) -> Result<(), PassError> {
    let mut members: SecondaryMap<Construct, Members> = SecondaryMap::new();
    let body = &*work.body;
    // Of the constructs around some code, the outermost one is wanted, or none.
    let wanted = |innermost: Option<Construct>| {
        body.constructs_around(innermost).last().filter(|&construct| is_wanted(&body.constructs[construct]))
    };
    for &block in &body.order {
        if let Some(construct) = wanted(body.blocks[block].construct) {
            members[construct].blocks.push(block);
        }
    }
    for (loop_, data) in &body.loops {
        // What a dead loop names may be no block.
        if let Some(header) = body.blocks.get(data.header)
            && let Some(construct) = wanted(header.construct)
        {
            members[construct].loops.push(loop_);
        }
    }
    for (inner, data) in &body.constructs {
        if let Some(construct) = wanted(data.parent) {
            members[construct].constructs.push(inner);
        }
    }
    let totals = References::all(&work.module.functions[work.func].kind, body);

    let mut moved = SecondaryMap::with_default(false);
    for construct in work.body.constructs.keys() {
        // Code that is never reached may have been dropped, and a construct with it.
        let inside = std::mem::take(&mut members[construct]);
        if inside.blocks.is_empty() {
            continue;
        }
        let data = std::mem::replace(&mut work.body.constructs[construct], ConstructData::dead());
        let what = if data.kind.is_threaded() { data.kind.name() } else { "region" };
        let name: Arc<str> = format!("{}.{what}{}", work.name(), construct.as_u32()).into();
        let entry = data.entry;
        outline(work, signatures, data, name, &inside, &totals)?;
        for &block in &inside.blocks {
            moved[block] = block != entry;
        }
        for &inner in &inside.constructs {
            work.body.constructs[inner] = ConstructData::dead();
        }
    }
    work.body.order.retain(|&block| !moved[block]);
    if work.body.live_constructs().is_empty() {
        work.body.constructs.clear();
    }
    compact(work.body);
    Ok(())
}

/// Notes what data clauses move, and the data attributes that no clause gives.
fn explain_data(work: &Work<'_>, report: &mut Report) {
    let body = &*work.body;
    let mut note = |pos: Pos, text: String| {
        let function = work.name();
        report.decisions.push(Decision { pos, function, topic: topics::DATA, text });
    };
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        if let Op::Data(op) = &inst.op
            && !matches!(op.kind, DataKind::DataEnd | DataKind::HostDataEnd | DataKind::DeclareEnd)
        {
            // Implicit ones are those of a construct, which follows.
            op.maps
                .iter()
                .filter(|map| !map.implicit)
                .for_each(|map| note(map.pos, movement(map, SizeClauses::OpenAcc)));
        }
    }
    for data in body.constructs.values().filter(|data| body.blocks.is_valid(data.entry)) {
        let clauses = data.dims.clauses;
        for map in &data.maps {
            // The pass `sections` has said what it found.
            if map.modifiers.by_use {
                continue;
            }
            match map.implicit {
                true => {
                    note(
                        map.pos,
                        format!("implicit {}; {}", movement(map, clauses), why_mapped(body, data, map)),
                    );
                }
                false => note(map.pos, movement(map, clauses)),
            }
        }
        for private in data.firstprivate.iter().filter(|private| private.implicit && !is_hidden(private)) {
            let what = match data.kind {
                ConstructKind::Kernels => "which only reads the scalar",
                _ => "and it is a scalar",
            };
            let why = format!("no clause of the `{}` construct names it, {what}", data.kind.written(clauses));
            note(
                data.pos,
                format!("implicit `firstprivate({})`: travels with the launch; {why}", private.name),
            );
        }
    }
}

/// What a data clause copies, and when, on a device with memory of its own.
fn movement(map: &DataMap, clauses: SizeClauses) -> String {
    let what = match map.kind {
        MapKind::Copy => "to the device at the start and back at the end, unless it is there already",
        MapKind::CopyIn => "to the device, unless it is there already",
        MapKind::CopyOut => "back to the host at the end, unless it is there for longer",
        MapKind::Create => "memory on the device, unless it is there already",
        MapKind::NoCreate => "the device's copy, if there is one",
        MapKind::Present => "the device's copy, which must be there",
        MapKind::DevicePtr => "an address of the device",
        MapKind::Attach => "the device's copy of the pointer leads to the device's copy of what it points to",
        MapKind::Detach => "the device's copy of the pointer gets the host's value back",
        MapKind::Delete => "the device's copy goes, without a copy to the host",
        MapKind::UseDevice => "the address of the device's copy",
        MapKind::UpdateSelf => "to the host",
        MapKind::UpdateDevice => "to the device",
        MapKind::DeviceResident => "memory on the device",
        MapKind::Link => "on the device while a data clause says so",
        MapKind::FirstPrivate => "travels with the launch",
        MapKind::Shared => "the variable itself, which threads share",
    };
    let bytes = map
        .bytes
        .as_int()
        .filter(|&bytes| bytes > 0 && map.strides.is_empty())
        .map(|bytes| format!(" ({bytes} byte{})", if bytes == 1 { "" } else { "s" }));
    format!("`{}`{}: {what}", map.kind.written(clauses, &map.name), bytes.unwrap_or_default())
}

/// Whether the program has no name for a variable.
fn is_hidden(private: &PrivateVar) -> bool {
    private.name.starts_with('<')
}

fn why_mapped(body: &Body, data: &ConstructData, map: &DataMap) -> String {
    let reduces = |clauses: &[ReductionClause]| clauses.iter().any(|clause| Some(clause.var) == map.var);
    let in_construct = |block: Block| {
        let around = body.blocks.get(block).and_then(|block| block.construct);
        around.is_some_and(|construct| body.constructs[construct].entry == data.entry)
    };
    let reduced =
        reduces(&data.reductions)
            || body.loops.values().filter(|inner| in_construct(inner.header)).any(|inner| {
                inner.directive.as_ref().is_some_and(|directive| reduces(&directive.reductions))
            });
    let unnamed = format!("no clause of the `{}` construct names it", data.kind.written(data.dims.clauses));
    match map.kind {
        _ if reduced => format!("{unnamed}, and a reduction changes it"),
        MapKind::NoCreate if map.pointer_bias.is_some() => {
            format!("{unnamed}; what a pointer leads to must be on the device")
        }
        MapKind::Present => format!("{unnamed}, and it is on the device by `default(present)` or `declare`"),
        MapKind::CopyIn => format!("{unnamed}, and it is constant"),
        MapKind::DevicePtr => format!("{unnamed}, and it is a device pointer outside"),
        _ if data.kind == ConstructKind::Kernels => unnamed,
        _ => format!("{unnamed}, and it is no scalar"),
    }
}

/// What belongs to a construct, in the order of the ids; blocks in that of the layout.
#[derive(Clone, Default)]
struct Members {
    blocks: Vec<Block>,
    loops: Vec<Loop>,
    constructs: Vec<Construct>,
}

fn outline(
    work: &mut Work<'_>,
    signatures: &mut Signatures,
    mut data: ConstructData,
    name: Arc<str>,
    inside: &Members,
    totals: &References,
) -> Result<(), PassError> {
    let outer_loop = enclosing_loop(work.body, &data, inside);
    let mut capture = Capture::new(work, &data, inside, totals);
    capture.clauses()?;
    let mut reductions = data.reductions.clone();
    for clause in &mut reductions {
        let mut failure = None;
        clause.parts_mut(|part| keep_first(&mut failure, capture.rename(part)));
        failure.map_or(Ok(()), Err)?;
    }
    move_code(&mut capture, &data, inside)?;
    let Capture { mut region, params, args, maps, biases, before, .. } = capture;

    // A construct that never ends makes a region that never returns.
    region.remove_unreachable();
    region.region_reductions = reductions;
    region.params = params.iter().map(|param| param.local).collect();
    let signature = Signature {
        params: params
            .iter()
            .map(|param| PassBy::Scalar(region.locals[param.local].ty, Extend::None))
            .collect(),
        result: None,
        variadic: false,
    };
    let sig = signatures.get(work.module, signature);
    let kind = RegionData {
        construct: data.kind,
        params: params.into_iter().map(|param| param.line).collect(),
        parent: context(work.module, work.func).name.clone(),
        constant_dims: constant_dims(&data),
        cooperative: false,
        wanted_gangs: 0,
        open_workers: false,
        row: None,
        shape: None,
    };
    let func = work.module.functions.push(Function {
        linkage: Linkage::Internal,
        kind: match data.kind.is_threaded() {
            true => FunctionKind::Threaded(Box::new(kind)),
            false => FunctionKind::Region(Box::new(kind)),
        },
        body: Some(Box::new(region)),
        ..Function::declared(name, sig, data.pos)
    });

    data.maps.extend(maps);
    for (index, bias) in biases {
        data.maps[index as usize].pointer_bias = Some(bias);
    }
    let ConstructData { maps, dims, scheduling, fused, .. } = data;
    let launch = Launch { region: func, maps, args, dims, scheduling, fused };
    let entry = &mut work.body.blocks[data.entry];
    entry.insts = before
        .into_iter()
        .chain([Op::Launch(Box::new(launch))])
        .map(|op| Inst { op, pos: data.pos })
        .collect();
    entry.term = Terminator::Jump(data.exit);
    entry.term_pos = data.pos;
    entry.loop_ = outer_loop;
    entry.construct = None;
    Ok(())
}

/// The innermost loop around a construct.
fn enclosing_loop(body: &Body, data: &ConstructData, inside: &Members) -> Option<Loop> {
    let mut loop_ = body.blocks[data.entry].loop_;
    while let Some(candidate) = loop_
        && inside.loops.binary_search(&candidate).is_ok()
    {
        loop_ = body.loops[candidate].parent;
    }
    loop_
}

/// Launch dimensions that are known now.
fn constant_dims(data: &ConstructData) -> [u32; 5] {
    if data.kind == ConstructKind::Serial {
        return [1; 5];
    }
    let [x, y, z] = data.dims.gangs;
    [x, y, z, data.dims.workers, data.dims.vector]
        .map(|dim| dim.and_then(Operand::as_int).and_then(|value| u32::try_from(value).ok()).unwrap_or(0))
}

/// Moves blocks and loops into the region, between its prologue and its return.
fn move_code(capture: &mut Capture<'_, '_>, data: &ConstructData, inside: &Members) -> Result<(), PassError> {
    let prologue = capture.region.block();
    let mut blocks = FxHashMap::default();
    for &block in &inside.blocks {
        blocks.insert(block, capture.region.block());
    }
    let exit = capture.region.block();
    if !blocks.contains_key(&data.entry) {
        return Err(capture.work.defect(data.pos, format!("{} is not in its construct", data.entry)));
    }
    capture.region.blocks[prologue].term = Terminator::Jump(blocks[&data.entry]);
    capture.region.blocks[prologue].term_pos = data.pos;
    capture.region.blocks[exit].term = Terminator::Return(None);
    capture.region.blocks[exit].term_pos = data.pos;
    blocks.insert(data.exit, exit);

    let mut loops = FxHashMap::default();
    let first = capture.region.loops.len();
    for (n, &loop_) in inside.loops.iter().enumerate() {
        loops.insert(loop_, Loop::from_u32((first + n) as u32));
    }
    let constructs = inside.constructs.iter().enumerate();
    let constructs = constructs.map(|(n, &inner)| (inner, Construct::from_u32(n as u32))).collect();
    let ids = Ids { blocks, loops, constructs };
    for &inner in &inside.constructs {
        let mut moved = capture.work.body.constructs[inner].clone();
        moved.parent = moved.parent.filter(|parent| ids.constructs.contains_key(parent));
        let mut failure = None;
        moved.parts_mut(|part| keep_first(&mut failure, ids.rename(capture, data.pos, part)));
        failure.map_or(Ok(()), Err)?;
        capture.region.constructs.push(moved);
    }
    for &loop_ in &inside.loops {
        let mut moved = capture.work.body.loops[loop_].clone();
        moved.parent = moved.parent.filter(|parent| ids.loops.contains_key(parent));
        let mut failure = None;
        moved.parts_mut(|part| keep_first(&mut failure, ids.rename(capture, data.pos, part)));
        failure.map_or(Ok(()), Err)?;
        capture.region.loops.push(moved);
    }
    for &block in &inside.blocks {
        let from = &mut capture.work.body.blocks[block];
        let mut moved = BlockData {
            insts: std::mem::take(&mut from.insts),
            term: std::mem::replace(&mut from.term, Terminator::Unreachable),
            term_pos: from.term_pos,
            loop_: from.loop_.filter(|loop_| ids.loops.contains_key(loop_)),
            construct: from.construct.filter(|inner| ids.constructs.contains_key(inner)),
        };
        if let Terminator::Return(_) = moved.term {
            return Err(capture.work.defect(moved.term_pos, "a construct returns from its function"));
        }
        let mut failure = None;
        moved.parts_mut(|part| keep_first(&mut failure, ids.rename(capture, data.pos, part)));
        failure.map_or(Ok(()), Err)?;
        capture.region.blocks[ids.blocks[&block]] = moved;
    }
    capture.finish_slots(&ids.loops);
    let prologue_code = std::mem::take(&mut capture.prologue);
    capture.region.blocks[prologue].insts =
        prologue_code.into_iter().map(|op| Inst { op, pos: data.pos }).collect();
    Ok(())
}

/// New ids of blocks, loops and constructs.
struct Ids {
    blocks: FxHashMap<Block, Block>,
    loops: FxHashMap<Loop, Loop>,
    constructs: FxHashMap<Construct, Construct>,
}

impl Ids {
    /// Renames a part of the code that moves into the region.
    fn rename(&self, capture: &mut Capture<'_, '_>, pos: Pos, part: PartMut<'_>) -> Result<(), PassError> {
        let stray = match part {
            PartMut::Block(block) => match self.blocks.get(block) {
                Some(&new) => {
                    *block = new;
                    return Ok(());
                }
                None => block.to_string(),
            },
            PartMut::Loop(loop_) => match self.loops.get(loop_) {
                Some(&new) => {
                    *loop_ = new;
                    return Ok(());
                }
                None => loop_.to_string(),
            },
            PartMut::Construct(construct) => match self.constructs.get(construct) {
                Some(&new) => {
                    *construct = new;
                    return Ok(());
                }
                None => construct.to_string(),
            },
            variable => return capture.rename(variable),
        };
        Err(capture.work.defect(pos, format!("a construct refers to {stray}, which is outside of it")))
    }
}

/// Of the failures of a walk, the first.
fn keep_first(failure: &mut Option<PassError>, result: Result<(), PassError>) {
    if failure.is_none() {
        *failure = result.err();
    }
}
