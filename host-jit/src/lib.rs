//! Host back end of accrue: IR to machine code in memory through Cranelift.
