//! A simulator of NVIDIA GPUs: it reads PTX, verifies it, executes it on the CPU, and checks every access.
//!
//! # Use
//!
//! ```
//! use accrue_ptx_sim::{Config, Device, LaunchArgs};
//!
//! let ptx = "
//!     .version 7.0
//!     .target sm_70
//!     .address_size 64
//!     .entry twice(.param .u64 a)
//!     {
//!         .reg .b32 %r<3>; .reg .b64 %rd<3>;
//!         ld.param.u64 %rd0, [a];
//!         mov.u32 %r0, %tid.x;
//!         mad.wide.u32 %rd1, %r0, 4, %rd0;
//!         ld.global.u32 %r1, [%rd1];
//!         shl.b32 %r1, %r1, 1;
//!         st.global.u32 [%rd1], %r1;
//!         ret;
//!     }";
//! let device = Device::new(Config::default());
//! let module = device.load(ptx)?;
//! let a = device.alloc(16, "a")?;
//! device.copy_in(a, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0])?;
//! let args = LaunchArgs { block: [4, 1, 1], params: &a.to_le_bytes(), ..LaunchArgs::default() };
//! device.launch(&module, "twice", &args)?;
//! let mut out = [0; 16];
//! device.copy_out(a, &mut out)?;
//! assert_eq!(out, [2, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0, 8, 0, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Device`] is thread-safe; [`Device::launch`] blocks and gives [`Stats`] or the first mistake as a
//!   [`Report`].
//! - Addresses of the device are no addresses that a host's processor accepts (bit 48 is set, bit 47 is not),
//!   and no address is used twice. Memory that nobody wrote is poison: bytes 0xa5. [`Device::copy_out`] tells
//!   where such bytes are.
//! - Parameters are one block of bytes; [`KernelInfo`] says where each is.
//! - [`QueueId`] and [`Event`] tell what is ordered. Launches run at once, in the order of the calls, but a
//!   launch that does not come after another one by its queue races with it where they touch the same memory.
//!   After a launch that the host waits for, call `device.synchronize(&device.record(queue))`. A copy, fill
//!   or free is work of a queue, too, if [`Device::access`] announces it.
//!
//! # What is executed
//!
//! What accrue, clang, GCC and nvcc emit for plain kernels: integer and floating-point arithmetic to 64 bits,
//! half precision, carries, predicates, vectors of up to eight elements, all state spaces, calls (direct,
//! through pointers, recursive), `brx.idx`, shuffles, votes, `match`, `redux`, barriers with numbers and
//! counts, barrier objects (`mbarrier`), `atom` and `red` to 128 bits, fences, ordered and volatile accesses,
//! `alloca`, and the driver's `vprintf`, `malloc`, `free` and `__assertfail`. Not: textures and surfaces,
//! matrix instructions, asynchronous copies and `mbarrier` for them (`expect_tx`, `complete_tx`),
//! `mbarrier.arrive_drop` and `.relaxed` ones, clusters of more than one CTA, video instructions except
//! `vadd` and `vsub` on whole words, `madc`, 8-bit floats, predicated parameters in registers, addresses of
//! parameters of functions. What is not executed is refused when the module is loaded, by line.
//!
//! Approximate functions (`ex2.approx` and the like) are as exact as the host's library. Payloads of `f64`
//! NaNs are the host's.
//!
//! # Schedules
//!
//! Lanes of a warp are scheduled independently; lanes at the same instruction run together. CTAs run in
//! slices of time, so a kernel may spin on what another CTA will do, whatever the size of the grid. Without a
//! seed, CTAs run on several host threads, and the order of their atomics differs from run to run, as on a
//! GPU (with one CTA, or [`Config::threads`] 1, it does not). With [`LaunchArgs::seed`] one host thread runs
//! up to 24 CTAs at once, and chance decides who runs and for how long: a seed always gives the same
//! schedule. [`Device::try_schedules`] tries several.
//!
//! # Checks
//!
//! - Addresses: null, of the host, freed, outside of every variable and allocation, misaligned, constant.
//!   Variables of a state space stand apart, so running off one does not reach the next.
//! - What was never written: each bit of a register and each byte of memory is tracked. Such values may be
//!   moved, stored and computed with (copies of structs with holes, bit fields, loops over padding); what is
//!   computed from one has no value either. A mistake is what depends on one: a branch or guard, an address,
//!   an atomic operation or vote, what is printed. The report says which instruction took the value up.
//!   [`Device::check_output`] does the same for what a host copies out.
//! - Races, by what happens before what: barriers of CTAs, warps and some warps, barrier objects, fences with
//!   atomics, acquire and release, with their scopes. `shfl` orders no memory. Stores of the value that is
//!   there already race, too, but are a kind of their own ([`Kind::QuietRace`], [`Checks::quiet_races`]),
//!   unless all CTAs make them alike: code that all gangs execute is common in OpenACC. Two reads per word
//!   are remembered, so a race may be missed; none is invented.
//! - Barriers that not all reach, shuffles from lanes that do not take part, lanes that never meet.
//! - Barrier objects that nobody initialised, or that other instructions access; arrivals beyond a phase, and
//!   states of phases that are long over.
//! - A lock that two lanes of one warp want. Threads make progress independently, so it would work here; on
//!   GPUs it is slow, or worse. [`Checks::warp_locks`] turns this off.
//! - Waiting without an end: nobody can run, or all who run have come back to the same place with the same
//!   registers while no memory changed. A loop that counts or reads clocks is not seen;
//!   [`Config::instruction_limit`] ends it.
//!
//! # Lints
//!
//! [`lint()`] holds a module to what accrue's own PTX keeps beyond what can be executed: it needs no device,
//! and knows no emitter.
//!
//! # On the command line
//!
//! `accrue sim FILE.ptx --kernel NAME --grid 4 --block 32,8 --arg buf:1024:f32=0 --arg u32:1024 --print 0 [--seed N] [--schedules K]`:
//! parameters in order, `TYPE:VALUE` or `buf:COUNT:TYPE[=VALUE|=iota]` for a pointer to an array on the
//! device.

mod alu;
mod code;
mod copies;
mod device;
mod error;
mod exec;
mod graph;
mod history;
mod host_memory;
mod joins;
mod lint;
mod lower;
mod memory;
mod origin;
mod origins;
mod queue;
mod race;
mod read;
mod report;
mod special;
mod ty;
mod verify;

pub use device::{
    Config, Device, Difference, KernelInfo, LaunchArgs, MemoryError, Module, Print, Schedules, Stats,
};
pub use error::{LoadError, Pos, Problem};
pub use exec::launch::Checks;
pub use lint::lint;
pub use queue::{Asker, Event, HostAccess, Order, QueueId};
pub use report::{Kind, MemoryPlace, Report, Site, Thread};
