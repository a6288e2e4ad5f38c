//! Which code is in single mode of which level.

use super::routines::level_of;
use super::threads::index;
use accrue_ir::{Block, BlockData, Body, Callee, Inst, Level, Module, Op, Terminator, map_below};
use cranelift_entity::SecondaryMap;

/// For each block and level whether it is in single mode, and all of its threads may not be needed.
pub struct Modes {
    single: SecondaryMap<Block, [bool; 3]>,
}

/// What an operation is to single mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meeting {
    /// All threads of the levels up to this one execute it.
    All(Level),
    /// From here on, a level is partitioned.
    Fork(Level),
    /// From here on, a level is single.
    Join(Level),
}

fn meeting(module: &Module, op: &Op) -> Option<Meeting> {
    match op {
        Op::Fork { level, .. } => Some(Meeting::Fork(*level)),
        Op::Join { level, .. } => Some(Meeting::Join(*level)),
        Op::Barrier { level } => Some(Meeting::All(*level)),
        Op::Meet { .. } => Some(Meeting::All(Level::Worker)),
        Op::StackAlloc { each: true, .. }
        | Op::StackSave { each: true, .. }
        | Op::StackRestore { each: true, .. } => Some(Meeting::All(Level::Gang)),
        Op::Call { callee: Callee::Direct(func), .. } => level_of(module, *func).map(Meeting::All),
        _ => None,
    }
}

/// Makes gangs wait behind routines that they execute together: what follows may depend on it.
pub fn wait_after_routines(module: &Module, body: &mut Body) {
    for block in body.order.clone() {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        for inst in insts {
            let is_call = matches!(inst.op, Op::Call { .. });
            let of_gangs = meeting(module, &inst.op) == Some(Meeting::All(Level::Gang));
            let pos = inst.pos;
            body.blocks[block].insts.push(inst);
            if is_call && of_gangs {
                body.blocks[block].insts.push(Inst { op: Op::Barrier { level: Level::Gang }, pos });
            }
        }
    }
}

/// Gives every operation at which threads meet a block of its own.
pub fn split(module: &Module, body: &mut Body) {
    for block in body.order.clone() {
        let mut current = block;
        while let Some(at) =
            body.blocks[current].insts.iter().position(|inst| meeting(module, &inst.op).is_some())
        {
            if at > 0 {
                current = cut(body, current, at);
            }
            if body.blocks[current].insts.len() == 1 {
                break;
            }
            current = cut(body, current, 1);
        }
    }
}

/// Moves what follows the first `at` instructions into a new block behind.
fn cut(body: &mut Body, block: Block, at: usize) -> Block {
    let data = &mut body.blocks[block];
    let insts = data.insts.split_off(at);
    let (term_pos, loop_, construct) = (data.term_pos, data.loop_, data.construct);
    let term = std::mem::replace(&mut data.term, Terminator::Unreachable);
    let rest = body.blocks.push(BlockData { insts, term, term_pos, loop_, construct });
    body.blocks[block].term = Terminator::Jump(rest);
    let position = body.order.iter().position(|&other| other == block).unwrap_or(body.order.len() - 1);
    body.order.insert(position + 1, rest);
    for data in body.loops.values_mut() {
        for role in [&mut data.preheader, &mut data.latch] {
            if *role == block {
                *role = rest;
            }
        }
    }
    rest
}

impl Modes {
    /// Of a body that was [`split`]; `single` is the mode at its start.
    pub fn of(module: &Module, body: &Body, single: [bool; 3]) -> Modes {
        let mut at_start: SecondaryMap<Block, Option<[bool; 3]>> = map_below(body.blocks.len());
        let mut modes = Modes { single: map_below(body.blocks.len()) };
        let entry = body.entry();
        at_start[entry] = Some(single);
        let mut work = vec![entry];
        while let Some(block) = work.pop() {
            let Some(mut mode) = at_start[block] else { continue };
            modes.single[block] = mode;
            let data = &body.blocks[block];
            match data.insts.first().and_then(|inst| meeting(module, &inst.op)) {
                None => {}
                Some(meeting) => {
                    let (Meeting::All(level) | Meeting::Fork(level) | Meeting::Join(level)) = meeting;
                    match meeting {
                        Meeting::All(_) => {}
                        Meeting::Fork(_) => mode[index(level)] = false,
                        Meeting::Join(_) => mode[index(level)] = true,
                    }
                    // Workers meet with all their lanes, gangs with all their workers.
                    modes.single[block][index(level)..].fill(false);
                }
            }
            data.term.successors(|next| {
                if at_start[next].is_none() {
                    at_start[next] = Some(mode);
                    work.push(next);
                }
            });
        }
        modes
    }

    /// Whether a block is in single mode of the level with this index, and not a meeting of it.
    pub fn is_single(&self, block: Block, level: usize) -> bool {
        self.single[block][level]
    }
}
