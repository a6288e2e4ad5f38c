//! Branches that are decided wherever they come from.
//!
//! A branch by a comparison says on each of its ways what the comparison gives. As long as nothing assigns
//! what was compared, another branch by the same one, or by one with another constant that follows, is a
//! jump.

use super::{MOST, Set};
use crate::analysis::cfg::Cfg;
use crate::entities::{Block, Local, map_below};
use crate::function::Body;
use crate::op::{CmpOp, ConvertOp, Op, Operand, Terminator};
use crate::types::Type;
use cranelift_entity::{EntityRef, SecondaryMap};

/// A value that is compared: the same wherever its local has not been assigned.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Term {
    Is(Operand),
    /// A local of the first type, extended to the second.
    Extended {
        local: Local,
        from: Type,
        to: Type,
        signed: bool,
    },
}

impl Term {
    fn local(self) -> Option<Local> {
        match self {
            Term::Is(operand) => operand.as_local(),
            Term::Extended { local, .. } => Some(local),
        }
    }

    fn constant(self) -> Option<i64> {
        match self {
            Term::Is(Operand::Int(_, value)) => Some(value),
            Term::Is(_) | Term::Extended { .. } => None,
        }
    }
}

/// What a branch asks: of integers and addresses whether they are equal, less, or less or equal.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Test {
    op: CmpOp,
    a: Term,
    b: Term,
}

/// A test, and whether its result is the opposite of the comparison's.
type Asked = (Test, bool);

/// Makes jumps of branches that are decided; whether there are any. Locals from the number `kept` on keep
/// what is in memory.
pub(super) fn run(body: &mut Body, cfg: &Cfg, kept: usize) -> bool {
    let branches = branches(body, cfg, kept);
    if branches.len() < 2 {
        return false;
    }
    let facts = Facts::new(body, cfg, &branches);
    let mut changed = false;
    for &(block, (test, is_opposite)) in &branches {
        let decision = facts.decide(facts.at_end(block), &test);
        let (Some(holds), Terminator::Branch { then, otherwise, .. }) = (decision, &body.blocks[block].term)
        else {
            continue;
        };
        let target = if holds != is_opposite { *then } else { *otherwise };
        body.blocks[block].term = Terminator::Jump(target);
        changed = true;
    }
    changed
}

/// The branches whose test is at the end of the block.
fn branches(body: &Body, cfg: &Cfg, kept: usize) -> Vec<(Block, Asked)> {
    let (of, versions) = (map_below(body.locals.len()), map_below(body.locals.len()));
    let mut names = Names { of, versions, kept };
    let mut branches = Vec::new();
    for &block in cfg.reverse_postorder() {
        let Terminator::Branch { cond: Operand::Local(cond), then, otherwise } = body.blocks[block].term
        else {
            continue;
        };
        if then != otherwise
            && let Some(asked) = names.test(body, block, cond)
        {
            branches.push((block, asked));
        }
    }
    branches
}

/// The names that the values of locals have within a block.
struct Names {
    /// The block in which a local was given its name, and the version of the local in the name.
    of: SecondaryMap<Local, Option<(Block, Term, u32)>>,
    versions: SecondaryMap<Local, u32>,
    /// The first of the locals that keep what is in memory, which are the last locals. Their names count, as
    /// blocks that load have them in common.
    kept: usize,
}

impl Names {
    fn is_kept(&self, local: Local) -> bool {
        local.index() >= self.kept
    }

