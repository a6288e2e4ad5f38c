//! Macro expansion (C11 6.10.3).
//!
//! Tokens come from a stack of *frames* above the text: the body of a macro, the result of a substitution, an
//! argument on its way to being expanded. While a frame of a macro is on the stack the macro is active; its
//! name, read from anywhere above the text, is painted with [`Token::NO_EXPAND`] and never expanded again,
//! wherever it ends up. A frame that is used up is left on the stack until the next token is asked for, so a
//! call whose `(` comes from behind the frame finds its macro inactive, as in other compilers.
//!
//! All intermediate tokens lie in three stacks that are cut back when the frame or call that grew them is
//! done.

use super::frames::{Frame, Place};
use super::macros::{BodyToken, Macro, MacroId, MacroKind};
use super::state::Preprocessor;
use crate::diag::ids;
use crate::intern::{Symbol, names};
use crate::lex::NO_SYMBOL;
use crate::source::{Loc, MacroUse, UseId};
use crate::token::{Punct, Token, TokenKind};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// Tokens that macros may produce and consume before the translation unit is given up: about a second's
/// worth, and ten times what a program of 100,000 lines needs.
const WORK_LIMIT: u64 = 1 << 24;

/// Macro calls that stand inside the arguments of macro calls: so deep and no deeper.
const MAX_CALL_DEPTH: u32 = 400;

/// For each parameter its argument after expansion, if the body asks for it.
type Expansions = SmallVec<[Option<Range<u32>>; 6]>;

/// What became of an identifier that is a macro's name.
enum Outcome {
    /// It is not expanded.
    Plain,
    /// Its expansion is read next.
    Pushed,
    /// It was replaced by one token.
    Replaced(Token),
}

const SPACES: u8 = Token::SPACE_BEFORE | Token::LINE_START;

