//! What loops carried, and what the end of the program tells of it.

use super::table::{self, Loop, Site, Table};
use crate::conclusion::{self, Conclusion};
use crate::fatal::{tell, warn};
use crate::finding::{CARRIED_DEPENDENCE, Finding};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of iterations, less one, that tells more of a loop than fewer do.
pub(super) const FEW: u64 = 2;

/// How a later access depends on an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Relation {
    /// Reads what that wrote.
    Flow,
    /// Writes what that wrote.
    Output,
    /// Writes what that read.
    Anti,
}

/// Two accesses of one place in memory in different iterations of a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    /// The earlier and the later one.
    pub(super) sites: [u32; 2],
    /// What they do.
    pub(super) relation: Relation,
    /// The iterations, where they are remembered; of several pairs those with the shortest distance.
    pub(super) iterations: [Option<u64>; 2],
    /// The earlier one reads what its own iteration has written: a copy of the place for each iteration takes
    /// the dependence away.
    pub(super) is_covered: bool,
}

impl Carried {
    /// Iterations between the accesses; very many if they are not remembered.
    pub(super) fn distance(&self) -> u64 {
        match self.iterations {
            [Some(earlier), Some(later)] => later - earlier,
            _ => u64::MAX,
        }
    }

    /// What is told first: values that flow, and short distances.
    fn rank(&self) -> (Relation, u64, [u32; 2]) {
        (self.relation, self.distance(), self.sites)
    }
}

/// What is known of a loop.
#[derive(Clone, Default)]
struct Known {
    ran: bool,
    /// The greatest number of an iteration, up to [`FEW`].
    last: u64,
    carried: BTreeMap<[u32; 2], Carried>,
}

/// What is known of the program's loops, by their numbers.
static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

fn known() -> MutexGuard<'static, Vec<Known>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn of_loop(known: &mut Vec<Known>, loop_: u32) -> &mut Known {
    let index = loop_ as usize;
    if known.len() <= index {
        known.resize(index + 1, Known::default());
    }
    &mut known[index]
}

/// A loop has come to an iteration.
pub(super) fn ran(loop_: u32, iteration: u64) {
    let mut known = known();
    let known = of_loop(&mut known, loop_);
    known.ran = true;
    known.last = known.last.max(iteration);
}

/// A loop carried something.
pub(super) fn carried(table: &Table, loop_: u32, new: Carried) {
    debug_assert!((loop_ as usize) < table.loops.len(), "loops are in the table");
    let mut known = known();
    let pairs = &mut of_loop(&mut known, loop_).carried;
    pairs
        .entry(new.sites)
        .and_modify(|old| {
            let is_covered = old.is_covered && new.is_covered;
            let nearest = if new.rank() < old.rank() { new } else { *old };
            *old = Carried { is_covered, ..nearest };
        })
        .or_insert(new);
}

/// The pairs that a loop carried.
#[cfg(test)]
pub(super) fn pairs(loop_: u32) -> Vec<Carried> {
    of_loop(&mut known(), loop_).carried.values().copied().collect()
}

/// Judges the program's loops from now on.
pub(crate) fn start() {
    conclusion::at_exit(conclude);
}

fn conclude() -> Conclusion {
    let none = Table::default();
    let table = table::get().unwrap_or(&none);
    let mut known = known();
    known.resize(table.loops.len(), Known::default());
    let mut order: Vec<(&Loop, &Known)> = table.loops.iter().zip(known.iter()).collect();
    order.sort_by(|(a, _), (b, _)| {
        let key = |data: &Loop| (data.place.file.clone(), data.place.line, data.place.column);
        key(a).cmp(&key(b))
    });
    for (data, known) in order.iter().filter(|(_, known)| known.ran) {
        if !data.is_parallel {
            let Loop { place, .. } = data;
            warn(format_args!("check: {place}: sequential: {}", sequential(table, data, known)));
        } else if !known.carried.is_empty() {
            tell(&finding(table, data, known));
        }
    }
    summary(&order)
}

fn summary(loops: &[(&Loop, &Known)]) -> Conclusion {
    let of_kind = |is_parallel| loops.iter().filter(move |(data, _)| data.is_parallel == is_parallel);
    let parallel = of_kind(true).count();
    let ran = of_kind(true).filter(|(_, known)| known.ran).count();
    let wrong = of_kind(true).filter(|(_, known)| !known.carried.is_empty()).count();
    let plural = if parallel == 1 { "" } else { "s" };
    let carried = if wrong == 0 { "none".to_owned() } else { wrong.to_string() };
    let mut text = format!("{parallel} loop{plural} called parallel, {ran} ran, {carried} carried something");
    let sequential = of_kind(false).count();
    if sequential > 0 {
        let ran = of_kind(false).filter(|(_, known)| known.ran).count();
        let free =
            of_kind(false).filter(|(data, known)| ran_on(data, known) && known.carried.is_empty()).count();
        text += &format!("; {sequential} sequential, {ran} ran, {free} of them carried nothing");
    }
    Conclusion { text, is_wrong: wrong > 0 }
}

