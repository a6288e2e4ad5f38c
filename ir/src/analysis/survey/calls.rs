//! What calls access, as accesses of the loop.
//!
//! An access of the called function through a parameter is one to what the argument points to. It may be
//! executed or not, so that it proves no dependence and covers no read.

use super::super::callees::{Access, Place, Witness};
use super::super::effects::place;
use super::super::sums::Sum;
use super::values::Made;
use super::{Control, State, Walk};
use crate::entities::Loop;
use crate::op::{Address, Op, Operand, Pos};
use std::rc::Rc;

impl Walk<'_> {
    /// Notes what a call accesses; returns what it may do besides.
    pub(super) fn call(&mut self, state: &State, loop_: Loop, op: &Op, pos: Pos) -> Option<Witness> {
        let Op::Call { callee, sig, args, dest, .. } = op else { return Some(Witness::of_trap(pos)) };
        let whole = self.whole;
        let accesses = match whole.callees.of(*callee, pos) {
            Ok(accesses) => accesses,
            Err(witness) => return Some(witness),
        };
        let by_value = whole.callees.by_value(*sig);
        for &(n, size) in &by_value.arguments {
            let Some(&argument) = args.get(n) else { continue };
            self.object(state, loop_, (argument, size), None, pos);
        }
        // What the function reads may be what was there before it writes.
        for writes in [false, true] {
            for access in accesses.iter().filter(|access| access.writes == writes) {
                let value = writes.then(|| self.result(state, loop_, op));
                self.access(state, loop_, (access, place(access, args)), value, pos);
            }
        }
        if let Some((dest, size)) = dest.zip(by_value.result) {
            let value = self.result(state, loop_, op);
            self.object(state, loop_, (dest, size), Some(value), pos);
        }
        let writes = dest.is_some() || accesses.iter().any(|access| access.writes);
        self.version += u32::from(writes);
        None
    }

    /// Something that a call computes, from any of its arguments.
    fn result(&mut self, state: &State, loop_: Loop, op: &Op) -> Sum {
        let inputs = self.inputs(state, op);
        Sum::atom(self.survey.atoms.opaque(inputs, Some(loop_), (i64::MIN, i64::MAX)))
    }

    /// An object that is passed by value, or that receives the result.
    fn object(
        &mut self,
        state: &State,
        loop_: Loop,
        (object, size): (Operand, u64),
        value: Option<Sum>,
        pos: Pos,
    ) {
        let addr = Address { base: object, offset: 0 };
        let bytes = i64::try_from(size).ok();
        let made = Made { addr, ty: None, bytes: bytes.unwrap_or(1), writes: value.is_some(), value };
        match bytes {
            Some(_) => {
                let address = self.address(state, addr);
                self.touch(state, loop_, made, address, pos);
            }
            None => self.touch_anything(state, loop_, made, pos),
        }
    }

    /// An access of the called function.
    fn access(
        &mut self,
        state: &State,
        loop_: Loop,
        (access, place): (&Access, Operand),
        value: Option<Sum>,
        pos: Pos,
    ) {
        if self.quiet {
            return;
        }
        let (ty, writes) = (access.ty, access.writes);
        let start = self.operand(state, place);
        let reach = access.bytes.and_then(|(low, high)| {
            let first = start.plus(1, &Sum::constant(low))?;
            Some((first, high.checked_sub(low)?))
        });
        let (address, bytes) = reach.unwrap_or_else(|| {
            // Wherever it is, it is in the same object.
            let anywhere = Sum::atom(self.anywhere(loop_));
            let root = self.root(&start).filter(|_| access.place != Place::Elsewhere);
            (root.and_then(|root| anywhere.plus(1, &Sum::atom(root))).unwrap_or(anywhere), 1)
        });
        // The subscripts of the argument are those of one element only.
        let is_element = ty.is_some_and(|ty| access.bytes == Some((0, i64::from(ty.bytes()))));
        // Whether the function does it is not known.
        let is_done = self.survey.atoms.opaque(Vec::new(), Some(loop_), (0, 1));
        let mut control = state.control.to_vec();
        control.push(Control { cond: is_done, holds: true, is_fact: false, share: 0 });
        let state = State { control: Rc::new(control), ..state.clone() };
        let made = Made { addr: Address { base: place, offset: 0 }, ty, bytes, writes, value };
        self.touch(&state, loop_, made, address, pos);
        if let Some(touch) = self.survey.touches.last_mut() {
            touch.callee = Some(*access);
            if !is_element {
                (touch.variable, touch.subscripts) = (None, Rc::default());
            }
        }
    }
}
