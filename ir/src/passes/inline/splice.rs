//! A function's body in the place of a call of it.
//!
//! Parameters, results and objects by value are what a code generator makes of them at a call: objects are
//! copied, and integers of another width than the function has, which a call without a prototype
//! may give, are cut or extended by zeros.

use super::Policy;
use crate::edit::aggregate;
use crate::edit::clone::BodyCopy;
use crate::entities::{Agg, Block, Func, Local};
use crate::function::{Body, SlotData};
use crate::module::Module;
use crate::op::{Address, ConvertOp, Inst, Op, Operand, Pos, Terminator};
use crate::types::{PassBy, Signature, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A call.
pub(super) struct Site<'a> {
    pub(super) callee: Func,
    pub(super) dst: Option<Local>,
    pub(super) args: &'a [Operand],
    pub(super) dest: Option<Operand>,
    pub(super) pos: Pos,
}

impl Site<'_> {
    /// Whether arguments and result can be made what the function has.
    pub(super) fn fits(&self, module: &Module, body: &Body) -> bool {
        let signature = &module.signatures[module.functions[self.callee].sig];
        let of_param = |pass: &PassBy| match pass {
            PassBy::Scalar(ty, _) => *ty,
            PassBy::Aggregate(_) => Type::Ptr,
        };
        let mut given = self.args.iter().map(|&arg| body.operand_type(arg));
        let params = signature.params.iter();
        let args = params.map(of_param).all(|ty| given.next().is_some_and(|from| adapts(from, ty)));
        let result = match (signature.result, self.dst) {
            (Some(PassBy::Scalar(ty, _)), Some(dst)) => adapts(ty, body.locals[dst].ty),
            (Some(PassBy::Scalar(..)), None) => true,
            (Some(PassBy::Aggregate(_)), dst) => dst.is_none(),
            (None, dst) => dst.is_none(),
        };
        args && result
    }
}

/// Whether a value of one type can be given where the other is expected.
fn adapts(from: Type, to: Type) -> bool {
    let is_word = |ty| matches!(ty, Type::I64 | Type::Ptr);
    from == to || (from.is_int() && to.is_int()) || (is_word(from) && is_word(to))
}

/// Puts bodies into a body.
pub(super) struct Splicer<'a> {
    module: &'a Module,
    policy: &'a Policy,
    body: &'a mut Body,
    /// Whether variables of the device's library keep their names: in a user's function they would be taken
    /// for the user's.
    keeps_names: bool,
    /// The layout so far.
    order: Vec<Block>,
}

