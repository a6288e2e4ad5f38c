//! What threads do together: positions, barriers, shuffles, locks.

use super::barrier::{BarrierKind, BarrierMark, Rows};
use super::demands::LAUNCH_VECTOR_LENGTH;
use super::error::Result;
use super::function::{FunctionWriter, ins, put};

use super::name::{LAUNCH, ROWS};
use super::operand::{Base, Place, Word};
use super::register::{Class, Reg};
use super::scratch::{ARRIVED, DONE, GANG_LOCK, GENERATION};
use crate::arch;
use accrue_ir::*;

/// Nanoseconds that a thread waits before it tries a lock again.
const BACK_OFF: u32 = 64;
/// All lanes of a warp.
const ALL_LANES: &str = "0xffffffff";

impl FunctionWriter<'_, '_> {
    /// A number of threads, as a value of the local's type.
    fn count(&mut self, dst: Local, from: Word<'_>) -> Result<()> {
        let dst = self.local(dst)?;
        match dst.class {
            Class::B64 => {
                let narrow = self.temp(Class::B32);
                put!(self, ["mov.u32"], narrow, from);
                put!(self, ["cvt.u64.u32"], dst, narrow);
            }
            _ => put!(self, ["mov.u32"], dst, from),
        }
        Ok(())
    }

    pub(super) fn read_special(&mut self, name: &str) -> Reg {
        let reg = self.temp(Class::B32);
        put!(self, ["mov.u32"], reg, name);
        reg
    }

    pub(super) fn dim_size(&mut self, dst: Local, level: Level) -> Result<()> {
        match level {
            Level::Gang => self.count(dst, "%nctaid.x".into()),
            Level::Gang2 => self.count(dst, "%nctaid.y".into()),
            Level::Gang3 => self.count(dst, "%nctaid.z".into()),
            Level::Worker => self.count(dst, "%ntid.y".into()),
            Level::Vector => {
                let length = self.vector_length();
                self.count(dst, length.into())
            }
            Level::Unassigned => Err(self.error("the size of no level (a mistake in accrue)")),
        }
    }

    pub(super) fn dim_pos(&mut self, dst: Local, level: Level) -> Result<()> {
        match level {
            Level::Gang => self.count(dst, "%ctaid.x".into()),
            Level::Gang2 => self.count(dst, "%ctaid.y".into()),
            Level::Gang3 => self.count(dst, "%ctaid.z".into()),
            Level::Worker => self.count(dst, "%tid.y".into()),
            Level::Vector => self.count(dst, "%tid.x".into()),
            Level::Unassigned => Err(self.error("the position in no level (a mistake in accrue)")),
        }
    }

    /// Writes a barrier, unless one that does as much stands directly before.
    pub(super) fn barrier(&mut self, level: Level) -> Result<()> {
        let Some(kind) = BarrierKind::of(level, self.rows) else {
            return Err(self.error(format!("a barrier at level {level} (a mistake in accrue)")));
        };
        if let Some(last) = self.last_barrier.filter(|last| last.end == self.out.len()) {
            if kind.is_covered_by(last.kind) {
                return Ok(());
            }
            self.take_back(last.start);
            if self.first_barrier == Some(last) {
                self.first_barrier = None;
            }
        }
        let start = self.out.len();
        match kind {
            BarrierKind::Block => self.block_barrier(self.is_together),
            BarrierKind::Row => self.row_barrier(),
            BarrierKind::Launch => self.launch_barrier(),
        }
        let mark = BarrierMark { kind, start, end: self.out.len() };
        if start == 0 {
            self.first_barrier = Some(mark);
        }
        self.last_barrier = Some(mark);
        Ok(())
    }

    /// All threads of the gang meet; the lanes of each warp first, as a part of a warp counts for all of it
    /// at a barrier. Two ways of `ptxas` to lose that meeting are avoided: `bar.sync` promises that whole
    /// warps come to it, which only some kernels do ([`super::alike`]), and a `bar.warp.sync` of a constant
    /// mask becomes nothing where `ptxas` thinks that the lanes are together, which they are not when it
    /// then lets the end of a branch sink below the barrier. Lanes that have not parted since they met need
    /// no mask.
    pub(super) fn block_barrier(&mut self, are_together: bool) {
        if !are_together {
            let lanes = self.all_lanes();
            put!(self, ["bar.warp.sync"], lanes);
        }
        put!(self, [self.gang_barrier], "0");
    }

