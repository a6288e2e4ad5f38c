//! What compiled host code hands to the runtime.
//!
//! Host code and runtime share a process, so descriptors are ordinary Rust objects that live as long as the program:
//! the JIT builds one per directive and bakes its address into the call. What is only known when the directive is
//! reached travels beside it as an array of 64-bit *values*, in an order that the descriptor fixes:
//!
//! 1. scheduling, always five values: `if` (0 or 1; 1 if absent), `self` (0 or 1; 0 if absent), the queue (an
//!    `acc_async_*` number, [`ASYNC_SYNC`] if the clause is absent), `wait(devnum:)` (-1 if absent), number of wait
//!    queues; then the wait queues;
//! 2. for a launch, five dimensions: gangs in x, y, z, workers, lanes; 0 where the program names none;
//!    for `init`, `shutdown`, `set`: device type, device number, default queue; [`ABSENT`] where not given;
//! 3. for each map: start address, bytes, bias of the pointer, address of the pointer (0 if none), its strides, and for
//!    each level of rows: lower byte, bytes, strides. A stride is a count and a distance in bytes;
//! 4. for a launch, each argument that is a value.
//!
//! Narrow values are zero-extended unless they are signed numbers (queues, device numbers), which are sign-extended.

use accrue_ir::{ConstructKind, DataKind, Elements, MapKind, MapModifiers};
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;

/// `acc_async_noval`: the queue of an `async` clause without argument.
pub const ASYNC_NOVAL: i64 = -1;
/// `acc_async_sync`: the queue of a construct without `async`.
pub const ASYNC_SYNC: i64 = -2;
/// Stands for a numeric clause that was not given.
pub const ABSENT: i64 = i64::MIN;

/// A source position, for messages, profiles and traces.
#[derive(Clone, Debug)]
pub struct SourcePos {
    /// File name as the user gave it.
    pub file: std::sync::Arc<str>,
    /// Line, from 1.
    pub line: u32,
}

/// The constant part of a data clause.
#[derive(Clone, Debug)]
pub struct MapDesc {
    /// The clause.
    pub kind: MapKind,
    /// Its modifiers.
    pub modifiers: MapModifiers,
    /// Determined by the compiler.
    pub implicit: bool,
    /// As written in the program.
    pub name: std::sync::Arc<str>,
    /// The map is a section through a pointer, and its bias is meaningful.
    pub through_pointer: bool,
    /// How many strides the section has.
    pub strides: u32,
    /// Levels of rows behind it: how many strides each has.
    pub rows: Box<[u32]>,
    /// What the section holds, or what its rows do, where the program says.
    pub elements: Option<Arc<Elements>>,
    /// The clause.
    pub pos: SourcePos,
}

/// Host code of a region: `args` has one 64-bit value per parameter; the code executes gang `gang` of `gangs`.
pub type HostEntry = unsafe extern "C" fn(args: *const u64, gang: u64, gangs: u64);

/// How an argument of a region is made at launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgDesc {
    /// The device address of the map with this index.
    Address(u32),
    /// The pointer behind the map with this index, translated to the device: start minus bias.
    Pointer(u32),
    /// The next value.
    Value,
    /// The next value, a pointer of this name that no data clause is about.
    PointerValue(std::sync::Arc<str>),
}

/// A compute construct, as the host launches it.
#[derive(Debug)]
pub struct LaunchDesc {
    /// The directive.
    pub kind: ConstructKind,
    /// Name of the region's function.
    pub region: std::sync::Arc<str>,
    /// Host code of the region; a [`HostEntry`].
    pub host_entry: AtomicPtr<u8>,
    /// Data clauses.
    pub maps: Vec<MapDesc>,
    /// Arguments, parallel to the region's parameters.
    pub args: Vec<ArgDesc>,
    /// A `wait` clause stands there (without queues: wait for all).
    pub wait: bool,
    /// The function that holds the construct.
    pub function: std::sync::Arc<str>,
    /// The directive.
    pub pos: SourcePos,
}

/// A data directive.
#[derive(Clone, Debug)]
pub struct DataDesc {
    /// Which.
    pub kind: DataKind,
    /// Data clauses.
    pub maps: Vec<MapDesc>,
    /// A `wait` clause stands there (without queues: wait for all).
    pub wait: bool,
    /// The function that holds the directive.
    pub function: std::sync::Arc<str>,
    /// The directive.
    pub pos: SourcePos,
}

/// Name under which host code finds the function that launches a region:
/// `extern "C" fn(desc: *const LaunchDesc, values: *const u64)`.
pub const LAUNCH_SYMBOL: &str = "__accrue_launch";

/// Name under which host code finds the function behind data directives:
/// `extern "C" fn(desc: *const DataDesc, values: *const u64, device_addresses: *mut u64)`. The last argument receives
/// one value per map of a [`DataKind::HostDataBegin`], and may be null otherwise.
pub const DATA_SYMBOL: &str = "__accrue_data";

/// Name under which regions, where results are checked, find the function that is told how many terms a reduction has:
/// `extern "C" fn(terms: i64)`.
pub const TERMS_SYMBOL: &str = accrue_ir::passes::terms::TERMS;

/// Name of the function by which a program registers callbacks of its own for profiling events: where it defines one, it
/// is called before `main`, by [`crate::register_library`].
pub const REGISTER_LIBRARY_SYMBOL: &str = "acc_register_library";
