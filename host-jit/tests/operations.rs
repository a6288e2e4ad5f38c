//! Every operation on every type, against the same operation in Rust.
//!
//! Each case is a function `void f(const void *in, void *out)` that loads its operands from `in` at multiples
//! of 16 bytes, applies one operation, and stores the result to `out`.

mod support;

use accrue_ir::builder::Cursor;
use accrue_ir::*;
use support::*;

type Bytes = [u8; 16];
type Run = extern "C" fn(*const Bytes, *mut Bytes);
type Parts = (f64, f64);
type Emit = Box<dyn Fn(&mut Cursor<'_>, &[Operand]) -> Operand>;
type Expect = Box<dyn Fn(&[Bytes]) -> Bytes>;

struct Case {
    name: String,
    operands: Vec<Type>,
    result: Type,
    emit: Emit,
    expect: Expect,
    inputs: Vec<Vec<Bytes>>,
}

fn bytes_of(value: u128) -> Bytes {
    value.to_le_bytes()
}

fn word(bytes: &Bytes) -> u128 {
    u128::from_le_bytes(*bytes)
}

fn bits(ty: Type) -> u32 {
    ty.int_bits().unwrap_or(0)
}

fn cut(value: u128, ty: Type) -> u128 {
    if bits(ty) == 128 { value } else { value & ((1 << bits(ty)) - 1) }
}

fn signed(value: u128, ty: Type) -> i128 {
    let shift = 128 - bits(ty);
    ((value << shift) as i128) >> shift
}

fn f32_of(bytes: &Bytes) -> f32 {
    f32::from_bits(word(bytes) as u32)
}

fn f64_of(bytes: &Bytes) -> f64 {
    f64::from_bits(word(bytes) as u64)
}

const INTS: [Type; 5] = [Type::I8, Type::I16, Type::I32, Type::I64, Type::I128];

fn int_samples(ty: Type) -> Vec<Bytes> {
    let min = 1_u128 << (bits(ty) - 1);
    [
        0,
        1,
        2,
        3,
        7,
        100,
        min - 1,
        min,
        min + 1,
        u128::MAX,
        u128::MAX - 6,
        0x1234_5678_9abc_def0_0fed_cba9_8765_4321,
    ]
    .into_iter()
    .map(|v| bytes_of(cut(v, ty)))
    .collect()
}

const FLOATS: [f64; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -2.5,
    3.25,
    1e10,
    -1e10,
    1e30,
    -1e30,
    1e-30,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    2147483648.0,
];

fn float_samples(ty: Type) -> Vec<Bytes> {
    FLOATS
        .into_iter()
        .map(|v| {
            if ty == Type::F32 {
                bytes_of(u128::from((v as f32).to_bits()))
            } else {
                bytes_of(u128::from(v.to_bits()))
            }
        })
        .collect()
}

fn samples(ty: Type) -> Vec<Bytes> {
    if ty.is_float() { float_samples(ty) } else { int_samples(ty) }
}

fn pairs(a: &[Bytes], b: &[Bytes]) -> Vec<Vec<Bytes>> {
    a.iter().flat_map(|x| b.iter().map(|y| vec![*x, *y])).collect()
}

fn singles(a: &[Bytes]) -> Vec<Vec<Bytes>> {
    a.iter().map(|x| vec![*x]).collect()
}

fn run(cases: Vec<Case>) {
    let mut b = Builder::new();
    let sig = b.sig(&[scalar(Type::Ptr), scalar(Type::Ptr)], None, false);
    for case in &cases {
        b.define(&case.name, sig, |c, args| {
            let operands: Vec<Operand> = case
                .operands
                .iter()
                .enumerate()
                .map(|(index, &ty)| c.load(ty, mem(args[0], index as i64 * 16)))
                .collect();
            let result = (case.emit)(c, &operands);
            c.store(mem(args[1], 0), result);
            c.terminate(Terminator::Return(None));
        });
    }
    b.each(|program| {
        for case in &cases {
            for input in &case.inputs {
                let mut out = [0_u8; 16];
                call!(program, &case.name, Run, input.as_ptr(), &mut out);
                let expected = (case.expect)(input);
                let width = case.result.bytes() as usize;
                let width = if case.result == Type::F80 { 10 } else { width };
                let same = out[..width] == expected[..width] || both_nan(case.result, &out, &expected);
                assert!(
                    same,
                    "{}({input:x?}) = {:x?}, expected {:x?}",
                    case.name,
                    &out[..width],
                    &expected[..width]
                );
                assert!(out[width..].iter().all(|&byte| byte == 0), "{} wrote too much", case.name);
            }
        }
    });
}

fn both_nan(ty: Type, a: &Bytes, b: &Bytes) -> bool {
    match ty {
        Type::F32 => f32_of(a).is_nan() && f32_of(b).is_nan(),
        Type::F64 => f64_of(a).is_nan() && f64_of(b).is_nan(),
        Type::C32 => (0..2).all(|i| {
            let part = |bytes: &Bytes| f32::from_bits((word(bytes) >> (32 * i)) as u32);
            part(a).to_bits() == part(b).to_bits() || part(a).is_nan() && part(b).is_nan()
        }),
        Type::C64 => (0..2).all(|i| {
            let part = |bytes: &Bytes| f64::from_bits((word(bytes) >> (64 * i)) as u64);
            part(a).to_bits() == part(b).to_bits() || part(a).is_nan() && part(b).is_nan()
        }),
        _ => false,
    }
}

fn binary(
    ty: Type,
    op: BinaryOp,
    inputs: Vec<Vec<Bytes>>,
    expect: impl Fn(u128, u128) -> u128 + 'static,
) -> Case {
    Case {
        name: format!("{op:?}_{ty}"),
        operands: vec![ty, ty],
        result: ty,
        emit: Box::new(move |c, v| c.binary(op, v[0], v[1])),
        expect: Box::new(move |v| bytes_of(expect(word(&v[0]), word(&v[1])))),
        inputs,
    }
}

#[test]
fn integer_arithmetic() {
    let mut cases = Vec::new();
    for ty in INTS {
        let all = pairs(&samples(ty), &samples(ty));
        let width = bits(ty);
        let mut add = |op, f: fn(u128, u128, Type) -> u128| {
            cases.push(binary(ty, op, all.clone(), move |a, b| cut(f(a, b, ty), ty)));
        };
        add(BinaryOp::Add, |a, b, _| a.wrapping_add(b));
        add(BinaryOp::Sub, |a, b, _| a.wrapping_sub(b));
        add(BinaryOp::Mul, |a, b, _| a.wrapping_mul(b));
        add(BinaryOp::And, |a, b, _| a & b);
        add(BinaryOp::Or, |a, b, _| a | b);
        add(BinaryOp::Xor, |a, b, _| a ^ b);
        add(BinaryOp::Shl, |a, b, ty| a << (b as u32 % bits(ty)));
        add(BinaryOp::LShr, |a, b, ty| a >> (b as u32 % bits(ty)));
        add(BinaryOp::AShr, |a, b, ty| (signed(a, ty) >> (b as u32 % bits(ty))) as u128);
        add(BinaryOp::SMin, |a, b, ty| signed(a, ty).min(signed(b, ty)) as u128);
        add(BinaryOp::SMax, |a, b, ty| signed(a, ty).max(signed(b, ty)) as u128);
        add(BinaryOp::UMin, |a, b, _| a.min(b));
        add(BinaryOp::UMax, |a, b, _| a.max(b));
        let least = 1_u128 << (width - 1);
        let divisible: Vec<Vec<Bytes>> = all
            .iter()
            .filter(|v| word(&v[1]) != 0 && !(word(&v[0]) == least && signed(word(&v[1]), ty) == -1))
            .cloned()
            .collect();
        let mut add = |op, f: fn(u128, u128, Type) -> u128| {
            cases.push(binary(ty, op, divisible.clone(), move |a, b| cut(f(a, b, ty), ty)));
        };
        add(BinaryOp::SDiv, |a, b, ty| signed(a, ty).wrapping_div(signed(b, ty)) as u128);
        add(BinaryOp::SRem, |a, b, ty| signed(a, ty).wrapping_rem(signed(b, ty)) as u128);
        add(BinaryOp::UDiv, |a, b, _| a / b);
        add(BinaryOp::URem, |a, b, _| a % b);
    }
    run(cases);
}

#[test]
fn shifts_by_other_types() {
    let mut cases = Vec::new();
    for ty in INTS {
        for amount in INTS {
            cases.push(Case {
                name: format!("shl_{ty}_{amount}"),
                operands: vec![ty, amount],
                result: ty,
                emit: Box::new(|c, v| c.binary(BinaryOp::Shl, v[0], v[1])),
                expect: Box::new(move |v| bytes_of(cut(word(&v[0]) << (word(&v[1]) as u32 % bits(ty)), ty))),
                inputs: pairs(&samples(ty), &samples(amount)),
            });
        }
    }
    run(cases);
}

#[test]
fn division_by_constants() {
    let mut cases = Vec::new();
    for ty in [Type::I8, Type::I16, Type::I32, Type::I64] {
        for divisor in [1_i64, -1, 2, 3, 7, -7, 10, 16, -16, 100, 127] {
            for op in [BinaryOp::SDiv, BinaryOp::SRem, BinaryOp::UDiv, BinaryOp::URem] {
                let least = 1_u128 << (bits(ty) - 1);
                let inputs: Vec<Vec<Bytes>> = singles(&samples(ty))
                    .into_iter()
                    .filter(|v| divisor != -1 || word(&v[0]) != least)
                    .collect();
                cases.push(Case {
                    name: format!("{op:?}_{ty}_{divisor}"),
                    operands: vec![ty],
                    result: ty,
                    emit: Box::new(move |c, v| c.binary(op, v[0], Operand::Int(ty, divisor))),
                    expect: Box::new(move |v| {
                        let (a, b) = (word(&v[0]), cut(divisor as u128, ty));
                        let (x, y) = (signed(a, ty), signed(b, ty));
                        bytes_of(cut(
                            match op {
                                BinaryOp::SDiv => (x / y) as u128,
                                BinaryOp::SRem => (x % y) as u128,
                                BinaryOp::UDiv => a / b,
                                _ => a % b,
                            },
                            ty,
                        ))
                    }),
                    inputs,
                });
            }
        }
    }
    run(cases);
}

fn unary(ty: Type, op: UnaryOp, expect: impl Fn(u128) -> u128 + 'static) -> Case {
    Case {
        name: format!("{op:?}_{ty}"),
        operands: vec![ty],
        result: ty,
        emit: Box::new(move |c, v| c.unary(op, v[0])),
        expect: Box::new(move |v| bytes_of(expect(word(&v[0])))),
        inputs: singles(&samples(ty)),
    }
}

#[test]
fn integer_unary() {
    let mut cases = Vec::new();
    for ty in INTS {
        let width = bits(ty);
        cases.push(unary(ty, UnaryOp::Neg, move |a| cut(a.wrapping_neg(), ty)));
        cases.push(unary(ty, UnaryOp::Not, move |a| cut(!a, ty)));
        cases.push(unary(ty, UnaryOp::Clz, move |a| u128::from(a.leading_zeros() - (128 - width))));
        cases.push(unary(ty, UnaryOp::Ctz, move |a| u128::from(a.trailing_zeros().min(width))));
        cases.push(unary(ty, UnaryOp::Popcnt, |a| u128::from(a.count_ones())));
        cases.push(unary(ty, UnaryOp::Bswap, move |a| a.swap_bytes() >> (128 - width)));
    }
    run(cases);
}

fn min_num(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

fn max_num(a: f64, b: f64) -> f64 {
    -min_num(-a, -b)
}

fn from_float(ty: Type, value: f64) -> u128 {
    if ty == Type::F32 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) }
}

