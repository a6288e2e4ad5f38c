//! Graphs of host and target tasks on a device whose queues lag: a thread of its own works them off, now from
//! one and now from another.

use super::clauses::Clauses;
use super::depend::Dependence;
use super::harness::{Task, depend, parallel, single, taskwait};
use super::node::Code;
use super::target;
use crate::abi::{ASYNC_SYNC, Object, TASK_NOWAIT};
use crate::device::kind::{self, DeviceId};
use crate::memory::{Mark, Memory, Promise};
use crate::omp::entries;
use crate::plugin::{Device, Error, Event, HostFunction, Launch, Properties, Queue, Result, Shape, Status};
use crate::prof::events::Construct;
use crate::site::Site;
use crate::team::member::{current, strand};
use crate::values::Values;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

enum Step {
    Run(Box<dyn FnOnce() + Send>),
    Record(u64),
    Wait(u64),
}

#[derive(Default)]
struct State {
    queues: BTreeMap<u64, VecDeque<Step>>,
    happened: BTreeSet<u64>,
    next: u64,
    /// Times that the host has waited.
    finished: u32,
    /// Nothing is done before the host waits.
    holds: bool,
    busy: Option<u64>,
}

/// The device.
struct Lagging {
    state: Mutex<State>,
    changed: Condvar,
}

impl Lagging {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn push(&self, queue: Queue, step: Step) {
        self.state().queues.entry(queue.0).or_default().push_back(step);
        self.changed.notify_all();
    }

    fn serve(&self) {
        let mut turn = 0u64;
        loop {
            let mut state = self.state();
            turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let can_go = |step: &Step| match step {
                Step::Wait(event) => state.happened.contains(event),
                Step::Run(_) | Step::Record(_) => true,
            };
            let able: Vec<u64> = state
                .queues
                .iter()
                .filter(|(_, steps)| steps.front().is_some_and(can_go))
                .map(|(&queue, _)| queue)
                .collect();
            if able.is_empty() || state.holds {
                drop(self.changed.wait_timeout(state, Duration::from_millis(50)).unwrap());
                continue;
            }
            let queue = able[(turn >> 33) as usize % able.len()];
            match state.queues.get_mut(&queue).and_then(VecDeque::pop_front) {
                Some(Step::Run(run)) => {
                    state.busy = Some(queue);
                    drop(state);
                    // Time for somebody to make a queue.
                    std::thread::sleep(Duration::from_micros(20));
                    run();
                    state = self.state();
                    state.busy = None;
                }
                Some(Step::Record(event)) => _ = state.happened.insert(event),
                Some(Step::Wait(_)) | None => {}
            }
            drop(state);
            self.changed.notify_all();
        }
    }
}

struct Handle(Arc<Lagging>, Properties);

fn no<T>() -> Result<T> {
    Err(Error::Failed("the tests' device has no memory".into()))
}

impl Device for Handle {
    fn kind(&self) -> c_int {
        kind::NVIDIA
    }

    fn properties(&self) -> &Properties {
        &self.1
    }

    fn free_memory(&self) -> usize {
        0
    }

    fn allocate(&self, _: usize, _: &str, _: Queue) -> Result<u64> {
        no()
    }

    fn free(&self, _: u64, _: Queue) -> Result<()> {
        no()
    }

    unsafe fn upload(&self, _: u64, _: *const u8, _: usize, _: Queue) -> Result<()> {
        no()
    }

    unsafe fn download(&self, _: *mut u8, _: u64, _: usize, _: Queue) -> Result<()> {
        no()
    }

    fn copy(&self, _: u64, _: u64, _: usize, _: Queue) -> Result<()> {
        no()
    }

    fn clear(&self, _: u64, _: usize, _: Queue) -> Result<()> {
        no()
    }

    fn object(&self, _: &Object) -> Option<u64> {
        None
    }

    fn owns(&self, _: u64) -> bool {
        false
    }

    unsafe fn launch(&self, _: Launch<'_>, _: Queue, _: &[Event]) -> Result<Shape> {
        no()
    }

