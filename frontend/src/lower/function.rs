//! The state of one function while it is lowered: blocks, homes of variables, scopes.

use super::ModuleLower;
use super::stmt::Jumps;
use super::types::{Repr, is_extended_complex, repr};
use crate::ctype::{CType, TypeId};
use crate::diag::ids;
use crate::source::Span;
use crate::typed::{Expr, FuncId, LabelId, Storage, VarId};
use accrue_ir as ir;
use accrue_ir::{
    Access, Address, BinaryOp, Block, Body, CmpOp, Construct, ConvertOp, Inst, Local, Loop, Op, Operand, Pos,
    Slot, SlotData, Terminator, Type, UnaryOp,
};
use rustc_hash::FxHashMap;
use std::mem;
use std::sync::Arc;

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// In a local.
    Local(Local),
    /// In a slot.
    Slot(Slot),
    /// At the address in a local: VLAs.
    Indirect(Local),
}

/// A place that `break` or `continue` jumps to.
#[derive(Clone, Copy)]
pub(super) struct JumpTarget {
    pub(super) block: Block,
    pub(super) scope: Scope,
}

/// How many cleanups are pending at a place of the function. A jump there does the cleanups that were added
/// since.
#[derive(Clone, Copy, Default)]
pub(super) struct Scope {
    /// Number of VLAs alive.
    pub(super) vlas: usize,
    /// Number of [`ScopeEnd`]s.
    pub(super) ends: usize,
}

/// Something to do where a scope is left.
#[derive(Clone)]
pub(super) enum ScopeEnd {
    /// A `declare` directive ends.
    Declare(ir::DataOp),
    /// The call that a variable's `cleanup` attribute asks for.
    Cleanup(Expr),
}

/// A `goto`, which may leave scopes: `edge` is the block that must tidy up.
struct Goto {
    edge: Block,
    label: LabelId,
    vlas: Vec<Local>,
    ends: Vec<ScopeEnd>,
}

#[derive(Default)]
struct LabelState {
    block: Option<Block>,
    scope: Scope,
}

/// One function being lowered.
pub(super) struct FnLower<'m, 'a> {
    pub(super) m: &'m mut ModuleLower<'a>,
    pub(super) body: Body,
    /// Where instructions go. After a terminator it is `None` until code follows, which nothing reaches then.
    block: Option<Block>,
    pub(super) pos: Pos,
    homes: FxHashMap<VarId, Home>,
    pub(super) loop_: Option<Loop>,
    pub(super) construct: Option<Construct>,
    pub(super) breaks: Vec<JumpTarget>,
    pub(super) continues: Vec<JumpTarget>,
    /// Blocks of the cases of the enclosing switches.
    pub(super) switches: Vec<Vec<Block>>,
    /// Stack heights below the VLAs that are alive.
    pub(super) vla_scopes: Vec<Local>,
    /// Cleanups of the open blocks, the innermost block's at the end; they are done from the end on. The
    /// stack of a VLA is released, for instance.
    pub(super) scope_ends: Vec<ScopeEnd>,
    /// Values of conditions of the enclosing `?:` without a middle.
    pub(super) conditions: Vec<Operand>,
    labels: Vec<LabelState>,
    gotos: Vec<Goto>,
    /// `goto *`: a block with one predecessor per jump and the labels as successors, and its operand.
    pub(super) computed: Option<(Block, Local)>,
    /// Labels whose address is taken.
    pub(super) label_addresses: &'m [LabelId],
    /// Loops that did not take the shape of [`ir::LoopData`].
    pub(super) shapeless: std::collections::BTreeSet<Loop>,
    /// Its labels, and the jumps to them.
    pub(super) jumps: Jumps,
    pub(super) result: TypeId,
}