    /// The mask of all lanes of a warp, as a value that `ptxas` does not know.
    fn all_lanes(&mut self) -> Reg {
        if let Some(mask) = self.lane_mask {
            return mask;
        }
        let mask = self.temp(Class::B32);
        self.lane_mask = Some(mask);
        self.once(|w| {
            let (below, rest) = (w.read_special("%lanemask_lt"), w.read_special("%lanemask_ge"));
            ins!(w, "or.b32 {mask}, {below}, {rest}");
        });
        mask
    }

    /// A row of one warp meets in the warp. A longer one beside others meets at its barrier object, where
    /// there are such: tools that look for races take barriers with numbers for barriers of the whole gang,
    /// which other rows miss.
    fn row_barrier(&mut self) {
        let rows = self.rows;
        let wait = arch::row_wait(self.program.options.arch);
        if rows == Rows::Warps || wait.is_some() {
            put!(self, ["bar.warp.sync"], ALL_LANES);
        } else {
            // A part of a warp counts for all of it at a barrier with a number, as at the gang's.
            let lanes = self.all_lanes();
            put!(self, ["bar.warp.sync"], lanes);
        }
        if rows == Rows::Warps {
            return;
        }
        let met = (rows == Rows::Any).then(|| self.label("met"));
        if let Some(met) = met {
            let (threads, short) = (self.read_special("%ntid.x"), self.temp(Class::Pred));
            ins!(self, "setp.le.u32 {short}, {threads}, 32");
            ins!(self, "@{short} bra {met}");
        }
        match wait {
            Some(wait) => self.object_barrier(wait),
            None => self.numbered_barrier(),
        }
        if let Some(met) = met {
            self.place_label(met);
        }
    }

    /// The threads of a row meet at the row's barrier object.
    fn object_barrier(&mut self, wait: &str) {
        let object = self.row_object();
        let (state, done, again) = (self.temp(Class::B64), self.temp(Class::Pred), self.label("wait"));
        ins!(self, "mbarrier.arrive.shared.b64 {state}, [{object}]");
        self.place_label(again);
        ins!(self, "{wait} {done}, [{object}], {state}");
        ins!(self, "@!{done} bra {again}");
    }

    /// The threads of a row meet at the barrier with the worker's number; all of the gang meet at 0.
    fn numbered_barrier(&mut self) {
        let (threads, worker) = (self.read_special("%ntid.x"), self.read_special("%tid.y"));
        let barrier = self.temp(Class::B32);
        ins!(self, "add.s32 {barrier}, {worker}, 1");
        put!(self, ["barrier.sync"], barrier, threads);
    }

    /// The address of the barrier object of the thread's row.
    fn row_object(&mut self) -> Reg {
        if let Some(object) = self.row_object {
            return object;
        }
        let object = self.temp(Class::B64);
        (self.row_object, self.words.rows) = (Some(object), true);
        self.once(|w| {
            let (worker, start) = (w.read_special("%tid.y"), w.temp(Class::B64));
            ins!(w, "mov.u64 {start}, {ROWS}");
            ins!(w, "mad.wide.u32 {object}, {worker}, 8, {start}");
        });
        object
    }

    /// All gangs meet: the first thread of each counts itself, and waits until the last one has come.
    fn launch_barrier(&mut self) {
        let scratch = self.scratch();
        let [done, wait] = [self.label("met"), self.label("wait")];
        self.block_barrier(self.is_together);
        let (lane, worker) = (self.read_special("%tid.x"), self.read_special("%tid.y"));
        let (both, other) = (self.temp(Class::B32), self.temp(Class::Pred));
        ins!(self, "or.b32 {both}, {lane}, {worker}");
        ins!(self, "setp.ne.u32 {other}, {both}, 0");
        ins!(self, "@{other} bra {done}");
        let last = self.last_gang_number();
        let (arrived, generation) = (global_word(scratch, ARRIVED), global_word(scratch, GENERATION));
        let [before, now, number] = [(); 3].map(|()| self.temp(Class::B32));
        let (is_last, same) = (self.temp(Class::Pred), self.temp(Class::Pred));
        ins!(self, "fence.acq_rel.gpu");
        ins!(self, "ld.acquire.gpu.global.u32 {before}, {generation}");
        ins!(self, "atom.acq_rel.gpu.global.inc.u32 {number}, {arrived}, {last}");
        ins!(self, "setp.eq.u32 {is_last}, {number}, {last}");
        ins!(self, "add.s32 {now}, {before}, 1");
        ins!(self, "@{is_last} st.release.gpu.global.u32 {generation}, {now}");
        self.place_label(wait);
        ins!(self, "ld.acquire.gpu.global.u32 {now}, {generation}");
        ins!(self, "setp.eq.u32 {same}, {now}, {before}");
        ins!(self, "@{same} bra {wait}");
        ins!(self, "fence.acq_rel.gpu");
        self.place_label(done);
        self.block_barrier(false);
    }