fn to_float(ty: Type, value: u128) -> f64 {
    if ty == Type::F32 { f64::from(f32::from_bits(value as u32)) } else { f64::from_bits(value as u64) }
}

#[test]
fn float_arithmetic() {
    let mut cases = Vec::new();
    for ty in [Type::F32, Type::F64] {
        let mut add = |op, f: fn(f64, f64) -> f64, g: fn(f32, f32) -> f32| {
            let expect = move |a: u128, b: u128| {
                if ty == Type::F32 {
                    u128::from(g(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits())
                } else {
                    u128::from(f(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits())
                }
            };
            cases.push(binary(ty, op, pairs(&samples(ty), &samples(ty)), expect));
        };
        add(BinaryOp::Add, |a, b| a + b, |a, b| a + b);
        add(BinaryOp::Sub, |a, b| a - b, |a, b| a - b);
        add(BinaryOp::Mul, |a, b| a * b, |a, b| a * b);
        add(BinaryOp::FDiv, |a, b| a / b, |a, b| a / b);
        add(BinaryOp::FMin, min_num, |a, b| min_num(a.into(), b.into()) as f32);
        add(BinaryOp::FMax, max_num, |a, b| max_num(a.into(), b.into()) as f32);
        add(BinaryOp::CopySign, f64::copysign, f32::copysign);
        let mut add = |op, f: fn(f64) -> f64| {
            cases.push(unary(ty, op, move |a| from_float(ty, f(to_float(ty, a)))));
        };
        add(UnaryOp::Neg, |a| -a);
        add(UnaryOp::FAbs, f64::abs);
        add(UnaryOp::Sqrt, f64::sqrt);
        add(UnaryOp::Floor, f64::floor);
        add(UnaryOp::Ceil, f64::ceil);
        add(UnaryOp::Trunc, f64::trunc);
        add(UnaryOp::Nearest, f64::round_ties_even);
    }
    run(cases);
}

#[test]
fn fused_multiply_add() {
    let mut cases = Vec::new();
    for ty in [Type::F32, Type::F64] {
        let expect = move |v: &[Bytes]| {
            let [a, b, c] = [0, 1, 2].map(|n| word(&v[n]));
            bytes_of(if ty == Type::F32 {
                let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
                u128::from(a.mul_add(b, c).to_bits())
            } else {
                let [a, b, c] = [a, b, c].map(|bits| f64::from_bits(bits as u64));
                u128::from(a.mul_add(b, c).to_bits())
            })
        };
        // The last one is off by a unit in the last place if it is rounded twice.
        let mut inputs: Vec<Vec<Bytes>> = pairs(&samples(ty), &samples(ty));
        let third = samples(ty);
        inputs.iter_mut().enumerate().for_each(|(n, input)| input.push(third[n * 7 % third.len()]));
        let tricky = [1.0 + 2f64.powi(-12), 1.0 + 2f64.powi(-12), -1.0];
        inputs.push(tricky.map(|value| bytes_of(from_float(ty, value))).to_vec());
        cases.push(Case {
            name: format!("fma_{ty}"),
            operands: vec![ty; 3],
            result: ty,
            emit: Box::new(|c, v| c.fma(v[0], v[1], v[2])),
            expect: Box::new(expect),
            inputs: inputs.clone(),
        });
        let vector = if ty == Type::F32 { Type::F32x4 } else { Type::F64x2 };
        cases.push(Case {
            name: format!("fma_{vector}"),
            operands: vec![ty; 3],
            result: ty,
            emit: Box::new(move |c, v| {
                let [a, b, d] = [0, 1, 2].map(|n| c.splat(vector, v[n]));
                let (dst, src) = (c.temp(ty), c.fma(a, b, d));
                c.op(Op::ExtractLane { dst, src, lane: 1 });
                Operand::Local(dst)
            }),
            expect: Box::new(expect),
            inputs,
        });
    }
    run(cases);
}

const COMPARISONS: [CmpOp; 11] = [
    CmpOp::Eq,
    CmpOp::Ne,
    CmpOp::Lt,
    CmpOp::Le,
    CmpOp::Gt,
    CmpOp::Ge,
    CmpOp::ULt,
    CmpOp::ULe,
    CmpOp::UGt,
    CmpOp::UGe,
    CmpOp::Unordered,
];

fn holds<T: PartialOrd>(op: CmpOp, a: T, b: T) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Lt | CmpOp::ULt => a < b,
        CmpOp::Le | CmpOp::ULe => a <= b,
        CmpOp::Gt | CmpOp::UGt => a > b,
        CmpOp::Ge | CmpOp::UGe => a >= b,
        CmpOp::Unordered => a.partial_cmp(&b).is_none(),
    }
}

