//! Compares what the host computed with what a device did, scalar by scalar.

use crate::abi::{ElementPart, Elements, ScalarKind};
use std::fmt;

/// How far results may be apart. A value within any of the limits agrees.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tolerance {
    /// Absolute difference of floating-point numbers.
    pub abs: Option<f64>,
    /// Difference in proportion to the larger of the two. Without this and `ulp` it depends on the type.
    pub rel: Option<f64>,
    /// Difference in units in the last place. None at all, and no other limit: the bits are the same, or both
    /// are NaN.
    pub ulp: Option<u64>,
}

impl Tolerance {
    fn is_exact(&self) -> bool {
        *self == Tolerance { abs: None, rel: None, ulp: Some(0) }
    }

    /// Whether the user has set no limit.
    pub(super) fn is_default(&self) -> bool {
        *self == Tolerance::default()
    }
}

/// The limits for an array.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Limits {
    tolerance: Tolerance,
    /// Most terms of a reduction that its values may come from.
    terms: u64,
}

impl Tolerance {
    /// For values that may be sums or products of `terms` terms. In another order such a sum differs by up to
    /// a unit roundoff a term, in proportion to the sum of magnitudes, which is the sum itself where nothing
    /// cancels.
    pub(super) fn for_terms(self, terms: u64) -> Limits {
        Limits { tolerance: self, terms }
    }
}

impl Limits {
    fn rel(&self, single: bool) -> f64 {
        match (self.tolerance.rel, self.tolerance.ulp) {
            (Some(rel), _) => rel,
            (None, Some(_)) => 0.0,
            (None, None) => {
                let (limit, roundoff) =
                    if single { (1e-5, f64::from(f32::EPSILON)) } else { (1e-12, f64::EPSILON) };
                limit + self.terms as f64 * roundoff / 2.0
            }
        }
    }
}

/// A scalar as messages show it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    Signed(i128),
    Unsigned(u128),
    Single(f32),
    Double(f64),
    Pointer(u64),
    Byte(u8),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Signed(value) => write!(f, "{value}"),
            Value::Unsigned(value) => write!(f, "{value}"),
            Value::Single(value) => write!(f, "{value:?}"),
            Value::Double(value) => write!(f, "{value:?}"),
            Value::Pointer(value) => write!(f, "{value:#x}"),
            Value::Byte(value) => write!(f, "byte {value:#04x}"),
        }
    }
}

/// Two values that do not agree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Difference {
    /// Which element, counted from the first byte of the section.
    pub(super) element: u64,
    /// Byte offset of the scalar in it, and whether there are others.
    pub(super) offset: u64,
    /// Whether the element has other scalars.
    pub(super) in_part: bool,
    pub(super) host: Value,
    pub(super) device: Value,
    /// For numbers with a fraction.
    pub(super) error: Option<Error>,
}

/// The distance of two floating-point numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Error {
    pub(super) abs: f64,
    pub(super) rel: f64,
}

/// What a comparison found.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Findings {
    /// Elements that were compared.
    pub(super) elements: u64,
    /// Those that do not agree.
    pub(super) differing: u64,
    /// The first scalar that does not.
    pub(super) first: Option<Difference>,
    /// The largest distance, of those that agree as well.
    pub(super) largest: Error,
}

/// A type of scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scalar {
    kind: ScalarKind,
    /// Bytes that one takes in memory.
    bytes: u32,
}

impl Scalar {
    fn of(part: &ElementPart) -> Scalar {
        Scalar { kind: part.kind(), bytes: part.bytes }
    }

    fn is_single(self) -> bool {
        self.kind == ScalarKind::Float && self.bytes == 4
    }
}

/// What is between bytes that are not known to be anything else.
const BYTE: Scalar = Scalar { kind: ScalarKind::Unsigned, bytes: 1 };

