//! Values chosen instead of branches around a few operations.
//!
//! ```text
//!     before:  c?  yes: x = a + 1; join    no: x = b; join        x >= 48?  yes: x <= 57?  yes: ...
//!     after:   t = a + 1; x = c ? t : b; join                     x - 48 <= 9 unsigned?  yes: ...
//! ```
//!
//! A branch that goes this way and that costs more than both ways together, if each is an operation or two;
//! and lanes of a GPU that part have to meet again. Only what can do nothing else than compute is computed
//! where the program would not: no memory, no division. A host chooses a floating-point number only where it
//! is the larger or smaller one of those that are compared, for which there is an instruction.
//!
//! Two comparisons of a value with constants, of which one stands behind a branch on the other, are one if
//! they ask for a range. The lesser of two whole numbers, chosen by a comparison of them, is a minimum: two
//! of them keep a subscript within an image.
//!
//! Before: optimised code. After: as above, with blocks merged.

use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::Liveness;
use crate::entities::set_of;
use crate::passes::simplify_cfg::{simplify, simplify_in_loops};
use crate::{
    BinaryOp, Block, Body, CmpOp, ConvertOp, Inst, Local, LoopData, Op, Operand, Terminator, Type, UnaryOp,
};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;

/// Most operations of a way, copies aside, on a host and on a GPU.
const MOST_OPERATIONS: usize = 2;
const MOST_OPERATIONS_OF_LANES: usize = 4;
/// Most values that are chosen by one condition.
const MOST_VALUES: usize = 2;
/// Most operations and blocks that are gone back to see what a value is made of.
const MOST_STEPS: usize = 6;
/// Choices inside of choices, and ranges that choices leave.
const ROUNDS: usize = 3;

/// Whose code is to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// A CPU: whole numbers and addresses, which its conditions choose among. No loop needs its form any
    /// more.
    Host,
    /// A GPU: all numbers of a register, floats as well, of which those of 64 bits are not computed. Loops
    /// keep their form.
    Gpu,
}

/// Runs the pass on a body.
pub fn rewrite(body: &mut Body, machine: Machine) {
    find_extremes(body);
    for _ in 0..ROUNDS {
        let rules = Rules::of(body, machine);
        rules.skip_empty(body);
        if !body.order.iter().any(|&block| {
            Choice::of(body, block, &rules).is_some() || Range::of(body, block, &rules).is_some()
        }) {
            return;
        }
        let cfg = Cfg::new(body);
        let live = Liveness::new(body, &cfg);
        let has_one_way = |block: Block| cfg.predecessors(block).len() == 1;
        let mut changes = false;
        for block in body.order.clone() {
            if !cfg.is_reachable(block) {
                continue;
            }
            // What was changed before leaves fewer ways and fewer values than were found.
            if let Some(range) = Range::of(body, block, &rules)
                && has_one_way(range.second)
                && body.blocks[range.second]
                    .insts
                    .iter()
                    .all(|inst| !inst.op.dst().is_some_and(|dst| live.is_live_in(dst, range.outside)))
            {
                range.apply(body);
                changes = true;
            }
            if let Some(choice) = Choice::of(body, block, &rules)
                && choice.ways.into_iter().flatten().all(has_one_way)
                && choice.apply(body, (&cfg, &live), &rules)
            {
                changes = true;
            }
        }
        if !changes {
            return;
        }
        match machine {
            Machine::Host => simplify(body),
            Machine::Gpu => simplify_in_loops(body),
        }
    }
}

/// What may be changed of a body.
struct Rules {
    machine: Machine,
    /// The blocks that loops need.
    kept: EntitySet<Block>,
}

impl Rules {
    fn of(body: &Body, machine: Machine) -> Rules {
        let parts = |data: &LoopData| {
            let LoopData { preheader, header, body: first, latch, exit, .. } = *data;
            [preheader, header, first, latch, exit]
        };
        let kept = match machine {
            Machine::Host => EntitySet::new(),
            Machine::Gpu => set_of(body.loops.values().flat_map(parts)),
        };
        Rules { machine, kept }
    }

    /// Whether a block may go that is between two others.
    fn may_go(&self, body: &Body, block: Block, from: Block) -> bool {
        !self.kept.contains(block) && body.blocks[block].loop_ == body.blocks[from].loop_
    }

    /// Leads branches past blocks that only jump on.
    fn skip_empty(&self, body: &mut Body) {
        let next = |&block: &Block| match body.blocks[block].term {
            Terminator::Jump(next)
                if next != block && body.blocks[block].insts.is_empty() && !self.kept.contains(block) =>
            {
                Some((block, next))
            }
            _ => None,
        };
        let behind: FxHashMap<Block, Block> = body.order.iter().filter_map(next).collect();
        if behind.is_empty() {
            return;
        }
        for &block in &body.order {
            if let Terminator::Branch { .. } = body.blocks[block].term {
                body.blocks[block].term.map_successors(|to| behind.get(&to).copied().unwrap_or(to));
            }
        }
        body.remove_unreachable();
    }

