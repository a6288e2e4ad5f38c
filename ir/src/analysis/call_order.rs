//! The order in which a pass looks at functions that want their callees finished first.

use crate::entities::Func;
use cranelift_entity::{EntitySet, SecondaryMap};

/// These functions, each after those that it calls or names, and those among them that would come after
/// themselves: one of each circle of calls.
pub fn callees_first(
    callees: &SecondaryMap<Func, Vec<Func>>,
    functions: impl Iterator<Item = Func>,
) -> (Vec<Func>, EntitySet<Func>) {
    /// How far the search has come with a function.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    enum State {
        #[default]
        Unseen,
        Open,
        Done,
    }
    let mut states: SecondaryMap<Func, State> = SecondaryMap::new();
    let (mut order, mut recursive) = (Vec::new(), EntitySet::default());
    for start in functions {
        if states[start] != State::Unseen {
            continue;
        }
        states[start] = State::Open;
        // Each function that is open, and how many of its callees have been looked at.
        let mut path = vec![(start, 0)];
        while let Some((func, next)) = path.last_mut() {
            let Some(&callee) = callees[*func].get(*next) else {
                states[*func] = State::Done;
                order.push(*func);
                path.pop();
                continue;
            };
            *next += 1;
            match states[callee] {
                State::Open => _ = recursive.insert(callee),
                State::Done => {}
                State::Unseen => {
                    states[callee] = State::Open;
                    path.push((callee, 0));
                }
            }
        }
    }
    (order, recursive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_diamonds_are_none() {
        let circle = |edges: &[(u32, u32)]| {
            let mut callees: SecondaryMap<Func, Vec<Func>> = SecondaryMap::new();
            for &(from, to) in edges {
                callees[Func::from_u32(from)].push(Func::from_u32(to));
            }
            !callees_first(&callees, [0, 1, 2, 3].map(Func::from_u32).into_iter()).1.is_empty()
        };
        assert!(!circle(&[(0, 1), (0, 2), (1, 3), (2, 3)]));
        assert!(circle(&[(3, 3)]));
        assert!(circle(&[(0, 1), (1, 2), (2, 1)]));
    }
}
