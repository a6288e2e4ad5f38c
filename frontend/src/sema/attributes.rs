//! `__attribute__`: which have a meaning here, which are harmless, which are not supported.

use super::{Sema, ids};
use crate::ast::{self, Attribute, Ident};
use crate::ctype::{CType, FloatKind, IntKind, QualType, TypeId};
use crate::source::Span;
use std::sync::Arc;

/// The attributes of one declaration or type that change what it means.
#[derive(Clone, Default, Debug)]
pub(super) struct Attributes {
    pub packed: bool,
    pub aligned: Option<u64>,
    pub weak: bool,
    pub alias: Option<Arc<str>>,
    pub noreturn: bool,
    pub always_inline: bool,
    pub noinline: bool,
    pub gnu_inline: bool,
    pub returns_twice: bool,
    pub constructor: Option<u32>,
    pub destructor: Option<u32>,
    pub transparent_union: bool,
    /// `mode(DI)` and the like.
    pub mode: Option<Mode>,
    /// The type that `vector_size` makes: one that cannot be used, or that of an error.
    pub vector: Option<TypeId>,
    /// `cleanup(function)`, as the name of the function.
    pub cleanup: Option<Ident>,
}

/// A machine mode: the width of an integer or floating type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// The integer type of a size in bytes.
    Int(u64),
    Float(FloatKind),
    Complex(FloatKind),
    Unsupported,
}

/// The priority of constructors without one: they run last.
const DEFAULT_PRIORITY: u32 = 65535;

impl Sema<'_> {
    /// Adds what a list of attributes says.
    pub(super) fn read_attributes(&mut self, list: &[Attribute], out: &mut Attributes) {
        for attribute in list {
            self.read_attribute(attribute, out);
        }
    }

    fn read_attribute(&mut self, attribute: &Attribute, out: &mut Attributes) {
        let span = attribute.name.span;
        let name = self.session.interner.shared(attribute.name.sym);
        match &*name {
            "packed" => out.packed = true,
            "aligned" => {
                let align = match attribute.args.first() {
                    None => Some(16),
                    Some(arg) => self.alignment(arg),
                };
                out.aligned = out.aligned.max(align);
            }
            "weak" => out.weak = true,
            "alias" => out.alias = self.string_argument(attribute),
            "noreturn" | "_Noreturn" => out.noreturn = true,
            "always_inline" => out.always_inline = true,
            "noinline" => out.noinline = true,
            "gnu_inline" => out.gnu_inline = true,
            "returns_twice" => out.returns_twice = true,
            "constructor" => out.constructor = Some(self.priority(attribute)),
            "destructor" => out.destructor = Some(self.priority(attribute)),
            "transparent_union" => out.transparent_union = true,
            "mode" => out.mode = self.mode(attribute),
            "vector_size" => out.vector = Some(self.vector_type(span)),
            "cleanup" => out.cleanup = self.name_argument(attribute),
            "ifunc" | "target_clones" => {
                self.error(ids::ATTRIBUTE_UNSUPPORTED, span, format!("attribute '{name}' is not supported"));
            }
            "may_alias" => self.may_alias = true,
            _ if is_harmless(&name) => {}
            _ => self.warn(ids::ATTRIBUTES, span, format!("'{name}' attribute directive ignored")),
        }
    }

    /// Headers of the system may name vector types as long as nobody uses them.
    fn vector_type(&mut self, span: Span) -> TypeId {
        if self.session.sources.is_system(span.first) {
            return self.types.intern(CType::Unsupported("vector"));
        }
        self.error(ids::VECTOR_UNSUPPORTED, span, "vector types ('vector_size') are not supported");
        TypeId::ERROR
    }

    /// The operand of `aligned` and `_Alignas`.
    pub(super) fn alignment(&mut self, arg: &ast::Expr) -> Option<u64> {
        let value = self.rvalue(arg);
        if self.is_error(&value) {
            return None;
        }
        let Some(align) = self.const_int(&value) else {
            self.error(ids::INVALID_ALIGNMENT, value.span, "requested alignment is not an integer constant");
            return None;
        };
        match u64::try_from(align) {
            Ok(0) => None,
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Some(align),
            _ => {
                self.error(
                    ids::INVALID_ALIGNMENT,
                    value.span,
                    format!("requested alignment '{align}' is not a positive power of 2"),
                );
                None
            }
        }
    }

    fn string_argument(&mut self, attribute: &Attribute) -> Option<Arc<str>> {
        if let Some(ast::Expr { kind: ast::ExprKind::String(spellings), span }) = attribute.args.first() {
            let (elements, _) = self.string_elements(spellings, *span);
            let bytes: Vec<u8> = elements.iter().map(|&element| element as u8).collect();
            return Some(String::from_utf8_lossy(&bytes).as_ref().into());
        }
        let text = self.text(attribute.name.sym);
        self.error(ids::ATTRIBUTES, attribute.name.span, format!("attribute '{text}' argument not a string"));
        None
    }

    fn name_argument(&mut self, attribute: &Attribute) -> Option<Ident> {
        if let [ast::Expr { kind: ast::ExprKind::Ident(sym), span }] = attribute.args[..] {
            return Some(Ident { sym, span });
        }
        let text = self.text(attribute.name.sym);
        let message = format!("attribute '{text}' argument not an identifier");
        self.error(ids::ATTRIBUTES, attribute.name.span, message);
        None
    }

    fn priority(&mut self, attribute: &Attribute) -> u32 {
        let Some(arg) = attribute.args.first() else { return DEFAULT_PRIORITY };
        let value = self.rvalue(arg);
        self.const_int(&value).and_then(|value| u32::try_from(value).ok()).unwrap_or(DEFAULT_PRIORITY)
    }

    fn mode(&mut self, attribute: &Attribute) -> Option<Mode> {
        let Some(ast::Expr { kind: ast::ExprKind::Ident(symbol), .. }) = attribute.args.first() else {
            self.error(ids::ATTRIBUTES, attribute.name.span, "attribute 'mode' needs a mode");
            return None;
        };
        let name = self.text(*symbol);
        Some(match name.trim_matches('_') {
            "QI" | "byte" => Mode::Int(1),
            "HI" => Mode::Int(2),
            "SI" => Mode::Int(4),
            "DI" | "word" | "pointer" | "unwind_word" => Mode::Int(8),
            "TI" => Mode::Int(16),
            "SF" => Mode::Float(FloatKind::Float),
            "DF" => Mode::Float(FloatKind::Double),
            "XF" => Mode::Float(FloatKind::LongDouble),
            "SC" => Mode::Complex(FloatKind::Float),
            "DC" => Mode::Complex(FloatKind::Double),
            "XC" => Mode::Complex(FloatKind::LongDouble),
            _ => Mode::Unsupported,
        })
    }

    /// The type that `mode` and `vector_size` make of a declared type.
    pub(super) fn type_with_attributes(&mut self, ty: QualType, attributes: &Attributes) -> QualType {
        if let Some(vector) = attributes.vector {
            return QualType { ty: vector, ..ty };
        }
        let Some(mode) = attributes.mode else { return ty };
        let signed = self.types.int_kind(ty.ty).is_none_or(IntKind::is_signed);
        let id = match mode {
            Mode::Int(size) => {
                let kind = match size {
                    1 => IntKind::SChar,
                    2 => IntKind::Short,
                    4 => IntKind::Int,
                    8 => IntKind::Long,
                    _ => IntKind::Int128,
                };
                if signed { kind.type_id() } else { kind.to_unsigned().type_id() }
            }
            Mode::Float(kind) => kind.type_id(),
            Mode::Complex(kind) => kind.complex_id(),
            Mode::Unsupported => self.types.intern(CType::Unsupported("machine mode")),
        };
        QualType { ty: if ty.ty == TypeId::ERROR { ty.ty } else { id }, ..ty }
    }
}

