#!/usr/bin/env python3
"""Shortens a program of random nests that fails in some mode: one nest, and as few of its statements as fail in the same way.

    python3 tests/random/shorten.py --seed N --mode sim [--size 10] [--without FEATURES] [--accrue target/release/accrue] > short.c
"""

import argparse
import pathlib
import sys
import tempfile

import affine
import modes
from kinds import read_features


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--mode", required=True)
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--without", default="")
    parser.add_argument("--accrue", default="target/release/accrue")
    return parser.parse_args()


def main():
    options = parse()
    (mode,) = modes.choose(options.mode)
    without = read_features("nests", options.without)
    nests = affine.Nests(options.seed, options.size, without).nests
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "p.c"

        def outcome(only, dropped):
            """(text, kind and signature) of a nest without some statements."""
            text = affine.Nests(options.seed, options.size, without, only, dropped).text()
            path.write_text(text)
            result = modes.try_mode(mode, options.accrue, path)
            return text, (result.kind, result.signature())

        for nest in nests:
            short, failure = outcome(nest.number, frozenset())
            if failure[0] in ("ok", "limit"):
                continue
            dropped = frozenset()
            again = True
            while again:
                again = False
                for number in range(nest.count, 0, -1):
                    if number in dropped:
                        continue
                    text, found = outcome(nest.number, dropped | {number})
                    if found == failure and text != short:
                        dropped, short, again = dropped | {number}, text, True
            print(f"// seed {options.seed}, nest {nest.number}, mode {options.mode}: {failure[0]} {failure[1]}")
            print(short, end="")
            return 0
    print("no nest fails alone", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
