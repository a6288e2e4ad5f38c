#!/usr/bin/env python3
"""Measures reductions on an NVIDIA GPU beside CUB and, if it is there, beside GCC's OpenACC.

    python3 bench/gpu/run.py [--accrue target/release/accrue] [--gcc PROGRAM] [--option OPTION]

Needs nvcc for CUB. PROGRAM is `regions.c` as GCC compiled it for offloading; its libraries must be found:

    gcc-12 -O2 -fopenacc -foffload=nvptx-none bench/gpu/regions.c -o regions

One run, one machine. Kernel times are by device events: the mean of all rounds on accrue's side, of all but the first
three on CUB's; bandwidth is the bytes read by that time. Region times are what the host sees (launch, scalars,
synchronisation), by the same clock, on both sides the median of the same program's rounds without the first three.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SIZES = (26, 28)
HEAD = f"{'loop':<16} {'n':>5} {'CUB GB/s':>9} {'accrue':>7} {'ratio':>6} {'region us':>10} {'GCC us':>9} {'times':>6}"


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-2000:]}")
    return done


def peers(folder):
    """(name, elements) -> (bytes, microseconds) of CUB's kernels."""
    program = str(folder / "peers")
    run(["nvcc", "-O3", "-std=c++17", "-arch=native", str(HERE / "peers.cu"), "-o", program])
    rows = (line.split() for line in run([program]).stdout.splitlines())
    return {(name, int(n)): (float(size), float(mean)) for name, n, size, _, mean in rows}


def regions(command):
    """(name, elements) -> (result, microseconds) of whole regions."""
    found = {}
    for bits in SIZES:
        for line in run([*command, str(bits)]).stdout.splitlines():
            words = line.split()
            if len(words) != 4:
                sys.exit(f"wrong result: {line}")
            found[words[0], int(words[1])] = words[2], float(words[3])
    return found


def kernels(command):
    """(name, elements) -> microseconds of accrue's kernels, from the table of ACCRUE_TIME."""
    found = {}
    for bits in SIZES:
        table = run([*command, str(bits)], env={**os.environ, "ACCRUE_TIME": "1"}).stderr.splitlines()
        for line in table:
            words = line.split()
            if len(words) == 9 and "regions.c:" in words[0] and words[2] != "0":
                found[words[1], 1 << bits] = float(words[5]) / int(words[2])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--option", action="append", default=[], help="further option of `accrue run`")
    parser.add_argument("--gcc", help="regions.c as GCC compiled it")
    options = parser.parse_args()
    command = [options.accrue, "run", "--device", "cuda", *options.option, str(HERE / "regions.c"), "--"]
    with tempfile.TemporaryDirectory() as folder:
        cub = peers(pathlib.Path(folder))
    times = kernels(command)
    ours = regions(command)
    gcc = regions([options.gcc]) if options.gcc else {}
    print(HEAD)
    for (name, n), (size, microseconds) in cub.items():
        peer, own = size / microseconds / 1e3, size / times[name, n] / 1e3
        region = ours[name, n][1]
        line = f"{name:<16} 2^{n.bit_length() - 1:<3} {peer:>9.0f} {own:>7.0f} {own / peer:>6.2f} {region:>10.1f}"
        if gcc:
            other = gcc[name, n]
            line += f" {other[1]:>9.1f} {other[1] / region:>6.1f}"
            line += "" if other[0] == ours[name, n][0] else f"  results {ours[name, n][0]} and {other[0]}"
        print(line)


if __name__ == "__main__":
    main()