    /// What the branch at the end of a block asks.
    fn test(&mut self, body: &Body, block: Block, cond: Local) -> Option<Asked> {
        let mut test = None;
        for inst in &body.blocks[block].insts {
            let name = match inst.op {
                Op::Copy { dst, src } if !self.is_kept(dst) => Some(self.name(block, src)),
                Op::Convert { dst, op: op @ (ConvertOp::SExt | ConvertOp::ZExt), src } => {
                    self.extended(body, block, dst, op, src)
                }
                Op::Compare { dst, op, a, b } if dst == cond => {
                    let ty = body.operand_type(a);
                    let [a, b] = [a, b].map(|operand| self.name(block, operand));
                    test = asked(ty, op, a, b).map(|asked| (asked, self.versions(&asked.0)));
                    None
                }
                _ => None,
            };
            inst.op.defs(|local| {
                self.versions[local] += 1;
                if local == cond && !matches!(inst.op, Op::Compare { .. }) {
                    test = None;
                }
            });
            if let (Some(dst), Some(name)) = (inst.op.dst(), name)
                && name.local() != Some(dst)
            {
                self.of[dst] = Some((block, name, self.version(name)));
            } else {
                inst.op.defs(|local| self.of[local] = None);
            }
            if let Op::Copy { dst, src: Operand::Local(src) } = inst.op
                && self.is_kept(dst)
            {
                self.of[src] = Some((block, Term::Is(Operand::Local(dst)), self.versions[dst]));
            }
        }
        let (asked, versions) = test?;
        (self.versions(&asked.0) == versions).then_some(asked)
    }

    fn versions(&self, test: &Test) -> [u32; 2] {
        [test.a, test.b].map(|term| self.version(term))
    }

    fn version(&self, term: Term) -> u32 {
        term.local().map_or(0, |local| self.versions[local])
    }

    fn name(&self, block: Block, operand: Operand) -> Term {
        match operand.as_local().and_then(|local| self.of[local]) {
            Some((named_in, name, version)) if named_in == block && self.version(name) == version => name,
            _ => Term::Is(operand),
        }
    }

    fn extended(&self, body: &Body, block: Block, dst: Local, op: ConvertOp, src: Operand) -> Option<Term> {
        let (from, to) = (body.operand_type(src), body.locals[dst].ty);
        match self.name(block, src) {
            Term::Is(Operand::Local(local)) if from != Type::I1 => {
                Some(Term::Extended { local, from, to, signed: op == ConvertOp::SExt })
            }
            Term::Is(_) | Term::Extended { .. } => None,
        }
    }
}

/// A comparison in its normal form: a constant on the right.
fn asked(ty: Type, op: CmpOp, a: Term, b: Term) -> Option<Asked> {
    if !matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr) {
        return None;
    }
    let (op, a, b) = match a.constant() {
        Some(_) => (crate::analysis::accumulation::swapped(op), b, a),
        None => (op, a, b),
    };
    a.local()?;
    let (op, is_opposite) = match op {
        CmpOp::Eq | CmpOp::Lt | CmpOp::Le | CmpOp::ULt | CmpOp::ULe => (op, false),
        CmpOp::Ne => (CmpOp::Eq, true),
        CmpOp::Gt => (CmpOp::Le, true),
        CmpOp::Ge => (CmpOp::Lt, true),
        CmpOp::UGt => (CmpOp::ULe, true),
        CmpOp::UGe => (CmpOp::ULt, true),
        CmpOp::Unordered => return None,
    };
    Some((Test { op, a, b }, is_opposite))
}

/// What the tests of a function are known to give.
struct Facts {
    tests: Vec<Test>,
    /// At the end of each block: those that hold, and those that do not.
    at_end: SecondaryMap<Block, [Set; 2]>,
}

