#!/usr/bin/env python3
"""Puts directives into programs in C that check themselves, and says which of them compute something else.

    python3 tests/conformance/inserted.py FOLDER... [--accrue target/release/accrue] [--modes host,discrete]
    python3 tests/conformance/inserted.py FILE.c --only kernels --keep DIR    # keeps variants that differ
    python3 tests/conformance/inserted.py FOLDER... --verdicts                # what `accrue explain` says

FOLDERs hold C programs of one file each, such as GCC's `gcc.dg/vect`, `gcc.dg/graphite`, `gcc.dg/torture` or
`gcc.c-torture/execute`. A program counts if accrue runs it as it stands with status 0 and it has a `for` loop
that is entered at its head and left at its end. Each variant has directives that must not change what the
program computes:

- each        `kernels` in front of one loop, as many variants as there are outermost loops
- kernels     `kernels` in front of every outermost loop
- auto        the same, and `loop auto` in front of the loops in them
- blocks      `kernels` around runs of neighbouring loops and assignments
- serial      `serial` with `copy` of the scalars that a loop assigns, in front of every outermost loop

A variant is the same if status and output are; numbers in the output may differ in the fifth digit. An error
that names a known limit is `refused`, a pointer whose memory has no copy on the device `unmapped`, a pointer that
the construct assigns and that has its old value behind it, as a warning says, `kept`. Other errors, other
results, crashes and time-outs are listed.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import signal
import sys
import tempfile

from c_loops import ASSIGNMENTS, TYPES, Unit, Unreadable
from compilers import Accrue, KEPT, execute

MODES = {
    "host": [],
    "O0": ["-O0"],
    "gangs3": ["--gangs", "3"],
    "strict": ["--strict-fp"],
    "discrete": ["--device", "host-discrete"],
    "multicore": ["--device", "multicore"],
    "sim": ["--device", "sim", "--races=strict", "--strict-fp"],
    "loops": None,
    "ptx": None,
}
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+\.c)"[^\n]*$', re.M)
OPTIONS = re.compile(r'dg-(?:additional-)?options\s+"([^"]*)"(?!\s*\{\s*target)')
LANGUAGE = re.compile(r"-f(?:wrapv|no-strict-aliasing|no-strict-overflow|unsigned-char|signed-char|fast-math)$")
# What may stand before a parenthesis in a loop whose data `serial` can be told.
CALLED = frozenset("for if while switch sizeof return abort exit __builtin_abort __builtin_exit".split())
# Errors that are limits by their meaning: a float that counts under `loop auto`, an array whose size follows
# later, the host's function called on a device.
LIMITS = ("loop-not-canonical", "not-mappable", "wrong-call")
LEGAL = ("same", "refused", "unmapped", "kept")
# Without these a loop that never ends in the simulator is given up after minutes.
SIM_LIMIT = ["--sim-limit", "300000000"]
# Programs of TSVC repeat their loops as often as a benchmark does, with results that hold for these sizes only.
# Here they do so three times, by a loop that gets no directive, and print the result.
TSVC_HEADER = ((r"#define LEN_1D \d+", "#define LEN_1D 1000"), (r"#define LEN_2D \d+", "#define LEN_2D 48"),
               (r"if \(!is_checksum_same", r'printf ("%.5g\\n", result); if (0 && !is_checksum_same'))
TSVC_LOOP = (r"for \(int nl = 0; nl < [^;]*; nl\+\+\)", "int nl = 0; while (nl++ < 3)")


def read(path, seen=()):
    """The text of a program, with that of the programs it includes in their place."""
    def text_of(found):
        inner = path.parent / found.group(1)
        return read(inner, (*seen, path)) if inner.exists() and inner not in (*seen, path) else found.group()
    return re.sub(*TSVC_LOOP, INCLUDED.sub(text_of, path.read_text(errors="replace")))


def options_of(text):
    words = [word for found in OPTIONS.findall(text) for word in found.split()]
    return [word for word in words if LANGUAGE.match(word) or KEPT.match(word) and not re.match(r"-O|-fopen", word)]


def insert(text, pieces):
    """The text with pieces at offsets; those at one offset stay in order."""
    out, at = [], 0
    for place, piece in sorted(pieces, key=lambda pair: pair[0]):
        out += [text[at:place], piece]
        at = place
    return "".join([*out, text[at:]])


def is_simple(words):
    """Whether a statement is assignments without calls."""
    calls = any(re.match(r"[A-Za-z_]", word) and after == "(" for word, after in zip(words, words[1:]))
    return not calls and any(word in ASSIGNMENTS or word in ("++", "--") for word in words)


def keeps_counter(unit, loop, outer, body):
    """Whether nobody asks for the counter of an inner loop behind it: `loop` makes it private."""
    first = loop.header[0] + 1
    words = unit.words
    if words[first] in TYPES:
        return True
    name = words[first]
    declarations = [part for part in body.walk() if part.kind == "declaration"]
    is_own = any(name in unit.declared(part.first, part.last + 1) for part in declarations)
    if not re.match(r"[A-Za-z_]", name) or words[first + 1] != "=" or not is_own:
        return False
    def set_first(begin, end):
        for at in range(begin, end):
            if words[at] == name:
                return words[at + 1] == "=" and words[at - 1] in ("(", ";", ",", "{", "}")
        return True
    return (set_first(loop.last + 1, outer.last + 1) and set_first(outer.header[0], outer.last + 1)
            and set_first(outer.last + 1, body.last + 1))


def variants(text):
    """(name, text) of each variant."""
    unit = Unit(text)
    loops = [(loop, around) for loop, around in unit.outermost() if unit.is_closed(loop)]
    starts = [unit.starts[loop.first] for loop, _ in loops]
    before = "\n#pragma acc {}\n"
    for number, start in enumerate(starts):
        if len(starts) > 1:
            yield f"each{number}", insert(text, [(start, before.format("kernels"))])
    if starts:
        yield "kernels", insert(text, [(start, before.format("kernels")) for start in starts])
    inner = [loop for outer, around in loops for loop in outer.walk()
             if loop is not outer and loop.kind == "for" and "break" not in unit.words_of(loop)
             and keeps_counter(unit, loop, outer, around[0])]
    if inner:
        yield "auto", insert(text, [(start, before.format("kernels")) for start in starts]
                             + [(unit.starts[loop.first], before.format("loop auto")) for loop in inner])
    def is_whole(run):
        """No lines of the preprocessor stand between the statements."""
        return not re.search(r"^[ \t]*#", text[unit.starts[run[0].first]:unit.ends[run[-1].last]], re.M)
    blocks = []
    for body in unit.functions:
        for block in body.walk():
            if block.kind == "block" and not any(outer.first < block.first <= outer.last for outer, _ in loops):
                run = []
                for statement in [*block.inner, None]:
                    closed = statement and unit.is_closed(statement)
                    if closed and (statement.kind == "for"
                                   or statement.kind == "expression" and is_simple(unit.words_of(statement))):
                        run.append(statement)
                        continue
                    if len(run) > 1 and any(member.kind == "for" for member in run) and is_whole(run):
                        blocks += [(unit.starts[run[0].first], before.format("kernels") + "{\n"),
                                   (unit.ends[run[-1].last], "\n}\n")]
                    run = []
    if blocks:
        yield "blocks", insert(text, blocks)
    # Nor what is assigned through a pointer.
    words = unit.words
    addressed = {words[at + 1] for at in range(1, len(words) - 1) if words[at] == "&"
                 and not re.match(r"\w|\)|\]", words[at - 1])}
    serial = []
    for (loop, _), start in zip(loops, starts):
        names = unit.assigned(loop)
        # What a function assigns that the loop calls is not seen: scalars of `serial` are copies.
        calls = set(re.findall(r"\b([A-Za-z_]\w*) \(", " ".join(unit.words_of(loop)))) - CALLED
        if names is not None and not calls and not addressed.intersection(unit.words_of(loop)):
            clause = f" copy({', '.join(names)})" if names else ""
            serial.append((start, before.format("serial" + clause)))
    if serial:
        yield "serial", insert(text, serial)


def same_output(one, other):
    """Whether the output is the program's; None is that of one that prints something else in each run."""
    if one is None or one == other:
        return True
    one, other = one.split(), other.split()
    def near(a, b):
        try:
            return a == b or "." in a + b and abs(float(a) - float(b)) <= 1e-4 * abs(float(a))
        except ValueError:
            return False
    return len(one) == len(other) and all(map(near, one, other))


