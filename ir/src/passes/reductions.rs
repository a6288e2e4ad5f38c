//! Inserts markers, forks, joins and reduction quads around partitioned loops.
//!
//! Before: `reduction` clauses stand on loops and on regions, and loops name their levels. After: around
//! every loop with levels stands, for each reduction variable and each level one quad
//! (`docs/design/reductions.md`). Clauses that are left on loops name locals, and say that the loop may
//! accumulate into them in any order.
//!
//! ```text head_mark; setup; fork; init; head_mark inner; <loop>; tail_mark inner; lock; fini; unlock; join;
//! teardown; tail_mark
//! ```
//!
//! - A loop over several levels nests its quads, the outer level's around the inner's. The variables of a
//!   loop share the locked section of a level.
//! - The RESULT object is passed where it is a *copy object*: memory that other gangs see. Only the outermost
//!   quad of a variable gets it; for its inner quads RESULT is private.
//! - A worker or vector reduction onto a copy object is surrounded by a dummy gang reduction with the ids of
//!   the inner one. It goes outside of an enclosing gang loop, where there is one, and so is executed once
//!   per gang.
//! - Reductions of the construct itself become a null outer gang loop around the whole region. Inside of a
//!   gang reduction, quads of the gang levels for the same variable are left out.
//! - Where a reduction is active its variable is replaced by LOCAL: a local, or a slot if the address is
//!   taken. The mapping of the variable applies outside only. What is active outside decides what an inner
//!   loop sees: an inner RESULT is the outer LOCAL.
//! - Loops without levels are sequential and get none of this, but for reductions by functions of the
//!   program: the loop has a private copy there, too, as it may start with another value than the variable.

mod accumulate;
mod beside;
pub(super) mod bounds;
mod elements;
mod object;
mod scope;
#[cfg(test)]
mod tests;
mod written;

use super::env::{Env, Work, each_body};
use crate::acc::{ConstructKind, Level, ReductionClause, ReductionKind, ReductionOp, ReductionPart};
use crate::analysis::loops::Nest;
use crate::builder::Cursor;
use crate::edit::split::split_edges;
use crate::entities::{Block, Local, Loop, Red, map_below};
use crate::function::{Body, LoopData};
use crate::module::Module;
use crate::op::{Inst, Op, Operand, Pos, Terminator};
use crate::report::{Decision, PassError, Report, topics};
use accumulate::Definitions;
use cranelift_entity::SecondaryMap;
use elements::Element;
use object::{Home, Object};
use scope::Scope;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let own = std::mem::take(&mut work.body.region_reductions);
        if own.is_empty() && !work.body.loops.values().any(|data| data.directive.is_some()) {
            return Ok(());
        }
        Inserter::new(work, env.report).function(own)
    })
}

/// Code to be placed around a loop, or around a whole region.
#[derive(Clone, Default)]
struct Around {
    before: Vec<Inst>,
    /// What one thread combines by functions of the program, element by element.
    alone: Vec<Object>,
    /// What follows their first values.
    enter: Vec<Inst>,
    after: Vec<Inst>,
    /// Dummy gang reductions; they enclose everything else.
    dummies: Vec<Group>,
}

/// Reductions that share a loop identifier and a locked section per level.
#[derive(Clone)]
struct Group {
    loop_: Option<Loop>,
    objects: Vec<Object>,
}

struct Inserter<'a> {
    work: Work<'a>,
    report: &'a mut Report,
    nest: Nest,
    definitions: Definitions,
    around: SecondaryMap<Loop, Around>,
    /// LOCAL objects of gang reductions that are active in a loop.
    gang_active: SecondaryMap<Loop, Vec<Operand>>,
    /// The same for the null outer gang loop.
    gang_active_everywhere: Vec<Operand>,
    /// Locals that hold the addresses of LOCAL objects, in the place of pointers that the program names.
    redirected: Vec<Operand>,
    /// Elements that became variables.
    elements: Vec<Element>,
    /// A block outside of the layout, in which code is written before it is placed.
    scratch: Block,
}

