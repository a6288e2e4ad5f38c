//! Systems of linear equations and inequalities over the integers, solved exactly.
//!
//! Whether two accesses touch the same word in different iterations is such a system: bounds of loops, guards
//! and equal subscripts, with the counters of both iterations as unknowns. For instance `a[2 * i]` against
//! `a[2 * j + 1]` asks for integers with `2i - 2j - 1 = 0`, of which there are none, though there are
//! fractions.
//!
//! The way is the Omega test (W. Pugh, "A practical algorithm for exact array dependence analysis", CACM
//! 1992). Equations are taken out one unknown each. Then unknowns are projected away: where one of the two
//! coefficients of each pair of a lower and an upper bound is 1, the projection is exact. Elsewhere its *dark
//! shadow* holds only points above which there certainly is an integer; where that is empty and the plain
//! shadow is not, what is left lies close above a lower bound, and is searched there, one distance from the
//! bound at a time.
//!
//! A system that has solutions is answered with one of them, so that a dependence can be shown with its
//! iterations. Numbers are 64 bits first, then 128; where those overflow, or the search takes too many steps,
//! the answer is [`Answer::Unknown`].

mod number;
mod shadow;
#[cfg(test)]
mod tests;

use number::Number;
use shadow::Solver;
use smallvec::SmallVec;

/// The left side of an equation or inequality: a sum of unknowns with coefficients, and a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    /// Coefficients by unknown; those behind the end are 0.
    pub coefficients: Vec<i64>,
    /// Added to the sum.
    pub constant: i64,
}

/// Equations and inequalities that hold at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct System {
    /// How many unknowns there are.
    pub unknowns: usize,
    /// Each is zero.
    pub zero: Vec<Linear>,
    /// Each is zero or more.
    pub at_least_zero: Vec<Linear>,
}

/// What is known about the solutions of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There are none.
    Empty,
    /// This is one: a value for each unknown.
    Point(Vec<i64>),
    /// Numbers grew beyond 128 bits, or the search beyond [`MOST_STEPS`].
    Unknown,
}

/// Projections of unknowns that a system may take. Systems of loop nests take some dozens.
pub const MOST_STEPS: u32 = 4000;

/// Steps from zero to a solution that are tried before unknowns are eliminated.
const NEAR_STEPS: u32 = 6;

/// By how much an unknown with a factor has to change so that a row with this value is zero or more, or
/// zero in an equation; `None` if no number does it.
fn step(value: i64, factor: i64, is_equation: bool) -> Option<i64> {
    // Rounded up: the row is below zero.
    let steps = value.div_euclid(factor.checked_abs()?).checked_neg()?;
    let is_exact = !is_equation || value.checked_rem(factor) == Some(0);
    is_exact.then_some(())?;
    steps.checked_mul(factor.signum())
}

impl Linear {
    /// A constant.
    pub fn constant(constant: i64) -> Linear {
        Linear { coefficients: Vec::new(), constant }
    }

    /// Zero, with room for unknowns below a number.
    pub fn with_room(unknowns: usize) -> Linear {
        Linear { coefficients: Vec::with_capacity(unknowns + 4), constant: 0 }
    }

    /// The coefficient of an unknown.
    pub fn coefficient(&self, unknown: usize) -> i64 {
        self.coefficients.get(unknown).copied().unwrap_or(0)
    }

    /// Adds `factor` times an unknown; `None` if that overflows.
    pub fn add(&mut self, unknown: usize, factor: i64) -> Option<()> {
        if self.coefficients.len() <= unknown {
            self.coefficients.resize(unknown + 1, 0);
        }
        let coefficient = &mut self.coefficients[unknown];
        *coefficient = coefficient.checked_add(factor)?;
        Some(())
    }

    /// Its value at a point; `None` if that overflows.
    pub fn at(&self, point: &[i64]) -> Option<i64> {
        let terms = self.coefficients.iter().zip(point);
        terms.map(|(a, x)| a.checked_mul(*x)).try_fold(self.constant, |sum, term| sum.checked_add(term?))
    }
}

impl System {
    /// A system without conditions.
    pub fn new(unknowns: usize) -> System {
        System { unknowns, ..System::default() }
    }

