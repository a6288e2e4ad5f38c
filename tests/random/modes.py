"""Ways to run a program, and what an outcome means."""

import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess

TIMEOUT = 60

# Limits that the documentation names (docs/gpu.md): errors that a program may rightly get in some of the ways to run it.
LIMITS = ("has no strategy `tree`, which keeps the order",)


class Mode:
    """A command. `{accrue}` and `{file}` are replaced in its words."""

    def __init__(self, name, group, words, environment=None, timeout=TIMEOUT):
        self.name = name
        self.group = group
        self.words = words.split() if isinstance(words, str) else words
        self.environment = environment or {}
        self.timeout = timeout
        self.is_hazard = False  # programs in which something is wrong, for the compiler to say so


def run(name, group, options, environment=None, timeout=TIMEOUT):
    words = ["{accrue}", "run", "-w", *options.split(), "{file}"]
    kind = "nvidia" if "sim" in options.split() or "cuda" in options.split() else "host"
    return Mode(name, group, words, {"ACC_DEVICE_TYPE": kind, **(environment or {})}, timeout)


def all_modes():
    """Every mode, by name."""
    modes = [run(f"O{level}", "cpu", f"-O{level}") for level in range(4)]
    modes += [
        run("serial", "cpu", "-fno-openacc"),
        run("gangs3", "cpu", "--gangs 3"),
        run("discrete", "cpu", "--memory discrete"),
        run("discrete-gangs7-O0", "cpu", "--memory discrete --gangs 7 -O0"),
        run("multicore", "cpu", "--device multicore --gangs 4"),
        run("multicore-discrete", "cpu", "--device multicore --gangs 3 --memory discrete --deterministic"),
        run("eager", "cpu", "--eager"),
        run("host-fast-math", "cpu", "-ffast-math"),
        run("verify", "cpu", "--verify"),
        run("sim", "cpu", "--device sim"),
        run("sim-verify", "cpu", "--device sim --verify"),
        run("sim-strict", "cpu", "--device sim --races=strict"),
    ]
    for at, strategy in enumerate(("lock", "cas", "atomic", "tree")):
        modes.append(run(strategy, "cpu", f"--device sim --seed {at + 1} --reduction {strategy}"))
    modes += [
        run("deterministic", "cpu", "--device sim --seed 5 --deterministic"),
        run("sim-schedules", "cpu", "--device sim --schedules 3 --seed 11", timeout=120),
        run("sim-structured", "cpu", "--device sim --divergence=structured"),
        run("sim-sm_70", "cpu", "--device sim --arch sm_70"),
        run("sim-O0", "cpu", "--device sim -O0"),
        run("sim-dim-1-1-1", "cpu", "--device sim -fopenacc-dim=1:1:1"),
        run("sim-dim-3-5-7", "cpu", "--device sim -fopenacc-dim=3:5:7"),
        run("sim-dim-33-2-100", "cpu", "--device sim -fopenacc-dim=33:2:100"),
        run("sim-fast-math", "cpu", "--device sim -ffast-math"),
        run("sim-contract-off", "cpu", "--device sim -ffp-contract=off"),
    ]
    for arch in ("sm_70", "sm_90", "sm_120"):
        modes.append(Mode(f"ptxas-{arch}", "ptxas", ["{accrue}", "ptx", "-w", "--arch", arch, "--check", "-o", os.devnull, "{file}"]))
    for level in (0, 4):
        modes.append(run(f"gpu-jit{level}", "gpu", "--device cuda", {"ACCRUE_JIT_LEVEL": str(level)}))
    modes += [
        run("gpu-deterministic", "gpu-more", "--device cuda --deterministic"),
        run("gpu-lock", "gpu-more", "--device cuda --reduction lock"),
        run("gpu-tree", "gpu-more", "--device cuda --reduction tree"),
        run("gpu-dim-3-5-7", "gpu-more", "--device cuda -fopenacc-dim=3:5:7"),
        run("gpu-fast-math", "gpu-more", "--device cuda -ffast-math"),
    ]
    for tool in ("memcheck", "racecheck", "synccheck"):
        mode = run(tool, "sanitizer", "--device cuda", timeout=300)
        mode.words = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", *mode.words]
        modes.append(mode)
    modes += [
        Mode("gcc", "validate", "gcc -w -O1 -fno-openacc {file} -o {scratch} -lm"),
        # Without optimisation, no access is gone before it is looked at, and gcc needs half the time.
        Mode("gcc-sanitized", "validate",
             "gcc -w -g -O0 -fno-openacc -fsanitize=undefined,address -fno-sanitize-recover=all {file} -o {scratch} -lm"),
        Mode("gcc-openacc", "peer", "gcc -w -O1 -fopenacc -foffload=disable {file} -o {scratch} -lm", {"ACC_DEVICE_TYPE": "host"}),
    ]
    modes.append(Mode("loops", "loops", "{accrue} check --loops -w {file}", {"ACC_DEVICE_TYPE": "host"}))
    modes += task_modes()
    modes += environment_modes()
    undeclared = run("undeclared", "diagnostics", "--device sim")
    undeclared.words.remove("-w")
    undeclared.is_hazard = True
    modes.append(undeclared)
    return {mode.name: mode for mode in modes}


