//! The last accesses of every byte of the host's memory, and the check of the next one.

use super::course::{About, Kind, Moment, lock};
use crate::finding::{DATA_RACE, Finding, Place};
use crate::loops::table::{self, Kind as Does};
use crate::shadow::Shadow;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Accesses that are remembered of each place at most: races with older ones are missed.
const MOST: usize = 12;

/// What accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "sim"), expect(dead_code, reason = "the simulator alone tells of copies"))]
pub(crate) enum Access {
    /// Host code, at a place of the program's table.
    Code(u32),
    /// A copy to a device.
    CopyIn,
    /// A copy from a device, and whether it changes anything.
    CopyOut(bool),
}

impl Access {
    fn does(self) -> Option<Does> {
        match self {
            Access::Code(site) => Some(table::get()?.sites.get(site as usize)?.kind),
            Access::CopyIn | Access::CopyOut(false) => Some(Does::Read),
            Access::CopyOut(true) => Some(Does::Write),
        }
    }
}

/// An access that was.
#[derive(Clone, Debug)]
struct Earlier {
    about: Arc<About>,
    chain: u32,
    time: u32,
    access: Access,
    does: Does,
}

type Cell = SmallVec<[Earlier; 1]>;

static SHADOW: Mutex<Option<Shadow<Cell>>> = Mutex::new(None);
/// There may be several courses: what one does alone races with nothing that is still to come.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// Whether accesses matter.
#[inline]
pub(super) fn is_active() -> bool {
    ACTIVE.load(Ordering::Relaxed)
}

/// Accesses matter from now on.
pub(super) fn activate() {
    ACTIVE.store(true, Ordering::Relaxed);
}

/// All that was comes before all that will be.
pub(super) fn forget_all() {
    ACTIVE.store(false, Ordering::Relaxed);
    *lock(&SHADOW) = None;
}

/// Memory becomes a new object.
pub(super) fn forget(bytes: Range<u64>) {
    lock(&SHADOW).iter_mut().for_each(|shadow| shadow.forget(bytes.clone()));
}

/// Whether two accesses without order are a mistake.
fn meet(one: Does, other: Does) -> bool {
    let is_atomic = |does| matches!(does, Does::AtomicRead | Does::AtomicWrite);
    (one.writes() || other.writes()) && !(is_atomic(one) && is_atomic(other))
}

/// Whether a later access meets all that an earlier one meets.
fn hides(later: Does, earlier: Does) -> bool {
    match later {
        Does::Write => true,
        Does::Read => !earlier.writes(),
        Does::AtomicWrite => matches!(earlier, Does::AtomicWrite | Does::AtomicRead),
        _ => earlier == later,
    }
}

/// Adds an access. If it races with an earlier one, gives what is to be said of that.
pub(crate) fn add(moment: &Moment, bytes: Range<u64>, access: Access) -> Option<Box<Finding>> {
    let does = access.does()?;
    let mut found = None;
    let is_ordered = |old: &Earlier| old.chain == moment.chain || moment.known.covers(old.chain, old.time);
    lock(&SHADOW).get_or_insert_default().visit(bytes, |_, cell| {
        if found.is_none() {
            let races = |old: &&Earlier| {
                meet(old.does, does) && is_judged(&old.about, &moment.about) && !is_ordered(old)
            };
            found = cell.iter().find(races).cloned();
        }
        cell.retain(|old| !(hides(does, old.does) && is_ordered(old)));
        if cell.len() == MOST {
            cell.remove(0);
        }
        let about = Arc::clone(&moment.about);
        cell.push(Earlier { about, chain: moment.chain, time: moment.time, access, does });
    });
    found.map(|old| report(&old, (moment, access, does)))
}

/// Whether it is told if two courses race.
fn is_judged(one: &About, other: &About) -> bool {
    let is_task = |about: &About| matches!(about.kind, Kind::Task | Kind::Target);
    one.root == other.root
        && (is_task(one) || is_task(other))
        && (one.kind, other.kind) != (Kind::Target, Kind::Target)
}

fn report(old: &Earlier, (moment, access, does): (&Moment, Access, Does)) -> Box<Finding> {
    let what = match (old.does.writes(), does.writes()) {
        (true, true) => "write the same memory",
        (true, false) => "reads memory that the other writes",
        (false, _) => "writes memory that the other reads",
    };
    let who = if what.starts_with("write ") { "both" } else { "one" };
    Box::new(Finding {
        id: DATA_RACE.to_owned(),
        message: format!(
            "data race: nothing orders {} and {}: {who} {what}",
            whose(&moment.about),
            whose(&old.about)
        ),
        place: place(&moment.about, access),
        label: format!("{} by {}", action(access, does), whose(&moment.about)),
        related: vec![(
            place(&old.about, old.access),
            format!("earlier {} by {}", action(old.access, old.does), whose(&old.about)),
        )],
        help: vec![
            "`depend` clauses of both with the same variable, `taskwait` or `taskgroup` order tasks"
                .to_owned(),
        ],
        ..Finding::default()
    })
}

fn name(access: Access) -> Option<&'static str> {
    let Access::Code(site) = access else { return None };
    let name = &*table::get()?.sites.get(site as usize)?.name;
    (!name.is_empty()).then_some(name)
}

/// Where an access is: that of a copy, where its directive is.
fn place(about: &About, access: Access) -> Option<Place> {
    match access {
        Access::Code(site) => {
            table::get().and_then(|table| Some(table.sites.get(site as usize)?.place.clone()))
        }
        Access::CopyIn | Access::CopyOut(_) => about.place.clone(),
    }
}

fn action(access: Access, does: Does) -> String {
    let what = match access {
        Access::CopyIn => "copy to the device",
        Access::CopyOut(_) => "copy to the host",
        Access::Code(_) if does.writes() => "write",
        Access::Code(_) => "read",
    };
    name(access).map_or(what.to_owned(), |name| format!("{what} of `{name}`"))
}

fn whose(about: &About) -> String {
    let who = match about.kind {
        Kind::Initial | Kind::Thread => return "the code outside of tasks".to_owned(),
        Kind::Task => "the task",
        Kind::Target => "the target task",
    };
    about.place.as_ref().map_or(who.to_owned(), |place| format!("{who} of line {}", place.line))
}
