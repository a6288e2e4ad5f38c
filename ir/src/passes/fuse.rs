//! Makes one launch of compute constructs that follow each other and go through the same iterations.
//!
//! Before: each construct is a launch, and an array that one writes and the next one reads goes through
//! memory between them. After: an iteration does what it does in the first construct, then what it does in
//! the second one, so that a thread finds the elements of the first one's iteration in its cache or its
//! registers:
//!
//! ```text
//! parallel loop: for (i < n) x[i] += alpha * p[i];        parallel loop: for (i < n) {
//! parallel loop: for (i < n) r[i] -= alpha * q[i];   =>       x[i] += alpha * p[i];
//! parallel loop: for (i < n) rr += r[i] * r[i];               r[i] -= alpha * q[i];
//!                                                             rr += r[i] * r[i]; }
//! ```
//!
//! That is the same program if no iteration of the one construct touches memory that another iteration of the
//! other one touches, one of them writing: the fused nest is made, and the analysis of dependences asked
//! ([`across::meeting`]). All else is a matter of form: between the constructs stands nothing that anybody
//! can see (`fuse.rs`), each is one perfect nest (`fuse/shape.rs`), loops have the same bounds
//! (`fuse/values.rs`), and the clauses of both are those of one (`fuse/clauses.rs`). What is unsure stays two
//! launches.
//!
//! Every target of a program has to take the same decision, since host code launches what a device has code
//! for. So the pass runs where nothing has been done yet for one target only; and while the IR still shows
//! where numbers are signed, which the analysis needs.

mod clauses;
mod join;
mod shape;
mod values;

use super::by_value;
use super::env::{Env, Work, each_body};
use super::kernels::words::Words;
use crate::acc::{Async, ConstructData, ConstructKind, DataMap, MapKind, ReductionClause};
use crate::analysis::bases::Bases;
use crate::analysis::callees::Callees;
use crate::analysis::cfg::Cfg;
use crate::analysis::depend::{Hindrance, InRange, across};
use crate::analysis::strides::Facts;
use crate::analysis::summaries;
use crate::analysis::sums::Kind;
use crate::analysis::survey::{Survey, Touch, Whole};
use crate::entities::{Block, Construct, Local, Loop, Slot, set_of};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Callee, Class, Inst, Op, Operand, Pos, Terminator};
use crate::report::{Decision, PassError, topics};
use crate::visit::Part;
use clauses::{Demands, Kept, Same};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;
use shape::Shape;
use std::borrow::Cow;
use std::sync::Arc;
use values::{Scope, Steady, Values};

/// Nests of no more iterations than this are worth fusing whatever they share: a launch takes longer.
const SMALL: u64 = 1 << 14;
/// Inner loops of so many iterations at most are written out later, so that a fused iteration has no loops.
const SHORT: i64 = 16;
/// Neighbouring lanes that are further apart, in bytes, load from lines of their own.
const FAR: i64 = 128;
/// Instructions of a fused iteration at most: more would take too many registers.
const MOST_INSTRUCTIONS: usize = 320;
/// Blocks in front of a construct in which values of its clauses are looked for.
const MOST_BLOCKS_BEFORE: usize = 8;
/// Blocks of all fused nests of a function that are judged: each is the whole function again.
const MOST_WORK: usize = 1 << 17;

/// Why constructs stay two launches.
type Why = Cow<'static, str>;

/// Constructs that follow each other.
struct Neighbours {
    first: Construct,
    second: Construct,
    /// The host's blocks between them, one after the other.
    between: Vec<Block>,
}

