//! Two versions of a nest: one whose loops are parallel, and one that is executed where what they touch
//! overlaps.
//!
//! The test is made on the device, in front of the nest, with the values that variables have there: two
//! pointers that lead to different objects of the host lead to different ones on the device.

use super::found::{Finding, Findings, Reason};
use crate::acc::LoopKind;
use crate::analysis::boxes::{ByteBox, Projections, is_computable};
use crate::analysis::depend::{Hindrance, Row};
use crate::analysis::sums::{Atom, Atoms, Kind, Sum};
use crate::analysis::survey::{Survey, Touch};
use crate::builder::Cursor;
use crate::edit::evaluate::Evaluator;
use crate::edit::version::add_version;
use crate::function::{Body, LoopData};
use crate::op::{BinaryOp, Operand};
use crate::types::Type;

/// Tests of a nest that are worth the loop.
const MOST_TESTS: usize = 32;

/// What is tested in front of a nest.
#[derive(Clone, Debug)]
pub enum Test {
    /// Bytes must not overlap.
    Apart {
        /// Two of the accesses that the test is for.
        touches: (usize, usize),
        /// All bytes that the test is about.
        boxes: (ByteBox, ByteBox),
    },
    /// Places in a row must be within it.
    Within {
        /// An access that the test is for.
        touch: usize,
        /// All places in the row, from 0 on.
        places: ByteBox,
        /// The length of the row.
        size: Sum,
    },
}

impl Test {
    /// Whether another test asks for the same.
    pub fn is_alike(&self, other: &Test) -> bool {
        match (self, other) {
            (Test::Apart { boxes, .. }, Test::Apart { boxes: others, .. }) => boxes == others,
            (Test::Within { places, size, .. }, Test::Within { places: others, size: length, .. }) => {
                places == others && size == length
            }
            _ => false,
        }
    }
}

/// Finds what has to be tested for the loops of a nest; a loop for which that is not known before the nest,
/// or too much, is sequential.
pub fn find_tests(body: &Body, findings: &mut Findings) {
    let mut atoms = std::mem::take(&mut findings.survey.atoms);
    let survey = &findings.survey;
    let mut boxes = Boxes::default();
    for finding in &mut findings.list {
        if finding.reason.is_some() || !finding.has_condition() {
            continue;
        }
        match tests(body, survey, (&mut atoms, &mut boxes), finding) {
            Ok(tests) => finding.tests = tests,
            Err((a, b)) => {
                let same = survey.touches[a].root == survey.touches[b].root;
                let hindrance = if same { Hindrance::Subscript(a, b) } else { Hindrance::Alias(a, b) };
                finding.reason = Some(Reason::Hindrance(hindrance));
            }
        }
    }
    findings.survey.atoms = atoms;
}

/// The boxes of a nest: loops in each other have tests of the same accesses.
#[derive(Default)]
struct Boxes {
    projections: Projections,
    /// By the places of the accesses; `None`: they have none.
    known: Vec<(Vec<usize>, Option<ByteBox>)>,
}

impl Boxes {
    fn of(&mut self, body: &Body, survey: &Survey, atoms: &mut Atoms, touches: &[usize]) -> Option<ByteBox> {
        if let Some((_, known)) = self.known.iter().find(|(places, _)| places == touches) {
            return known.clone();
        }
        let accesses = touches.iter().map(|&n| &survey.touches[n]);
        let found = ByteBox::of(atoms, &mut self.projections, accesses, |atoms, atom| {
            is_computable(atoms, atom, &|atoms, atom| is_loaded_first(body, survey, atoms, atom))
        });
        let found = found.ok();
        self.known.push((touches.to_vec(), found.clone()));
        found
    }
}

