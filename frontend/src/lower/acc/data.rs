//! Data clauses and the directives that are executed by the host.

use super::super::function::{FnLower, Home, ScopeEnd};
use super::super::types::{Repr, repr};
use crate::typed::{
    DataConstruct, DataItem, DataShape, Executable, Expr, ExprKind, HostDataConstruct, Runs, VarId,
};
use accrue_ir::{
    DataKind, DataMap, DataOp, Local, MapKind, Op, Operand, RowSection, Scheduling, Stride, Type,
};

impl FnLower<'_, '_> {
    pub(super) fn data_maps(&mut self, items: &[DataItem]) -> Vec<DataMap> {
        items.iter().map(|item| self.data_map(item)).collect()
    }

    fn data_map(&mut self, item: &DataItem) -> DataMap {
        let pos = self.m.pos(item.span);
        let mut map = DataMap {
            kind: item.clause,
            modifiers: item.modifiers,
            implicit: item.implicit,
            name: item.name.clone(),
            var: None,
            start: Operand::NULL,
            bytes: Operand::Int(Type::I64, 0),
            pointer_bias: None,
            pointer_at: None,
            strides: Vec::new(),
            rows: None,
            elements: None,
            members: item.members.clone(),
            pos,
        };
        let (held, pointers) = match &item.shape {
            DataShape::Object(lvalue) => (lvalue, 0),
            DataShape::Part { array, rows, .. } => (array, rows.len()),
            DataShape::Section { pointer, rows, .. } => (pointer, 1 + rows.len()),
            DataShape::Pointer(pointer) => (pointer, 1),
        };
        map.elements = match item.modifiers.by_use {
            true => self.m.pointees(held.ty.ty),
            false => self.m.elements(held.ty.ty, pointers),
        };
        match &item.shape {
            DataShape::Object(lvalue) => {
                map.start = self.map_start(lvalue);
                let bytes = self.size_of(lvalue.ty.ty);
                map.bytes = self.snapshot(bytes);
                map.var = self.whole_variable(lvalue);
                if let Some(Operand::Local(_)) = map.var {
                    map.pointer_bias = Some(Operand::Int(Type::I64, 0));
                }
            }
            DataShape::Part { array, runs, rows } => {
                let start = self.map_start(array);
                let lower = self.section_value(&runs.lower);
                map.start = self.index(start, lower, 1, 0);
                map.bytes = self.section_value(&runs.bytes);
                map.strides = self.strides(runs);
                map.rows = self.row_sections(rows);
                map.var = self.whole_variable(array);
                // `host_data` is asked for the address of the array, whatever part of it is present.
                if item.clause == MapKind::UseDevice || matches!(map.var, Some(Operand::Local(_))) {
                    map.pointer_bias = Some(lower);
                }
            }
            DataShape::Section { pointer, runs, rows } => {
                let value = self.pointer_of(pointer, &mut map);
                let lower = self.section_value(&runs.lower);
                map.start = self.index(value, lower, 1, 0);
                map.bytes = self.section_value(&runs.bytes);
                map.strides = self.strides(runs);
                map.pointer_bias = Some(lower);
                map.rows = self.row_sections(rows);
            }
            DataShape::Pointer(pointer) => {
                map.start = self.pointer_of(pointer, &mut map);
                map.pointer_bias = Some(Operand::Int(Type::I64, 0));
            }
        }
        map
    }

    fn row_sections(&mut self, rows: &[Runs]) -> Option<RowSection> {
        rows.iter().rev().fold(None, |inner, runs| {
            let (lower, bytes) = (self.section_value(&runs.lower), self.section_value(&runs.bytes));
            Some(RowSection { lower, bytes, strides: self.strides(runs), rows: inner.map(Box::new) })
        })
    }

    fn strides(&mut self, runs: &Runs) -> Vec<Stride> {
        let values = runs.strides.iter();
        values
            .map(|(count, distance)| Stride {
                count: self.section_value(count),
                distance: self.section_value(distance),
            })
            .collect()
    }

