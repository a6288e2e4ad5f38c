//! What compiled host code hands to the runtime: bytes with relocations, which a program in memory, an object
//! file and a library have alike.
//!
//! A directive is a constant *descriptor*, [`LaunchDesc`] or [`DataDesc`], whose address the code passes.
//! Descriptors are C structures ([`records`] has their layouts, [`kinds`] the numbers in them) that live as
//! long as the program. Text is a [`Str`], a pointer and a number of bytes; lists are an [`Array`], a pointer
//! and a number of elements. What does not fit this runtime is told by the [`VERSION`] at the start of a
//! descriptor, and ends the program. The [`ProgramTable`] lists the regions and objects that devices have
//! images of.
//!
//! What is only known when the directive is reached travels beside the descriptor as an array of 64-bit
//! *values*, in an order that the descriptor fixes:
//!
//! 1. scheduling, always six values: the device ([`ABSENT`] in OpenACC, where it is the one that the thread
//!    uses; the number of OpenMP's `device`, [`DEVICE_DEFAULT`] without), `if` (0 or 1; 1 if absent), `self` (0 or 1; 0 if absent), the queue (an
//!    `acc_async_*` number, [`ASYNC_SYNC`] if the clause is absent, or [`ASYNC_OF_DATA`]), `wait(devnum:)`
//!    (-1 if absent), number of wait queues; then the wait queues;
//!    then, if the descriptor has the flag `TASK`: the address of the dependences, their number, a sum of the
//!    `TASK_*` constants, the priority, and the address of the variable of `detach` (0 without);
//! 2. for a launch, five dimensions: gangs in x, y, z, workers, lanes; 0 where the program names none (of a
//!    team of the host's threads, the first is the number of threads);
//!    for `init`, `shutdown`, `set`: device type, device number, default queue; [`ABSENT`] where not given;
//! 3. for each map: start address, bytes, bias of the pointer, address of the pointer (0 if none), its
//!    strides, and for each level of rows: lower byte, bytes, strides. A stride is a count and a distance in
//!    bytes;
//! 4. for a launch, each argument that is a value.
//!
//! Narrow values are zero-extended unless they are signed numbers (queues, device numbers), which are
//! sign-extended.

pub mod kinds;
pub mod program;
pub mod records;

pub use kinds::{ArgKind, ConstructKind, DataKind, MapKind, ScalarKind};
pub use program::{Object, ProgramTable, Region};
pub use records::{
    ArgDesc, Array, DataDesc, ElementPart, Elements, HostEntry, LaunchDesc, MapDesc, Member, SourcePos, Str,
    VERSION,
};

/// `acc_async_noval`: the queue of an `async` clause without argument.
pub const ASYNC_NOVAL: i64 = -1;
/// `acc_async_sync`: the queue of a construct without `async`.
pub const ASYNC_SYNC: i64 = -2;
/// The queue of a data region that the compiler has put around the launches of one construct without `async`.
/// No clause has the number: those are 32 bits wide.
pub const ASYNC_OF_DATA: i64 = i64::MIN + 1;
/// The device of an OpenMP directive without `device`. No clause has the number: those are 32 bits wide.
pub const DEVICE_DEFAULT: i64 = i64::MIN + 1;
/// Stands for a numeric clause that was not given.
pub const ABSENT: i64 = i64::MIN;

/// A task may be resumed by another thread than the one that began it (`untied`).
pub const TASK_UNTIED: u64 = 1;
/// `final` is true: tasks that the task creates are executed at once, by its thread.
pub const TASK_FINAL: u64 = 2;
/// `mergeable`.
pub const TASK_MERGEABLE: u64 = 4;
/// `nowait`, of a target task.
pub const TASK_NOWAIT: u64 = 8;
/// `detach`: the task is complete when its event is fulfilled, too.
pub const TASK_DETACHABLE: u64 = 16;
/// A `taskloop`: its tasks, whose number the runtime has been told, ask for their own.
pub const TASK_LOOP: u64 = 32;

/// Name under which host code finds the function that launches a region:
/// `extern "C" fn(desc: *const LaunchDesc, values: *const u64)`.
pub const LAUNCH_SYMBOL: &str = "__accrue_launch";

/// Name under which host code finds a `u32`: while it is not 0, a compute construct whose clauses do not say
/// when or where, and whose maps are single runs of bytes, is a call of its region with the program's own
/// addresses, as gang 0 of 1.
pub const DIRECT_SYMBOL: &str = "__accrue_direct";

