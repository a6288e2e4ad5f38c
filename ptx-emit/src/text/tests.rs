//! Tests of whole modules.
