//! Statements (C11 6.8).

use super::convert::AssignTo;
use super::jumps::{Breakable, RegionKind};
use super::state::SwitchContext;
use super::{Sema, ids};
use crate::ast::{self, BlockItem, ForInit, StmtKind as Ast};
use crate::ctype::{IntKind, QualType, TypeId};
use crate::diag::Diagnostic;
use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    /// Analyses a statement.
    pub fn stmt(&mut self, stmt: &ast::Stmt) -> Stmt {
        let span = stmt.span;
        if !self.enter_nesting(span) {
            return empty(span);
        }
        let kind = self.stmt_kind(stmt);
        self.depth -= 1;
        let stmt = Stmt { kind, span };
        if self.pending.is_empty() {
            return stmt;
        }
        // VLA types named in the statement: their sizes are known before it runs.
        let mut statements = Vec::new();
        self.flush_pending(&mut statements);
        statements.push(stmt);
        Stmt { kind: StmtKind::Block(statements), span }
    }

    fn stmt_kind(&mut self, stmt: &ast::Stmt) -> StmtKind {
        let span = stmt.span;
        match &stmt.kind {
            Ast::Empty => StmtKind::Block(Vec::new()),
            Ast::Expr(expr) => StmtKind::Expr(self.discarded(expr)),
            Ast::Compound(items) => StmtKind::Block(self.block(items)),
            Ast::If { condition, then, otherwise } => {
                let condition = self.condition_expr(condition);
                let then = Box::new(self.stmt(then));
                let otherwise = otherwise.as_ref().map(|otherwise| Box::new(self.stmt(otherwise)));
                StmtKind::If(condition, then, otherwise)
            }
            Ast::Switch(value, body) => self.switch(value, body),
            Ast::While(condition, body) => {
                let condition = self.condition_expr(condition);
                StmtKind::While(condition, Box::new(self.loop_body(body)))
            }
            Ast::DoWhile(body, condition) => {
                let body = Box::new(self.loop_body(body));
                StmtKind::DoWhile(body, self.condition_expr(condition))
            }
            Ast::For { init, condition, step, body } => {
                self.for_loop(init, condition.as_ref(), step.as_ref(), body, span)
            }
            Ast::Goto(name) => StmtKind::Goto(self.goto_label(*name)),
            Ast::GotoComputed(target) => {
                let value = self.rvalue(target);
                if !self.is_error(&value) && !self.types.is_pointer(value.ty.ty) {
                    let message = format!(
                        "computed goto must be of pointer type (have '{}')",
                        self.type_text(value.ty)
                    );
                    self.error(ids::INVALID_OPERAND, value.span, message);
                }
                if let Some((name, start)) = self.enclosing_construct() {
                    let message = format!("a computed goto in the '{name}' construct is not supported");
                    self.emit(
                        Diagnostic::error(ids::COMPUTED_GOTO_UNSUPPORTED, span, message)
                            .related(start, "the construct begins here"),
                    );
                }
                StmtKind::GotoComputed(self.convert(value, TypeId::VOID_PTR))
            }
            Ast::Continue => {
                self.check_break(true, span);
                StmtKind::Continue
            }
            Ast::Break => {
                self.check_break(false, span);
                StmtKind::Break
            }
            Ast::Return(value) => self.return_stmt(value.as_ref(), span),
            Ast::Label(name, attributes, inner) => {
                self.read_attributes(attributes, &mut Default::default());
                let label = self.define_label(*name);
                StmtKind::Label(label, Box::new(self.stmt(inner)))
            }
            Ast::Case(low, high, inner) => self.case(low, high.as_ref(), inner, span),
            Ast::Default(inner) => self.default_case(inner, span),
            Ast::LocalLabels(names) => {
                if let Some(function) = &mut self.function {
                    names.iter().for_each(|name| function.jumps.declare_local(name.sym));
                }
                StmtKind::Block(Vec::new())
            }
            Ast::Attributes(attributes) => {
                self.read_attributes(attributes, &mut Default::default());
                StmtKind::Block(Vec::new())
            }
            Ast::Asm(asm) => self.asm_stmt(asm, span),
            Ast::Directive(directive, body) => self.directive_stmt(directive, body.as_deref()).kind,
        }
    }

    /// The controlling expression of `if` and loops.
    fn condition_expr(&mut self, expr: &ast::Expr) -> Expr {
        let pending = self.pending.len();
        let value = self.rvalue(expr);
        let value = self.condition(value);
        self.with_pending(pending, value)
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Stmt {
        self.push_breakable(Breakable::Loop);
        let body = self.stmt(body);
        self.pop_breakable();
        body
    }

    fn push_breakable(&mut self, breakable: Breakable) {
        if let Some(function) = &mut self.function {
            function.jumps.breakables.push(breakable);
        }
    }

    fn pop_breakable(&mut self) {
        if let Some(function) = &mut self.function {
            function.jumps.breakables.pop();
        }
    }

    /// Runs `work` in a scope of its own: names, labels and regions end with it.
    fn in_block<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        self.enter_scope();
        let open =
            self.function.as_ref().map(|function| (function.jumps.region(), function.jumps.open_labels()));
        let result = work(self);
        if let (Some(function), Some((region, labels))) = (&mut self.function, open) {
            function.jumps.restore(region);
            function.jumps.close_labels(labels);
        }
        self.leave_scope();
        result
    }

    /// The items of `{ ... }`, in a scope of their own.
    fn block(&mut self, items: &[BlockItem]) -> Vec<Stmt> {
        self.in_block(|sema| {
            let mut out = Vec::with_capacity(items.len());
            sema.block_items(items, &mut out);
            out
        })
    }

    pub(super) fn block_items(&mut self, items: &[BlockItem], out: &mut Vec<Stmt>) {
        for item in items {
            self.block_item(item, out);
        }
    }

    fn block_item(&mut self, item: &BlockItem, out: &mut Vec<Stmt>) {
        match item {
            BlockItem::Declaration(declaration) => self.declaration(declaration, out),
            BlockItem::Function(function) => {
                let span = function.declarator.name.map_or(function.span, |name| name.span);
                self.error(ids::NESTED_FUNCTION_UNSUPPORTED, span, "nested functions are not supported");
                if let Some(name) = function.declarator.name {
                    self.idents.bind(name.sym, super::Entity::Error, name.span);
                }
            }
            BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
            BlockItem::Pragma(pragma) => self.pragma(pragma),
            BlockItem::Stmt(stmt) => {
                let stmt = self.stmt(stmt);
                out.push(stmt);
            }
        }
    }

    /// `({ ... })`.
    pub(super) fn statement_expr(&mut self, items: &[BlockItem], span: Span) -> Expr {
        if self.function.is_none() {
            self.error(
                ids::STMT_EXPR_OUTSIDE_FUNCTION,
                span,
                "braced-group within expression allowed only inside a function",
            );
            return self.error_expr(span);
        }
        // What the enclosing expression has waiting stays in front of the whole.
        let outer = std::mem::take(&mut self.pending);
        let (statements, value) = self.in_block(|sema| {
            if let Some(function) = &mut sema.function {
                function.jumps.enter(RegionKind::StmtExpr, span);
            }
            sema.statement_expr_items(items)
        });
        self.pending = outer;
        self.statements_in_expression(statements, value, span)
    }

    /// Statements, and the value behind them.
    pub(super) fn statements_in_expression(
        &mut self,
        statements: Vec<Stmt>,
        value: Option<Expr>,
        span: Span,
    ) -> Expr {
        self.acc.in_expressions = true;
        let ty = value.as_ref().map_or(QualType::plain(TypeId::VOID), |value| value.ty);
        Expr { kind: ExprKind::StmtExpr(statements, value.map(Box::new)), ty, span }
    }

    fn statement_expr_items(&mut self, items: &[BlockItem]) -> (Vec<Stmt>, Option<Expr>) {
        let mut out = Vec::with_capacity(items.len());
        let [first @ .., BlockItem::Stmt(last)] = items else {
            self.block_items(items, &mut out);
            return (out, None);
        };
        self.block_items(first, &mut out);
        // The value may stand behind labels.
        let mut last = last;
        while let Ast::Label(name, _, inner) = &last.kind {
            let label = self.define_label(*name);
            out.push(Stmt { kind: StmtKind::Label(label, Box::new(empty(last.span))), span: last.span });
            last = inner;
        }
        if let Ast::Expr(expr) = &last.kind {
            let pending = self.pending.len();
            let value = self.discarded(expr);
            let value = self.with_pending(pending, value);
            return (out, Some(value));
        }
        let last = self.stmt(last);
        out.push(last);
        (out, None)
    }

    fn for_loop(
        &mut self,
        init: &ForInit,
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> StmtKind {
        let declares = matches!(init, ForInit::Declaration(_));
        let kind = self.in_block(|sema| {
            let mut first = Vec::new();
            match init {
                ForInit::None => {}
                ForInit::Expr(expr) => {
                    let value = sema.discarded(expr);
                    sema.flush_pending(&mut first);
                    first.push(Stmt { kind: StmtKind::Expr(value), span: expr.span });
                }
                ForInit::Declaration(declaration) => sema.declaration(declaration, &mut first),
            }
            let condition = condition.map(|condition| sema.condition_expr(condition));
            let step = step.map(|step| {
                let pending = sema.pending.len();
                let value = sema.discarded(step);
                sema.with_pending(pending, value)
            });
            let body = Box::new(sema.loop_body(body));
            StmtKind::For { init: first, condition, step, body, canonical: None, any_order: Vec::new() }
        });
        let mut stmt = Stmt { kind, span };
        let counted = self.canonical_loop(&stmt).ok().map(Box::new);
        if let StmtKind::For { canonical, .. } = &mut stmt.kind {
            *canonical = counted;
        }
        if declares { StmtKind::Block(vec![stmt]) } else { stmt.kind }
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span) -> StmtKind {
        if let Some((name, start)) = self.enclosing_construct() {
            let message = format!("'return' leaves the '{name}' construct");
            self.emit(
                Diagnostic::error(ids::CONSTRUCT_BRANCH, span, message)
                    .related(start, "the construct begins here"),
            );
        }
        let result =
            self.function.as_ref().map_or(QualType::plain(TypeId::ERROR), |function| function.result);
        if let Some(function) = &self.function
            && self.functions.get(function.id.0 as usize).is_some_and(|function| function.noreturn)
        {
            self.warn(ids::NORETURN, span, "function declared 'noreturn' has a 'return' statement");
        }
        match value {
            None => {
                if result.ty != TypeId::VOID && result.ty != TypeId::ERROR {
                    self.warn(
                        ids::RETURN_TYPE,
                        span,
                        "'return' with no value, in function returning non-void",
                    );
                }
                StmtKind::Return(None)
            }
            Some(value) if result.ty == TypeId::VOID => {
                let value = self.discarded(value);
                if value.ty.ty != TypeId::VOID && !self.is_error(&value) {
                    self.warn(
                        ids::RETURN_TYPE,
                        value.span,
                        "'return' with a value, in function returning void",
                    );
                }
                let first = Stmt { kind: StmtKind::Expr(value), span };
                StmtKind::Block(vec![first, Stmt { kind: StmtKind::Return(None), span }])
            }
            Some(value) => {
                let value = self.rvalue(value);
                let value = self.assign_convert(value, result, AssignTo::Return);
                StmtKind::Return(Some(value))
            }
        }
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> StmtKind {
        let value = self.rvalue(value);
        let mut value = self.promote(value);
        let kind = match self.types.int_kind(value.ty.ty) {
            Some(kind) if kind.size() <= 8 => kind,
            Some(_) => {
                self.error(ids::TYPE_UNSUPPORTED, value.span, "'switch' on '__int128' is not supported");
                IntKind::Int
            }
            None => {
                if !self.is_error(&value) {
                    let message =
                        format!("switch quantity not an integer (have '{}')", self.type_text(value.ty));
                    self.error(ids::SWITCH_TYPE, value.span, message);
                }
                value = self.int_expr(0, TypeId::INT, value.span);
                self.broken = true;
                IntKind::Int
            }
        };
        if let Some(function) = &mut self.function {
            let region = function.jumps.region();
            let (cases, span) = (Vec::new(), value.span);
            function.switches.push(SwitchContext { kind, cases, default: None, next: 0, region, span });
        }
        self.push_breakable(Breakable::Switch);
        let body = Box::new(self.stmt(body));
        self.pop_breakable();
        let context = self.function.as_mut().and_then(|function| function.switches.pop());
        let (cases, default) = match context {
            Some(context) => self.switch_cases(context),
            None => (Vec::new(), None),
        };
        StmtKind::Switch { value, cases, default, body }
    }

    fn switch_cases(&mut self, mut context: SwitchContext) -> (Vec<(i64, i64, u32)>, Option<u32>) {
        context.cases.sort_by_key(|&(low, _, index, _)| (low, index));
        for pair in context.cases.windows(2) {
            let (first, second) = (&pair[0], &pair[1]);
            if second.0 <= first.1 {
                let (earlier, later) = if first.2 < second.2 { (first, second) } else { (second, first) };
                let diagnostic = Diagnostic::error(ids::DUPLICATE_CASE, later.3, "duplicate case value");
                self.emit(diagnostic.related(earlier.3, "previously used here"));
            }
        }
        // As bit patterns an unsigned range may pass from the positive to the negative ones: it is cut there.
        let mut cases = Vec::with_capacity(context.cases.len());
        let signed = context.kind.to_signed();
        let top = (1i128 << (context.kind.bits() - 1)) - 1;
        for &(low, high, index, _) in &context.cases {
            let reading =
                |value: i128| if context.kind.is_signed() { value as i64 } else { signed.wrap(value) as i64 };
            if !context.kind.is_signed() && low <= top && high > top {
                cases.push((reading(low), reading(top), index));
                cases.push((reading(top + 1), reading(high), index));
            } else {
                cases.push((reading(low), reading(high), index));
            }
        }
        cases.sort_unstable();
        (cases, context.default.map(|(index, _)| index))
    }

    fn case(&mut self, low: &ast::Expr, high: Option<&ast::Expr>, inner: &ast::Stmt, span: Span) -> StmtKind {
        let label_span = Span { first: span.first, last: high.unwrap_or(low).span.last };
        let low_value = self.case_value(low);
        let high_value = match high {
            Some(high) => self.case_value(high),
            None => low_value,
        };
        let index = self.new_case(label_span, "case");
        if let (Some(index), Some(low_value), Some(high_value)) = (index, low_value, high_value) {
            if low_value > high_value {
                self.warn(ids::EMPTY_CASE_RANGE, label_span, "empty range specified");
            } else if let Some(switch) = self.innermost_switch() {
                switch.cases.push((low_value, high_value, index, label_span));
            }
        }
        let inner = Box::new(self.stmt(inner));
        match index {
            Some(index) => StmtKind::Case(index, inner),
            None => inner.kind,
        }
    }

    fn default_case(&mut self, inner: &ast::Stmt, span: Span) -> StmtKind {
        let label_span = Span::at(span.first);
        let index = self.new_case(label_span, "default");
        if let (Some(index), Some(switch)) = (index, self.innermost_switch()) {
            let previous = switch.default;
            switch.default = previous.or(Some((index, label_span)));
            if let Some((_, previous)) = previous {
                let diagnostic = Diagnostic::error(
                    ids::DUPLICATE_CASE,
                    label_span,
                    "multiple default labels in one switch",
                );
                self.emit(diagnostic.related(previous, "first default label is here"));
            }
        }
        let inner = Box::new(self.stmt(inner));
        match index {
            Some(index) => StmtKind::Case(index, inner),
            None => inner.kind,
        }
    }

    fn innermost_switch(&mut self) -> Option<&mut SwitchContext> {
        self.function.as_mut()?.switches.last_mut()
    }

    fn new_case(&mut self, span: Span, what: &str) -> Option<u32> {
        let Some(switch) = self.innermost_switch() else {
            self.error(ids::STRAY_CASE, span, format!("'{what}' label not within a switch statement"));
            return None;
        };
        let index = switch.next;
        switch.next += 1;
        let (region, switch) = (switch.region, switch.span);
        self.check_case_region(region, switch, span);
        Some(index)
    }

    fn case_value(&mut self, expr: &ast::Expr) -> Option<i128> {
        let value = self.rvalue(expr);
        if self.is_error(&value) {
            return None;
        }
        let Some(constant) = self.const_int(&value) else {
            self.error(ids::NOT_CONSTANT, value.span, "case label does not reduce to an integer constant");
            return None;
        };
        let kind = self.innermost_switch().map(|switch| switch.kind)?;
        let converted = kind.wrap(constant);
        if converted != constant && !kind.to_signed().holds(constant) && !kind.to_unsigned().holds(constant) {
            self.warn(
                ids::OVERFLOW,
                value.span,
                format!("case label value {constant} does not fit the type of the switch"),
            );
        }
        Some(converted)
    }

    fn asm_stmt(&mut self, asm: &ast::Asm, span: Span) -> StmtKind {
        let (template, _) = self.string_elements(&asm.template, span);
        let has_no_effect = is_without_effect(&template);
        if !has_no_effect && self.in_nohost_routine() {
            // Written for a device that accrue does not know: whoever runs it is told so.
            let trap = ExprKind::Builtin(Builtin::Trap, Vec::new());
            return StmtKind::Expr(Expr { kind: trap, ty: QualType::plain(TypeId::VOID), span });
        }
        if !has_no_effect {
            self.error(
                ids::ASM_UNSUPPORTED,
                span,
                "assembly code is not supported; only compiler barriers are: templates that are empty, `nop`, \
                 `pause`, or an alignment",
            );
        }
        let mut effects = Vec::new();
        let mut targets = Vec::with_capacity(asm.outputs.len());
        for (constraint, operand) in &asm.outputs {
            let target = self.expr(operand);
            if self.is_error(&target) || !self.modifiable(&target, operand.span, "assignment") {
                continue;
            }
            targets.push((target, *constraint));
        }
        // The values of all inputs, before any output changes.
        let mut tied = Vec::new();
        for (constraint, operand) in &asm.inputs {
            let Some(output) = self.tied_output(*constraint) else {
                let value = self.discarded(operand);
                effects.push(Stmt { kind: StmtKind::Expr(value), span: operand.span });
                continue;
            };
            let value = self.rvalue(operand);
            if self.is_error(&value) {
                continue;
            }
            if output >= targets.len() || !self.types.is_scalar(value.ty.ty) {
                let message = "this assembly operand tied to another is not supported";
                self.error(ids::ASM_UNSUPPORTED, operand.span, message);
                continue;
            }
            let (ty, span) = (QualType::plain(value.ty.ty), value.span);
            let var = self.hidden_var(ty, span);
            let init = Init { entries: vec![InitEntry { offset: 0, bits: None, ty: ty.ty, value }] };
            effects.push(Stmt { kind: StmtKind::Declare(var, Some(init)), span });
            tied.push((output, Expr { kind: ExprKind::Var(var), ty, span }));
        }
        for (index, (target, constraint)) in targets.into_iter().enumerate() {
            let span = target.span;
            let effect = match tied.iter().find(|(output, _)| *output == index) {
                Some((_, value)) => {
                    let ty = QualType::plain(target.ty.ty);
                    let value = self.to_rvalue(value.clone());
                    let value = self.convert(value, ty.ty);
                    Expr { kind: ExprKind::Assign(Box::new(target), Box::new(value)), ty, span }
                }
                None => {
                    if !self.session.interner.text(constraint).contains('+') && has_no_effect {
                        let message = "the empty assembly template leaves this output unchanged";
                        self.warn(ids::ASM_OUTPUT, span, message);
                    }
                    self.to_rvalue(target)
                }
            };
            effects.push(Stmt { kind: StmtKind::Expr(effect), span });
        }
        effects.push(Stmt { kind: StmtKind::Barrier, span });
        StmtKind::Block(effects)
    }

    /// The output that an input's constraint ties it to: `asm("" : "=r"(y) : "0"(x))` copies.
    fn tied_output(&self, constraint: Symbol) -> Option<usize> {
        let text = self.session.interner.text(constraint);
        let digits: String = text.chars().skip_while(|c| !c.is_ascii_digit()).collect();
        digits.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()
    }

    /// Whether the function at hand is never compiled for the host.
    fn in_nohost_routine(&self) -> bool {
        let routine = self.function.as_ref().and_then(|context| {
            self.functions.get(context.id.0 as usize).and_then(|function| function.routine.as_ref())
        });
        routine.is_some_and(|routine| routine.nohost)
    }

    /// `_Static_assert`.
    pub(super) fn static_assert(&mut self, assertion: &ast::StaticAssert) {
        let condition = self.rvalue(&assertion.condition);
        if self.is_error(&condition) {
            return;
        }
        match self.const_int(&condition) {
            Some(0) => {
                let message = assertion.message.as_ref().map(|spellings| {
                    let (elements, _) = self.string_elements(spellings, assertion.span);
                    let bytes: Vec<u8> = elements.iter().map(|&element| element as u8).collect();
                    String::from_utf8_lossy(&bytes).into_owned()
                });
                let message = match message {
                    Some(message) => format!("static assertion failed: \"{message}\""),
                    None => "static assertion failed".to_owned(),
                };
                self.error(ids::STATIC_ASSERTION, condition.span, message);
            }
            Some(_) => {}
            None => self.error(
                ids::NOT_CONSTANT,
                condition.span,
                "expression in static assertion is not constant",
            ),
        }
    }
}

/// A statement that does nothing.
fn empty(span: Span) -> Stmt {
    Stmt { kind: StmtKind::Block(Vec::new()), span }
}

/// Whether an assembly template has no effect but that the compiler keeps memory as it is there: what it says
/// is where code lies, or that the processor should wait for a moment.
fn is_without_effect(template: &[u32]) -> bool {
    let text: String = template.iter().filter_map(|&c| char::from_u32(c)).collect();
    let mut instructions =
        text.lines().flat_map(|line| line.split('#').next().unwrap_or_default().split(';'));
    instructions.all(|instruction| {
        let mut words = instruction.split_whitespace();
        match words.next() {
            None | Some("nop" | "pause" | ".p2align" | ".balign" | ".align") => true,
            // `rep nop` is how older processors spell `pause`.
            Some("rep") => matches!(words.next(), None | Some("nop")),
            Some(_) => false,
        }
    })
}
