//! Values that are the same whenever they are computed in a launch: addresses of results, to which something
//! goes at its end, and numbers of iterations, which the host computes in front of it.
//!
//! ```text
//! v5 = convert.sext v1.x            v1.x is a parameter that nothing writes
//! v6 = mul v5, 8i64
//! v7 = index v0.e + v6 * 1          e[x]
//! ```

use accrue_ir::{Body, Local, Op, Operand, map_below};
use cranelift_entity::SecondaryMap;

/// Most operations that a value is made of: the iterations of three loops are ten operations each.
const MOST: usize = 64;

/// The operations that compute a value from what never changes: constants, objects, parameters of the
/// region. `None` if something else takes part.
pub fn recipe(body: &Body, value: Operand) -> Option<Vec<Op>> {
    recipe_from(body, value, &[])
}

/// The same, where some locals count as what never changes, too.
pub fn recipe_from(body: &Body, value: Operand, given: &[Local]) -> Option<Vec<Op>> {
    match value {
        Operand::Local(param) if body.params.contains(&param) => is_constant(body, param).then(Vec::new),
        Operand::Local(_) => {
            let mut recipe = Recipe { body, given, ops: Vec::new(), definitions: definitions(body) };
            recipe.operand(value).then_some(recipe.ops)
        }
        Operand::Slot(_)
        | Operand::Global(_)
        | Operand::Func(_)
        | Operand::Int(..)
        | Operand::F32(_)
        | Operand::F64(_) => Some(Vec::new()),
    }
}

/// Whether nothing writes a parameter. Most values are one, and this is faster than looking at all locals.
fn is_constant(body: &Body, param: Local) -> bool {
    let mut insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
    insts.all(|inst| {
        let mut writes = false;
        inst.op.defs(|local| writes |= local == param);
        !writes
    })
}

/// How a local is written.
#[derive(Clone, Copy, Default)]
enum Definition<'a> {
    #[default]
    Nowhere,
    Once(&'a Op),
    Again,
}

fn definitions(body: &Body) -> SecondaryMap<Local, Definition<'_>> {
    let mut found: SecondaryMap<Local, Definition<'_>> = map_below(body.locals.len());
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        inst.op.defs(|local| {
            found[local] = match found[local] {
                Definition::Nowhere => Definition::Once(&inst.op),
                Definition::Once(_) | Definition::Again => Definition::Again,
            };
        });
    }
    found
}

struct Recipe<'a> {
    body: &'a Body,
    given: &'a [Local],
    ops: Vec<Op>,
    definitions: SecondaryMap<Local, Definition<'a>>,
}

impl Recipe<'_> {
    fn operand(&mut self, operand: Operand) -> bool {
        let Operand::Local(local) = operand else { return true };
        if self.given.contains(&local) {
            return true;
        }
        let definition = self.definitions[local];
        if self.body.params.contains(&local) {
            return matches!(definition, Definition::Nowhere);
        }
        let Definition::Once(op) = definition else { return false };
        if self.ops.iter().any(|known| known.dst() == Some(local)) {
            return true;
        }
        let computes = matches!(
            op,
            Op::Copy { .. }
                | Op::Unary { .. }
                | Op::Binary { .. }
                | Op::Compare { .. }
                | Op::Select { .. }
                | Op::Convert { .. }
                | Op::Index { .. }
        );
        if !computes || op.effects().writes || self.ops.len() >= MOST {
            return false;
        }
        let mut operands = Vec::new();
        op.operands(|operand| operands.push(operand));
        let all = operands.into_iter().all(|operand| self.operand(operand));
        self.ops.push(op.clone());
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::builder::Cursor;
    use accrue_ir::edit::clone::recompute;
    use accrue_ir::{BinaryOp, ConvertOp, Type};

    #[test]
    fn addresses_of_parameters_are_computed_again_and_others_are_not() {
        let mut body = Body::default();
        let [e, x, y] = [Type::Ptr, Type::I32, Type::I32].map(|ty| body.local(ty, None));
        body.params.extend([e, x, y]);
        let entry = body.block();
        let mut c = Cursor::new(&mut body, entry);
        let start = |c: &mut Cursor<'_>, index: Local| {
            let wide = c.convert(ConvertOp::SExt, Type::I64, Operand::Local(index));
            let bytes = c.binary(BinaryOp::Mul, wide, Operand::Int(Type::I64, 8));
            c.index(Operand::Local(e), bytes, 1, 0)
        };
        let (fixed, moving) = (start(&mut c, x), start(&mut c, y));
        c.assign(y, Operand::Int(Type::I32, 3));
        let loaded = c.load(Type::Ptr, accrue_ir::Address::at(Operand::Local(e)));
        c.ret(None);

        assert_eq!(recipe(&body, Operand::Local(e)), Some(Vec::new()));
        assert_eq!(recipe(&body, moving), None);
        assert_eq!(recipe(&body, loaded), None);
        let ops = recipe(&body, fixed).expect("a recipe");
        assert_eq!(ops.len(), 3);
        let end = body.block();
        let again = recompute(&mut Cursor::new(&mut body, end), &ops).operand(fixed);
        assert_ne!(again, fixed);
        let Some(Op::Index { dst, base, .. }) = body.blocks[end].insts.last().map(|inst| &inst.op) else {
            panic!("no address")
        };
        assert_eq!((Operand::Local(*dst), *base), (again, Operand::Local(e)));
    }
}
