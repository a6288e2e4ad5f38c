#!/usr/bin/env python3
"""Prints a random C program with directives, which compares what they compute with a sequential twin.

    python3 tests/random/generate.py --seed 7 [--size 10] [--nests [--only 3] | --neighbours [--only 3] | --tasks | --environment | --plain] > p.c

The program prints nothing and ends with 0 if all is right; else it prints the test, the variable, the element, what it is and
what it should be. docs/testing.md says more.
"""

import argparse

from kinds import add_arguments, make


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--size", type=int, default=10, help="how much code a construct has")
    parser.add_argument("--without", default="", help="features to leave out, separated by commas")
    add_arguments(parser)
    parser.add_argument("--only", type=int, help="one of the nests")
    options = parser.parse_args()
    print(make(options.what, options.seed, options.size, options.without, options.only), end="")


if __name__ == "__main__":
    main()
