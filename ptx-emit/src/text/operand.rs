//! Operands of instructions: values, labels, places in memory.

use super::register::{Reg, write_number};
use accrue_ir::{Block, Space};
use std::fmt::{self, Write};
use std::rc::Rc;

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    /// A register.
    Reg(Reg),
    /// An integer, in the form its type has in a register.
    Int(i64),
    /// A binary32 number by its bits.
    F32(u32),
    /// A binary64 number by its bits.
    F64(u64),
}

impl From<Reg> for Value {
    fn from(reg: Reg) -> Value {
        Value::Reg(reg)
    }
}

impl Value {
    /// Writes it.
    fn write_to(self, text: &mut impl Write) -> fmt::Result {
        match self {
            Value::Reg(reg) => reg.write_to(text),
            Value::Int(i64::MIN) => text.write_str("0x8000000000000000"),
            Value::Int(value) => text.write_str(itoa::Buffer::new().format(value)),
            Value::F32(bits) => {
                text.write_str("0f")?;
                write_hexadecimal(text, bits.into(), 8)
            }
            Value::F64(bits) => {
                text.write_str("0d")?;
                write_hexadecimal(text, bits, 16)
            }
        }
    }
}

fn write_hexadecimal(text: &mut impl Write, bits: u64, digits: u32) -> fmt::Result {
    (0..digits).rev().try_for_each(|digit| {
        let value = (bits >> (4 * digit) & 0xf) as u8;
        text.write_char(char::from(if value < 10 { b'0' + value } else { b'A' - 10 + value }))
    })
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

/// A place that can be jumped to.
#[derive(Clone, Copy)]
pub(super) struct Label {
    stem: &'static str,
    number: u32,
}

impl Label {
    /// The label with this number among those with this stem, which is in small letters.
    pub(super) fn new(stem: &'static str, number: u32) -> Label {
        Label { stem, number }
    }

    /// Writes it.
    pub(super) fn write_to(self, text: &mut impl Write) -> fmt::Result {
        text.write_char('$')?;
        text.write_str(self.stem)?;
        write_number(text, self.number)
    }
}

impl From<Block> for Label {
    fn from(block: Block) -> Label {
        Label::new("bb", block.as_u32())
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

/// What an address begins with.
#[derive(Clone, Debug)]
pub(super) enum Base {
    Reg(Reg),
    Symbol(Rc<str>),
}

/// An address in a state space, as an access names it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) space: Space,
    pub(super) base: Base,
    pub(super) offset: i64,
}

impl Place {
    /// The state space as a modifier.
    pub(super) fn space_name(&self) -> &'static str {
        match self.space {
            Space::Generic => "",
            Space::Global => ".global",
            Space::Shared => ".shared",
            Space::Local => ".local",
            Space::Param => ".param",
        }
    }

    /// Some bytes further.
    pub(super) fn plus(&self, bytes: u64) -> Place {
        Place { offset: self.offset.wrapping_add(bytes as i64), ..self.clone() }
    }
}

impl Place {
    /// Writes it.
    pub(super) fn write_to(&self, text: &mut impl fmt::Write) -> fmt::Result {
        text.write_char('[')?;
        match &self.base {
            Base::Reg(reg) => reg.write_to(text)?,
            Base::Symbol(name) => text.write_str(name)?,
        }
        if self.offset != 0 {
            text.write_char('+')?;
            text.write_str(itoa::Buffer::new().format(self.offset))?;
        }
        text.write_char(']')
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

/// An operand as text has it.
#[derive(Clone, Copy)]
pub(super) enum Word<'a> {
    /// A value.
    Value(Value),
    /// Registers as one vector.
    Vector(&'a [Reg]),
    /// A place in memory.
    Place(&'a Place),
    /// Where to jump to.
    Label(Label),
    /// Anything else.
    Text(&'a str),
}

impl Word<'_> {
    /// Writes it.
    pub(super) fn push_to(self, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Word::Value(value) => value.write_to(text),
            Word::Vector(registers) => {
                for (index, register) in registers.iter().enumerate() {
                    text.push_str(if index == 0 { "{" } else { ", " });
                    let _ = register.write_to(text);
                }
                text.write_char('}')
            }
            Word::Place(place) => place.write_to(text),
            Word::Label(label) => label.write_to(text),
            Word::Text(other) => text.write_str(other),
        };
    }
}

impl<T: Into<Value>> From<T> for Word<'_> {
    fn from(value: T) -> Self {
        Word::Value(value.into())
    }
}

impl<'a> From<&'a [Reg; 2]> for Word<'a> {
    fn from(pair: &'a [Reg; 2]) -> Self {
        Word::Vector(pair)
    }
}

impl From<Label> for Word<'_> {
    fn from(label: Label) -> Self {
        Word::Label(label)
    }
}

impl<'a> From<&'a Place> for Word<'a> {
    fn from(place: &'a Place) -> Self {
        Word::Place(place)
    }
}

impl<'a> From<&'a str> for Word<'a> {
    fn from(text: &'a str) -> Self {
        Word::Text(text)
    }
}
