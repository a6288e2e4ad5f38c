//! Places in the program on whose behalf something is done, for errors, messages, profiles and tables of
//! times.

use crate::abi::{ASYNC_SYNC, SourcePos};
use crate::device::kind::DeviceId;
use crate::fatal::{fatal, fatal_text};
use crate::finding::{Finding, Place};
use crate::plugin::{Asker, Error};
use crate::prof::events::Construct;
use std::fmt;

/// A place in the program: a directive, or a call of a routine, whose position nobody knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    /// Where the directive is.
    pub(crate) pos: Option<&'a SourcePos>,
    /// The function that holds it.
    pub(crate) function: &'a str,
    /// The directive or routine.
    pub(crate) what: &'a str,
    /// The same for the profiling interface.
    pub(crate) construct: Construct,
}

impl<'a> Site<'a> {
    /// A call of a routine of the API.
    pub(crate) fn routine(name: &'a str) -> Site<'a> {
        Site { pos: None, function: "", what: name, construct: Construct::RuntimeApi }
    }

    /// The file and line, if they are known.
    pub(crate) fn place(&self) -> (&'a str, u32) {
        self.pos.map_or(("", 0), |pos| (pos.file.text(), pos.line))
    }

    /// Ends the program because of an error of the device.
    #[cold]
    pub(crate) fn end(&self, error: Error) -> ! {
        match error {
            Error::Failed(text) => self.fail(format_args!("{text}")),
            Error::Found(finding) => self.found(*finding),
        }
    }

    /// Ends the program because of a mistake of its that the device found.
    #[cold]
    pub(crate) fn found(&self, mut finding: Finding) -> ! {
        let is_here = |place: &Place| {
            self.pos.is_some_and(|pos| (pos.file.text(), pos.line) == (&*place.file, place.line))
        };
        if !finding.place.as_ref().is_some_and(is_here) {
            finding.notes.push(match self.pos {
                Some(pos) => format!("found by `{}` at {}:{}", self.what, pos.file, pos.line),
                None => format!("found by `{}`", self.what),
            });
        }
        fatal_text(&finding.text())
    }

    /// Who asks for work, for a device's messages.
    pub(crate) fn asker(&self, what: &'a str, number: i64) -> Asker<'a> {
        Asker { what, place: self.place(), queue: (number != ASYNC_SYNC).then_some(number) }
    }

    /// Ends the program.
    #[cold]
    pub(crate) fn fail(&self, message: fmt::Arguments<'_>) -> ! {
        match self.pos {
            Some(pos) => fatal(format_args!("{}:{}: {}: {message}", pos.file, pos.line, self.what)),
            None => fatal(format_args!("{}: {message}", self.what)),
        }
    }
}

/// A place in the program, and where its work goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Where<'a> {
    /// The place.
    pub(crate) site: Site<'a>,
    /// The device.
    pub(crate) device: DeviceId,
    /// The program's number of the queue, `ASYNC_SYNC` if the host waits.
    pub(crate) queue: i64,
}