    /// Whether a block is short, and does nothing else than compute.
    fn is_short(&self, body: &Body, block: Block) -> bool {
        let insts = &body.blocks[block].insts;
        let costs = insts.iter().filter(|inst| !matches!(inst.op, Op::Copy { .. })).count();
        let most = match self.machine {
            Machine::Host => MOST_OPERATIONS,
            Machine::Gpu => MOST_OPERATIONS_OF_LANES,
        };
        costs <= most
            && insts.len() <= most + MOST_VALUES
            && insts.iter().all(|inst| self.is_harmless(body, inst))
    }

    fn is_harmless(&self, body: &Body, inst: &Inst) -> bool {
        if let Op::Copy { dst, src } = inst.op
            && self.machine == Machine::Host
            && matches!(body.locals[dst].ty, Type::F32 | Type::F64)
        {
            return matches!(src, Operand::Local(_) | Operand::F32(_) | Operand::F64(_));
        }
        let Some(ty) = inst.op.dst().map(|dst| body.locals[dst].ty).filter(|&ty| self.is_word(ty)) else {
            return false;
        };
        let is_gpu = self.machine == Machine::Gpu;
        let is_quick = match inst.op {
            Op::Copy { .. } | Op::Select { .. } => true,
            // A GPU computes them where a condition holds, without a branch: `n += 1` of two words.
            _ if is_gpu && matches!(ty, Type::I64 | Type::F64) => false,
            Op::Compare { .. }
            | Op::Index { .. }
            | Op::Convert { op: ConvertOp::SExt | ConvertOp::ZExt | ConvertOp::Trunc, .. }
            | Op::Binary {
                op:
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::Shl
                    | BinaryOp::LShr
                    | BinaryOp::AShr
                    | BinaryOp::SMin
                    | BinaryOp::SMax
                    | BinaryOp::UMin
                    | BinaryOp::UMax,
                ..
            } => true,
            Op::Binary { op: BinaryOp::Mul | BinaryOp::FMin | BinaryOp::FMax, .. }
            | Op::Fma { .. }
            | Op::Unary { op: UnaryOp::Neg | UnaryOp::FAbs, .. } => is_gpu,
            _ => false,
        };
        let mut is_plain = is_quick;
        inst.op.operands(|operand| is_plain &= self.is_plain_operand(body, operand));
        is_plain
    }

    /// A number in a register; addresses of objects of a thread are computed.
    fn is_plain_operand(&self, body: &Body, operand: Operand) -> bool {
        match operand {
            Operand::Local(local) => self.is_word(body.locals[local].ty),
            Operand::Int(ty, _) => self.is_word(ty),
            Operand::F32(_) | Operand::F64(_) => self.machine == Machine::Gpu,
            Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) => false,
        }
    }

    fn is_word(&self, ty: Type) -> bool {
        match self.machine {
            Machine::Host => {
                matches!(ty, Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr)
            }
            Machine::Gpu => matches!(ty, Type::I1) || is_number(ty),
        }
    }

    /// Whether a value is chosen in one operation.
    fn is_chosen_at_once(&self, ty: Type) -> bool {
        self.machine == Machine::Host || is_number(ty)
    }
}

fn is_number(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64)
}

/// A branch whose ways, of one block each or none, meet again at once.
struct Choice {
    branch: Block,
    cond: Operand,
    /// Where the condition holds, and where not.
    ways: [Option<Block>; 2],
    join: Block,
}

impl Choice {
    fn of(body: &Body, branch: Block, rules: &Rules) -> Option<Choice> {
        let Terminator::Branch { cond: cond @ Operand::Local(_), then, otherwise } = body.blocks[branch].term
        else {
            return None;
        };
        let after = |way: Block| match body.blocks[way].term {
            Terminator::Jump(next)
                if next != way
                    && way != branch
                    && rules.may_go(body, way, branch)
                    && rules.is_short(body, way) =>
            {
                Some(next)
            }
            _ => None,
        };
        let (ways, join) = match (after(then), after(otherwise)) {
            (Some(join), _) if join == otherwise => ([Some(then), None], join),
            (_, Some(join)) if join == then => ([None, Some(otherwise)], join),
            (Some(one), Some(other)) if one == other => ([Some(then), Some(otherwise)], one),
            _ => return None,
        };
        let choice = Choice { branch, cond, ways, join };
        let is_choice = join != branch
            && then != otherwise
            && (rules.machine == Machine::Gpu || choice.floats_are_extrema(body));
        is_choice.then_some(choice)
    }

