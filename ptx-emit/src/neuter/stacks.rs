//! Arrays of variable length that several threads share.
//!
//! What a thread allocates on its stack, no other thread reaches. In single mode, such an array goes to the
//! heap of the device instead ([`crate::alloca`]): the thread that executes the allocation sends the address
//! to the other threads, as it does with anything it computes.

use super::modes::{self, Modes};
use super::threads::{Threads, index};
use crate::alloca::Stack;
use accrue_ir::{Block, Body, Inst, Level, Module, Op};

/// Moves the shared arrays of a region or routine to the heap.
pub fn share(module: &mut Module, body: &mut Body, threads: Threads) {
    modes::split(module, body);
    let modes = Modes::of(module, body, threads.single);
    let lanes = index(Level::Vector);
    let single: Vec<Block> =
        body.order.iter().copied().filter(|&block| modes.is_single(block, lanes)).collect();
    let forks =
        |block: &Block| body.blocks[*block].insts.iter().any(|inst| matches!(inst.op, Op::Fork { .. }));
    let allocates = |block: &Block| {
        let is_shared = |inst: &Inst| matches!(inst.op, Op::StackAlloc { each: false, .. });
        body.blocks[*block].insts.iter().any(is_shared)
    };
    if !body.order.iter().any(forks) || !single.iter().any(allocates) {
        return;
    }
    let stack = Stack::new(module, body, None);
    for block in single {
        stack.rewrite(body, block, |each| !each);
    }
    stack.begin(body);
}
