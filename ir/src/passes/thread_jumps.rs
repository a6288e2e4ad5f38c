//! Leads jumps past branches that are decided where the jump is.
//!
//! Before: any code; `if (f(x))` is this once `return a < b && c < d;` stands in the place of the call:
//!
//! ```text
//! bb1: v1 = copy 0i32           bb3: v2 = cmp.ne v1, 0i32
//!      branch v3, bb2, bb3           branch v2, bb4, bb5
//! bb2: v1 = convert.zext v4
//!      jump bb3
//! ```
//!
//! After: `bb1` goes to `bb5` unless `v3` holds, `bb2` branches by `v4`. The operations of `bb3` are copied
//! to where it was passed, and left to `dce`. Only blocks of few operations are passed, and none that a loop
//! names, so that the loop tree stays true. [`super::inline`] runs it, by [`thread`].

use super::fold::evaluate;
use crate::entities::{Block, Local, map_below};
use crate::function::Body;
use crate::op::{Class, CmpOp, ConvertOp, Inst, Op, Operand, Terminator};
use crate::types::Type;
use crate::visit::PartMut;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// A block with more operations is not passed, since they are copied.
const MOST_OPS: usize = 6;

/// Most blocks that a jump passes.
const MOST_STEPS: usize = 6;

/// Operations at the end of a block whose results are known there, so that long blocks take no longer.
const MOST_KNOWN: usize = 64;

/// Runs the pass on a body; whether it changed.
pub fn thread(body: &mut Body) -> bool {
    let passable = passable(body);
    let mut changed = false;
    let mut order = Vec::with_capacity(body.order.len());
    for block in std::mem::take(&mut body.order) {
        order.push(block);
        let mut may_pass = false;
        body.blocks[block].term.successors(|to| may_pass |= passable[to] == Passable::Yes);
        if !may_pass || passable[block] == Passable::Header {
            continue;
        }
        let mut known = Known::default();
        let insts = &body.blocks[block].insts;
        insts[insts.len().saturating_sub(MOST_KNOWN)..].iter().for_each(|inst| known.op(body, &inst.op));
        let mut term = body.blocks[block].term.clone();
        if let Terminator::Jump(to) = term {
            let Some(way) = way(body, &passable, known, block, to) else { continue };
            let data = &mut body.blocks[block];
            data.insts.extend(way.insts);
            data.term = way.term;
            changed = true;
        } else {
            term.map_successors(|to| {
                if passable[to] != Passable::Yes {
                    return to;
                }
                let Some(way) = way(body, &passable, known.clone(), block, to) else { return to };
                let edge = body.detached_block();
                let (loop_, construct) = (body.blocks[block].loop_, body.blocks[block].construct);
                let term_pos = body.blocks[block].term_pos;
                let data = &mut body.blocks[edge];
                (data.loop_, data.construct, data.term_pos) = (loop_, construct, term_pos);
                (data.insts, data.term) = (way.insts, way.term);
                order.push(edge);
                changed = true;
                edge
            });
            body.blocks[block].term = term;
        }
    }
    body.order = order;
    if changed {
        body.remove_unreachable();
    }
    changed
}

/// Whether jumps may be led past a block, and whether those of the block may be.
#[derive(Clone, Copy, PartialEq, Default)]
enum Passable {
    #[default]
    No,
    Yes,
    /// Its own jumps are part of the form of a loop.
    Header,
}

fn passable(body: &Body) -> SecondaryMap<Block, Passable> {
    let mut passable = map_below(body.blocks.len());
    for &block in &body.order {
        let data = &body.blocks[block];
        let decides = matches!(data.term, Terminator::Branch { .. } | Terminator::Switch { .. });
        let is_short = data.insts.len() <= MOST_OPS;
        if decides && is_short && data.insts.iter().all(|inst| inst.op.class() == Class::Value) {
            let mut known = Known::default();
            data.insts.iter().for_each(|inst| known.op(body, &inst.op));
            // Of what the block finds out alone, those before it know no more.
            if known.decide(&data.term).is_none() {
                passable[block] = Passable::Yes;
            }
        }
    }
    passable[body.entry()] = Passable::No;
    for data in body.loop_tree().into_iter().map(|loop_| &body.loops[loop_]) {
        for role in [data.preheader, data.body, data.latch, data.exit] {
            if passable[role] == Passable::Yes {
                passable[role] = Passable::No;
            }
        }
        passable[data.header] = Passable::Header;
    }
    passable
}

/// A way past blocks.
struct Way {
    /// What is done on it.
    insts: Vec<Inst>,
    /// Where it ends.
    term: Terminator,
}

