//! Keeps in a local what a loop loads and stores at one address again and again.
//!
//! Before: any code; loops have their test in the header. After: where a loop loads and stores a scalar at an
//! address that it does not change, and writes nothing else that a load there may give, the value is loaded
//! once in front of the loop, and a local has it from then on:
//!
//! ```text
//!     before:  k < n?  yes: sum = load p; loop     no: exit
//!     loop:    ... x = sum; y = x + ...; store y, p; sum = y
//! ```
//!
//! Where nothing else in the loop may read or write that memory either, the store stands behind the loop.
//! Each iteration must have stored by then: C's memory is shared by threads, and a program may not write
//! where it does not say so.
//!
//! As in [`super::ahead`], the loop has had its first test when it loads, and only what the first iteration
//! accesses in any case is accessed early.

use super::ahead::{always, guard, has_plain_test};
use super::env::{Env, each_body};
use crate::analysis::cfg::Cfg;
use crate::analysis::loops::Nest;
use crate::analysis::roots::Roots;
use crate::analysis::written::{Place, Written};
use crate::edit::split::split_edges;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, Function};
use crate::module::Module;
use crate::op::{Access, Address, Inst, MemoryKind, Op, Operand, Terminator};
use crate::report::PassError;
use crate::types::Type;
use cranelift_entity::EntitySet;

/// Most places that are kept for one loop: each takes a register.
const MOST: usize = 4;

/// Runs the pass on all functions, whose calls may access everything.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        keep(&work.module.functions[work.func], work.body);
        Ok(())
    })
}

fn keep(function: &Function, body: &mut Body) {
    let live = body.live_entities().loops;
    let loops: Vec<Loop> = body.loop_tree().into_iter().filter(|&loop_| live.contains(loop_)).collect();
    if loops.is_empty() {
        return;
    }
    let roots = Roots::new(function, body);
    let (mut nest, mut cfg) = (Nest::new(body), Cfg::new(body));
    // From the inside out.
    for loop_ in loops.into_iter().rev() {
        if !has_plain_test(body, &body.loops[loop_]) {
            continue;
        }
        let blocks = nest.blocks(loop_);
        let first = always(body, &body.loops[loop_], &cfg);
        let kept = Accesses::of(body, &blocks).kept(body, &roots, [&blocks, &first]);
        if !kept.is_empty() {
            let exits = nest.exits(body, loop_);
            rewrite(body, loop_, (&blocks, &exits), &kept);
            (nest, cfg) = (Nest::new(body), Cfg::new(body));
        }
    }
}

/// A place that a loop accesses again and again.
struct Kept {
    place: Place,
    access: Access,
    /// Whether it is stored behind the loop only.
    sinks: bool,
}

/// What a loop does to memory.
struct Accesses {
    places: Vec<(Place, Access)>,
    /// What else it reads: the sources of copies.
    read: Vec<Operand>,
    /// What else it writes.
    written: Written,
    /// Locals that it assigns.
    assigned: EntitySet<Local>,
    /// Whether it is left by its edges only.
    has_returns: bool,
}

impl Accesses {
    fn of(body: &Body, blocks: &[Block]) -> Accesses {
        let mut accesses = Accesses {
            places: Vec::new(),
            read: Vec::new(),
            written: Written::default(),
            assigned: EntitySet::with_capacity(body.locals.len()),
            has_returns: false,
        };
        for &block in blocks {
            for Inst { op, .. } in &body.blocks[block].insts {
                op.defs(|local| _ = accesses.assigned.insert(local));
            }
        }
        accesses
    }
}
