//! The items of clauses as text, for messages and for the names of mapped data.

use crate::ast::{BinaryOp, Bounds, Expr, ExprKind, UnaryOp};
use crate::intern::Interner;
use std::fmt::Write;

/// The source text of `expr`, without its white space; what a clause hardly ever holds is `...`.
pub fn expr_text(expr: &Expr, interner: &Interner) -> String {
    let mut out = String::new();
    write_expr(expr, interner, &mut out, 0);
    out
}

/// Deeper expressions are cut off: the text is for people.
const MAX_DEPTH: u32 = 16;

fn write_expr(expr: &Expr, interner: &Interner, out: &mut String, depth: u32) {
    if depth > MAX_DEPTH {
        out.push_str("...");
        return;
    }
    let sub = |e: &Expr, out: &mut String| write_expr(e, interner, out, depth + 1);
    match &expr.kind {
        ExprKind::Ident(sym) | ExprKind::Number(sym) | ExprKind::Char(sym) => {
            out.push_str(interner.text(*sym));
        }
        ExprKind::Paren(e) => {
            out.push('(');
            sub(e, out);
            out.push(')');
        }
        ExprKind::Index(base, index) => {
            sub(base, out);
            out.push('[');
            sub(index, out);
            out.push(']');
        }
        ExprKind::Section(base, bounds) => {
            let Bounds { lower, length, stride } = &**bounds;
            sub(base, out);
            out.push('[');
            lower.iter().for_each(|e| sub(e, out));
            out.push(':');
            length.iter().for_each(|e| sub(e, out));
            if let Some(e) = stride {
                out.push(':');
                sub(e, out);
            }
            out.push(']');
        }
        ExprKind::Member(base, name) => {
            sub(base, out);
            let _ = write!(out, ".{}", interner.text(name.sym));
        }
        ExprKind::Arrow(base, name) => {
            sub(base, out);
            let _ = write!(out, "->{}", interner.text(name.sym));
        }
        ExprKind::Unary(op, e) => {
            if let Some(text) = unary_text(*op) {
                out.push_str(text);
                sub(e, out);
            } else {
                out.push_str("...");
            }
        }
        ExprKind::Binary(op, _, a, b) => {
            sub(a, out);
            out.push_str(binary_text(*op));
            sub(b, out);
        }
        ExprKind::Call(callee, args) => {
            sub(callee, out);
            out.push('(');
            for (index, arg) in args.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                sub(arg, out);
            }
            out.push(')');
        }
        _ => out.push_str("..."),
    }
}

fn unary_text(op: UnaryOp) -> Option<&'static str> {
    match op {
        UnaryOp::Plus => Some("+"),
        UnaryOp::Minus => Some("-"),
        UnaryOp::BitNot => Some("~"),
        UnaryOp::Not => Some("!"),
        UnaryOp::AddrOf => Some("&"),
        UnaryOp::Deref => Some("*"),
        UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::Real | UnaryOp::Imag => None,
    }
}

/// A binary operator as written.
pub fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
    }
}
