//! Elimination of unknowns: equations by substitution, inequalities by projection.

use super::number::Number;
use super::{Linear, System};
use smallvec::{SmallVec, smallvec};

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GaveUp {
    /// A number does not fit.
    Overflow,
    /// The steps are used up.
    Steps,
}

type Result<T> = std::result::Result<T, GaveUp>;

/// A solution, or that there is none.
type Found<T> = Result<Option<Vec<T>>>;

fn fits<T>(value: Option<T>) -> Result<T> {
    value.ok_or(GaveUp::Overflow)
}

/// A solver with a limited number of steps.
pub(super) struct Solver<T> {
    steps: u32,
    /// Stands for the width of the numbers.
    zero: T,
}

/// A sum of unknowns with coefficients, one for each, and a constant.
#[derive(Clone)]
struct Row<T> {
    coefficients: Coefficients<T>,
    constant: T,
}

/// Systems of loop nests have about a dozen unknowns.
type Coefficients<T> = SmallVec<[T; 12]>;

/// A system in the making: all rows have a coefficient for each unknown.
#[derive(Clone)]
struct Rows<T> {
    unknowns: usize,
    zero: Vec<Row<T>>,
    at_least_zero: Vec<Row<T>>,
}

/// A row that no point fulfils.
struct Contradiction;

/// The pairs of a lower and an upper bound that a projection combines.
struct Bounds {
    unknown: usize,
    /// Places of rows with a positive coefficient.
    lower: Vec<usize>,
    /// Places of rows with a negative one.
    upper: Vec<usize>,
    /// Whether every integer of the projection has one above it.
    is_exact: bool,
}

/// The bounds of an unknown on one side: the sizes of its coefficients.
#[derive(Default)]
struct Side<T> {
    rows: usize,
    /// `None`: of a bound whose size does not fit.
    largest: Option<T>,
}

impl<T: Number> Side<T> {
    fn add(&mut self, size: Option<T>) {
        self.largest = if self.rows == 0 { size } else { self.largest.zip(size).map(|(a, b)| a.max(b)) };
        self.rows += 1;
    }

    fn is_one(&self) -> bool {
        self.largest == Some(T::ONE)
    }
}

impl<T: Number> Row<T> {
    fn widened(row: &Linear, unknowns: usize) -> Row<T> {
        let mut coefficients: Coefficients<T> = row.coefficients.iter().map(|&a| T::widen(a)).collect();
        coefficients.resize(unknowns, T::default());
        Row { coefficients, constant: T::widen(row.constant) }
    }

    /// Adds `factor` times another row.
    fn add_row(&mut self, factor: T, other: &Row<T>) -> Result<()> {
        for (a, b) in self.coefficients.iter_mut().zip(&other.coefficients) {
            *a = fits(fits(factor.times(*b))?.plus(*a))?;
        }
        self.constant = fits(fits(factor.times(other.constant))?.plus(self.constant))?;
        Ok(())
    }

    /// Its value where every unknown but one has its value in `point`.
    fn without(&self, unknown: usize, point: &[T]) -> Result<T> {
        let mut sum = self.constant;
        for (n, (a, x)) in self.coefficients.iter().zip(point).enumerate() {
            if n != unknown {
                sum = fits(sum.plus(fits(a.times(*x))?))?;
            }
        }
        Ok(sum)
    }

    /// The greatest number that divides all coefficients; 0 if all are 0.
    fn divisor(&self) -> Result<T> {
        let mut divisor = T::default();
        for a in &self.coefficients {
            if !a.is_zero() {
                divisor = fits(a.magnitude())?.gcd(divisor);
            }
            if divisor == T::ONE {
                break;
            }
        }
        Ok(divisor)
    }

    /// Whether another row has the same coefficients with the other sign.
    fn is_opposite(&self, other: &Row<T>) -> bool {
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        pairs.into_iter().all(|(a, b)| a.negative() == Some(*b))
    }

    fn divide(&mut self, by: T) {
        if by == T::ONE {
            return;
        }
        for a in &mut self.coefficients {
            *a = a.floor_div(by);
        }
        self.constant = self.constant.floor_div(by);
    }
}

