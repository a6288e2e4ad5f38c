//! Reduction variables: where they live outside of a loop, where inside, and the code that goes between the
//! two.

use super::super::env::Work;
use super::Inserter;
use super::beside::Beside;
use super::scope::Scope;
use crate::acc::{
    Declared, Level, RedObject, RedType, Reduction, ReductionClause, ReductionKind, ReductionOp,
    ReductionPart,
};
use crate::builder::Cursor;
use crate::edit::memory;
use crate::edit::rename::Rename;
use crate::entities::{Local, Loop, Red, Slot};
use crate::function::{Body, SlotData, SlotKind};
use crate::op::{Access, Address, Op, Operand};
use crate::report::{Fault, PassError};
use crate::target::operators;
use crate::types::Type;
use crate::visit::Part;

/// LOCAL arrays live in frames, which are not the place for more.
const MAX_LOCAL_BYTES: u64 = 256 << 10;

/// What kind of thing a reduction variable is where its reduction begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Home {
    /// A local: private to the thread, and its own LOCAL.
    Local(Local),
    /// An object in memory.
    Object {
        /// Its address.
        base: Operand,
        /// Other gangs see it.
        shared: bool,
        /// All that is done with it in the scope is to load and store its parts.
        scalars: bool,
    },
    /// What a pointer points to.
    Pointee {
        /// The pointer: a local, or the slot or global it is in.
        pointer: Operand,
        /// Not the LOCAL object of a reduction around this one.
        shared: bool,
    },
}

impl Home {
    /// Of a clause's variable, for a reduction that is active in a scope.
    /// `redirected` lists the locals that hold addresses of LOCAL objects.
    pub fn of(
        work: &Work<'_>,
        clause: &ReductionClause,
        scope: &Scope,
        redirected: &[Operand],
    ) -> Result<Home, PassError> {
        let pointee = |pointer| Home::Pointee { pointer, shared: !redirected.contains(&pointer) };
        let base = clause.var;
        let shared = match base {
            _ if clause.pointee => return Ok(pointee(base)),
            Operand::Local(local) => return Ok(Home::Local(local)),
            Operand::Slot(slot) => match work.body.slots[slot].kind {
                SlotKind::Mapped(_) | SlotKind::Launch => true,
                SlotKind::Frame
                | SlotKind::GangPrivate
                | SlotKind::GangCopy
                | SlotKind::WorkerPrivate
                | SlotKind::Reduction
                | SlotKind::Broadcast
                | SlotKind::GangScratch => false,
            },
            Operand::Global(_) => true,
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                return Err(work.defect(clause.pos, format!("`{}` is no variable", clause.name)));
            }
        };
        let is_array = clause.lower.is_some() || clause.parts.iter().any(|part| part.count.is_some());
        let scalars = !is_array
            && Accesses::of(work.body, scope, clause).exact
            && !is_left_to_threads(work.body, clause, scope);
        Ok(Home::Object { base, shared, scalars })
    }

    /// Whether RESULT is a copy object.
    pub fn is_shared(self) -> bool {
        match self {
            Home::Local(_) => false,
            Home::Object { shared, .. } | Home::Pointee { shared, .. } => shared,
        }
    }
}

/// Whether an inner loop over workers or lanes writes the variable without a clause for it. Its threads race
/// for one object then; were it a local, each would go on with a value of its own, and take branches of its
/// own.
fn is_left_to_threads(body: &Body, clause: &ReductionClause, scope: &Scope) -> bool {
    let leaves = |loop_: Loop| {
        body.loops[loop_].directive.as_ref().is_some_and(|directive| {
            directive.levels.iter().any(|level| !level.is_gang())
                && directive.reductions.iter().all(|inner| inner.var != clause.var)
        })
    };
    scope.blocks.iter().map(|&block| &body.blocks[block]).any(|data| {
        let is_store = |op: &Op| matches!(op, Op::Store { addr, .. } if addr.base == clause.var);
        data.insts.iter().any(|inst| is_store(&inst.op))
            && body.loops_around(data.loop_).take_while(|&loop_| Some(loop_) != scope.loop_).any(leaves)
    })
}

