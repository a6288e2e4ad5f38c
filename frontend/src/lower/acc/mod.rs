//! Directives: constructs as annotations on blocks, loops as annotations on the loop tree, everything else as
//! operations. Operands of clauses are evaluated where the directive stands, before the construct or loop is
//! entered.

mod atomic;
mod data;
mod loops;

use super::function::{FnLower, Home};
use super::lvalue::Place;
use super::types::{Repr, repr};
use crate::ctype::{ArrayLen, CType, TypeId};
use crate::diag::ids;
use crate::source::Span;
use crate::typed::{self, CaptureKind, Combining, Compute, Expr, ReductionItem, Threaded, VarId};
use accrue_ir as ir;
use accrue_ir::visit::Part;
use accrue_ir::{
    Async, BinaryOp, Construct, ConstructData, DataMap, Declared, Device, Dims, Local, LocalData, MapKind,
    Operand, Pos, PrivateVar, RedType, ReductionClause, ReductionOp, ReductionPart, Scheduling, SizeClauses,
    TaskClauses, ThreadBound, Type, Wait,
};
use std::collections::BTreeSet;

/// Parts that an array of structs may have as reduction variable: each becomes code of its own.
const MOST_PARTS: i64 = 1024;

/// Parts of which each becomes code of its own although functions could combine all of them.
const FEW_PARTS: i64 = 32;

/// What was there before a construct.
struct Outside {
    /// How many locals.
    locals: usize,
    /// The first block that may be the construct's.
    block: u32,
}

/// The same part of an element further on.
fn moved(part: &ReductionPart, bytes: i64) -> ReductionPart {
    ReductionPart { offset: part.offset + bytes, ..part.clone() }
}

impl FnLower<'_, '_> {
    /// The operand of a clause: a value that later assignments do not change.
    fn clause_value(&mut self, expr: &Expr) -> Operand {
        let value = self.value(expr);
        self.snapshot(value)
    }

    fn clause_values(&mut self, exprs: &[Expr]) -> Vec<Operand> {
        exprs.iter().map(|expr| self.clause_value(expr)).collect()
    }

    fn clause_condition(&mut self, expr: &Expr) -> Operand {
        let value = self.value(expr);
        self.truth(value)
    }

    fn scheduling(&mut self, scheduling: &typed::Scheduling) -> Scheduling {
        let device = match &scheduling.device {
            typed::Device::Current => Device::Current,
            typed::Device::Default => Device::Default,
            typed::Device::Number(number) => Device::Number(self.clause_value(number)),
        };
        Scheduling {
            device,
            if_: scheduling.if_.as_ref().map(|condition| self.clause_condition(condition)),
            self_: scheduling.self_.as_ref().map(|condition| self.clause_condition(condition)),
            async_: match &scheduling.async_ {
                None => Async::Sync,
                Some(None) => Async::Default,
                Some(Some(queue)) => Async::Queue(self.clause_value(queue)),
            },
            wait: match &scheduling.wait {
                None => Wait::default(),
                Some(args) => Wait {
                    present: true,
                    devnum: args.devnum.as_ref().map(|devnum| self.clause_value(devnum)),
                    queues: self.clause_values(&args.queues),
                },
            },
            task: scheduling.task.as_ref().map(|clauses| Box::new(self.task_clauses(clauses))),
        }
    }

    fn task_clauses(&mut self, clauses: &typed::TaskClauses) -> TaskClauses {
        let (depends, count) = match &clauses.depends {
            None => (Operand::NULL, Operand::Int(Type::I64, 0)),
            Some((array, count)) => (self.clause_value(array), self.clause_value(count)),
        };
        let priority = clauses.priority.as_ref().map(|priority| self.clause_value(priority));
        TaskClauses {
            depends,
            count,
            flags: self.clause_value(&clauses.flags),
            priority: priority.unwrap_or(Operand::Int(Type::I32, 0)),
            event: clauses.event.as_ref().map_or(Operand::NULL, |event| self.clause_value(event)),
        }
    }

    /// What passes call the variable: its local, or the slot or global it lives in.
    fn variable(&mut self, id: VarId) -> Operand {
        if self.is_global(id) {
            return Operand::Global(self.m.global(id));
        }
        match self.home(id) {
            Home::Local(local) | Home::Indirect(local) => Operand::Local(local),
            Home::Slot(slot) => Operand::Slot(slot),
        }
    }

