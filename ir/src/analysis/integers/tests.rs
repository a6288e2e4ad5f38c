//! The solver against enumeration.

use super::{Answer, Linear, System};

/// A generator of pseudorandom numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.next((high - low + 1) as u64) as i64
    }
}

fn row(coefficients: &[i64], constant: i64) -> Linear {
    Linear { coefficients: coefficients.to_vec(), constant }
}

/// Every point whose coordinates are at most `size` from zero.
fn points(unknowns: usize, size: i64) -> impl Iterator<Item = Vec<i64>> {
    let width = 2 * size + 1;
    (0..width.pow(unknowns as u32)).map(move |mut code| {
        let coordinate = |_| {
            let x = code % width - size;
            code /= width;
            x
        };
        (0..unknowns).map(coordinate).collect()
    })
}

#[test]
fn small_systems_are_solved_as_by_enumeration() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut empty, mut some, mut near) = (0, 0, 0);
    for n in 0..100_000 {
        let unknowns = 1 + random.next(4) as usize;
        let size = [9, 6, 4, 3][unknowns - 1];
        let largest = [12, 7, 5, 3][random.next(4) as usize];
        let mut any = |most: u64| {
            let rows = (0..random.next(most)).map(|_| {
                let coefficients: Vec<i64> =
                    (0..unknowns).map(|_| random.between(-largest, largest)).collect();
                row(&coefficients, random.between(-20, 20))
            });
            rows.collect()
        };
        // The bounds hold for every point that is enumerated.
        let unbounded = System { at_least_zero: any(4), zero: any(3), ..System::new(unknowns) };
        let mut system = System::new(unknowns);
        for unknown in 0..unknowns {
            for sign in [1, -1] {
                let mut bound = Linear::constant(size);
                bound.add(unknown, sign).expect("small");
                system.at_least_zero.push(bound);
            }
        }
        system.at_least_zero.extend(unbounded.at_least_zero.iter().cloned());
        system.zero.clone_from(&unbounded.zero);
        let expected = points(unknowns, size).any(|point| unbounded.holds_at(&point) == Some(true));
        if let Some(point) = system.near_point() {
            assert_eq!(system.holds_at(&point), Some(true), "system {n}: {point:?} of {system:?}");
            near += 1;
        }
        assert_eq!(system.is_empty(), !expected, "system {n}: {system:?}");
        match system.solve() {
            Answer::Empty => {
                assert!(!expected, "system {n} has solutions: {system:?}");
                empty += 1;
            }
            Answer::Point(point) => {
                assert_eq!(system.holds_at(&point), Some(true), "system {n}: {point:?} of {system:?}");
                some += 1;
            }
            Answer::Unknown => panic!("system {n} is not decided: {system:?}"),
        }
    }
    assert!(empty > 20_000 && some > 20_000, "{empty} without and {some} with solutions");
    assert!(near > some / 2, "{near} of {some} solutions are found in a few steps");
}

#[test]
fn the_least_value_is_found() {
    let mut random = Random(12345);
    for _ in 0..2000 {
        let mut system = System::new(2);
        for unknown in 0..2 {
            for sign in [1, -1] {
                let mut bound = Linear::constant(6);
                bound.add(unknown, sign).expect("small");
                system.at_least_zero.push(bound);
            }
        }
        let coefficients = [random.between(-5, 5), random.between(-5, 5)];
        system.zero.push(row(&coefficients, random.between(-9, 9)));
        let of = row(&[random.between(-4, 4), random.between(-4, 4)], 0);
        let solutions = points(2, 6).filter(|point| system.holds_at(point) == Some(true));
        let expected = solutions.filter_map(|point| of.at(&point)).filter(|&value| value >= 1).min();
        let found = match system.least(&of, 1, 100) {
            Answer::Point(point) => of.at(&point),
            Answer::Empty => None,
            Answer::Unknown => panic!("not decided: {system:?}"),
        };
        assert_eq!(found, expected, "{of:?} on {system:?}");
    }
}

/// Systems as programs have them, with the answers of the textbooks.
#[test]
fn known_systems() {
    // 2i - 2j - 1 = 0: fractions only.
    let mut parity = System::new(2);
    parity.zero.push(row(&[2, -2], -1));
    assert_eq!(parity.solve(), Answer::Empty);
    // Pugh's example: 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 have a fraction in common and no integer.
    let mut dark = System::new(2);
    dark.at_least_zero.extend([
        row(&[11, 13], -27),
        row(&[-11, -13], 45),
        row(&[7, -9], 10),
        row(&[-7, 9], 4),
    ]);
    assert_eq!(dark.solve(), Answer::Empty);
    // 7x + 12y + 31z = 17 and 3x + 5y + 14z = 7 with 1 <= x <= 40: Pugh's first example.
    let mut equations = System::new(3);
    equations.zero.extend([row(&[7, 12, 31], -17), row(&[3, 5, 14], -7)]);
    equations.at_least_zero.extend([row(&[1], -1), row(&[-1], 40)]);
    let Answer::Point(point) = equations.solve() else { panic!("{:?}", equations.solve()) };
    assert_eq!(equations.holds_at(&point), Some(true));
}

#[test]
fn what_does_not_fit_is_unknown() {
    // No 64-bit number fulfils it, and nothing wraps around on the way.
    let mut system = System::new(2);
    system.zero.push(row(&[1, 0], i64::MAX));
    system.zero.push(row(&[i64::MAX, -1], 0));
    system.at_least_zero.push(row(&[0, 1], 0));
    assert_eq!(system.solve(), Answer::Empty);
    let mut far = System::new(1);
    far.at_least_zero.push(row(&[1], i64::MIN));
    far.at_least_zero.push(row(&[2], i64::MIN));
    assert_eq!(far.solve(), Answer::Unknown);
}
