//! Numbers that say when they overflow.

use std::fmt::Debug;
use std::hash::Hash;

/// A signed integer type with checked arithmetic.
pub(super) trait Number: Copy + Eq + Ord + Hash + Debug + Default {
    const ONE: Self;

    fn widen(value: i64) -> Self;
    fn narrow(self) -> Option<i64>;
    fn plus(self, other: Self) -> Option<Self>;
    fn minus(self, other: Self) -> Option<Self>;
    fn times(self, other: Self) -> Option<Self>;
    fn negative(self) -> Option<Self>;
    /// Division by a positive number, towards negative infinity.
    fn floor_div(self, by: Self) -> Self;
    /// What [`Number::floor_div`] leaves: zero or more.
    fn modulo(self, by: Self) -> Self;

    fn is_zero(self) -> bool {
        self == Self::default()
    }

    fn is_positive(self) -> bool {
        self > Self::default()
    }

    fn is_negative(self) -> bool {
        self < Self::default()
    }

    fn magnitude(self) -> Option<Self> {
        if self.is_negative() { self.negative() } else { Some(self) }
    }

    /// Division by a positive number, towards positive infinity.
    fn ceil_div(self, by: Self) -> Option<Self> {
        let quotient = self.floor_div(by);
        if self.modulo(by).is_zero() { Some(quotient) } else { quotient.plus(Self::ONE) }
    }

    /// The greatest common divisor of two numbers that are not negative.
    fn gcd(self, other: Self) -> Self {
        let (mut a, mut b) = (self, other);
        while !b.is_zero() {
            (a, b) = (b, a.modulo(b));
        }
        a
    }
}

macro_rules! number {
    ($type:ty) => {
        impl Number for $type {
            const ONE: $type = 1;

            fn widen(value: i64) -> $type {
                value.into()
            }

            fn narrow(self) -> Option<i64> {
                self.try_into().ok()
            }

            fn plus(self, other: $type) -> Option<$type> {
                self.checked_add(other)
            }

            fn minus(self, other: $type) -> Option<$type> {
                self.checked_sub(other)
            }

            fn times(self, other: $type) -> Option<$type> {
                self.checked_mul(other)
            }

            fn negative(self) -> Option<$type> {
                self.checked_neg()
            }

            fn floor_div(self, by: $type) -> $type {
                self.div_euclid(by)
            }

            fn modulo(self, by: $type) -> $type {
                self.rem_euclid(by)
            }
        }
    };
}

number!(i64);
number!(i128);
