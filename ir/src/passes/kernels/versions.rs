//! Two versions of a nest: one whose loops are parallel, and one that is executed where what they touch
//! overlaps.
//!
//! The test is made on the device, in front of the nest, with the values that variables have there: two
//! pointers that lead to different objects of the host lead to different ones on the device. So it names
//! pointers that the construct has ([`Carriers`]), whatever they were computed from in front of it.

use super::found::{Finding, Findings, Reason};
use crate::acc::LoopKind;
use crate::analysis::boxes::{self, Bound, ByteBox, Projections};
use crate::analysis::computable::is_computable;
use crate::analysis::depend::{Hindrance, Row};
use crate::analysis::facts::Limits;
use crate::analysis::sums::{Atom, Atoms, Kind, Name, Sum, range};
use crate::analysis::survey::{Assumption, Survey, Touch, Whole};
use crate::builder::Cursor;
use crate::edit::evaluate::Evaluator;
use crate::edit::version::add_version;
use crate::entities::{Construct, Local};
use crate::function::{Body, LoopData};
use crate::op::{BinaryOp, Op, Operand, Pos};
use crate::types::Type;
use crate::visit::Part;
use rustc_hash::{FxHashMap, FxHashSet};

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
        /// The pointers by which the boxes are named, where the survey has other names.
        by: (Option<Local>, Option<Local>),
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
    /// Numbers must stay within limits.
    Exact {
        /// The place of one of them.
        pos: Pos,
        /// All of them.
        numbers: ByteBox,
        /// The limits.
        limits: Limits,
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
            (
                Test::Exact { numbers, limits, .. },
                Test::Exact { numbers: others, limits: other_limits, .. },
            ) => numbers == others && limits == other_limits,
            _ => false,
        }
    }
}

/// Finds what has to be tested for the loops of a nest; a loop for which that is not known before the nest,
/// or too much, is sequential.
pub fn find_tests(whole: &Whole<'_>, construct: Option<Construct>, findings: &mut Findings) {
    if !findings.list.iter().any(|finding| finding.reason.is_none() && finding.has_condition()) {
        return;
    }
    let mut atoms = std::mem::take(&mut findings.survey.atoms);
    let survey = &findings.survey;
    let mut boxes = Boxes::new(whole, construct, survey, &mut atoms);
    let exact = exact_tests((&mut atoms, &mut boxes));
    for finding in &mut findings.list {
        if finding.reason.is_some() || !finding.has_condition() {
            continue;
        }
        let Some(exact) = &exact else {
            finding.reason = Some(Reason::Uncounted);
            continue;
        };
        match tests(survey, (&mut atoms, &mut boxes), finding) {
            Ok(tests) => finding.tests = exact.iter().cloned().chain(tests).collect(),
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
struct Boxes<'a> {
    body: &'a Body,
    survey: &'a Survey,
    /// The accesses, by the names that the construct has.
    touches: Vec<Touch>,
    carriers: Carriers,
    /// What the construct mentions, if the nest is in one.
    mentioned: Option<FxHashSet<Operand>>,
    projections: Projections,
    /// By the places of the accesses; `None`: they have none.
    known: Vec<(Vec<usize>, Option<ByteBox>)>,
}

impl<'a> Boxes<'a> {
    fn new(
        whole: &Whole<'a>,
        construct: Option<Construct>,
        survey: &'a Survey,
        atoms: &mut Atoms,
    ) -> Boxes<'a> {
        let body = whole.body;
        let carriers = Carriers::of(whole, construct, survey);
        Boxes {
            body,
            survey,
            touches: carriers.rename(survey, atoms),
            carriers,
            mentioned: construct.map(|construct| mentioned(body, construct)),
            projections: Projections::default(),
            known: Vec::new(),
        }
    }

    fn of(&mut self, atoms: &mut Atoms, touches: &[usize]) -> Option<ByteBox> {
        if let Some((_, known)) = self.known.iter().find(|(places, _)| places == touches) {
            return known.clone();
        }
        let Boxes { touches: all, projections, .. } = self;
        let accesses = touches.iter().map(|&n| &all[n]);
        let (body, survey, mentioned) = (self.body, self.survey, &self.mentioned);
        let found = ByteBox::of(atoms, projections, accesses, |atoms, atom| {
            is_known(body, survey, mentioned.as_ref(), atoms, atom)
        });
        let found = found.ok();
        self.known.push((touches.to_vec(), found.clone()));
        found
    }

    /// The pointer that gives an access its name here, if the survey has another one.
    fn renamed(&self, touch: usize) -> Option<Local> {
        let carrier = self.carriers.of[touch]?;
        self.survey.renamed.iter().any(|(local, _)| *local == carrier).then_some(carrier)
    }

    /// Some accesses, apart by the pointers that lead to them: what is one object of the host may be several
    /// on the device, one for the section of each pointer.
    fn by_carrier(&self, touches: Vec<usize>) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for touch in touches {
            let of = |group: &Vec<usize>| self.carriers.of[group[0]] == self.carriers.of[touch];
            match groups.iter_mut().find(|group| of(group)) {
                Some(group) => group.push(touch),
                None => groups.push(vec![touch]),
            }
        }
        groups
    }
}