impl ModuleLower<'_> {
    pub(super) fn define_function(&mut self, id: FuncId) {
        let func = self.function(id);
        let function = &self.unit.functions[id.0 as usize];
        let Some(body) = &function.body else { return };
        let CType::Function(ty) = self.unit.types.get(function.ty) else {
            unreachable!("a function has function type")
        };
        let result = ty.result.ty;
        let pos = self.pos(function.span);
        let statements = mem::take(&mut self.statements[id.0 as usize]);
        let mut lower = FnLower {
            m: self,
            body: Body::default(),
            block: None,
            pos,
            homes: FxHashMap::default(),
            loop_: None,
            construct: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            vla_scopes: Vec::new(),
            scope_ends: Vec::new(),
            conditions: Vec::new(),
            labels: body.labels.iter().map(|_| LabelState::default()).collect(),
            gotos: Vec::new(),
            computed: None,
            label_addresses: &body.address_taken,
            shapeless: std::collections::BTreeSet::new(),
            jumps: if body.labels.is_empty() { Jumps::default() } else { Jumps::within(&statements) },
            result,
        };
        let entry = lower.body.detached_block();
        lower.start(entry);
        for &param in &body.params {
            lower.param(param);
        }
        lower.stmts(&statements);
        lower.at(body.end);
        lower.close_scope(Scope::default());
        lower.fall_off_end(body.is_main);
        lower.finish();
        let body = lower.body;
        self.module.functions[func].body = Some(Box::new(body));
    }
}

impl FnLower<'_, '_> {
    /// Receives a parameter and gives it its home.
    fn param(&mut self, id: VarId) {
        let var = self.var(id);
        let (ty, in_memory, span) = (var.ty.ty, var.in_memory, var.span);
        let name = self.var_name(id);
        self.refuse_extended_complex(ty, span);
        match repr(&self.m.unit.types, ty) {
            Repr::Scalar(scalar) if !scalar.is_complex() && !in_memory => {
                let local = self.body.local(scalar, name);
                self.body.locals[local].restrict = self.is_restrict(id);
                self.body.params.push(local);
                self.homes.insert(id, Home::Local(local));
            }
            Repr::Scalar(scalar) if !scalar.is_complex() => {
                let local = self.body.local(scalar, name);
                self.body.params.push(local);
                let slot = self.new_slot(id);
                self.homes.insert(id, Home::Slot(slot));
                self.store(scalar, slot_address(slot), Operand::Local(local), scalar.align(), false);
            }
            Repr::Scalar(complex) => {
                let pointer = self.body.local(Type::Ptr, name);
                self.body.params.push(pointer);
                let align = complex.align();
                let value = self.load(complex, pointer_address(pointer), align, false);
                self.declare_home(id);
                match self.homes[&id] {
                    Home::Local(local) => self.copy(local, value),
                    Home::Slot(slot) => self.store(complex, slot_address(slot), value, align, false),
                    Home::Indirect(_) => unreachable!("only VLAs live behind pointers"),
                }
            }
            Repr::Memory | Repr::Void => {
                let pointer = self.body.local(Type::Ptr, name);
                self.body.params.push(pointer);
                let slot = self.new_slot(id);
                self.homes.insert(id, Home::Slot(slot));
                let (size, align) = (self.m.unit.types.bytes(ty), self.m.unit.types.align(ty));
                self.copy_memory(slot_address(slot), pointer_address(pointer), size, align as u32);
            }
        }
    }

    /// Gives an automatic variable a fresh home.
    pub(super) fn declare_home(&mut self, id: VarId) -> Home {
        let var = self.var(id);
        let (ty, in_memory, span) = (var.ty.ty, var.in_memory, var.span);
        self.refuse_extended_complex(ty, span);
        let home = match repr(&self.m.unit.types, ty) {
            Repr::Scalar(scalar) if !in_memory => {
                let name = self.var_name(id);
                let local = self.body.local(scalar, name);
                self.body.locals[local].restrict = self.is_restrict(id);
                Home::Local(local)
            }
            Repr::Memory if self.is_vla(ty) => {
                let name = self.var_name(id);
                Home::Indirect(self.body.local(Type::Ptr, name))
            }
            Repr::Scalar(_) | Repr::Memory | Repr::Void => Home::Slot(self.new_slot(id)),
        };
        self.homes.insert(id, home);
        home
    }

    /// The home of an automatic variable. A variable without one is jumped past (`switch` into a block): it
    /// gets it now.
    pub(super) fn home(&mut self, id: VarId) -> Home {
        match self.homes.get(&id) {
            Some(&home) => home,
            None => self.declare_home(id),
        }
    }

    /// Replaces the home of a variable; returns the former one for [`Self::restore_home`].
    pub(super) fn set_home(&mut self, id: VarId, home: Home) -> Option<Home> {
        self.homes.insert(id, home)
    }

