//! Judges the loops of a `kernels` construct that no directive speaks about, and makes those parallel that may be.

use super::counted::{Count, has_other_exits};
use super::scalars;
use crate::analysis::bases::Bases;
use crate::analysis::cfg::Cfg;
use crate::analysis::depend::{Verdict, judge};
use crate::analysis::liveness::Liveness;
use crate::analysis::loops::Nest;
use crate::analysis::sums::{Atom, Kind, Name};
use crate::analysis::survey::{Obstacle, Survey, Touch};
use crate::entities::{Construct, Local, Loop, Slot};
use crate::function::{Body, SlotKind};
use crate::op::{Operand, Pos};
use cranelift_entity::EntitySet;

/// Why a loop is parallel, or is not.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The loop.
    pub loop_: Loop,
    /// It runs in parallel.
    pub is_parallel: bool,
    /// The reason, in words.
    pub reason: String,
}

/// Decides about the loops of a construct.
pub fn decide(body: &mut Body, construct: Construct) -> Vec<Judgement> {
    let mut candidate = body.clone();
    let of_slots = scalars::promote(&mut candidate, construct);
    let (decisions, counts) = Judge::new(&candidate, construct, of_slots).loops();
    if !counts.is_empty() {
        // Inner loops first: what an outer loop moves before itself must not be what an inner one still looks for.
        for (loop_, count) in counts.iter().rev() {
            count.apply(&mut candidate, *loop_);
        }
        *body = candidate;
    }
    decisions
}

struct Judge<'a> {
    body: &'a Body,
    construct: Construct,
    /// Locals that were slots.
    of_slots: Vec<(Local, Slot)>,
    nest: Nest,
    cfg: Cfg,
    live: Liveness,
    bases: Bases,
    decisions: Vec<Judgement>,
    counts: Vec<(Loop, Count)>,
}

