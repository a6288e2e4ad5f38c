//! Checks of one body: ids, declarations, and the order in which everything else is looked at.

use super::{VerifyError, missing};
use crate::analysis::cfg::{Cfg, Dominators};
use crate::analysis::loops::LiveEntities;
use crate::entities::{Block, Construct, Local, Loop, Slot};
use crate::function::{Body, Function, SlotKind};
use crate::module::Module;
use crate::op::{Op, Operand};
use crate::text::{inst_text, terminator_text};
use crate::types::{PassBy, Signature, Type};
use crate::visit::Part;
use cranelift_entity::EntitySet;
use std::fmt;

/// What of a body is being looked at.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    Inst(Block, &'a Op),
    Term(Block),
    Block(Block),
    Slot(Slot),
    Loop(Loop),
    Construct(Construct),
    Body,
}

pub(super) struct BodyVerifier<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) signature: &'a Signature,
    pub(super) body: &'a Body,
    pub(super) live: LiveEntities,
    pub(super) at: At<'a>,
    errors: &'a mut Vec<VerifyError>,
}

/// The graph of a body whose ids are good.
pub(super) struct Graph {
    pub(super) cfg: Cfg,
    pub(super) dominators: Dominators,
}

pub(super) fn verify_body<'a>(
    module: &'a Module,
    function: &'a Function,
    signature: &'a Signature,
    body: &'a Body,
    errors: &'a mut Vec<VerifyError>,
) {
    let live = body.live_entities();
    let mut verifier = BodyVerifier { module, function, signature, body, live, at: At::Body, errors };
    let before = verifier.errors.len();
    verifier.ids();
    if verifier.errors.len() > before {
        return;
    }
    verifier.declarations();
    for &block in &body.order {
        for inst in &body.blocks[block].insts {
            verifier.at = At::Inst(block, &inst.op);
            verifier.op(&inst.op);
        }
        verifier.at = At::Term(block);
        verifier.terminator(&body.blocks[block].term);
    }
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let graph = Graph { cfg, dominators };
    verifier.graph(&graph);
    verifier.annotations(&graph);
}

impl<'a> BodyVerifier<'a> {
    pub(super) fn fail(&mut self, message: impl Into<String>) {
        let (module, body) = (self.module, self.body);
        let (block, at) = match self.at {
            At::Inst(block, op) => (Some(block), Some(inst_text(module, body, op))),
            At::Term(block) => {
                (Some(block), body.blocks.get(block).map(|data| terminator_text(module, body, &data.term)))
            }
            At::Block(block) => (Some(block), None),
            At::Slot(slot) => (None, Some(slot.to_string())),
            At::Loop(loop_) => (None, Some(loop_.to_string())),
            At::Construct(construct) => (None, Some(construct.to_string())),
            At::Body => (None, None),
        };
        let function = Some(self.function.name.clone());
        self.errors.push(VerifyError { function, block, at, message: message.into() });
    }

