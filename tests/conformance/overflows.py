#!/usr/bin/env python3
"""Compares what accrue and GCC make of the builtins that check for overflow.

    python3 tests/conformance/overflows.py [--count 200] [--seed 1] [--ways host,O0,region,region-O0,gpu,gpu-O0]

Each program has checks by `__builtin_add_overflow`, `__builtin_mul_overflow_p` and their kin on all pairs of integer types up to
128 bits, with bit-fields as examples of the result, at the edges of types and elsewhere. Each check is there twice, with operands
that are read from volatile memory and with constants. For the ways `region` and `gpu` they are in a `serial` region as well,
which the simulator or a GPU runs.
"""

import random
import sys

from against_gcc import ALSO_IN_REGIONS, compare
from expressions import INTEGERS

OPERATIONS = ["add", "sub", "mul"]
TYPED = {"s{}": "int", "s{}l": "long", "s{}ll": "long long", "u{}": "unsigned", "u{}l": "unsigned long", "u{}ll": "unsigned long long"}
OPERANDS = list(INTEGERS)
RESULTS = [name for name in INTEGERS if name != "_Bool"]
EXAMPLES = {"bits.f3": "int f3 : 3", "bits.f17": "unsigned f17 : 17", "bits.f33": "long f33 : 33", "bits.f64": "unsigned long f64 : 64"}
CHECKS = 40


def literal(value, name):
    """A constant of a type; C has none of 128 bits."""
    bits = value % (1 << 128)
    return f"({name})((unsigned __int128){bits >> 64:#x}ull << 64 | {bits & (1 << 64) - 1:#x}ull)"


class Checks:
    """One program."""

    def __init__(self, seed, on_host):
        self.random = random.Random(f"{seed} {on_host}")
        self.in_region = not on_host

    def value(self, name):
        """A number that a type holds."""
        bits, signed = INTEGERS[name]
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        pick = self.random
        near = pick.choice([0, low, high, 1 << pick.randrange(bits), -(1 << pick.randrange(bits)), pick.randint(low, high)])
        return min(high, max(low, near + pick.choice([0, 0, 1, -1, 2])))

    def check(self, number):
        """The declarations of a check, and its statements."""
        pick = self.random
        operation, form = pick.choice(OPERATIONS), pick.choice(["stored", "stored", "example", "typed"])
        types = [pick.choice(OPERANDS), pick.choice(OPERANDS)]
        values = [literal(self.value(name), name) for name in types]
        variables = [f"a{number}", f"b{number}"]
        declared = [f"volatile {name} {variable} = {value};" for name, variable, value in zip(types, variables, values)]
        told = []
        for a, b in (variables, values):
            if form == "example":
                example = pick.choice([*EXAMPLES, *(f"({name})0" for name in RESULTS)])
                told.append(f"put(__builtin_{operation}_overflow_p({a}, {b}, {example}), 0);")
                continue
            result, name = pick.choice(RESULTS), f"{operation}_overflow"
            if form == "typed":
                typed = pick.choice(list(TYPED))
                result, name = TYPED[typed], typed.format(operation) + "_overflow"
            told.append(f"{{ {result} r; int over = __builtin_{name}({a}, {b}, &r); put(over, r); }}")
        return declared, told

    def program(self):
        checks = [self.check(number) for number in range(CHECKS)]
        declared = "\n    ".join(line for lines, _ in checks for line in lines)
        told = "\n    ".join(line for _, lines in checks for line in lines)
        region = f"#pragma acc serial copy(found, at)\n    {{\n    {declared}\n    {told}\n    }}"
        return f"""#include <stdio.h>
static unsigned long long found[{2 * CHECKS}][3];
static int at;
#define put(over, value) (found[at][0] = (over), found[at][1] = (unsigned long long)(value), \\
    found[at][2] = (unsigned long long)((unsigned __int128)(value) >> 64), at++)
int main(void)
{{
    struct {{ {'; '.join(EXAMPLES.values())}; }} bits = {{0}};
{region if self.in_region else f'    {declared}{chr(10)}    {told}'}
    for (int i = 0; i < at; i++)
        printf("%llu %llx %llx\\n", found[i][0], found[i][1], found[i][2]);
}}
"""


def make(seed, on_host):
    """The text of a program."""
    return Checks(seed, on_host).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, ALSO_IN_REGIONS))
