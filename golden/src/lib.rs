//! Golden-file harness of accrue.
//!
//! A *case* is one source file. Its header says what to do with it, lines among the comments that open the
//! file:
//!
//! ```c
//! // Copyright and the like may stand before and between.
//! //! golden reductions.ir: ir --stage reductions --no-positions
//! //! golden out: run --gangs 3
//! ```
//!
//! Each line asks for one *golden*: the compiler is started in the case's folder with the arguments after the
//! colon and the name of the case file, and what it prints must be the text of the file `CASE.reductions.ir`
//! beside `CASE.c`. Standard output comes first; standard error and an exit status other than 0 follow under
//! a heading of their own.
//!
//! ```c
//! //! count ptx: shfl=5 red=1 atom=0 bar=2
//! ```
//!
//! says how many instructions of each name the golden `CASE.ptx` has: lines that begin with the name, or with
//! it and a dot, behind a guard such as `@%p1`. It says what a case is about, where the whole text would hide
//! it. Blessing corrects the numbers.
//!
//! `{}` among the arguments stands for the case file, where it is not the last. A line of the header that
//! starts with `//!` and is none of these is an error, and so is one of these behind the first line of code:
//! a header that is misspelt or misplaced must not go unnoticed.

mod case;
mod count;
mod run;
mod suite;
mod wait;

pub use case::{Case, Golden, HeaderError, scan};
pub use count::Counts;
pub use run::{Outcome, RunError, actual, check};
pub use suite::{Finished, Suite};
pub use wait::wait;
