//! The grammar in the module's comment is that of the printer and the parser: printed modules are read by it,
//! word for word, and it has the words of the parser's code.

use super::lex::{Kind, Lexer};
use super::names::all_words;
use super::parse::split_entity;
use super::{print, random};
use crate::acc::ReductionOp;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

const SAMPLE: &str = include_str!("sample.ir");

/// The sources whose texts in quotes are the words that the parser knows.
const PARSER: [&str; 3] =
    [include_str!("parse.rs"), include_str!("parse_acc.rs"), include_str!("parse_op.rs")];

/// The tokens that the grammar names in capitals and that are entities, with what their ids begin with.
const ENTITIES: [(&str, &str); 11] = [
    ("FILE", "file"),
    ("AGG", "agg"),
    ("SIG", "sig"),
    ("GLOBAL", "g"),
    ("FUNC", "fn"),
    ("LOCAL", "v"),
    ("SLOT", "s"),
    ("BLOCK", "bb"),
    ("LOOP", "loop"),
    ("CONSTRUCT", "construct"),
    ("RED", "red"),
];

/// A part of a rule.
#[derive(Debug)]
enum Node<'g> {
    /// A text in quotes.
    Text(&'g str),
    /// A token in capitals, or the name of a rule.
    Name(&'g str),
    /// One part after the other.
    Sequence(Vec<Node<'g>>),
    /// `a | b`.
    Choice(Vec<Node<'g>>),
    /// `[a]` or `a?`.
    Optional(Box<Node<'g>>),
    /// `a*`.
    Many(Box<Node<'g>>),
    /// `a,*`.
    List(Box<Node<'g>>),
}

/// The grammar of the comment.
fn grammar() -> String {
    let comment = include_str!("mod.rs");
    let block = comment.split("```").nth(1).expect("the comment has a grammar");
    let lines = block.lines().skip(1).filter_map(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// The rules by their names; those of the entities are left out.
fn rules(grammar: &str) -> BTreeMap<&str, Node<'_>> {
    // Other lines of a rule are indented.
    let bounds = grammar.match_indices('\n').map(|(at, _)| at + 1).chain([0]);
    let is_start = |at: &usize| grammar[*at..].starts_with(|c: char| c.is_ascii_alphabetic());
    let mut starts: Vec<usize> = bounds.filter(is_start).collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([grammar.len()]);
    let texts = starts.iter().zip(ends).filter_map(|(&start, end)| grammar[start..end].split_once('='));
    texts
        .filter(|(name, _)| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .map(|(name, body)| (name.trim(), Reader { rest: body }.whole()))
        .collect()
}

/// Reads the right side of a rule.
struct Reader<'g> {
    rest: &'g str,
}

impl<'g> Reader<'g> {
    fn whole(mut self) -> Node<'g> {
        let node = self.choice();
        assert_eq!(self.rest.trim(), "", "the grammar cannot be read from here");
        node
    }

    fn eat(&mut self, mark: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn choice(&mut self) -> Node<'g> {
        let mut all = vec![self.sequence()];
        while self.eat("|") {
            all.push(self.sequence());
        }
        Node::Choice(all)
    }

    fn sequence(&mut self) -> Node<'g> {
        let mut all = Vec::new();
        while !matches!(self.rest.trim_start().chars().next(), None | Some(']' | ')' | '|')) {
            let mut node = self.one();
            if self.eat(",*") {
                node = Node::List(Box::new(node));
            } else if self.eat("*") {
                node = Node::Many(Box::new(node));
            } else if self.eat("?") {
                node = Node::Optional(Box::new(node));
            }
            all.push(node);
        }
        Node::Sequence(all)
    }

    fn one(&mut self) -> Node<'g> {
        if self.eat("[") {
            let inner = self.choice();
            assert!(self.eat("]"), "`]` is missing before {}", self.rest);
            return Node::Optional(Box::new(inner));
        }
        if self.eat("(") {
            let inner = self.choice();
            assert!(self.eat(")"), "`)` is missing before {}", self.rest);
            return inner;
        }
        if self.eat("\"") {
            let (text, rest) = self.rest.split_once('"').expect("`\"` is missing");
            self.rest = rest;
            return Node::Text(text);
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        assert!(end > 0, "no part of a rule: {rest}");
        self.rest = &rest[end..];
        Node::Name(&rest[..end])
    }
}

/// A token as the grammar has them: mnemonics and constants are several.
#[derive(Debug)]
struct Word {
    kind: Kind,
    text: String,
    at: usize,
}

/// `cmp.lt` is `cmp.` and `lt`, `atomic_rmw.add.i32` is `atomic_rmw.`, `add`, `.` and `i32`, `5i32` is `5`
/// and `i32`.
fn words(text: &str) -> Vec<Word> {
    let mut lexer = Lexer::new(text);
    let mut words: Vec<Word> = Vec::new();
    loop {
        let token = lexer.token().expect("printed text has tokens");
        let is_name = token.kind == Kind::String && words.last().is_some_and(|last| last.text.ends_with('.'));
        let mut add = |kind, text: &str| words.push(Word { kind, text: text.to_owned(), at: token.at });
        let is_entity = ENTITIES.iter().any(|(_, prefix)| split_entity(token.text, prefix).is_some());
        match token.kind {
            Kind::End => return words,
            Kind::Word if !is_entity && token.text.contains('.') => {
                let (head, tail) = token.text.split_once('.').unwrap_or_default();
                if let Some(digits) = tail.strip_prefix("0x") {
                    add(Kind::Word, &format!("{head}.0x"));
                    add(Kind::Number, digits);
                } else {
                    add(Kind::Word, &format!("{head}."));
                    for (index, part) in tail.split('.').enumerate() {
                        if index > 0 {
                            add(Kind::Punct, ".");
                        }
                        add(Kind::Word, part);
                    }
                }
            }
            Kind::Number => {
                let suffix = crate::Type::ALL.into_iter().find_map(|ty| token.text.strip_suffix(ty.name()));
                add(Kind::Number, suffix.unwrap_or(token.text));
                if let Some(number) = suffix {
                    add(Kind::Word, &token.text[number.len()..]);
                }
            }
            // The name of an entity in quotes.
            Kind::String if is_name => {}
            Kind::Word | Kind::String | Kind::Punct => add(token.kind, token.text),
        }
    }
}

/// Reads words by the rules; every way is followed.
struct Recogniser<'a> {
    rules: &'a BTreeMap<&'a str, Node<'a>>,
    words: &'a [Word],
    /// The word that no way could read so far.
    furthest: Cell<usize>,
}

impl Recogniser<'_> {
    /// Where a part that begins at a word may end.
    fn ends(&self, node: &Node<'_>, at: usize) -> BTreeSet<usize> {
        let all = |node: &Node<'_>, starts: BTreeSet<usize>| -> BTreeSet<usize> {
            starts.into_iter().flat_map(|start| self.ends(node, start)).collect()
        };
        match node {
            Node::Text(text) => self.word(at, |word| word.text == *text && word.kind != Kind::String),
            Node::Name(name) if name.starts_with(|c: char| c.is_ascii_lowercase()) => {
                let rule =
                    self.rules.get(name).unwrap_or_else(|| panic!("the grammar has no rule for `{name}`"));
                self.ends(rule, at)
            }
            Node::Name("STRING") => self.word(at, |word| word.kind == Kind::String),
            Node::Name("INT") => {
                self.word(at, |word| word.kind == Kind::Number && word.text.parse::<i128>().is_ok())
            }
            Node::Name("NUMBER" | "HEX") => self.word(at, |word| word.kind == Kind::Number),
            Node::Name(name) => {
                let entity = ENTITIES.iter().find(|(token, _)| token == name);
                let (_, prefix) = entity.unwrap_or_else(|| panic!("`{name}` is no token"));
                self.word(at, |word| word.kind == Kind::Word && split_entity(&word.text, prefix).is_some())
            }
            Node::Sequence(parts) => {
                parts.iter().fold(BTreeSet::from([at]), |starts, part| all(part, starts))
            }
            Node::Choice(ways) => ways.iter().flat_map(|way| self.ends(way, at)).collect(),
            Node::Optional(inner) => self.ends(inner, at).into_iter().chain([at]).collect(),
            Node::Many(inner) => self.repeated(BTreeSet::from([at]), |from| self.ends(inner, from)),
            Node::List(inner) => {
                let more = |from| all(inner, self.word(from, |word| word.text == ","));
                self.repeated(self.ends(inner, at), more).into_iter().chain([at]).collect()
            }
        }
    }

    fn word(&self, at: usize, is_it: impl Fn(&Word) -> bool) -> BTreeSet<usize> {
        self.furthest.set(self.furthest.get().max(at));
        self.words.get(at).filter(|word| is_it(word)).map(|_| at + 1).into_iter().collect()
    }

    /// The starts, and wherever further steps lead from them.
    fn repeated(&self, starts: BTreeSet<usize>, step: impl Fn(usize) -> BTreeSet<usize>) -> BTreeSet<usize> {
        let mut found = starts.clone();
        let mut new: Vec<usize> = starts.into_iter().collect();
        while let Some(at) = new.pop() {
            new.extend(step(at).into_iter().filter(|end| found.insert(*end)));
        }
        found
    }
}

/// The texts in quotes of some code.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The words in quotes; `"atomic_cas."` and `"f64.0x"` without what is joined to them.
fn words_of_grammar(grammar: &str) -> BTreeSet<&str> {
    quoted(grammar).flat_map(|text| text.split('.')).filter(|word| is_word(word)).collect()
}

#[test]
fn printed_modules_are_read_by_the_grammar() {
    let grammar = grammar();
    let rules = rules(&grammar);
    let modules = (0..20).map(|seed| print(&random::module(seed, 60)));
    for text in modules.chain([SAMPLE.to_owned()]) {
        let words = words(&text);
        let recogniser = Recogniser { rules: &rules, words: &words, furthest: Cell::new(0) };
        if !recogniser.ends(&Node::Name("module"), 0).contains(&words.len()) {
            let word = words.get(recogniser.furthest.get());
            let (line, found) = word.map_or((0, ""), |word| (text[..word.at].lines().count(), &*word.text));
            let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            panic!("the grammar has no `{found}` here: {line}");
        }
    }
}

#[test]
fn the_grammar_has_the_words_that_the_parser_knows() {
    let grammar = grammar();
    let written = words_of_grammar(&grammar);
    let code = PARSER.iter().flat_map(|source| source.lines());
    let literals = code.filter(|line| !line.trim_start().starts_with("//")).flat_map(quoted);
    let literals = literals.map(|text| text.strip_suffix(".0x").unwrap_or(text)).filter(|text| is_word(text));
    let known: BTreeSet<&str> = literals.chain(all_words()).collect();
    assert!(known.contains("cooperative") && known.contains("f64x2") && known.len() > 200, "{known:?}");
    let missing: Vec<_> = known.difference(&written).collect();
    assert!(missing.is_empty(), "the parser knows words that the grammar lacks: {missing:?}");
    let gone: Vec<_> = written.difference(&known).collect();
    assert!(gone.is_empty(), "the grammar has words that the parser does not know: {gone:?}");
    let texts: BTreeSet<&str> = quoted(&grammar).collect();
    assert!(ReductionOp::ALL.iter().all(|op| texts.contains(op.spelling())), "{texts:?}");
}

/// Printed modules show only the words that they have; the sample has all but the default space, which is not
/// written, and two types that are in no operation of their own.
#[test]
fn the_sample_has_the_words_of_the_grammar() {
    let grammar = grammar();
    let rules = grammar.split("\nFILE").next().unwrap_or_default();
    let printed = words(SAMPLE);
    let printed: BTreeSet<&str> =
        printed.iter().flat_map(|word| word.text.split('.')).filter(|word| is_word(word)).collect();
    let missing: Vec<&str> = words_of_grammar(rules).difference(&printed).copied().collect();
    assert_eq!(missing, ["f64x2", "generic", "i64x2"], "not in the sample");
}

#[test]
fn every_rule_is_used() {
    fn names<'g>(node: &Node<'g>, found: &mut BTreeSet<&'g str>) {
        match node {
            Node::Text(_) => {}
            Node::Name(name) => {
                found.insert(name);
            }
            Node::Sequence(all) | Node::Choice(all) => all.iter().for_each(|node| names(node, found)),
            Node::Optional(inner) | Node::Many(inner) | Node::List(inner) => names(inner, found),
        }
    }
    let grammar = grammar();
    let rules = rules(&grammar);
    let mut used = BTreeSet::from(["module"]);
    rules.values().for_each(|rule| names(rule, &mut used));
    let unused: Vec<_> = rules.keys().filter(|rule| !used.contains(*rule)).collect();
    assert!(unused.is_empty(), "no rule has {unused:?}");
}
