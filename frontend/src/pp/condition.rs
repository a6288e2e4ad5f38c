//! The expressions of `#if` and `#elif` (C11 6.10.1).

use super::state::Preprocessor;
use crate::diag::ids;
use crate::intern::{Symbol, names};
use crate::source::Loc;
use crate::token::{Keyword, Punct, Token, TokenKind};

/// Parentheses and unary operators inside each other: so deep and no deeper.
const MAX_DEPTH: u32 = 1000;

/// An `intmax_t` or `uintmax_t`, as its bits.
#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn signed(value: i64) -> Self {
        Value { bits: value as u64, unsigned: false }
    }

    fn truth(value: bool) -> Self {
        Value::signed(i64::from(value))
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// What was wrong was reported.
struct Failed;

type Result = std::result::Result<Value, Failed>;

/// Recursive descent over the tokens of one expression.
struct Evaluator<'p, 's> {
    pp: &'p mut Preprocessor<'s>,
    tokens: &'p [Token],
    at: usize,
    end: Token,
    depth: u32,
}

impl Preprocessor<'_> {
    /// Evaluates the expression of an `#if`, to the end of the line. Also gives `X` if it is just
    /// `!defined X`.
    pub(super) fn condition(&mut self) -> (bool, Option<Symbol>) {
        let mut tokens = Vec::new();
        let mut defined = None;
        self.in_condition = true;
        let end = loop {
            let token = self.next_expanded();
            match token.kind {
                _ if Self::is_end(token) => break token,
                TokenKind::Ident if token.sym == names::DEFINED => match self.defined(token) {
                    Some((value, name)) => {
                        defined = if tokens.len() == 1 { Some(name) } else { None };
                        tokens.push(value);
                    }
                    None => {
                        self.in_condition = false;
                        return (false, None);
                    }
                },
                _ => tokens.push(token),
            }
        };
        self.in_condition = false;
        if self.stopped {
            return (false, None);
        }
        let guard = defined.filter(|_| tokens.len() == 2 && Self::is_punct(tokens[0], Punct::Bang));
        if tokens.is_empty() {
            self.error(ids::CONDITION, end.loc, "#if with no expression");
            return (false, None);
        }
        let mut evaluator = Evaluator { pp: self, tokens: &tokens, at: 0, end, depth: 0 };
        let value = evaluator.expression(true);
        let value = match value {
            Ok(_) if evaluator.at < tokens.len() => {
                let token = tokens[evaluator.at];
                let message = format!("unexpected `{}` in the expression of #if", self.spelling(token));
                self.error(ids::CONDITION, token.loc, message);
                return (false, None);
            }
            Ok(value) => value,
            Err(Failed) => return (false, None),
        };
        (value.is_true(), guard)
    }

    /// The value of an expression of tokens, and whether it is less than zero.
    pub(super) fn constant_of(&mut self, tokens: &[Token], loc: Loc) -> Option<(u64, bool)> {
        let end = Token { kind: TokenKind::PragmaEnd, flags: 0, sym: names::EMPTY, loc };
        let mut evaluator = Evaluator { pp: self, tokens, at: 0, end, depth: 0 };
        let value = evaluator.expression(true).ok()?;
        if evaluator.at < tokens.len() {
            self.error(ids::CONDITION, loc, "the expression does not end where it should");
            return None;
        }
        Some((value.bits, !value.unsigned && (value.bits as i64) < 0))
    }

    /// `defined X` or `defined(X)`, behind `defined`: its value as a token, and `X`.
    fn defined(&mut self, at: Token) -> Option<(Token, Symbol)> {
        let mut token = self.next_raw();
        let parenthesized = Self::is_punct(token, Punct::LParen);
        if parenthesized {
            token = self.next_raw();
        }
        if !matches!(token.kind, TokenKind::Ident | TokenKind::Keyword(_)) {
            self.error(ids::CONDITION, token.loc, "`defined` is not followed by a name");
            return None;
        }
        if parenthesized {
            let close = self.next_raw();
            if !Self::is_punct(close, Punct::RParen) {
                self.error(ids::CONDITION, close.loc, "missing `)` after `defined`");
                return None;
            }
        }
        let sym = if self.macros.is_defined(token.sym) { names::ONE } else { names::ZERO };
        Some((Token { kind: TokenKind::Number, sym, ..at }, token.sym))
    }
}

impl Evaluator<'_, '_> {
    fn peek(&self) -> Option<Punct> {
        match self.tokens.get(self.at)?.kind {
            TokenKind::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    fn here(&self) -> Token {
        self.tokens.get(self.at).copied().unwrap_or(self.end)
    }

    fn fail(&mut self, token: Token, message: impl Into<String>) -> Failed {
        self.pp.error(ids::CONDITION, token.loc, message);
        Failed
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.peek() == Some(punct);
        self.at += usize::from(found);
        found
    }

    fn deeper(&mut self) -> std::result::Result<(), Failed> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let token = self.here();
            return Err(self.fail(token, "the expression of #if is nested too deep"));
        }
        Ok(())
    }

