#!/usr/bin/env python3
"""Measures the loops of loops.c, nests.c, codes.c, apps.c, suites.c, fields.c, trials.c, assays.c, helpers.c and shapes.c on an NVIDIA GPU
beside the same loops in CUDA (compiled by nvcc -O3).

    python3 bench/gpu/loops.py [--accrue target/release/accrue]... [--option OPTION]
                               [--suite loops|nests|codes|apps|suites|fields|trials|assays|helpers|shapes]...

One run, one machine, kernel times by device events: the median of 17 launches in a row on either side, after three that warm up.
The time between two events has a part of the host's in it, and some processes are a microsecond slower in all of their launches than
others. So each side is executed `--turns` times in turns, and the least median counts. With `--accrue` again, a column for each
compiler: two of them compare a change. Each suite's means are those of CUDA / accrue.
Ends with 1 if the two sides of a loop of another suite than loops.c have not computed the same.
"""

import argparse
import collections
import json
import math
import pathlib
import statistics
import sys
import tempfile

from run import run

HERE = pathlib.Path(__file__).resolve().parent
SUITES = ["loops", "nests", "codes", "apps", "suites", "fields", "trials", "assays", "helpers", "shapes"]
# As measured.cuh has them.
ROUNDS, WARMING = 20, 3
# Sums of millions of floats in another order.
TOLERANCE = 1e-4


def compiled(folder, suite):
    """The suite in CUDA."""
    program = str(folder / suite)
    run(["nvcc", "-O3", "-std=c++17", "-arch=native", str(HERE / f"{suite}.cu"), "-o", program])
    return program


def cuda(program):
    """Name -> microseconds of CUDA's kernels, and name -> checksum."""
    lines = [line.split() for line in run([program]).stdout.splitlines()]
    return {name: float(time) for name, time, *_ in lines}, {name: float(rest[0]) for name, _, *rest in lines if rest}


def accrue(command, suite, folder):
    """Name -> microseconds of accrue's kernels, the median of its launches for each region, and name -> checksum."""
    trace = folder / "trace.json"
    done = run([*command, "--trace", str(trace), str(HERE / f"{suite}.c"), "--", str(ROUNDS)])
    launches = collections.defaultdict(list)
    for event in json.loads(trace.read_text()):
        if event["cat"] == "launch":
            launches[event["name"]].append(event["dur"])
    times = collections.defaultdict(float)
    for region, durations in launches.items():
        warm = durations[len(durations) * WARMING // ROUNDS :]
        times[region.rsplit(".", 1)[0]] += statistics.median(warm) * len(durations) / ROUNDS
    lines = (line.split() for line in done.stdout.splitlines())
    return times, {words[0]: float(words[1]) for words in lines if len(words) == 2}


def least(times, others):
    """The lesser time of each name."""
    return {name: min(time, times.get(name, time)) for name, time in others.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accrue", action="append", help="a compiler; target/release/accrue if none is named")
    parser.add_argument("--option", action="append", default=[], help="further option of `accrue run`")
    parser.add_argument("--suite", action="append", choices=SUITES, help="this one only")
    parser.add_argument("--turns", type=int, default=2, help="how often each program is executed")
    options = parser.parse_args()
    compilers = options.accrue or ["target/release/accrue"]
    wrong = []
    print(f"{'loop':<18} {'CUDA us':>9}" + f" {'accrue us':>9} {'CUDA / accrue':>14}" * len(compilers))
    for suite in options.suite or SUITES:
        peers, ours = {}, [{} for _ in compilers]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = compiled(folder, suite)
            for _ in range(options.turns):
                times, expected = cuda(program)
                peers = least(peers, times)
                for at, compiler in enumerate(compilers):
                    times, found = accrue([compiler, "run", "--device", "cuda", *options.option], suite, folder)
                    ours[at] = least(ours[at], times)
                    wrong += [
                        f"{compiler}: {name}: {found.get(name)} instead of {value}"
                        for name, value in expected.items()
                        if not math.isclose(found.get(name, math.nan), value, rel_tol=TOLERANCE)
                    ]
        for name, peer in peers.items():
            print(f"{name:<18} {peer:>9.1f}" + "".join(f" {times[name]:>9.1f} {peer / times[name]:>14.2f}" for times in ours))
        for compiler, times in zip(compilers, ours):
            ratios = [peer / times[name] for name, peer in peers.items()]
            print(f"{suite}, {compiler}: {len(ratios)} loops: geometric mean {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