def task_modes():
    """Ways to run graphs of OpenMP tasks: devices, and numbers of threads."""
    modes = []
    for threads in (1, 2, 3, 8):
        environment = {"OMP_NUM_THREADS": str(threads), "OMP_MAX_ACTIVE_LEVELS": "3", "OMP_MAX_TASK_PRIORITY": "9"}
        for name, device in (("", ""), ("discrete-", "--memory discrete"), ("sim-", "--device sim"), ("lag-", "--device sim --queues lag"),
                             ("devices-", "--memory discrete --devices 2"), ("devices-lag-", "--device sim --queues lag --devices 3"), ("cuda-", "--device cuda")):
            name = f"tasks-{name}{threads}"
            group = "tasks-gpu" if "cuda" in device else "tasks"
            modes.append(Mode(name, group, ["{accrue}", "run", "-w", "-fopenmp", *device.split(), "{file}"], environment))
    modes.append(Mode("tasks-check", "tasks", "{accrue} check --tasks -w -fopenmp {file}", {"OMP_NUM_THREADS": "1", "OMP_MAX_ACTIVE_LEVELS": "3", "OMP_MAX_TASK_PRIORITY": "9"}))
    # With more threads gcc 12's runtime now and then never leaves the last barrier of a team; with a team in a task it frees a team in use.
    modes.append(Mode("gcc-openmp", "tasks-peer", "gcc-12 -w -O1 -fopenmp -foffload=disable {file} -o {scratch}", {"OMP_NUM_THREADS": "1"}))
    return modes


def environment_modes():
    """Ways to run data environments: devices with memory of their own, one of them or two."""
    ways = [("discrete", "--memory discrete"), ("discrete-O0", "--memory discrete -O0"), ("sim", "--device sim"),
            ("lag", "--device sim --queues lag -O3"), ("gpu", "--device cuda")]
    modes = []
    for kind, several in (("environment", []), ("devices", ["--devices", "2"])):
        for name, options in ways:
            is_gpu = name == "gpu"
            words = ["{accrue}", "run", "-w", "-fopenmp", *options.split(), *([] if is_gpu else several), "{file}"]
            modes.append(Mode(f"{kind}-{name}", f"{kind}-gpu" if is_gpu else kind, words))
    return modes


def choose(names):
    """The modes of a list of names and groups; `all` means what needs no GPU."""
    modes = all_modes()
    chosen = []
    for name in names.split(","):
        found = [mode for mode in modes.values() if name in (mode.name, mode.group)
                 or name == "all" and mode.group in ("cpu", "ptxas")]
        if not found:
            groups = sorted({mode.group for mode in modes.values()})
            raise SystemExit(f"there is no mode `{name}`; groups: all {' '.join(groups)}; modes: {' '.join(modes)}")
        chosen += [mode for mode in found if mode not in chosen]
    return chosen