    /// Undoes [`Self::set_home`].
    pub(super) fn restore_home(&mut self, id: VarId, former: Option<Home>) {
        match former {
            Some(home) => self.homes.insert(id, home),
            None => self.homes.remove(&id),
        };
    }

    pub(super) fn var(&self, id: VarId) -> &crate::typed::Var {
        &self.m.unit.vars[id.0 as usize]
    }

    pub(super) fn var_name(&self, id: VarId) -> Option<Arc<str>> {
        self.var(id).name.map(|name| self.m.interner.shared(name))
    }

    /// Whether the variable has static or thread storage duration.
    pub(super) fn is_static(&self, id: VarId) -> bool {
        matches!(self.var(id).storage, Storage::Static { .. } | Storage::Thread { .. })
    }

    /// Whether the name means the object with static storage here: loops with a directive have variables of
    /// their own.
    pub(super) fn is_global(&self, id: VarId) -> bool {
        self.is_static(id) && !self.homes.contains_key(&id)
    }

    fn new_slot(&mut self, id: VarId) -> Slot {
        let var = self.var(id);
        let types = &self.m.unit.types;
        let mut size = types.bytes(var.ty.ty);
        if let Some(init) = &var.init {
            let end = init.entries.iter().map(|entry| entry.offset + types.bytes(entry.ty)).max();
            size = size.max(end.unwrap_or(0));
        }
        let align = self.m.unit.align_of(var);
        let name = self.var_name(id);
        let slot = self.slot(size, align, name);
        self.body.slots[slot].restrict = self.is_restrict(id);
        slot
    }

    fn is_restrict(&self, id: VarId) -> bool {
        self.m.unit.is_restrict(self.var(id))
    }

    pub(super) fn slot(&mut self, size: u64, align: u32, name: Option<Arc<str>>) -> Slot {
        let declared_in = self.loop_;
        self.body.slots.push(SlotData { declared_in, ..SlotData::frame(size, align, name) })
    }

    /// A slot for a value of a type.
    pub(super) fn temp_slot(&mut self, ty: TypeId) -> Slot {
        let (size, align) = (self.m.unit.types.bytes(ty), self.m.unit.types.align(ty));
        self.slot(size, align as u32, None)
    }

    /// Reports `long double _Complex`, once in a translation unit.
    pub(super) fn refuse_extended_complex(&mut self, ty: TypeId, span: Span) {
        if is_extended_complex(&self.m.unit.types, ty)
            && !std::mem::replace(&mut self.m.refused_complex, true)
        {
            self.m.limit(
                ids::LONG_DOUBLE_COMPLEX_UNSUPPORTED,
                span,
                "`long double _Complex` is not supported by accrue",
            );
        }
    }

    /// Sets the source position of the instructions emitted from here on.
    pub(super) fn at(&mut self, span: Span) {
        self.pos = self.m.pos(span);
    }

    // Blocks.

    /// Makes `block` the current one, in the loop and construct that are open. The former one must have
    /// ended.
    pub(super) fn start(&mut self, block: Block) {
        debug_assert!(self.block.is_none(), "the current block has not ended");
        let data = &mut self.body.blocks[block];
        (data.loop_, data.construct) = (self.loop_, self.construct);
        self.body.order.push(block);
        self.block = Some(block);
    }

    pub(super) fn new_block(&mut self) -> Block {
        self.body.detached_block()
    }

    /// The current block; code after a jump gets one that nothing reaches.
    pub(super) fn current(&mut self) -> Block {
        match self.block {
            Some(block) => block,
            None => {
                let block = self.new_block();
                self.start(block);
                block
            }
        }
    }

    pub(super) fn terminate(&mut self, term: Terminator) {
        let block = self.current();
        let data = &mut self.body.blocks[block];
        (data.term, data.term_pos) = (term, self.pos);
        self.block = None;
    }

    pub(super) fn jump(&mut self, target: Block) {
        self.terminate(Terminator::Jump(target));
    }

    /// Jumps to `target` and goes on there.
    pub(super) fn fall_into(&mut self, target: Block) {
        if self.block.is_some() {
            self.jump(target);
        }
        self.start(target);
    }

    pub(super) fn branch_on(&mut self, cond: Operand, then: Block, otherwise: Block) {
        match cond.as_int() {
            Some(value) => self.jump(if value != 0 { then } else { otherwise }),
            None => self.terminate(Terminator::Branch { cond, then, otherwise }),
        }
    }

