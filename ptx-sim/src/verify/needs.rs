//! Targets and versions that instructions need.

use crate::lower::mods::Mods;

/// (modifiers that the instruction carries, first target, first version).
type Row = (&'static [&'static str], u32, (u32, u32));

/// What is not as old as `sm_30` and version 3.0.
fn rows(opcode: &str) -> &'static [Row] {
    match opcode {
        "activemask" => &[(&[], 30, (6, 2))],
        "alloca" | "stacksave" | "stackrestore" => &[(&[], 52, (7, 3))],
        "atom" | "red" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["acquire"], 70, (6, 0)),
            (&["release"], 70, (6, 0)),
            (&["acq_rel"], 70, (6, 0)),
            (&["cta"], 60, (5, 0)),
            (&["gpu"], 60, (5, 0)),
            (&["sys"], 60, (5, 0)),
            (&["cluster"], 90, (7, 8)),
            (&["add", "f64"], 60, (5, 0)),
            (&["add", "f16x2"], 60, (6, 2)),
            (&["add", "f16"], 70, (6, 3)),
            (&["add", "bf16"], 90, (7, 8)),
            (&["cas", "b16"], 70, (6, 3)),
            (&["b128"], 90, (8, 3)),
            (&["min", "s64"], 32, (3, 1)),
            (&["max", "s64"], 32, (3, 1)),
        ],
        "bar" => &[(&["warp"], 30, (6, 0))],
        "barrier" => &[(&[], 30, (6, 0)), (&["cluster"], 90, (7, 8))],
        "bmsk" | "szext" => &[(&[], 70, (7, 6))],
        "brx" => &[(&[], 30, (6, 0))],
        "dp4a" | "dp2a" => &[(&[], 61, (5, 0))],
        "elect" => &[(&[], 90, (8, 0))],
        "fence" => &[
            (&[], 70, (6, 0)),
            (&["cluster"], 90, (7, 8)),
            (&["acquire"], 90, (8, 6)),
            (&["release"], 90, (8, 6)),
        ],
        "fma" => &[(&["f16"], 53, (4, 2)), (&["bf16"], 80, (7, 0))],
        "ld" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["acquire"], 70, (6, 0)),
            (&["b128"], 70, (8, 3)),
            (&["v8"], 100, (8, 8)),
        ],
        "lop3" => &[(&[], 50, (4, 3))],
        "match" => &[(&[], 70, (6, 0))],
        "mbarrier" => &[
            (&[], 80, (7, 0)),
            (&["parity"], 80, (7, 1)),
            (&["try_wait"], 90, (7, 8)),
            (&["release"], 90, (8, 0)),
            (&["acquire"], 90, (8, 0)),
        ],
        "max" | "min" => &[(&["NaN"], 80, (7, 0)), (&["f16"], 80, (7, 0))],
        "nanosleep" => &[(&[], 70, (6, 3))],
        "redux" => &[(&[], 80, (7, 0)), (&["f32"], 100, (8, 6))],
        "shf" => &[(&[], 32, (3, 1))],
        "shfl" | "vote" => &[(&["sync"], 30, (6, 0))],
        "st" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["release"], 70, (6, 0)),
            (&["b128"], 70, (8, 3)),
            (&["v8"], 100, (8, 8)),
        ],
        "tanh" => &[(&[], 75, (7, 0))],
        _ => &[],
    }
}

/// Why an instruction cannot stand in a module for this target and version, if so.
pub(crate) fn missing(mods: &Mods<'_>, target: u32, version: (u32, u32)) -> Option<String> {
    for (modifiers, first, oldest) in rows(mods.name()) {
        if !modifiers.iter().all(|modifier| mods.has(modifier)) {
            continue;
        }
        if target < *first {
            return Some(format!("`{}` needs a target of at least sm_{first}", mods.text()));
        }
        if version < *oldest {
            return Some(format!("`{}` needs .version {}.{} or higher", mods.text(), oldest.0, oldest.1));
        }
    }
    // Without `.sync`, what lanes do together is gone since threads are scheduled independently.
    let together = matches!(mods.name(), "shfl" | "vote");
    if together && !mods.has("sync") && target >= 70 {
        return Some(format!("`{}` without `.sync` is no instruction of sm_70 and above", mods.text()));
    }
    None
}

/// The oldest version that knows a target.
pub(crate) fn first_version(target: u32) -> (u32, u32) {
    match target {
        0..60 => (3, 0),
        60..70 => (5, 0),
        70..72 => (6, 0),
        72..75 => (6, 1),
        75..80 => (6, 3),
        80..86 => (7, 0),
        86 => (7, 1),
        87 => (7, 4),
        88..100 => (7, 8),
        100 | 101 => (8, 6),
        102..120 => (8, 6),
        _ => (8, 7),
    }
}
