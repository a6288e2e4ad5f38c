//! Functions in the place of their calls.
//!
//! A call costs a GPU more than a host: what crosses it goes through registers that a convention names and
//! through memory of the thread's own, and nothing around it is known inside. Before: the program is linked,
//! so that every call has its target. After: calls of functions that are worth it are gone, and functions
//! that nothing reaches any more have lost their bodies.
//!
//! Functions are finished from the called to the calling, so that what is put into a caller is clean and its
//! size is known. Finishing is [`finish`]: objects that had an address only because they crossed a call
//! become locals.
//!
//! Which calls go, by the size of the callee, [`size`]:
//! - up to [`SMALL`], always;
//! - up to [`WANTED`], if it is of the device's library or was declared `inline`;
//! - up to [`ONLY`], if nothing else calls or names it.
//!
//! No function grows by more than [`GROWTH`] in all, nor by [`FRAME`] bytes of objects in memory for a call,
//! so that the program stays linear in its former size. What stays a call: recursion (one call of each
//! circle), `noinline`, functions that never return, `...`, memory from `alloca` and arrays of variable
//! length, which would live on until the caller returns, routines above `seq`, whose threads meet in them,
//! and calls whose arguments do not fit, which are reported where text is written. The library marks what is
//! rarely called `noinline`.
//!
//! Instructions keep their positions. Where those are in the device's library, options that change what
//! arithmetic means do not concern them (`crate::library::in_library`).

mod splice;
#[cfg(test)]
mod tests;

use crate::target::EXTENDS_INDICES;
use crate::text::{EmitError, Reached, callees_first, reach};
use accrue_ir::edit::compact;
use accrue_ir::entities::set_of;
use accrue_ir::passes::{dce, fold, simplify_cfg, split_objects};
use accrue_ir::visit::Part;
use accrue_ir::{
    Body, Callee, Class, Func, Function, FunctionKind, Inst, Module, Op, Operand, PassBy, SlotKind,
};
use cranelift_entity::EntitySet;
use cranelift_entity::SecondaryMap;
use splice::{Site, Splicer};

/// Sizes up to which functions are put in the place of their calls; see above.
const SMALL: usize = 120;
const WANTED: usize = 400;
const ONLY: usize = 1000;

/// By how much a caller may grow.
const GROWTH: usize = 4000;

/// Most bytes of objects that the callee keeps in memory: the caller has them for every call.
const FRAME: u64 = 256;

/// What a call costs, in instructions.
const CALL: usize = 8;

/// Largest object that is copied.
const MOST_BYTES: u64 = 256;

/// Runs the pass. `reached` is what the device executes of the program, the result what it executes
/// afterwards.
pub(crate) fn run(module: &mut Module, mut reached: Reached) -> Result<Reached, EmitError> {
    let (order, recursive) = callees_first(&reached.callees, reached.with_code());
    let mut inliner =
        Inliner { module, reached: &mut reached, candidates: SecondaryMap::new(), changed: false };
    for func in order {
        inliner.function(func);
        if !recursive.contains(func) && inliner.reached.mentions[func] > 0 {
            inliner.candidates[func] = Candidate::of(inliner.module, inliner.reached, func);
        }
    }
    if inliner.changed {
        reached = reach(module)?;
        drop_unreached(module, &reached);
    }
    Ok(reached)
}

/// Takes the bodies of functions that the device does not execute.
fn drop_unreached(module: &mut Module, reached: &Reached) {
    let executed = set_of(reached.with_code());
    for (func, function) in module.functions.iter_mut() {
        if !executed.contains(func) {
            function.body = None;
        }
    }
}

/// A function that may be put in the place of its calls.
#[derive(Clone)]
struct Candidate {
    size: usize,
    /// The size up to which it is.
    limit: usize,
    /// Parameters that it never writes: the caller's argument can stand wherever they are read.
    constant: Vec<bool>,
}

impl Candidate {
    /// The function must be finished.
    fn of(module: &Module, reached: &Reached, func: Func) -> Option<Candidate> {
        let function = &module.functions[func];
        let body = function.body.as_deref()?;
        let signature = &module.signatures[function.sig];
        let is_plain = matches!(function.kind, FunctionKind::Normal)
            && is_sequential(function)
            && !(function.noinline || function.noreturn || function.returns_twice || signature.variadic);
        let crosses = |pass: &PassBy| match pass {
            PassBy::Scalar(ty, _) => ty.is_word(),
            PassBy::Aggregate(agg) => module.aggregates[*agg].size <= MOST_BYTES,
        };
        if !is_plain || !signature.params.iter().chain(&signature.result).all(crosses) {
            return None;
        }
        let is_only = reached.mentions[func] == 1;
        let size = size(body, reached);
        let limit = match () {
            () if is_only => ONLY,
            () if function.inline_hint || crate::library::is_library(module, func) => WANTED,
            () => SMALL,
        };
        let frame: u64 = body.slots.values().map(|data| data.size).sum();
        let fits = size <= limit && (is_only || frame <= FRAME);
        (fits && can_move(body)).then(|| Candidate { size, limit, constant: constant_params(body) })
    }
}

