//! Which members of a structure a compute construct uses. Directives map members one by one, so that of a
//! structure which the construct does not name, the device may hold some members only, or some here and some
//! there: the runtime then looks at those that the code uses.

use super::visit::{Visit, walk_expr, walk_loop, walk_stmt};
use crate::sema::Sema;
use crate::typed::*;
use accrue_ir::Member;
use rustc_hash::FxHashMap;

impl Sema<'_> {
    /// Tells the implicit items of a construct which members its body uses.
    pub(super) fn note_members(&self, compute: &mut Compute) {
        let is_implicit = |item: &&mut DataItem| item.implicit;
        let mut walk = Walk { sema: self, used: FxHashMap::default(), conditions: 0, calls: false };
        for item in compute.data.iter_mut().filter(is_implicit) {
            let ty = match &item.shape {
                DataShape::Object(object) if matches!(object.kind, ExprKind::Var(_)) => object.ty.ty,
                DataShape::Pointer(pointer) if matches!(pointer.kind, ExprKind::Var(_)) => {
                    match self.types.pointee(pointer.ty.ty) {
                        Some(target) => target.ty,
                        None => continue,
                    }
                }
                DataShape::Object(_)
                | DataShape::Pointer(_)
                | DataShape::Part { .. }
                | DataShape::Section { .. } => continue,
            };
            if self.types.record(ty).is_some() {
                walk.used.insert(item.var, Some(Vec::new()));
            }
        }
        if walk.used.is_empty() {
            return;
        }
        walk.stmt(&compute.body);
        let Walk { mut used, calls, .. } = walk;
        for item in compute.data.iter_mut().filter(is_implicit) {
            // A function that is called may use a variable with a name of its own accord.
            let is_static = matches!(self.vars[item.var.0 as usize].storage, Storage::Static { .. });
            if !(calls && is_static) {
                item.members = used.remove(&item.var).flatten().unwrap_or_default();
            }
        }
        self.drop_unused_sections(compute);
    }

    /// What a data construct around this one maps through a pointer member that this one does not use is not
    /// entered again: the member may lie apart from those that are used.
    fn drop_unused_sections(&self, compute: &mut Compute) {
        let walk = Walk { sema: self, used: FxHashMap::default(), conditions: 0, calls: false };
        let is_unused = |item: &DataItem| {
            let DataShape::Section { pointer, .. } = &item.shape else { return false };
            let Some((var, offset, _)) = walk.member(pointer).filter(|_| item.implicit) else { return false };
            let mut known = compute.data.iter().filter(|other| other.var == var && !other.members.is_empty());
            known.any(|other| {
                other
                    .members
                    .iter()
                    .all(|member| member.offset + member.bytes <= offset || offset < member.offset)
            })
        };
        let unused: Vec<bool> = compute.data.iter().map(is_unused).collect();
        let mut unused = unused.into_iter();
        compute.data.retain(|_| !unused.next().unwrap_or(false));
    }
}

struct Walk<'a, 'b> {
    sema: &'a Sema<'b>,
    /// The members by variable, unless it is used otherwise.
    used: FxHashMap<VarId, Option<Vec<Member>>>,
    /// Conditions that hold where the walk is.
    conditions: u32,
    calls: bool,
}

impl Walk<'_, '_> {
    /// The member that an lvalue is: its variable, its place in the structure and its name.
    fn member(&self, lvalue: &Expr) -> Option<(VarId, u64, String)> {
        let ExprKind::Member(base, record, index) = &lvalue.kind else { return None };
        let field = self.sema.field(*record, *index);
        let name = field.name.map(|name| self.sema.text(name));
        let (var, offset, before) = match &base.kind {
            ExprKind::Var(var) => (*var, 0, format!("{}.", self.sema.var_text(*var))),
            ExprKind::Deref(pointer) => {
                let ExprKind::Load(pointer) = &pointer.kind else { return None };
                let ExprKind::Var(var) = pointer.kind else { return None };
                (var, 0, format!("{}->", self.sema.var_text(var)))
            }
            _ => {
                let (var, offset, text) = self.member(base)?;
                // Members of anonymous ones are named without them.
                let dot = if text.ends_with(['.', '>']) { "" } else { "." };
                (var, offset, text + dot)
            }
        };
        Some((var, offset + field.offset, before + &name.unwrap_or_default()))
    }

    fn note(&mut self, var: VarId, member: Member) {
        let Some(Some(members)) = self.used.get_mut(&var) else { return };
        match members.iter_mut().find(|known| (known.offset, known.bytes) == (member.offset, member.bytes)) {
            Some(known) => known.maybe &= member.maybe,
            None => members.push(member),
        }
    }

    fn if_condition(&mut self, walk: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        walk(self);
        self.conditions -= 1;
    }
}

impl Visit for Walk<'_, '_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Loop(directive) => walk_loop(self, directive),
            StmtKind::If(condition, ..) => {
                self.expr(condition);
                self.if_condition(|walk| walk_stmt(walk, stmt));
            }
            StmtKind::Switch { .. } | StmtKind::Label(..) => {
                self.if_condition(|walk| walk_stmt(walk, stmt));
            }
            // Bodies of loops among them, which are written to have iterations.
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Member(_, record, index) => {
                if let Some((var, offset, name)) = self.member(expr)
                    && self.used.contains_key(&var)
                {
                    let bits = self.sema.field(*record, *index).bit_bytes();
                    let before =
                        bits.as_ref().map_or(0, |bits| bits.start - self.sema.field(*record, *index).offset);
                    let bytes = bits
                        .map_or(self.sema.types.size(expr.ty.ty).unwrap_or(0), |bits| bits.end - bits.start);
                    if bytes == 0 {
                        // A flexible array has any number of bytes.
                        self.used.insert(var, None);
                    } else {
                        let maybe = self.conditions > 0;
                        self.note(var, Member { name: name.into(), offset: offset + before, bytes, maybe });
                    }
                    return;
                }
            }
            ExprKind::Var(var) => {
                if let Some(members) = self.used.get_mut(var) {
                    *members = None;
                }
            }
            ExprKind::Call { .. } => self.calls = true,
            ExprKind::Conditional(condition, ..) | ExprKind::Elvis { condition, .. } => {
                self.expr(condition);
                self.if_condition(|walk| walk_expr(walk, expr));
                return;
            }
            ExprKind::Binary(BinaryOp::LogAnd | BinaryOp::LogOr, left, right) => {
                self.expr(left);
                self.if_condition(|walk| walk.expr(right));
                return;
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}
