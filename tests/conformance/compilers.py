"""The compilers under test: accrue, and any GCC-like one to validate the runner with."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
# accrue has no use for GCC's dump, optimiser and warning switches.
KEPT = re.compile(r"-[DUI].|-O[0-3s]?$|-std=|-l|-fopenacc|-fno-openacc|-fopenmp|-include")
GCC_ERROR = re.compile(r"^(?:[^:\n]*/)?([^:/\n]+):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$", re.M)


class Outcome:
    """How one command ended."""

    def __init__(self, code, out, err, timed_out=False):
        self.code = code
        self.out = out
        self.err = err
        self.timed_out = timed_out

    @property
    def crashed(self):
        """The compiler itself broke down."""
        return "panicked at" in self.err or "internal compiler error" in self.err or self.code == 101

    def describe(self):
        """One line for a table."""
        if self.timed_out:
            return "timed out"
        lines = [line for line in self.err.splitlines() if line.strip()]
        told = next((line for line in lines if "error" in line or "panicked" in line), lines[-1] if lines else "")
        if self.code < 0:
            return f"{signal.Signals(-self.code).name}: {told.strip()}"[:160]
        return f"status {self.code}: {told.strip()}"[:160]


def execute(command, cwd, timeout, env=None):
    """Runs a command in its own process group; on a time-out the whole group ends."""
    process = subprocess.Popen(command, cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    timed_out = False
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        timed_out = True
    return Outcome(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), timed_out)


class Accrue:
    """Compiles and runs in one process."""

    def __init__(self, binary, extra, timeout):
        found = shutil.which(binary)
        if not found:
            raise SystemExit(f"no executable {binary!r}")
        self.binary = str(pathlib.Path(found).resolve())
        self.extra = extra
        self.timeout = timeout

    def options(self, options):
        return [option for option in options if KEPT.match(option)]

    def prepare(self, _):
        """Nothing to build."""

    def check(self, sources, options, work):
        """Diagnostics only."""
        return execute([self.binary, "run", *self.extra, "-fsyntax-only", *self.options(options), *sources], work,
                       self.timeout)

    link = check

    def run(self, sources, options, work, env):
        """Returns the outcome and the number of regions that ran; None if the program never started."""
        stats = work / "stats.json"
        outcome = execute([self.binary, "run", *self.extra, *self.options(options), *sources], work, self.timeout,
                          {**env, "ACCRUE_STATS": str(stats)})
        try:
            regions = json.loads(stats.read_text())["regions"]
        except (OSError, ValueError, KeyError):
            regions = None
        return outcome, regions

    def errors(self, outcome, name):
        """Lines of `name` that an error points at."""
        lines, is_error = set(), False
        for line in outcome.err.splitlines():
            header = re.match(r"(error|warning)\b", line)
            if header:
                is_error = header.group(1) == "error"
            place = re.match(r"\s*(?:-->|:::) (.*):(\d+):\d+", line)
            if place and is_error and "-->" in line:
                if os.path.basename(place.group(1)) == name:
                    lines.add(int(place.group(2)))
                is_error = False
        return lines


class GccLike:
    """Compiles to a file, then runs it."""

    def __init__(self, command, timeout):
        self.command = command.split()
        self.timeout = timeout
        self.shim = None

    def prepare(self, work):
        """Builds the library that counts executed regions."""
        shim = work / "gcc_stats.so"
        built = execute(["gcc", "-O1", "-shared", "-fPIC", "-o", str(shim), str(HERE / "gcc_stats.c"), "-ldl"], work, 60)
        if built.code:
            raise SystemExit("cannot build gcc_stats.c: " + built.err)
        self.shim = shim

    def check(self, sources, options, work):
        """Diagnostics only; the later passes of GCC find some errors too, so it compiles all the way."""
        return execute([*self.command, *options, "-S", "-o", "/dev/null", *sources], work, self.timeout)

    def link(self, sources, options, work):
        return execute([*self.command, *sources, *options, "-o", "a.out"], work, self.timeout)

    def run(self, sources, options, work, env):
        built = self.link(sources, options, work)
        if built.code:
            return built, None
        stats = work / "stats.bin"
        outcome = execute(["./a.out"], work, self.timeout,
                          {**env, "ACCRUE_STATS": str(stats), "LD_PRELOAD": str(self.shim)})
        regions = int.from_bytes(stats.read_bytes(), "little") if stats.exists() else None
        return outcome, regions

    def errors(self, outcome, name):
        """Lines of `name` that an error points at."""
        return {int(line) for file, line, _ in GCC_ERROR.findall(outcome.err) if file == name}