/// The functions by which programs ask to be told of constructs, each of which they are to hear of.
const LISTENERS: [&str; 2] = ["acc_prof_register", "acc_register_library"];

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    if module.functions.values().any(|function| LISTENERS.contains(&&*function.name)) {
        return Ok(());
    }
    let mut callees = None;
    let signed_wraps = env.target.arithmetic().signed_wraps;
    each_body(module, |mut work| {
        let constructs = launched(work.body);
        if constructs.len() < 2 {
            return Ok(());
        }
        // A scalar that is a value of both constructs is the same in both.
        by_value::run(work.body);
        let mut cfg = Cfg::new(work.body);
        let mut facts = None;
        let mut left = MOST_WORK;
        let mut gone: FxHashSet<Construct> = FxHashSet::default();
        for first in constructs {
            while !gone.contains(&first)
                && let Some(neighbours) = neighbours(work.body, &cfg, first)
            {
                let callees =
                    callees.get_or_insert_with(|| work.whole(|module| summaries::of(module, signed_wraps)));
                let known = facts.get_or_insert_with(|| Known::of(work.body));
                let places = places(work.body, &neighbours);
                let attempt = Attempt { neighbours: &neighbours, cfg: &cfg, known, callees, signed_wraps };
                let result = attempt.fuse(&mut work, &mut left);
                let text = match &result {
                    Ok(shared) => Some(joined(places, shared)),
                    Err(why) => why.as_ref().map(|why| apart(places, why)),
                };
                if let Some(text) = text.filter(|_| env.explains) {
                    let function = work.name();
                    let (topic, pos) = (topics::LAUNCH, places[1]);
                    env.report.decisions.push(Decision { pos, function, topic, text });
                }
                if result.is_err() {
                    break;
                }
                gone.insert(neighbours.second);
                (cfg, facts) = (Cfg::new(work.body), None);
            }
        }
        Ok(())
    })
}

/// The constructs that become launches, in the order of the layout.
fn launched(body: &Body) -> Vec<Construct> {
    let mut known: EntitySet<Construct> = EntitySet::with_capacity(body.constructs.len());
    let constructs = body.order.iter().filter_map(|&block| body.blocks[block].construct);
    let is_launch = |construct: &Construct| {
        matches!(body.constructs[*construct].kind, ConstructKind::Parallel | ConstructKind::Kernels)
    };
    constructs.filter(is_launch).filter(|&construct| known.insert(construct)).collect()
}

/// The construct that follows another one, with no call and no directive between them.
fn neighbours(body: &Body, cfg: &Cfg, first: Construct) -> Option<Neighbours> {
    let mut between = Vec::new();
    let mut at = body.constructs[first].exit;
    let is_ours = |block: &Block| body.blocks[*block].construct == Some(first);
    if !cfg.predecessors(at).iter().all(is_ours) {
        return None;
    }
    loop {
        if body.blocks[at].construct.is_some() || between.contains(&at) {
            return None;
        }
        between.push(at);
        let is_directive = |op: &Op| !matches!(op.class(), Class::Value | Class::Lane | Class::Memory);
        if body.blocks[at].insts.iter().any(|inst| is_directive(&inst.op)) {
            return None;
        }
        let Terminator::Jump(next) = body.blocks[at].term else { return None };
        let [_] = cfg.predecessors(next) else { return None };
        if let Some(second) = body.blocks[next].construct {
            let data = &body.constructs[second];
            let is_launch = matches!(data.kind, ConstructKind::Parallel | ConstructKind::Kernels);
            let is_neighbour = is_launch && data.entry == next && second != first;
            return is_neighbour.then_some(Neighbours { first, second, between });
        }
        at = next;
    }
}

/// Where constructs are, for explanations: at their outermost loops, if they have any.
fn places(body: &Body, neighbours: &Neighbours) -> [Pos; 2] {
    [neighbours.first, neighbours.second].map(|construct| {
        let loops = body.loops.values();
        let is_ours =
            |header: Block| body.blocks.get(header).is_some_and(|it| it.construct == Some(construct));
        let mut loops = loops.filter(|data| is_ours(data.header)).map(|data| data.pos);
        loops.next().unwrap_or(body.constructs[construct].pos)
    })
}

/// What is said of a construct that joins another one's launch.
fn joined([first, second]: [Pos; 2], shared: &[Arc<str>]) -> String {
    let list: Vec<String> = shared.iter().map(|name| format!("`{name}`")).collect();
    let why = match &list[..] {
        [] => "both are short".to_owned(),
        [only] => format!("both use {only}"),
        [all @ .., last] => format!("both use {} and {last}", all.join(", ")),
    };
    let (own, other) = (second.line, first.line);
    format!("the loop at line {own} joins the launch of the loop at line {other}: {why}")
}

/// What is said of a construct that follows another one and has a launch of its own.
fn apart([first, second]: [Pos; 2], why: &Why) -> String {
    let (own, other) = (second.line, first.line);
    format!("the loop at line {own} does not join the launch of the loop at line {other}: {why}")
}