/// The way from the end of a block past the one that follows, if its branch is decided there.
fn way(
    body: &Body,
    passable: &SecondaryMap<Block, Passable>,
    mut known: Known,
    from: Block,
    mut to: Block,
) -> Option<Way> {
    let loop_ = body.blocks[from].loop_;
    let mut way = None;
    let mut insts = Vec::new();
    for _ in 0..MOST_STEPS {
        let data = &body.blocks[to];
        if passable[to] != Passable::Yes || data.loop_ != loop_ || to == from {
            break;
        }
        data.insts.iter().for_each(|inst| known.op(body, &inst.op));
        let Some(term) = known.decide(&data.term) else { break };
        insts.extend(data.insts.iter().cloned());
        way = Some(Way { insts: insts.clone(), term: term.clone() });
        match term {
            Terminator::Jump(next) => to = next,
            _ => break,
        }
    }
    way
}

/// What a local is known to be at a point of a block.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    /// This constant.
    Is(Operand),
    /// 1 if the local, a truth value, is true, else 0; `negated`: the other way round.
    Truth { of: Local, negated: bool },
}

/// What is known of locals at a point of a block.
#[derive(Clone, Default)]
struct Known(FxHashMap<Local, Value>);

impl Known {
    fn op(&mut self, body: &Body, op: &Op) {
        let value = self.result(body, op);
        op.defs(|local| {
            self.0.remove(&local);
            self.0.retain(|_, value| !matches!(*value, Value::Truth { of, .. } if of == local));
        });
        if let (Some(dst), Some(value)) = (op.dst(), value)
            && value != (Value::Truth { of: dst, negated: false })
            && value != (Value::Truth { of: dst, negated: true })
        {
            self.0.insert(dst, value);
        }
    }

    /// The value that an operation gives its destination.
    fn result(&self, body: &Body, op: &Op) -> Option<Value> {
        match *op {
            Op::Copy { src: Operand::Local(src), .. } => self.of(body, src),
            Op::Copy { src, .. } => Some(Value::Is(src)),
            Op::Convert { op: ConvertOp::ZExt, src: Operand::Local(src), .. } => match self.of(body, src) {
                Some(Value::Is(_)) => self.evaluated(body, op),
                truth => truth,
            },
            Op::Compare {
                op: cmp @ (CmpOp::Eq | CmpOp::Ne),
                a: Operand::Local(a),
                b: Operand::Int(_, 0),
                ..
            } => match self.of(body, a) {
                Some(Value::Truth { of, negated }) => {
                    Some(Value::Truth { of, negated: negated != (cmp == CmpOp::Eq) })
                }
                Some(Value::Is(_)) => self.evaluated(body, op),
                None => None,
            },
            Op::Unary { .. } | Op::Binary { .. } | Op::Compare { .. } | Op::Convert { .. } => {
                self.evaluated(body, op)
            }
            _ => None,
        }
    }

    /// What is known of a local. A truth value is its own.
    fn of(&self, body: &Body, local: Local) -> Option<Value> {
        let own = (body.locals[local].ty == Type::I1).then_some(Value::Truth { of: local, negated: false });
        self.0.get(&local).copied().or(own)
    }

    fn constant(&self, operand: Operand) -> Operand {
        match operand.as_local().and_then(|local| self.0.get(&local)) {
            Some(Value::Is(constant)) => *constant,
            Some(Value::Truth { .. }) | None => operand,
        }
    }

    fn evaluated(&self, body: &Body, op: &Op) -> Option<Value> {
        let mut op = op.clone();
        op.parts_mut(|part| {
            if let PartMut::Value(operand) = part {
                *operand = self.constant(*operand);
            }
        });
        match evaluate(body, &op)? {
            Op::Copy { src, .. } if src.as_local().is_none() => Some(Value::Is(src)),
            _ => None,
        }
    }

    /// The end of a block, if it is simpler with what is known.
    fn decide(&self, term: &Terminator) -> Option<Terminator> {
        match term {
            Terminator::Branch { cond: Operand::Local(cond), then, otherwise } => match *self.0.get(cond)? {
                Value::Is(Operand::Int(_, value)) => {
                    Some(Terminator::Jump(if value != 0 { *then } else { *otherwise }))
                }
                Value::Is(_) => None,
                Value::Truth { of, negated } => {
                    let (then, otherwise) = if negated { (*otherwise, *then) } else { (*then, *otherwise) };
                    Some(Terminator::Branch { cond: Operand::Local(of), then, otherwise })
                }
            },
            Terminator::Switch { value: Operand::Local(value), cases, default } => {
                let Value::Is(Operand::Int(_, value)) = *self.0.get(value)? else { return None };
                let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&value));
                Some(Terminator::Jump(case.map_or(*default, |(_, _, target)| *target)))
            }
            Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::Unreachable => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Func;
    use crate::text;

