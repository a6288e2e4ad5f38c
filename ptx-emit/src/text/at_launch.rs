//! What a launch computes for all threads of its kernel.
//!
//! How many iterations loops have, where their last one is, whether there are enough for squares: all
//! threads compute that alike from a few arguments, as the host does already to know how many gangs are
//! worth starting ([`super::iterations`]). A thread that has one iteration, or two, would spend more time on
//! it than on what the program asks for. So the host hands the results over, behind the other parameters.
//!
//! It does the same for divisors: the counter of merged loops is divided by how many iterations the inner
//! ones have, and a product with a reciprocal is a quotient (Granlund and Montgomery, 1994).
//!
//! ```text
//! .param .align 8 .b8 __accrue_known[24]
//!     +0    n * m
//!     +8    the reciprocal of m
//!     +16   dividends below this can be divided with it
//! ```
//!
//! They are one parameter, as the driver has something to do for each.

use super::count::{Calculations, Given, Source};
use super::register::Reg;
use accrue_ir::{Body, Local, Op, Type, map_below};
use cranelift_entity::SecondaryMap;

/// Numbers of a kernel that the host knows, at most: each may become a parameter, of which there may be
/// 4,096 bytes.
const MOST: usize = 160;
/// Parameters of a region that leave room for so many, at most.
const MOST_PARAMS: usize = 256;

/// What a kernel's launch hands over, behind its other parameters.
#[derive(Clone, Default, Debug)]
pub struct AtLaunch {
    calculations: Calculations,
    wanted: Vec<(Source, Wanted)>,
}

/// What of a number is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// The number.
    Itself,
    /// What dividends are multiplied by, in the lower half of a word, and by how much products are shifted
    /// then, in its upper half: [`reciprocal`].
    Reciprocal,
    /// Which dividends that is right for, as a number that they are below; 0 if the number is no divisor of
    /// that kind.
    Limit,
}

impl AtLaunch {
    /// The values of a launch with these arguments and so many gangs in x, y and z, workers and lanes; `None`
    /// if an argument is missing.
    pub fn values(&self, args: &[u64], sizes: [u32; 5]) -> Option<Vec<u64>> {
        let given = Given { args, sizes: Some(sizes) };
        let numbers = self.calculations.numbers(given, self.wanted.iter().map(|&(source, _)| source))?;
        let value = |(number, &(_, wanted)): (i64, &(Source, Wanted))| match wanted {
            Wanted::Itself => number as u64,
            Wanted::Reciprocal => reciprocal(number)
                .map_or(0, |[factor, shift]| u64::from(factor) | u64::from(shift) << u32::BITS),
            Wanted::Limit => reciprocal(number).map_or(0, |_| LIMIT),
        };
        Some(numbers.into_iter().zip(&self.wanted).map(value).collect())
    }
}

/// What is below this can be divided by a product with a [`reciprocal`].
const LIMIT: u64 = 1 << 31;

/// What divides numbers below 2^31 by one of up to 2^31: the quotient of `n` is the upper half of the product
/// of `2 * n` and the first one, shifted by the second one. `None` for other divisors.
///
/// For a divisor above `2^(shift - 1)` and up to `2^shift`, the factor is `2^(31 + shift) / divisor`, rounded
/// up. What rounding adds to a product is below `2^31`, and so to a quotient less than `1 / divisor`.
fn reciprocal(divisor: i64) -> Option<[u32; 2]> {
    let divisor = u64::try_from(divisor).ok().filter(|divisor| (1..=LIMIT).contains(divisor))?;
    let shift = u64::BITS - (divisor - 1).leading_zeros();
    let factor = (LIMIT << shift).div_ceil(divisor);
    Some([u32::try_from(factor).ok()?, shift])
}

/// What divides small numbers by one that the host knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prepared {
    /// The divisor.
    pub(super) divisor: Reg,
    /// What twice the dividend is multiplied by, and how far the upper half of the product is shifted.
    pub(super) factor: Reg,
    pub(super) shift: Reg,
    /// Dividends have to be below this.
    pub(super) limit: Reg,
}

/// What the host knows of the numbers of a kernel.
#[derive(Debug)]
pub(super) struct Known {
    sources: SecondaryMap<Local, Option<Source>>,
    found: AtLaunch,
}

