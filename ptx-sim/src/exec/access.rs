//! Loads and stores.

use super::cta::CtaState;
use super::fault::{Checked, EQUAL_STORES};
use super::frame::Env;
use super::launch::Worker;
use super::local;
use super::warp::{Now, Warp};
use crate::alu::{LANES, Lanes, lanes_of};
use crate::code::{Addr, Dst, Load, Order, Src, Store};
use crate::memory::address;
use crate::memory::device::Purpose;
use crate::memory::region::{CELLS, GRANULE, POISON, Region, byte_mask};
use crate::memory::space::{Scope, Space};
use crate::origin::{Lack, Origin};
use crate::race::cell::{self, Cell, Conflict, Viewer};
use crate::race::segment::Segment;
use crate::report::Kind;

/// Memory that an access goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// An allocation, by number in the worker's view.
    Global(usize),
    Shared,
    Local,
    Param,
}

/// What an access is, for reports.
#[derive(Clone, Copy)]
pub(super) struct Access<'a> {
    pub(super) what: &'a str,
    pub(super) is_write: bool,
    pub(super) is_atomic: bool,
}

/// Bits of the bytes of a mask.
fn bits_of(bytes: u8) -> u64 {
    let mut bits = 0;
    for byte in 0..8 {
        if bytes >> byte & 1 == 1 {
            bits |= 0xff << (8 * byte);
        }
    }
    bits
}

/// Bytes that are not wholly undefined.
fn defined_bytes(undefined: u64, bytes: u32) -> u8 {
    let mut mask = byte_mask(bytes);
    for byte in 0..8 {
        if undefined >> (8 * byte) & 0xff == 0xff {
            mask &= !(1 << byte);
        }
    }
    mask
}

pub(super) fn sign_extend(value: u64, bytes: u32, to_bits: u32) -> u64 {
    let shift = 64 - 8 * bytes;
    let wide = (((value << shift) as i64) >> shift) as u64;
    if to_bits >= 64 { wide } else { wide & ((1 << to_bits) - 1) }
}

fn action(order: Order, write: bool, bytes: u32) -> String {
    let kind = if order.strong { "strong " } else { "" };
    format!("{kind}{} of {bytes} bytes", if write { "write" } else { "read" })
}