/// Whether an atom can be computed in front of the nest, from what the construct has.
fn is_known(
    body: &Body,
    survey: &Survey,
    mentioned: Option<&FxHashSet<Operand>>,
    atoms: &Atoms,
    atom: Atom,
) -> bool {
    is_computable(atoms, atom, &|atoms, atom| is_loaded_first(body, survey, atoms, atom))
        && mentioned.is_none_or(|mentioned| has_names(body, mentioned, atoms, atom))
}

/// Whether the construct mentions the variables and objects that an atom is made of. Integers that it does
/// not mention travel with it.
fn has_names(body: &Body, mentioned: &FxHashSet<Operand>, atoms: &Atoms, atom: Atom) -> bool {
    let kind = &atoms.data(atom).kind;
    match *kind {
        Kind::Entry(local) => body.locals[local].ty.is_int() || mentioned.contains(&Operand::Local(local)),
        Kind::Object(Name::Slot(slot)) => mentioned.contains(&Operand::Slot(slot)),
        Kind::Object(Name::Global(global)) => mentioned.contains(&Operand::Global(global)),
        _ => {
            let mut has_all = true;
            kind.inputs(|sum| has_all &= sum.atoms().all(|input| has_names(body, mentioned, atoms, input)));
            has_all
        }
    }
}

/// The variables and objects that the code of a construct mentions.
fn mentioned(body: &Body, construct: Construct) -> FxHashSet<Operand> {
    let mut found: FxHashSet<Operand> = FxHashSet::default();
    let mut note = |part: Part<'_>| found.extend(part.operand());
    for block in body.construct_blocks(construct) {
        let code = &body.blocks[block];
        code.insts.iter().for_each(|inst| inst.op.parts(&mut note));
        code.term.parts(&mut note);
    }
    found
}

/// By which pointers, of those that a nest finds, its accesses go: `p` for `p[i]` of `p = q + n`, where the
/// survey says `q + n + i`. The construct has `p`, and need not have `q`; and if it has both, each may lead
/// to a copy of its own section.
struct Carriers {
    /// By the places of the accesses.
    of: Vec<Option<Local>>,
}

impl Carriers {
    fn of(whole: &Whole<'_>, construct: Option<Construct>, survey: &Survey) -> Carriers {
        let body = whole.body;
        if construct.is_none() || survey.renamed.is_empty() {
            return Carriers { of: vec![None; survey.touches.len()] };
        }
        let header = body.loops[survey.outermost].header;
        let mut sources: FxHashMap<Local, Vec<Local>> = FxHashMap::default();
        for block in whole.nest.blocks(survey.outermost) {
            for inst in &body.blocks[block].insts {
                if let Op::Copy { dst, src: Operand::Local(from) }
                | Op::Index { dst, base: Operand::Local(from), .. } = inst.op
                {
                    sources.entry(dst).or_default().push(from);
                }
            }
        }
        let carrier = |touch: &Touch| {
            let op = &body.blocks[touch.at.0].insts[touch.at.1].op;
            let mut base = None;
            op.parts(|part| {
                if let Part::Address(address) = part {
                    // Of a copy from object to object, the operands are not told apart.
                    base = if base.is_none() { Some(address.base) } else { Some(Operand::Int(Type::I64, 0)) };
                }
            });
            let mut seen = vec![base?.as_local()?];
            let mut next = 0;
            while let Some(local) = seen.get(next) {
                let new = sources.get(local).into_iter().flatten().filter(|from| !seen.contains(from));
                let new: Vec<Local> = new.copied().collect();
                seen.extend(new);
                next += 1;
            }
            let mut found = seen.into_iter().filter(|&local| whole.live.is_live_in(local, header));
            found.next().filter(|_| found.next().is_none())
        };
        Carriers { of: survey.touches.iter().map(carrier).collect() }
    }