    fn display_name(&self, id: VarId) -> std::sync::Arc<str> {
        self.var_name(id).unwrap_or_else(|| "<unnamed>".into())
    }

    fn private_var(&mut self, id: VarId, span: Span) -> PrivateVar {
        let ty = self.var(id).ty.ty;
        if self.is_vla(ty) {
            let message =
                "a variable-length array in a `private` or `firstprivate` clause is not supported by accrue";
            self.m.limit(ids::VLA_PRIVATE_UNSUPPORTED, span, message);
        }
        let bytes = self.m.unit.types.bytes(ty);
        let align = self.m.unit.align_of(self.var(id));
        let name = self.display_name(id);
        let var = self.variable(id);
        PrivateVar { name, var, bytes, align, implicit: false, pos: self.pos }
    }

    /// `alone`: one thread executes the loop, on private copies of what is declared.
    fn reduction_clauses(&mut self, items: &[ReductionItem], alone: bool) -> Vec<ReductionClause> {
        items
            .iter()
            .map(|item| match item.by {
                Combining::Functions { operator: Some(op), .. } if !alone && self.has_few_parts(item) => {
                    self.reduction_clause(&ReductionItem { by: Combining::Operator(op), ..item.clone() })
                }
                _ => self.reduction_clause(item),
            })
            .collect()
    }

    /// Whether an operator may combine each scalar by itself.
    fn has_few_parts(&self, item: &ReductionItem) -> bool {
        let mut parts = Vec::new();
        self.flatten_reduction(self.reduced_element(item), 0, &mut parts);
        let count = match &item.section {
            None if self.is_vla(self.var(item.var).ty.ty) => None,
            None => Some(1),
            Some((_, count)) => super::globals::constant_int(count),
        };
        parts.len() == 1 || count.is_some_and(|count| count.saturating_mul(parts.len() as i64) <= FEW_PARTS)
    }

    fn reduction_clause(&mut self, item: &ReductionItem) -> ReductionClause {
        let ty = self.var(item.var).ty.ty;
        let (lower, parts) = self.reduction_parts(item, ty);
        let (name, var, pos) = (self.display_name(item.var), self.variable(item.var), self.m.pos(item.span));
        // An array of variable length is known by its address.
        let pointee = matches!(self.m.unit.types.get(ty), CType::Pointer(_)) || self.is_vla(ty);
        ReductionClause { op: self.reduction_op(item), name, var, pointee, lower, parts, pos }
    }

    fn reduction_op(&mut self, item: &ReductionItem) -> ReductionOp {
        let (start, combine, reads_original) = match item.by {
            Combining::Operator(op) => return op,
            Combining::Functions { start, combine, reads_original, operator: _ } => {
                (start, combine, reads_original)
            }
        };
        let [start, combine] = [start, combine].map(|func| self.m.function(func));
        let sig = self.m.module.functions[start].sig;
        let element = self.reduced_element(item);
        let types = &self.m.unit.types;
        let (size, align) = (types.bytes(element) as u32, types.align(element) as u32);
        ReductionOp::Declared(Declared { start, combine, sig, size, align, reads_original })
    }

    /// The type of what is combined: the innermost one of arrays.
    fn reduced_element(&self, item: &ReductionItem) -> TypeId {
        let mut ty = self.var(item.var).ty.ty;
        if item.section.is_some()
            && let CType::Pointer(target) = self.m.unit.types.get(ty)
        {
            ty = target.ty;
        }
        while let CType::Array(element, _) = self.m.unit.types.get(ty) {
            ty = element.ty;
        }
        ty
    }

    /// The parts of an element that begins at a byte.
    fn element_parts(
        &self,
        item: &ReductionItem,
        element: TypeId,
        offset: i64,
        parts: &mut Vec<ReductionPart>,
    ) {
        match item.by {
            Combining::Operator(_) => self.flatten_reduction(element, offset, parts),
            Combining::Functions { .. } => {
                let size = self.m.unit.types.bytes(element) as i64;
                let ty = RedType { ty: Type::I8, signed: false, boolean: false };
                parts.push(ReductionPart { offset, ty, count: Some(Operand::Int(Type::I64, size)) });
            }
        }
    }

