//! Macros that the preprocessor makes: `__FILE__` and the like.

use super::macros::Builtin;
use super::state::Preprocessor;
use crate::diag::ids;
use crate::intern::names;
use crate::token::{Punct, Token, TokenKind};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Attributes that accrue understands or may ignore, as `__has_attribute` is asked for them.
const ATTRIBUTES: &[&str] = &[
    "access",
    "alias",
    "aligned",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cold",
    "const",
    "constructor",
    "copy",
    "deprecated",
    "destructor",
    "fallthrough",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "mode",
    "noclone",
    "noinline",
    "nonnull",
    "noreturn",
    "nothrow",
    "packed",
    "pure",
    "returns_nonnull",
    "returns_twice",
    "section",
    "sentinel",
    "tls_model",
    "transparent_union",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "warning",
    "error",
    "weak",
];

/// Attributes of C23, and the dates at which they came to be what they are.
const STANDARD_ATTRIBUTES: &[(&str, &str)] = &[
    ("_Noreturn", "202202L"),
    ("deprecated", "201904L"),
    ("fallthrough", "201904L"),
    ("maybe_unused", "201904L"),
    ("nodiscard", "202003L"),
    ("noreturn", "202202L"),
    ("reproducible", "202207L"),
    ("unsequenced", "202207L"),
];

/// Built-in functions, as `__has_builtin` is asked for them.
const BUILTINS: &[&str] = &[
    "__builtin_abort",
    "__builtin_abs",
    "__builtin_alloca",
    "__builtin_bswap16",
    "__builtin_bswap32",
    "__builtin_bswap64",
    "__builtin_choose_expr",
    "__builtin_clz",
    "__builtin_clzl",
    "__builtin_clzll",
    "__builtin_constant_p",
    "__builtin_copysign",
    "__builtin_cpu_init",
    "__builtin_cpu_is",
    "__builtin_cpu_supports",
    "__builtin_ctz",
    "__builtin_ctzl",
    "__builtin_ctzll",
    "__builtin_exit",
    "__builtin_expect",
    "__builtin_fabs",
    "__builtin_fabsf",
    "__builtin_ffs",
    "__builtin_free",
    "__builtin_huge_val",
    "__builtin_huge_valf",
    "__builtin_inf",
    "__builtin_inff",
    "__builtin_isfinite",
    "__builtin_isinf_sign",
    "__builtin_isnan",
    "__builtin_isnormal",
    "__builtin_malloc",
    "__builtin_memcmp",
    "__builtin_memcpy",
    "__builtin_memset",
    "__builtin_nan",
    "__builtin_nanf",
    "__builtin_object_size",
    "__builtin_offsetof",
    "__builtin_popcount",
    "__builtin_popcountl",
    "__builtin_popcountll",
    "__builtin_prefetch",
    "__builtin_printf",
    "__builtin_signbit",
    "__builtin_strcmp",
    "__builtin_strlen",
    "__builtin_trap",
    "__builtin_types_compatible_p",
    "__builtin_unreachable",
    "__builtin_va_arg",
    "__builtin_va_copy",
    "__builtin_va_end",
    "__builtin_va_start",
];