impl Facts {
    fn new(body: &Body, cfg: &Cfg, branches: &[(Block, Asked)]) -> Facts {
        let mut tests: Vec<Test> = Vec::new();
        let mut asks: SecondaryMap<Block, Option<(usize, bool)>> = map_below(body.blocks.len());
        for &(block, (test, is_opposite)) in branches {
            let known = tests.iter().position(|known| *known == test);
            let number = known.unwrap_or(tests.len());
            if number == MOST {
                continue;
            }
            if known.is_none() {
                tests.push(test);
            }
            asks[block] = Some((number, is_opposite));
        }
        let mut about: SecondaryMap<Local, Set> = map_below(body.locals.len());
        for (number, test) in tests.iter().enumerate() {
            for local in [test.a, test.b].into_iter().filter_map(Term::local) {
                about[local] |= 1 << number;
            }
        }
        let mut kept: SecondaryMap<Block, Set> = map_below(body.blocks.len());
        for &block in cfg.reverse_postorder() {
            kept[block] = Set::MAX;
            for inst in &body.blocks[block].insts {
                inst.op.defs(|local| kept[block] &= !about[local]);
            }
        }
        let mut at_end: SecondaryMap<Block, [Set; 2]> = map_below(body.blocks.len());
        cfg.reverse_postorder().iter().for_each(|&block| at_end[block] = [Set::MAX; 2]);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_postorder() {
                let mut sets = if block == body.entry() { [0; 2] } else { [Set::MAX; 2] };
                for &from in cfg.predecessors(block).iter().filter(|from| cfg.is_reachable(**from)) {
                    let mut way = at_end[from];
                    if let (Some((number, is_opposite)), Terminator::Branch { then, .. }) =
                        (asks[from], &body.blocks[from].term)
                    {
                        let holds = (*then == block) != is_opposite;
                        way[usize::from(!holds)] |= 1 << number;
                        way[usize::from(holds)] &= !(1 << number);
                    }
                    sets = [sets[0] & way[0], sets[1] & way[1]];
                }
                sets = sets.map(|set| set & kept[block]);
                changed |= sets != at_end[block];
                at_end[block] = sets;
            }
        }
        Facts { tests, at_end }
    }

    fn at_end(&self, block: Block) -> [Set; 2] {
        self.at_end[block]
    }

    /// What a test gives where these hold and those do not, if that is known.
    fn decide(&self, [hold, fail]: [Set; 2], test: &Test) -> Option<bool> {
        // Both: nothing ever comes here.
        if hold & fail != 0 {
            return None;
        }
        let mut range = match test.a {
            Term::Extended { from, signed, .. } => Range::of(from, signed),
            Term::Is(_) => Range { low: i64::MIN.into(), high: i64::MAX.into() },
        };
        let constant = test.b.constant();
        let mut left = hold | fail;
        while left != 0 {
            let number = left.trailing_zeros() as usize;
            left &= left - 1;
            let (known, holds) = (&self.tests[number], hold & 1 << number != 0);
            if known == test {
                return Some(holds);
            }
            if known.a == test.a
                && constant.is_some()
                && let Some(bound) = known.b.constant()
            {
                range.narrow(known.op, bound.into(), holds);
            }
        }
        range.decide(test.op, constant?.into())
    }
}

/// The values that an integer may have, as a signed one.
struct Range {
    low: i128,
    high: i128,
}

impl Range {
    /// Those of a type, extended.
    fn of(ty: Type, signed: bool) -> Range {
        let bits = 8 * ty.bytes();
        match signed {
            true => Range { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 },
            false => Range { low: 0, high: (1 << bits) - 1 },
        }
    }

    /// Takes out what a comparison with a constant excludes.
    fn narrow(&mut self, op: CmpOp, bound: i128, holds: bool) {
        match (op, holds) {
            (CmpOp::Eq, true) => (self.low, self.high) = (self.low.max(bound), self.high.min(bound)),
            (CmpOp::Lt, true) => self.high = self.high.min(bound - 1),
            (CmpOp::Lt, false) => self.low = self.low.max(bound),
            (CmpOp::Le, true) => self.high = self.high.min(bound),
            (CmpOp::Le, false) => self.low = self.low.max(bound + 1),
            // Below a number without sign that is not negative is none that is.
            (CmpOp::ULt, true) if bound > 0 => {
                (self.low, self.high) = (self.low.max(0), self.high.min(bound - 1));
            }
            (CmpOp::ULe, true) if bound >= 0 => {
                (self.low, self.high) = (self.low.max(0), self.high.min(bound));
            }
            _ => {}
        }
    }

    /// What a comparison with a constant gives for all of them.
    fn decide(&self, op: CmpOp, bound: i128) -> Option<bool> {
        let Range { low, high } = *self;
        if low > high {
            return None;
        }
        let (all, none) = match op {
            CmpOp::Eq => (low == bound && high == bound, bound < low || bound > high),
            CmpOp::Lt => (high < bound, low >= bound),
            CmpOp::Le => (high <= bound, low > bound),
            CmpOp::ULt if low >= 0 && bound >= 0 => (high < bound, low >= bound),
            CmpOp::ULe if low >= 0 && bound >= 0 => (high <= bound, low > bound),
            _ => (false, false),
        };
        all.then_some(true).or(none.then_some(false))
    }
}
