//! `asm` statements (GNU).

use super::Parser;
use super::cursor::Parse;
use crate::ast::{Asm, Expr, StmtKind};
use crate::intern::Symbol;
use crate::source::Span;
use crate::token::{Keyword, Punct};

impl Parser<'_> {
    // asm-definition:                                                                  (GNU)
    //     asm ( string-literal ) ;
    pub fn file_scope_asm(&mut self) -> Parse<Span> {
        let first = self.bump().loc;
        let open = self.expect(Punct::LParen)?;
        self.string_literals("the assembler text as a string")?;
        self.expect_close(Punct::RParen, open)?;
        self.expect_semi("`asm`")?;
        Ok(self.span_from(first))
    }

    // asm-statement:                                                                   (GNU)
    //     asm asm-qualifier-list(opt) ( string-literal asm-operands(opt) ) ;
    // asm-qualifier:
    //     volatile | inline | goto
    // asm-operands:
    //     : outputs(opt) | asm-operands : inputs(opt) | ... : clobbers(opt) | ... : labels(opt)
    pub fn asm_statement(&mut self) -> Parse<StmtKind> {
        self.bump();
        let mut asm = Asm {
            template: Vec::new(),
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            volatile: false,
        };
        loop {
            if self.eat_keyword(Keyword::Volatile) {
                asm.volatile = true;
            } else if !self.eat_keyword(Keyword::Inline) && !self.eat_keyword(Keyword::Goto) {
                break;
            }
        }
        let open = self.expect(Punct::LParen)?;
        asm.template = self.string_literals("the assembler text as a string")?;
        if self.eat(Punct::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(Punct::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(Punct::Colon) && !self.at(Punct::Colon) && !self.at(Punct::RParen) {
            loop {
                asm.clobbers.push(self.unquoted_string("a clobbered register as a string")?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        if self.eat(Punct::Colon) {
            loop {
                self.identifier("the name of a label")?;
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Punct::RParen, open)?;
        self.expect_semi("`asm` statement")?;
        Ok(StmtKind::Asm(Box::new(asm)))
    }

    // asm-operand:
    //     [ identifier ](opt) string-literal ( expression )
    fn asm_operands(&mut self) -> Parse<Vec<(Symbol, Expr)>> {
        let mut operands = Vec::new();
        if self.at(Punct::Colon) || self.at(Punct::RParen) {
            return Ok(operands);
        }
        loop {
            if self.at(Punct::LBracket) {
                let open = self.bump().loc;
                self.identifier("the name of an operand")?;
                self.expect_close(Punct::RBracket, open)?;
            }
            let constraint = self.unquoted_string("a constraint as a string")?;
            let open = self.expect(Punct::LParen)?;
            let value = self.expression()?;
            self.expect_close(Punct::RParen, open)?;
            operands.push((constraint, value));
            if !self.eat(Punct::Comma) {
                return Ok(operands);
            }
        }
    }
}
