#!/usr/bin/env python3
"""Compares what accrue makes of loops over rows of memory and what GCC makes of the same loops without directives.

    python3 tests/conformance/own_rows.py [--count 200] [--seed 1] [--ways host,O0,multicore,discrete,sim,sim-O0,gpu,gpu-O0]

In each program, the iterations of a loop go through rows that they have for themselves, which threads may load and store for each
other: of any length from none on, side by side, with gaps or over each other, read, written, or both in place, forth and back, as a
whole, from some column on, in some columns, or in a loop that is left; in steps, with columns by constants, in two loops, behind
conditions, and through pointers that may lead to the same memory. The simulator takes writes of equal values by two threads for a
race, too.
"""

import random
import sys

from against_gcc import compare
from sizes import WAYS

TYPES = ["int", "unsigned", "long", "float", "double"] * 3 + ["short", "unsigned char"]
LENGTHS = [lambda pick: pick.randint(0, 9), lambda pick: pick.randint(8, 48), lambda pick: pick.randint(49, 360)]
HEADS = ["parallel loop", "parallel loop gang vector", "parallel loop gang worker vector", "kernels", "kernels loop independent",
         "parallel loop vector_length(128)", "parallel loop num_gangs(7)"]


class Rows:
    """A program with one loop over rows of a and b, which it reads, of c, which it writes, and of d, which it changes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random
        self.type = pick.choice(TYPES)
        self.length = pick.choice(LENGTHS)(pick)
        self.rows = pick.choice([pick.randint(1, 300), pick.randint(256, 1200), pick.randint(1200, 5000)])
        if self.length > 60:
            self.rows = min(self.rows, 900)
        self.gap = pick.choice([0, 0, 0, 1, 5])
        # Rows of a that lie over each other.
        self.overlap = pick.choice([0, 0, 0, 0, min(3, self.length)])
        self.restrict = pick.choice(["", "", "restrict "])

    def column(self):
        """A loop over columns; the last place is behind the largest column."""
        return self.random.choice([
            "for (int j = 0; j < m; j++)", "for (int j = 0; j < m; j++)", "for (int j = m - 1; j >= 0; j--)",
            "for (int j = 1; j < m; j++)", "for (int j = 0; j < m - 2; j++)", "for (int j = i % 3; j < m; j++)",
            "for (int j = 0; j < m; j += 2)", "for (int j = 0; j < 5 && j < m; j++)", "for (int j = 0; j <= m - 1; j++)",
        ])

    def step(self):
        """What some part of an iteration does. Numbers stay small and whole."""
        pick = self.random
        column = self.column()
        a, b = "a[i * s + j]", "b[i * t + j]"
        whole = "for (int j = 0; j < m; j++)"
        if pick.random() < 0.7:
            return pick.choice([
                f"{whole} x += {a};",
                f"{whole} x += {a} * (j % 3) + {b};",
                f"for (int j = 1; j < m; j++) if ({a} > y) {{ y = {a}; at = j; }}",
                f"{whole} c[i * t + j] = {a} + x;",
                f"{whole} d[i * t + j] += {a} - {b};",
                f"for (int j = m - 1; j >= 0; j--) c[i * t + j] = {b};",
            ])
        return pick.choice([
            f"{column} if ({b} % 2) c[i * t + j] = {a};" if self.is_whole() else f"{column} if ({b} > 4) c[i * t + j] = {a};",
            f"{column} d[i * t + j] += {a};",
            f"{column} d[i * t + j] = d[i * t + j] + x;",
            "for (int j = 1; j < m; j++) d[i * t + j] = (d[i * t + j - 1] - d[i * t + j]) % 50;" if self.is_whole()
            else "for (int j = 1; j < m; j++) d[i * t + j] = d[i * t + j - 1] - d[i * t + j];",
            "for (int j = m - 2; j >= 0; j--) d[i * t + j] -= d[i * t + j + 1] / 2 - 1;" if self.is_whole()
            else "for (int j = m - 2; j >= 0; j--) d[i * t + j] -= d[i * t + j + 1];",
            f"for (int k = 0; k < 3; k++) {column} x += {a} * k;",
            f"for (int k = 0; k < x % 3; k++) {column} c[i * t + j] = k;" if self.is_whole() else f"{column} c[i * t + j] = x;",
            f"{column} {{ if ({a} == 7) break; x++; }}",
            "if (m > 0) { int j = 0; while (j < m && a[i * s + j] < 9) j++; at += j; }",
            "if (m > 0) { int j = 0; do x += a[i * s + j]; while (++j < m); }",
            "if (m > 2) c[i * t + 2] = x;",
            f"if (i % 4) {column} x += {b};",
            "for (int j = 0; j < 3 && j < t; j++) c[i * t + j] = y;",
        ])

    def is_whole(self):
        """Whether numbers have no fraction."""
        return self.type not in ("float", "double")

    def nest(self):
        """The loop over rows."""
        pick = self.random
        loop = pick.choice(["int i = 0; i < n; i++", "int i = 0; i < n; i++", "int i = 0; i < n; i++", "int i = n - 1; i >= 0; i--",
                            "int i = 1; i < n; i += 2"])
        skip = "if (i % 7 == 3) continue;" if pick.random() < 0.15 else ""
        steps = "\n        ".join(self.step() for _ in range(pick.choice([1, 2, 2, 3, 4])))
        return f"""#pragma acc {pick.choice(HEADS)} present(a, b, c, d, e)
    for ({loop}) {{
        {self.type} x = 1, y = 0;
        int at = 0;
        {skip}
        {steps}
        e[i] = x + 2 * y + at;
    }}"""

    def program(self):
        pick = self.random
        s, t = self.length + self.gap - self.overlap, self.length + self.gap
        names = ["a", "b", "c", "d", "e"]
        parameters = ", ".join(f"{self.type} *{self.restrict}{name}" for name in names)
        # Of a whole block for all arrays, or each for itself.
        are_one = pick.random() < 0.4
        size = "(size_t)n * (m + 8) + 16"
        if are_one:
            arrays = f"{self.type} *all = numbers(5 * size, 7);\n    " + "".join(
                f"{self.type} *{name} = all + {n} * size;\n    " for n, name in enumerate(names))
            data, out = "copy(all[0:5 * size])", "show(all, 5 * size);"
        else:
            arrays = "".join(f"{self.type} *{name} = numbers(size, {n + 3});\n    " for n, name in enumerate(names))
            data = "copy(" + ", ".join(f"{name}[0:size]" for name in names) + ")"
            out = "".join(f"show({name}, size);\n    " for name in names)
        return f"""#include <stdio.h>
#include <stdlib.h>
static void rows(int n, int m, int s, int t, {parameters})
{{
{self.nest()}
}}
static {self.type} *numbers(size_t count, int factor)
{{
    {self.type} *a = malloc(count * sizeof *a);
    for (size_t i = 0; i < count; i++)
        a[i] = i * factor % 11;
    return a;
}}
static void show(const {self.type} *a, size_t count)
{{
    unsigned long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = sum * 31 + (unsigned long)(long)a[i];
    printf("%lu\\n", sum);
}}
int main(int argc, char **argv)
{{
    int n = {self.rows} * argc, m = {self.length} * argc, s = {max(s, 0)} * argc, t = {t} * argc;
    size_t size = {size};
    {arrays}
#pragma acc data {data}
    rows(n, m, s, t, a, b, c, d, e);
    {out}
}}
"""


def make(seed, _on_host):
    """The text of a program."""
    return Rows(seed).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, WAYS)]))
