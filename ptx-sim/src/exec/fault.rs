//! From what went wrong to a report.

use super::launch::{Kernel, Launch, Record, Work};
use super::warp::Warp;
use crate::alu::lanes_of;
use crate::code::Code;
use crate::memory::address;
use crate::memory::device::Allocation;
use crate::memory::region::GRANULE;
use crate::memory::space::Space;
use crate::origin::{Lack, Origin};
use crate::origins::Taken;
use crate::queue::{Asker, HostAccess};
use crate::race::cell::Cell;
use crate::race::segment::Segment;
use crate::report::{Kind, MemoryPlace, Report, Site, Thread};
use crate::special::coordinates;
use std::sync::Arc;

/// What is wrong with stores of one value by several threads.
pub(super) const EQUAL_STORES: &str =
    "two threads store the same value in the same memory, and nothing orders them";

/// A report, or nothing.
pub(super) type Checked<T> = std::result::Result<T, Box<Report>>;

/// The place of an instruction, for a thread.
pub(super) fn site(code: &Code, pc: u32, thread: Option<Thread>, action: &str) -> Site {
    let at = code.sites.get(pc as usize).copied();
    let source = at.and_then(|at| at.location).map(|location| {
        let file =
            code.files.get(&location.file).cloned().unwrap_or_else(|| format!("file {}", location.file));
        (file, location.line, location.column)
    });
    Site {
        action: action.to_owned(),
        is_write: false,
        is_atomic: false,
        kernel: None,
        function: code.function_at(pc).map(|function| function.name.clone()).unwrap_or_default(),
        ptx_line: at.map_or(0, |at| at.line),
        source,
        thread,
        host: None,
        asker: None,
    }
}

impl Record {
    /// Who made an access that is over.
    pub(crate) fn site(&self, segment: Segment, cell: Cell, action: &str) -> Site {
        let site = match &self.work {
            Work::Kernel(kernel) => {
                let thread = kernel.thread(segment.cta, segment.warp, cell.lane());
                let site = site(&kernel.code, cell.pc(), Some(thread), action);
                Site { kernel: Some(kernel.name.clone()), ..site }
            }
            Work::Host(access) => host_site(*access, self.asker.clone()),
        };
        Site { asker: self.asker.clone(), ..site }
    }
}

/// The host that asks for an access.
pub(crate) fn host_site(access: HostAccess, asker: Option<Arc<Asker>>) -> Site {
    let place = asker.as_ref().and_then(|asker| asker.place.clone());
    Site {
        action: access.name().to_owned(),
        is_write: access.writes(),
        is_atomic: false,
        kernel: None,
        function: String::new(),
        ptx_line: 0,
        source: place.map(|(file, line)| (file, line, 0)),
        thread: None,
        host: Some(access),
        asker,
    }
}

impl Kernel {
    fn thread(&self, cta: u32, warp: u32, lane: u32) -> Thread {
        Thread {
            cta: coordinates(cta, self.grid),
            thread: coordinates(warp * 32 + lane, self.block),
            warp,
            lane,
        }
    }
}

impl Taken {
    /// In words, for whoever meets what became of the value.
    pub(crate) fn note(&self, computed: bool) -> String {
        let site = site(&self.code, self.pc, None, "");
        let lack = match self.lack {
            Lack::Register => "a variable that was never set",
            Lack::Memory => "memory that nobody wrote",
        };
        let how = if computed { "it was computed from" } else { "it comes from" };
        let source = site.source.map(|(file, line, column)| format!("{file}:{line}:{column} "));
        format!(
            "{how} {lack}, which was read at {}(PTX line {} in `{}`)",
            source.unwrap_or_default(),
            site.ptx_line,
            site.function
        )
    }
}