    /// Where a section begins, if that is known at run time only, and the parts from there on.
    fn reduction_parts(&mut self, item: &ReductionItem, ty: TypeId) -> (Option<Operand>, Vec<ReductionPart>) {
        let mut parts = Vec::new();
        if self.is_vla(ty) && item.section.is_none() {
            return (None, self.vla_parts(item, ty));
        }
        let (Some(outer), Some((first, count))) = (self.element(ty), &item.section) else {
            self.element_parts(item, ty, 0, &mut parts);
            return (None, parts);
        };
        // A section is counted in elements of the innermost type.
        let mut element = outer;
        while let CType::Array(inner, _) = self.m.unit.types.get(element) {
            element = inner.ty;
        }
        let size = self.m.unit.types.bytes(element) as i64;
        let (lower, offset) = match super::globals::constant_int(first) {
            Some(first) => (None, first * size),
            None => {
                let first = self.clause_value(first);
                (Some(self.binary(BinaryOp::Mul, first, Operand::Int(Type::I64, size))), 0)
            }
        };
        self.element_parts(item, element, offset, &mut parts);
        match (&mut parts[..], super::globals::constant_int(count)) {
            ([bytes], _) if item.by.is_declared() => {
                bytes.count = Some(match super::globals::constant_int(count) {
                    Some(count) => Operand::Int(Type::I64, count * size),
                    None => {
                        let count = self.clause_value(count);
                        self.binary(BinaryOp::Mul, count, Operand::Int(Type::I64, size))
                    }
                });
            }
            ([only], _) if only.count.is_none() => only.count = Some(self.clause_value(count)),
            (pattern, Some(count)) if count.saturating_mul(pattern.len() as i64) <= MOST_PARTS => {
                let pattern = std::mem::take(&mut parts);
                for index in 0..count {
                    parts.extend(pattern.iter().map(|part| moved(part, index * size)));
                }
            }
            _ => {
                let message =
                    "a reduction over many or a variable number of structs is not supported by accrue";
                self.m.limit(ids::REDUCTION_SUBARRAY_UNSUPPORTED, item.span, message);
            }
        }
        (lower, parts)
    }

    /// What an array consists of, or a pointer points to.
    fn element(&self, ty: TypeId) -> Option<TypeId> {
        match self.m.unit.types.get(ty) {
            CType::Array(element, _) | CType::Pointer(element) => Some(element.ty),
            _ => None,
        }
    }

    /// A variable-length array, all of it: a run of as many elements as it has now.
    fn vla_parts(&mut self, item: &ReductionItem, ty: TypeId) -> Vec<ReductionPart> {
        let mut element = ty;
        while let CType::Array(inner, _) = self.m.unit.types.get(element) {
            element = inner.ty;
        }
        let mut parts = Vec::new();
        self.element_parts(item, element, 0, &mut parts);
        let [part] = &mut parts[..] else {
            let message =
                "a variable-length array of structs as reduction variable is not supported by accrue";
            self.m.limit(ids::VLA_REDUCTION_UNSUPPORTED, item.span, message);
            return Vec::new();
        };
        let bytes = self.size_of(ty);
        if item.by.is_declared() {
            part.count = Some(bytes);
            return parts;
        }
        let size = Operand::Int(Type::I64, self.m.unit.types.bytes(element) as i64);
        part.count = Some(self.binary(BinaryOp::SDiv, bytes, size));
        parts
    }

    /// The scalar parts of a type: a struct's members, an array's elements.
    fn flatten_reduction(&self, ty: TypeId, offset: i64, parts: &mut Vec<ReductionPart>) {
        let types = &self.m.unit.types;
        match types.get(ty) {
            CType::Record(id) => {
                for field in types.records[id.0 as usize].fields.iter().flatten() {
                    self.flatten_reduction(field.ty.ty, offset + field.offset as i64, parts);
                }
            }
            CType::Array(element, ArrayLen::Known(count)) => {
                let first = parts.len();
                self.flatten_reduction(element.ty, offset, parts);
                match &mut parts[first..] {
                    // The elements of a nested array follow each other without gaps: one run.
                    [only] => {
                        let inner = only.count.and_then(Operand::as_int).unwrap_or(1);
                        only.count = Some(Operand::Int(Type::I64, inner.wrapping_mul(*count as i64)));
                    }
                    _ => {
                        let pattern: Vec<ReductionPart> = parts.drain(first..).collect();
                        let size = types.bytes(element.ty) as i64;
                        for index in 0..*count as i64 {
                            parts.extend(pattern.iter().map(|part| moved(part, index * size)));
                        }
                    }
                }
            }
            _ => {
                if let Repr::Scalar(scalar) = repr(types, ty) {
                    let ty = RedType { ty: scalar, signed: types.is_signed(ty), boolean: types.is_bool(ty) };
                    parts.push(ReductionPart { offset, ty, count: None });
                }
            }
        }
    }