/// How the code of a scope uses an object.
struct Accesses {
    /// Loads and stores of whole parts, and nothing else.
    exact: bool,
}

impl Accesses {
    fn of(body: &Body, scope: &Scope, clause: &ReductionClause) -> Accesses {
        let mut found = Accesses { exact: true };
        let plain = clause.parts.len() == 1;
        for &block in &scope.blocks {
            let data = &body.blocks[block];
            for inst in &data.insts {
                found.op(body, &inst.op, clause);
            }
            data.term.operands(|operand| found.exact &= operand != clause.var);
        }
        for &loop_ in &scope.loops {
            body.loops[loop_].operands(|operand| found.exact &= operand != clause.var);
            let directive = body.loops[loop_].directive.as_ref();
            for inner in directive.iter().flat_map(|directive| &directive.reductions) {
                let same =
                    |part: &ReductionPart| part.count.is_none() && part.offset == clause.parts[0].offset;
                if inner.var == clause.var
                    && !(plain && inner.parts.len() == 1 && inner.parts.iter().all(same))
                {
                    found.exact = false;
                }
            }
        }
        found
    }

    fn op(&mut self, body: &Body, op: &Op, clause: &ReductionClause) {
        let (addr, ty, volatile, src) = match op {
            Op::Load { dst, addr, access } => (addr, body.locals[*dst].ty, access.volatile, None),
            Op::Store { ty, addr, src, access } => (addr, *ty, access.volatile, Some(*src)),
            other => {
                other.parts(|part| match part {
                    Part::Value(operand) | Part::Variable(operand) => self.exact &= *operand != clause.var,
                    Part::Address(address) => self.exact &= address.base != clause.var,
                    Part::Def(_)
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
                return;
            }
        };
        self.exact &= src != Some(clause.var);
        if addr.base == clause.var {
            let whole = |part: &ReductionPart| part.offset == addr.offset && part.ty.ty == ty;
            self.exact &= !volatile && clause.parts.iter().any(whole);
        }
    }
}

/// An address, from which a number of bytes that is known at run time may lead on.
#[derive(Clone, Copy, Debug)]
struct Spot {
    addr: Address,
    lower: Option<Operand>,
}

impl Spot {
    /// The address, computed where it is needed: the same slot may be memory of another thread elsewhere.
    fn at(self, cursor: &mut Cursor<'_>) -> Address {
        let Spot { addr: Address { base, offset }, lower } = self;
        let base = lower.map_or(base, |lower| cursor.index(base, lower, 1, 0));
        Address { base, offset }
    }
}

/// The LOCAL object.
#[derive(Clone, Copy, Debug)]
enum Storage {
    /// A scalar: promoted in `value` between the calls, in its own type in `kept` while the loop runs.
    Scalar { value: Local, kept: Kept },
    /// An array in memory.
    Array { first: Spot, count: Operand },
}

/// Where a scalar LOCAL is while the loop runs.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Local(Local),
    Memory(Spot),
}

/// Where the value comes from and goes to around the quads.
#[derive(Clone, Copy, Debug)]
enum Outside {
    /// LOCAL's storage is the variable itself.
    Same,
    /// RESULT is passed to the quads.
    Shared(Spot),
    /// Memory of this thread.
    Private(Spot),
}

/// LOCAL as stack memory of a length that is known at run time only.
#[derive(Clone, Copy, Debug)]
struct Allocation {
    memory: Local,
    saved: Local,
    count: Operand,
}

/// The pointer that the loop uses instead of the program's.
#[derive(Clone, Copy, Debug)]
struct Redirection {
    /// Where the program's pointer is loaded from first, if it is in memory.
    original: Option<(Local, Address)>,
    /// What takes its place: a local, or a slot that holds it.
    place: Operand,
    /// LOCAL's memory.
    memory: Operand,
    /// From where the pointer points to what LOCAL holds.
    low: i64,
    lower: Option<Operand>,
}

/// What of an object is not reduced, and is copied to LOCAL as it is: the loop may read it.
#[derive(Clone, Debug)]
struct Rest {
    local: Operand,
    original: Operand,
    align: u32,
    gaps: Vec<Gap>,
    /// The section that the gaps are in, if it begins where is known at run time only. What is around it is
    /// not reduced either.
    section: Option<Section>,
}

/// Some elements in the middle of an object.
#[derive(Clone, Copy, Debug)]
struct Section {
    lower: Operand,
    count: Operand,
    /// Bytes of an element.
    size: u64,
    /// Bytes of the object.
    whole: u64,
}

/// A stretch of an object that is not reduced.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Gap {
    start: u64,
    bytes: u64,
    /// As many elements of so many bytes stand at the start, and are reduced.
    behind: Option<(Operand, u64)>,
}

