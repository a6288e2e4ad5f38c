//! Numbers of 32 bits that were extended to 64: hardware multiplies two of them with a result of 64 bits at
//! once, where a product of 64-bit numbers takes three products and their sums.

use accrue_ir::{BinaryOp, Body, ConvertOp, Local, Op, Operand, Type};
use rustc_hash::FxHashMap;

/// What extended numbers were before, at the current place.
#[derive(Debug)]
pub(super) struct Extended {
    /// Where both are assigned once.
    anywhere: FxHashMap<Local, Local>,
    /// Where the extended number keeps its value up to the current place of a block.
    here: FxHashMap<Local, Local>,
}

impl Extended {
    /// What holds at the start of each block of a body.
    pub(super) fn of(body: &Body) -> Extended {
        let mut anywhere = FxHashMap::default();
        let insts = || body.order.iter().flat_map(|&block| &body.blocks[block].insts);
        let is_product = |op: &Op| match *op {
            Op::Binary { dst, op: BinaryOp::Mul, .. } => body.locals[dst].ty == Type::I64,
            _ => false,
        };
        if insts().any(|inst| is_product(&inst.op)) {
            let definitions = body.definitions();
            for inst in insts() {
                if let Some([dst, src]) = extension(body, &inst.op)
                    .filter(|[dst, src]| definitions[*dst] == 1 && definitions[*src] == 1)
                {
                    anywhere.insert(dst, src);
                }
            }
        }
        Extended { anywhere, here: FxHashMap::default() }
    }

    /// Begins a block.
    pub(super) fn begin(&mut self) {
        self.here.clear();
    }

    /// Takes an operation of the block into account.
    pub(super) fn pass(&mut self, body: &Body, op: &Op) {
        if !self.here.is_empty() {
            op.defs(|local| self.here.retain(|dst, src| *dst != local && *src != local));
        }
        if let Some([dst, src]) = extension(body, op).filter(|[dst, src]| dst != src) {
            self.here.insert(dst, src);
        }
    }

    /// The number of 32 bits that an operand is, extended.
    pub(super) fn narrow(&self, operand: Operand) -> Option<Operand> {
        match operand {
            Operand::Int(_, value) => i32::try_from(value).is_ok().then_some(operand),
            Operand::Local(local) => {
                self.here.get(&local).or_else(|| self.anywhere.get(&local)).copied().map(Operand::Local)
            }
            _ => None,
        }
    }
}

/// What an operation extends, behind the result.
fn extension(body: &Body, op: &Op) -> Option<[Local; 2]> {
    match *op {
        Op::Convert { dst, op: ConvertOp::SExt, src: Operand::Local(src) } => {
            (body.locals[dst].ty == Type::I64 && body.locals[src].ty == Type::I32).then_some([dst, src])
        }
        _ => None,
    }
}