/// Compares two images of the bytes that stand `from` bytes behind the start of an array.
pub(super) fn compare(
    host: &[u8],
    device: &[u8],
    from: u64,
    elements: Option<&Elements>,
    limits: &Limits,
) -> Findings {
    let size = elements.map_or(1, |elements| elements.bytes.max(1));
    let mut findings = Findings { elements: (host.len() as u64).div_ceil(size), ..Findings::default() };
    if host == device {
        return findings;
    }
    let bytes = [ElementPart { offset: 0, count: 1, kind: BYTE.kind.number(), bytes: BYTE.bytes }];
    let parts = elements.map_or(&bytes[..], |elements| elements.parts());
    let in_part = parts.len() != 1 || parts.iter().any(|part| part.count != 1);
    let images = Images { host, device, from, typed: elements.is_some(), in_part, limits };
    let end = from + host.len() as u64;
    for element in from / size..end.div_ceil(size) {
        let mut agrees = true;
        for part in parts {
            let ty = Scalar::of(part);
            for index in 0..part.count {
                let offset = part.offset + index * u64::from(ty.bytes);
                agrees &= images.scalar(element, element * size, offset, ty, &mut findings);
            }
        }
        findings.differing += u64::from(!agrees);
    }
    findings
}

struct Images<'a> {
    host: &'a [u8],
    device: &'a [u8],
    from: u64,
    typed: bool,
    in_part: bool,
    limits: &'a Limits,
}

impl Images<'_> {
    /// Compares one scalar; of one that the images hold a part of only, that part. Says whether it agrees.
    fn scalar(&self, element: u64, start: u64, offset: u64, ty: Scalar, findings: &mut Findings) -> bool {
        let (first, end) = (start + offset, start + offset + width(ty));
        let to = self.from + self.host.len() as u64;
        if first >= self.from && end <= to {
            return self.whole(element, offset, first, (ty, self.typed), findings);
        }
        let mut agrees = true;
        for byte in first.max(self.from)..end.min(to) {
            agrees &= self.whole(element, byte - start, byte, (BYTE, false), findings);
        }
        agrees
    }

    fn whole(
        &self,
        element: u64,
        offset: u64,
        at: u64,
        (ty, typed): (Scalar, bool),
        findings: &mut Findings,
    ) -> bool {
        let at = (at - self.from) as usize;
        let place = at..at + width(ty) as usize;
        let (host, device) = (&self.host[place.clone()], &self.device[place]);
        if host == device {
            return true;
        }
        let (host, device) = (number(host), number(device));
        let Verdict { agree, error } = verdict(host, device, ty, self.limits);
        if let Some(error) = error {
            findings.largest.abs = findings.largest.abs.max(error.abs);
            findings.largest.rel = findings.largest.rel.max(error.rel);
        }
        if !agree {
            findings.first.get_or_insert(Difference {
                element,
                offset,
                in_part: self.in_part,
                host: value(host, ty, typed),
                device: value(device, ty, typed),
                error,
            });
        }
        agree
    }
}

/// The bytes that hold the value: an extended number leaves some out.
fn width(ty: Scalar) -> u64 {
    if ty.kind == ScalarKind::Extended { 10 } else { ty.bytes.into() }
}

/// Up to 16 bytes as a number.
fn number(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(all)
}

struct Verdict {
    agree: bool,
    error: Option<Error>,
}

/// Whether two scalars with different bits agree.
fn verdict(host: u128, device: u128, ty: Scalar, limits: &Limits) -> Verdict {
    let tolerance = &limits.tolerance;
    let (a, b) = match ty.kind {
        ScalarKind::Float | ScalarKind::Extended => (float(host, ty), float(device, ty)),
        // The same object has different addresses on either side.
        ScalarKind::Pointer => return Verdict { agree: (host == 0) == (device == 0), error: None },
        ScalarKind::Unsigned | ScalarKind::Signed | ScalarKind::Boolean => {
            return Verdict { agree: false, error: None };
        }
    };
    if a.is_nan() || b.is_nan() {
        return Verdict { agree: a.is_nan() && b.is_nan(), error: None };
    }
    if tolerance.is_exact() || !a.is_finite() || !b.is_finite() {
        return Verdict { agree: false, error: error(a, b) };
    }
    let abs = (a - b).abs();
    let scale = a.abs().max(b.abs());
    let distance = ordinal(host, ty).abs_diff(ordinal(device, ty));
    let rel = limits.rel(ty.is_single());
    // Extended numbers may differ by less than their rounded values show.
    let agree = abs <= rel * scale && (distance == 0 || rel > 0.0)
        || tolerance.abs.is_some_and(|limit| abs <= limit)
        || tolerance.ulp.is_some_and(|limit| distance <= u128::from(limit));
    Verdict { agree, error: error(a, b) }
}

fn error(a: f64, b: f64) -> Option<Error> {
    let abs = (a - b).abs();
    let scale = a.abs().max(b.abs());
    (abs.is_finite() && scale > 0.0).then(|| Error { abs, rel: abs / scale })
}

