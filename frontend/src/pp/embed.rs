//! `#embed` and `__has_embed` (C23 6.10.4): the bytes of a file as integer constants.
//!
//! The constants are a text that is read in the place of the directive, as a header is.

use super::search::Found;
use super::state::Preprocessor;
use crate::diag::{Diagnostic, ids};
use crate::source::{Loc, Span};
use crate::token::{Punct, Token, TokenKind};
use std::fmt::Write;

/// The parameters of a directive, as text.
#[derive(Default)]
struct Parameters {
    limit: Option<u64>,
    prefix: String,
    suffix: String,
    if_empty: String,
    /// One that is not known, and where it stands.
    unknown: Option<(String, Loc)>,
}

impl Preprocessor<'_> {
    /// `#embed`, behind the name.
    pub(super) fn embed_directive(&mut self) {
        let Some((name, loc, _)) = self.header_name_argument("embed") else { return };
        let Some((parameters, _)) = self.embed_parameters() else { return };
        if let Some((unknown, loc)) = parameters.unknown {
            self.error(ids::INCLUDE, loc, format!("unknown parameter `{unknown}` of #embed"));
            return;
        }
        let Some(found) = self.find_resource(&name) else {
            let message = format!("cannot find `{}` for #embed", &name[1..name.len() - 1]);
            self.report(Diagnostic::error(ids::INCLUDE, Span::at(loc), message));
            self.stopped = true;
            return;
        };
        // What a file holds that is no source is not compared when a kept program is taken again.
        self.files.facts.unsure = true;
        let text = constants(bytes_of(&found), &parameters);
        self.files.pending = Some(Found { text: text.into_bytes().into(), from: loc, ..found });
    }

    /// `__has_embed(...)`, behind its name: 0 if there is no such file or a parameter is not known, 2 for one
    /// without bytes, 1 otherwise. None after an error.
    pub(super) fn has_embed(&mut self, at: Token) -> Option<u32> {
        let open = self.next_raw();
        if !Self::is_punct(open, Punct::LParen) {
            self.error(ids::CONDITION, open.loc, "missing `(` after `__has_embed`");
            return None;
        }
        let header = self.header_in_parentheses();
        let Some(header) = header else {
            self.error(ids::CONDITION, open.loc, "`__has_embed` expects \"FILE\" or <FILE>");
            return None;
        };
        let (parameters, end) = self.embed_parameters()?;
        if !Self::is_punct(end, Punct::RParen) {
            self.error(ids::CONDITION, at.loc, "missing `)` after `__has_embed`");
            return None;
        }
        if parameters.unknown.is_some() {
            return Some(0);
        }
        Some(match self.find_resource(&header) {
            None => 0,
            Some(found) if bytes_of(&found).is_empty() || parameters.limit == Some(0) => 2,
            Some(_) => 1,
        })
    }

    fn find_resource(&mut self, name: &str) -> Option<Found> {
        if name.len() <= 2 { None } else { self.find(name, false).ok() }
    }

    // embed-parameter-sequence:
    //     embed-parameter embed-parameter-sequence(opt)
    // embed-parameter:
    //     identifier ( balanced-token-sequence(opt) )
    //     identifier :: identifier ( balanced-token-sequence(opt) )(opt)
    /// Reads to the end of the line or to a `)` that belongs to none of them, which is returned.
    fn embed_parameters(&mut self) -> Option<(Parameters, Token)> {
        let mut parameters = Parameters::default();
        let mut token = self.next_raw();
        loop {
            if !matches!(token.kind, TokenKind::Ident | TokenKind::Keyword(_)) {
                if !Self::is_end(token) && !Self::is_punct(token, Punct::RParen) {
                    self.error(ids::INCLUDE, token.loc, "expected a parameter of #embed");
                    return None;
                }
                return Some((parameters, token));
            }
            let loc = token.loc;
            let mut name = self.text(token.sym).trim_matches('_').to_owned();
            token = self.next_raw();
            while Self::is_punct(token, Punct::Colon)
                || matches!(token.kind, TokenKind::Ident if name.ends_with(':'))
            {
                let part = self.spelling(token).to_owned();
                name.push_str(&part);
                token = self.next_raw();
            }
            let is_limit = name == "limit";
            let mut argument = Vec::new();
            if Self::is_punct(token, Punct::LParen) {
                argument = self.balanced(is_limit)?;
                token = self.next_raw();
            } else if matches!(&*name, "limit" | "prefix" | "suffix" | "if_empty") {
                self.error(ids::INCLUDE, loc, format!("parameter `{name}` of #embed is not followed by `(`"));
                return None;
            }
            match &*name {
                "limit" => parameters.limit = Some(self.embed_limit(&argument, loc)?),
                "prefix" => parameters.prefix = self.text_of(&argument),
                "suffix" => parameters.suffix = self.text_of(&argument),
                "if_empty" => parameters.if_empty = self.text_of(&argument),
                _ => parameters.unknown = Some((name, loc)),
            }
        }
    }

    fn embed_limit(&mut self, tokens: &[Token], loc: Loc) -> Option<u64> {
        let (value, is_negative) = self.constant_of(tokens, loc)?;
        if is_negative {
            self.error(ids::INCLUDE, loc, "the limit of #embed is less than zero");
            return None;
        }
        Some(value)
    }

    /// The tokens up to the `)` of an open parenthesis.
    fn balanced(&mut self, expands: bool) -> Option<Vec<Token>> {
        let (mut tokens, mut open) = (Vec::new(), 0u32);
        loop {
            let token = if expands { self.next_expanded() } else { self.next_raw() };
            match token.kind {
                _ if Self::is_end(token) => {
                    self.error(ids::INCLUDE, token.loc, "missing `)` in a parameter of #embed");
                    return None;
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => open += 1,
                TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) if open > 0 => open -= 1,
                TokenKind::Punct(Punct::RParen) => return Some(tokens),
                _ => {}
            }
            tokens.push(token);
        }
    }

    fn text_of(&self, tokens: &[Token]) -> String {
        tokens.iter().map(|&token| self.spelling(token)).collect::<Vec<_>>().join(" ")
    }
}

/// The bytes of a file; a zero byte stands behind them.
fn bytes_of(found: &Found) -> &[u8] {
    found.text.split_last().map_or(&[], |(_, bytes)| bytes)
}

/// The text that a directive stands for, with a zero byte behind it.
fn constants(bytes: &[u8], parameters: &Parameters) -> String {
    let limit = parameters.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let bytes = &bytes[..bytes.len().min(limit)];
    if bytes.is_empty() {
        return format!("{}\n\0", parameters.if_empty);
    }
    let mut text = String::with_capacity(bytes.len() * 4 + 2);
    text.push_str(&parameters.prefix);
    for (index, byte) in bytes.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(text, "{}{byte}", if index == 0 { ' ' } else { ',' });
    }
    text.push(' ');
    text.push_str(&parameters.suffix);
    text.push_str("\n\0");
    text
}