    /// As a driver may, only when no function is being executed.
    fn create_queue(&self, _: bool) -> Result<Queue> {
        let mut state = self.0.state();
        while state.busy.is_some() {
            let (next, waited) = self.0.changed.wait_timeout(state, Duration::from_secs(20)).unwrap();
            assert!(!waited.timed_out(), "a function waits for who makes a queue");
            state = next;
        }
        state.next += 1;
        Ok(Queue(state.next))
    }

    fn release_queue(&self, _: Queue) {}

    fn record(&self, queue: Queue) -> Result<Event> {
        let event = {
            let mut state = self.0.state();
            state.next += 1;
            state.next
        };
        self.0.push(queue, Step::Record(event));
        Ok(Event(event))
    }

    fn release_event(&self, _: Event) {}

    fn wait(&self, queue: Queue, event: Event) -> Result<()> {
        self.0.push(queue, Step::Wait(event.0));
        Ok(())
    }

    fn query(&self, event: Event) -> Status {
        if self.0.state().happened.contains(&event.0) { Status::Done } else { Status::Pending }
    }

    fn finish(&self, queue: Queue) -> Result<()> {
        let mut state = self.0.state();
        state.finished += 1;
        state.holds = false;
        self.0.changed.notify_all();
        while state.busy == Some(queue.0) || state.queues.get(&queue.0).is_some_and(|steps| !steps.is_empty())
        {
            state = self.0.changed.wait(state).unwrap();
        }
        Ok(())
    }

    fn call_host(&self, queue: Queue, function: HostFunction) -> Result<()> {
        self.0.push(queue, Step::Run(function));
        Ok(())
    }

    fn elapsed(&self, _: Event, _: Event) -> Option<Duration> {
        None
    }
}

/// A device of the tests.
#[derive(Clone, Copy)]
struct Accelerator {
    device: &'static Lagging,
    memory: &'static Memory,
}

fn accelerator() -> Accelerator {
    let lagging = Arc::new(Lagging { state: Mutex::default(), changed: Condvar::new() });
    let text = || std::ffi::CString::from(c"lag");
    let properties = Properties { name: text(), vendor: text(), driver: text(), memory: 0 };
    let id = DeviceId { kind: kind::NVIDIA, number: 0 };
    let handle = Handle(Arc::clone(&lagging), properties);
    let memory: &'static Memory = Box::leak(Box::new(Memory::new(Box::new(handle), id, &[])));
    let device: &'static Lagging = Box::leak(Box::new(lagging));
    std::thread::spawn(|| device.serve());
    Accelerator { device, memory }
}

/// What a target task of the tests does on the device; its one value is checked.
struct Job {
    device: &'static Lagging,
    value: u64,
    run: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

unsafe fn carry_out(code: &Code, memory: &'static Memory, queue: Queue, values: *const u64) -> Arc<Mark> {
    // SAFETY: `create` leaks the job, and passes one value.
    let (job, value) = unsafe { (&*code.desc.cast::<Job>(), values.read()) };
    assert_eq!(value, job.value, "the values of a directive are gone");
    let run = job.run.lock().unwrap().take();
    job.device.push(queue, Step::Run(run.expect("a task is submitted once")));
    let mark = Mark::new(&*memory.device, queue, Promise::Constructs(strand()));
    mark.event().expect("the device of the tests records events");
    Arc::new(mark)
}

impl Accelerator {
    /// A target task with dependences.
    fn create(self, list: &[(u64, u64)], flags: u64, run: impl FnOnce() + Send) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let value = LAST.fetch_add(1, Ordering::Relaxed);
        let run: Box<dyn FnOnce() + Send> = Box::new(run);
        // SAFETY: tests wait for their tasks before what these use goes.
        let run: Box<dyn FnOnce() + Send + 'static> = unsafe { std::mem::transmute(run) };
        let job: &'static Job =
            Box::leak(Box::new(Job { device: self.device, value, run: Mutex::new(Some(run)) }));
        let site = Site { pos: None, function: "test", what: "parallel", construct: Construct::Parallel };
        let code = Code { carry_out, desc: std::ptr::from_ref(job).cast(), site, strand: strand() };
        let depends: Vec<Dependence> =
            list.iter().map(|&(kind, address)| Dependence { address, kind }).collect();
        let clauses = Clauses {
            depends: depends.as_ptr().expose_provenance() as u64,
            count: depends.len() as u64,
            flags,
            priority: 0,
            event: 0,
        };
        let mut words = [value];
        // SAFETY: one value.
        let values = unsafe { Values::new(words.as_ptr()) };
        let copy = || values.copy(1, &[], 0);
        let is_deferred = flags & TASK_NOWAIT != 0;
        target::create(current(), (self.memory, code), is_deferred, &clauses, words.as_ptr(), copy);
        std::hint::black_box(&mut words)[0] = u64::MAX;
    }

