//! Golden-file harness of accrue and its golden cases.
