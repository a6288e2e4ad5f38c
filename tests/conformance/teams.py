#!/usr/bin/env python3
"""Compares teams of all threads of a gang, which meet at barriers, with the same program as loops over their threads.

    python3 tests/conformance/teams.py [--count 200] [--seed 1] [--ways host,O0,discrete,multicore,sim,sim-O0,gpu,gpu-O0]

Between two barriers, threads change what no other one reads. So GCC, which is not told of OpenMP, executes each such part
in a loop over the numbers of the threads, and its output is the reference. Teams of a league stand alone or in nests of
loops that `distribute` shares; sizes are those of warps and others.
"""

import random
import sys

from against_gcc import compare

IN_TEAMS = {
    "host": ["-fopenmp"], "O0": ["-fopenmp", "-O0"], "sim-O0": ["-fopenmp", "-O0", "--device", "sim"], "discrete": ["-fopenmp", "--device", "host-discrete"],
    "multicore": ["-fopenmp", "--device", "multicore"], "sim": ["-fopenmp", "--device", "sim"],
    "gpu": ["-fopenmp", "--device", "cuda"], "gpu-O0": ["-fopenmp", "--device", "cuda", "-O0"],
}
HEAD = """#include <stdio.h>
#ifdef _OPENMP
int omp_get_thread_num(void);
#define EACH
#define OWN own
#define BARRIER _Pragma("omp barrier")
#else
#define EACH for (int t = 0; t < T; t++)
#define OWN owns[t]
#define BARRIER
#endif
"""


class Team:
    """A program with one kind of team."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.threads = self.random.choice([1, 2, 5, 32, 33, 48, 64, 100, 128, 256])
        self.iterations = self.random.choice([1, 7, 64, 100, 301])
        self.kind = self.random.choice(["int", "long", "unsigned"])

    def number(self):
        return self.random.randrange(1, 50)

    def value(self):
        """Something that a thread has for itself."""
        return self.random.choice([
            f"t * {self.number()} + g", f"OWN + {self.number()}", f"(OWN ^ t) % {self.number() + 50}",
            f"t % {self.number()} + round", f"(OWN + g) % 1000", f"shared + t",
        ])

    def schedule(self):
        return self.random.choice(["", " schedule(static)", " schedule(static, 3)", " schedule(dynamic, 2)", " schedule(guided)"])

    def part(self):
        """Code behind which all threads have met."""
        a, b = self.random.sample(["a", "b"], 2)
        return self.random.choice([
            lambda: f"EACH {a}[t] = {self.value()};\nBARRIER",
            lambda: f"EACH OWN = (OWN + {a}[(t + {self.number()}) % T]) % 100003;\nBARRIER",
            lambda: f"EACH if (t % {self.number()} == 0) {a}[t] = {b}[T - 1 - t] % 1009 + {self.number()};\nBARRIER",
            lambda: f"for (int half = T / 2; half > 0; half /= 2) {{\nEACH if (t < half) {a}[t] = ({a}[t] + {a}[t + half]) % 65536;\nBARRIER\n}}",
            lambda: f"#pragma omp for{self.schedule()}\nfor (int i = 0; i < N; i++) row[i] = (row[i] + i * {self.number()} + shared) % 10007;",
            lambda: f"#pragma omp for{self.schedule()} reduction(+ : sum)\nfor (int i = 0; i < N; i++) sum += row[i] % {self.number()};",
            lambda: f"#pragma omp for reduction(max : most) reduction(^ : bits)\nfor (int i = 0; i < N; i++) {{ if (row[i] > most) most = row[i]; bits ^= row[i] + i; }}",
            lambda: f"#pragma omp for collapse(2){self.schedule()} lastprivate(last)\nfor (int i = 0; i < N; i++) for (int j = 0; j < 3; j++) last = i * 3 + j;",
            lambda: f"#pragma omp single\nshared = (shared + {a}[T - 1] + {self.number()}) % 1013;",
            lambda: f"EACH {{\n#pragma omp critical\nlocked = locked + OWN % {self.number()};\n}}\nBARRIER",
            lambda: f"EACH {{\n#pragma omp atomic\nadded += {b}[t] % {self.number()};\n}}\nBARRIER",
            lambda: f"#pragma omp sections\n{{\n#pragma omp section\nsum += shared;\n#pragma omp section\nlast += {self.number()};\n}}",
            lambda: f"for (round = 0; round < {self.random.randrange(1, 4)}; round++) {{\n{self.part()}\n{self.part()}\n}}" if self.depth() else "BARRIER",
        ])()

    def depth(self):
        """Whether a loop around two parts may stand here."""
        self.nested = not getattr(self, "nested", False)
        return self.nested

    def program(self):
        parts = "\n".join(self.part() for _ in range(self.random.randrange(3, 9)))
        state = f"""{self.kind} a[T], b[T], row[N], sum = 0, most = -1, bits = 0, shared = g, locked = 0, added = 0, last = 0;
for (int i = 0; i < T; i++) a[i] = i * g, b[i] = T - i;
for (int i = 0; i < N; i++) row[i] = i;"""
        if not self.random.randrange(3):
            state = state.replace("a[T], b[T]", "(*a) = left + g * 2 * T, (*b) = left + (g * 2 + 1) * T")
            state = state.replace(f"{self.kind} (*a)", f"{self.kind} *a").replace("(*b)", "*b")
        result = """EACH for (int k = t; k < 8; k += T) out[g][k] = 0;
BARRIER
EACH {
#pragma omp atomic
out[g][t % 8] += a[t] + 3 * b[t] + 7 * OWN;
}
BARRIER
#pragma omp for
for (int i = 0; i < N; i++) rows[g][i] = row[i];
#pragma omp single
{ long *to = out[g]; to[8] = sum; to[9] = most; to[10] = bits; to[11] = shared; to[12] = locked; to[13] = added; to[14] = last; }"""
        bounds, loops = self.random.choice([
            (f"num_threads({self.threads})", "for (int g = 0; g < 4; g++)"),
            ("", "for (int g = 0; g < 4; g++)"),
            (f"num_threads({self.threads})", "for (int p = 0; p < 2; p++) for (int q = 0; q < 2; q++)"),
        ])
        collapse = " collapse(2)" if "q" in loops else ""
        declared = "int g = 2 * p + q;\n" if collapse else ""
        limit = "" if bounds else f" thread_limit({self.threads})"
        return f"""{HEAD}
enum {{ T = {self.threads}, N = {self.iterations} }};
static long out[4][16], rows[4][N];
static {self.kind} left[8 * T];
int main(void)
{{
#pragma omp target teams distribute{collapse}{limit} map(from : out, rows) map(tofrom : left)
{loops} {{
{declared}{state}
#ifndef _OPENMP
{self.kind} owns[T];
for (int t = 0; t < T; t++) owns[t] = t;
int round = 0;
#endif
#pragma omp parallel {bounds}
{{
#ifdef _OPENMP
int t = omp_get_thread_num(), round = 0;
{self.kind} own = t;
#endif
{parts}
{result}
}}
}}
for (int g = 0; g < 4; g++) {{
for (int i = 0; i < 15; i++) printf("%ld ", out[g][i]);
long all = 0;
for (int i = 0; i < N; i++) all = (all * 31 + rows[g][i]) % 1000003;
printf("%ld\\n", all);
}}
}}
"""


def make(seed, on_host):
    """The text of a program."""
    return Team(seed).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, IN_TEAMS)]))