class Bench:
    """What runs programs: the compiler, the modes, the folder of headers."""

    def __init__(self, options):
        self.compiler = Accrue(options.accrue, [], options.timeout)
        self.options = options
        self.modes = options.modes.split(",")

    def command(self, mode, flags, folder):
        flags = [*flags, "-I", str(folder)]
        if mode == "loops":
            return [self.compiler.binary, "check", "--loops", "--strict-fp", *flags, "p.c"]
        if mode == "explain":
            return [self.compiler.binary, "explain", "--format", "json", *flags, "p.c"]
        if mode == "ptx":
            return [self.compiler.binary, "ptx", "--check", *flags, "p.c"]
        return [self.compiler.binary, "run", *MODES[mode], *(SIM_LIMIT if mode == "sim" else []), *flags, "p.c"]

    def run(self, mode, text, flags, folder):
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            (work / "p.c").write_text(text)
            header = folder / "tsvc.h"
            if header.exists():
                made = header.read_text(errors="replace")
                for pattern, replacement in TSVC_HEADER:
                    made = re.sub(pattern, replacement, made)
                (work / "tsvc.h").write_text(made)
            return execute(self.command(mode, flags, folder), work, self.options.timeout)

    def judge(self, path):
        """[(program, variant, mode, status, reason)]"""
        text = read(path)
        flags = options_of(text)
        if re.search(r"#\s*pragma\s+acc|setjmp", text):
            return [(path.name, "", "", "left out", "")]
        try:
            made = list(variants(text))
        except (Unreadable, RecursionError) as error:
            return [(path.name, "", "", "unreadable", str(error))]
        if not made:
            return [(path.name, "", "", "no loop", "")]
        plain = self.run("host", text, flags, path.parent)
        if plain.timed_out or plain.code != 0:
            kind = "not run" if "no function `main`" not in plain.err else "no main"
            return [(path.name, "", "", kind, plain.describe())]
        again = self.run("host", text, flags, path.parent)
        if again.out != plain.out:
            plain.out = None
        results = [(path.name, "", "", "program", "")]
        for name, changed in made:
            if self.options.only and not re.fullmatch(self.options.only, name):
                continue
            for mode in self.modes:
                if name.startswith("each") and mode not in self.options.each.split(","):
                    continue
                status, reason = self.compare(plain, self.run(mode, changed, flags, path.parent), mode)
                results.append((path.name, name, mode, status, reason))
                if status not in LEGAL and self.options.keep:
                    self.options.keep.mkdir(parents=True, exist_ok=True)
                    (self.options.keep / f"{path.stem}.{name}.c").write_text(changed)
        return results

    def verdicts(self, path):
        """What `accrue explain` says of a program's loops in `kernels`: [(verdict or reason, line, text)]."""
        text = read(path)
        try:
            changed = dict(variants(text)).get("kernels")
        except (Unreadable, RecursionError):
            return []
        if changed is None:
            return []
        outcome = self.run("explain", changed, options_of(text), path.parent)
        told = {}
        for entry in map(json.loads, outcome.out.splitlines()):
            if entry["topic"] == "loop" and "verdict" in entry:
                told.setdefault((entry["line"], entry["column"]), entry)
        return [(entry.get("reason") or entry["verdict"], entry["line"], entry["text"]) for entry in told.values()]

    def compare(self, plain, mine, mode):
        if mine.timed_out:
            return "timeout", ""
        error = re.search(r"^error(?:\[([-\w]+)\])?: ?(.*)$", mine.err, re.M)
        if mine.crashed:
            return "crash", mine.describe()
        if mode == "ptx":
            return ("same", "") if mine.code == 0 else self.refusal(mine, error)
        if mode == "loops":
            if "called parallel," not in mine.err:
                return self.refusal(mine, error)
            return ("same", "") if mine.code == 0 else ("carried", mine.describe())
        if mine.code == plain.code and same_output(plain.out, mine.out):
            return "same", ""
        return self.refusal(mine, error)

    def refusal(self, mine, error):
        if "warning[pointer-kept]" in mine.err:
            return "kept", ""
        if error and error.group(1) == "host-pointer-on-the-device":
            return "unmapped", error.group(2)
        if error and error.group(1) and (error.group(1).endswith("-unsupported") or error.group(1) in LIMITS):
            return "refused", f"{error.group(1)}: {error.group(2)}"[:140]
        if error:
            return "error", f"{error.group(1)}: {error.group(2)}"[:140]
        told = re.search(r"^accrue: (.*)$", mine.err, re.M)
        if told and re.search("has no copy on the device|is not present|on the device$", told.group(1)):
            return "unmapped", re.sub(r"0x[0-9a-f]+", "0x", told.group(1))[:140]
        is_own = mine.code == -signal.SIGABRT or not told
        return ("wrong" if is_own else "error"), mine.describe()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=pathlib.Path, nargs="+")
    parser.add_argument("--accrue", default="target/release/accrue", help="the accrue executable")
    parser.add_argument("--modes", default="host,discrete", help="of " + ", ".join(MODES))
    parser.add_argument("--each", default="host", help="modes of the variants with one directive")
    parser.add_argument("--only", help="regular expression on the names of variants")
    parser.add_argument("--match", default="", help="regular expression on the names of programs")
    parser.add_argument("--keep", type=pathlib.Path, help="keep variants that differ here")
    parser.add_argument("--timeout", type=float, default=20, help="seconds per command")
    parser.add_argument("--verdicts", action="store_true", help="run nothing, say which loops are parallel")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path, help="write all results here, one a line")
    options = parser.parse_args()
    paths = [path for source in options.sources for path in ([source] if source.is_file() else sorted(source.glob("*.c")))
             if re.search(options.match, path.name)]
    bench = Bench(options)
    counts, kinds = collections.Counter(), collections.Counter()
    if options.verdicts:
        for path in paths:
            for verdict, line, text in bench.verdicts(path):
                counts[verdict] += 1
                print(f"{path.name}:{line}: {text}")
        print(", ".join(f"{number} {verdict}" for verdict, number in counts.most_common()))
        return 0
    log = options.json.open("w") if options.json else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for results in pool.map(bench.judge, paths):
            for program, variant, mode, status, reason in results:
                if not variant:
                    kinds[status] += 1
                else:
                    counts[re.sub(r"\d+$", "", variant), mode, status] += 1
                if log:
                    print(json.dumps([program, variant, mode, status, reason]), file=log, flush=True)
                if variant and status not in LEGAL:
                    print(f"{status:8} {program} {variant} {mode}: {reason}", flush=True)
    print(f"{len(paths)} files: " + ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())))
    statuses = (*LEGAL, "error", "wrong", "carried", "crash", "timeout")
    print("| variant | mode | " + " | ".join(statuses) + " |\n| --- | --- |" + " ---: |" * len(statuses))
    for variant, mode in sorted({key[:2] for key in counts}):
        numbers = " | ".join(str(counts[variant, mode, status]) for status in statuses)
        print(f"| {variant} | {mode} | {numbers} |")
    return 1 if any(counts[key] for key in counts if key[2] not in LEGAL) else 0


if __name__ == "__main__":
    sys.exit(main())