    /// A compute construct: its blocks are marked, its clauses stand beside them.
    pub(super) fn compute(&mut self, compute: &Compute) {
        let pos = self.pos;
        let scheduling = self.scheduling(&compute.scheduling);
        let typed::Dims { num_gangs, num_workers, vector_length, bound } = &compute.dims;
        let gangs = self.clause_values(num_gangs);
        let dims = Dims {
            pos: compute.dims.sizes().map(|size| size.map_or_else(Pos::none, |size| self.m.pos(size.span))),
            gangs: [0, 1, 2].map(|dim| gangs.get(dim).copied()),
            workers: num_workers.as_ref().map(|workers| self.clause_value(workers)),
            vector: vector_length.as_ref().map(|length| self.clause_value(length)),
            clauses: match compute.defaultmap {
                Some(_) => SizeClauses::OpenMp(bound.unwrap_or(ThreadBound::ThreadLimit)),
                None => SizeClauses::OpenAcc,
            },
        };
        let maps = self.data_maps(&compute.data);
        let private = compute.private.iter().map(|&id| self.private_var(id, compute.span)).collect();
        let mut firstprivate: Vec<PrivateVar> =
            compute.firstprivate.iter().map(|&id| self.private_var(id, compute.span)).collect();
        for private in firstprivate.iter_mut().skip(compute.firstprivate_written) {
            private.implicit = true;
        }
        let reductions = self.reduction_clauses(&compute.reductions, false);

        let data = ConstructData {
            kind: compute.kind,
            scheduling,
            dims,
            maps,
            private,
            firstprivate,
            reductions,
            pos,
            ..ConstructData::dead()
        };
        self.construct(data, &compute.body, compute.span);
    }

    /// A construct of the host's threads.
    pub(super) fn threaded(&mut self, threaded: &Threaded) {
        let pos = self.pos;
        let scheduling = self.scheduling(&threaded.scheduling);
        let threads = threaded.num_threads.as_ref().map(|threads| self.clause_value(threads));
        let mut data = ConstructData {
            kind: threaded.kind,
            scheduling,
            dims: Dims { gangs: [threads, None, None], ..Dims::default() },
            pos,
            ..ConstructData::dead()
        };
        for &(id, kind) in &threaded.captures {
            let variable = self.variable(id);
            match (kind, variable) {
                (CaptureKind::Shared, Operand::Global(_)) => {
                    // A copy stands for it in a construct around.
                    let is_copied = |around| {
                        let data = &self.body.constructs[around];
                        data.firstprivate.iter().any(|private| private.var == variable)
                    };
                    if self.body.constructs_around(self.construct).any(is_copied) {
                        let (name, ty) = (self.display_name(id), self.var(id).ty.ty);
                        let bytes = self.m.unit.types.bytes(ty);
                        data.maps.push(DataMap::whole(MapKind::Shared, name, variable, bytes, pos));
                    }
                }
                (CaptureKind::Shared, Operand::Slot(slot)) => {
                    let (name, bytes) = (self.display_name(id), self.body.slots[slot].size);
                    data.maps.push(DataMap::whole(MapKind::Shared, name, variable, bytes, pos));
                }
                (CaptureKind::Shared, Operand::Local(local)) => {
                    let captured = self.hidden_capture(local);
                    data.firstprivate.push(captured);
                }
                (CaptureKind::FirstPrivate, _) if self.is_vla(self.var(id).ty.ty) => {
                    let bytes = self.size_of(self.var(id).ty.ty);
                    let (name, bytes) = (self.display_name(id), self.snapshot(bytes));
                    let whole = DataMap::whole(MapKind::FirstPrivate, name, variable, 0, pos);
                    data.maps.push(DataMap { bytes, ..whole });
                }
                _ => {
                    let captured = self.private_var(id, threaded.span);
                    data.firstprivate.push(captured);
                }
            }
        }
        self.construct(data, &threaded.body, threaded.span);
    }

