#!/usr/bin/env bash
# Passes all tests; with arguments, passes those to `cargo test`. Golden files must not be blessed by accident, so the
# variable that does it is only honoured when it is given to `cargo test` directly.
set -euo pipefail
cd "$(dirname "$0")"
unset UPDATE_GOLDENFILES

# NVIDIA's assembler judges the PTX. It is fetched once, into the folder of build outputs, where accrue looks for it.
ptxas="${CARGO_TARGET_DIR:-target}/ptxas"
if ! command -v ptxas >/dev/null && [ ! -x "$ptxas/nvidia/cuda_nvcc/bin/ptxas" ]; then
    python3 -m pip install --quiet --no-deps --target "$ptxas" nvidia-cuda-nvcc-cu12==12.9.86
fi
export PATH="$PATH:$(cd "$ptxas" 2>/dev/null && pwd)/nvidia/cuda_nvcc/bin"

if [ $# -gt 0 ]; then
    exec cargo test --release --workspace "$@"
fi
# What is executed from outside is the compiler as it is shipped. Unit tests are linked with everything of their crate,
# which takes far longer to optimise than to test.
cargo test --release --workspace --bins --test '*'
cargo test --release --workspace --doc
cargo test --release --workspace --lib --config tests/unoptimised.toml