impl<'a> Inserter<'a> {
    fn new(work: Work<'a>, report: &'a mut Report) -> Inserter<'a> {
        Inserter {
            report,
            nest: Nest::new(work.body),
            definitions: Definitions::new(work.body),
            around: map_below(work.body.loops.len()),
            gang_active: map_below(work.body.loops.len()),
            gang_active_everywhere: Vec::new(),
            redirected: Vec::new(),
            elements: Vec::new(),
            scratch: work.body.detached_block(),
            work,
        }
    }

    fn function(mut self, own: Vec<ReductionClause>) -> Result<(), PassError> {
        let whole: Vec<Operand> = own.iter().map(|clause| clause.var).collect();
        self.elements = elements::run(self.work.body, &self.nest, &self.definitions, &whole);
        if !self.elements.is_empty() {
            self.definitions = Definitions::new(self.work.body);
        }
        let null_loop = self.null_loop(own)?;
        if self.bring_bounds_out() {
            self.definitions = Definitions::new(self.work.body);
        }
        self.carry_outward()?;
        // Parents come before children, so that what is active outside is known.
        for loop_ in self.work.body.loop_tree() {
            let Some(directive) = &mut self.work.body.loops[loop_].directive else { continue };
            let clauses = std::mem::take(&mut directive.reductions);
            let levels = directive.levels.clone();
            if levels.is_empty() {
                let is_declared = |clause: &ReductionClause| clause.op.declared().is_some();
                let (declared, others) = clauses.into_iter().partition(is_declared);
                self.keep_order_free(loop_, others);
                self.sequential_loop(loop_, declared)?;
            } else {
                self.partitioned_loop(loop_, &levels, clauses)?;
            }
        }
        for loop_ in self.work.body.loop_tree() {
            self.place(loop_);
        }
        self.place_null_loop(null_loop);
        Ok(())
    }

    /// Reductions on the construct: a null outer gang loop around all of the region.
    fn null_loop(&mut self, clauses: Vec<ReductionClause>) -> Result<Group, PassError> {
        let mut group = Group { loop_: None, objects: Vec::new() };
        for clause in clauses {
            // The entry block brings in what the region is given; the reduction begins behind it.
            let scope = Scope {
                loop_: None,
                blocks: self.work.body.order[1..].to_vec(),
                loops: self.work.body.loops.keys().collect(),
            };
            let red = self.work.body.red();
            let home = self.home(&clause, &scope)?;
            let (mut objects, local) = self.activate(&clause, home, &scope, &[Level::Gang], red)?;
            self.judge(&mut objects, &clause, &scope, &[Level::Gang]);
            self.gang_active_everywhere.push(local);
            group.objects.append(&mut objects);
        }
        Ok(group)
    }

    /// Makes the bounds of sections known in front of the outermost loop that a reduction may go around.
    /// Returns whether there was anything to do.
    fn bring_bounds_out(&mut self) -> bool {
        let mut changed = false;
        for loop_ in self.work.body.loop_tree() {
            let Some(outermost) = self.ancestors(loop_).filter(|&around| self.has_levels(around)).last()
            else {
                continue;
            };
            if !self.has_levels(loop_) {
                continue;
            }
            let blocks = self.nest.blocks(outermost);
            let Some(directive) = &mut self.work.body.loops[loop_].directive else { continue };
            let mut clauses = std::mem::take(&mut directive.reductions);
            for clause in &mut clauses {
                if !bounds::are_known(self.work.body, &blocks, clause) {
                    bounds::bring_out(self.work.body, &self.definitions, outermost, &blocks, clause);
                    changed = true;
                }
            }
            if let Some(directive) = &mut self.work.body.loops[loop_].directive {
                directive.reductions = clauses;
            }
        }
        changed
    }

    fn has_levels(&self, loop_: Loop) -> bool {
        self.work.body.loops[loop_].directive.as_ref().is_some_and(|directive| !directive.levels.is_empty())
    }

    /// Whether where a clause's parts are does not depend on the iteration of a loop.
    fn has_bounds_in(&self, loop_: Loop, clause: &ReductionClause) -> bool {
        bounds::are_known(self.work.body, &self.nest.blocks(loop_), clause)
    }

    /// Gives the clauses of vector and worker loops that accumulate into a copy object to loops around them
    /// that share their iterations among workers, too: the dummy gang reduction gives each row of lanes a
    /// LOCAL, and of these only one is combined per gang. For instance `loop vector reduction(+:s)` in a
    /// `loop gang worker` without a clause. Those of sequential loops go to all loops around that threads
    /// share, as in `kernels`, where a short inner loop gets no level. There a loop that does more with the
    /// variable than those inside reduce is parallel because no two of its iterations use it. A loop whose
    /// iterations choose for themselves where a pointer leads does not get the clause.
    fn carry_outward(&mut self) -> Result<(), PassError> {
        for loop_ in self.work.body.loop_tree() {
            let Some(directive) = &self.work.body.loops[loop_].directive else { continue };
            let is_sequential = directive.levels.is_empty();
            if !is_sequential && !matches!(directive.levels[0], Level::Worker | Level::Vector) {
                continue;
            }
            for clause in directive.reductions.clone() {
                if self.gang_active_everywhere.contains(&clause.var)
                    || !self.home(&clause, &self.scope(loop_))?.is_shared()
                {
                    continue;
                }
                let around: Vec<Loop> = self.ancestors(loop_).collect();
                let pointer = self.pointer(&clause);
                for outer in around {
                    if !self.has_bounds_in(outer, &clause)
                        || pointer.is_some_and(|pointer| self.is_own(pointer, outer))
                        || self.is_of_kernels() && self.is_used_beside(outer, &clause)
                    {
                        break;
                    }
                    let Some(directive) = &mut self.work.body.loops[outer].directive else { continue };
                    let is_shared = directive.levels.iter().any(|level| is_sequential || !level.is_gang());
                    if is_shared && directive.reductions.iter().all(|other| other.var != clause.var) {
                        directive.reductions.push(clause.clone());
                    }
                }
            }
        }
        Ok(())
    }

    fn is_of_kernels(&self) -> bool {
        let launched = self.work.module.functions[self.work.func].kind.launched();
        launched.is_some_and(|region| region.construct == ConstructKind::Kernels)
    }

    /// Whether a loop uses the variable of a clause elsewhere than in loops inside that reduce it like that.
    fn is_used_beside(&self, loop_: Loop, clause: &ReductionClause) -> bool {
        let body = &*self.work.body;
        let reduces = |inner: Loop| {
            let directive = body.loops[inner].directive.as_ref();
            directive.is_some_and(|directive| {
                directive.reductions.iter().any(|other| other.var == clause.var && other.op == clause.op)
            })
        };
        self.nest.blocks(loop_).iter().map(|&block| &body.blocks[block]).any(|data| {
            let mut found = false;
            let is_reduced = body.loops_around(data.loop_).take_while(|&around| around != loop_).any(reduces);
            if !is_reduced {
                data.insts.iter().for_each(|inst| inst.op.operands(|operand| found |= operand == clause.var));
            }
            found
        })
    }

    fn partitioned_loop(
        &mut self,
        loop_: Loop,
        levels: &[Level],
        clauses: Vec<ReductionClause>,
    ) -> Result<(), PassError> {
        let mut objects = Vec::new();
        let mut free = Vec::new();
        let mut dummies: Vec<(Loop, Vec<Object>)> = Vec::new();
        for mut clause in clauses {
            let gang_done = self.is_gang_active(loop_, clause.var);
            let levels: Vec<Level> =
                levels.iter().copied().filter(|level| !(gang_done && level.is_gang())).collect();
            let Some(&outermost) = levels.first() else {
                free.push(clause);
                continue;
            };
            let red = self.work.body.red();
            let scope = self.scope(loop_);
            let mut home = self.home(&clause, &scope)?;
            let around = self.outermost_gang_loop(loop_).unwrap_or(loop_);
            let mut through = Vec::new();
            if let Home::Object { shared, .. } | Home::Pointee { shared, .. } = &mut home
                && let Some(pointer) = self.pointer(&clause)
            {
                *shared = *shared && !self.is_own(pointer, around);
            }
            // So are elements that an iteration of it has chosen: `v[i]`, where `i` counts them, and what
            // only one of its iterations uses.
            if let Home::Object { shared, .. } | Home::Pointee { shared, .. } = &mut home
                && around != loop_
            {
                let is_of_one = self.is_of_kernels() && self.is_used_beside(around, &clause);
                *shared = *shared && self.has_bounds_in(around, &clause) && !is_of_one;
            }
            if home.is_shared() && matches!(outermost, Level::Worker | Level::Vector) {
                let outer = self.scope(around);
                let (dummy, local) = self.dummy(&mut clause, &outer, red)?;
                self.explain_dummy(&clause, outermost, around == loop_);
                self.gang_active[around].push(local);
                through.clone_from(&dummy);
                match dummies.iter_mut().find(|(at, _)| *at == around) {
                    Some((_, list)) => list.extend(dummy),
                    None => dummies.push((around, dummy)),
                }
                home = self.home(&clause, &scope)?;
            }
            let (mut list, local) = self.activate(&clause, home, &scope, &levels, red)?;
            list.iter_mut().zip(&through).for_each(|(object, around)| object.look_through(around));
            self.judge(&mut list, &clause, &scope, &levels);
            if levels.iter().any(|level| level.is_gang()) {
                self.gang_active[loop_].push(local);
            }
            if let [Some(local)] = list.iter().map(Object::plain_local).collect::<Vec<_>>()[..] {
                (clause.var, clause.pointee) = (Operand::Local(local), false);
                free.push(clause);
            }
            objects.append(&mut list);
        }
        for (around, objects) in dummies {
            self.around[around].dummies.push(Group { loop_: Some(loop_), objects });
        }
        self.keep_order_free(loop_, free);
        let group = Group { loop_: Some(loop_), objects };
        let pos = self.work.body.loops[loop_].pos;
        let before = self.before(&group, loop_, levels, pos);
        let after = self.after(&group, loop_, levels, pos);
        let around = &mut self.around[loop_];
        around.before = before;
        around.after = after;
        Ok(())
    }

    /// Gives a loop that one thread executes private copies of what functions of the program combine.
    fn sequential_loop(&mut self, loop_: Loop, clauses: Vec<ReductionClause>) -> Result<(), PassError> {
        let mut objects = Vec::new();
        for clause in clauses {
            let (scope, red) = (self.scope(loop_), self.work.body.red());
            let home = self.home(&clause, &scope)?;
            objects.append(&mut self.activate(&clause, home, &scope, &[], red)?.0);
        }
        let pos = self.work.body.loops[loop_].pos;
        let before = self.write(pos, |cursor| objects.iter().for_each(|object| object.load(cursor)));
        let enter = self.write(pos, |cursor| objects.iter().for_each(|object| object.enter(cursor)));
        let after = self.write(pos, |cursor| objects.iter().rev().for_each(|object| object.release(cursor)));
        let around = &mut self.around[loop_];
        (around.before, around.alone, around.enter, around.after) = (before, objects, enter, after);
        Ok(())
    }

    /// Whether what a pointer points to is none of other gangs' business: an array of variable length of this
    /// one, or what the code of a loop over gangs has chosen itself.
    fn is_own(&self, pointer: Operand, around: Loop) -> bool {
        let body = &*self.work.body;
        let defines = |op: &Op| pointer.as_local().is_some_and(|pointer| op.dst() == Some(pointer));
        // A store whose base is a local writes what the local points to: `p[0] = 1`.
        let is_in_memory = pointer.as_local().is_none();
        let assigns = |op: &Op| {
            defines(op) || is_in_memory && matches!(op, Op::Store { addr, .. } if addr.base == pointer)
        };
        let allocates = |op: &Op| defines(op) && matches!(op, Op::StackAlloc { .. });
        let any = |blocks: &[Block], what: &dyn Fn(&Op) -> bool| {
            blocks.iter().any(|&block| body.blocks[block].insts.iter().any(|inst| what(&inst.op)))
        };
        any(&self.nest.blocks(around), &assigns) || any(&body.order, &allocates)
    }

    /// Leaves the clauses whose variables are scalars in locals with the loop: they say that it may
    /// accumulate into these in any order.
    fn keep_order_free(&mut self, loop_: Loop, mut clauses: Vec<ReductionClause>) {
        clauses.retain_mut(|clause| match (clause.var, &mut clause.parts[..]) {
            (Operand::Local(_), [ReductionPart { offset, count: None, .. }]) => {
                *offset = 0;
                true
            }
            _ => false,
        });
        if let Some(directive) = &mut self.work.body.loops[loop_].directive {
            directive.reductions = clauses;
        }
    }

    /// A gang reduction in a scope around a worker or vector reduction. Afterwards the clause names its
    /// LOCAL.
    fn dummy(
        &mut self,
        clause: &mut ReductionClause,
        scope: &Scope,
        red: Red,
    ) -> Result<(Vec<Object>, Operand), PassError> {
        let mut home = self.home(clause, scope)?;
        if let Home::Object { scalars, .. } = &mut home {
            // The inner reduction needs one name for all the parts.
            *scalars &= clause.parts.len() == 1;
        }
        let (objects, local) = self.activate(clause, home, scope, &[Level::Gang], red)?;
        clause.var = local;
        if let (Operand::Local(_), [ReductionPart { offset, count: None, .. }]) =
            (local, &mut clause.parts[..])
        {
            *offset = 0;
            clause.pointee = false;
        }
        Ok((objects, local))
    }

    fn explain_dummy(&mut self, clause: &ReductionClause, level: Level, is_redundant: bool) {
        let consequence = match is_redundant {
            true => "; it is executed by every gang, so that more than one gang multiplies the result",
            false => ", around the gang loop",
        };
        let text = format!(
            "the {level} reduction of `{}` goes to an object that gangs share: a gang reduction is added{consequence}",
            clause.name
        );
        let (pos, function) = (clause.pos, self.work.name());
        self.report.decisions.push(Decision { pos, function, topic: topics::REDUCTION, text });
    }

    /// The element that a clause is about, if that became a variable.
    fn element(&self, clause: &ReductionClause) -> Option<&Element> {
        let is_it = |element: &&Element| clause.var == Operand::Local(element.address);
        self.elements.iter().find(is_it).filter(|_| clause.is_element())
    }

    /// The pointer through which a clause names memory.
    fn pointer(&self, clause: &ReductionClause) -> Option<Operand> {
        let named = self.element(clause).map_or(clause, |element| &element.clause);
        named.pointee.then_some(named.var)
    }

    fn home(&self, clause: &ReductionClause, scope: &Scope) -> Result<Home, PassError> {
        if !clause.is_element() {
            return Home::of(&self.work, clause, scope, &self.redirected);
        }
        // An element that no clause of the program chose is one that iterations update together.
        let clause_of = self.element(clause).map_or(clause, |element| &element.clause);
        let shared = Home::of(&self.work, clause_of, scope, &self.redirected)?.is_shared();
        Ok(Home::Object { base: clause.var, shared, scalars: true })
    }

    fn scope(&self, loop_: Loop) -> Scope {
        Scope { loop_: Some(loop_), blocks: self.nest.blocks(loop_), loops: self.nest.inside(loop_) }
    }

    fn ancestors(&self, loop_: Loop) -> impl Iterator<Item = Loop> + '_ {
        std::iter::successors(self.work.body.loops[loop_].parent, |&loop_| self.work.body.loops[loop_].parent)
    }

    /// Whether a gang reduction of the variable is active around a loop.
    fn is_gang_active(&self, loop_: Loop, var: Operand) -> bool {
        self.gang_active_everywhere.contains(&var)
            || std::iter::once(loop_)
                .chain(self.ancestors(loop_))
                .any(|around| self.gang_active[around].contains(&var))
    }

    /// The outermost loop around one that gangs share, or may share once it has its levels.
    fn outermost_gang_loop(&self, loop_: Loop) -> Option<Loop> {
        let is_gang = |level: &Level| level.is_gang() || *level == Level::Unassigned;
        let has_gang = |&around: &Loop| {
            let directive = &self.work.body.loops[around].directive;
            directive.as_ref().is_some_and(|directive| directive.levels.iter().any(is_gang))
        };
        self.ancestors(loop_).filter(has_gang).last()
    }

    /// Decides whether LOCAL is used otherwise than to accumulate.
    fn judge(&self, objects: &mut [Object], clause: &ReductionClause, scope: &Scope, levels: &[Level]) {
        let has_gang = levels.iter().any(|level| level.is_gang());
        for object in objects {
            object.escapes = match object.plain_local() {
                Some(local) => {
                    let skipped = self.inner_reductions(local, clause.op, scope, has_gang);
                    self.definitions.escapes(&self.work, scope, &skipped, local, clause.op)
                }
                None => true,
            };
        }
    }

    /// Loops in a scope that reduce the same variable by the same operator with quads of their own, and the
    /// loops in them. Seen from the scope, such a loop as a whole accumulates, however its iterations use the
    /// variable.
    fn inner_reductions(&self, var: Local, op: ReductionOp, scope: &Scope, has_gang: bool) -> Vec<Loop> {
        let var = Operand::Local(var);
        let reduces = |&inner: &Loop| {
            let Some(directive) = &self.work.body.loops[inner].directive else { return false };
            let gang_done = has_gang || self.is_gang_active(inner, var);
            directive.reductions.iter().any(|clause| clause.var == var && clause.op == op)
                && directive.levels.iter().any(|level| !(gang_done && level.is_gang()))
        };
        let outermost: Vec<Loop> = scope.loops.iter().copied().filter(reduces).collect();
        outermost.iter().flat_map(|&loop_| std::iter::once(loop_).chain(self.nest.inside(loop_))).collect()
    }

    /// Writes code into a list.
    fn write(&mut self, pos: Pos, write: impl FnOnce(&mut Cursor<'_>)) -> Vec<Inst> {
        let mut cursor = Cursor::with_pos(self.work.body, self.scratch, pos);
        write(&mut cursor);
        std::mem::take(&mut self.work.body.blocks[self.scratch].insts)
    }

    fn before(&mut self, group: &Group, loop_: Loop, levels: &[Level], pos: Pos) -> Vec<Inst> {
        self.write(pos, |cursor| {
            group.objects.iter().for_each(|object| object.load(cursor));
            cursor.head_mark(loop_, false);
            for &level in levels {
                group.calls(cursor, ReductionKind::Setup, level);
                cursor.fork(level, Some(loop_));
                group.calls(cursor, ReductionKind::Init, level);
            }
            cursor.head_mark(loop_, true);
            group.objects.iter().for_each(|object| object.enter(cursor));
        })
    }

    fn after(&mut self, group: &Group, loop_: Loop, levels: &[Level], pos: Pos) -> Vec<Inst> {
        self.write(pos, |cursor| {
            cursor.tail_mark(loop_, true);
            group.objects.iter().for_each(|object| object.leave(cursor));
            for &level in levels.iter().rev() {
                group.locked_fini(cursor, level);
                cursor.join(level, Some(loop_));
                group.calls(cursor, ReductionKind::Teardown, level);
            }
            cursor.tail_mark(loop_, false);
            group.objects.iter().for_each(|object| object.store(cursor));
            group.objects.iter().rev().for_each(|object| object.release(cursor));
        })
    }

    /// The code before and after a scope that make a gang reduction without a loop of its own.
    fn loopless(&mut self, group: &Group, pos: Pos) -> (Vec<Inst>, Vec<Inst>) {
        let before = self.write(pos, |cursor| {
            group.objects.iter().for_each(|object| object.load(cursor));
            group.calls(cursor, ReductionKind::Setup, Level::Gang);
            group.calls(cursor, ReductionKind::Init, Level::Gang);
            group.objects.iter().for_each(|object| object.enter(cursor));
        });
        let after = self.write(pos, |cursor| {
            group.objects.iter().for_each(|object| object.leave(cursor));
            group.locked_fini(cursor, Level::Gang);
            group.calls(cursor, ReductionKind::Teardown, Level::Gang);
            group.objects.iter().for_each(|object| object.store(cursor));
            group.objects.iter().rev().for_each(|object| object.release(cursor));
        });
        (before, after)
    }

    /// Puts the code around a loop where it belongs.
    fn place(&mut self, loop_: Loop) {
        let Around { before, alone, enter, after, dummies } = std::mem::take(&mut self.around[loop_]);
        let pos = self.work.body.loops[loop_].pos;
        let (mut head, mut tail) = (Vec::new(), after);
        let around: Vec<_> = dummies.iter().map(|dummy| self.loopless(dummy, pos)).collect();
        tail.extend(around.iter().rev().flat_map(|(_, after)| after.iter().cloned()));
        around.into_iter().for_each(|(before, _)| head.extend(before));
        head.extend(before);
        if head.is_empty() && alone.is_empty() && tail.is_empty() {
            return;
        }
        let body = &mut *self.work.body;
        let preheader = body.loops[loop_].preheader;
        body.blocks[preheader].insts.extend(head);
        let started = write_blocks(body, preheader, pos, |cursor| {
            alone.iter().for_each(|object| object.start_alone(cursor));
        });
        body.blocks[started].insts.extend(enter);
        body.loops[loop_].preheader = started;
        let exit = own_exit(body, &self.definitions, loop_);
        tail.append(&mut body.blocks[exit].insts);
        // What the exit is for a loop behind this one or around it, it is with what it ends with.
        let known = body.loops.len();
        let combined = write_blocks(body, exit, pos, |cursor| {
            alone.iter().for_each(|object| object.combine_alone(cursor));
        });
        body.blocks[combined].insts.extend(tail);
        if combined != exit {
            for data in body.loops.values_mut().take(known) {
                for role in [&mut data.preheader, &mut data.latch].into_iter().filter(|role| **role == exit) {
                    *role = combined;
                }
            }
        }
    }

    fn place_null_loop(&mut self, group: Group) {
        if group.objects.is_empty() {
            return;
        }
        let pos = self.work.module.functions[self.work.func].pos;
        let (before, after) = self.loopless(&group, pos);
        let body = &mut *self.work.body;
        let entry = body.entry();
        body.blocks[entry].insts.extend(before);
        // `outline` gives a region one return.
        let exit = body.order.iter().copied().find(|&b| matches!(body.blocks[b].term, Terminator::Return(_)));
        if let Some(exit) = exit {
            body.blocks[exit].insts.extend(after);
        }
    }
}

