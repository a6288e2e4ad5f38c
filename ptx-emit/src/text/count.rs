//! Numbers that the host computes from the arguments of a launch, by the operations of the region.

use crate::recipe::recipe;
use accrue_ir::constants::{binary, compare, normal, unsigned};
use accrue_ir::*;

/// A number that is computed from arguments of a launch.
#[derive(Clone, Debug)]
pub(super) struct Count {
    steps: Calculations,
    result: Source,
}

/// Operations on arguments of a launch and on each other's results.
#[derive(Clone, Default, Debug)]
pub(super) struct Calculations(Vec<Step>);

/// Where a number comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// Already as [`normal`] leaves it.
    Constant(i64),
    /// An argument, by its number.
    Argument(usize, Type),
    /// How many gangs in x, y and z, workers or lanes there are.
    Size(Level),
    /// The result of a calculation, by its number.
    Step(usize),
}

/// What is known of a launch.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) args: &'a [u64],
    /// Gangs in x, y and z, workers and lanes, if that is decided already.
    pub(super) sizes: Option<[u32; 5]>,
}

impl Given<'_> {
    fn size(self, level: Level) -> Option<i64> {
        let [x, y, z, workers, lanes] = self.sizes?;
        Some(i64::from(match level {
            Level::Gang => x,
            Level::Gang2 => y,
            Level::Gang3 => z,
            Level::Worker => workers,
            Level::Vector => lanes,
            Level::Unassigned => return None,
        }))
    }
}

#[derive(Clone, Copy, Debug)]
struct Step {
    calculation: Calculation,
    /// Of the operands.
    from: Type,
    /// Of the second operand: amounts of shifts have types of their own.
    second: Type,
    /// Of the result.
    to: Type,
    operands: [Source; 3],
}

#[derive(Clone, Copy, Debug)]
enum Calculation {
    Copy,
    ZeroExtend,
    Binary(BinaryOp),
    Compare(CmpOp),
    Select,
}

impl Calculation {
    /// What an operation does to its operands, if it always has a result and that is an integer.
    fn of(op: &Op) -> Option<(Calculation, [Operand; 3])> {
        if op.effects().writes {
            return None;
        }
        Some(match *op {
            Op::Copy { src, .. }
            | Op::Convert { op: ConvertOp::SExt | ConvertOp::Trunc | ConvertOp::Bits, src, .. } => {
                (Calculation::Copy, [src; 3])
            }
            Op::Convert { op: ConvertOp::ZExt, src, .. } => (Calculation::ZeroExtend, [src; 3]),
            Op::Binary { op, a, b, .. } => (Calculation::Binary(op), [a, b, b]),
            Op::Compare { op, a, b, .. } if op != CmpOp::Unordered => (Calculation::Compare(op), [a, b, b]),
            Op::Select { cond, a, b, .. } => (Calculation::Select, [a, b, cond]),
            _ => return None,
        })
    }
}

impl Source {
    /// Where an operand that is no local comes from.
    fn of_constant(operand: Operand) -> Option<Source> {
        let Operand::Int(ty, value) = operand else { return None };
        normal(ty, value).map(Source::Constant)
    }

    /// The argument that it is.
    fn argument(self) -> Option<usize> {
        match self {
            Source::Argument(index, _) => Some(index),
            Source::Constant(_) | Source::Size(_) | Source::Step(_) => None,
        }
    }

    /// The number, of a launch with these arguments, where calculations had these results.
    fn value(self, given: Given<'_>, results: &[i64]) -> Option<i64> {
        match self {
            Source::Constant(value) => Some(value),
            Source::Argument(index, ty) => normal(ty, *given.args.get(index)? as i64),
            Source::Size(level) => given.size(level),
            Source::Step(index) => results.get(index).copied(),
        }
    }
}

impl Calculations {
    /// One more operation, as the source of its result. `local` says where a local comes from. `None` if the
    /// host does not compute it.
    pub(super) fn push(
        &mut self,
        body: &Body,
        op: &Op,
        local: impl Fn(Local) -> Option<Source>,
    ) -> Option<Source> {
        let (calculation, operands) = Calculation::of(op)?;
        let source = |operand: Operand| match operand {
            Operand::Local(from) => local(from),
            other => Source::of_constant(other),
        };
        let to = body.locals[op.dst()?].ty;
        let [from, second, _] = operands.map(|operand| body.operand_type(operand));
        let [a, b, c] = operands.map(source);
        let step = Step { calculation, from, second, to, operands: [a?, b?, c?] };
        [from, second, to].iter().all(|&ty| normal(ty, 0).is_some()).then(|| {
            self.0.push(step);
            Source::Step(self.0.len() - 1)
        })
    }

