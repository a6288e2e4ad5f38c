//! The syntax tree: what was written, before types. One tree per translation unit, consumed by `sema`.
//!
//! The parser only knows which identifiers are type names; every other question of meaning is left to
//! semantic analysis. Spans are on everything a diagnostic may point at.
//!
//! A tree nests at most [`crate::parse::MAX_NESTING`] levels deep, except along four spines that have no
//! bound and that whoever walks a tree follows in a loop: the left operand of [`ExprKind::Binary`] and of
//! [`ExprKind::Comma`], `otherwise` of [`StmtKind::If`], and the statement behind [`StmtKind::Label`],
//! [`StmtKind::Case`] and [`StmtKind::Default`].

use crate::directive::Directive;
use crate::intern::Symbol;
use crate::source::Span;

/// An identifier and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ident {
    /// Its text.
    pub sym: Symbol,
    /// Where.
    pub span: Span,
}

/// A whole translation unit.
#[derive(Debug, Default)]
pub struct TranslationUnit {
    /// In source order.
    pub items: Vec<Item>,
    /// Whether syntax errors, other than inside directives, left gaps. A directive with an error is left out
    /// alone, and the rest can be analysed.
    pub misread: bool,
}

/// What may stand outside functions.
#[derive(Debug)]
pub enum Item {
    /// A declaration.
    Declaration(Declaration),
    /// A function definition.
    Function(Box<FunctionDef>),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// `asm("...")` outside functions.
    Asm(Span),
    /// A directive: `declare`, `routine`, `omp declare target`, ...
    Directive(Box<Directive>),
    /// `#pragma pack` and others that change how what follows is read.
    Pragma(Pragma),
}

/// A pragma of [`crate::token::TokenKind::PragmaOther`] that has a meaning here.
#[derive(Debug, Clone, PartialEq)]
pub enum Pragma {
    /// `pack(n)`; `None` resets.
    Pack(Option<u32>),
    /// `pack(push)`, `pack(push, n)`.
    PackPush(Option<u32>),
    /// `pack(pop)`.
    PackPop,
    /// `weak name`, `weak name = other`.
    Weak(Ident, Option<Ident>),
    /// `redefine_extname old new`.
    RedefineExtname(Ident, Ident),
    /// `STDC FP_CONTRACT` and the like: the last word is `ON`, `OFF` or `DEFAULT`.
    Stdc(Symbol, Symbol),
}

/// `specifiers declarator = init, ...;`
#[derive(Debug)]
pub struct Declaration {
    /// Storage class, type, qualifiers, attributes.
    pub specs: DeclSpecs,
    /// The declared names; empty for `struct s { ... };`.
    pub declarators: Vec<InitDeclarator>,
    /// The whole.
    pub span: Span,
}

/// One declared name.
#[derive(Debug)]
pub struct InitDeclarator {
    /// Name and type derivation.
    pub declarator: Declarator,
    /// `asm("name")`: the name, without quotes.
    pub asm_label: Option<Symbol>,
    /// Attributes after the declarator.
    pub attributes: Vec<Attribute>,
    /// `= ...`.
    pub init: Option<Initializer>,
}

/// Storage class specifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the keyword of its name")]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[allow(missing_docs, reason = "each field is the keyword of its name")]
pub struct Qualifiers {
    pub const_: bool,
    pub volatile: bool,
    pub restrict: bool,
    pub atomic: bool,
}

impl Qualifiers {
    /// No qualifier.
    pub const NONE: Qualifiers =
        Qualifiers { const_: false, volatile: false, restrict: false, atomic: false };

    /// The qualifiers of both.
    pub fn union(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            const_: self.const_ || other.const_,
            volatile: self.volatile || other.volatile,
            restrict: self.restrict || other.restrict,
            atomic: self.atomic || other.atomic,
        }
    }

    /// Whether all qualifiers of `other` are here too; `restrict` does not count.
    pub fn covers(self, other: Qualifiers) -> bool {
        (self.const_ || !other.const_) && (self.volatile || !other.volatile) && (self.atomic || !other.atomic)
    }

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self == Qualifiers::NONE
    }
}

/// Declaration specifiers (C11 6.7).
#[derive(Debug)]
pub struct DeclSpecs {
    /// `typedef`, `extern`, ...
    pub storage: Option<(StorageClass, Span)>,
    /// `_Thread_local`, `__thread`.
    pub thread_local: bool,
    /// `inline`.
    pub inline: bool,
    /// `_Noreturn`.
    pub noreturn: bool,
    /// `constexpr`.
    pub constexpr: bool,
    /// Qualifiers.
    pub qualifiers: Qualifiers,
    /// The type.
    pub ty: TypeSpec,
    /// `_Alignas(type)` and `_Alignas(expr)`.
    pub alignas: Vec<Alignas>,
    /// Attributes anywhere among the specifiers.
    pub attributes: Vec<Attribute>,
    /// The specifiers.
    pub span: Span,
}