    /// A function with a pointer `v0` and numbers, after the pass; whether it changed.
    fn threaded(code: &str) -> (bool, String) {
        let text = format!(
            "signature sig0 (ptr)\nfunction fn0.f sig0 external {{\n params v0 locals v0: ptr\n \
             locals v1, v2: i32 locals v3, v4, v5: i1\n{code}}}\n"
        );
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        crate::verify::verify(&module, "parse").unwrap_or_else(|errors| panic!("{errors}"));
        let changed = module.functions[Func::from_u32(0)].body.as_deref_mut().is_some_and(thread);
        crate::verify::verify(&module, "thread").unwrap_or_else(|errors| panic!("{errors}"));
        (changed, text::print(&module))
    }

    const ENDS: &str = "bb4: store.i32 [v0], 1i32 return\nbb5: return\n";

    #[test]
    fn a_constant_and_a_truth_value_decide() {
        let (changed, text) = threaded(&format!(
            "bb0: v1 = load [v0] v3 = cmp.lt v1, 9i32 v2 = copy 0i32 branch v3, bb1, bb3\n\
             bb1: jump bb2\nbb2: v4 = cmp.gt v1, 3i32 v2 = convert.zext v4 jump bb3\n\
             bb3: v5 = cmp.eq v2, 0i32 branch v5, bb4, bb5\n{ENDS}"
        ));
        assert!(changed);
        // The edge from `bb0` goes to where nothing was found, `bb2` decides by what it has compared.
        assert!(text.contains("branch v3, bb1, bb6") && text.contains("branch v4, bb5, bb4"), "{text}");
        let edge = &text[text.find("bb6:").expect("a block on the edge")..];
        assert!(edge.contains("jump bb4"), "{text}");
    }

    #[test]
    fn what_changed_since_decides_nothing() {
        let (changed, text) = threaded(&format!(
            "bb0: v1 = load [v0] v3 = cmp.lt v1, 9i32 branch v3, bb1, bb2\n\
             bb1: v4 = cmp.gt v1, 3i32 v2 = convert.zext v4 v4 = cmp.gt v1, 5i32 jump bb3\n\
             bb2: v2 = load [v0] jump bb3\nbb3: v5 = cmp.ne v2, 0i32 branch v5, bb4, bb5\n{ENDS}"
        ));
        assert!(!changed, "{text}");
    }

    #[test]
    fn several_blocks_are_passed_and_switches() {
        let (changed, text) = threaded(&format!(
            "bb0: v1 = load [v0] v3 = cmp.lt v1, 9i32 branch v3, bb1, bb2\n\
             bb1: v1 = copy 3i32 jump bb2\n\
             bb2: v4 = cmp.eq v1, 3i32 branch v4, bb3, bb5\n\
             bb3: v2 = add v1, 1i32 switch v2 {{ 4: bb4 default: bb5 }}\n{ENDS}"
        ));
        assert!(changed, "{text}");
        let passed = &text[text.find("bb1:").expect("a block")..text.find("bb2:").expect("a block")];
        assert!(passed.contains("v2 = add") && passed.contains("jump bb4"), "{text}");
    }

    #[test]
    fn blocks_that_a_loop_names_are_not_passed() {
        let (changed, text) = threaded(
            "loop loop0 preheader bb0 header bb1 body bb2 latch bb2 exit bb3\n\
             bb0: v1 = copy 0i32 jump bb1\nbb1 loop0: v3 = cmp.lt v1, 9i32 branch v3, bb2, bb3\n\
             bb2 loop0: v1 = copy 3i32 jump bb1\nbb3: return\n",
        );
        assert!(!changed, "{text}");
    }

    #[test]
    fn what_has_effects_or_is_long_is_not_passed() {
        for work in ["store.i32 [v0], v2", &"v1 = add v1, v2 ".repeat(MOST_OPS)] {
            let (changed, text) = threaded(&format!(
                "bb0: v1 = load [v0] v3 = cmp.lt v1, 9i32 branch v3, bb1, bb2\nbb1: v2 = copy 1i32 jump bb3\n\
                 bb2: v2 = copy 0i32 jump bb3\nbb3: {work} v5 = cmp.ne v2, 0i32 branch v5, bb4, bb5\n{ENDS}"
            ));
            assert!(!changed, "{text}");
        }
    }
}
