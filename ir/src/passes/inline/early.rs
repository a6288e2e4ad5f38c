//! Small functions in the place of their calls in `kernels`, and in regions.
//!
//! Before: the front end's code. After: what `at(i, j, n)` computes, and what `put(a, i, j, n, x)` touches,
//! stands where it is called, so that loops are judged, and pointers mapped, by subscripts that are seen. A
//! summary of a function knows distances that are constants only.
//!
//! `memset` and `memcpy` of a constant number of bytes become operations, which set all of an array that each
//! iteration has for itself.
//!
//! That are functions without loops, objects in memory, and anything but values and plain accesses through
//! their parameters. What names a variable of the program stays a call: the construct has no clause for it.
//!
//! In regions, [`run_in_regions`] does the same in front of the choice of levels: which loop the lanes take,
//! and what several iterations have in common, depends on what functions access. They may have objects of
//! their own there, and pass them by value: nothing decides any more what a construct shares of them. Short
//! ones may have loops, which are written out before the loops around them are.

use super::splice::{Site, Splicer};
use super::{MOST_BYTES, Policy, bytes, can_move, is_sequential};
use crate::acc::ConstructKind;
use crate::analysis::call_order::callees_first;
use crate::analysis::steady::steady_params;
use crate::entities::{Block, Construct, Func, set_of};
use crate::function::{Body, FunctionKind, Linkage};
use crate::module::Module;
use crate::op::{Access, Callee, Class, Inst, Op, Operand};
use crate::passes::env::{Env, Work, each_body};
use crate::passes::split_objects;
use crate::report::PassError;
use crate::types::PassBy;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Instructions of a function that goes to the place of its calls in `kernels`, and in regions.
const MOST: usize = 60;
const MOST_IN_REGIONS: usize = 400;
/// The same for functions with loops, of which a region has room to write out only so many; in a function of
/// its own, each has room for itself.
const MOST_WITH_LOOPS: usize = 60;

/// By so many instructions a body may grow.
const GROWTH: usize = 4000;

/// Calls within calls.
const DEPTH: usize = 6;

/// Variables of the functions have no names in the construct, as those of a library: the body that they are
/// put into is not in the module meanwhile.
const POLICY: Policy = Policy {
    small: MOST,
    wanted: MOST,
    objects: MOST,
    only: MOST,
    growth: GROWTH,
    frame: 0,
    only_frame: 0,
    frames: 0,
    unfolded: 0,
    wide_scalars: true,
    unrolls: false,
    keeps_loops_apart: false,
    threads_jumps: false,
    narrow_indices: false,
    is_library: |module, func| module.functions[func].body.is_some(),
    runs_once: |_, _| false,
};

/// Runs the pass on `kernels`.
pub fn run(module: &mut Module, _: &mut Env<'_>) -> Result<(), PassError> {
    let mut candidates: Option<Candidates> = None;
    each_body(module, |Work { module, func, body }| {
        let constructs = body.constructs.iter().filter(|(_, data)| data.kind == ConstructKind::Kernels);
        let constructs: EntitySet<Construct> = set_of(constructs.map(|(construct, _)| construct));
        let is_inside = |body: &Body, block: Block| {
            body.blocks[block].construct.is_some_and(|construct| constructs.contains(construct))
        };
        if constructs.is_empty() || !has_calls(body, is_inside) {
            return Ok(());
        }
        let candidates = candidates.get_or_insert_with(|| Candidates::of(module, false));
        put(module, candidates, (func, body), is_inside);
        let ours: Vec<Block> = body.order.iter().copied().filter(|&block| is_inside(body, block)).collect();
        for block in ours {
            bytes::make_operations(module, &mut body.blocks[block].insts, i64::MAX);
        }
        Ok(())
    })
}

/// Runs the pass on the loops of regions.
pub fn run_in_regions(module: &mut Module, _: &mut Env<'_>) -> Result<(), PassError> {
    let mut candidates: Option<Candidates> = None;
    each_body(module, |Work { module, func, body }| {
        let is_inside = |body: &Body, block: Block| body.blocks[block].loop_.is_some();
        let is_region = matches!(module.functions[func].kind, FunctionKind::Region(_));
        if !is_region || !has_calls(body, is_inside) {
            return Ok(());
        }
        let candidates = candidates.get_or_insert_with(|| Candidates::of(module, true));
        if put(module, candidates, (func, body), is_inside) {
            split_objects::split_unshared(body);
        }
        Ok(())
    })
}

/// Whether a part of a body calls functions.
fn has_calls(body: &Body, is_inside: impl Fn(&Body, Block) -> bool) -> bool {
    body.order.iter().any(|&block| {
        let mut insts = body.blocks[block].insts.iter();
        is_inside(body, block) && insts.any(|inst| matches!(inst.op, Op::Call { .. }))
    })
}

