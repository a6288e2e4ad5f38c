//! Functions in the place of their calls.
//!
//! What crosses a call goes through registers and memory that a convention names, and nothing around it is
//! known inside. Before: abstract operations are expanded, and [`Calls`] says where each call goes. After:
//! calls of functions that are worth it are gone.
//!
//! Functions are finished from the called to the calling, so that what is put into a caller is clean and its
//! size is known. Finishing is [`finish`]: objects that had an address only because they crossed a call
//! become locals.
//!
//! Which calls go, the target says by sizes of the callee, a [`Policy`]. No function grows by more than it
//! allows, so that the program stays linear in its former size. What stays a call: recursion (one call of
//! each circle, but for [`Policy::unfolded`]), `noinline`, functions that never return, `...`, memory from
//! `alloca` and arrays of variable length, which would live on until the caller returns, routines above
//! `seq`, whose threads meet in them, and calls whose arguments do not fit, which are reported where code is
//! made.
//!
//! Instructions keep their positions. Where those are in a library of the target's, options that change what
//! arithmetic means do not concern them.

pub mod bytes;
pub mod early;
mod splice;
#[cfg(test)]
mod tests;

use super::{dce, fold, simplify_cfg, split_objects, tables, thread_jumps, unroll_whole};
use crate::analysis::call_order::callees_first;
use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::Liveness;
use crate::analysis::steady::steady_params;
use crate::edit::compact::compact;
use crate::entities::{Block, Func, Local, set_of};
use crate::function::{Body, Function, FunctionKind, SlotKind};
use crate::module::Module;
use crate::op::{Callee, Class, Inst, Op, Operand};
use crate::types::{PassBy, Type};
use cranelift_entity::{EntitySet, SecondaryMap};
use splice::{Site, Splicer};

/// What a call costs, in instructions.
const CALL: usize = 8;

/// Largest object that is copied.
pub const MOST_BYTES: u64 = 256;

/// What is worth it for a target.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Functions up to this size go to the place of every call.
    pub small: usize,
    /// The same for functions that were declared `inline` or are of the target's library.
    pub wanted: usize,
    /// The same for functions to or from which objects go by value, and for calls that are given the address
    /// of an object of the caller's, which needs none if the call is gone.
    pub objects: usize,
    /// The same for functions that nothing else calls or names.
    pub only: usize,
    /// By how much a caller may grow.
    pub growth: usize,
    /// Most bytes of objects that a callee keeps in memory: the caller has them for every call.
    pub frame: u64,
    /// The same for functions that nothing else calls or names.
    pub only_frame: u64,
    /// The same for all calls of a caller.
    pub frames: u64,
    /// The size up to which a function that calls itself is put into itself, if it has no objects in memory.
    pub unfolded: usize,
    /// Whether scalars of more than a word may cross.
    pub wide_scalars: bool,
    /// Whether short loops over the elements of objects are written out, but for those of the library, which
    /// are as they should be.
    pub unrolls: bool,
    /// Whether functions whose loops carry floating-point numbers stay calls where the caller has other
    /// calls: these keep no register for such numbers, and the target's registers are then allocated as if
    /// they stood in the loop.
    pub keeps_loops_apart: bool,
    /// Whether branches that a callee's result decides are decided where the result is.
    pub threads_jumps: bool,
    /// Whether address arithmetic extends 32-bit indices, see [`crate::target::Target::extends_indices`].
    pub narrow_indices: bool,
    /// Whether a function is one of the target's library.
    pub is_library: fn(&Module, Func) -> bool,
    /// Whether code of a function outside of loops is executed once, so that its calls may stay.
    pub runs_once: fn(&Module, Func) -> bool,
}

/// The calls of a program, as they are linked for a target.
#[derive(Clone, Copy, Debug)]
pub struct Calls<'a> {
    /// The functions that callees are put into, and that are put into others.
    pub functions: &'a [Func],
    /// The functions that a function calls or names, directly or through initial values.
    pub callees: &'a SecondaryMap<Func, Vec<Func>>,
    /// Who runs when one of the functions that are called or named is called.
    pub targets: &'a SecondaryMap<Func, Option<Func>>,
    /// How often a function is called or named, initial values included.
    pub mentions: &'a SecondaryMap<Func, u32>,
}

/// Runs the pass. Gives the functions that others were put into.
pub fn run(module: &mut Module, calls: Calls<'_>, policy: &Policy) -> EntitySet<Func> {
    let (order, recursive) = callees_first(calls.callees, calls.functions.iter().copied());
    let mut listed = EntitySet::with_capacity(module.functions.len());
    listed.extend(calls.functions.iter().copied());
    let candidates = SecondaryMap::new();
    let grown = EntitySet::with_capacity(module.functions.len());
    let mut inliner = Inliner { module, calls, policy, candidates, grown };
    for func in order.into_iter().filter(|&func| listed.contains(func)) {
        inliner.function(func);
        if calls.mentions[func] == 0 {
            continue;
        }
        if !recursive.contains(func) {
            inliner.candidates[func] = inliner.candidate(func);
            if inliner.candidates[func].is_some()
                && let Some(body) = &mut inliner.module.functions[func].body
            {
                // Every id that it has is one more in every caller.
                compact(body);
            }
        } else if policy.unfolded > 0 && calls.callees[func].contains(&func) {
            inliner.unfold(func);
        }
    }
    inliner.grown
}