    /// The number of gangs of the launch, less one.
    fn last_gang_number(&mut self) -> Reg {
        let x = self.read_special("%nctaid.x");
        let mut gangs = x;
        if self.region().is_none_or(|region| region.constant_dims[1..3] != [1, 1]) {
            for name in ["%nctaid.y", "%nctaid.z"] {
                let (size, product) = (self.read_special(name), self.temp(Class::B32));
                ins!(self, "mul.lo.s32 {product}, {gangs}, {size}");
                gangs = product;
            }
        }
        let last = self.temp(Class::B32);
        ins!(self, "add.s32 {last}, {gangs}, -1");
        last
    }

    pub(super) fn last_gang(&mut self, dst: Local) -> Result<()> {
        let scratch = self.scratch();
        let done = global_word(scratch, DONE);
        let last = self.last_gang_number();
        let number = self.temp(Class::B32);
        let dst = self.local(dst)?;
        ins!(self, "fence.acq_rel.gpu");
        ins!(self, "atom.acq_rel.gpu.global.add.u32 {number}, {done}, 1");
        ins!(self, "setp.eq.u32 {dst}, {number}, {last}");
        ins!(self, "fence.acq_rel.gpu");
        Ok(())
    }

    pub(super) fn lane_reduce(&mut self, dst: Local, op: BinaryOp, src: Operand) -> Result<()> {
        let Some(name) = arch::lane_reduction(op) else {
            return Err(self.error("an operation over lanes that PTX does not have (a mistake in accrue)"));
        };
        let src = self.reg(src)?;
        let dst = self.local(dst)?;
        ins!(self, "redux.sync.{name} {dst}, {src}, {ALL_LANES}");
        Ok(())
    }

    pub(super) fn shuffle(&mut self, dst: Local, src: Operand, by: Operand, mode: ShuffleMode) -> Result<()> {
        let mode = match mode {
            ShuffleMode::Down => "down",
            ShuffleMode::Index => "idx",
        };
        let by = self.value(by)?;
        let src = self.reg(src)?;
        let dst = self.local(dst)?;
        match src.class {
            Class::B32 => put!(self, ["shfl.sync.", mode, ".b32"], dst, src, by, "31", ALL_LANES),
            Class::F32 => {
                let (bits, moved) = (self.as_bits(src), self.temp(Class::B32));
                ins!(self, "shfl.sync.{mode}.b32 {moved}, {bits}, {by}, 31, {ALL_LANES}");
                ins!(self, "mov.b32 {dst}, {moved}");
            }
            Class::Pred => {
                let (bit, moved) = (self.temp(Class::B32), self.temp(Class::B32));
                ins!(self, "selp.b32 {bit}, 1, 0, {src}");
                ins!(self, "shfl.sync.{mode}.b32 {moved}, {bit}, {by}, 31, {ALL_LANES}");
                ins!(self, "setp.ne.b32 {dst}, {moved}, 0");
            }
            Class::B64 | Class::F64 => {
                let (low, high) = self.halves(src);
                let (new_low, new_high) = (self.temp(Class::B32), self.temp(Class::B32));
                for (to, from) in [(new_low, low), (new_high, high)] {
                    put!(self, ["shfl.sync.", mode, ".b32"], to, from, by, "31", ALL_LANES);
                }
                put!(self, ["mov.b64"], dst, &[new_low, new_high]);
            }
        }
        Ok(())
    }

    /// The address of a level's lock, and the scope of those who compete for it.
    fn lock_word(&mut self, level: Level) -> Result<(Place, &'static str)> {
        let scratch = self.scratch();
        match level {
            Level::Gang | Level::Gang2 | Level::Gang3 => Ok((global_word(scratch, GANG_LOCK), "gpu")),
            Level::Worker => {
                let start = self.program.scratch.gangs_start() as i64;
                Ok((global_word(self.gang_part(), start), "cta"))
            }
            Level::Vector | Level::Unassigned => {
                Err(self.error(format!("a lock at level {level} (a mistake in accrue)")))
            }
        }
    }

