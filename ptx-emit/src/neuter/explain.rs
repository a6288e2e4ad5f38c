//! What `accrue explain` says about single mode: which thread executes a stretch, which statement is the
//! reason, and which values waiting threads receive.

use super::threads::index;
use super::{Manner, Neuter, Stretch};
use crate::text::SHARE;
use accrue_ir::passes::{Decision, topics};
use accrue_ir::{Callee, FunctionKind, Inst, Level, Local, Op, Operand, PassHow, Pos, SlotKind};

/// Variables that are named one by one.
const MOST_NAMES: usize = 12;

fn threads(level: Level) -> &'static str {
    ["gangs", "workers", "lanes"][index(level)]
}

fn first(level: Level) -> &'static str {
    ["first gang", "first worker", "first lane"][index(level)]
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
            Manner::Redundantly { reads: false } => (
                topics::REDUNDANT,
                format!("all {who} execute this: they compute the same and write nothing"),
            ),
            Manner::Redundantly { reads: true } => (
                topics::REDUNDANT,
                format!("all {who} execute this: they read the same and write nothing; a barrier follows"),
            ),
            Manner::Together => {
                let cause = self.cause(stretch).unwrap_or_default();
                let first = first(level);
                (topics::LEADER, format!("all {who} compute this, its {first} alone has effects: {cause}"))
            }
            Manner::ByLeader => {
                let once = ["per launch", "per gang", "per worker"][index(level)];
                let first = first(level);
                let cause = self.cause(stretch).unwrap_or_default();
                (topics::LEADER, format!("executed once {once}, by its {first}: {cause}"))
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
            Op::Store { addr, .. } => self.change("writes", addr.base),
            Op::Load { addr, .. } => format!("reads {}, which is volatile", self.object(addr.base)),
            Op::Call { callee: Callee::Direct(func), .. } => match &*self.module.functions[*func].name {
                SHARE => "allocates an array of variable length on the device's heap".to_owned(),
                name => format!("calls `{name}`"),
            },
            Op::Call { callee: Callee::Indirect(_), .. } => "calls a function through a pointer".to_owned(),
            Op::AtomicRmw { addr, .. }
            | Op::AtomicSwap { addr, .. }
            | Op::AtomicCas { addr, .. }
            | Op::AtomicStore { addr, .. } => self.change("updates", addr.base),
            Op::AtomicLoad { addr, .. } if self.is_updated(addr.base) => self.change("updates", addr.base),
            Op::AtomicLoad { addr, .. } => format!("reads {} atomically", self.object(addr.base)),
            Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => self.change("writes", dst.base),
            Op::Lock { .. } | Op::Unlock { .. } => "adds to a reduction under a lock".to_owned(),
            Op::LastGang { .. } => "finds the gang that combines the results of a reduction".to_owned(),
            Op::StackAlloc { .. } | Op::StackSave { .. } | Op::StackRestore { .. } => {
                "has an array of variable length".to_owned()
            }
            _ => "has an effect that must happen once".to_owned(),
        }
    }

    /// Whether a compare-and-swap follows a load: a sum of `double` on an old GPU, a maximum of `float`.
    fn is_updated(&self, base: Operand) -> bool {
        let mut insts = self.body.order.iter().flat_map(|&block| &self.body.blocks[block].insts);
        insts.any(|inst| matches!(&inst.op, Op::AtomicCas { addr, .. } if addr.base == base))
    }

    fn change(&self, verb: &str, base: Operand) -> String {
        match self.root(base) {
            Operand::Slot(slot) => match self.body.slots[slot].kind {
                SlotKind::Reduction => "combines what workers have of a reduction".to_owned(),
                SlotKind::GangScratch => "keeps what the gang has of a reduction".to_owned(),
                _ => format!("{verb} {}", self.object(base)),
            },
            _ => format!("{verb} {}", self.object(base)),
        }
    }

    /// What an address was computed from: `y` for that of `y[i]`.
    fn root(&self, base: Operand) -> Operand {
        let mut root = base;
        // Addresses in loops may depend on themselves.
        for _ in 0..8 {
            let Operand::Local(local) = root else { break };
            if self.body.locals[local].name.is_some() {
                break;
            }
            let mut insts = self.body.order.iter().flat_map(|&block| &self.body.blocks[block].insts);
            let from = insts.find_map(|inst| match inst.op {
                Op::Index { dst, base, .. } if dst == local => Some(base),
                Op::Copy { dst, src } if dst == local => Some(src),
                Op::Instance { dst, slot, .. } if dst == local => Some(slot),
                _ => None,
            });
            match from {
                Some(from) => root = from,
                None => break,
            }
        }
        root
    }

    /// The variable that an address belongs to, as the user calls it.
    fn object(&self, base: Operand) -> String {
        let root = self.root(base);
        let name = match root {
            Operand::Slot(slot) => self.body.slots[slot].name.clone(),
            Operand::Global(global) => Some(self.module.globals[global].name.clone()),
            Operand::Local(pointer) => self.body.locals[pointer].name.clone(),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
        };
        match (name, root) {
            (None, _) => "memory".to_owned(),
            (Some(name), Operand::Local(pointer)) if !self.is_mapped_object(pointer) => {
                format!("what `{name}` points to")
            }
            (Some(name), _) => format!("`{name}`"),
        }
    }

    /// Whether a local is the address of a variable that the region maps, and has its name.
    fn is_mapped_object(&self, local: Local) -> bool {
        let FunctionKind::Region(region) = &self.module.functions[self.func].kind else { return false };
        let at = self.body.params.iter().position(|&param| param == local);
        let param = at.and_then(|at| region.params.get(at));
        param.is_some_and(|param| matches!(param.how, PassHow::Address))
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
        let text = format!("the other {} get, {how}: {}", threads(level), names.join(", "));
        self.note(self.position(stretch), topics::BROADCAST, text);
    }
}