/// Puts functions where a part of a body calls them; whether there were any.
fn put(
    module: &Module,
    candidates: &Candidates,
    (func, body): (Func, &mut Body),
    is_inside: impl Fn(&Body, Block) -> bool,
) -> bool {
    let mut room = GROWTH;
    for round in 0..DEPTH {
        let headers: EntitySet<Block> = set_of(body.live_loops().iter().map(|&it| body.loops[it].header));
        let changed = Splicer::new(module, &POLICY, func, body).run(|body, block, inst| {
            let (site, known) = candidates.site(inst).filter(|_| is_inside(body, block))?;
            // A header ends with the test of its loop.
            let stays_whole = known.blocks == 1 || !headers.contains(block);
            let goes = stays_whole && known.size <= room && site.fits(module, body);
            room -= if goes { known.size } else { 0 };
            goes.then_some((site, &known.constant[..]))
        });
        if !changed {
            return round > 0;
        }
    }
    true
}

/// A function that may be put in the place of its calls.
#[derive(Clone)]
struct Candidate {
    size: usize,
    blocks: usize,
    /// Parameters that it never writes.
    constant: Vec<bool>,
}

struct Candidates {
    of: SecondaryMap<Func, Option<Candidate>>,
    /// Functions may have objects and loops.
    in_regions: bool,
}

impl Candidates {
    fn of(module: &Module, in_regions: bool) -> Candidates {
        let mut callees: SecondaryMap<Func, Vec<Func>> = SecondaryMap::new();
        for (func, function) in &module.functions {
            let Some(body) = &function.body else { continue };
            let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
            callees[func] = insts.filter_map(|inst| called(&inst.op)).collect();
        }
        let (order, recursive) = callees_first(&callees, module.functions.keys());
        let mut candidates = Candidates { of: SecondaryMap::new(), in_regions };
        for func in order.into_iter().filter(|&func| !recursive.contains(func)) {
            candidates.of[func] = candidates.candidate(module, func);
        }
        candidates
    }

    /// What a function is whose callees are known.
    fn candidate(&self, module: &Module, func: Func) -> Option<Candidate> {
        let function = &module.functions[func];
        let body = function.body.as_deref()?;
        let signature = &module.signatures[function.sig];
        let is_plain = matches!(function.kind, FunctionKind::Normal)
            && is_sequential(function)
            && function.routine.as_ref().is_none_or(|routine| routine.bind.is_none() && !routine.nohost)
            && matches!(function.linkage, Linkage::External | Linkage::Internal | Linkage::Inline)
            && !(function.noinline || function.noreturn || function.returns_twice || signature.variadic)
            && signature.params.iter().chain(&signature.result).all(|it| self.crosses(module, it));
        let insts = || body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        let size = insts().count();
        let has_loops = !body.loops.is_empty();
        let is_small = if self.in_regions {
            // Sequential loops, without saying so.
            let are_plain = || body.loops.values().all(|data| data.directive.is_none());
            size <= if has_loops { MOST_WITH_LOOPS } else { MOST_IN_REGIONS } && are_plain()
        } else {
            size <= MOST && body.slots.is_empty() && !has_loops
        };
        let is_known =
            is_plain && is_small && can_move(body) && insts().all(|inst| self.is_seen(module, &inst.op));
        is_known.then(|| Candidate { size, blocks: body.order.len(), constant: steady_params(body) })
    }

    fn crosses(&self, module: &Module, pass: &PassBy) -> bool {
        match pass {
            PassBy::Scalar(..) => true,
            PassBy::Aggregate(agg) => self.in_regions && module.aggregates[*agg].size <= MOST_BYTES,
        }
    }

    /// Whether an operation means the same in a construct, and is looked into there.
    fn is_seen(&self, module: &Module, op: &Op) -> bool {
        let is_volatile = |access: &Access| access.volatile;
        let is_plain = match op {
            Op::Load { access, .. } | Op::Store { access, .. } => !is_volatile(access),
            Op::Call { dest, .. } => {
                let callee = called(op).filter(|_| dest.is_none() || self.in_regions);
                callee.is_some_and(|callee| {
                    module.functions[callee].body.is_none() || self.of[callee].is_some()
                })
            }
            Op::MemCopy { .. } | Op::MemSet { .. } => self.in_regions,
            op => op.class() == Class::Value,
        };
        let mut names = false;
        op.operands(|operand| {
            names |= match operand {
                Operand::Global(global) => !module.globals[global].constant,
                Operand::Func(_) => true,
                _ => false,
            }
        });
        is_plain && !names
    }

    /// The call that an instruction is, if it goes.
    fn site<'i>(&self, inst: &'i Inst) -> Option<(Site<'i>, &Candidate)> {
        let callee = called(&inst.op)?;
        let Op::Call { dst, args, dest, .. } = &inst.op else { return None };
        let site = Site { callee, dst: *dst, args, dest: *dest, pos: inst.pos };
        Some((site, self.of[callee].as_ref()?))
    }
}

/// The function that an operation calls by its name.
pub(super) fn called(op: &Op) -> Option<Func> {
    match op {
        Op::Call { callee: Callee::Direct(func), .. } => Some(*func),
        _ => None,
    }
}
