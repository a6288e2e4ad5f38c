//! The table of macros.

use crate::cache::bytes::{Reader, Writer};
use crate::cache::tokens;
use crate::intern::{Symbol, names};
use crate::source::Loc;
use crate::token::Token;
use std::ops::Range;

/// An index into [`MacroTable::macros`]; 0 means "no macro".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroId(pub u32);

impl MacroId {
    /// Not a macro.
    pub const NONE: MacroId = MacroId(0);
}

/// Macros that have no body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `__FILE__`
    File,
    /// `__FILE_NAME__`: without its directory.
    FileName,
    /// `__BASE_FILE__`: the main file.
    BaseFile,
    /// `__LINE__`
    Line,
    /// `__DATE__`
    Date,
    /// `__TIME__`
    Time,
    /// `__TIMESTAMP__`: when the main file was changed.
    Timestamp,
    /// `__COUNTER__`
    Counter,
    /// `__INCLUDE_LEVEL__`
    IncludeLevel,
    /// `__has_include`
    HasInclude,
    /// `__has_include_next`
    HasIncludeNext,
    /// `__has_attribute`
    HasAttribute,
    /// `__has_builtin`
    HasFunction,
    /// `__has_c_attribute`
    HasStandardAttribute,
    /// `__has_embed`
    HasEmbed,
    /// A name that `#pragma GCC poison` forbids.
    Poisoned,
}

/// What kind of macro it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroKind {
    /// `#define N ...`
    Object,
    /// `#define N(...) ...`
    Function {
        /// Number of parameters; a variadic one counts.
        params: u16,
        /// Whether the last parameter takes all arguments that are left.
        variadic: bool,
    },
    /// Made by the preprocessor.
    Builtin(Builtin),
}

impl Builtin {
    /// All of them, in their order.
    const ALL: [Builtin; 16] = [
        Builtin::File,
        Builtin::FileName,
        Builtin::BaseFile,
        Builtin::Line,
        Builtin::Date,
        Builtin::Time,
        Builtin::Timestamp,
        Builtin::Counter,
        Builtin::IncludeLevel,
        Builtin::HasInclude,
        Builtin::HasIncludeNext,
        Builtin::HasAttribute,
        Builtin::HasFunction,
        Builtin::HasStandardAttribute,
        Builtin::HasEmbed,
        Builtin::Poisoned,
    ];
}

impl MacroKind {
    fn save(&self) -> u32 {
        match *self {
            MacroKind::Object => 0,
            MacroKind::Function { params, variadic } => {
                1 | u32::from(variadic) << 8 | u32::from(params) << 16
            }
            MacroKind::Builtin(builtin) => 2 | (builtin as u32) << 16,
        }
    }

    fn load(saved: u32) -> Option<MacroKind> {
        Some(match saved & 0xff {
            0 => MacroKind::Object,
            1 => MacroKind::Function { params: (saved >> 16) as u16, variadic: saved >> 8 & 1 != 0 },
            2 => MacroKind::Builtin(*Builtin::ALL.get((saved >> 16) as usize)?),
            _ => return None,
        })
    }
}

/// A definition.
pub struct Macro {
    pub kind: MacroKind,
    /// The body, in [`MacroTable::bodies`].
    pub body: Range<u32>,
    /// Whether the body has `#` or `##`.
    pub has_operators: bool,
    /// Where the name was defined.
    pub loc: Loc,
    /// How many expansions of it are being read; while there are any, its name is not expanded.
    pub active: u32,
}

/// A token of a body. The operators `#` and `##` are flags of their operands. `__VA_OPT__(` and its `)` stand
/// in the body as the brackets that [`BodyToken::OPTION_START`] and [`BodyToken::OPTION_END`] mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyToken {
    pub token: Token,
    /// The parameter it names, or one of the constants below.
    pub param: u16,
    /// `#` stands before it.
    pub stringify: bool,
    /// `##` stands after it.
    pub paste: bool,
}

impl BodyToken {
    /// Not a parameter.
    pub const NO_PARAM: u16 = u16::MAX;
    /// `__VA_OPT__(`: what follows counts only if the variable argument has tokens.
    pub const OPTION_START: u16 = u16::MAX - 1;
    /// The `)` that ends it.
    pub const OPTION_END: u16 = u16::MAX - 2;

    /// The parameter it names.
    pub fn parameter(self) -> Option<usize> {
        (self.param < BodyToken::OPTION_END).then_some(usize::from(self.param))
    }
}

/// All definitions, past ones included: an expansion may outlive an `#undef` in its arguments.
pub struct MacroTable {
    /// By symbol number.
    slots: Vec<MacroId>,
    pub macros: Vec<Macro>,
    pub bodies: Vec<BodyToken>,
}