    // Labels.

    pub(super) fn label_block(&mut self, label: LabelId) -> Block {
        if let Some(block) = self.labels[label.0 as usize].block {
            return block;
        }
        let block = self.new_block();
        self.labels[label.0 as usize].block = Some(block);
        block
    }

    pub(super) fn place_label(&mut self, label: LabelId) {
        let block = self.label_block(label);
        self.labels[label.0 as usize].scope = self.open_scope();
        self.fall_into(block);
    }

    pub(super) fn goto(&mut self, label: LabelId) {
        let edge = self.new_block();
        self.fall_into(edge);
        let target = self.label_block(label);
        let (vlas, ends) = (self.vla_scopes.clone(), self.scope_ends.clone());
        self.gotos.push(Goto { edge, label, vlas, ends });
        self.jump(target);
    }

    /// Frees the VLAs whose scopes a jump to a place with `vlas` of them alive leaves.
    pub(super) fn leave_vlas(&mut self, vlas: usize) {
        if let Some(&saved) = self.vla_scopes.get(vlas) {
            self.emit(Op::StackRestore { saved: Operand::Local(saved), each: false });
        }
    }

    /// The cleanups pending here: to be given to [`Self::close_scope`] where the block ends.
    pub(super) fn open_scope(&self) -> Scope {
        Scope { vlas: self.vla_scopes.len(), ends: self.scope_ends.len() }
    }

    /// Does the cleanups of a block at its end.
    pub(super) fn close_scope(&mut self, scope: Scope) {
        if self.block.is_some() {
            self.leave_ends(scope.ends);
            self.leave_vlas(scope.vlas);
        }
        self.scope_ends.truncate(scope.ends);
        self.vla_scopes.truncate(scope.vlas);
    }

    /// Does what a jump to a place with `depth` pending ends must do on its way.
    pub(super) fn leave_ends(&mut self, depth: usize) {
        for index in (depth..self.scope_ends.len()).rev() {
            let end = self.scope_ends[index].clone();
            self.scope_end(&end);
        }
    }

    fn scope_end(&mut self, end: &ScopeEnd) {
        match end {
            ScopeEnd::Declare(op) => self.emit(Op::Data(Box::new(op.clone()))),
            ScopeEnd::Cleanup(call) => self.effect(call),
        }
    }

    fn fall_off_end(&mut self, is_main: bool) {
        if self.block.is_none() {
            return;
        }
        let value = match repr(&self.m.unit.types, self.result) {
            Repr::Void => None,
            Repr::Scalar(ty) if is_main => Some(Operand::Int(ty, 0)),
            // Using the value would be undefined; the function itself may return (C11 6.9.1p12).
            Repr::Scalar(ty) if !ty.is_complex() => Some(self.zero(ty)),
            Repr::Scalar(_) | Repr::Memory => {
                let slot = self.temp_slot(self.result);
                Some(Operand::Slot(slot))
            }
        };
        self.terminate(Terminator::Return(value));
    }

    /// Ties up what needs the whole function: gotos, computed gotos, unreachable blocks, loops without their
    /// shape.
    fn finish(&mut self) {
        for goto in std::mem::take(&mut self.gotos) {
            let Scope { vlas, ends } = self.labels[goto.label.0 as usize].scope;
            let edge = &mut self.body.blocks[goto.edge];
            let term = std::mem::replace(&mut edge.term, Terminator::Unreachable);
            self.pos = edge.term_pos;
            self.block = Some(goto.edge);
            for end in goto.ends.iter().skip(ends).rev() {
                self.scope_end(end);
            }
            if let Some(&saved) = goto.vlas.get(vlas) {
                self.emit(Op::StackRestore { saved: Operand::Local(saved), each: false });
            }
            self.terminate(term);
        }
        if let Some((block, target)) = self.computed {
            let cases = self.label_addresses.iter().map(|&label| {
                let number = label_address(label);
                (number, number, self.labels[label.0 as usize].block)
            });
            let cases = cases.filter_map(|(low, high, block)| Some((low, high, block?))).collect();
            self.body.order.push(block);
            let trap = self.body.block();
            self.body.blocks[block].term =
                Terminator::Switch { value: Operand::Local(target), cases, default: trap };
        }
        self.prune();
    }