impl<T: Number> Rows<T> {
    /// Divides rows by what their coefficients have in common, drops those that always hold, and keeps the
    /// tightest of rows with equal coefficients.
    fn tidy(&mut self) -> Result<std::result::Result<(), Contradiction>> {
        let mut zero = Vec::with_capacity(self.zero.len());
        for mut row in std::mem::take(&mut self.zero) {
            let divisor = row.divisor()?;
            if divisor.is_zero() {
                if !row.constant.is_zero() {
                    return Ok(Err(Contradiction));
                }
                continue;
            }
            if !row.constant.modulo(divisor).is_zero() {
                return Ok(Err(Contradiction));
            }
            row.divide(divisor);
            zero.push(row);
        }
        // The steps of a search count these comparisons.
        let mut kept: Vec<Row<T>> = Vec::with_capacity(self.at_least_zero.len());
        for mut row in std::mem::take(&mut self.at_least_zero) {
            let divisor = row.divisor()?;
            if divisor.is_zero() {
                if row.constant.is_negative() {
                    return Ok(Err(Contradiction));
                }
                continue;
            }
            // Between two multiples of the divisor the sum has no value.
            row.divide(divisor);
            match kept.iter_mut().find(|other| other.coefficients == row.coefficients) {
                Some(other) => other.constant = other.constant.min(row.constant),
                None => kept.push(row),
            }
        }
        // `x >= 3` and `x <= 2` exclude each other; `x >= 3` and `x <= 3` are an equation.
        let mut is_spent = vec![false; kept.len()];
        for (at, row) in kept.iter().enumerate() {
            let later = kept[at + 1..].iter().position(|other| row.is_opposite(other));
            let Some(other) = later.map(|after| at + 1 + after) else { continue };
            let width = fits(row.constant.plus(kept[other].constant))?;
            if width.is_negative() {
                return Ok(Err(Contradiction));
            }
            if width.is_zero() {
                zero.push(row.clone());
                (is_spent[at], is_spent[other]) = (true, true);
            }
        }
        let mut spent = is_spent.iter();
        kept.retain(|_| !spent.next().copied().unwrap_or(false));
        (self.zero, self.at_least_zero) = (zero, kept);
        Ok(Ok(()))
    }

    /// Puts `row` in the place of an unknown.
    fn substitute(&mut self, unknown: usize, row: &Row<T>) -> Result<()> {
        for other in self.zero.iter_mut().chain(&mut self.at_least_zero) {
            let factor = std::mem::take(&mut other.coefficients[unknown]);
            if !factor.is_zero() {
                other.add_row(factor, row)?;
            }
        }
        Ok(())
    }

    fn add_unknown(&mut self) -> usize {
        for row in self.zero.iter_mut().chain(&mut self.at_least_zero) {
            row.coefficients.push(T::default());
        }
        self.unknowns += 1;
        self.unknowns - 1
    }