impl Launch<'_> {
    /// A lane of this launch.
    pub(super) fn thread(&self, cta: u32, warp: u32, lane: u32) -> Thread {
        Thread {
            cta: coordinates(cta, self.grid),
            thread: coordinates(warp * 32 + lane, self.block),
            warp,
            lane,
        }
    }

    pub(super) fn report(&self, kind: Kind, message: impl Into<String>) -> Box<Report> {
        Box::new(Report {
            kind,
            kernel: self.kernel.name.clone(),
            at: None,
            other: None,
            memory: None,
            message: message.into(),
            notes: Vec::new(),
            is_between_queues: false,
        })
    }

    /// Where a value that nobody set comes from, in words.
    pub(super) fn origin_note(&self, origin: Origin) -> Option<String> {
        self.origins.get(origin).map(|taken| taken.note(origin.is_computed()))
    }

    /// A report about a lane at an instruction.
    pub(super) fn fault(
        &self,
        kind: Kind,
        message: impl Into<String>,
        (cta, warp, lane): (u32, u32, u32),
        pc: u32,
        action: &str,
    ) -> Box<Report> {
        let mut report = self.report(kind, message);
        let site = site(self.code, pc, Some(self.thread(cta, warp, lane)), action);
        report.at = Some(Site { asker: self.asker.clone(), ..site });
        report
    }

    /// Who made an earlier access, as far as this launch can tell.
    pub(super) fn earlier(&self, cell: Cell, write: bool) -> Site {
        let segment = self.segments.get(cell.segment());
        let action = match (cell.is_atomic(), write) {
            (true, true) => "earlier atomic write",
            (true, false) => "earlier atomic read",
            (false, true) => "earlier write",
            (false, false) => "earlier read",
        };
        let site = if segment.launch == self.number {
            let thread = self.thread(segment.cta, segment.warp, cell.lane());
            let site = site(self.code, cell.pc(), Some(thread), action);
            Site { asker: self.asker.clone(), ..site }
        } else {
            match (self.past)(segment.launch) {
                Some(record) => record.site(segment, cell, action),
                None => forgotten(action),
            }
        };
        Site { is_write: write, is_atomic: cell.is_atomic(), ..site }
    }

    /// A report about code that only some CTAs execute and that stores the same value in each of them.
    pub(super) fn partly_redundant(&self) -> Option<Box<Report>> {
        let (address, [first, second]) = self.shared.redundant.partial(self.grid)?;
        let mut report = self.report(Kind::QuietRace, EQUAL_STORES);
        report.at = Some(Site { action: "write".to_owned(), ..self.earlier(second, true) });
        report.other = Some(self.earlier(first, true));
        report.memory = Some(self.global_place(address * GRANULE));
        report.notes.push("only some CTAs do so: it is no code that all of them execute alike".to_owned());
        Some(report)
    }

    /// The place of an address in global memory.
    pub(super) fn global_place(&self, address: u64) -> MemoryPlace {
        let place = |object: Option<String>, offset, size| MemoryPlace {
            address,
            space: "global",
            object,
            offset,
            size,
        };
        match self.memory.near(address) {
            Some(near) => {
                place(Some(near.name.clone()), address.wrapping_sub(near.base) as i64, near.region.bytes())
            }
            None => place(None, 0, 0),
        }
    }

    pub(super) fn allocation_place(&self, allocation: &Allocation, address: u64) -> MemoryPlace {
        MemoryPlace {
            address,
            space: "global",
            object: Some(allocation.name.clone()),
            offset: address.wrapping_sub(allocation.base) as i64,
            size: allocation.region.bytes(),
        }
    }

    /// The place of an address in shared memory.
    pub(super) fn shared_place(&self, offset: u64) -> MemoryPlace {
        let size_of = |variable: &crate::code::SharedVariable| {
            if Some(variable.offset) == self.code.dynamic_shared && variable.bytes == 0 {
                self.dynamic_shared
            } else {
                variable.bytes
            }
        };
        let before = self.code.shared.iter().rev().find(|variable| u64::from(variable.offset) <= offset);
        MemoryPlace {
            address: address::SHARED.wrapping_add(offset),
            space: "shared",
            object: before.map(|variable| variable.name.clone()),
            offset: before.map_or(0, |variable| offset.wrapping_sub(u64::from(variable.offset)) as i64),
            size: before.map_or(0, |variable| u64::from(size_of(variable))),
        }
    }

    /// What is wrong with an address that is in no memory.
    pub(super) fn wild(
        &self,
        space: Space,
        address: u64,
        who: (u32, u32, u32),
        pc: u32,
        action: &str,
    ) -> Box<Report> {
        let own = matches!(space, Space::Shared | Space::Local);
        let (kind, message) = if own {
            (Kind::OutOfBounds, format!("the access is outside of every variable in {} memory", space.name()))
        } else if address < 4096 {
            (Kind::NullPointer, format!("0x{address:x} is the null pointer or near it"))
        } else if address::looks_like_host(address) {
            (Kind::HostPointer, format!("0x{address:x} is an address of the host"))
        } else if let Some((base, bytes, name)) = self.memory.freed_at(address) {
            let message = format!(
                "the access is to byte {} of `{name}` ({bytes} bytes), which was freed",
                address - base
            );
            (Kind::UseAfterFree, message)
        } else {
            (Kind::OutOfBounds, "the access is outside of every variable and allocation".to_owned())
        };
        let mut report = self.fault(kind, message, who, pc, action);
        report.memory = Some(match space {
            Space::Shared => self.shared_place(address),
            Space::Local => MemoryPlace { address, space: "local", object: None, offset: 0, size: 0 },
            Space::Generic | Space::Global | Space::Const | Space::Param => self.global_place(address),
        });
        report
    }
}

