//! Device runtime of accrue: data environment, queues, the `acc_*` and `omp_*` API.

pub mod abi;
