//! The bytes that accesses in loops are between, where constants bound the loops: `p[k]` with `k` below 3.

use super::super::boxes::{Bound, ByteBox, Projections};
use super::super::callees::{Callees, Place};
use super::super::sums::{Atoms, Kind, Name, Sum};
use super::super::survey::{Obstacle, Survey, Touch, Whole};
use super::origins::hull;
use crate::entities::Block;
use crate::function::Body;
use rustc_hash::FxHashMap;

/// What accesses in loops are to; found when it is first asked for.
pub(super) struct Ranges<'a> {
    body: &'a Body,
    signed_wraps: bool,
    known: Option<FxHashMap<Key, Range>>,
}

/// An instruction, and whether it writes.
type Key = ((Block, usize), bool);

/// What an access is to, and the distances of the first byte and of the one behind the last from there.
type Range = (Place, Option<(i64, i64)>);

impl<'a> Ranges<'a> {
    /// Of a function; `signed_wraps`: signed integers wrap around.
    pub fn new(body: &'a Body, signed_wraps: bool) -> Ranges<'a> {
        Ranges { body, signed_wraps, known: None }
    }

    /// The bytes of an access, as distances from where the argument or the name points.
    pub fn of(&mut self, place: Place, at: (Block, usize), writes: bool) -> Option<(i64, i64)> {
        let known = self.known.get_or_insert_with(|| find(self.body, self.signed_wraps));
        let &(of, bytes) = known.get(&(at, writes))?;
        bytes.filter(|_| of == place)
    }
}

fn find(body: &Body, signed_wraps: bool) -> FxHashMap<Key, Range> {
    // What called functions do is no matter here.
    let callees = Callees::unknown();
    let whole = Whole::new(body, &callees).with_wrapping(signed_wraps);
    let mut found: FxHashMap<Key, Range> = FxHashMap::default();
    for loop_ in body.live_entities().loops.iter().filter(|&loop_| body.loops[loop_].parent.is_none()) {
        let Survey { mut atoms, loops, touches, .. } = Survey::of(&whole, loop_);
        // What was noted of accesses is that of one way around a cycle.
        let is_cycle = |(obstacle, _): &(Obstacle, _)| *obstacle == Obstacle::Cycle;
        if loops.get(&loop_).is_none_or(|facts| facts.obstacles.iter().any(is_cycle)) {
            continue;
        }
        for touch in touches {
            let key = (touch.at, touch.writes);
            let Some((place, bytes)) = range(&whole, &mut atoms, touch) else { continue };
            let old = found.get(&key).copied();
            let bytes = old.map_or(bytes, |(of, old)| if of == place { hull(old, bytes) } else { None });
            found.insert(key, (place, bytes));
        }
    }
    found
}

/// What an access is to, if that is known.
fn range(whole: &Whole<'_>, atoms: &mut Atoms, touch: Touch) -> Option<Range> {
    let root = touch.root?;
    let place = match atoms.data(root).kind {
        Kind::Entry(local) if whole.keeps_argument(local) => {
            Place::Parameter(whole.body.params.iter().position(|&param| param == local)?)
        }
        Kind::Object(Name::Global(global)) => Place::Global(global),
        _ => return None,
    };
    let distance = touch.address.plus(-1, &Sum::atom(root));
    let bytes = distance.and_then(|address| {
        let touch = Touch { address, ..touch };
        let (low, high) =
            ByteBox::of(atoms, &mut Projections::default(), [&touch], |_, _| false).ok()?.ends()?;
        Some((constant(&low)?, constant(&high)?))
    });
    Some((place, bytes))
}

fn constant(bound: &Bound) -> Option<i64> {
    match bound {
        Bound::Sum(sum) => sum.as_constant(),
        Bound::Min(bounds) => bounds.iter().map(constant).collect::<Option<Vec<i64>>>()?.into_iter().min(),
        Bound::Max(bounds) => bounds.iter().map(constant).collect::<Option<Vec<i64>>>()?.into_iter().max(),
        Bound::Floor { .. } => None,
    }
}
