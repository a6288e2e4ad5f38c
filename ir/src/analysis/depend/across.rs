//! Whether two pieces of code that each iteration executes, one behind the other, could as well be two loops:
//! all iterations of the first piece, then all of the second.

use super::{Hindrance, InRange, Judge, MOST_PAIRS, Meeting, Pair, distinct, first_alike};
use crate::analysis::bases::Base;
use crate::analysis::sums::{Kind, Name};
use crate::analysis::survey::{Survey, Touch, Whole};
use crate::entities::Loop;
use crate::op::Operand;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What an iteration of a loop does in one piece with memory that another iteration touches in the other
/// piece, one of them writing; `None` if there is nothing of the kind. Within an iteration the pieces may
/// share whatever they like. Loops around the one that is asked about are in the same iteration on both
/// sides.
pub fn meeting(
    (whole, survey): (&Whole<'_>, &Survey),
    loop_: Loop,
    in_range: &InRange,
    is_of_second: &dyn Fn(&Touch) -> bool,
) -> Option<Hindrance> {
    let first = distinct(whole, survey, loop_, is_of_second);
    let second = distinct(whole, survey, loop_, &|touch| !is_of_second(touch));
    if first.len() * second.len() > MOST_PAIRS {
        return Some(Hindrance::Size);
    }
    let both: Vec<usize> = first.iter().chain(&second).copied().collect();
    let same = first_alike(survey, &both);
    let judge = Judge { same, ..across(whole, survey, loop_, in_range) };
    let writes = |touch: usize| survey.touches[touch].writes;
    let pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| (a, b)));
    let mut pairs = pairs.filter(|&(a, b)| writes(a) || writes(b));
    pairs.find_map(|(a, b)| match (Pair { judge: &judge, a, b }).judge() {
        Meeting::Never => None,
        Meeting::Apart if survey.touches[a].root != survey.touches[b].root => Some(Hindrance::Alias(a, b)),
        Meeting::Apart | Meeting::InRows(_) | Meeting::Open { .. } => Some(Hindrance::Subscript(a, b)),
        Meeting::Hindered(hindrance) => Some(hindrance),
    })
}

/// Judges of accesses wherever they stand, of which none are known to be alike.
fn across<'a>(whole: &'a Whole<'a>, survey: &'a Survey, loop_: Loop, in_range: &'a InRange) -> Judge<'a> {
    let (same, known) = (FxHashMap::default(), RefCell::default());
    Judge { whole, survey, loop_, in_range, is_across: true, same, known }
}

/// Whether two accesses of one iteration of a loop may touch the same bytes.
pub fn may_meet((whole, survey): (&Whole<'_>, &Survey), loop_: Loop, (a, b): (usize, usize)) -> bool {
    let in_range = InRange::default();
    let judge = across(whole, survey, loop_, &in_range);
    let pair = Pair { judge: &judge, a, b };
    let (x, y) = (&survey.touches[a], &survey.touches[b]);
    let is_apart = || match (x.root, y.root) {
        (Some(one), Some(other)) if one != other => pair.are_apart(one, other),
        (Some(_), Some(_)) => {
            let distance = x.address.distance_from(&y.address);
            distance.is_some_and(|distance| distance >= y.bytes || distance <= -x.bytes)
        }
        _ => false,
    };
    !whole.bases.differ(x.base, y.base) && !is_apart()
}

/// Whether an access among some may write an object, or what a pointer leads to that the nest does not set.
pub fn may_write(
    whole: &Whole<'_>,
    survey: &mut Survey,
    variable: Operand,
    is_asked: &dyn Fn(&Touch) -> bool,
) -> bool {
    let (kind, base) = match variable {
        Operand::Local(local) => (Kind::Entry(local), Base::Unknown),
        Operand::Slot(slot) => (Kind::Object(Name::Slot(slot)), Base::Slot(slot)),
        Operand::Global(global) => (Kind::Object(Name::Global(global)), Base::Global(global)),
        Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => return true,
    };
    let object = survey.atoms.intern(kind, None, (i64::MIN, i64::MAX));
    let loop_ = survey.outermost;
    let in_range = InRange::default();
    let judge = across(whole, survey, loop_, &in_range);
    let pair = Pair { judge: &judge, a: 0, b: 0 };
    survey.touches.iter().filter(|touch| touch.writes && is_asked(touch)).any(|touch| {
        let is_apart = touch.root.is_some_and(|root| root != object && pair.are_apart(root, object));
        !is_apart && !whole.bases.differ(base, touch.base)
    })
}

/// Whether two variables, pointers or objects, lead to different objects because memory that a pointer leads
/// to is new: sections of them have no byte in common, whatever is accessed.
pub fn are_allocated_apart(whole: &Whole<'_>, a: Operand, b: Operand) -> bool {
    let allocation = |variable: Operand| whole.allocation(variable.as_local()?);
    match [a, b].map(allocation) {
        [Some(one), Some(other)] => one != other,
        [Some(_), None] => b.as_local().is_none(),
        [None, Some(_)] => a.as_local().is_none(),
        [None, None] => false,
    }
}
