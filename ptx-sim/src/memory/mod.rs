//! Memory of the device: its address space, what is allocated, what is defined.

pub(crate) mod address;
pub(crate) mod device;
pub(crate) mod region;
pub(crate) mod space;
