//! When a directive does its work, and on which queue: the clauses that all of them share.

use crate::abi::{ABSENT, ASYNC_OF_DATA, ASYNC_SYNC, DEVICE_DEFAULT};
use crate::device::{self, Unit};
use crate::memory::{Counter, Memory, Work};
use crate::omp::devices::{Place, default_number, place_of};
use crate::plugin::Queue;
use crate::queue_number::require_queue;
use crate::site::Site;
use crate::values::Values;
use smallvec::SmallVec;

/// The device that a directive means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Chosen {
    /// OpenACC: the one that the thread uses.
    Current,
    /// OpenMP: the one whose number is the thread's default.
    Default,
    /// OpenMP: the one of this number.
    Number(i64),
}

/// `device`, `if`, `self`, `async`, `wait`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scheduling {
    /// The device.
    pub(crate) device: Chosen,
    /// `if` held or was absent, and the device is not the host that runs the program.
    pub(crate) on_device: bool,
    /// The queue.
    pub(crate) queue: i64,
    /// It is that of the data region around, at whose end the host waits; to the program the directive is
    /// synchronous.
    pub(crate) of_data: bool,
    /// The queues to wait for first.
    pub(crate) waits_for: SmallVec<[i64; 2]>,
    /// `wait(devnum:)`: the device whose queues they are; negative if the clause does not say.
    pub(crate) devnum: i64,
}

impl Scheduling {
    /// The first values of every directive.
    pub(crate) fn read(values: &mut Values) -> Scheduling {
        let device = match values.next() as i64 {
            ABSENT => Chosen::Current,
            DEVICE_DEFAULT => Chosen::Default,
            number => Chosen::Number(number),
        };
        let (if_, self_) = (values.next(), values.next());
        let (queue, devnum) = (values.next() as i64, values.next() as i64);
        let of_data = queue == ASYNC_OF_DATA;
        let queue = if of_data { ASYNC_SYNC } else { queue };
        let waits_for = (0..values.next()).map(|_| values.next() as i64).collect();
        Scheduling { device, on_device: if_ != 0 && self_ == 0, queue, of_data, waits_for, devnum }
    }

    /// Reads the same values. Whether, on a host that shares the program's memory, nothing about them
    /// matters.
    #[inline]
    pub(crate) fn is_plain(values: &mut Values) -> bool {
        let [device, _if, _self, queue, devnum, waits] = [(); 6].map(|()| values.next() as i64);
        device == ABSENT && queue == ASYNC_SYNC && devnum < 0 && waits == 0
    }

    /// Reads the same values where nothing but `if` counts: of teams and of host tasks.
    #[inline]
    pub(crate) fn read_condition(values: &mut Values) -> bool {
        let [_device, if_, self_, _queue, _devnum, waits] = [(); 6].map(|()| values.next());
        values.skip(waits as usize);
        if_ != 0 && self_ == 0
    }

    /// The device, made active. OpenMP's initial device is the host, with the program's own memory, on which
    /// a directive does what it does where its `if` does not hold.
    pub(crate) fn unit(&mut self, site: &Site<'_>) -> &'static Unit {
        let number = match self.device {
            Chosen::Current => return device::need(site),
            Chosen::Default => i64::from(default_number()),
            Chosen::Number(number) => number,
        };
        match place_of(number) {
            Ok(Place::Device(unit)) => {
                device::need_unit(unit, site);
                unit
            }
            Ok(Place::Initial) => {
                self.on_device = false;
                device::host()
            }
            Err(_) if !self.on_device => device::host(),
            Err(error) => site.fail(format_args!("{error}")),
        }
    }

    /// Whether the directive is one of OpenMP.
    pub(crate) fn is_openmp(&self) -> bool {
        self.device != Chosen::Current
    }

    /// How lifetimes of data count that a construct begins.
    pub(crate) fn counter(&self) -> Counter {
        if self.is_openmp() { Counter::Single } else { Counter::Structured }
    }

    /// Whether the directive has an `async` clause.
    pub(crate) fn is_async(&self) -> bool {
        self.queue != ASYNC_SYNC
    }

    /// Ends the program unless queues and device exist.
    pub(crate) fn check(&self) {
        require_queue(self.queue);
        self.waits_for.iter().for_each(|&queue| require_queue(queue));
        self.awaited();
    }

    /// Lets work wait for the queues of a `wait` clause.
    pub(crate) fn wait_on(&self, work: &Work<'_>, wait: bool) {
        if (wait || !self.waits_for.is_empty())
            && let Some(memory) = self.awaited().map_or(Some(work.memory), Unit::memory)
        {
            work.wait_for_queues(memory, self.queues_of(memory));
        }
    }

    /// The device whose queues are meant, where that is said.
    pub(crate) fn awaited(&self) -> Option<&'static Unit> {
        (self.devnum >= 0).then(|| device::numbered(self.devnum.try_into().unwrap_or(i32::MAX)))
    }

    /// The queues that are named, or all, as far as they are in use.
    pub(crate) fn queues_of(&self, memory: &'static Memory) -> Vec<(i64, Queue)> {
        match &self.waits_for[..] {
            [] => memory.known_queues(),
            some => some.iter().flat_map(|&queue| memory.queues_in_use(Some(queue))).collect(),
        }
    }
}
