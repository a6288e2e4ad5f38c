//! Meetings of a team with the threads of its gang that are none of it, which learn there whether the team is
//! done.
//!
//! `barrier.red` would tell them, but for `ptxas`: of a warp whose lanes stand at different barriers one is
//! executed for all, and what CUDA 13.0 and 13.5 make of it leaves the answer with those lanes only that
//! stand there. The others wait for ever, or leave too early.
//!
//! So the answer goes through flags in shared memory, of which each meeting uses the next one. There are
//! three: who reads the flag of a meeting does so before it comes to the next one, and who clears the flag
//! for its next use has been there. Threads come to a meeting by different ways, so each of them counts
//! meetings for itself.
//!
//! ```text
//!     0   u32 flags[3]: somebody says so    12  u8 rounds[1024]: the flag of a thread's next meeting
//! ```

use super::error::Result;
use super::function::{FunctionWriter, ins};
use super::name::TEAMS;
use super::program::MEETING_ROUNDS;
use super::register::{Class, Reg};
use accrue_ir::{Local, Operand, Type};

/// Bytes of a flag.
const FLAG: u32 = MEETING_ROUNDS / FLAGS;
/// Flags, one after the other in use.
const FLAGS: u32 = 3;

impl FunctionWriter<'_, '_> {
    /// All threads of the gang meet, wherever each of them stands, and learn whether one says so.
    pub(super) fn meet(&mut self, dst: Local, any: Operand) -> Result<()> {
        let round = self.round();
        let [flags, number, flag, next, cleared] = [(); 5].map(|()| self.temp(Class::B32));
        let is_last = self.temp(Class::Pred);
        ins!(self, "mov.u32 {flags}, {TEAMS}");
        ins!(self, "ld.shared.u8 {number}, [{round}]");
        ins!(self, "mad.lo.s32 {flag}, {number}, {FLAG}, {flags}");
        ins!(self, "setp.eq.u32 {is_last}, {number}, {}", FLAGS - 1);
        ins!(self, "add.s32 {next}, {number}, 1");
        ins!(self, "selp.b32 {next}, 0, {next}, {is_last}");
        ins!(self, "mad.lo.s32 {cleared}, {next}, {FLAG}, {flags}");
        ins!(self, "st.relaxed.gpu.shared.u32 [{cleared}], 0");
        match any {
            Operand::Int(Type::I1, 0) => {}
            Operand::Int(Type::I1, _) => ins!(self, "st.relaxed.gpu.shared.u32 [{flag}], 1"),
            said => {
                let said = self.reg(said)?;
                ins!(self, "@{said} st.relaxed.gpu.shared.u32 [{flag}], 1");
            }
        }
        self.block_barrier(false);
        let (answer, dst) = (self.temp(Class::B32), self.local(dst)?);
        ins!(self, "ld.shared.u32 {answer}, [{flag}]");
        ins!(self, "setp.ne.u32 {dst}, {answer}, 0");
        ins!(self, "st.shared.u8 [{round}], {next}");
        Ok(())
    }

    /// The address of the round of a thread.
    fn round(&mut self) -> Reg {
        if let Some(round) = self.round {
            return round;
        }
        let round = self.temp(Class::B32);
        (self.round, self.words.teams) = (Some(round), true);
        self.once(|w| {
            let [lane, worker, lanes] = ["%tid.x", "%tid.y", "%ntid.x"].map(|name| w.read_special(name));
            let [thread, start] = [(); 2].map(|()| w.temp(Class::B32));
            ins!(w, "mad.lo.s32 {thread}, {worker}, {lanes}, {lane}");
            ins!(w, "mov.u32 {start}, {TEAMS}");
            ins!(w, "add.s32 {start}, {start}, {MEETING_ROUNDS}");
            ins!(w, "add.s32 {round}, {start}, {thread}");
        });
        round
    }

    /// At the start of a kernel: no thread has been at a meeting. A barrier follows.
    pub(super) fn begin_meetings(&mut self) {
        let round = self.round();
        self.once(|w| {
            ins!(w, "st.shared.u8 [{round}], 0");
            for flag in 0..FLAGS {
                ins!(w, "st.relaxed.gpu.shared.u32 [{TEAMS}+{}], 0", flag * FLAG);
            }
        });
    }
}
