//! Statements.

use super::function::{FnLower, Home, JumpTarget, ScopeEnd, pointer_address, slot_address};
use super::types::{Repr, repr};
use crate::sema::acc::visit::{Visit, walk_stmt};
use crate::typed::{Expr, ExprKind, LabelId, Stmt, StmtKind, VarId};
use accrue_ir::{
    Address, Block, BlockData, Body, ConstructKind, Inst, Loop, LoopData, Op, Operand, SlotData, Terminator,
    Type,
};
use rustc_hash::FxHashMap;

/// The blocks of a loop that is being lowered.
pub(super) struct OpenLoop {
    pub(super) id: Loop,
    pub(super) header: Block,
    pub(super) body: Block,
    pub(super) latch: Block,
    pub(super) exit: Block,
    parent: Option<Loop>,
}

impl FnLower<'_, '_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        self.at(stmt.span);
        match &stmt.kind {
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Block(stmts) => self.block_stmt(stmts),
            StmtKind::Declare(var, init) => self.declare(*var, init.as_ref()),
            StmtKind::Cleanup(call) => self.scope_ends.push(ScopeEnd::Cleanup(call.clone())),
            StmtKind::VlaSize(var, count) => {
                let value = self.value(count);
                let home = self.declare_home(*var);
                self.write_home(home, Type::I64, value);
            }
            StmtKind::If(condition, then, otherwise) => self.if_stmt(condition, then, otherwise.as_deref()),
            StmtKind::While(condition, body) => _ = self.loop_stmt(Some(condition), None, body),
            StmtKind::DoWhile(body, condition) => self.do_while(body, condition),
            StmtKind::For { init, condition, step, body, canonical: _, any_order } => {
                self.stmts(init);
                self.at(stmt.span);
                let loop_ = self.loop_stmt(condition.as_ref(), step.as_ref(), body);
                if !any_order.is_empty() {
                    self.free_order(loop_, any_order);
                }
            }
            StmtKind::Switch { value, cases, default, body } => self.switch(value, cases, *default, body),
            StmtKind::Case(index, inner) => {
                if let Some(&block) = self.switches.last().and_then(|cases| cases.get(*index as usize)) {
                    self.fall_into(block);
                }
                self.stmt(inner);
            }
            StmtKind::Break => self.jump_out(self.breaks.last().copied()),
            StmtKind::Continue => self.jump_out(self.continues.last().copied()),
            StmtKind::Return(value) => self.return_stmt(value.as_ref()),
            StmtKind::Label(label, inner) => {
                self.place_label(*label);
                self.stmt(inner);
            }
            StmtKind::Goto(label) => self.goto(*label),
            StmtKind::GotoComputed(address) => self.goto_computed(address),
            StmtKind::Barrier => self.emit(Op::Fence),
            StmtKind::Compute(compute) => self.compute(compute),
            StmtKind::Loop(construct) => self.loop_construct(construct),
            StmtKind::Data(data) => self.data_construct(data),
            StmtKind::HostData(data) => self.host_data_construct(data),
            StmtKind::Executable(executable) => self.executable(executable),
            StmtKind::Atomic(atomic) => self.atomic(atomic),
            StmtKind::DeclareData(items) => self.declare_data(items),
            StmtKind::OmpInline(operands, body) => {
                operands.iter().for_each(|operand| self.effect(operand));
                self.stmt(body);
            }
            StmtKind::Threaded(construct) => self.threaded(construct),
        }
    }

    fn jump_out(&mut self, target: Option<JumpTarget>) {
        // Sema has checked that there is one.
        let Some(target) = target else { return };
        self.leave_ends(target.scope.ends);
        self.leave_vlas(target.scope.vlas);
        self.jump(target.block);
    }

    /// A place to jump to that has the scopes open which are open now.
    fn target(&self, block: Block) -> JumpTarget {
        JumpTarget { block, scope: self.open_scope() }
    }

    fn block_stmt(&mut self, stmts: &[Stmt]) {
        let scope = self.open_scope();
        self.stmts(stmts);
        self.close_scope(scope);
    }

    fn declare(&mut self, var: VarId, init: Option<&crate::typed::Init>) {
        if self.is_static(var) {
            // Objects with static storage duration are initialised before the program starts.
            return;
        }
        let ty = self.var(var).ty.ty;
        match self.declare_home(var) {
            Home::Indirect(pointer) => {
                // The height below each array: a jump back over its declaration frees it, too.
                let saved = self.temp(Type::Ptr);
                self.emit(Op::StackSave { dst: saved, each: false });
                self.vla_scopes.push(saved);
                let bytes = self.size_of(ty);
                let align = self.m.unit.align_of(self.var(var)).max(16);
                self.emit(Op::StackAlloc { dst: pointer, bytes, align, each: false });
            }
            Home::Slot(slot) => {
                if let Some(init) = init {
                    let size = self.body.slots[slot].size;
                    self.init_memory(slot_address(slot), size, self.body.slots[slot].align, init);
                }
            }
            Home::Local(local) => {
                if let Some(value) = init.and_then(|init| init.entries.last()) {
                    let value = self.value(&value.value);
                    self.copy(local, value);
                }
            }
        }
    }

    /// Writes a scalar to a variable's home.
    pub(super) fn write_home(&mut self, home: Home, ty: Type, value: Operand) {
        match home {
            Home::Local(local) => self.copy(local, value),
            Home::Slot(slot) => self.store(ty, slot_address(slot), value, ty.align(), false),
            Home::Indirect(pointer) => self.store(ty, pointer_address(pointer), value, ty.align(), false),
        }
    }

    fn if_stmt(&mut self, condition: &Expr, then: &Stmt, otherwise: Option<&Stmt>) {
        let mut next = (condition, then, otherwise);
        let end = self.new_block();
        // A chain of `else if` is as deep as it is long; walk it instead of recursing.
        loop {
            let (condition, then, otherwise) = next;
            let yes = self.new_block();
            let no = if otherwise.is_some() { self.new_block() } else { end };
            self.branch(condition, yes, no);
            self.start(yes);
            self.stmt(then);
            self.jump(end);
            let Some(otherwise) = otherwise else { break };
            self.start(no);
            match &otherwise.kind {
                StmtKind::If(condition, then, otherwise_next) => {
                    next = (condition, then, otherwise_next.as_deref());
                    self.at(otherwise.span);
                }
                _ => {
                    self.stmt(otherwise);
                    self.jump(end);
                    break;
                }
            }
        }
        self.start(end);
    }

    /// Opens a loop whose preheader is the current block; goes on in its header.
    pub(super) fn open_loop(&mut self) -> OpenLoop {
        let preheader = self.current();
        let [header, body, latch, exit] = [(); 4].map(|()| self.new_block());
        let parent = self.loop_;
        let id = self.body.loops.push(LoopData {
            parent,
            preheader,
            header,
            body,
            latch,
            exit,
            induction: None,
            directive: None,
            pos: self.pos,
        });
        self.jump(header);
        self.loop_ = Some(id);
        self.start(header);
        OpenLoop { id, header, body, latch, exit, parent }
    }

    /// Closes a loop whose latch is the current block; goes on behind it.
    pub(super) fn close_loop(&mut self, open: &OpenLoop) {
        // A step with control flow of its own ends in another block than it begins in.
        self.body.loops[open.id].latch = self.current();
        self.jump(open.header);
        self.loop_ = open.parent;
        self.start(open.exit);
    }

    /// The body of a loop, with its jump targets.
    pub(super) fn loop_body(&mut self, body: &Stmt, latch: Block, exit: Block) {
        let (at_exit, at_latch) = (self.target(exit), self.target(latch));
        self.breaks.push(at_exit);
        self.continues.push(at_latch);
        self.stmt(body);
        self.continues.pop();
        self.breaks.pop();
        self.fall_into(latch);
    }

    fn loop_stmt(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt) -> Loop {
        let open = self.open_loop();
        match condition {
            Some(condition) => self.branch(condition, open.body, open.exit),
            None => self.jump(open.body),
        }
        let is_entered_inside = self.may_be_entered_inside(body);
        let exits = match self.body.blocks[open.header].term {
            Terminator::Branch { then, otherwise, .. } => then == open.body && otherwise == open.exit,
            _ => false,
        };
        if is_entered_inside || !exits && !self.leaves_from_the_middle(&open) {
            self.shapeless.insert(open.id);
        }
        self.start(open.body);
        self.loop_body(body, open.latch, open.exit);
        if let Some(step) = step {
            self.effect(step);
        }
        self.close_loop(&open);
        open.id
    }

    /// In `kernels`, where loops are analysed, a loop whose condition is no single test gets a header that is
    /// one, as if what else it asks for were a way out of its body. `while (a && b)` has a header already,
    /// which asks for `a`; any other loop gets one that always holds. Whether the loop has this shape now.
    fn leaves_from_the_middle(&mut self, open: &OpenLoop) -> bool {
        let header = open.header;
        let body = match self.body.blocks[header].term {
            _ if !self.is_in_kernels() => return false,
            Terminator::Jump(next) if next == open.exit => return false,
            Terminator::Branch { then, otherwise, .. } if then != open.exit && otherwise == open.exit => then,
            _ => {
                let goes_on = self.temp(Type::I1);
                let asked = std::mem::replace(&mut self.body.blocks[header], Body::empty_block());
                let BlockData { term_pos, loop_, construct, .. } = asked;
                let asks = self.body.blocks.push(asked);
                let cond = Operand::Local(goes_on);
                let term = Terminator::Branch { cond, then: asks, otherwise: open.exit };
                self.body.blocks[header] = BlockData { insts: Vec::new(), term, term_pos, loop_, construct };
                let preheader = self.body.loops[open.id].preheader;
                let op = Op::Copy { dst: goes_on, src: Operand::bool(true) };
                self.body.blocks[preheader].insts.push(Inst { op, pos: term_pos });
                // A loop in the condition, of a statement that is an expression, may come first there.
                for data in self.body.loops.values_mut().filter(|data| data.preheader == header) {
                    data.preheader = asks;
                }
                if let Some(at) = self.body.order.iter().rposition(|&block| block == header) {
                    self.body.order.insert(at + 1, asks);
                }
                asks
            }
        };
        self.body.loops[open.id].body = body;
        true
    }

    /// Whether control can reach a place inside the statement otherwise than from its start.
    fn may_be_entered_inside(&self, body: &Stmt) -> bool {
        (!self.switches.is_empty() && contains_case(body, 0))
            || (!self.jumps.labels.is_empty() && self.is_jumped_into(body))
    }

    /// Whether a `goto` outside of a statement leads to a label in it, or one may that computes its target.
    fn is_jumped_into(&self, body: &Stmt) -> bool {
        let inside = Jumps::within(std::slice::from_ref(body));
        inside.labels.iter().any(|label| {
            self.label_addresses.contains(label) || inside.to.get(label) != self.jumps.to.get(label)
        })
    }

    fn do_while(&mut self, body: &Stmt, condition: &Expr) {
        if self.is_in_kernels() && !self.may_be_entered_inside(body) {
            return self.do_while_with_header(body, condition);
        }
        let open = self.open_loop();
        self.shapeless.insert(open.id);
        self.fall_into(open.body);
        self.loop_body(body, open.latch, open.exit);
        self.branch(condition, open.header, open.exit);
        self.loop_ = open.parent;
        self.start(open.exit);
    }

    /// In `kernels`, where loops are analysed, a `do` loop has the shape of others: its header asks whether
    /// the condition held that the latch has computed, and lets the first iteration run.
    fn do_while_with_header(&mut self, body: &Stmt, condition: &Expr) {
        let goes_on = self.temp(Type::I1);
        self.copy(goes_on, Operand::bool(true));
        let open = self.open_loop();
        self.branch_on(Operand::Local(goes_on), open.body, open.exit);
        self.start(open.body);
        self.loop_body(body, open.latch, open.exit);
        let truth = self.condition(condition);
        self.copy(goes_on, truth);
        self.close_loop(&open);
    }

    fn is_in_kernels(&self) -> bool {
        let kind = self.construct.map(|construct| self.body.constructs[construct].kind);
        kind == Some(ConstructKind::Kernels)
    }

    fn switch(&mut self, value: &Expr, cases: &[(i64, i64, u32)], default: Option<u32>, body: &Stmt) {
        let value = self.value(value);
        let exit = self.new_block();
        let count = cases.iter().map(|case| case.2).chain(default).max().map_or(0, |last| last + 1);
        let blocks: Vec<Block> = (0..count).map(|_| self.new_block()).collect();
        let targets = cases.iter().map(|&(low, high, index)| (low, high, blocks[index as usize])).collect();
        let otherwise = default.map_or(exit, |index| blocks[index as usize]);
        self.terminate(Terminator::Switch { value, cases: targets, default: otherwise });
        self.switches.push(blocks);
        let at_exit = self.target(exit);
        self.breaks.push(at_exit);
        self.stmt(body);
        self.breaks.pop();
        self.switches.pop();
        self.fall_into(exit);
    }

    fn return_stmt(&mut self, value: Option<&Expr>) {
        let operand = match value {
            None => None,
            Some(value) => match repr(&self.m.unit.types, self.result) {
                Repr::Void => {
                    self.effect(value);
                    None
                }
                Repr::Scalar(ty) if ty.is_complex() => {
                    let result = self.value(value);
                    let slot = self.temp_slot(self.result);
                    self.store(ty, slot_address(slot), result, ty.align(), false);
                    Some(Operand::Slot(slot))
                }
                Repr::Scalar(_) => Some(self.value(value)),
                Repr::Memory => {
                    let address = self.record(value);
                    Some(self.address_value(address.addr))
                }
            },
        };
        let operand = match (operand, repr(&self.m.unit.types, self.result)) {
            // `return;` in a function with a result: using the result would be undefined.
            (None, Repr::Scalar(ty)) if !ty.is_complex() => Some(self.zero(ty)),
            (None, Repr::Scalar(_) | Repr::Memory) => Some(Operand::Slot(self.temp_slot(self.result))),
            (operand, _) => operand,
        };
        let operand = operand.map(|operand| self.snapshot(operand));
        let operand = match operand {
            Some(object)
                if !self.scope_ends.is_empty() && repr(&self.m.unit.types, self.result) == Repr::Memory =>
            {
                Some(self.saved_object(object))
            }
            operand => operand,
        };
        self.leave_ends(0);
        self.terminate(Terminator::Return(operand));
    }

    /// A copy of the object to return, which what runs at the ends of scopes does not change.
    fn saved_object(&mut self, object: Operand) -> Operand {
        let slot = self.temp_slot(self.result);
        let SlotData { size, align, .. } = self.body.slots[slot];
        self.copy_memory(slot_address(slot), Address { base: object, offset: 0 }, size, align);
        Operand::Slot(slot)
    }

    fn goto_computed(&mut self, address: &Expr) {
        let value = self.value(address);
        let number = self.pointer_to_int(value);
        let (block, target) = match self.computed {
            Some(computed) => computed,
            None => {
                let computed = (self.new_block(), self.temp(Type::I64));
                self.computed = Some(computed);
                computed
            }
        };
        self.copy(target, number);
        self.jump(block);
    }
}