#[test]
fn comparisons_and_selection() {
    let mut cases = Vec::new();
    for ty in [Type::I8, Type::I16, Type::I32, Type::I64, Type::I128, Type::F32, Type::F64, Type::Ptr] {
        for op in COMPARISONS {
            let unsigned = matches!(op, CmpOp::ULt | CmpOp::ULe | CmpOp::UGt | CmpOp::UGe);
            let is_signed_order = matches!(op, CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge);
            let is_defined = match ty {
                Type::F32 | Type::F64 => !unsigned,
                Type::Ptr => !is_signed_order && op != CmpOp::Unordered,
                _ => op != CmpOp::Unordered,
            };
            if !is_defined {
                continue;
            }
            let expect = move |a: u128, b: u128| {
                if ty.is_float() {
                    holds(op, to_float(ty, a), to_float(ty, b))
                } else if unsigned {
                    holds(op, a, b)
                } else {
                    holds(op, signed(a, ty), signed(b, ty))
                }
            };
            cases.push(Case {
                name: format!("cmp_{op:?}_{ty}"),
                operands: vec![ty, ty],
                result: Type::I32,
                emit: Box::new(move |c, v| {
                    let truth = c.compare(op, v[0], v[1]);
                    c.convert(ConvertOp::ZExt, Type::I32, truth)
                }),
                expect: Box::new(move |v| bytes_of(u128::from(expect(word(&v[0]), word(&v[1]))))),
                inputs: pairs(&samples(ty), &samples(ty)),
            });
            cases.push(Case {
                name: format!("select_{op:?}_{ty}"),
                operands: vec![ty, ty],
                result: ty,
                emit: Box::new(move |c, v| {
                    let truth = c.compare(op, v[0], v[1]);
                    c.select(truth, v[0], v[1])
                }),
                expect: Box::new(move |v| if expect(word(&v[0]), word(&v[1])) { v[0] } else { v[1] }),
                inputs: pairs(&samples(ty), &samples(ty)),
            });
        }
    }
    run(cases);
}