    /// Whether a point is a solution; `None` if that overflows.
    pub fn holds_at(&self, point: &[i64]) -> Option<bool> {
        for row in &self.zero {
            if row.at(point)? != 0 {
                return Some(false);
            }
        }
        for row in &self.at_least_zero {
            if row.at(point)? < 0 {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Finds a solution, or that there is none.
    pub fn solve(&self) -> Answer {
        self.solve_with(&[])
    }

    /// Whether there is no solution for certain. Which one there is does not matter then, and one that is
    /// easily found saves the eliminations.
    pub fn is_empty(&self) -> bool {
        self.near_point().is_none() && self.solve() == Answer::Empty
    }

    /// A solution that a few steps from zero on lead to: each takes one unknown just as far as a row asks
    /// that does not hold, the one that leaves the fewest such rows.
    fn near_point(&self) -> Option<Vec<i64>> {
        // The equations come first.
        let equations = self.zero.len();
        let rows: SmallVec<[&Linear; 32]> = self.zero.iter().chain(&self.at_least_zero).collect();
        let fails = |row: usize, value: i64| value < 0 || value > 0 && row < equations;
        let mut point = vec![0; self.unknowns];
        let mut values: SmallVec<[i64; 32]> = rows.iter().map(|row| row.constant).collect();
        for _ in 0..NEAR_STEPS {
            let failing = (0..rows.len()).find(|&row| fails(row, values[row]));
            let Some(row) = failing else { return Some(point) };
            let mut best: Option<(usize, usize, i64)> = None;
            for (unknown, &factor) in rows[row].coefficients.iter().enumerate().filter(|(_, it)| **it != 0) {
                // What overflows is no way to go.
                let Some(step) = step(values[row], factor, row < equations) else { continue };
                let mut left = 0;
                let fits = rows.iter().enumerate().all(|(n, row)| {
                    let value = row.coefficient(unknown).checked_mul(step);
                    let value = value.and_then(|value| value.checked_add(values[n]));
                    left += usize::from(value.is_some_and(|value| fails(n, value)));
                    value.is_some()
                });
                if fits && best.is_none_or(|(least, ..)| left < least) {
                    best = Some((left, unknown, step));
                }
            }
            let (_, unknown, step) = best?;
            point[unknown] = i64::checked_add(point[unknown], step)?;
            for (value, row) in values.iter_mut().zip(&rows) {
                *value += row.coefficient(unknown) * step;
            }
        }
        None
    }

    /// The same, where further expressions are zero or more.
    fn solve_with(&self, more: &[&Linear]) -> Answer {
        self.solve_in::<i64>(more).or_else(|| self.solve_in::<i128>(more)).unwrap_or(Answer::Unknown)
    }

    /// The same, with numbers of one width; `None` if they overflow.
    fn solve_in<T: Number>(&self, more: &[&Linear]) -> Option<Answer> {
        let mut solver = Solver::<T>::new(MOST_STEPS);
        match solver.solve(self, more) {
            Ok(None) => Some(Answer::Empty),
            Ok(Some(point)) => {
                let point: Option<Vec<i64>> = point.into_iter().map(|x| x.narrow()).collect();
                // A solution beyond 64 bits is none that a program could reach, and none that can be shown.
                Some(point.map_or(Answer::Unknown, Answer::Point))
            }
            Err(shadow::GaveUp::Overflow) => None,
            Err(shadow::GaveUp::Steps) => Some(Answer::Unknown),
        }
    }

    /// The least value that a linear expression of at least `from` takes on solutions, with the solution;
    /// asks up to `questions` systems.
    pub fn least(&self, of: &Linear, from: i64, questions: u32) -> Answer {
        // The expression is at least `from`, and less than what the last solution has.
        let above = Linear { constant: of.constant.saturating_sub(from), ..of.clone() };
        let mut best = self.solve_with(&[&above]);
        if best == Answer::Empty {
            return best;
        }
        let negated = |value: &i64| value.checked_neg();
        let Some(coefficients) = of.coefficients.iter().map(negated).collect::<Option<Vec<i64>>>() else {
            return best;
        };
        let (mut low, mut asked) = (from, 0);
        while let Answer::Point(point) = &best {
            let Some(value) = of.at(point).filter(|&value| value > low && asked < questions) else { break };
            asked += 1;
            let middle = low + (value - low) / 2;
            let Some(constant) = middle.checked_sub(of.constant) else { break };
            let below = Linear { coefficients: coefficients.clone(), constant };
            match self.solve_with(&[&above, &below]) {
                Answer::Point(point) => best = Answer::Point(point),
                Answer::Empty => low = middle + 1,
                Answer::Unknown => break,
            }
        }
        best
    }
}
