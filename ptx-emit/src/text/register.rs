//! Registers: classes, numbering, declarations.

use super::source_text::comment_text;
use accrue_ir::{Local, LocalData, Type, map_below};
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
            | Type::I8x16
            | Type::I16x8
            | Type::I32x4
            | Type::I64x2
            | Type::F32x4
            | Type::F64x2 => None,
        }
    }

    /// Writes what its names begin with. Each of these is one store; copying a string of any length would be
    /// a call.
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
    /// Writes it. Into a string that takes no detour through a formatter: most of the text of a program are
    /// registers.
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

/// Writes a number. Those of registers and labels are short, and copying a short string costs more than its
/// digits.
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

/// The registers of a function.
#[derive(Default)]
pub(super) struct Registers {
    counts: [u32; Class::ALL.len()],
    locals: SecondaryMap<Local, Option<Reg>>,
    names: [Vec<(u32, Arc<str>)>; Class::ALL.len()],
}

impl Registers {
    /// A register for a value that has no local.
    pub(super) fn temp(&mut self, class: Class) -> Reg {
        let count = &mut self.counts[class as usize];
        *count += 1;
        Reg { class, number: *count }
    }

    /// Those of a function with so many locals, none of them used.
    pub(super) fn new(locals: usize) -> Registers {
        Registers { locals: map_below(locals), ..Registers::default() }
    }

    /// The register of a local that was used.
    pub(super) fn known(&self, local: Local) -> Option<Reg> {
        self.locals[local]
    }

    /// The register of a local that is used for the first time.
    pub(super) fn add(&mut self, local: Local, data: &LocalData, class: Class) -> Reg {
        let reg = self.temp(class);
        self.locals[local] = Some(reg);
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
                item.push_str(&comment_text(name));
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
