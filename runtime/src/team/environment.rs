//! The environment variables of OpenMP (5.2, chapter 21) that are about threads and tasks, read once, when
//! the program uses a thread or a task for the first time.

use super::display;
use super::icvs::{AUTO, DYNAMIC, GUIDED, Icvs, MONOTONIC, MOST_LEVELS, STATIC};
use super::processors::processors;
use crate::fatal::warn;
use std::ffi::c_int;
use std::io::Write;
use std::sync::OnceLock;

/// Bytes of a thread's stack where the environment does not say: as much as the first thread usually has.
const STACK: usize = 8 << 20;
/// The least that a thread can do with.
const LEAST_STACK: usize = 64 << 10;

/// What the environment says.
pub(crate) struct Environment {
    /// The variables of initial tasks.
    pub(crate) icvs: Icvs,
    /// `OMP_NUM_THREADS`, outer levels first; empty if it is one number.
    pub(crate) threads_by_level: Vec<u32>,
    /// `OMP_MAX_TASK_PRIORITY`.
    pub(crate) most_priority: u32,
    /// `OMP_STACKSIZE`, in bytes.
    pub(crate) stack: usize,
    /// `OMP_WAIT_POLICY`: threads that wait leave their processors to others.
    pub(crate) is_passive: bool,
    /// `OMP_CANCELLATION`.
    pub(crate) cancellation: bool,
    /// `OMP_DISPLAY_AFFINITY`.
    pub(crate) display_affinity: bool,
    /// `OMP_ALLOCATOR`: the handle of an allocator that is always there.
    pub(crate) allocator: usize,
}

/// What the environment says.
pub(crate) fn environment() -> &'static Environment {
    static ENVIRONMENT: OnceLock<Environment> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let lookup = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
        let environment = read(&lookup);
        let is_wanted = |text: &str| boolean(text).or(text.eq_ignore_ascii_case("verbose").then_some(true));
        if variable(&lookup, "OMP_DISPLAY_ENV", is_wanted).unwrap_or(false) {
            show(&environment);
        }
        environment
    })
}

/// Writes what the environment says to the standard error.
pub(crate) fn show(environment: &Environment) {
    // A program may have closed the stream; then nobody looks.
    let _ = std::io::stderr().write_all(display::text(environment).as_bytes());
}

type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The meaning of a variable's value, if it is set and has one; a value without meaning is told of.
fn variable<T>(lookup: Lookup<'_>, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    let value = lookup(name)?;
    let parsed = parse(value.trim());
    if parsed.is_none() {
        warn(format_args!("Invalid value for environment variable {name}: `{value}'"));
    }
    parsed
}

fn read(lookup: Lookup<'_>) -> Environment {
    let threads = variable(lookup, "OMP_NUM_THREADS", list_of_threads).unwrap_or_default();
    let is_dynamic = variable(lookup, "OMP_DYNAMIC", boolean).unwrap_or(false);
    let schedule = variable(lookup, "OMP_SCHEDULE", schedule).unwrap_or((DYNAMIC, 1));
    let nested = variable(lookup, "OMP_NESTED", boolean);
    let levels = variable(lookup, "OMP_MAX_ACTIVE_LEVELS", |text| text.parse::<u32>().ok());
    let nested = nested.unwrap_or(threads.len() > 1);
    let active_levels = levels.unwrap_or(if nested { MOST_LEVELS } else { 1 }).min(MOST_LEVELS);
    let first = threads.first().copied().unwrap_or_else(processors);
    Environment {
        icvs: Icvs {
            threads: first,
            active_levels,
            schedule,
            is_dynamic,
            device: None,
            thread_limit: variable(lookup, "OMP_THREAD_LIMIT", positive).unwrap_or(c_int::MAX as u32),
            teams: variable(lookup, "OMP_NUM_TEAMS", positive).unwrap_or(0),
            teams_thread_limit: variable(lookup, "OMP_TEAMS_THREAD_LIMIT", positive).unwrap_or(0),
            team: (0, 1),
        },
        threads_by_level: if threads.len() > 1 { threads } else { Vec::new() },
        most_priority: variable(lookup, "OMP_MAX_TASK_PRIORITY", number).unwrap_or(0),
        stack: variable(lookup, "OMP_STACKSIZE", stack_size).unwrap_or(STACK).max(LEAST_STACK),
        is_passive: variable(lookup, "OMP_WAIT_POLICY", passive).unwrap_or(false),
        cancellation: variable(lookup, "OMP_CANCELLATION", boolean).unwrap_or(false),
        display_affinity: variable(lookup, "OMP_DISPLAY_AFFINITY", boolean).unwrap_or(false),
        allocator: variable(lookup, "OMP_ALLOCATOR", allocator).unwrap_or(1),
    }
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| number <= c_int::MAX as u32)
}

fn positive(text: &str) -> Option<u32> {
    number(text).filter(|&number| number > 0)
}

fn passive(text: &str) -> Option<bool> {
    match () {
        () if text.eq_ignore_ascii_case("passive") => Some(true),
        () if text.eq_ignore_ascii_case("active") => Some(false),
        () => None,
    }
}

