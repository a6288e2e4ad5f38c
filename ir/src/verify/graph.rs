//! The graph, the loop tree and the constructs.
//!
//! - The entry has no predecessor. Every successor is in the layout, and the layout holds exactly the blocks
//!   of [`Body::reachable`](crate::Body::reachable).
//! - A loop is entered from its preheader to its header only, whose other predecessor is the latch. The
//!   preheader goes nowhere else. Header, body and latch belong to the loop itself, preheader and exit to its
//!   parent. Leaving is free: `break`, `goto` and `return` may. Code on the way out may still belong to the
//!   loop.
//! - The header of a counted loop is a test without other effects, to the body or the exit. Inside, only the
//!   latch writes the induction local.
//! - A construct is entered at its entry and left to its exit, and does not return. A loop is inside of it
//!   with preheader and exit, or outside.

use super::body::{At, BodyVerifier, Graph, names};
use super::ops::compares;
use crate::entities::{Block, Construct, Loop, set_of};
use crate::function::{FunctionKind, Induction, LoopData};
use crate::op::{CmpOp, Terminator};
use crate::types::Type;

impl BodyVerifier<'_> {
    pub(super) fn graph(&mut self, graph: &Graph) {
        let body = self.body;
        let entry = body.entry();
        self.at = At::Block(entry);
        self.check(graph.cfg.predecessors(entry).is_empty(), || "control jumps to the entry".to_owned());
        let reachable = body.reachable();
        for &block in &body.order {
            self.at = At::Block(block);
            self.check(reachable.contains(block), || {
                "control never arrives, but the block is in the layout".to_owned()
            });
            let data = &body.blocks[block];
            if let Some(loop_) = data.loop_ {
                let reaches_root =
                    body.loops_around(Some(loop_)).all(|l| body.loops[l].parent.is_none_or(|p| p < l));
                self.check(reaches_root, || {
                    format!("{loop_} or one around it is not younger than its parent")
                });
            }
            self.at = At::Term(block);
            for target in data.term.targets() {
                if self.live.blocks.contains(target) {
                    self.edge(block, target);
                } else {
                    self.fail(format!("{target} is not in the layout"));
                }
            }
            if let (Terminator::Return(_), Some(construct)) = (&data.term, data.construct) {
                self.fail(format!("{construct} returns from its function"));
            }
        }
        for loop_ in self.live.loops.clone().iter() {
            self.at = At::Loop(loop_);
            self.loop_shape(loop_, graph);
        }
        for construct in self.live.constructs.clone().iter() {
            self.at = At::Construct(construct);
            self.construct_shape(construct);
        }
    }

    /// Loops and constructs are entered and left where they say.
    fn edge(&mut self, from: Block, to: Block) {
        let body = self.body;
        let (source, target) = (&body.blocks[from], &body.blocks[to]);
        for loop_ in body.loops_around(target.loop_) {
            if body.loop_is_within(source.loop_, loop_) {
                break;
            }
            let LoopData { preheader, header, .. } = body.loops[loop_];
            self.check(from == preheader && to == header, || {
                format!("{loop_} is entered by another edge than that from its preheader {preheader} to its header {header}")
            });
        }
        if source.construct != target.construct {
            if let Some(construct) =
                target.construct.filter(|&to| !body.construct_is_within(source.construct, to))
            {
                let entry = body.constructs[construct].entry;
                self.check(to == entry, || {
                    format!("{construct} is entered at another block than its entry {entry}")
                });
            }
            if let Some(construct) =
                source.construct.filter(|&from| !body.construct_is_within(target.construct, from))
            {
                let exit = body.constructs[construct].exit;
                self.check(to == exit, || {
                    format!("{construct} is left to another block than its exit {exit}")
                });
            }
        }
    }

    fn loop_shape(&mut self, loop_: Loop, graph: &Graph) {
        let body = self.body;
        let data = &body.loops[loop_];
        let LoopData { parent, preheader, header, body: first, latch, exit, .. } = *data;
        let outside: Vec<Block> = [preheader, header, first, latch, exit]
            .into_iter()
            .filter(|block| !self.live.blocks.contains(*block))
            .collect();
        if !outside.is_empty() {
            return self.fail(format!("not in the layout: {}", names(outside)));
        }
        self.check(parent.is_none_or(|parent| parent < loop_), || {
            "a parent comes before its loops".to_owned()
        });
        for (what, block, owner) in [
            ("preheader", preheader, parent),
            ("header", header, Some(loop_)),
            ("body", first, Some(loop_)),
            ("latch", latch, Some(loop_)),
            ("exit", exit, parent),
        ] {
            let found = body.blocks[block].loop_;
            self.check(found == owner, || {
                let [found, owner] =
                    [found, owner].map(|l| l.map_or("no loop".to_owned(), |l| l.to_string()));
                format!("the {what} {block} belongs to {found}, not to {owner}")
            });
        }
        let only_header = matches!(body.blocks[preheader].term, Terminator::Jump(to) if to == header);
        self.check(only_header, || format!("the preheader {preheader} does not end in a jump to {header}"));
        let mut preds = graph.cfg.predecessors(header).to_vec();
        preds.sort_unstable();
        let mut wanted = [preheader, latch];
        wanted.sort_unstable();
        self.check(preds == wanted, || {
            format!(
                "the header's predecessors are {}, not preheader {preheader} and latch {latch}",
                names(&preds)
            )
        });
        let constructs = [preheader, header, first, latch, exit].map(|block| body.blocks[block].construct);
        if let Some(construct) = constructs[1] {
            let inside = constructs.iter().all(|found| *found == Some(construct));
            self.check(inside, || format!("the loop is only partly inside of {construct}"));
        }
        if let Some(induction) = &data.induction {
            self.induction(loop_, data, induction);
        }
        let counted = data.induction.is_some();
        if let Some(directive) = &data.directive {
            let sequential = directive.kind == crate::LoopKind::Seq || directive.levels.is_empty();
            self.check(counted || sequential, || "a partitioned loop has a counted form".to_owned());
        }
    }

    fn induction(&mut self, loop_: Loop, data: &LoopData, induction: &Induction) {
        let body = self.body;
        let Induction { iv, init, bound, step, cmp } = *induction;
        let ty = body.locals[iv].ty;
        self.check(ty.is_int() || ty == Type::Ptr, || {
            format!("the induction local is {ty}, no integer or pointer")
        });
        self.expect("the first value", init, ty);
        self.expect("the bound", bound, ty);
        self.expect("the step", step, if ty == Type::Ptr { Type::I64 } else { ty });
        let possible = !matches!(cmp, CmpOp::Eq | CmpOp::Unordered) && compares(cmp, ty);
        self.check(possible, || format!("no counted loop over {ty} has this comparison"));
        let header = &body.blocks[data.header];
        let tests = matches!(header.term, Terminator::Branch { then, otherwise, .. }
            if then == data.body && otherwise == data.exit);
        self.check(tests, || "the header of a counted loop branches to body or exit".to_owned());
        let pure = header.insts.iter().all(|inst| inst.op.effects().pure);
        self.check(pure, || "the header of a counted loop does more than test".to_owned());
        self.check(
            !body
                .loops_around(data.parent)
                .any(|outer| body.loops[outer].induction.as_ref().is_some_and(|other| other.iv == iv)),
            || format!("{iv} is the induction local of {loop_} and of a loop around it"),
        );
    }

    /// Only the latch of a counted loop writes its induction local.
    pub(super) fn induction_writes(&mut self) {
        let body = self.body;
        let ivs =
            set_of(self.live.loops.iter().filter_map(|l| body.loops[l].induction.as_ref()).map(|i| i.iv));
        if ivs.is_empty() {
            return;
        }
        for &block in &body.order {
            let data = &body.blocks[block];
            for inst in &data.insts {
                self.at = At::Inst(block, &inst.op);
                inst.op.defs(|local| {
                    if !ivs.contains(local) {
                        return;
                    }
                    for loop_ in body.loops_around(data.loop_) {
                        let around = &body.loops[loop_];
                        let written = around.induction.as_ref().is_some_and(|i| i.iv == local);
                        self.check(!written || block == around.latch, || {
                            format!("{local} is written in {loop_} outside of the latch {}", around.latch)
                        });
                    }
                });
            }
        }
    }

    fn construct_shape(&mut self, construct: Construct) {
        let body = self.body;
        let data = &body.constructs[construct];
        let (entry, exit) = (data.entry, data.exit);
        let region = matches!(self.function.kind, FunctionKind::Region(_));
        self.check(!region, || "a construct is inside of a region".to_owned());
        if !self.live.blocks.contains(entry) || !self.live.blocks.contains(exit) {
            return self.fail("entry or exit are not in the layout");
        }
        self.check(body.blocks[entry].construct == Some(construct), || {
            format!("the entry {entry} is not inside")
        });
        self.check(!body.construct_is_within(body.blocks[exit].construct, construct), || {
            format!("the exit {exit} is inside")
        });
        if let Some(parent) = data.parent {
            let is_host = self.live.constructs.contains(parent) && body.constructs[parent].kind.is_threaded();
            self.check(is_host, || format!("{parent} around it is no construct of the host"));
            self.check(parent < construct, || format!("{parent} around it comes later"));
        }
    }
}
