//! IR functions to Cranelift IR.
//!
//! Every local becomes a Cranelift variable (two for complex and `long double` values), except locals whose
//! accesses all lie in one block after a definition there: those are plain values, which keeps the SSA
//! builder's work linear. Functions that call a returns-twice function keep every local in memory and are
//! compiled without optimisation, so that no value is alive in a register or spill slot across the call.

mod acc;
mod arith;
mod atomics;
mod calls;
mod convert;
mod entry;
mod locals;
mod memory;
mod rotate;
mod switch;
mod variadic;
mod vectors;

use crate::abi::Convention;
use crate::data_object::DataObject;
use crate::helpers::Helper;
use crate::names::Name;
use accrue_ir as air;
use accrue_ir::{
    BinaryOp, Body, Func, Function, FunctionKind, Module, Op, Operand, Pos, Sig, Terminator, Type,
};
use cranelift_codegen::ir::{
    self, AbiParam, Block, ExtFuncData, ExternalName, FuncRef, GlobalValueData, InstBuilder, MemFlagsData,
    SigRef, SourceLoc, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_entity::EntityRef;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use target_lexicon::PointerWidth;

pub(crate) use locals::{Traits, reachable};

/// A value of the IR as Cranelift values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Val {
    /// Every type that has a Cranelift counterpart.
    One(Value),
    /// Real and imaginary part; or the low eight bytes and the upper two of a `long double`, the latter as an
    /// `i64` whose upper bits are zero.
    Pair(Value, Value),
}

impl Val {
    /// The value, or the first part.
    pub(crate) fn first(self) -> Value {
        match self {
            Val::One(v) | Val::Pair(v, _) => v,
        }
    }
}

/// What lowering a function leaves behind besides the Cranelift IR.
#[derive(Default)]
pub(crate) struct Lowered {
    /// Descriptors named by [`Name::Descriptor`], in order.
    pub descriptors: Vec<DataObject>,
    /// Positions that source locations index.
    pub positions: Vec<Pos>,
}

/// The translation of one function.
pub(crate) struct Lower<'a, 'b> {
    pub(crate) module: &'a Module,
    pub(crate) function: &'a Function,
    pub(crate) body: &'a Body,
    pub(crate) b: FunctionBuilder<'b>,
    traits: &'a Traits,
    blocks: Vec<Option<Block>>,
    locals: Vec<locals::Home>,
    slots: Vec<Option<StackSlot>>,
    conventions: FxHashMap<Sig, (Rc<Convention>, SigRef)>,
    functions: FxHashMap<(Name, SigRef), FuncRef>,
    helper_sigs: FxHashMap<Helper, SigRef>,
    globals: FxHashMap<Name, ir::GlobalValue>,
    entry: entry::Entry,
    out: Lowered,
}

/// Translates `func` into `target`. The body must exist.
pub(crate) fn lower(
    module: &Module,
    (func, body): (Func, &Body),
    traits: &Traits,
    target: &mut ir::Function,
    context: &mut FunctionBuilderContext,
) -> Lowered {
    let function = &module.functions[func];
    let convention = entry::convention(module, function);
    target.signature = entry::signature(&convention, module, function);
    target.name = ir::UserFuncName::user(Name::Call(func).encode().0, Name::Call(func).encode().1);
    let mut lower = Lower {
        module,
        function,
        body,
        b: FunctionBuilder::new(target, context),
        traits,
        blocks: vec![None; body.blocks.len()],
        locals: vec![locals::Home::Undecided; body.locals.len()],
        slots: vec![None; body.slots.len()],
        conventions: FxHashMap::default(),
        functions: FxHashMap::default(),
        helper_sigs: FxHashMap::default(),
        globals: FxHashMap::default(),
        entry: entry::Entry::default(),
        out: Lowered::default(),
    };
    lower.run(&convention);
    let Lower { b, out, .. } = lower;
    b.finalize(TargetFrontendConfig {
        default_call_conv: CallConv::SystemV,
        pointer_width: PointerWidth::U64,
        page_size_align_log2: 12,
    });
    out
}

impl Lower<'_, '_> {
    fn run(&mut self, convention: &Convention) {
        for &block in &self.traits.reachable {
            self.blocks[block.index()] = Some(self.b.create_block());
        }
        let mut waiting = self.traits.predecessors.clone();
        for &block in &self.traits.reachable {
            let clif = self.block(block);
            self.b.switch_to_block(clif);
            if block == self.body.entry() {
                self.b.seal_block(clif);
                self.enter(convention);
            }
            let body = self.body;
            let data = &body.blocks[block];
            for inst in &data.insts {
                self.position(inst.pos);
                self.op(&inst.op);
            }
            self.position(data.term_pos);
            self.terminator(&data.term);
            locals::successors(&data.term, |next| {
                waiting[next.index()] -= 1;
                if waiting[next.index()] == 0 {
                    let clif = self.block(next);
                    self.b.seal_block(clif);
                }
            });
        }
    }