impl Preprocessor<'_> {
    /// The token a built-in macro stands for; none if its name is left alone.
    pub(super) fn expand_builtin(&mut self, builtin: Builtin, name: Token) -> Option<Token> {
        let truth = |value: bool| if value { "1".to_owned() } else { "0".to_owned() };
        // These are not the same for another program, or later.
        let changes = [Builtin::BaseFile, Builtin::Date, Builtin::Time, Builtin::Timestamp];
        self.files.facts.unsure |= changes.contains(&builtin);
        let text = match builtin {
            Builtin::File => {
                let file = self.open.last().map_or(self.base_file, |file| file.name);
                quote(self.session.sources.file_name(file))
            }
            Builtin::FileName => {
                let file = self.open.last().map_or(self.base_file, |file| file.name);
                let path = self.session.sources.file_name(file);
                quote(path.rsplit('/').next().unwrap_or(path))
            }
            Builtin::BaseFile => quote(self.session.sources.file_name(self.base_file)),
            Builtin::Line => {
                self.session.sources.position(name.loc).map_or(0, |position| position.line).to_string()
            }
            Builtin::Date => quote(&date(now(), "{mon} {day} {year}")),
            Builtin::Time => quote(&date(now(), "{time}")),
            Builtin::Timestamp => {
                let path = self.session.sources.file_name(self.base_file);
                let changed = std::fs::metadata(path).and_then(|data| data.modified()).ok();
                let since = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                match since {
                    Some(since) => quote(&date(since.as_secs(), "{week} {mon} {day} {time} {year}")),
                    None => quote("??? ??? ?? ??:??:?? ????"),
                }
            }
            Builtin::Counter => {
                self.counter += 1;
                (self.counter - 1).to_string()
            }
            Builtin::IncludeLevel => (self.open.len().saturating_sub(1)).to_string(),
            Builtin::HasInclude | Builtin::HasIncludeNext => {
                if !self.in_condition {
                    let message = format!("`{}` can only be used in #if", self.text(name.sym));
                    self.error(ids::HAS_INCLUDE, name.loc, message);
                    return None;
                }
                truth(self.has_include(name, builtin == Builtin::HasIncludeNext).unwrap_or(false))
            }
            Builtin::HasAttribute => truth(self.has_name(name, ATTRIBUTES)?),
            Builtin::HasFunction => truth(self.has_name(name, BUILTINS)?),
            Builtin::HasStandardAttribute => self.standard_attribute(name)?.to_owned(),
            Builtin::HasEmbed => {
                if !self.in_condition {
                    self.error(ids::HAS_INCLUDE, name.loc, "`__has_embed` can only be used in #if");
                    return None;
                }
                self.has_embed(name).unwrap_or(0).to_string()
            }
            Builtin::Poisoned => {
                let message = format!("use of poisoned `{}`", self.text(name.sym));
                self.error(ids::POISONED, name.loc, message);
                return None;
            }
        };
        let kind = if text.starts_with('"') { TokenKind::String } else { TokenKind::Number };
        Some(Token { kind, sym: self.session.interner.intern(&text), ..name })
    }

    /// `(NAME)` or `(PREFIX::NAME)` behind `__has_c_attribute`: the version of the attribute, as text.
    fn standard_attribute(&mut self, at: Token) -> Option<&'static str> {
        let is_name = |token: Token| matches!(token.kind, TokenKind::Ident | TokenKind::Keyword(_));
        let bare = |pp: &Self, token: Token| {
            let text = pp.text(token.sym);
            text.strip_prefix("__").and_then(|text| text.strip_suffix("__")).unwrap_or(text).to_owned()
        };
        let open = self.next_raw();
        let mut name = self.next_raw();
        let mut end = self.next_raw();
        let mut prefix = None;
        if Self::is_punct(end, Punct::Colon) {
            self.next_raw();
            prefix = Some(bare(self, name));
            name = self.next_raw();
            end = self.next_raw();
        }
        if !Self::is_punct(open, Punct::LParen) || !is_name(name) || !Self::is_punct(end, Punct::RParen) {
            let message = "`__has_c_attribute` expects the name of an attribute in parentheses";
            self.error(ids::CONDITION, at.loc, message);
            return None;
        }
        let name = bare(self, name);
        let truth = |known: bool| if known { "1" } else { "0" };
        Some(match prefix.as_deref() {
            None => STANDARD_ATTRIBUTES.iter().find(|(known, _)| *known == name).map_or("0", |found| found.1),
            Some("gnu") => truth(ATTRIBUTES.contains(&&*name)),
            Some("omp") => truth(self.knows_omp_attribute(&name)),
            Some(_) => "0",
        })
    }

    /// Whether `omp::NAME` is an attribute that means directives.
    fn knows_omp_attribute(&self, name: &str) -> bool {
        self.session.options.openmp && matches!(name, "directive" | "sequence")
    }

    /// `(NAME)` or `(PREFIX::NAME)` behind `__has_attribute`: whether the list has it, with or without underscores around.
    fn has_name(&mut self, at: Token, list: &[&str]) -> Option<bool> {
        if !self.paren_follows() {
            let message = format!("`{}` is not followed by (NAME)", self.text(at.sym));
            self.error(ids::CONDITION, at.loc, message);
            return None;
        }
        self.next_raw();
        let mut name = self.next_raw();
        let mut close = self.next_raw();
        let prefix = Self::is_punct(close, Punct::Colon).then_some(name);
        if prefix.is_some() {
            self.next_raw();
            name = self.next_raw();
            close = self.next_raw();
        }
        let is_name = matches!(name.kind, TokenKind::Ident | TokenKind::Keyword(_));
        if !is_name || !Self::is_punct(close, Punct::RParen) {
            let message = format!("`{}` expects one name in parentheses", self.text(at.sym));
            self.error(ids::CONDITION, name.loc, message);
            return None;
        }
        let text = self.text(name.sym);
        let bare = text.strip_prefix("__").and_then(|text| text.strip_suffix("__")).unwrap_or(text);
        debug_assert_ne!(name.sym, names::EMPTY);
        Some(match prefix.map(|prefix| self.text(prefix.sym)) {
            None | Some("gnu" | "__gnu__") => list.contains(&text) || list.contains(&bare),
            Some("omp" | "__omp__") => self.knows_omp_attribute(bare),
            Some(_) => false,
        })
    }
}

/// A string literal of a text.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Seconds since 1970, or what `SOURCE_DATE_EPOCH` says for builds that must be the same every time.
fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs())
}

/// A date and time in UTC, as C's `asctime` writes their parts.
fn date(seconds: u64, form: &str) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    // The last second of the year 9999: the text has room for four digits.
    let seconds = seconds.min(253_402_300_799);
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let week = DAYS[(days % 7) as usize];
    let is_leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    let time = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    form.replace("{week}", week)
        .replace("{mon}", MONTHS[month])
        .replace("{day}", &format!("{:2}", days + 1))
        .replace("{time}", &time)
        .replace("{year}", &year.to_string())
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates() {
        let form = "{week} {mon} {day} {time} {year}";
        assert_eq!(date(0, form), "Thu Jan  1 00:00:00 1970");
        assert_eq!(date(951_827_696, form), "Tue Feb 29 12:34:56 2000");
        assert_eq!(date(1_735_689_599, form), "Tue Dec 31 23:59:59 2024");
    }
}