/// What is known of a body as it is.
struct Known {
    facts: Facts,
    bases: Bases,
}

impl Known {
    fn of(body: &Body) -> Known {
        Known { facts: Facts::new(body), bases: Bases::new(body).without_clauses() }
    }
}

/// An attempt to fuse two constructs.
struct Attempt<'a> {
    neighbours: &'a Neighbours,
    cfg: &'a Cfg,
    known: &'a Known,
    callees: &'a Callees,
    signed_wraps: bool,
}

/// What a fused construct relies on.
struct Promises {
    /// The data clauses of both.
    maps: Vec<DataMap>,
    /// What the clauses rely on.
    demands: Demands,
    /// Locals of the second construct that get another name.
    renamed: FxHashSet<Local>,
    /// Objects of which the second construct has the values before the first one.
    values: Vec<Operand>,
    /// Arrays that both use.
    shared: Vec<Arc<str>>,
}

impl Attempt<'_> {
    /// Fuses the constructs; returns the names of arrays that both use. Nothing is said of constructs that
    /// have not one nest each, of as many loops.
    fn fuse(&self, work: &mut Work<'_>, left: &mut usize) -> Result<Vec<Arc<str>>, Option<Why>> {
        let body = &*work.body;
        let Neighbours { first, second, .. } = *self.neighbours;
        let [a, b] = [first, second].map(|construct| &body.constructs[construct]);
        let is_alike =
            a.parent == b.parent && self.loop_around(body, first) == self.loop_around(body, second);
        if !is_alike {
            return Err(None);
        }
        let facts = &self.known.facts;
        let one = Shape::of(body, facts, first).ok_or(None)?;
        let two = Shape::of(body, facts, second).ok_or(None)?;
        let shapes = [&one, &two];
        if one.chain.len() != two.chain.len() || !join::are_in_order(shapes) {
            return Err(None);
        }
        self.check_code(work.module, body, shapes)?;
        let promises = self.compare(body, shapes)?;
        *left = left.checked_sub(body.blocks.len()).ok_or_else(|| Why::from("the function is too long"))?;
        let mut draft = body.clone();
        self.join(&mut draft, shapes, &promises);
        self.judge(work.module, &draft, shapes, &promises)?;
        *work.body = draft;
        Ok(promises.shared)
    }

    fn loop_around(&self, body: &Body, construct: Construct) -> Option<Loop> {
        let entry = body.constructs[construct].entry;
        let is_outside = |loop_: &Loop| body.blocks[body.loops[*loop_].header].construct != Some(construct);
        body.loops_around(body.blocks[entry].loop_).find(is_outside)
    }

    /// What can be told from the code of each.
    fn check_code(&self, module: &Module, body: &Body, shapes: [&Shape; 2]) -> Result<(), Why> {
        let [one, two] = shapes;
        if one.length(body) + two.length(body) > MOST_INSTRUCTIONS {
            return Err("a fused iteration would be too long".into());
        }
        let has_level = |op: &Op| match op {
            Op::Call { callee: Callee::Direct(func), .. } => {
                let routine = module.functions[*func].routine.as_ref();
                routine.is_some_and(|routine| routine.level.is_some() || routine.implicit)
            }
            _ => false,
        };
        let blocks = one.blocks.iter().chain(&two.blocks);
        let mut insts = blocks.flat_map(|&block| &body.blocks[block].insts);
        match insts.any(|inst| has_level(&inst.op)) {
            true => Err("they call a routine that threads share".into()),
            false => Ok(()),
        }
    }

    /// Compares clauses, bounds and the variables that the constructs mention.
    fn compare(&self, body: &Body, shapes: [&Shape; 2]) -> Result<Promises, Why> {
        let Neighbours { first, second, .. } = *self.neighbours;
        let [a, b] = [first, second].map(|construct| &body.constructs[construct]);
        let steady = Steady { bases: &self.known.bases, changed: self.changed(body, shapes) };
        let mut values = Values::default();
        let mut host = Scope::default();
        let leading = self.leading(body);
        let insts: Vec<Inst> = leading.iter().flat_map(|&block| &body.blocks[block].insts).cloned().collect();
        // What was loaded before something was written may be another value.
        let start = insts.iter().rposition(|inst| inst.op.effects().writes).map_or(0, |at| at + 1);
        values.step(&mut host, body, &insts[start..], &steady);
        let before = host.clone();
        for &block in &self.neighbours.between {
            values.step(&mut host, body, &body.blocks[block].insts, &steady);
        }
        let in_region = a.scheduling.async_ == Async::OfData && b.scheduling.async_ == Async::OfData;
        let mut same = Same { values: &mut values, scopes: [&before, &host], in_region };
        same.scheduling(&a.scheduling, &b.scheduling)?;
        if !same.dims(&a.dims, &b.dims) {
            return Err("their launches have different dimensions".into());
        }
        for (&one, &two) in shapes[0].chain.iter().zip(&shapes[1].chain) {
            let [one, two] = [one, two].map(|loop_| body.loops[loop_].directive.as_ref());
            if !same.directives(one, two) {
                return Err("the directives of their loops differ".into());
            }
        }
        self.check_between(body, shapes[0])?;
        let mut in_front = shapes[1].before[0].iter().flat_map(|&block| &body.blocks[block].insts);
        if in_front.any(|inst| inst.op.effects().reads && !steady.is_load(&inst.op)) {
            return Err("it loads something in front of its loop".into());
        }
        let (maps, demands) = same.maps(&a.maps, &b.maps)?;
        let renamed = self.check_variables(body, shapes)?;
        let values_of = self.check_values(body, &steady)?;
        counts((body, &self.known.facts), shapes, [before, host], &mut values, &steady)?;
        let shared = shared(&a.maps, &b.maps);
        if shared.is_empty() && !is_small(body, &self.known.facts, shapes[0]) {
            return Err("they use no array in common".into());
        }
        Ok(Promises { maps, demands, renamed, values: values_of, shared })
    }

    /// The line of blocks that leads to the first construct.
    fn leading(&self, body: &Body) -> Vec<Block> {
        let mut found = Vec::new();
        let mut at = body.constructs[self.neighbours.first].entry;
        while let &[only] = self.cfg.predecessors(at)
            && body.blocks[only].construct.is_none()
            && body.blocks[only].loop_ == body.blocks[at].loop_
            && found.len() < MOST_BLOCKS_BEFORE
        {
            found.push(only);
            at = only;
        }
        found.reverse();
        found
    }

    /// Slots that somebody changes in the constructs or between them.
    fn changed(&self, body: &Body, shapes: [&Shape; 2]) -> EntitySet<Slot> {
        let mut found = EntitySet::with_capacity(body.slots.len());
        let blocks = self.neighbours.between.iter().chain(&shapes[0].blocks).chain(&shapes[1].blocks);
        for inst in blocks.flat_map(|&block| &body.blocks[block].insts) {
            if inst.op.effects().writes {
                inst.op.operands(|operand| found.extend(operand.as_slot()));
            }
        }
        for construct in [self.neighbours.first, self.neighbours.second] {
            let maps = body.constructs[construct].maps.iter().filter_map(|map| map.var);
            found.extend(maps.filter_map(Operand::as_slot));
        }
        found
    }

    /// Whether nobody can tell if the host's code between the constructs is executed in front of both.
    fn check_between(&self, body: &Body, first: &Shape) -> Result<(), Why> {
        let data = &body.constructs[self.neighbours.first];
        let (clauses, mentioned) = (operands_of(data), first.mentioned(body));
        let is_mapped = |slot: Slot| data.maps.iter().any(|map| map.var == Some(Operand::Slot(slot)));
        let is_used = |operand: Operand| clauses.contains(&operand) || mentioned.contains(&operand);
        let is_hidden = |slot: Slot| !self.known.bases.is_addressed(slot);
        let between = self.neighbours.between.iter();
        for inst in between.flat_map(|&block| &body.blocks[block].insts) {
            let effects = inst.op.effects();
            let is_plain = match &inst.op {
                Op::Load { addr, access, .. } => {
                    !access.volatile
                        && addr.base.as_slot().is_some_and(|slot| is_hidden(slot) && !is_mapped(slot))
                }
                // `sum = 0` in front of a loop that adds to it.
                Op::Store { addr, access, .. } => {
                    !access.volatile
                        && addr.base.as_slot().is_some_and(|slot| is_hidden(slot) && !is_used(addr.base))
                }
                _ => effects.pure && !effects.reads,
            };
            let mut is_seen = !is_plain;
            inst.op.defs(|local| is_seen |= is_used(Operand::Local(local)));
            if is_seen {
                return Err(format!("the host does something between them (line {})", inst.pos.line).into());
            }
        }
        Ok(())
    }

    /// Whether neither construct sees what the other one does with locals. Returns the locals of the second
    /// one that need another name.
    fn check_variables(&self, body: &Body, shapes: [&Shape; 2]) -> Result<FxHashSet<Local>, Why> {
        let Neighbours { first, second, .. } = *self.neighbours;
        let clauses = [first, second].map(|construct| operands_of(&body.constructs[construct]));
        let mentioned = shapes.map(|shape| shape.mentioned(body));
        let assigned = shapes.map(|shape| shape.assigned(body));
        let counters: EntitySet<Local> = set_of(
            shapes[1]
                .chain
                .iter()
                .filter_map(|&loop_| body.loops[loop_].induction.as_ref().map(|induction| induction.iv)),
        );
        let of_first = |local: Local| {
            [&mentioned[0], &clauses[0]].iter().any(|set| set.contains(&Operand::Local(local)))
        };
        let mut is_own = true;
        let entry = body.constructs[second].entry;
        let mut renamed = FxHashSet::default();
        for local in assigned[1].iter().filter(|&local| of_first(local) || counters.contains(local)) {
            let arrives = self.known.facts.live.is_live_in(local, entry);
            is_own &= !arrives && !clauses[1].contains(&Operand::Local(local));
            if !counters.contains(local) {
                renamed.insert(local);
            }
        }
        let is_read = |local: Local| {
            let operand = Operand::Local(local);
            clauses[1].contains(&operand) || mentioned[1].contains(&operand) && !assigned[1].contains(local)
        };
        is_own &= !assigned[0].iter().any(is_read);
        if !is_own {
            return Err("they use one variable for different values".into());
        }
        // A result is there behind its construct only.
        let reduced = |at: usize| {
            let of_loops = shapes[at].chain.iter().chain(&shapes[at].inner);
            let of_loops = of_loops.filter_map(|&loop_| body.loops[loop_].directive.as_ref());
            let of_construct = &body.constructs[[first, second][at]].reductions;
            of_loops.flat_map(|directive| &directive.reductions).chain(of_construct)
        };
        let is_used = |clause: &&ReductionClause, by: usize| {
            mentioned[by].contains(&clause.var) || clauses[by].contains(&clause.var)
        };
        let used =
            reduced(0).find(|clause| is_used(clause, 1)).or(reduced(1).find(|clause| is_used(clause, 0)));
        match used {
            Some(clause) => Err(format!("both use `{}`, a result of one of them", clause.name).into()),
            None => Ok(renamed),
        }
    }

    /// Whether the constructs have the values of variables that the second one would have, too. Returns the
    /// objects that the first one must not write for that.
    fn check_values(&self, body: &Body, steady: &Steady<'_>) -> Result<Vec<Operand>, Why> {
        let Neighbours { first, second, .. } = *self.neighbours;
        let [a, b] = [first, second].map(|construct| &body.constructs[construct]);
        let is_copied = |data: &ConstructData| data.maps.iter().any(|map| map.kind == MapKind::FirstPrivate);
        if [a, b].iter().any(|data| !data.private.is_empty() || is_copied(data)) {
            return Err("a gang has variables of its own".into());
        }
        let is_mapped = |data: &ConstructData, var: Operand| data.maps.iter().any(|map| map.var == Some(var));
        let is_divided = |a: &ConstructData, b: &ConstructData| {
            let private = a.firstprivate.iter().find(|private| is_mapped(b, private.var));
            private.map(|private| Why::from(format!("`{}` is a value in one of them only", private.name)))
        };
        if let Some(why) = is_divided(a, b).or(is_divided(b, a)) {
            return Err(why);
        }
        let is_open = |var: &Operand| match *var {
            Operand::Slot(slot) => !steady.keeps(slot),
            Operand::Global(_) => true,
            _ => false,
        };
        Ok(b.firstprivate.iter().map(|private| private.var).filter(is_open).collect())
    }

    /// Makes the fused nest.
    fn join(&self, body: &mut Body, shapes: [&Shape; 2], promises: &Promises) {
        let Neighbours { first, second, .. } = *self.neighbours;
        self.narrow_promises(body, shapes);
        join::join(body, self.cfg, self.neighbours, shapes, promises.renamed.clone());
        let ConstructData { firstprivate, reductions, fused, .. } =
            std::mem::replace(&mut body.constructs[second], ConstructData::dead());
        let data = &mut body.constructs[first];
        data.maps.clone_from(&promises.maps);
        for private in firstprivate {
            if !data.firstprivate.iter().any(|known| known.var == private.var) {
                data.firstprivate.push(private);
            }
        }
        data.reductions.extend(reductions);
        data.fused += fused + 1;
    }

    /// `restrict` promises something for the block that declares a pointer, which may be around one of the
    /// constructs only.
    fn narrow_promises(&self, body: &mut Body, shapes: [&Shape; 2]) {
        let Neighbours { first, second, .. } = *self.neighbours;
        let mut mentioned = shapes.map(|shape| shape.mentioned(body));
        for (set, construct) in mentioned.iter_mut().zip([first, second]) {
            set.extend(operands_of(&body.constructs[construct]));
        }
        let [one, two] = &mentioned;
        for &operand in one.symmetric_difference(two) {
            match operand {
                Operand::Local(local) if !body.params.contains(&local) => body.locals[local].restrict = false,
                Operand::Slot(slot) => body.slots[slot].restrict = false,
                _ => {}
            }
        }
    }

    /// Asks whether the fused nest is the same program.
    fn judge(
        &self,
        module: &Module,
        draft: &Body,
        shapes: [&Shape; 2],
        promises: &Promises,
    ) -> Result<(), Why> {
        let mut whole = Whole::new(draft, self.callees).with_wrapping(self.signed_wraps);
        whole.bases = Cow::Owned(Bases::new(draft).without_clauses());
        let mut survey = Survey::of(&whole, shapes[0].chain[0]);
        let obstacles = survey.loops.get(&shapes[0].chain[0]).map(|facts| &facts.obstacles);
        if let Some((_, pos)) = obstacles.and_then(|obstacles| obstacles.first()) {
            return Err(format!("what line {} does is not looked into", pos.line).into());
        }
        let is_short = |inner: &Loop| {
            let trip = survey.loops.get(inner).and_then(|facts| facts.trip.as_ref()?.as_constant());
            trip.is_some_and(|trip| trip <= SHORT)
        };
        if !shapes.iter().all(|shape| shape.inner.iter().all(is_short)) {
            return Err("a loop inside of them has many iterations".into());
        }
        let second: EntitySet<Block> = set_of(shapes[1].blocks.iter().copied());
        let is_of_second = |touch: &Touch| second.contains(touch.at.0);
        let is_of_first = |touch: &Touch| !second.contains(touch.at.0);
        for &object in &promises.values {
            if across::may_write(&whole, &mut survey, object, &is_of_first) {
                return Err("the first one may change a value that the second one has".into());
            }
        }
        for &[a, b] in &promises.demands.apart {
            if !across::are_allocated_apart(&whole, a, b) {
                return Err("their data clauses are of pointers that may lead to one object".into());
            }
        }
        for Kept { map, in_second } in &promises.demands.kept {
            let is_asked: &dyn Fn(&Touch) -> bool = if *in_second { &is_of_second } else { &is_of_first };
            if map.var.is_none_or(|var| across::may_write(&whole, &mut survey, var, is_asked)) {
                return Err(format!("`{}`, which is not copied back, may be written", map.name).into());
            }
        }
        let in_range = InRange::default();
        let meeting = shapes[0]
            .chain
            .iter()
            .find_map(|&loop_| across::meeting((&whole, &survey), loop_, &in_range, &is_of_second));
        let Some(hindrance) = meeting else {
            let is_across = survey.touches.iter().any(|touch| is_across(&survey, touch, &shapes[0].chain));
            return match is_across {
                true => Err("they go through an array along different loops".into()),
                false => Ok(()),
            };
        };
        let words = Words { module, body: draft, survey: &survey };
        let of = |touch: usize| format!("{} ({})", words.access(touch), words.line(touch));
        Err(match hindrance {
            Hindrance::Carried { earlier, later, .. } => {
                let (a, b) = (earlier.min(later), earlier.max(later));
                format!("{} is {} of another iteration", of(b), of(a)).into()
            }
            Hindrance::Alias(a, b) => format!("{} and {} may be the same object", of(a), of(b)).into(),
            Hindrance::Subscript(a, b) => format!(
                "whether {} and {} touch the same element in different iterations is not known",
                of(a),
                of(b)
            )
            .into(),
            _ => "there are too many accesses to compare".into(),
        })
    }
}

