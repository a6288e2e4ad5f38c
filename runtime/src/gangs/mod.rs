//! Gangs of regions on the host: how many a launch has, and which one a thread executes. [`execute`] runs
//! them, one after the other or by several threads, and [`team`] the threads of one.

pub(crate) mod execute;
mod recent;
pub(crate) mod team;
#[cfg(test)]
mod tests;

use crate::abi::{ConstructKind, LaunchDesc};
use crate::fatal::warn;
use crate::team::processors::processors;
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

thread_local! {
    /// The region that this thread executes as a device.
    static REGION: Cell<Option<HostRegion>> = const { Cell::new(None) };
}

/// A gang of a region that a thread of the host executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HostRegion {
    /// Its number, and how many there are.
    pub(crate) gang: (u64, u64),
    /// The number of the device that it is on, which has memory of its own; none on the initial one.
    pub(crate) device: Option<u32>,
    /// How many gangs are done; null where the order in which they combine results does not count, or follows
    /// from one thread executing them.
    pub(crate) turn: *const AtomicU64,
}

/// Executes a gang.
pub(crate) fn in_region(region: HostRegion, gang: impl FnOnce()) {
    let outer = REGION.replace(Some(region));
    gang();
    REGION.set(outer);
}

/// The gang that this thread executes, if it executes one.
pub(crate) fn region() -> Option<HostRegion> {
    REGION.get()
}

/// What the command line says of the gangs of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gangs {
    /// So many, at least one, which one thread executes one after the other.
    InTurn(u32),
    /// One, but for OpenMP's leagues, which have as many teams as they ask for: one thread executes them one
    /// after the other.
    Leagues,
    /// As many as there are threads, which execute them at the same time.
    AtOnce {
        /// The most threads; `ACC_NUM_CORES` bounds them, too. Without both, as many as the process has
        /// processors.
        threads: Option<u32>,
        /// Results that depend on the order in which gangs combine them are those of [`Gangs::InTurn`].
        ordered: bool,
    },
}

impl Default for Gangs {
    fn default() -> Gangs {
        Gangs::InTurn(1)
    }
}

/// What [`Gangs`] comes to.
#[derive(Clone, Copy, Debug)]
struct Configured {
    /// Gangs of a launch that asks for no number of them.
    gangs: u32,
    /// Threads that execute them.
    threads: u32,
    /// What a launch asks for is no more than a bound.
    is_bounded: bool,
    /// What a league asks for is what it gets, whatever the bound.
    has_leagues: bool,
    /// Gangs end in their order.
    ordered: bool,
}

impl Configured {
    fn in_turn(gangs: u32) -> Configured {
        Configured { gangs, threads: 1, is_bounded: true, has_leagues: false, ordered: false }
    }
}

static CONFIGURED: OnceLock<Configured> = OnceLock::new();

/// Sets how many gangs the host has, and how many threads execute them.
pub(crate) fn configure(gangs: Gangs) {
    let configured = match gangs {
        Gangs::InTurn(gangs) => Configured::in_turn(gangs.max(1)),
        Gangs::Leagues => Configured { has_leagues: true, ..Configured::in_turn(1) },
        Gangs::AtOnce { threads, ordered } => {
            let threads = most_threads(threads, std::env::var("ACC_NUM_CORES").ok().as_deref());
            Configured { gangs: threads, threads, is_bounded: false, has_leagues: false, ordered }
        }
    };
    // The runtime is set up once.
    let _ = CONFIGURED.set(configured);
}

fn configured() -> Configured {
    CONFIGURED.get().copied().unwrap_or_else(|| Configured::in_turn(1))
}

/// The most threads that anybody may ask for, as on the command line.
const MOST_THREADS: u32 = 65535;

/// The smaller of the two numbers, or as many as there are processors. A value of the variable that is no
/// number is told of, and ignored.
fn most_threads(option: Option<u32>, variable: Option<&str>) -> u32 {
    let parse = |text: &str| {
        let number = text.trim().parse().ok().filter(|number| (1..=MOST_THREADS).contains(number));
        if number.is_none() && !text.trim().is_empty() {
            warn(format_args!("ACC_NUM_CORES: `{text}' is not a number of cores"));
        }
        number
    };
    let given = [option, variable.and_then(parse)].into_iter().flatten().min();
    given.unwrap_or_else(processors).max(1)
}

/// Whether several threads may execute the gangs of the host.
pub(crate) fn are_at_once() -> bool {
    !configured().is_bounded
}

/// Whether every launch on the host has one gang.
pub(crate) fn is_one() -> bool {
    let Configured { gangs, is_bounded, .. } = configured();
    is_bounded && gangs == 1
}

/// Gangs of a launch on the host, each of which executes the whole region.
pub(crate) fn number_of_gangs(desc: &LaunchDesc, asked: i64) -> u64 {
    let Configured { gangs, is_bounded, has_leagues, .. } = configured();
    // OpenMP promises a program as many teams as it asks for.
    let is_bounded = is_bounded && !(has_leagues && desc.is(LaunchDesc::TEAMS) && asked > 0);
    number(desc.kind(), desc.is(LaunchDesc::ONE_GANG), asked, (gangs, is_bounded))
}

/// Gangs of a launch on the host that repeats one on a device, which had so many.
pub(crate) fn number_of_gangs_again(desc: &LaunchDesc, asked: i64, gangs: u32) -> u64 {
    number(desc.kind(), desc.is(LaunchDesc::ONE_GANG), asked, (gangs, true))
}

/// How many gangs a region has for the number that a launch asks for; 0 or less asks for none.
///
/// That is one, unless the command line has configured more. Gangs in turn are there to try programs whose
/// answer depends on their number: what a launch of OpenACC asks for is a bound then (`is_bounded`), so that
/// `num_gangs(1)` means one. Of a `num_gangs` with several arguments the first counts: in its further
/// dimensions the host has one gang each. `serial` always has one; so has `kernels` where its gangs would
/// have to wait for each other (`has_one`).
fn number(kind: ConstructKind, has_one: bool, asked: i64, (configured, is_bounded): (u32, bool)) -> u64 {
    let configured = u64::from(configured);
    match (kind, asked) {
        _ if has_one => 1,
        // Code knows gangs by numbers of 32 bits.
        (ConstructKind::Parallel | ConstructKind::Kernels, 1..) if !is_bounded => {
            asked.min(i64::from(i32::MAX)) as u64
        }
        (ConstructKind::Parallel | ConstructKind::Kernels, 1..) => configured.min(asked as u64),
        (ConstructKind::Parallel | ConstructKind::Kernels, _) => configured,
        (ConstructKind::Serial | ConstructKind::Team | ConstructKind::Task, _) => 1,
    }
}