/// A part of a reduction variable, with everything its quads need.
#[derive(Clone, Debug)]
pub struct Object {
    /// The levels it has quads at, outermost first.
    pub levels: Vec<Level>,
    /// LOCAL is used otherwise than to accumulate.
    pub escapes: bool,
    red: Red,
    op: ReductionOp,
    ty: RedType,
    storage: Storage,
    outside: Outside,
    allocation: Option<Allocation>,
    redirection: Option<Redirection>,
    rest: Option<Rest>,
    /// The variable of the program, where another reduction that the program has not stands in between.
    original: Option<Spot>,
}

impl Object {
    /// Makes the reduction around this one, which is none of the program's, no original: what the program
    /// calls so is that one's.
    pub fn look_through(&mut self, around: &Object) {
        self.original = around.home();
    }

    /// The variable that LOCAL is a copy of.
    fn home(&self) -> Option<Spot> {
        match self.outside {
            Outside::Shared(spot) | Outside::Private(spot) => Some(spot),
            Outside::Same => None,
        }
    }

    /// The local that is LOCAL, if it is one.
    pub fn plain_local(&self) -> Option<Local> {
        match self.storage {
            Storage::Scalar { kept: Kept::Local(local), .. } => Some(local),
            Storage::Scalar { kept: Kept::Memory(_), .. } | Storage::Array { .. } => None,
        }
    }

    /// Before the first setup: the value so far, unless the quads take it from RESULT.
    pub fn load(&self, cursor: &mut Cursor<'_>) {
        if let Some(Redirection { original: Some((pointer, at)), .. }) = self.redirection {
            cursor.op(Op::Load { dst: pointer, addr: at, access: Access::natural(Type::Ptr) });
        }
        if let Some(Allocation { memory, saved, count }) = self.allocation {
            let bytes = byte_count(cursor, self.ty, count);
            cursor.op(Op::StackSave { dst: saved, each: true });
            cursor.op(Op::StackAlloc { dst: memory, bytes, align: self.op.align(self.ty), each: true });
        }
        match (self.outside, self.storage) {
            (Outside::Shared(_), _) => {}
            (Outside::Private(home), Storage::Array { first, count }) => {
                self.copy(cursor, first, home, count)
            }
            (Outside::Private(home), Storage::Scalar { value, .. }) => self.read(cursor, value, home),
            (Outside::Same, _) => self.leave(cursor),
        }
    }

    /// After the last init, where each thread that has a LOCAL comes by: into the form that the loop uses.
    pub fn enter(&self, cursor: &mut Cursor<'_>) {
        self.keep(cursor);
        if let Some(rest) = &self.rest {
            rest.copy(cursor);
        }
        if let Some(Redirection { place, memory, low, lower, .. }) = self.redirection {
            let zero = Operand::Int(Type::I64, 0);
            let back = lower.map_or(zero, |lower| cursor.sub(zero, lower));
            let start = cursor.index(memory, back, 1, low.wrapping_neg());
            match place {
                Operand::Local(local) => cursor.assign(local, start),
                _ => cursor.store(Address::at(place), start),
            }
        }
    }

