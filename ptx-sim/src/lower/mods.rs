//! An instruction's name, taken apart. Each modifier is asked for; what is left over in the end is a mistake.

use crate::alu::float::Style;
use crate::alu::round::Mode;
use crate::code::Order;
use crate::error::{Pos, Problem, Result};
use crate::memory::space::{Scope, Space};
use crate::ty::Ty;

/// The parts of an opcode.
#[derive(Debug)]
pub(crate) struct Mods<'a> {
    text: &'a str,
    parts: Vec<&'a str>,
    /// Bits of the parts that were asked for.
    used: u64,
    pub(crate) pos: Pos,
}

impl<'a> Mods<'a> {
    pub(crate) fn new(text: &'a str, pos: Pos) -> Result<Mods<'a>> {
        let parts: Vec<&str> = text.split('.').collect();
        if parts.len() > 60 {
            return Err(Problem::new(pos, "an instruction with too many modifiers"));
        }
        Ok(Mods { text, parts, used: 1, pos })
    }

    /// The whole.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The part before the first dot.
    pub(crate) fn name(&self) -> &'a str {
        self.parts.first().copied().unwrap_or_default()
    }

    /// Whether a modifier stands there, whatever was asked for.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parts[1..].contains(&name)
    }

    fn unused(&self) -> impl Iterator<Item = (usize, &'a str)> + '_ {
        self.parts.iter().copied().enumerate().filter(|(index, _)| self.used >> index & 1 == 0)
    }

    fn take(&mut self, wanted: impl Fn(&str) -> bool) -> Option<&'a str> {
        let (index, part) = self.unused().find(|(_, part)| wanted(part))?;
        self.used |= 1 << index;
        Some(part)
    }

    /// Takes a modifier, if it is there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        self.take(|part| part == name).is_some()
    }

    /// Takes the first of several.
    pub(crate) fn one_of(&mut self, names: &[&str]) -> Option<&'a str> {
        self.take(|part| names.contains(&part))
    }

    /// Takes the first of several, one of which must be there.
    pub(crate) fn need(&mut self, what: &str, names: &[&str]) -> Result<&'a str> {
        let found = self.one_of(names);
        found.ok_or_else(|| Problem::new(self.pos, format!("`{}` lacks {what}", self.text)))
    }

    /// Whether the first type is one of floats.
    pub(crate) fn parts_are_float(&self) -> bool {
        self.first_type().is_some_and(Ty::is_float)
    }

    /// Whether a rounding is named.
    pub(crate) fn has_rounding(&self) -> bool {
        ["rn", "rz", "rm", "rp"].iter().any(|name| self.has(name))
    }

    /// The first type, without taking it.
    pub(crate) fn first_type(&self) -> Option<Ty> {
        self.parts.iter().skip(1).find_map(|part| Ty::by_name(part))
    }

    /// Takes the first type.
    pub(crate) fn ty(&mut self) -> Result<Ty> {
        let found = self.take(|part| Ty::by_name(part).is_some()).and_then(Ty::by_name);
        found.ok_or_else(|| Problem::new(self.pos, format!("`{}` lacks a type", self.text)))
    }

    /// Takes hints that change no result: cache operators and eviction priorities.
    pub(crate) fn hints(&mut self) -> Result<()> {
        if self.has("L2::cache_hint") {
            return Err(Problem::new(self.pos, "cache policies are not simulated"));
        }
        while self.one_of(&["ca", "cg", "cs", "lu", "cv", "wb", "wt"]).is_some() {}
        while self.take(|part| part.starts_with("L1::") || part.starts_with("L2::")).is_some() {}
        Ok(())
    }

    /// Takes rounding, `.ftz` and `.sat`.
    pub(crate) fn style(&mut self) -> Style {
        let mode = self.one_of(&["rn", "rz", "rm", "rp"]).and_then(Mode::by_name);
        let (ftz, sat) = (self.flag("ftz"), self.flag("sat"));
        Style { mode: mode.unwrap_or(Mode::Nearest), ftz, sat }
    }

    /// Takes a state space; none is generic.
    pub(crate) fn space(&mut self) -> Space {
        let names = [
            ("global", Space::Global),
            ("shared", Space::Shared),
            ("shared::cta", Space::Shared),
            ("local", Space::Local),
            ("const", Space::Const),
            ("param", Space::Param),
            ("param::entry", Space::Param),
            ("param::func", Space::Param),
        ];
        let found = names.iter().find(|(name, _)| self.flag(name));
        found.map_or(Space::Generic, |(_, space)| *space)
    }

    /// Takes a scope.
    pub(crate) fn scope(&mut self) -> Option<Scope> {
        Some(match self.one_of(&["cta", "cluster", "gpu", "sys"])? {
            // A cluster is one CTA here.
            "cta" | "cluster" => Scope::Cta,
            _ => Scope::Gpu,
        })
    }

    /// Takes what orders a load or store.
    pub(crate) fn order(&mut self) -> Order {
        let found = self.one_of(&["weak", "volatile", "relaxed", "acquire", "release", "mmio"]);
        if found == Some("mmio") {
            self.flag("relaxed");
        }
        let scope = self.scope().unwrap_or(Scope::Gpu);
        Order {
            strong: !matches!(found, None | Some("weak")),
            acquire: found == Some("acquire"),
            release: found == Some("release"),
            scope,
        }
    }

    /// Complains about what nobody asked for.
    pub(crate) fn finish(&self) -> Result<()> {
        match self.unused().next() {
            None => Ok(()),
            Some((_, part)) => Err(Problem::new(
                self.pos,
                format!("`.{part}` in `{}` is unknown or not simulated", self.text),
            )),
        }
    }
}
