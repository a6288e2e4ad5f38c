//! What is true of a body, for passes and code generators that ask before they change or write it.
//!
//! Here belongs what takes a `&Body` and gives facts: which block dominates which ([`mod@cfg`]), which locals
//! a later block reads ([`liveness`]), which loops are inside a loop ([`loops`]), whether two addresses can
//! be equal ([`bases`]), which operator an operation accumulates by ([`accumulation`]). Facts are of the body
//! as it was when they were found; a pass that changes what they are about finds them anew.
//!
//! Here does not belong what takes a `&mut Body`, even where it needs a fact first: blocks that control does
//! not reach are found here ([`Body::reachable`](crate::Body::reachable)) and removed by
//! [`crate::edit::remove`]. Nor what only one pass asks and only that pass can use: which values a vectorized
//! loop accumulates stays beside [`crate::passes::vectorize`]. Nothing here uses `edit` or `passes`.

pub mod accumulation;
pub mod bases;
pub mod boxes;
pub mod call_order;
pub mod callees;
pub mod callers;
pub mod cfg;
pub mod compared;
pub mod computable;
pub mod depend;
pub mod depends;
pub mod effects;
pub mod facts;
pub mod gang_loop;
pub mod inner_sums;
pub mod integers;
pub mod iteration;
pub mod library;
pub mod liveness;
pub mod loops;
pub mod mentions;
pub mod own_rows;
pub mod perfect;
pub mod private;
pub(crate) mod regroup;
pub mod roots;
pub mod scalars;
pub mod slices;
pub mod slot_uses;
pub mod spell;
pub mod steady;
pub mod strides;
pub mod summaries;
pub mod sums;
pub mod survey;
pub mod updates;
pub mod written;
