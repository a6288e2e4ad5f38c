//! Declarations: variables, functions, registers.

use super::ast::{
    Function, Init, InitValue, Module, Number, RegisterName, StatementKind, VarSpace, Variable,
};
use super::lex::Token;
use super::{Reader, space};
use crate::error::{Problem, Result};

/// Most bytes that a variable may have.
const MOST_BYTES: u64 = 1 << 40;

/// Bytes of a type's values in memory; a predicate has none.
pub(crate) fn type_bytes(name: &str) -> Option<u32> {
    Some(match name {
        "b8" | "u8" | "s8" | "e4m3" | "e5m2" => 1,
        "b16" | "u16" | "s16" | "f16" | "bf16" => 2,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" => 4,
        "b64" | "u64" | "s64" | "f64" => 8,
        "b128" => 16,
        _ => return None,
    })
}

impl<'a> Reader<'a> {
    /// A function or variables, with what says who else sees them.
    pub(super) fn linked(&mut self, module: &mut Module<'a>) -> Result<()> {
        let mut external = false;
        loop {
            match self.peek() {
                Token::Directive("extern") => external = true,
                Token::Directive("visible" | "weak" | "common") => {}
                _ => break,
            }
            self.at += 1;
        }
        match self.peek() {
            Token::Directive("entry") => {
                self.at += 1;
                module.functions.push(self.function(true)?);
            }
            Token::Directive("func") => {
                self.at += 1;
                module.functions.push(self.function(false)?);
            }
            Token::Directive(name) if space(name).is_some() => {
                module.variables.append(&mut self.variable_list(external)?);
            }
            _ => return self.expected("a function or a variable"),
        }
        Ok(())
    }

