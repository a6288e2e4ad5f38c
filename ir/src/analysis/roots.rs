//! What the addresses in a function are made from, and which of these cannot lead to the same memory.
//!
//! An address that is made from an object or from a pointer stays within what that leads to: anything else is
//! undefined in C. Two pointers that a region or function is given may be equal unless the program says
//! otherwise: by `restrict`, or because both are objects of their own.

use crate::acc::PassHow;
use crate::entities::{Global, Local, Slot, map_below, set_of};
use crate::function::{Body, Function, FunctionKind, SlotKind};
use crate::op::{Op, Operand};
use crate::types::Type;
use cranelift_entity::{EntitySet, SecondaryMap};

/// What an address is made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// A parameter, by its number.
    Param(u32),
    /// An object at file scope.
    Global(Global),
    /// An object of the function.
    Slot(Slot),
    /// The scratch memory of the launch.
    Scratch,
    /// Anything: a pointer out of memory, or one of several.
    Unknown,
}

/// The roots of a function's locals.
#[derive(Debug)]
pub struct Roots {
    of: SecondaryMap<Local, Option<Root>>,
    params: Vec<Given>,
    is_region: bool,
    /// Slots that share their memory with others of their kind.
    overlapping: EntitySet<Slot>,
    /// Slots in the scratch memory of the launch.
    scratch: EntitySet<Slot>,
}

/// Whether what an operation's result leads to depends on what other locals lead to.
fn is_derived(op: &Op) -> bool {
    matches!(op, Op::Copy { .. } | Op::Shuffle { .. } | Op::Index { .. } | Op::Select { .. })
}

/// What a parameter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Given {
    /// A pointer that the program declares `restrict`.
    Restrict {
        /// See [`Given::Argument`].
        argument: bool,
    },
    /// Another pointer, which the parent was called with: it is no copy of one declared `restrict` that the
    /// parent was called with as well.
    Argument,
    /// The address of an object with a name.
    Object,
    /// Another pointer.
    Pointer,
}