    /// Fails unless the condition holds.
    pub(super) fn check(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.fail(message());
        }
    }

    pub(super) fn ty(&self, operand: Operand) -> Type {
        self.body.operand_type(operand)
    }

    /// Fails unless the operand has the type.
    pub(super) fn expect(&mut self, what: &str, operand: Operand, ty: Type) {
        let found = self.ty(operand);
        self.check(found == ty, || format!("{what} is {found}, not {ty}"));
    }

    pub(super) fn expect_optional(&mut self, what: &str, operand: Option<Operand>, ty: Type) {
        if let Some(operand) = operand {
            self.expect(what, operand, ty);
        }
    }

    pub(super) fn expect_local(&mut self, what: &str, local: Local, ty: Type) {
        self.expect(what, Operand::Local(local), ty);
    }

    pub(super) fn power_of_two(&mut self, align: u32) {
        self.check(align.is_power_of_two(), || format!("the alignment {align} is no power of two"));
    }

    fn part(&mut self, part: &Part<'_>) {
        if let Some(id) = missing(self.module, self.body, part) {
            self.fail(format!("{id} does not exist"));
        }
        // Constants have no id to check, but what they mean depends on it just as much.
        match part {
            Part::Value(operand) | Part::Variable(operand) => self.constant(**operand),
            Part::Address(address) => self.constant(address.base),
            Part::Def(_)
            | Part::NamedLocal(_)
            | Part::Func(_)
            | Part::Sig(_)
            | Part::Agg(_)
            | Part::Block(_)
            | Part::Loop(_)
            | Part::Construct(_)
            | Part::Red(_)
            | Part::Pos(_) => {}
        }
    }

    fn constant(&mut self, operand: Operand) {
        let Operand::Int(ty, value) = operand else { return };
        let fits = match ty.int_bits() {
            Some(1) => matches!(value, 0 | 1),
            Some(bits) if bits < 64 => {
                let shift = 64 - bits;
                value << shift >> shift == value
            }
            Some(_) => true,
            None => false,
        };
        self.check(fits, || format!("{value} is no constant of type {ty}: constants are sign-extended"));
    }

    fn ids(&mut self) {
        let body = self.body;
        if body.order.is_empty() {
            self.fail("a body has at least one block");
        }
        let mut seen = EntitySet::with_capacity(body.blocks.len());
        for &block in &body.order {
            if !body.blocks.is_valid(block) {
                self.fail(format!("the layout names {block}, which does not exist"));
            } else if !seen.insert(block) {
                self.fail(format!("the layout names {block} twice"));
            }
        }
        for local in &body.params {
            self.part(&Part::Def(local));
        }
        for (slot, data) in &body.slots {
            self.at = At::Slot(slot);
            data.parts(|part| self.part(&part));
        }
        for (loop_, data) in &body.loops {
            if self.live.loops.contains(loop_) {
                self.at = At::Loop(loop_);
                data.parts(|part| self.part(&part));
            }
        }
        for (construct, data) in &body.constructs {
            if self.live.constructs.contains(construct) {
                self.at = At::Construct(construct);
                data.parts(|part| self.part(&part));
            }
        }
        for block in body.order.iter().filter_map(|block| body.blocks.is_valid(*block).then_some(*block)) {
            self.block_ids(block);
        }
        self.at = At::Body;
        for clause in &body.region_reductions {
            clause.parts(|part| self.part(&part));
        }
        self.body.beside.iter().for_each(|beside| beside.parts(|part| self.part(&part)));
    }

    fn block_ids(&mut self, block: Block) {
        let data = &self.body.blocks[block];
        for inst in &data.insts {
            self.at = At::Inst(block, &inst.op);
            inst.op.parts(|part| self.part(&part));
            self.part(&Part::Pos(&inst.pos));
        }
        self.at = At::Term(block);
        data.term.parts(|part| self.part(&part));
        self.part(&Part::Pos(&data.term_pos));
        self.at = At::Block(block);
        if let Some(loop_) = &data.loop_ {
            self.part(&Part::Loop(loop_));
        }
        if let Some(construct) = &data.construct {
            self.part(&Part::Construct(construct));
        }
    }

    /// Whether the code may run partitioned: a region, or a routine that one calls.
    pub(super) fn is_device_code(&self) -> bool {
        self.function.is_device_code()
    }

    fn declarations(&mut self) {
        let (body, signature) = (self.body, self.signature);
        self.at = At::Body;
        self.check(body.params.len() == signature.params.len(), || {
            format!("{} parameters for a signature of {}", body.params.len(), signature.params.len())
        });
        let mut seen = EntitySet::with_capacity(body.locals.len());
        for (i, (local, pass)) in body.params.iter().zip(&signature.params).enumerate() {
            self.expect_local(&format!("parameter {i}"), *local, pass_type(*pass));
            self.check(seen.insert(*local), || format!("{local} receives two parameters"));
        }
        for (local, data) in &body.locals {
            self.check(!data.restrict || data.ty == Type::Ptr, || {
                format!("{local} is `restrict`, and no pointer")
            });
        }
        for (slot, data) in &body.slots {
            self.at = At::Slot(slot);
            self.power_of_two(data.align);
            let fits = !data.restrict || data.size == u64::from(Type::Ptr.bytes());
            self.check(fits, || "it is `restrict`, and has not the size of a pointer".to_owned());
            match data.kind {
                SlotKind::Frame => {}
                SlotKind::Mapped(local) => {
                    let launched = self.function.kind.launched().is_some();
                    self.check(launched, || "a mapped slot is in no region".to_owned());
                    self.expect_local("the address of the mapped object", local, Type::Ptr);
                }
                SlotKind::GangPrivate
                | SlotKind::GangCopy
                | SlotKind::WorkerPrivate
                | SlotKind::Reduction
                | SlotKind::Broadcast
                | SlotKind::Launch
                | SlotKind::GangScratch => {
                    let device = self.is_device_code();
                    self.check(device, || {
                        "a slot of a gang or worker is in code that is not run by one".to_owned()
                    });
                }
            }
        }
    }
}

/// Type of the local or operand that crosses a call.
pub(super) fn pass_type(pass: PassBy) -> Type {
    match pass {
        PassBy::Scalar(ty, _) => ty,
        PassBy::Aggregate(_) => Type::Ptr,
    }
}

/// `a, b and c`, for messages.
pub(super) fn names(items: impl IntoIterator<Item = impl fmt::Display>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
