//! Declaration specifiers and type names (C11 6.7, 6.7.1 to 6.7.7).

use super::cursor::Parse;
use super::{Parser, ids};
use crate::ast::{Alignas, Attribute, BuiltinType, DeclSpecs, Ident, StorageClass, TypeName, TypeSpec};
use crate::diag::Diagnostic;
use crate::headers::NO_INTRINSICS;
use crate::options::Standard;
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};

/// Where specifiers stand, which decides what may be among them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecifierContext {
    /// Of a declaration.
    Declaration,
    /// Of a parameter.
    Parameter,
    /// Of a struct member or a type name: no storage class, no function specifier.
    SpecifierQualifierList,
    /// Of a compound literal: some storage classes.
    CompoundLiteral,
}

/// The built-in word that says what kind of type it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Void,
    Bool,
    Char,
    Int,
    Int128,
    Float,
    Double,
    /// `_Float32` and the like, which combine with nothing but `_Complex`.
    FloatN(BuiltinType),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Short,
    Long,
    LongLong,
}

/// Built-in type words seen so far.
#[derive(Clone, Copy, Default)]
struct Words {
    base: Option<Base>,
    width: Option<Width>,
    /// `Some(true)` is `unsigned`.
    unsigned: Option<bool>,
    complex: bool,
}

/// Why a word does not fit to those before it.
enum Misfit {
    Duplicate,
    TooLong,
    Conflict,
}

impl Words {
    fn is_empty(self) -> bool {
        self.base.is_none() && self.width.is_none() && self.unsigned.is_none() && !self.complex
    }

    /// The words with `keyword` added.
    fn with(mut self, keyword: Keyword) -> Result<Words, Misfit> {
        match keyword {
            Keyword::Short => match self.width {
                None => self.width = Some(Width::Short),
                Some(Width::Short) => return Err(Misfit::Duplicate),
                Some(Width::Long | Width::LongLong) => return Err(Misfit::Conflict),
            },
            Keyword::Long => match self.width {
                None => self.width = Some(Width::Long),
                Some(Width::Long) => self.width = Some(Width::LongLong),
                Some(Width::LongLong) => return Err(Misfit::TooLong),
                Some(Width::Short) => return Err(Misfit::Conflict),
            },
            Keyword::Signed | Keyword::Unsigned => {
                let unsigned = keyword == Keyword::Unsigned;
                match self.unsigned {
                    None => self.unsigned = Some(unsigned),
                    Some(known) if known == unsigned => return Err(Misfit::Duplicate),
                    Some(_) => return Err(Misfit::Conflict),
                }
            }
            Keyword::Complex if self.complex => return Err(Misfit::Duplicate),
            Keyword::Complex => self.complex = true,
            _ => {
                let base = base_of(keyword);
                if self.base.is_some() {
                    return Err(if self.base == base { Misfit::Duplicate } else { Misfit::Conflict });
                }
                self.base = base;
            }
        }
        if self.fits() { Ok(self) } else { Err(Misfit::Conflict) }
    }

    fn fits(self) -> bool {
        let plain = self.unsigned.is_none();
        match self.base {
            None | Some(Base::Int) => true,
            Some(Base::Void | Base::Bool) => plain && self.width.is_none() && !self.complex,
            Some(Base::Char | Base::Int128) => self.width.is_none(),
            Some(Base::Float | Base::FloatN(_)) => plain && self.width.is_none(),
            Some(Base::Double) => plain && matches!(self.width, None | Some(Width::Long)),
        }
    }