impl Worker<'_> {
    /// Makes a number for what the warp does until its clock ticks.
    pub(super) fn segment(&self, cta: &CtaState, warp: &mut Warp) -> u32 {
        if warp.segment == 0 {
            let segment =
                Segment { launch: self.launch.number, cta: cta.index, warp: warp.index, clock: warp.clock };
            warp.segment = self.launch.segments.add(segment).unwrap_or(0);
        }
        warp.segment
    }

    /// What the lanes of a warp know.
    pub(super) fn viewer<'v>(&'v self, cta: &CtaState, warp: &'v Warp) -> Viewer<'v> {
        Viewer {
            segments: self.launch.segments,
            launch: self.launch.number,
            first_segment: self.launch.first_segment,
            after: self.launch.after,
            all_before: self.launch.all_before,
            cta: cta.index,
            warp: warp.index,
            cta_base: cta.base,
            warp_base: &warp.warp_base,
            know: &warp.know,
        }
    }

    /// The addresses of an access in all lanes.
    pub(super) fn addresses(
        &self,
        cta: &CtaState,
        warp: &Warp,
        env: Env<'_>,
        now: Now,
        addr: &Addr,
    ) -> Checked<Lanes> {
        let frame = &warp.frames[now.frame];
        let offset = addr.offset as u64;
        let Some(base) = addr.base else {
            return Ok(frame.local.map(|local| u64::from(local).wrapping_add(offset)));
        };
        if self.launch.checks.uninitialised {
            self.need(cta, warp, now, base, u64::MAX, "address")?;
        }
        let mut all = *frame.value(env, base);
        all.iter_mut().for_each(|lane| {
            let sum = lane.wrapping_add(offset);
            *lane = if addr.is_narrow { sum & u64::from(u32::MAX) } else { sum };
        });
        Ok(all)
    }

    /// Complains if a source has undefined bits among those of a mask.
    pub(super) fn need(
        &self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        src: Src,
        bits: u64,
        what: &str,
    ) -> Checked<()> {
        let frame = &warp.frames[now.frame];
        let missing = now.act & !frame.defined(src);
        if missing == 0 || !self.launch.checks.uninitialised {
            return Ok(());
        }
        let Some(lane) = lanes_of(missing).find(|lane| frame.undefined_bits(src, *lane) & bits != 0) else {
            return Ok(());
        };
        let name = self.launch.code.functions[frame.function as usize].register_name(src.index() as u32);
        let message = format!("the {what} in {name} was never set, or comes from memory that nobody wrote");
        let who = (cta.index, warp.index, lane as u32);
        let mut report = self.launch.fault(Kind::Uninitialised, message, who, now.pc, "use");
        report.notes.extend(self.launch.origin_note(frame.origin(src, lane)));
        Err(report)
    }

    /// Finds the memory of an address and the place in it, for loads, stores and atomics.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "an access of a lane is just that much")]
    pub(super) fn locate(
        &mut self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: usize,
        space: Space,
        address: u64,
        bytes: u32,
        strong: bool,
    ) -> Checked<(Where, u64)> {
        let found = self.locate_any(cta, warp, now, lane, space, address, bytes, strong)?;
        match found {
            (Where::Shared, place) if cta.objects.hold(place, bytes) => {
                let message = "the memory is a barrier object, and the access is not by `mbarrier`";
                let now = Now { act: 1 << lane, ..now };
                Err(self.object_fault((cta.index, warp.index), now, place, message))
            }
            _ => Ok(found),
        }
    }

    /// Finds the memory of an address and the place in it, whatever is there.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "an access of a lane is just that much")]
    pub(super) fn locate_any(
        &mut self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: usize,
        space: Space,
        address: u64,
        bytes: u32,
        strong: bool,
    ) -> Checked<(Where, u64)> {
        let (space, inner) = match space {
            Space::Generic => match address::space_of(address) {
                Some(found) => found,
                None => return Err(self.wild(cta, warp, now, lane, space, address, bytes)),
            },
            Space::Const => (Space::Global, address),
            other => (other, address),
        };
        let mut found = self.place_of(cta, warp, now, lane, space, inner, bytes);
        if found.is_none() && strong && bytes == 4 && inner.is_multiple_of(4) {
            found = self.word_around(cta, warp, now, lane, space, inner);
        }
        match found {
            Some((place, offset)) if address.is_multiple_of(u64::from(bytes)) => Ok((place, offset)),
            Some(_) => {
                let message = format!("the address 0x{address:x} is no multiple of {bytes}");
                let who = (cta.index, warp.index, lane as u32);
                let mut report = self.launch.fault(Kind::Misaligned, message, who, now.pc, "access");
                if space == Space::Global {
                    report.memory = Some(self.launch.global_place(inner));
                } else if space == Space::Shared {
                    report.memory = Some(self.launch.shared_place(inner));
                }
                Err(report)
            }
            None => Err(self.wild(cta, warp, now, lane, space, inner, bytes)),
        }
    }

    /// The place of a word of which only some bytes are a variable's: updates of these by swaps of the word
    /// use no others.
    #[cold]
    fn word_around(
        &mut self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: usize,
        space: Space,
        inner: u64,
    ) -> Option<(Where, u64)> {
        (0..4).find_map(|byte| {
            let (place, offset) = self.place_of(cta, warp, now, lane, space, inner + byte, 1)?;
            let is_memory = matches!(place, Where::Global(_) | Where::Shared);
            Some((place, offset.checked_sub(byte)?)).filter(|_| is_memory)
        })
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "an access of a lane is just that much")]
    fn place_of(
        &mut self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: usize,
        space: Space,
        inner: u64,
        bytes: u32,
    ) -> Option<(Where, u64)> {
        match space {
            Space::Global | Space::Generic | Space::Const => self.locate_global(now.pc, inner, bytes),
            Space::Shared => self.locate_shared(cta, now.pc, inner, bytes).then_some((Where::Shared, inner)),
            Space::Local => self.locate_local(warp, now, lane, inner, bytes).then_some((Where::Local, inner)),
            Space::Param => {
                let offset = inner.wrapping_sub(address::PARAM);
                let end = offset.checked_add(u64::from(bytes));
                end.is_some_and(|end| end <= self.launch.params.bytes()).then_some((Where::Param, offset))
            }
        }
    }

    #[cold]
    #[allow(clippy::too_many_arguments, reason = "an access of a lane is just that much")]
    fn wild(
        &self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: usize,
        space: Space,
        address: u64,
        bytes: u32,
    ) -> Box<crate::report::Report> {
        let who = (cta.index, warp.index, lane as u32);
        let what = format!("access to {bytes} bytes of {} memory", space.name());
        self.launch.wild(space, address, who, now.pc, &what)
    }

    #[inline]
    fn locate_global(&mut self, pc: u32, address: u64, bytes: u32) -> Option<(Where, u64)> {
        let bytes = u64::from(bytes);
        let guess = self.cache[pc as usize] as usize;
        if let Some(allocation) = self.view.get(guess)
            && address >= allocation.base
            && address.saturating_add(bytes) <= allocation.end()
            && !allocation.is_freed()
        {
            return Some((Where::Global(guess), address - allocation.base));
        }
        let found = self.find(address, bytes)?;
        self.cache[pc as usize] = found as u32;
        Some((Where::Global(found), address - self.view[found].base))
    }

    #[inline]
    fn locate_shared(&mut self, cta: &CtaState, pc: u32, offset: u64, bytes: u32) -> bool {
        let end = offset.saturating_add(u64::from(bytes));
        let variables = &self.launch.code.shared;
        let inside = |index: usize| {
            variables.get(index).is_some_and(|variable| {
                let start = u64::from(variable.offset);
                let dynamic = Some(variable.offset) == self.launch.code.dynamic_shared && variable.bytes == 0;
                let size = if dynamic { self.launch.dynamic_shared } else { variable.bytes };
                offset >= start && end <= start + u64::from(size)
            })
        };
        if end > cta.shared.bytes() {
            return false;
        }
        if inside(self.cache[pc as usize] as usize) {
            return true;
        }
        let found = (0..variables.len()).find(|index| inside(*index));
        if let Some(found) = found {
            self.cache[pc as usize] = found as u32;
        }
        found.is_some()
    }

    fn locate_local(&self, warp: &Warp, now: Now, lane: usize, offset: u64, bytes: u32) -> bool {
        let frame = &warp.frames[now.frame];
        let end = offset.saturating_add(u64::from(bytes));
        if offset < u64::from(local::FIRST) || end > u64::from(frame.top[lane]) {
            return false;
        }
        let base = u64::from(frame.local[lane]);
        let function = &self.launch.code.functions[frame.function as usize];
        if offset < base || offset >= base + u64::from(function.local_bytes) {
            return true;
        }
        let (start, end) = (offset - base, end - base);
        function
            .locals
            .iter()
            .any(|(at, size, _)| start >= u64::from(*at) && end <= u64::from(*at) + u64::from(*size))
    }

    /// The memory of a place, if it is a region.
    #[inline]
    pub(super) fn region<'r>(&'r self, cta: &'r CtaState, place: Where) -> Option<&'r Region> {
        match place {
            Where::Global(index) => Some(&self.view[index].region),
            Where::Shared => Some(&cta.shared),
            Where::Param => Some(self.launch.params),
            Where::Local => None,
        }
    }

    /// The generic address of a place.
    pub(super) fn generic(&self, place: Where, offset: u64) -> u64 {
        match place {
            Where::Global(index) => self.view[index].base + offset,
            Where::Shared => address::SHARED + offset,
            Where::Local => address::LOCAL + offset,
            Where::Param => address::PARAM + offset,
        }
    }

    /// A race that changes no value is kept until the launch ends: one that does, maybe with the same line,
    /// says more.
    pub(super) fn raced(
        &self,
        place: Where,
        offset: u64,
        conflict: Conflict,
        who: (u32, u32, u32),
        pc: u32,
        access: Access<'_>,
    ) -> Checked<()> {
        if !conflict.is_quiet {
            return Err(self.race(place, offset, conflict, who, pc, access));
        }
        self.launch.shared.suspect(|| self.race(place, offset, conflict, who, pc, access));
        Ok(())
    }

    fn race(
        &self,
        place: Where,
        offset: u64,
        conflict: Conflict,
        (cta, warp, lane): (u32, u32, u32),
        pc: u32,
        access: Access<'_>,
    ) -> Box<crate::report::Report> {
        let own = self.launch.segments.get(conflict.earlier.segment()).launch == self.launch.number;
        let is_mixed = conflict.earlier.is_atomic() != access.is_atomic;
        let (kind, message) = match (own, conflict.is_quiet) {
            (false, _) => (Kind::Race, "work on two queues accesses the same memory, and nothing orders it"),
            (true, true) if access.is_write && conflict.write => (Kind::QuietRace, EQUAL_STORES),
            (true, true) => (
                Kind::QuietRace,
                "one thread reads and another stores the value that is there already, and nothing orders them",
            ),
            (true, false) if is_mixed => (
                Kind::Race,
                "a plain access beside an atomic operation on the same memory, and nothing orders them",
            ),
            (true, false) => (Kind::Race, "two threads access the same memory, and nothing orders them"),
        };
        let mut report = self.launch.fault(kind, message, (cta, warp, lane), pc, access.what);
        report.is_between_queues = !own;
        if let Some(at) = &mut report.at {
            (at.is_write, at.is_atomic) = (access.is_write, access.is_atomic);
        }
        report.other = Some(self.launch.earlier(conflict.earlier, conflict.write));
        report.memory = Some(match place {
            Where::Global(index) => {
                let allocation = &self.view[index];
                self.launch.allocation_place(allocation, allocation.base + offset)
            }
            _ => self.launch.shared_place(offset),
        });
        report
    }

    /// Whether a store of a value that is there already may meet another access: if all CTAs store it, by the
    /// same thread.
    fn forgives_store(
        &self,
        cta: &CtaState,
        place: Where,
        offset: u64,
        me: Cell,
        conflict: Conflict,
    ) -> bool {
        if !self.launch.checks.quiet_races {
            return true;
        }
        let Where::Global(_) = place else { return false };
        let earlier = self.launch.segments.get(conflict.earlier.segment());
        let mine = self.launch.segments.get(me.segment());
        let is_other = earlier.launch == self.launch.number && earlier.cta != cta.index;
        let is_same_thread = (earlier.warp, conflict.earlier.lane()) == (mine.warp, me.lane());
        let address = self.generic(place, offset) / GRANULE;
        let redundant = &self.launch.shared.redundant;
        if is_other && conflict.write && is_same_thread {
            redundant.add(address, (conflict.earlier, earlier.cta), (me, cta.index));
            return true;
        }
        // It does so again, beside a read of another one that has stored the value.
        is_other
            && !conflict.write
            && [earlier.cta, cta.index].iter().all(|cta| redundant.holds(address, *cta))
    }

    /// Whether a value may be read that several threads stored alike: by who is one of them.
    pub(super) fn forgives_read(&self, cta: &CtaState, place: Where, offset: u64) -> bool {
        !self.launch.checks.quiet_races
            || self.launch.shared.redundant.holds(self.generic(place, offset) / GRANULE, cta.index)
    }

    pub(super) fn load(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        now: Now,
        load: &Load,
    ) -> Checked<()> {
        let addresses = self.addresses(cta, warp, env, now, &load.addr)?;
        if load.count > 1 {
            self.check_vector(cta, warp, now, &addresses, load.bytes * load.count)?;
        }
        for element in 0..load.count {
            self.load_element(cta, warp, now, load, &addresses, element)?;
        }
        Ok(())
    }

    fn check_vector(
        &self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        addresses: &Lanes,
        bytes: u32,
    ) -> Checked<()> {
        match lanes_of(now.act).find(|lane| !addresses[*lane].is_multiple_of(u64::from(bytes))) {
            None => Ok(()),
            Some(lane) => {
                let message = format!("the address 0x{:x} is no multiple of {bytes}", addresses[lane]);
                let who = (cta.index, warp.index, lane as u32);
                Err(self.launch.fault(Kind::Misaligned, message, who, now.pc, "vector access"))
            }
        }
    }

    fn load_element(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        now: Now,
        load: &Load,
        addresses: &Lanes,
        element: u32,
    ) -> Checked<()> {
        let bytes = load.bytes;
        let checks = self.launch.checks;
        let shift = u64::from(element * bytes);
        let mut values = [0; LANES];
        let mut undefined = [0; LANES];
        let mut origins = [Origin::UNREAD; LANES];
        let mut any_undefined = false;
        let me = self.me(cta, warp, now, load.order.strong.then_some(load.order.scope));
        for lane in lanes_of(now.act) {
            let at = addresses[lane].wrapping_add(shift);
            let (place, offset) =
                self.locate(cta, warp, now, lane, load.addr.space, at, bytes, load.order.strong)?;
            let (value, defined) = match self.region(cta, place) {
                Some(region) => {
                    if let Some(me) = me.filter(|_| place != Where::Param) {
                        let viewer = self.viewer(cta, warp);
                        let me = me.with_lane(lane as u32);
                        let forgive = |part| self.forgives_read(cta, place, offset + GRANULE * part);
                        let conflict = read_cells(region, offset, bytes, me, &viewer, forgive);
                        if let Some(conflict) = conflict {
                            let who = (cta.index, warp.index, lane as u32);
                            let what = action(load.order, false, bytes);
                            let access =
                                Access { what: &what, is_write: false, is_atomic: load.order.strong };
                            self.raced(place, offset, conflict, who, now.pc, access)?;
                        }
                    }
                    (region.load(offset, bytes), region.defined(offset, bytes))
                }
                None => warp.local[lane].load(offset as u32, bytes),
            };
            let mut value = value;
            // Who updates a byte by swaps of its word reads the rest of the word too, and does nothing with
            // it.
            let beside = load.order.strong && defined != 0;
            if defined != byte_mask(bytes) && !beside && checks.uninitialised {
                let missing = bits_of(byte_mask(bytes) & !defined);
                value = (value & !missing) | (POISON & missing);
                undefined[lane] = missing;
                any_undefined = true;
                let spoilt = match self.region(cta, place) {
                    Some(region) => region.spoilt(offset, bytes),
                    None => warp.local[lane].spoilt(offset as u32),
                };
                origins[lane] = spoilt.unwrap_or_else(|| self.follow.take_up(Lack::Memory));
            }
            values[lane] = match load.signed_to {
                Some(bits) => sign_extend(value, bytes, bits),
                None => value,
            };
            if load.order.strong {
                let key = self.generic(place, offset);
                self.after_strong_read(cta, warp, lane, key, load.order.acquire, load.order.scope);
            }
        }
        let frame = &mut warp.frames[now.frame];
        let dst = load.dsts.get(element as usize).copied().unwrap_or(Dst(0));
        if any_undefined {
            if let Some(bits) = load.signed_to {
                // The extension is as undefined as the sign.
                undefined.iter_mut().for_each(|mask| *mask = sign_extend(*mask, bytes, bits));
            }
            frame.put_undefined(dst, &values, (&undefined, &origins), now.act);
        } else {
            frame.put(dst, &values, now.act);
        }
        Ok(())
    }

    /// The record of an access by the first lane; `None` when races are not looked for.
    #[inline]
    pub(super) fn me(
        &self,
        cta: &CtaState,
        warp: &mut Warp,
        now: Now,
        atomic: Option<Scope>,
    ) -> Option<Cell> {
        if !self.launch.checks.races {
            return None;
        }
        let segment = self.segment(cta, warp);
        if segment == 0 {
            return None;
        }
        let me = Cell::new(segment, 0, now.pc);
        Some(match atomic {
            Some(scope) => me.atomic(scope == Scope::Cta),
            None => me,
        })
    }

    pub(super) fn store(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        now: Now,
        store: &Store,
    ) -> Checked<()> {
        let addresses = self.addresses(cta, warp, env, now, &store.addr)?;
        if store.count > 1 {
            self.check_vector(cta, warp, now, &addresses, store.bytes * store.count)?;
        }
        for element in 0..store.count {
            self.store_element(cta, warp, env, now, store, &addresses, element)?;
        }
        if store.order.release {
            warp.tick();
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "an element of an access is just that much")]
    fn store_element(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        env: Env<'_>,
        now: Now,
        store: &Store,
        addresses: &Lanes,
        element: u32,
    ) -> Checked<()> {
        let bytes = store.bytes;
        let shift = u64::from(element * bytes);
        let src = store.srcs.get(element as usize).copied().unwrap_or(Src::slot(0));
        let all_bits = if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
        let values = *warp.frames[now.frame].value(env, src);
        let all_defined = now.act & !warp.frames[now.frame].defined(src) == 0;
        let me = self.me(cta, warp, now, store.order.strong.then_some(store.order.scope));
        let mut changed = false;
        for lane in lanes_of(now.act) {
            let at = addresses[lane].wrapping_add(shift);
            let (place, offset) = self.locate(cta, warp, now, lane, store.addr.space, at, bytes, false)?;
            let value = values[lane] & all_bits;
            let undefined =
                if all_defined { 0 } else { warp.frames[now.frame].undefined_bits(src, lane) & all_bits };
            let who = (cta.index, warp.index, lane as u32);
            if let Where::Global(index) = place {
                self.check_global_store(index, offset, who, now.pc)?;
            } else if place == Where::Param {
                return Err(self.launch.fault(
                    Kind::ReadOnly,
                    "parameters of a kernel are not written",
                    who,
                    now.pc,
                    "write",
                ));
            }
            if store.order.strong {
                let key = self.generic(place, offset);
                self.before_strong_write(cta, warp, lane, key, store.order.release, store.order.scope);
                self.note_unlock(warp, lane, key);
            }
            let defined = if undefined == 0 { byte_mask(bytes) } else { defined_bytes(undefined, bytes) };
            let spoils = self.spoils(warp, now, src, lane, undefined);
            let Some(region) = self.region(cta, place) else {
                changed |= warp.local[lane].store(offset as u32, bytes, value, defined);
                warp.local[lane].spoil(offset as u32, bytes, defined, spoils);
                continue;
            };
            // What is stored and the record of it are seen together by who stores there, too.
            let _turn = self.launch.shared.turn(at);
            let old = region.load(offset, bytes);
            if let Some(me) = me {
                let viewer = self.viewer(cta, warp);
                let silent = || old == value && region.defined(offset, bytes) == defined;
                let me = me.with_lane(lane as u32);
                let forgive =
                    |conflict, part| self.forgives_store(cta, place, offset + GRANULE * part, me, conflict);
                let touched = byte_mask(bytes);
                if let Some(conflict) = write_cells(region, offset, touched, me, &viewer, silent, forgive) {
                    let what = action(store.order, true, bytes);
                    let access = Access { what: &what, is_write: true, is_atomic: store.order.strong };
                    self.raced(place, offset, conflict, who, now.pc, access)?;
                }
            }
            region.store(offset, bytes, value);
            region.define(offset, defined);
            if defined != byte_mask(bytes) {
                region.undefine(offset, byte_mask(bytes) & !defined, spoils);
            }
            changed |= old != value;
        }
        if changed {
            self.changed();
        }
        Ok(())
    }

    /// Where a value that is stored comes from, if bits of it lack and somebody who reads it should know.
    #[inline]
    fn spoils(&mut self, warp: &Warp, now: Now, src: Src, lane: usize, undefined: u64) -> Option<Origin> {
        if undefined == 0 || !self.launch.checks.uninitialised {
            return None;
        }
        let origin = self.follow.read(warp.frames[now.frame].origin(src, lane));
        Some(origin).filter(|origin| self.follow.spoils(*origin))
    }

    #[inline]
    fn check_global_store(&self, index: usize, offset: u64, who: (u32, u32, u32), pc: u32) -> Checked<()> {
        let allocation = &self.view[index];
        if allocation.purpose == Purpose::Constant {
            let message = "constant memory is not written by kernels";
            let mut report = self.launch.fault(Kind::ReadOnly, message, who, pc, "write");
            report.memory = Some(self.launch.allocation_place(allocation, allocation.base + offset));
            return Err(report);
        }
        Ok(())
    }
}

