//! Uniform access to what an instruction, a terminator or an annotation refers to.
//!
//! One walk per IR structure reports every reference as a [`Part`] (or, for rewriting, a [`PartMut`]). All
//! other accessors are filters over it, so an operation that gains a field is taught here once and liveness,
//! inlining, linking and the verifier see it. The roles differ in what a pass may do with them:
//!
//! - a *value* is read when the instruction executes; any operand of its type may stand there;
//! - an *address* has a base that is read likewise, and stands for memory that is accessed;
//! - a *variable* is named by a clause and stands for the object itself, so it can be renamed but not
//!   replaced by its value: copy propagation must leave it alone, inlining must not;
//! - a *named local* is the same where only a local may stand (an induction local, a mapped slot's
//!   parameter);
//! - a *definition* is written.

use crate::acc::{
    Async, ConstructData, DataMap, DataOp, Declared, Device, Dims, GangClause, Launch, LaunchArg,
    LoopDirective, PrivateVar, RedObject, Reduction, ReductionClause, ReductionOp, ReductionPart,
    RegionShape, RowSection, Scheduling, Stride, TaskClauses, Wait,
};
use crate::entities::{Agg, Block, Construct, Func, Local, Loop, Red, Sig};
use crate::function::{
    Beside, BlockData, Body, Function, FunctionKind, Induction, LoopData, SlotData, SlotKind,
};
use crate::module::{GlobalData, Init};
use crate::op::{Address, Callee, Inst, Op, Operand, Pos, Terminator};
use crate::types::{PassBy, Signature};
use cranelift_entity::packed_option::ReservedValue;
use smallvec::SmallVec;