    /// Before the first fini: out of it.
    pub fn leave(&self, cursor: &mut Cursor<'_>) {
        match self.storage {
            Storage::Scalar { value, kept: Kept::Local(local) } if value != local => {
                let promoted = operators::promote(cursor, self.ty, Operand::Local(local));
                cursor.assign(value, promoted);
            }
            Storage::Scalar { value, kept: Kept::Memory(spot) } => self.read(cursor, value, spot),
            Storage::Scalar { kept: Kept::Local(_), .. } | Storage::Array { .. } => {}
        }
    }

    /// After the last teardown.
    pub fn store(&self, cursor: &mut Cursor<'_>) {
        match (self.outside, self.storage) {
            (Outside::Shared(_), _) => {}
            (Outside::Private(home), Storage::Array { first, count }) => {
                self.copy(cursor, home, first, count)
            }
            (Outside::Private(home), Storage::Scalar { value, .. }) => {
                let home = home.at(cursor);
                operators::store_result(cursor, self.ty, home, Operand::Local(value));
            }
            (Outside::Same, _) => self.keep(cursor),
        }
    }

    /// At the end: what was allocated last goes first, and nothing before all values are stored.
    pub fn release(&self, cursor: &mut Cursor<'_>) {
        if let Some(Allocation { saved, .. }) = self.allocation {
            cursor.op(Op::StackRestore { saved: Operand::Local(saved), each: true });
        }
    }

    fn read(&self, cursor: &mut Cursor<'_>, value: Local, from: Spot) {
        let from = from.at(cursor);
        if operators::is_promoted(self.ty) {
            let promoted = operators::load_result(cursor, self.ty, from);
            cursor.assign(value, promoted);
        } else {
            cursor.op(Op::Load { dst: value, addr: from, access: Access::natural(self.ty.ty) });
        }
    }

    fn keep(&self, cursor: &mut Cursor<'_>) {
        match self.storage {
            Storage::Scalar { value, kept: Kept::Local(local) } if value != local => {
                let small = operators::demote(cursor, self.ty, Operand::Local(value));
                cursor.assign(local, small);
            }
            Storage::Scalar { value, kept: Kept::Memory(spot) } => {
                let addr = spot.at(cursor);
                operators::store_result(cursor, self.ty, addr, Operand::Local(value));
            }
            Storage::Scalar { kept: Kept::Local(_), .. } | Storage::Array { .. } => {}
        }
    }

    fn copy(&self, cursor: &mut Cursor<'_>, to: Spot, from: Spot, count: Operand) {
        let [to, from] = [to, from].map(|spot| spot.at(cursor));
        let bytes = byte_count(cursor, self.ty, count);
        cursor.mem_copy(to, from, bytes, self.op.align(self.ty));
    }

    /// Gives LOCAL its first value, where one thread executes the loop and functions of the program combine.
    pub fn start_alone(&self, cursor: &mut Cursor<'_>) {
        if let Some((declared, local, home, bytes)) = self.alone(cursor) {
            declared.start_all(cursor, local, Some(home), bytes);
        }
    }

    /// Combines LOCAL with the variable there.
    pub fn combine_alone(&self, cursor: &mut Cursor<'_>) {
        if let Some((declared, local, home, bytes)) = self.alone(cursor) {
            declared.combine_all(cursor, home, local, bytes);
        }
    }

    /// The functions of the program, LOCAL, the variable and the bytes of both.
    fn alone(&self, cursor: &mut Cursor<'_>) -> Option<(Declared, Address, Address, Operand)> {
        let (Storage::Array { first, count }, Outside::Shared(home) | Outside::Private(home)) =
            (self.storage, self.outside)
        else {
            return None;
        };
        Some((self.op.declared()?, first.at(cursor), home.at(cursor), count))
    }

