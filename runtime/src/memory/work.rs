//! Single steps on a queue of a device, on behalf of a place in the program. An error of the device ends the
//! program with a message that names that place; what is done shows in `ACCRUE_NOTIFY` and counts in
//! `ACCRUE_TIME`.

use super::mark::{Mark, Promise};
use super::state::Memory;
use super::table::{Range, Table};
use crate::abi::{ASYNC_SYNC, Elements};
use crate::check::is_on;
use crate::plugin::{Device, Error, Queue, Result, Runs, Status};
use crate::prof::{self, Activity, Details};
use crate::queue_number::{QUEUE_OF_TASK, resolve};
use crate::site::{Site, Where};
use crate::strand::Strand;
use crate::team::member::strand;
use crate::{notify, time, trace};
use serde_json::json;
use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::CString;
use std::sync::Arc;

/// Work that one directive or routine has for a device.
pub(crate) struct Work<'a> {
    /// The device.
    pub(crate) memory: &'static Memory,
    /// Where the steps go.
    pub(crate) queue: Queue,
    /// The program's number of the queue, `ASYNC_SYNC` if the host waits at the end.
    pub(crate) number: i64,
    /// On whose behalf.
    pub(crate) site: Site<'a>,
    /// In which order of the program.
    strand: Strand,
    /// The host waits at the end.
    pub(crate) waits: bool,
    /// Starts of the blocks that were made, and are not marked as ready.
    made: RefCell<Vec<u64>>,
    /// A mark behind the last step that matters to others.
    mark: OnceCell<Arc<Mark>>,
    /// Steps came behind the mark.
    is_beyond_mark: Cell<bool>,
    /// The host has waited for all steps so far.
    is_finished: Cell<bool>,
    /// The host waits at the end of a directive whose data is left before: small copies to the host arrive
    /// then.
    leaves_early: Cell<bool>,
    /// The host need not wait for a directive of this kind whose steps it cannot see.
    may_owe: Cell<bool>,
    /// The host's memory is read or written by some step.
    is_seen: Cell<bool>,
}

/// Where the two sides of a copy start, and its bytes.
struct Places {
    host: u64,
    device: u64,
    bytes: u64,
}

/// What a tool hears about data.
fn data_details(name: &str, bytes: u64, host: u64, device: u64) -> Details {
    let name = CString::new(name).ok().filter(|name| !name.is_empty());
    Details { name, numbers: [bytes, host, device] }
}

