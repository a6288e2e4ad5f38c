//! The text form of the IR.
//!
//! # Scheme
//! An entity is written as its id, `v3`. Where it has a name of letters, digits, `_`, `$` and `.`, the name
//! follows after a dot: `v3.sum`, `s4.a`, `g5.buf`, `fn1.main`. The id counts; the name is there for the
//! reader, and the parser rejects one that contradicts the declaration, which keeps hand-edited text honest.
//! A name of other characters is written in quotes where the entity is declared (`g0."a b"`) and left out
//! elsewhere.
//!
//! Types, linkages and operations are plain words (`i32`, `external`, `cmp.lt`). Constants carry their type:
//! `5i32`, `-1i8`, `2.5f64`, `true`, `null`, `16ptr`; floats without a decimal spelling are written by their
//! bits, `f64.0x7ff8000000000000`. Line breaks and blanks separate words and mean nothing else; `//` starts a
//! comment that runs to the end of the line.
//!
//! Positions are suffixes: `@12:5` is line 12, column 5 of the file last mentioned, `@file1:12:5` names the
//! file, `@none` is no position. What has no suffix is where the thing before it in the text is.
//!
//! # Grammar
//! `x,*` is a list with commas, possibly empty; `?`, `*` and `|` are as usual. Words in capitals are tokens,
//! and the operators and types stand in quotes where they are listed; a dot in quotes joins a mnemonic to
//! what follows it.
//! ```text
//! module    = ["stage" STRING "of" STRING] item*
//! item      = "file" FILE STRING
//!           | "aggregate" AGG "size" INT "align" INT "leaves" "(" (INT type),* ")"
//!           | "signature" SIG "(" [pass ("," pass)* ["," "..."] | "..."] ")" ["->" pass]
//!           | "global" GLOBAL linkage "size" INT "align" INT ["thread_local"] ["constant"] ["restrict"]
//!             ["link" STRING] ["declare" "(" mapkind ")"] init pos
//!           | "function" FUNC SIG linkage ["noreturn"] ["inline_hint"] ["noinline"] ["returns_twice"]
//!             ["link" STRING] ["alias" STRING] [routine] pos [region] [body]
//!           | ("constructors" | "destructors") "(" (INT FUNC),* ")"
//! pass      = type ["sext" | "zext" | "none"] | AGG
//! linkage   = "external" | "internal" | "weak" | "common" | "inline"
//! init      = "extern" | "zero" | "bytes" STRING ["relocate" "(" (INT operand [offset]),* ")"]
//! routine   = "routine" "(" ("seq" | level) ["bind" STRING] ["nohost"] ["implicit"] ")"
//! region    = "region" kind "of" STRING "dims" "(" INT,* ")" ["cooperative"] ["gangs" INT]
//!             ["open_workers"] ["row" INT "reductions" INT ["loops"]] ["shape" INT INT ["trial_of" FUNC "code" INT]]
//!             "{" param* "}"
//! param     = "param" STRING ("address" | "pointer" | "value" type) [mapkind] ["bytes" INT] ["argument"]
//!
//! body      = "{" ["params" LOCAL,*] ["reductions" INT] ["detached" BLOCK,*] decl* block* "}"
//! decl      = "locals" LOCAL,* ":" type ["part"] ["restrict"]
//!           | "slot" SLOT "size" INT "align" INT ["restrict"] [place] ["in" LOOP]
//!           | "loop" LOOP ("dead" | "dissolved" counted | ["in" LOOP] "preheader" BLOCK "header" BLOCK
//!             "body" BLOCK "latch" BLOCK "exit" BLOCK counted)
//!           | "construct" CONSTRUCT ("dead" | kind "entry" BLOCK "exit" BLOCK ["in" CONSTRUCT] ["fused" INT] dims scheduling
//!             pos "{" clause* "}")
//!           | reduction
//!           | "beside" operand "(" operand "," operand "," operand ")" "rows" INT
//!             "workers" INT
//! counted   = ["for" LOCAL "=" operand "," cmp operand "," "step" operand] pos [directive]
//! place     = "mapped" LOCAL | "gang_private" | "gang_copy" | "worker_private" | "reduction" | "broadcast" | "launch"
//!           | "gang_scratch"
//! kind      = "parallel" | "serial" | "kernels" | "team" | "task"
//! level     = "gang" | "gang2" | "gang3" | "worker" | "vector" | "unassigned"
//! directive = "{" "directive" ["default" | "seq" | "independent" | "auto"] ["gang" ["(" gangarg,* ")"]]
//!             ["worker" [operand]] ["vector" [operand]] ["collapse" INT] ["force"] ["in_order"] ["at_once" INT]
//!             ["team" "(" operand,* ")"] ["tile" "(" (operand | "*"),* ")"] ["levels" "(" level,* ")"] pos
//!             (private | reduction | scan)* "}"
//! gangarg   = "num" operand | "static" (operand | "*") | "dim" INT
//! clause    = map | private | "first" private | reduction
//! private   = "private" STRING operand "size" INT "align" INT ["implicit"] pos
//! reduction = "reduction" reduced
//! scan      = "scan" reduced
//! reduced   = redop STRING operand ["pointee"] ["from" operand]
//!             "parts" "(" (INT redtype ["x" operand]),* ")" pos
//! redop     = "+" | "*" | "max" | "min" | "&" | "|" | "^" | "&&" | "||"
//!           | "declared" "(" FUNC "," FUNC "," SIG ")" "size" INT "align" INT ["reads_original"]
//! redtype   = type ["signed"] ["bool"]
//! map       = "map" mapkind ["zero"] ["readonly"] ["always_in"] ["always_out"] ["capture"] ["read_later"]
//!             ["by_use"] ["required"] ["finalize"] ["implicit"] STRING ["var" operand] "start" operand
//!             "bytes" operand [strides]
//!             ["bias" operand] ["attach" address] [rows] [elements] [members] pos
//! mapkind   = "copy" | "copyin" | "copyout" | "create" | "no_create" | "present" | "deviceptr" | "attach"
//!           | "detach" | "delete" | "use_device" | "update_self" | "update_device" | "device_resident" | "link"
//!           | "firstprivate" | "shared"
//! strides   = "strides" "(" (operand "by" operand),* ")"
//! rows      = "rows" "(" operand "," operand [strides] ["," rows] ")"
//! elements  = "elements" INT "(" (INT redtype ["x" INT]),* ")"
//! members   = "members" "(" (STRING INT INT ["maybe"]),* ")"
//! dims      = ["gangs" pos "(" (operand | "_"),* ")"] ["workers" pos operand] ["vector" pos operand]
//!             ["by" ("thread_limit" | "num_threads" | "if")]
//! scheduling= ["device" ["(" operand ")"]] ["if" operand] ["self" operand] ["async" ["(" (operand | "data") ")"]]
//!             ["wait" ["(" ["devnum" operand ","?] operand,* ")"]]
//!             ["task" "(" operand "," operand "," operand "," operand "," operand ")"]
//!
//! block     = BLOCK [LOOP] [CONSTRUCT] ":" (inst pos)* terminator pos
//! inst      = LOCAL "=" value | [LOCAL "="] either | effect
//! value     = unary operand | binary operand "," operand
//!           | "cmp." cmp operand "," operand
//!           | "convert." convert operand
//!           | "copy" operand
//!           | ( "select" | "fma" ) operand "," operand "," operand
//!           | "index" operand "+" operand "*" INT [offset] ["below" INT]
//!           | "load" address access
//!           | "stack_alloc" operand "align" INT ["each"] | "stack_save" ["each"]
//!           | "va_arg" operand | "va_arg_aggregate" operand "," AGG
//!           | "atomic_load" address | "atomic_cas." type address "," operand "," operand
//!           | "frame_address" INT | "return_address" INT
//!           | "extract_lane" operand "," INT | "insert_lane" operand "," operand "," INT
//!           | ("swiden" | "uwiden") operand "," INT | ("snarrow" | "unarrow") operand "," operand
//!           | "dim_size" level | "dim_pos" level | "on_device" operand
//!           | "meet" operand | "last_gang" | "instance" operand "," operand
//!           | "lane_reduce." binary operand | "shuffle." ("down" | "index") operand "," operand
//!           | "loop_share." ("offset" | "step" | "bound" | "iteration") LOOP "," operand
//! either    = "call" (FUNC | "*" operand) "(" operand,* ")" SIG ["to" operand]
//!           | "atomic_rmw." binary "." type address "," operand ["reversed"] ["result_new"]
//!           | "atomic_swap." type address "," operand
//!           | "reduction." ("setup" | "init" | "fini" | "teardown") "(" (address | "none") ","
//!             (operand | address "x" operand) "," level "," redop "," redtype "," outer "," RED ")" ["escapes"]
//!             ["original" address]
//! effect    = "store." type address "," operand access
//!           | "mem_copy" address "," address "," operand "align" INT
//!           | "mem_set" address "," operand "," operand "align" INT
//!           | "stack_restore" operand ["each"]
//!           | "va_start" operand | "va_copy" operand "," operand
//!           | "atomic_store." type address "," operand
//!           | "fence" | "trap"
//!           | "launch" FUNC "(" ("map" INT | operand),* ")" ["fused" INT] dims scheduling [maps]
//!           | "data" data scheduling ["device_type" operand] ["device_num" operand] ["default_async" operand]
//!             ["addresses" "(" LOCAL,* ")"] [maps]
//!           | ("head_mark" | "tail_mark") LOOP ["inner"]
//!           | ("fork" | "join") level ["," LOOP]
//!           | ("lock" | "unlock") level "," outer
//!           | "barrier" level
//! outer     = LOOP | "outer"
//! data      = "begin" | "end" | "enter" | "exit" ["finalize"] | "update" ["if_present"]
//!           | "host_begin" ["if_present"] | "host_end" | "wait" | "init" | "shutdown" | "set"
//!           | "declare_begin" | "declare_end"
//! maps      = "{" map* "}"
//! terminator= "jump" BLOCK | "branch" operand "," BLOCK "," BLOCK | "return" [operand] | "unreachable"
//!           | "switch" operand "{" (INT ["..=" INT] ":" BLOCK)* "default" ":" BLOCK "}"
//!
//! unary     = "neg" | "not" | "fabs" | "sqrt" | "exp2" | "reciprocal" | "rsqrt" | "floor" | "ceil" | "trunc"
//!           | "nearest" | "clz" | "ctz" | "popcnt" | "bswap" | "re" | "im" | "conj" | "splat"
//! binary    = "add" | "sub" | "mul" | "sdiv" | "udiv" | "srem" | "urem" | "fdiv" | "and" | "or" | "xor"
//!           | "shl" | "lshr" | "ashr" | "smin" | "smax" | "umin" | "umax" | "fmin" | "fmax" | "copysign"
//!           | "complex"
//! cmp       = "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "ult" | "ule" | "ugt" | "uge" | "unordered"
//! convert   = "sext" | "zext" | "trunc" | "stof" | "utof" | "ftos" | "ftou" | "ftof" | "bits" | "ctoc"
//! type      = "i1" | "i8" | "i16" | "i32" | "i64" | "i128" | "f32" | "f64" | "f80" | "c32" | "c64" | "ptr"
//!           | "i8x16" | "i16x8" | "i32x4" | "i64x2" | "f32x4" | "f64x2"
//! operand   = LOCAL | SLOT | GLOBAL | FUNC | NUMBER type | "true" | "false" | "null"
//!           | "f32.0x" HEX | "f64.0x" HEX
//! address   = "[" operand [offset] "]"
//! offset    = "+" INT | "-" INT
//! access    = ["align" INT] ["generic" | "global" | "shared" | "local" | "param"] ["volatile"] ["untyped"]
//! pos       = ["@" ("none" | [FILE ":"] INT ":" INT)]
//!
//! FILE = "file" INT     AGG = "agg" INT     SIG = "sig" INT     BLOCK = "bb" INT     LOOP = "loop" INT
//! CONSTRUCT = "construct" INT     RED = "red" INT     GLOBAL = "g" INT ["." NAME]
//! FUNC = "fn" INT ["." NAME]     LOCAL = "v" INT ["." NAME]     SLOT = "s" INT ["." NAME]
//! ```
//! A `NUMBER` touches its type. An access has its type's natural alignment, is generic, and of memory that
//! C's rule of effective types holds for, unless it says otherwise. In a quad and its locks `outer` stands
//! for the null outer gang loop.
//!
//! # Dumps
//! What `accrue ir` prints begins with the pass that the module has come out of and the target whose pass it
//! was, `stage "fold" of "host"` ([`Origin`]), so that work can go on from there. A module without the item
//! is as the front end leaves it, or was written by hand.
//!
//! # What is not represented
//! The contents of blocks outside the layout (only their ids are kept, under `detached`), and of loops and
//! constructs that no block of the layout belongs to (`dead`): nothing may look at either. Of a loop that was
//! taken apart counter and directive are left, for comments (`dissolved`). Reading back therefore gives an
//! equal module exactly when there are none of these, and always one that prints the same.

mod lex;
mod locate;
mod names;
mod origin;
mod parse;
mod parse_acc;
mod parse_op;
mod print;
mod print_acc;
mod print_op;

pub use lex::ParseError;
pub use locate::line_of;
pub use origin::Origin;
pub use parse::{parse, parse_dump};
pub use print::{PrintOptions, print, print_dump, print_function, print_with};
pub use print_op::{inst_text, terminator_text};

#[cfg(test)]
mod grammar;
#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