    /// The unknown whose projection is exact, if there is such a one, and makes the fewest rows.
    fn choose(&self) -> Option<Bounds> {
        let mut best = None;
        for unknown in 0..self.unknowns {
            let (mut lower, mut upper) = (Side::default(), Side::default());
            for row in &self.at_least_zero {
                let coefficient = row.coefficients[unknown];
                let side = if coefficient.is_negative() { &mut upper } else { &mut lower };
                if !coefficient.is_zero() {
                    side.add(coefficient.magnitude());
                }
            }
            if lower.rows == 0 && upper.rows == 0 {
                continue;
            }
            let is_exact = lower.rows == 0 || upper.rows == 0 || lower.is_one() || upper.is_one();
            // Where a projection is not exact, small coefficients leave little to search.
            let searched = if is_exact { None } else { upper.largest };
            let cost = (!is_exact, searched, lower.rows * upper.rows);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, unknown));
            }
        }
        let ((is_searched, ..), unknown) = best?;
        let at = |wanted: fn(T) -> bool| {
            let rows = self.at_least_zero.iter().enumerate();
            rows.filter(|(_, row)| wanted(row.coefficients[unknown])).map(|(n, _)| n).collect()
        };
        let (lower, upper) = (at(T::is_positive), at(T::is_negative));
        Some(Bounds { unknown, lower, upper, is_exact: !is_searched })
    }

    /// The rows without an unknown; `dark` leaves out points above which there may be no integer.
    fn project(&self, bounds: &Bounds, dark: bool) -> Result<Rows<T>> {
        let is_free = |row: &&Row<T>| row.coefficients[bounds.unknown].is_zero();
        let mut at_least_zero: Vec<Row<T>> = self.at_least_zero.iter().filter(is_free).cloned().collect();
        for &lower in &bounds.lower {
            for &upper in &bounds.upper {
                let (lower, upper) = (&self.at_least_zero[lower], &self.at_least_zero[upper]);
                let a = lower.coefficients[bounds.unknown];
                let b = fits(upper.coefficients[bounds.unknown].negative())?;
                let nothing = smallvec![T::default(); self.unknowns];
                let mut row = Row { coefficients: nothing, constant: T::default() };
                row.add_row(a, upper)?;
                row.add_row(b, lower)?;
                if dark {
                    let gap = fits(fits(a.minus(T::ONE))?.times(fits(b.minus(T::ONE))?))?;
                    row.constant = fits(row.constant.minus(gap))?;
                }
                at_least_zero.push(row);
            }
        }
        Ok(Rows { unknowns: self.unknowns, zero: Vec::new(), at_least_zero })
    }

    /// Lower bounds of an unknown, each with how far above it there can be integers that the dark shadow
    /// lacks.
    fn near_bounds(&self, bounds: &Bounds) -> Result<Vec<(usize, T)>> {
        let coefficient = |n: usize| self.at_least_zero[n].coefficients[bounds.unknown];
        let mut most = T::ONE;
        for &upper in &bounds.upper {
            most = most.max(fits(coefficient(upper).negative())?);
        }
        let reach = |&lower: &usize| {
            let a = coefficient(lower);
            let all = fits(fits(fits(a.times(most))?.minus(a))?.minus(most))?;
            Ok((lower, all.floor_div(most)))
        };
        bounds.lower.iter().map(reach).collect()
    }

    /// The row with the nearest opposite row, and the distance of the two.
    fn narrowest(&self) -> Result<Option<(usize, T)>> {
        let mut best: Option<(usize, T)> = None;
        for (n, row) in self.at_least_zero.iter().enumerate() {
            let after = self.at_least_zero[n + 1..].iter();
            for other in after.filter(|other| row.is_opposite(other)) {
                let width = fits(row.constant.plus(other.constant))?;
                if best.is_none_or(|(_, least)| width < least) {
                    best = Some((n, width));
                }
            }
        }
        Ok(best)
    }

    /// The value of an unknown whose bounds are known once all others are: its least, or its largest if it
    /// has no least.
    fn pick(&self, bounds: &Bounds, point: &[T]) -> Result<T> {
        let mut least: Option<T> = None;
        for &lower in &bounds.lower {
            let row = &self.at_least_zero[lower];
            let rest = fits(row.without(bounds.unknown, point)?.negative())?;
            let value = fits(rest.ceil_div(row.coefficients[bounds.unknown]))?;
            least = Some(least.map_or(value, |least| least.max(value)));
        }
        if let Some(least) = least {
            return Ok(least);
        }
        let mut most: Option<T> = None;
        for &upper in &bounds.upper {
            let row = &self.at_least_zero[upper];
            let rest = row.without(bounds.unknown, point)?;
            let value = rest.floor_div(fits(row.coefficients[bounds.unknown].negative())?);
            most = Some(most.map_or(value, |most| most.min(value)));
        }
        Ok(most.unwrap_or_default())
    }
}

impl<T: Number> Solver<T> {
    pub(super) fn new(steps: u32) -> Solver<T> {
        Solver { steps, zero: T::default() }
    }

    /// A solution of a system where further expressions are zero or more.
    pub(super) fn solve(&mut self, system: &System, more: &[&Linear]) -> Found<T> {
        let widened = |row: &Linear| Row::widened(row, system.unknowns);
        let zero = system.zero.iter().map(widened).collect();
        let at_least_zero = system.at_least_zero.iter().chain(more.iter().copied()).map(widened).collect();
        self.rows(Rows { unknowns: system.unknowns, zero, at_least_zero })
    }

    fn rows(&mut self, mut rows: Rows<T>) -> Found<T> {
        // Rows are compared with each other, so that many cost more than their number.
        let count = u32::try_from(rows.at_least_zero.len()).unwrap_or(u32::MAX);
        let cost = 1 + count.saturating_mul(count) / 256;
        self.steps = self.steps.checked_sub(cost).ok_or(GaveUp::Steps)?;
        if let Err(Contradiction) = rows.tidy()? {
            return Ok(None);
        }
        if !rows.zero.is_empty() {
            return self.equation(rows);
        }
        match rows.choose() {
            None => Ok(Some(vec![self.zero; rows.unknowns])),
            Some(bounds) => self.inequalities(&rows, &bounds),
        }
    }