impl<'a> Work<'a> {
    /// Begins work on the queue that an `async` argument means. [`Work::end`] must follow.
    pub(crate) fn begin(memory: &'static Memory, number: i64, site: Site<'a>) -> Work<'a> {
        let (number, queue) = match resolve(number) {
            None => (ASYNC_SYNC, memory.borrow_queue()),
            Some(number) => (number, memory.queue(number)),
        };
        let queue = queue.unwrap_or_else(|error| site.end(error));
        let work = Work::on(memory, queue, number, site, strand());
        work.may_owe.set(site.construct.is_compute());
        Work { waits: work.is_synchronous(), ..work }
    }

    /// Work on a queue that [`Work::suspend`] has left: its end does not wait.
    pub(crate) fn resume(memory: &'static Memory, queue: Queue, site: Site<'a>) -> Work<'a> {
        Work::on(memory, queue, ASYNC_SYNC, site, strand())
    }

    /// Work of a target task, on a queue of the pool.
    pub(crate) fn of_task(
        memory: &'static Memory,
        queue: Queue,
        (site, strand): (Site<'a>, Strand),
    ) -> Work<'a> {
        memory.settle();
        Work::on(memory, queue, QUEUE_OF_TASK, site, strand)
    }

    fn on(memory: &'static Memory, queue: Queue, number: i64, site: Site<'a>, strand: Strand) -> Work<'a> {
        memory.used_by(strand);
        memory.device.ask(queue, site.asker(site.what, number));
        Work {
            memory,
            queue,
            number,
            site,
            strand,
            waits: false,
            made: RefCell::default(),
            mark: OnceCell::new(),
            is_beyond_mark: Cell::new(false),
            is_finished: Cell::new(false),
            leaves_early: Cell::new(false),
            may_owe: Cell::new(false),
            is_seen: Cell::new(false),
        }
    }

    /// Leaves the queue of synchronous work to later work, which waits for both.
    pub(crate) fn suspend(self) -> Queue {
        if is_on() {
            self.finish();
        }
        self.queue
    }

    /// The place in the program, the device and the queue.
    pub(crate) fn at(&self) -> Where<'a> {
        Where { site: self.site, device: self.memory.id, queue: self.number }
    }

    /// Gives the work another name in messages than its directive has.
    pub(crate) fn ask_as(&self, what: &'a str) {
        self.device().ask(self.queue, self.site.asker(what, self.number));
    }

    /// Whether the directive has no `async`.
    pub(crate) fn is_synchronous(&self) -> bool {
        self.number == ASYNC_SYNC
    }

    /// The data of a synchronous construct is about to be left, before the host waits for the region. It must
    /// wait before the work ends.
    pub(crate) fn leave_early(&self) {
        self.leaves_early.set(true);
    }

    /// Whether other work waits for that of the directive, on whose queue it is.
    pub(super) fn is_resumed(&self) -> bool {
        self.is_synchronous() && !self.waits
    }

    /// Whether steps may still be to be done that nobody has waited for when the data is left.
    pub(super) fn goes_on(&self) -> bool {
        !self.is_synchronous() || self.leaves_early.get()
    }

    /// The work is that of a compute construct, though other directives begin and end it.
    pub(crate) fn end_construct(&self) {
        self.may_owe.set(true);
    }

    /// Whether the host need not wait for what the work has done so far: all of it stays on the device.
    pub(crate) fn stays_on_device(&self) -> bool {
        let is_told = is_on() || prof::in_use();
        self.may_owe.get() && !self.is_seen.get() && !is_told && self.memory.may_owe()
    }

    /// Ends the work: synchronous work is done now, or nobody can tell that it is not.
    pub(crate) fn end(self) {
        if self.waits {
            if !self.is_finished.get() {
                match self.stays_on_device() {
                    true => self.memory.owe(self.queue, &self.site),
                    false => self.finish(),
                }
            }
            self.memory.return_queue(self.queue);
        } else if is_on() {
            // The host does its part of each step in the program's order, on the same memory.
            self.finish();
        }
    }

    /// Ends the work of a target task, of which nothing may follow: a mark behind all of it.
    pub(crate) fn end_of_task(self) -> Arc<Mark> {
        if is_on() {
            self.finish();
        }
        match self.mark.get().filter(|_| !self.is_beyond_mark.get()) {
            Some(mark) => Arc::clone(mark),
            None => self.new_mark(false),
        }
    }

    /// The host waits for what is on the queue so far.
    pub(crate) fn finish(&self) {
        if let Err(error) = self.try_finish() {
            self.site.end(error);
        }
    }

    /// The same, where the caller says what an error means.
    pub(crate) fn try_finish(&self) -> Result<()> {
        let _span = trace::span("wait", "synchronise", || json!({ "place": trace::place(self.site.pos) }));
        let result = self.memory.finish(self.queue);
        self.is_finished.set(result.is_ok());
        result
    }

    fn device(&self) -> &'static dyn Device {
        &*self.memory.device
    }

    /// What a step gives.
    fn checked<T>(&self, name: &str, result: Result<T>) -> T {
        self.is_beyond_mark.set(true);
        self.is_finished.set(false);
        match result {
            Ok(value) => value,
            Err(Error::Failed(error)) if !name.is_empty() => {
                self.site.fail(format_args!("`{name}': {error}"))
            }
            Err(error) => self.site.end(error),
        }
    }

    /// Memory for a copy of something called `name`.
    pub(crate) fn allocate(&self, bytes: u64, name: &str) -> u64 {
        let result = usize::try_from(bytes)
            .map_err(|_| Error::Failed("out of memory".into()))
            .and_then(|bytes| self.device().allocate(bytes, name, self.queue));
        let address = self.checked(name, result);
        notify::allocation(&self.at(), name, address, bytes);
        self.tell(prof::Event::Alloc, name, bytes, address);
        address
    }

    fn tell(&self, event: prof::Event, name: &str, bytes: u64, device: u64) {
        prof::memory(event, &self.at(), || data_details(name, bytes, 0, device));
    }

    /// Tells of a copy, makes it, and notes its time.
    fn transfer(
        &self,
        direction: notify::Direction,
        name: &str,
        place: Places,
        copy: impl FnOnce() -> Result<()>,
    ) {
        let Places { host, device, bytes } = place;
        notify::transfer(&self.at(), direction, name, bytes);
        let activity = match direction {
            notify::Direction::Upload => Activity::EnqueueUpload,
            notify::Direction::Download => Activity::EnqueueDownload,
        };
        let details = || data_details(name, bytes, host, device);
        let span = prof::start_with(activity, &self.at(), details);
        let copy = || self.checked(name, copy());
        let from = trace::mark(self.device(), self.queue);
        time::transfer(&self.site, self.device(), self.queue, bytes, copy);
        trace::work(
            self.device(),
            self.queue,
            from,
            ("copy", direction.name()),
            || json!({ "variable": name, "bytes": bytes, "place": trace::place(self.site.pos) }),
        );
        span.into_iter().for_each(prof::Span::end);
    }

    /// Memory will be given back without a copy of what it holds, and the program reads the host's contents
    /// later.
    pub(crate) fn dropped(&self, device: u64, name: &str) {
        self.checked(name, self.device().dropped(device, name, self.queue));
    }

    /// Gives memory back.
    pub(crate) fn free(&self, device: u64, name: &str) {
        notify::free(&self.at(), name, device);
        self.tell(prof::Event::Free, name, 0, device);
        self.checked(name, self.device().free(device, self.queue));
    }

    /// Tells the device what it will hold.
    pub(crate) fn describe(&self, device: u64, bytes: u64, elements: Option<&'static Elements>) {
        if let Some(elements) = elements {
            self.device().describe(device, bytes, elements);
        }
    }

    /// Copies a range to the device.
    pub(crate) fn upload(&self, device: u64, range: Range, name: &str) {
        self.upload_runs(device, range.start, &Runs::one(range.bytes), name);
    }

    /// Copies a range to the device that the program may change, or give up, before the copy is made.
    pub(crate) fn upload_value(&self, device: u64, range: Range, name: &str) {
        // SAFETY: as for other copies.
        self.send(device, range.start, range.bytes, name, |host| unsafe {
            self.device().upload_value(device, host, range.bytes as usize, self.queue)
        });
    }

    /// Copies runs of bytes to the device, the first from `start` to `device`.
    pub(crate) fn upload_runs(&self, device: u64, start: u64, runs: &Runs, name: &str) {
        let bytes = runs.total();
        if bytes > size_of::<u64>() as u64 {
            self.is_seen.set(true);
        }
        // SAFETY: the program says that so many bytes are at this address; a wrong section faults, as on a
        // host.
        self.send(device, start, bytes, name, |host| unsafe {
            match runs.is_one() {
                true => self.device().upload(device, host, bytes as usize, self.queue),
                false => self.device().upload_runs(device, host, runs, self.queue),
            }
        });
    }

    fn send(
        &self,
        device: u64,
        start: u64,
        bytes: u64,
        name: &str,
        copy: impl FnOnce(*const u8) -> Result<()>,
    ) {
        if bytes > 0 {
            let host = std::ptr::with_exposed_provenance::<u8>(start as usize);
            let places = Places { host: start, device, bytes };
            self.transfer(notify::Direction::Upload, name, places, || copy(host));
        }
    }

    /// The host is about to get memory of the device, of which this is what it holds, where that is known.
    pub(crate) fn returns(&self, device: u64, bytes: u64, elements: Option<&Elements>, name: &str) {
        self.checked(name, self.device().returns(device, bytes as usize, elements, self.queue));
    }

    /// Copies a range from the device.
    pub(crate) fn download(&self, device: u64, range: Range, name: &str) {
        self.download_runs(device, range.start, &Runs::one(range.bytes), name);
    }

    /// Copies runs of bytes from the device, the first from `device` to `start`.
    pub(crate) fn download_runs(&self, device: u64, start: u64, runs: &Runs, name: &str) {
        let bytes = runs.total();
        if bytes == 0 {
            return;
        }
        self.is_seen.set(true);
        let host = std::ptr::with_exposed_provenance_mut::<u8>(start as usize);
        let places = Places { host: start, device, bytes };
        // SAFETY: as above.
        self.transfer(notify::Direction::Download, name, places, || unsafe {
            match runs.is_one() {
                true if self.leaves_early.get() && bytes <= self.device().late_bytes() as u64 => {
                    self.device().download_late(host, device, bytes as usize, self.queue)
                }
                true => self.device().download(host, device, bytes as usize, self.queue),
                false => self.device().download_runs(host, device, runs, self.queue),
            }
        });
    }

    /// Looks at a range of device memory, which the host waits for.
    pub(crate) fn fetch(&self, device: u64, into: &mut [u8], name: &str) {
        if into.is_empty() {
            return;
        }
        // SAFETY: the bytes are there until the copy is done, which the host waits for.
        let result = unsafe { self.device().download(into.as_mut_ptr(), device, into.len(), self.queue) };
        self.checked(name, result);
        self.checked(name, self.device().finish(self.queue));
    }

    /// What the host's memory would be, from the first of some runs to the last, if the device's runs were
    /// copied to it.
    pub(crate) fn fetch_runs(&self, device: u64, host: &[u8], runs: &Runs, name: &str) -> Vec<u8> {
        debug_assert!(runs.extent() <= host.len() as u64, "the runs are longer than their range");
        let mut image = host.to_vec();
        // SAFETY: as above; the image is as long as the runs reach.
        let result = unsafe { self.device().download_runs(image.as_mut_ptr(), device, runs, self.queue) };
        self.checked(name, result);
        self.checked(name, self.device().finish(self.queue));
        image
    }

    /// Copies within the device's memory.
    pub(crate) fn copy(&self, to: u64, from: u64, bytes: u64) {
        if bytes > 0 && to != from {
            self.checked("", self.device().copy(to, from, bytes as usize, self.queue));
        }
    }

    /// Copies between two devices, of which this is one; false if they cannot without the host.
    pub(crate) fn copy_across(&self, to: (&dyn Device, u64), from: (&dyn Device, u64), bytes: usize) -> bool {
        // Whoever comes next to either side must be able to rely on it.
        self.is_seen.set(true);
        self.checked("", self.device().copy_across(to, from, bytes, self.queue))
    }

    /// Fills memory with zero bytes.
    pub(crate) fn clear(&self, device: u64, bytes: u64, name: &str) {
        self.checked(name, self.device().clear(device, bytes as usize, self.queue));
    }

    /// Writes a pointer into device memory.
    pub(crate) fn write_pointer(&self, at: u64, value: u64, name: &str) {
        self.checked(name, self.device().write_pointer(at, value, self.queue));
    }

    /// Lets the queue wait for what is on another one now.
    pub(crate) fn wait_for(&self, other: Queue) {
        if other == self.queue {
            return;
        }
        let event = self.checked("", self.device().record(other));
        self.checked("", self.device().wait(self.queue, event));
        self.device().release_event(event);
    }

    /// Lets the queue wait for what is on queues of a device now, each with its number.
    pub(crate) fn wait_for_queues(&self, of: &'static Memory, queues: Vec<(i64, Queue)>) {
        for (number, other) in queues {
            notify::wait(&self.at(), number);
            match std::ptr::eq(of, self.memory) {
                true => self.wait_for(other),
                false => self.wait_for_other(of, other),
            }
        }
    }

    /// Lets the queue wait for what is on another device's; if it cannot, the host does.
    fn wait_for_other(&self, memory: &'static Memory, other: Queue) {
        let event = memory.device.record(other).unwrap_or_else(|error| self.site.end(error));
        let waits = self.checked("", self.device().wait_for_other(self.queue, &*memory.device, event));
        memory.device.release_event(event);
        if !waits {
            memory.wait_for(other, self.site);
        }
    }

    /// A block that starts there has been made.
    pub(super) fn made(&self, start: u64) {
        self.made.borrow_mut().push(start);
    }

    /// Blocks that were made are ready when the work so far is done.
    pub(super) fn mark_ready(&self, table: &mut Table) {
        let made = self.made.take();
        if made.is_empty() {
            return;
        }
        // Of synchronous work only other threads could tell when exactly, and an event costs all launches.
        let mark = self.new_mark(!self.is_synchronous());
        for start in made {
            if let Some(block) = table.get_mut(start) {
                block.ready = Some(Arc::clone(&mark));
            }
        }
    }

    /// A mark behind what is on the queue now. Another that is not exact may come to be behind later work.
    fn new_mark(&self, is_exact: bool) -> Arc<Mark> {
        let promise = match self.site.construct.is_compute() {
            _ if self.is_synchronous() => Promise::All,
            true => Promise::Constructs(self.strand),
            false => Promise::None,
        };
        let mark = Mark::new(self.device(), self.queue, promise);
        if is_exact || self.device().marks_at_once(self.queue) {
            self.checked("", mark.event());
        }
        Arc::new(mark)
    }

    /// A mark behind the directive's region; the same one however often it is asked for.
    pub(super) fn mark(&self) -> Arc<Mark> {
        let new = || {
            let mark = self.new_mark(false);
            self.is_beyond_mark.set(false);
            mark
        };
        Arc::clone(self.mark.get_or_init(new))
    }

    /// Lets the queue wait for a mark of another one, which the program may rely on if it is promised.
    pub(super) fn after(&self, mark: Option<&Arc<Mark>>) {
        let Some(mark) = mark.filter(|mark| mark.queue != self.queue) else { return };
        let is_promised = match mark.promise {
            Promise::All => true,
            Promise::Constructs(strand) => self.site.construct.is_compute() || strand != self.strand,
            Promise::None => false,
        };
        self.checked("", mark.lead(self.queue, is_promised));
    }
}

impl Memory {
    /// Whether all work of a queue is done; an error of that work ends the program.
    pub(crate) fn is_done(&self, queue: Queue, site: Site<'_>) -> bool {
        let status = self.device.record(queue).map(|event| {
            let status = self.device.query(event);
            self.device.release_event(event);
            status
        });
        match status {
            Ok(Status::Pending) => false,
            Ok(Status::Done) => true,
            Ok(Status::Failed(error)) | Err(error) => site.end(error),
        }
    }

    /// The host waits for all work of a queue; an error of that work ends the program.
    pub(crate) fn wait_for(&self, queue: Queue, site: Site<'_>) {
        let _span = trace::span("wait", "synchronise", || json!({ "place": trace::place(site.pos) }));
        if let Err(error) = self.device.finish(queue) {
            site.end(error);
        }
    }
}