    /// The accesses, with addresses by their carriers.
    fn rename(&self, survey: &Survey, atoms: &mut Atoms) -> Vec<Touch> {
        let mut renamed = |(touch, carrier): (&Touch, &Option<Local>)| {
            let name = |local: Local| survey.renamed.iter().find(|(other, _)| *other == local);
            let address = carrier.and_then(name).and_then(|(local, value)| {
                let entry = atoms.intern(Kind::Entry(*local), None, range(Type::Ptr, true));
                touch.address.plus(-1, value)?.plus(1, &Sum::atom(entry))
            });
            let address = address.unwrap_or_else(|| touch.address.clone());
            Touch { address, ..touch.clone() }
        };
        survey.touches.iter().zip(&self.of).map(&mut renamed).collect()
    }
}

fn tests(
    survey: &Survey,
    (atoms, boxes): (&mut Atoms, &mut Boxes<'_>),
    finding: &Finding,
) -> Result<Vec<Test>, (usize, usize)> {
    let mut seen: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    let mut tests: Vec<Test> = Vec::new();
    for row in &finding.rows {
        let unknown = (row.touch, row.touch);
        let test = row_test((atoms, boxes), row).ok_or(unknown)?;
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
        seen.push((left.clone(), right.clone()));
        let (left, right) = (boxes.by_carrier(left), boxes.by_carrier(right));
        for (left, right) in left.iter().flat_map(|left| right.iter().map(move |right| (left, right))) {
            let (Some(one), Some(two)) = (boxes.of(atoms, left), boxes.of(atoms, right)) else {
                return Err((a, b));
            };
            let touches = if left.contains(&a) && right.contains(&b) { (a, b) } else { (left[0], right[0]) };
            let by = (boxes.renamed(left[0]), boxes.renamed(right[0]));
            tests.push(Test::Apart { touches, boxes: (one, two), by });
            if tests.len() > MOST_TESTS {
                return Err((a, b));
            }
        }
    }
    Ok(tests)
}

/// The test whether an access stays within its row.
fn row_test((atoms, boxes): (&mut Atoms, &mut Boxes<'_>), row: &Row) -> Option<Test> {
    let Row { touch, place, bytes, size } = row.clone();
    let (body, survey, mentioned) = (boxes.body, boxes.survey, boxes.mentioned.as_ref());
    let is_known = |atoms: &Atoms, atom| is_known(body, survey, mentioned, atoms, atom);
    if !size.atoms().all(|atom| is_known(atoms, atom)) {
        return None;
    }
    let access = Touch { address: place, bytes, ..survey.touches[touch].clone() };
    let places = ByteBox::of(atoms, &mut boxes.projections, [&access], is_known).ok()?;
    Some(Test::Within { touch, places, size })
}

/// The tests of what the survey assumes of unsigned numbers; `None` if one of them is not known in front of
/// the nest.
fn exact_tests((atoms, all): (&mut Atoms, &mut Boxes<'_>)) -> Option<Vec<Test>> {
    let (body, survey, mentioned) = (all.body, all.survey, all.mentioned.as_ref());
    let is_known = |atoms: &Atoms, atom| is_known(body, survey, mentioned, atoms, atom);
    let within = |(limits, list): (Limits, Vec<&Assumption>)| {
        let touches: Vec<Touch> = list.iter().map(|assumption| assumption.touch()).collect();
        let numbers = ByteBox::of(atoms, &mut all.projections, &touches, is_known).ok()?;
        // Of constants, it is known by now.
        let is_beyond = |part: &boxes::Part| {
            let constant = |bound: &Bound| if let Bound::Sum(sum) = bound { sum.as_constant() } else { None };
            part.guard.is_empty()
                && (constant(&part.low).is_some_and(|low| low < limits.0)
                    || constant(&part.high).is_some_and(|high| high - 1 > limits.1))
        };
        if numbers.parts.iter().any(is_beyond) {
            return None;
        }
        Some(Test::Exact { pos: list[0].pos, numbers, limits })
    };
    survey.assumptions().into_iter().map(within).collect()
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
            Test::Exact { numbers, limits, .. } => evaluator.is_exact(numbers, *limits),
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