/// An access of work that nobody knows any more.
pub(crate) fn forgotten(action: &str) -> Site {
    Site {
        action: action.to_owned(),
        is_write: false,
        is_atomic: false,
        kernel: None,
        function: String::new(),
        ptx_line: 0,
        source: None,
        thread: None,
        host: None,
        asker: None,
    }
}

/// The first lane of a mask.
pub(super) fn first_lane(mask: u32) -> u32 {
    lanes_of(mask).next().unwrap_or(0) as u32
}

/// Lanes in words: `lanes 0-3, 5`.
pub(super) fn lanes_text(mask: u32) -> String {
    let mut parts = Vec::new();
    let mut lane = 0;
    while lane < 32 {
        if mask >> lane & 1 == 0 {
            lane += 1;
            continue;
        }
        let start = lane;
        while lane < 32 && mask >> lane & 1 == 1 {
            lane += 1;
        }
        parts.push(if lane - start == 1 { start.to_string() } else { format!("{start}-{}", lane - 1) });
    }
    let noun = if mask.count_ones() == 1 { "lane" } else { "lanes" };
    format!("{noun} {}", parts.join(", "))
}

/// Where each group of a warp stands.
pub(super) fn standing(launch: &Launch<'_>, cta: u32, warp: &Warp, notes: &mut Vec<String>) {
    for group in &warp.groups {
        let what = match group.state {
            super::warp::State::Ready if group.spinning.is_some() => "spin",
            super::warp::State::Ready => "run",
            super::warp::State::Converge => "wait for the other lanes of their warp before a barrier",
            super::warp::State::Lanes(_) => "wait for other lanes of their mask",
            super::warp::State::Join => "wait for the lanes that they have parted from",
            super::warp::State::WarpBarrier(_) => "wait at a barrier of the warp",
            super::warp::State::Barrier(_) => "wait at a barrier of the CTA",
            super::warp::State::Asleep => "wait at a barrier object",
        };
        let thread = launch.thread(cta, warp.index, first_lane(group.mask));
        let place = site(launch.code, group.pc, None, "");
        let source =
            place.source.map(|(file, line, column)| format!("{file}:{line}:{column}, ")).unwrap_or_default();
        let [x, y, z] = thread.cta;
        notes.push(format!(
            "CTA ({x},{y},{z}) warp {} {} {what} ({source}PTX line {})",
            warp.index,
            lanes_text(group.mask),
            place.ptx_line
        ));
    }
    if warp.exited != 0 {
        notes.push(format!("warp {} {} have exited", warp.index, lanes_text(warp.exited)));
    }
}