#[test]
fn integer_conversions() {
    let mut cases = Vec::new();
    let mut add = |op: ConvertOp, from: Type, to: Type, f: fn(u128, Type) -> u128| {
        cases.push(Case {
            name: format!("{op:?}_{from}_{to}"),
            operands: vec![from],
            result: to,
            emit: Box::new(move |c, v| c.convert(op, to, v[0])),
            expect: Box::new(move |v| bytes_of(cut(f(word(&v[0]), from), to))),
            inputs: singles(&samples(from)),
        });
    };
    for from in INTS {
        for to in INTS {
            if bits(to) > bits(from) {
                add(ConvertOp::SExt, from, to, |v, ty| signed(v, ty) as u128);
                add(ConvertOp::ZExt, from, to, |v, _| v);
            }
            if bits(to) < bits(from) {
                add(ConvertOp::Trunc, from, to, |v, _| v);
            }
        }
    }
    run(cases);
}

/// The integer indefinite value for what does not fit `width` bits.
fn indefinite(value: f64, width: u32) -> i128 {
    let limit = 2_f64.powi(width as i32 - 1);
    if value >= -limit && value < limit { value as i128 } else { -(limit as i128) }
}

fn expected_int(value: f64, to: Type, unsigned: bool) -> u128 {
    let wide = match (to, unsigned) {
        (Type::I64, false) | (Type::I32, true) => indefinite(value, 64),
        (Type::I64, true) if value >= 2_f64.powi(63) => indefinite(value - 2_f64.powi(63), 64) ^ (1 << 63),
        (Type::I64, true) => indefinite(value, 64),
        _ => indefinite(value, 32),
    };
    cut(wide as u128, to)
}

