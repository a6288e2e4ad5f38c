#!/usr/bin/env python3
"""Compares teams of all threads of a gang, and loops that these share in functions, with the same program as loops.

    python3 tests/conformance/teams.py [--count 200] [--seed 1] [--ways host,O0,discrete,multicore,sim,sim-O0,gpu,gpu-O0]

Between two barriers, threads change what no other one reads. So GCC, which is not told of OpenMP, executes each such part
in a loop over the numbers of the threads, and its output is the reference. Teams of a league stand alone or in nests of
loops that `distribute` shares; sizes are those of warps and others.

Every other program has functions with `parallel for` instead, which call each other, and are called by one thread of a team,
in loops that threads share, through pointers and on the host: GCC executes all loops in order.
"""

import random
import sys

from against_gcc import WITH_OPENMP, compare

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


class Functions:
    """A program whose functions have `parallel for`. Each gets a row of numbers and the number of the team."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.kind = self.random.choice(["int", "long", "unsigned", "double"])
        self.iterations = self.random.choice([1, 7, 64, 100, 301])
        self.count = self.random.randrange(2, 6)

    def number(self):
        return self.random.randrange(1, 50)

    def clauses(self):
        return "".join(self.random.choice(all) for all in [
            ["", "", " schedule(static)", " schedule(static, 3)", " schedule(dynamic, 2)", " schedule(guided)"],
            ["", "", "", f" num_threads({self.random.choice([1, 3, 32, 60, 256])})", " num_threads(n % 70 + 1)"],
            ["", "", "", f" if (n > {self.random.choice([0, 50, 1000])})"],
        ])

    def loop(self):
        """A loop that reads and changes `a`, `sum`, `last` and `own`, which are those of the function."""
        head = "for (int i = 0; i < n; i++)"
        for_ = f"#pragma omp parallel for{self.random.choice(['', '', ' simd'])}"
        return self.random.choice([
            lambda: f"{for_}{self.clauses()}\n{head} a[i] = REST(a[i] * {self.number()} + i + g);",
            lambda: f"{for_} reduction(+ : sum){self.clauses()}\n{head} sum += REST(a[i]) % {self.number()};",
            lambda: f"{for_} reduction(max : most) reduction(min : least){self.clauses()}\n"
                    f"{head} {{ most = most > a[i] ? most : a[i]; least = least < a[i] ? least : a[i]; }}",
            lambda: f"{for_} lastprivate(last) firstprivate(sum){self.clauses()}\n{head} {{ last = i + sum % 100; a[i] += last % 3; }}",
            lambda: f"{for_} collapse(2){self.clauses()}\n{head} for (int j = 0; j < 3; j++) own[j * N + i] = REST(a[i] + j);",
            lambda: f"{for_} reduction(+ : bins[:4]){self.clauses()}\n{head} bins[REST(a[i]) % 4] += i % {self.number()};",
            lambda: f"{for_} private(part){self.clauses()}\n{head} {{ part = i * {self.number()}; own[i] += part % 101; }}",
            lambda: f"#pragma omp parallel{self.clauses().partition(' schedule')[0]}\n{{\n#pragma omp for nowait\n{head} own[i] = REST(a[i] + i);\n"
                    f"#pragma omp for reduction(+ : sum)\n{head} sum += REST(a[i]) % {self.number()};\n}}",
            lambda: f"{head.replace('n;', 'n && i < 3;')} a[i] = REST(a[i] + sum + last);",
        ])()

    def function(self, index):
        parts = [self.loop() for _ in range(self.random.randrange(1, 5))]
        for callee in range(index):
            if not self.random.randrange(3):
                call = f"f{callee}(a{self.random.choice(['', ' + n / 2'])}, n / 2, g)"
                call = self.random.choice([f"sum += {call};", f"if (g % 2) last += {call} % 7;", f"for (int k = 0; k < 2; k++) sum += {call};"])
                parts.insert(self.random.randrange(len(parts) + 1), call)
        body = "\n".join(parts)
        return f"""static long f{index}({self.kind} *a, int n, int g)
{{
long sum = g, last = -1, part, bins[4] = {{0, 0, 0, g}};
{self.kind} most = 0, least = 0, own[3 * N];
for (int i = 0; i < 3 * N; i++) own[i] = i % 5;
{body}
long all = sum * 3 + last;
for (int i = 0; i < 4; i++) all = (all * 7 + bins[i]) % 100003;
for (int i = 0; i < 3 * N; i++) all = (all * 5 + (long)own[i]) % 100003;
return (all + (long)most + (long)least) % 100003;
}}"""

    def region(self):
        directive = self.random.choice([
            "target teams distribute", "target teams distribute thread_limit(48)", "target", "target teams distribute parallel for",
            "target teams distribute num_teams(2) thread_limit(1)", "target parallel for", None,
        ])
        calls = "\n".join(f"out[g] = (out[g] * 31 + f{self.random.randrange(self.count)}(row[g], N, g)) % 1000003;"
                          for _ in range(self.random.randrange(1, 3)))
        if directive and not self.random.randrange(5):
            calls += f"\n{{ long (*volatile f)({self.kind} *, int, int) = f0; out[g] += f(row[g], N, g); }}"
        around = f"#pragma omp {directive} map(tofrom : row, out)\n" if directive else ""
        return f"{around}for (int g = 0; g < 4; g++) {{\n{calls}\n}}"

    def program(self):
        functions = "\n".join(self.function(index) for index in range(self.count))
        regions = "\n".join(self.region() for _ in range(3))
        return f"""#include <stdio.h>
enum {{ N = {self.iterations} }};
#define REST(x) ((long)((unsigned long)(long)(x) % 10007))
#pragma omp declare target
{functions}
#pragma omp end declare target
static {self.kind} row[4][N];
static long out[4];
int main(void)
{{
for (int g = 0; g < 4; g++) for (int i = 0; i < N; i++) row[g][i] = (g * 13 + i * 7) % 50;
{regions}
for (int g = 0; g < 4; g++) {{
long all = 0;
for (int i = 0; i < N; i++) all = (all * 31 + (long)row[g][i]) % 1000003;
printf("%ld %ld\\n", out[g], all);
}}
}}
"""


def make(seed, on_host):
    """The text of a program."""
    return (Team(seed) if seed % 2 else Functions(seed)).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, WITH_OPENMP)]))
