#!/usr/bin/env python3
"""Runs GCC's own OpenACC C tests through accrue, and says what passed.

    python3 tests/conformance/run.py --gcc-src DIR [--accrue target/release/accrue]
    python3 tests/conformance/run.py --gcc-src DIR --target host-discrete      # the host with memory of its own
    python3 tests/conformance/run.py --gcc-src DIR --target nvidia --accrue-option=--device --accrue-option=cuda
    python3 tests/conformance/run.py --gcc-src DIR --cc "gcc -fopenacc"        # validates this runner

DIR is an unpacked GCC source tree (the figures of this project are those of 12.2.0). Two suites are judged:

- libgomp: run, link and compile tests, as libgomp's driver treats them for a device: a host that shares its memory, one that
  does not, or an NVIDIA device. A run test that has a compute construct passes only if the run executed a region on that
  device: accrue writes `{"regions": N}` to the file that ACCRUE_STATS names. A test that must end with an error before it comes to a
  region passes if it prints all that its dg-output comments ask for.
- goacc: compile tests. Those without an active dg-error must be accepted; the others must be rejected with an
  error on a line that carries a dg-error.

Texts of libgomp's own messages (dg-output) are compared and reported, but do not decide.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import sys
import tempfile

import dejagnu
from compilers import Accrue, GccLike
from dejagnu import Test, Unknown

# For each target: options of the tests, its ACC_DEVICE_TYPE, options of accrue, and which it is in selectors.
TARGETS = {
    "host": (["-DACC_DEVICE_TYPE_host=1", "-DACC_MEM_SHARED=1", "-foffload=disable"], "host", [], "host"),
    "host-discrete": (["-DACC_DEVICE_TYPE_host=1", "-DACC_MEM_SHARED=0", "-foffload=disable"], "host",
                      ["--memory", "discrete"], "host"),
    "nvidia": (["-DACC_DEVICE_TYPE_nvidia=1", "-DACC_MEM_SHARED=0", "-foffload=nvptx-none"], "nvidia", [], "nvidia"),
}
CONSTRUCT = re.compile(r"(?:#\s*pragma|_Pragma\s*\(\s*\")\s*acc\s+(?:parallel|kernels|serial)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


class Result:
    """One test and what became of it."""

    def __init__(self, suite, name, kind, status, reason="", **facts):
        self.suite = suite
        self.name = name
        self.kind = kind
        self.status = status
        self.reason = reason
        self.facts = facts

    def as_dict(self):
        return {"suite": self.suite, "test": self.name, "kind": self.kind, "status": self.status,
                "reason": self.reason, **self.facts}


def has_construct(path, seen=()):
    """Whether the file, or a file beside it that it includes, has a compute construct."""
    try:
        text = COMMENT.sub(" ", path.read_text(errors="replace"))
    except OSError:
        return False
    if CONSTRUCT.search(text):
        return True
    return any(has_construct(path.parent / name, (*seen, path)) for name in INCLUDE.findall(text)
               if path.parent / name not in seen)


def run_libgomp(test, compiler, include, work, target):
    """One test of libgomp: (status, reason, facts)."""
    flags, device_type, _, _ = TARGETS[target]
    options = ["-O2", *flags, f"-I{include}", *test.options]
    sources = [str(test.path), *(str(test.path.parent / name) for name in test.sources)]
    if test.do in ("compile", "link"):
        outcome = (compiler.check if test.do == "compile" else compiler.link)(sources, options, work)
        if outcome.crashed:
            return "FAIL", outcome.describe(), {}
        if test.expects_errors:
            ok = outcome.code != 0 and compiler.errors(outcome, test.path.name) & test.error_lines
        else:
            ok = outcome.code == 0
        return ("PASS", "", {}) if ok else ("FAIL", outcome.describe(), {})
    env = {"ACC_DEVICE_TYPE": device_type, "LC_ALL": "C", **test.env}
    outcome, regions = compiler.run(sources, options, work, env)
    facts = {"regions": regions, "construct": any(has_construct(pathlib.Path(path)) for path in sources)}
    if test.output:
        facts["output_matches"] = all(tcl_search(text, outcome.out + outcome.err) for text in test.output)
    if outcome.timed_out or outcome.crashed or regions is None:
        return "FAIL", outcome.describe(), facts
    if test.should_fail != (outcome.code != 0):
        reason = "ended well, but should fail" if test.should_fail else outcome.describe()
        return ("XFAIL" if test.xfail_run else "FAIL"), reason, facts
    early = test.should_fail and facts.get("output_matches")
    if facts["construct"] and regions == 0 and not early:
        return "FAIL", "no region was executed", facts
    return ("XPASS" if test.xfail_run else "PASS"), "", facts


def tcl_search(pattern, text):
    """Whether a dg-output pattern occurs; the two languages' expressions agree as far as these tests go."""
    try:
        return re.search(pattern, text.replace("\r\n", "\n")) is not None
    except re.error:
        return False


