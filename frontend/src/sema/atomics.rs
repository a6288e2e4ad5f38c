//! The `__sync_*` and `__atomic_*` builtins. Memory orders are checked to be integers and dropped.

use super::{Sema, ids};
use crate::ast::{self, BinaryOp};
use crate::ctype::{QualType, TypeId};
use crate::source::Span;
use crate::typed::*;

/// What an atomic builtin does and which form its arguments have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// `__atomic_load_n(p, order)`.
    LoadN,
    /// `__atomic_load(p, result, order)`.
    Load,
    /// `__atomic_store_n(p, value, order)`.
    StoreN,
    /// `__atomic_store(p, value, order)`.
    Store,
    /// `__atomic_exchange_n(p, value, order)`, `__sync_lock_test_and_set(p, value)`.
    ExchangeN { orders: usize },
    /// `__atomic_exchange(p, value, result, order)`.
    Exchange,
    /// `__atomic_compare_exchange_n(p, expected, desired, weak, order, order)`.
    CompareExchangeN,
    /// `__atomic_compare_exchange(p, expected, desired, weak, order, order)`.
    CompareExchange,
    /// `__sync_bool_compare_and_swap`, `__sync_val_compare_and_swap`.
    SyncCas { boolean: bool },
    /// The read-modify-write operations.
    Fetch { op: AtomicFetchOp, orders: usize },
    /// `__atomic_test_and_set(p, order)`.
    TestAndSet,
    /// `__atomic_clear(p, order)`, `__sync_lock_release(p)`.
    Clear { orders: usize },
    /// `__sync_synchronize()`, `__atomic_thread_fence(order)`.
    Fence { orders: usize },
    /// `__atomic_always_lock_free(size, p)`, `__atomic_is_lock_free(size, p)`.
    LockFree,
}

/// The family of a name.
pub(super) fn find(name: &str) -> Option<Family> {
    if let Some(name) = name.strip_prefix("__atomic_") {
        return atomic(name);
    }
    let name = name.strip_prefix("__sync_")?;
    Some(match name {
        "synchronize" => Family::Fence { orders: 0 },
        "lock_test_and_set" => Family::ExchangeN { orders: 0 },
        "lock_release" => Family::Clear { orders: 0 },
        "bool_compare_and_swap" => Family::SyncCas { boolean: true },
        "val_compare_and_swap" => Family::SyncCas { boolean: false },
        _ => Family::Fetch { op: fetch_op(name)?, orders: 0 },
    })
}

fn atomic(name: &str) -> Option<Family> {
    Some(match name {
        "load_n" => Family::LoadN,
        "load" => Family::Load,
        "store_n" => Family::StoreN,
        "store" => Family::Store,
        "exchange_n" => Family::ExchangeN { orders: 1 },
        "exchange" => Family::Exchange,
        "compare_exchange_n" => Family::CompareExchangeN,
        "compare_exchange" => Family::CompareExchange,
        "test_and_set" => Family::TestAndSet,
        "clear" => Family::Clear { orders: 1 },
        "thread_fence" | "signal_fence" => Family::Fence { orders: 1 },
        "always_lock_free" | "is_lock_free" => Family::LockFree,
        _ => Family::Fetch { op: fetch_op(name)?, orders: 1 },
    })
}

/// `fetch_and_add`, `add_and_fetch`, `fetch_add`, `add_fetch`, ...
fn fetch_op(name: &str) -> Option<AtomicFetchOp> {
    let (word, new_value) = if let Some(word) = name.strip_prefix("fetch_") {
        (word.strip_prefix("and_").filter(|word| !word.is_empty()).unwrap_or(word), false)
    } else {
        let word = name.strip_suffix("_fetch")?;
        (word.strip_suffix("_and").filter(|word| !word.is_empty()).unwrap_or(word), true)
    };
    let (op, nand) = match word {
        "add" => (BinaryOp::Add, false),
        "sub" => (BinaryOp::Sub, false),
        "or" => (BinaryOp::BitOr, false),
        "and" => (BinaryOp::BitAnd, false),
        "xor" => (BinaryOp::BitXor, false),
        "nand" => (BinaryOp::BitAnd, true),
        _ => return None,
    };
    Some(AtomicFetchOp { op, nand, new_value })
}