/// Allocators that are always there, in the order of their handles, from 1 on.
pub(super) const ALLOCATORS: [&str; 8] = [
    "omp_default_mem_alloc",
    "omp_large_cap_mem_alloc",
    "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc",
    "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc",
    "omp_thread_mem_alloc",
];

/// An allocator by its name or number.
fn allocator(text: &str) -> Option<usize> {
    let by_name = ALLOCATORS.iter().position(|name| *name == text).map(|index| index + 1);
    by_name.or_else(|| text.parse().ok()).filter(|handle| (1..=ALLOCATORS.len()).contains(handle))
}

fn boolean(text: &str) -> Option<bool> {
    match () {
        () if text.eq_ignore_ascii_case("true") || text == "1" => Some(true),
        () if text.eq_ignore_ascii_case("false") || text == "0" => Some(false),
        () => None,
    }
}

fn list_of_threads(text: &str) -> Option<Vec<u32>> {
    text.split(',').map(|item| positive(item.trim())).collect()
}

/// `[modifier:]kind[,chunk]`.
fn schedule(text: &str) -> Option<(c_int, c_int)> {
    let (modifier, rest) = match text.split_once(':') {
        Some((word, rest)) if word.trim().eq_ignore_ascii_case("monotonic") => (MONOTONIC, rest),
        Some((word, rest)) if word.trim().eq_ignore_ascii_case("nonmonotonic") => (0, rest),
        Some(_) => return None,
        None => (0, text),
    };
    let (kind, chunk) = rest.split_once(',').map_or((rest, None), |(kind, chunk)| (kind, Some(chunk)));
    let kinds = [("static", STATIC), ("dynamic", DYNAMIC), ("guided", GUIDED), ("auto", AUTO)];
    let known = kinds.into_iter().find(|(name, _)| kind.trim().eq_ignore_ascii_case(name));
    let (_, kind) = known?;
    let chunk = match chunk {
        Some(chunk) => positive(chunk.trim())?,
        None => u32::from(matches!(kind, DYNAMIC | GUIDED)),
    };
    Some((kind | modifier, chunk as c_int))
}

/// A number of kilobytes, or one with a unit.
fn stack_size(text: &str) -> Option<usize> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit: usize = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "b" => 1,
        "" | "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(unit).filter(|&bytes| bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Environment {
        read(&|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn values_have_their_meaning() {
        let environment = with(&[
            ("OMP_NUM_THREADS", "4, 2"),
            ("OMP_SCHEDULE", "monotonic:Guided, 7"),
            ("OMP_DYNAMIC", "TRUE"),
            ("OMP_THREAD_LIMIT", "9"),
            ("OMP_MAX_TASK_PRIORITY", "3"),
            ("OMP_STACKSIZE", " 2 M"),
            ("OMP_WAIT_POLICY", "Passive"),
        ]);
        let icvs = Icvs {
            threads: 4,
            active_levels: MOST_LEVELS,
            schedule: (GUIDED | MONOTONIC, 7),
            is_dynamic: true,
            device: None,
            thread_limit: 9,
            ..with(&[]).icvs
        };
        assert_eq!((environment.icvs, &environment.threads_by_level[..]), (icvs, &[4, 2][..]));
        assert_eq!((environment.most_priority, environment.stack), (3, 2 << 20));
        assert!(environment.is_passive);
        let environment = with(&[
            ("OMP_NUM_TEAMS", "6"),
            ("OMP_TEAMS_THREAD_LIMIT", "12"),
            ("OMP_ALLOCATOR", "omp_cgroup_mem_alloc"),
            ("OMP_CANCELLATION", "true"),
        ]);
        assert_eq!((environment.icvs.teams, environment.icvs.teams_thread_limit), (6, 12));
        assert_eq!((environment.allocator, environment.cancellation), (6, true));
    }

    #[test]
    fn values_without_meaning_are_ignored() {
        let environment = with(&[
            ("OMP_NUM_THREADS", "0"),
            ("OMP_SCHEDULE", "static,-1"),
            ("OMP_DYNAMIC", "perhaps"),
            ("OMP_MAX_ACTIVE_LEVELS", "-2"),
            ("OMP_STACKSIZE", "8 parsecs"),
        ]);
        let plain = with(&[]);
        assert_eq!(environment.icvs, plain.icvs);
        assert_eq!((plain.icvs.schedule, plain.icvs.active_levels), ((DYNAMIC, 1), 1));
        assert_eq!((environment.stack, plain.stack), (STACK, STACK));
    }

    #[test]
    fn schedules_and_stacks() {
        assert_eq!(schedule("static"), Some((STATIC, 0)));
        assert_eq!(schedule("guided"), Some((GUIDED, 1)));
        assert_eq!(schedule("nonmonotonic:dynamic,4"), Some((DYNAMIC, 4)));
        assert_eq!((schedule("fast"), schedule("static,x"), schedule("odd:static")), (None, None, None));
        assert_eq!(
            (stack_size("100"), stack_size("100b"), stack_size("1g")),
            (Some(102_400), Some(100), Some(1 << 30))
        );
        assert_eq!((stack_size(""), stack_size("m"), stack_size("-3k")), (None, None, None));
    }
}