    /// The type the words make together; none for the complex integers of GNU C.
    fn builtin(self) -> Option<BuiltinType> {
        use BuiltinType as T;
        let unsigned = self.unsigned == Some(true);
        let pick = |signed, unsigned_type| if unsigned { unsigned_type } else { signed };
        let real = match self.base {
            None if self.complex && self.width.is_none() && self.unsigned.is_none() => T::Double,
            Some(Base::Void) => T::Void,
            Some(Base::Bool) => T::Bool,
            Some(Base::Char) => match self.unsigned {
                None => T::Char,
                Some(false) => T::SChar,
                Some(true) => T::UChar,
            },
            None | Some(Base::Int) => match self.width {
                None => pick(T::Int, T::UInt),
                Some(Width::Short) => pick(T::Short, T::UShort),
                Some(Width::Long) => pick(T::Long, T::ULong),
                Some(Width::LongLong) => pick(T::LongLong, T::ULongLong),
            },
            Some(Base::Int128) => pick(T::Int128, T::UInt128),
            Some(Base::Float) => T::Float,
            Some(Base::Double) if self.width == Some(Width::Long) => T::LongDouble,
            Some(Base::Double) => T::Double,
            Some(Base::FloatN(ty)) => ty,
        };
        match (self.complex, real) {
            (false, ty) => Some(ty),
            (true, T::Float) => Some(T::ComplexFloat),
            (true, T::Double) => Some(T::ComplexDouble),
            (true, T::LongDouble) => Some(T::ComplexLongDouble),
            // Neither can be used, so there is no need to tell them apart.
            (true, T::Float128) => Some(T::Float128),
            (true, _) => None,
        }
    }
}

fn base_of(keyword: Keyword) -> Option<Base> {
    Some(match keyword {
        Keyword::Void => Base::Void,
        Keyword::Bool => Base::Bool,
        Keyword::Char => Base::Char,
        Keyword::Int => Base::Int,
        Keyword::Int128 => Base::Int128,
        Keyword::Float => Base::Float,
        Keyword::Double => Base::Double,
        Keyword::Float32 => Base::FloatN(BuiltinType::Float),
        Keyword::Float64 | Keyword::Float32x => Base::FloatN(BuiltinType::Double),
        Keyword::Float64x => Base::FloatN(BuiltinType::LongDouble),
        Keyword::Float128 => Base::FloatN(BuiltinType::Float128),
        _ => return None,
    })
}

/// Specifiers under construction.
struct Builder {
    specs: DeclSpecs,
    words: Words,
    /// `auto` of C23.
    auto: Option<Span>,
    /// The first specifier that says something about the type.
    type_span: Option<Span>,
    /// A type that cannot be combined with words.
    whole: bool,
    failed: bool,
}

impl Builder {
    fn has_type(&self) -> bool {
        self.whole || self.failed || !self.words.is_empty()
    }
}

/// Whether a keyword begins a declaration, and if so, whether it can also begin a type name.
#[derive(PartialEq, Eq)]
enum KeywordRole {
    /// Type specifiers, qualifiers, `_Alignas`.
    Type,
    /// Storage classes and function specifiers.
    DeclarationOnly,
    Other,
}

fn role(keyword: Keyword) -> KeywordRole {
    match keyword {
        Keyword::Char
        | Keyword::Const
        | Keyword::Double
        | Keyword::Enum
        | Keyword::Float
        | Keyword::Int
        | Keyword::Long
        | Keyword::Restrict
        | Keyword::Short
        | Keyword::Signed
        | Keyword::Struct
        | Keyword::Union
        | Keyword::Unsigned
        | Keyword::Void
        | Keyword::Volatile
        | Keyword::Alignas
        | Keyword::Atomic
        | Keyword::Bool
        | Keyword::Complex
        | Keyword::Imaginary
        | Keyword::Float32
        | Keyword::Float64
        | Keyword::Float32x
        | Keyword::Float64x
        | Keyword::Float128
        | Keyword::Int128
        | Keyword::BitInt
        | Keyword::Decimal32
        | Keyword::Decimal64
        | Keyword::Decimal128
        | Keyword::AutoType
        | Keyword::TypeofUnqual
        | Keyword::Typeof => KeywordRole::Type,
        Keyword::Auto
        | Keyword::Extern
        | Keyword::Inline
        | Keyword::Register
        | Keyword::Static
        | Keyword::Typedef
        | Keyword::Noreturn
        | Keyword::Constexpr
        | Keyword::ThreadLocal => KeywordRole::DeclarationOnly,
        Keyword::Break
        | Keyword::Case
        | Keyword::Continue
        | Keyword::Default
        | Keyword::Do
        | Keyword::Else
        | Keyword::For
        | Keyword::Goto
        | Keyword::If
        | Keyword::Return
        | Keyword::Sizeof
        | Keyword::Switch
        | Keyword::While
        | Keyword::Alignof
        | Keyword::Generic
        | Keyword::StaticAssert
        | Keyword::Asm
        | Keyword::Attribute
        | Keyword::Extension
        | Keyword::Label
        | Keyword::Real
        | Keyword::Imag
        | Keyword::BuiltinVaArg
        | Keyword::BuiltinOffsetof
        | Keyword::BuiltinTypesCompatible
        | Keyword::BuiltinChooseExpr
        | Keyword::False
        | Keyword::Nullptr
        | Keyword::True
        | Keyword::FuncName => KeywordRole::Other,
    }
}

