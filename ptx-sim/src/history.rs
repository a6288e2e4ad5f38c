//! What a device remembers of work that is over: who asked for it, and the segments of its warps. Memory's
//! records of accesses name segments by their numbers, segments name work. What no record names is forgotten
//! from time to time, so that a program of many short launches needs no more memory than one of few.

use crate::device::Device;
use crate::race::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLockReadGuard};

/// Units of work that are always remembered.
const LITTLE_WORK: usize = 1 << 12;
/// Records of accesses for each unit of work, and for each segment, that a device may remember besides: what
/// it takes to look through the records stays small beside what has been done since.
const CELLS_PER_WORK: usize = 1 << 10;
const CELLS_PER_SEGMENT: usize = 1 << 5;

/// Units of work after which a device looks for those that it can forget.
#[derive(Debug)]
pub(crate) struct MostWork(AtomicU32);

impl Default for MostWork {
    fn default() -> MostWork {
        MostWork(AtomicU32::new(LITTLE_WORK as u32))
    }
}

impl Device {
    /// Nothing is forgotten, and numbers of work and segments stay what they are, for as long as the result
    /// is held.
    pub(crate) fn while_quiet(&self) -> RwLockReadGuard<'_, ()> {
        if self.has_much_history() {
            self.forget();
        }
        self.quiet.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_much_history(&self) -> bool {
        self.segments.is_crowded() || self.work_so_far() > self.most_work.0.load(Ordering::Relaxed)
    }

    /// Forgets segments that no record of an access names, and work that no segment does; what is left is
    /// numbered anew.
    fn forget(&self) {
        let _alone = self.quiet.write().unwrap_or_else(PoisonError::into_inner);
        if !self.has_much_history() {
            return;
        }
        let allocations = self.memory.all().0;
        let cells = || allocations.iter().filter_map(|found| found.region.known_cells()).flatten();
        let (mut count, mut named) = (0, vec![false; self.segments.next() as usize]);
        for cell in cells() {
            count += 1;
            if let Some(named) = named.get_mut(Cell(cell.load(Ordering::Relaxed)).segment() as usize) {
                *named = true;
            }
        }

        let mut work = self.work.write().unwrap_or_else(PoisonError::into_inner);
        let mut kept = vec![false; work.len()];
        for (number, _) in named.iter().enumerate().filter(|(_, named)| **named) {
            if let Some(kept) = kept.get_mut(self.segments.get(number as u32).launch as usize) {
                *kept = true;
            }
        }
        // By old number, how much work before it is kept, which is its new number if it is.
        let mut before = Vec::with_capacity(kept.len() + 1);
        let mut left = 0;
        for kept in &kept {
            before.push(left);
            left += u32::from(*kept);
        }
        before.push(left);
        let mut numbers = kept.iter();
        work.retain(|_| numbers.next().copied().unwrap_or(false));
        work.shrink_to(LITTLE_WORK);
        let most = LITTLE_WORK.max(2 * work.len()).max(count / CELLS_PER_WORK);
        self.most_work.0.store(most as u32, Ordering::Relaxed);
        drop(work);

        let renumbered = |work: u32| before.get(work as usize).copied().unwrap_or(left);
        let segments = self.segments.keep(&named, renumbered, count / CELLS_PER_SEGMENT);
        for cell in cells() {
            let old = Cell(cell.load(Ordering::Relaxed));
            let number = segments.get(old.segment() as usize).copied().unwrap_or(0);
            cell.store(old.with_segment(number).0, Ordering::Relaxed);
        }
        for allocation in &allocations {
            let copied = allocation.copied.load(Ordering::Relaxed);
            allocation.copied.store(renumbered(copied), Ordering::Relaxed);
        }
        if self.segments.is_crowded() {
            // So many are named that there are no numbers for others.
            allocations.iter().for_each(|found| found.region.forget_accesses());
            self.segments.reset();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Device, LaunchArgs, Module};

    const KERNEL: &str = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\
                          .reg .b64 %rd<3>;\n.reg .b32 %r<3>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n\
                          mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\nbar.sync 0;\nst.global.u32 [%rd1], %r1;\n\
                          bar.sync 0;\nld.global.u32 %r2, [%rd1];\nret;\n}\n";

    fn device() -> (Device, Module) {
        let device = Device::new(Config { threads: 1, ..Config::default() });
        let module = device.load(KERNEL).expect("a module");
        (device, module)
    }

    #[test]
    fn launches_leave_nothing_behind_for_ever() {
        let (device, module) = device();
        let memory = device.alloc(512, "a").expect("there is memory");
        let params = memory.to_le_bytes();
        let args = LaunchArgs { grid: [1; 3], block: [128, 1, 1], params: &params, ..LaunchArgs::default() };
        let (mut most_work, mut most_segments) = (0, 0);
        for _ in 0..20_000 {
            device.launch(&module, "k", &args).expect("nothing is wrong");
            most_work = most_work.max(device.work_so_far());
            most_segments = most_segments.max(device.segments.next());
        }
        assert!(most_work <= 4097 && most_segments <= 70_000, "{most_work} {most_segments}");
    }

    #[test]
    fn who_wrote_what_is_still_there_is_not_forgotten() {
        let (device, module) = device();
        let [kept, other] = ["kept", "other"].map(|name| device.alloc(512, name).expect("there is memory"));
        let queue = device.new_queue();
        let launch = |memory: u64, queue| {
            let params = memory.to_le_bytes();
            let args = LaunchArgs {
                grid: [1; 3],
                block: [128, 1, 1],
                params: &params,
                queue,
                ..LaunchArgs::default()
            };
            device.launch(&module, "k", &args)
        };
        launch(kept, queue).expect("nothing is wrong");
        for _ in 0..10_000 {
            launch(other, queue).expect("nothing is wrong");
        }
        // Nobody has waited for the first launch.
        let report = launch(kept, device.new_queue()).expect_err("nothing orders the two");
        let earlier = report.other.expect("the first launch");
        assert_eq!((earlier.ptx_line, earlier.thread.map(|thread| thread.lane)), (13, Some(0)));
        assert!(report.is_between_queues);
    }
}