impl Group {
    /// One kind of call for every object that has a quad at the level.
    fn calls(&self, cursor: &mut Cursor<'_>, kind: ReductionKind, level: Level) {
        let mut objects: Vec<&Object> =
            self.objects.iter().filter(|object| object.levels.contains(&level)).collect();
        // A setup may allocate memory on a stack, which its teardown gives back.
        if kind == ReductionKind::Teardown {
            objects.reverse();
        }
        for object in objects {
            object.call(cursor, kind, level, self.loop_);
        }
    }

    fn locked_fini(&self, cursor: &mut Cursor<'_>, level: Level) {
        if self.objects.iter().any(|object| object.levels.contains(&level)) {
            cursor.lock(level, self.loop_);
            self.calls(cursor, ReductionKind::Fini, level);
            cursor.unlock(level, self.loop_);
        }
    }
}

/// Writes code at the end of a block, which may have loops of its own; the block that it ends in, and that
/// goes on to where the first one did.
fn write_blocks(body: &mut Body, block: Block, pos: Pos, write: impl FnOnce(&mut Cursor<'_>)) -> Block {
    let (term, term_pos) = (body.blocks[block].term.clone(), body.blocks[block].term_pos);
    let mut cursor = Cursor::with_pos(body, block, pos);
    write(&mut cursor);
    let last = cursor.block;
    (body.blocks[last].term, body.blocks[last].term_pos) = (term, term_pos);
    last
}

/// The block that a loop leaves to, with no other edge to it: code at its start is executed once per
/// execution of the loop.
fn own_exit(body: &mut Body, definitions: &Definitions, loop_: Loop) -> Block {
    let LoopData { header, exit, .. } = body.loops[loop_];
    if definitions.entries(exit) <= 1 {
        return exit;
    }
    split_edges(body, &[header], exit, body.blocks[header].term_pos)
}
