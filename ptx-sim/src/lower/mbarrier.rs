//! Barrier objects in shared memory.

use super::function::FunctionLowerer;
use super::mods::Mods;
use crate::code::{MbarrierAction, MbarrierSite, Op};
use crate::error::Result;
use crate::memory::space::Space;
use crate::read::ast::Operand;
use crate::ty::Ty;

/// First target on which a phase can end with arrivals that are counted together.
const COUNTED_ARRIVALS: u32 = 90;

impl<'a> FunctionLowerer<'_, 'a, '_> {
    /// `mbarrier.ACTION[.shared].b64`: `init [a], n`, `inval [a]`, `arrive[.noComplete] state, [a][, n]`,
    /// `test_wait p, [a], state`, `test_wait.parity p, [a], parity`; `try_wait` as `test_wait`, and it may
    /// have a limit of time.
    pub(super) fn mbarrier(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        let action = m.need("an action", &["init", "inval", "arrive", "test_wait", "try_wait"])?;
        let space = m.space();
        if !matches!(space, Space::Shared | Space::Generic) {
            return self
                .problem(format!("barrier objects are in shared memory, not in {} memory", space.name()));
        }
        let (addr, action) = match action {
            "init" => {
                let [addr, count] = self.exactly::<2>(ops)?;
                (addr, MbarrierAction::Init { count: self.src(count, Ty::U32)? })
            }
            "inval" => {
                let [addr] = self.exactly::<1>(ops)?;
                (addr, MbarrierAction::Inval)
            }
            "arrive" => self.mbarrier_arrival(m, ops)?,
            wait => self.mbarrier_wait(m, ops, wait == "try_wait")?,
        };
        if m.ty()? != Ty::B64 {
            return self.no_such(m);
        }
        let addr = self.memory_place(addr, space)?;
        Ok(Op::Mbarrier(Box::new(MbarrierSite { action, addr })))
    }

    fn mbarrier_arrival<'o>(
        &mut self,
        m: &mut Mods<'a>,
        ops: &'o [Operand<'a>],
    ) -> Result<(&'o Operand<'a>, MbarrierAction)> {
        let last = !m.flag("noComplete");
        m.flag("release");
        m.one_of(&["cta", "cluster"]);
        let (state, addr, count) = match ops {
            [state, addr] if last => (state, addr, self.constant(1)),
            [_, _, _] if last && self.module.target < COUNTED_ARRIVALS => {
                return self.problem(format!(
                    "`{}` with a count needs a target of at least sm_{COUNTED_ARRIVALS}",
                    m.text()
                ));
            }
            [state, addr, count] => (state, addr, self.src(count, Ty::U32)?),
            _ => return self.problem("a wrong number of operands"),
        };
        Ok((addr, MbarrierAction::Arrive { state: self.dst(state, Ty::B64)?, count, last }))
    }

    fn mbarrier_wait<'o>(
        &mut self,
        m: &mut Mods<'a>,
        ops: &'o [Operand<'a>],
        may_sleep: bool,
    ) -> Result<(&'o Operand<'a>, MbarrierAction)> {
        let by_parity = m.flag("parity");
        m.flag("acquire");
        m.one_of(&["cta", "cluster"]);
        let (over, addr, phase) = match ops {
            [over, addr, phase] => (over, addr, phase),
            [over, addr, phase, limit] if may_sleep => {
                // How long the thread sleeps at most. Here it sleeps as long as others have something to do.
                self.src(limit, Ty::U32)?;
                (over, addr, phase)
            }
            _ => return self.problem("a wrong number of operands"),
        };
        let over = self.pred_dst(over)?;
        let action = if by_parity {
            MbarrierAction::WaitParity { over, parity: self.src(phase, Ty::U32)? }
        } else {
            MbarrierAction::Wait { over, state: self.src(phase, Ty::B64)? }
        };
        Ok((addr, action))
    }
}
