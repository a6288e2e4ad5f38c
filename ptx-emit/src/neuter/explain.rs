//! What `accrue explain` says about single mode: who executes a stretch, because of what, and what the others are told.

use super::{Manner, Neuter, Stretch, index};
use accrue_ir::passes::{Decision, topics};
use accrue_ir::{Callee, Inst, Level, Local, Op, Operand, Pos, SlotKind};

/// Variables that are named one by one.
const MOST_NAMES: usize = 12;

fn threads(level: Level) -> &'static str {
    ["gangs", "workers", "lanes"][index(level)]
}

impl Neuter<'_> {
    fn note(&mut self, pos: Pos, topic: &'static str, text: String) {
        let function = self.name.clone();
        if let Some(notes) = &mut self.notes {
            notes.push(Decision { pos, function, topic, text });
        }
    }

    pub(super) fn explain_manner(&mut self, stretch: &Stretch, level: Level, manner: Manner) {
        let is_empty = stretch.order.iter().all(|&block| self.body.blocks[block].insts.is_empty());
        if self.notes.is_none() || is_empty {
            return;
        }
        let who = threads(level);
        let (topic, text) = match manner {
            Manner::Redundantly { reads: false } => {
                (topics::REDUNDANT, format!("all {who} execute this: it computes on what each of them has"))
            }
            Manner::Redundantly { reads: true } => (
                topics::REDUNDANT,
                format!("all {who} execute this: it reads memory and writes none; a barrier follows"),
            ),
            Manner::ByLeader => {
                let cause = self.cause(stretch).unwrap_or_default();
                (topics::LEADER, format!("the first of the {who} executes this alone: {cause}"))
            }
        };
        self.note(self.position(stretch), topic, text);
    }

    /// The first operation that only one thread may execute, with its line.
    fn cause(&self, stretch: &Stretch) -> Option<String> {
        let insts = stretch.order.iter().flat_map(|&block| &self.body.blocks[block].insts);
        let Inst { op, pos } = insts.into_iter().find(|inst| self.needs_leader(&inst.op))?;
        let what = self.describe(op);
        Some(if pos.line == 0 { what } else { format!("line {} {what}", pos.line) })
    }

    fn describe(&self, op: &Op) -> String {
        match op {
            Op::Store { addr, .. } => format!("writes {}", self.object(addr.base)),
            Op::Load { addr, .. } => format!("reads {}, which is volatile", self.object(addr.base)),
            Op::Call { callee: Callee::Direct(func), .. } => {
                format!("calls `{}`", self.module.functions[*func].name)
            }
            Op::Call { callee: Callee::Indirect(_), .. } => "calls a function through a pointer".to_owned(),
            Op::AtomicRmw { addr, .. }
            | Op::AtomicSwap { addr, .. }
            | Op::AtomicCas { addr, .. }
            | Op::AtomicStore { addr, .. } => format!("updates {} atomically", self.object(addr.base)),
            Op::AtomicLoad { addr, .. } => format!("reads {} atomically", self.object(addr.base)),
            Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => format!("writes {}", self.object(dst.base)),
            Op::Lock { .. } | Op::Unlock { .. } => "takes a lock".to_owned(),
            Op::StackAlloc { .. } | Op::StackSave { .. } | Op::StackRestore { .. } => {
                "has an array of variable length".to_owned()
            }
            _ => "has an effect that must happen once".to_owned(),
        }
    }

    fn object(&self, base: Operand) -> String {
        let name = match base {
            Operand::Slot(slot) => match (self.body.slots[slot].kind, &self.body.slots[slot].name) {
                (SlotKind::Reduction, _) => return "the workers' slot of a reduction".to_owned(),
                (_, name) => name.clone(),
            },
            Operand::Global(global) => Some(self.module.globals[global].name.clone()),
            Operand::Local(pointer) => {
                let name = self.body.locals[pointer].name.as_deref();
                return name.map_or_else(|| "memory".to_owned(), |name| format!("what `{name}` points to"));
            }
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
        };
        name.map_or_else(|| "memory".to_owned(), |name| format!("`{name}`"))
    }

    pub(super) fn explain_broadcast(
        &mut self,
        stretch: &Stretch,
        level: Level,
        changed: &[Local],
        exits: usize,
    ) {
        if self.notes.is_none() || changed.is_empty() && exits < 2 {
            return;
        }
        let mut names: Vec<String> = Vec::new();
        let mut unnamed = 0;
        for &local in changed {
            match &self.body.locals[local].name {
                Some(name) if names.len() < MOST_NAMES => names.push(format!("`{name}`")),
                _ => unnamed += 1,
            }
        }
        if unnamed > 0 {
            let values = if unnamed == 1 { "value" } else { "values" };
            let other = if names.is_empty() { "" } else { "other " };
            names.push(format!("{unnamed} {other}{values}"));
        }
        if exits > 1 {
            names.push("where to go on".to_owned());
        }
        let how = match level {
            Level::Vector if (1..=32).contains(&self.threads.size[index(level)]) => "by shuffles",
            Level::Vector | Level::Worker => "through a record in shared memory",
            Level::Gang | Level::Gang2 | Level::Gang3 | Level::Unassigned => {
                "through a record in global memory"
            }
        };
        let text = format!("the other {} are told {how}: {}", threads(level), names.join(", "));
        self.note(self.position(stretch), topics::BROADCAST, text);
    }
}