    /// Sets the source location of what is emitted next.
    fn position(&mut self, pos: Pos) {
        if self.out.positions.last() != Some(&pos) {
            self.out.positions.push(pos);
            self.b.set_srcloc(SourceLoc::new(self.out.positions.len() as u32));
        }
    }

    fn block(&mut self, block: air::Block) -> Block {
        match self.blocks[block.index()] {
            Some(block) => block,
            None => unreachable!("{}: {block} is not reachable", self.function.name),
        }
    }

    fn terminator(&mut self, term: &Terminator) {
        match term {
            Terminator::Jump(next) => {
                let next = self.block(*next);
                self.b.ins().jump(next, &[]);
            }
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.one(*cond);
                let (then, otherwise) = (self.block(*then), self.block(*otherwise));
                self.b.ins().brif(cond, then, &[], otherwise, &[]);
            }
            Terminator::Switch { value, cases, default } => self.switch(*value, cases, *default),
            Terminator::Return(value) => self.leave(*value),
            Terminator::Unreachable => {
                self.b.ins().trap(crate::traps::UNREACHABLE);
            }
        }
    }

    /// The value of an operand.
    pub(crate) fn value(&mut self, operand: Operand) -> Val {
        match operand {
            Operand::Local(local) => self.read(local),
            Operand::Slot(_) | Operand::Global(_) | Operand::Func(_) => {
                Val::One(self.address_of(air::Address { base: operand, offset: 0 }))
            }
            Operand::Int(ty, value) => self.int(ty, value),
            Operand::F32(bits) => Val::One(self.b.ins().f32const(ir::immediates::Ieee32::with_bits(bits))),
            Operand::F64(bits) => Val::One(self.b.ins().f64const(ir::immediates::Ieee64::with_bits(bits))),
        }
    }

    /// The value of an operand whose type has a Cranelift counterpart.
    pub(crate) fn one(&mut self, operand: Operand) -> Value {
        self.value(operand).first()
    }

    /// An integer constant of any type; floating types get the number's value 0 only.
    fn int(&mut self, ty: Type, value: i64) -> Val {
        match ty {
            Type::I1 => Val::One(self.b.ins().iconst(types::I8, value & 1)),
            Type::I8 => Val::One(self.b.ins().iconst(types::I8, value & 0xff)),
            Type::I16 => Val::One(self.b.ins().iconst(types::I16, value & 0xffff)),
            Type::I32 => Val::One(self.b.ins().iconst(types::I32, value & 0xffff_ffff)),
            Type::I64 | Type::Ptr => Val::One(self.b.ins().iconst(types::I64, value)),
            Type::I128 => {
                let low = self.b.ins().iconst(types::I64, value);
                Val::One(self.b.ins().sextend(types::I128, low))
            }
            Type::F32
            | Type::F64
            | Type::F80
            | Type::C32
            | Type::C64
            | Type::I8x16
            | Type::I16x8
            | Type::I32x4
            | Type::I64x2
            | Type::F32x4
            | Type::F64x2 => self.zero(ty),
        }
    }

    /// Zero of any type.
    pub(crate) fn zero(&mut self, ty: Type) -> Val {
        match ty {
            Type::F32 => Val::One(self.b.ins().f32const(0.0)),
            Type::F64 => Val::One(self.b.ins().f64const(0.0)),
            Type::C32 => {
                let zero = self.b.ins().f32const(0.0);
                Val::Pair(zero, zero)
            }
            Type::C64 => {
                let zero = self.b.ins().f64const(0.0);
                Val::Pair(zero, zero)
            }
            Type::F80 => {
                let zero = self.b.ins().iconst(types::I64, 0);
                Val::Pair(zero, zero)
            }
            Type::I8x16 | Type::I16x8 | Type::I32x4 | Type::I64x2 | Type::F32x4 | Type::F64x2 => {
                let Val::One(element) = self.zero(ty.element()) else {
                    unreachable!("elements of vectors are single values");
                };
                Val::One(self.b.ins().splat(crate::abi::scalar_type(ty), element))
            }
            Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 | Type::Ptr => {
                self.int(ty, 0)
            }
        }
    }

    /// An `i64` constant.
    pub(crate) fn word(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    /// Type of an operand.
    pub(crate) fn type_of(&self, operand: Operand) -> Type {
        self.body.operand_type(operand)
    }

    /// Type of a local.
    pub(crate) fn local_type(&self, local: air::Local) -> Type {
        self.body.locals[local].ty
    }

    /// A stack slot of this translation's own.
    pub(crate) fn temp_slot(&mut self, bytes: u32) -> StackSlot {
        let size = bytes.next_multiple_of(16).max(16);
        self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4))
    }

    /// The address of a name.
    pub(crate) fn symbol(&mut self, name: Name) -> Value {
        let global = match self.globals.get(&name) {
            Some(&global) => global,
            None => {
                let external = self.external(name);
                let global = self.b.create_global_value(GlobalValueData::Symbol {
                    name: external,
                    offset: 0.into(),
                    colocated: false,
                    tls: false,
                });
                self.globals.insert(name, global);
                global
            }
        };
        self.b.ins().symbol_value(types::I64, global)
    }

    fn external(&mut self, name: Name) -> ExternalName {
        let (namespace, index) = name.encode();
        let user = self.b.func.declare_imported_user_function(ir::UserExternalName { namespace, index });
        ExternalName::user(user)
    }

    /// A reference to something that is called directly.
    pub(crate) fn function_ref(&mut self, name: Name, signature: SigRef) -> FuncRef {
        if let Some(&found) = self.functions.get(&(name, signature)) {
            return found;
        }
        let external = self.external(name);
        let data = ExtFuncData { name: external, signature, colocated: true, patchable: false };
        let reference = self.b.import_function(data);
        self.functions.insert((name, signature), reference);
        reference
    }

    /// Calls a helper and returns its results.
    pub(crate) fn helper(&mut self, helper: Helper, args: &[Value]) -> Vec<Value> {
        let signature = match self.helper_sigs.get(&helper) {
            Some(&signature) => signature,
            None => {
                let (params, returns) = helper.signature();
                let mut sig = ir::Signature::new(helper.convention());
                sig.params.extend(params.iter().map(|&ty| AbiParam::new(ty)));
                sig.returns.extend(returns.iter().map(|&ty| AbiParam::new(ty)));
                let signature = self.b.import_signature(sig);
                self.helper_sigs.insert(helper, signature);
                signature
            }
        };
        let call = match helper.convention() {
            // A stub would need a register.
            CallConv::PreserveAll => {
                let address = self.symbol(Name::Helper(helper));
                self.b.ins().call_indirect(signature, address, args)
            }
            _ => {
                let function = self.function_ref(Name::Helper(helper), signature);
                self.b.ins().call(function, args)
            }
        };
        self.b.inst_results(call).to_vec()
    }

    /// Calls a helper with one result.
    pub(crate) fn helper_one(&mut self, helper: Helper, args: &[Value]) -> Value {
        self.helper(helper, args)[0]
    }

    /// Calls a helper that returns a `long double` or a complex value in two registers.
    pub(crate) fn helper_pair(&mut self, helper: Helper, args: &[Value]) -> Val {
        let results = self.helper(helper, args);
        Val::Pair(results[0], results[1])
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Copy { dst, src } => {
                let value = self.value(*src);
                self.write(*dst, value);
            }
            Op::Unary { dst, op, src } => self.unary(*dst, *op, *src),
            Op::Binary { dst, op, a, b } => {
                // Of two factors or terms, the second one may be in memory, as constants are: `0.5 * x`.
                let is_constant = |operand| matches!(operand, Operand::F32(_) | Operand::F64(_));
                let swaps = matches!(op, BinaryOp::Add | BinaryOp::Mul) && is_constant(*a);
                let (a, b) = if swaps { (b, a) } else { (a, b) };
                let ty = self.type_of(*a);
                let (x, y) = (self.value(*a), self.value(*b));
                let amount = self.type_of(*b);
                let value = self.binary(ty, *op, x, y, amount);
                self.write(*dst, value);
            }
            Op::Compare { dst, op, a, b } => {
                let ty = self.type_of(*a);
                let (x, y) = (self.value(*a), self.value(*b));
                let value = self.compare(ty, *op, x, y);
                self.write(*dst, Val::One(value));
            }
            Op::Convert { dst, op, src } => {
                let value = self.value(*src);
                let value = self.convert(*op, self.type_of(*src), self.local_type(*dst), value);
                self.write(*dst, value);
            }
            Op::Select { dst, cond, a, b } => {
                let cond = self.one(*cond);
                let (a, b) = (self.value(*a), self.value(*b));
                let value = self.select(cond, a, b);
                self.write(*dst, value);
            }
            Op::Fma { dst, a, b, c } => {
                let (a, b, c) = (self.one(*a), self.one(*b), self.one(*c));
                let value = self.b.ins().fma(a, b, c);
                self.write(*dst, Val::One(value));
            }
            Op::Index { dst, base, index, scale, offset, extent: _ } => {
                self.index(*dst, *base, *index, *scale, *offset)
            }
            Op::Load { dst, addr, access } => {
                let value = self.load(self.local_type(*dst), *addr, *access);
                self.write(*dst, value);
            }
            Op::Store { ty, addr, src, access } => {
                let value = self.value(*src);
                self.store(*ty, *addr, value, *access);
            }
            Op::MemCopy { dst, src, bytes, align } => self.mem_copy(*dst, *src, *bytes, *align),
            Op::MemSet { dst, value, bytes, align } => self.mem_set(*dst, *value, *bytes, *align),
            Op::Call { dst, callee, sig, args, dest } => self.call(*dst, *callee, *sig, args, *dest),
            Op::StackAlloc { dst, bytes, align, each: _ } => {
                let bytes = self.one(*bytes);
                let align = self.word(i64::from(*align));
                let address = self.helper_one(Helper::StackAlloc, &[bytes, align]);
                self.write(*dst, Val::One(address));
            }
            Op::StackSave { dst, each: _ } => {
                let height = self.helper_one(Helper::StackHeight, &[]);
                self.write(*dst, Val::One(height));
            }
            Op::StackRestore { saved, each: _ } => {
                let saved = self.one(*saved);
                self.helper(Helper::StackRelease, &[saved]);
            }
            Op::VaStart { list } => self.va_start(*list),
            Op::VaArg { dst, list } => self.va_arg(*dst, *list),
            Op::VaArgAggregate { dst, list, agg } => self.va_arg_aggregate(*dst, *list, *agg),
            Op::VaCopy { dst, src } => self.va_copy(*dst, *src),
            Op::AtomicRmw { dst, op, ty, addr, value, reversed, result_new } => {
                self.atomic_rmw(*dst, *op, *ty, *addr, *value, *reversed, *result_new);
            }
            Op::AtomicSwap { dst, ty, addr, value } => self.atomic_swap(*dst, *ty, *addr, *value),
            Op::AtomicCas { dst, ty, addr, expected, desired } => {
                self.atomic_cas(*dst, *ty, *addr, *expected, *desired);
            }
            Op::AtomicLoad { dst, addr } => self.atomic_load(*dst, *addr),
            Op::AtomicStore { ty, addr, src } => self.atomic_store(*ty, *addr, *src),
            Op::Fence => {
                self.b.ins().fence();
            }
            Op::Trap => {
                self.b.ins().trap(crate::traps::TRAP);
                self.after_trap();
            }
            Op::FrameAddress { dst, level, return_address } => {
                self.frame_address(*dst, *level, *return_address)
            }
            Op::ExtractLane { dst, src, lane } => self.extract_lane(*dst, *src, *lane),
            Op::InsertLane { dst, src, value, lane } => self.insert_lane(*dst, *src, *value, *lane),
            Op::Widen { dst, src, half, signed } => self.widen(*dst, *src, *half, *signed),
            Op::Narrow { dst, a, b, signed } => self.narrow(*dst, *a, *b, *signed),
            Op::Launch(launch) => self.launch(launch),
            Op::Data(data) => self.data(data),
            Op::DimSize { dst, level } => self.dim_size(*dst, *level),
            Op::DimPos { dst, level } => self.dim_pos(*dst, *level),
            Op::HeadMark { .. }
            | Op::TailMark { .. }
            | Op::Fork { .. }
            | Op::Join { .. }
            | Op::Reduction(_)
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::OnDevice { .. }
            | Op::Barrier { .. }
            | Op::Shuffle { .. }
            | Op::Meet { .. }
            | Op::LastGang { .. }
            | Op::Instance { .. }
            | Op::LaneReduce { .. }
            | Op::LoopShare { .. } => {
                unreachable!("{}: {op:?} is of another target, or was not expanded", self.function.name)
            }
        }
    }

    /// A trap ends a Cranelift block; what the IR has behind it goes to a fresh one without predecessors.
    fn after_trap(&mut self) {
        let dead = self.b.create_block();
        self.b.switch_to_block(dead);
        self.b.seal_block(dead);
    }

    fn frame_address(&mut self, dst: air::Local, level: u32, return_address: bool) {
        // Frames of other code have no frame pointers to follow.
        let value = match (level, return_address) {
            (0, true) => self.b.ins().get_return_address(types::I64),
            (0, false) => self.b.ins().get_frame_pointer(types::I64),
            _ => self.word(0),
        };
        self.write(dst, Val::One(value));
    }

    /// Splits the current Cranelift block: goes on in a new block with one parameter.
    pub(crate) fn block_with_param(&mut self, ty: ir::Type) -> (Block, Value) {
        let block = self.b.create_block();
        let param = self.b.append_block_param(block, ty);
        (block, param)
    }

    /// Whether the function is a region.
    pub(crate) fn is_region(&self) -> bool {
        matches!(self.function.kind, FunctionKind::Region(_))
    }
}

/// Flags of accesses to the translation's own stack slots.
pub(crate) fn own_memory() -> MemFlagsData {
    MemFlagsData::trusted()
}