macro_rules! parts {
    ($(#[$doc:meta])* $name:ident, $($mutability:tt)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name<'a> {
            /// An operand that is read.
            Value(&'a $($mutability)? Operand),
            /// An address that is accessed; its base is read. The base is not reported again as a value.
            Address(&'a $($mutability)? Address),
            /// A variable that a clause names.
            Variable(&'a $($mutability)? Operand),
            /// A local that is written.
            Def(&'a $($mutability)? Local),
            /// A local that an annotation names.
            NamedLocal(&'a $($mutability)? Local),
            /// A function that is called or launched.
            Func(&'a $($mutability)? Func),
            /// A function type.
            Sig(&'a $($mutability)? Sig),
            /// An aggregate layout.
            Agg(&'a $($mutability)? Agg),
            /// A block: a successor, or one that a loop or construct names.
            Block(&'a $($mutability)? Block),
            /// A loop.
            Loop(&'a $($mutability)? Loop),
            /// A construct.
            Construct(&'a $($mutability)? Construct),
            /// A reduction.
            Red(&'a $($mutability)? Red),
            /// A position.
            Pos(&'a $($mutability)? Pos),
        }
    };
}

parts!(
    /// A reference found by a walk.
    Part,
);
parts!(
    /// A reference found by a walk, to be rewritten in place.
    PartMut,
    mut
);

impl Part<'_> {
    /// What is read, written or named here, if that may be a local, a slot or a global.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            Part::Def(local) => Some(Operand::Local(**local)),
            part => part.used_operand(),
        }
    }

    /// The same, without what is only written.
    pub fn used_operand(&self) -> Option<Operand> {
        match self {
            Part::Value(operand) | Part::Variable(operand) => Some(**operand),
            Part::Address(address) => Some(address.base),
            Part::NamedLocal(local) => Some(Operand::Local(**local)),
            Part::Def(_)
            | Part::Func(_)
            | Part::Sig(_)
            | Part::Agg(_)
            | Part::Block(_)
            | Part::Loop(_)
            | Part::Construct(_)
            | Part::Red(_)
            | Part::Pos(_) => None,
        }
    }

    /// The local that is read here, clauses' variables and named locals included.
    pub fn used(&self) -> Option<Local> {
        self.used_operand()?.as_local()
    }
}

// The walks are written once and compiled twice, for `&` and for `&mut`: matching through either kind of
// reference binds fields by that kind.
macro_rules! walks {
    ($module:ident, $Part:ident, $($m:tt)?) => {
        mod $module {
            use cranelift_entity::packed_option::ReservedValue;
            use super::{
                $Part, Async, Beside, BlockData, Callee, ConstructData, DataMap, DataOp, Declared, Device, Dims, GangClause,
                GlobalData, Induction, Init, Inst, Launch, LaunchArg, LoopData, LoopDirective, Op, Operand,
                PassBy, PrivateVar, RedObject, Reduction, ReductionClause, ReductionOp, ReductionPart, RowSection,
                Scheduling, Sig, Signature, SlotData, SlotKind, Stride, TaskClauses, Terminator, Wait,
            };

            fn option<F: FnMut($Part<'_>)>(operand: & $($m)? Option<Operand>, f: &mut F) {
                if let Some(operand) = operand {
                    f($Part::Value(operand));
                }
            }

            fn values<F: FnMut($Part<'_>)>(operands: & $($m)? Vec<Operand>, f: &mut F) {
                for operand in operands {
                    f($Part::Value(operand));
                }
            }

            pub(super) fn scheduling<F: FnMut($Part<'_>)>(s: & $($m)? Scheduling, f: &mut F) {
                let Scheduling { device, if_, self_, async_, wait, task } = s;
                match device {
                    Device::Current | Device::Default => {}
                    Device::Number(number) => f($Part::Value(number)),
                }
                option(if_, f);
                option(self_, f);
                match async_ {
                    Async::Sync | Async::Default | Async::OfData => {}
                    Async::Queue(queue) => f($Part::Value(queue)),
                }
                let Wait { present: _, devnum, queues } = wait;
                option(devnum, f);
                values(queues, f);
                if let Some(clauses) = task {
                    let TaskClauses { depends, count, flags, priority, event } = & $($m)? **clauses;
                    for operand in [depends, count, flags, priority, event] {
                        f($Part::Value(operand));
                    }
                }
            }

            pub(super) fn dims<F: FnMut($Part<'_>)>(d: & $($m)? Dims, f: &mut F) {
                let Dims { gangs, workers, vector, pos, clauses: _ } = d;
                for gang in gangs {
                    option(gang, f);
                }
                option(workers, f);
                option(vector, f);
                for pos in pos {
                    f($Part::Pos(pos));
                }
            }

            fn reduction_op<F: FnMut($Part<'_>)>(op: & $($m)? ReductionOp, f: &mut F) {
                if let ReductionOp::Declared(Declared { start, combine, sig, size: _, align: _, reads_original: _ }) = op {
                    f($Part::Func(start));
                    f($Part::Func(combine));
                    f($Part::Sig(sig));
                }
            }

            pub(super) fn reduction_clause<F: FnMut($Part<'_>)>(c: & $($m)? ReductionClause, f: &mut F) {
                let ReductionClause { op, name: _, var, pointee: _, lower, parts, pos } = c;
                reduction_op(op, f);
                f($Part::Variable(var));
                option(lower, f);
                for part in parts {
                    let ReductionPart { offset: _, ty: _, count } = part;
                    option(count, f);
                }
                f($Part::Pos(pos));
            }

            pub(super) fn beside<F: FnMut($Part<'_>)>(b: & $($m)? Beside, f: &mut F) {
                let Beside { used, counts, rows: _, most_workers: _ } = b;
                f($Part::Value(used));
                for count in counts {
                    f($Part::Value(count));
                }
            }

            pub(super) fn private_var<F: FnMut($Part<'_>)>(p: & $($m)? PrivateVar, f: &mut F) {
                let PrivateVar { name: _, var, bytes: _, align: _, implicit: _, pos } = p;
                f($Part::Variable(var));
                f($Part::Pos(pos));
            }

            fn strides<F: FnMut($Part<'_>)>(list: & $($m)? [Stride], f: &mut F) {
                for Stride { count, distance } in list {
                    f($Part::Value(count));
                    f($Part::Value(distance));
                }
            }

            fn row_section<F: FnMut($Part<'_>)>(section: & $($m)? RowSection, f: &mut F) {
                let RowSection { lower, bytes, strides: list, rows } = section;
                f($Part::Value(lower));
                f($Part::Value(bytes));
                strides(list, f);
                if let Some(rows) = rows {
                    row_section(rows, f);
                }
            }

            pub(super) fn data_map<F: FnMut($Part<'_>)>(map: & $($m)? DataMap, f: &mut F) {
                let DataMap {
                    kind: _, modifiers: _, implicit: _, name: _, var, start, bytes, strides: list, pointer_bias, pointer_at,
                    rows, elements: _, members: _, pos,
                } = map;
                if let Some(var) = var {
                    f($Part::Variable(var));
                }
                f($Part::Value(start));
                f($Part::Value(bytes));
                strides(list, f);
                option(pointer_bias, f);
                if let Some(at) = pointer_at {
                    f($Part::Address(at));
                }
                if let Some(section) = rows {
                    row_section(section, f);
                }
                f($Part::Pos(pos));
            }

            pub(super) fn directive<F: FnMut($Part<'_>)>(d: & $($m)? LoopDirective, f: &mut F) {
                let LoopDirective {
                    kind: _, gang, worker, vector, collapse: _, collapse_force: _, in_order: _, at_once: _, team, tile, private, reductions, scans, levels: _,
                    pos,
                } = d;
                if let Some(GangClause { num, static_, dim: _ }) = gang {
                    option(num, f);
                    if let Some(size) = static_ {
                        option(size, f);
                    }
                }
                if let Some(num) = worker {
                    option(num, f);
                }
                if let Some(length) = vector {
                    option(length, f);
                }
                for size in tile {
                    option(size, f);
                }
                if let Some(objects) = team {
                    for object in objects {
                        f($Part::Value(object));
                    }
                }
                for p in private {
                    private_var(p, f);
                }
                for r in reductions {
                    reduction_clause(r, f);
                }
                for scan in scans {
                    reduction_clause(scan, f);
                }
                f($Part::Pos(pos));
            }

            pub(super) fn construct<F: FnMut($Part<'_>)>(c: & $($m)? ConstructData, f: &mut F) {
                let ConstructData {
                    kind: _, parent, entry, exit, scheduling: s, dims: d, maps, private, firstprivate, reductions, fused: _, pos,
                } = c;
                if let Some(parent) = parent {
                    f($Part::Construct(parent));
                }
                f($Part::Block(entry));
                f($Part::Block(exit));
                scheduling(s, f);
                dims(d, f);
                for map in maps {
                    data_map(map, f);
                }
                for p in private {
                    private_var(p, f);
                }
                for p in firstprivate {
                    private_var(p, f);
                }
                for r in reductions {
                    reduction_clause(r, f);
                }
                f($Part::Pos(pos));
            }

            pub(super) fn launch<F: FnMut($Part<'_>)>(l: & $($m)? Launch, f: &mut F) {
                let Launch { region, maps, args, dims: d, scheduling: s, fused: _ } = l;
                f($Part::Func(region));
                for map in maps {
                    data_map(map, f);
                }
                for arg in args {
                    match arg {
                        LaunchArg::Map(_) => {}
                        LaunchArg::Value(value) => f($Part::Value(value)),
                    }
                }
                dims(d, f);
                scheduling(s, f);
            }

            pub(super) fn data<F: FnMut($Part<'_>)>(d: & $($m)? DataOp, f: &mut F) {
                let DataOp {
                    kind: _, maps, device_addresses, scheduling: s, device_type, device_num, default_async,
                } = d;
                for map in maps {
                    data_map(map, f);
                }
                scheduling(s, f);
                option(device_type, f);
                option(device_num, f);
                option(default_async, f);
                for local in device_addresses {
                    f($Part::Def(local));
                }
            }

            pub(super) fn reduction<F: FnMut($Part<'_>)>(r: & $($m)? Reduction, f: &mut F) {
                let Reduction {
                    kind: _, result, object, level: _, op, ty: _, loop_, red, escapes: _, original,
                } = r;
                reduction_op(op, f);
                for address in [result, original] {
                    if let Some(address) = address {
                        f($Part::Address(address));
                    }
                }
                if let Some(loop_) = loop_ {
                    f($Part::Loop(loop_));
                }
                f($Part::Red(red));
                match object {
                    RedObject::Scalar { dst, local } => {
                        f($Part::Value(local));
                        f($Part::Def(dst));
                    }
                    RedObject::Array { local, count } => {
                        f($Part::Address(local));
                        f($Part::Value(count));
                    }
                }
            }

            pub(super) fn induction<F: FnMut($Part<'_>)>(i: & $($m)? Induction, f: &mut F) {
                let Induction { iv, init, bound, step, cmp: _ } = i;
                f($Part::NamedLocal(iv));
                f($Part::Value(init));
                f($Part::Value(bound));
                f($Part::Value(step));
            }

            pub(super) fn loop_data<F: FnMut($Part<'_>)>(l: & $($m)? LoopData, f: &mut F) {
                let LoopData {
                    parent, preheader, header, body, latch, exit, induction: ind, directive: dir, pos,
                } = l;
                if let Some(parent) = parent {
                    f($Part::Loop(parent));
                }
                if !header.is_reserved_value() {
                    f($Part::Block(preheader));
                    f($Part::Block(header));
                    f($Part::Block(body));
                    f($Part::Block(latch));
                    f($Part::Block(exit));
                }
                if let Some(ind) = ind {
                    induction(ind, f);
                }
                if let Some(dir) = dir {
                    directive(dir, f);
                }
                f($Part::Pos(pos));
            }

            fn call<F: FnMut($Part<'_>)>(
                callee: & $($m)? Callee,
                sig: & $($m)? Sig,
                args: & $($m)? Vec<Operand>,
                dest: & $($m)? Option<Operand>,
                f: &mut F,
            ) {
                match callee {
                    Callee::Direct(func) => f($Part::Func(func)),
                    Callee::Indirect(address) => f($Part::Value(address)),
                }
                f($Part::Sig(sig));
                values(args, f);
                option(dest, f);
            }

            pub(super) fn op<F: FnMut($Part<'_>)>(op: & $($m)? Op, f: &mut F) {
                match op {
                    Op::Copy { dst, src }
                    | Op::Unary { dst, op: _, src }
                    | Op::Convert { dst, op: _, src }
                    | Op::ExtractLane { dst, src, lane: _ } => {
                        f($Part::Value(src));
                        f($Part::Def(dst));
                    }
                    Op::Binary { dst, op: _, a, b } | Op::Compare { dst, op: _, a, b } => {
                        f($Part::Value(a));
                        f($Part::Value(b));
                        f($Part::Def(dst));
                    }
                    Op::Select { dst, cond, a, b } => {
                        f($Part::Value(cond));
                        f($Part::Value(a));
                        f($Part::Value(b));
                        f($Part::Def(dst));
                    }
                    Op::Fma { dst, a, b, c } => {
                        f($Part::Value(a));
                        f($Part::Value(b));
                        f($Part::Value(c));
                        f($Part::Def(dst));
                    }
                    Op::Index { dst, base, index, scale: _, offset: _, extent: _ } => {
                        f($Part::Value(base));
                        f($Part::Value(index));
                        f($Part::Def(dst));
                    }
                    Op::Load { dst, addr, access: _ } | Op::AtomicLoad { dst, addr } => {
                        f($Part::Address(addr));
                        f($Part::Def(dst));
                    }
                    Op::Store { ty: _, addr, src, access: _ } | Op::AtomicStore { ty: _, addr, src } => {
                        f($Part::Address(addr));
                        f($Part::Value(src));
                    }
                    Op::MemCopy { dst, src, bytes, align: _ } => {
                        f($Part::Address(dst));
                        f($Part::Address(src));
                        f($Part::Value(bytes));
                    }
                    Op::MemSet { dst, value, bytes, align: _ } => {
                        f($Part::Address(dst));
                        f($Part::Value(value));
                        f($Part::Value(bytes));
                    }
                    Op::Call { dst, callee, sig, args, dest } => {
                        call(callee, sig, args, dest, f);
                        if let Some(dst) = dst {
                            f($Part::Def(dst));
                        }
                    }
                    Op::StackAlloc { dst, bytes, align: _, each: _ } => {
                        f($Part::Value(bytes));
                        f($Part::Def(dst));
                    }
                    Op::StackSave { dst, each: _ }
                    | Op::FrameAddress { dst, level: _, return_address: _ }
                    | Op::DimSize { dst, level: _ }
                    | Op::DimPos { dst, level: _ } => f($Part::Def(dst)),
                    Op::OnDevice { dst, device } => {
                        f($Part::Value(device));
                        f($Part::Def(dst));
                    }
                    Op::StackRestore { saved, each: _ } => f($Part::Value(saved)),
                    Op::VaStart { list } => f($Part::Value(list)),
                    Op::VaArg { dst, list } => {
                        f($Part::Value(list));
                        f($Part::Def(dst));
                    }
                    Op::VaArgAggregate { dst, list, agg } => {
                        f($Part::Value(list));
                        f($Part::Agg(agg));
                        f($Part::Def(dst));
                    }
                    Op::VaCopy { dst, src } => {
                        f($Part::Value(dst));
                        f($Part::Value(src));
                    }
                    Op::AtomicRmw { dst, op: _, ty: _, addr, value, reversed: _, result_new: _ }
                    | Op::AtomicSwap { dst, ty: _, addr, value } => {
                        f($Part::Address(addr));
                        f($Part::Value(value));
                        if let Some(dst) = dst {
                            f($Part::Def(dst));
                        }
                    }
                    Op::AtomicCas { dst, ty: _, addr, expected, desired } => {
                        f($Part::Address(addr));
                        f($Part::Value(expected));
                        f($Part::Value(desired));
                        f($Part::Def(dst));
                    }
                    Op::Fence | Op::Trap | Op::Barrier { level: _ } => {}
                    Op::Meet { dst, any } => {
                        f($Part::Value(any));
                        f($Part::Def(dst));
                    }
                    Op::LastGang { dst } => f($Part::Def(dst)),
                    Op::Instance { dst, slot, gang } => {
                        f($Part::Value(slot));
                        f($Part::Value(gang));
                        f($Part::Def(dst));
                    }
                    Op::LaneReduce { dst, op: _, src } => {
                        f($Part::Value(src));
                        f($Part::Def(dst));
                    }
                    Op::Shuffle { dst, src, by, mode: _ } => {
                        f($Part::Value(src));
                        f($Part::Value(by));
                        f($Part::Def(dst));
                    }
                    Op::InsertLane { dst, src, value, lane: _ } => {
                        f($Part::Value(src));
                        f($Part::Value(value));
                        f($Part::Def(dst));
                    }
                    Op::Widen { dst, src, half: _, signed: _ } => {
                        f($Part::Value(src));
                        f($Part::Def(dst));
                    }
                    Op::Narrow { dst, a, b, signed: _ } => {
                        f($Part::Value(a));
                        f($Part::Value(b));
                        f($Part::Def(dst));
                    }
                    Op::Launch(l) => launch(l, f),
                    Op::Data(d) => data(d, f),
                    Op::HeadMark { loop_, inner: _ }
                    | Op::TailMark { loop_, inner: _ } => f($Part::Loop(loop_)),
                    Op::Fork { level: _, loop_ }
                    | Op::Join { level: _, loop_ }
                    | Op::Lock { level: _, loop_ }
                    | Op::Unlock { level: _, loop_ } => {
                        if let Some(loop_) = loop_ {
                            f($Part::Loop(loop_));
                        }
                    }
                    Op::Reduction(r) => reduction(r, f),
                    Op::LoopShare { dst, share: _, loop_, trip } => {
                        f($Part::Loop(loop_));
                        f($Part::Value(trip));
                        f($Part::Def(dst));
                    }
                }
            }

            pub(super) fn terminator<F: FnMut($Part<'_>)>(term: & $($m)? Terminator, f: &mut F) {
                match term {
                    Terminator::Jump(block) => f($Part::Block(block)),
                    Terminator::Branch { cond, then, otherwise } => {
                        f($Part::Value(cond));
                        f($Part::Block(then));
                        f($Part::Block(otherwise));
                    }
                    Terminator::Switch { value, cases, default } => {
                        f($Part::Value(value));
                        for (_, _, block) in cases {
                            f($Part::Block(block));
                        }
                        f($Part::Block(default));
                    }
                    Terminator::Return(value) => option(value, f),
                    Terminator::Unreachable => {}
                }
            }

            pub(super) fn block<F: FnMut($Part<'_>)>(b: & $($m)? BlockData, f: &mut F) {
                let BlockData { insts, term, term_pos, loop_, construct } = b;
                for Inst { op: o, pos } in insts {
                    op(o, f);
                    f($Part::Pos(pos));
                }
                terminator(term, f);
                f($Part::Pos(term_pos));
                if let Some(loop_) = loop_ {
                    f($Part::Loop(loop_));
                }
                if let Some(construct) = construct {
                    f($Part::Construct(construct));
                }
            }

            pub(super) fn slot<F: FnMut($Part<'_>)>(s: & $($m)? SlotData, f: &mut F) {
                let SlotData { size: _, align: _, name: _, restrict: _, kind, declared_in } = s;
                match kind {
                    SlotKind::Mapped(local) => f($Part::NamedLocal(local)),
                    SlotKind::Frame | SlotKind::GangPrivate | SlotKind::GangCopy | SlotKind::WorkerPrivate | SlotKind::Reduction
                    | SlotKind::Broadcast | SlotKind::Launch | SlotKind::GangScratch => {}
                }
                if let Some(loop_) = declared_in {
                    f($Part::Loop(loop_));
                }
            }

            pub(super) fn pass_by<F: FnMut($Part<'_>)>(pass: & $($m)? PassBy, f: &mut F) {
                match pass {
                    PassBy::Scalar(_, _) => {}
                    PassBy::Aggregate(agg) => f($Part::Agg(agg)),
                }
            }

            pub(super) fn signature<F: FnMut($Part<'_>)>(sig: & $($m)? Signature, f: &mut F) {
                let Signature { params, result, variadic: _ } = sig;
                for p in params {
                    pass_by(p, f);
                }
                if let Some(result) = result {
                    pass_by(result, f);
                }
            }

            pub(super) fn global<F: FnMut($Part<'_>)>(g: & $($m)? GlobalData, f: &mut F) {
                match & $($m)? g.init {
                    Init::Extern | Init::Zero => {}
                    Init::Bytes(_, relocations) => {
                        for relocation in relocations {
                            f($Part::Value(& $($m)? relocation.target));
                        }
                    }
                }
                f($Part::Pos(& $($m)? g.pos));
            }
        }
    };
}

walks!(shared, Part,);
walks!(exclusive, PartMut, mut);

macro_rules! walkable {
    ($($type:ty => $walk:ident, $what:literal;)*) => {
        $(
            impl $type {
                #[doc = concat!("Every reference in ", $what, ".")]
                pub fn parts(&self, mut visit: impl FnMut(Part<'_>)) {
                    shared::$walk(self, &mut visit);
                }

                #[doc = concat!("Every reference in ", $what, ", to be rewritten.")]
                pub fn parts_mut(&mut self, mut visit: impl FnMut(PartMut<'_>)) {
                    exclusive::$walk(self, &mut visit);
                }

                #[doc = concat!("Every operand that ", $what, " reads, bases of addresses included.")]
                pub fn operands(&self, mut visit: impl FnMut(Operand)) {
                    self.parts(|part| match part {
                        Part::Value(operand) => visit(*operand),
                        Part::Address(address) => visit(address.base),
                        Part::Variable(_)
                        | Part::Def(_)
                        | Part::NamedLocal(_)
                        | Part::Func(_)
                        | Part::Sig(_)
                        | Part::Agg(_)
                        | Part::Block(_)
                        | Part::Loop(_)
                        | Part::Construct(_)
                        | Part::Red(_)
                        | Part::Pos(_) => {}
                    });
                }

                #[doc = concat!("Replaces every operand that ", $what, " reads, bases of addresses included.")]
                pub fn map_operands(&mut self, mut map: impl FnMut(Operand) -> Operand) {
                    self.parts_mut(|part| match part {
                        PartMut::Value(operand) => *operand = map(*operand),
                        PartMut::Address(address) => address.base = map(address.base),
                        PartMut::Variable(_)
                        | PartMut::Def(_)
                        | PartMut::NamedLocal(_)
                        | PartMut::Func(_)
                        | PartMut::Sig(_)
                        | PartMut::Agg(_)
                        | PartMut::Block(_)
                        | PartMut::Loop(_)
                        | PartMut::Construct(_)
                        | PartMut::Red(_)
                        | PartMut::Pos(_) => {}
                    });
                }

                #[doc = concat!("Every local that ", $what, " reads, clauses' variables and named locals included.")]
                pub fn uses(&self, mut visit: impl FnMut(Local)) {
                    self.parts(|part| part.used().into_iter().for_each(&mut visit));
                }

                #[doc = concat!("Replaces every block that ", $what, " refers to.")]
                pub fn map_blocks(&mut self, mut map: impl FnMut(Block) -> Block) {
                    self.parts_mut(|part| match part {
                        PartMut::Block(block) => *block = map(*block),
                        PartMut::Value(_)
                        | PartMut::Address(_)
                        | PartMut::Variable(_)
                        | PartMut::Def(_)
                        | PartMut::NamedLocal(_)
                        | PartMut::Func(_)
                        | PartMut::Sig(_)
                        | PartMut::Agg(_)
                        | PartMut::Loop(_)
                        | PartMut::Construct(_)
                        | PartMut::Red(_)
                        | PartMut::Pos(_) => {}
                    });
                }
            }
        )*
    };
}

walkable! {
    Op => op, "an operation";
    Terminator => terminator, "a terminator";
    BlockData => block, "a block";
    LoopDirective => directive, "a `loop` directive";
    LoopData => loop_data, "a loop";
    Induction => induction, "the counted form of a loop";
    ConstructData => construct, "a construct";
    ReductionClause => reduction_clause, "a `reduction` clause";
    Beside => beside, "what gangs in y and z are for";
    PrivateVar => private_var, "a `private` variable";
    DataMap => data_map, "a data clause";
    Scheduling => scheduling, "the scheduling clauses";
    Dims => dims, "launch dimensions";
    Launch => launch, "a launch";
    DataOp => data, "a data directive";
    Reduction => reduction, "a call of a quad";
    SlotData => slot, "a slot";
    Signature => signature, "a function type";
    GlobalData => global, "a global";
}

impl Op {
    /// Every address it accesses.
    pub fn addresses(&self, mut visit: impl FnMut(&Address)) {
        self.parts(|part| {
            if let Part::Address(address) = part {
                visit(address);
            }
        });
    }

    /// Every address it accesses, to be rewritten.
    pub fn addresses_mut(&mut self, mut visit: impl FnMut(&mut Address)) {
        self.parts_mut(|part| {
            if let PartMut::Address(address) = part {
                visit(address);
            }
        });
    }

    /// Replaces every local it writes.
    pub fn map_defs(&mut self, mut map: impl FnMut(Local) -> Local) {
        self.parts_mut(|part| {
            if let PartMut::Def(local) = part {
                *local = map(*local);
            }
        });
    }
}

impl Terminator {
    /// Every block control may go to, in the order of the text form; a block that several cases name comes as
    /// often.
    pub fn successors(&self, mut visit: impl FnMut(Block)) {
        match self {
            Terminator::Jump(block) => visit(*block),
            Terminator::Branch { then, otherwise, .. } => {
                visit(*then);
                visit(*otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, _, block)| visit(*block));
                visit(*default);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }

    /// Whether a block is among the successors.
    #[inline]
    pub fn leads_to(&self, block: Block) -> bool {
        match self {
            Terminator::Jump(next) => *next == block,
            Terminator::Branch { then, otherwise, .. } => *then == block || *otherwise == block,
            Terminator::Switch { cases, default, .. } => {
                *default == block || cases.iter().any(|(_, _, next)| *next == block)
            }
            Terminator::Return(_) | Terminator::Unreachable => false,
        }
    }

    /// [`Terminator::successors`] as a list.
    pub fn targets(&self) -> SmallVec<[Block; 2]> {
        let mut list = SmallVec::new();
        self.successors(|block| list.push(block));
        list
    }

    /// Replaces every successor.
    pub fn map_successors(&mut self, map: impl FnMut(Block) -> Block) {
        self.map_blocks(map);
    }
}

impl Body {
    /// Every reference in the body, to be rewritten: in blocks (detached ones too), in the layout, and in
    /// what [`Body::annotations_mut`] visits.
    pub fn parts_mut(&mut self, mut visit: impl FnMut(PartMut<'_>)) {
        self.annotations_mut(&mut visit);
        self.order.iter_mut().for_each(|block| visit(PartMut::Block(block)));
        self.blocks.values_mut().for_each(|block| exclusive::block(block, &mut visit));
    }

    /// Every reference outside of blocks: see [`Body::annotations_mut`].
    pub fn annotations(&self, mut visit: impl FnMut(Part<'_>)) {
        let Body {
            params,
            blocks: _,
            order: _,
            locals: _,
            slots,
            loops,
            constructs,
            reductions: _,
            region_reductions,
            beside,
        } = self;
        params.iter().for_each(|local| visit(Part::Def(local)));
        slots.values().for_each(|slot| shared::slot(slot, &mut visit));
        loops.values().for_each(|data| shared::loop_data(data, &mut visit));
        for data in constructs.values().filter(|data| !data.entry.is_reserved_value()) {
            shared::construct(data, &mut visit);
        }
        region_reductions.iter().for_each(|clause| shared::reduction_clause(clause, &mut visit));
        beside.iter().for_each(|beside| shared::beside(beside, &mut visit));
    }

    /// Every reference outside of blocks, to be rewritten: parameters, slots, loops, constructs (dead ones
    /// too, save those without data, [`ConstructData::dead`]; of a loop that was dissolved what is left of
    /// it), and the clauses of the construct that a region was.
    pub fn annotations_mut(&mut self, mut visit: impl FnMut(PartMut<'_>)) {
        let Body {
            params,
            blocks: _,
            order: _,
            locals: _,
            slots,
            loops,
            constructs,
            reductions: _,
            region_reductions,
            beside,
        } = self;
        params.iter_mut().for_each(|local| visit(PartMut::Def(local)));
        slots.values_mut().for_each(|slot| exclusive::slot(slot, &mut visit));
        loops.values_mut().for_each(|data| exclusive::loop_data(data, &mut visit));
        for data in constructs.values_mut().filter(|data| !data.entry.is_reserved_value()) {
            exclusive::construct(data, &mut visit);
        }
        region_reductions.iter_mut().for_each(|clause| exclusive::reduction_clause(clause, &mut visit));
        beside.iter_mut().for_each(|beside| exclusive::beside(beside, &mut visit));
    }
}

impl Function {
    /// Every reference in the function, its body included, to be rewritten.
    pub fn parts_mut(&mut self, mut visit: impl FnMut(PartMut<'_>)) {
        let Function {
            name: _,
            link_name: _,
            sig,
            linkage: _,
            kind,
            routine: _,
            noreturn: _,
            inline_hint: _,
            noinline: _,
            returns_twice: _,
            alias: _,
            body,
            pos,
        } = self;
        visit(PartMut::Sig(sig));
        visit(PartMut::Pos(pos));
        if let FunctionKind::Region(region) | FunctionKind::Threaded(region) = kind
            && let Some(RegionShape { trial: Some(trial), .. }) = &mut region.shape
        {
            visit(PartMut::Func(&mut trial.of));
        }
        if let Some(body) = body {
            body.parts_mut(visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acc::{MapKind, MapModifiers, RedType, ReductionOp};
    use crate::types::Type;

    fn local(n: u32) -> Operand {
        Operand::Local(Local::from_u32(n))
    }

    #[test]
    fn values_addresses_and_definitions_are_told_apart() {
        let mut op = Op::AtomicCas {
            dst: Local::from_u32(0),
            ty: Type::I32,
            addr: Address { base: local(1), offset: 8 },
            expected: local(2),
            desired: local(3),
        };
        let mut seen = Vec::new();
        op.operands(|o| seen.push(o));
        assert_eq!(seen, [local(1), local(2), local(3)]);
        op.map_operands(|_| local(9));
        op.map_defs(|_| Local::from_u32(7));
        let Op::AtomicCas { dst, addr, expected, .. } = op else {
            unreachable!("map_operands changed the variant")
        };
        assert_eq!((dst, addr.base, addr.offset, expected), (Local::from_u32(7), local(9), 8, local(9)));
    }

    #[test]
    fn variables_of_clauses_are_not_operands() {
        let clause = ReductionClause {
            op: ReductionOp::Add,
            name: "a".into(),
            var: local(1),
            pointee: true,
            lower: Some(local(3)),
            parts: vec![ReductionPart {
                offset: 0,
                ty: RedType { ty: Type::I32, signed: true, boolean: false },
                count: Some(local(2)),
            }],
            pos: Pos::none(),
        };
        let (mut operands, mut uses) = (Vec::new(), Vec::new());
        clause.operands(|o| operands.push(o));
        clause.uses(|l| uses.push(l.as_u32()));
        assert_eq!(operands, [local(3), local(2)]);
        assert_eq!(uses, [1, 3, 2]);
    }

    #[test]
    fn rows_behind_rows_are_visited() {
        let stride = |count, distance| Stride { count: local(count), distance: local(distance) };
        let inner = RowSection { lower: local(3), bytes: local(4), strides: vec![stride(9, 10)], rows: None };
        let mut map = DataMap {
            kind: MapKind::Copy,
            modifiers: MapModifiers::default(),
            implicit: false,
            name: "a".into(),
            var: None,
            start: local(0),
            bytes: local(1),
            strides: vec![stride(7, 8)],
            pointer_bias: None,
            pointer_at: Some(Address { base: local(2), offset: 0 }),
            rows: Some(RowSection {
                lower: local(5),
                bytes: local(6),
                strides: Vec::new(),
                rows: Some(Box::new(inner)),
            }),
            elements: None,
            members: Vec::new(),
            pos: Pos::none(),
        };
        let mut seen = Vec::new();
        map.uses(|l| seen.push(l.as_u32()));
        assert_eq!(seen, [0, 1, 7, 8, 2, 5, 6, 3, 4, 9, 10]);
        map.map_operands(|o| if o == local(4) { Operand::Int(Type::I64, 0) } else { o });
        let rows = map.rows.and_then(|r| r.rows).expect("rows behind rows");
        assert_eq!(rows.bytes, Operand::Int(Type::I64, 0));
    }

    #[test]
    fn successors_of_a_switch_follow_its_cases() {
        let mut term = Terminator::Switch {
            value: local(0),
            cases: vec![(0, 3, Block::from_u32(1)), (5, 5, Block::from_u32(2))],
            default: Block::from_u32(3),
        };
        term.map_successors(|b| Block::from_u32(b.as_u32() + 10));
        assert_eq!(term.targets().as_slice(), [11, 12, 13].map(Block::from_u32));
    }
}
