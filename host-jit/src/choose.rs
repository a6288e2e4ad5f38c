//! Values chosen instead of branches around a few operations.
//!
//! ```text
//!     before:  c?  yes: x = a + 1; join    no: x = b; join        x >= 48?  yes: x <= 57?  yes: ...
//!     after:   t = a + 1; x = c ? t : b; join                     x - 48 <= 9 unsigned?  yes: ...
//! ```
//!
//! A branch that goes this way and that costs more than both ways together, if each is an operation or two.
//! Only what can do nothing else than compute is computed where the program would not: whole numbers, no
//! memory, no division.
//!
//! Two comparisons of a value with constants, of which one stands behind a branch on the other, are one if
//! they ask for a range.
//!
//! Before: optimised code; no loop needs its form any more. After: as above, with blocks merged.

use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::passes::simplify_cfg::simplify;
use accrue_ir::{
    BinaryOp, Block, Body, CmpOp, ConvertOp, Func, Inst, Local, Module, Op, Operand, Terminator, Type,
};
use rustc_hash::FxHashMap;

/// Most operations of a way, copies aside.
const MOST_OPERATIONS: usize = 2;
/// Most values that are chosen by one condition.
const MOST_VALUES: usize = 2;
/// Choices inside of choices, and ranges that choices leave.
const ROUNDS: usize = 3;

/// Runs the pass on a function.
pub(crate) fn run(_: &Module, _: Func, body: &mut Body) {
    for _ in 0..ROUNDS {
        skip_empty(body);
        if !body
            .order
            .iter()
            .any(|&block| Choice::of(body, block).is_some() || Range::of(body, block).is_some())
        {
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
            if let Some(range) = Range::of(body, block)
                && has_one_way(range.second)
                && body.blocks[range.second]
                    .insts
                    .iter()
                    .all(|inst| !inst.op.dst().is_some_and(|dst| live.is_live_in(dst, range.outside)))
            {
                range.apply(body);
                changes = true;
            }
            if let Some(choice) = Choice::of(body, block)
                && choice.ways.into_iter().flatten().all(has_one_way)
                && choice.apply(body, &live)
            {
                changes = true;
            }
        }
        if !changes {
            return;
        }
        simplify(body);
    }
}