/// Whether both nests have the same iterations.
fn counts(
    (body, facts): (&Body, &Facts),
    shapes: [&Shape; 2],
    mut scopes: [Scope; 2],
    values: &mut Values,
    steady: &Steady<'_>,
) -> Result<(), Why> {
    for depth in 0..shapes[0].chain.len() {
        let mut bounds = Vec::with_capacity(2);
        for (shape, scope) in shapes.iter().zip(&mut scopes) {
            for &block in &shape.before[depth] {
                values.step(scope, body, &body.blocks[block].insts, steady);
            }
            let Some(induction) = &body.loops[shape.chain[depth]].induction else {
                return Err("a loop is not counted".into());
            };
            let operands = [induction.init, induction.bound, induction.step];
            let numbers = operands.map(|operand| values.of(scope, operand));
            bounds.push((numbers, induction.cmp, body.locals[induction.iv].ty));
            // What the loop assigns is something else in each iteration.
            let inside = facts.nest.blocks(shape.chain[depth]);
            for inst in inside.into_iter().flat_map(|block| &body.blocks[block].insts) {
                inst.op.defs(|local| _ = values.fresh(scope, local));
            }
        }
        if bounds[0] != bounds[1] {
            return Err("their loops have different bounds".into());
        }
        let [one, two] = [0, 1].map(|at| body.loops[shapes[at].chain[depth]].induction.as_ref());
        if let (Some(one), Some(two)) = (one, two) {
            let number = values.fresh(&mut scopes[0], one.iv);
            scopes[1].set(two.iv, number);
        }
    }
    Ok(())
}