    /// Whether the ways choose no floating-point number, or only one, which is an extremum.
    fn floats_are_extrema(&self, body: &Body) -> bool {
        let insts = || self.ways.into_iter().flatten().flat_map(|way| &body.blocks[way].insts);
        let is_float = |inst: &Inst| inst.op.dst().is_some_and(|dst| body.locals[dst].ty.is_float());
        let Some(dst) = insts().find(|inst| is_float(inst)).and_then(|inst| inst.op.dst()) else {
            return true;
        };
        let before = &body.blocks[self.branch].insts;
        // The same value under another name.
        let source = |operand: Operand| match operand.as_local().and_then(|local| made(before, local)) {
            Some((_, Op::Copy { src, .. })) => *src,
            _ => operand,
        };
        let value = |way: Option<Block>| match way.map(|way| &body.blocks[way].insts[..]) {
            None | Some([]) => Some(source(Operand::Local(dst))),
            Some([Inst { op: Op::Copy { dst: to, src }, .. }]) if *to == dst => Some(source(*src)),
            Some(_) => None,
        };
        let compared = match self.cond.as_local().and_then(|cond| made(before, cond)) {
            Some((_, &Op::Compare { op: CmpOp::Lt | CmpOp::Gt, a, b, .. })) => {
                [source(a), source(b)].map(Some)
            }
            _ => return false,
        };
        let [a, b] = self.ways.map(value);
        compared == [a, b] || compared == [b, a]
    }