/// Writes the short loops of a function out whose callees are in it: what was an argument may say how long
/// they are, and which elements of an array they mean. What is still to be put elsewhere had better stay
/// short.
pub fn write_loops_out(module: &mut Module, func: Func, policy: &Policy) {
    let Some(mut body) = module.functions[func].body.take() else { return };
    if unroll_whole::unroll_all_of_merged(&mut body) {
        tables::read_objects(module, &mut body);
        finish(&mut body, policy, (true, true));
    }
    module.functions[func].body = Some(body);
}

/// A function that may be put in the place of its calls.
#[derive(Clone)]
struct Candidate {
    size: usize,
    /// The size up to which it is.
    limit: usize,
    /// Bytes of its objects in memory.
    frame: u64,
    /// Parameters that it never writes: the caller's argument can stand wherever they are read.
    constant: Vec<bool>,
    /// It has no calls, and a loop that carries floating-point numbers.
    carries_numbers: bool,
}

/// What a caller may still take.
struct Room {
    size: usize,
    frame: u64,
    /// Whether it has several calls, so that what it keeps is in memory around some of them.
    has_calls: bool,
}

/// Whether the function has no loops that the threads of a gang share.
fn is_sequential(function: &Function) -> bool {
    function.routine.as_ref().is_none_or(|routine| routine.level.is_none())
}