fn tests(
    body: &Body,
    survey: &Survey,
    (atoms, boxes): (&mut Atoms, &mut Boxes),
    finding: &Finding,
) -> Result<Vec<Test>, (usize, usize)> {
    let mut seen: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    let mut tests: Vec<Test> = Vec::new();
    for row in &finding.rows {
        let unknown = (row.touch, row.touch);
        let test = row_test(body, survey, (atoms, boxes), row).ok_or(unknown)?;
        if !tests.iter().any(|known| known.is_alike(&test)) {
            tests.push(test);
        }
        if tests.len() > MOST_TESTS {
            return Err(unknown);
        }
    }
    for &(a, b) in &finding.apart {
        let [root, other] = [a, b].map(|touch| survey.touches[touch].root);
        // Two pointers: everything that is touched through either. One pointer: the two accesses.
        let of_root = |root: Option<Atom>| -> Vec<usize> {
            let touches = survey.touches.iter().enumerate();
            touches.filter(|(_, touch)| touch.root == root).map(|(n, _)| n).collect()
        };
        let (left, right) = if root == other { (vec![a], vec![b]) } else { (of_root(root), of_root(other)) };
        if seen.contains(&(left.clone(), right.clone())) || seen.contains(&(right.clone(), left.clone())) {
            continue;
        }
        let mut whole = |touches: &[usize]| boxes.of(body, survey, atoms, touches);
        let (Some(one), Some(two)) = (whole(&left), whole(&right)) else { return Err((a, b)) };
        seen.push((left, right));
        tests.push(Test::Apart { touches: (a, b), boxes: (one, two) });
        if tests.len() > MOST_TESTS {
            return Err((a, b));
        }
    }
    Ok(tests)
}

/// The test whether an access stays within its row.
fn row_test(
    body: &Body,
    survey: &Survey,
    (atoms, boxes): (&mut Atoms, &mut Boxes),
    row: &Row,
) -> Option<Test> {
    let Row { touch, place, bytes, size } = row.clone();
    let is_known = |atoms: &Atoms, atom| {
        is_computable(atoms, atom, &|atoms, atom| is_loaded_first(body, survey, atoms, atom))
    };
    if !size.atoms().all(|atom| is_known(atoms, atom)) {
        return None;
    }
    let access = Touch { address: place, bytes, ..survey.touches[touch].clone() };
    let places = ByteBox::of(atoms, &mut boxes.projections, [&access], is_known).ok()?;
    Some(Test::Within { touch, places, size })
}

/// Whether an element of memory is one that may be loaded in front of the nest: a variable, or what the nest
/// loads first of all.
fn is_loaded_first(body: &Body, survey: &Survey, atoms: &Atoms, atom: Atom) -> bool {
    let Kind::Element { ty, at } = &atoms.data(atom).kind else { return false };
    let is_variable = at.as_atom().is_some_and(|atom| matches!(atoms.data(atom).kind, Kind::Object(_)));
    is_variable
        || survey.touches.iter().any(|touch| {
            let is_outermost =
                body.loops[touch.loop_].parent.is_none_or(|parent| !survey.loops.contains_key(&parent));
            touch.control.is_empty() && is_outermost && touch.ty == Some(*ty) && touch.address == *at
        })
}

/// Puts a test in front of a nest, and behind it a copy of the nest as it is; the nest itself is executed
/// where the test holds. `None`, and nothing is changed, if the test cannot be written.
pub fn split(body: &mut Body, survey: &Survey, tests: &[&Test]) -> Option<()> {
    let loop_ = survey.outermost;
    let LoopData { preheader, pos, .. } = body.loops[loop_];
    let before = body.blocks[preheader].insts.len();
    let cursor = Cursor::with_pos(body, preheader, pos);
    let mut evaluator = Evaluator::new(cursor, &survey.atoms, &|_| None);
    let mut all = Some(Operand::Int(Type::I1, 1));
    for (n, test) in tests.iter().enumerate() {
        let one = match test {
            Test::Apart { boxes: (a, b), .. } => evaluator.are_apart(a, b),
            Test::Within { places, size, .. } => evaluator.is_within(places, size),
        };
        all = all.zip(one).map(
            |(all, one)| {
                if n == 0 { one } else { evaluator.cursor().binary(BinaryOp::And, all, one) }
            },
        );
    }
    let Some(holds) = all else {
        body.blocks[preheader].insts.truncate(before);
        return None;
    };
    debug_assert_eq!(body.operand_type(holds), Type::I1, "a truth value");
    add_version(body, loop_, holds, |data| {
        if let Some(directive) = &mut data.directive
            && directive.kind != LoopKind::Independent
        {
            directive.kind = LoopKind::Seq;
            // Nothing is said about the copy, unless clauses give it variables of its own.
            if directive.private.is_empty() && directive.reductions.is_empty() {
                data.directive = None;
            }
        }
    });
    Some(())
}
