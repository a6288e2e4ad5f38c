//! The blocks of a function, and their ways.

use crate::code::{Function, Inst, Op};

/// Whether the instruction ends a block.
pub(crate) fn ends_block(op: &Op) -> bool {
    matches!(op, Op::Branch { .. } | Op::BranchTable { .. } | Op::Return | Op::Exit | Op::Trap)
}

/// The blocks of a function, and their ways.
pub(crate) struct Graph {
    /// The first instruction of each, and the one behind the last.
    pub(crate) blocks: Vec<u32>,
    /// By block; the end of the function is one more.
    pub(crate) successors: Vec<Vec<u32>>,
}

impl Graph {
    pub(crate) fn of(insts: &[Inst], function: &Function) -> Graph {
        let range = function.start..function.end;
        let mut is_first = vec![false; range.len() + 1];
        is_first[0] = true;
        let mut note = |pc: u32| {
            if let Some(first) = pc.checked_sub(function.start).and_then(|at| is_first.get_mut(at as usize)) {
                *first = true;
            }
        };
        for pc in range.clone() {
            let op = &insts[pc as usize].op;
            targets(op).iter().for_each(|target| note(*target));
            if ends_block(op) {
                note(pc + 1);
            }
        }
        let firsts = is_first.iter().enumerate().filter(|(_, first)| **first);
        let mut blocks: Vec<u32> = firsts.map(|(at, _)| function.start + at as u32).collect();
        if blocks.last() != Some(&function.end) {
            blocks.push(function.end);
        }
        let mut graph = Graph { blocks, successors: Vec::new() };
        graph.successors = (0..graph.exit()).map(|block| graph.ways(insts, block)).collect();
        graph
    }

    /// The number of the function's end.
    pub(crate) fn exit(&self) -> u32 {
        self.blocks.len() as u32 - 1
    }

    /// The block of an instruction.
    pub(crate) fn block_at(&self, pc: u32) -> u32 {
        self.blocks.partition_point(|first| *first <= pc) as u32 - 1
    }

    fn ways(&self, insts: &[Inst], block: u32) -> Vec<u32> {
        let last = self.blocks[block as usize + 1] - 1;
        let Inst { guard, op } = &insts[last as usize];
        let mut ways: Vec<u32> = targets(op).iter().map(|target| self.block_at(*target)).collect();
        if matches!(op, Op::Return | Op::Exit) {
            ways.push(self.exit());
        }
        if guard.is_some() || !ends_block(op) {
            ways.push(block + 1);
        }
        ways
    }
}

/// Where an instruction jumps to.
pub(crate) fn targets(op: &Op) -> &[u32] {
    match op {
        Op::Branch { to } => std::slice::from_ref(to),
        Op::BranchTable { targets, .. } => targets,
        _ => &[],
    }
}
