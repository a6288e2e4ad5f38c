//! What must be known of a function before its translation, and the homes of locals.

use super::{Lower, Val, own_memory};
use crate::abi::scalar_type;
use accrue_ir::{Block, Body, Callee, Local, Module, Op, Terminator, Type};
use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, StackSlot, Value, types};
use cranelift_entity::EntityRef;
use cranelift_frontend::Variable;

/// Facts about a function that its translation needs from the start.
#[derive(Debug)]
pub(crate) struct Traits {
    /// Blocks that control can reach, in layout order.
    pub reachable: Vec<Block>,
    /// Number of edges into each block from reachable ones.
    pub predecessors: Vec<u32>,
    /// Calls a returns-twice function.
    pub returns_twice: bool,
    /// Allocates on the side stack.
    pub side_stack: bool,
    /// Calls something that the program names.
    pub calls: bool,
    /// Locals whose accesses all lie in one block, the first of them a definition.
    block_local: Vec<bool>,
}

/// The edges out of a block, repeated ones once: Cranelift sees a switch's repeated targets as one edge or
/// several, and sealing only asks whether all of them were emitted.
pub(super) fn successors(term: &Terminator, visit: impl FnMut(Block)) {
    match term {
        Terminator::Switch { cases, default, .. } => {
            let mut seen: Vec<Block> = cases.iter().map(|&(_, _, block)| block).collect();
            seen.push(*default);
            seen.sort_unstable();
            seen.dedup();
            seen.into_iter().for_each(visit);
        }
        Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Return(_) | Terminator::Unreachable => {
            term.successors(visit);
        }
    }
}

impl Traits {
    /// Reads the body once.
    pub(crate) fn of(module: &Module, body: &Body) -> Traits {
        let (reachable, predecessors) = control_flow(body);
        let mut accesses = Accesses::new(body);
        let mut returns_twice = false;
        let mut side_stack = false;
        let mut calls = false;
        for &block in &reachable {
            let data = &body.blocks[block];
            for inst in &data.insts {
                accesses.op(block, &inst.op);
                calls |= matches!(inst.op, Op::Call { .. });
                match &inst.op {
                    Op::Call { callee: Callee::Direct(func), .. } => {
                        returns_twice |= module.functions[*func].returns_twice;
                    }
                    Op::StackAlloc { .. } => side_stack = true,
                    _ => {}
                }
            }
            data.term.operands(|operand| accesses.use_(block, operand.as_local()));
        }
        let block_local = if returns_twice { vec![false; body.locals.len()] } else { accesses.finish() };
        Traits { reachable, predecessors, returns_twice, side_stack, calls, block_local }
    }

    /// Whether no block can run twice in one call.
    pub(crate) fn is_straight(&self, body: &Body) -> bool {
        let mut missing = self.predecessors.clone();
        let mut ready = vec![body.entry()];
        let mut finished = 0;
        while let Some(block) = ready.pop() {
            finished += 1;
            successors(&body.blocks[block].term, |next| {
                missing[next.index()] -= 1;
                if missing[next.index()] == 0 {
                    ready.push(next);
                }
            });
        }
        finished == self.reachable.len()
    }
}

/// The blocks that control can reach, in layout order.
pub(crate) fn reachable(body: &Body) -> Vec<Block> {
    control_flow(body).0
}

fn control_flow(body: &Body) -> (Vec<Block>, Vec<u32>) {
    let mut seen = vec![false; body.blocks.len()];
    let mut predecessors = vec![0; body.blocks.len()];
    let mut waiting = vec![body.entry()];
    seen[body.entry().index()] = true;
    while let Some(block) = waiting.pop() {
        successors(&body.blocks[block].term, |next| {
            predecessors[next.index()] += 1;
            if !std::mem::replace(&mut seen[next.index()], true) {
                waiting.push(next);
            }
        });
    }
    let order = body.order.iter().copied().filter(|block| seen[block.index()]).collect();
    (order, predecessors)
}

/// Finds the locals that live in one block only.
struct Accesses {
    /// The block of all accesses so far, if there is one and a definition came first.
    home: Vec<Option<Block>>,
    /// Accessed otherwise.
    elsewhere: Vec<bool>,
}

impl Accesses {
    fn new(body: &Body) -> Accesses {
        let mut elsewhere = vec![false; body.locals.len()];
        for param in &body.params {
            elsewhere[param.index()] = true;
        }
        Accesses { home: vec![None; body.locals.len()], elsewhere }
    }

    fn op(&mut self, block: Block, op: &Op) {
        op.operands(|operand| self.use_(block, operand.as_local()));
        op.defs(|local| match self.home[local.index()] {
            None => self.home[local.index()] = Some(block),
            Some(home) => self.elsewhere[local.index()] |= home != block,
        });
    }

    fn use_(&mut self, block: Block, local: Option<Local>) {
        if let Some(local) = local {
            self.elsewhere[local.index()] |= self.home[local.index()] != Some(block);
        }
    }

    fn finish(self) -> Vec<bool> {
        self.elsewhere.into_iter().map(|elsewhere| !elsewhere).collect()
    }
}

/// Where a local is.
#[derive(Clone, Copy)]
pub(super) enum Home {
    /// Not accessed yet.
    Undecided,
    /// A value of the current block.
    Value(Val),
    /// An address of the current block, as a value and a constant that accesses fold.
    Sum(Value, i32),
    /// A variable.
    Variable(Variable),
    /// Two variables.
    Variables(Variable, Variable),
    /// Memory: functions that call a returns-twice function.
    Memory(StackSlot),
}

