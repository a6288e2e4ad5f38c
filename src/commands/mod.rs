//! The subcommands, one file each.

pub mod clif;
pub mod explain;
pub mod golden;
pub mod ir;
pub mod ptx;
pub mod run;
