//! For tests: regions and tasks whose code is a closure.

use crate::abi::{
    ABSENT, ASYNC_SYNC, ArgDesc, ArgKind, Array, ConstructKind, LaunchDesc, SourcePos, Str, TASK_DETACHABLE,
    TASK_LOOP, VERSION,
};
use crate::launch::launch;
use crate::omp::entries;
use crate::task::depend::Dependence;
use crate::task::events::reserve;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

const POS: SourcePos = SourcePos { file: Str::new("test.c"), line: 1 };
const ARGS: [ArgDesc; 1] = [ArgDesc { name: Str::new(""), kind: ArgKind::Value.number(), map: 0 }];

/// The values of a directive's scheduling.
fn scheduling(is_true: bool) -> [u64; 6] {
    [ABSENT as u64, is_true.into(), 0, ASYNC_SYNC as u64, u64::MAX, 0]
}

const fn desc(kind: ConstructKind, flags: u32, entry: crate::abi::HostEntry) -> LaunchDesc {
    LaunchDesc {
        version: VERSION,
        kind: kind.number(),
        host_entry: Some(entry),
        region: Str::new("test$region0"),
        function: Str::new("test"),
        pos: POS,
        maps: Array::new(&[]),
        args: Array::new(&ARGS),
        flags,
        fused: 0,
    }
}

unsafe extern "C" fn call_region(args: *const u64, gang: u64, gangs: u64) {
    assert_eq!((gang, gangs), (0, 1));
    // SAFETY: `parallel` passes the address of a reference that outlives the region.
    unsafe { (*with_exposed_provenance::<&(dyn Fn() + Sync)>(*args as usize))() };
}

unsafe extern "C" fn call_task(args: *const u64, gang: u64, gangs: u64) {
    assert_eq!((gang, gangs), (0, 1));
    // SAFETY: `Task::create` leaks the box and passes its address, and a task is executed once.
    let code = unsafe {
        let code = with_exposed_provenance_mut::<Box<dyn FnOnce() + Send>>(*args as usize);
        Box::from_raw(code)
    };
    code();
}

/// Executes a region with so many threads; 0 leaves the number to the runtime.
pub(crate) fn parallel(threads: u64, region: impl Fn() + Sync) {
    static DESC: LaunchDesc = desc(ConstructKind::Team, 0, call_region);
    let region: &(dyn Fn() + Sync) = &region;
    let argument = (&raw const region).expose_provenance() as u64;
    let values = [&scheduling(true)[..], &[threads, 0, 0, 0, 0, argument]].concat();
    // SAFETY: the values are those that the descriptor calls for.
    unsafe { launch(&DESC, values.as_ptr()) };
}

/// The clauses of a task.
pub(crate) struct Task<'a> {
    /// `depend`.
    pub(crate) depends: &'a [Dependence],
    /// A sum of the `TASK_*` constants.
    pub(crate) flags: u64,
    /// `priority`.
    pub(crate) priority: i64,
    /// `if`.
    pub(crate) is_deferred: bool,
}

impl Task<'_> {
    /// Without clauses.
    pub(crate) const PLAIN: Task<'static> = Task { depends: &[], flags: 0, priority: 0, is_deferred: true };

    /// Creates the task. Gives the handle of its event, if it is to have one.
    pub(crate) fn create(&self, code: impl FnOnce() + Send) -> u64 {
        static DESC: LaunchDesc = desc(ConstructKind::Task, LaunchDesc::TASK, call_task);
        let code: Box<dyn FnOnce() + Send> = Box::new(code);
        // SAFETY: tests wait for their tasks before what these use goes.
        let code: Box<dyn FnOnce() + Send + 'static> = unsafe { std::mem::transmute(code) };
        let argument = Box::into_raw(Box::new(code)).expose_provenance() as u64;
        let event = if self.flags & TASK_DETACHABLE != 0 { reserve() } else { 0 };
        let depends = self.depends.as_ptr().expose_provenance() as u64;
        let count = self.depends.len() as u64;
        let clauses = [depends, count, self.flags, self.priority as u64, event];
        let values = [&scheduling(self.is_deferred)[..], &clauses, &[0; 5], &[argument]].concat();
        // SAFETY: the values are those that the descriptor calls for.
        unsafe { launch(&DESC, values.as_ptr()) };
        event
    }
}

/// A task without clauses.
pub(crate) fn task(code: impl FnOnce() + Send) {
    Task::PLAIN.create(code);
}

/// A task with dependences: kinds and addresses.
pub(crate) fn depend(list: &[(u64, u64)], code: impl FnOnce() + Send) {
    let depends: Vec<Dependence> = list.iter().map(|&(kind, address)| Dependence { address, kind }).collect();
    Task { depends: &depends, ..Task::PLAIN }.create(code);
}

/// The tasks of a `taskloop` without `nogroup`; each gets its number. `if` says whether they may wait.
pub(crate) fn taskloop(tasks: u64, is_deferred: bool, code: impl Fn(u64) + Sync) {
    unsafe extern "C" fn call(args: *const u64, _gang: u64, _gangs: u64) {
        // SAFETY: the address of a reference that outlives the group of the tasks.
        let code = unsafe { *with_exposed_provenance::<&(dyn Fn(u64) + Sync)>(*args as usize) };
        code(entries::task_number());
    }
    static DESC: LaunchDesc = desc(ConstructKind::Task, LaunchDesc::TASK, call);
    let code: &(dyn Fn(u64) + Sync) = &code;
    let argument = (&raw const code).expose_provenance() as u64;
    let values = [&scheduling(is_deferred)[..], &[0, 0, TASK_LOOP, 0, 0], &[0; 5], &[argument]].concat();
    entries::taskgroup_start();
    entries::taskloop(tasks);
    // SAFETY: the values are those that the descriptor calls for.
    unsafe { launch(&DESC, values.as_ptr()) };
    entries::taskgroup_end();
}

/// `taskwait`.
pub(crate) fn taskwait() {
    entries::taskwait(c"test.c:1".as_ptr());
}

/// `single` with its barrier.
pub(crate) fn single(code: impl FnOnce()) {
    if entries::single_start() != 0 {
        code();
    }
    entries::barrier();
}
