//! Quotients by constants of numbers that are known to have no sign, or 31 bits at most.
//!
//! What is not negative is divided as a number without a sign: by a power of two, that is a shift or a mask,
//! where one with a sign is corrected first; by another number, it saves the correction behind.
//!
//! Which iteration of which loop of a nest a thread executes are such quotients. A GPU multiplies 32 bits at
//! once: a number of 31 bits is divided by one product with a factor of 32 bits, of which the upper part is
//! shifted, where one of 64 bits takes four products and their sums (Granlund and Montgomery, 1994, figure
//! 4.1, with 31 bits).
//!
//! ```text
//!     before:  q = n / 48;  r = n % 48
//!     after:   q = n * 2863311531 >> 37;  r = n - q * 48
//! ```

use crate::ranges::{Place, Ranges};
use accrue_ir::{BinaryOp, Body, Inst, Module, Op, Operand, Type};

/// Bits of the numbers that are divided.
const BITS: u32 = 31;

/// Runs the pass on all regions and routines.
pub(crate) fn run(module: &mut Module) {
    crate::partitioned_bodies(module).for_each(narrow);
}

/// Whether a number has so many bits.
fn is_small(value: i64) -> bool {
    (0..1 << BITS).contains(&value)
}

/// What to multiply by, and by how much to shift the product, to divide by a number above 1.
fn factor(divisor: i64) -> (i64, i64) {
    let length = i64::BITS - (divisor - 1).leading_zeros();
    let shift = BITS + length;
    ((1 << shift) / divisor + 1, shift.into())
}

