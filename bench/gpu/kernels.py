#!/usr/bin/env python3
"""Measures the loops of kernels.c on an NVIDIA GPU: bare `kernels` beside `parallel loop`.

    python3 bench/gpu/kernels.py [--accrue target/release/accrue] [--most 1.05]

Time of the whole construct, by the host's clock: the median of 31 calls, data on the device. Exits with 1 if
`kernels` takes more than `--most` times as long.
"""

import argparse
import pathlib
import sys

from run import run

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--most", type=float, default=1.05, help="largest ratio that passes")
    options = parser.parse_args()
    output = run([options.accrue, "run", "--device", "cuda", str(HERE / "kernels.c")]).stdout
    print(f"{'loops':<10} {'kernels us':>11} {'parallel us':>12} {'ratio':>6}")
    slow = False
    for line in output.splitlines():
        name, kernels, parallel = line.split()
        ratio = float(kernels) / float(parallel)
        slow |= ratio > options.most
        print(f"{name:<10} {float(kernels):>11.1f} {float(parallel):>12.1f} {ratio:>6.2f}")
    sys.exit(slow)


if __name__ == "__main__":
    main()