/// Attributes that change neither the meaning of a correct program nor its layout.
fn is_harmless(name: &str) -> bool {
    matches!(
        name,
        "unused"
            | "maybe_unused"
            | "nodiscard"
            | "reproducible"
            | "unsequenced"
            | "used"
            | "deprecated"
            | "unavailable"
            | "warn_unused_result"
            | "format"
            | "format_arg"
            | "nonnull"
            | "returns_nonnull"
            | "nothrow"
            | "leaf"
            | "pure"
            | "const"
            | "malloc"
            | "alloc_size"
            | "alloc_align"
            | "assume_aligned"
            | "access"
            | "artificial"
            | "noclone"
            | "noipa"
            | "no_icf"
            | "cold"
            | "hot"
            | "flatten"
            | "section"
            | "visibility"
            | "sentinel"
            | "fallthrough"
            | "optimize"
            | "target"
            | "error"
            | "warning"
            | "no_instrument_function"
            | "no_reorder"
            | "noplt"
            | "nocommon"
            | "common"
            | "tls_model"
            | "externally_visible"
            | "stack_protect"
            | "no_stack_protector"
            | "no_sanitize"
            | "no_sanitize_address"
            | "no_sanitize_undefined"
            | "no_sanitize_thread"
            | "nonstring"
            | "designated_init"
            | "copy"
            | "symver"
            | "no_split_stack"
            | "zero_call_used_regs"
            | "simd"
            | "warn_if_not_aligned"
            | "tainted_args"
            | "fd_arg"
            | "gnu_printf"
            | "nodebug"
            | "no_builtin"
            | "retain"
            | "scalar_storage_order"
            | "unused_result"
            | "cdecl"
            | "sysv_abi"
            | "strict_flex_array"
            | "null_terminated_string_arg"
            | "diagnose_if"
            | "force_align_arg_pointer"
    )
}