class Outcome:
    """How a run ended: `kind` is ok, limit, wrong, crash, hang, rejected, or report."""

    def __init__(self, kind, text):
        self.kind = kind
        self.text = text

    def signature(self):
        """A regular expression for what kind of report, panic or error it is."""
        if self.kind == "crash" and "panicked at" not in self.text and "compiler bug" not in self.text:
            return "^" + self.text.splitlines()[0]
        for pattern in (r"panicked at [\w/.-]+:\d+", r"pass `[\w-]+`", r"compiler bug: [\w ]+", r"error\[[\w-]+\]",
                        r"uninitialised value", r"out of bounds", r"data race", r"barrier", r"misaligned", r"not present", r"not mapped", r"hazard", r"Invalid __\w+__ \w+"):
            match = re.search(pattern, self.text)
            if match:
                return re.escape(match[0])
        return ""

    def first_line(self):
        lines = [line for line in self.text.splitlines() if line.strip()]
        for mark in ("panicked at", "compiler bug", "error[", "=========     ", "test "):
            for at, line in enumerate(lines):
                if mark in line:
                    return " ".join(part.strip() for part in lines[at:at + 2])[:220]
        return lines[0][:220] if lines else ""


def execute(words, environment, timeout):
    """(status, output); the status is None after so many seconds of a processor, or many more on the clock: other processes may take
    most of the machine. The whole process group ends with it."""
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env={**os.environ, **environment}, start_new_session=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (timeout, timeout)))
    try:
        output, _ = child.communicate(timeout=4 * timeout)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output, _ = child.communicate()
        return None, output.decode(errors="replace")
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None, output.decode(errors="replace")
    return child.returncode, output.decode(errors="replace")


def try_mode(mode, accrue, path, prefix=()):
    """Runs one program in one mode."""
    scratch = str(pathlib.Path(path).with_suffix(f".{mode.name}.exe"))
    words = [word.format(accrue=accrue, file=path, scratch=scratch) for word in mode.words]
    environment = {**mode.environment, **sanitizer_options()}
    status, text = execute([*prefix, *words], environment, mode.timeout)
    if mode.is_hazard:
        return judge_diagnosis(status, text)
    if "{scratch}" in mode.words and status == 0:
        status, text = execute([scratch], environment, mode.timeout)
        pathlib.Path(scratch).unlink()
    outcome = judge(status, text)
    functions = []
    if outcome.kind in ("crash", "rejected", "report"):
        functions = faulting(text)
    elif outcome.kind == "wrong" and mode.group.startswith("gpu"):
        # Some GPUs read the host's memory through its pointers, at whatever time.
        functions = [f"nest{number}" for number in re.findall(r"\btest (\d+):", text)]
    if functions and uses_what_is_not_mapped(accrue, path, functions):
        return Outcome("limit", text)
    return outcome


def faulting(text):
    """The function in which a device met an address that is not its own."""
    faults = ("invalid memory access", "illegal memory access", "error[out-of-bounds]", "error[host-pointer-on-the-device]")
    if not any(fault in text for fault in faults):
        return []
    return re.findall(r"(?:in function|in kernel|the region) `(\w+)[.$]", text)[:1]


def uses_what_is_not_mapped(accrue, path, functions):
    """Whether `explain` says of a construct in each of these functions that no box holds what a pointer is used for."""
    _, explained = execute([accrue, "explain", path], {}, TIMEOUT)
    return all(re.search(rf": {name}: data: `\w+`: not mapped by ", explained) for name in functions)


def sanitizer_options():
    return {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0"}


def judge(status, text):
    """What the status and the output of a run mean."""
    if status is None:
        return Outcome("hang", text)
    if status == 0:
        return Outcome("ok", text)
    if "panicked at" in text or "compiler bug" in text or status < 0 or status > 128:
        return Outcome("crash", f"status {status}\n{text}")
    if "should be" in text and "test " in text:
        return Outcome("wrong", text)
    if any(limit in text for limit in LIMITS):
        return Outcome("limit", text)
    if "error[" in text or ": error:" in text or "ptxas" in text and "error" in text:
        return Outcome("rejected", text)
    return Outcome("report", text or f"status {status}")


def judge_diagnosis(status, text):
    """Whether an error names the variable that is wrong, or a warning does and the result is right."""
    if "panicked at" in text:
        return Outcome("crash", text)
    told = re.search(r"^(error|warning)\[.*\bundeclared\d", text, re.MULTILINE)
    if told is None:
        return Outcome("wrong", text)
    return Outcome("ok", text) if told[1] == "error" else judge(status, text)


def has_gcc():
    return shutil.which("gcc") is not None
