//! Elements that a program's own functions combine ([`Declared`]), as IR: they have addresses and no values.

use crate::acc::Declared;
use crate::builder::Cursor;
use crate::op::{Address, BinaryOp, Callee, Operand};
use crate::types::Type;

impl Declared {
    /// How many elements so many bytes are, both `i64`.
    pub fn elements(self, cursor: &mut Cursor<'_>, bytes: Operand) -> Operand {
        let size = i64::from(self.size);
        match bytes.as_int() {
            Some(bytes) => Operand::Int(Type::I64, bytes / size),
            None => cursor.binary(BinaryOp::UDiv, bytes, Operand::Int(Type::I64, size)),
        }
    }

    /// The address of element `index`, an `i64`, of an array.
    pub fn element(self, cursor: &mut Cursor<'_>, array: Address, index: Operand) -> Address {
        match index.as_int() {
            Some(index) => array.plus(index * i64::from(self.size)),
            None => Address::at(cursor.index(array.base, index, self.size.into(), array.offset)),
        }
    }

    /// Gives an element its first value; `original` is the one that it may depend on.
    pub fn start(self, cursor: &mut Cursor<'_>, element: Address, original: Address) {
        let args = [element, original].map(|address| pointer(cursor, address));
        cursor.call(Callee::Direct(self.start), self.sig, args.to_vec(), None);
    }

    /// Adds an element to another one.
    pub fn combine(self, cursor: &mut Cursor<'_>, out: Address, value: Address) {
        let args = [out, value].map(|address| pointer(cursor, address));
        cursor.call(Callee::Direct(self.combine), self.sig, args.to_vec(), None);
    }

    /// Copies an element.
    pub fn copy(self, cursor: &mut Cursor<'_>, to: Address, from: Address) {
        cursor.mem_copy(to, from, Operand::Int(Type::I64, self.size.into()), self.align);
    }

    /// Code for each element of an array of so many bytes.
    pub fn each(self, cursor: &mut Cursor<'_>, bytes: Operand, body: impl FnOnce(&mut Cursor<'_>, Operand)) {
        let count = self.elements(cursor, bytes);
        match count.as_int() {
            Some(1) => body(cursor, Operand::Int(Type::I64, 0)),
            _ => super::arrays::over(cursor, count, body),
        }
    }

    /// Gives the elements of a private array their first values. Originals that do not matter are the
    /// elements themselves.
    pub fn start_all(
        self,
        cursor: &mut Cursor<'_>,
        array: Address,
        originals: Option<Address>,
        bytes: Operand,
    ) {
        let originals = originals.filter(|_| self.reads_original).unwrap_or(array);
        self.each(cursor, bytes, |cursor, index| {
            let [element, original] = [array, originals].map(|array| self.element(cursor, array, index));
            self.start(cursor, element, original);
        });
    }

    /// Adds the elements of an array to those of another one.
    pub fn combine_all(self, cursor: &mut Cursor<'_>, out: Address, values: Address, bytes: Operand) {
        self.each(cursor, bytes, |cursor, index| {
            let [out, value] = [out, values].map(|array| self.element(cursor, array, index));
            self.combine(cursor, out, value);
        });
    }
}

/// An address as one operand.
fn pointer(cursor: &mut Cursor<'_>, Address { base, offset }: Address) -> Operand {
    match offset {
        0 => base,
        _ => cursor.index(base, Operand::Int(Type::I64, 0), 1, offset),
    }
}