/// The labels in some statements, and how often `goto` leads from there to a label.
#[derive(Default)]
pub(super) struct Jumps {
    labels: Vec<LabelId>,
    to: FxHashMap<LabelId, u32>,
}

impl Jumps {
    pub(super) fn within(stmts: &[Stmt]) -> Jumps {
        let mut jumps = Jumps::default();
        stmts.iter().for_each(|stmt| jumps.stmt(stmt));
        jumps
    }
}

impl Visit for Jumps {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Label(label, _) => self.labels.push(*label),
            StmtKind::Goto(label) => *self.to.entry(*label).or_default() += 1,
            _ => {}
        }
        walk_stmt(self, stmt);
    }
}

/// Whether a statement contains a `case` of a switch around it.
fn contains_case(stmt: &Stmt, switches: u32) -> bool {
    let any = |stmts: &[Stmt]| stmts.iter().any(|stmt| contains_case(stmt, switches));
    let in_expr = |expr: &Expr| expr_contains_case(expr);
    match &stmt.kind {
        StmtKind::Label(_, inner) => contains_case(inner, switches),
        StmtKind::Case(_, inner) => switches == 0 || contains_case(inner, switches),
        StmtKind::Switch { body, .. } => contains_case(body, switches + 1),
        StmtKind::Block(stmts) => any(stmts),
        StmtKind::If(condition, then, otherwise) => {
            in_expr(condition)
                || contains_case(then, switches)
                || otherwise.as_ref().is_some_and(|stmt| contains_case(stmt, switches))
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::OmpInline(_, body) => {
            contains_case(body, switches)
        }
        StmtKind::For { init, body, .. } => any(init) || contains_case(body, switches),
        StmtKind::Compute(compute) => contains_case(&compute.body, switches),
        StmtKind::Threaded(construct) => contains_case(&construct.body, switches),
        StmtKind::Loop(construct) => contains_case(&construct.body, switches),
        StmtKind::Data(data) => contains_case(&data.body, switches),
        StmtKind::HostData(data) => contains_case(&data.body, switches),
        StmtKind::Expr(expr) => in_expr(expr),
        StmtKind::Declare(..)
        | StmtKind::Cleanup(_)
        | StmtKind::VlaSize(..)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Barrier
        | StmtKind::Executable(_)
        | StmtKind::Atomic(_)
        | StmtKind::DeclareData(_) => false,
    }
}

/// Statement expressions may hold them; only direct ones are looked for.
fn expr_contains_case(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::StmtExpr(stmts, _) => stmts.iter().any(|stmt| contains_case(stmt, 0)),
        _ => false,
    }
}
