"""Runs random programs with accrue, in several ways, and with GCC, whose output is the reference."""

import argparse
import concurrent.futures
import pathlib
import tempfile

from compilers import execute

ON_HOST = {"host": [], "O0": ["-O0"]}
IN_REGIONS = {
    "region": ["--device", "sim"], "region-O0": ["--device", "sim", "-O0"], "gpu": ["--device", "cuda"],
    "gpu-O0": ["--device", "cuda", "-O0"],
}
IN_KERNELS = {
    "serial": [], "kernels": ["--device", "sim"], "discrete": ["--device", "host-discrete"],
    "multicore": ["--device", "multicore"], "gpu": ["--device", "cuda"], "gpu-O0": ["--device", "cuda", "-O0"],
}
WITH_OPENMP = {
    "host": ["-fopenmp"], "O0": ["-fopenmp", "-O0"], "sim-O0": ["-fopenmp", "-O0", "--device", "sim"], "discrete": ["-fopenmp", "--device", "host-discrete"],
    "multicore": ["-fopenmp", "--device", "multicore"], "sim": ["-fopenmp", "--device", "sim"],
    "gpu": ["-fopenmp", "--device", "cuda"], "gpu-O0": ["-fopenmp", "--device", "cuda", "-O0"],
}
# Threads of the host: settings of the environment, and options.
THREADS = {
    "1": ["OMP_NUM_THREADS=1", "-fopenmp"], "2": ["OMP_NUM_THREADS=2", "-fopenmp"], "3": ["OMP_NUM_THREADS=3", "-fopenmp"],
    "8": ["OMP_NUM_THREADS=8", "-fopenmp"], "O0": ["OMP_NUM_THREADS=3", "-fopenmp", "-O0"],
    "discrete": ["OMP_NUM_THREADS=4", "-fopenmp", "--device", "host-discrete"], "multicore": ["OMP_NUM_THREADS=2,2", "-fopenmp", "--device", "multicore"],
    "cancel": ["OMP_NUM_THREADS=4,2", "OMP_CANCELLATION=true", "OMP_WAIT_POLICY=passive", "OMP_MAX_ACTIVE_LEVELS=2", "-fopenmp"],
}
ANYWHERE = [(True, ON_HOST)]
ALSO_IN_REGIONS = [*ANYWHERE, (False, IN_REGIONS)]


def judge(text, known, seed, options):
    """What the ways of `known` that are asked for make of a program: `same`, `refused` by GCC, or `different`; and why.

    A program may have a library that GCC makes, a second text.
    """
    text, library = text if isinstance(text, tuple) else (text, None)
    ways = [way for way in known if way in options.ways]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "a.c").write_text(text)
        # Optimised, GCC rounds some conversions once instead of twice.
        gcc, links = [options.gcc, "-w", "-O0", "-fwrapv", "-ffp-contract=off"], []
        if library is not None:
            (work / "library.c").write_text(library)
            built = execute([*gcc, "-shared", "-fPIC", "-o", "liblibrary.so", "library.c", "-lm"], work, 60)
            if built.code:
                return "refused", [built.err[:200]]
            links = [f"-L{folder}", "-llibrary"]
        built = execute([*gcc, "-o", "a", "a.c", *links, f"-Wl,-rpath,{folder}", "-lm"], work, 60)
        if built.code:
            return "refused", [built.err[:200]]
        wanted, told = execute(["./a"], work, 10), []
        for way in ways:
            env = dict(item.split("=", 1) for item in known[way] if item.startswith("OMP_"))
            told_accrue = [item for item in known[way] if not item.startswith("OMP_")]
            found = execute([options.accrue, "run", "-w", "-ffp-contract=off", *told_accrue, *links, "a.c"], work, options.timeout, env)
            if (found.code, found.out) == (wanted.code, wanted.out):
                continue
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{seed}-{way}.c").write_text(text)
                if library is not None:
                    (options.keep / f"{seed}-library.c").write_text(library)
            pairs = zip(wanted.out.splitlines(), found.out.splitlines())
            first = next((f"gcc {a}\n    accrue {b}" for a, b in pairs if a != b), found.err[:400] or found.describe())
            told.append(f"{way}: {first}")
        if told and "-fopenmp" in known[ways[0]]:
            built = execute([*gcc, "-fopenmp", "-foffload=disable", "-o", "b", "a.c", *links, "-lm"], work, 60)
            same = not built.code and execute(["./b"], work, options.timeout).out == wanted.out
            told.append(f"gcc -fopenmp: {built.err[:200] or ('the same' if same else 'another result')}")
    return ("different" if told else "same"), told


def compare(description, make, kinds):
    """The main function of a script: `make(seed, on_host)` is a program's text, for each of the kinds with the ways to run it."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the programs that differ")
    parser.add_argument("--accrue", default="target/release/accrue", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for a run of accrue")
    parser.add_argument("--jobs", type=int, default=2)
    names = [way for _, known in kinds for way in known]
    without_gpu = ",".join(way for way in names if not way.startswith("gpu"))
    parser.add_argument("--ways", default=without_gpu, type=lambda names: names.split(","), help=f"of {', '.join(names)}")
    options = parser.parse_args()
    kinds = [(on_host, known) for on_host, known in kinds if any(way in known for way in options.ways)]

    def all_ways(seed):
        return [judge(make(seed, on_host), known, seed, options) for on_host, known in kinds]

    totals = {"same": 0, "refused": 0, "different": 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for seed, verdicts in zip(seeds, pool.map(all_ways, seeds)):
            for verdict, told in verdicts:
                totals[verdict] += 1
                if verdict == "different":
                    print(*(f"{seed}: {line}" for line in told), sep="\n", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in totals.items()) + "; refused are those that GCC does not take")
    return 1 if totals["different"] else 0