    /// expression: conditional-expression { , conditional-expression }, as other compilers allow it
    fn expression(&mut self, live: bool) -> Result {
        let mut value = self.conditional(live)?;
        while self.eat(Punct::Comma) {
            value = self.conditional(live)?;
        }
        Ok(value)
    }

    /// conditional-expression: logical-OR-expression [ ? expression : conditional-expression ]
    ///
    /// What is not `live` is parsed and not evaluated: there, a division by zero is no error.
    fn conditional(&mut self, live: bool) -> Result {
        self.deeper()?;
        let condition = self.binary(0, live)?;
        let value = if self.eat(Punct::Question) {
            let first = self.conditional(live && condition.is_true())?;
            if !self.eat(Punct::Colon) {
                let token = self.here();
                return Err(self.fail(token, "`?` without following `:` in the expression of #if"));
            }
            let second = self.conditional(live && !condition.is_true())?;
            let bits = if condition.is_true() { first.bits } else { second.bits };
            Value { bits, unsigned: first.unsigned || second.unsigned }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn precedence(punct: Punct) -> Option<u8> {
        use Punct::*;
        Some(match punct {
            PipePipe => 1,
            AmpAmp => 2,
            Pipe => 3,
            Caret => 4,
            Amp => 5,
            EqEq | Ne => 6,
            Lt | Gt | Le | Ge => 7,
            Shl | Shr => 8,
            Plus | Minus => 9,
            Star | Slash | Percent => 10,
            _ => return None,
        })
    }

    /// Binary operators that bind tighter than `above`.
    fn binary(&mut self, above: u8, live: bool) -> Result {
        let mut left = self.unary(live)?;
        while let Some(punct) = self.peek() {
            let Some(precedence) = Self::precedence(punct).filter(|&precedence| precedence > above) else {
                break;
            };
            let operator = self.here();
            self.at += 1;
            let right_live = match punct {
                Punct::AmpAmp => live && left.is_true(),
                Punct::PipePipe => live && !left.is_true(),
                _ => live,
            };
            let right = self.binary(precedence, right_live)?;
            left = self.apply(punct, left, right, operator, live)?;
        }
        Ok(left)
    }

    fn apply(&mut self, punct: Punct, a: Value, b: Value, at: Token, live: bool) -> Result {
        use Punct::*;
        let unsigned = a.unsigned || b.unsigned;
        let (x, y) = (a.bits as i64, b.bits as i64);
        let arithmetic = |bits: u64| Value { bits, unsigned };
        let less =
            |a: Value, b: Value| if unsigned { a.bits < b.bits } else { (a.bits as i64) < b.bits as i64 };
        Ok(match punct {
            PipePipe => Value::truth(a.is_true() || b.is_true()),
            AmpAmp => Value::truth(a.is_true() && b.is_true()),
            Pipe => arithmetic(a.bits | b.bits),
            Caret => arithmetic(a.bits ^ b.bits),
            Amp => arithmetic(a.bits & b.bits),
            EqEq => Value::truth(a.bits == b.bits),
            Ne => Value::truth(a.bits != b.bits),
            Lt => Value::truth(less(a, b)),
            Gt => Value::truth(less(b, a)),
            Le => Value::truth(!less(b, a)),
            Ge => Value::truth(!less(a, b)),
            Shl | Shr => Self::shift(a, b, punct == Shl),
            Plus => arithmetic(a.bits.wrapping_add(b.bits)),
            Minus => arithmetic(a.bits.wrapping_sub(b.bits)),
            Star => arithmetic(a.bits.wrapping_mul(b.bits)),
            _ if b.bits == 0 && live => return Err(self.fail(at, "division by zero in #if")),
            _ if b.bits == 0 => arithmetic(0),
            Slash if unsigned => arithmetic(a.bits / b.bits),
            Slash => arithmetic(x.wrapping_div(y) as u64),
            _ if unsigned => arithmetic(a.bits % b.bits),
            _ => arithmetic(x.wrapping_rem(y) as u64),
        })
    }

    /// A negative count shifts the other way, and what is shifted out is gone, as in GCC.
    fn shift(a: Value, b: Value, left: bool) -> Value {
        let count = b.bits as i64;
        let backwards = !b.unsigned && count < 0;
        let amount = if backwards { count.unsigned_abs() } else { b.bits };
        let amount = u32::try_from(amount).unwrap_or(u32::MAX);
        let bits = if left != backwards {
            a.bits.checked_shl(amount).unwrap_or(0)
        } else if a.unsigned {
            a.bits.checked_shr(amount).unwrap_or(0)
        } else {
            (a.bits as i64).checked_shr(amount).unwrap_or(if (a.bits as i64) < 0 { -1 } else { 0 }) as u64
        };
        Value { bits, unsigned: a.unsigned }
    }

    /// unary-expression: primary | ( + | - | ~ | ! ) unary-expression
    fn unary(&mut self, live: bool) -> Result {
        let operator = match self.peek() {
            Some(punct @ (Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang)) => punct,
            _ => return self.primary(live),
        };
        self.at += 1;
        self.deeper()?;
        let value = self.unary(live)?;
        self.depth -= 1;
        Ok(match operator {
            Punct::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
            Punct::Tilde => Value { bits: !value.bits, ..value },
            Punct::Bang => Value::truth(!value.is_true()),
            _ => value,
        })
    }

    fn primary(&mut self, live: bool) -> Result {
        let token = self.here();
        if self.at >= self.tokens.len() {
            return Err(self.fail(token, "the expression of #if ends too early"));
        }
        self.at += 1;
        match token.kind {
            TokenKind::Number => self.number(token),
            TokenKind::Char => match character(self.pp.text(token.sym)) {
                Some(value) => Ok(value),
                None => Err(self.fail(token, "invalid character constant in #if")),
            },
            TokenKind::Keyword(Keyword::True) => Ok(Value::signed(1)),
            // C11 6.10.1p4: names that are no macros are zero.
            TokenKind::Ident | TokenKind::Keyword(_) => {
                if self.peek() == Some(Punct::LParen) && live {
                    let name = self.pp.text(token.sym);
                    let message =
                        format!("`{name}` is not a function-like macro; in #if only macros can be called");
                    return Err(self.fail(token, message));
                }
                Ok(Value::signed(0))
            }
            TokenKind::Punct(Punct::LParen) => {
                let value = self.expression(live)?;
                if !self.eat(Punct::RParen) {
                    let token = self.here();
                    return Err(self.fail(token, "missing `)` in the expression of #if"));
                }
                Ok(value)
            }
            TokenKind::String => Err(self.fail(token, "a string literal is not valid in #if")),
            _ => {
                let spelling = self.pp.spelling(token).to_owned();
                Err(self.fail(token, format!("`{spelling}` is not valid in the expression of #if")))
            }
        }
    }

    fn number(&mut self, token: Token) -> Result {
        let text = self.pp.text(token.sym);
        match integer(text) {
            Ok(value) => Ok(value),
            Err(problem) => {
                let message = format!("{problem} `{text}` in #if");
                Err(self.fail(token, message))
            }
        }
    }
}

/// An integer constant: digits of one base and a suffix.
fn integer(text: &str) -> std::result::Result<Value, &'static str> {
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let (digits, radix) = if let Some(rest) = lower.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (rest, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (&lower[..], 10)
    };
    let len = digits.bytes().take_while(|&byte| char::from(byte).is_digit(radix.max(10))).count();
    let (digits, suffix) = digits.split_at(len);
    let unsigned_suffix = match suffix {
        "" | "l" | "ll" => false,
        "u" | "ul" | "ull" | "lu" | "llu" => true,
        _ if suffix.starts_with(['.', 'e', 'p']) => return Err("floating constant"),
        _ => return Err("invalid integer constant"),
    };
    if digits.is_empty() && radix != 8 {
        return Err("invalid integer constant");
    }
    let mut bits = 0u64;
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(radix) else { return Err("invalid digit in integer constant") };
        let next = bits.checked_mul(u64::from(radix)).and_then(|bits| bits.checked_add(u64::from(digit)));
        bits = next.ok_or("integer constant is too large:")?;
    }
    Ok(Value { bits, unsigned: unsigned_suffix || bits > i64::MAX as u64 })
}

