//! Elements side by side that a block loads or stores: what one access could do.

use crate::text::{ReadOnly, Tame};
use accrue_ir::analysis::roots::Root;
use accrue_ir::analysis::written::{Place, Written};
use accrue_ir::{Access, BlockData, Body, MemoryKind, Module, Op, Operand, Type};
use smallvec::SmallVec;

/// Bytes and elements of the widest access.
pub(crate) const BYTES: u32 = 16;
pub(crate) const ELEMENTS: usize = 4;

/// Bytes of the narrowest access that is worth it where elements are not that wide: half as many accesses
/// of a structure of two floats, such as a complex number, or one instead of four of the bytes of a colour.
fn narrowest(ty: Type) -> u32 {
    if ty.bytes() < 4 { 4 } else { 8 }
}

/// Operations between the first and the last access of a run, at most: what is loaded early needs registers.
const BETWEEN: usize = 512;

/// Accesses of elements side by side. All of the loads can be where the first one is in the block, all of the
/// stores where the last one is.
pub(crate) struct Run {
    /// What they have in common.
    pub(crate) base: Operand,
    /// How far behind the base the first element is.
    pub(crate) offset: i64,
    pub(crate) ty: Type,
    /// The numbers of the operations, in the order of their addresses.
    pub(crate) at: SmallVec<[usize; ELEMENTS]>,
}

impl Run {
    /// The bytes of all elements.
    pub(crate) fn bytes(&self) -> u32 {
        self.at.len() as u32 * self.ty.bytes()
    }

    /// The run, or both halves of it, as far as each is wide enough and eligible.
    pub(crate) fn eligible_parts(self, eligible: impl Fn(&Run) -> bool) -> SmallVec<[Run; 2]> {
        if eligible(&self) {
            return SmallVec::from_iter([self]);
        }
        let Run { base, offset, ty, at } = self;
        let half = (at.len() / 2).max(1);
        let parts = at.chunks(half).zip((offset..).step_by(half * ty.bytes() as usize));
        let parts = parts.map(|(at, offset)| Run { base, offset, ty, at: SmallVec::from_slice(at) });
        parts.filter(|part| part.at.len() > 1 && part.bytes() >= narrowest(ty) && eligible(part)).collect()
    }

    /// Whether the lowest access of its block says that it is aligned for all of them together.
    pub(crate) fn is_known_aligned(&self, data: &BlockData) -> bool {
        access(&data.insts[self.at[0]].op).is_some_and(|access| access.align >= self.bytes())
    }

    /// The number of the operation that comes first in the block.
    pub(crate) fn first(&self) -> usize {
        self.at.iter().copied().min().unwrap_or(0)
    }

    /// That of the last one.
    pub(crate) fn last(&self) -> usize {
        self.at.iter().copied().max().unwrap_or(0)
    }
}

/// What the search asks of the function.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) module: &'a Module,
    pub(crate) body: &'a Body,
    pub(crate) tame: &'a Tame,
    pub(crate) read_only: &'a ReadOnly,
}

/// How an operation accesses memory, if that is all it does there.
pub(crate) fn access(op: &Op) -> Option<Access> {
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => Some(*access),
        _ => None,
    }
}

/// Whether a block has accesses that may be side by side, as far as a look at their addresses tells: most
/// blocks have none.
pub(crate) fn may_be_in(body: &Body, data: &BlockData) -> bool {
    let mut places: SmallVec<[Place; 2 * ELEMENTS]> = SmallVec::new();
    data.insts.iter().filter_map(|inst| Place::of(body, &inst.op)).any(|place| {
        let is_beside = |other: &Place| {
            (other.addr.base, other.ty, other.writes) == (place.addr.base, place.ty, place.writes)
                && other.addr.offset.abs_diff(place.addr.offset) == u64::from(place.ty.bytes())
        };
        let found = places.iter().any(is_beside);
        places.push(place);
        found
    })
}

/// The runs of a block among accesses that are eligible, in the order in which they begin.
pub(crate) fn find(facts: Facts<'_>, data: &BlockData, eligible: impl Fn(&Place) -> bool) -> Vec<Run> {
    let may_be_part = |op: &Op| {
        let (place, access) = Place::of(facts.body, op).zip(access(op))?;
        let is_whole =
            access.align >= place.ty.bytes() && place.ty.bytes() <= BYTES / 2 && place.ty != Type::I1;
        (is_whole && eligible(&place)).then_some(place)
    };
    if !may_be_in(facts.body, data) {
        return Vec::new();
    }
    let mut search = Search { facts, open: Vec::new(), closed: Vec::new() };
    for (index, inst) in data.insts.iter().enumerate() {
        search.pass(&inst.op);
        if let Some(place) = may_be_part(&inst.op) {
            search.add(index, place);
        }
        inst.op.defs(|local| search.close(|open| open.base == Operand::Local(local)));
    }
    search.close(|_| true);
    let mut runs: Vec<Run> = search.closed.iter_mut().flat_map(Candidate::runs).collect();
    runs.sort_by_key(Run::first);
    runs
}