/// Whether the function has no loops that the threads of a gang share.
fn is_sequential(function: &Function) -> bool {
    function.routine.as_ref().is_none_or(|routine| routine.level.is_none())
}

/// The number of instructions and blocks; an operation that becomes several instructions counts as these. A
/// function without code of its own is mostly one instruction.
fn size(body: &Body, reached: &Reached) -> usize {
    let of_op = |inst: &Inst| match &inst.op {
        Op::Call { callee: Callee::Direct(func), .. } if reached.targets[*func].is_none() => 1,
        Op::Call { args, .. } => CALL + args.len(),
        Op::MemCopy { bytes, .. } | Op::MemSet { bytes, .. } => match bytes {
            Operand::Int(_, bytes) => (bytes / 4).clamp(1, 64) as usize,
            _ => CALL,
        },
        _ => 1,
    };
    let of_block = |&block: &_| 1 + body.blocks[block].insts.iter().map(of_op).sum::<usize>();
    body.order.iter().map(of_block).sum()
}

/// Whether the code means the same in another function.
fn can_move(body: &Body) -> bool {
    let in_frame = body.slots.values().all(|data| data.kind == SlotKind::Frame);
    let insts = || body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    in_frame && body.constructs.is_empty() && insts().all(|inst| moves(&inst.op))
}

fn moves(op: &Op) -> bool {
    match op.class() {
        Class::Value | Class::Lane | Class::Memory | Class::Atomic | Class::Call => true,
        // Bound to the function's own frame, to the threads of a launch, or to the host's side of it.
        Class::Frame | Class::Threads | Class::Abstract | Class::Directive => false,
    }
}

/// Which parameters nothing writes, and nothing but an operand names.
fn constant_params(body: &Body) -> Vec<bool> {
    let mut other: EntitySet<_> = EntitySet::with_capacity(body.locals.len());
    let mut visit = |part: Part<'_>| match part {
        Part::Def(local) | Part::NamedLocal(local) => _ = other.insert(*local),
        Part::Variable(operand) => operand.as_local().into_iter().for_each(|local| _ = other.insert(local)),
        Part::Value(_)
        | Part::Address(_)
        | Part::Func(_)
        | Part::Sig(_)
        | Part::Agg(_)
        | Part::Block(_)
        | Part::Loop(_)
        | Part::Construct(_)
        | Part::Red(_)
        | Part::Pos(_) => {}
    };
    for &block in &body.order {
        body.blocks[block].insts.iter().for_each(|inst| inst.op.parts(&mut visit));
    }
    body.loops.values().for_each(|data| data.parts(&mut visit));
    body.params.iter().map(|param| !other.contains(*param)).collect()
}

struct Inliner<'a> {
    module: &'a mut Module,
    reached: &'a Reached,
    /// Those among the finished functions.
    candidates: SecondaryMap<Func, Option<Candidate>>,
    /// Whether calls are gone.
    changed: bool,
}

impl Inliner<'_> {
    /// Finishes a function whose callees are finished.
    fn function(&mut self, func: Func) {
        let Some(mut body) = self.module.functions[func].body.take() else { return };
        let calls = self.reached.callees[func].iter().any(|&callee| self.candidates[callee].is_some());
        let grew = calls && self.inline(func, &mut body);
        self.changed |= grew;
        let is_callee = self.reached.mentions[func] > 0 && is_sequential(&self.module.functions[func]);
        finish(&mut body, grew, is_callee);
        self.module.functions[func].body = Some(body);
    }

    /// Puts callees in the place of their calls; whether there were any.
    fn inline(&self, func: Func, body: &mut Body) -> bool {
        let mut room = GROWTH;
        Splicer::new(self.module, func, body).run(|body, inst| self.site(body, inst, &mut room))
    }

    /// The call that an instruction is, if it goes.
    fn site<'i>(&self, body: &Body, inst: &'i Inst, room: &mut usize) -> Option<(Site<'i>, &[bool])> {
        let Op::Call { dst, callee: Callee::Direct(named), sig: _, args, dest } = &inst.op else {
            return None;
        };
        let callee = self.reached.targets[*named]?;
        let candidate = self.candidates[callee].as_ref()?;
        let site = Site { callee, dst: *dst, args, dest: *dest, pos: inst.pos };
        if candidate.size > candidate.limit.min(*room) || !site.fits(self.module, body) {
            return None;
        }
        *room -= candidate.size;
        Some((site, &candidate.constant))
    }
}

/// Makes code short again. `grew`: functions were put into it. `is_callee`: it may be put into others, for
/// which its ids must be dense.
fn finish(body: &mut Body, grew: bool, is_callee: bool) {
    if grew && !body.slots.is_empty() {
        // Addresses of objects reach the accesses.
        fold::fold(body, EXTENDS_INDICES);
    }
    let split = split_objects::split(body);
    if grew || split {
        fold::fold(body, EXTENDS_INDICES);
        dce::clean(body);
        simplify_cfg::simplify(body);
    } else if is_callee {
        compact::compact(body);
    }
}
