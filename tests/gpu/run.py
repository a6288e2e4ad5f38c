#!/usr/bin/env python3
"""Runs programs on the host and on an NVIDIA GPU, and compares what they print.

    python3 tests/gpu/run.py [--accrue target/release/accrue] [--jobs 8] FILE_OR_FOLDER...

Folders stand for the C files in them; without any, the folders `tests/acc`, `tests/data` and `examples` are taken. The programs
of the reduction matrix are in the folder for temporary files of the build once `cargo test --test matrix` has run. The host
has memory of its own, as the GPU does. A program agrees if it ends with the same status and prints the same on both. Programs that do
not run on the host are skipped, and so are those that fork: the driver does not work in a child.

    python3 tests/gpu/run.py --prefix "compute-sanitizer --tool memcheck --error-exitcode 99" ...
    python3 tests/gpu/run.py --repeat 20 --option=--deterministic tests/gpu/bits.c

With a prefix, a tool runs each program; lines of its own begin with `=========`. With --repeat, the runs on the GPU are
compared with each other only, to the last bit. Where a machine is lent for some minutes, `--seconds 120` starts no program
after that time, and `--stop 20` stops one that takes longer; a program that takes more than half of what it may is named.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time


def execute(command, variables, stop):
    """Status and output of a command; the status is None if it had to be stopped after so many seconds."""
    inputs = {"stdin": subprocess.DEVNULL, "env": {**os.environ, **variables}}
    began = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, timeout=stop, errors="replace", **inputs)
    except subprocess.TimeoutExpired:
        return None, "", f"stopped after {stop} s"
    took = time.monotonic() - began
    if took > stop / 2:
        print(f"slow     {' '.join(command)}: {took:.0f} s", flush=True)
    return done.returncode, done.stdout, done.stderr


def words_of(path, key):
    """The words behind `// KEY:` in the comments that open the file."""
    found = []
    for line in path.read_text(errors="replace").splitlines():
        if not line.startswith("//"):
            break
        if line.startswith(f"// {key}:"):
            found += line.split(":", 1)[1].split()
    return found


def options_of(path):
    """Options of the compiler, and variables of the environment. Where data lives is for this script to say."""
    words = words_of(path, "options")
    if "--memory" in words:
        at = words.index("--memory")
        del words[at : at + 2]
    variables = dict(word.split("=", 1) for word in words if not word.startswith("-") and "=" in word)
    return [word for word in words if word.startswith("-") or "=" not in word], variables


def without_tool(outcome):
    """An outcome without the lines that a tool has printed, and these."""
    status, output, errors = outcome
    said = [line for line in output.splitlines() if line.startswith("=========")]
    rest = "".join(line for line in output.splitlines(True) if not line.startswith("========="))
    return (status, rest, errors), said


def compare(options, path, ends):
    """(verdict, explanation) of one program, which is not started once the time `ends` has come."""
    if time.monotonic() > ends:
        return "left out", ""
    if "fork()" in path.read_text(errors="replace"):
        return "skipped", "forks"
    own, variables = options_of(path)
    start = [options.accrue, "run", "-w", *own]
    rest = [str(path), "--", *words_of(path, "args")]
    on_gpu = [*options.prefix.split(), *start, "--device", "cuda", *options.option, *rest]
    if options.repeat:
        outcomes = {execute(on_gpu, variables, options.stop)[:2] for _ in range(options.repeat)}
        if len(outcomes) == 1 and outcomes.pop()[0] == 0:
            return "same", ""
        return "differs", f"{options.repeat} runs on the GPU did not agree, or failed"
    host = execute([*start, "--memory", "discrete", *rest], variables, options.stop)
    if host[0] is None or host[0] == 1 and "error[" in host[2]:
        return "skipped", "does not run on the host"
    gpu, said = without_tool(execute(on_gpu, variables, options.stop))
    if "no GPU can be used" in gpu[2]:
        return "failed", gpu[2].splitlines()[0]
    if gpu[:2] == host[:2]:
        return "same", ""
    found = (line for line in [*said[1:], *gpu[2].splitlines()] if line.strip("= "))
    message = next(found, "")
    if gpu[0] != host[0]:
        return "failed", f"status {gpu[0]}, host {host[0]}: {message}"
    for number, (a, b) in enumerate(zip(host[1].splitlines(), gpu[1].splitlines()), 1):
        if a != b:
            return "differs", f"line {number}: host {a!r}, GPU {b!r}"
    return "differs", f"{len(host[1].splitlines())} lines on the host, {len(gpu[1].splitlines())} on the GPU"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--option", action="append", default=[], help="further option of `accrue run --device cuda`")
    parser.add_argument("--prefix", default="", help="a tool that runs the program, with its options")
    parser.add_argument("--repeat", type=int, default=0, help="compare so many runs on the GPU with each other")
    parser.add_argument("--shown", type=int, default=200, help="programs to list at most")
    parser.add_argument("--stop", type=float, default=120, help="seconds that a program may take")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no program after so many")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    paths = options.paths or [root / "tests/acc", root / "tests/data", root / "examples"]
    files = [file for path in paths for file in (sorted(path.glob("*.c")) if path.is_dir() else [path])]
    counts = {}
    shown = 0
    ends = time.monotonic() + options.seconds
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        one = lambda file: compare(options, file, ends)
        for file, (verdict, why) in zip(files, pool.map(one, files)):
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict in ("failed", "differs") and shown < options.shown:
                shown += 1
                print(f"{verdict:8} {file.name}: {why}", flush=True)
    print(f"{len(files)} programs: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    sys.exit(1 if counts.get("failed") or counts.get("differs") else 0)


if __name__ == "__main__":
    main()