/// Accesses with one base that may become runs.
struct Candidate {
    base: Operand,
    ty: Type,
    writes: bool,
    /// What the base leads to, and what the accesses say of the memory.
    memory: (Root, MemoryKind),
    /// Nothing writes there.
    is_constant: bool,
    /// The offset of each access, and the number of its operation.
    members: Vec<(i64, usize)>,
}

impl Candidate {
    fn is_of(&self, place: &Place) -> bool {
        (self.base, self.ty) == (place.addr.base, place.ty)
    }

    fn has(&self, offset: i64) -> bool {
        self.members.iter().any(|member| member.0 == offset)
    }

    /// Its accesses that are side by side.
    fn runs(&mut self) -> Vec<Run> {
        let size = self.ty.bytes();
        let most = ELEMENTS.min((BYTES / size) as usize);
        self.members.sort_unstable();
        // Runs go from the base on. One that a loop which counts down has repeated is the last element of
        // all: they end behind it.
        let origin = match self.members.last() {
            Some(&(0, _)) => i64::from(size),
            _ => 0,
        };
        let mut runs = Vec::new();
        let mut rest = &self.members[..];
        while let Some(&(offset, _)) = rest.first() {
            let run_of = |elements: usize| {
                let members = rest.get(..elements)?;
                let offsets = (offset..).step_by(size as usize);
                let are_beside = members.iter().zip(offsets).all(|(member, offset)| member.0 == offset);
                let at = members.iter().map(|member| member.1).collect();
                let run = Run { base: self.base, offset, ty: self.ty, at };
                let is_whole = (offset - origin).rem_euclid(i64::from(run.bytes())) == 0;
                (are_beside && is_whole && run.last() - run.first() <= BETWEEN).then_some(run)
            };
            let half = (most / 2 > 1 && most as u32 / 2 * size >= narrowest(self.ty)).then_some(most / 2);
            let run = run_of(most).or_else(|| run_of(half?));
            rest = &rest[run.as_ref().map_or(1, |run| run.at.len())..];
            runs.extend(run);
        }
        runs
    }
}

/// Collects candidates along a block.
struct Search<'a> {
    facts: Facts<'a>,
    open: Vec<Candidate>,
    closed: Vec<Candidate>,
}

impl Search<'_> {
    fn close(&mut self, mut which: impl FnMut(&Candidate) -> bool) {
        self.closed.extend(self.open.extract_if(.., |candidate| which(candidate)));
    }

    /// Closes the candidates that have no access on both sides of an operation: loads would be moved in front
    /// of it, stores behind it.
    fn pass(&mut self, op: &Op) {
        let Facts { module, body, tame, read_only } = self.facts;
        let roots = read_only.roots();
        let place = Place::of(body, op);
        if let Some(load) = place.filter(|place| !place.writes) {
            let root = roots.of(load.addr.base);
            if !read_only.has(module, load.addr.base) {
                self.close(|open| open.writes && !roots.are_apart(open.memory.0, root));
            }
            return;
        }
        let mut written = Written::default();
        written.op(body, (roots, &|func| tame.is_quiet(func)), op);
        let is_beside =
            |open: &Candidate| place.is_some_and(|place| open.is_of(&place) && !open.has(place.addr.offset));
        self.close(|open| match open.writes {
            false => !open.is_constant && written.may_be(roots, open.memory),
            true => written.may_overwrite(roots, open.memory.0) && !is_beside(open),
        });
    }

    fn add(&mut self, index: usize, place: Place) {
        let Facts { module, read_only, .. } = self.facts;
        let base = place.addr.base;
        let found = self.open.iter().position(|open| open.writes == place.writes && open.is_of(&place));
        let candidate = found.unwrap_or_else(|| {
            self.open.push(Candidate {
                base,
                ty: place.ty,
                writes: place.writes,
                memory: (read_only.roots().of(base), place.kind),
                is_constant: !place.writes && read_only.has(module, base),
                members: Vec::new(),
            });
            self.open.len() - 1
        });
        let candidate = &mut self.open[candidate];
        if candidate.memory.1 != place.kind {
            candidate.memory.1 = MemoryKind::Any;
        }
        // What is loaded twice is not worth a second run.
        if !candidate.has(place.addr.offset) {
            candidate.members.push((place.addr.offset, index));
        }
    }
}