def run_goacc(test, compiler, include, work, _):
    """One compile test: (status, reason, facts)."""
    options = ["-fopenacc", f"-I{include}", *(option for option in test.options if option != "-fopenacc")]
    outcome = compiler.check([str(test.path)], options, work)
    if outcome.timed_out or outcome.crashed or outcome.code < 0:
        return "FAIL", outcome.describe(), {}
    if not test.expects_errors:
        return ("PASS", "", {}) if outcome.code == 0 else ("FAIL", outcome.describe(), {})
    found = compiler.errors(outcome, test.path.name)
    facts = {"expected_lines": len(test.error_lines), "hit_lines": len(found & test.error_lines),
             "other_lines": sorted(found - test.error_lines)}
    if outcome.code == 0:
        return "FAIL", "accepted, but has errors", facts
    if not found & test.error_lines:
        return "FAIL", f"errors on lines {sorted(found)}, expected {sorted(test.error_lines)[:8]}", facts
    return "PASS", "", facts


def collect(root, target):
    """All tests of both suites as (suite, kind, Test or None, name, skip reason)."""
    flags = TARGETS[target][0]
    suites = [
        ("libgomp", root / "libgomp/testsuite/libgomp.oacc-c-c++-common", "run", [*flags, "-O2"]),
        ("libgomp", root / "libgomp/testsuite/libgomp.oacc-c", "run", [*flags, "-O2"]),
        ("goacc", root / "gcc/testsuite/c-c++-common/goacc", "compile", ["-fopenacc"]),
        ("goacc", root / "gcc/testsuite/gcc.dg/goacc", "compile", ["-fopenacc"]),
    ]
    for suite, folder, default, flags in suites:
        files = sorted(folder.glob("*.c"))
        if not files:
            raise SystemExit(f"no tests in {folder}")
        for path in files:
            test = Test(path, default, flags)
            kind = test.do if suite == "libgomp" else ("erroneous" if test.expects_errors else "valid")
            yield suite, kind, test


def judge(item, compiler, include, target):
    suite, kind, test = item
    if test.skip:
        return Result(suite, test.path.name, kind, "UNSUPPORTED", test.skip)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        status, reason, facts = (run_libgomp if suite == "libgomp" else run_goacc)(test, compiler, include, work,
                                                                                             target)
    if test.should_fail:
        facts["should_fail"] = True
    return Result(suite, test.path.name, kind, status, reason, **facts)


def exit_zero_score(results):
    """What a compiler would score whose programs all just exit 0: (run and compile tests, link tests)."""
    applying = [r for r in results if r.suite == "libgomp" and r.status != "UNSUPPORTED"]
    scoring = [r for r in applying if not r.facts.get("should_fail") and r.status not in ("XFAIL", "XPASS")]
    links = sum(r.kind == "link" for r in scoring)
    return len(scoring) - links, links