/// The arrays that both have clauses of.
fn shared(first: &[DataMap], second: &[DataMap]) -> Vec<Arc<str>> {
    let is_array =
        |map: &&DataMap| map.pointer_bias.is_some() || map.bytes.as_int().is_none_or(|bytes| bytes > 16);
    let is_in_both = |map: &&DataMap| map.var.is_some() && second.iter().any(|other| other.var == map.var);
    let both = first.iter().filter(is_array).filter(is_in_both);
    both.map(|map| map.name.split('[').next().unwrap_or_default().into()).collect()
}

/// Whether an access goes from element to element along an outer loop, and further along the innermost one:
/// what such a nest needs, an exchange of loops or of values, another nest cannot have.
fn is_across(survey: &Survey, touch: &Touch, chain: &[Loop]) -> bool {
    let step = |loop_: Loop| {
        let counter = survey.atoms.known(&Kind::Counter(loop_))?;
        let (step, _) = touch.address.linear_in(counter)?;
        Some(step.as_constant().map_or(i64::MAX, |step| step.saturating_abs()))
    };
    let [outer @ .., inner] = chain else { return false };
    let is_far = step(*inner).is_some_and(|step| step > FAR);
    is_far && outer.iter().any(|&loop_| step(loop_).is_some_and(|step| (1..=touch.bytes).contains(&step)))
}

/// Whether a nest has few iterations.
fn is_small(body: &Body, facts: &Facts, shape: &Shape) -> bool {
    let trips = shape.chain.iter().map(|&loop_| facts.constants.trip(body.loops[loop_].induction.as_ref()?));
    let trips = trips.into_iter().try_fold(1, |product: u64, trip| product.checked_mul(trip?));
    trips.is_some_and(|trips| trips <= SMALL)
}

/// The variables and values that the clauses of a construct name.
fn operands_of(data: &ConstructData) -> FxHashSet<Operand> {
    let mut found = FxHashSet::default();
    data.parts(|part: Part<'_>| found.extend(part.operand()));
    found
}
