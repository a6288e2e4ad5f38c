//! Writes trees as text, as far as the tests look at them.

use crate::ast::*;
use crate::intern::Interner;

/// Writes trees whose spellings are in `0`.
pub struct Writer<'a>(pub &'a Interner);

impl Writer<'_> {
    /// An expression, fully bracketed.
    pub fn expr(&self, expr: &Expr) -> String {
        let e = |inner: &Expr| self.expr(inner);
        match &expr.kind {
            ExprKind::Ident(sym) | ExprKind::Number(sym) | ExprKind::Char(sym) => {
                self.0.text(*sym).to_owned()
            }
            ExprKind::String(literals) => {
                literals.iter().map(|sym| self.0.text(*sym)).collect::<Vec<_>>().join(" ")
            }
            ExprKind::Paren(inner) => format!("({})", e(inner)),
            ExprKind::Index(base, index) => format!("{}[{}]", e(base), e(index)),
            ExprKind::Section(base, bounds) => {
                let Bounds { lower, length, stride } = &**bounds;
                let end = |end: &Option<Expr>| end.as_ref().map(e).unwrap_or_default();
                let stride = stride.as_ref().map(|stride| format!(":{}", e(stride))).unwrap_or_default();
                format!("{}[{}:{}{stride}]", e(base), end(lower), end(length))
            }
            ExprKind::Call(callee, arguments) => {
                format!("{}({})", e(callee), arguments.iter().map(e).collect::<Vec<_>>().join(", "))
            }
            ExprKind::Member(base, name) => format!("{}.{}", e(base), self.0.text(name.sym)),
            ExprKind::Arrow(base, name) => format!("{}->{}", e(base), self.0.text(name.sym)),
            ExprKind::PostInc(base) => format!("{}++", e(base)),
            ExprKind::PostDec(base) => format!("{}--", e(base)),
            ExprKind::CompoundLiteral(name, list) => {
                format!("<literal {} {}>", self.type_name(name), self.list(list))
            }
            ExprKind::Unary(op, operand) => format!("<{op:?} {}>", e(operand)),
            ExprKind::SizeofExpr(operand) => format!("<sizeof {}>", e(operand)),
            ExprKind::SizeofType(name) => format!("<sizeof type {}>", self.type_name(name)),
            ExprKind::AlignofExpr(operand) => format!("<alignof {}>", e(operand)),
            ExprKind::AlignofType(name) => format!("<alignof type {}>", self.type_name(name)),
            ExprKind::Cast(name, operand) => format!("<cast {} {}>", self.type_name(name), e(operand)),
            ExprKind::Binary(op, _, left, right) => format!("<{} {op:?} {}>", e(left), e(right)),
            ExprKind::Assign(left, right) => format!("<{} = {}>", e(left), e(right)),
            ExprKind::AssignOp(op, _, left, right) => format!("<{} {op:?}= {}>", e(left), e(right)),
            ExprKind::Conditional(condition, then, otherwise) => {
                let then = then.as_deref().map(e).unwrap_or_default();
                format!("<{} ? {then} : {}>", e(condition), e(otherwise))
            }
            ExprKind::Comma(left, right) => format!("<{} , {}>", e(left), e(right)),
            ExprKind::LabelAddr(name) => format!("&&{}", self.0.text(name.sym)),
            other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
        }
    }

    /// An initialiser list.
    pub fn list(&self, list: &InitList) -> String {
        let items = list.items.iter().map(|item| {
            let path: String =
                item.designators.iter().map(|designator| self.designator(designator)).collect();
            let value = match &item.init {
                Initializer::Expr(expr) => self.expr(expr),
                Initializer::List(list) => self.list(list),
            };
            if path.is_empty() { value } else { format!("{path}={value}") }
        });
        format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
    }

    fn designator(&self, designator: &Designator) -> String {
        match designator {
            Designator::Field(name) => format!(".{}", self.0.text(name.sym)),
            Designator::Index(index) => format!("[{}]", self.expr(index)),
            Designator::Range(low, high) => format!("[{}...{}]", self.expr(low), self.expr(high)),
        }
    }

    /// A type, read outwards from the name: `array 3 of pointer to int`.
    pub fn ty(&self, specs: &DeclSpecs, declarator: &Declarator) -> String {
        let mut text = String::new();
        for step in &declarator.derived {
            match step {
                Derived::Pointer(qualifiers) if qualifiers.const_ => text.push_str("const pointer to "),
                Derived::Pointer(_) => text.push_str("pointer to "),
                Derived::Array { size, star, .. } => {
                    let size = size.as_deref().map(|size| self.expr(size)).unwrap_or_default();
                    text.push_str(&format!("array {size}{}of ", if *star { "* " } else { " " }));
                }
                Derived::Function(function) => text.push_str(&self.function(function)),
            }
        }
        if specs.qualifiers.const_ {
            text.push_str("const ");
        }
        text + &self.spec(&specs.ty)
    }

    fn function(&self, function: &FunctionDeclarator) -> String {
        let params = match &function.params {
            Params::Unknown => "?".to_owned(),
            Params::Identifiers(names) => {
                names.iter().map(|name| self.0.text(name.sym)).collect::<Vec<_>>().join(" ")
            }
            Params::Prototype(params) => {
                let one = |param: &Param| {
                    let name = param.declarator.name.map(|name| format!("{}: ", self.0.text(name.sym)));
                    name.unwrap_or_default() + &self.ty(&param.specs, &param.declarator)
                };
                params.iter().map(one).collect::<Vec<_>>().join(", ")
            }
        };
        format!("function ({params}{}) returning ", if function.variadic { ", ..." } else { "" })
    }

    fn spec(&self, spec: &TypeSpec) -> String {
        match spec {
            TypeSpec::Builtin(ty) => format!("{ty:?}"),
            TypeSpec::Typedef(name) => self.0.text(name.sym).to_owned(),
            TypeSpec::Record(record) => {
                let tag = record.tag.map_or("", |tag| self.0.text(tag.sym));
                format!("{} {tag}", if record.is_union { "union" } else { "struct" })
            }
            TypeSpec::Enum(_) => "enum".into(),
            TypeSpec::TypeofExpr(expr) => format!("typeof {}", self.expr(expr)),
            TypeSpec::TypeofType(name) => format!("typeof type {}", self.type_name(name)),
            TypeSpec::Atomic(name) => format!("atomic {}", self.type_name(name)),
            other => format!("{other:?}"),
        }
    }

    fn type_name(&self, name: &TypeName) -> String {
        self.ty(&name.specs, &name.declarator)
    }

    /// A statement.
    pub fn stmt(&self, stmt: &Stmt) -> String {
        let text = |name: &Ident| self.0.text(name.sym);
        match &stmt.kind {
            StmtKind::Empty => ";".into(),
            StmtKind::Expr(expr) => format!("{};", self.expr(expr)),
            StmtKind::Compound(items) => format!("{{ {} }}", self.items(items)),
            StmtKind::If { condition, then, otherwise: None } => {
                format!("if {} then {}", self.expr(condition), self.stmt(then))
            }
            StmtKind::If { condition, then, otherwise: Some(otherwise) } => {
                format!("if {} then {} else {}", self.expr(condition), self.stmt(then), self.stmt(otherwise))
            }
            StmtKind::Label(name, _, inner) => format!("{}: {}", text(name), self.stmt(inner)),
            StmtKind::Case(low, None, inner) => format!("case {}: {}", self.expr(low), self.stmt(inner)),
            StmtKind::Case(low, Some(high), inner) => {
                format!("case {}...{}: {}", self.expr(low), self.expr(high), self.stmt(inner))
            }
            StmtKind::Default(inner) => format!("default: {}", self.stmt(inner)),
            StmtKind::For { body, .. } => format!("for {}", self.stmt(body)),
            StmtKind::Goto(name) => format!("goto {};", text(name)),
            StmtKind::GotoComputed(target) => format!("goto *{};", self.expr(target)),
            StmtKind::Directive(_, None) => "directive;".into(),
            StmtKind::Directive(_, Some(body)) => format!("directive {}", self.stmt(body)),
            other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
        }
    }

    /// The items of a block.
    pub fn items(&self, items: &[BlockItem]) -> String {
        items.iter().map(|item| self.item(item)).collect::<Vec<_>>().join(" ")
    }

    fn item(&self, item: &BlockItem) -> String {
        match item {
            BlockItem::Stmt(stmt) => self.stmt(stmt),
            BlockItem::Declaration(declaration) => self.declaration(declaration),
            BlockItem::Function(_) => "nested function".into(),
            BlockItem::StaticAssert(_) => "assertion".into(),
            BlockItem::Pragma(pragma) => format!("{pragma:?}"),
        }
    }

    /// A declaration, name by name.
    pub fn declaration(&self, declaration: &Declaration) -> String {
        let one = |declared: &InitDeclarator| {
            let name = declared.declarator.name.map_or("", |name| self.0.text(name.sym));
            let init = match &declared.init {
                None => String::new(),
                Some(Initializer::Expr(expr)) => format!(" = {}", self.expr(expr)),
                Some(Initializer::List(list)) => format!(" = {}", self.list(list)),
            };
            format!("{name}: {}{init};", self.ty(&declaration.specs, &declared.declarator))
        };
        declaration.declarators.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}