    /// Takes one unknown out by an equation.
    fn equation(&mut self, mut rows: Rows<T>) -> Found<T> {
        // The equation with the smallest coefficient, and its place there.
        let mut best: Option<(T, usize, usize)> = None;
        for (n, row) in rows.zero.iter().enumerate() {
            for (unknown, a) in row.coefficients.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
                let size = fits(a.magnitude())?;
                if best.is_none_or(|(least, ..)| size < least) {
                    best = Some((size, n, unknown));
                }
            }
        }
        let Some((size, n, unknown)) = best else { return self.rows(rows) };
        let is_negative = rows.zero[n].coefficients[unknown].is_negative();
        if size == T::ONE {
            let mut value = rows.zero.swap_remove(n);
            value.coefficients[unknown] = T::default();
            if !is_negative {
                value = negated(&value)?;
            }
            return self.substituted(rows, unknown, &value);
        }
        // No coefficient is 1: a new unknown `s` makes one. With residues modulo `size + 1` that are at most
        // half of it, the equation says: sum of residues = (size + 1) * s, where the residue of the unknown
        // is 1 or -1.
        let modulus = fits(size.plus(T::ONE))?;
        let residue = |a: T| {
            let rest = a.modulo(modulus);
            let twice = fits(rest.plus(rest))?;
            if twice < modulus { Ok(rest) } else { fits(rest.minus(modulus)) }
        };
        let row = &rows.zero[n];
        let coefficients: Result<Coefficients<T>> = row.coefficients.iter().map(|&a| residue(a)).collect();
        let mut value = Row { coefficients: coefficients?, constant: residue(row.constant)? };
        let sign = value.coefficients[unknown];
        value.coefficients[unknown] = T::default();
        let new = rows.add_unknown();
        value.coefficients.push(fits(modulus.negative())?);
        debug_assert_eq!(new + 1, value.coefficients.len());
        if sign.is_positive() {
            value = negated(&value)?;
        }
        let found = self.substituted(rows, unknown, &value)?;
        Ok(found.map(|mut point| {
            point.pop();
            point
        }))
    }

    /// Solves the rows with `value` in the place of an unknown, which has that value in the solution.
    fn substituted(&mut self, mut rows: Rows<T>, unknown: usize, value: &Row<T>) -> Found<T> {
        rows.substitute(unknown, value)?;
        let Some(mut point) = self.rows(rows)? else { return Ok(None) };
        point[unknown] = value.without(unknown, &point)?;
        Ok(Some(point))
    }

    /// Takes one unknown out of the inequalities.
    fn inequalities(&mut self, rows: &Rows<T>, bounds: &Bounds) -> Found<T> {
        let above = |point: Option<Vec<T>>| {
            let Some(mut point) = point else { return Ok(None) };
            point[bounds.unknown] = rows.pick(bounds, &point)?;
            Ok(Some(point))
        };
        if bounds.is_exact {
            return above(self.rows(rows.project(bounds, false)?)?);
        }
        let dark = self.rows(rows.project(bounds, true)?)?;
        if dark.is_some() {
            return above(dark);
        }
        if self.rows(rows.project(bounds, false)?)?.is_none() {
            return Ok(None);
        }
        // A solution outside of the dark shadow is close above one of the lower bounds, and within any two
        // bounds that are opposite; each distance from a bound is an equation.
        let near = rows.near_bounds(bounds)?;
        let between = rows.narrowest()?;
        let cost = |ways: &[(usize, T)]| {
            ways.iter().try_fold(T::default(), |sum, (_, reach)| sum.plus(*reach)?.plus(T::ONE))
        };
        let ways = match between {
            Some(between) if Some(fits(between.1.plus(T::ONE))?) < cost(&near) => vec![between],
            _ => near,
        };
        for (bound, reach) in ways {
            let mut distance = T::default();
            while distance <= reach {
                let mut at = rows.clone();
                let mut row = rows.at_least_zero[bound].clone();
                row.constant = fits(row.constant.minus(distance))?;
                at.zero.push(row);
                if let Some(point) = self.rows(at)? {
                    return Ok(Some(point));
                }
                distance = fits(distance.plus(T::ONE))?;
            }
        }
        Ok(None)
    }
}

fn negated<T: Number>(row: &Row<T>) -> Result<Row<T>> {
    let coefficients: Option<Coefficients<T>> = row.coefficients.iter().map(|a| a.negative()).collect();
    Ok(Row { coefficients: fits(coefficients)?, constant: fits(row.constant.negative())? })
}
