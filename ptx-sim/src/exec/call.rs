//! Calls of functions, of the driver's functions, and returns.

use super::cta::CtaState;
use super::fault::Checked;
use super::frame::{Env, Frame};
use super::launch::Worker;
use super::print;
use super::warp::{Group, Now, Warp};
use crate::alu::{LANES, Lanes, lanes_of};
use crate::code::{Builtin, CallSite, Callee, Dst, Op, Src, Words};
use crate::memory::address;
use crate::memory::device::Purpose;
use crate::memory::region::byte_mask;
use crate::memory::space::Space;
use crate::report::Kind;

/// Deepest nesting of calls.
const DEEPEST: u32 = 1024;
/// Longest text that is taken from memory.
const LONGEST: usize = 1 << 16;

impl Worker<'_> {
    /// The function that lanes call: those of the first lane's, and which lanes call it.
    pub(super) fn callee(
        &self,
        cta: &CtaState,
        warp: &Warp,
        env: Env<'_>,
        now: Now,
        site: &CallSite,
    ) -> Checked<(Callee, u32)> {
        let Callee::Through(src) = site.callee else { return Ok((site.callee, now.act)) };
        self.need(cta, warp, now, src, u64::MAX, "address of a function")?;
        let values = warp.frames[now.frame].value(env, src);
        let first = lanes_of(now.act).next().unwrap_or(0);
        let same = lanes_of(now.act).filter(|lane| values[*lane] == values[first]);
        let same = same.fold(0, |mask, lane| mask | 1 << lane);
        let who = (cta.index, warp.index, first as u32);
        let number = address::function_at(values[first]);
        let function = number.and_then(|number| self.launch.code.functions.get(number as usize));
        let (Some(number), Some(function)) = (number, function) else {
            let message = format!("0x{:x} is not the address of a function", values[first]);
            return Err(self.launch.fault(Kind::BadCall, message, who, now.pc, "call"));
        };
        let counts = |words: &[Words]| words.iter().map(|words| words.count).collect::<Vec<_>>();
        let fits = counts(&function.params) == counts(&site.args)
            && counts(&function.results) == counts(&site.results)
            && !function.entry;
        if !fits {
            let message = format!("`{}` has other parameters than it is called with", function.name);
            return Err(self.launch.fault(Kind::BadCall, message, who, now.pc, "call"));
        }
        Ok((Callee::Function(number), same))
    }

    /// Enters a function; the lanes leave the group that they were in.
    pub(super) fn enter(
        &mut self,
        cta: &CtaState,
        warp: &mut Warp,
        now: Now,
        site: &CallSite,
        number: u32,
    ) -> Checked<Group> {
        let function = &self.launch.code.functions[number as usize];
        let depth = warp.frames[now.frame].depth + 1;
        let who = (cta.index, warp.index, now.act.trailing_zeros());
        let full = |what: String| Err(self.launch.fault(Kind::StackOverflow, what, who, now.pc, "call"));
        if depth > DEEPEST {
            return full("calls are nested too deeply: a recursion without an end?".to_owned());
        }
        let new = self.frame_for(warp, now, number, depth);
        let mut frame = std::mem::replace(&mut warp.frames[new], Frame::new(number, &EMPTY));
        frame.clear(now.act);
        frame.lanes |= now.act;
        let caller = &warp.frames[now.frame];
        for (from, to) in site.args.iter().zip(&function.params) {
            copy_words(caller, from, &mut frame, to, now.act);
        }
        for lane in lanes_of(now.act) {
            let start = caller.top[lane].next_multiple_of(function.local_align);
            let end = start.saturating_add(function.local_bytes);
            if end > self.launch.stack {
                let most = self.launch.stack;
                return full(format!(
                    "the stack of a thread, {most} bytes, is full: a recursion without an end?"
                ));
            }
            (frame.local[lane], frame.top[lane]) = (start, end);
            if function.local_bytes > 0 {
                warp.local[lane].open(start, end);
            }
        }
        warp.frames[new] = frame;
        let mut group = Group::new(new, function.start, now.act);
        group.yields = warp.groups.iter().map(|group| group.yields).min().unwrap_or(0);
        Ok(group)
    }

    /// A frame for a call: one that other lanes entered by the same call, or a new one.
    fn frame_for(&self, warp: &mut Warp, now: Now, number: u32, depth: u32) -> usize {
        let same = warp.frames.iter().position(|frame| {
            frame.lanes != 0
                && frame.parent == Some(now.frame)
                && frame.call_pc == now.pc
                && frame.function == number
        });
        if let Some(same) = same {
            return same;
        }
        let function = &self.launch.code.functions[number as usize];
        let reusable = warp.free_frames.iter().position(|index| warp.frames[*index].function == number);
        let index = match reusable.map(|at| warp.free_frames.swap_remove(at)) {
            Some(index) => index,
            None => {
                warp.frames.push(Frame::new(number, function));
                warp.frames.len() - 1
            }
        };
        let frame = &mut warp.frames[index];
        frame.parent = Some(now.frame);
        frame.call_pc = now.pc;
        frame.depth = depth;
        index
    }

    /// Lanes return. Gives the caller's frame and the instruction after the call, or nothing when the kernel
    /// ends.
    pub(super) fn leave(&mut self, warp: &mut Warp, now: Now) -> Option<(usize, u32)> {
        let parent = warp.frames[now.frame].parent?;
        let call_pc = warp.frames[now.frame].call_pc;
        let function = &self.launch.code.functions[warp.frames[now.frame].function as usize];
        if let Op::Call(site) = &self.launch.code.insts[call_pc as usize].op {
            let mut caller = std::mem::replace(&mut warp.frames[parent], Frame::new(0, &EMPTY));
            for (to, from) in site.results.iter().zip(&function.results) {
                copy_words(&warp.frames[now.frame], from, &mut caller, to, now.act);
            }
            warp.frames[parent] = caller;
        }
        let frame = &mut warp.frames[now.frame];
        frame.lanes &= !now.act;
        if frame.lanes == 0 {
            warp.free_frames.push(now.frame);
        }
        Some((parent, call_pc + 1))
    }

    /// Calls a function of the driver.
    pub(super) fn builtin(
        &mut self,
        cta: &mut CtaState,
        warp: &mut Warp,
        now: Now,
        site: &CallSite,
        builtin: Builtin,
    ) -> Checked<()> {
        let mut args: Vec<Lanes> = Vec::with_capacity(site.args.len());
        for words in &site.args {
            let src = Src::slot(words.slot);
            let bits = if words.bytes >= 8 { u64::MAX } else { (1 << (8 * words.bytes)) - 1 };
            self.need(cta, warp, now, src, bits, "argument")?;
            args.push(warp.frames[now.frame].regs[words.slot as usize].map(|value| value & bits));
        }
        let mut results = [0; LANES];
        for lane in lanes_of(now.act) {
            let arg = |index: usize| args.get(index).map_or(0, |lanes| lanes[lane]);
            let who = (cta.index, warp.index, lane as u32);
            results[lane] = match builtin {
                Builtin::Vprintf => {
                    let format = self.text(cta, warp, now, lane, arg(0))?;
                    let text = print::format(self, cta, warp, now, lane, &format, arg(1))?;
                    (self.launch.print)(&text.0);
                    u64::from(text.1)
                }
                Builtin::AssertFail => {
                    let [message, file, function] =
                        [arg(0), arg(1), arg(3)].map(|address| self.text(cta, warp, now, lane, address));
                    let text = format!(
                        "{}:{}: {}: Assertion `{}' failed.",
                        String::from_utf8_lossy(&file?),
                        arg(2),
                        String::from_utf8_lossy(&function?),
                        String::from_utf8_lossy(&message?)
                    );
                    return Err(self.launch.fault(Kind::Assertion, text, who, now.pc, "assertion"));
                }
                Builtin::Malloc => {
                    let name = format!("malloc({})", arg(0));
                    let found = self.launch.memory.alloc(arg(0), name, Purpose::Heap);
                    found.map_or(0, |allocation| allocation.base)
                }
                Builtin::Free => {
                    let address = arg(0);
                    let freed =
                        address == 0 || self.launch.memory.free(address, |purpose| purpose == Purpose::Heap);
                    if !freed {
                        let message =
                            format!("0x{address:x} was not allocated by `malloc`, or is freed already");
                        return Err(self.launch.fault(Kind::BadFree, message, who, now.pc, "free"));
                    }
                    0
                }
            };
        }
        self.changed();
        if let Some(words) = site.results.first() {
            warp.frames[now.frame].put(Dst(words.slot), &results, now.act);
        }
        Ok(())
    }

    /// A value in memory, for functions of the driver, which must have been set.
    pub(super) fn peek(
        &mut self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: usize,
        address: u64,
        bytes: u32,
    ) -> Checked<u64> {
        let (place, offset) = self.locate(cta, warp, now, lane, Space::Generic, address, bytes, false)?;
        let (value, defined, spoilt) = match self.region(cta, place) {
            Some(region) => {
                (region.load(offset, bytes), region.defined(offset, bytes), region.spoilt(offset, bytes))
            }
            None => {
                let (value, defined) = warp.local[lane].load(offset as u32, bytes);
                (value, defined, warp.local[lane].spoilt(offset as u32))
            }
        };
        if defined != byte_mask(bytes) && self.launch.checks.uninitialised {
            let message = "a value that was never set is printed";
            let who = (cta.index, warp.index, lane as u32);
            let mut report = self.launch.fault(Kind::Uninitialised, message, who, now.pc, "call");
            report.notes.extend(spoilt.and_then(|origin| self.launch.origin_note(origin)));
            return Err(report);
        }
        Ok(value)
    }

    /// A text in memory.
    pub(super) fn text(
        &mut self,
        cta: &CtaState,
        warp: &Warp,
        now: Now,
        lane: usize,
        address: u64,
    ) -> Checked<Vec<u8>> {
        let mut text = Vec::new();
        while text.len() < LONGEST {
            let at = address.wrapping_add(text.len() as u64);
            match self.peek(cta, warp, now, lane, at, 1)? as u8 {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }
}

/// Stands in for a frame that is borrowed.
static EMPTY: crate::code::Function = crate::code::Function {
    name: String::new(),
    entry: false,
    start: 0,
    end: 0,
    slots: 0,
    predicates: 0,
    local_bytes: 0,
    local_align: 1,
    params: Vec::new(),
    results: Vec::new(),
    param_layout: Vec::new(),
    param_bytes: 0,
    required_threads: None,
    max_threads: None,
    shared: std::collections::BTreeSet::new(),
    callees: std::collections::BTreeSet::new(),
    shared_bytes: 0,
    locals: Vec::new(),
    slot_names: Vec::new(),
    predicate_names: Vec::new(),
};

fn copy_words(from: &Frame, source: &Words, to: &mut Frame, target: &Words, act: u32) {
    for word in 0..source.count.min(target.count) {
        let src = Src::slot(source.slot + word);
        let value = from.regs[src.index()];
        if act & !from.defined(src) == 0 {
            to.put(Dst(target.slot + word), &value, act);
        } else {
            let origins = std::array::from_fn(|lane| from.origin(src, lane));
            to.put_undefined(Dst(target.slot + word), &value, (&from.undefined(src), &origins), act);
        }
    }
}