impl Roots {
    /// Those of a function with this body.
    pub fn new(function: &Function, body: &Body) -> Roots {
        let params = match &function.kind {
            FunctionKind::Region(data) => data
                .params
                .iter()
                .zip(&body.params)
                .map(|(param, &local)| match param.how {
                    PassHow::Address => Given::Object,
                    PassHow::Pointer if body.locals[local].restrict => {
                        Given::Restrict { argument: param.argument }
                    }
                    PassHow::Pointer if param.argument => Given::Argument,
                    PassHow::Pointer | PassHow::Value(_) => Given::Pointer,
                })
                .collect(),
            // A pointer that is given is no copy of a `restrict` one that is given.
            FunctionKind::Normal => body
                .params
                .iter()
                .map(|&local| match body.locals[local].restrict {
                    true => Given::Restrict { argument: true },
                    false => Given::Argument,
                })
                .collect(),
            FunctionKind::Threaded(_) => Vec::new(),
        };
        let is_region = matches!(function.kind, FunctionKind::Region(_));
        let slots = |is_kind: fn(SlotKind) -> bool| {
            set_of(body.slots.iter().filter(|(_, data)| is_kind(data.kind)).map(|(slot, _)| slot))
        };
        let overlapping = slots(|kind| matches!(kind, SlotKind::Reduction | SlotKind::Broadcast));
        let scratch = slots(|kind| matches!(kind, SlotKind::Launch | SlotKind::GangScratch));
        let mut roots = Roots { of: map_below(body.locals.len()), params, is_region, overlapping, scratch };
        for (&param, number) in body.params.iter().zip(0..) {
            roots.of[param] = Some(Root::Param(number));
        }
        // From "nothing yet" up to what all definitions can give.
        let mut derived: Vec<(Local, &Op)> = Vec::with_capacity(body.locals.len());
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            inst.op.defs(|local| {
                if matches!(body.locals[local].ty, Type::Ptr | Type::I64) {
                    roots.add(local, roots.made(&inst.op));
                    if is_derived(&inst.op) {
                        derived.push((local, &inst.op));
                    }
                }
            });
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(local, op) in &derived {
                changed |= roots.add(local, roots.made(op));
            }
        }
        roots
    }

    /// What an operation's result leads to; nothing for null and for what is not known yet. Operations whose
    /// answer may still change are those of [`is_derived`].
    fn made(&self, op: &Op) -> Option<Root> {
        match op {
            Op::Copy { src, .. } | Op::Shuffle { src, .. } => self.known(*src),
            Op::Index { base, .. } => self.known(*base),
            Op::Select { a, b, .. } => match (self.known(*a), self.known(*b)) {
                (Some(a), Some(b)) if a != b => Some(Root::Unknown),
                (a, b) => a.or(b),
            },
            Op::Instance { .. } => Some(Root::Scratch),
            _ => Some(Root::Unknown),
        }
    }

    fn add(&mut self, local: Local, root: Option<Root>) -> bool {
        let joined = match (self.of[local], root) {
            (Some(known), Some(root)) if known != root => Some(Root::Unknown),
            (known, root) => known.or(root),
        };
        let is_new = self.of[local] != joined;
        self.of[local] = joined;
        is_new
    }

    fn known(&self, operand: Operand) -> Option<Root> {
        match operand {
            Operand::Local(local) => self.of[local],
            Operand::Slot(slot) => Some(Root::Slot(slot)),
            Operand::Global(global) => Some(Root::Global(global)),
            Operand::Int(_, 0) => None,
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => Some(Root::Unknown),
        }
    }

    /// What an address is made from.
    pub fn of(&self, base: Operand) -> Root {
        self.known(base).unwrap_or(Root::Unknown)
    }

    /// Whether addresses made from these are never equal.
    pub fn are_apart(&self, a: Root, b: Root) -> bool {
        let given = |number: u32| self.params.get(number as usize).copied();
        match (a, b) {
            (Root::Unknown, _) | (_, Root::Unknown) => false,
            // C11 6.7.3.1: what is modified through a `restrict` pointer is accessed through that one only.
            // Of two pointers both must have it where a plain one may be a copy of the other.
            (Root::Param(a), Root::Param(b)) => match (given(a), given(b)) {
                (
                    Some(Given::Restrict { .. } | Given::Object),
                    Some(Given::Restrict { .. } | Given::Object),
                ) => a != b,
                (Some(Given::Restrict { argument: true }), Some(Given::Argument))
                | (Some(Given::Argument), Some(Given::Restrict { argument: true })) => true,
                (_, _) => false,
            },
            (Root::Param(param), Root::Global(_)) | (Root::Global(_), Root::Param(param)) => {
                matches!(given(param), Some(Given::Restrict { .. }))
            }
            (Root::Global(a), Root::Global(b)) => a != b,
            (Root::Slot(a), Root::Slot(b)) => {
                a != b && !(self.overlapping.contains(a) && self.overlapping.contains(b))
            }
            // A region is given addresses of objects that live longer than it; a called function may be given
            // any.
            (Root::Param(_), Root::Slot(_) | Root::Scratch)
            | (Root::Slot(_) | Root::Scratch, Root::Param(_)) => self.is_region,
            (Root::Slot(slot), Root::Scratch) | (Root::Scratch, Root::Slot(slot)) => {
                !self.scratch.contains(slot)
            }
            (Root::Scratch, Root::Scratch) => false,
            (Root::Global(_), Root::Slot(_) | Root::Scratch)
            | (Root::Slot(_) | Root::Scratch, Root::Global(_)) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    #[test]
    fn parameters_are_apart_by_promise_and_objects_by_nature() {
        let text = "file file0 \"a.c\"\nsignature sig0 (ptr, ptr, ptr, ptr, ptr, i32)\n\
            global g0.g internal size 8 align 8 zero\n\
            function fn0.r sig0 internal\n  region parallel of \"main\" dims(0, 1, 1, 1, 32) {\n    \
            param \"a\" pointer present argument\n    param \"b\" pointer present\n    param \"p\" pointer present argument\n    \
            param \"x\" address copy bytes 8\n    param \"y\" address copy bytes 8\n    param \"n\" value i32 bytes 4\n  \
            } {\n  params v0.a, v1.b, v2.p, v3.x, v4.y, v5.n\n  locals v0.a, v1.b: ptr restrict\n  \
            locals v2.p, v3.x, v4.y: ptr\n  locals v5.n: i32\n  locals v6, v7, v8, v9: ptr\n  locals v10: i1\n  \
            slot s0 size 8 align 8\n\
            bb0:\n  v6 = index v0.a + v5.n * 8\n  v7 = load [v0.a]\n  v8 = copy v6\n  v10 = cmp.lt v5.n, 1i32\n  \
            v9 = select v10, v6, v1.b\n  store.ptr [v9], v7\n  store.ptr [v8], v9\n  return\n}\n";
        let module = parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let function = module.functions.values().next().unwrap_or_else(|| panic!("a function"));
        let body = function.body.as_deref().unwrap_or_else(|| panic!("a body"));
        let roots = Roots::new(function, body);
        let [a, b, p, x, y] = [0, 1, 2, 3, 4].map(Root::Param);
        let of = |number| roots.of(Operand::Local(Local::from_u32(number)));
        assert_eq!([6, 7, 8, 9].map(of), [a, Root::Unknown, a, Root::Unknown]);
        let (global, slot) = (Root::Global(Global::from_u32(0)), Root::Slot(Slot::from_u32(0)));
        for (one, other, are_apart) in [
            (a, b, true),
            (a, x, true),
            (x, y, true),
            (a, a, false),
            (a, p, true),
            (b, p, false),
            (x, p, false),
            (a, global, true),
            (x, global, false),
            (p, slot, true),
            (global, slot, true),
            (slot, Root::Unknown, false),
            (slot, Root::Scratch, true),
        ] {
            assert_eq!(roots.are_apart(one, other), are_apart, "{one:?} {other:?}");
            assert_eq!(roots.are_apart(other, one), are_apart, "{other:?} {one:?}");
        }
    }
}
