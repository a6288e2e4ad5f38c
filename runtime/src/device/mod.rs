//! Which device the program uses.
//!
//! - [`units`]: the devices there are;
//! - [`environment`]: which one the environment asks for;
//! - [`choice`]: which one each thread has chosen;
//! - [`activation`]: when they are active;
//! - [`kind`]: types of devices.

pub(crate) mod activation;
pub(crate) mod choice;
pub(crate) mod environment;
pub(crate) mod kind;
pub(crate) mod units;

pub(crate) use activation::{init, need, need_unit, shutdown, shutdown_one};
pub(crate) use choice::{
    check, choose_number, choose_type, current, current_type, number_of, numbered, require, unit,
};
pub(crate) use kind::Unusable;
pub(crate) use units::{Unit, host, is_only_shared_host, separate, settle_all};
