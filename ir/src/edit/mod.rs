//! Tools that change a body on behalf of passes.
//!
//! Here belongs a change that several passes make and that decides nothing: replace one variable by another
//! throughout some blocks ([`rename`]), copy code ([`clone`], [`version`]), put a block on an edge
//! ([`split`]), move a scalar between memory and a local ([`memory`]), drop ids without a use ([`compact`]).
//! So does code that several passes write, for instance the number of a loop's iterations ([`induction`]),
//! a loop over some of them ([`logical`]), the order of two loops ([`nest`]), a test in the place of a range
//! ([`triangle`]), or the copy of an object that crosses a call ([`aggregate`]). The caller decides where,
//! and knows why.
//!
//! Here does not belong what chooses by itself what to change, for instance "slots without address become
//! locals": that is a pass ([`crate::passes::promote_slots`]), although it is little more than a renaming.
//! Nor what changes nothing, which is an analysis. Nothing here uses `passes`, a target or a report.

pub mod aggregate;
pub mod clone;
pub mod compact;
pub mod evaluate;
pub mod induction;
pub mod logical;
pub mod memory;
pub mod nest;
pub mod remove;
pub mod rename;
pub mod split;
pub mod triangle;
pub mod version;
