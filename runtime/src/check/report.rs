//! What `accrue check` has compared so far, and what it tells of it.

use super::compare::{self, Difference, Error, Findings, Tolerance};
use crate::abi::Elements;
use crate::conclusion::{self, Conclusion};
use crate::fatal::warn;
use crate::site::Site;
use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

static CHECK: OnceLock<Check> = OnceLock::new();

struct Check {
    tolerance: Tolerance,
    totals: Mutex<Totals>,
}

/// What was compared so far.
#[derive(Default)]
struct Totals {
    regions: u64,
    arrays: u64,
    elements: u64,
    diverged: u64,
    differing: u64,
    /// The largest distance in proportion, and the element that has it.
    largest: Option<(Error, String)>,
}

/// An array, or a scalar, that comes back from the device.
#[derive(Clone, Copy)]
pub(crate) struct Array<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// What it holds, where that is known.
    pub(crate) elements: Option<&'a Elements>,
    /// Where on the host its first element is.
    pub(crate) first: u64,
    /// The region that used it last.
    pub(crate) region: Option<&'a str>,
    /// Most terms of a reduction in a region that used it.
    pub(crate) terms: u64,
}

/// Checks from now on.
pub(crate) fn start(tolerance: Tolerance) {
    conclusion::at_exit(conclude);
    let _ = CHECK.set(Check { tolerance, totals: Mutex::default() });
}

/// Whether results are checked.
#[inline]
pub(crate) fn is_on() -> bool {
    CHECK.get().is_some()
}

impl Check {
    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A region ran on both sides.
pub(crate) fn count_region() {
    if let Some(check) = CHECK.get() {
        check.totals().regions += 1;
    }
}

/// Regions that ran on both sides.
pub(crate) fn regions() -> u64 {
    CHECK.get().map_or(0, |check| check.totals().regions)
}

/// The same bytes on both sides.
pub(crate) struct Images<'a> {
    /// The host's.
    pub(crate) host: &'a [u8],
    /// The device's.
    pub(crate) device: &'a [u8],
    /// Bytes among them that are not compared, and the same.
    pub(crate) gaps: u64,
}

/// Compares two images of an array, from so many bytes behind its first element on.
pub(crate) fn compared(site: &Site<'_>, images: Images<'_>, from: u64, array: Array<'_>) {
    let Some(check) = CHECK.get() else { return };
    let Images { host, device, gaps } = images;
    let mut findings =
        compare::compare(host, device, from, array.elements, &check.tolerance.for_terms(array.terms));
    let not_compared = gaps / array.elements.map_or(1, |elements| elements.bytes.max(1));
    findings.elements = findings.elements.saturating_sub(not_compared);
    let mut totals = check.totals();
    let is_first = totals.diverged == 0;
    totals.add(&findings, || format!("`{}' at {}", array.name, Place(site)));
    if let Some(first) = findings.first.filter(|_| is_first) {
        report(check, site, &array, (&first, &findings));
    }
}

impl Totals {
    fn add(&mut self, findings: &Findings, what: impl FnOnce() -> String) {
        self.arrays += 1;
        self.elements += findings.elements;
        self.diverged += u64::from(findings.differing > 0);
        self.differing += findings.differing;
        let known = self.largest.as_ref().map_or(0.0, |(error, _)| error.rel);
        if findings.largest.rel > known {
            self.largest = Some((findings.largest, what()));
        }
    }
}

/// Where something came back.
struct Place<'a>(&'a Site<'a>);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.pos {
            Some(pos) => write!(f, "{}:{}", pos.file, pos.line),
            None => f.write_str(self.0.what),
        }
    }
}

/// Tells of the first difference; later ones may follow from it.
fn report(check: &Check, site: &Site<'_>, array: &Array<'_>, (first, findings): (&Difference, &Findings)) {
    let place = match site.pos {
        Some(_) => format!("{}: {}", Place(site), site.what),
        None => site.what.to_owned(),
    };
    let index = match (array.elements, first.in_part) {
        (None, _) => format!("byte {}", first.element),
        (Some(_), true) => format!("element {}, byte {} of it", first.element, first.offset),
        (Some(_), false) => format!("element {}", first.element),
    };
    let error = first.error.map_or(String::new(), |error| format!(" (relative error {:.3e})", error.rel));
    let Difference { host, device, .. } = first;
    warn(format_args!(
        "check: {place}: first divergence: `{}', {index}: host {host}, device {device}{error}",
        array.name
    ));
    if array.terms > 1 && first.error.is_some() && check.tolerance.is_default() {
        warn(format_args!("check: that is more than sums of {} terms in another order explain", array.terms));
    }
    if findings.differing > 1 {
        warn(format_args!("check: {} elements of `{}' differ there", findings.differing, array.name));
    }
    if let Some(region) = array.region {
        warn(format_args!("check: the last region that used `{}' is at {region}", array.name));
    }
}

fn conclude() -> Conclusion {
    let totals = CHECK.get().map(Check::totals);
    Conclusion {
        text: totals.as_ref().map(|totals| totals.to_string()).unwrap_or_default(),
        is_wrong: totals.is_some_and(|totals| totals.diverged > 0),
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { regions, arrays, elements, diverged, differing, largest } = self;
        if *arrays == 0 {
            write!(f, "nothing came back from a device ({regions} regions ran there)")?;
        } else if *diverged == 0 {
            write!(
                f,
                "host and device agree: {regions} regions, {arrays} arrays, {elements} elements compared"
            )?;
        } else {
            write!(
                f,
                "host and device differ: {differing} of {elements} elements, in {diverged} of {arrays} arrays, after {regions} regions"
            )?;
        }
        match largest {
            Some((Error { abs, rel }, what)) => {
                write!(f, "; largest error {rel:.3e} relative, {abs:.3e} absolute: {what}")
            }
            None => Ok(()),
        }
    }
}