/// Records a read in each four bytes that it touches. `forgive` gets the number of the four bytes.
#[inline]
pub(super) fn read_cells(
    region: &Region,
    offset: u64,
    bytes: u32,
    me: Cell,
    viewer: &Viewer<'_>,
    forgive: impl Fn(u64) -> bool,
) -> Option<Conflict> {
    let cells = region.cells();
    let index = (offset / GRANULE) as usize * CELLS;
    let mask = byte_mask(bytes.min(4)) << (offset % GRANULE);
    let first = cell::read(cells.get(index..index + CELLS)?, me, mask, viewer, || forgive(0));
    if bytes <= 4 || first.is_some() {
        return first;
    }
    cell::read(cells.get(index + CELLS..index + 2 * CELLS)?, me, 0xf, viewer, || forgive(1))
}

/// Records a write of the bytes from an offset on that a mask names, in each four bytes that it touches.
#[inline]
pub(super) fn write_cells(
    region: &Region,
    offset: u64,
    touched: u8,
    me: Cell,
    viewer: &Viewer<'_>,
    silent: impl Fn() -> bool,
    forgive: impl Fn(Conflict, u64) -> bool,
) -> Option<Conflict> {
    let cells = region.cells();
    let index = (offset / GRANULE) as usize * CELLS;
    let (low, high) = ((touched & 0xf) << (offset % GRANULE), touched >> 4);
    let mut conflict = None;
    if low != 0 {
        let cells = cells.get(index..index + CELLS)?;
        conflict = cell::write(cells, me, low, viewer, &silent, |conflict| forgive(conflict, 0));
    }
    if high != 0 && conflict.is_none() {
        let cells = cells.get(index + CELLS..index + 2 * CELLS)?;
        conflict = cell::write(cells, me, high, viewer, silent, |conflict| forgive(conflict, 1));
    }
    conflict
}
