//! Directives, data clauses, regions, launches and reduction quads.
//!
//! - Operands of clauses: sizes and offsets are i64, conditions i1, queues, device numbers and launch
//!   dimensions i32, sizes of gangs, workers and tiles on loops any integer. A clause names a local, slot or
//!   global.
//! - The variable of a `reduction` clause has the clause's name and a type, or size, that the reduced parts
//!   fit.
//! - The mapping table of a region runs parallel to its parameters. A region returns nothing.
//! - For each (loop, reduction, level) stand setup, init, fini and teardown, once each and each dominating
//!   the next; only in code that never returns may fini and teardown be missing. They agree on operator and
//!   type. A fini stands between lock and unlock of its loop and level, in one block. While a level is
//!   unassigned, quads of several dimensions look alike; then only their numbers must agree. Every reduction
//!   that has an id has a quad, until quads are expanded.
//! - For each (loop, level) there is one fork and one join, and head and tail marks come in pairs.

use super::body::{At, BodyVerifier, Graph};
use super::promoted;
use crate::acc::{
    Async, DataKind, DataMap, DataOp, Device, Dims, Launch, LaunchArg, Level, LoopDirective, PassHow,
    PrivateVar, RedObject, RedType, Reduction, ReductionClause, ReductionKind, ReductionOp, ReductionPart,
    RegionData, ScalarClass, Scheduling, ShapeTrial, Stride,
};
use crate::entities::{Block, Loop, Red};
use crate::function::{Beside, FunctionKind, LocalData, SlotData};
use crate::module::GlobalData;
use crate::op::{Op, Operand, Terminator};
use crate::types::{PassBy, Type};
use std::collections::{BTreeMap, BTreeSet};

/// A place in the layout: block and index of an instruction.
type Place = (Block, usize);