/// Leads branches past blocks that only jump on.
fn skip_empty(body: &mut Body) {
    let next = |&block: &Block| match body.blocks[block].term {
        Terminator::Jump(next) if next != block && body.blocks[block].insts.is_empty() => Some((block, next)),
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

/// A branch whose ways, of one block each or none, meet again at once.
struct Choice {
    branch: Block,
    cond: Operand,
    /// Where the condition holds, and where not.
    ways: [Option<Block>; 2],
    join: Block,
}

impl Choice {
    fn of(body: &Body, branch: Block) -> Option<Choice> {
        let Terminator::Branch { cond: cond @ Operand::Local(_), then, otherwise } = body.blocks[branch].term
        else {
            return None;
        };
        let after = |way: Block| match body.blocks[way].term {
            Terminator::Jump(next) if next != way && way != branch && is_short(body, way) => Some(next),
            _ => None,
        };
        let (ways, join) = match (after(then), after(otherwise)) {
            (Some(join), _) if join == otherwise => ([Some(then), None], join),
            (_, Some(join)) if join == then => ([None, Some(otherwise)], join),
            (Some(one), Some(other)) if one == other => ([Some(then), Some(otherwise)], one),
            _ => return None,
        };
        (join != branch && then != otherwise).then_some(Choice { branch, cond, ways, join })
    }

    /// Whether few enough values are chosen, and the choice was made.
    fn apply(&self, body: &mut Body, live: &Liveness) -> bool {
        let mut chosen: Vec<Local> = Vec::new();
        for way in self.ways.into_iter().flatten() {
            let written = body.blocks[way].insts.iter().filter_map(|inst| inst.op.dst());
            for dst in written.filter(|&dst| live.is_live_in(dst, self.join)) {
                if !chosen.contains(&dst) {
                    chosen.push(dst);
                }
            }
        }
        if chosen.len() > MOST_VALUES || chosen.iter().any(|&local| Operand::Local(local) == self.cond) {
            return false;
        }
        let pos = body.blocks[self.branch].term_pos;
        let values: Vec<[Operand; 2]> = {
            let ends = self.ways.map(|way| way.map_or_else(Vec::new, |way| compute(body, self.branch, way)));
            let value = |end: &[(Local, Local)], local: Local| {
                let last = end.iter().rev().find(|(old, _)| *old == local);
                Operand::Local(last.map_or(local, |&(_, new)| new))
            };
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

/// Whether a block is short, and does nothing else than compute whole numbers.
fn is_short(body: &Body, block: Block) -> bool {
    let insts = &body.blocks[block].insts;
    let costs = insts.iter().filter(|inst| !matches!(inst.op, Op::Copy { .. })).count();
    costs <= MOST_OPERATIONS
        && insts.len() <= MOST_OPERATIONS + MOST_VALUES
        && insts.iter().all(|inst| is_harmless(body, inst))
}

fn is_harmless(body: &Body, inst: &Inst) -> bool {
    let is_quick = match inst.op {
        Op::Copy { .. } | Op::Compare { .. } | Op::Select { .. } | Op::Index { .. } => true,
        Op::Convert { op, .. } => matches!(op, ConvertOp::SExt | ConvertOp::ZExt | ConvertOp::Trunc),
        Op::Binary { op, .. } => matches!(
            op,
            BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr
        ),
        _ => false,
    };
    let mut is_plain = is_quick && inst.op.dst().is_some_and(|dst| is_word(body.locals[dst].ty));
    if is_plain {
        inst.op.operands(|operand| is_plain &= is_plain_operand(body, operand));
    }
    is_plain
}

/// A whole number in a register; addresses of objects of a thread are computed.
fn is_plain_operand(body: &Body, operand: Operand) -> bool {
    match operand {
        Operand::Local(local) => is_word(body.locals[local].ty),
        Operand::Int(ty, _) => is_word(ty),
        Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) | Operand::F32(_) | Operand::F64(_) => false,
    }
}

fn is_word(ty: Type) -> bool {
    matches!(ty, Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr)
}

/// Appends what a way computes to the block that branched, in new locals; the old ones with the new ones.
fn compute(body: &mut Body, into: Block, way: Block) -> Vec<(Local, Local)> {
    let mut named: Vec<(Local, Local)> = Vec::new();
    for mut inst in std::mem::take(&mut body.blocks[way].insts) {
        let now =
            |local: Local| named.iter().rev().find(|(old, _)| *old == local).map_or(local, |&(_, new)| new);
        inst.op.map_operands(|operand| match operand {
            Operand::Local(local) => Operand::Local(now(local)),
            other => other,
        });
        if let Some(dst) = inst.op.dst() {
            let new = body.temp(body.locals[dst].ty);
            inst.op.map_defs(|_| new);
            named.push((dst, new));
        }
        body.blocks[into].insts.push(inst);
    }
    named
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
        body.blocks[into].insts.push(Inst { op: Op::Select { dst, cond, a, b }, pos });
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

/// What a block leaves in a local, if an instruction of its own wrote that, and nothing has written the
/// locals that the instruction reads since.
fn made(insts: &[Inst], local: Local) -> Option<(usize, &Op)> {
    let at = insts.iter().rposition(|inst| inst.op.dst() == Some(local))?;
    let mut is_steady = true;
    insts[at].op.uses(|read| is_steady &= !insts[at..].iter().any(|inst| inst.op.dst() == Some(read)));
    is_steady.then_some((at, &insts[at].op))
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
    fn of(body: &Body, first: Block) -> Option<Range> {
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
                let is_apart =
                    second != first && inside != second && outside != second && is_short(body, second);
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
    use accrue_ir::text::{parse, print};

    fn chosen(blocks: &str) -> String {
        let text = format!(
            "signature sig0 (i32, i32, ptr) -> i32\nfunction fn0.f sig0 external {{\n  \
             params v0, v1, v2\n  locals v0, v1: i32\n  locals v2: ptr\n  locals v3, v4: i32\n  \
             locals v5, v6: i1\nbb0:\n  v3 = copy 0i32\n{blocks}\n  return v3\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let func = module.functions.keys().next().unwrap_or_else(|| panic!("{text}"));
        let mut body = module.functions[func].body.take().unwrap_or_else(|| panic!("{text}"));
        run(&module, func, &mut body);
        module.functions[func].body = Some(body);
        accrue_ir::verify::verify(&module, "choose").unwrap_or_else(|errors| panic!("{errors}"));
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
        assert!(text.matches(" = select ").count() == 2 && !text.contains("branch"), "{text}");
    }

    #[test]
    fn a_value_and_what_only_a_way_reads_is_a_conjunction() {
        let text = behind_a_comparison("  v6 = cmp.eq v1, 5i32\n  v3 = convert.zext v6");
        assert!(text.contains(" = and ") && !text.contains("select"), "{text}");
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