impl Sema<'_> {
    pub(super) fn atomic_builtin(
        &mut self,
        name: &str,
        family: Family,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let (least, most) = match family {
            Family::LoadN | Family::TestAndSet | Family::LockFree => (2, 2),
            Family::Load | Family::StoreN | Family::Store => (3, 3),
            // The `__sync` forms may list protected variables behind their operands.
            Family::ExchangeN { orders: 0 } | Family::Fetch { orders: 0, .. } => (2, usize::MAX),
            Family::ExchangeN { .. } | Family::Fetch { .. } => (3, 3),
            Family::Exchange => (4, 4),
            Family::CompareExchangeN | Family::CompareExchange => (6, 6),
            Family::SyncCas { .. } => (3, usize::MAX),
            Family::Clear { orders: 0 } => (1, usize::MAX),
            Family::Clear { .. } => (2, 2),
            Family::Fence { orders } => (orders, orders),
        };
        let mut args = self.builtin_args(name, args, least, most, span)?;
        let void = QualType::plain(TypeId::VOID);
        match family {
            Family::Fence { .. } => {
                return Some(Expr {
                    kind: ExprKind::Builtin(Builtin::AtomicFence, Vec::new()),
                    ty: void,
                    span,
                });
            }
            Family::LockFree => {
                let free = matches!(self.const_int(&args[0]), Some(1 | 2 | 4 | 8));
                return Some(self.int_expr(i128::from(free), TypeId::BOOL, span));
            }
            _ => {}
        }
        let byte = matches!(family, Family::TestAndSet) || matches!(family, Family::Clear { orders: 1 });
        if byte && self.types.is_pointer(args[0].ty.ty) {
            let pointer = args.swap_remove(0);
            let bool_pointer = self.types.pointer_to(QualType::plain(TypeId::BOOL));
            args.insert(0, self.convert(pointer, bool_pointer));
        }
        let target = self.atomic_target(name, &args[0])?;
        Some(self.atomic_operation(family, args, target, span))
    }

    /// The type of the object an atomic builtin works on.
    fn atomic_target(&mut self, name: &str, pointer: &Expr) -> Option<TypeId> {
        let target = self.types.pointee(pointer.ty.ty);
        let fits = |target: QualType| {
            (self.types.is_integer(target.ty)
                || self.types.is_pointer(target.ty)
                || self.types.is_float(target.ty))
                && self.types.size(target.ty).is_some_and(|size| size <= 8)
        };
        match target.filter(|&target| fits(target)) {
            Some(target) => Some(target.ty),
            None => {
                let message = format!(
                    "'{name}' on an operand of type '{}' is not supported",
                    self.type_text(pointer.ty)
                );
                self.error(ids::ATOMIC_UNSUPPORTED, pointer.span, message);
                None
            }
        }
    }

    fn atomic_operation(&mut self, family: Family, args: Vec<Expr>, target: TypeId, span: Span) -> Expr {
        let value_type = QualType::plain(target);
        let mut args = args.into_iter();
        let mut next = || args.next();
        let (Some(address), second, third) = (next(), next(), next()) else { return self.error_expr(span) };
        let zero = |sema: &mut Self| {
            let zero = sema.int_expr(0, TypeId::INT, span);
            sema.convert(zero, target)
        };
        let second = second.unwrap_or_else(|| self.int_expr(0, TypeId::INT, span));
        let third = third.unwrap_or_else(|| self.int_expr(0, TypeId::INT, span));
        let build = |builtin, args, ty| Expr { kind: ExprKind::Builtin(builtin, args), ty, span };
        let void = QualType::plain(TypeId::VOID);
        match family {
            Family::LoadN => build(Builtin::AtomicLoad, vec![address], value_type),
            Family::Load => {
                let value = build(Builtin::AtomicLoad, vec![address], value_type);
                self.store_through(second, value, span)
            }
            Family::StoreN => {
                let value = self.convert(second, target);
                build(Builtin::AtomicStore, vec![address, value], void)
            }
            Family::Store => {
                let value = self.load_through(second, target, span);
                build(Builtin::AtomicStore, vec![address, value], void)
            }
            Family::ExchangeN { .. } => {
                let value = self.convert(second, target);
                build(Builtin::AtomicExchange, vec![address, value], value_type)
            }
            Family::Exchange => {
                let value = self.load_through(second, target, span);
                let old = build(Builtin::AtomicExchange, vec![address, value], value_type);
                self.store_through(third, old, span)
            }
            Family::CompareExchangeN => {
                let desired = self.convert(third, target);
                build(
                    Builtin::AtomicCompareExchange,
                    vec![address, second, desired],
                    QualType::plain(TypeId::BOOL),
                )
            }
            Family::CompareExchange => {
                let desired = self.load_through(third, target, span);
                build(
                    Builtin::AtomicCompareExchange,
                    vec![address, second, desired],
                    QualType::plain(TypeId::BOOL),
                )
            }
            Family::SyncCas { boolean } => {
                let (old, new) = (self.convert(second, target), self.convert(third, target));
                let (builtin, ty) = if boolean {
                    (Builtin::SyncBoolCas, QualType::plain(TypeId::BOOL))
                } else {
                    (Builtin::SyncValCas, value_type)
                };
                build(builtin, vec![address, old, new], ty)
            }
            Family::Fetch { op, .. } => {
                // On pointers these add bytes.
                let value = if self.types.is_pointer(target) {
                    self.convert(second, TypeId::LONG)
                } else {
                    self.convert(second, target)
                };
                build(Builtin::AtomicFetch(op), vec![address, value], value_type)
            }
            Family::TestAndSet => {
                let one = self.int_expr(1, target, span);
                build(Builtin::AtomicExchange, vec![address, one], QualType::plain(TypeId::BOOL))
            }
            Family::Clear { .. } => {
                let value = zero(self);
                build(Builtin::AtomicStore, vec![address, value], void)
            }
            Family::Fence { .. } | Family::LockFree => self.error_expr(span),
        }
    }

    fn load_through(&mut self, pointer: Expr, target: TypeId, span: Span) -> Expr {
        let lvalue = self.dereference(pointer, span);
        let value = self.to_rvalue(lvalue);
        self.convert(value, target)
    }

    fn store_through(&mut self, pointer: Expr, value: Expr, span: Span) -> Expr {
        let target = self.dereference(pointer, span);
        if self.is_error(&target) {
            return target;
        }
        let value = self.convert(value, target.ty.ty);
        let ty = QualType::plain(target.ty.ty);
        let assign = Expr { kind: ExprKind::Assign(Box::new(target), Box::new(value)), ty, span };
        self.convert(assign, TypeId::VOID)
    }
}
