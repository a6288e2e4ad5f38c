#!/usr/bin/env python3
"""Judges accrue's verdicts about loops in `kernels` by what GCC's own tests expect of GCC.

    python3 tests/conformance/loops.py --gcc-src DIR [--accrue target/release/accrue] [--verbose]

DIR is an unpacked GCC source tree. GCC's tests say in two ways which loops it finds to be parallel: by the number of
`SUCCESS: may be parallelized` in the dump of parloops, and by `assigned OpenACC ... loop parallelism` at a line. For each
of them, `accrue explain` is asked about the outermost loop there. A table in Markdown has, per test, how many loops GCC
finds parallel, how many of these accrue does, and the same of those that GCC leaves sequential.
"""

import argparse
import json
import pathlib
import re
import tempfile

import dejagnu
from compilers import execute

FOLDERS = ("libgomp/testsuite/libgomp.oacc-c-c++-common", "libgomp/testsuite/libgomp.oacc-c",
           "gcc/testsuite/c-c++-common/goacc", "gcc/testsuite/gcc.dg/goacc")
CONSTRUCT = re.compile(r"#\s*pragma\s+acc\s+(parallel|kernels|serial)\b")
ASSIGNED = re.compile(r"assigned OpenACC ([a-z ]+) loop parallelism")
SUCCESS = re.compile(r'scan-tree-dump-times "SUCCESS: may be parallelized" (\d+)')
NONE = re.compile(r'scan-tree-dump-not "SUCCESS: may be parallelized"')
# The suites run these tests with -O2 and for the C compiler.
dejagnu.TRUE_TARGETS.add("__OPTIMIZE__")


def assignments(text):
    """The lines where GCC assigns parallelism in `kernels`, with whether it is any: {line: bool}."""
    found, labels, counters, construct = {}, {}, {}, None

    def counted(match):
        counters[match.group(1)] = counters.get(match.group(1), 0) + 1
        return str(counters[match.group(1)])

    kinds = {}
    for number, line in enumerate(text.splitlines(), 1):
        begun = CONSTRUCT.search(line)
        construct = begun.group(1) if begun else construct
        kinds[number] = construct
        directive = dejagnu.DIRECTIVE.search(line)
        if not directive:
            continue
        name, args = directive.group(1), directive.group(2)
        args = re.sub(r"\[incr (\w+)\]", counted, args)
        args = re.sub(r"\$(\w+)", lambda match: str(counters.get(match.group(1), 0)), args)
        args = dejagnu.split_list(args)
        if name == "dg-line":
            labels[args[0]] = number
        said = ASSIGNED.search(args[0]) if name in ("dg-optimized", "dg-message") else None
        if not said or len(args) > 2 and not dejagnu.selected(args[2])[0]:
            continue
        at = args[3] if len(args) > 3 else "."
        at = labels[at] if at in labels else int(at) if at.isdigit() else number + int(at[1:] or 0)
        if kinds.get(at) == "kernels":
            found[at] = found.get(at, False) or said.group(1) != "seq"
    return found


def decisions(accrue, path, root):
    """What accrue says of loops: [(line, is parallel, text)], or None if it does not compile the test."""
    text = path.read_text(errors="replace")
    defines = [word for words in re.findall(r'dg-additional-options "([^"]*)"', text) for word in words.split()
               if word.startswith("-D")]
    device = ["-DACC_DEVICE_TYPE_nvidia=1", "-DACC_MEM_SHARED=0"] if "libgomp" in str(path) else []
    command = [accrue, "explain", "--format", "json", "-w", "-O2", f"-I{root / 'include'}", *device, *defines, str(path)]
    with tempfile.TemporaryDirectory() as folder:
        outcome = execute(command, folder, 120)
    if outcome.code != 0:
        return None
    told = [json.loads(line) for line in outcome.out.splitlines()]
    told = [entry for entry in told if entry["topic"] == "loop"
            and ("verdict" in entry or re.match(r"parallel|sequential", entry["text"]))]
    return sorted({(entry["line"], not re.match(r"not parallel|sequential", entry["text"]), entry["text"])
                   for entry in told})


def compare(text, told):
    """(GCC parallel, accrue too, GCC sequential, accrue parallel, lines) of a test."""
    expected = assignments(text)
    lines = []
    counts = [0, 0, 0, 0]
    places = sorted(expected)
    for place, following in zip(places, [*places[1:], 1 << 30]):
        inside = [entry for entry in told if place <= entry[0] < following]
        # A loop with a directive has a line for the directive, and one for the analysis.
        own = inside[:2] if len(inside) > 1 and inside[0][0] + 12 > inside[1][0] else inside[:1]
        analysed = [entry for entry in own if "iterations are not known" not in entry[2]] or own
        if not analysed:
            lines.append(f"{place}: GCC {'parallel' if expected[place] else 'sequential'}; no loop")
            continue
        line, parallel, why = analysed[0]
        at = 0 if expected[place] else 2
        counts[at] += 1
        counts[at + 1] += parallel
        lines.append(f"{line}: GCC {'parallel' if expected[place] else 'sequential'}; accrue {why}")
    number = SUCCESS.search(text)
    if not expected and (number or NONE.search(text)):
        outer = {}
        for line, parallel, why in told:
            outer.setdefault(line, (parallel, why))
        number = int(number.group(1)) if number else 0
        good = sum(parallel for parallel, _ in outer.values())
        counts = [number, min(number, good), 0, 0]
        lines = [f"{line}: accrue {why}" for line, (_, why) in outer.items()]
    return counts, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gcc-src", type=pathlib.Path, required=True, help="unpacked GCC source tree")
    parser.add_argument("--accrue", default="target/release/accrue", help="the accrue executable")
    parser.add_argument("--verbose", action="store_true", help="also what accrue says of each loop")
    options = parser.parse_args()
    root = options.gcc_src.resolve()
    accrue = str(pathlib.Path(options.accrue).resolve())
    print("| test | GCC parallel | accrue too | GCC sequential | accrue parallel |\n| --- | ---: | ---: | ---: | ---: |")
    total, details = [0, 0, 0, 0], []
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*.c")):
            text = path.read_text(errors="replace")
            if not re.search(r"acc\s+kernels", text) or not (ASSIGNED.search(text) or "SUCCESS: may" in text):
                continue
            expects = assignments(text) or SUCCESS.search(text) or NONE.search(text)
            told = decisions(accrue, path, root) if expects else []
            if told is None:
                print(f"| {path.stem} | not compiled | | | |")
            elif expects:
                counts, lines = compare(text, told)
                total = [a + b for a, b in zip(total, counts)]
                print(f"| {path.stem} | " + " | ".join(map(str, counts)) + " |")
                details += [f"{path.name}:{line}" for line in lines]
    print("| total | " + " | ".join(map(str, total)) + " |")
    if options.verbose:
        print(*details, sep="\n")


if __name__ == "__main__":
    main()
