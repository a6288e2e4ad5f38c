//! The virtual clock of queues that lag: how long work takes on a device of this size, and when it would
//! begin there, whatever this machine does meanwhile.
//!
//! A kernel begins [`LATENCY`] after its queue has come to it. Each processor executes the instructions of
//! [`WARPS_AT_ONCE`] warps side by side, one of each in [`ISSUE`]. A kernel takes as many of these places
//! as it has warps, all if it has more, and divides its instructions evenly among them; kernels whose warps
//! find places overlap. A copy takes [`LATENCY`] and its bytes; each direction between host and device has
//! one engine, which makes one copy after the other. The host's own code takes no time.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

/// Processors of the simulated GPU: few, so that programs that leave the number of gangs open are not slow.
pub(super) const PROCESSORS: u32 = 4;
/// Nanoseconds from the time when a kernel or copy may begin to its first instruction or byte.
const LATENCY: u64 = 2000;
/// Warps of which a processor executes instructions side by side.
const WARPS_AT_ONCE: u64 = 16;
/// Nanoseconds from an instruction of a warp to the next.
const ISSUE: u64 = 4;
/// Bytes in a nanosecond between the host and the device.
const HOST_BANDWIDTH: u64 = 16;
/// Bytes in a nanosecond within the device's memory.
const DEVICE_BANDWIDTH: u64 = 512;

/// What some work asks of the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cost {
    /// Bookkeeping of the host.
    Nothing,
    /// A kernel: its warps, and the instructions of all of them.
    Kernel {
        /// Warps of the grid.
        warps: u64,
        /// Their instructions, each counted once for a warp.
        instructions: u64,
    },
    /// So many bytes come from the host.
    Upload(u64),
    /// So many bytes go to the host.
    Download(u64),
    /// So many bytes are moved or set on the device.
    Within(u64),
}

/// When places of a kind are taken.
struct Places {
    count: u64,
    /// How many are taken from a time on, up to the next one.
    taken: BTreeMap<u64, u64>,
}

impl Places {
    fn new(count: u64) -> Places {
        Places { count, taken: BTreeMap::from([(0, 0)]) }
    }

    /// Takes `wanted` places for so long, as soon after a time as they are free. Gives the time of the end.
    fn take(&mut self, from: u64, wanted: u64, duration: u64) -> u64 {
        let begin = self.first_gap(from, wanted, duration);
        let end = begin + duration;
        for time in [begin, end] {
            let before = self.taken.range(..=time).next_back().map_or(0, |(_, &taken)| taken);
            self.taken.entry(time).or_insert(before);
        }
        self.taken.range_mut(begin..end).for_each(|(_, taken)| *taken += wanted);
        end
    }

    fn first_gap(&self, from: u64, wanted: u64, duration: u64) -> u64 {
        let mut begin = from;
        let (&first, _) = self.taken.range(..=from).next_back().unwrap_or((&0, &0));
        for (&time, taken) in self.taken.range(first..) {
            if time >= begin + duration && time > from {
                break;
            }
            if taken + wanted > self.count {
                begin = self.taken.range((Excluded(time), Unbounded)).next().map_or(time, |(&next, _)| next);
            }
        }
        begin
    }

    /// Nothing begins before a time any more.
    fn forget(&mut self, before: u64) {
        let taken = self.taken.range(..=before).next_back().map_or(0, |(_, &taken)| taken);
        self.taken = self.taken.split_off(&before);
        self.taken.entry(before).or_insert(taken);
    }
}

/// What the device's processors and engines do when.
pub(super) struct Clock {
    warps: Places,
    up: Places,
    down: Places,
    /// When the last work ended.
    end: u64,
    /// What all work took by itself.
    sum: u64,
}

impl Default for Clock {
    fn default() -> Clock {
        let places = u64::from(PROCESSORS) * WARPS_AT_ONCE;
        Clock { warps: Places::new(places), up: Places::new(1), down: Places::new(1), end: 0, sum: 0 }
    }
}

impl Clock {
    /// Work may begin at a time: gives the time of its end.
    pub(super) fn book(&mut self, ready: u64, cost: Cost) -> u64 {
        let (places, wanted, duration) = match cost {
            Cost::Nothing => return ready,
            Cost::Kernel { warps, instructions } => {
                let wanted = warps.clamp(1, self.warps.count);
                (Some(&mut self.warps), wanted, (instructions * ISSUE).div_ceil(wanted))
            }
            Cost::Upload(bytes) => (Some(&mut self.up), 1, bytes.div_ceil(HOST_BANDWIDTH)),
            Cost::Download(bytes) => (Some(&mut self.down), 1, bytes.div_ceil(HOST_BANDWIDTH)),
            Cost::Within(bytes) => (None, 0, bytes.div_ceil(DEVICE_BANDWIDTH)),
        };
        let begin = ready + LATENCY;
        let end = places.map_or(begin + duration, |places| places.take(begin, wanted, duration));
        self.end = self.end.max(end);
        self.sum += LATENCY + duration;
        end
    }

    /// Nothing begins before a time any more.
    pub(super) fn forget(&mut self, before: u64) {
        for places in [&mut self.warps, &mut self.up, &mut self.down] {
            places.forget(before);
        }
    }

    /// From the start to the end of the last work, and what the same work would take one piece after the
    /// other, in nanoseconds.
    pub(super) fn totals(&self) -> (u64, u64) {
        (self.end, self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_overlap_as_far_as_there_are_places() {
        let mut clock = Clock::default();
        let half = Cost::Kernel { warps: 32, instructions: 32 * 250 };
        assert_eq!([(); 3].map(|()| clock.book(0, half)), [3000, 3000, 4000]);
        let all = Cost::Kernel { warps: 1000, instructions: 64 * 250 };
        assert_eq!(clock.book(0, all), 5000, "half of the places are free before, which are too few");
        assert_eq!(clock.book(0, half), 4000, "a gap that is left is taken");
        assert_eq!(clock.totals(), (5000, 15000));
    }

    #[test]
    fn each_direction_has_an_engine() {
        let mut clock = Clock::default();
        let (up, down) = (Cost::Upload(16_000), Cost::Download(16_000));
        assert_eq!([up, up, down, down].map(|cost| clock.book(0, cost)), [3000, 4000, 3000, 4000]);
        assert_eq!([Cost::Within(512), Cost::Nothing].map(|cost| clock.book(10, cost)), [2011, 10]);
        clock.forget(3500);
        assert_eq!(clock.book(3500, up), 6500);
        assert_eq!(clock.book(1500, up), 5000, "what was before is forgotten, not what is there");
    }
}
