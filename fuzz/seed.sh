#!/usr/bin/env bash
# Fills the corpus of the fuzz target with every C program of the repository. Then:
#   cargo fuzz run --sanitizer none compile -- -dict=compile.dict -timeout=10 -rss_limit_mb=4096 -max_len=8192
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p corpus/compile
find ../examples ../tests ../golden/cases ../bench -name '*.c' | while read -r file; do
    cp "$file" "corpus/compile/$(echo "${file#../}" | tr / _)"
done