    /// `.func [(RESULTS)] NAME [(PARAMS)] DIRECTIVES ({ BODY } | ;)`
    fn function(&mut self, entry: bool) -> Result<Function<'a>> {
        while self.accept_directive("noreturn") {}
        let results = if entry { Vec::new() } else { self.params()? };
        let pos = self.pos();
        let name = self.word("the name of a function")?;
        let params = self.params()?;
        let mut function = Function {
            name,
            pos,
            entry,
            results,
            params,
            required_threads: None,
            max_threads: None,
            body: None,
        };
        loop {
            match self.peek() {
                Token::Punct(b';') => {
                    self.at += 1;
                    return Ok(function);
                }
                Token::Punct(b'{') => {
                    self.at += 1;
                    function.body = Some(self.body()?);
                    return Ok(function);
                }
                Token::Directive(name) => {
                    self.at += 1;
                    self.performance(name, &mut function)?;
                }
                _ => return self.expected("the body of a function"),
            }
        }
    }

    fn performance(&mut self, name: &str, function: &mut Function<'a>) -> Result<()> {
        match name {
            "reqntid" => function.required_threads = Some(self.dimensions()?),
            "maxntid" => {
                let all = self.dimensions()?;
                function.max_threads = Some(all.iter().fold(1u32, |a, b| a.saturating_mul(*b)));
            }
            "minnctapersm"
            | "maxnctapersm"
            | "maxnreg"
            | "maxclusterrank"
            | "abi_preserve"
            | "abi_preserve_control" => {
                self.number_token()?;
            }
            "noreturn" => {}
            "pragma" => {
                self.at -= 1;
                self.skip_to_semicolon()?;
            }
            _ => return self.problem(format!("`.{name}` on a function is not simulated")),
        }
        Ok(())
    }

    fn dimensions(&mut self) -> Result<[u32; 3]> {
        let mut all = [self.small_number()?, 1, 1];
        for dimension in &mut all[1..] {
            if !self.accept(b',') {
                break;
            }
            *dimension = self.small_number()?;
        }
        Ok(all)
    }

    /// `[( .param TYPE NAME {, ...} )]`
    pub(super) fn params(&mut self) -> Result<Vec<Variable<'a>>> {
        let mut list = Vec::new();
        if !self.accept(b'(') || self.accept(b')') {
            return Ok(list);
        }
        loop {
            if self.peek() == Token::Directive("reg") {
                return self.problem("parameters in registers are not simulated");
            }
            if !self.accept_directive("param") {
                return self.expected("`.param`");
            }
            let (align, ty) = self.attributes()?;
            let pos = self.pos();
            let name = self.word("the name of a parameter")?;
            list.push(self.variable(VarSpace::Param, false, align, ty, (name, pos))?);
            if self.accept(b')') {
                return Ok(list);
            }
            self.expect(b',')?;
        }
    }

    /// `.SPACE [.align N] .TYPE NAME [[N]] [= INIT] {, NAME ...} ;`
    pub(super) fn variable_list(&mut self, external: bool) -> Result<Vec<Variable<'a>>> {
        let Token::Directive(name) = self.take() else { return self.expected("a state space") };
        let Some(space) = space(name) else { return self.problem(format!("`.{name}` is no state space")) };
        let (align, ty) = self.attributes()?;
        let mut list = Vec::new();
        loop {
            let pos = self.pos();
            let name = self.word("the name of a variable")?;
            list.push(self.variable(space, external, align, ty, (name, pos))?);
            if self.accept(b';') {
                return Ok(list);
            }
            self.expect(b',')?;
        }
    }

    /// Alignment and type, in any order, and what says how an address is used.
    fn attributes(&mut self) -> Result<(Option<u32>, &'a str)> {
        let (mut align, mut ty, mut lanes) = (None, None, 1);
        while let Token::Directive(name) = self.peek() {
            self.at += 1;
            match name {
                "align" => {
                    let value = self.small_number()?;
                    if !value.is_power_of_two() || value > 1 << 20 {
                        return self.problem("an alignment is a power of two");
                    }
                    align = Some(value);
                }
                "ptr" | "global" | "shared" | "const" | "local" | "attribute" | "managed" | "unified" => {
                    if name == "attribute" {
                        self.skip_attribute()?;
                    }
                }
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                _ if type_bytes(name).is_some() => ty = Some(name),
                _ => {
                    self.at -= 1;
                    return self.problem(format!("`.{name}` in a declaration is not simulated"));
                }
            }
        }
        let Some(ty) = ty else { return self.expected("a type") };
        if lanes > 1 {
            return self.problem("variables of vector types are not simulated");
        }
        Ok((align, ty))
    }

    fn skip_attribute(&mut self) -> Result<()> {
        self.expect(b'(')?;
        loop {
            match self.take() {
                Token::Punct(b')') => return Ok(()),
                Token::End => return self.problem("`)` is missing"),
                _ => {}
            }
        }
    }

    fn variable(
        &mut self,
        space: VarSpace,
        external: bool,
        align: Option<u32>,
        ty: &'a str,
        (name, pos): (&'a str, crate::error::Pos),
    ) -> Result<Variable<'a>> {
        let element = type_bytes(ty).unwrap_or(1);
        let mut count = Some(1u64);
        let mut array = false;
        while self.accept(b'[') {
            if self.accept(b']') {
                count = if array { count } else { None };
            } else {
                let size = self.integer()?;
                self.expect(b']')?;
                count = count.and_then(|count| count.checked_mul(size));
                if count.is_none_or(|count| count > MOST_BYTES / u64::from(element)) {
                    return Err(Problem::new(pos, format!("`{name}` is too large")));
                }
            }
            array = true;
        }
        let init = if self.accept(b'=') { self.initial_value()? } else { Vec::new() };
        if count.is_none() && !init.is_empty() {
            count = Some(init.len() as u64);
        }
        if let Some(count) = count.filter(|count| (*count as usize) < init.len()) {
            return Err(Problem::new(pos, format!("`{name}` has {count} elements and more initial values")));
        }
        Ok(Variable { name, pos, space, external, element, ty, align: align.unwrap_or(element), count, init })
    }

    /// The elements in order; braces inside are flattened.
    fn initial_value(&mut self) -> Result<Vec<Init<'a>>> {
        let mut list = Vec::new();
        if self.peek() != Token::Punct(b'{') {
            list.push(self.initial_element()?);
            return Ok(list);
        }
        let mut depth = 0usize;
        loop {
            if self.accept(b'{') {
                depth += 1;
                if !self.accept(b'}') {
                    continue;
                }
                depth -= 1;
            } else {
                list.push(self.initial_element()?);
            }
            loop {
                if depth == 0 {
                    return Ok(list);
                }
                if self.accept(b'}') {
                    depth -= 1;
                } else {
                    self.expect(b',')?;
                    break;
                }
            }
        }
    }

    /// `NUMBER | SYMBOL[+N] | generic(SYMBOL)[+N] | MASK(SYMBOL...)`
    fn initial_element(&mut self) -> Result<Init<'a>> {
        let pos = self.pos();
        let value = match (self.peek(), self.peek_at(1)) {
            (Token::Word(_), _) => {
                let (symbol, generic, addend) = self.symbol_address()?;
                InitValue::Address { symbol, generic, addend }
            }
            (Token::Number(_), Token::Punct(b'(')) => {
                let Number::Int(mask) = self.number_token()? else { return self.expected("a mask") };
                self.expect(b'(')?;
                let (symbol, generic, addend) = self.symbol_address()?;
                self.expect(b')')?;
                let shift = mask.trailing_zeros();
                if shift >= 64 || shift % 8 != 0 || mask >> shift != 0xff {
                    return Err(Problem::new(pos, "a mask selects one byte"));
                }
                InitValue::AddressByte { symbol, generic, addend, shift }
            }
            _ => InitValue::Number(self.number()?),
        };
        Ok(Init { pos, value })
    }

    fn symbol_address(&mut self) -> Result<(&'a str, bool, i64)> {
        let name = self.word("a symbol")?;
        if name == "generic" && self.accept(b'(') {
            let symbol = self.word("a symbol")?;
            let inner = self.addend()?;
            self.expect(b')')?;
            return Ok((symbol, true, inner.wrapping_add(self.addend()?)));
        }
        Ok((name, false, self.addend()?))
    }

    /// `.reg .TYPE NAME[<N>] {, NAME[<N>]} ;`
    pub(super) fn registers(&mut self) -> Result<StatementKind<'a>> {
        let Token::Directive(ty) = self.take() else { return self.expected("the type of a register") };
        if matches!(ty, "v2" | "v4") {
            return self.problem("registers of vector types are not simulated");
        }
        if ty != "pred" && type_bytes(ty).is_none() {
            return self.problem(format!("registers of type `.{ty}` are not simulated"));
        }
        let mut names = Vec::new();
        loop {
            let name = self.word("a register")?;
            let mut count = None;
            if self.accept(b'<') {
                let value = self.small_number()?;
                self.expect(b'>')?;
                if value > 1 << 20 {
                    return self.problem("too many registers");
                }
                count = Some(value);
            }
            names.push(RegisterName { name, count });
            if self.accept(b';') {
                return Ok(StatementKind::Registers { ty, names });
            }
            self.expect(b',')?;
        }
    }
}