    /// The arguments that results depend on.
    fn arguments(&self) -> impl Iterator<Item = usize> {
        self.0.iter().flat_map(|step| step.operands).filter_map(Source::argument)
    }

    /// The results of all of them; `None` if an argument is missing.
    fn results(&self, given: Given<'_>) -> Option<Vec<i64>> {
        let mut values: Vec<i64> = Vec::with_capacity(self.0.len());
        for &Step { calculation, from, second, to, operands } in &self.0 {
            let value = |index: usize| operands[index].value(given, &values);
            let a = value(0)?;
            let result = match calculation {
                Calculation::Copy => a,
                Calculation::ZeroExtend => unsigned(from, a)? as i64,
                Calculation::Binary(op) => binary(op, from, a, second, value(1)?)?,
                Calculation::Compare(op) => i64::from(compare(op, from, a, value(1)?)?),
                Calculation::Select if value(2)? != 0 => a,
                Calculation::Select => value(1)?,
            };
            values.push(normal(to, result)?);
        }
        Some(values)
    }

    /// Numbers of a launch with these arguments; `None` if an argument is missing.
    pub(super) fn numbers(&self, given: Given<'_>, wanted: impl Iterator<Item = Source>) -> Option<Vec<i64>> {
        let results = self.results(given)?;
        wanted.map(|source| source.value(given, &results)).collect()
    }
}

impl Count {
    /// An operand of a region, if the host can compute it.
    pub(super) fn of(body: &Body, wanted: Operand) -> Option<Count> {
        let ops = recipe(body, wanted)?;
        let mut steps = Calculations::default();
        let source = |local: Local| match body.params.iter().position(|&param| param == local) {
            Some(param) => Some(Source::Argument(param, body.locals[local].ty)),
            None => ops.iter().position(|op| op.dst() == Some(local)).map(Source::Step),
        };
        for op in &ops {
            steps.push(body, op, source)?;
        }
        let result = match wanted {
            Operand::Local(local) => source(local)?,
            constant => Source::of_constant(constant)?,
        };
        Some(Count { steps, result })
    }

    /// The arguments that it is computed from.
    pub(super) fn arguments(&self) -> impl Iterator<Item = usize> {
        self.steps.arguments().chain(self.result.argument())
    }

    /// The number; `None` if an argument is missing, or it is negative.
    pub(super) fn evaluate(&self, args: &[u64]) -> Option<u64> {
        let given = Given { args, sizes: None };
        u64::try_from(self.result.value(given, &self.steps.results(given)?)?).ok()
    }
}

#[cfg(test)]
impl Count {
    /// A number that no argument changes.
    pub(super) fn constant(number: i64) -> Count {
        Count { steps: Calculations::default(), result: Source::Constant(number) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::builder::Cursor;

    #[test]
    fn a_bound_is_computed_from_arguments() {
        let mut body = Body::default();
        let [n, m] = [Type::I32, Type::I32].map(|ty| body.local(ty, None));
        body.params.extend([n, m]);
        let entry = body.block();
        let mut c = Cursor::new(&mut body, entry);
        let [wide, other] = [n, m].map(|local| c.convert(ConvertOp::SExt, Type::I64, Operand::Local(local)));
        let product = c.mul(wide, other);
        let some = c.compare(CmpOp::Lt, Operand::Int(Type::I64, 0), product);
        let count = c.select(some, product, Operand::Int(Type::I64, 0));
        let quotient = c.binary(BinaryOp::UDiv, count, Operand::Int(Type::I64, 5));
        let trapping = c.binary(BinaryOp::UDiv, count, other);
        let loaded = c.load(Type::I64, Address::at(wide));
        c.ret(None);
        let count = Count::of(&body, count).expect("it is computed from arguments");
        let minus = u64::from(-3i32 as u32);
        assert_eq!(count.evaluate(&[7, 6]), Some(42));
        assert_eq!(count.evaluate(&[7, minus]), Some(0));
        assert_eq!(count.evaluate(&[minus, minus]), Some(9));
        assert_eq!(count.evaluate(&[7]), None);
        let quotient = Count::of(&body, quotient).expect("it is computed from arguments");
        assert_eq!(quotient.evaluate(&[8, 5]), Some(8));
        assert!(Count::of(&body, trapping).is_none() && Count::of(&body, loaded).is_none());
    }
}
