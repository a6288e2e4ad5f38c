#!/usr/bin/env python3
"""What threads and tasks of OpenMP cost, accrue beside gcc's libgomp in one run.

    python3 bench/threads/run.py [--accrue target/release/accrue] [--gcc gcc-12] [--threads 1,2] [--rounds 5] [NAME...]

For each number of threads, `accrue run -fopenmp` and a program made by `gcc -O2 -fopenmp` execute `threads.c` in turns. A line has the
medians of both, nanoseconds for one construct, and the median of their ratios: accrue's over gcc's, so that less than 1 is faster. Names select constructs. Nothing takes
longer than a minute, or it is reported and left out.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
SECONDS = 60
PROMISED = 1.5


def times(words):
    """Nanoseconds and checks of each construct; None if it took too long."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=True)
    except subprocess.TimeoutExpired:
        return None
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(words)} failed ({error.returncode})\n{error.stderr}")
    lines = (line.split() for line in done.stdout.splitlines())
    return {name: (float(time), check) for name, time, check in lines}


def measure(ours, theirs, rounds):
    """Per construct, the times of both in each round."""
    found = {}
    for _ in range(rounds):
        pair = times(ours), times(theirs)
        if None in pair:
            print("a run took longer than a minute, and is left out")
            continue
        for name, (time, check) in pair[0].items():
            other, expected = pair[1][name]
            if check != expected:
                sys.exit(f"{name}: accrue computes {check}, gcc {expected}")
            found.setdefault(name, []).append((time, other))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--gcc", default="gcc-12")
    parser.add_argument("--program", help="what gcc has made of threads.c, where there is no gcc")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    source = str(FOLDER / "threads.c")
    with tempfile.TemporaryDirectory() as folder:
        program = options.program
        if program is None:
            program = str(pathlib.Path(folder) / "threads")
            subprocess.run([options.gcc, "-O2", "-fopenmp", source, "-o", program], check=True)
        for threads in options.threads.split(","):
            words = [threads, *options.names]
            found = measure([options.accrue, "run", "-fopenmp", source, "--", *words], [program, *words], options.rounds)
            print(f"{threads + ' threads':20}{'accrue ns':>12}{'gcc ns':>12}{'ratio':>8}")
            for name, pairs in found.items():
                ours, theirs = (statistics.median(side) for side in zip(*pairs))
                ratio = statistics.median(a / b for a, b in pairs)
                print(f"{name:20}{ours:12.1f}{theirs:12.1f}{ratio:8.2f}{'' if ratio <= PROMISED else f'  above {PROMISED}'}", flush=True)


if __name__ == "__main__":
    main()