    /// One call of the quad at a level.
    pub fn call(&self, cursor: &mut Cursor<'_>, kind: ReductionKind, level: Level, loop_: Option<Loop>) {
        let Object { op, ty, red, escapes, .. } = *self;
        let object = match self.storage {
            Storage::Array { first, count } => RedObject::Array { local: first.at(cursor), count },
            Storage::Scalar { value, .. } => RedObject::Scalar { dst: value, local: Operand::Local(value) },
        };
        let outermost = self.levels.first() == Some(&level);
        let result = match self.outside {
            Outside::Shared(spot) if outermost => Some(spot.at(cursor)),
            Outside::Shared(_) | Outside::Same | Outside::Private(_) => None,
        };
        let reads_original = op.declared().is_some_and(|declared| declared.reads_original);
        let original = self.original.or(self.home()).filter(|_| reads_original).map(|spot| spot.at(cursor));
        cursor.reduction(Reduction { kind, result, object, level, op, ty, loop_, red, escapes, original });
    }
}

impl Rest {
    fn copy(&self, cursor: &mut Cursor<'_>) {
        if let Some(Section { lower, count, size, whole }) = self.section {
            let length = cursor.mul(count, Operand::Int(Type::I64, size as i64));
            let end = cursor.add(lower, length);
            let behind = cursor.sub(Operand::Int(Type::I64, whole as i64), end);
            self.run(cursor, Operand::Int(Type::I64, 0), lower);
            self.run(cursor, end, behind);
        }
        self.gaps.iter().for_each(|&gap| self.gap(cursor, gap));
    }

    fn gap(&self, cursor: &mut Cursor<'_>, gap: Gap) {
        let (start, bytes) = (gap.start as i64, Operand::Int(Type::I64, gap.bytes as i64));
        if let Some((count, size)) = gap.behind {
            let reduced = cursor.mul(count, Operand::Int(Type::I64, size as i64));
            let (from, left) =
                (cursor.add(reduced, Operand::Int(Type::I64, start)), cursor.sub(bytes, reduced));
            return self.run(cursor, from, left);
        }
        if let Some(Section { lower, .. }) = self.section {
            let from = cursor.add(lower, Operand::Int(Type::I64, start));
            return self.run(cursor, from, bytes);
        }
        let align = self.align.min(1 << gap.start.trailing_zeros().min(31));
        let [to, from] = [self.local, self.original].map(|base| Address::at(base).plus(start));
        cursor.mem_copy(to, from, bytes, align);
    }

    /// Copies bytes that begin at a place, or that are so many, that is known at run time only.
    fn run(&self, cursor: &mut Cursor<'_>, start: Operand, bytes: Operand) {
        let [to, from] = [self.local, self.original].map(|base| Address::at(cursor.index(base, start, 1, 0)));
        cursor.mem_copy(to, from, bytes, 1);
    }
}

fn byte_count(cursor: &mut Cursor<'_>, ty: RedType, count: Operand) -> Operand {
    let size = i64::from(ty.ty.bytes());
    match count {
        Operand::Int(_, n) => Operand::Int(Type::I64, n.wrapping_mul(size)),
        _ => cursor.mul(count, Operand::Int(Type::I64, size)),
    }
}

