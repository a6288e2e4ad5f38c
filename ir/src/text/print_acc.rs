//! Printing of directives, constructs, clauses, launches and data operations.

use super::names::{Named, data_kind, data_modifier};
use super::print::{Printer, Quoted, w};
use crate::acc::{
    Async, ConstructData, DataMap, DataOp, Declared, Device, Dims, GangClause, Launch, LaunchArg,
    LoopDirective, LoopKind, MapModifiers, PrivateVar, RedObject, RedType, Reduction, ReductionClause,
    ReductionOp, RowSection, Scheduling, SizeClauses, Stride, TaskClauses, Wait,
};
use crate::entities::{Construct, Loop};
use crate::op::Operand;
use std::fmt::{self, Write};

impl Printer<'_> {
    /// ` word operand`, if there is one.
    fn argument(&mut self, word: &str, operand: Option<Operand>) {
        if let Some(operand) = operand {
            w!(self, " {word} ");
            self.operand(operand);
        }
    }

    fn operand_or(&mut self, operand: Option<Operand>, absent: &str) {
        match operand {
            Some(operand) => self.operand(operand),
            None => self.out.push_str(absent),
        }
    }

    pub(super) fn directive(&mut self, directive: &LoopDirective) {
        self.out.push_str(" {\n    directive");
        match directive.kind {
            LoopKind::Default => {}
            kind @ (LoopKind::Seq | LoopKind::Independent | LoopKind::Auto) => {
                w!(self, " {}", kind.spelling());
            }
        }
        if let Some(gang) = &directive.gang {
            self.gang(gang);
        }
        if let Some(workers) = directive.worker {
            self.out.push_str(" worker");
            if let Some(workers) = workers {
                self.out.push(' ');
                self.operand(workers);
            }
        }
        if let Some(length) = directive.vector {
            self.out.push_str(" vector");
            if let Some(length) = length {
                self.out.push(' ');
                self.operand(length);
            }
        }
        if directive.collapse != 1 {
            w!(self, " collapse {}", directive.collapse);
        }
        self.flag(directive.collapse_force, "force");
        self.flag(directive.in_order, "in_order");
        if directive.at_once != 1 {
            w!(self, " at_once {}", directive.at_once);
        }
        if let Some(objects) = &directive.team {
            self.out.push_str(" team(");
            self.list(objects, |p, object| p.operand(*object));
            self.out.push(')');
        }
        if !directive.tile.is_empty() {
            self.out.push_str(" tile(");
            self.list(&directive.tile, |p, size| p.operand_or(*size, "*"));
            self.out.push(')');
        }
        if !directive.levels.is_empty() {
            self.out.push_str(" levels(");
            self.list(&directive.levels, |p, level| {
                w!(p, "{level}");
            });
            self.out.push(')');
        }
        self.pos(directive.pos);
        self.out.push('\n');
        for var in &directive.private {
            self.private_var("private", var);
        }
        for clause in &directive.reductions {
            self.reduction_clause("    reduction", clause);
        }
        for clause in &directive.scans {
            self.reduction_clause("    scan", clause);
        }
        self.out.push_str("  }");
    }

    fn gang(&mut self, gang: &GangClause) {
        self.out.push_str(" gang");
        let mut separator = "(";
        if let Some(num) = gang.num {
            w!(self, "{separator}num ");
            self.operand(num);
            separator = ", ";
        }
        if let Some(size) = gang.static_ {
            w!(self, "{separator}static ");
            self.operand_or(size, "*");
            separator = ", ";
        }
        if gang.dim != 1 {
            w!(self, "{separator}dim {}", gang.dim);
            separator = ", ";
        }
        if separator != "(" {
            self.out.push(')');
        }
    }

    fn private_var(&mut self, word: &str, var: &PrivateVar) {
        w!(self, "    {word} {} ", Quoted(&var.name));
        self.operand(var.var);
        w!(self, " size {} align {}", var.bytes, var.align);
        self.flag(var.implicit, "implicit");
        self.pos(var.pos);
        self.out.push('\n');
    }

    pub(super) fn red_type(&mut self, ty: RedType) {
        w!(self, "{}", ty.ty);
        self.flag(ty.signed, "signed");
        self.flag(ty.boolean, "bool");
    }

    /// `word` is what the clause begins with, `reduction` or `scan`.
    pub(super) fn reduction_clause(&mut self, word: &str, clause: &ReductionClause) {
        w!(self, "{word} ");
        self.reduction_op(clause.op);
        w!(self, " {} ", Quoted(&clause.name));
        self.operand(clause.var);
        self.flag(clause.pointee, "pointee");
        self.argument("from", clause.lower);
        self.out.push_str(" parts(");
        self.list(&clause.parts, |p, part| {
            w!(p, "{} ", part.offset);
            p.red_type(part.ty);
            p.argument("x", part.count);
        });
        self.out.push(')');
        self.pos(clause.pos);
        self.out.push('\n');
    }

    fn data_map(&mut self, map: &DataMap) {
        w!(self, "    map {}", map.kind.spelling());
        let MapModifiers {
            zero,
            readonly,
            always_in,
            always_out,
            capture,
            read_later,
            by_use,
            required,
            finalize,
        } = map.modifiers;
        self.flag(zero, "zero");
        self.flag(readonly, "readonly");
        self.flag(always_in, "always_in");
        self.flag(always_out, "always_out");
        self.flag(capture, "capture");
        self.flag(read_later, "read_later");
        self.flag(by_use, "by_use");
        self.flag(required, "required");
        self.flag(finalize, "finalize");
        self.flag(map.implicit, "implicit");
        w!(self, " {}", Quoted(&map.name));
        self.argument("var", map.var);
        self.argument("start", Some(map.start));
        self.argument("bytes", Some(map.bytes));
        self.strides(&map.strides);
        self.argument("bias", map.pointer_bias);
        if let Some(at) = map.pointer_at {
            self.out.push_str(" attach ");
            self.address(at);
        }
        if let Some(rows) = &map.rows {
            self.out.push(' ');
            self.rows(rows);
        }
        if let Some(elements) = &map.elements {
            w!(self, " elements {} (", elements.bytes);
            self.list(&elements.parts, |p, part| {
                w!(p, "{} ", part.offset);
                p.red_type(part.ty);
                if part.count != 1 {
                    w!(p, " x {}", part.count);
                }
            });
            self.out.push(')');
        }
        if !map.members.is_empty() {
            self.out.push_str(" members(");
            self.list(&map.members, |p, member| {
                w!(p, "{} {} {}", Quoted(&member.name), member.offset, member.bytes);
                p.flag(member.maybe, "maybe");
            });
            self.out.push(')');
        }
        self.pos(map.pos);
        self.out.push('\n');
    }

    fn strides(&mut self, strides: &[Stride]) {
        if !strides.is_empty() {
            self.out.push_str(" strides(");
            self.list(strides, |p, stride| {
                p.operand(stride.count);
                p.out.push_str(" by ");
                p.operand(stride.distance);
            });
            self.out.push(')');
        }
    }

    fn rows(&mut self, rows: &RowSection) {
        let mut next = Some(rows);
        let mut depth = 0;
        while let Some(section) = next {
            self.out.push_str(if depth == 0 { "rows(" } else { ", rows(" });
            self.operand(section.lower);
            self.out.push_str(", ");
            self.operand(section.bytes);
            self.strides(&section.strides);
            next = section.rows.as_deref();
            depth += 1;
        }
        self.out.extend(std::iter::repeat_n(')', depth));
    }

    fn maps(&mut self, maps: &[DataMap]) {
        if !maps.is_empty() {
            self.out.push_str(" {\n");
            for map in maps {
                self.data_map(map);
            }
            self.out.push_str("  }");
        }
    }

    /// Positions stand before what they are of: behind it, one that was left out would be mistaken for the
    /// next.
    fn dims(&mut self, dims: &Dims) {
        if let Some(last) = dims.gangs.iter().rposition(Option::is_some) {
            self.out.push_str(" gangs");
            self.pos(dims.pos[0]);
            self.out.push('(');
            self.list(&dims.gangs[..=last], |p, gangs| p.operand_or(*gangs, "_"));
            self.out.push(')');
        }
        for (word, size, pos) in
            [("workers", dims.workers, dims.pos[1]), ("vector", dims.vector, dims.pos[2])]
        {
            if let Some(size) = size {
                w!(self, " {word}");
                self.pos(pos);
                self.out.push(' ');
                self.operand(size);
            }
        }
        if let SizeClauses::OpenMp(bound) = dims.clauses {
            w!(self, " by {}", bound.name());
        }
    }

    fn scheduling(&mut self, scheduling: &Scheduling) {
        match scheduling.device {
            Device::Current => {}
            Device::Default => self.out.push_str(" device"),
            Device::Number(number) => {
                self.out.push_str(" device(");
                self.operand(number);
                self.out.push(')');
            }
        }
        self.argument("if", scheduling.if_);
        self.argument("self", scheduling.self_);
        match scheduling.async_ {
            Async::Sync => {}
            Async::Default => self.out.push_str(" async"),
            Async::OfData => self.out.push_str(" async(data)"),
            Async::Queue(queue) => {
                self.out.push_str(" async(");
                self.operand(queue);
                self.out.push(')');
            }
        }
        let Wait { present, devnum, queues } = &scheduling.wait;
        if *present {
            self.out.push_str(" wait");
            if devnum.is_some() || !queues.is_empty() {
                self.out.push('(');
                if let Some(devnum) = devnum {
                    self.out.push_str("devnum ");
                    self.operand(*devnum);
                    self.out.push_str(if queues.is_empty() { "" } else { ", " });
                }
                self.list(queues, |p, queue| p.operand(*queue));
                self.out.push(')');
            }
        }
        if let Some(clauses) = &scheduling.task {
            let TaskClauses { depends, count, flags, priority, event } = **clauses;
            self.out.push_str(" task(");
            self.list(&[depends, count, flags, priority, event], |p, operand| p.operand(*operand));
            self.out.push(')');
        }
    }

    pub(super) fn construct(&mut self, construct: Construct, data: Option<&ConstructData>) {
        w!(self, "  construct {construct}");
        let Some(data) = data else {
            self.out.push_str(" dead\n");
            return;
        };
        w!(self, " {} entry {} exit {}", data.kind.name(), data.entry, data.exit);
        if let Some(parent) = data.parent {
            w!(self, " in {parent}");
        }
        self.fused(data.fused);
        self.dims(&data.dims);
        self.scheduling(&data.scheduling);
        self.pos(data.pos);
        self.out.push_str(" {\n");
        for map in &data.maps {
            self.data_map(map);
        }
        for var in &data.private {
            self.private_var("private", var);
        }
        for var in &data.firstprivate {
            self.private_var("first private", var);
        }
        for clause in &data.reductions {
            self.reduction_clause("    reduction", clause);
        }
        self.out.push_str("  }\n");
    }

    pub(super) fn launch(&mut self, launch: &Launch) {
        w!(self, "launch {}(", self.func(launch.region));
        self.list(&launch.args, |p, arg| match arg {
            LaunchArg::Map(index) => {
                w!(p, "map {index}");
            }
            LaunchArg::Value(value) => p.operand(*value),
        });
        self.out.push(')');
        self.fused(launch.fused);
        self.dims(&launch.dims);
        self.scheduling(&launch.scheduling);
        self.maps(&launch.maps);
    }

    /// How many constructs have joined one.
    fn fused(&mut self, fused: u32) {
        if fused > 0 {
            w!(self, " fused {fused}");
        }
    }

    pub(super) fn data(&mut self, data: &DataOp) {
        w!(self, "data {}", data_kind(data.kind));
        if let Some(modifier) = data_modifier(data.kind) {
            w!(self, " {modifier}");
        }
        self.scheduling(&data.scheduling);
        self.argument("device_type", data.device_type);
        self.argument("device_num", data.device_num);
        self.argument("default_async", data.default_async);
        if !data.device_addresses.is_empty() {
            self.out.push_str(" addresses(");
            self.list(&data.device_addresses, |p, local| {
                w!(p, "{}", p.local(*local));
            });
            self.out.push(')');
        }
        self.maps(&data.maps);
    }

    pub(super) fn reduction(&mut self, reduction: &Reduction) {
        w!(self, "reduction.{}(", reduction.kind.name());
        match reduction.result {
            Some(result) => self.address(result),
            None => self.out.push_str("none"),
        }
        self.out.push_str(", ");
        match reduction.object {
            RedObject::Scalar { dst: _, local } => self.operand(local),
            RedObject::Array { local, count } => {
                self.address(local);
                self.out.push_str(" x ");
                self.operand(count);
            }
        }
        w!(self, ", {}, ", reduction.level);
        self.reduction_op(reduction.op);
        self.out.push_str(", ");
        self.red_type(reduction.ty);
        w!(self, ", {}, {})", LoopOrOuter(reduction.loop_), reduction.red);
        self.flag(reduction.escapes, "escapes");
        if let Some(original) = reduction.original {
            self.out.push_str(" original ");
            self.address(original);
        }
    }

    fn reduction_op(&mut self, op: ReductionOp) {
        self.out.push_str(op.spelling());
        if let ReductionOp::Declared(Declared { start, combine, sig, size, align, reads_original }) = op {
            let (start, combine) = (self.func(start), self.func(combine));
            w!(self, "({start}, {combine}, {sig}) size {size} align {align}");
            self.flag(reads_original, "reads_original");
        }
    }
}

/// A loop identifier in a quad or a lock; `outer` is the null outer gang loop.
pub(super) struct LoopOrOuter(pub Option<Loop>);

impl fmt::Display for LoopOrOuter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(loop_) => loop_.fmt(f),
            None => f.write_str("outer"),
        }
    }
}