    /// Whether a load from the place that a value says decides, as one character among many, about the next
    /// value, as in `if (*p == '\\') p++`. A branch is predicted; of choices, each would wait for the load.
    fn waits_for_itself(&self, body: &Body, cfg: &Cfg, chosen: Local) -> bool {
        let Some((
            _,
            &Op::Compare { op: CmpOp::Eq | CmpOp::Ne, a: Operand::Local(value), b: Operand::Int(..), .. },
        )) = self.cond.as_local().and_then(|cond| made(&body.blocks[self.branch].insts, cond))
        else {
            return false;
        };
        let (mut block, mut value) = (self.branch, value);
        for _ in 0..MOST_STEPS {
            let Some((found, op)) = last_made(body, cfg, block, value) else { return false };
            block = found;
            match op {
                Op::Copy { src: Operand::Local(src), .. } | Op::Convert { src: Operand::Local(src), .. } => {
                    value = *src;
                }
                Op::Load { addr, .. } => {
                    return addr
                        .base
                        .as_local()
                        .is_some_and(|base| comes_from(body, cfg, block, base, chosen));
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether few enough values are chosen, and the choice was made.
    fn apply(&self, body: &mut Body, (cfg, live): (&Cfg, &Liveness), rules: &Rules) -> bool {
        let mut chosen: Vec<Local> = Vec::new();
        for way in self.ways.into_iter().flatten() {
            let written = body.blocks[way].insts.iter().filter_map(|inst| inst.op.dst());
            for dst in written.filter(|&dst| live.is_live_in(dst, self.join)) {
                if !chosen.contains(&dst) {
                    chosen.push(dst);
                }
            }
        }
        let is_eligible = |&local: &Local| {
            Operand::Local(local) != self.cond && rules.is_chosen_at_once(body.locals[local].ty)
        };
        if chosen.len() > MOST_VALUES || !chosen.iter().all(is_eligible) {
            return false;
        }
        let waits = |&local: &Local| self.waits_for_itself(body, cfg, local);
        if rules.machine == Machine::Host && chosen.iter().any(waits) {
            return false;
        }
        let pos = body.blocks[self.branch].term_pos;
        let values: Vec<[Operand; 2]> = {
            let ends = self
                .ways
                .map(|way| way.map_or_else(Vec::new, |way| compute(body, self.branch, (way, &chosen))));
            let value = |end: &[(Local, Operand)], local: Local| now(end, Operand::Local(local));
            chosen.iter().map(|&local| [value(&ends[0], local), value(&ends[1], local)]).collect()
        };
        // All are read before the first is written: the values are new locals, or what is chosen itself.
        for (&dst, [a, b]) in chosen.iter().zip(values) {
            choose(body, self.branch, dst, self.cond, a, b);
        }
        body.blocks[self.branch].term = Terminator::Jump(self.join);
        body.blocks[self.branch].term_pos = pos;
        true
    }
}

/// Appends what a way computes to the block that branched, in new locals; the old ones with what they are
/// then. What is chosen behind it is copied, as it changes then.
fn compute(body: &mut Body, into: Block, (way, chosen): (Block, &[Local])) -> Vec<(Local, Operand)> {
    let mut named: Vec<(Local, Operand)> = Vec::new();
    for mut inst in std::mem::take(&mut body.blocks[way].insts) {
        inst.op.map_operands(|operand| now(&named, operand));
        let Some(dst) = inst.op.dst() else { continue };
        match inst.op {
            Op::Copy { src, .. } if src.as_local().is_none_or(|local| !chosen.contains(&local)) => {
                named.push((dst, src));
            }
            _ => {
                let new = body.temp(body.locals[dst].ty);
                inst.op.map_defs(|_| new);
                named.push((dst, Operand::Local(new)));
                body.blocks[into].insts.push(inst);
            }
        }
    }
    named
}

/// What an operand is behind a way.
fn now(named: &[(Local, Operand)], operand: Operand) -> Operand {
    let last = named.iter().rev().find(|(old, _)| operand == Operand::Local(*old));
    last.map_or(operand, |&(_, new)| new)
}

/// Appends a choice; that of a truth value is a conjunction or a disjunction, mostly.
fn choose(body: &mut Body, into: Block, dst: Local, cond: Operand, a: Operand, b: Operand) {
    let ty = body.locals[dst].ty;
    let is = |operand: Operand, number: i64| made_constant(body, into, operand) == Some(number);
    let truth = |operand: Operand| made_truth(body, into, operand);
    let both = match () {
        () if is(b, 0) => truth(a).map(|value| (BinaryOp::And, value)),
        () if is(a, if ty == Type::I1 { -1 } else { 1 }) || ty == Type::I1 && is(a, 1) => {
            truth(b).map(|value| (BinaryOp::Or, value))
        }
        () => None,
    };
    let pos = body.blocks[into].term_pos;
    let Some((op, value)) = both else {
        let op = extreme(body, &body.blocks[into].insts, (cond, a, b))
            .map_or(Op::Select { dst, cond, a, b }, |op| Op::Binary { dst, op, a, b });
        body.blocks[into].insts.push(Inst { op, pos });
        return;
    };
    let result = if ty == Type::I1 { dst } else { body.temp(Type::I1) };
    match (op, cond, value) {
        (BinaryOp::And, Operand::Local(first), Operand::Local(second))
            if let Some(range) = is_range(&body.blocks[into].insts, [(first, true), (second, true)]) =>
        {
            range.ask(body, into, result);
        }
        _ => {
            body.blocks[into].insts.push(Inst { op: Op::Binary { dst: result, op, a: cond, b: value }, pos })
        }
    }
    if result != dst {
        let op = Op::Convert { dst, op: ConvertOp::ZExt, src: Operand::Local(result) };
        body.blocks[into].insts.push(Inst { op, pos });
    }
}

/// The minimum or maximum that a choice behind some operations is.
fn extreme(body: &Body, insts: &[Inst], (cond, a, b): (Operand, Operand, Operand)) -> Option<BinaryOp> {
    if !matches!(body.operand_type(a), Type::I32 | Type::I64) {
        return None;
    }
    let Op::Compare { op, a: left, b: right, .. } = *made(insts, cond.as_local()?)?.1 else { return None };
    let is_first = match (op, right) {
        _ if (a, b) == (left, right) => true,
        _ if (b, a) == (left, right) => false,
        // `x >= 8 ? 7 : x`
        (CmpOp::Ge, Operand::Int(ty, bound)) if b == left && a == Operand::Int(ty, bound.checked_sub(1)?) => {
            return Some(BinaryOp::SMin);
        }
        // `x < 0 ? 0 : min(x, 7)`
        (CmpOp::Lt | CmpOp::Gt, Operand::Int(..))
            if a == right && is_bounded(insts, b, (left, op, right)) =>
        {
            false
        }
        _ => return None,
    };
    Some(match (op, is_first) {
        (CmpOp::Lt | CmpOp::Le, true) | (CmpOp::Gt | CmpOp::Ge, false) => BinaryOp::SMin,
        (CmpOp::Gt | CmpOp::Ge, true) | (CmpOp::Lt | CmpOp::Le, false) => BinaryOp::SMax,
        (CmpOp::ULt | CmpOp::ULe, true) | (CmpOp::UGt | CmpOp::UGe, false) => BinaryOp::UMin,
        (CmpOp::UGt | CmpOp::UGe, true) | (CmpOp::ULt | CmpOp::ULe, false) => BinaryOp::UMax,
        (CmpOp::Eq | CmpOp::Ne | CmpOp::Unordered, _) => return None,
    })
}

/// Whether a number is the extreme of `value` and a number on the other side of `bound`, from where `op`
/// leads.
fn is_bounded(insts: &[Inst], number: Operand, (value, op, bound): (Operand, CmpOp, Operand)) -> bool {
    let made = number.as_local().and_then(|local| made(insts, local));
    let Some((_, &Op::Binary { op: extreme, a, b, .. })) = made else { return false };
    let other = if a == value { b } else { a };
    let is_behind = |(other, bound): (i64, i64)| match op {
        CmpOp::Lt => extreme == BinaryOp::SMin && other >= bound,
        _ => extreme == BinaryOp::SMax && other <= bound,
    };
    [a, b].contains(&value) && other.as_int().zip(bound.as_int()).is_some_and(is_behind)
}

/// Writes choices that the program or another pass has made as minima and maxima.
fn find_extremes(body: &mut Body) {
    for block in body.order.clone() {
        for at in 0..body.blocks[block].insts.len() {
            let (before, rest) = body.blocks[block].insts.split_at(at);
            let Some(Inst { op: Op::Select { dst, cond, a, b }, .. }) = rest.first() else { continue };
            let (dst, chosen) = (*dst, (*cond, *a, *b));
            if let Some(op) = extreme(body, before, chosen) {
                body.blocks[block].insts[at].op = Op::Binary { dst, op, a: chosen.1, b: chosen.2 };
            }
        }
    }
}

/// What a block leaves in a local, if an instruction of its own wrote that, and nothing has written the
/// locals that the instruction reads since.
fn made(insts: &[Inst], local: Local) -> Option<(usize, &Op)> {
    let at = insts.iter().rposition(|inst| inst.op.dst() == Some(local))?;
    let mut is_steady = true;
    insts[at].op.uses(|read| is_steady &= !insts[at..].iter().any(|inst| inst.op.dst() == Some(read)));
    is_steady.then_some((at, &insts[at].op))
}

/// The last operation that made a local in front of the end of a block, there or in a block that leads only
/// there.
fn last_made<'a>(body: &'a Body, cfg: &Cfg, mut block: Block, local: Local) -> Option<(Block, &'a Op)> {
    for _ in 0..MOST_STEPS {
        let insts = &body.blocks[block].insts;
        if let Some(inst) = insts.iter().rfind(|inst| inst.op.dst() == Some(local)) {
            return Some((block, &inst.op));
        }
        let [before] = cfg.predecessors(block) else { return None };
        block = *before;
    }
    None
}

/// Whether an address is a local, or its sum with others.
fn comes_from(body: &Body, cfg: &Cfg, mut block: Block, mut address: Local, origin: Local) -> bool {
    for _ in 0..MOST_STEPS {
        if address == origin {
            return true;
        }
        let Some((found, op)) = last_made(body, cfg, block, address) else { return false };
        block = found;
        match *op {
            Op::Index { index: Operand::Local(index), .. } if index == origin => return true,
            Op::Index {
                index: Operand::Local(index), base: Operand::Global(_) | Operand::Slot(_), ..
            } => {
                address = index;
            }
            Op::Index { base: Operand::Local(base), .. } => address = base,
            Op::Copy { src: Operand::Local(src), .. } | Op::Convert { src: Operand::Local(src), .. } => {
                address = src;
            }
            Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, a: Operand::Local(a), .. } => address = a,
            _ => return false,
        }
    }
    false
}

fn made_constant(body: &Body, block: Block, operand: Operand) -> Option<i64> {
    match operand {
        Operand::Int(_, value) => Some(value),
        Operand::Local(local) => match made(&body.blocks[block].insts, local)?.1 {
            Op::Copy { src: Operand::Int(_, value), .. } => Some(*value),
            _ => None,
        },
        _ => None,
    }
}

/// The truth value that an operand is, as a number or as itself.
fn made_truth(body: &Body, block: Block, operand: Operand) -> Option<Operand> {
    let Operand::Local(local) = operand else { return None };
    if body.locals[local].ty == Type::I1 {
        return Some(operand);
    }
    match made(&body.blocks[block].insts, local)?.1 {
        Op::Convert { op: ConvertOp::ZExt, src, .. } if body.operand_type(*src) == Type::I1 => Some(*src),
        _ => None,
    }
}

/// Numbers from `low` to `high`, as values with a sign, and the local that is asked.
#[derive(Clone, Copy)]
struct Bounds {
    value: Local,
    ty: Type,
    low: i64,
    high: i64,
}

impl Bounds {
    /// Appends the question.
    fn ask(self, body: &mut Body, into: Block, dst: Local) {
        let pos = body.blocks[into].term_pos;
        let from = body.temp(self.ty);
        let number = |value| Operand::Int(self.ty, value);
        let op =
            Op::Binary { dst: from, op: BinaryOp::Sub, a: Operand::Local(self.value), b: number(self.low) };
        body.blocks[into].insts.push(Inst { op, pos });
        let (a, b) = (Operand::Local(from), number(self.high - self.low));
        body.blocks[into].insts.push(Inst { op: Op::Compare { dst, op: CmpOp::ULe, a, b }, pos });
    }
}

/// Whether two conditions together, each of which holds or does not, say that a value is in a range.
fn is_range(insts: &[Inst], conditions: [(Local, bool); 2]) -> Option<Bounds> {
    let bound = |(cond, holds): (Local, bool)| {
        let (_, op) = made(insts, cond)?;
        let &Op::Compare { op, a: Operand::Local(value), b: Operand::Int(ty, number), .. } = op else {
            return None;
        };
        let is_small = matches!(ty, Type::I8 | Type::I16 | Type::I32) && number.unsigned_abs() < 1 << 30;
        let (low, high) = match (op, holds) {
            (CmpOp::Ge, true) | (CmpOp::Lt, false) => (Some(number), None),
            (CmpOp::Gt, true) | (CmpOp::Le, false) => (Some(number + 1), None),
            (CmpOp::Le, true) | (CmpOp::Gt, false) => (None, Some(number)),
            (CmpOp::Lt, true) | (CmpOp::Ge, false) => (None, Some(number - 1)),
            _ => return None,
        };
        // The same value under another name.
        let source = match made(insts, value) {
            Some((_, Op::Copy { src: Operand::Local(source), .. })) => *source,
            _ => value,
        };
        is_small.then_some((source, ty, low, high))
    };
    let ((value, ty, ..), (other, ..)) = (bound(conditions[0])?, bound(conditions[1])?);
    let bounds = conditions.map(bound);
    let low = bounds.iter().flatten().find_map(|bound| bound.2)?;
    let high = bounds.iter().flatten().find_map(|bound| bound.3)?;
    let limits = |ty: Type| match ty {
        Type::I8 => i64::from(i8::MAX),
        Type::I16 => i64::from(i16::MAX),
        _ => i64::from(i32::MAX),
    };
    // The length is written as a number with a sign.
    (value == other && low <= high && high - low <= limits(ty)).then_some(Bounds { value, ty, low, high })
}

/// A branch behind a branch: together they lead to one place from within a range, and to another from
/// outside.
struct Range {
    first: Block,
    second: Block,
    inside: Block,
    outside: Block,
    conditions: [(Local, bool); 2],
}

impl Range {
    fn of(body: &Body, first: Block, rules: &Rules) -> Option<Range> {
        let branch = |block: Block| match body.blocks[block].term {
            Terminator::Branch { cond: Operand::Local(cond), then, otherwise } if then != otherwise => {
                Some((cond, then, otherwise))
            }
            _ => None,
        };
        let (cond, then, otherwise) = branch(first)?;
        [(then, otherwise, true), (otherwise, then, false)].into_iter().find_map(
            |(second, outside, holds)| {
                let (other, yes, no) = branch(second)?;
                let (inside, other_holds) = match () {
                    () if no == outside => (yes, true),
                    () if yes == outside => (no, false),
                    () => return None,
                };
                let conditions = [(cond, holds), (other, other_holds)];
                let is_apart = second != first
                    && inside != second
                    && outside != second
                    && rules.may_go(body, second, first)
                    && rules.is_short(body, second);
                // Behind both blocks the first condition is what it was behind the first.
                let is_kept = !body.blocks[second].insts.iter().any(|inst| inst.op.dst() == Some(cond));
                let insts = || {
                    let of = |block: Block| body.blocks[block].insts.iter().cloned();
                    of(first).chain(of(second)).collect::<Vec<Inst>>()
                };
                (is_apart && is_kept && is_range(&insts(), conditions).is_some()).then_some(Range {
                    first,
                    second,
                    inside,
                    outside,
                    conditions,
                })
            },
        )
    }

    fn apply(&self, body: &mut Body) {
        let moved = std::mem::take(&mut body.blocks[self.second].insts);
        body.blocks[self.first].insts.extend(moved);
        if let Some(bounds) = is_range(&body.blocks[self.first].insts, self.conditions) {
            let cond = body.temp(Type::I1);
            bounds.ask(body, self.first, cond);
            let (then, otherwise) = (self.inside, self.outside);
            body.blocks[self.first].term = Terminator::Branch { cond: Operand::Local(cond), then, otherwise };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    fn chosen(blocks: &str) -> String {
        chosen_on(Machine::Host, blocks)
    }

    fn chosen_on(machine: Machine, blocks: &str) -> String {
        chosen_in_loop(machine, "", blocks)
    }

    fn chosen_in_loop(machine: Machine, loop_: &str, blocks: &str) -> String {
        let text = format!(
            "signature sig0 (i32, i32, ptr) -> i32\nfunction fn0.f sig0 external {{\n  \
             params v0, v1, v2\n  locals v0, v1: i32\n  locals v2: ptr\n  locals v3, v4: i32\n  \
             locals v5, v6: i1\n  locals v7: f32\n{loop_}bb0:\n  v3 = copy 0i32\n{blocks}\n  return v3\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let body = module.functions.values_mut().find_map(|function| function.body.as_mut());
        rewrite(body.unwrap_or_else(|| panic!("{text}")), machine);
        crate::verify::verify(&module, "choose").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    fn behind_a_comparison(way: &str) -> String {
        chosen(&format!("  v5 = cmp.lt v0, v1\n  branch v5, bb1, bb2\nbb1:\n{way}\n  jump bb2\nbb2:"))
    }

    #[test]
    fn short_ways_are_computed_and_chosen() {
        let text = behind_a_comparison("  v4 = add v1, 1i32\n  v3 = xor v4, v0");
        assert!(text.contains(" = select ") && !text.contains("branch"), "{text}");
    }

    /// `if (*p == '/') p++` is predicted; of `if (*p == '/') n++` nothing waits.
    #[test]
    fn what_the_next_load_waits_for_stays_a_branch() {
        let behind_a_load = |way: &str| {
            chosen(&format!(
                "  jump bb1\nbb1:\n  v4 = load [v2]\n  v5 = cmp.eq v4, 47i32\n  branch v5, bb2, bb3\n\
                 bb2:\n  {way}\n  jump bb3\nbb3:\n  v2 = index v2 + 0i64 * 1 + 4\n  v6 = cmp.ne v4, v1\n  \
                 branch v6, bb1, bb4\nbb4:"
            ))
        };
        let [place, count] = ["v2 = index v2 + 0i64 * 1 + 4", "v3 = add v3, 1i32"].map(behind_a_load);
        assert!(!place.contains("select") && count.contains("select"), "{place}\n{count}");
    }

    #[test]
    fn of_floats_only_extrema_are_chosen() {
        let chosen_of = |compared: &str, way: &str| {
            let text = format!(
                "signature sig0 (f64, f64) -> f64\nfunction fn0.f sig0 external {{\n  params v0, v1\n  \
                 locals v0, v1, v2, v3: f64\n  locals v4: i1\nbb0:\n  v2 = add v0, v1\n  v3 = copy v2\n  \
                 v4 = {compared}\n  branch v4, bb1, bb2\nbb1:\n  {way}\n  jump bb2\nbb2:\n  return v3\n}}\n"
            );
            let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
            let body = module.functions.values_mut().find_map(|function| function.body.as_mut());
            let body = body.unwrap_or_else(|| panic!("{text}"));
            rewrite(body, Machine::Host);
            body.blocks.values().flat_map(|data| &data.insts).any(|inst| matches!(inst.op, Op::Select { .. }))
        };
        for (compared, way, is_chosen) in [
            ("cmp.lt v2, v0", "v3 = copy v0", true),
            ("cmp.gt v0, v2", "v3 = copy v0", true),
            ("cmp.lt v2, 0.0f64", "v3 = copy 0.0f64", true),
            // Which zero is taken, and what a NaN leads to, depends on the comparison.
            ("cmp.le v2, v0", "v3 = copy v0", false),
            ("cmp.lt v2, 0.0f64", "v3 = copy -0.0f64", false),
            ("cmp.lt v2, v0", "v3 = copy v1", false),
            ("cmp.lt v1, v0", "v3 = copy v0", false),
            ("cmp.lt v2, v0", "v3 = sub v0, v1", false),
        ] {
            assert_eq!(chosen_of(compared, way), is_chosen, "{compared}: {way}");
        }
    }

    #[test]
    fn what_may_fail_or_takes_long_or_is_too_much_stays() {
        for way in [
            "  v3 = load [v2]",
            "  v3 = sdiv v1, v0",
            "  v3 = mul v1, v0",
            "  v3 = add v1, 1i32\n  v3 = add v3, v0\n  v3 = xor v3, v1",
            "  store.i32 [v2], v1\n  v3 = copy v1",
        ] {
            let text = behind_a_comparison(way);
            assert!(text.contains("branch") && !text.contains("select"), "{text}");
        }
    }

    #[test]
    fn both_ways_may_compute_and_change_what_the_other_reads() {
        let text = chosen(
            "  v5 = cmp.lt v0, v1\n  branch v5, bb1, bb2\nbb1:\n  v3 = sub v1, v0\n  v0 = copy v1\n  jump bb3\n\
             bb2:\n  v3 = sub v0, v1\n  jump bb3\nbb3:\n  v3 = add v3, v0",
        );
        assert!(text.contains("v3 = select ") && text.contains("v0 = smax v1, v0"), "{text}");
        assert!(!text.contains("branch"), "{text}");
    }

    #[test]
    fn a_value_and_what_only_a_way_reads_is_a_conjunction() {
        let text = behind_a_comparison("  v6 = cmp.eq v1, 5i32\n  v3 = convert.zext v6");
        assert!(text.contains(" = and ") && !text.contains("select"), "{text}");
    }

    #[test]
    fn the_lesser_of_two_and_what_is_kept_in_bounds_are_extremes() {
        for (bounded, op) in [
            ("v5 = cmp.lt v0, v1\n  v3 = select v5, v0, v1", "smin v0, v1"),
            ("v5 = cmp.lt v0, v1\n  v3 = select v5, v1, v0", "smax v1, v0"),
            ("v5 = cmp.uge v0, 7i32\n  v3 = select v5, v0, 7i32", "umax v0, 7i32"),
            ("v5 = cmp.ge v0, 8i32\n  v3 = select v5, 7i32, v0", "smin 7i32, v0"),
            ("v4 = smin v0, 7i32\n  v5 = cmp.lt v0, 0i32\n  v3 = select v5, 0i32, v4", "smax 0i32, v4"),
            ("v4 = smax 2i32, v0\n  v5 = cmp.gt v0, 9i32\n  v3 = select v5, 9i32, v4", "smin 9i32, v4"),
        ] {
            let text = chosen(&format!("  {bounded}\n  jump bb1\nbb1:"));
            assert!(text.contains(op), "{text}");
        }
        for other in [
            "v5 = cmp.eq v0, v1\n  v3 = select v5, v0, v1",
            "v5 = cmp.lt v0, 8i32\n  v3 = select v5, 7i32, v0",
        ] {
            let text = chosen(&format!("  {other}\n  jump bb1\nbb1:"));
            assert!(text.contains(" = select "), "{text}");
        }
    }

    #[test]
    fn choices_within_choices_are_made_from_the_inside() {
        let clamp = "  v5 = cmp.lt v0, 0i32\n  branch v5, bb1, bb2\nbb1:\n  v3 = copy 0i32\n  jump bb5\nbb2:\n  \
                     v6 = cmp.gt v0, v1\n  branch v6, bb3, bb4\nbb3:\n  v4 = copy v1\n  jump bb6\nbb4:\n  v4 = copy v0\n  \
                     jump bb6\nbb6:\n  v3 = copy v4\n  jump bb5\nbb5:";
        for machine in [Machine::Host, Machine::Gpu] {
            let text = chosen_on(machine, clamp);
            assert!(text.contains("smin v1, v0") && !text.contains("branch"), "{text}");
        }
    }

    #[test]
    fn a_gpu_computes_floats_and_chooses_among_them() {
        let behind = |way: &str| {
            format!(
                "  v7 = load [v2]\n  v5 = cmp.lt v0, v1\n  branch v5, bb1, bb2\nbb1:\n  {way}\n  jump bb2\nbb2:\n  \
                 store.f32 [v2], v7"
            )
        };
        for (machine, way, is_chosen) in [
            (Machine::Gpu, "v7 = copy 0.0f32", true),
            (Machine::Gpu, "v7 = mul v7, v7", true),
            (Machine::Gpu, "v7 = sqrt v7", false),
            (Machine::Host, "v7 = copy 0.0f32", false),
        ] {
            let text = chosen_on(machine, &behind(way));
            assert_eq!(!text.contains("branch"), is_chosen, "{machine:?}: {text}");
        }
    }

    #[test]
    fn on_a_gpu_loops_keep_their_form() {
        let loop_ = "  loop loop0 preheader bb1 header bb2 body bb3 latch bb5 exit bb6 for v3 = 0i32, lt v0, step 1i32 {\n    \
                     directive levels(unassigned)\n  }\n";
        let counted = "  jump bb1\nbb1:\n  v3 = copy 0i32\n  jump bb2\nbb2 loop0:\n  v5 = cmp.lt v3, v0\n  \
                       branch v5, bb3, bb6\nbb3 loop0:\n  v6 = cmp.gt v4, v1\n  branch v6, bb4, bb5\nbb4 loop0:\n  \
                       v4 = copy v1\n  jump bb5\nbb5 loop0:\n  v3 = add v3, 1i32\n  jump bb2\nbb6:";
        let text = chosen_in_loop(Machine::Gpu, loop_, counted);
        assert!(text.contains("v4 = smin v1, v4") && text.matches("branch").count() == 1, "{text}");
        assert!(text.contains("preheader bb1 header bb2 body bb3 latch bb4 exit bb5"), "{text}");
    }

    fn range(first: &str, second: &str) -> String {
        chosen(&format!(
            "  v5 = cmp.{first}\n  branch v5, bb1, bb3\nbb1:\n  v6 = cmp.{second}\n  branch v6, bb2, bb3\n\
             bb2:\n  v3 = load [v2]\n  jump bb3\nbb3:"
        ))
    }

    #[test]
    fn two_comparisons_are_a_range() {
        for (first, second) in [("ge v0, 48i32", "le v0, 57i32"), ("lt v0, 58i32", "gt v0, 47i32")] {
            let text = range(first, second);
            assert!(text.contains("sub v0, 48i32") && text.contains("cmp.ule "), "{text}");
            assert_eq!(text.matches("branch").count(), 1, "{text}");
        }
    }

    #[test]
    fn other_comparisons_are_none() {
        for (first, second) in [
            ("ge v0, 48i32", "le v1, 57i32"),
            ("ge v0, 48i32", "ge v0, 57i32"),
            ("ge v0, 48i32", "le v0, 40i32"),
            ("uge v0, 48i32", "ule v0, 57i32"),
            ("ge v0, -1500000000i32", "le v0, 1500000000i32"),
        ] {
            let text = range(first, second);
            assert_eq!(text.matches("branch").count(), 2, "{text}");
        }
    }
}