/// The value; an extended number rounded to double precision.
fn float(bits: u128, ty: Scalar) -> f64 {
    match ty.kind {
        _ if ty.is_single() => f32::from_bits(bits as u32).into(),
        ScalarKind::Extended => {
            let (mantissa, top) = (bits as u64, (bits >> 64) as u16);
            let exponent = i32::from(top & 0x7fff);
            let magnitude = match (exponent, mantissa << 1) {
                (0x7fff, 0) => f64::INFINITY,
                (0x7fff, _) => f64::NAN,
                _ => mantissa as f64 * 2f64.powi((exponent - 16383 - 63).clamp(-1500, 1500)),
            };
            if top >> 15 == 0 { magnitude } else { -magnitude }
        }
        _ => f64::from_bits(bits as u64),
    }
}

/// The place of a number among all of its type: neighbours are one apart, and both zeros are 0.
fn ordinal(bits: u128, ty: Scalar) -> i128 {
    let (magnitude, negative) = match ty.kind {
        _ if ty.is_single() => (bits & 0x7fff_ffff, bits >> 31 & 1 == 1),
        // The explicit leading bit adds nothing.
        ScalarKind::Extended => {
            ((bits >> 64 & 0x7fff) << 63 | bits & 0x7fff_ffff_ffff_ffff, bits >> 79 & 1 == 1)
        }
        _ => (bits & 0x7fff_ffff_ffff_ffff, bits >> 63 & 1 == 1),
    };
    if negative { -(magnitude as i128) } else { magnitude as i128 }
}

