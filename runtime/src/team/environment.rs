//! The environment variables of OpenMP (5.2, chapter 21) that are about threads and tasks, read once, when
//! the program uses a thread or a task for the first time.

use super::icvs::{AUTO, DYNAMIC, GUIDED, Icvs, MONOTONIC, MOST_LEVELS, STATIC};
use super::idle::processors;
use crate::fatal::warn;
use std::ffi::c_int;
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
    /// `OMP_THREAD_LIMIT`.
    pub(crate) thread_limit: u32,
    /// `OMP_MAX_TASK_PRIORITY`.
    pub(crate) most_priority: u32,
    /// `OMP_STACKSIZE`, in bytes.
    pub(crate) stack: usize,
}

/// What the environment says.
pub(crate) fn environment() -> &'static Environment {
    static ENVIRONMENT: OnceLock<Environment> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| read(&|name| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned())))
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
        icvs: Icvs { threads: first, active_levels, schedule, is_dynamic, device: None },
        threads_by_level: if threads.len() > 1 { threads } else { Vec::new() },
        thread_limit: variable(lookup, "OMP_THREAD_LIMIT", positive).unwrap_or(c_int::MAX as u32),
        most_priority: variable(lookup, "OMP_MAX_TASK_PRIORITY", number).unwrap_or(0),
        stack: variable(lookup, "OMP_STACKSIZE", stack_size).unwrap_or(STACK).max(LEAST_STACK),
    }
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| number <= c_int::MAX as u32)
}

fn positive(text: &str) -> Option<u32> {
    number(text).filter(|&number| number > 0)
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
        ]);
        let icvs = Icvs {
            threads: 4,
            active_levels: MOST_LEVELS,
            schedule: (GUIDED | MONOTONIC, 7),
            is_dynamic: true,
            device: None,
        };
        assert_eq!((environment.icvs, &environment.threads_by_level[..]), (icvs, &[4, 2][..]));
        assert_eq!((environment.thread_limit, environment.most_priority, environment.stack), (9, 3, 2 << 20));
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