/// The number of instructions and blocks; an operation that becomes several instructions counts as these. A
/// function without code of its own is mostly one instruction.
fn size(body: &Body, calls: Calls<'_>) -> usize {
    let of_op = |inst: &Inst| match &inst.op {
        Op::Call { callee: Callee::Direct(func), .. } if calls.targets[*func].is_none() => 1,
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

fn calls_of(body: &Body) -> impl Iterator<Item = &Inst> {
    let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    insts.filter(|inst| matches!(inst.op, Op::Call { .. }))
}

/// Whether a body has no calls, and a loop that carries floating-point numbers from iteration to iteration.
fn carries_numbers(body: &Body) -> bool {
    let loops = body.live_loops();
    if loops.is_empty() || calls_of(body).next().is_some() {
        return false;
    }
    let live = Liveness::new(body, &Cfg::new(body));
    let is_float = |ty: Type| ty.is_float() || ty.is_complex();
    let is_inside = |block: &&Block, loop_| body.loop_is_within(body.blocks[**block].loop_, loop_);
    loops.into_iter().any(|loop_| {
        let inside = body.order.iter().filter(|block| is_inside(block, loop_));
        let assigned =
            set_of(inside.flat_map(|&block| &body.blocks[block].insts).filter_map(|inst| inst.op.dst()));
        let is_number = |local: &Local| is_float(body.locals[*local].ty) && assigned.contains(*local);
        live.live_in(body.loops[loop_].header).any(|local| is_number(&local))
    })
}

struct Inliner<'a> {
    module: &'a mut Module,
    calls: Calls<'a>,
    policy: &'a Policy,
    /// Those among the finished functions.
    candidates: SecondaryMap<Func, Option<Candidate>>,
    /// Functions that others were put into.
    grown: EntitySet<Func>,
}

impl Inliner<'_> {
    /// Finishes a function whose callees are finished.
    fn function(&mut self, func: Func) {
        let Some(mut body) = self.module.functions[func].body.take() else { return };
        let calls = self.calls.callees[func].iter().any(|&callee| self.candidates[callee].is_some());
        let grew = calls && self.inline(func, &mut body, self.policy.growth);
        if grew {
            self.grown.insert(func);
        }
        self.finish(func, &mut body, grew);
        self.module.functions[func].body = Some(body);
    }

    /// What a finished function is for those that call it.
    fn candidate(&self, func: Func) -> Option<Candidate> {
        let (module, policy) = (&*self.module, self.policy);
        let function = &module.functions[func];
        let body = function.body.as_deref()?;
        let signature = &module.signatures[function.sig];
        let is_plain = matches!(function.kind, FunctionKind::Normal)
            && is_sequential(function)
            && !(function.noinline || function.noreturn || function.returns_twice || signature.variadic);
        let crosses = |pass: &PassBy| match pass {
            PassBy::Scalar(ty, _) => ty.is_word() || policy.wide_scalars,
            PassBy::Aggregate(agg) => module.aggregates[*agg].size <= MOST_BYTES,
        };
        let passes = || signature.params.iter().chain(&signature.result);
        if !is_plain || !passes().all(crosses) {
            return None;
        }
        let is_only = self.calls.mentions[func] == 1;
        let has_objects = || passes().any(|pass| matches!(pass, PassBy::Aggregate(_)));
        let size = size(body, self.calls);
        let limit = match () {
            () if is_only => policy.only,
            () if function.inline_hint || (policy.is_library)(module, func) => policy.wanted,
            () if has_objects() => policy.objects,
            () => policy.small,
        };
        if size > limit.max(policy.objects) || !can_move(body) {
            return None;
        }
        let frame = split_objects::bytes_in_memory(body);
        let fits = frame <= if is_only { policy.only_frame } else { policy.frame };
        fits.then(|| Candidate {
            size,
            limit,
            frame,
            constant: steady_params(body),
            carries_numbers: policy.keeps_loops_apart && carries_numbers(body),
        })
    }

    /// Puts a function that calls itself into itself, so that calls are fewer, and no deeper.
    fn unfold(&mut self, func: Func) {
        let Some(candidate) = self.candidate(func).filter(|candidate| candidate.frame == 0) else { return };
        let Some(mut body) = self.module.functions[func].body.clone() else { return };
        // What the calls are replaced by is the function as it was, which stays in the module meanwhile.
        self.candidates[func] = Some(Candidate { limit: self.policy.unfolded, ..candidate });
        while size(&body, self.calls) < self.policy.unfolded / 2
            && self.inline(func, &mut body, self.policy.unfolded)
        {
            self.finish(func, &mut body, true);
            self.grown.insert(func);
        }
        self.candidates[func] = None;
        self.module.functions[func].body = Some(body);
    }

    /// Puts callees in the place of their calls; whether there were any.
    fn inline(&self, func: Func, body: &mut Body, growth: usize) -> bool {
        let has_calls = calls_of(body).nth(1).is_some();
        let mut room = Room { size: growth, frame: self.policy.frames, has_calls };
        let runs_once = (self.policy.runs_once)(self.module, func);
        Splicer::new(self.module, self.policy, func, body).run(|body, block, inst| {
            let is_worth = !runs_once || body.blocks[block].loop_.is_some();
            if is_worth { self.site(body, inst, &mut room) } else { None }
        })
    }

    /// The call that an instruction is, if it goes.
    fn site<'i>(&self, body: &Body, inst: &'i Inst, room: &mut Room) -> Option<(Site<'i>, &[bool])> {
        let Op::Call { dst, callee: Callee::Direct(named), sig: _, args, dest } = &inst.op else {
            return None;
        };
        let callee = self.calls.targets[*named]?;
        let candidate = self.candidates[callee].as_ref()?;
        let site = Site { callee, dst: *dst, args, dest: *dest, pos: inst.pos };
        let takes_object = args.iter().any(|arg| matches!(arg, Operand::Slot(_)));
        let limit = if takes_object { candidate.limit.max(self.policy.objects) } else { candidate.limit };
        let has_room = candidate.size <= limit.min(room.size) && candidate.frame <= room.frame;
        // A constant may say how long the loop is.
        let is_told = || args.iter().any(|arg| matches!(arg, Operand::Int(..) | Operand::Slot(_)));
        let stays = room.has_calls && candidate.carries_numbers && !is_told();
        if !has_room || stays || !site.fits(self.module, body) {
            return None;
        }
        room.size -= candidate.size;
        room.frame -= candidate.frame;
        Some((site, &candidate.constant))
    }

    /// The parameters of a function that are objects by value.
    fn objects(&self, func: Func) -> impl Fn(usize) -> bool + '_ {
        let signature = &self.module.signatures[self.module.functions[func].sig];
        |index| matches!(signature.params.get(index), Some(PassBy::Aggregate(_)))
    }

    /// Writes out short loops over elements of objects, if the target wants that, and makes code short again.
    /// `grew`: functions were put into it.
    fn finish(&self, func: Func, body: &mut Body, grew: bool) {
        let narrow_indices = self.policy.narrow_indices;
        if grew && !body.slots.is_empty() {
            // Addresses of objects reach the accesses.
            fold::fold(body, narrow_indices);
        }
        let is_own = || !(self.policy.is_library)(self.module, func);
        let unrolled = self.policy.unrolls && is_own() && unroll_whole::unroll(body, self.objects(func));
        if unrolled {
            fold::fold(body, narrow_indices);
            if tables::read_objects(self.module, body) {
                fold::fold(body, narrow_indices);
            }
        }
        finish(body, self.policy, (grew, unrolled));
    }
}

/// Makes code short again. `grew`: functions were put into it; `unrolled`: loops were written out.
fn finish(body: &mut Body, policy: &Policy, (grew, unrolled): (bool, bool)) {
    if (grew || unrolled) && !body.slots.is_empty() {
        // Addresses that accesses took the constant offset of keep no object in memory.
        dce::clean(body);
    }
    let split = split_objects::split(body);
    if grew || unrolled || split {
        fold::fold(body, policy.narrow_indices);
        if grew && policy.threads_jumps && thread_jumps::thread(body) {
            fold::fold(body, policy.narrow_indices);
        }
        dce::clean(body);
        simplify_cfg::simplify(body);
    }
}
