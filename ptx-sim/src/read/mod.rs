//! The reader: PTX text to a [`ast::Module`].
//!
//! It takes what accrue, nvcc, clang and GCC write. Sections of debug information are skipped; performance
//! directives that only advise an assembler are read and forgotten.

pub(crate) mod ast;
mod declare;
mod lex;
mod number;

use crate::error::{Pos, Problem, Result};
use ast::{AddressBase, Function, Guard, Instruction, Location, Module, Operand, Prototype, Statement};
use ast::{StatementKind, VarSpace};
use lex::{Spanned, Token};

/// Deepest nesting of `{` and of operands.
const DEEPEST: usize = 64;

/// Reads a module.
pub(crate) fn module(text: &str) -> Result<Module<'_>> {
    let tokens = lex::tokens(text)?;
    let mut reader = Reader { tokens, at: 0 };
    reader.module()
}

struct Reader<'a> {
    tokens: Vec<Spanned<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Token<'a> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Token<'a> {
        self.tokens.get(self.at + ahead).map_or(Token::End, |spanned| spanned.token)
    }

    fn pos(&self) -> Pos {
        let last = self.tokens.last().map_or_else(Pos::default, |spanned| spanned.pos);
        self.tokens.get(self.at).map_or(last, |spanned| spanned.pos)
    }

    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn problem<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Problem::new(self.pos(), message))
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        let found = match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Directive(word) => format!("`.{word}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::Text(_) => "a quoted text".to_owned(),
            Token::Punct(byte) => format!("`{}`", char::from(byte)),
            Token::End => "the end of the text".to_owned(),
        };
        self.problem(format!("{what} is expected here, not {found}"))
    }

    fn accept(&mut self, punct: u8) -> bool {
        let found = self.peek() == Token::Punct(punct);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: u8) -> Result<()> {
        if self.accept(punct) {
            return Ok(());
        }
        self.expected(&format!("`{}`", char::from(punct)))
    }

    fn accept_directive(&mut self, name: &str) -> bool {
        let found = self.peek() == Token::Directive(name);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Token::Word(word) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    /// `MODULE = DIRECTIVE*`
    fn module(&mut self) -> Result<Module<'a>> {
        let mut module = Module::default();
        if !self.accept_directive("version") {
            return self.expected("`.version`");
        }
        module.version = self.version()?;
        loop {
            match self.peek() {
                Token::End => break,
                Token::Directive(name) => self.module_directive(name, &mut module)?,
                // Some compilers end declarations twice.
                Token::Punct(b';') => self.at += 1,
                _ => return self.expected("a directive"),
            }
        }
        if module.target == 0 {
            return self.problem("the module has no `.target`");
        }
        Ok(module)
    }

    fn version(&mut self) -> Result<(u32, u32)> {
        let Token::Number(text) = self.peek() else { return self.expected("a version such as 7.8") };
        let parts = text.split_once('.');
        let parsed = parts.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let Some(version) = parsed else { return self.problem(format!("`{text}` is no version")) };
        self.at += 1;
        Ok(version)
    }

    fn module_directive(&mut self, name: &'a str, module: &mut Module<'a>) -> Result<()> {
        match name {
            "target" => {
                self.at += 1;
                module.target = self.target()?;
            }
            "address_size" => {
                self.at += 1;
                if self.peek() != Token::Number("64") {
                    return self.problem("only `.address_size 64` is simulated");
                }
                self.at += 1;
            }
            "file" => {
                self.at += 1;
                module.files.push(self.file()?);
            }
            "section" => self.section()?,
            "loc" => {
                self.at += 1;
                self.location()?;
            }
            "pragma" => self.skip_to_semicolon()?,
            "alias" => {
                self.at += 1;
                let pos = self.pos();
                let alias = self.word("the alias")?;
                self.expect(b',')?;
                let of = self.word("a function")?;
                self.expect(b';')?;
                module.aliases.push((alias, of, pos));
            }
            _ => self.linked(module)?,
        }
        Ok(())
    }

    fn target(&mut self) -> Result<u32> {
        let mut number = 0;
        loop {
            let word = self.word("a target such as sm_90")?;
            if let Some(digits) = word.strip_prefix("sm_") {
                let digits = digits.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                match digits.parse() {
                    Ok(parsed) => number = parsed,
                    Err(_) => return self.problem(format!("`{word}` is no target")),
                }
            }
            if !self.accept(b',') {
                return Ok(number);
            }
        }
    }

    /// `.file NUMBER "NAME" [, TIME, SIZE]`
    fn file(&mut self) -> Result<(u32, &'a str)> {
        let number = self.small_number()?;
        let Token::Text(name) = self.peek() else { return self.expected("the name of a file") };
        self.at += 1;
        while self.accept(b',') {
            self.number_token()?;
        }
        Ok((number, name))
    }

    /// `.section NAME { ... }`
    fn section(&mut self) -> Result<()> {
        self.at += 1;
        while !matches!(self.peek(), Token::Punct(b'{') | Token::End) {
            self.at += 1;
        }
        self.expect(b'{')?;
        let mut depth = 1usize;
        while depth > 0 {
            match self.take() {
                Token::Punct(b'{') => depth += 1,
                Token::Punct(b'}') => depth -= 1,
                Token::End => return self.problem("this section has no end"),
                _ => {}
            }
        }
        Ok(())
    }

    fn skip_to_semicolon(&mut self) -> Result<()> {
        loop {
            match self.take() {
                Token::Punct(b';') => return Ok(()),
                Token::End => return self.problem("`;` is missing"),
                _ => {}
            }
        }
    }

    /// `.loc FILE LINE COLUMN [, function_name LABEL[+N], inlined_at FILE LINE COLUMN]`
    fn location(&mut self) -> Result<Location> {
        let (file, line) = (self.small_number()?, self.small_number()?);
        let column = if matches!(self.peek(), Token::Number(_)) { self.small_number()? } else { 0 };
        while self.peek() == Token::Punct(b',')
            && matches!(self.peek_at(1), Token::Word("function_name" | "inlined_at"))
        {
            self.at += 1;
            if self.word("`function_name` or `inlined_at`")? == "function_name" {
                self.word("a label")?;
                if self.accept(b'+') {
                    self.small_number()?;
                }
            } else {
                for _ in 0..3 {
                    self.small_number()?;
                }
            }
        }
        Ok(Location { file, line, column })
    }

    /// The body of a function, without its opening brace.
    fn body(&mut self) -> Result<Vec<Statement<'a>>> {
        let mut list = Vec::new();
        let mut depth = 1usize;
        loop {
            let pos = self.pos();
            let kind = match self.peek() {
                Token::Punct(b'}') => {
                    self.at += 1;
                    depth -= 1;
                    if depth == 0 {
                        return Ok(list);
                    }
                    StatementKind::Close
                }
                Token::Punct(b'{') => {
                    self.at += 1;
                    depth += 1;
                    if depth > DEEPEST {
                        return self.problem("scopes are nested too deeply");
                    }
                    StatementKind::Open
                }
                Token::Punct(b';') => {
                    self.at += 1;
                    continue;
                }
                Token::Directive(name) => match self.body_directive(name)? {
                    Some(kind) => kind,
                    None => continue,
                },
                Token::Word(word) if self.peek_at(1) == Token::Punct(b':') => {
                    self.at += 2;
                    self.labelled(word)?
                }
                Token::Word(_) | Token::Punct(b'@') => StatementKind::Instruction(self.instruction()?),
                _ => return self.expected("an instruction"),
            };
            list.push(Statement { pos, kind });
        }
    }

    fn body_directive(&mut self, name: &'a str) -> Result<Option<StatementKind<'a>>> {
        Ok(Some(match name {
            "reg" => {
                self.at += 1;
                self.registers()?
            }
            "loc" => {
                self.at += 1;
                StatementKind::Location(self.location()?)
            }
            "file" => {
                self.at += 1;
                self.file()?;
                return Ok(None);
            }
            "pragma" => {
                self.skip_to_semicolon()?;
                return Ok(None);
            }
            "local" | "shared" | "param" | "global" | "const" => {
                let variables = self.variable_list(false)?;
                let [variable] = <[_; 1]>::try_from(variables).or_else(|_| {
                    self.problem("one variable per declaration is simulated inside functions")
                })?;
                StatementKind::Variable(variable)
            }
            "extern" => {
                self.at += 1;
                let variables = self.variable_list(true)?;
                let [variable] = <[_; 1]>::try_from(variables).or_else(|_| {
                    self.problem("one variable per declaration is simulated inside functions")
                })?;
                StatementKind::Variable(variable)
            }
            "section" => {
                self.section()?;
                return Ok(None);
            }
            _ => return self.problem(format!("`.{name}` inside a function is not simulated")),
        }))
    }

    /// What a label names: a place, or a table of targets or a prototype.
    fn labelled(&mut self, label: &'a str) -> Result<StatementKind<'a>> {
        if self.accept_directive("branchtargets") {
            let targets = self.names()?;
            return Ok(StatementKind::Targets { label, targets });
        }
        if self.accept_directive("calltargets") {
            let targets = self.names()?;
            return Ok(StatementKind::Targets { label, targets });
        }
        if self.accept_directive("callprototype") {
            let results = self.params()?;
            self.word("`_`")?;
            let params = self.params()?;
            while self.accept_directive("noreturn") {}
            if self.accept_directive("abi_preserve") || self.accept_directive("abi_preserve_control") {
                self.number_token()?;
            }
            self.expect(b';')?;
            return Ok(StatementKind::Prototype(Prototype { label, results, params }));
        }
        Ok(StatementKind::Label(label))
    }

    fn names(&mut self) -> Result<Vec<&'a str>> {
        let mut list = vec![self.word("a name")?];
        while self.accept(b',') {
            list.push(self.word("a name")?);
        }
        self.expect(b';')?;
        Ok(list)
    }

    /// `[@[!]P] OPCODE [OPERAND {, OPERAND}] ;`
    fn instruction(&mut self) -> Result<Instruction<'a>> {
        let guard = if self.accept(b'@') {
            let negated = self.accept(b'!');
            Some(Guard { name: self.word("a predicate")?, negated })
        } else {
            None
        };
        let opcode = self.word("an instruction")?;
        let mut operands = Vec::new();
        if !self.accept(b';') {
            loop {
                operands.push(self.operand(0)?);
                if self.accept(b';') {
                    break;
                }
                self.expect(b',')?;
            }
        }
        Ok(Instruction { guard, opcode, operands })
    }

    fn operand(&mut self, depth: usize) -> Result<Operand<'a>> {
        if depth > DEEPEST {
            return self.problem("operands are nested too deeply");
        }
        match self.peek() {
            Token::Punct(b'{') => Ok(Operand::Vector(self.operand_list(b'}', depth)?)),
            Token::Punct(b'(') if !matches!(self.peek_at(1), Token::Number(_)) => {
                Ok(Operand::List(self.operand_list(b')', depth)?))
            }
            Token::Punct(b'[') => self.address(),
            Token::Punct(b'!') => {
                self.at += 1;
                Ok(Operand::Not(self.word("a predicate")?))
            }
            Token::Word(name) => {
                self.at += 1;
                if self.accept(b'|') {
                    return Ok(Operand::Pair(name, self.word("a register")?));
                }
                Ok(Operand::Name(name, self.addend()?))
            }
            _ => Ok(Operand::Number(self.number()?)),
        }
    }

    fn operand_list(&mut self, end: u8, depth: usize) -> Result<Vec<Operand<'a>>> {
        self.at += 1;
        let mut list = Vec::new();
        if self.accept(end) {
            return Ok(list);
        }
        loop {
            list.push(self.operand(depth + 1)?);
            if self.accept(end) {
                return Ok(list);
            }
            self.expect(b',')?;
        }
    }

    /// `[NAME]`, `[NAME+N]`, `[N]`
    fn address(&mut self) -> Result<Operand<'a>> {
        self.expect(b'[')?;
        let address = match self.peek() {
            Token::Word(name) => {
                self.at += 1;
                Operand::Address(AddressBase::Name(name), self.addend()?)
            }
            _ => Operand::Address(AddressBase::Absolute, self.integer()? as i64),
        };
        self.expect(b']')?;
        Ok(address)
    }

    /// `{+N | -N}`
    fn addend(&mut self) -> Result<i64> {
        let mut sum = 0i64;
        loop {
            // A minus belongs to the number.
            if self.accept(b'+') || self.peek() == Token::Punct(b'-') {
                sum = sum.wrapping_add(self.integer()? as i64);
            } else {
                return Ok(sum);
            }
        }
    }
}

/// The space that a directive names.
fn space(name: &str) -> Option<VarSpace> {
    Some(match name {
        "global" => VarSpace::Global,
        "const" => VarSpace::Const,
        "shared" => VarSpace::Shared,
        "local" => VarSpace::Local,
        "param" => VarSpace::Param,
        _ => return None,
    })
}

/// The functions that have bodies, in the order of the text; that is how they are numbered.
pub(crate) fn definitions<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = &'m Function<'a>> {
    module.functions.iter().filter(|function| function.body.is_some())
}

#[cfg(test)]
mod tests;
