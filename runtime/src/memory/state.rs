//! A device with what is in its memory, and its queues.

use super::owed::Owed;
use super::queues::{Queues, TaskQueue};
use super::table::{Range, Table};
use crate::abi::Object;
use crate::device::kind::DeviceId;
use crate::fatal::fatal;
use crate::plugin::{Device, Queue, Result};
use crate::queue_number::resolve;
use crate::strand::Strand;
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A device and what is in its memory.
pub(crate) struct Memory {
    /// The device.
    pub(crate) device: Box<dyn Device>,
    /// What programs call it.
    pub(crate) id: DeviceId,
    table: Mutex<Table>,
    queues: Mutex<Queues>,
    pub(super) declared: &'static [Object],
    /// Device addresses of declared objects that the device's code has no use for, and so does not hold.
    extra: Mutex<HashMap<u64, u64>>,
    pub(super) owed: Mutex<Option<Owed>>,
    /// The strand that used the device first.
    pub(super) strand: OnceLock<Strand>,
    /// Others have used it, too.
    pub(super) is_shared: AtomicBool,
}

/// Queues of target tasks that a device has at most: as many kernels as one executes side by side.
const TASK_QUEUES: usize = 32;

thread_local! {
    /// This thread has a present table, or waits for it.
    static LOCKING: Cell<bool> = const { Cell::new(false) };
}

/// The present table of a device, which no other thread changes.
pub(crate) struct Locked<'a>(MutexGuard<'a, Table>);

impl Deref for Locked<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.0
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.0
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        LOCKING.set(false);
    }
}

impl Memory {
    pub(crate) fn new(device: Box<dyn Device>, id: DeviceId, declared: &'static [Object]) -> Memory {
        Memory {
            device,
            id,
            table: Mutex::default(),
            queues: Mutex::default(),
            declared,
            extra: Mutex::default(),
            owed: Mutex::default(),
            strand: OnceLock::new(),
            is_shared: AtomicBool::new(false),
        }
    }

    /// The present table. Nothing that may wait for a region to end happens while it is locked; callbacks of
    /// the profiling interface do, which must not ask for it.
    pub(crate) fn table(&self) -> Locked<'_> {
        if LOCKING.replace(true) {
            let what = "a callback of the profiling interface asks for data while a directive changes it";
            fatal(format_args!("{what}: the present table is locked"));
        }
        Locked(self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The device's copy of a declared object, if it has one from the start.
    pub(super) fn object(&self, object: &Object) -> Option<u64> {
        self.device.object(object).or_else(|| self.extra().get(&object.address).copied())
    }

    /// A declared object that the device's code does not hold has its copy there.
    pub(super) fn set_object(&self, object: &Object, device: u64) {
        self.extra().insert(object.address, device);
    }

    fn extra(&self) -> MutexGuard<'_, HashMap<u64, u64>> {
        self.extra.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the device's code expects the copy of a part of a `declare link` object.
    pub(super) fn link(&self, range: Range) -> Option<u64> {
        let holds = |object: &&Object| {
            object.is_link() && Range { start: object.address, bytes: object.bytes }.contains(range)
        };
        let object = self.declared.iter().find(holds)?;
        Some(self.device.object(object)? + (range.start - object.address))
    }
}

impl Memory {
    /// The queue of this number, which begins to exist.
    pub(crate) fn queue(&self, number: i64) -> Result<Queue> {
        self.settle();
        let mut queues = self.queues();
        if let Some(&queue) = queues.numbered.get(&number) {
            return Ok(queue);
        }
        let queue = self.device.create_queue(true)?;
        queues.numbered.insert(number, queue);
        Ok(queue)
    }

    /// The queue of this number, if the program has used it.
    pub(crate) fn known_queue(&self, number: i64) -> Option<Queue> {
        self.settle();
        self.queues().numbered.get(&number).copied()
    }

    /// Lets a number mean another queue.
    pub(crate) fn set_queue(&self, number: i64, queue: Queue) {
        self.queues().numbered.insert(number, queue);
    }

    /// All queues that the program has used.
    pub(crate) fn known_queues(&self) -> Vec<(i64, Queue)> {
        self.settle();
        self.queues().numbered.iter().map(|(&number, &queue)| (number, queue)).collect()
    }

    /// The queue of a number as a program gives it, or all, as far as they are in use.
    pub(crate) fn queues_in_use(&self, queue: Option<i64>) -> Vec<(i64, Queue)> {
        match queue {
            None => self.known_queues(),
            Some(queue) => {
                let known = resolve(queue).and_then(|number| Some((number, self.known_queue(number)?)));
                known.into_iter().collect()
            }
        }
    }

    /// A queue for synchronous work, for one thread at a time: the one on which there is work that the host
    /// has not waited for, as what comes must be behind that.
    pub(crate) fn borrow_queue(&self) -> Result<Queue> {
        if let Some(owing) = self.owing_queue() {
            let mut queues = self.queues();
            if let Some(at) = queues.idle.iter().rposition(|&queue| queue == owing) {
                return Ok(queues.idle.swap_remove(at));
            }
            drop(queues);
            // Another thread has it.
            self.settle();
        }
        let idle = self.queues().idle.pop();
        idle.map_or_else(|| self.device.create_queue(false), Ok)
    }

    /// Gives back what [`Memory::borrow_queue`] gave.
    pub(crate) fn return_queue(&self, queue: Queue) {
        self.queues().idle.push(queue);
    }

    /// A queue for target tasks, with no other user as long as there are not too many: one whose work the
    /// device prefers, or any other.
    pub(crate) fn borrow_task_queue(&self, is_urgent: bool) -> Result<Queue> {
        self.settle();
        let mut queues = self.queues();
        let tasks = &mut queues.tasks;
        let alike = || tasks.iter().filter(|queue| queue.is_urgent == is_urgent);
        let is_full = alike().count() >= TASK_QUEUES;
        let best =
            tasks.iter_mut().filter(|queue| queue.is_urgent == is_urgent).min_by_key(|queue| queue.users);
        if let Some(known) = best.filter(|known| known.users == 0 || is_full) {
            known.users += 1;
            return Ok(known.queue);
        }
        let queue =
            if is_urgent { self.device.create_urgent_queue() } else { self.device.create_queue(true) }?;
        tasks.push(TaskQueue { queue, users: 1, is_urgent });
        Ok(queue)
    }

    /// Gives back what [`Memory::borrow_task_queue`] gave. Work may still be on it.
    pub(crate) fn return_task_queue(&self, queue: Queue) {
        let mut queues = self.queues();
        if let Some(known) = queues.tasks.iter_mut().find(|other| other.queue == queue) {
            known.users -= 1;
        }
    }
}