    /// Lowers the statement of a construct between an entry and an exit.
    fn construct(&mut self, data: ConstructData, body: &typed::Stmt, span: Span) {
        let [entry, exit] = [(); 2].map(|()| self.new_block());
        let first = Outside {
            locals: self.body.locals.len(),
            block: entry.as_u32().min(self.body.blocks.len() as u32),
        };
        let parent = self.construct;
        let construct = self.body.constructs.push(ConstructData { entry, exit, parent, ..data });
        self.current();
        self.jump(entry);
        self.construct = Some(construct);
        self.start(entry);
        self.stmt(body);
        self.at(span);
        self.current();
        self.jump(exit);
        self.construct = parent;
        self.start(exit);
        self.hidden_captures(construct, &first);
    }

    /// Adds what the construct's code reads of its surroundings without a name in the source, such as the
    /// lengths of variable-length arrays: they travel by value.
    fn hidden_captures(&mut self, construct: Construct, outside: &Outside) {
        let data = &self.body.constructs[construct];
        let mut known: BTreeSet<Local> = BTreeSet::new();
        let vars = data.maps.iter().filter_map(|map| map.var);
        let vars = vars.chain(data.private.iter().map(|private| private.var));
        let vars = vars.chain(data.firstprivate.iter().map(|private| private.var));
        known.extend(vars.filter_map(Operand::as_local));
        let mut found: BTreeSet<Local> = BTreeSet::new();
        let mut visit = |local: Local| {
            if (local.as_u32() as usize) < outside.locals && !known.contains(&local) {
                found.insert(local);
            }
        };
        let mut part = |part: Part<'_>| match part {
            Part::Value(Operand::Local(local)) | Part::Variable(Operand::Local(local)) => visit(*local),
            Part::Address(ir::Address { base: Operand::Local(local), .. }) => visit(*local),
            Part::Def(local) | Part::NamedLocal(local) => visit(*local),
            _ => {}
        };
        let is_inside = |inner: Option<Construct>| self.body.construct_is_within(inner, construct);
        for (block, data) in self.body.blocks.iter() {
            if block.as_u32() >= outside.block && is_inside(data.construct) {
                data.parts(&mut part);
            }
        }
        for data in self.body.loops.values() {
            if is_inside(self.body.blocks[data.header].construct) {
                data.parts(&mut part);
            }
        }
        for data in self.body.constructs.values().filter(|data| is_inside(data.parent)) {
            data.parts(&mut part);
        }
        for local in found {
            let captured = self.hidden_capture(local);
            self.body.constructs[construct].firstprivate.push(captured);
        }
    }

    /// A local by its value.
    fn hidden_capture(&self, local: Local) -> PrivateVar {
        let LocalData { ty, name, .. } = self.body.locals[local].clone();
        let (bytes, align) = (u64::from(ty.bytes()), ty.align());
        let name = name.unwrap_or_else(|| "<hidden>".into());
        PrivateVar { name, var: Operand::Local(local), bytes, align, implicit: true, pos: self.pos }
    }

    /// Whether a value of the type is signed when it is widened to 64 bits.
    fn widen_signed(&self, ty: TypeId) -> bool {
        self.m.unit.types.is_signed(ty)
    }

    /// An lvalue's place in memory; scalars in locals have none, which sema rules out for what clauses map.
    fn memory_of(&mut self, lvalue: &Expr) -> super::lvalue::Memory {
        match self.place_of_address(lvalue) {
            Place::Memory(memory) => memory,
            Place::Local(_) | Place::Part(..) | Place::Bits(_) => {
                let message = "this object cannot be mapped: it has no address of its own";
                self.m.limit(ids::MAP_WITHOUT_ADDRESS_UNSUPPORTED, lvalue.span, message);
                let addr = ir::Address { base: Operand::NULL, offset: 0 };
                super::lvalue::Memory::untyped(addr, 1)
            }
        }
    }
}
