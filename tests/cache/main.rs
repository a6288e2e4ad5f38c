//! What is kept from one start to the next: with and without it, programs do the same and are told the same.

mod headers;
mod place;
mod programs;
