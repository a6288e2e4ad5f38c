//! The ways through an iteration: where they lead, and what is known where they meet.

use super::super::sums::{Atom, Kind, Sum, range};
use super::form::Form;
use super::{Control, Obstacle, State, Walk};
use crate::entities::{Block, Local, Loop};
use std::rc::Rc;

impl Walk<'_> {
    /// Follows an edge out of a block of a loop.
    pub(super) fn go(&mut self, from: Block, to: Block, loop_: Loop, mut state: State) {
        let live = &self.whole.live;
        state.values.retain(|local, _| live.is_live_in(local, to));
        let target = self.body.blocks[to].loop_;
        match target {
            Some(inner) if inner != loop_ && self.body.loop_is_within(Some(inner), loop_) => {
                let (header, exit) = (self.body.loops[inner].header, self.body.loops[inner].exit);
                let after = self.loop_(inner, state);
                self.set_edge((header, exit), after);
            }
            _ if target == Some(loop_) => self.set_edge((from, to), state),
            _ => self.obstacle(loop_, Obstacle::Exit, self.body.blocks[from].term_pos, target),
        }
    }

    /// Notes the state along an edge, in the place of one that was not followed.
    fn set_edge(&mut self, edge: (Block, Block), state: State) {
        match self.edges.iter_mut().find(|(known, _)| *known == edge) {
            Some((_, old)) => *old = state,
            None => self.edges.push((edge, state)),
        }
    }

    /// Takes the state along an edge, if there is one.
    fn take_edge(&mut self, edge: (Block, Block)) -> Option<State> {
        let at = self.edges.iter().position(|(known, _)| *known == edge)?;
        Some(self.edges.swap_remove(at).1)
    }

    /// Notes the state along the edges by which a loop is left from its middle to a loop around it.
    pub(super) fn leave(&mut self, form: &Form, after: &State) {
        for &(block, to) in &form.exits {
            if self.body.loop_is_within(self.body.blocks[to].loop_, self.survey.outermost) {
                // How much of the iteration takes this way is not known.
                self.set_edge((block, to), State { share: 0, ..after.clone() });
            }
        }
    }

    /// The state where edges meet; `None` if no edge arrives.
    pub(super) fn merged(&mut self, block: Block, loop_: Loop) -> Option<State> {
        let preds = self.whole.cfg.predecessors(block);
        // Control comes to most blocks from one other.
        if let [only] = preds {
            return self.take_edge((*only, block));
        }
        let mut states: Vec<State> = preds.iter().filter_map(|&pred| self.take_edge((pred, block))).collect();
        // The states that a branch has parted last meet first: `a && b` is a choice within a choice.
        while states.len() > 1 {
            states.sort_by_key(|state| state.control.len());
            let last = states.pop()?;
            let siblings = |state: &State| match (state.control.split_last(), last.control.split_last()) {
                (Some((a, before)), Some((b, rest))) => {
                    a.cond == b.cond && a.holds != b.holds && before == rest
                }
                _ => false,
            };
            let Some(at) = states.iter().rposition(siblings) else {
                states.push(last);
                break;
            };
            let other = states.remove(at);
            let both = self.choice(last, other, loop_);
            states.push(both);
        }
        let mut merged = states.pop()?;
        for state in states {
            merged = self.mixed(merged, state, loop_);
        }
        Some(merged)
    }

    /// Both ways of a branch together.
    fn choice(&mut self, a: State, b: State, loop_: Loop) -> State {
        let (then, otherwise) = if a.control.last().is_some_and(|last| last.holds) { (a, b) } else { (b, a) };
        let Some(&Control { cond, .. }) = then.control.last() else { return then };
        let mut control = then.control.to_vec();
        control.pop();
        self.joined(then, otherwise, control, |walk, local, a, b| {
            let kind = Kind::Choice { cond, then: a, otherwise: b };
            let range = range(walk.body.locals[local].ty, true);
            walk.survey.atoms.intern(kind, Some(loop_), range)
        })
    }

    /// Two ways that meet, and that no branch has parted last: those to `x` and past it in
    /// `if (a || b) x;`.
    fn mixed(&mut self, a: State, b: State, loop_: Loop) -> State {
        let common = a.control.iter().zip(b.control.iter()).take_while(|(a, b)| a == b).count();
        let conds: Vec<Sum> =
            a.control[common..].iter().chain(&b.control[common..]).map(|c| Sum::atom(c.cond)).collect();
        let mut control = a.control[..common].to_vec();
        let parted = a.control.get(common).filter(|_| b.control.len() > common).map(|next| next.share);
        let is_all = parted == Some(a.share.saturating_add(b.share));
        if !is_all && !conds.is_empty() {
            let cond = self.survey.atoms.opaque(conds.clone(), Some(loop_), (0, 1));
            control.push(Control { cond, holds: true, is_fact: false, share: parted.unwrap_or(0) });
        }
        // Where the two are all ways there are, one truth value that leads to one of them says which it was.
        let alone = |state: &State| match state.control[common..] {
            [control] => Some(control),
            _ => None,
        };
        let [leads_to_a, leads_to_b] = [&a, &b].map(|state| alone(state).filter(|_| is_all));
        let decides = leads_to_a.map(|it| (it.cond, it.holds));
        let decides = decides.or(leads_to_b.map(|it| (it.cond, !it.holds)));
        self.joined(a, b, control, |walk, local, a, b| {
            let range = range(walk.body.locals[local].ty, true);
            let Some((cond, is_a)) = decides else {
                let inputs = conds.iter().cloned().chain([a, b]).collect();
                return walk.survey.atoms.opaque(inputs, Some(loop_), range);
            };
            let (then, otherwise) = if is_a { (a, b) } else { (b, a) };
            walk.survey.atoms.intern(Kind::Choice { cond, then, otherwise }, Some(loop_), range)
        })
    }

    fn joined(
        &mut self,
        a: State,
        b: State,
        control: Vec<Control>,
        mut join: impl FnMut(&mut Self, Local, Sum, Sum) -> Atom,
    ) -> State {
        let share = a.share.saturating_add(b.share);
        let facts = match Rc::ptr_eq(&a.facts, &b.facts) {
            true => Rc::clone(&a.facts),
            false => Rc::new(a.facts.iter().filter(|fact| b.facts.contains(fact)).cloned().collect()),
        };
        let mut changed: Vec<(Local, Sum)> = Vec::new();
        for local in a.values.different(&b.values) {
            let [x, y] = [&a, &b].map(|state| self.value_before(state, local));
            if x != y {
                let atom = join(self, local, x, y);
                changed.push((local, Sum::atom(atom)));
            }
        }
        let mut values = a.values;
        changed.into_iter().for_each(|(local, value)| values.set(local, value));
        State { values, facts, control: Rc::new(control), share }
    }
}
