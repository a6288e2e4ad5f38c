#!/usr/bin/env python3
"""Runs random programs in many ways and reports what is not right.

    python3 tests/random/run.py --count 100 [--first 1] [--modes all] [--jobs 4] [--accrue target/release/accrue] [--keep DIR]
    python3 tests/random/run.py --nests --count 100 ...     programs of loops without directives, 20 nests each
    python3 tests/random/run.py --neighbours --count 100 ...     the same, most of them several nests with the same iterations, as constructs too
    python3 tests/random/run.py --tasks --count 100 --modes tasks ...     programs of graphs of OpenMP tasks, --size graphs each
    python3 tests/random/run.py --environment --count 100 --modes environment ...     programs of data environments
    python3 tests/random/run.py --plain --size 30 --count 100 --modes O1,O3,verify ...     programs of loops of plain C

Modes are names, or groups: `all` (every way that needs no GPU), `cpu`, `ptxas`, `gpu`, `gpu-more`, `sanitizer` (compute-sanitizer on a GPU), `validate`
(gcc on the sequential form: what fails there is a defect of the generator), `peer` (gcc -fopenacc), `tasks`, `tasks-gpu` and `tasks-peer` (gcc -fopenmp), `environment` and `environment-gpu`, `diagnostics` (programs in which something is wrong). `--list` prints them all. docs/testing.md says more.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import signal
import sys
import tempfile
import time

import modes
from kinds import add_arguments, make, read_features


GOOD = ("ok", "limit")


def try_seed(seed, size, without, what, names, sample, accrue, prefix, keep, folder):
    """(seed, [(mode, kind, line)]) of one program."""
    chosen = modes.choose(names)
    if sample and sample < len(chosen):
        chosen = random.Random(seed).sample(chosen, sample)
    path = pathlib.Path(folder) / f"{seed}.c"
    try:
        text = make(what, seed, size, without)
        if any(mode.is_hazard for mode in chosen):
            path.with_suffix(".hazard.c").write_text(make(what, seed, size, without, hazard=True))
    except Exception as error:  # a defect of the generator is a result, too
        return seed, [("generator", "crash", repr(error))]
    path.write_text(text)
    results = []
    for mode in chosen:
        outcome = modes.try_mode(mode, accrue, path.with_suffix(".hazard.c") if mode.is_hazard else path, prefix)
        results.append((mode.name, outcome.kind, "" if outcome.kind in GOOD else outcome.first_line()))
    if keep and any(kind not in GOOD for _, kind, _ in results):
        (pathlib.Path(keep) / path.name).write_text(text)
    path.unlink()
    path.with_suffix(".hazard.c").unlink(missing_ok=True)
    return seed, results


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", help="these seeds, separated by commas, instead")
    parser.add_argument("--size", type=int, default=10)
    add_arguments(parser)
    parser.add_argument("--without", default="", help="features of the generator to leave out, separated by commas")
    parser.add_argument("--modes", default="all", help="names and groups, separated by commas")
    parser.add_argument("--sample", type=int, help="so many of the modes for each program, at random, instead of all")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--prefix", default="", help="a command that runs each command, such as `compute-sanitizer --tool memcheck`")
    parser.add_argument("--keep", help="a folder for programs that fail")
    parser.add_argument("--seconds", type=float, help="start no program after so long")
    parser.add_argument("--compact", action="store_true", help="one line per failing seed")
    parser.add_argument("--list", action="store_true", help="print the modes")
    return parser.parse_args()


def main():
    options = parse()
    if options.list:
        for mode in modes.all_modes().values():
            print(f"{mode.name:20} {mode.group:10} {' '.join(mode.words)}")
        return 0
    modes.choose(options.modes)
    read_features(options.what, options.without)
    if options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
    seeds = range(options.first, options.first + options.count)
    if options.seeds:
        seeds = [int(seed) for seed in options.seeds.split(",")]
    counts = collections.Counter()
    started = time.monotonic()
    done = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        pending = set()
        rest = iter(seeds)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(summary(counts, done, time.monotonic() - started)))
        while True:
            while len(pending) < 2 * options.jobs and (seed := next(rest, None)) is not None:
                if options.seconds and time.monotonic() - started > options.seconds:
                    break
                pending.add(pool.submit(try_seed, seed, options.size, options.without, options.what, options.modes, options.sample, options.accrue,
                                        options.prefix.split(), options.keep, folder))
            if not pending:
                break
            ready, pending = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in sorted(ready, key=lambda one: one.result()[0]):
                done += 1
                tell(*future.result(), counts, options.compact)
    return summary(counts, done, time.monotonic() - started)


def tell(seed, results, counts, compact):
    """Counts a program's results and prints the failures."""
    for mode, kind, _ in results:
        counts[mode, kind] += 1
    failed = [(mode, kind, line) for mode, kind, line in results if kind not in GOOD]
    if not failed:
        return
    if compact:
        kinds = collections.defaultdict(list)
        for mode, kind, _ in failed:
            kinds[kind].append(mode)
        print(f"seed {seed}: " + "; ".join(f"{kind} {','.join(names)}" for kind, names in kinds.items()), flush=True)
        return
    lines = collections.defaultdict(list)
    for mode, kind, line in failed:
        lines[kind, line].append(mode)
    for (kind, line), names in lines.items():
        print(f"seed {seed}: {kind} in {', '.join(names)}: {line}", flush=True)


def summary(counts, done, seconds):
    """Prints the table of counts; the exit status."""
    names = list(dict.fromkeys(mode for mode, _ in counts))
    kinds = (*GOOD, "wrong", "crash", "hang", "rejected", "report")
    print(f"{done} programs in {seconds:.0f} s")
    print(f"{'mode':20}" + "".join(f"{kind:>9}" for kind in kinds))
    for name in names:
        print(f"{name:20}" + "".join(f"{counts[name, kind]:9}" for kind in kinds))
    return 1 if any(kind not in GOOD and count for (_, kind), count in counts.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