    fn nowait(self, list: &[(u64, u64)], run: impl FnOnce() + Send) {
        self.create(list, TASK_NOWAIT, run);
    }
}

const THREADS: [u64; 3] = [1, 2, 8];

#[test]
fn a_chain_is_submitted_before_it_runs() {
    let accelerator = accelerator();
    accelerator.device.state().holds = true;
    let count = AtomicU32::new(0);
    let count = &count;
    for index in 0..1000 {
        accelerator.nowait(&[(3, 8)], move || assert_eq!(count.fetch_add(1, Ordering::Relaxed), index));
    }
    assert_eq!(count.load(Ordering::Relaxed), 0);
    let state = accelerator.device.state();
    assert_eq!((state.queues.len(), state.finished), (1, 0), "a chain has one queue");
    assert!(!state.queues.values().flatten().any(|step| matches!(step, Step::Wait(_))));
    drop(state);
    taskwait();
    assert_eq!(count.load(Ordering::Relaxed), 1000);
    assert_eq!(accelerator.device.state().finished, 1, "one host synchronisation");
}

#[test]
fn a_diamond_waits_for_events() {
    let accelerator = accelerator();
    accelerator.device.state().holds = true;
    let sum = AtomicU64::new(0);
    let sum = &sum;
    let add = move |value| move || _ = sum.fetch_add(value, Ordering::Relaxed);
    accelerator.nowait(&[(2, 8)], add(1));
    accelerator.nowait(&[(1, 8), (2, 16)], add(10));
    accelerator.nowait(&[(1, 8), (2, 24)], add(100));
    accelerator.nowait(&[(1, 16), (1, 24)], move || assert_eq!(sum.load(Ordering::Relaxed), 111));
    let state = accelerator.device.state();
    let waits = state.queues.values().flatten().filter(|step| matches!(step, Step::Wait(_))).count();
    assert_eq!((state.queues.len(), waits, state.finished), (2, 2, 0));
    drop(state);
    taskwait();
    assert_eq!(accelerator.device.state().finished, 1);
}

#[test]
fn host_tasks_wait_for_target_tasks_and_the_other_way() {
    for threads in THREADS {
        let accelerator = accelerator();
        let count = AtomicU32::new(0);
        let count = &count;
        parallel(threads, || {
            single(|| {
                for index in 0..300 {
                    let next = move || assert_eq!(count.fetch_add(1, Ordering::Relaxed), index);
                    match index % 3 {
                        0 => accelerator.nowait(&[(3, 8)], next),
                        1 => depend(&[(3, 8)], next),
                        _ => accelerator.create(&[(3, 8)], 0, next),
                    }
                    assert!(index % 3 < 2 || count.load(Ordering::Relaxed) == index + 1);
                }
                let list = [Dependence { address: 8, kind: 3 }];
                let depends = Task { depends: &list, is_deferred: false, ..Task::PLAIN };
                depends.create(move || assert_eq!(count.load(Ordering::Relaxed), 300));
            });
        });
    }
}

#[test]
fn ends_of_groups_and_barriers_wait() {
    for threads in THREADS {
        let accelerator = accelerator();
        let count = AtomicU32::new(0);
        let count = &count;
        parallel(threads, || {
            for round in 1..=20 {
                entries::taskgroup_start();
                let own = AtomicU32::new(0);
                let own = &own;
                for _ in 0..3 {
                    accelerator.nowait(&[], move || {
                        own.fetch_add(1, Ordering::Relaxed);
                        count.fetch_add(1, Ordering::Relaxed);
                    });
                }
                entries::taskgroup_end();
                assert_eq!(own.load(Ordering::Relaxed), 3);
                accelerator.nowait(&[], move || _ = count.fetch_add(1, Ordering::Relaxed));
                entries::barrier();
                assert_eq!(u64::from(count.load(Ordering::Relaxed)), 4 * round * threads);
                entries::barrier();
            }
        });
    }
}

