//! C front end of accrue: preprocessor, parser, OpenACC and OpenMP directives, semantic checks, lowering to
//! IR.

pub mod ast;
pub mod cache;
pub mod clause_table;
pub mod ctype;
pub mod diag;
pub mod directive;
pub mod headers;
pub mod intern;
pub mod lex;
pub mod lower;
pub mod options;
pub mod parse;
pub mod pp;
pub mod sema;
pub mod session;
pub mod source;
pub mod suggest;
pub mod token;
pub mod typed;