/// The value of a character constant, prefix and quotes included (C11 6.4.4.4). Several characters are taken
/// together as GCC takes them, eight bits each.
fn character(text: &str) -> Option<Value> {
    let quote = text.find('\'')?;
    let (prefix, body) = (&text[..quote], text.get(quote + 1..text.len() - 1)?);
    let mut chars = body.chars().peekable();
    let mut units = Vec::new();
    while let Some(char) = chars.next() {
        if char != '\\' {
            if prefix.is_empty() {
                let mut bytes = [0; 4];
                units.extend(char.encode_utf8(&mut bytes).bytes().map(u32::from));
            } else {
                units.push(char as u32);
            }
            continue;
        }
        let escape = chars.next()?;
        units.push(match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            'x' => {
                let mut code = None;
                while let Some(digit) = chars.peek().and_then(|char| char.to_digit(16)) {
                    code = Some(code.unwrap_or(0u32).checked_mul(16)? + digit);
                    chars.next();
                }
                code?
            }
            'u' | 'U' => {
                let mut code = 0u32;
                for _ in 0..if escape == 'u' { 4 } else { 8 } {
                    code = code.checked_mul(16)? + chars.next()?.to_digit(16)?;
                }
                code
            }
            '0'..='7' => {
                let mut code = escape.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|char| char.to_digit(8)) else { break };
                    code = code * 8 + digit;
                    chars.next();
                }
                code
            }
            other => other as u32,
        });
    }
    let value = match (prefix, &units[..]) {
        (_, []) => return None,
        ("", [unit]) => i64::from(*unit as u8 as i8),
        ("", units) => i64::from(units.iter().fold(0u32, |value, unit| value << 8 | (unit & 0xff)) as i32),
        ("L", units) => i64::from(*units.last()? as i32),
        (_, units) => i64::from(*units.last()?),
    };
    Some(Value { bits: value as u64, unsigned: !matches!(prefix, "" | "L") })
}
