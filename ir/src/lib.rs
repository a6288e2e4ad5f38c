//! The mid-level IR of accrue: data structures, text form, verifier, shared passes, target hooks.
