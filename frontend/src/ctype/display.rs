//! Types as C text, for messages: typedef names replaced by what they stand for.

use super::{ArrayLen, CType, QualType, TypeTable};
use crate::ast::Qualifiers;
use crate::intern::Interner;

/// Parts of a type that are told before the rest becomes an ellipsis.
const MAX_PARTS: u32 = 200;

impl TypeTable {
    /// The type as C writes it in a cast: `const char *`, `int (*)[3]`.
    pub fn display(&self, ty: QualType, interner: &Interner) -> String {
        self.display_within(ty, interner, &mut { MAX_PARTS })
    }

    fn display_within(&self, ty: QualType, interner: &Interner, parts: &mut u32) -> String {
        let (mut left, mut right) = (String::new(), String::new());
        self.write_type(ty, interner, parts, &mut left, &mut right);
        left + &right
    }

    /// Puts what stands before a name into `left` and what stands behind it into `right`.
    fn write_type(
        &self,
        ty: QualType,
        interner: &Interner,
        parts: &mut u32,
        left: &mut String,
        right: &mut String,
    ) {
        let Some(rest) = parts.checked_sub(1) else {
            left.push_str("...");
            return;
        };
        *parts = rest;
        match self.get(ty.ty) {
            CType::Pointer(_) if self.is_nullptr(ty.ty) => {
                left.push_str(&words(ty.quals));
                left.push_str(super::NULLPTR_TARGET);
            }
            CType::Pointer(target) => {
                let nested = matches!(self.get(target.ty), CType::Array(..) | CType::Function(_));
                let mut after = String::new();
                self.write_type(*target, interner, parts, left, &mut after);
                if !left.ends_with(['*', '(']) {
                    left.push(' ');
                }
                left.push_str(if nested { "(*" } else { "*" });
                let quals = words(ty.quals);
                if !quals.is_empty() {
                    left.push(' ');
                    left.push_str(quals.trim_end());
                }
                if nested {
                    right.push(')');
                }
                right.push_str(&after);
            }
            CType::Array(element, len) => {
                match len {
                    ArrayLen::Known(count) => right.push_str(&format!("[{count}]")),
                    ArrayLen::Incomplete => right.push_str("[]"),
                    ArrayLen::Variable(_) | ArrayLen::Star => right.push_str("[*]"),
                }
                let element = QualType { quals: element.quals.union(ty.quals), ..*element };
                self.write_type(element, interner, parts, left, right);
            }
            CType::Function(function) => {
                // Parameters beyond those that the parts last for are told by one ellipsis.
                let shown = function.params.len().min(*parts as usize + 1);
                let params = function.params[..shown].iter();
                let mut params: Vec<String> =
                    params.map(|&param| self.display_within(param, interner, parts)).collect();
                if function.variadic {
                    params.push("...".to_owned());
                } else if params.is_empty() && !function.unprototyped {
                    params.push("void".to_owned());
                }
                right.push_str(&format!("({})", params.join(", ")));
                self.write_type(function.result, interner, parts, left, right);
            }
            base => {
                left.push_str(&words(ty.quals));
                left.push_str(&self.base_name(base, interner));
            }
        }
    }

    fn base_name(&self, base: &CType, interner: &Interner) -> String {
        let tagged = |keyword: &str, tag: Option<_>| match tag {
            Some(tag) => format!("{keyword} {}", interner.text(tag)),
            None => format!("{keyword} <anonymous>"),
        };
        match base {
            CType::Void => "void".to_owned(),
            CType::Int(kind) => kind.name().to_owned(),
            CType::Float(kind) => kind.name().to_owned(),
            CType::Complex(kind) => format!("_Complex {}", kind.name()),
            CType::Record(id) => {
                let record = &self.records[id.0 as usize];
                tagged(if record.is_union { "union" } else { "struct" }, record.tag)
            }
            CType::Enum(id) => tagged("enum", self.enums[id.0 as usize].tag),
            CType::Unsupported(name) => (*name).to_owned(),
            CType::Error => "<error>".to_owned(),
            CType::Pointer(_) | CType::Array(..) | CType::Function(_) => String::new(),
        }
    }
}

/// The qualifiers, each followed by a space.
fn words(quals: Qualifiers) -> String {
    let mut text = String::new();
    let list = [
        (quals.const_, "const "),
        (quals.volatile, "volatile "),
        (quals.restrict, "restrict "),
        (quals.atomic, "_Atomic "),
    ];
    for (present, word) in list {
        if present {
            text.push_str(word);
        }
    }
    text
}