#[test]
fn float_conversions() {
    let mut cases = Vec::new();
    for float in [Type::F32, Type::F64] {
        for int in INTS {
            for unsigned in [false, true] {
                let op = if unsigned { ConvertOp::UToF } else { ConvertOp::SToF };
                cases.push(Case {
                    name: format!("{op:?}_{int}_{float}"),
                    operands: vec![int],
                    result: float,
                    emit: Box::new(move |c, v| c.convert(op, float, v[0])),
                    expect: Box::new(move |v| {
                        let value = word(&v[0]);
                        let narrow = float == Type::F32;
                        bytes_of(match (unsigned, narrow) {
                            (true, true) => u128::from((value as f32).to_bits()),
                            (true, false) => u128::from((value as f64).to_bits()),
                            (false, true) => u128::from((signed(value, int) as f32).to_bits()),
                            (false, false) => u128::from((signed(value, int) as f64).to_bits()),
                        })
                    }),
                    inputs: singles(&samples(int)),
                });
                if int == Type::I128 {
                    continue;
                }
                let op = if unsigned { ConvertOp::FToU } else { ConvertOp::FToS };
                let mut inputs = samples(float);
                inputs.extend(
                    [255.9, -0.9, 65536.0, 4294967295.0, 9.3e18, 1.8e19, 2e19, -3e9, -9.3e18]
                        .map(|v| bytes_of(from_float(float, v))),
                );
                cases.push(Case {
                    name: format!("{op:?}_{float}_{int}"),
                    operands: vec![float],
                    result: int,
                    emit: Box::new(move |c, v| c.convert(op, int, v[0])),
                    expect: Box::new(move |v| {
                        bytes_of(expected_int(to_float(float, word(&v[0])), int, unsigned))
                    }),
                    inputs: singles(&inputs),
                });
            }
        }
    }
    for (from, to) in [(Type::F32, Type::F64), (Type::F64, Type::F32)] {
        cases.push(Case {
            name: format!("FToF_{from}_{to}"),
            operands: vec![from],
            result: to,
            emit: Box::new(move |c, v| c.convert(ConvertOp::FToF, to, v[0])),
            expect: Box::new(move |v| bytes_of(from_float(to, to_float(from, word(&v[0]))))),
            inputs: singles(&samples(from)),
        });
    }
    for (from, to) in
        [(Type::F32, Type::I32), (Type::I64, Type::F64), (Type::F64, Type::I64), (Type::Ptr, Type::I64)]
    {
        cases.push(Case {
            name: format!("Bits_{from}_{to}"),
            operands: vec![from],
            result: to,
            emit: Box::new(move |c, v| c.convert(ConvertOp::Bits, to, v[0])),
            expect: Box::new(|v| v[0]),
            inputs: singles(&samples(from)),
        });
    }
    run(cases);
}

/// A `long double` by its exact value as a double: sixteen bytes, the last six zero.
fn x87(value: f64) -> Bytes {
    let bits = value.to_bits();
    let sign = bits >> 63 << 15;
    let exponent = bits >> 52 & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    let (high, low) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0x7ff, 0) => (0x7fff, 1 << 63),
        (0x7ff, _) => (0x7fff, 3 << 62),
        (0, _) => panic!("no subnormal samples"),
        (exponent, fraction) => (exponent + 16383 - 1023, 1 << 63 | fraction << 11),
    };
    bytes_of(u128::from(sign | high) << 64 | u128::from(low))
}

