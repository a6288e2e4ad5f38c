//! Constructs whose data is where it was the last time.
//!
//! A loop over time executes the same constructs again and again, with data that stays on the device. What
//! each of them found is kept ([`super::sites`]): if it comes back with the same values, and the blocks that
//! it found are there, it gets the same addresses, without entering and leaving each of its clauses. Nobody
//! else can tell: the counters would be what they were, and the blocks are marked as used until a mark of its
//! queue that nobody has asked for, which comes to be behind the new region, too.

use super::entry::Entry;
use super::sites::{FoundBefore, REMEMBERED};
use super::state::Memory;
use super::table::{Found, Table};
use super::work::Work;
use crate::abi::{ArgDesc, ArgKind, LaunchDesc, MapDesc, MapKind};
use crate::check::is_on;
use crate::plugin::{Launch, is_timed};
use crate::values::Values;
use crate::{notify, prof};
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::cell::Cell;
use std::hash::Hasher;

/// The key of a construct.
fn key(desc: &LaunchDesc, words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(std::ptr::from_ref(desc).addr());
    words.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

/// Whether somebody is told of each step.
fn is_told() -> bool {
    is_on() || prof::in_use() || notify::is_wanted() || is_timed()
}

/// Whether the next time can be like this one for a construct: all its data was there, and it has changed
/// nothing about it.
pub(crate) fn may_repeat(desc: &LaunchDesc, entries: &[Entry]) -> bool {
    let stays = |entry: &Entry| {
        !(entry.is_new || entry.temporary || entry.always_out || entry.attached.is_some() || entry.by_members)
            && entry.rows.is_empty()
            && entry.member.is_none()
            && match entry.device {
                Some(_) => entry.counted,
                None => entry.kind == MapKind::DevicePtr,
            }
    };
    let always = |map: &MapDesc| map.is(MapDesc::ALWAYS_IN) || map.is(MapDesc::ALWAYS_OUT);
    entries.iter().all(stays)
        && !desc.maps().iter().any(always)
        && !desc.args().iter().any(|arg| arg.kind() == ArgKind::PointerValue)
        && !is_told()
}

impl Table {
    /// Whether blocks are still where a construct has found them.
    fn still_holds(&self, found: &FoundBefore) -> bool {
        found.places.iter().all(|&(range, device)| match self.find(range) {
            Found::Inside(start) => {
                self.get(start).is_some_and(|block| block.translate(range.start) == device)
            }
            Found::Partly(_) | Found::Nowhere => false,
        })
    }
}

impl Memory {
    /// The arguments of a region whose construct comes with the values that it came with the last time, if
    /// all is as it was; the values of scalars are read. The present table stays locked until `launch` has
    /// put the region on the queue.
    pub(crate) fn again<T>(
        &self,
        desc: &LaunchDesc,
        values: &mut Values,
        work: &Work<'_>,
        launch: impl FnOnce(Vec<u64>) -> T,
    ) -> Option<T> {
        if is_told() {
            return None;
        }
        let words = values.of_maps(desc.maps());
        let table = &mut *self.table();
        let found = table.sites.get(&key(desc, words))?;
        let is_same = found.desc == std::ptr::from_ref(desc).addr() && *found.words == *words;
        let is_there = || found.changes.get() == table.changes || table.still_holds(found);
        if !is_same || !found.mark.is_open() || found.queue != work.queue || !is_there() {
            return None;
        }
        found.changes.set(table.changes);
        values.skip(found.words.len());
        let mut args = Vec::with_capacity(found.args.len() + Launch::MORE);
        args.extend(found.args.iter().map(|arg| arg.unwrap_or_else(|| values.next())));
        Some(launch(args))
    }

    /// Keeps what a construct has found that [`may_repeat`] and has left its data. `words` are the values of
    /// its maps, `args` those of its region.
    pub(crate) fn remember(
        &self,
        desc: &LaunchDesc,
        words: &[u64],
        (entries, args): (&[Entry], &[u64]),
        work: &Work<'_>,
    ) {
        if !(work.goes_on() || work.is_resumed()) || !self.device.launches_later() {
            return;
        }
        let mut table = self.table();
        let mut places = SmallVec::new();
        for entry in entries.iter().filter(|entry| entry.counted) {
            match table.find(entry.range) {
                Found::Inside(start) => {
                    let block = table.get(start);
                    places.extend(block.map(|block| (entry.range, block.translate(entry.range.start))));
                }
                Found::Partly(_) | Found::Nowhere => return,
            }
        }
        let arg = |(desc, &value): (&ArgDesc, &u64)| (!desc.kind().is_value()).then_some(value);
        let found = FoundBefore {
            desc: std::ptr::from_ref(desc).addr(),
            words: words.into(),
            args: desc.args().iter().zip(args).map(arg).collect(),
            places,
            changes: Cell::new(table.changes),
            queue: work.queue,
            mark: work.mark(),
        };
        if table.sites.len() >= REMEMBERED {
            table.sites.clear();
        }
        if found.mark.is_open() {
            table.sites.insert(key(desc, words), found);
        }
    }
}
