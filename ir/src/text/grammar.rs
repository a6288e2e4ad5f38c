//! The grammar in the module's comment has every word that the printer writes and the parser reads, and no other.

use super::lex::{Kind, Lexer};
use super::names::{Named, all_words};
use super::parse::split_entity;
use super::{print, random};
use crate::acc::ReductionOp;
use std::collections::BTreeSet;

/// What the ids of entities begin with.
const ENTITIES: [&str; 11] = ["file", "agg", "sig", "g", "fn", "v", "s", "bb", "loop", "construct", "red"];

/// The sources whose texts in quotes are the words that the parser knows.
const PARSER: [&str; 3] =
    [include_str!("parse.rs"), include_str!("parse_acc.rs"), include_str!("parse_op.rs")];

fn grammar() -> &'static str {
    let comment = include_str!("mod.rs");
    comment.split("```").nth(1).expect("the comment has a grammar")
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The words in quotes; `"atomic_cas."` and `"f64.0x"` without what is joined to them.
fn words_of_grammar() -> BTreeSet<&'static str> {
    quoted(grammar()).flat_map(|text| text.split('.')).filter(|word| is_word(word)).collect()
}

/// The words in quotes of the parser's code, and the spellings of enums.
fn words_of_parser() -> BTreeSet<&'static str> {
    let code =
        PARSER.iter().flat_map(|source| source.lines()).filter(|line| !line.trim_start().starts_with("//"));
    let literals = code.flat_map(quoted).flat_map(|text| text.strip_suffix(".0x").or(Some(text)));
    literals.filter(|word| is_word(word)).chain(all_words()).collect()
}

#[test]
fn the_grammar_has_what_the_parser_reads() {
    let (written, known) = (words_of_grammar(), words_of_parser());
    assert!(known.contains("cooperative") && known.contains("f64x2") && known.len() > 200, "{known:?}");
    let missing: Vec<_> = known.difference(&written).collect();
    assert!(missing.is_empty(), "the parser knows words that the grammar lacks: {missing:?}");
    let gone: Vec<_> = written.difference(&known).collect();
    assert!(gone.is_empty(), "the grammar has words that the parser does not know: {gone:?}");
    let texts: BTreeSet<&str> = quoted(grammar()).collect();
    for op in ReductionOp::ALL {
        assert!(texts.contains(op.spelling()), "{}", op.spelling());
    }
}

#[test]
fn the_grammar_has_what_the_printer_writes() {
    let written = words_of_grammar();
    let modules = (0..30).map(|seed| print(&random::module(seed, 100)));
    for text in modules.chain([include_str!("sample.ir").to_owned()]) {
        let mut lexer = Lexer::new(&text);
        loop {
            let token = lexer.token().expect("printed text has tokens");
            let is_entity = ENTITIES.iter().any(|prefix| split_entity(token.text, prefix).is_some());
            match token.kind {
                Kind::End => break,
                Kind::Word if !is_entity => {
                    let missing = token.text.split('.').find(|word| is_word(word) && !written.contains(word));
                    assert_eq!(missing, None, "`{}` is printed, and the grammar lacks it", token.text);
                }
                Kind::Word | Kind::Number | Kind::String | Kind::Punct => {}
            }
        }
    }
}

#[test]
fn every_rule_is_there_and_used() {
    let lines = grammar().lines().filter_map(|line| line.strip_prefix("//! "));
    let rules: BTreeSet<&str> = lines
        .filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()))
        .filter_map(|line| Some(line.split_once('=')?.0.trim()))
        .collect();
    let outside = grammar().split('"').step_by(2);
    let names = outside.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
    let named: Vec<&str> = names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    for name in &named {
        assert!(rules.contains(name) || *name == "text", "the grammar has no rule for `{name}`");
    }
    for rule in rules.iter().filter(|rule| rule.starts_with(|c: char| c.is_ascii_lowercase())) {
        let places = named.iter().filter(|name| *name == rule).count();
        assert!(places > 1 || *rule == "module", "no rule has `{rule}`");
    }
}
