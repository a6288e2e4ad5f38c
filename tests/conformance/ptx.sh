#!/usr/bin/env bash
# Lets ptxas judge the PTX of GCC's valid OpenACC C tests without assembly and CUDA headers, and lists what has none.
#
#     tests/conformance/ptx.sh GCC_SOURCE_TREE [ACCRUE] [ARCH]
set -uo pipefail
tree=$1
accrue=${2:-target/release/accrue}
arch=${3:-sm_90}
passed=0
total=0
messages=$(mktemp)
trap 'rm -f "$messages"' EXIT
for file in "$tree"/libgomp/testsuite/libgomp.oacc-c{-c++-common,}/*.c "$tree"/gcc/testsuite/{c-c++-common,gcc.dg}/goacc/*.c; do
    grep -qE 'cuda\.h|cublas|cuda_runtime|asm *\(|asm volatile|__asm' "$file" && continue
    grep -q 'dg-error' "$file" && continue
    options=(-w -DACC_DEVICE_TYPE_nvidia=1 -DACC_MEM_SHARED=0 "-I$(dirname "$file")" "-I$tree/include")
    grep -q -- '-fopenmp' "$file" && options+=(-fopenmp)
    grep -q 'VECTOR_LENGTH' "$file" && options+=('-DVECTOR_LENGTH=vector_length(32)')
    total=$((total + 1))
    if timeout 60 "$accrue" ptx --check --arch "$arch" "${options[@]}" "$file" >/dev/null 2>"$messages"; then
        passed=$((passed + 1))
    else
        echo "$(basename "$file"): $(grep -v '^ ' "$messages" | head -1)"
    fi
done
echo "$passed of $total"