impl MacroTable {
    pub fn new() -> Self {
        let mut table = MacroTable {
            slots: vec![MacroId::NONE; 1 << 12],
            macros: Vec::with_capacity(1 << 11),
            bodies: Vec::with_capacity(1 << 13),
        };
        // The entry that stands for "no macro".
        table.push(MacroKind::Object, 0..0, Loc::default());
        for (name, builtin) in [
            (names::FILE, Builtin::File),
            (names::FILE_NAME, Builtin::FileName),
            (names::BASE_FILE, Builtin::BaseFile),
            (names::LINE_NUMBER, Builtin::Line),
            (names::DATE, Builtin::Date),
            (names::TIME, Builtin::Time),
            (names::TIMESTAMP, Builtin::Timestamp),
            (names::COUNTER, Builtin::Counter),
            (names::INCLUDE_LEVEL, Builtin::IncludeLevel),
            (names::HAS_INCLUDE, Builtin::HasInclude),
            (names::HAS_INCLUDE_NEXT, Builtin::HasIncludeNext),
            (names::HAS_ATTRIBUTE, Builtin::HasAttribute),
            (names::HAS_BUILTIN, Builtin::HasFunction),
            (names::HAS_C_ATTRIBUTE, Builtin::HasStandardAttribute),
            (names::HAS_EMBED, Builtin::HasEmbed),
        ] {
            table.define_builtin(name, builtin);
        }
        table
    }

    /// Writes all of it, where no macro is being expanded.
    pub(super) fn save(&self, out: &mut Writer) {
        out.number(self.slots.len() as u32);
        self.slots.iter().for_each(|id| out.number(id.0));
        out.number(self.macros.len() as u32);
        for Macro { kind, body, has_operators, loc, active: _ } in &self.macros {
            out.numbers([kind.save(), body.start, body.end, u32::from(*has_operators), loc.0]);
        }
        out.number(self.bodies.len() as u32);
        for &BodyToken { token, param, stringify, paste } in &self.bodies {
            out.number(u32::from(param) | u32::from(stringify) << 16 | u32::from(paste) << 17);
            tokens::write(out, token);
        }
    }

    /// The table that was written.
    pub(super) fn load(input: &mut Reader<'_>) -> Option<MacroTable> {
        let shift = input.shift;
        let count = input.number()?;
        let slots = input.rows::<1>(count)?.map(|[id]| MacroId(id)).collect();
        let count = input.number()?;
        let definition = |[kind, start, end, has_operators, loc]: [u32; 5]| {
            let (kind, loc) = (MacroKind::load(kind)?, Loc(shift.apply(loc)));
            Some(Macro { kind, body: start..end, has_operators: has_operators != 0, loc, active: 0 })
        };
        let macros = input.rows::<5>(count)?.map(definition).collect::<Option<_>>()?;
        let count = input.number()?;
        let body = |[flags, kind, sym, loc]: [u32; 4]| {
            let token = tokens::read([kind, sym, loc], shift)?;
            let (stringify, paste) = (flags >> 16 & 1 != 0, flags >> 17 & 1 != 0);
            Some(BodyToken { token, param: flags as u16, stringify, paste })
        };
        let bodies = input.rows::<4>(count)?.map(body).collect::<Option<_>>()?;
        Some(MacroTable { slots, macros, bodies })
    }

    /// Enters a macro that no name stands for yet.
    pub(super) fn push(&mut self, kind: MacroKind, body: Range<u32>, loc: Loc) -> MacroId {
        let has_operators =
            self.bodies[body.start as usize..body.end as usize].iter().any(|t| t.stringify || t.paste);
        self.macros.push(Macro { kind, body, has_operators, loc, active: 0 });
        MacroId(self.macros.len() as u32 - 1)
    }

    /// Gives a name a meaning that no text defines.
    pub fn define_builtin(&mut self, name: Symbol, builtin: Builtin) {
        let id = self.push(MacroKind::Builtin(builtin), 0..0, Loc::default());
        self.set(name, id);
    }

    /// The macro of a name.
    #[inline]
    pub fn get(&self, name: Symbol) -> MacroId {
        self.slots.get(name.0 as usize).copied().unwrap_or(MacroId::NONE)
    }

    /// Gives a name a macro, or none.
    pub fn set(&mut self, name: Symbol, id: MacroId) {
        let slot = name.0 as usize;
        if slot >= self.slots.len() {
            self.slots.resize((slot + 1).next_power_of_two(), MacroId::NONE);
        }
        self.slots[slot] = id;
    }

    pub fn is_defined(&self, name: Symbol) -> bool {
        let id = self.get(name);
        id != MacroId::NONE
            && !matches!(self.macros[id.0 as usize].kind, MacroKind::Builtin(Builtin::Poisoned))
    }

    pub fn body(&self, range: &Range<u32>) -> &[BodyToken] {
        &self.bodies[range.start as usize..range.end as usize]
    }

    /// Whether two definitions are the same (C11 6.10.3p2).
    pub(super) fn same(&self, a: &Macro, kind: &MacroKind, body: &[BodyToken]) -> bool {
        let old = self.body(&a.body);
        let same_token = |(index, (x, y)): (usize, (&BodyToken, &BodyToken))| {
            let space = |t: &BodyToken| index > 0 && t.token.flags & Token::SPACE_BEFORE != 0;
            (x.token.kind, x.token.sym, x.param, x.stringify, x.paste, space(x))
                == (y.token.kind, y.token.sym, y.param, y.stringify, y.paste, space(y))
        };
        a.kind == *kind && old.len() == body.len() && old.iter().zip(body).enumerate().all(same_token)
    }
}
