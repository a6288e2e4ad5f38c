//! Names that PTX allows: `[A-Za-z][A-Za-z0-9_$]*` or `[_$%][A-Za-z0-9_$]+`.

use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::rc::Rc;

/// The array that holds a function's slots.
pub(super) const FRAME: &str = "__frame";
/// The result of a function, seen from inside.
pub(super) const RESULT: &str = "__result";
/// The kernel parameter that is the address of the launch's scratch memory.
pub(super) const SCRATCH: &str = "__accrue_scratch";
/// The kernel parameter that is the vector length, where that is not a constant.
pub(super) const VECTOR_LENGTH: &str = "__accrue_vector_length";
/// The kernel parameter that is an array of what the launch has computed.
pub const KNOWN: &str = "__accrue_known";
/// Shared words through which a kernel tells routines about its launch.
pub(super) const LAUNCH: &str = "__accrue_launch";
/// The barrier objects of the gang's rows.
pub(super) const ROWS: &str = "__accrue_rows";
/// What is said at meetings of teams.
pub(super) const TEAMS: &str = "__accrue_teams";
/// The buffer of reductions between workers.
pub(super) const REDUCTIONS: &str = "__accrue_reductions";
/// The record through which values are broadcast.
pub(super) const BROADCAST: &str = "__accrue_broadcast";
/// The doubles of the functions' arithmetic.
pub(super) const NUMBERS: &str = "__accrue_numbers";
/// What the names of formats begin with.
pub(super) const FORMAT: &str = "__accrue_format";
/// What the names of the parameters of a call begin with.
pub(super) const ARGUMENT: &str = "__p";

/// Names with a meaning of their own in PTX or in what this crate writes.
const RESERVED: &[&str] = &[
    "WARP_SZ",
    FRAME,
    RESULT,
    SCRATCH,
    VECTOR_LENGTH,
    KNOWN,
    LAUNCH,
    ROWS,
    TEAMS,
    REDUCTIONS,
    BROADCAST,
    NUMBERS,
];

/// A name as PTX can spell it: what C allows stays, dots at the start go, others become `$`, all else its
/// code after a `$`.
fn escape(name: &str) -> String {
    let undotted = name.trim_start_matches('.');
    let name = if undotted.starts_with(|c: char| c.is_ascii_alphabetic()) { undotted } else { name };
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '_' | '$' => text.push(c),
            '0'..='9' if !text.is_empty() => text.push(c),
            '.' => text.push('$'),
            other => {
                let _ = write!(text, "${:x}", u32::from(other));
            }
        }
    }
    if matches!(text.as_str(), "" | "_" | "$") {
        text.push_str("$0");
    }
    text
}

/// Names in use.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    used: FxHashSet<Rc<str>>,
}

impl Names {
    /// Reserves names of an outer scope.
    pub(super) fn reserve(&mut self, names: impl IntoIterator<Item = &'static str>) {
        self.used.extend(names.into_iter().map(Rc::from));
    }

    /// A name like the one in C, that nothing here or in an outer scope has.
    pub(super) fn declare(&mut self, outer: Option<&Names>, name: &str) -> Rc<str> {
        let plain = escape(name);
        let taken = |names: &Names, name: &str| names.used.contains(name);
        let free = |name: &str| !taken(self, name) && !outer.is_some_and(|outer| taken(outer, name));
        let mut chosen = plain.clone();
        let mut number = 0;
        while !free(&chosen) || is_reserved(&chosen) {
            number += 1;
            chosen.truncate(plain.len());
            let _ = write!(chosen, "${number}");
        }
        let name: Rc<str> = chosen.into();
        self.used.insert(name.clone());
        name
    }
}

/// Whether a name belongs to the writer: by the table, as an argument of a call, or as a label (`$bb3`).
fn is_reserved(name: &str) -> bool {
    let numbered = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    let label = name.strip_prefix('$').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_lowercase()));
    RESERVED.contains(&name)
        || name.strip_prefix(ARGUMENT).is_some_and(numbered)
        || name.strip_prefix(FORMAT).is_some_and(numbered)
        || label.is_some_and(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_readable_and_unique() {
        let mut names = Names::default();
        assert_eq!(&*names.declare(None, "main.region0"), "main$region0");
        assert_eq!(&*names.declare(None, "main$region0"), "main$region0$1");
        assert_eq!(&*names.declare(None, "é"), "$e9$1");
        assert_eq!(&*names.declare(None, "_"), "_$0");
        assert_eq!(&*names.declare(None, "__p3"), "__p3$1");
        assert_eq!(&*names.declare(None, "1x"), "$31x");
        assert_eq!(&*names.declare(None, "$bb3"), "$bb3$1");
        assert_eq!(&*names.declare(None, "..str3"), "str3");
        let mut inner = Names::default();
        assert_eq!(&*inner.declare(Some(&names), "1x"), "$31x$1");
    }
}