/// Whether a loop had two iterations, so that it could carry something.
fn ran_on(data: &Loop, known: &Known) -> bool {
    known.ran && known.last >= data.second
}

/// What a sequential loop carried.
fn sequential(table: &Table, data: &Loop, known: &Known) -> String {
    if !ran_on(data, known) {
        return "had no second iteration in this run".to_owned();
    }
    let sites = |pair: &Carried| pair.sites.map(|site| &table.sites[site as usize]);
    let mut by_name: BTreeMap<&str, Vec<&Carried>> = BTreeMap::new();
    for pair in known.carried.values() {
        by_name.entry(&sites(pair)[1].name).or_default().push(pair);
    }
    let is_private = |pair: &Carried| match pair.relation {
        Relation::Flow => false,
        Relation::Anti => pair.is_covered,
        Relation::Output => true,
    };
    let accumulates = |pair: &&Carried| {
        let [a, b] = sites(pair);
        a.accumulates.is_some() && a.accumulates == b.accumulates
    };
    let (mut private, mut sums) = (Vec::new(), Vec::new());
    let mut others: Vec<&Carried> = Vec::new();
    for (name, pairs) in by_name {
        if pairs.iter().all(|pair| is_private(pair)) {
            private.push(quoted(name));
        } else if pairs.iter().all(accumulates) {
            sums.push(quoted(name));
        } else {
            others.extend(pairs);
        }
    }
    if let Some(worst) = others.into_iter().min_by_key(|pair| pair.rank()) {
        let [earlier, later] =
            sites(worst).map(|site| format!("{} {} at {}", verb(site), object(site), site.place));
        return format!("carried a dependence in this run: {earlier}, {later}, {}", distance(worst));
    }
    let mut parts = Vec::new();
    if !sums.is_empty() {
        parts.push(format!("reductions of {}", sums.join(", ")));
    }
    if !private.is_empty() {
        parts.push(format!("what private copies of {} avoid", private.join(", ")));
    }
    let exceptions = if parts.is_empty() { String::new() } else { format!(" but {}", parts.join(" and ")) };
    format!("carried nothing in this run{exceptions}")
}

fn quoted(name: &str) -> String {
    if name.is_empty() { "memory".to_owned() } else { format!("`{name}`") }
}

fn object(site: &Site) -> String {
    quoted(&site.name)
}

fn verb(site: &Site) -> &'static str {
    if site.kind.writes() { "writes" } else { "reads" }
}

fn distance(pair: &Carried) -> String {
    match pair.iterations {
        [Some(earlier), Some(later)] => format!("distance {}", later - earlier),
        _ => "at a distance too great to be remembered".to_owned(),
    }
}

/// The message that a loop which was called parallel is not.
fn finding(table: &Table, data: &Loop, known: &Known) -> Finding {
    let Some(pair) = known.carried.values().min_by_key(|pair| pair.rank()) else { return Finding::default() };
    let [earlier, later] = pair.sites.map(|site| &table.sites[site as usize]);
    let iteration = |number: Option<u64>, otherwise: &str| {
        number.map_or_else(|| otherwise.to_owned(), |number| format!("iteration {number}"))
    };
    let [first, second] = pair.iterations;
    let (first, second) = (iteration(first, "an iteration"), iteration(second, "a later iteration"));
    let object_later = if earlier.name == later.name { "it".to_owned() } else { object(later) };
    let mut notes = vec![distance(pair)];
    match known.carried.len() - 1 {
        0 => {}
        1 => notes.push("the loop carries one more pair of accesses".to_owned()),
        more => notes.push(format!("the loop carries {more} more pairs of accesses")),
    }
    let what = match pair.relation {
        Relation::Flow => "an iteration reads what an earlier one writes",
        Relation::Output => "two iterations write the same place",
        Relation::Anti => "an iteration writes what an earlier one reads",
    };
    Finding {
        id: CARRIED_DEPENDENCE.to_owned(),
        message: format!("the loop is called parallel, and {what}: {}", object(earlier)),
        place: Some(data.place.clone()),
        label: format!("in `{}`", data.function),
        related: vec![
            (Some(earlier.place.clone()), format!("{first} {} {} here", verb(earlier), object(earlier))),
            (Some(later.place.clone()), format!("{second} {} {object_later} here", verb(later))),
        ],
        notes,
        ..Finding::default()
    }
}
