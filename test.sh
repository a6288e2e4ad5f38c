#!/usr/bin/env bash
# Passes all tests; arguments go to `cargo test`. Golden files must not be blessed by accident, so the variable that does
# it is only honoured when it is given to `cargo test` directly.
set -euo pipefail
cd "$(dirname "$0")"
unset UPDATE_GOLDENFILES
exec cargo test --release --workspace "$@"