fn narrow(body: &mut Body) {
    // By a power of two it is a shift.
    let is_product = |divisor: i64| divisor > 1 && is_small(divisor) && !(divisor as u64).is_power_of_two();
    let dividend = |inst: &Inst| match inst.op {
        Op::Binary {
            op: BinaryOp::UDiv | BinaryOp::URem, a, b: Operand::Int(Type::I64, divisor), ..
        } => is_product(divisor).then_some(a),
        Op::Binary { op: BinaryOp::SDiv | BinaryOp::SRem, a, b: Operand::Int(ty, divisor), .. } => {
            (matches!(ty, Type::I32 | Type::I64) && divisor > 0).then_some(a)
        }
        _ => None,
    };
    let mut places: Vec<(Place, Operand)> = Vec::new();
    for &block in &body.order {
        for (index, inst) in body.blocks[block].insts.iter().enumerate() {
            places.extend(dividend(inst).map(|dividend| ((block, index), dividend)));
        }
    }
    if places.is_empty() {
        return;
    }
    let ranges = Ranges::of(body);
    let known: Vec<(Place, [i64; 2])> = places
        .into_iter()
        .filter_map(|(place, dividend)| Some((place, ranges.at(body, dividend, place)?)))
        .filter(|(_, [low, _])| *low >= 0)
        .collect();
    // Behind each place, those in front of it keep their numbers.
    for ((block, index), range) in known.into_iter().rev() {
        let Inst { op, pos } = &mut body.blocks[block].insts[index];
        let Op::Binary { op: division, .. } = op else { continue };
        *division = match *division {
            BinaryOp::SDiv => BinaryOp::UDiv,
            BinaryOp::SRem => BinaryOp::URem,
            other => other,
        };
        let (&mut Op::Binary { dst, op, a, b: Operand::Int(Type::I64, divisor) }, pos) = (op, *pos) else {
            continue;
        };
        if !is_product(divisor) || !range.into_iter().all(is_small) {
            continue;
        }
        let product = body.temp(Type::I64);
        let (factor, shift) = factor(divisor);
        let int = |value| Operand::Int(Type::I64, value);
        let binary = |dst, op, a, b| Inst { op: Op::Binary { dst, op, a, b }, pos };
        let multiply = binary(product, BinaryOp::Mul, a, int(factor));
        let cut = |dst| binary(dst, BinaryOp::LShr, Operand::Local(product), int(shift));
        let insts = if op == BinaryOp::UDiv {
            vec![multiply, cut(dst)]
        } else {
            let [quotient, rest] = [(); 2].map(|()| body.temp(Type::I64));
            let multiple = binary(rest, BinaryOp::Mul, Operand::Local(quotient), int(divisor));
            let less = binary(dst, BinaryOp::Sub, a, Operand::Local(rest));
            vec![multiply, cut(quotient), multiple, less]
        };
        body.blocks[block].insts.splice(index..=index, insts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    /// A loop over 5000 iterations, which threads share, that divides in its body.
    fn divided(code: &str) -> String {
        let text = format!(
            "signature sig0 (ptr)\nfunction fn0.r sig0 internal\n  region parallel of \"r\" dims(0, 1, 1, 1, 32) {{\n    \
             param \"a\" pointer\n  }} {{\n  params v0.a\n  locals v0.a: ptr\n  locals v1, v2: i32\n  locals v3: i1\n  \
             locals v4, v5: i64\n  locals v6: ptr\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3 for v2 = v1, ult 5000i32, step 32i32 {{\n    \
             directive levels(gang, vector)\n  }}\nbb0:\n  v1 = dim_pos vector\n  v2 = copy v1\n  jump bb1\n\
             bb1 loop0:\n  v3 = cmp.ult v2, 5000i32\n  branch v3, bb2, bb3\n\
             bb2 loop0:\n  v4 = convert.zext v2\n  {code}\n  v6 = index v0.a + v5 * 4\n  store.i32 [v6], v2\n  \
             v2 = add v2, 32i32\n  jump bb1\nbb3:\n  return\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        run(&mut module);
        accrue_ir::verify::verify(&module, "narrow").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    #[test]
    fn quotients_of_counters_below_a_constant_are_products() {
        let text = divided("v5 = udiv v4, 48i64");
        assert!(text.contains("v7 = mul v4, 2863311531i64\n  v5 = lshr v7, 37i64\n"), "{text}");
        let text = divided("v5 = urem v4, 48i64");
        assert!(text.contains("v8 = lshr v7, 37i64\n  v9 = mul v8, 48i64\n  v5 = sub v4, v9\n"), "{text}");
    }

    #[test]
    fn what_is_not_negative_is_divided_without_a_sign() {
        let text = divided("v1 = srem v2, 8i32\n  v1 = sdiv v2, 8i32\n  v5 = srem v4, 64i64");
        assert!(text.contains("v1 = urem v2, 8i32\n  v1 = udiv v2, 8i32\n  v5 = urem v4, 64i64\n"), "{text}");
        let text = divided("v5 = sdiv v4, 48i64");
        assert!(text.contains("v7 = mul v4, 2863311531i64\n  v5 = lshr v7, 37i64\n"), "{text}");
        // Below zero, and by a number below zero.
        let text = divided("v1 = sub v2, 5000i32\n  v1 = srem v1, 8i32\n  v5 = sdiv v4, -8i64");
        assert!(text.contains("v1 = srem v1, 8i32\n  v5 = sdiv v4, -8i64\n"), "{text}");
    }

    #[test]
    fn what_may_be_large_is_divided_as_before() {
        for code in [
            "v5 = mul v4, 4294967296i64\n  v5 = udiv v5, 48i64",
            "v5 = udiv v4, 4294967296i64",
            "v5 = udiv v4, 64i64",
            "v5 = udiv v4, 0i64",
            "v5 = sdiv v4, 0i64",
            "v5 = udiv v4, v4",
        ] {
            let text = divided(code);
            assert!(!text.contains("lshr"), "{text}");
        }
    }

    #[test]
    fn factors_give_quotients() {
        let most = (1i64 << BITS) - 1;
        for divisor in (2..2000).chain([most / 3, most / 2, most - 1, most]) {
            let (factor, shift) = factor(divisor);
            let near = |value: i64| (value - 2..=value + 2).filter(|&n| is_small(n));
            let numbers = [0, divisor, most / 2, most / divisor * divisor, most];
            for n in numbers.into_iter().flat_map(near) {
                let product = n.checked_mul(factor).unwrap_or_else(|| panic!("{n} / {divisor} overflows"));
                assert_eq!(product >> shift, n / divisor, "{n} / {divisor}");
            }
        }
    }
}
