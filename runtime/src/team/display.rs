//! What the control variables hold at the start of the program, as text (`omp_display_env` and
//! `OMP_DISPLAY_ENV`, OpenMP 5.2, 18.15 and 21.7).

use super::environment::{ALLOCATORS, Environment};
use super::icvs::{AUTO, DYNAMIC, GUIDED, MONOTONIC, STATIC};
use std::ffi::c_int;
use std::fmt::Write;

/// The version of the standard, as `_OPENMP` has it.
const VERSION: &str = "201811";

/// The text, with its first and its last line.
pub(super) fn text(environment: &Environment) -> String {
    let truth = |on: bool| if on { "TRUE" } else { "FALSE" }.to_owned();
    let icvs = &environment.icvs;
    let threads = match &environment.threads_by_level[..] {
        [] => icvs.threads.to_string(),
        levels => levels.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
    };
    let allocator = ALLOCATORS.get(environment.allocator.wrapping_sub(1)).copied().unwrap_or_default();
    let rows = [
        ("OMP_DYNAMIC", truth(icvs.is_dynamic)),
        ("OMP_NUM_THREADS", threads),
        ("OMP_SCHEDULE", schedule(icvs.schedule)),
        ("OMP_PROC_BIND", truth(false)),
        ("OMP_PLACES", String::new()),
        ("OMP_STACKSIZE", format!("{}B", environment.stack)),
        ("OMP_THREAD_LIMIT", icvs.thread_limit.to_string()),
        ("OMP_MAX_ACTIVE_LEVELS", icvs.active_levels.to_string()),
        ("OMP_NUM_TEAMS", icvs.teams.to_string()),
        ("OMP_TEAMS_THREAD_LIMIT", icvs.teams_thread_limit.to_string()),
        ("OMP_CANCELLATION", truth(environment.cancellation)),
        ("OMP_MAX_TASK_PRIORITY", environment.most_priority.to_string()),
        ("OMP_ALLOCATOR", allocator.to_owned()),
    ];
    let mut out = format!("OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '{VERSION}'\n");
    for (name, value) in rows {
        // Writing into a string does not fail.
        let _ = writeln!(out, "  [host] {name} = '{value}'");
    }
    out + "OPENMP DISPLAY ENVIRONMENT END\n"
}

fn schedule((kind, chunk): (c_int, c_int)) -> String {
    let modifier = if kind & MONOTONIC != 0 { "MONOTONIC:" } else { "" };
    let name = match kind & !MONOTONIC {
        STATIC => "STATIC",
        DYNAMIC => "DYNAMIC",
        GUIDED => "GUIDED",
        AUTO => "AUTO",
        _ => "",
    };
    match chunk {
        0 => format!("{modifier}{name}"),
        chunk => format!("{modifier}{name},{chunk}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::team::environment::environment;

    #[test]
    fn each_variable_has_a_line() {
        let text = text(environment());
        assert!(text.starts_with("OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201811'\n"));
        assert!(text.contains("  [host] OMP_DYNAMIC = 'FALSE'\n"), "{text}");
        assert!(text.contains("  [host] OMP_SCHEDULE = 'DYNAMIC,1'\n"), "{text}");
        assert!(text.contains("  [host] OMP_ALLOCATOR = 'omp_default_mem_alloc'\n"), "{text}");
        assert!(text.ends_with("OPENMP DISPLAY ENVIRONMENT END\n"));
        assert_eq!(schedule((STATIC | MONOTONIC, 0)), "MONOTONIC:STATIC");
        assert_eq!((schedule((GUIDED, 4)), schedule((AUTO, 0))), ("GUIDED,4".into(), "AUTO".into()));
    }
}
