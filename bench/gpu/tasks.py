#!/usr/bin/env python3
"""Measures graphs of target tasks on an NVIDIA GPU beside the same graphs with CUDA's streams and events by hand.

    python3 bench/gpu/tasks.py [--accrue target/release/accrue] [--option OPTION] [--only NAME]

The programs are in bench/gpu/tasks. One run, one machine, the host's clock: the best of a program's rounds, the
first of which warms up. `waiting` is the same program with a `taskwait` after each step. `hidden` says how much
of the copies' time the pipeline does not show: 1 if it takes no longer than its kernels. Needs nvcc.
"""

import argparse
import os
import pathlib
import tempfile

from run import run

HERE = pathlib.Path(__file__).resolve().parent / "tasks"


def best(lines):
    """The least of each column, without the first row."""
    rows = [[float(word) for word in line.split()] for line in lines]
    return [min(column) for column in zip(*rows[1:])]


class Bench:
    def __init__(self, options, folder):
        self.accrue = [options.accrue, "run", "-w", "-fopenmp", "--device", "cuda", *options.option]
        self.peer = str(folder / "tasks")
        run(["nvcc", "-O3", "-std=c++17", "-arch=native", str(HERE / "tasks.cu"), "-o", self.peer])

    def ours(self, name, *arguments):
        words = [str(word) for word in arguments]
        environment = {**os.environ, "OMP_MAX_TASK_PRIORITY": "1"}
        return best(run([*self.accrue, str(HERE / f"{name}.c"), "--", *words], env=environment).stdout.splitlines())

    def cuda(self, name, *arguments):
        return best(run([self.peer, name, *(str(word) for word in arguments)]).stdout.splitlines())

    def chain(self):
        for tasks, steps in (500, 1), (10000, 1), (10000, 2000), (10000, 4000):
            (submitted, done), (peer_submitted, peer_done) = self.ours("chain", tasks, steps), self.cuda("chain", tasks, steps)
            print(
                f"chain of {tasks}, {steps} steps: host {submitted:.2f} us a task (CUDA {peer_submitted:.2f}), "
                f"all {done:.2f} us a task (CUDA {peer_done:.2f})"
            )

    def independent(self):
        steps = 130000
        (one, many), (peer_one, peer_many) = self.ours("independent", 16, 8, steps), self.cuda("independent", 16, 8, steps)
        print(
            f"independent kernels: one {one:.0f} us (CUDA {peer_one:.0f}), sixteen {many:.0f} us = {many / one:.2f} "
            f"times one (CUDA {peer_many:.0f} = {peer_many / peer_one:.2f})"
        )

    def pipeline(self):
        for steps in (100, 2000, 20000):
            for name, (copies, kernels, both) in (
                ("accrue", self.ours("pipeline", steps)),
                ("CUDA, pinned", self.cuda("pipeline", steps)),
            ):
                hidden = 1 - (both - kernels) / copies
                print(
                    f"pipeline, {steps} steps, {name}: copies {copies:.0f} us, kernels {kernels:.0f}, together "
                    f"{both:.0f}, hidden {hidden:.2f}"
                )

    def cholesky(self):
        (linked,), (waiting,), (peer,) = self.ours("cholesky", 16, 0), self.ours("cholesky", 16, 1), self.cuda("cholesky", 16)
        self.graph("cholesky 8192, ms", linked, waiting, peer)

    def halo(self):
        (linked,), (waiting,), (peer,) = self.ours("halo", 200, 0), self.ours("halo", 200, 1), self.cuda("halo", 200)
        self.graph("halo, us a step", linked, waiting, peer)

    @staticmethod
    def graph(name, linked, waiting, peer):
        print(
            f"{name}: {linked:.2f}, waiting {waiting:.2f} = {waiting / linked:.2f} times, "
            f"CUDA {peer:.2f} = {peer / linked:.2f} times"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--option", action="append", default=[], help="further option of `accrue run`")
    parser.add_argument("--only", action="append", help="chain, independent, pipeline, cholesky or halo")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        for name in options.only or ["chain", "independent", "pipeline", "cholesky", "halo"]:
            getattr(bench, name)()


if __name__ == "__main__":
    main()
