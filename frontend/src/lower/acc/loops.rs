//! `loop` constructs: counted loops in the loop tree, with the directive on the outermost one.

use super::super::expr::comparison;
use super::super::function::{FnLower, Home};
use super::super::globals::constant_int;
use super::super::types::{Repr, repr};
use crate::ctype::CType;
use crate::typed::{BinaryOp as CBinaryOp, CanonicalLoop, Expr, LoopConstruct, ReductionItem, VarId};
use accrue_ir::{
    BinaryOp, CmpOp, GangClause, Induction, Loop, LoopDirective, LoopKind, Op, Operand, Terminator, Type,
};

/// What a loop's variable was before the loop, to be put back after it.
struct SavedVariable {
    id: VarId,
    former: Option<Home>,
}

impl FnLower<'_, '_> {
    pub(in super::super) fn loop_construct(&mut self, construct: &LoopConstruct) {
        let directive = self.loop_directive(construct);
        if construct.loops.is_empty() {
            // A sequential loop of another form: the directive asks for nothing.
            self.stmt(&construct.body);
            return;
        }
        self.loop_nest(construct, 0, Some(directive));
    }

    fn loop_directive(&mut self, construct: &LoopConstruct) -> LoopDirective {
        let optional =
            |lower: &mut Self, value: &Option<Expr>| value.as_ref().map(|value| lower.clause_value(value));
        let gang = construct.gang.as_ref().map(|gang| GangClause {
            num: optional(self, &gang.num),
            static_: gang.static_.as_ref().map(|chunk| optional(self, chunk)),
            dim: gang.dim.max(1),
        });
        LoopDirective {
            kind: construct.kind,
            gang,
            worker: construct.worker.as_ref().map(|num| optional(self, num)),
            vector: construct.vector.as_ref().map(|length| optional(self, length)),
            collapse: construct.loops.len().max(1) as u32,
            collapse_force: construct.collapse_force,
            in_order: construct.in_order,
            at_once: 1,
            team: construct.team.as_ref().map(|vars| vars.iter().map(|&var| self.variable(var)).collect()),
            tile: construct.tile.iter().map(|size| optional(self, size)).collect(),
            private: construct
                .private
                .iter()
                .filter(|id| !construct.loops.iter().any(|nest| nest.var == **id))
                .map(|&id| self.private_var(id, construct.span))
                .collect(),
            reductions: self.reduction_clauses(&construct.reductions, construct.kind == LoopKind::Seq),
            scans: Vec::new(),
            levels: Vec::new(),
            pos: self.pos,
        }
    }

    /// Says of a loop that one thread executes what it may accumulate into in any order.
    pub(in super::super) fn free_order(&mut self, loop_: Loop, items: &[ReductionItem]) {
        let reductions = self.reduction_clauses(items, true);
        let pos = self.body.loops[loop_].pos;
        self.body.loops[loop_].directive =
            Some(LoopDirective { reductions, ..LoopDirective::new(LoopKind::Seq, pos) });
    }

    /// Loop `depth` of a nest and everything inside it.
    fn loop_nest(&mut self, construct: &LoopConstruct, depth: usize, directive: Option<LoopDirective>) {
        let canonical = &construct.loops[depth];
        self.at(canonical.span);
        let (induction, saved) = self.enter_variable(canonical);
        let iv = induction.iv;
        let step = induction.step;
        self.copy(iv, induction.init);
        let open = self.open_loop();
        let data = &mut self.body.loops[open.id];
        let (cmp, bound) = (induction.cmp, induction.bound);
        (data.induction, data.directive) = (Some(induction), directive);
        let cond = self.compare(cmp, Operand::Local(iv), bound);
        self.terminate(Terminator::Branch { cond, then: open.body, otherwise: open.exit });
        self.start(open.body);
        self.publish_variable(canonical.var, iv);
        if depth + 1 < construct.loops.len() {
            if let Some(stmts) = construct.between.get(depth) {
                self.stmts(stmts);
            }
            self.loop_nest(construct, depth + 1, None);
            self.fall_into(open.latch);
        } else {
            self.loop_body(&construct.body, open.latch, open.exit);
        }
        self.at(canonical.span);
        match self.body.locals[iv].ty {
            Type::Ptr => self.emit(Op::Index {
                dst: iv,
                base: Operand::Local(iv),
                index: step,
                scale: 1,
                offset: 0,
                extent: None,
            }),
            _ => self.emit(Op::Binary { dst: iv, op: BinaryOp::Add, a: Operand::Local(iv), b: step }),
        }
        self.close_loop(&open);
        self.restore_home(saved.id, saved.former);
    }

