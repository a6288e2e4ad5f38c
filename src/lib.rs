//! The whole compiler put together: what the command line, the benchmarks and the fuzz target call.

mod device_library;
pub mod diagnostics;
pub mod driver;
pub mod ptxas;
pub mod shapes;