impl Lower<'_, '_> {
    fn home(&mut self, local: Local) -> Home {
        let home = self.locals[local.index()];
        if !matches!(home, Home::Undecided) {
            return home;
        }
        let ty = self.local_type(local);
        let clif = scalar_type(ty);
        let home = if self.traits.returns_twice {
            Home::Memory(self.temp_slot(ty.bytes()))
        } else {
            match ty {
                Type::F80 | Type::C32 | Type::C64 => {
                    Home::Variables(self.b.declare_var(clif), self.b.declare_var(clif))
                }
                Type::I1
                | Type::I8
                | Type::I16
                | Type::I32
                | Type::I64
                | Type::I128
                | Type::F32
                | Type::F64
                | Type::Ptr
                | Type::I8x16
                | Type::I16x8
                | Type::I32x4
                | Type::I64x2
                | Type::F32x4
                | Type::F64x2 => Home::Variable(self.b.declare_var(clif)),
            }
        };
        self.locals[local.index()] = home;
        home
    }

    /// The current value of a local.
    pub(super) fn read(&mut self, local: Local) -> Val {
        if self.traits.block_local[local.index()] {
            return match self.locals[local.index()] {
                Home::Value(value) => value,
                Home::Sum(base, offset) => Val::One(self.b.ins().iadd_imm_s(base, i64::from(offset))),
                _ => self.zero(self.local_type(local)),
            };
        }
        match self.home(local) {
            Home::Value(value) => value,
            Home::Sum(base, offset) => Val::One(self.b.ins().iadd_imm_s(base, i64::from(offset))),
            Home::Variable(variable) => Val::One(self.b.use_var(variable)),
            Home::Variables(first, second) => Val::Pair(self.b.use_var(first), self.b.use_var(second)),
            Home::Memory(slot) => {
                let address = self.b.ins().stack_addr(types::I64, slot, 0);
                self.load_at(self.local_type(local), address, 0, own_memory())
            }
            Home::Undecided => self.zero(self.local_type(local)),
        }
    }

    /// Assigns a local. The value is brought to the local's representation, so that a mismatch the verifier
    /// let through cannot break the SSA builder.
    pub(super) fn write(&mut self, local: Local, value: Val) {
        let ty = self.local_type(local);
        let value = self.fit(ty, value);
        if self.traits.block_local[local.index()] {
            self.locals[local.index()] = Home::Value(value);
            return;
        }
        match (self.home(local), value) {
            (Home::Variable(variable), value) => self.b.def_var(variable, value.first()),
            (Home::Variables(first, second), Val::Pair(x, y)) => {
                self.b.def_var(first, x);
                self.b.def_var(second, y);
            }
            (Home::Memory(slot), value) => {
                let address = self.b.ins().stack_addr(types::I64, slot, 0);
                self.store_at(ty, value, address, 0, own_memory());
            }
            (Home::Variables(..), Val::One(_)) | (Home::Value(_) | Home::Sum(..) | Home::Undecided, _) => {
                unreachable!("{}: {local} has no home for its value", self.function.name)
            }
        }
    }

    /// Assigns a local the sum of an address and a constant.
    pub(super) fn write_sum(&mut self, local: Local, base: Value, offset: i32) {
        if offset == 0 {
            self.write(local, Val::One(base));
        } else if self.traits.block_local[local.index()] {
            self.locals[local.index()] = Home::Sum(base, offset);
        } else {
            let sum = self.b.ins().iadd_imm_s(base, i64::from(offset));
            self.write(local, Val::One(sum));
        }
    }

    /// The address that a local holds, as a value and a constant.
    pub(super) fn read_sum(&mut self, local: Local) -> (Value, i32) {
        match self.locals[local.index()] {
            Home::Sum(base, offset) if self.traits.block_local[local.index()] => (base, offset),
            _ => (self.read(local).first(), 0),
        }
    }

    fn fit(&mut self, ty: Type, value: Val) -> Val {
        let pair = matches!(ty, Type::F80 | Type::C32 | Type::C64);
        let clif = scalar_type(ty);
        match value {
            Val::Pair(..) if pair => value,
            Val::One(v) if !pair => {
                let found = self.b.func.dfg.value_type(v);
                if found == clif { value } else { Val::One(self.reinterpret(v, found, clif)) }
            }
            Val::One(_) | Val::Pair(..) => {
                unreachable!("{}: a value does not fit type {ty}", self.function.name)
            }
        }
    }

    /// The same bits as another type; narrower integers are cut, wider ones zero-extended.
    pub(super) fn reinterpret(&mut self, value: ir::Value, from: ir::Type, to: ir::Type) -> ir::Value {
        let little = MemFlagsData::new().with_endianness(ir::Endianness::Little);
        if from == to {
            value
        } else if from.bits() == to.bits() {
            self.b.ins().bitcast(to, little, value)
        } else if from.is_int() && to.is_int() {
            if from.bits() > to.bits() {
                self.b.ins().ireduce(to, value)
            } else {
                self.b.ins().uextend(to, value)
            }
        } else {
            unreachable!("{}: no way from {from} to {to}", self.function.name)
        }
    }
}
