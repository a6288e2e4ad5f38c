#!/usr/bin/env python3
"""Compares what accrue makes of nests of all sizes and what GCC makes of the same nests without directives.

    python3 tests/conformance/sizes.py [--count 200] [--seed 1] [--ways host,O0,multicore,discrete,sim,sim-O0,gpu,gpu-O0]

Each program has products, sums of columns, running sums and arrays that are turned round, of any type, whose sides are known at
run time only: few and many, long and thin, no multiples of what threads execute together, and of sixty thousand to three hundred
thousand iterations, so that threads execute several of them together or exchange values. The simulator takes writes of equal
values by two threads for a race, too.
"""

import random
import sys

from against_gcc import compare

WAYS = {
    "host": [], "O0": ["-O0"], "multicore": ["--device", "multicore"], "discrete": ["--device", "host-discrete"],
    "sim": ["--device", "sim", "--races=strict"], "sim-O0": ["--device", "sim", "-O0"],
    "gpu": ["--device", "cuda"], "gpu-O0": ["--device", "cuda", "-O0"],
}
TYPES = ["int", "unsigned", "long", "unsigned char", "short", "float", "double"]
HEADS = ["parallel loop collapse(3)", "parallel loop collapse(3)", "kernels", "kernels loop independent collapse(3)", "parallel loop gang collapse(2)"]
TOTALS = [60_000, 100_000, 200_000, 300_000]


class Nest:
    """A program with one nest over planes, rows and columns."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random
        self.type = pick.choice(TYPES)
        self.is_exact = self.type not in ("float", "double")
        planes, rows = pick.choice([1, 1, 2, 3]), pick.choice([pick.randint(1, 9), pick.randint(10, 80), pick.randint(81, 700)])
        columns = max(1, pick.choice(TOTALS) // (planes * rows) + pick.randint(-3, 3))
        if pick.random() < 0.5:
            rows, columns = columns, rows
        self.sides = planes, rows, columns, pick.choice([0, 1, 2, 3, 5])

    def statement(self):
        """What an iteration does. Floats hold small whole numbers."""
        product = "for (int k = 0; k < l; k++) {} += a[h][i][k] * b[h][k][j];"
        before = ["c[h][i][j] = 0;", "c[h][i][j] = i % 4;", ""] + (["c[h][i][j] = c[h][i][j] & 1;"] if self.is_exact else [])
        return self.random.choice([
            f"{{ {self.random.choice(before)} {product.format('c[h][i][j]')} }}",
            f"{{ {self.type} s = 1; {product.format('s')} c[h][i][j] += s; }}",
            f"if (j <= i) {{ {self.type} s = 1; {product.format('s')} c[h][i][j] = s; }}",
            "d[h][j][i] = c[h][i][j];",
            "d[h][j][i] += c[h][i][j] * 2;",
            "{ d[h][j][i] += c[h][i][j]; e[h][i][j] = d[h][j][i]; }",
        ])

    def nest(self):
        """The directive and its loops, of which two may be the other way round, and what they do for a row."""
        pick = self.random
        loops = ["for (int h = 0; h < p; h++)", "for (int i = 0; i < n; i++)", "for (int j = 0; j < m; j++)"]
        if pick.random() < 0.25:
            return self.sums(pick.choice(["parallel loop gang", "parallel loop", "kernels"]))
        if pick.random() < 0.2:
            loops[1:] = loops[:0:-1]
        head = pick.choice(HEADS)
        if "gang" in head:
            loops[2] = f"\n#pragma acc loop vector\n    {loops[2]}"
        return f"#pragma acc {head} {self.clauses()}\n    {' '.join(loops)} {self.statement()}"

    def sums(self, head):
        """Sums of columns, at their end or all along."""
        if head == "kernels" and self.random.random() < 0.5:
            inner = "for (int i = 0; i < n; i++) { s += c[0][i][j]; e[0][i][j] = s; }"
        else:
            levels = {"parallel loop gang": "vector", "parallel loop": "", "kernels": None}[head]
            clause = "" if levels is None else f"\n#pragma acc loop {levels} reduction(+ : s)\n    "
            inner = f"{clause}for (int i = 0; i < n; i++) s += c[0][i][j];\n    d[0][j][0] = s;"
        return f"#pragma acc {head} {self.clauses()}\n    for (int j = 0; j < m; j++) {{ {self.type} s = j % 3; {inner} }}"

    @staticmethod
    def clauses():
        return "copyin(a[0:p], b[0:p]) copy(c[0:p], d[0:p], e[0:p])"

    def program(self):
        planes, rows, columns, length = self.sides
        kept = max(length, 1)
        arrays = [f"(*restrict a)[n][{kept}]", f"(*restrict b)[{kept}][m]", "(*restrict c)[n][m]", "(*restrict d)[m][n]", "(*restrict e)[n][m]"]
        return f"""#include <stdio.h>
#include <stdlib.h>
static void nest(int p, int n, int m, int l, {', '.join(f'{self.type} {array}' for array in arrays)})
{{
{self.nest()}
}}
static {self.type} *numbers(size_t count, int factor)
{{
    {self.type} *a = malloc(count * sizeof *a);
    for (size_t i = 0; i < count; i++)
        a[i] = i * factor % 13;
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
    int p = {planes} * argc, n = {rows} * argc, m = {columns} * argc, l = {length} * argc;
    size_t all = (size_t)p * n * m;
    {self.type} *a = numbers((size_t)p * n * {kept}, 7), *b = numbers((size_t)p * m * {kept}, 5), *c = numbers(all, 3), *d = numbers(all, 11), *e = numbers(all, 2);
    nest(p, n, m, l, (void *)a, (void *)b, (void *)c, (void *)d, (void *)e);
    show(c, all);
    show(d, all);
    show(e, all);
}}
"""


def make(seed, _on_host):
    """The text of a program."""
    return Nest(seed).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, WAYS)]))