impl<'a> Splicer<'a> {
    /// For the body of a function that was taken out of the module.
    pub(super) fn new(module: &'a Module, policy: &'a Policy, func: Func, body: &'a mut Body) -> Splicer<'a> {
        let keeps_names = (policy.is_library)(module, func);
        let order = Vec::with_capacity(body.order.len());
        Splicer { module, policy, body, keeps_names, order }
    }

    /// Replaces the calls that are chosen; of each, the callee's parameters that nothing writes are told with
    /// it. Says whether there were any.
    pub(super) fn run<'c>(
        mut self,
        mut choose: impl for<'i> FnMut(&Body, Block, &'i Inst) -> Option<(Site<'i>, &'c [bool])>,
    ) -> bool {
        let own_loops = self.body.loops.len();
        // Where a block goes on that was cut.
        let mut tails: FxHashMap<Block, Block> = FxHashMap::default();
        let mut changed = false;
        for block in std::mem::take(&mut self.body.order) {
            self.order.push(block);
            let data = &mut self.body.blocks[block];
            if !data.insts.iter().any(|inst| matches!(inst.op, Op::Call { .. })) {
                continue;
            }
            let insts = std::mem::take(&mut data.insts);
            let (term, term_pos) =
                (std::mem::replace(&mut data.term, Terminator::Unreachable), data.term_pos);
            let mut at = block;
            for inst in insts {
                match choose(self.body, block, &inst) {
                    Some((site, constant)) => {
                        at = self.splice(at, &site, constant);
                        changed = true;
                    }
                    None => self.body.blocks[at].insts.push(inst),
                }
            }
            let data = &mut self.body.blocks[at];
            (data.term, data.term_pos) = (term, term_pos);
            if at != block {
                tails.insert(block, at);
            }
        }
        self.body.order = self.order;
        for data in self.body.loops.values_mut().take(own_loops) {
            for role in [&mut data.preheader, &mut data.latch] {
                *role = *tails.get(role).unwrap_or(role);
            }
        }
        if changed {
            // The code behind a call that never returns.
            self.body.remove_unreachable();
        }
        changed
    }

    /// Puts a callee at the end of a block; gives the block in which its caller goes on.
    fn splice(&mut self, at: Block, site: &Site<'_>, constant: &[bool]) -> Block {
        let callee = &self.module.functions[site.callee];
        let Some(from) = callee.body.as_deref() else { return at };
        let has_names = self.keeps_names || !(self.policy.is_library)(self.module, site.callee);
        let mut copy = BodyCopy::new(self.body, from, at, callee.pos, has_names);
        let signature = &self.module.signatures[callee.sig];
        for ((index, &param), (pass, &arg)) in
            from.params.iter().enumerate().zip(signature.params.iter().zip(site.args))
        {
            let value = self.argument(at, site.pos, *pass, arg, from.locals[param].name.clone());
            if constant.get(index) == Some(&true) {
                copy.substitute(param, value);
            } else if let Operand::Local(dst) = copy.operand(Operand::Local(param)) {
                self.push(at, site.pos, Op::Copy { dst, src: value });
            }
        }
        copy.add_loops(self.body, from);
        let [entry, rest @ ..] = from.order.as_slice() else { return at };
        let end = if rest.is_empty() { at } else { copy.block_around(self.body) };
        for &block in [entry].into_iter().chain(rest) {
            let to = copy.block(block);
            if to != at {
                self.order.push(to);
            }
            copy.append(self.body, &from.blocks[block], to);
            if let Terminator::Return(value) = from.blocks[block].term {
                let value = value.map(|value| copy.operand(value));
                let is_own = value.is_some_and(|value| copy.is_own_slot(value));
                self.result(to, site, signature, value, is_own);
                if to != end {
                    self.body.blocks[to].term = Terminator::Jump(end);
                }
            }
        }
        if end != at {
            self.order.push(end);
        }
        end
    }

    fn push(&mut self, at: Block, pos: Pos, op: Op) {
        self.body.blocks[at].insts.push(Inst { op, pos });
    }

    /// What a parameter is when the callee begins.
    fn argument(
        &mut self,
        at: Block,
        pos: Pos,
        pass: PassBy,
        arg: Operand,
        name: Option<Arc<str>>,
    ) -> Operand {
        match pass {
            PassBy::Scalar(ty, _) => self.adapted(at, pos, arg, ty),
            PassBy::Aggregate(agg) => {
                let own = self.object(at, agg, name);
                self.copy_object(at, pos, agg, Address::at(own), Address::at(arg));
                own
            }
        }
    }

    /// A new object of the caller.
    fn object(&mut self, at: Block, agg: Agg, name: Option<Arc<str>>) -> Operand {
        let declared_in = self.body.blocks[at].loop_;
        let name = name.filter(|_| self.keeps_names);
        let own = aggregate::slot(self.module, agg);
        Operand::Slot(self.body.slots.push(SlotData { name, declared_in, ..own }))
    }

    fn copy_object(&mut self, at: Block, pos: Pos, agg: Agg, dst: Address, src: Address) {
        self.push(at, pos, aggregate::copy(self.module, agg, dst, src));
    }

    /// A value as the other side of the call has it.
    fn adapted(&mut self, at: Block, pos: Pos, value: Operand, ty: Type) -> Operand {
        let from = self.body.operand_type(value);
        if from == ty {
            return value;
        }
        let op = match (from, ty) {
            (Type::Ptr, _) | (_, Type::Ptr) => ConvertOp::Bits,
            _ if from.bytes() < ty.bytes() => ConvertOp::ZExt,
            _ => ConvertOp::Trunc,
        };
        let dst = self.body.temp(ty);
        self.push(at, pos, Op::Convert { dst, op, src: value });
        Operand::Local(dst)
    }

    /// Gives the caller the result. An object that is not the callee's own may overlap the one it goes to.
    fn result(
        &mut self,
        at: Block,
        site: &Site<'_>,
        signature: &Signature,
        value: Option<Operand>,
        is_own: bool,
    ) {
        let Some(value) = value else { return };
        match (signature.result, site.dst, site.dest) {
            (Some(PassBy::Scalar(..)), Some(dst), _) => {
                let ty = self.body.locals[dst].ty;
                let src = self.adapted(at, site.pos, value, ty);
                self.push(at, site.pos, Op::Copy { dst, src });
            }
            (Some(PassBy::Aggregate(agg)), _, Some(dest)) => {
                let mut from = value;
                if !is_own {
                    from = self.object(at, agg, None);
                    self.copy_object(at, site.pos, agg, Address::at(from), Address::at(value));
                }
                self.copy_object(at, site.pos, agg, Address::at(dest), Address::at(from));
            }
            _ => {}
        }
    }
}