/// A long chain of target tasks that all wait for one host task is submitted without recursion.
#[test]
fn a_chain_behind_a_host_task_needs_no_stack() {
    let accelerator = accelerator();
    let count = AtomicU32::new(0);
    let count = &count;
    parallel(2, || {
        single(|| {
            depend(&[(2, 8)], move || {
                std::thread::sleep(Duration::from_millis(20));
                count.fetch_add(1, Ordering::Relaxed);
            });
            for index in 1..=20_000 {
                accelerator
                    .nowait(&[(3, 8)], move || assert_eq!(count.fetch_add(1, Ordering::Relaxed), index));
            }
        });
    });
    assert_eq!(count.load(Ordering::Relaxed), 20_001);
}

/// A graph of tasks of the host and of two devices, each of which combines what it reads into what it writes.
fn random_graph(accelerators: [Accelerator; 2], seed: u64, tasks: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % below
    };
    let cells = 1 + random(6);
    let values = || (0..cells).map(AtomicU64::new).collect::<Vec<_>>();
    let (serial, shared) = (values(), values());
    let execute = |cells: &[AtomicU64], number: u64, list: &[(u64, u64)]| {
        let sum = list.iter().fold(number, |sum, &(_, cell)| {
            sum.wrapping_mul(31).wrapping_add(cells[cell as usize].load(Ordering::Relaxed))
        });
        for &(kind, cell) in list {
            let cell = &cells[cell as usize];
            match kind {
                2 | 3 => cell.store(sum.rotate_left(7), Ordering::Relaxed),
                5 => _ = cell.fetch_add(number, Ordering::Relaxed),
                _ => {}
            }
        }
    };
    for number in 0..tasks {
        let mut list: Vec<(u64, u64)> = Vec::new();
        for _ in 0..random(4) {
            let cell = random(cells);
            if list.iter().all(|&(_, other)| other != cell) {
                list.push(([1, 1, 2, 3, 3][random(5) as usize], cell));
            }
        }
        // What tasks of one set read must not be what others of the set write.
        if list.len() == 1 && random(3) == 0 {
            list[0].0 = 5;
        }
        let body = {
            let (list, cells, execute) = (list.clone(), &shared, &execute);
            let adds = matches!(list[..], [(5, _)]);
            move || match adds {
                true => _ = cells[list[0].1 as usize].fetch_add(number, Ordering::Relaxed),
                false => execute(cells, number, &list),
            }
        };
        match list[..] {
            [(5, cell)] => _ = serial[cell as usize].fetch_add(number, Ordering::Relaxed),
            _ => execute(&serial, number, &list),
        }
        let base = shared.as_ptr() as u64;
        let depends: Vec<(u64, u64)> = list.iter().map(|&(kind, cell)| (kind, base + 8 * cell)).collect();
        match random(7) {
            0..=2 => depend(&depends, body),
            3 | 4 => accelerators[0].nowait(&depends, body),
            5 => accelerators[1].nowait(&depends, body),
            _ => accelerators[0].create(&depends, 0, body),
        }
    }
    taskwait();
    let read =
        |cells: &[AtomicU64]| cells.iter().map(|cell| cell.load(Ordering::Relaxed)).collect::<Vec<_>>();
    assert_eq!(read(&serial), read(&shared), "seed {seed}");
}

#[test]
fn random_graphs_give_the_serial_result() {
    let accelerators = [accelerator(), accelerator()];
    for threads in THREADS {
        parallel(threads, || {
            single(|| (1..150).for_each(|seed| random_graph(accelerators, seed * threads, 5 + seed % 60)));
        });
    }
    parallel(4, || (1..40).for_each(|seed| random_graph(accelerators, seed + ASYNC_SYNC.unsigned_abs(), 20)));
}