impl Preprocessor<'_> {
    /// The next token after macro expansion.
    #[inline]
    pub(super) fn next_expanded(&mut self) -> Token {
        loop {
            let mut token = self.next_raw();
            if let TokenKind::Ident | TokenKind::Keyword(_) = token.kind {
                let id = self.macros.get(token.sym);
                if id != MacroId::NONE && token.flags & Token::NO_EXPAND == 0 {
                    match self.expand(id, &mut token) {
                        Outcome::Plain => {}
                        Outcome::Pushed => continue,
                        Outcome::Replaced(token) => return token,
                    }
                }
            }
            return token;
        }
    }

    /// The next token before macro expansion: from the innermost frame that has one, else from the text.
    #[inline]
    pub(super) fn next_raw(&mut self) -> Token {
        if self.stopped {
            return self.eof();
        }
        let mut token = match self.expansion.frames.is_empty() {
            true => self.next_from_text(),
            false => self.next_from_frames(),
        };
        // Rare, and writing a part of a token that is about to be copied as a whole makes the processor wait.
        if self.expansion.carried_space != 0 {
            token.flags |= self.expansion.carried_space;
            self.expansion.carried_space = 0;
        }
        token
    }

    pub(super) fn next_from_frames(&mut self) -> Token {
        while let Some(frame) = self.expansion.frames.last_mut() {
            if frame.pos < frame.end {
                let at = frame.pos as usize;
                frame.pos += 1;
                let is_first = frame.pos == frame.start + 1;
                let first_flags = frame.first_flags;
                let mut token = match frame.place {
                    Place::Body(used) => {
                        let Token { kind, flags, sym, loc } = self.macros.bodies[at].token;
                        Token { kind, flags, sym, loc: self.session.sources.add_macro_token(loc, used) }
                    }
                    Place::Buffer => self.expansion.buffer[at],
                    Place::Argument => {
                        let token = self.expansion.arguments[at];
                        self.charge(1, token.loc);
                        return token;
                    }
                };
                if is_first {
                    token.flags = token.flags & !SPACES | first_flags;
                }
                self.charge(1, token.loc);
                return token;
            }
            if let Place::Argument = frame.place {
                return self.eof();
            }
            self.pop_frame();
        }
        self.next_from_text()
    }

    /// Takes frames off the stack that have no tokens left.
    pub(super) fn drop_used_frames(&mut self) {
        while self.expansion.frames.last().is_some_and(|frame| frame.pos == frame.end) {
            self.pop_frame();
        }
    }

    fn pop_frame(&mut self) {
        let Some(frame) = self.expansion.frames.pop() else { return };
        if let Place::Buffer = frame.place {
            self.expansion.buffer.truncate(frame.start as usize);
        }
        if frame.active != MacroId::NONE {
            self.macros.macros[frame.active.0 as usize].active -= 1;
        }
        // Nothing was read from it: its white space belongs to what follows.
        if frame.start == frame.end {
            self.expansion.carried_space |= frame.first_flags & SPACES;
        }
    }

    /// Counts the work that macros cause: a few lines can ask for more of it than any machine can do.
    #[inline]
    pub(super) fn charge(&mut self, amount: u32, loc: Loc) {
        self.work += u64::from(amount);
        if self.work > WORK_LIMIT && !self.stopped {
            self.stop(ids::MACRO_LIMIT, loc, "macro expansion produces too many tokens");
        }
    }

    /// Expands the macro `id`, whose name was just read as `token`.
    fn expand(&mut self, id: MacroId, token: &mut Token) -> Outcome {
        let definition = &self.macros.macros[id.0 as usize];
        if definition.active > 0 {
            token.flags |= Token::NO_EXPAND;
            return Outcome::Plain;
        }
        match definition.kind {
            MacroKind::Object => self.expand_object(id, *token),
            MacroKind::Function { params, variadic } => {
                if !self.paren_follows() {
                    return Outcome::Plain;
                }
                return self.expand_call(id, *token, params, variadic);
            }
            MacroKind::Builtin(builtin) => {
                return match self.expand_builtin(builtin, *token) {
                    Some(token) => Outcome::Replaced(token),
                    None => Outcome::Plain,
                };
            }
        }
        Outcome::Pushed
    }

    fn record_use(&mut self, name: Symbol, site: Loc, definition: Loc) -> UseId {
        self.session.sources.add_use(MacroUse { name, site, definition })
    }

    fn expand_object(&mut self, id: MacroId, name: Token) {
        let &Macro { ref body, has_operators, loc, .. } = &self.macros.macros[id.0 as usize];
        let body = body.clone();
        let used = self.record_use(name.sym, name.loc, loc);
        if has_operators {
            let start = self.expansion.buffer.len();
            self.substitute(id, used, 0, &[], false);
            self.push_buffer(start, id, name.flags);
            return;
        }
        self.macros.macros[id.0 as usize].active += 1;
        self.expansion.frames.push(Frame {
            place: Place::Body(used),
            pos: body.start,
            end: body.end,
            start: body.start,
            active: id,
            first_flags: name.flags & SPACES,
        });
    }

    /// Makes what was appended to the buffer since it had `start` tokens the next tokens to read.
    fn push_buffer(&mut self, start: usize, active: MacroId, flags: u8) {
        if active != MacroId::NONE {
            self.macros.macros[active.0 as usize].active += 1;
        }
        let (start, end) = (start as u32, self.expansion.buffer.len() as u32);
        let first_flags = flags & SPACES;
        self.expansion.frames.push(Frame {
            place: Place::Buffer,
            pos: start,
            end,
            start,
            active,
            first_flags,
        });
    }

    /// Makes `tokens` the next tokens to read.
    pub(super) fn push_tokens(&mut self, tokens: &[Token]) {
        let start = self.expansion.buffer.len();
        self.expansion.buffer.extend_from_slice(tokens);
        self.push_buffer(start, MacroId::NONE, tokens.first().map_or(0, |token| token.flags));
    }

    /// Whether the next token is `(`; reads nothing.
    pub(super) fn paren_follows(&mut self) -> bool {
        for frame in self.expansion.frames.iter().rev() {
            if frame.pos < frame.end {
                let at = frame.pos as usize;
                let kind = match frame.place {
                    Place::Body(_) => self.macros.bodies[at].token.kind,
                    Place::Buffer => self.expansion.buffer[at].kind,
                    Place::Argument => self.expansion.arguments[at].kind,
                };
                return kind == TokenKind::Punct(Punct::LParen);
            }
            if let Place::Argument = frame.place {
                return false;
            }
        }
        self.paren_follows_in_text()
    }

    /// Whether the next token comes from the text, and not from a macro.
    pub(super) fn frames_are_used_up(&self) -> bool {
        self.expansion
            .frames
            .iter()
            .all(|frame| frame.pos == frame.end && !matches!(frame.place, Place::Argument))
    }

    fn expand_call(&mut self, id: MacroId, name: Token, params: u16, variadic: bool) -> Outcome {
        let (arguments, ranges) = (self.expansion.arguments.len(), self.expansion.ranges.len());
        let collected = self.collect(name, params, variadic);
        let outcome = match collected {
            Some(no_variable_argument) => {
                let Macro { body, loc, .. } = &self.macros.macros[id.0 as usize];
                let (body, loc) = (body.clone(), *loc);
                let used = self.record_use(name.sym, name.loc, loc);
                let expanded = self.expansion.expanded.len();
                let expansions = self.expand_arguments(&body, ranges, params, name);
                let start = self.expansion.buffer.len();
                self.substitute(id, used, ranges, &expansions, no_variable_argument);
                self.expansion.expanded.truncate(expanded);
                self.push_buffer(start, id, name.flags);
                Outcome::Pushed
            }
            None => Outcome::Plain,
        };
        self.expansion.arguments.truncate(arguments);
        self.expansion.ranges.truncate(ranges);
        outcome
    }

    /// Reads the arguments of a call, from `(` to `)`, onto the stack of arguments, with a range for each
    /// parameter. The result says whether a variable argument was left out altogether; none after an error.
    fn collect(&mut self, name: Token, params: u16, variadic: bool) -> Option<bool> {
        let first_range = self.expansion.ranges.len();
        self.collecting += 1;
        self.next_raw();
        let mut start = self.expansion.arguments.len();
        let mut parens = 0u32;
        loop {
            let mut token = self.next_raw();
            match token.kind {
                TokenKind::Punct(Punct::LParen) => parens += 1,
                TokenKind::Punct(Punct::RParen) if parens == 0 => break,
                TokenKind::Punct(Punct::RParen) => parens -= 1,
                TokenKind::Punct(Punct::Comma) if parens == 0 => {
                    let complete = self.expansion.ranges.len() - first_range + 1;
                    if !variadic || complete < usize::from(params) {
                        let end = self.expansion.arguments.len();
                        self.expansion.ranges.push(start as u32..end as u32);
                        start = end;
                        continue;
                    }
                }
                TokenKind::Eof | TokenKind::PragmaEnd => {
                    self.collecting -= 1;
                    self.unterminated_call(name);
                    return None;
                }
                _ => {}
            }
            if token.flags & Token::LINE_START != 0 {
                token.flags = token.flags & !Token::LINE_START | Token::SPACE_BEFORE;
            }
            // An active macro's name stays unexpanded even if the macro is no longer active when the argument
            // is read.
            if let TokenKind::Ident | TokenKind::Keyword(_) = token.kind
                && self.macros.macros[self.macros.get(token.sym).0 as usize].active > 0
            {
                token.flags |= Token::NO_EXPAND;
            }
            self.expansion.arguments.push(token);
            self.charge(1, token.loc);
        }
        self.collecting -= 1;
        let end = self.expansion.arguments.len();
        self.expansion.ranges.push(start as u32..end as u32);
        let given = self.expansion.ranges.len() - first_range;
        self.check_arguments(name, given, start == end, params, variadic)
    }

    /// The rest of [`Self::collect`]: the number of arguments against the number of parameters.
    fn check_arguments(
        &mut self,
        name: Token,
        given: usize,
        last_is_empty: bool,
        params: u16,
        variadic: bool,
    ) -> Option<bool> {
        let params = usize::from(params);
        let given = if params == 0 && given == 1 && last_is_empty { 0 } else { given };
        let mut left_out = false;
        if variadic && given + 1 == params {
            let end = self.expansion.arguments.len() as u32;
            self.expansion.ranges.push(end..end);
            left_out = true;
        } else if given != params {
            let takes = if variadic { format!("at least {}", params - 1) } else { params.to_string() };
            let plural = |n: usize| if n == 1 { "" } else { "s" };
            let message = format!(
                "macro `{}` is given {given} argument{}, but takes {takes}",
                self.text(name.sym),
                plural(given)
            );
            self.error(ids::MACRO_ARGUMENTS, name.loc, message);
            return None;
        }
        // With a variable argument alone, `f()` leaves it out, except where the standard is taken at its
        // word.
        Some(left_out || variadic && params == 1 && last_is_empty && self.session.options.gnu)
    }

    fn unterminated_call(&mut self, name: Token) {
        if self.stopped {
            return;
        }
        let message = format!("the arguments of macro `{}` have no closing `)`", self.text(name.sym));
        self.error(ids::MACRO_ARGUMENTS, name.loc, message);
    }

    /// Expands those arguments that the body uses other than as operands, onto the stack of expanded tokens.
    fn expand_arguments(
        &mut self,
        body: &Range<u32>,
        first_range: usize,
        params: u16,
        name: Token,
    ) -> Expansions {
        let mut expansions: Expansions = smallvec![None; usize::from(params)];
        for at in body.clone() {
            let item = self.macros.bodies[at as usize];
            let pasted = item.paste || at > body.start && self.macros.bodies[at as usize - 1].paste;
            let param = match item.parameter() {
                Some(param) if !item.stringify && !pasted => param,
                // Whether the variable argument has tokens is a question about its expansion.
                None if item.param == BodyToken::OPTION_START => usize::from(params) - 1,
                Some(_) | None => continue,
            };
            if expansions[param].is_none() {
                let argument = self.expansion.ranges[first_range + param].clone();
                expansions[param] = Some(self.expand_argument(argument, name));
            }
        }
        expansions
    }

    fn expand_argument(&mut self, argument: Range<u32>, name: Token) -> Range<u32> {
        let start = self.expansion.expanded.len() as u32;
        if self.expansion.depth >= MAX_CALL_DEPTH {
            let message =
                format!("macro calls are nested more than {MAX_CALL_DEPTH} deep in macro arguments");
            self.stop(ids::MACRO_LIMIT, name.loc, message);
            return start..start;
        }
        self.expansion.depth += 1;
        self.push_argument(argument);
        loop {
            let token = self.next_expanded();
            if token.kind == TokenKind::Eof {
                break;
            }
            self.expansion.expanded.push(token);
        }
        self.pop_argument();
        self.expansion.depth -= 1;
        start..self.expansion.expanded.len() as u32
    }

    fn push_argument(&mut self, argument: Range<u32>) {
        let Range { start, end } = argument;
        self.expansion.frames.push(Frame {
            place: Place::Argument,
            pos: start,
            end,
            start,
            active: MacroId::NONE,
            first_flags: 0,
        });
    }

    /// Pops the frame that [`Self::push_argument`] pushed, and what an interrupted expansion left above it.
    fn pop_argument(&mut self) {
        while let Some(frame) = self.expansion.frames.last() {
            let done = matches!(frame.place, Place::Argument);
            self.pop_frame();
            if done {
                break;
            }
        }
        self.expansion.carried_space = 0;
    }

    /// Expands `tokens` by themselves, appending the result to `out`.
    pub(super) fn expand_tokens(&mut self, tokens: &[Token], out: &mut Vec<Token>) {
        let start = self.expansion.arguments.len();
        self.expansion.arguments.extend_from_slice(tokens);
        self.push_argument(start as u32..(start + tokens.len()) as u32);
        loop {
            let token = self.next_expanded();
            if token.kind == TokenKind::Eof {
                break;
            }
            out.push(token);
        }
        self.pop_argument();
        self.expansion.arguments.truncate(start);
    }

    /// Appends the body with arguments in place of parameters to the buffer. `first_range` is where the
    /// ranges of the arguments as written start, `expansions` has them expanded.
    fn substitute(
        &mut self,
        id: MacroId,
        used: UseId,
        first_range: usize,
        expansions: &[Option<Range<u32>>],
        no_variable_argument: bool,
    ) {
        let Macro { body, kind, .. } = &self.macros.macros[id.0 as usize];
        let body = body.clone();
        let rest = match *kind {
            MacroKind::Function { params, variadic: true } => params - 1,
            MacroKind::Function { .. } | MacroKind::Object | MacroKind::Builtin(_) => BodyToken::NO_PARAM,
        };
        let mut pasting = false;
        let mut after_comma = false;
        // Whether the left operand of the `##` at hand is nothing at all (a placemarker, C11 6.10.3.3p2).
        let mut left_is_empty = false;
        let mut space = 0;
        // Where what `#__VA_OPT__` makes a string begins, the `#`, and whether the string is pasted.
        let mut quoted: Option<(usize, Token, bool)> = None;
        let mut at = body.start;
        while at < body.end {
            let mut item = self.macros.bodies[at as usize];
            at += 1;
            if item.param == BodyToken::OPTION_START {
                let wanted = expansions[usize::from(rest)].as_ref().is_some_and(|range| !range.is_empty());
                if item.stringify {
                    quoted = Some((self.expansion.buffer.len(), item.token, pasting && !left_is_empty));
                    pasting = false;
                }
                if wanted {
                    space |= if item.stringify { 0 } else { item.token.flags & SPACES };
                    left_is_empty |= !pasting;
                    continue;
                }
                while self.macros.bodies[at as usize].param != BodyToken::OPTION_END {
                    at += 1;
                }
                let flags = item.token.flags;
                item = self.macros.bodies[at as usize];
                item.token.flags = flags;
                at += 1;
                if quoted.is_some() {
                    at -= 1;
                    continue;
                }
            } else if item.param == BodyToken::OPTION_END {
                if let Some((start, hash, joining)) = quoted.take() {
                    let tokens = self.expansion.buffer.split_off(start);
                    let token = self.stringify(&tokens, hash);
                    self.append(token, used, joining);
                    (space, left_is_empty) = (0, false);
                }
                (pasting, after_comma) = (item.paste, false);
                continue;
            }
            let before = self.expansion.buffer.len();
            // GNU: `, ## __VA_ARGS__` is no paste; the comma goes when the variable argument is left out.
            let is_rest = item.param == rest && rest != BodyToken::NO_PARAM && !item.stringify;
            let comma_rule = pasting && after_comma && is_rest;
            if comma_rule && no_variable_argument {
                self.expansion.buffer.pop();
            }
            let joining = pasting && !comma_rule && !left_is_empty;
            if item.stringify {
                let range = self.expansion.ranges[first_range + usize::from(item.param)].clone();
                let argument = self.expansion.arguments[range.start as usize..range.end as usize].to_vec();
                let token = self.stringify(&argument, item.token);
                self.append(token, used, joining);
            } else if item.param == BodyToken::NO_PARAM {
                self.append(item.token, used, joining);
            } else if item.parameter().is_some() {
                let operand = pasting || item.paste;
                let flags = item.token.flags & SPACES;
                match &expansions[usize::from(item.param)] {
                    Some(range) if !operand => {
                        for (index, at) in range.clone().enumerate() {
                            let mut token = self.expansion.expanded[at as usize];
                            if index == 0 {
                                token.flags = token.flags & !SPACES | flags;
                            }
                            self.append(token, used, false);
                        }
                    }
                    _ => {
                        let range = self.expansion.ranges[first_range + usize::from(item.param)].clone();
                        for (index, at) in range.enumerate() {
                            let mut token = self.expansion.arguments[at as usize];
                            if index == 0 {
                                token.flags = token.flags & !SPACES | flags;
                            }
                            self.append(token, used, joining && index == 0);
                        }
                    }
                }
            }
            let added_nothing = self.expansion.buffer.len() <= before && !joining;
            if let Some(token) = self.expansion.buffer.get_mut(before) {
                token.flags |= space;
                space = 0;
            } else if added_nothing {
                space |= item.token.flags & SPACES;
            }
            after_comma = item.token.kind == TokenKind::Punct(Punct::Comma);
            left_is_empty = added_nothing && (!pasting || left_is_empty || comma_rule);
            pasting = item.paste;
            if self.stopped {
                return;
            }
        }
    }

    /// Appends one token of a substitution, or joins it to the last one.
    fn append(&mut self, mut token: Token, used: UseId, join: bool) {
        self.charge(1, token.loc);
        if join && let Some(left) = self.expansion.buffer.pop() {
            match self.paste(left, token) {
                Some(joined) => self.expansion.buffer.push(joined),
                None => {
                    let message = format!(
                        "pasting `{}` and `{}` does not give a valid token",
                        self.spelling(left),
                        self.spelling(token)
                    );
                    self.error(ids::TOKEN_PASTE, left.loc, message);
                    token.loc = self.session.sources.add_macro_token(token.loc, used);
                    self.expansion.buffer.extend([left, token]);
                }
            }
            return;
        }
        token.loc = self.session.sources.add_macro_token(token.loc, used);
        self.expansion.buffer.push(token);
    }

    /// `##`: one token of two.
    fn paste(&mut self, left: Token, right: Token) -> Option<Token> {
        let mut text = std::mem::take(&mut self.expansion.scratch);
        text.clear();
        text.push_str(self.spelling(left));
        text.push_str(self.spelling(right));
        self.charge(text.len() as u32 / 8, left.loc);
        let scanned = if self.may_intern(&text, left.loc) { self.lex_one(&text) } else { None };
        self.expansion.scratch = text;
        let (kind, sym) = scanned?;
        let flags = left.flags & (SPACES | Token::SYSTEM);
        Some(Token { kind, flags, sym, loc: left.loc })
    }

    /// `#`: a string literal of an argument's spelling (C11 6.10.3.2).
    fn stringify(&mut self, argument: &[Token], at: Token) -> Token {
        let mut text = std::mem::take(&mut self.expansion.scratch);
        text.clear();
        text.push('"');
        for (index, &token) in argument.iter().enumerate() {
            if index > 0 && token.flags & SPACES != 0 {
                text.push(' ');
            }
            let spelling = self.spelling(token);
            match token.kind {
                TokenKind::String | TokenKind::Char => {
                    for char in spelling.chars() {
                        if matches!(char, '"' | '\\') {
                            text.push('\\');
                        }
                        text.push(char);
                    }
                }
                _ => text.push_str(spelling),
            }
        }
        text.push('"');
        self.charge(text.len() as u32 / 8, at.loc);
        let scanned = if self.may_intern(&text, at.loc) { self.lex_one(&text) } else { None };
        self.expansion.scratch = text;
        // A stray backslash or quote in the argument may swallow the closing quote.
        let sym = match scanned {
            Some((TokenKind::String, sym)) => sym,
            _ => {
                if !self.stopped {
                    let message = "the argument of `#` does not give a valid string literal";
                    self.error(ids::STRINGIFY, at.loc, message);
                }
                names::EMPTY_STRING
            }
        };
        Token { kind: TokenKind::String, flags: at.flags, sym, loc: at.loc }
    }

    /// The text of a token.
    pub(super) fn spelling(&self, token: Token) -> &str {
        match token.kind {
            TokenKind::Punct(punct) if token.sym == NO_SYMBOL => punct.spelling(),
            TokenKind::Eof | TokenKind::PragmaEnd => "",
            _ => self.session.interner.text(token.sym),
        }
    }
}
