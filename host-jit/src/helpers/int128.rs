//! Division of 128-bit integers. As for narrower ones, dividing by zero and `MIN / -1` raise SIGFPE.

use super::faults::raise_division_fault;

/// A 128-bit integer in the two registers that return one.
#[repr(C)]
pub(crate) struct Words {
    low: u64,
    high: u64,
}

impl From<u128> for Words {
    fn from(value: u128) -> Self {
        Words { low: value as u64, high: (value >> 64) as u64 }
    }
}

/// The number that two words hold.
pub(crate) fn join(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

fn checked(result: Option<u128>) -> Words {
    match result {
        Some(value) => value.into(),
        None => {
            raise_division_fault();
            // A handler of the program that returns comes back to the faulting instruction, so this is not
            // reached.
            0.into()
        }
    }
}

/// Signed quotient.
pub(crate) extern "C" fn sdiv(a_low: u64, a_high: u64, b_low: u64, b_high: u64) -> Words {
    let (a, b) = (join(a_low, a_high) as i128, join(b_low, b_high) as i128);
    checked(a.checked_div(b).map(|q| q as u128))
}

/// Unsigned quotient.
pub(crate) extern "C" fn udiv(a_low: u64, a_high: u64, b_low: u64, b_high: u64) -> Words {
    checked(join(a_low, a_high).checked_div(join(b_low, b_high)))
}

/// Signed remainder.
pub(crate) extern "C" fn srem(a_low: u64, a_high: u64, b_low: u64, b_high: u64) -> Words {
    let (a, b) = (join(a_low, a_high) as i128, join(b_low, b_high) as i128);
    checked(a.checked_rem(b).map(|r| r as u128))
}

/// Unsigned remainder.
pub(crate) extern "C" fn urem(a_low: u64, a_high: u64, b_low: u64, b_high: u64) -> Words {
    checked(join(a_low, a_high).checked_rem(join(b_low, b_high)))
}