#[test]
fn long_double() {
    let exact = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.25, 1024.0, -1e10, f64::INFINITY, f64::NEG_INFINITY];
    let inputs: Vec<Bytes> = exact.map(x87).into();
    let value = move |bytes: &Bytes| exact.into_iter().find(|&v| x87(v) == *bytes).unwrap_or(f64::NAN);
    let mut cases = Vec::new();
    let mut add = |op, f: fn(f64, f64) -> f64| {
        cases.push(Case {
            name: format!("{op:?}_f80"),
            operands: vec![Type::F80, Type::F80],
            result: Type::F64,
            emit: Box::new(move |c, v| {
                let result = c.binary(op, v[0], v[1]);
                c.convert(ConvertOp::FToF, Type::F64, result)
            }),
            expect: Box::new(move |v| bytes_of(u128::from(f(value(&v[0]), value(&v[1])).to_bits()))),
            inputs: pairs(&inputs, &inputs),
        });
    };
    // Sums, differences and products of the samples are exact in both types, save the sums with 1e10 and
    // 1024.
    add(BinaryOp::Add, |a, b| a + b);
    add(BinaryOp::Sub, |a, b| a - b);
    add(BinaryOp::Mul, |a, b| a * b);
    add(BinaryOp::FMin, min_num);
    add(BinaryOp::FMax, max_num);
    add(BinaryOp::CopySign, f64::copysign);
    let mut add = |op, f: fn(f64) -> f64| {
        cases.push(Case {
            name: format!("{op:?}_f80"),
            operands: vec![Type::F80],
            result: Type::F80,
            emit: Box::new(move |c, v| c.unary(op, v[0])),
            expect: Box::new(move |v| x87(f(value(&v[0])))),
            inputs: singles(&inputs),
        });
    };
    add(UnaryOp::Neg, |a| -a);
    add(UnaryOp::FAbs, f64::abs);
    add(UnaryOp::Floor, f64::floor);
    add(UnaryOp::Ceil, f64::ceil);
    add(UnaryOp::Trunc, f64::trunc);
    add(UnaryOp::Nearest, f64::round_ties_even);
    let unsigned = [CmpOp::ULt, CmpOp::ULe, CmpOp::UGt, CmpOp::UGe];
    for op in COMPARISONS.into_iter().filter(|op| !unsigned.contains(op)) {
        cases.push(Case {
            name: format!("cmp_{op:?}_f80"),
            operands: vec![Type::F80, Type::F80],
            result: Type::I32,
            emit: Box::new(move |c, v| {
                let truth = c.compare(op, v[0], v[1]);
                c.convert(ConvertOp::ZExt, Type::I32, truth)
            }),
            expect: Box::new(move |v| bytes_of(u128::from(holds(op, value(&v[0]), value(&v[1]))))),
            inputs: {
                let mut with_nan = inputs.clone();
                with_nan.push(x87(f64::NAN));
                pairs(&with_nan, &with_nan)
            },
        });
    }
    for int in INTS {
        for unsigned in [false, true] {
            let (from, to) = if unsigned {
                (ConvertOp::UToF, ConvertOp::FToU)
            } else {
                (ConvertOp::SToF, ConvertOp::FToS)
            };
            // There and back: every 64-bit integer is exact. 128-bit ones keep 64 bits of mantissa.
            let inputs: Vec<Bytes> = samples(int)
                .into_iter()
                .filter(|v| {
                    let magnitude = if unsigned { word(v) } else { signed(word(v), int).unsigned_abs() };
                    magnitude == 0 || 128 - magnitude.leading_zeros() - magnitude.trailing_zeros() <= 64
                })
                .collect();
            cases.push(Case {
                name: format!("f80_of_{int}_{unsigned}"),
                operands: vec![int],
                result: int,
                emit: Box::new(move |c, v| {
                    let wide = c.convert(from, Type::F80, v[0]);
                    c.convert(to, int, wide)
                }),
                expect: Box::new(|v| v[0]),
                inputs: singles(&inputs),
            });
        }
    }
    for float in [Type::F32, Type::F64] {
        cases.push(Case {
            name: format!("f80_of_{float}"),
            operands: vec![float],
            result: float,
            emit: Box::new(move |c, v| {
                let wide = c.convert(ConvertOp::FToF, Type::F80, v[0]);
                c.convert(ConvertOp::FToF, float, wide)
            }),
            expect: Box::new(|v| v[0]),
            inputs: singles(&samples(float)),
        });
    }
    // What doubles cannot do: 1/3 + 2^-60 differs from 1/3.
    cases.push(Case {
        name: "precision_f80".into(),
        operands: vec![Type::F80, Type::F80],
        result: Type::F64,
        emit: Box::new(|c, v| {
            let sum = c.binary(BinaryOp::Add, v[0], v[1]);
            let rest = c.binary(BinaryOp::Sub, sum, v[0]);
            c.convert(ConvertOp::FToF, Type::F64, rest)
        }),
        expect: Box::new(|_| bytes_of(u128::from(2_f64.powi(-62).to_bits()))),
        inputs: vec![vec![x87(1.0), x87(2_f64.powi(-62))]],
    });
    run(cases);
}

fn complex(re: f64, im: f64, ty: Type) -> Bytes {
    let part = |v: f64| from_float(ty.element(), v);
    bytes_of(part(re) | part(im) << (ty.element().bytes() * 8))
}

