//! Device addresses that the program has in hand: `use_device_ptr`, `use_device_addr`, `has_device_addr`.

use super::super::Enclosing;
use super::super::construct::{DeviceAddress, DeviceAddresses};
use super::super::subarrays::without_brackets;
use super::super::visit::VisitMut;
use super::super::{clauses, ids};
use super::target::around;
use crate::ast;
use crate::ctype::QualType;
use crate::diag::Diagnostic;
use crate::directive::{Clause, ClauseKind, Directive, IfOf};
use crate::sema::{Entity, Sema};
use crate::typed::*;
use accrue_ir::{MapKind, MapModifiers};

/// Variables whose device addresses the host has, for a construct that uses them.
pub(super) struct KnownAddresses {
    /// The declarations of what holds the addresses.
    pub(super) declarations: Vec<Stmt>,
    /// What the construct uses in the place of the variables.
    rewrite: DeviceAddresses,
}

impl KnownAddresses {
    /// Lets the construct's statement use the addresses.
    pub(super) fn rewrite(mut self, body: &mut Stmt) -> Vec<Stmt> {
        self.rewrite.stmt(body);
        self.declarations
    }
}

impl Sema<'_> {
    /// `has_device_addr` of a `target` construct: the address of each variable is one of the device, so that
    /// nothing is mapped.
    pub(super) fn known_addresses(&mut self, clauses: &[&Clause], compute: &mut Compute) -> KnownAddresses {
        let mut known = KnownAddresses { declarations: Vec::new(), rewrite: DeviceAddresses::default() };
        for clause in clauses {
            let (ClauseKind::HasDeviceAddr(items) | ClauseKind::IsDevicePtr(items)) = &clause.kind else {
                continue;
            };
            if items.iter().any(|item| self.is_behind_second_pointer(item)) {
                continue;
            }
            let objects = items.iter().filter(|item| self.device_pointer(&clause.kind, item).is_none());
            for item in objects.collect::<Vec<_>>() {
                let Some(var) = self.plain_variable("has_device_addr", without_brackets(item)) else {
                    continue;
                };
                self.vars[var.0 as usize].in_memory = true;
                let span = item.span;
                let ty = self.vars[var.0 as usize].ty;
                let pointer = self.types.pointer_to(ty);
                let holder = self.hidden_var(QualType::plain(pointer), span);
                let lvalue = self.var_lvalue(var, span);
                let kind = ExprKind::AddrOf(Box::new(lvalue));
                let address = Expr { kind, ty: QualType::plain(pointer), span };
                known.declarations.push(self.initialised(holder, address));
                known.rewrite.fresh.insert(var, DeviceAddress { var: holder, pointer, object: true });
                compute.data.push(DataItem {
                    clause: MapKind::DevicePtr,
                    modifiers: MapModifiers::default(),
                    implicit: false,
                    name: self.var_text(var).into(),
                    var: holder,
                    shape: DataShape::Pointer(self.var_lvalue(holder, span)),
                    members: Vec::new(),
                    span,
                });
            }
        }
        known
    }

    /// The pointer that an item of `is_device_ptr` or `has_device_addr` says to lead to memory of the device:
    /// of a section through one, the pointer in front of the brackets. `None` for objects.
    pub(super) fn device_pointer<'e>(
        &self,
        clause: &ClauseKind,
        item: &'e ast::Expr,
    ) -> Option<&'e ast::Expr> {
        let base = without_brackets(item);
        let names_object = self.is_array_name(base)
            || matches!(clause, ClauseKind::HasDeviceAddr(_)) && std::ptr::eq(base, item);
        (!names_object).then_some(base)
    }

    /// Reports an element or a section behind a pointer that is an element itself, as `rows[1][0]`: only the
    /// variable in front of the brackets can have another address.
    fn is_behind_second_pointer(&mut self, item: &ast::Expr) -> bool {
        let mut brackets = 0usize;
        let mut base = item;
        while let ast::ExprKind::Index(inner, _) | ast::ExprKind::Section(inner, _) = &base.kind {
            brackets += 1;
            base = inner;
        }
        let ast::ExprKind::Ident(symbol) = base.kind else { return false };
        let Some(Entity::Var(var)) = self.lookup(symbol) else { return false };
        let mut ty = self.vars[var.0 as usize].ty.ty;
        for _ in 1..brackets {
            let inside =
                self.types.pointee(ty).or_else(|| self.types.element(ty).map(|(element, _)| element));
            let Some(inside) = inside else { return false };
            ty = inside.ty;
            if self.types.is_pointer(ty) {
                let message = "an address of the device behind a pointer that is an element is not supported";
                let diagnostic = Diagnostic::error(ids::OMP_UNSUPPORTED, item.span, message);
                self.emit(diagnostic.note("name a pointer variable with the same value in the clause"));
                return true;
            }
        }
        false
    }

    /// Whether an item is the name of an array.
    fn is_array_name(&self, item: &ast::Expr) -> bool {
        match item.kind {
            ast::ExprKind::Ident(symbol) => match self.lookup(symbol) {
                Some(Entity::Var(var)) => self.types.is_array(self.vars[var.0 as usize].ty.ty),
                _ => false,
            },
            _ => false,
        }
    }

    /// `target data`. `use_device_ptr` and `use_device_addr` are a `host_data` of OpenACC inside of it.
    pub(super) fn omp_target_data(&mut self, directive: &Directive, statement: &ast::Stmt) -> Stmt {
        self.check_host_code(directive);
        self.check_required(directive);
        let selected = clauses::select(directive, self.acc.target, &mut self.session.sink);
        let (scheduling, data) = self.omp_data(&selected, IfOf::TargetData, around);
        let (mut pointers, mut objects) = (Vec::new(), Vec::new());
        for clause in &selected {
            match &clause.kind {
                ClauseKind::UseDevicePtr(items) => {
                    self.data_items(MapKind::UseDevice, MapModifiers::default(), items, &mut pointers);
                }
                ClauseKind::UseDeviceAddr(items) => self.device_objects(items, &mut objects),
                _ => {}
            }
        }
        // An array in `use_device_ptr` is meant as in `use_device_addr`.
        let is_pointer = |item: &DataItem| matches!(item.shape, DataShape::Pointer(_));
        let (mut pointers, more): (Vec<_>, Vec<_>) = pointers.into_iter().partition(is_pointer);
        objects.extend(more);
        // So is a section through a pointer in `use_device_addr`, the other way round.
        let (sections, objects): (Vec<_>, Vec<_>) =
            objects.into_iter().partition(|item| matches!(item.shape, DataShape::Section { .. }));
        pointers.extend(sections);
        if pointers.is_empty() && objects.is_empty() {
            return self.finish_data(directive, scheduling, (data, None), statement);
        }
        self.acc.constructs.push(Enclosing::Data { items: data.clone(), default: None });
        self.enter_construct(directive.kind.name(), directive.name_span);
        self.idents.enter();
        let mut vars = Vec::new();
        for item in pointers {
            let named = &self.vars[item.var.0 as usize];
            let (name, ty) = (named.name, named.ty);
            let fresh = self.hidden_var(QualType::plain(ty.ty), item.span);
            self.vars[fresh.0 as usize].name = name;
            if let Some(name) = name {
                self.idents.bind(name, Entity::Var(fresh), item.span);
            }
            vars.push((item, fresh));
        }
        let hidden = objects.iter().map(|item| item.var).collect();
        self.acc.constructs.push(Enclosing::HostData { vars: hidden, span: directive.name_span });
        let mut body = self.stmt(statement);
        self.acc.constructs.pop();
        vars.extend(self.use_device_addresses(objects, &mut body));
        self.idents.leave();
        self.leave_construct();
        self.acc.constructs.pop();
        let span = directive.span;
        let inner = HostDataConstruct { scheduling: scheduling.clone(), if_present: true, vars, body, span };
        let whole = span.to(statement.span);
        let body = Stmt { kind: StmtKind::HostData(Box::new(inner)), span: whole };
        let data = DataConstruct { scheduling, data, body, span };
        Stmt { kind: StmtKind::Data(Box::new(data)), span: whole }
    }

    /// The items of `use_device_addr`: variables whose addresses are those of their copies. Of a section, the
    /// device may have just what it names, and there lies the variable that it is a section of.
    fn device_objects(&mut self, items: &[ast::Expr], out: &mut Vec<DataItem>) {
        for item in items {
            let base = without_brackets(item);
            if self.is_behind_second_pointer(item) {
                continue;
            }
            let Some(var) = self.plain_variable("use_device_addr", base) else { continue };
            let shape = if std::ptr::eq(base, item) {
                Some(DataShape::Object(self.var_lvalue(var, item.span)))
            } else {
                self.data_shape(MapKind::Present, item).map(|(_, shape)| shape)
            };
            let Some(shape) = shape else { continue };
            let new = DataItem {
                clause: MapKind::UseDevice,
                modifiers: MapModifiers::default(),
                implicit: false,
                name: self.var_text(var).into(),
                var,
                shape,
                members: Vec::new(),
                span: item.span,
            };
            self.take_addresses(&new);
            out.push(new);
        }
    }
}