/// Name under which regions find a `u8`: while it is not 0, the thread is the only one of the process, and
/// what it does to memory is atomic.
pub const ALONE_SYMBOL: &str = "__accrue_alone";

/// Name of the object in which a device's code finds the number of the device and how many there are, as
/// OpenMP counts them: `int[2]`. Code that does not ask has none.
pub const DEVICES_OBJECT: &str = "__accrue_devices";

/// Name under which host code finds the function behind data directives:
/// `extern "C" fn(desc: *const DataDesc, values: *const u64, device_addresses: *mut u64)`. The last argument
/// receives one value per map of a [`DataKind::HostDataBegin`], and may be null otherwise.
pub const DATA_SYMBOL: &str = "__accrue_data";

/// Name under which regions, where results are checked, find the function that is told how many terms a
/// reduction has: `extern "C" fn(terms: i64)`.
pub const TERMS_SYMBOL: &str = "__accrue_terms";

/// Name under which regions, whose gangs several threads execute, find the function that waits until the
/// gangs before the thread's are done: `extern "C" fn()`.
pub const GANG_AWAIT_TURN_SYMBOL: &str = "__accrue_gang_await_turn";
/// That which keeps other gangs from combining results: `extern "C" fn()`.
pub const GANG_LOCK_SYMBOL: &str = "__accrue_gang_lock";
/// That which lets them again: `extern "C" fn()`.
pub const GANG_UNLOCK_SYMBOL: &str = "__accrue_gang_unlock";

/// Name under which code, where loops are judged, finds the function that tells how many traced loops the
/// thread is in: `extern "C" fn() -> u32`.
pub const LOOP_MARK_SYMBOL: &str = "__accrue_loop_mark";
/// That which is told of the start of a loop: `extern "C" fn(table: *const c_char, loop_: u32, around: u32)`.
pub const LOOP_ENTER_SYMBOL: &str = "__accrue_loop_enter";
/// That which is told of the start of an iteration: `extern "C" fn(around: u32)`.
pub const LOOP_ITERATE_SYMBOL: &str = "__accrue_loop_iterate";
/// That which is told of the end of loops: `extern "C" fn(around: u32)`.
pub const LOOP_LEAVE_SYMBOL: &str = "__accrue_loop_leave";
/// That which is told what the innermost loop may carry:
/// `extern "C" fn(address: *const c_void, bytes: i64, how: u32)`.
pub const LOOP_SPARE_SYMBOL: &str = "__accrue_loop_spare";
/// How a loop is spared: it may carry anything in the object, which is its own.
pub const SPARE_OWN: u32 = 0;
/// The same for the object that it reduces, which begins to exist with its first iteration.
pub const SPARE_REDUCED: u32 = 1;
/// It may carry all but a value that flows from one iteration to another.
pub const SPARE_FLOW_COUNTS: u32 = 2;
/// That which is told of accesses: `extern "C" fn(address: *const c_void, bytes: i64, site: u32)`.
pub const LOOP_ACCESS_SYMBOL: &str = "__accrue_loop_access";
/// That which is told of objects that begin to exist: `extern "C" fn(address: *const c_void, bytes: i64)`.
pub const LOOP_FRESH_SYMBOL: &str = "__accrue_loop_fresh";
/// That which is told of blocks that `free` gets: `extern "C" fn(address: *mut c_void)`.
pub const LOOP_FREED_SYMBOL: &str = "__accrue_loop_freed";
/// Where tasks are judged, that which is told of the names of accesses:
/// `extern "C" fn(table: *const c_char)`.
pub const TASK_TABLE_SYMBOL: &str = "__accrue_task_table";
/// As [`LOOP_ACCESS_SYMBOL`], where tasks are judged.
pub const TASK_ACCESS_SYMBOL: &str = "__accrue_task_access";
/// As [`LOOP_FRESH_SYMBOL`], where tasks are judged.
pub const TASK_FRESH_SYMBOL: &str = "__accrue_task_fresh";
/// As [`LOOP_FREED_SYMBOL`], where tasks are judged.
pub const TASK_FREED_SYMBOL: &str = "__accrue_task_freed";

/// Name of the function by which a program registers callbacks of its own for profiling events: where it
/// defines one, it is called before `main`, by [`crate::register_library`].
pub const REGISTER_LIBRARY_SYMBOL: &str = "acc_register_library";