fn value(bits: u128, ty: Scalar, typed: bool) -> Value {
    if !typed {
        return Value::Byte(bits as u8);
    }
    match ty.kind {
        ScalarKind::Float if ty.is_single() => Value::Single(f32::from_bits(bits as u32)),
        ScalarKind::Float | ScalarKind::Extended => Value::Double(float(bits, ty)),
        ScalarKind::Pointer => Value::Pointer(bits as u64),
        ScalarKind::Signed => {
            let unused = 128 - 8 * ty.bytes.min(16);
            Value::Signed((bits << unused) as i128 >> unused)
        }
        ScalarKind::Unsigned | ScalarKind::Boolean => Value::Unsigned(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::Array;

    const I32: Elements = of(4, &[part(0, 1, ScalarKind::Signed, 4)]);
    const F64: Elements = of(8, &[part(0, 1, ScalarKind::Float, 8)]);
    const POINTER: Elements = of(8, &[part(0, 1, ScalarKind::Pointer, 8)]);
    const EXTENDED: Scalar = Scalar { kind: ScalarKind::Extended, bytes: 16 };

    const fn of(bytes: u64, parts: &'static [ElementPart]) -> Elements {
        Elements { bytes, parts: Array::new(parts) }
    }

    const fn part(offset: u64, count: u64, kind: ScalarKind, bytes: u32) -> ElementPart {
        ElementPart { offset, count, kind: kind.number(), bytes }
    }

    fn doubles(host: &[f64], device: &[f64], tolerance: Tolerance) -> Findings {
        let bytes = |list: &[f64]| list.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        compare(&bytes(host), &bytes(device), 0, Some(&F64), &tolerance.for_terms(0))
    }

    #[test]
    fn special_values() {
        let default = Tolerance::default();
        let exact = Tolerance { ulp: Some(0), ..default };
        let next = f64::from_bits(1f64.to_bits() + 1);
        let agree = |a: f64, b: f64, tolerance| doubles(&[a], &[b], tolerance).differing == 0;
        let other_nan = f64::from_bits(f64::NAN.to_bits() ^ 5);
        for tolerance in [default, exact] {
            assert!(agree(f64::NAN, other_nan, tolerance) && agree(f64::INFINITY, f64::INFINITY, tolerance));
            assert!(!agree(f64::NAN, 1.0, tolerance) && !agree(f64::INFINITY, f64::NEG_INFINITY, tolerance));
            assert!(!agree(f64::MAX, f64::INFINITY, tolerance));
        }
        assert!(agree(0.0, -0.0, default) && !agree(0.0, -0.0, exact));
        assert!(agree(1.0, next, default) && !agree(1.0, next, exact));
        assert!(agree(0.0, -0.0, Tolerance { ulp: Some(1), ..default }));
        assert!(!agree(0.0, 1e-300, default) && agree(0.0, 1e-300, Tolerance { abs: Some(1e-9), ..default }));
        assert!(
            !agree(1.0, 1.0 + 1e-9, default)
                && agree(1.0, 1.0 + 1e-9, Tolerance { rel: Some(1e-8), ..default })
        );
        assert!(agree(-f64::from_bits(1), f64::from_bits(1), Tolerance { ulp: Some(2), ..default }));
        assert!(!agree(-f64::from_bits(1), f64::from_bits(1), Tolerance { ulp: Some(1), ..default }));
    }

    /// A sum of many terms may be off by more than a single value; not if the user says how much.
    #[test]
    fn sums_of_many_terms() {
        let agree = |tolerance: Tolerance, terms: u64, error: f64| {
            let limits = tolerance.for_terms(terms);
            let bytes = |value: f64| value.to_le_bytes();
            let found = compare(&bytes(1.0), &bytes(1.0 + error), 0, Some(&F64), &limits);
            found.differing == 0
        };
        let default = Tolerance::default();
        assert!(agree(default, 0, 9e-13) && !agree(default, 0, 2e-12));
        assert!(agree(default, 100_000, 1.2e-11) && !agree(default, 100_000, 1.3e-11));
        assert!(!agree(Tolerance { rel: Some(1e-12), ..default }, 100_000, 2e-12));
        assert!(!agree(Tolerance { ulp: Some(9), ..default }, 100_000, 2e-12));
    }

    #[test]
    fn the_first_of_several() {
        let found = doubles(&[1.0, 2.0, 3.0], &[1.0, 2.5, 4.0], Tolerance::default());
        let first = found.first.expect("there is one");
        assert_eq!((found.elements, found.differing, first.element), (3, 2, 1));
        assert_eq!((first.host, first.device), (Value::Double(2.0), Value::Double(2.5)));
        assert_eq!(found.largest, Error { abs: 1.0, rel: 0.25 });
    }

    #[test]
    fn integers_are_exact_and_pointers_are_null_or_not() {
        let test = |elements: Elements, host: u64, device: u64| {
            let width = elements.bytes as usize;
            let found = compare(
                &host.to_le_bytes()[..width],
                &device.to_le_bytes()[..width],
                0,
                Some(&elements),
                &Tolerance { abs: Some(10.0), ..Tolerance::default() }.for_terms(0),
            );
            found.first.map(|first| first.device)
        };
        assert_eq!(test(I32, 1, u64::MAX), Some(Value::Signed(-1)));
        assert_eq!(test(POINTER, 0x1000, 0x2000), None);
        assert_eq!(test(POINTER, 0x1000, 0), Some(Value::Pointer(0)));
    }

    #[test]
    fn structs_go_by_member_and_padding_means_nothing() {
        const PARTS: &[ElementPart] = &[part(0, 2, ScalarKind::Signed, 1), part(8, 1, ScalarKind::Float, 8)];
        let elements = of(16, PARTS);
        let mut host = [0u8; 32];
        let mut device = host;
        device[2..8].fill(7);
        assert_eq!(
            compare(&host, &device, 32, Some(&elements), &Tolerance::default().for_terms(0)).differing,
            0
        );
        host[17] = 1;
        let found = compare(&host, &device, 32, Some(&elements), &Tolerance::default().for_terms(0));
        let first = found.first.expect("there is one");
        assert_eq!((first.element, first.offset, first.in_part), (3, 1, true));
        // A part of a number is compared as bytes.
        let found = compare(&[1], &[2], 12, Some(&elements), &Tolerance::default().for_terms(0));
        assert_eq!(found.first.map(|first| (first.offset, first.host)), Some((12, Value::Byte(1))));
    }

    #[test]
    fn extended_numbers() {
        let extended = |mantissa: u64, top: u16| u128::from(top) << 64 | u128::from(mantissa);
        let (one, next) = (extended(1 << 63, 16383), extended(1 << 63 | 1, 16383));
        assert_eq!((float(one, EXTENDED), float(one | 1 << 79, EXTENDED)), (1.0, -1.0));
        assert_eq!(ordinal(next, EXTENDED) - ordinal(one, EXTENDED), 1);
        assert_eq!(float(extended(1 << 63, 0x7fff), EXTENDED), f64::INFINITY);
        let below = extended(u64::MAX, 16382);
        assert_eq!(ordinal(one, EXTENDED) - ordinal(below, EXTENDED), 1);
    }
}