def report(results, target):
    for suite in ("libgomp", "goacc"):
        mine = [r for r in results if r.suite == suite]
        print(f"\n{suite}: {len(mine)} tests")
        for kind in sorted({r.kind for r in mine}):
            counts = collections.Counter(r.status for r in mine if r.kind == kind)
            shown = ", ".join(f"{counts[s]} {s}" for s in ("PASS", "XFAIL", "XPASS", "FAIL", "UNSUPPORTED") if counts[s])
            print(f"  {kind:10} {sum(counts.values()):4}: {shown}")
    applying = [r for r in results if r.suite == "libgomp" and r.status != "UNSUPPORTED"]
    passed = sum(r.status in ("PASS", "XPASS") for r in applying)
    xfailed = sum(r.status == "XFAIL" for r in applying)
    idle_score, links = exit_zero_score(results)
    print(f"\nlibgomp, {target}: {passed} of {len(applying)} pass, {xfailed} expected to fail")
    print(f"  programs that all just exit 0 would score {idle_score} of the run and compile tests"
          f" ({idle_score + links} with the link tests)")
    texts = [r for r in applying if "output_matches" in r.facts]
    print(f"  dg-output (waived): {sum(r.facts['output_matches'] for r in texts)} of {len(texts)} tests print the text")
    idle = [r.name for r in applying if r.facts.get("construct") and r.facts.get("regions") == 0]
    print(f"  compute construct present, none executed: {len(idle)} {' '.join(idle)}")
    for kind in ("valid", "erroneous"):
        mine = [r for r in results if r.kind == kind]
        good = sum(r.status == "PASS" for r in mine)
        print(f"goacc {kind}: {good} of {len(mine)} ({100 * good / max(1, len(mine)):.1f} %)")
    lines = [r for r in results if "expected_lines" in r.facts]
    print(f"  lines with a dg-error that got an error: {sum(r.facts['hit_lines'] for r in lines)} of"
          f" {sum(r.facts['expected_lines'] for r in lines)}; errors elsewhere:"
          f" {sum(len(r.facts['other_lines']) for r in lines)}")
    misses = [r for r in results if r.status in ("FAIL", "XPASS")]
    print(f"\nmisses: {len(misses)}")
    for r in misses:
        print(f"  {r.status} {r.suite}/{r.name} ({r.kind}): {r.reason}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gcc-src", type=pathlib.Path, required=True, help="unpacked GCC source tree")
    parser.add_argument("--accrue", default="target/release/accrue", help="the accrue executable")
    parser.add_argument("--accrue-option", action="append", default=[], help="further option of `accrue run`")
    parser.add_argument("--cc", help="judge this GCC-like compiler instead")
    parser.add_argument("--target", choices=list(TARGETS), default="host", help="the device that libgomp's tests are for")
    parser.add_argument("--suite", choices=["libgomp", "goacc"], help="only this suite")
    parser.add_argument("--only", help="regular expression on test names")
    parser.add_argument("--timeout", type=float, default=60, help="seconds per command")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path, help="write all results here")
    options = parser.parse_args()

    root = options.gcc_src.resolve()
    target = options.target
    dejagnu.select_device(TARGETS[target][3])
    compiler = (GccLike(options.cc, options.timeout) if options.cc
                else Accrue(options.accrue, [*TARGETS[target][2], *options.accrue_option], options.timeout))
    try:
        tests = [item for item in collect(root, target) if options.suite in (None, item[0])
                 and (not options.only or re.search(options.only, item[2].path.name))]
    except Unknown as error:
        raise SystemExit(f"not understood: {error}")
    with tempfile.TemporaryDirectory() as shared, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        compiler.prepare(pathlib.Path(shared))
        results = list(pool.map(lambda item: judge(item, compiler, root / "include", target), tests))
    report(results, target)
    if options.json:
        options.json.write_text(json.dumps([r.as_dict() for r in results], indent=1) + "\n")
    return 1 if any(r.status == "FAIL" for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
