//! Initialiser lists (C11 6.7.9).

use super::Parser;
use super::cursor::Parse;
use crate::ast::{Designator, InitItem, InitList};
use crate::token::{Punct, TokenKind};

impl Parser<'_> {
    // { initializer-list(opt) ,(opt) }
    // initializer-list:
    //     designation(opt) initializer
    //     initializer-list , designation(opt) initializer
    pub fn initializer_list(&mut self) -> Parse<InitList> {
        let open = self.expect(Punct::LBrace)?;
        let mut items = Vec::new();
        while !self.at(Punct::RBrace) {
            let designators = self.designation()?;
            let init = self.initializer()?;
            items.push(InitItem { designators, init });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RBrace, open)?;
        Ok(InitList { items, span: self.span_from(open) })
    }

    // designation:
    //     designator-list =
    //     designator-list                                                              (GNU, arrays only)
    //     identifier :                                                                 (GNU)
    fn designation(&mut self) -> Parse<Vec<Designator>> {
        if self.tok.kind == TokenKind::Ident && self.peek(1) == TokenKind::Punct(Punct::Colon) {
            let name = self.bump_ident();
            self.bump();
            return Ok(vec![Designator::Field(name)]);
        }
        let designators = self.designator_list()?;
        match designators.last() {
            None => {}
            Some(Designator::Index(_) | Designator::Range(..)) if designators.len() == 1 => {
                self.eat(Punct::Eq);
            }
            Some(_) => {
                self.expect(Punct::Eq)?;
            }
        }
        Ok(designators)
    }

    // designator-list:
    //     designator
    //     designator-list designator
    // designator:
    //     [ constant-expression ]
    //     [ constant-expression ... constant-expression ]                               (GNU)
    //     . identifier
    pub fn designator_list(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = Vec::new();
        loop {
            match self.tok.kind {
                TokenKind::Punct(Punct::Dot) => {
                    self.bump();
                    designators.push(Designator::Field(self.identifier("the name of a member")?));
                }
                TokenKind::Punct(Punct::LBracket) => {
                    let open = self.bump().loc;
                    let low = self.constant_expression()?;
                    designators.push(if self.eat(Punct::Ellipsis) {
                        Designator::Range(low, self.constant_expression()?)
                    } else {
                        Designator::Index(low)
                    });
                    self.expect_close(Punct::RBracket, open)?;
                }
                _ => return Ok(designators),
            }
        }
    }
}
