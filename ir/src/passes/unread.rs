//! Removes definitions that every path overwrites, or ends, before it reads them.
//!
//! Before: any code. After: no operation that may be left out ([`crate::Effects::pure`]) writes only what is
//! not live behind it. Where `dce` counts uses and looks at one block, this follows the ways through the
//! body: a counter that a loop of `kernels` sets anew in each iteration and behind its end, so that it has
//! the last value, need not be stepped in between.

use super::dce;
use super::env::{Env, each_body};
use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::{self, Liveness};
use crate::entities::{Local, map_below};
use crate::function::Body;
use crate::module::Module;
use crate::report::PassError;
use cranelift_entity::SecondaryMap;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        if remove(work.body) {
            dce::clean(work.body);
        }
        Ok(())
    })
}

/// Says whether something was removed.
fn remove(body: &mut Body) -> bool {
    let live = Liveness::new(body, &Cfg::new(body));
    // The number of the last block in which a local was met on the way up, and whether it is live there.
    let mut met: SecondaryMap<Local, (u32, bool)> = map_below(body.locals.len());
    let mut removed = false;
    for index in 0..body.order.len() {
        let (block, number) = (body.order[index], index as u32 + 1);
        let mut insts = std::mem::take(&mut body.blocks[block].insts);
        let before = insts.len();
        body.blocks[block].term.uses(|local| met[local] = (number, true));
        insts.reverse();
        insts.retain(|inst| {
            let is_live = |local: Local| match met[local] {
                (at, is_live) if at == number => is_live,
                _ => live.is_live_out(local, block),
            };
            if inst.op.effects().pure && inst.op.dst().is_some_and(|dst| !is_live(dst)) {
                return false;
            }
            inst.op.defs(|local| met[local] = (number, false));
            liveness::reads(body, &inst.op, |local| met[local] = (number, true));
            true
        });
        insts.reverse();
        removed |= insts.len() < before;
        body.blocks[block].insts = insts;
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Cursor;
    use crate::op::{CmpOp, Operand};
    use crate::types::Type;

    #[test]
    fn a_counter_that_each_iteration_sets_anew_is_not_stepped() {
        let mut body = Body::default();
        let [n, hidden, seen] = ["n", "hidden", "seen"].map(|name| body.local(Type::I64, Some(name.into())));
        body.params.push(n);
        let (entry, header, latch, exit) = (body.block(), body.block(), body.block(), body.block());
        let one = Operand::Int(Type::I64, 1);
        let mut c = Cursor::new(&mut body, entry);
        c.assign(hidden, one);
        c.jump(header);
        c.switch_to(header);
        let more = c.compare(CmpOp::Lt, Operand::Local(hidden), Operand::Local(n));
        c.branch(more, latch, exit);
        c.switch_to(latch);
        c.assign(seen, Operand::Local(hidden));
        c.store(n, Operand::Local(seen));
        let next = c.add(Operand::Local(seen), one);
        c.assign(seen, next);
        let next = c.add(Operand::Local(hidden), one);
        c.assign(hidden, next);
        c.jump(header);
        c.switch_to(exit);
        c.assign(seen, Operand::Local(n));
        c.ret(Some(Operand::Local(seen)));

        assert!(remove(&mut body));
        let writes = |local: Local| {
            let insts = body.order.iter().flat_map(|&block| &body.blocks[block].insts);
            insts.filter(|inst| inst.op.dst() == Some(local)).count()
        };
        assert_eq!([writes(seen), writes(hidden)], [2, 2]);
        assert!(!remove(&mut body));
    }

    #[test]
    fn what_one_of_two_ways_reads_stays() {
        let mut body = Body::default();
        let [n, value] = ["n", "value"].map(|name| body.local(Type::I64, Some(name.into())));
        body.params.push(n);
        let (entry, reads, overwrites) = (body.block(), body.block(), body.block());
        let mut c = Cursor::new(&mut body, entry);
        c.assign(value, Operand::Int(Type::I64, 7));
        let more = c.compare(CmpOp::Lt, Operand::Local(n), Operand::Int(Type::I64, 1));
        c.branch(more, reads, overwrites);
        c.switch_to(reads);
        c.ret(Some(Operand::Local(value)));
        c.switch_to(overwrites);
        c.assign(value, Operand::Local(n));
        c.ret(Some(Operand::Local(value)));
        assert!(!remove(&mut body));
    }
}