impl Inserter<'_> {
    /// Makes a reduction active in a scope: gives it a LOCAL, and replaces the variable by it. Returns its
    /// objects, one per part, and what stands for the variable in the scope.
    pub fn activate(
        &mut self,
        clause: &ReductionClause,
        home: Home,
        scope: &Scope,
        levels: &[Level],
        red: Red,
    ) -> Result<(Vec<Object>, Operand), PassError> {
        match home {
            Home::Local(local) => Ok((vec![self.in_place(clause, local, levels, red)?], clause.var)),
            Home::Object { base, shared, scalars: true } => {
                Ok(self.as_locals(clause, base, shared, scope, levels, red))
            }
            Home::Object { base, shared, scalars: false } => {
                self.in_memory(clause, base, shared, scope, levels, red)
            }
            Home::Pointee { pointer, shared } => self.pointee(clause, pointer, shared, scope, levels, red),
        }
    }

    fn object(
        &mut self,
        op: ReductionOp,
        part: &ReductionPart,
        red: Red,
        levels: &[Level],
        storage: Storage,
        outside: Outside,
    ) -> Object {
        Object {
            levels: levels.to_vec(),
            escapes: false,
            red,
            op,
            ty: part.ty,
            storage,
            outside,
            allocation: None,
            redirection: None,
            rest: None,
            original: None,
        }
    }

    /// A scalar LOCAL that is kept in a local, which also holds it between the calls if its type is wide
    /// enough.
    fn in_local(&mut self, local: Local, ty: RedType) -> Storage {
        let value = if operators::is_promoted(ty) {
            let name = self.work.body.locals[local].name.clone();
            self.work.body.local(operators::promoted(ty), name)
        } else {
            local
        };
        Storage::Scalar { value, kept: Kept::Local(local) }
    }

    /// LOCAL at an address.
    fn at(&mut self, part: &ReductionPart, spot: Spot) -> Storage {
        match part.count {
            Some(count) => Storage::Array { first: spot, count },
            None => {
                let value = self.work.body.temp(operators::promoted(part.ty));
                Storage::Scalar { value, kept: Kept::Memory(spot) }
            }
        }
    }

    fn in_place(
        &mut self,
        clause: &ReductionClause,
        local: Local,
        levels: &[Level],
        red: Red,
    ) -> Result<Object, PassError> {
        match clause.parts.as_slice() {
            [part] if part.offset == 0 && part.ty.ty == self.work.body.locals[local].ty => {
                let storage = self.in_local(local, part.ty);
                Ok(self.object(clause.op, part, red, levels, storage, Outside::Same))
            }
            _ => {
                Err(self.work.defect(clause.pos, format!("`{}` has not the type of its local", clause.name)))
            }
        }
    }

    /// A local for each part.
    fn as_locals(
        &mut self,
        clause: &ReductionClause,
        base: Operand,
        shared: bool,
        scope: &Scope,
        levels: &[Level],
        red: Red,
    ) -> (Vec<Object>, Operand) {
        let mut objects = Vec::new();
        let mut locals = Vec::new();
        for (n, part) in clause.parts.iter().enumerate() {
            let red = if n == 0 { red } else { self.work.body.red() };
            let local = self.work.body.local(part.ty.ty, Some(clause.name.clone()));
            locals.push((part.offset, local));
            let home = Spot { addr: Address { base, offset: part.offset }, lower: None };
            let outside = if shared { Outside::Shared(home) } else { Outside::Private(home) };
            let storage = self.in_local(local, part.ty);
            objects.push(self.object(clause.op, part, red, levels, storage, outside));
        }
        let local = |addr: &Address| {
            let known = |&&(offset, _): &&(i64, Local)| addr.base == base && addr.offset == offset;
            locals.iter().find(known).map(|&(_, local)| local)
        };
        let body = &mut *self.work.body;
        memory::promote(body, &scope.blocks, local);
        let name = locals.first().map_or(base, |&(_, local)| Operand::Local(local));
        for &loop_ in &scope.loops {
            let directive = body.loops[loop_].directive.as_mut();
            for inner in directive.into_iter().flat_map(|directive| &mut directive.reductions) {
                if inner.var == base {
                    (inner.var, inner.pointee) = (name, false);
                    inner.parts.iter_mut().for_each(|part| part.offset = 0);
                }
            }
        }
        (objects, name)
    }

    /// A slot for the whole object.
    fn in_memory(
        &mut self,
        clause: &ReductionClause,
        base: Operand,
        shared: bool,
        scope: &Scope,
        levels: &[Level],
        red: Red,
    ) -> Result<(Vec<Object>, Operand), PassError> {
        let (size, align) = match base {
            Operand::Slot(slot) => (self.work.body.slots[slot].size, self.work.body.slots[slot].align),
            Operand::Global(global) => {
                let data = &self.work.module.globals[global];
                (data.size, data.align)
            }
            Operand::Local(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                return Err(self.work.defect(clause.pos, format!("`{}` is no object", clause.name)));
            }
        };
        let slot = self.local_slot(clause, size, align, scope)?;
        let local = Operand::Slot(slot);
        let mut objects = Vec::new();
        for (n, part) in clause.parts.iter().enumerate() {
            let red = if n == 0 { red } else { self.work.body.red() };
            let at = |base| Spot { addr: Address { base, offset: part.offset }, lower: clause.lower };
            let storage = self.at(part, at(local));
            let outside = if shared { Outside::Shared(at(base)) } else { Outside::Private(at(base)) };
            objects.push(self.object(clause.op, part, red, levels, storage, outside));
        }
        let beside = Beside::of(self.work.body, scope, clause, size);
        if let Some(first) = objects.first_mut().filter(|_| !beside.is_complete()) {
            // Other gangs may have begun to update the reduced part.
            let section = clause.lower.map(|lower| section(clause, lower, size));
            let within = section.map_or(size, |Section { count, size, .. }| {
                count.as_int().map_or(0, |count| (count as u64).saturating_mul(size))
            });
            let gaps = gaps(&clause.parts, within);
            first.rest = Some(Rest { local, original: base, align, gaps, section });
        }
        let mut rename = Rename::default();
        rename.variable(base, local);
        rename.apply(self.work.body, &scope.blocks, &scope.loops);
        beside.apply(self.work.body, clause, base, local);
        Ok((objects, local))
    }

    /// A section behind a pointer: the loop gets a pointer of its own, to LOCAL.
    fn pointee(
        &mut self,
        clause: &ReductionClause,
        pointer: Operand,
        shared: bool,
        scope: &Scope,
        levels: &[Level],
        red: Red,
    ) -> Result<(Vec<Object>, Operand), PassError> {
        let original = pointer.as_local().unwrap_or_else(|| self.work.body.temp(Type::Ptr));
        let low = clause.parts.iter().map(|part| part.offset).min().unwrap_or(0);
        let (memory, allocation) = self.section(clause, low, scope)?;
        let mut objects = Vec::new();
        for (n, part) in clause.parts.iter().enumerate() {
            let red = if n == 0 { red } else { self.work.body.red() };
            let own = Address { base: memory, offset: part.offset - low };
            let storage = self.at(part, Spot { addr: own, lower: None });
            let home = Address { base: Operand::Local(original), offset: part.offset };
            let home = Spot { addr: home, lower: clause.lower };
            let outside = if shared { Outside::Shared(home) } else { Outside::Private(home) };
            objects.push(self.object(clause.op, part, red, levels, storage, outside));
        }
        let place = match pointer {
            Operand::Local(_) => Operand::Local(self.work.body.local(Type::Ptr, Some(clause.name.clone()))),
            _ => {
                Operand::Slot(self.local_slot(clause, Type::Ptr.bytes().into(), Type::Ptr.align(), scope)?)
            }
        };
        if let Some(first) = objects.first_mut() {
            let original = pointer.as_local().is_none().then_some((original, Address::at(pointer)));
            first.allocation = allocation;
            first.redirection = Some(Redirection { original, place, memory, low, lower: clause.lower });
        }
        let beside = Beside::behind(self.work.body, scope, clause);
        let mut rename = Rename::default();
        rename.variable(pointer, place);
        rename.apply(self.work.body, &scope.blocks, &scope.loops);
        beside.apply(self.work.body, clause, Operand::Local(original), place);
        self.redirected.push(place);
        Ok((objects, place))
    }

    /// Memory for LOCAL, from byte `low` of what a pointer points to.
    fn section(
        &mut self,
        clause: &ReductionClause,
        low: i64,
        scope: &Scope,
    ) -> Result<(Operand, Option<Allocation>), PassError> {
        let mut high = Some(0);
        for part in &clause.parts {
            let end = part.bytes().and_then(|bytes| bytes.checked_add(part.offset.abs_diff(low)));
            high = high.zip(end).map(|(high, end)| u64::max(high, end));
        }
        if let Some(bytes) = high {
            let align = clause.parts.iter().map(|part| clause.op.align(part.ty)).max().unwrap_or(1);
            return Ok((Operand::Slot(self.local_slot(clause, bytes, align, scope)?), None));
        }
        let [ReductionPart { count: Some(count), .. }] = clause.parts[..] else {
            let message = format!("the reduction of `{}` has structs and a variable length", clause.name);
            return Err(self.work.error(Fault::Limit, clause.pos, message));
        };
        let memory = self.work.body.temp(Type::Ptr);
        let saved = self.work.body.temp(Type::Ptr);
        Ok((Operand::Local(memory), Some(Allocation { memory, saved, count })))
    }

    fn local_slot(
        &mut self,
        clause: &ReductionClause,
        size: u64,
        align: u32,
        scope: &Scope,
    ) -> Result<Slot, PassError> {
        if size > MAX_LOCAL_BYTES {
            let message = format!(
                "the reduction of `{}` needs a private copy of {size} bytes; at most {MAX_LOCAL_BYTES} are supported",
                clause.name
            );
            return Err(self.work.error(Fault::Limit, clause.pos, message));
        }
        let declared_in = scope.loop_;
        let name = Some(clause.name.clone());
        Ok(self.work.body.slots.push(SlotData {
            size,
            align,
            name,
            restrict: false,
            kind: SlotKind::Frame,
            declared_in,
        }))
    }
}

