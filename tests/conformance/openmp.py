#!/usr/bin/env python3
"""Runs GCC's OpenMP tests in C with accrue.

    openmp.py TESTSUITE [--accrue BINARY] [--device NAME] [--match REGEX]

TESTSUITE is the folder `libgomp/testsuite` of GCC's sources. Programs that are only compiled and those of several sources are
left out. Prints the programs that do not end with status 0, each with its first error, and the numbers.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess

OPTION = re.compile(r'dg-(?:additional-)?options\s+"([^"]*)"')
VARIABLE = re.compile(r'dg-set-target-env-var\s+(\w+)\s+"([^"]*)"')
LEFT_OUT = re.compile(r"dg-do\s+(compile|link)|dg-additional-sources")


def options_of(text):
    """The options of a program that accrue knows, too."""
    words = [word for found in OPTION.findall(text) for word in found.split()]
    unknown = re.compile(r"offload|dump|-fopenacc-|-fno-")
    return [word for word in words if re.match(r"-[Dlf]|-std", word) and not unknown.search(word)]


def run(program, arguments):
    text = program.read_text(errors="replace")
    if LEFT_OUT.search(text):
        return "left out", ""
    command = [arguments.accrue, "run", "-fopenmp", "-w", "-I", str(program.parent)]
    if arguments.device:
        command += ["--device", arguments.device]
    environment = dict(os.environ, **dict(VARIABLE.findall(text)))
    try:
        done = subprocess.run(
            [*command, *options_of(text), str(program)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return "time-out", ""
    if done.returncode == 0:
        return "pass", ""
    lines = done.stdout.decode(errors="replace").splitlines()
    errors = [line for line in lines if "error" in line or line.startswith("accrue:")]
    return "fail", (errors or lines or [""])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("testsuite", type=pathlib.Path)
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--device")
    parser.add_argument("--match", default="")
    arguments = parser.parse_args()
    folders = ["libgomp.c", "libgomp.c-c++-common"]
    programs = [path for folder in folders for path in sorted((arguments.testsuite / folder).glob("*.c"))]
    programs = [path for path in programs if re.search(arguments.match, path.name)]
    numbers = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, (result, why) in zip(programs, pool.map(lambda path: run(path, arguments), programs)):
            numbers[result] += 1
            if result in ("fail", "time-out"):
                print(f"{program.parent.name}/{program.name}: {result} {why}")
    print(", ".join(f"{result} {count}" for result, count in sorted(numbers.items())))


if __name__ == "__main__":
    main()
