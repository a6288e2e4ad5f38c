//! The text form of the IR.
//!
//! # Scheme
//! An entity is written as its id, `v3`. Where it has a name of letters, digits, `_`, `$` and `.`, the name follows
//! after a dot: `v3.sum`, `s4.a`, `g5.buf`, `fn1.main`. The id counts; the name is there for the reader, and the
//! parser rejects one that contradicts the declaration, which keeps hand-edited text honest. A name of other
//! characters is written in quotes where the entity is declared (`g0."a b"`) and left out elsewhere.
//!
//! Types, linkages and operations are plain words (`i32`, `external`, `cmp.lt`). Constants carry their type:
//! `5i32`, `-1i8`, `2.5f64`, `true`, `null`, `16ptr`; floats without a decimal spelling are written by their bits,
//! `f64.0x7ff8000000000000`. Line breaks and blanks separate words and mean nothing else; `//` starts a comment that
//! runs to the end of the line.
//!
//! Positions are suffixes: `@12:5` is line 12, column 5 of the file last mentioned, `@file1:12:5` names the file,
//! `@none` is no position. What has no suffix is where the thing before it in the text is.
//!
//! # Grammar
//! `x,*` is a list with commas, possibly empty; `?`, `*` and `|` are as usual. ID is an entity of that kind.
//! ```text
//! module    = item*
//! item      = "file" FILE STRING
//!           | "aggregate" AGG "size" INT "align" INT "leaves" "(" (INT type),* ")"
//!           | "signature" SIG "(" pass,* ["..."] ")" ["->" pass]
//!           | "global" GLOBAL linkage "size" INT "align" INT ["thread_local"] ["constant"] ["link" STRING]
//!             ["declare" "(" mapkind ")"] init pos
//!           | "function" FUNC SIG linkage ["noreturn"] ["inline_hint"] ["noinline"] ["returns_twice"]
//!             ["link" STRING] ["alias" STRING] [routine] pos [region] [body]
//!           | ("constructors" | "destructors") "(" (INT FUNC),* ")"
//! pass      = type ["sext" | "zext"] | AGG
//! init      = "extern" | "zero" | "bytes" STRING ["relocate" "(" (INT operand ["+" INT | "-" INT]),* ")"]
//! routine   = "routine" "(" ("seq" | level) ["bind" STRING] ["nohost"] ")"
//! region    = "region" construct "of" STRING "dims" "(" INT,* ")" ["cooperative"] ["gangs" INT] "{" tableline* "}"
//! tableline = "param" STRING ("address" | "pointer" | "value" type) [mapkind] ["bytes" INT]
//!
//! body      = "{" ["params" LOCAL,*] ["reductions" INT] ["detached" BLOCK,*] decl* block* "}"
//! decl      = "locals" LOCAL,* ":" type ["part"]
//!           | "slot" SLOT "size" INT "align" INT [place] ["in" LOOP]
//!           | "loop" LOOP ("dead" | ["in" LOOP] "preheader" BLOCK "header" BLOCK "body" BLOCK "latch" BLOCK
//!             "exit" BLOCK ["for" LOCAL "=" operand "," cmp operand "," "step" operand] pos [directive])
//!           | "construct" CONSTRUCT ("dead" | construct "entry" BLOCK "exit" BLOCK dims scheduling pos "{" clause* "}")
//!           | reduction
//! place     = "mapped" LOCAL | "gang_private" | "worker_private" | "reduction" | "broadcast"
//! directive = "{" "directive" ["seq" | "independent" | "auto"] ["gang" ["(" gangarg,* ")"]]
//!             ["worker" [operand]] ["vector" [operand]] ["collapse" INT] ["force"] ["tile" "(" (operand | "*"),* ")"]
//!             ["levels" "(" level,* ")"] pos (private | reduction)* "}"
//! gangarg   = "num" operand | "static" (operand | "*") | "dim" INT
//! clause    = map | private | "first" private | reduction
//! private   = "private" STRING operand "size" INT "align" INT ["implicit"] pos
//! reduction = "reduction" redop STRING operand ["pointee"] ["from" operand] "parts" "(" (INT redtype ["x" operand]),* ")" pos
//! redtype   = type ["signed"] ["bool"]
//! map       = "map" mapkind ["zero"] ["readonly"] ["always_in"] ["always_out"] ["capture"] ["read_later"]
//!             ["implicit"] STRING
//!             ["var" operand] "start" operand "bytes" operand [strides] ["bias" operand] ["attach" address]
//!             [rows] pos
//! strides   = "strides" "(" (operand "by" operand),* ")"
//! rows      = "rows" "(" operand "," operand [strides] ["," rows] ")"
//! dims      = ["gangs" pos "(" (operand | "_"),* ")"] ["workers" pos operand] ["vector" pos operand]
//! scheduling= ["if" operand] ["self" operand] ["async" ["(" operand ")"]]
//!             ["wait" ["(" ["devnum" operand ","?] operand,* ")"]]
//!
//! block     = BLOCK [LOOP] [CONSTRUCT] ":" (inst pos)* terminator pos
//! inst      = [LOCAL "="] operation
//! address   = "[" operand ["+" INT | "-" INT] "]"
//! access    = ["align" INT] [space] ["volatile"]            natural alignment, generic space unless said
//! pos       = ["@" ("none" | [FILE ":"] INT ":" INT)]
//! ```
//! Operations are listed where they are printed, in `print_op`, in the order of [`crate::Op`]. In a quad and its locks
//! `outer` stands for the null outer gang loop.
//!
//! # What is not represented
//! The contents of blocks outside the layout (only their ids are kept, under `detached`), and of loops and constructs
//! that no block of the layout belongs to (`dead`): nothing may look at either. Reading back therefore gives an equal
//! module exactly when there are none of these, and always one that prints the same.

mod lex;
mod locate;
mod names;
mod parse;
mod parse_acc;
mod parse_op;
mod print;
mod print_acc;
mod print_op;

pub use lex::ParseError;
pub use locate::line_of;
pub use parse::parse;
pub use print::{PrintOptions, print, print_function, print_with};
pub use print_op::{inst_text, terminator_text};

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