/// What the parts of a clause take of an object of so many bytes, from a place that is known at run time
/// only.
fn section(clause: &ReductionClause, lower: Operand, whole: u64) -> Section {
    if let [ReductionPart { count: Some(count), ty, .. }] = clause.parts[..] {
        return Section { lower, count, size: ty.ty.bytes().into(), whole };
    }
    let end = |part: &ReductionPart| part.bytes().unwrap_or(0).saturating_add_signed(part.offset);
    let length = clause.parts.iter().map(end).max().unwrap_or(0);
    Section { lower, count: Operand::Int(Type::I64, length as i64), size: 1, whole }
}

/// The stretches of an object that belong to none of its parts. A part of a length that is not constant is
/// the only one.
fn gaps(parts: &[ReductionPart], size: u64) -> Vec<Gap> {
    let mut parts: Vec<&ReductionPart> = parts.iter().filter(|part| part.offset >= 0).collect();
    parts.sort_unstable_by_key(|part| part.offset);
    let mut gaps = Vec::new();
    let (mut end, mut behind) = (0, None);
    for part in parts {
        let start = part.offset as u64;
        if start > end {
            gaps.push(Gap { start: end, bytes: start - end, behind: None });
        }
        match part.bytes() {
            Some(bytes) => end = end.max(start.saturating_add(bytes)),
            None => (end, behind) = (start, part.count.map(|count| (count, part.ty.ty.bytes().into()))),
        }
    }
    if end < size {
        gaps.push(Gap { start: end, bytes: size - end, behind });
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_reduced() {
        let part = |offset, count: Option<i64>| ReductionPart {
            offset,
            ty: RedType { ty: Type::I32, signed: true, boolean: false },
            count: count.map(|count| Operand::Int(Type::I64, count)),
        };
        let gap = |start, bytes| Gap { start, bytes, behind: None };
        assert_eq!(gaps(&[part(8, Some(2)), part(0, None)], 24), [gap(4, 4), gap(16, 8)]);
        assert_eq!(gaps(&[part(0, Some(6))], 24), []);
        let count = Operand::Local(Local::from_u32(0));
        let unknown = ReductionPart { count: Some(count), ..part(8, None) };
        assert_eq!(gaps(&[unknown], 24), [gap(0, 8), Gap { start: 8, bytes: 16, behind: Some((count, 4)) }]);
    }
}
