//! Which registers an instruction reads and writes.

use crate::code::{Addr, Callee, Dst, Inst, MbarrierAction, MbarrierSite, Op, PredDst, PredSrc, Src};

/// A register of a function: a slot of its frame, or a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Register {
    Slot(u32),
    Predicate(u32),
}

/// The registers of an instruction, its guard apart.
#[derive(Debug, Default)]
pub(super) struct Operands {
    pub(super) read: Vec<Register>,
    pub(super) written: Vec<Register>,
}

/// The register that a predicate is in, unless it is a constant.
pub(super) fn predicate(src: PredSrc) -> Option<Register> {
    match src {
        PredSrc::Constant(_) => None,
        PredSrc::Slot { index, .. } => Some(Register::Predicate(index)),
    }
}

impl Operands {
    /// Of an instruction. Parameters of calls are no registers.
    pub(super) fn of(inst: &Inst) -> Operands {
        let mut all = Operands::default();
        match &inst.op {
            Op::Mov { dst, src: a }
            | Op::Alu1 { dst, a, .. }
            | Op::Convert { dst, a, .. }
            | Op::Cvta { dst, a, .. }
            | Op::Alloca { dst, bytes: a, .. } => all.values(&[*a], &[*dst]),
            Op::Alu2 { dst, a, b, .. } | Op::Carry { dst, a, b, .. } | Op::Reduce { dst, a, mask: b, .. } => {
                all.values(&[*a, *b], &[*dst])
            }
            Op::Alu3 { dst, a, b, c, .. }
            | Op::Logic { dst, a, b, c, .. }
            | Op::SelectSign { dst, a, b, by: c, .. } => all.values(&[*a, *b, *c], &[*dst]),
            Op::Insert { dst, a, b, position, length, .. } => {
                all.values(&[*a, *b, *position, *length], &[*dst]);
            }
            Op::SetPred { dst, complement, a, b, combine, .. } => {
                all.values(&[*a, *b], &[]);
                all.predicates(combine.map(|(_, with)| with), &[*dst, *complement]);
            }
            Op::Set { dst, a, b, combine, .. } => {
                all.values(&[*a, *b], &[*dst]);
                all.predicates(combine.map(|(_, with)| with), &[]);
            }
            Op::Test { dst, a, .. } | Op::IsSpace { dst, a, .. } => {
                all.values(&[*a], &[]);
                all.predicates([], &[*dst]);
            }
            Op::Select { dst, a, b, by } => {
                all.values(&[*a, *b], &[*dst]);
                all.predicates([*by], &[]);
            }
            Op::PredMove { dst, a } => all.predicates([*a], &[*dst]),
            Op::PredLogic { dst, a, b, .. } => all.predicates([*a, *b], &[*dst]),
            Op::Pack { dst, srcs, .. } => all.values(srcs, dst),
            Op::Unpack { dsts, src, .. } => all.values(src, dsts),
            Op::LocalAddress { dst, .. }
            | Op::LoadSlot { dst, .. }
            | Op::ReadClock { dst, .. }
            | Op::ActiveMask { dst }
            | Op::StackSave { dst } => all.values(&[], &[*dst]),
            Op::StoreSlot { src, .. }
            | Op::StackRestore { src }
            | Op::WarpBarrier { mask: src }
            | Op::BranchTable { index: src, .. } => all.values(&[*src], &[]),
            Op::Load(load) => {
                all.address(&load.addr);
                all.values(&[], &load.dsts[..load.count as usize]);
            }
            Op::Store(store) => {
                all.address(&store.addr);
                all.values(&store.srcs[..store.count as usize], &[]);
            }
            Op::Atomic(atomic) => {
                all.address(&atomic.addr);
                all.values(&atomic.a, &[]);
                all.values(&atomic.b, &[atomic.dst]);
            }
            Op::Call(site) => {
                if let Callee::Through(address) = site.callee {
                    all.values(&[address], &[]);
                }
            }
            Op::Barrier(site) => {
                all.values(&[site.number], &[site.dst]);
                all.values(site.threads.as_slice(), &[]);
                all.predicates([site.value], &[site.dst_pred]);
            }
            Op::Mbarrier(site) => all.barrier_object(site),
            Op::Shuffle { dst, in_range, a, b, c, mask, .. } => {
                all.values(&[*a, *b, *c], &[*dst]);
                all.values(mask.as_slice(), &[]);
                all.predicates([], &[*in_range]);
            }
            Op::Vote { dst, dst_pred, value, mask, .. } => {
                all.values(mask.as_slice(), &[*dst]);
                all.predicates([*value], &[*dst_pred]);
            }
            Op::Match { dst, dst_pred, a, mask, .. } => {
                all.values(&[*a, *mask], &[*dst]);
                all.predicates([], &[*dst_pred]);
            }
            Op::Elect { dst, dst_pred, mask } => {
                all.values(&[*mask], &[*dst]);
                all.predicates([], &[*dst_pred]);
            }
            Op::Nop | Op::Fence { .. } | Op::Sleep | Op::Breakpoint => {}
            Op::Branch { .. } | Op::Return | Op::Exit | Op::Trap => {}
        }
        all
    }

    fn values(&mut self, srcs: &[Src], dsts: &[Dst]) {
        let is_register = |src: &&Src| src.kind() == 0;
        self.read.extend(srcs.iter().filter(is_register).map(|src| Register::Slot(src.index() as u32)));
        self.written.extend(dsts.iter().map(|dst| Register::Slot(dst.0)));
    }

    fn predicates(&mut self, srcs: impl IntoIterator<Item = PredSrc>, dsts: &[PredDst]) {
        self.read.extend(srcs.into_iter().filter_map(predicate));
        self.written.extend(dsts.iter().copied().map(Register::Predicate));
    }

    fn address(&mut self, addr: &Addr) {
        self.values(addr.base.as_slice(), &[]);
    }

    fn barrier_object(&mut self, site: &MbarrierSite) {
        self.address(&site.addr);
        match site.action {
            MbarrierAction::Init { count } => self.values(&[count], &[]),
            MbarrierAction::Inval => {}
            MbarrierAction::Arrive { state, count, .. } => self.values(&[count], &[state]),
            MbarrierAction::Wait { over, state: src } | MbarrierAction::WaitParity { over, parity: src } => {
                self.values(&[src], &[]);
                self.predicates([], &[over]);
            }
        }
    }
}
