//! Registers: classes, numbering, declarations, and the operands of instructions.

use super::memory::Place;
use accrue_ir::{Block, Local, LocalData, Type};
use cranelift_entity::SecondaryMap;
use std::fmt::{self, Write};
use std::sync::Arc;

/// A class of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Pred,
    B32,
    B64,
    F32,
    F64,
}

impl Class {
    const ALL: [Class; 5] = [Class::Pred, Class::B32, Class::B64, Class::F32, Class::F64];

    /// The class of a type's values; none for what other passes take apart, and for x87 numbers.
    pub(super) fn of(ty: Type) -> Option<Class> {
        match ty {
            Type::I1 => Some(Class::Pred),
            Type::I8 | Type::I16 | Type::I32 => Some(Class::B32),
            Type::I64 | Type::Ptr => Some(Class::B64),
            Type::F32 => Some(Class::F32),
            Type::F64 => Some(Class::F64),
            Type::I128
            | Type::F80
            | Type::C32
            | Type::C64
            | Type::I32x4
            | Type::I64x2
            | Type::F32x4
            | Type::F64x2 => None,
        }
    }

    /// Writes what its names begin with. Each of these is one store; copying a string of any length would be a call.
    fn write_prefix(self, text: &mut impl Write) -> fmt::Result {
        match self {
            Class::Pred => text.write_str("%p"),
            Class::B32 => text.write_str("%r"),
            Class::B64 => text.write_str("%rd"),
            Class::F32 => text.write_str("%f"),
            Class::F64 => text.write_str("%fd"),
        }
    }

    /// The type its registers are declared with; also the type of a `mov` between two of them.
    pub(super) fn name(self) -> &'static str {
        match self {
            Class::Pred => "pred",
            Class::B32 => "b32",
            Class::B64 => "b64",
            Class::F32 => "f32",
            Class::F64 => "f64",
        }
    }
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reg {
    /// Its class.
    pub(super) class: Class,
    number: u32,
}

impl Reg {
    /// Writes it. Into a string that takes no detour through a formatter: most of the text of a program are registers.
    pub(super) fn write_to(self, text: &mut impl Write) -> fmt::Result {
        self.class.write_prefix(text)?;
        write_number(text, self.number)
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

/// Writes a number. Those of registers and labels are short, and copying a short string costs more than its digits.
pub(super) fn write_number(text: &mut impl Write, number: u32) -> fmt::Result {
    if number >= 1000 {
        return text.write_str(itoa::Buffer::new().format(number));
    }
    let mut digit = |weight: u32| text.write_char(char::from(b'0' + (number / weight % 10) as u8));
    if number >= 100 {
        digit(100)?;
    }
    if number >= 10 {
        digit(10)?;
    }
    digit(1)
}

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

/// An operand as text has it.
#[derive(Clone, Copy)]
pub(super) enum Word<'a> {
    /// A value.
    Value(Value),
    /// Two registers as one vector.
    Pair(Reg, Reg),
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
            Word::Pair(first, second) => {
                text.push('{');
                let _ = first.write_to(text);
                text.push_str(", ");
                let _ = second.write_to(text);
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

impl From<(Reg, Reg)> for Word<'_> {
    fn from((first, second): (Reg, Reg)) -> Self {
        Word::Pair(first, second)
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

/// The registers of a function.
#[derive(Default)]
pub(super) struct Registers {
    counts: [u32; Class::ALL.len()],
    locals: SecondaryMap<Local, Option<u32>>,
    names: [Vec<(u32, Arc<str>)>; Class::ALL.len()],
}

impl Registers {
    /// A register for a value that has no local.
    pub(super) fn temp(&mut self, class: Class) -> Reg {
        let count = &mut self.counts[class as usize];
        *count += 1;
        Reg { class, number: *count }
    }

    /// The register of a local.
    pub(super) fn local(&mut self, local: Local, data: &LocalData, class: Class) -> Reg {
        if let Some(number) = self.locals[local] {
            return Reg { class, number };
        }
        let reg = self.temp(class);
        self.locals[local] = Some(reg.number);
        if let Some(name) = &data.name {
            self.names[class as usize].push((reg.number, name.clone()));
        }
        reg
    }

    /// Whether a local was used.
    pub(super) fn has(&self, local: Local) -> bool {
        self.locals[local].is_some()
    }

    /// The declarations, with the variables of C that the registers are.
    pub(super) fn declarations(&self) -> String {
        let (mut text, mut item) = (String::new(), String::new());
        for class in Class::ALL {
            let count = self.counts[class as usize];
            if count == 0 {
                continue;
            }
            text.push_str("\t.reg .");
            text.push_str(class.name());
            text.push('\t');
            let _ = class.write_prefix(&mut text);
            let _ = write!(text, "<{}>;", count + 1);
            let mut column = usize::MAX;
            for (number, name) in &self.names[class as usize] {
                item.clear();
                let _ = Reg { class, number: *number }.write_to(&mut item);
                item.push(' ');
                item.push_str(&super::comment_text(name));
                if column.saturating_add(item.len()) < 90 {
                    text.push_str(", ");
                } else {
                    text.push_str(if column == usize::MAX { "\t// " } else { "\n\t// " });
                    column = 0;
                }
                column += item.len() + 2;
                text.push_str(&item);
            }
            text.push('\n');
        }
        text
    }
}