/// The calls of one quad, by kind.
#[derive(Default)]
struct Quad<'a> {
    calls: [Vec<(Place, &'a Reduction)>; 4],
}

/// Begin and end of something that comes in pairs.
#[derive(Default)]
struct Pair {
    begin: Vec<Place>,
    end: Vec<Place>,
}

impl<'a> BodyVerifier<'a> {
    pub(super) fn annotations(&mut self, graph: &Graph) {
        let body = self.body;
        self.induction_writes();
        for loop_ in self.live.loops.clone().iter() {
            self.at = At::Loop(loop_);
            if let Some(directive) = &body.loops[loop_].directive {
                self.directive(directive);
            }
        }
        for construct in self.live.constructs.clone().iter() {
            self.at = At::Construct(construct);
            let data = &body.constructs[construct];
            self.scheduling(&data.scheduling);
            self.dims(&data.dims);
            self.maps(&data.maps);
            data.private.iter().chain(&data.firstprivate).for_each(|var| self.private_var(var));
            data.reductions.iter().for_each(|clause| self.reduction_clause(clause));
        }
        self.at = At::Body;
        match &self.function.kind {
            FunctionKind::Normal => {
                let none = body.region_reductions.is_empty();
                self.check(none, || "reductions of a construct are in no region".to_owned());
            }
            FunctionKind::Region(region) | FunctionKind::Threaded(region) => self.region(region),
        }
        body.region_reductions.iter().for_each(|clause| self.reduction_clause(clause));
        if let Some(Beside { used, counts, rows, most_workers: _ }) = &body.beside {
            self.expect("whether there are gangs in y and z", *used, Type::I1);
            counts.iter().for_each(|&count| self.expect("what gangs share", count, Type::I64));
            self.check(*rows > 0, || "gangs share no rows".to_owned());
        }
        self.quads(graph);
    }

    fn any_int(&mut self, what: &str, operand: Option<Operand>) {
        if let Some(operand) = operand {
            let ty = self.ty(operand);
            self.check(ty.is_int(), || format!("{what} is {ty}, no integer"));
        }
    }

    fn variable(&mut self, var: Operand) {
        let names_object = match var {
            Operand::Local(_) | Operand::Slot(_) | Operand::Global(_) => true,
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => false,
        };
        self.check(names_object, || "a clause names a local, slot or global".to_owned());
    }

    fn directive(&mut self, directive: &LoopDirective) {
        if let Some(gang) = &directive.gang {
            self.any_int("`num`", gang.num);
            self.any_int("`static`", gang.static_.flatten());
            self.check((1..=3).contains(&gang.dim), || format!("there is no gang dimension {}", gang.dim));
        }
        self.any_int("`worker`", directive.worker.flatten());
        self.any_int("`vector`", directive.vector.flatten());
        directive.tile.iter().for_each(|size| self.any_int("`tile`", *size));
        let objects = directive.team.as_deref().unwrap_or_default();
        objects.iter().for_each(|&object| self.expect("what a team shares", object, Type::Ptr));
        self.check(directive.collapse > 0, || "no loop is collapsed".to_owned());
        for (i, level) in directive.levels.iter().enumerate() {
            let twice = *level != Level::Unassigned && directive.levels[..i].contains(level);
            self.check(!twice, || format!("the loop is partitioned twice over {level}"));
        }
        directive.private.iter().for_each(|var| self.private_var(var));
        directive.reductions.iter().chain(&directive.scans).for_each(|clause| self.reduction_clause(clause));
    }

    fn private_var(&mut self, var: &PrivateVar) {
        self.variable(var.var);
        self.power_of_two(var.align);
    }

    fn red_type(&mut self, op: ReductionOp, ty: RedType) {
        let scalar = ty.ty.is_int() || ty.ty.is_float() || ty.ty.is_complex();
        self.check(scalar, || format!("{} is not reduced", ty.ty));
        self.check(!ty.boolean || ty.ty == Type::I8, || "_Bool is an i8".to_owned());
        let class = match ty.ty {
            ty if ty.is_complex() => ScalarClass::Complex,
            ty if ty.is_float() => ScalarClass::Real,
            _ => ScalarClass::Integer,
        };
        self.check(op.is_defined_on(class), || format!("`{}` is not defined for {}", op.spelling(), ty.ty));
        if let ReductionOp::Declared(declared) = op {
            self.check(ty.ty == Type::I8, || {
                format!("elements of declared reductions are bytes, not {}", ty.ty)
            });
            self.check(declared.size > 0, || "an element of a declared reduction is empty".to_owned());
            self.power_of_two(declared.align);
        }
    }

    fn reduction_clause(&mut self, clause: &ReductionClause) {
        self.variable(clause.var);
        self.check(!clause.parts.is_empty(), || "a reduction variable has parts".to_owned());
        self.expect_optional("the start of the section", clause.lower, Type::I64);
        for part in &clause.parts {
            self.red_type(clause.op, part.ty);
            self.expect_optional("the number of elements", part.count, Type::I64);
        }
        self.reduced_object(clause);
    }

    /// The variable of a clause has the clause's name, and holds its parts or the pointer to them.
    fn reduced_object(&mut self, clause: &ReductionClause) {
        let (size, name) = match clause.var {
            Operand::Local(local) => {
                let LocalData { ty, name, is_part: _, restrict: _ } = &self.body.locals[local];
                let fits = match &clause.parts[..] {
                    _ if clause.pointee => *ty == Type::Ptr,
                    [ReductionPart { offset: 0, ty: part, count: None }] if clause.lower.is_none() => {
                        [part.ty, promoted(*part)].contains(ty)
                    }
                    _ => false,
                };
                self.check(fits, || format!("`{}` is reduced, but not as {ty}", clause.name));
                (None, name.as_deref())
            }
            Operand::Slot(slot) => {
                let SlotData { size, name, .. } = &self.body.slots[slot];
                (Some(*size), name.as_deref())
            }
            Operand::Global(global) => {
                let GlobalData { size, name, .. } = &self.module.globals[global];
                (Some(*size), Some(&**name))
            }
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => return,
        };
        let same = name.is_none_or(|name| *name == *clause.name);
        self.check(same, || format!("the clause of `{}` names `{}`", clause.name, name.unwrap_or_default()));
        if let Some(size) = size {
            let inside = match clause.pointee {
                true => size == u64::from(Type::Ptr.bytes()),
                false => clause.parts.iter().all(|part| end_of(part).is_some_and(|end| end <= size)),
            };
            self.check(inside, || format!("`{}` of {size} bytes does not hold what is reduced", clause.name));
        }
    }

    fn scheduling(&mut self, scheduling: &Scheduling) {
        let Scheduling { device, if_, self_, async_, wait, task } = scheduling;
        match device {
            Device::Current | Device::Default => {}
            Device::Number(number) => self.expect("`device`", *number, Type::I32),
        }
        self.expect_optional("`if`", *if_, Type::I1);
        self.expect_optional("`self`", *self_, Type::I1);
        match async_ {
            Async::Sync | Async::Default | Async::OfData => {}
            Async::Queue(queue) => self.expect("`async`", *queue, Type::I32),
        }
        self.expect_optional("`devnum`", wait.devnum, Type::I32);
        wait.queues.iter().for_each(|queue| self.expect("`wait`", *queue, Type::I32));
        let consistent = wait.present || wait.devnum.is_none() && wait.queues.is_empty();
        self.check(consistent, || "`wait` is absent and has arguments".to_owned());
        if let Some(clauses) = task {
            self.expect("the dependences", clauses.depends, Type::Ptr);
            self.expect("the number of dependences", clauses.count, Type::I64);
            self.expect("the flags of the task", clauses.flags, Type::I32);
            self.expect("`priority`", clauses.priority, Type::I32);
            self.expect("`detach`", clauses.event, Type::Ptr);
        }
    }

    fn dims(&mut self, dims: &Dims) {
        for gangs in dims.gangs {
            self.expect_optional("`num_gangs`", gangs, Type::I32);
        }
        self.expect_optional("`num_workers`", dims.workers, Type::I32);
        self.expect_optional("`vector_length`", dims.vector, Type::I32);
    }

    fn maps(&mut self, maps: &[DataMap]) {
        for map in maps {
            if let Some(var) = map.var {
                self.variable(var);
            }
            self.expect("the start of the map", map.start, Type::Ptr);
            self.expect("the size of the map", map.bytes, Type::I64);
            self.strides(&map.strides);
            self.expect_optional("the bias of the pointer", map.pointer_bias, Type::I64);
            self.expect_optional("the place of the pointer", map.pointer_at.map(|at| at.base), Type::Ptr);
            let mut rows = map.rows.as_ref();
            while let Some(section) = rows {
                self.expect("the start of the rows", section.lower, Type::I64);
                self.expect("the size of the rows", section.bytes, Type::I64);
                self.strides(&section.strides);
                rows = section.rows.as_deref();
            }
        }
    }

    fn strides(&mut self, strides: &[Stride]) {
        for stride in strides {
            self.expect("the number of runs", stride.count, Type::I64);
            self.expect("the distance of runs", stride.distance, Type::I64);
        }
    }

    fn host_code(&mut self) {
        let region = matches!(self.function.kind, FunctionKind::Region(_));
        self.check(!region, || "this belongs to the host, not into a region".to_owned());
    }

    pub(super) fn launch(&mut self, launch: &Launch) {
        self.host_code();
        self.maps(&launch.maps);
        self.dims(&launch.dims);
        self.scheduling(&launch.scheduling);
        let Some(region) = self.module.functions[launch.region].kind.launched() else {
            return self.fail(format!("{} is no region", launch.region));
        };
        let (given, wanted) = (launch.args.len(), region.params.len());
        self.check(given == wanted, || format!("{given} arguments for {wanted} parameters"));
        for (i, (arg, param)) in launch.args.iter().zip(&region.params).enumerate() {
            match (arg, param.how) {
                (LaunchArg::Map(map), PassHow::Address | PassHow::Pointer) => {
                    let exists = (*map as usize) < launch.maps.len();
                    self.check(exists, || format!("argument {i} is map {map}, which does not exist"));
                }
                (LaunchArg::Map(_), PassHow::Value(_)) => {
                    self.fail(format!("argument {i} is a map, not a value"))
                }
                (LaunchArg::Value(value), PassHow::Value(ty)) => {
                    self.expect(&format!("argument {i}"), *value, ty)
                }
                (LaunchArg::Value(value), PassHow::Address | PassHow::Pointer) => {
                    self.expect(&format!("argument {i}"), *value, Type::Ptr);
                }
            }
        }
    }

    pub(super) fn data(&mut self, data: &DataOp) {
        self.host_code();
        self.maps(&data.maps);
        self.scheduling(&data.scheduling);
        self.expect_optional("`device_type`", data.device_type, Type::I32);
        self.expect_optional("`device_num`", data.device_num, Type::I32);
        self.expect_optional("`default_async`", data.default_async, Type::I32);
        let wanted = match data.kind {
            DataKind::HostDataBegin { .. } => data.maps.len(),
            DataKind::DataBegin
            | DataKind::DataEnd
            | DataKind::Enter
            | DataKind::Exit { .. }
            | DataKind::Update { .. }
            | DataKind::HostDataEnd
            | DataKind::Wait
            | DataKind::Init
            | DataKind::Shutdown
            | DataKind::Set
            | DataKind::DeclareBegin
            | DataKind::DeclareEnd => 0,
        };
        let found = data.device_addresses.len();
        self.check(found == wanted, || format!("{found} device addresses, not {wanted}"));
        data.device_addresses
            .iter()
            .for_each(|local| self.expect_local("a device address", *local, Type::Ptr));
    }

    fn region(&mut self, region: &RegionData) {
        let signature = self.signature;
        self.check(signature.result.is_none() && !signature.variadic, || {
            "a region has no result and a fixed number of parameters".to_owned()
        });
        let (found, wanted) = (region.params.len(), signature.params.len());
        self.check(found == wanted, || {
            format!("the mapping table has {found} lines for {wanted} parameters")
        });
        for (param, pass) in region.params.iter().zip(&signature.params) {
            let ty = match param.how {
                PassHow::Address | PassHow::Pointer => Type::Ptr,
                PassHow::Value(ty) => ty,
            };
            let fits = matches!(pass, PassBy::Scalar(found, _) if *found == ty);
            self.check(fits, || format!("the parameter of `{}` is not {ty}", param.name));
            self.check(!param.argument || param.how == PassHow::Pointer, || {
                format!("`{}` is an argument of the parent, and no pointer", param.name)
            });
        }
        let trial = region.shape.and_then(|shape| shape.trial);
        let is_region = |trial: ShapeTrial| {
            let function = self.module.functions.get(trial.of);
            function.is_some_and(|function| matches!(function.kind, FunctionKind::Region(_)))
        };
        let is_of_region = trial.is_none_or(is_region);
        self.check(is_of_region, || "what a trial is of is no region".to_owned());
    }

    pub(super) fn reduction(&mut self, reduction: &Reduction) {
        self.red_type(reduction.op, reduction.ty);
        self.expect_optional("the base of RESULT", reduction.result.map(|result| result.base), Type::Ptr);
        match reduction.object {
            RedObject::Scalar { dst, local } => {
                let ty = promoted(reduction.ty);
                self.expect("LOCAL", local, ty);
                self.expect_local("the result", dst, ty);
            }
            RedObject::Array { local, count } => {
                self.expect("the base of LOCAL", local.base, Type::Ptr);
                self.expect("the number of elements", count, Type::I64);
            }
        }
    }

    fn at_place(&mut self, (block, index): Place) {
        self.at = At::Inst(block, &self.body.blocks[block].insts[index].op);
    }

    /// Whether `a` is executed before `b` on every way to `b`; true also if control arrives at one of them
    /// never.
    fn precedes(graph: &Graph, a: Place, b: Place) -> bool {
        if a.0 == b.0 {
            return a.1 < b.1;
        }
        let reached = graph.cfg.is_reachable(a.0) && graph.cfg.is_reachable(b.0);
        !reached || graph.dominators.dominates(a.0, b.0)
    }

    fn quads(&mut self, graph: &Graph) {
        let body = self.body;
        let mut quads: BTreeMap<(Option<Loop>, Red, Level), Quad<'a>> = BTreeMap::new();
        let mut forks: BTreeMap<(Option<Loop>, Level), Pair> = BTreeMap::new();
        let mut marks: BTreeMap<(Loop, bool), Pair> = BTreeMap::new();
        // What the calls of quads expand to may branch, and spreads the locked section over several blocks.
        let has_quads = body
            .order
            .iter()
            .any(|&block| body.blocks[block].insts.iter().any(|inst| matches!(inst.op, Op::Reduction(_))));
        for &block in &body.order {
            if has_quads {
                self.locks(block);
            }
            for (index, inst) in body.blocks[block].insts.iter().enumerate() {
                let place = (block, index);
                if let Op::Reduction(r) = &inst.op {
                    let kind = match r.kind {
                        ReductionKind::Setup => 0,
                        ReductionKind::Init => 1,
                        ReductionKind::Fini => 2,
                        ReductionKind::Teardown => 3,
                    };
                    quads.entry((r.loop_, r.red, r.level)).or_default().calls[kind].push((place, r));
                } else if let Op::Fork { level, loop_ } = inst.op {
                    forks.entry((loop_, level)).or_default().begin.push(place);
                } else if let Op::Join { level, loop_ } = inst.op {
                    forks.entry((loop_, level)).or_default().end.push(place);
                } else if let Op::HeadMark { loop_, inner } = inst.op {
                    marks.entry((loop_, inner)).or_default().begin.push(place);
                } else if let Op::TailMark { loop_, inner } = inst.op {
                    marks.entry((loop_, inner)).or_default().end.push(place);
                }
            }
        }
        for ((loop_, level), pair) in &forks {
            let several = *level == Level::Unassigned || loop_.is_none();
            let what = loop_.map_or_else(String::new, |loop_| format!(" of {loop_}"));
            self.pair(graph, pair, several, &format!("fork and join{what} at level {level}"));
        }
        for ((loop_, _), pair) in &marks {
            self.pair(graph, pair, false, &format!("head and tail mark of {loop_}"));
        }
        for quad in quads.values() {
            self.quad(graph, quad);
        }
        if has_quads {
            let found: BTreeSet<Red> = quads.keys().map(|(_, red, _)| *red).collect();
            self.at = At::Body;
            for red in (0..body.reductions).map(Red::from_u32).filter(|red| !found.contains(red)) {
                self.fail(format!("{red} has no quad"));
            }
        }
    }

    fn pair(&mut self, graph: &Graph, pair: &Pair, several: bool, what: &str) {
        if let Some(place) = pair.begin.first().or(pair.end.first()) {
            self.at_place(*place);
        }
        let (begins, ends) = (pair.begin.len(), pair.end.len());
        self.check(begins == ends, || format!("{what}: {begins} begin and {ends} end"));
        self.check(several || begins <= 1, || format!("{what}: {begins} of them"));
        if let ([begin], [end]) = (&pair.begin[..], &pair.end[..]) {
            self.check(Self::precedes(graph, *begin, *end), || {
                format!("{what}: the end is reached without the begin")
            });
        }
    }

    fn quad(&mut self, graph: &Graph, quad: &Quad<'a>) {
        let calls: Vec<(Place, &Reduction)> = quad.calls.iter().flatten().copied().collect();
        let Some(&(place, first)) = calls.first() else { return };
        self.at_place(place);
        for (_, other) in &calls {
            let alike = (other.op, other.ty) == (first.op, first.ty);
            self.check(alike, || format!("calls of {} differ in operator or type", first.red));
        }
        let [setup, init, fini, teardown] = [0, 1, 2, 3].map(|kind: usize| quad.calls[kind].len());
        let endless = !self.body.order.iter().any(|block| {
            graph.cfg.is_reachable(*block) && matches!(self.body.blocks[*block].term, Terminator::Return(_))
        });
        let complete =
            setup == init && setup > 0 && fini == teardown && (fini == setup || fini == 0 && endless);
        self.check(complete, || {
            format!("{setup} setup, {init} init, {fini} fini and {teardown} teardown of {}", first.red)
        });
        if first.level == Level::Unassigned {
            return;
        }
        self.check(setup <= 1, || format!("{setup} quads of {} for one loop and level", first.red));
        for pair in calls.windows(2) {
            let [(a, _), (b, before)] = [pair[0], pair[1]];
            self.at_place(b);
            let ordered = Self::precedes(graph, a, b);
            self.check(ordered, || format!("{} is reached without what comes before it", before.kind.name()));
        }
    }

    /// Locks of a block are released in it, are not nested, and guard the right calls.
    fn locks(&mut self, block: Block) {
        let mut held: Option<(Level, Option<Loop>)> = None;
        for inst in &self.body.blocks[block].insts {
            self.at = At::Inst(block, &inst.op);
            if let Op::Lock { level, loop_ } = inst.op {
                self.check(held.is_none(), || "another lock is held".to_owned());
                held = Some((level, loop_));
            } else if let Op::Unlock { level, loop_ } = inst.op {
                self.check(held == Some((level, loop_)), || "this lock is not held".to_owned());
                held = None;
            } else if let Op::Reduction(r) = &inst.op {
                let guarded = r.kind != ReductionKind::Fini || held == Some((r.level, r.loop_));
                self.check(guarded, || "the lock of its loop and level is not held".to_owned());
            }
        }
        self.at = At::Block(block);
        self.check(held.is_none(), || "a lock is not released in the block that takes it".to_owned());
    }
}

/// The least number of bytes that an object with this part has; none if the part begins before the object.
fn end_of(part: &ReductionPart) -> Option<u64> {
    let count = match part.count {
        Some(Operand::Int(_, count)) => u64::try_from(count).ok()?,
        Some(_) => 0,
        None => 1,
    };
    count.checked_mul(u64::from(part.ty.ty.bytes()))?.checked_add(u64::try_from(part.offset).ok()?)
}
