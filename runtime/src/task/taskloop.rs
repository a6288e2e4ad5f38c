//! A `taskloop`: one directive creates all of its tasks, and each asks for its number.
//!
//! Tasks that have copies of objects have nodes. Others have a node for each thread ([`super::ranges`]), and
//! whoever executes such a node executes its tasks one by one, as tasks that are included there.

use super::clauses::Clauses;
use super::create::{Arguments, Kind, are_all_told, create_with_maps, submit};
use super::node::{Node, Parts, Work};
use super::ranges::{Piece, Ranges};
use super::run::execute_numbered;
use crate::abi::LaunchDesc;
use crate::team::member::Member;
use crate::values::Values;
use smallvec::SmallVec;
use std::sync::Arc;

/// A `taskloop` of so many tasks.
pub(super) fn create(
    member: &Member,
    desc: &'static LaunchDesc,
    kind: Kind,
    (tasks, clauses): (u64, &Clauses),
    values: &Values,
) {
    let mut cursor = values.clone();
    let mut arguments = Arguments::new(desc, &mut cursor);
    arguments.read();
    if arguments.bytes() > 0 || are_all_told() {
        for number in 0..tasks {
            let kind = Kind { may_be_included: false, ..kind };
            create_with_maps(member, (desc, 1), kind, (number, clauses), &mut values.clone());
        }
        return;
    }
    let list: SmallVec<[u64; 16]> = arguments.list().collect();
    if kind.may_be_included {
        for number in 0..tasks {
            execute_numbered(member, (desc, 1), kind.is_final, (list.as_ptr(), number));
        }
        return;
    }
    let mut first = 0;
    while first < tasks {
        let some = u32::try_from(tasks - first).unwrap_or(u32::MAX);
        let count = member.team.size().min(some);
        let ranges = Arc::new(Ranges::new(first, some, count));
        for own in 0..count as usize {
            let piece = Piece { ranges: Arc::clone(&ranges), own };
            create_piece(member, desc, (piece, &list), (kind.is_final, clauses.priority()));
        }
        first += u64::from(some);
    }
}

fn create_piece(
    member: &Member,
    desc: &'static LaunchDesc,
    (piece, args): (Piece, &[u64]),
    (is_final, priority): (bool, u32),
) {
    let place = Node::create(Parts {
        work: Work::Loop(desc),
        target: None,
        piece: Some(Box::new(piece)),
        parent: member.task(),
        priority,
        is_final,
        is_awaited: false,
        edges: 0,
        args: args.len(),
        bytes: 0,
    });
    member.slot().count_created();
    // SAFETY: the node is new, has room for so many arguments, and this thread has its reference.
    unsafe { place.as_ref().args().copy_from_nonoverlapping(args.as_ptr(), args.len()) };
    submit(member, place, &[]);
}