impl DeclSpecs {
    /// A type alone.
    pub fn of_type(ty: TypeSpec, span: Span) -> DeclSpecs {
        DeclSpecs {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            constexpr: false,
            qualifiers: Qualifiers::default(),
            ty,
            alignas: Vec::new(),
            attributes: Vec::new(),
            span,
        }
    }
}

/// `_Alignas`.
#[derive(Debug)]
pub enum Alignas {
    /// `_Alignas(type)`.
    Type(TypeName),
    /// `_Alignas(expression)`.
    Expr(Expr),
}

/// A type specifier, built-in words already combined.
#[derive(Debug)]
pub enum TypeSpec {
    /// A combination of `int`, `long`, `unsigned`, `_Complex`, ... The parser has checked that it is one of
    /// C's.
    Builtin(BuiltinType),
    /// A typedef name.
    Typedef(Ident),
    /// `struct` or `union`.
    Record(Box<RecordSpec>),
    /// `enum`.
    Enum(Box<EnumSpec>),
    /// `typeof(expr)`.
    TypeofExpr(Box<Expr>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
    /// `typeof_unqual(...)`: what `typeof` gives, without qualifiers.
    Unqualified(Box<TypeSpec>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__builtin_va_list`.
    VaList,
    /// `__auto_type`, or `auto` of C23: the initialiser's.
    Auto,
    /// No type specifier at all: `int` in C89, an error later.
    Missing,
    /// Something that is no type; reported already.
    Error,
}

/// Built-in types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each variant is the type of its name")]
pub enum BuiltinType {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    /// `_Float128`: parsed, cannot be used.
    Float128,
    /// `nullptr_t`.
    Nullptr,
}

/// `struct tag { ... }` or `union tag { ... }`.
#[derive(Debug)]
pub struct RecordSpec {
    /// `union`.
    pub is_union: bool,
    /// The tag.
    pub tag: Option<Ident>,
    /// The members, if this defines the type.
    pub members: Option<Vec<Member>>,
    /// Attributes of the type.
    pub attributes: Vec<Attribute>,
    /// The specifier.
    pub span: Span,
}

/// What may stand in a struct.
#[derive(Debug)]
pub enum Member {
    /// `type a, b : 3;` An empty list is an anonymous struct or union.
    Field {
        /// Specifiers.
        specs: DeclSpecs,
        /// Declarators.
        declarators: Vec<FieldDeclarator>,
        /// The whole.
        span: Span,
    },
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// `#pragma pack` among the members.
    Pragma(Pragma),
}

/// A member's declarator; bit-fields may have no name.
#[derive(Debug)]
pub struct FieldDeclarator {
    /// Name and type; unnamed bit-fields have a nameless declarator.
    pub declarator: Declarator,
    /// `: width`.
    pub width: Option<Expr>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

/// `enum tag { A, B = 3 }`.
#[derive(Debug)]
pub struct EnumSpec {
    /// The tag.
    pub tag: Option<Ident>,
    /// The integer type behind a `:`.
    pub underlying: Option<TypeName>,
    /// The constants, if this defines the type.
    pub constants: Option<Vec<(Ident, Option<Expr>)>>,
    /// Attributes of the type.
    pub attributes: Vec<Attribute>,
    /// The specifier.
    pub span: Span,
}

/// `_Static_assert(condition, "message")`.
#[derive(Debug)]
pub struct StaticAssert {
    /// The condition.
    pub condition: Expr,
    /// The message's string literal tokens, joined by sema.
    pub message: Option<Vec<Symbol>>,
    /// The whole.
    pub span: Span,
}

/// `name(args)` inside `__attribute__((...))`; underscores around the name are stripped.
#[derive(Debug)]
pub struct Attribute {
    /// The name.
    pub name: Ident,
    /// Arguments; identifiers appear as [`ExprKind::Ident`].
    pub args: Vec<Expr>,
}

/// A declarator: a name and the derivation of its type, innermost (closest to the name) first.
#[derive(Debug)]
pub struct Declarator {
    /// The name; `None` in abstract declarators.
    pub name: Option<Ident>,
    /// `int *a[3]` has `[Array(3), Pointer]`: `a` is an array of 3 pointers.
    pub derived: Vec<Derived>,
    /// The whole.
    pub span: Span,
}

/// One step of a declarator.
#[derive(Debug)]
pub enum Derived {
    /// `*`.
    Pointer(Qualifiers),
    /// `[...]`.
    Array {
        /// The size; `None` for `[]` and `[*]`.
        size: Option<Box<Expr>>,
        /// `[*]`.
        star: bool,
        /// `static` in a parameter.
        static_: bool,
        /// Qualifiers in a parameter.
        qualifiers: Qualifiers,
    },
    /// `(...)`.
    Function(Box<FunctionDeclarator>),
}

/// The parameter list of a function declarator.
#[derive(Debug)]
pub struct FunctionDeclarator {
    /// The parameters, or the identifiers of an old-style list.
    pub params: Params,
    /// `...`.
    pub variadic: bool,
}

/// Parameters.
#[derive(Debug)]
pub enum Params {
    /// `()`: unknown before C23.
    Unknown,
    /// `(void)` is an empty list.
    Prototype(Vec<Param>),
    /// `(a, b)` of an old-style definition.
    Identifiers(Vec<Ident>),
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Specifiers.
    pub specs: DeclSpecs,
    /// Declarator, possibly nameless.
    pub declarator: Declarator,
    /// Attributes after the declarator.
    pub attributes: Vec<Attribute>,
}

/// `type-name` (C11 6.7.7).
#[derive(Debug)]
pub struct TypeName {
    /// Specifiers and qualifiers.
    pub specs: DeclSpecs,
    /// The nameless declarator.
    pub declarator: Declarator,
}

/// A function definition.
#[derive(Debug)]
pub struct FunctionDef {
    /// Specifiers.
    pub specs: DeclSpecs,
    /// The declarator; its first derivation step is the function.
    pub declarator: Declarator,
    /// `asm("name")`: the name, without quotes.
    pub asm_label: Option<Symbol>,
    /// Attributes after the declarator.
    pub attributes: Vec<Attribute>,
    /// Old-style parameter declarations.
    pub old_style: Vec<Declaration>,
    /// The body, a compound statement.
    pub body: Stmt,
    /// The whole.
    pub span: Span,
}

/// An initialiser.
#[derive(Debug)]
pub enum Initializer {
    /// `= expression`.
    Expr(Expr),
    /// `= { ... }`.
    List(InitList),
}

/// `{ designation = initialiser, ... }`.
#[derive(Debug)]
pub struct InitList {
    /// The elements.
    pub items: Vec<InitItem>,
    /// From brace to brace.
    pub span: Span,
}

/// One element.
#[derive(Debug)]
pub struct InitItem {
    /// `.a[3] =`; empty without.
    pub designators: Vec<Designator>,
    /// The value.
    pub init: Initializer,
}

/// One step of a designation.
#[derive(Debug)]
pub enum Designator {
    /// `.name`, or GNU `name:`.
    Field(Ident),
    /// `[index]`.
    Index(Expr),
    /// `[low ... high]`.
    Range(Expr, Expr),
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The whole.
    pub span: Span,
}

/// What may stand in a block.
#[derive(Debug)]
pub enum BlockItem {
    /// A declaration.
    Declaration(Declaration),
    /// A nested function definition (GNU): reported as not supported by sema.
    Function(Box<FunctionDef>),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// A pragma that is no directive.
    Pragma(Pragma),
    /// A statement.
    Stmt(Stmt),
}

/// The init part of a `for`.
#[derive(Debug)]
pub enum ForInit {
    /// Nothing.
    None,
    /// An expression.
    Expr(Expr),
    /// A declaration.
    Declaration(Declaration),
}

/// Statements.
#[derive(Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// `expression;`
    Expr(Expr),
    /// `{ ... }`
    Compound(Vec<BlockItem>),
    /// `if`.
    If {
        /// Condition.
        condition: Expr,
        /// Then.
        then: Box<Stmt>,
        /// Else.
        otherwise: Option<Box<Stmt>>,
    },
    /// `switch`.
    Switch(Expr, Box<Stmt>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do ... while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`.
    For {
        /// First clause.
        init: ForInit,
        /// Second.
        condition: Option<Expr>,
        /// Third.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
    },
    /// `goto name;`
    Goto(Ident),
    /// `goto *expr;`
    GotoComputed(Expr),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return;`
    Return(Option<Expr>),
    /// `name: statement`
    Label(Ident, Vec<Attribute>, Box<Stmt>),
    /// `case low ... high: statement`
    Case(Expr, Option<Expr>, Box<Stmt>),
    /// `default: statement`
    Default(Box<Stmt>),
    /// `__label__ a, b;`
    LocalLabels(Vec<Ident>),
    /// `__attribute__((fallthrough));`
    Attributes(Vec<Attribute>),
    /// `asm(...)`.
    Asm(Box<Asm>),
    /// A directive and, for those that have one, the statement it applies to.
    Directive(Box<Directive>, Option<Box<Stmt>>),
}

/// An `asm` statement. Only the empty template (a compiler barrier) has a meaning here.
#[derive(Debug)]
pub struct Asm {
    /// String literal tokens of the template.
    pub template: Vec<Symbol>,
    /// `(constraint, expression)`; the constraint without quotes.
    pub outputs: Vec<(Symbol, Expr)>,
    /// `(constraint, expression)`; the constraint without quotes.
    pub inputs: Vec<(Symbol, Expr)>,
    /// Clobbered registers.
    pub clobbers: Vec<Symbol>,
    /// `volatile`.
    pub volatile: bool,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole. Where an operator matters for a message, the span of the operator is in the kind.
    pub span: Span,
}

/// Unary operators that are not postfix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the operator of its name")]
pub enum UnaryOp {
    Plus,
    Minus,
    BitNot,
    Not,
    AddrOf,
    Deref,
    PreInc,
    PreDec,
    /// `__real__`.
    Real,
    /// `__imag__`.
    Imag,
}

/// Binary operators, without assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each variant is the operator of its name")]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogAnd,
    LogOr,
}

/// What an array section selects. All of it is optional.
#[derive(Debug)]
pub struct Bounds {
    /// The first element.
    pub lower: Option<Expr>,
    /// The number of elements.
    pub length: Option<Expr>,
    /// From one element to the next, in OpenMP.
    pub stride: Option<Expr>,
}

/// Expressions (C11 6.5).
#[derive(Debug)]
pub enum ExprKind {
    /// An identifier that is no type name.
    Ident(Symbol),
    /// A preprocessing number's spelling.
    Number(Symbol),
    /// A character constant's spelling.
    Char(Symbol),
    /// Spellings of adjacent string literals.
    String(Vec<Symbol>),
    /// `__func__` and its GNU spellings.
    FuncName,
    /// `( expression )`. Kept: `sizeof`, array initialisers and messages care.
    Paren(Box<Expr>),
    /// `_Generic`; an association without type is `default`.
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    /// `a[b]`, or the array section `a[lower : length]` where a directive's clause allows it.
    Index(Box<Expr>, Box<Expr>),
    /// `a[lower:length]` in a clause.
    Section(Box<Expr>, Box<Bounds>),
    /// `f(a, b)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `a.b`.
    Member(Box<Expr>, Ident),
    /// `a->b`.
    Arrow(Box<Expr>, Ident),
    /// `a++`.
    PostInc(Box<Expr>),
    /// `a--`.
    PostDec(Box<Expr>),
    /// `(type){...}`.
    CompoundLiteral(Box<TypeName>, InitList),
    /// Prefix operators.
    Unary(UnaryOp, Box<Expr>),
    /// `sizeof expression`.
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`.
    SizeofType(Box<TypeName>),
    /// `_Alignof expression` (GNU).
    AlignofExpr(Box<Expr>),
    /// `_Alignof(type)`.
    AlignofType(Box<TypeName>),
    /// `(type)expression`.
    Cast(Box<TypeName>, Box<Expr>),
    /// Binary operators; the span is the operator's.
    Binary(BinaryOp, Span, Box<Expr>, Box<Expr>),
    /// `=`.
    Assign(Box<Expr>, Box<Expr>),
    /// `op=`; the span is the operator's.
    AssignOp(BinaryOp, Span, Box<Expr>, Box<Expr>),
    /// `c ? a : b`; GNU `c ?: b` without the middle.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// `({ ... })`.
    StmtExpr(Vec<BlockItem>),
    /// `&&label`.
    LabelAddr(Ident),
    /// `__builtin_va_arg(list, type)`.
    VaArg(Box<Expr>, Box<TypeName>),
    /// `__builtin_offsetof(type, member-designator)`; the designation starts with a field.
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `__builtin_types_compatible_p(a, b)`.
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`.
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An argument of a call of `dispatch` that the device's address takes the place of:
    /// `adjust_args(need_device_ptr: ...)`.
    DevicePointer(Box<Expr>),
    /// Something that did not parse; reported already.
    Error,
}