    /// A byte count or distance, as a 64-bit value of its own.
    fn section_value(&mut self, expr: &Expr) -> Operand {
        let value = self.value(expr);
        let wide = self.resize(value, Type::I64, self.widen_signed(expr.ty.ty));
        self.snapshot(wide)
    }

    fn map_start(&mut self, lvalue: &Expr) -> Operand {
        let memory = self.memory_of(lvalue);
        let start = self.address_value(memory.addr);
        self.snapshot(start)
    }

    /// The value of a pointer lvalue; notes where the pointer is in memory.
    fn pointer_of(&mut self, pointer: &Expr, map: &mut DataMap) -> Operand {
        map.var = self.whole_variable(pointer);
        if !matches!(map.var, Some(Operand::Local(_))) {
            map.pointer_at = Some(self.memory_of(pointer).addr);
        }
        let place = self.place(pointer);
        let value = match repr(&self.m.unit.types, pointer.ty.ty) {
            Repr::Scalar(_) => self.read(place, pointer.ty.ty),
            Repr::Void | Repr::Memory => self.map_start(pointer),
        };
        self.snapshot(value)
    }

    /// The variable that an lvalue is the whole of.
    fn whole_variable(&mut self, lvalue: &Expr) -> Option<Operand> {
        match lvalue.kind {
            ExprKind::Var(id) => Some(self.variable(id)),
            _ => None,
        }
    }

    fn data_op(&mut self, op: DataOp) {
        self.emit(Op::Data(Box::new(op)));
    }

    pub(in super::super) fn data_construct(&mut self, data: &DataConstruct) {
        let scheduling = self.scheduling(&data.scheduling);
        let maps = self.data_maps(&data.data);
        self.data_op(DataOp::new(DataKind::DataBegin, maps.clone(), scheduling.clone()));
        self.stmt(&data.body);
        self.at(data.span);
        self.data_op(DataOp::new(DataKind::DataEnd, maps, scheduling));
    }

    pub(in super::super) fn host_data_construct(&mut self, data: &HostDataConstruct) {
        let scheduling = self.scheduling(&data.scheduling);
        let mut maps = Vec::with_capacity(data.vars.len());
        let mut device_addresses = Vec::with_capacity(data.vars.len());
        let mut in_memory: Vec<(VarId, Local)> = Vec::new();
        for (item, replacement) in &data.vars {
            maps.push(self.data_map(item));
            let local = match self.declare_home(*replacement) {
                Home::Local(local) | Home::Indirect(local) => local,
                Home::Slot(_) => {
                    let local = self.temp(Type::Ptr);
                    in_memory.push((*replacement, local));
                    local
                }
            };
            device_addresses.push(local);
        }
        let if_present = data.if_present;
        let begin = DataOp::new(DataKind::HostDataBegin { if_present }, maps.clone(), scheduling.clone());
        self.data_op(DataOp { device_addresses, ..begin });
        for (id, local) in in_memory {
            let home = self.home(id);
            self.write_home(home, Type::Ptr, Operand::Local(local));
        }
        self.stmt(&data.body);
        self.at(data.span);
        self.data_op(DataOp::new(DataKind::HostDataEnd, maps, scheduling));
    }

    pub(in super::super) fn executable(&mut self, executable: &Executable) {
        let scheduling = self.scheduling(&executable.scheduling);
        let maps = self.data_maps(&executable.data);
        let device_num = executable.device_num.as_ref().map(|number| self.clause_value(number));
        let default_async = executable.default_async.as_ref().map(|queue| self.clause_value(queue));
        let device_type = executable.device_type.map(|number| Operand::Int(Type::I32, i64::from(number)));
        let op = DataOp::new(executable.kind, maps, scheduling);
        self.data_op(DataOp { device_type, device_num, default_async, ..op });
    }

    /// `declare` in a function: in force until the block that holds it is left.
    pub(in super::super) fn declare_data(&mut self, items: &[DataItem]) {
        let maps = self.data_maps(items);
        let begin = DataOp::new(DataKind::DeclareBegin, maps.clone(), Scheduling::default());
        self.data_op(begin);
        self.scope_ends.push(ScopeEnd::Declare(DataOp::new(
            DataKind::DeclareEnd,
            maps,
            Scheduling::default(),
        )));
    }
}