    /// Evaluates start, bound and step, and gives the loop its own variable: a loop's variable is private to
    /// it, also if the loop is sequential (OpenACC 3.3 section 2.6.1).
    fn enter_variable(&mut self, canonical: &CanonicalLoop) -> (Induction, SavedVariable) {
        let id = canonical.var;
        let ty = self.var(id).ty.ty;
        let Repr::Scalar(scalar) = repr(&self.m.unit.types, ty) else {
            unreachable!("loop variables are integers or pointers")
        };
        let init = self.clause_value(&canonical.init);
        let bound = self.value(&canonical.bound);
        // The comparison is made in a type that may be wider than the variable; the bound is brought to the
        // variable's type where that loses nothing, else the variable is widened.
        if let Some(bound) = self.narrow_bound(canonical, init, bound) {
            let Some(cmp) = comparison(canonical.cmp, false) else {
                unreachable!("a loop's condition is a comparison")
            };
            let step = self.value(&canonical.step);
            let step = self.convert_step(step, scalar);
            return self.induction(id, scalar, (init, bound, step, cmp));
        }
        let compare_type = canonical.compare_type;
        let bound = self.snapshot(bound);
        let step = self.value(&canonical.step);
        let step = self.snapshot(step);
        let Repr::Scalar(wide) = repr(&self.m.unit.types, compare_type) else {
            unreachable!("loop variables are compared as scalars")
        };
        let unsigned = !self.m.unit.types.is_signed(compare_type);
        let Some(cmp) = comparison(canonical.cmp, unsigned) else {
            unreachable!("a loop's condition is a comparison")
        };
        let step = match self.m.unit.types.get(ty) {
            CType::Pointer(pointee) => {
                let size = self.size_of(pointee.ty);
                match (step.as_int(), size.as_int()) {
                    (Some(step), Some(size)) => Operand::Int(Type::I64, step.wrapping_mul(size)),
                    _ => self.binary(BinaryOp::Mul, step, size),
                }
            }
            _ => self.convert_step(step, wide),
        };
        let init = match scalar == wide {
            true => init,
            false => self.convert(init, ty, compare_type),
        };
        self.induction(id, wide, (init, bound, step, cmp))
    }

    /// The local that a loop counts in, with what it counts.
    fn induction(
        &mut self,
        id: VarId,
        ty: Type,
        (init, bound, step, cmp): (Operand, Operand, Operand, CmpOp),
    ) -> (Induction, SavedVariable) {
        let name = self.var_name(id);
        let iv = self.body.local(ty, name);
        let former = self.set_home(id, Home::Local(iv));
        (Induction { iv, init, bound, step, cmp }, SavedVariable { id, former })
    }

    /// The bound in the type of an `int` that is compared with a number of 64 bits: `i < n` of `long n`. The
    /// variable cannot go beyond its type, so that neither does the nearest bound with the same iterations; a
    /// variable that is widened instead would be one that later passes cannot follow into subscripts.
    fn narrow_bound(&mut self, canonical: &CanonicalLoop, init: Operand, bound: Operand) -> Option<Operand> {
        let types = &self.m.unit.types;
        let ty = self.var(canonical.var).ty.ty;
        let scalar_of = |ty| match repr(types, ty) {
            Repr::Scalar(scalar) => Some(scalar),
            _ => None,
        };
        let is_mixed = scalar_of(ty) == Some(Type::I32)
            && scalar_of(canonical.compare_type) == Some(Type::I64)
            && types.is_signed(ty)
            && bound.as_int().is_none();
        // Below zero, the variable is compared as an unsigned number that no bound of its type stands for.
        let is_comparable =
            types.is_signed(canonical.compare_type) || init.as_int().is_some_and(|init| init >= 0);
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        // No bound of the type excludes its least number from `i <= n`.
        let is_expressible = match canonical.cmp {
            CBinaryOp::Lt => true,
            CBinaryOp::Le => init.as_int().is_some_and(|init| init > least),
            _ => false,
        };
        let has_plain_step = constant_int(&canonical.step).is_some_and(|step| (1..=most).contains(&step));
        if !(is_mixed && is_comparable && is_expressible && has_plain_step) {
            return None;
        }
        let bound = self.binary(BinaryOp::SMin, bound, Operand::Int(Type::I64, most));
        let bound = self.binary(BinaryOp::SMax, bound, Operand::Int(Type::I64, least));
        Some(self.resize(bound, Type::I32, true))
    }

    fn convert_step(&mut self, step: Operand, to: Type) -> Operand {
        match step {
            Operand::Int(_, value) => {
                let spare = 64 - to.int_bits().unwrap_or(64).min(64);
                Operand::Int(to, value << spare >> spare)
            }
            _ => self.resize(step, to, true),
        }
    }

    /// Makes the variable's value visible under its C type inside the body.
    fn publish_variable(&mut self, id: VarId, iv: accrue_ir::Local) {
        let ty = self.var(id).ty.ty;
        let Repr::Scalar(scalar) = repr(&self.m.unit.types, ty) else { return };
        let wide = self.body.locals[iv].ty;
        if self.var(id).in_memory || self.is_static(id) {
            let name = self.var_name(id);
            let slot = self.slot(u64::from(scalar.bytes()), scalar.align(), name);
            let value = self.resize_scalar(Operand::Local(iv), scalar);
            self.set_home(id, Home::Slot(slot));
            self.write_home(Home::Slot(slot), scalar, value);
        } else if wide != scalar {
            let name = self.var_name(id);
            let local = self.body.local(scalar, name);
            let value = self.resize_scalar(Operand::Local(iv), scalar);
            self.set_home(id, Home::Local(local));
            self.copy(local, value);
        }
    }

    fn resize_scalar(&mut self, value: Operand, to: Type) -> Operand {
        if self.ty(value) == to { value } else { self.resize(value, to, true) }
    }
}