impl Known {
    /// What can be computed from some arguments and from how many threads there are; nothing without the
    /// arguments. With `hides_none`, variables of the program are none of it, so that a path which reads them
    /// before they are written is seen.
    pub(super) fn of(body: &Body, arguments: Option<&[usize]>, hides_none: bool) -> Known {
        let mut known = Known { sources: map_below(body.locals.len()), found: AtLaunch::default() };
        let Some(arguments) = arguments.filter(|_| body.params.len() <= MOST_PARAMS) else { return known };
        let definitions = body.definitions();
        for &index in arguments {
            let param = body.params[index];
            if definitions[param] == 1 {
                known.sources[param] = Some(Source::Argument(index, body.locals[param].ty));
            }
        }
        let mut left = MOST;
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            let Some(dst) = inst.op.dst().filter(|&dst| left > 0 && definitions[dst] == 1) else { continue };
            let has_name = body.locals[dst].name.is_some();
            let is_handed_over = matches!(body.locals[dst].ty, Type::I1 | Type::I32 | Type::I64);
            if !is_handed_over || has_name && hides_none {
                continue;
            }
            if let Op::DimSize { level, .. } = inst.op {
                known.sources[dst] = Some(Source::Size(level));
                continue;
            }
            let sources = &known.sources;
            if let Some(source) = known.found.calculations.push(body, &inst.op, |local| sources[local]) {
                known.sources[dst] = Some(source);
                left -= 1;
            }
        }
        known
    }

    /// Whether an operation computes what the launch hands over if anything asks for it.
    pub(super) fn computes(&self, op: &Op) -> bool {
        op.dst().is_some_and(|dst| self.has(dst))
    }

    /// Whether the host knows a local.
    pub(super) fn knows(&self, local: Local) -> bool {
        self.sources[local].is_some()
    }

    /// Whether the launch has computed a local: it is no parameter, nor what a register says.
    pub(super) fn has(&self, local: Local) -> bool {
        matches!(self.sources[local], Some(Source::Step(_)))
    }

    /// The number of the value that the launch hands over for a local; `None` if it is none of those.
    pub(super) fn ask(&mut self, local: Local, wanted: Wanted) -> Option<usize> {
        let source = self.sources[local]?;
        self.found.wanted.push((source, wanted));
        Some(self.found.wanted.len() - 1)
    }

    /// How many values have been asked for.
    pub(super) fn asked(&self) -> usize {
        self.found.wanted.len()
    }

    /// What has been asked for.
    pub(super) fn into_asked(self) -> AtLaunch {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::builder::Cursor;
    use accrue_ir::{BinaryOp, Level, Operand};

    #[test]
    fn parameters_that_change_are_not_known_nor_is_what_they_give() {
        let mut body = Body::default();
        let [n, m] = [Type::I32, Type::I32].map(|ty| body.local(ty, None));
        body.params.extend([n, m]);
        let entry = body.block();
        let mut c = Cursor::new(&mut body, entry);
        let one = Operand::Int(Type::I32, 1);
        let [before, other] = [n, m].map(|local| c.binary(BinaryOp::Add, Operand::Local(local), one));
        c.assign(n, other);
        let after = c.binary(BinaryOp::Add, Operand::Local(n), one);
        c.ret(None);
        let known = Known::of(&body, Some(&[0, 1]), false);
        let knows = |value: Operand| value.as_local().is_some_and(|local| known.knows(local));
        assert!(knows(other) && known.knows(m));
        assert!(!knows(before) && !knows(after) && !known.knows(n));
    }

    #[test]
    fn what_follows_from_the_size_of_a_launch_is_known_but_registers_have_sizes_themselves() {
        let mut body = Body::default();
        let n = body.local(Type::I32, None);
        body.params.push(n);
        let entry = body.block();
        let mut c = Cursor::new(&mut body, entry);
        let [gangs, lanes] = [Level::Gang, Level::Vector].map(|level| c.dim_size(level));
        let threads = c.binary(BinaryOp::Mul, gangs, lanes);
        let left = c.binary(BinaryOp::Sub, Operand::Local(n), threads);
        let own = c.dim_pos(Level::Vector);
        let last = c.binary(BinaryOp::Sub, threads, own);
        c.ret(None);
        let mut known = Known::of(&body, Some(&[0]), false);
        let has = |value: Operand| value.as_local().is_some_and(|local| known.has(local));
        assert_eq!([gangs, lanes, own, last].map(has), [false; 4]);
        assert_eq!([threads, left].map(has), [true; 2]);
        for value in [threads, left] {
            value.as_local().and_then(|local| known.ask(local, Wanted::Itself)).expect("a number");
        }
        let asked = known.into_asked();
        assert_eq!(asked.values(&[1000], [7, 1, 1, 4, 32]), Some(vec![224, 776]));
        assert_eq!(asked.values(&[], [7, 1, 1, 4, 32]), None);
        assert!(!Known::of(&body, None, false).knows(n));
    }

    #[test]
    fn products_with_reciprocals_are_quotients() {
        let mut divisors: Vec<u64> = (1..=300).collect();
        divisors.extend(
            (8..32).flat_map(|power| [(1 << power) - 1, 1 << power, (1 << power) + 1, 3 << (power - 2)]),
        );
        for divisor in divisors {
            let found = reciprocal(divisor as i64);
            if divisor > LIMIT {
                assert_eq!(found, None);
                continue;
            }
            let [factor, shift] = found.expect("a divisor");
            let most = (LIMIT - 1) / divisor * divisor;
            let edges = (0..40)
                .flat_map(|part| [0, 1, divisor - 1].map(|more| most / 40 * part / divisor * divisor + more));
            let dividends = edges.chain([most.saturating_sub(1), most, LIMIT - 1, LIMIT / 2]);
            for n in dividends.filter(|&n| n < LIMIT) {
                let product = (2 * n) * u64::from(factor);
                assert_eq!((product >> 32) >> shift, n / divisor, "{n} / {divisor}");
            }
        }
        for none in [0, -1, i64::MIN, 1 << 32, i64::MAX] {
            assert_eq!(reciprocal(none), None);
        }
    }
}