    /// The number of the gang among all of the launch.
    pub(super) fn gang_number(&mut self) -> Reg {
        let x = self.read_special("%ctaid.x");
        if self.region().is_some_and(|region| region.constant_dims[1..3] == [1, 1]) {
            return x;
        }
        let (y, z) = (self.read_special("%ctaid.y"), self.read_special("%ctaid.z"));
        let (columns, rows) = (self.read_special("%nctaid.x"), self.read_special("%nctaid.y"));
        let (row, gang) = (self.temp(Class::B32), self.temp(Class::B32));
        ins!(self, "mad.lo.s32 {row}, {z}, {rows}, {y}");
        ins!(self, "mad.lo.s32 {gang}, {row}, {columns}, {x}");
        gang
    }

    pub(super) fn lock(&mut self, level: Level) -> Result<()> {
        let (word, scope) = self.lock_word(level)?;
        let (again, taken) = (self.label("lock"), self.label("locked"));
        let (found, free) = (self.temp(Class::B32), self.temp(Class::Pred));
        self.place_label(again);
        ins!(self, "atom.acquire.{scope}.global.cas.b32 {found}, {word}, 0, 1");
        ins!(self, "setp.eq.u32 {free}, {found}, 0");
        ins!(self, "@{free} bra {taken}");
        ins!(self, "nanosleep.u32 {BACK_OFF}");
        ins!(self, "bra {again}");
        self.place_label(taken);
        ins!(self, "fence.acq_rel.{scope}");
        Ok(())
    }

    pub(super) fn unlock(&mut self, level: Level) -> Result<()> {
        let (word, scope) = self.lock_word(level)?;
        ins!(self, "fence.acq_rel.{scope}");
        ins!(self, "st.release.{scope}.global.u32 {word}, 0");
        Ok(())
    }

    /// At the start of a kernel: what routines need to know about the launch, the barrier objects of rows,
    /// and the meetings of teams, into shared memory.
    pub(super) fn tell_routines(&mut self) {
        let rows = self.rows;
        let object = (self.words.rows && rows != Rows::Warps).then(|| self.row_object());
        if !self.words.scratch && !self.words.vector_length && !self.words.teams && object.is_none() {
            return;
        }
        if self.words.teams {
            self.begin_meetings();
        }
        let scratch = self.words.scratch.then(|| self.scratch());
        let length = self.words.vector_length.then(|| self.vector_length());
        self.once(|w| {
            let lane = w.read_special("%tid.x");
            if scratch.is_some() || length.is_some() {
                let worker = w.read_special("%tid.y");
                let (both, first) = (w.temp(Class::B32), w.temp(Class::Pred));
                ins!(w, "or.b32 {both}, {lane}, {worker}");
                ins!(w, "setp.eq.u32 {first}, {both}, 0");
                if let Some(scratch) = scratch {
                    ins!(w, "@{first} st.shared.u64 [{LAUNCH}], {scratch}");
                }
                if let Some(length) = length {
                    ins!(w, "@{first} st.shared.u32 [{LAUNCH}+{LAUNCH_VECTOR_LENGTH}], {length}");
                }
            }
            if let Some(object) = object {
                w.make_row_object(object, lane, rows);
            }
            put!(w, [w.gang_barrier], "0");
        });
    }

    /// The first lane of each row of several warps makes the row's barrier object.
    fn make_row_object(&mut self, object: Reg, lane: Reg, rows: Rows) {
        let (threads, makes) = (self.read_special("%ntid.x"), self.temp(Class::Pred));
        ins!(self, "setp.eq.u32 {makes}, {lane}, 0");
        if rows == Rows::Any {
            let long = self.temp(Class::Pred);
            ins!(self, "setp.gt.u32 {long}, {threads}, 32");
            put!(self, ["and.pred"], makes, makes, long);
        }
        ins!(self, "@{makes} mbarrier.init.shared.b64 [{object}], {threads}");
    }
}

fn global_word(base: Reg, offset: i64) -> Place {
    Place { space: Space::Global, base: Base::Reg(base), offset }
}