#[test]
fn complex_numbers() {
    let mut cases = Vec::new();
    for ty in [Type::C32, Type::C64] {
        let parts = [0.0, -0.0, 1.0, -2.0, 0.5, f64::INFINITY, f64::NAN];
        let all: Vec<Bytes> =
            parts.iter().flat_map(|&re| parts.iter().map(move |&im| complex(re, im, ty))).collect();
        let split = move |v: &Bytes| {
            let bits = ty.element().bytes() * 8;
            let mask = (1_u128 << bits) - 1;
            (to_float(ty.element(), word(v) & mask), to_float(ty.element(), word(v) >> bits))
        };
        let finite: Vec<Bytes> =
            all.iter().filter(|v| split(v).0.is_finite() && split(v).1.is_finite()).copied().collect();
        let mut add = |op: BinaryOp, inputs: &[Bytes], f: fn(Parts, Parts) -> Parts| {
            cases.push(Case {
                name: format!("{op:?}_{ty}"),
                operands: vec![ty, ty],
                result: ty,
                emit: Box::new(move |c, v| c.binary(op, v[0], v[1])),
                expect: Box::new(move |v| {
                    let (re, im) = f(split(&v[0]), split(&v[1]));
                    complex(re, im, ty)
                }),
                inputs: pairs(inputs, inputs),
            });
        };
        add(BinaryOp::Add, &all, |(a, b), (c, d)| (a + c, b + d));
        add(BinaryOp::Sub, &all, |(a, b), (c, d)| (a - c, b - d));
        add(BinaryOp::Mul, &finite, |(a, b), (c, d)| (a * c - b * d, a * d + b * c));
        // Annex G: an infinite factor gives an infinite product, whatever the NaNs.
        cases.push(Case {
            name: format!("infinite_product_{ty}"),
            operands: vec![ty, ty],
            result: ty,
            emit: Box::new(|c, v| c.binary(BinaryOp::Mul, v[0], v[1])),
            expect: Box::new(move |_| complex(f64::INFINITY, f64::INFINITY, ty)),
            inputs: vec![vec![complex(f64::INFINITY, f64::INFINITY, ty), complex(1.0, 0.0, ty)]],
        });
        cases.push(Case {
            name: format!("quotient_{ty}"),
            operands: vec![ty, ty],
            result: ty,
            emit: Box::new(|c, v| c.binary(BinaryOp::FDiv, v[0], v[1])),
            expect: Box::new(move |_| complex(0.44, 0.08, ty)),
            inputs: vec![vec![complex(1.0, 2.0, ty), complex(3.0, 4.0, ty)]],
        });
        for op in [CmpOp::Eq, CmpOp::Ne] {
            cases.push(Case {
                name: format!("cmp_{op:?}_{ty}"),
                operands: vec![ty, ty],
                result: Type::I32,
                emit: Box::new(move |c, v| {
                    let truth = c.compare(op, v[0], v[1]);
                    c.convert(ConvertOp::ZExt, Type::I32, truth)
                }),
                expect: Box::new(move |v| {
                    bytes_of(u128::from((split(&v[0]) == split(&v[1])) == (op == CmpOp::Eq)))
                }),
                inputs: pairs(&all, &all),
            });
        }
        let element = ty.element();
        cases.push(Case {
            name: format!("parts_{ty}"),
            operands: vec![ty],
            result: ty,
            emit: Box::new(move |c, v| {
                let conj = c.unary(UnaryOp::Conj, v[0]);
                let neg = c.unary(UnaryOp::Neg, conj);
                let (re, im) = (c.unary(UnaryOp::Re, neg), c.unary(UnaryOp::Im, neg));
                c.complex(ty, im, re)
            }),
            expect: Box::new(move |v| {
                let (re, im) = split(&v[0]);
                complex(im, -re, ty)
            }),
            inputs: singles(&finite),
        });
        let other = if ty == Type::C32 { Type::C64 } else { Type::C32 };
        cases.push(Case {
            name: format!("width_{ty}"),
            operands: vec![ty],
            result: other,
            emit: Box::new(move |c, v| c.convert(ConvertOp::CToC, other, v[0])),
            expect: Box::new(move |v| complex(split(&v[0]).0, split(&v[0]).1, other)),
            inputs: singles(&finite),
        });
        assert!(element.is_float());
    }
    run(cases);
}

fn lanes(ty: Type, values: &[i64]) -> Bytes {
    let width = ty.element().bytes() * 8;
    let cut = |v: i64| match ty.element() {
        Type::F32 => u128::from((v as f32).to_bits()),
        Type::F64 => u128::from((v as f64).to_bits()),
        _ => v as u128 & ((1 << width) - 1),
    };
    bytes_of(
        (0..ty.lanes()).map(|i| cut(values[i as usize % values.len()]) << (i * width)).fold(0, |a, b| a | b),
    )
}