    /// Drops what control does not reach, and loops that never had the shape of [`ir::LoopData`]. What a loop
    /// or construct names stays as long as the loop or construct does: a construct ends somewhere even if its
    /// end is not reached.
    fn prune(&mut self) {
        let shapeless = std::mem::take(&mut self.shapeless);
        self.rename_loops(|id, _| !shapeless.contains(&id));
        let reached = self.body.reachable();
        self.body.order.retain(|&block| reached.contains(block));
        self.rename_loops(|_, data| reached.contains(data.header));
        for data in self.body.constructs.values_mut() {
            if !reached.contains(data.entry) {
                *data = ir::ConstructData::dead();
            }
        }
    }

    /// Keeps some of the loops. Blocks of a loop that is dropped belong to the nearest loop around it that is
    /// kept.
    fn rename_loops(&mut self, keep: impl Fn(Loop, &ir::LoopData) -> bool) {
        let mut kept: Vec<Option<Loop>> = Vec::with_capacity(self.body.loops.len());
        for (id, mut data) in std::mem::take(&mut self.body.loops) {
            // Parents come first, so theirs is decided.
            data.parent = data.parent.and_then(|parent| kept[loop_index(parent)]);
            let parent = data.parent;
            kept.push(if keep(id, &data) { Some(self.body.loops.push(data)) } else { parent });
        }
        let rename = |id: &mut Option<Loop>| *id = id.and_then(|id| kept[loop_index(id)]);
        for block in self.body.blocks.values_mut() {
            rename(&mut block.loop_);
        }
        for slot in self.body.slots.values_mut() {
            rename(&mut slot.declared_in);
        }
    }

    // Instructions.

    pub(super) fn emit(&mut self, op: Op) {
        let block = self.current();
        let pos = self.pos;
        self.body.blocks[block].insts.push(Inst { op, pos });
    }

    pub(super) fn temp(&mut self, ty: Type) -> Local {
        self.body.temp(ty)
    }

    pub(super) fn ty(&self, operand: Operand) -> Type {
        self.body.operand_type(operand)
    }

    pub(super) fn copy(&mut self, dst: Local, src: Operand) {
        self.emit(Op::Copy { dst, src });
    }

    /// A copy of the value an operand has now, for operands that are variables.
    pub(super) fn snapshot(&mut self, src: Operand) -> Operand {
        match src {
            Operand::Local(local) if self.body.locals[local].name.is_some() => {
                let dst = self.temp(self.body.locals[local].ty);
                self.copy(dst, src);
                Operand::Local(dst)
            }
            _ => src,
        }
    }

