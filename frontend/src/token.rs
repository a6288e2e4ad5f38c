//! Tokens, as the preprocessor hands them to the parser.

use crate::intern::Symbol;
use crate::source::Loc;

/// A token after preprocessing. Adjacent string literals are not yet joined and `sym` is the exact spelling,
/// so the parser decides what a literal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// [`Token::SPACE_BEFORE`] and the like, for `#` and for `-E`.
    pub flags: u8,
    /// Its spelling. For punctuators this is meaningless; [`Punct::spelling`] has the text.
    pub sym: Symbol,
    /// Where it stands.
    pub loc: Loc,
}

impl Token {
    /// White space stood before the token.
    pub const SPACE_BEFORE: u8 = 1;
    /// The token is the first of its line.
    pub const LINE_START: u8 = 2;
    /// The token is the name of a macro that is being expanded and must not be expanded again (C11
    /// 6.10.3.4p2).
    pub const NO_EXPAND: u8 = 4;
    /// The token comes from a system header, in which warnings are not given.
    pub const SYSTEM: u8 = 8;
}

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// An identifier that is no keyword.
    Ident,
    /// A keyword of C or of the GNU dialect, alternative spellings (`__inline__`) folded.
    Keyword(Keyword),
    /// A preprocessing number (C11 6.4.8): integer or floating constant, suffix included.
    Number,
    /// A character constant with prefix and quotes.
    Char,
    /// A string literal with prefix and quotes.
    String,
    /// A punctuator; digraphs are folded.
    Punct(Punct),
    /// `#pragma acc` or `_Pragma("acc ...")`: the directive's tokens follow, macro-expanded, up to
    /// [`Self::PragmaEnd`]. Inside, identifiers that are C keywords (`if`, `default`, `static`, ...) are
    /// [`Self::Keyword`] as anywhere.
    PragmaAcc,
    /// `#pragma omp`, as for [`Self::PragmaAcc`].
    PragmaOmp,
    /// `#pragma GCC`, `pack`, `weak` and the other pragmas that the parser understands; the tokens after
    /// `pragma` follow, not macro-expanded, up to [`Self::PragmaEnd`].
    PragmaOther,
    /// The end of the line of a pragma.
    PragmaEnd,
    /// A character that is no token of C; the preprocessor has reported it unless it was skipped.
    Unknown,
    /// The end of the translation unit. The parser may ask for tokens past it and gets it again.
    Eof,
}

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "each variant is named after its spelling")]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// All of them, in declaration order.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The text in source code.
            pub fn spelling(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

spelled! {
    /// Keywords. Alternative spellings are listed in [`Keyword::ALTERNATIVES`] and [`Keyword::C23`].
    Keyword {
        Auto = "auto",
        Break = "break",
        Case = "case",
        Char = "char",
        Const = "const",
        Continue = "continue",
        Default = "default",
        Do = "do",
        Double = "double",
        Else = "else",
        Enum = "enum",
        Extern = "extern",
        Float = "float",
        For = "for",
        Goto = "goto",
        If = "if",
        Inline = "inline",
        Int = "int",
        Long = "long",
        Register = "register",
        Restrict = "restrict",
        Return = "return",
        Short = "short",
        Signed = "signed",
        Sizeof = "sizeof",
        Static = "static",
        Struct = "struct",
        Switch = "switch",
        Typedef = "typedef",
        Union = "union",
        Unsigned = "unsigned",
        Void = "void",
        Volatile = "volatile",
        While = "while",
        Alignas = "_Alignas",
        Alignof = "_Alignof",
        Atomic = "_Atomic",
        Bool = "_Bool",
        Complex = "_Complex",
        Generic = "_Generic",
        Imaginary = "_Imaginary",
        Noreturn = "_Noreturn",
        StaticAssert = "_Static_assert",
        ThreadLocal = "_Thread_local",
        BitInt = "_BitInt",
        Decimal32 = "_Decimal32",
        Decimal64 = "_Decimal64",
        Decimal128 = "_Decimal128",
        Constexpr = "constexpr",
        False = "false",
        Nullptr = "nullptr",
        True = "true",
        TypeofUnqual = "typeof_unqual",
        Float32 = "_Float32",
        Float64 = "_Float64",
        Float32x = "_Float32x",
        Float64x = "_Float64x",
        Float128 = "_Float128",
        Int128 = "__int128",
        AutoType = "__auto_type",
        Typeof = "typeof",
        Asm = "asm",
        Attribute = "__attribute__",
        Extension = "__extension__",
        Label = "__label__",
        Real = "__real__",
        Imag = "__imag__",
        BuiltinVaArg = "__builtin_va_arg",
        BuiltinOffsetof = "__builtin_offsetof",
        BuiltinTypesCompatible = "__builtin_types_compatible_p",
        BuiltinChooseExpr = "__builtin_choose_expr",
        FuncName = "__func__",
    }
}

impl Keyword {
    /// Spellings GNU C also accepts for a keyword.
    pub const ALTERNATIVES: &[(&str, Keyword)] = &[
        ("__inline", Keyword::Inline),
        ("__inline__", Keyword::Inline),
        ("__const", Keyword::Const),
        ("__const__", Keyword::Const),
        ("__volatile", Keyword::Volatile),
        ("__volatile__", Keyword::Volatile),
        ("__restrict", Keyword::Restrict),
        ("__restrict__", Keyword::Restrict),
        ("__signed", Keyword::Signed),
        ("__signed__", Keyword::Signed),
        ("__typeof", Keyword::Typeof),
        ("__typeof__", Keyword::Typeof),
        ("__asm", Keyword::Asm),
        ("__asm__", Keyword::Asm),
        ("__attribute", Keyword::Attribute),
        ("__alignof", Keyword::Alignof),
        ("__alignof__", Keyword::Alignof),
        ("__thread", Keyword::ThreadLocal),
        ("__complex__", Keyword::Complex),
        ("__complex", Keyword::Complex),
        ("__real", Keyword::Real),
        ("__imag", Keyword::Imag),
        ("__FUNCTION__", Keyword::FuncName),
        ("__PRETTY_FUNCTION__", Keyword::FuncName),
    ];

    /// Spellings that C23 has for a keyword, and earlier standards have as macros of headers.
    pub const C23: &[(&str, Keyword)] = &[
        ("alignas", Keyword::Alignas),
        ("alignof", Keyword::Alignof),
        ("bool", Keyword::Bool),
        ("static_assert", Keyword::StaticAssert),
        ("thread_local", Keyword::ThreadLocal),
    ];
}

spelled! {
    /// Punctuators (C11 6.4.6), digraphs folded into their primary spelling.
    Punct {
        LBracket = "[",
        RBracket = "]",
        LParen = "(",
        RParen = ")",
        LBrace = "{",
        RBrace = "}",
        Dot = ".",
        Arrow = "->",
        PlusPlus = "++",
        MinusMinus = "--",
        Amp = "&",
        Star = "*",
        Plus = "+",
        Minus = "-",
        Tilde = "~",
        Bang = "!",
        Slash = "/",
        Percent = "%",
        Shl = "<<",
        Shr = ">>",
        Lt = "<",
        Gt = ">",
        Le = "<=",
        Ge = ">=",
        EqEq = "==",
        Ne = "!=",
        Caret = "^",
        Pipe = "|",
        AmpAmp = "&&",
        PipePipe = "||",
        Question = "?",
        Colon = ":",
        Semi = ";",
        Ellipsis = "...",
        Eq = "=",
        StarEq = "*=",
        SlashEq = "/=",
        PercentEq = "%=",
        PlusEq = "+=",
        MinusEq = "-=",
        ShlEq = "<<=",
        ShrEq = ">>=",
        AmpEq = "&=",
        CaretEq = "^=",
        PipeEq = "|=",
        Comma = ",",
        Hash = "#",
        HashHash = "##",
    }
}