impl<'a> Judge<'a> {
    fn new(body: &'a Body, construct: Construct, of_slots: Vec<(Local, Slot)>) -> Judge<'a> {
        let cfg = Cfg::new(body);
        let live = Liveness::new(body, &cfg);
        Judge {
            body,
            construct,
            of_slots,
            nest: Nest::new(body),
            live,
            cfg,
            bases: Bases::new(body),
            decisions: Vec::new(),
            counts: Vec::new(),
        }
    }

    fn loops(mut self) -> (Vec<Judgement>, Vec<(Loop, Count)>) {
        let body = self.body;
        let live = body.live_entities();
        for loop_ in live.loops.iter() {
            let data = &body.loops[loop_];
            let is_ours = body.blocks[data.header].construct == Some(self.construct);
            let is_outer = data.parent.is_none_or(|parent| {
                body.blocks[body.loops[parent].header].construct != Some(self.construct)
            });
            if is_ours && is_outer {
                let nest = self.nest.inside(loop_);
                // Where the programmer has spoken, the programmer's loops are left as they are.
                let has_directive = |&loop_: &Loop| body.loops[loop_].directive.is_some();
                if has_directive(&loop_) || nest.iter().any(has_directive) {
                    continue;
                }
                let survey = Survey::of(body, &self.nest, &self.cfg, &self.live, &self.bases, loop_);
                self.loop_(&survey, loop_);
            }
        }
        (self.decisions, self.counts)
    }

    fn loop_(&mut self, survey: &Survey, loop_: Loop) {
        let (is_parallel, reason) = match self.parallel(survey, loop_) {
            Ok(count) => {
                self.counts.push((loop_, count));
                (true, "no iteration uses what another one writes".to_owned())
            }
            Err(reason) => (false, reason),
        };
        self.decisions.push(Judgement { loop_, is_parallel, reason });
        let children = self.nest.inside(loop_);
        for child in children.into_iter().filter(|&child| self.body.loops[child].parent == Some(loop_)) {
            self.loop_(survey, child);
        }
    }

    /// How a loop counts, if its iterations are independent; otherwise why they are not, or may not be.
    fn parallel(&self, survey: &Survey, loop_: Loop) -> Result<Count, String> {
        let body = self.body;
        let blocks = self.nest.blocks(loop_);
        let verdict = judge(body, survey, loop_);
        match verdict {
            Verdict::Independent => {}
            other => return Err(self.reason(survey, &other)),
        }
        if has_other_exits(body, &blocks, loop_) {
            return Err("it is left from its middle".to_owned());
        }
        let inside = |touch: &&Touch| body.loop_is_within(Some(touch.loop_), loop_);
        for touch in survey.touches.iter().filter(inside).filter(|touch| touch.writes) {
            if let Some(slot) = touch.root.and_then(|root| own_slot(survey, root))
                && body.slots[slot].kind == SlotKind::Frame
                && !self.is_mapped(slot)
            {
                let name = body.slots[slot].name.as_deref().unwrap_or("an object");
                return Err(format!("it writes `{name}`, which belongs to the region"));
            }
        }
        let Some(facts) = survey.loops.get(&loop_) else { return Err("it is not understood".to_owned()) };
        let mut assigned: EntitySet<Local> = EntitySet::with_capacity(body.locals.len());
        for &block in &blocks {
            body.blocks[block].insts.iter().for_each(|inst| inst.op.defs(|local| _ = assigned.insert(local)));
        }
        let is_fixed = |operand: Operand| self.is_fixed(operand, loop_, &assigned);
        let Some(mut count) = Count::of(body, facts, loop_, is_fixed) else {
            return Err("the number of its iterations is not known before it".to_owned());
        };
        let exit = body.loops[loop_].exit;
        let is_induction = |local: Local| facts.inductions.iter().any(|(other, _)| *other == local);
        for local in
            assigned.iter().filter(|&local| !is_induction(local) && self.live.is_live_in(local, exit))
        {
            let Some(&(_, slot)) = self.of_slots.iter().find(|(other, _)| *other == local) else {
                return Err(format!("the last value of {} is used behind it", self.name(local)));
            };
            count.lasts.push((local, slot));
        }
        Ok(count)
    }

    /// Whether an operand of a loop's header has the same value in all iterations.
    fn is_fixed(&self, operand: Operand, loop_: Loop, assigned: &EntitySet<Local>) -> bool {
        let Operand::Local(local) = operand else { return true };
        if !assigned.contains(local) {
            return true;
        }
        // Computed in the header, once, from fixed values.
        let body = self.body;
        let header = body.loops[loop_].header;
        let mut writers = self.nest.blocks(loop_).into_iter().flat_map(|block| {
            let insts = body.blocks[block].insts.iter().enumerate();
            insts.filter(|(_, inst)| inst.op.dst() == Some(local)).map(move |(n, _)| (block, n))
        });
        let (Some((block, n)), None) = (writers.next(), writers.next()) else { return false };
        if block != header {
            return false;
        }
        let mut fixed = true;
        let op = &body.blocks[header].insts[n].op;
        op.parts(|part| match part {
            crate::visit::Part::Value(value) => fixed &= self.is_fixed(*value, loop_, assigned),
            crate::visit::Part::Address(address) => {
                fixed &=
                    self.is_fixed(address.base, loop_, assigned) && self.is_unwritten(address.base, loop_);
            }
            _ => {}
        });
        fixed
    }

    /// Whether no store of the loop can write what an address leads to.
    fn is_unwritten(&self, base: Operand, loop_: Loop) -> bool {
        let base = self.bases.of(base);
        self.nest.blocks(loop_).into_iter().flat_map(|block| &self.body.blocks[block].insts).all(|inst| {
            match &inst.op {
                crate::op::Op::Store { addr, .. } => self.bases.differ(base, self.bases.of(addr.base)),
                op => !op.effects().writes,
            }
        })
    }

    fn is_mapped(&self, slot: Slot) -> bool {
        let maps = &self.body.constructs[self.construct].maps;
        maps.iter().any(|map| map.var == Some(Operand::Slot(slot)))
    }

    fn name(&self, local: Local) -> String {
        self.body.locals[local].name.as_ref().map_or_else(|| "a value".to_owned(), |name| format!("`{name}`"))
    }

    fn reason(&self, survey: &Survey, verdict: &Verdict) -> String {
        let at = |n: usize| survey.touches[n].pos;
        let line = |pos: Pos| format!("line {}", pos.line);
        let object = |n: usize| self.object(survey, n);
        match *verdict {
            Verdict::Independent => String::new(),
            Verdict::Scalar(local) => {
                format!("{} carries a value from one iteration to the next", self.name(local))
            }
            Verdict::Carried { earlier, later, distance } => format!(
                "{} at {} and {} at {} touch the same element, {distance} {} apart",
                object(earlier),
                line(at(earlier)),
                object(later),
                line(at(later)),
                if distance == 1 { "iteration" } else { "iterations" },
            ),
            Verdict::Alias(a, b) => format!(
                "{} at {} and {} at {} may be the same object",
                object(a),
                line(at(a)),
                object(b),
                line(at(b))
            ),
            Verdict::Subscript(a, b) => format!(
                "whether {} at {} and {} at {} touch the same element is not known",
                object(a),
                line(at(a)),
                object(b),
                line(at(b))
            ),
            Verdict::Obstacle(obstacle, pos) => {
                let what = match obstacle {
                    Obstacle::Call => "a function is called",
                    Obstacle::Exit => "the loop is left from its middle",
                    Obstacle::Ordered => "an access is volatile or atomic",
                    Obstacle::Bulk => "an object is copied as a whole",
                    Obstacle::Frame => "memory is taken from the stack",
                    Obstacle::Directive => "a directive stands in it",
                };
                format!("{what} ({})", line(pos))
            }
        }
    }

    fn object(&self, survey: &Survey, n: usize) -> String {
        let root = survey.touches[n].root.map(|root| &survey.atoms.data(root).kind);
        let name = match root {
            Some(Kind::Entry(local)) => self.body.locals[*local].name.clone(),
            Some(Kind::Object(Name::Slot(slot))) => self.body.slots[*slot].name.clone(),
            _ => None,
        };
        name.map_or_else(|| "an access".to_owned(), |name| format!("`{name}`"))
    }
}

fn own_slot(survey: &Survey, root: Atom) -> Option<Slot> {
    match survey.atoms.data(root).kind {
        Kind::Object(Name::Slot(slot)) => Some(slot),
        _ => None,
    }
}
