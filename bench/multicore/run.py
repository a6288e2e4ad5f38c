#!/usr/bin/env python3
"""The loops of bench/loops on all processors: accrue beside one thread of its own and beside gcc's OpenMP, in one run.

    python3 bench/multicore/run.py [--accrue target/release/accrue] [--gcc gcc-12] [--threads 2] [--rounds 7] [--realtime] [NAME...]

`accrue run --device multicore`, `accrue run --device host` and a program made by `gcc -O3 -fopenmp` execute each loop in turns, with data that fit the
caches and with data that do not. gcc gets the loop with `parallel for` in the place of `parallel loop`. A line has the medians of the three in
microseconds, and the medians of the ratios within a round: one thread over several, and gcc over accrue on several, so that more is better. Other work on
the machine counts against whoever has more threads: --realtime asks for a real-time priority, which root may have. Names select loops.
"""

import argparse
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

LOOPS = pathlib.Path(__file__).parent.parent / "loops"
# Elements and repetitions: within the caches, and beyond them.
SIZES = {
    "sum": [(1 << 18, 200), (1 << 25, 5)],
    "dot": [(1 << 17, 200), (1 << 24, 5)],
    "max": [(1 << 18, 200), (1 << 25, 5)],
    "product": [(1 << 18, 200), (1 << 24, 5)],
    "saxpy": [(1 << 17, 200), (1 << 24, 5)],
    "stencil": [(1 << 16, 200), (1 << 23, 5)],
    "matmul": [(40_000, 20), (160_000, 3)],
    "row_sums": [(1 << 18, 200), (1 << 25, 5)],
    "complex_sum": [(1 << 16, 200), (1 << 23, 5)],
    "conditional_count": [(1 << 18, 200), (1 << 25, 5)],
}


def as_openmp(text):
    """The loop with OpenMP's directives."""

    def directive(match):
        words = match.group(1)
        kept = " ".join(re.findall(r"(?:reduction|collapse)\([^)]*\)", words))
        if words.startswith("parallel"):
            return f"#pragma omp parallel for {kept}"
        return f"#pragma omp simd {kept}" if "reduction" in words else ""

    return re.sub(r"#pragma acc (.*)", directive, text)


def run(words, environment):
    """Microseconds of the best repetition, and the value that the loop computes."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed ({done.returncode})\n{done.stderr}")
    seconds, value = done.stdout.split()
    return float(seconds) * 1e6, float(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--gcc", default="gcc-12")
    parser.add_argument("--threads", default=str(len(os.sched_getaffinity(0))))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--realtime", action="store_true")
    options = parser.parse_args()
    front = ["chrt", "-r", "10"] if options.realtime else []
    environment = {"OMP_NUM_THREADS": options.threads, "ACC_NUM_CORES": options.threads}
    print(f"load {os.getloadavg()[0]:.1f}, {options.threads} threads, us: several, one, gcc; one / several, gcc / several")
    gains, against = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, sizes in SIZES.items():
            if options.names and name not in options.names:
                continue
            source = LOOPS / f"{name}.c"
            (pathlib.Path(folder) / f"{name}.c").write_text(as_openmp(source.read_text()))
            binary = f"{folder}/{name}"
            words = [options.gcc, "-O3", "-fopenmp", f"-I{LOOPS}", f"{folder}/{name}.c", "-o", binary, "-lm"]
            subprocess.run(words, check=True)
            for n, repetitions in sizes:
                args = [str(n), str(repetitions)]
                accrue = [*front, options.accrue, "run", "-w"]
                ways = [
                    [*accrue, "--device", "multicore", str(source), "--", *args],
                    [*accrue, "--device", "host", str(source), "--", *args],
                    [*front, binary, *args],
                ]
                rounds = []
                for _ in range(options.rounds):
                    found = [run(way, environment) for way in ways]
                    values = [value for _, value in found]
                    if not all(math.isclose(value, values[0], rel_tol=1e-3, abs_tol=1e-3) for value in values):
                        sys.exit(f"{name} {n}: {values}")
                    rounds.append([time for time, _ in found])
                several, one, gcc = (statistics.median(times) for times in zip(*rounds))
                gain = statistics.median(one / several for several, one, _ in rounds)
                ratio = statistics.median(gcc / several for several, _, gcc in rounds)
                gains.append(gain)
                against.append(ratio)
                print(f"{name:18} {n:9} {several:10.1f} {one:10.1f} {gcc:10.1f} {gain:6.2f} {ratio:6.2f}", flush=True)
    for what, ratios in (("one / several", gains), ("gcc / several", against)):
        print(f"geometric mean of {what}: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()
