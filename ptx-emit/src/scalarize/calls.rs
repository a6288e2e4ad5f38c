//! 128-bit integers that cross calls: as a parameter two halves, as a result an aggregate of two halves,
//! which is returned in memory.
//!
//! All signatures change, so that calls through pointers agree with the functions that they may reach.

use super::Scalarizer;
use accrue_ir::builder::Cursor;
use accrue_ir::{
    Address, AggregateLayout, Block, Extend, Inst, Module, Op, Operand, PassBy, Pos, Sig, SlotData, Type,
};
use cranelift_entity::SecondaryMap;

/// Bytes of a 128-bit integer, and its alignment.
const BYTES: u32 = 16;

/// How a half crosses a call.
const HALF: PassBy = PassBy::Scalar(Type::I64, Extend::None);

/// What signatures were before their 128-bit integers were taken apart.
#[derive(Default)]
pub(super) struct Calls {
    /// By signature: for each parameter, whether it became two halves. Empty if none did.
    params: SecondaryMap<Sig, Vec<bool>>,
    /// By signature: whether the result became an aggregate.
    results: SecondaryMap<Sig, bool>,
}

fn is_wide(by: &PassBy) -> bool {
    matches!(by, PassBy::Scalar(Type::I128, _))
}

impl Calls {
    /// Takes apart what crosses calls in all signatures of a module.
    pub(super) fn of(module: &mut Module) -> Calls {
        let mut calls = Calls::default();
        let mut agg = None;
        for (sig, signature) in &mut module.signatures {
            if signature.params.iter().any(is_wide) {
                calls.params[sig] = signature.params.iter().map(is_wide).collect();
                let halved = |by: PassBy| if is_wide(&by) { vec![HALF, HALF] } else { vec![by] };
                signature.params =
                    std::mem::take(&mut signature.params).into_iter().flat_map(halved).collect();
            }
            if signature.result.as_ref().is_some_and(is_wide) {
                calls.results[sig] = true;
                let aggregates = &mut module.aggregates;
                signature.result =
                    Some(PassBy::Aggregate(*agg.get_or_insert_with(|| aggregates.push(layout()))));
            }
        }
        calls
    }

    /// Whether functions with a signature are rewritten.
    pub(super) fn are_of(&self, sig: Sig) -> bool {
        self.results[sig] || !self.params[sig].is_empty()
    }

    /// Whether an operation is a call that is rewritten.
    pub(super) fn concern(&self, op: &Op) -> bool {
        matches!(*op, Op::Call { sig, .. } if self.are_of(sig))
    }

    /// Whether the functions of a signature return an address in the place of a 128-bit integer.
    pub(super) fn return_memory(&self, sig: Sig) -> bool {
        self.results[sig]
    }

    fn is_halved(&self, sig: Sig, index: usize) -> bool {
        self.params[sig].get(index).is_some_and(|halved| *halved)
    }
}

fn layout() -> AggregateLayout {
    let half = u64::from(BYTES / 2);
    AggregateLayout {
        size: BYTES.into(),
        align: BYTES.into(),
        leaves: vec![(0, Type::I64), (half, Type::I64)],
    }
}

impl Scalarizer<'_> {
    /// The parameters of the function itself.
    pub(super) fn wide_params(&mut self) {
        let (calls, sig) = (self.calls, self.sig);
        if calls.params[sig].is_empty() {
            return;
        }
        let mut params = Vec::new();
        for (index, local) in std::mem::take(&mut self.body.params).into_iter().enumerate() {
            match calls.is_halved(sig, index) {
                true => params.extend(self.locals(local)),
                false => params.push(local),
            }
        }
        self.body.params = params;
    }

    /// What the function itself returns at the end of a block.
    pub(super) fn wide_return(&mut self, at: Block, pos: Pos, value: Operand) -> Operand {
        let object = self.wide_object();
        let value = self.pair(value);
        let mut cursor = Cursor::with_pos(self.body, at, pos);
        for (offset, half) in [0, i64::from(BYTES / 2)].into_iter().zip(value) {
            cursor.store(Address::at(object).plus(offset), half);
        }
        object
    }

    /// A call by a signature that was changed.
    pub(super) fn wide_call(&mut self, at: Block, pos: Pos, call: Op) -> Block {
        let calls = self.calls;
        let Op::Call { mut dst, callee, sig, args, mut dest } = call else { return at };
        let mut halves = Vec::with_capacity(args.len() + 1);
        for (index, arg) in args.into_iter().enumerate() {
            match calls.is_halved(sig, index) {
                true => halves.extend(self.pair(arg)),
                false => halves.push(arg),
            }
        }
        let mut result = None;
        if calls.results[sig] {
            let object = self.wide_object();
            (result, dst, dest) = (dst.map(|dst| (dst, object)), None, Some(object));
        }
        self.body.blocks[at].insts.push(Inst { op: Op::Call { dst, callee, sig, args: halves, dest }, pos });
        if let Some((dst, object)) = result {
            let mut cursor = Cursor::with_pos(self.body, at, pos);
            let halves = [0, i64::from(BYTES / 2)]
                .map(|offset| cursor.load(Type::I64, Address::at(object).plus(offset)));
            self.define(at, pos, dst, halves);
        }
        at
    }

    /// Memory for a 128-bit integer.
    fn wide_object(&mut self) -> Operand {
        Operand::Slot(self.body.slots.push(SlotData::frame(BYTES.into(), BYTES, None)))
    }
}
