#!/usr/bin/env python3
"""Measures programs of many small kernels on an NVIDIA GPU beside the same programs in CUDA, with launches and as graphs.

    python3 bench/gpu/steps.py [--accrue target/release/accrue] [--option OPTION] [--rounds 3]

The programs are in bench/gpu/steps. One run, one machine, the host's clock, accrue and CUDA in turns: the median of the rounds,
each of which is the best of five. Needs nvcc.
"""

import argparse
import math
import pathlib
import statistics
import tempfile

from run import run

HERE = pathlib.Path(__file__).resolve().parent / "steps"


def rows(text):
    """The numbers behind each name."""
    return {words[0]: [float(word) for word in words[1:]] for words in (line.split() for line in text.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        peer = str(pathlib.Path(folder) / "steps")
        run(["nvcc", "-O3", "-std=c++17", "-arch=native", str(HERE / "steps.cu"), "-o", peer])
        ours, cuda = [], []
        for _ in range(options.rounds):
            ours.append(rows(run([options.accrue, "run", "--device", "cuda", *options.option, str(HERE / "steps.c")]).stdout))
            cuda.append(rows(run([peer]).stdout))
    ratios = []
    print(f"{'program':<12} {'accrue us':>10} {'launches':>10} {'graph':>10} {'launches/accrue':>16} {'graph/accrue':>13}")
    for name in ours[0]:
        time = statistics.median(round[name][0] for round in ours)
        launched, replayed = (statistics.median(round[name][i] for round in cuda) for i in (0, 1))
        ratios.append((launched / time, replayed / time))
        sums = ours[0][name][1], cuda[0][name][2]
        wrong = "" if math.isclose(*sums, rel_tol=1e-6) else f"   differs: {sums[0]} {sums[1]}"
        print(f"{name:<12} {time:>10.2f} {launched:>10.2f} {replayed:>10.2f} {launched / time:>16.2f} {replayed / time:>13.2f}{wrong}")
    means = [statistics.geometric_mean(column) for column in zip(*ratios)]
    print(f"{'mean':<12} {'':>10} {'':>10} {'':>10} {means[0]:>16.2f} {means[1]:>13.2f}")


if __name__ == "__main__":
    main()