    pub(super) fn zero(&mut self, ty: Type) -> Operand {
        match ty {
            Type::F32 => Operand::F32(0),
            Type::F64 => Operand::F64(0),
            Type::F80 => self.convert_op(ConvertOp::FToF, Operand::F64(0), Type::F80),
            Type::C32 | Type::C64 => {
                let part = self.zero(ty.element());
                self.binary_as(BinaryOp::Complex, part, part, ty)
            }
            other => Operand::Int(other, 0),
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, src: Operand) -> Operand {
        let ty = self.ty(src);
        let ty = if matches!(op, UnaryOp::Re | UnaryOp::Im) { ty.element() } else { ty };
        let dst = self.temp(ty);
        self.emit(Op::Unary { dst, op, src });
        Operand::Local(dst)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        self.binary_as(op, a, b, self.ty(a))
    }

    pub(super) fn binary_as(&mut self, op: BinaryOp, a: Operand, b: Operand, ty: Type) -> Operand {
        let dst = self.temp(ty);
        self.emit(Op::Binary { dst, op, a, b });
        Operand::Local(dst)
    }

    pub(super) fn compare(&mut self, op: CmpOp, a: Operand, b: Operand) -> Operand {
        let dst = self.temp(Type::I1);
        self.emit(Op::Compare { dst, op, a, b });
        Operand::Local(dst)
    }

    pub(super) fn convert_op(&mut self, op: ConvertOp, src: Operand, ty: Type) -> Operand {
        let dst = self.temp(ty);
        self.emit(Op::Convert { dst, op, src });
        Operand::Local(dst)
    }

    pub(super) fn select(&mut self, cond: Operand, a: Operand, b: Operand) -> Operand {
        let dst = self.temp(self.ty(a));
        self.emit(Op::Select { dst, cond, a, b });
        Operand::Local(dst)
    }

    /// Loads from memory of any kind.
    pub(super) fn load(&mut self, ty: Type, addr: Address, align: u32, volatile: bool) -> Operand {
        self.load_with(ty, addr, Access { align, volatile, ..Access::natural(ty) })
    }

    pub(super) fn load_with(&mut self, ty: Type, addr: Address, access: Access) -> Operand {
        let dst = self.temp(ty);
        self.emit(Op::Load { dst, addr, access });
        Operand::Local(dst)
    }

    /// Stores to memory of any kind.
    pub(super) fn store(&mut self, ty: Type, addr: Address, src: Operand, align: u32, volatile: bool) {
        let access = Access { align, volatile, ..Access::natural(ty) };
        self.emit(Op::Store { ty, addr, src, access });
    }

    pub(super) fn copy_memory(&mut self, dst: Address, src: Address, bytes: u64, align: u32) {
        if bytes > 0 && dst != src {
            self.emit(Op::MemCopy { dst, src, bytes: Operand::Int(Type::I64, bytes as i64), align });
        }
    }

    /// The operand that is the address itself.
    pub(super) fn address_value(&mut self, addr: Address) -> Operand {
        if addr.offset == 0 {
            return addr.base;
        }
        if let Operand::Int(ty, value) = addr.base {
            return Operand::Int(ty, value.wrapping_add(addr.offset));
        }
        self.index(addr.base, Operand::Int(Type::I64, 0), 0, addr.offset)
    }

    pub(super) fn index(&mut self, base: Operand, index: Operand, scale: i64, offset: i64) -> Operand {
        let dst = self.temp(Type::Ptr);
        self.emit(Op::Index { dst, base, index, scale, offset, extent: None });
        Operand::Local(dst)
    }

    pub(super) fn is_vla(&self, ty: TypeId) -> bool {
        match self.m.unit.types.get(ty) {
            CType::Array(_, crate::ctype::ArrayLen::Variable(_)) => true,
            CType::Array(element, _) => self.is_vla(element.ty),
            _ => false,
        }
    }

    /// Bytes of a type as a 64-bit operand; VLA sizes are computed from their hidden variables.
    pub(super) fn size_of(&mut self, ty: TypeId) -> Operand {
        if !self.is_vla(ty) {
            return Operand::Int(Type::I64, self.m.unit.types.bytes(ty) as i64);
        }
        let CType::Array(element, length) = *self.m.unit.types.get(ty) else {
            unreachable!("a VLA is an array")
        };
        let element = self.size_of(element.ty);
        let count = match length {
            crate::ctype::ArrayLen::Known(count) => Operand::Int(Type::I64, count as i64),
            crate::ctype::ArrayLen::Variable(var) => self.hidden(var),
            crate::ctype::ArrayLen::Incomplete | crate::ctype::ArrayLen::Star => Operand::Int(Type::I64, 0),
        };
        match (count.as_int(), element.as_int()) {
            (Some(count), Some(element)) => Operand::Int(Type::I64, count.wrapping_mul(element)),
            _ => self.binary(BinaryOp::Mul, count, element),
        }
    }

    /// The value of a hidden variable (the length of a VLA).
    fn hidden(&mut self, var: VarId) -> Operand {
        match self.home(var) {
            Home::Local(local) => Operand::Local(local),
            Home::Slot(slot) => self.load(Type::I64, slot_address(slot), 8, false),
            Home::Indirect(_) => unreachable!("only VLAs live behind pointers"),
        }
    }

    pub(super) fn func(&mut self, id: FuncId) -> ir::Func {
        self.m.function(id)
    }
}

fn loop_index(id: Loop) -> usize {
    id.as_u32() as usize
}

/// What `&&label` evaluates to: a number that only its own function understands, and that no null pointer
/// has.
pub(super) fn label_address(label: LabelId) -> i64 {
    i64::from(label.0) + 1
}

/// The address of a slot.
pub(super) fn slot_address(slot: Slot) -> Address {
    Address { base: Operand::Slot(slot), offset: 0 }
}

/// The address in a local.
pub(super) fn pointer_address(local: Local) -> Address {
    Address { base: Operand::Local(local), offset: 0 }
}
