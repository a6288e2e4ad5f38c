#!/usr/bin/env python3
"""Compares accrue with GCC on random programs from csmith.

    python3 tests/conformance/csmith.py [--count 500] [--seed 1] [--keep DIR] [--accrue target/release/accrue]

Each program prints a checksum of its global state. GCC's at -O1 is the reference; programs that it does not finish
within five seconds are skipped and replaced by further seeds. What differs is kept as DIR/SEED.c and listed; running
again with `--seeds FILE` (one seed a line) repeats only those.

With `--region` the whole program but its last line runs in a `serial` region: its variables are those of the device
(`declare create`), its functions implicit routines. So the code generator of a device meets what csmith knows of C:

    python3 tests/conformance/csmith.py --region --accrue-option=--device --accrue-option=sim
"""

import argparse
import collections
import concurrent.futures
import itertools
import pathlib
import re
import shutil
import sys
import tempfile

from compilers import execute

REFERENCE_SECONDS = 5


class Verdict:
    """What one seed gave."""

    def __init__(self, seed, status, reason="", source=""):
        self.seed = seed
        self.status = status
        self.reason = reason
        self.source = source


def in_region(program):
    """The program with what it computes in a region of a device."""
    start, end = (program.index(f"/* --- {head} --- */") for head in ("GLOBAL VARIABLES", "FORWARD DECLARATIONS"))
    variables = re.findall(r"^static [^=;]*?\b(g_\d+)\b", program[start:end], re.MULTILINE)
    declare = f"#pragma acc declare create({', '.join([*variables, 'crc32_context', 'crc32_tab'])})\n"
    main = program.index("int main (void)")
    first, last = "platform_main_begin();", "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);"
    body = program[main:]
    if body.count(first) != 1 or body.count(last) != 1:
        raise ValueError("csmith writes another main than this script knows")
    body = body.replace(first, "uint32_t sum;\n#pragma acc serial copyout(sum)\n{")
    body = body.replace(last, "sum = crc32_context ^ 0xFFFFFFFFUL;\n}\nplatform_main_end(sum, print_hash_value);")
    return program[:end] + declare + program[end:main] + body


def judge(seed, options, work):
    """Generates, compiles and compares one program."""
    # A pointer to a member of a packed struct is misaligned, which no GPU can follow.
    features = ["--no-argc", "--no-packed-struct"] if options.region else []
    made = execute(["csmith", "--seed", str(seed), *features, *options.csmith_option], work, 60)
    if made.code or not made.out:
        return Verdict(seed, "skipped", "csmith itself failed")
    (work / "p.c").write_text(made.out)
    built = execute(["gcc", "-O1", "-w", "-I", options.include, "p.c", "-o", "p"], work, 60)
    if built.code:
        return Verdict(seed, "skipped", "GCC: " + built.describe())
    reference = execute(["./p"], work, REFERENCE_SECONDS)
    if reference.timed_out or reference.code < 0:
        return Verdict(seed, "skipped", "GCC's program: " + reference.describe())
    source = in_region(made.out) if options.region else made.out
    (work / "p.c").write_text(source)
    if options.cc:
        mine = execute([*options.cc.split(), "-w", "-I", options.include, "p.c", "-o", "q"], work, options.timeout)
        if mine.code == 0:
            mine = execute(["./q"], work, options.timeout)
    else:
        mine = execute([options.accrue, "run", *options.accrue_option, "-w", "-I", options.include, "p.c"], work,
                       options.timeout)
    if (mine.out, mine.code) == (reference.out, reference.code):
        return Verdict(seed, "same")
    if mine.timed_out:
        return Verdict(seed, "timeout", f"over {options.timeout} s", source)
    if mine.code == 0:
        return Verdict(seed, "wrong", f"{mine.out.strip()!r}, GCC {reference.out.strip()!r}", source)
    kind = "crash" if mine.crashed or mine.code < 0 else "rejected"
    return Verdict(seed, kind, mine.describe(), source)


def in_own_folder(seed, options):
    with tempfile.TemporaryDirectory() as folder:
        return judge(seed, options, pathlib.Path(folder))


def seeds_to_run(options):
    if options.seeds:
        return [int(line.split()[0]) for line in options.seeds.read_text().splitlines() if line.strip()]
    # Skipped ones do not count; a third more than asked for has always been enough.
    return range(options.seed, options.seed + options.count + options.count // 3 + 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="programs that count")
    parser.add_argument("--seed", type=int, default=1, help="first seed")
    parser.add_argument("--seeds", type=pathlib.Path, help="file with the seeds to run")
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--accrue-option", action="append", default=[], help="further option of `accrue run`")
    parser.add_argument("--region", action="store_true", help="compute in a region")
    parser.add_argument("--cc", help="judge this GCC-like compiler instead")
    parser.add_argument("--csmith-option", action="append", default=[], help="further option of csmith")
    parser.add_argument("--include", default="/usr/include/csmith", help="folder with csmith.h")
    parser.add_argument("--keep", type=pathlib.Path, help="keep failing programs here")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for compiling and running")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if not options.cc:
        options.accrue = shutil.which(str(pathlib.Path(options.accrue).resolve())) or sys.exit(
            f"no executable {options.accrue!r}")

    counts, bad, judged = collections.Counter(), [], 0
    seeds = iter(seeds_to_run(options))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wanted = options.count if not options.seeds else sys.maxsize
        while judged < wanted:
            batch = list(itertools.islice(seeds, min(wanted - judged, 4 * options.jobs)))
            if not batch:
                break
            for verdict in pool.map(lambda seed: in_own_folder(seed, options), batch):
                counts[verdict.status] += 1
                judged += verdict.status != "skipped"
                if verdict.status not in ("same", "skipped"):
                    bad.append(verdict)
                    print(f"{verdict.status:8} seed {verdict.seed}: {verdict.reason}", flush=True)
    for verdict in bad if options.keep else ():
        options.keep.mkdir(parents=True, exist_ok=True)
        (options.keep / f"{verdict.seed}.c").write_text(verdict.source)
    if options.keep and bad:
        (options.keep / "seeds.txt").write_text("".join(f"{v.seed} {v.status}\n" for v in bad))
    shown = ", ".join(f"{counts[s]} {s}" for s in ("same", "wrong", "crash", "rejected", "timeout", "skipped"))
    print(f"{judged} programs: {shown}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