#[test]
fn vectors() {
    let mut cases = Vec::new();
    let (a, b) = ([6, -7, 100, 1], [3, 5, -9, 2]);
    let mut add = |ty: Type, op: BinaryOp, f: fn(i64, i64) -> i64| {
        cases.push(Case {
            name: format!("{op:?}_{ty}"),
            operands: vec![ty, ty],
            result: ty,
            emit: Box::new(move |c, v| c.binary(op, v[0], v[1])),
            expect: Box::new(move |_| {
                let results: Vec<i64> = a.iter().zip(b).map(|(&x, y)| f(x, y)).collect();
                lanes(ty, &results)
            }),
            inputs: vec![vec![lanes(ty, &a), lanes(ty, &b)]],
        });
    };
    for ty in [Type::I8x16, Type::I16x8, Type::I32x4, Type::I64x2] {
        add(ty, BinaryOp::Add, |x, y| x + y);
        add(ty, BinaryOp::Sub, |x, y| x - y);
        // Processors do not multiply lanes of 8 bits.
        if ty != Type::I8x16 {
            add(ty, BinaryOp::Mul, |x, y| x * y);
        }
        add(ty, BinaryOp::And, |x, y| x & y);
        add(ty, BinaryOp::Or, |x, y| x | y);
        add(ty, BinaryOp::Xor, |x, y| x ^ y);
        add(ty, BinaryOp::SMin, i64::min);
        add(ty, BinaryOp::SMax, i64::max);
        add(ty, BinaryOp::UMin, |x, y| (x as u64).min(y as u64) as i64);
        add(ty, BinaryOp::UMax, |x, y| (x as u64).max(y as u64) as i64);
    }
    for ty in [Type::F32x4, Type::F64x2] {
        add(ty, BinaryOp::Add, |x, y| x + y);
        add(ty, BinaryOp::Sub, |x, y| x - y);
        add(ty, BinaryOp::Mul, |x, y| x * y);
        add(ty, BinaryOp::FMin, i64::min);
        add(ty, BinaryOp::FMax, i64::max);
    }
    for ty in [Type::I8x16, Type::I16x8, Type::I32x4, Type::I64x2, Type::F32x4, Type::F64x2] {
        cases.push(Case {
            name: format!("lanes_{ty}"),
            operands: vec![ty],
            result: ty,
            emit: Box::new(move |c, v| {
                let last = c.extract_lane(v[0], ty.lanes() as u8 - 1);
                let all = c.splat(ty, last);
                let first = c.extract_lane(v[0], 0);
                c.insert_lane(all, first, 1)
            }),
            expect: Box::new(move |_| {
                let last = a[(ty.lanes() as usize - 1) % a.len()];
                lanes(ty, &[&[last, a[0]], &[last; 14][..]].concat())
            }),
            inputs: vec![vec![lanes(ty, &a)]],
        });
    }
    run(cases);
}

#[test]
fn lanes_of_other_widths() {
    let mut cases = Vec::new();
    let numbers: Vec<i64> = (0..16).map(|n| (n - 8) * 4099 + n).collect();
    for (narrow, wide) in [(Type::I8x16, Type::I16x8), (Type::I16x8, Type::I32x4), (Type::I32x4, Type::I64x2)]
    {
        let bits = narrow.element().bytes() * 8;
        for (signed, half) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
            let numbers = numbers.clone();
            let given = lanes(narrow, &numbers);
            cases.push(Case {
                name: format!("widen_{narrow}_{half}_{signed}"),
                operands: vec![narrow],
                result: wide,
                emit: Box::new(move |c, v| c.widen(wide, v[0], half, signed)),
                expect: Box::new(move |_| {
                    let cut = |n: i64| n << (64 - bits) >> (64 - bits);
                    let number = |n: i64| if signed { cut(n) } else { cut(n) & ((1 << bits) - 1) };
                    let first = usize::from(half) * wide.lanes() as usize;
                    let widened: Vec<i64> =
                        (first..first + wide.lanes() as usize).map(|n| number(numbers[n])).collect();
                    lanes(wide, &widened)
                }),
                inputs: vec![vec![given]],
            });
        }
    }
    for (narrow, wide) in [(Type::I8x16, Type::I16x8), (Type::I16x8, Type::I32x4)] {
        let bits = narrow.element().bytes() * 8;
        for signed in [false, true] {
            let count = wide.lanes() as usize;
            let numbers: Vec<i64> = numbers.iter().map(|n| if bits == 8 { n >> 6 } else { n * 3 }).collect();
            let (a, b) = (lanes(wide, &numbers[..count]), lanes(wide, &numbers[16 - count..]));
            cases.push(Case {
                name: format!("narrow_{narrow}_{signed}"),
                operands: vec![wide, wide],
                result: narrow,
                emit: Box::new(move |c, v| c.narrow(narrow, v[0], v[1], signed)),
                expect: Box::new(move |_| {
                    let limits =
                        if signed { (-1 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
                    let both = numbers[..count].iter().chain(&numbers[16 - count..]);
                    let limited: Vec<i64> = both.map(|n| *n.clamp(&limits.0, &limits.1)).collect();
                    lanes(narrow, &limited)
                }),
                inputs: vec![vec![a, b]],
            });
        }
    }
    run(cases);
}
