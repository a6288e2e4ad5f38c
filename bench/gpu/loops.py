#!/usr/bin/env python3
"""Measures the loops of loops.c on an NVIDIA GPU beside the same loops in CUDA (loops.cu, compiled by nvcc -O3).

    python3 bench/gpu/loops.py [--accrue target/release/accrue] [--option OPTION]

One run, one machine, kernel times by device events: the mean of ten launches on accrue's side, the median of 17 on CUDA's.
"""

import argparse
import os
import pathlib
import tempfile

from run import run

HERE = pathlib.Path(__file__).resolve().parent
LAUNCHES = 10


def cuda(folder):
    """Name -> microseconds of CUDA's kernels."""
    program = str(folder / "loops")
    run(["nvcc", "-O3", "-std=c++17", "-arch=native", str(HERE / "loops.cu"), "-o", program])
    return {name: float(time) for name, time in (line.split() for line in run([program]).stdout.splitlines())}


def kernels(command):
    """Name -> microseconds of accrue's kernels, from the table of ACCRUE_TIME."""
    table = run([*command, str(LAUNCHES)], env={**os.environ, "ACCRUE_TIME": "1"}).stderr.splitlines()
    rows = (line.split() for line in table)
    return {
        words[1]: float(words[5]) / int(words[2])
        for words in rows
        if len(words) == 9 and "loops.c:" in words[0] and words[2] != "0"
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--option", action="append", default=[], help="further option of `accrue run`")
    options = parser.parse_args()
    command = [options.accrue, "run", "--device", "cuda", *options.option, str(HERE / "loops.c"), "--"]
    with tempfile.TemporaryDirectory() as folder:
        peers = cuda(pathlib.Path(folder))
    ours = kernels(command)
    print(f"{'loop':<16} {'CUDA us':>9} {'accrue us':>9} {'CUDA / accrue':>14}")
    for name, peer in peers.items():
        print(f"{name:<16} {peer:>9.1f} {ours[name]:>9.1f} {peer / ours[name]:>14.2f}")


if __name__ == "__main__":
    main()
