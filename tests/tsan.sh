#!/usr/bin/env bash
# The runtime's threads and tasks under ThreadSanitizer: tests/tsan.sh [ROUNDS]
#
# Needs a nightly toolchain with the standard library's sources, which are compiled with it, as locks and reference counts
# of the library order what threads do: rustup toolchain install nightly --component rust-src
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-1}
target=$(rustc +nightly -vV | sed -n 's/^host: //p')
suppressions=$(mktemp)
trap 'rm -f "$suppressions"' EXIT
# A thief of crossbeam's deque reads an element before it knows whether it gets it, and drops what it has read if not.
echo 'race:crossbeam-deque-*/src/deque.rs' >"$suppressions"
export TSAN_OPTIONS="suppressions=$suppressions halt_on_error=1"
for ((round = 1; round <= rounds; round++)); do
    RUSTFLAGS=-Zsanitizer=thread CARGO_TARGET_DIR=target/tsan \
        cargo +nightly test -Zbuild-std --target "$target" --package accrue-runtime --no-default-features --lib -- task:: team:: gangs::
done
