#!/usr/bin/env python3
"""Compares what accrue makes of short branches in loops and what GCC makes of the same loops without directives.

    python3 tests/conformance/choices.py [--count 200] [--seed 1] [--ways host,O0,multicore,discrete,sim,sim-O0,gpu,gpu-O0]

Compilers compute both ways of a short branch and choose. In each program, iterations have variables of all types, zeros of both
signs and NaNs among their values, and branches on comparisons of them that assign, negate, count and choose, one in another; keep
numbers within bounds in all spellings, and load what is there; and store bytes side by side. The simulator takes writes of equal
values by two threads for a race, too.
"""

import random
import sys

from against_gcc import compare
from sizes import WAYS

TYPES = ["int", "int", "unsigned", "long", "unsigned long", "signed char", "unsigned char", "short", "float", "double"]
FLOATS = ["float", "double"]
NUMBERS = [0, 1, -1, 3, 7, -8, 63, 64, 127, 128, 255, -128, 32767, 100000, 2147483647, -2147483647]
FRACTIONS = ["0.0", "-0.0", "1.5", "-2.25", "1e30", "7", "-1"]
COMPARED = ["<", "<=", ">", ">=", "==", "!="]
VARIABLES = 6
EDGE = 64


class Choices:
    """A program with one loop, or two, whose iterations choose."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.types = [self.random.choice(TYPES) for _ in range(VARIABLES)]

    def constant(self, type_):
        return self.random.choice(FRACTIONS) if type_ in FLOATS else f"({self.random.choice(NUMBERS)})"

    def variable(self):
        return f"v{self.random.randrange(VARIABLES)}"

    def value(self, type_, depth=0):
        pick = self.random.random()
        if pick < 0.35 or depth > 1:
            return self.variable()
        if pick < 0.6:
            return self.constant(type_)
        if pick < 0.75:
            return f"({self.condition()} ? {self.value(type_, depth + 1)} : {self.value(type_, depth + 1)})"
        if pick < 0.85 and type_ in FLOATS:
            return f"(-{self.variable()} * 0.5f)"
        wide = self.random.choice(["unsigned", "long", "double"])
        return f"(({wide}){self.variable()} {self.random.choice('+-*')} {self.constant('int')})"

    def condition(self):
        other = self.random.choice([self.variable(), self.constant("int"), self.constant("float")])
        text = f"{self.variable()} {self.random.choice(COMPARED)} {other}"
        if self.random.random() < 0.2:
            text = f"({text} {self.random.choice(['&&', '||'])} {self.variable()} < {self.constant('int')})"
        return text

    def assignment(self):
        at = self.random.randrange(VARIABLES)
        type_ = self.types[at]
        value = self.value(type_)
        return f"v{at} = {value};" if type_ in FLOATS else f"v{at} = ({type_})(long)tame({value});"

    def bounded(self):
        """A number within bounds, and what is there."""
        low, high = self.random.sample([0, 1, 5, 31, 62, EDGE - 1], 2)
        # Sometimes nothing is within them.
        if self.random.random() < 0.8:
            low, high = min(low, high), max(low, high)
        start = f"at = (int)tame({self.variable()}) % 100 + {self.random.choice([0, -3, 2, 40])};"
        keep = self.random.choice([
            f"at = at < {low} ? {low} : at > {high} ? {high} : at;",
            f"at = at > {high} ? {high} : at < {low} ? {low} : at;",
            f"if (at < {low}) at = {low}; if (at > {high}) at = {high};",
            f"if (at >= {high + 1}) at = {high}; else if (at <= {low}) at = {low};",
            f"at = at >= {low} && at <= {high} ? at : {low};",
            f"if (at < {low} || {high} < at) at = {high};",
        ])
        return f"{{ int {start} {keep} v0 += ({self.types[0]})tame(x[at]); }}"

    def statement(self, depth=0):
        pick = self.random.random()
        if pick < 0.4 or depth > 2:
            return self.assignment()
        if pick < 0.55:
            return self.bounded()
        text = f"if ({self.condition()}) {self.ways(depth)}"
        return text + (f" else {self.ways(depth)}" if self.random.random() < 0.5 else "")

    def ways(self, depth):
        return "{ " + " ".join(self.statement(depth + 1) for _ in range(self.random.choice([1, 1, 2]))) + " }"

    def program(self):
        pick = self.random
        rows, columns = pick.choice([(20, 15), (20, 15), (64, 33), (1, 300), (520, 260)])
        is_nest = pick.random() < 0.6
        head = pick.choice(["parallel loop", "kernels loop independent"]) + (" collapse(2)" if is_nest else "")
        if is_nest:
            loop = f"for (int r = 0; r < {rows}; r++) for (int c = 0; c < {columns}; c++) {{ int i = r * {columns} + c;"
        else:
            loop = f"for (int i = 0; i < {rows * columns}; i++) {{"
        declared = " ".join(
            f"{type_} v{at} = ({type_})tame(x[((unsigned)i * {pick.choice([3, 5, 7])} + {at}) % {EDGE}]);"
            for at, type_ in enumerate(self.types))
        body = "\n        ".join(self.statement() for _ in range(pick.choice([3, 5, 8])))
        all_of_them = " + ".join(f"tame(v{at}) * {at + 1}" for at in range(VARIABLES))
        letters = " ".join(f"z[4 * i + {k}] = {self.condition()} ? 'a' + {k} : 'A';" for k in range(4))
        return f"""#include <stdio.h>
enum {{ COUNT = {rows * columns} }};
static inline double tame(double value)
{{
    return value != value ? 3 : value > 1e9 ? 1e9 : value < -1e9 ? -1e9 : value;
}}
static double x[{EDGE}], y[2 * COUNT];
static unsigned char z[4 * COUNT];
int main(void)
{{
    static const double few[] = {{0, -0.0, 1, -1, 7, 63, 64, 127, 128, -128, 255, 32767, 2.5, -3.5, 100000, 2147483647.0}};
    for (int i = 0; i < {EDGE}; i++)
        x[i] = few[(i * 11 + i / 16) % 16] + (i % 3 == 0 ? i : 0);
#pragma acc {head} copyin(x) copyout(y, z)
    {loop}
        {declared}
        {body}
        y[2 * i] = {self.variable()};
        y[2 * i + 1] = {all_of_them};
        {letters}
    }}
    unsigned long sum = 0;
    for (int i = 0; i < COUNT; i++) {{
        union {{
            double value;
            unsigned long bits;
        }} parts[2] = {{{{y[2 * i]}}, {{y[2 * i + 1]}}}};
        // All NaNs are one.
        for (int k = 0; k < 2; k++)
            sum = sum * 31 + (parts[k].value != parts[k].value ? 1 : parts[k].bits);
        for (int k = 0; k < 4; k++)
            sum = sum * 31 + z[4 * i + k];
        if (i < 100)
            printf("%a %a %lu\\n", parts[0].value + 0, parts[1].value + 0, sum);
    }}
    printf("%lu\\n", sum);
    return 0;
}}
"""


def make(seed, _on_host):
    """The text of a program."""
    return Choices(seed).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, WAYS)]))
