#!/usr/bin/env python3
"""Prints a random C program with directives, which compares what they compute with a sequential twin.

    python3 tests/random/generate.py --seed 7 [--size 10] [--nests [--only 3] | --neighbours [--only 3] | --tasks | --environment | --plain] > p.c

The program prints nothing and ends with 0 if all is right; else it prints the test, the variable, the element, what it is and
what it should be. docs/testing.md says more.
"""

import argparse

import affine
import environment
import plain
import tasks
from program import Options, Program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--size", type=int, default=10, help="how much code a construct has")
    parser.add_argument("--without", default="", help="features to leave out, separated by commas")
    parser.add_argument("--nests", action="store_true", help="nests without directives (affine.py)")
    parser.add_argument("--neighbours", action="store_true", help="nests that may be one launch (affine.py)")
    parser.add_argument("--tasks", action="store_true", help="graphs of OpenMP tasks (tasks.py)")
    parser.add_argument("--environment", action="store_true", help="data environments (environment.py)")
    parser.add_argument("--plain", action="store_true", help="loops of plain C (plain.py)")
    parser.add_argument("--only", type=int, help="one of the nests")
    options = parser.parse_args()
    if options.nests or options.neighbours:
        likely = {"neighbours": 0.9} if options.neighbours else {}
        print(affine.Nests(options.seed, options.size, affine.features(options.without), options.only, **likely).text(), end="")
        return
    if options.tasks:
        print(tasks.Tasks(options.seed, options.size, tasks.features(options.without)).text(), end="")
        return
    if options.environment:
        print(environment.Environment(options.seed, options.size, environment.features(options.without)).text(), end="")
        return
    if options.plain:
        print(plain.Plain(options.seed, options.size, plain.features(options.without)).text(), end="")
        return
    print(Program(options.seed, options.size, Options(options.without)).text(), end="")


if __name__ == "__main__":
    main()
