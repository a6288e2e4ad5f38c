//! Accumulations onto elements of memory that several iterations may reach, `h[x[i]] += w`, as atomic
//! updates.

use crate::acc::ReductionOp;
use crate::analysis::survey::Survey;
use crate::entities::{Block, Local};
use crate::function::Body;
use crate::op::{BinaryOp, Inst, Op, Operand, last_definition};

/// The instructions of an update, which stand in one block, and the operation.
struct Step {
    block: Block,
    load: usize,
    combine: usize,
    store: usize,
    rmw: Op,
}

/// Whether each of some updates is one operation between a load and a store, with an atomic form, and nothing
/// else loads the element: `a[i] += a[i] * 2` is a product of two loads and no atomic sum.
pub fn are_single_steps(body: &Body, survey: &Survey, updates: &[(usize, ReductionOp)]) -> bool {
    let (stores, loads): (Vec<_>, Vec<_>) =
        updates.iter().map(|&(touch, _)| &survey.touches[touch]).partition(|touch| touch.writes);
    let Some(steps) = stores.iter().map(|touch| step(body, touch.at)).collect::<Option<Vec<Step>>>() else {
        return false;
    };
    let is_single = |step: &Step| {
        let insts = &body.blocks[step.block].insts;
        // Another use of the element, or of the sum, would find neither.
        [step.load, step.combine].into_iter().all(|n| uses(body, insts[n].op.dst()) == 1)
    };
    let is_of_a_step = |at| steps.iter().any(|step| (step.block, step.load) == at);
    steps.iter().all(is_single) && loads.iter().all(|touch| is_of_a_step(touch.at))
}

/// Makes the updates atomic.
pub fn make_atomic(body: &mut Body, survey: &Survey, updates: &[(usize, ReductionOp)]) {
    let stores = updates.iter().filter(|(touch, _)| survey.touches[*touch].writes);
    let steps: Vec<Step> = stores.filter_map(|&(touch, _)| step(body, survey.touches[touch].at)).collect();
    let mut gone: Vec<(Block, usize)> = Vec::new();
    for Step { block, load, combine, store, rmw } in steps {
        body.blocks[block].insts[store].op = rmw;
        gone.extend([(block, load), (block, combine)]);
    }
    gone.sort_unstable();
    for (block, at) in gone.into_iter().rev() {
        body.blocks[block].insts.remove(at);
    }
}

/// How often a local is read.
fn uses(body: &Body, local: Option<Local>) -> u32 {
    let mut count = 0;
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        inst.op.operands(|operand| count += u32::from(operand.as_local() == local));
    }
    count
}

/// The update that ends in a store.
fn step(body: &Body, (block, store): (Block, usize)) -> Option<Step> {
    let insts: &[Inst] = &body.blocks[block].insts;
    let Op::Store { ty, addr, src: Operand::Local(made), access } = insts[store].op else { return None };
    let definition = |local: Local| last_definition(&insts[..store], local);
    let combine = definition(made)?;
    let Op::Binary { op, a, b, .. } = insts[combine].op else { return None };
    let commutes = matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
    let loaded = |operand: Operand| {
        let at = definition(operand.as_local()?)?;
        matches!(insts[at].op, Op::Load { addr: from, .. } if from == addr).then_some(at)
    };
    let (load, value) = match (loaded(a), loaded(b)) {
        (Some(load), _) if commutes || op == BinaryOp::Sub => (load, b),
        (None, Some(load)) if commutes => (load, a),
        _ => return None,
    };
    let is_same_address = addr.base.as_local().and_then(definition).is_none_or(|at| at < load);
    // GPUs update no more than 64 bits at once.
    let has_atomic = ty.bytes() <= 8 && access.align >= ty.bytes();
    let is_alone = is_same_address && has_atomic && !access.volatile && load < combine;
    let rmw = Op::AtomicRmw { dst: None, op, ty, addr, value, reversed: false, result_new: false };
    is_alone.then_some(Step { block, load, combine, store, rmw })
}