impl Parser<'_> {
    fn token_at(&self, n: usize) -> Token {
        self.tokens.get(self.pos + n).copied().unwrap_or(self.eof)
    }

    /// Whether the token `n` behind the current one begins a type name.
    pub fn starts_type_name(&self, mut n: usize) -> bool {
        while self.token_at(n).kind == TokenKind::Keyword(Keyword::Extension) {
            n += 1;
        }
        let token = self.token_at(n);
        match token.kind {
            TokenKind::Ident => self.scopes.is_typedef(token.sym),
            TokenKind::Keyword(Keyword::Attribute) => true,
            TokenKind::Keyword(keyword) => role(keyword) == KeywordRole::Type,
            _ => false,
        }
    }

    /// Whether specifiers of a compound literal with a storage class begin `n` behind the current token.
    pub fn starts_literal_storage(&self, n: usize) -> bool {
        let mut words = (n..).map(|n| self.token_at(n).kind);
        let storage = words.find(|kind| match kind {
            TokenKind::Keyword(keyword) => role(*keyword) != KeywordRole::Type,
            kind => *kind != TokenKind::Ident,
        });
        matches!(
            storage,
            Some(TokenKind::Keyword(
                Keyword::Static | Keyword::Register | Keyword::ThreadLocal | Keyword::Constexpr
            ))
        )
    }

    /// Whether the current token begins a declaration, attributes aside.
    pub fn starts_declaration(&self) -> bool {
        self.starts_declaration_at(0)
    }

    /// Whether the token `n` behind the current one begins a declaration, attributes aside.
    pub fn starts_declaration_at(&self, mut n: usize) -> bool {
        while self.token_at(n).kind == TokenKind::Keyword(Keyword::Extension) {
            n += 1;
        }
        let token = self.token_at(n);
        match token.kind {
            TokenKind::Ident => self.scopes.is_typedef(token.sym) || self.peek(n + 1) == TokenKind::Ident,
            TokenKind::Keyword(keyword) => role(keyword) != KeywordRole::Other,
            _ => false,
        }
    }

    // declaration-specifiers:
    //     storage-class-specifier declaration-specifiers(opt)
    //     type-specifier declaration-specifiers(opt)
    //     type-qualifier declaration-specifiers(opt)
    //     function-specifier declaration-specifiers(opt)
    //     alignment-specifier declaration-specifiers(opt)
    // specifier-qualifier-list:
    //     type-specifier specifier-qualifier-list(opt)
    //     type-qualifier specifier-qualifier-list(opt)
    pub fn declaration_specifiers(
        &mut self,
        attributes: Vec<Attribute>,
        context: SpecifierContext,
    ) -> Parse<DeclSpecs> {
        let first = self.tok.loc;
        let start = self.pos;
        let mut b = Builder {
            specs: DeclSpecs { attributes, ..DeclSpecs::of_type(TypeSpec::Missing, Span::at(first)) },
            words: Words::default(),
            auto: None,
            type_span: None,
            whole: false,
            failed: false,
        };
        loop {
            match self.tok.kind {
                TokenKind::Ident => {
                    if b.has_type() || !self.typedef_name(&mut b, context) {
                        break;
                    }
                }
                TokenKind::Keyword(keyword) => {
                    if self.forgotten_semicolon(&b, keyword) || !self.specifier(&mut b, keyword, context)? {
                        break;
                    }
                }
                // Of the type: `int [[maybe_unused]] x`.
                TokenKind::Punct(Punct::LBracket) if self.at_std_attributes() && b.has_type() => {
                    self.attribute_specifiers(&mut b.specs.attributes)?;
                }
                _ => break,
            }
        }
        if self.pos != start {
            b.specs.span = self.span_from(first);
        }
        if let Some(span) = b.auto {
            self.auto_specifier(&mut b, span);
        }
        if b.failed {
            b.specs.ty = TypeSpec::Error;
        } else if !b.words.is_empty() {
            b.specs.ty = match b.words.builtin() {
                Some(ty) => TypeSpec::Builtin(ty),
                None => {
                    let at = b.type_span.unwrap_or(b.specs.span);
                    let message = "complex integer types are not supported";
                    self.report(Diagnostic::error(ids::UNSUPPORTED_TYPE, at, message));
                    TypeSpec::Error
                }
            };
        }
        Ok(b.specs)
    }

    /// `auto` of C23: without a type it stands for that of the initialiser, with one it is a storage class.
    fn auto_specifier(&mut self, b: &mut Builder, span: Span) {
        if !b.has_type() {
            b.specs.ty = TypeSpec::Auto;
            return;
        }
        if let Some((_, known)) = b.specs.storage {
            let diagnostic = Diagnostic::error(
                ids::CONFLICTING_SPECIFIERS,
                span,
                "`auto` beside a type is a second storage class",
            );
            self.report(diagnostic.related(known, "the first is here"));
            return;
        }
        b.specs.storage = Some((StorageClass::Auto, span));
    }

    /// One specifier that begins with a keyword; false if the keyword begins none.
    fn specifier(&mut self, b: &mut Builder, keyword: Keyword, context: SpecifierContext) -> Parse<bool> {
        match keyword {
            Keyword::Const => b.specs.qualifiers.const_ = true,
            Keyword::Volatile => b.specs.qualifiers.volatile = true,
            Keyword::Restrict => b.specs.qualifiers.restrict = true,
            Keyword::Extension => {}
            Keyword::Typedef
            | Keyword::Extern
            | Keyword::Static
            | Keyword::Auto
            | Keyword::Register
            | Keyword::ThreadLocal
            | Keyword::Inline
            | Keyword::Constexpr
            | Keyword::Noreturn => {
                self.storage_or_function_specifier(b, keyword, context);
                return Ok(true);
            }
            Keyword::Attribute => {
                self.attribute_specifiers(&mut b.specs.attributes)?;
                return Ok(true);
            }
            Keyword::Alignas => {
                let alignas = self.nested(|p| p.alignment_specifier())?;
                b.specs.alignas.push(alignas);
                return Ok(true);
            }
            Keyword::Atomic if self.peek(1) != TokenKind::Punct(Punct::LParen) => {
                b.specs.qualifiers.atomic = true;
            }
            Keyword::BitInt | Keyword::Decimal32 | Keyword::Decimal64 | Keyword::Decimal128 => {
                self.unsupported_type(b, keyword)?;
                return Ok(true);
            }
            Keyword::Atomic
            | Keyword::Struct
            | Keyword::Union
            | Keyword::Enum
            | Keyword::Typeof
            | Keyword::TypeofUnqual => {
                let first = self.tok.loc;
                let ty = self.nested(|p| p.compound_type_specifier(keyword))?;
                self.whole_type(b, ty, self.span_from(first));
                return Ok(true);
            }
            Keyword::AutoType => {
                let span = Span::at(self.bump().loc);
                self.whole_type(b, TypeSpec::Auto, span);
                return Ok(true);
            }
            Keyword::Imaginary => {
                let at = Span::at(self.bump().loc);
                let message = "imaginary types are not supported";
                self.report(Diagnostic::error(ids::UNSUPPORTED_TYPE, at, message));
                b.failed = true;
                return Ok(true);
            }
            Keyword::Complex => self.type_word(b, keyword),
            _ if base_of(keyword).is_some() => self.type_word(b, keyword),
            Keyword::Short | Keyword::Long | Keyword::Signed | Keyword::Unsigned => {
                self.type_word(b, keyword);
            }
            _ => return Ok(false),
        }
        self.bump();
        Ok(true)
    }

    /// `_BitInt(N)` or a decimal floating type.
    fn unsupported_type(&mut self, b: &mut Builder, keyword: Keyword) -> Parse<()> {
        let first = self.bump().loc;
        let what = if keyword == Keyword::BitInt {
            let open = self.expect(Punct::LParen)?;
            self.nested(|p| p.constant_expression())?;
            self.expect_close(Punct::RParen, open)?;
            "bit-precise integers (`_BitInt`) are not supported"
        } else {
            "decimal floating types are not supported"
        };
        let span = self.span_from(first);
        if !b.failed {
            self.report(Diagnostic::error(ids::UNSUPPORTED_TYPE, span, what));
        }
        b.failed = true;
        Ok(())
    }

    /// Takes note of the current token, a word of a built-in type.
    fn type_word(&mut self, b: &mut Builder, keyword: Keyword) {
        let at = Span::at(self.tok.loc);
        if b.failed {
            return;
        }
        let misfit = match b.words.with(keyword) {
            _ if b.whole => Misfit::Conflict,
            Ok(words) => {
                b.words = words;
                b.type_span.get_or_insert(at);
                return;
            }
            Err(misfit) => misfit,
        };
        let word = self.describe(self.tok);
        let (id, message) = match misfit {
            Misfit::Duplicate => (ids::DUPLICATE_SPECIFIER, format!("{word} is given twice")),
            Misfit::TooLong => (ids::CONFLICTING_SPECIFIERS, "`long long long` is too long for C".to_owned()),
            Misfit::Conflict => {
                (ids::CONFLICTING_SPECIFIERS, format!("{word} cannot be combined with the type before it"))
            }
        };
        let mut diagnostic = Diagnostic::error(id, at, message);
        if let Some(span) = b.type_span {
            diagnostic = diagnostic.related(span, "the type began here");
        }
        self.report(diagnostic);
        b.failed = true;
    }

    /// Takes note of a type that is not made of words.
    fn whole_type(&mut self, b: &mut Builder, ty: TypeSpec, span: Span) {
        if b.has_type() {
            if !b.failed {
                let message = "two types in one declaration";
                let mut diagnostic = Diagnostic::error(ids::CONFLICTING_SPECIFIERS, span, message);
                if let Some(span) = b.type_span {
                    diagnostic = diagnostic.related(span, "the first is here");
                }
                self.report(diagnostic);
            }
            b.failed = true;
            return;
        }
        b.whole = true;
        b.type_span = Some(span);
        b.specs.ty = ty;
    }

    /// The current identifier, if it is the type: a typedef name, or a name that can be nothing else but an
    /// unknown type.
    fn typedef_name(&mut self, b: &mut Builder, context: SpecifierContext) -> bool {
        if self.scopes.is_typedef(self.tok.sym) {
            let ident = self.bump_ident();
            let ty = match ident.sym {
                sym if sym == self.names.va_list => TypeSpec::VaList,
                sym if sym == self.names.int128 => TypeSpec::Builtin(BuiltinType::Int128),
                sym if sym == self.names.uint128 => TypeSpec::Builtin(BuiltinType::UInt128),
                sym if sym == self.names.float128 => TypeSpec::Builtin(BuiltinType::Float128),
                _ => TypeSpec::Typedef(ident),
            };
            self.whole_type(b, ty, ident.span);
            return true;
        }
        if !self.looks_like_type(context) {
            return false;
        }
        let ident = Ident { sym: self.tok.sym, span: Span::at(self.tok.loc) };
        self.unknown_type(ident);
        self.bump();
        b.failed = true;
        true
    }

    /// Whether the current identifier, no type name and where a type is missing, is more likely a misspelt
    /// type than a name whose type was left out.
    fn looks_like_type(&self, context: SpecifierContext) -> bool {
        match self.peek(1) {
            TokenKind::Ident => true,
            TokenKind::Punct(Punct::Star) => {
                let mut n = 2;
                while matches!(
                    self.peek(n),
                    TokenKind::Punct(Punct::Star) | TokenKind::Keyword(Keyword::Const | Keyword::Restrict)
                ) {
                    n += 1;
                }
                match self.peek(n) {
                    TokenKind::Ident => true,
                    TokenKind::Punct(Punct::Comma | Punct::RParen) => context == SpecifierContext::Parameter,
                    _ => false,
                }
            }
            TokenKind::Punct(Punct::Comma | Punct::RParen) => context == SpecifierContext::Parameter,
            TokenKind::Keyword(Keyword::Const | Keyword::Volatile) => true,
            _ => false,
        }
    }

    /// Reports a name that should be a type and is none.
    pub fn unknown_type(&mut self, ident: Ident) {
        let text = self.interner.text(ident.sym);
        let message = format!("unknown type name `{text}`");
        let mut diagnostic = Diagnostic::error(ids::UNKNOWN_TYPE, ident.span, message);
        if text.starts_with("__m128") || text.starts_with("__m256") || text.starts_with("__m512") {
            diagnostic = diagnostic.note(NO_INTRINSICS);
        } else if self.errors < 20 {
            // The search looks at every type name there is, which is no concern unless errors abound.
            let types = self.scopes.typedefs().map(|sym| self.interner.text(sym));
            let words = ["char", "short", "int", "long", "float", "double", "unsigned", "signed", "void"];
            if let Some(header) = crate::suggest::header_of(text) {
                diagnostic = diagnostic.note(format!("`{text}` is declared in <{header}>: include it"));
            } else if let Some(note) = super::directive::did_you_mean(text, words.into_iter().chain(types)) {
                diagnostic = diagnostic.note(note);
            }
        }
        self.report_here(diagnostic);
    }

    // storage-class-specifier: typedef | extern | static | _Thread_local | auto | register | constexpr
    // function-specifier: inline | _Noreturn
    fn storage_or_function_specifier(
        &mut self,
        b: &mut Builder,
        keyword: Keyword,
        context: SpecifierContext,
    ) {
        let token = self.bump();
        let at = Span::at(token.loc);
        let storage = match keyword {
            Keyword::Typedef => Some(StorageClass::Typedef),
            Keyword::Extern => Some(StorageClass::Extern),
            Keyword::Static => Some(StorageClass::Static),
            Keyword::Auto => Some(StorageClass::Auto),
            Keyword::Register => Some(StorageClass::Register),
            _ => None,
        };
        let misplaced = match context {
            SpecifierContext::Declaration => false,
            SpecifierContext::Parameter => keyword != Keyword::Register,
            SpecifierContext::SpecifierQualifierList => true,
            SpecifierContext::CompoundLiteral => matches!(
                keyword,
                Keyword::Typedef | Keyword::Extern | Keyword::Auto | Keyword::Inline | Keyword::Noreturn
            ),
        };
        if misplaced {
            let word = self.describe(token);
            let what = if context == SpecifierContext::Parameter { "a parameter" } else { "this type" };
            let message = format!("{word} cannot stand in the specifiers of {what}");
            self.report(Diagnostic::error(ids::MISPLACED_SPECIFIER, at, message));
            return;
        }
        match keyword {
            Keyword::Inline => b.specs.inline = true,
            Keyword::Noreturn => b.specs.noreturn = true,
            Keyword::ThreadLocal => b.specs.thread_local = true,
            Keyword::Constexpr => b.specs.constexpr = true,
            Keyword::Auto if self.standard >= Standard::C23 => {
                b.auto = Some(at);
                return;
            }
            _ => {}
        }
        let Some(storage) = storage else { return };
        if let Some((known, span)) = b.specs.storage {
            let word = self.describe(token);
            let (id, message) = if known == storage {
                (ids::DUPLICATE_SPECIFIER, format!("{word} is given twice"))
            } else {
                (ids::CONFLICTING_SPECIFIERS, format!("{word} is a second storage class"))
            };
            self.report(Diagnostic::error(id, at, message).related(span, "the first is here"));
            return;
        }
        b.specs.storage = Some((storage, at));
    }

    // type-specifier:
    //     atomic-type-specifier | struct-or-union-specifier | enum-specifier
    //     typeof ( expression ) | typeof ( type-name )                               (GNU)
    fn compound_type_specifier(&mut self, keyword: Keyword) -> Parse<TypeSpec> {
        match keyword {
            Keyword::Enum => Ok(TypeSpec::Enum(Box::new(self.enum_specifier()?))),
            Keyword::Typeof | Keyword::TypeofUnqual => {
                self.bump();
                let open = self.expect(Punct::LParen)?;
                let ty = if self.starts_type_name(0) {
                    TypeSpec::TypeofType(Box::new(self.type_name()?))
                } else {
                    TypeSpec::TypeofExpr(Box::new(self.expression()?))
                };
                self.expect_close(Punct::RParen, open)?;
                let is_unqualified = keyword == Keyword::TypeofUnqual;
                Ok(if is_unqualified { TypeSpec::Unqualified(Box::new(ty)) } else { ty })
            }
            Keyword::Atomic => {
                self.bump();
                let open = self.expect(Punct::LParen)?;
                let name = self.type_name()?;
                self.expect_close(Punct::RParen, open)?;
                Ok(TypeSpec::Atomic(Box::new(name)))
            }
            _ => Ok(TypeSpec::Record(Box::new(self.struct_or_union_specifier()?))),
        }
    }

    // alignment-specifier:
    //     _Alignas ( type-name )
    //     _Alignas ( constant-expression )
    fn alignment_specifier(&mut self) -> Parse<Alignas> {
        self.bump();
        let open = self.expect(Punct::LParen)?;
        let alignas = if self.starts_type_name(0) {
            Alignas::Type(self.type_name()?)
        } else {
            Alignas::Expr(self.constant_expression()?)
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(alignas)
    }

    /// After `struct s { ... }` a line that begins with another type: the `;` between them was forgotten, and
    /// saying so is more help than that two types do not go together.
    fn forgotten_semicolon(&mut self, b: &Builder, keyword: Keyword) -> bool {
        self.semicolon_missing_after(&b.specs.ty, keyword)
    }

    /// Whether the keyword at the current token begins a new declaration right behind the definition of type
    /// `ty`.
    pub fn semicolon_missing_after(&self, ty: &TypeSpec, keyword: Keyword) -> bool {
        let defines = match ty {
            TypeSpec::Record(record) => record.members.is_some(),
            TypeSpec::Enum(spec) => spec.constants.is_some(),
            _ => false,
        };
        let first_of_line = self.tok.flags & Token::LINE_START != 0;
        if !defines
            || !first_of_line
            || role(keyword) == KeywordRole::Other
            || self.prev.kind != TokenKind::Punct(Punct::RBrace)
        {
            return false;
        }
        // A qualifier or a storage class may well follow the type.
        !matches!(keyword, Keyword::Const | Keyword::Volatile)
    }

    // type-name:
    //     specifier-qualifier-list abstract-declarator(opt)
    pub fn type_name(&mut self) -> Parse<TypeName> {
        self.type_name_in(SpecifierContext::SpecifierQualifierList)
    }

    // storage-class-specifiers(opt) type-name
    /// The type of a compound literal.
    pub fn literal_type_name(&mut self) -> Parse<TypeName> {
        self.type_name_in(SpecifierContext::CompoundLiteral)
    }

    fn type_name_in(&mut self, context: SpecifierContext) -> Parse<TypeName> {
        let start = self.pos;
        let specs = self.declaration_specifiers(Vec::new(), context)?;
        if self.pos == start {
            if self.tok.kind == TokenKind::Ident {
                let ident = Ident { sym: self.tok.sym, span: Span::at(self.tok.loc) };
                self.unknown_type(ident);
                return Err(super::cursor::Reported);
            }
            return Err(self.expected(ids::EXPECTED_TYPE, "a type"));
        }
        let declarator = self.declarator(super::declarator::DeclaratorForm::Abstract)?;
        Ok(TypeName { specs, declarator })
    }
}
