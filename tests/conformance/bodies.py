#!/usr/bin/env python3
"""Compares what accrue and GCC make of long bodies of parallel loops: what programmers write in C for one element.

    python3 tests/conformance/bodies.py [--count 200] [--seed 1] [--ways host,O0,O3,multicore,discrete,sim,sim-O0,sim-O3,gpu,gpu-O0]

Each program has some functions of one element, or bodies of loops: arrays, structures and unions of their own that are filled in part and
read by computed subscripts, short loops of constant and other counts that leave early, walks of pointers, `switch` in loops, functions that write
through pointers, and small algorithms (`small_algorithms.py`). They are for many passes one after the other, which write loops out, make
registers of arrays and choices of branches. Each element has its own part of the result, so that the loop is parallel in a region of any kind.
GCC executes the program in sequence.
"""

import random
import sys

from against_gcc import compare
from small_algorithms import Algorithms

WAYS = {
    "host": ["-fopenmp"], "O0": ["-fopenmp", "-O0"], "O3": ["-fopenmp", "-O3"], "multicore": ["-fopenmp", "--device", "multicore"], "discrete": ["-fopenmp", "--device", "host-discrete"],
    "sim": ["-fopenmp", "--device", "sim"], "sim-O0": ["-fopenmp", "--device", "sim", "-O0"], "sim-O3": ["-fopenmp", "--device", "sim", "-O3"],
    "gpu": ["-fopenmp", "--device", "cuda"], "gpu-O0": ["-fopenmp", "--device", "cuda", "-O0"],
}
ELEMENTS, RESULTS = 40, 4
# What elements read.
INPUTS = {"of_bytes": "unsigned char", "of_chars": "signed char", "of_shorts": "short", "of_ints": "int", "of_unsigneds": "unsigned", "of_longs": "long", "of_floats": "float", "of_doubles": "double"}
LENGTH = 256
SIGNED = {"signed char": 8, "short": 16, "int": 32, "long": 64}
UNSIGNED = {"unsigned char": 8, "unsigned short": 16, "unsigned": 32, "unsigned long": 64}
INTEGERS = {**SIGNED, **UNSIGNED}
HEAD = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma acc routine seq
static double kept(double x) { return x > -1e6 && x < 1e6 ? x : 1; }
#pragma acc routine seq
static int whole(double x) { return x > -1e9 && x < 1e9 ? (int)x : 7; }
struct item { short key; int values[3]; union { unsigned u; unsigned char b[4]; } of; unsigned few : 5; };
#pragma acc routine seq
static struct item changed(struct item it, int by) { it.key += by; it.values[by & 1] ^= it.key; it.of.b[1]++; it.few += 3; return it; }
#pragma acc routine seq
static void exchange(struct item *a, struct item *b) { struct item t = *a; *a = *b; *b = t; }
#pragma acc routine seq
static int turned(int n, int by) { return n <= 0 ? by : n & 1 ? turned(n - 1, by * 2 % 700 + 1) : turned(n / 2, by + 1) % 900; }
"""


def bounds_of(type):
    """The least and the greatest number of an integer type."""
    bits = INTEGERS[type]
    return (0, 2**bits - 1) if type in UNSIGNED else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


class Scope:
    """What code can name: variables with their types and ranges, arrays with how many elements have values."""

    def __init__(self, outer=None):
        self.integers = list(outer.integers) if outer else []
        self.changing = list(outer.changing) if outer else []
        self.reals = list(outer.reals) if outer else []
        self.arrays = list(outer.arrays) if outer else []
        self.budget = outer.budget if outer else 600
        self.depth = outer.depth + 1 if outer else 0
        # How the innermost loop is left, and the function.
        self.exits = list(outer.exits) if outer else []
        self.leave = outer.leave if outer else None


class Body:
    """Makes the statements for one element."""

    def __init__(self, pick, leave, helpers, names=0):
        # Labels of several bodies may be those of one function.
        self.random, self.helpers, self.names = pick, helpers, names
        self.leave = leave
        self.algorithms = Algorithms(self)

    def chance(self, one_of):
        return self.random.randrange(one_of) == 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, first):
        self.names += 1
        return f"{first}{self.names}"

    def type(self):
        return self.random.choice(list(INTEGERS))

    # Expressions: their texts and ranges; those of `int` and `long` do not overflow.

    def leaf(self, scope):
        """A number with its range."""
        pick, way = self.random, self.random.randrange(10)
        if way < 5 and scope.integers:
            return pick.choice(scope.integers)
        if way < 7:
            array = pick.choice([name for name, type in INPUTS.items() if type in INTEGERS])
            return (f"{array}[{self.subscript(scope, LENGTH, 0)}]", INPUTS[array], *bounds_of(INPUTS[array]))
        known = [array for array in scope.arrays if array[1] in INTEGERS]
        if way < 9 and known:
            name, type, filled = pick.choice(known)
            return (f"{name}[{self.subscript(scope, filled, 0)}]", type, *bounds_of(type))
        value = pick.choice([0, 1, 2, 3, 5, 7, 8, 15, 31, 64, 100, 127, 128, 255, 1000, -1, -3, -8])
        return (str(value) if value >= 0 else f"({value})", "int", value, value)

    def squeezed(self, value):
        """The same as a small number."""
        text, type, low, high = value
        if low >= -2000 and high <= 2000:
            return value if type not in UNSIGNED else (f"(int){text}", "int", low, high)
        way = self.random.randrange(5)
        if way == 0:
            return (f"(int)({text} & 1023)", "int", 0, 1023)
        if way == 1:
            return (f"(int)({text} % 37)", "int", -36 if low < 0 else 0, 36)
        if way == 2:
            return (f"(signed char)({text})", "int", -128, 127)
        if way == 3:
            return (f"(unsigned char)({text})", "int", 0, 255)
        return (f"((short)({text}) / 20)", "int", -1639, 1639)

    def expression(self, scope, depth):
        """An expression with its type and range."""
        if depth <= 0:
            return self.leaf(scope)
        way = self.random.randrange(14)
        if way < 4:
            a, b = self.squeezed(self.expression(scope, depth - 1)), self.squeezed(self.expression(scope, depth - 1))
            operator = self.pick("+", "-", "*")
            edges = [x + y if operator == "+" else x - y if operator == "-" else x * y for x in a[2:] for y in b[2:]]
            return (f"({a[0]} {operator} {b[0]})", "int", min(edges), max(edges))
        if way < 6:
            wide = self.pick("unsigned", "unsigned long")
            a, b = self.expression(scope, depth - 1), self.expression(scope, depth - 1)
            return (f"(({wide})({a[0]}) {self.pick('+', '-', '*', '^', '&', '|')} ({wide})({b[0]}))", wide, *bounds_of(wide))
        if way == 6:
            a, by = self.expression(scope, depth - 1), self.random.randrange(1, 8)
            return (f"(({a[0]}) >> {by})", a[1], *((bounds_of(a[1])) if a[1] in UNSIGNED else (a[2] >> by, a[3] >> by)))
        if way == 7:
            a, by = self.squeezed(self.expression(scope, depth - 1)), self.random.choice([2, 3, 4, 7, 8, 10, 16, -3])
            if self.chance(2):
                return (f"({a[0]} / {by})" if by > 0 else f"({a[0]} / ({by}))", "int", -2000, 2000)
            return (f"({a[0]} % {by})" if by > 0 else f"({a[0]} % ({by}))", "int", -abs(by) + 1, abs(by) - 1)
        if way == 8:
            a, b = self.squeezed(self.expression(scope, depth - 1)), self.squeezed(self.expression(scope, depth - 1))
            return (f"({self.condition(scope)} ? {a[0]} : {b[0]})", "int", min(a[2], b[2]), max(a[3], b[3]))
        if way == 9:
            # The smaller or greater one, by a comparison of the same.
            a, b = self.squeezed(self.expression(scope, depth - 1)), self.squeezed(self.expression(scope, depth - 1))
            return (f"({a[0]} {self.pick('<', '>', '<=', '>=')} {b[0]} ? {a[0]} : {b[0]})", "int", min(a[2], b[2]), max(a[3], b[3]))
        if way == 10:
            type = self.type()
            return (f"({type})({self.expression(scope, depth - 1)[0]})", type, *bounds_of(type))
        if way == 11 and self.helpers:
            a, b = self.squeezed(self.expression(scope, depth - 1)), self.squeezed(self.expression(scope, 0))
            return (f"{self.random.choice(self.helpers)}({a[0]}, {b[0]}, 0)", "int", -2000, 2000)
        if way == 12 and (scope.reals or self.chance(2)):
            return (f"whole({self.real(scope, 1)})", "int", -(10**9), 10**9)
        return (f"({self.condition(scope)})", "int", 0, 1)

    def condition(self, scope):
        """A condition."""
        way = self.random.randrange(8)
        if way == 0:
            return f"({self.condition(scope)} {self.pick('&&', '||')} {self.condition(scope)})"
        if way == 1:
            return f"(({self.leaf(scope)[0]}) & {self.pick(1, 2, 4, 6)})"
        if way == 2:
            return f"({self.real(scope, 1)} {self.pick('<', '>', '<=', '==')} {self.real(scope, 0)})"
        a, b = self.expression(scope, 1), self.squeezed(self.leaf(scope))
        return f"({a[0]} {self.pick('<', '>', '<=', '>=', '==', '!=')} {b[0]})"

    def real(self, scope, depth):
        """An expression of floating point."""
        pick = self.random
        if depth <= 0:
            way = pick.randrange(6)
            if way < 2 and scope.reals:
                return pick.choice(scope.reals)[0]
            known = [array for array in scope.arrays if array[1] in ("float", "double")]
            if way < 4 and known:
                name, _, filled = pick.choice(known)
                return f"{name}[{self.subscript(scope, filled, 0)}]"
            if way < 5:
                return f"{self.pick('of_floats', 'of_doubles')}[{self.subscript(scope, LENGTH, 0)}]"
            return self.pick("1.5", "0.25f", "-3.0", "2.0f", "0.1", "0.3f", f"({self.pick('float', 'double')}){self.squeezed(self.leaf(scope))[0]}")
        a, b = self.real(scope, depth - 1), self.real(scope, depth - 1)
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} * {b} + {self.real(scope, 0)})", f"({a} - {b} * {self.real(scope, 0)})", f"({a} / {self.pick('3.0', '4.0f', '0.7f')})", f"({a} < {b} ? {a} : {b})",
            f"({a} > {b} ? {a} : {b})", f"fabs({a})", f"fmin({a}, {b})", f"fmaxf({a}, {b})", f"sqrt(fabs({a}))", f"({self.condition(scope)} ? {a} : {b})", f"(float)({a})", f"-({a})",
        )

    def subscript(self, scope, length, depth=1):
        """A subscript below a length."""
        if length == 1:
            return "0"
        fitting = [(text, low, high) for text, _, low, high in scope.integers if low >= 0 and high < length]
        if fitting and self.random.randrange(3):
            text, low, high = self.random.choice(fitting)
            more = length - 1 - high
            if more and self.chance(3):
                return f"{text} + {self.random.randrange(1, more + 1)}"
            return f"{high} - {text}" if self.chance(6) else text
        if self.chance(5):
            return str(self.random.randrange(length))
        value = self.expression(scope, depth)
        if length & (length - 1) == 0 and self.chance(2):
            return f"({value[0]}) & {length - 1}"
        if self.chance(3):
            small = self.squeezed(value)[0]
            return f"({small} < 0 ? 0 : {small} > {length - 1} ? {length - 1} : {small})"
        return f"(unsigned)({value[0]}) % {length}"

    def stored(self, scope, type, depth=2):
        """What an object of a type may get."""
        return self.expression(scope, depth)[0] if type in INTEGERS else f"kept({self.real(scope, depth)})"

    # Statements.

    def statements(self, scope, count):
        return "\n".join(self.statement(scope) for _ in range(count))

    def statement(self, scope):
        kinds = ["declare"] * 2 + ["assign"] * 4 + ["branch", "chain", "call", "real_change", "structure", "union", "bits", "wide", "recursion", "table"]
        if scope.depth < 4 and scope.budget > 2:
            kinds += ["items", "bytes", "jumps", "rows"]
            kinds += ["loop"] * 4 + ["array"] * 3 + ["switch", "do", "walk", "search", "window"] + ["algorithm"] * 3
        if scope.exits:
            kinds += ["exit"]
        return getattr(self, self.random.choice(kinds))(scope)

    def declare(self, scope):
        name, type = self.name("v"), self.type()
        text = f"{type} {name} = {self.stored(scope, type)};"
        self.variable(scope, name, type)
        return text

    def variable(self, scope, name, type):
        scope.integers.append((name, type, *bounds_of(type)))
        scope.changing.append((name, type))

    def assign(self, scope):
        pick = self.random
        if scope.arrays and self.chance(2):
            name, type, filled = pick.choice(scope.arrays)
            target = f"{name}[{self.subscript(scope, filled)}]"
        elif scope.changing:
            target, type = pick.choice(scope.changing)
        else:
            return self.declare(scope)
        if type in INTEGERS:
            if self.chance(5):
                return f"{target}{self.pick('++', '--')};" if type in UNSIGNED or INTEGERS[type] < 32 else f"{target} ^= 1;"
            if self.chance(3):
                return f"{target} {self.pick('^=', '|=', '&=')} {self.stored(scope, type)};"
            if self.chance(3) and (type in UNSIGNED or INTEGERS[type] < 32):
                return f"{target} {self.pick('+=', '-=')} {self.squeezed(self.expression(scope, 2))[0]};"
        return f"{target} = {self.stored(scope, type)};"

    def real_change(self, scope):
        """A declaration or change of a variable of floating point."""
        if scope.reals and self.chance(2):
            name, _ = self.random.choice(scope.reals)
            return f"{name} = kept({self.pick(f'{name} + {self.real(scope, 2)}', f'{self.real(scope, 2)} * {name} + {self.real(scope, 1)}', self.real(scope, 2))});"
        name, type = self.name("r"), self.pick("float", "double")
        text = f"{type} {name} = kept({self.real(scope, 2)});"
        scope.reals.append((name, type))
        return text

    def block(self, scope, count=None):
        inner = Scope(scope)
        return self.statements(inner, count or self.random.randrange(1, 4))

    def branch(self, scope):
        otherwise = f" else {{\n{self.block(scope)}\n}}" if self.chance(2) else ""
        return f"if ({self.condition(scope)}) {{\n{self.block(scope)}\n}}{otherwise}"

    def chain(self, scope):
        """A chain of choices."""
        name, type = self.name("v"), self.type()
        links = "".join(f"{self.condition(scope)} ? {self.squeezed(self.expression(scope, 1))[0]} : " for _ in range(self.random.randrange(2, 5)))
        text = f"{type} {name} = {links}{self.squeezed(self.leaf(scope))[0]};"
        self.variable(scope, name, type)
        return text

    def call(self, scope):
        """A function that gives values through pointers, too."""
        if not self.helpers:
            return self.declare(scope)
        name, out = self.name("v"), self.name("v")
        a, b = self.squeezed(self.expression(scope, 2)), self.squeezed(self.expression(scope, 1))
        target = f"&{out}"
        declared = f"long {out} = {self.leaf(scope)[0]};"
        known = [array for array in scope.arrays if array[1] == "long"]
        if known and self.chance(2):
            array, _, filled = self.random.choice(known)
            target, declared = f"&{array}[{self.subscript(scope, filled)}]", f"long {out} = 1;"
        text = f"{declared}\nint {name} = {self.random.choice(self.helpers)}({a[0]}, {b[0]}, {target});"
        self.variable(scope, out, "long")
        self.variable(scope, name, "int")
        return text

    def count(self, scope):
        """How often a loop goes round: the text, and the greatest number."""
        if self.random.randrange(3):
            count = self.random.choice([1, 2, 3, 4, 5, 7, 8, 9, 12, 16])
            return str(count), count
        count = self.random.choice([3, 4, 8, 9])
        return f"(int)((unsigned)({self.leaf(scope)[0]}) % {count + 1})", count

    def header(self, scope, text, count):
        """A loop of so many iterations, and its counter with its range."""
        name = self.name("i")
        type = self.pick("int", "int", "int", "unsigned", "long", "short", "unsigned char", "signed char", "unsigned long")
        signed = type in SIGNED
        way = self.random.randrange(6)
        if way == 0 and signed:
            return f"for ({type} {name} = {text} - 1; {name} >= 0; {name}--)", (name, type, 0, count - 1)
        if way == 1:
            return f"for ({type} {name} = {text}; {name}-- > 0;)", (name, type, 0, count - 1)
        if way == 2:
            step = self.random.choice([2, 3])
            return f"for ({type} {name} = {self.pick(0, 1)}; {name} < {text}; {name} += {step})", (name, type, 0, count - 1)
        if way == 3 and text.isdigit():
            return f"for ({type} {name} = 0; {name} != {text}; {name}++)", (name, type, 0, count - 1)
        if way == 4 and signed:
            first = self.random.randrange(1, 4)
            return f"for ({type} {name} = -{first}; {name} < {text} - {first}; {name}++)", (name, type, -first, count - 1 - first)
        return f"for ({type} {name} = 0; {name} < {text}; {self.pick(f'{name}++', f'++{name}', f'{name} += 1')})", (name, type, 0, count - 1)

    def inside(self, scope, count):
        inner = Scope(scope)
        inner.budget = scope.budget // max(count, 1)
        return inner

    def loop(self, scope):
        text, count = self.count(scope)
        bound = ""
        if not text.isdigit():
            name = self.name("n")
            bound, text = f"int {name} = {text};\n", name
        head, counter = self.header(scope, text, count)
        inner = self.inside(scope, count)
        inner.integers.append(counter)
        inner.exits = ["break;", "continue;"]
        return f"{bound}{head} {{\n{self.statements(inner, self.random.randrange(1, 4))}\n}}"

    def do(self, scope):
        """A loop with several exits."""
        name, count = self.name("n"), self.random.choice([2, 3, 5, 9])
        inner = self.inside(scope, count)
        inner.integers.append((name, "int", 0, count))
        inner.exits = ["break;"]
        body = self.statements(inner, self.random.randrange(1, 3))
        more = self.statements(Scope(inner), 1)
        shape = self.random.randrange(3)
        if shape == 0:
            return f"int {name} = 0;\ndo {{\n{body}\nif ({self.condition(scope)}) break;\n{more}\n}} while (++{name} < {count} && {self.condition(scope)});"
        if shape == 1:
            return f"int {name} = {count};\nwhile ({name} > 0) {{\n{name}--;\n{body}\nif ({self.condition(scope)}) continue;\n{more}\n}}"
        return f"int {name} = 0;\nfor (;;) {{\nif ({name} >= {count}) break;\n{body}\n{name}++;\nif ({self.condition(scope)}) break;\n{more}\n}}"

    def exit(self, scope):
        ways = [*scope.exits, *([self.leave] if self.leave else [])]
        return f"if ({self.condition(scope)}) {self.random.choice(ways)}"

    def switch(self, scope):
        """Cases in a loop, some of which go on in the next one."""
        count = self.random.choice([3, 5, 8])
        head, counter = self.header(scope, str(count), count)
        inner = self.inside(scope, count)
        inner.integers.append(counter)
        inner.exits = ["continue;"]
        cases = self.random.sample(range(8), self.random.randrange(2, 6))
        lines = []
        for case in cases:
            label = f"case {case}:" if not self.chance(6) else f"case {case}: case {case + 8}:"
            lines.append(f"{label} {{\n{self.statements(Scope(inner), 1)}\n}}{self.pick(' break;', ' break;', '', ' continue;')}")
        if self.chance(2):
            lines.append(f"default: {{\n{self.statements(Scope(inner), 1)}\n}}")
        return f"{head} {{\nswitch (({self.expression(inner, 1)[0]}) & {self.pick(3, 7, 15)}) {{\n" + "\n".join(lines) + f"\n}}\n{self.statement(inner)}\n}}"

    def array(self, scope):
        """An array of the element's own that gets values in part, or all of them."""
        type = self.pick(*INTEGERS, "float", "double", "long", "int")
        length, name = self.random.choice([2, 3, 4, 5, 8, 9, 16, 25]), self.name("a")
        way = self.random.randrange(4)
        if way == 0:
            some = self.random.randrange(1, min(length, 6) + 1)
            text = f"{type} {name}[{length}] = {{{', '.join(self.stored(scope, type, 1) for _ in range(some))}}};"
            scope.arrays.append((name, type, length))
            return text
        filled = self.random.randrange(1, length + 1)
        inner = self.inside(scope, filled)
        head, counter = (f"for (int {name}_k = 0; {name}_k < {filled}; {name}_k++)", (f"{name}_k", "int", 0, filled - 1)) if self.chance(2) else (f"for (unsigned char {name}_k = {filled}; {name}_k-- > 0;)", (f"{name}_k", "unsigned char", 0, filled - 1))
        inner.integers.append(counter)
        value = self.stored(inner, type)
        store = f"{name}[{counter[0]}] = {value};"
        if way == 1:
            store = f"if ({self.condition(inner)}) {store}\nelse {name}[{counter[0]}] = {self.stored(inner, type, 1)};"
        elif way == 2:
            store = f"{{\n{type} {name}_t = {value};\n{name}[{counter[0]}] = {name}_t;\n}}"
        text = f"{type} {name}[{length}];\n{head} {store}"
        scope.arrays.append((name, type, filled))
        return text

    def walk(self, scope):
        """A pointer that goes through an array."""
        if not scope.arrays:
            return self.array(scope)
        name, type, filled = self.random.choice(scope.arrays)
        p, inner = self.name("p"), self.inside(scope, filled)
        if type in INTEGERS:
            inner.integers.append((f"*{p}", type, *bounds_of(type)))
        else:
            inner.reals.append((f"*{p}", type))
        inner.exits = ["break;"]
        change = f"*{p} = {self.stored(inner, type, 1)};"
        more = self.statement(inner)
        shape = self.random.randrange(5)
        if shape == 0:
            return f"for ({type} *{p} = {name}; {p} < {name} + {filled}; {p}++) {{\n{change}\n{more}\n}}"
        if shape == 1:
            return f"for ({type} *{p} = {name} + {filled}; {p} != {name};) {{\n--{p};\n{more}\n{change}\n}}"
        if shape == 2:
            step = 2 if filled % 2 == 0 else 1
            return f"for ({type} *{p} = {name}; {p} - {name} < {filled}; {p} += {step}) {{\n{change}\n{more}\n}}"
        if shape == 3:
            q = self.name("p")
            return f"for ({type} *{p} = {name}, *{q} = {name} + {filled - 1}; {p} < {q}; {p}++, {q}--) {{\n{type} {p}_t = *{p};\n*{p} = *{q};\n*{q} = {p}_t;\n{more}\n}}"
        n = self.name("n")
        return f"{{ {type} *{p} = {name}; int {n} = {filled};\nwhile ({n}--) {{\n{type} {p}_t = {self.stored(scope, type, 1)};\n*{p}++ = {p}_t;\nif ({self.condition(scope)}) break;\n}} }}"

    def search(self, scope):
        """Loops in each other that end with what they look for."""
        found, i, j, label = self.name("v"), self.name("i"), self.name("i"), self.name("L")
        rows, columns = self.random.choice([2, 3, 5]), self.random.choice([2, 3, 4, 8])
        inner = self.inside(scope, rows * columns)
        inner.integers += [(i, "int", 0, rows - 1), (j, "int", 0, columns - 1)]
        out, behind = self.pick((f"goto {label};", f"\n{label}: ;"), ("break;", ""))
        text = f"int {found} = -1;\nfor (int {i} = 0; {i} < {rows}; {i}++)\nfor (int {j} = 0; {j} < {columns}; {j}++) {{\n{self.statement(Scope(inner))}\nif ({self.condition(inner)}) {{ {found} = {i} * {columns} + {j}; {out} }}\n}}{behind}"
        scope.integers.append((found, "int", -1, rows * columns - 1))
        return text

    def window(self, scope):
        """A small array of two dimensions."""
        name, type = self.name("w"), self.pick("int", "short", "float", "double", "long", "unsigned char")
        rows, columns = self.random.choice([(3, 3), (2, 3), (3, 5), (4, 4), (5, 2)])
        source = self.random.choice([name for name, of in INPUTS.items() if (of in INTEGERS) == (type in INTEGERS)])
        i, j, sum_ = self.name("i"), self.name("i"), self.name("v")
        inner = self.inside(scope, rows * columns)
        inner.integers += [(i, "int", 0, rows - 1), (j, "int", 0, columns - 1)]
        loops = f"for (int {i} = 0; {i} < {rows}; {i}++)\nfor (int {j} = 0; {j} < {columns}; {j}++)"
        at = self.squeezed(self.leaf(scope))[0]
        lines = [f"{type} {name}[{rows}][{columns}];", f"{loops} {{\nint at = {at} + {i} * 16 + {j} - 17;\n{name}[{i}][{j}] = {source}[at < 0 ? 0 : at > {LENGTH - 1} ? {LENGTH - 1} : at];\n}}"]
        for _ in range(self.random.randrange(1, 4)):
            kind = self.random.randrange(4)
            if kind == 0:
                lines.append(f"for (int {i} = 0; {i} < {rows - 1}; {i}++) {self.pick(f'memcpy({name}[{i}], {name}[{i} + 1], sizeof {name}[0]);', f'for (int {j} = 0; {j} < {columns}; {j}++) {name}[{i}][{j}] = {name}[{i} + 1][{j}];')}")
            elif kind == 1:
                lines.append(f"{name}[{self.subscript(scope, rows)}][{self.subscript(scope, columns)}] = {self.stored(scope, type, 1)};")
            elif kind == 2:
                value = f"({name}[{i}][{j}] & 1023) * 3 + {j}" if type in INTEGERS else f"kept({name}[{i}][{j}] * 0.5f + {self.real(inner, 0)})"
                lines.append(f"{loops} {self.pick('', f'if ({i} != {j}) ')}{name}[{i}][{j}] = {value};")
            else:
                lines.append(f"for (int {j} = 1; {j} < {columns}; {j}++) {{ {type} t = {name}[0][{j}]; {name}[0][{j}] = {name}[{rows - 1}][{j} - 1]; {name}[{rows - 1}][{j} - 1] = t; }}")
        if type in INTEGERS:
            lines.append(f"unsigned {sum_} = 0;\n{loops} {sum_} = {sum_} * 7u + (unsigned){name}[{i}][{j}];")
            self.variable(scope, sum_, "unsigned")
            scope.integers.append((f"{name}[{self.subscript(scope, rows)}][{self.subscript(scope, columns)}]", type, *bounds_of(type)))
        else:
            lines.append(f"double {sum_} = 0;\n{loops} {sum_} = kept({sum_} * 0.5 + {name}[{i}][{j}]);")
            scope.reals.append((sum_, "double"))
            scope.reals.append((f"{name}[{self.random.randrange(rows)}][{self.random.randrange(columns)}]", type))
        return "\n".join(lines)

    def structure(self, scope):
        """A structure with an array, some members of which get values."""
        name, types = self.name("s"), [self.type() for _ in range(2)]
        length = self.random.choice([2, 3, 4])
        kind = self.random.randrange(3)
        members = f"{types[0]} a; {self.pick('', 'char pad; ')}{types[1]} b[{length}]; int c : {self.random.randrange(2, 20)}; unsigned d : {self.random.randrange(1, 20)};"
        if kind == 0:
            text = f"struct {{ {members} }} {name} = {{ {self.stored(scope, types[0], 1)}, .b = {{ {self.stored(scope, types[1], 1)} }}, .d = {self.pick(0, 1)} }};"
        else:
            text = f"struct {{ {members} }} {name};\n{name}.a = {self.stored(scope, types[0])};\n{name}.c = {self.stored(scope, 'int', 1)};\n{name}.d = 1;\nfor (int k = 0; k < {length}; k++) {name}.b[k] = {self.stored(scope, types[1], 1)};"
        if kind == 2:
            text += f"\n__typeof__({name}) {name}_c = {name};\n{name}_c.b[{self.subscript(scope, length)}] = {self.stored(scope, types[1], 1)};\nif ({self.condition(scope)}) {name} = {name}_c;"
            self.variable(scope, f"{name}_c.a", types[0])
        self.variable(scope, f"{name}.a", types[0])
        self.variable(scope, f"{name}.c", "short")
        scope.integers[-1] = (f"{name}.c", "int", -(2**19), 2**19)
        self.variable(scope, f"{name}.d", "unsigned char")
        scope.integers[-1] = (f"{name}.d", "int", 0, 2**20)
        scope.arrays.append((f"{name}.b", types[1], length))
        return text

    def union(self, scope):
        """The bytes of a number, and the number of bytes."""
        name = self.name("u")
        text = f"union {{ unsigned u; int i; float f; unsigned char b[4]; unsigned short s[2]; }} {name};\n"
        if self.chance(3):
            text += f"{name}.f = (float)kept({self.real(scope, 1)});"
        else:
            text += f"{name}.u = {self.stored(scope, 'unsigned')};"
        text += self.pick("", f"\n{name}.b[{self.subscript(scope, 4)}] = {self.stored(scope, 'unsigned char', 1)};", f"\n{name}.s[{self.random.randrange(2)}] ^= {self.stored(scope, 'unsigned short', 1)};")
        self.variable(scope, f"{name}.u", "unsigned")
        scope.integers += [(f"{name}.i", "int", *bounds_of("int"))]
        scope.arrays += [(f"{name}.b", "unsigned char", 4), (f"{name}.s", "unsigned short", 2)]
        return text

    def bits(self, scope):
        """Loops over the bits of a number."""
        x, n, type = self.name("v"), self.name("v"), self.pick("unsigned", "unsigned char", "unsigned short", "unsigned long")
        bits = INTEGERS[type]
        loop = self.pick(f"while ({x}) {{ {x} &= {x} - 1; {n}++; }}", f"while ({x}) {{ {n} += {x} & 1; {x} >>= 1; }}", f"for (int k = 0; k < {bits}; k++) if ({x} >> k & 1) {n} += k;", f"do {{ {n} = {n} * 3 + ({x} & 3); {x} /= 4; }} while ({x} != 0 && {n} < 500);", f"for (; {x} > 1; {x} >>= 1) {n}++;")
        text = f"{type} {x} = {self.stored(scope, type)};\nint {n} = 0;\n{loop}"
        scope.integers.append((n, "int", 0, 2100))
        self.variable(scope, x, type)
        return text

    def wide(self, scope):
        """Numbers of 128 bits."""
        name, out, type = self.name("w"), self.name("v"), self.pick("__int128", "unsigned __int128")
        a, b = self.expression(scope, 1)[0], self.squeezed(self.expression(scope, 1))[0]
        operation = self.pick(f"{name} = {name} * ({b} | 1) + {self.random.randrange(99)};", f"{name} ^= {name} << {self.random.randrange(1, 60)};", f"{name} = {name} / (({b} & 63) + 1);", f"{name} -= ({type})({a}) << 20;", f"if ({name} > 1000) {name} %= 1000;")
        text = f"{type} {name} = ({type})({a}) << {self.random.randrange(30)};\n{operation}\nlong {out} = (long)({name} >> {self.pick(0, 7, 40)});"
        self.variable(scope, out, "long")
        return text

    def recursion(self, scope):
        name = self.name("v")
        text = f"int {name} = turned({self.squeezed(self.expression(scope, 1))[0]} & 31, {self.squeezed(self.leaf(scope))[0]} & 255);"
        self.variable(scope, name, "int")
        return text

    def table(self, scope):
        """Constants, of which computed ones are read."""
        name, out, length = self.name("k"), self.name("v"), self.pick(3, 4, 8, 10)
        type = self.pick("int", "short", "signed char", "long")
        values = ", ".join(str(self.random.randrange(-99, 99)) for _ in range(length))
        text = f"{self.pick('static const', 'const', '')} {type} {name}[{length}] = {{{values}}};\n{type} {out} = {name}[{self.subscript(scope, length)}] - {name}[{self.subscript(scope, length)}];"
        self.variable(scope, out, type)
        return text

    def items(self, scope):
        """Structures in an array, which functions take and give, and pointers change."""
        s, k, count, p = self.name("s"), self.name("i"), self.pick(2, 3, 4), self.name("p")
        inner = self.inside(scope, count)
        inner.integers.append((k, "int", 0, count - 1))
        lines = [f"struct item {s}[{count}];", f"for (int {k} = 0; {k} < {count}; {k}++) {s}[{k}] = (struct item){{{self.stored(inner, 'short', 1)}, {{{k}, {self.stored(inner, 'int', 1)}}}, {{{self.stored(inner, 'unsigned', 1)}}}, {k}}};"]
        for _ in range(self.random.randrange(1, 4)):
            at, other = self.subscript(scope, count), self.subscript(scope, count)
            lines.append(self.pick(
                f"{s}[{at}] = changed({s}[{other}], {self.squeezed(self.expression(scope, 1))[0]} & 15);", f"exchange(&{s}[{at}], &{s}[{other}]);", f"{{ struct item *{p} = &{s}[{at}]; {p}->values[{self.subscript(scope, 3)}] = {self.stored(scope, 'int', 1)}; {p}->few--; }}",
                f"for (struct item *{p} = {s}; {p} != {s} + {count}; {p}++) if ({p}->key > {self.random.randrange(-50, 50)}) {p}->of.u += {p}->values[1];", f"{s}[{at}] = {self.condition(scope)} ? {s}[0] : {s}[{count - 1}];",
                f"for (int {k} = 1; {k} < {count}; {k}++) if ({s}[{k}].key < {s}[{k} - 1].key) exchange({s} + {k}, {s} + {k} - 1);", f"if ({s}[{at}].few == {s}[{other}].few) {s}[{at}].key = changed({s}[{other}], 3).key;",
            ))
        out = self.name("v")
        lines.append(f"unsigned {out} = 0;\nfor (int {k} = 0; {k} < {count}; {k}++) {out} = {out} * 7u + {s}[{k}].key + {s}[{k}].values[0] * 3u + {s}[{k}].values[1] * 5u + {s}[{k}].values[2] + {s}[{k}].of.u + {s}[{k}].few;")
        self.variable(scope, out, "unsigned")
        self.variable(scope, f"{s}[{self.subscript(scope, count)}].key", "short")
        scope.arrays.append((f"{s}[{self.random.randrange(count)}].values", "int", 3))
        return "\n".join(lines)

    def bytes(self, scope):
        """Bytes that are copied, moved, set and compared."""
        known = [array for array in scope.arrays if array[1] in INTEGERS and "." not in array[0]]
        if not known:
            return self.array(scope)
        name, type, filled = self.random.choice(known)
        b, out = self.name("a"), self.name("v")
        some = self.random.randrange(1, filled + 1)
        lines = [f"{type} {b}[{filled}];\nmemcpy({b}, {name}, sizeof {b});"]
        for _ in range(self.random.randrange(1, 3)):
            lines.append(self.pick(
                f"memmove({b} + {filled - some}, {b}, {some} * sizeof *{b});", f"memmove({b}, {b} + {filled - some}, {some} * sizeof *{b});", f"memset({b}, {self.random.randrange(256)}, {some} * sizeof *{b});", f"((unsigned char *){b})[{self.subscript(scope, filled)}] ^= {self.stored(scope, 'unsigned char', 1)};",
                f"if (memcmp({b}, {name}, sizeof {b})) {b}[0] = {self.stored(scope, type, 1)};",
            ))
        lines.append(f"int {out} = memcmp({b}, {name}, {some}) != 0;")
        scope.arrays.append((b, type, filled))
        scope.integers.append((out, "int", 0, 1))
        return "\n".join(lines)

    def jumps(self, scope):
        """Loops of `goto`, and one that is left in the middle."""
        n, again, out, count = self.name("n"), self.name("L"), self.name("L"), self.pick(2, 3, 6)
        inner = self.inside(scope, count)
        inner.integers.append((n, "int", 0, count))
        inner.exits = [f"goto {out};"]
        return f"int {n} = 0;\n{again}: ;\n{{\n{self.statements(inner, 1)}\nif ({self.condition(inner)}) goto {out};\n{self.statement(Scope(inner))}\n}}\nif (++{n} < {count}) goto {again};\n{out}: ;"

    def rows(self, scope):
        """Pointers to rows, which change places."""
        m, rows, columns = self.name("m"), self.pick(2, 3), self.pick(2, 3, 4)
        type, p, i, j = self.pick("int", "unsigned char", "long", "short"), self.name("p"), self.name("i"), self.name("i")
        inner = self.inside(scope, rows * columns)
        inner.integers += [(i, "int", 0, rows - 1), (j, "int", 0, columns - 1)]
        loops = f"for (int {i} = 0; {i} < {rows}; {i}++)\nfor (int {j} = 0; {j} < {columns}; {j}++)"
        out = self.name("v")
        turns = self.pick(1, 2, 3)
        change = f"{{ {type} *t = {p}[0]; for (int k = 0; k < {rows - 1}; k++) {p}[k] = {p}[k + 1]; {p}[{rows - 1}] = t; }}"
        text = f"{type} {m}[{rows}][{columns}], *{p}[{rows}];\nfor (int {i} = 0; {i} < {rows}; {i}++) {p}[{i}] = {m}[{self.pick(i, f'{rows - 1} - {i}')}];\n{loops} {p}[{i}][{j}] = {self.stored(inner, type, 1)};\nfor (int r = 0; r < {turns}; r++) {{\nif ({self.condition(scope)}) {change}\nfor (int k = 1; k < {columns}; k++) {p}[0][k] ^= {p}[{rows - 1}][k - 1];\n}}"
        text += f"\nunsigned {out} = 0;\n{loops} {out} = {out} * 5u + (unsigned){m}[{i}][{j}];"
        self.variable(scope, out, "unsigned")
        return text

    def algorithm(self, scope):
        return self.algorithms.some(scope)

    # The end.

    def results(self, scope):
        """What stays of the element: a number of all that it has."""
        lines = [f"h = h * 31 + (unsigned long)({name});" for name, *_ in scope.integers if name != "e"]
        lines += [f"h = h * 31 + (unsigned long)(long)({name} * 64);" for name, _ in scope.reals]
        for name, type, filled in scope.arrays:
            value = f"(unsigned long){name}[k]" if type in INTEGERS else f"(unsigned long)(long)({name}[k] * 64)"
            lines.append(f"for (int k = 0; k < {filled}; k++) h = h * 31 + {value};")
        return "\n".join(lines)


class Program:
    """A program with some loops."""

    def __init__(self, seed):
        self.random = random.Random(f"bodies {seed}")

    def helper(self, number, known):
        """A function of numbers that gives one, perhaps another one through a pointer."""
        body = Body(self.random, f"return {self.random.randrange(-9, 9)};", known)
        scope = Scope()
        scope.integers += [("x", "int", -2000, 2000), ("y", "int", -2000, 2000)]
        scope.budget, scope.depth = 30, 2
        text = body.statements(scope, self.random.randrange(2, 5))
        last = body.squeezed(body.expression(scope, 2))[0]
        routine = self.random.choice(["", "#pragma acc routine seq\n"])
        return f"{routine}static int help{number}(int x, int y, long *out)\n{{\n{text}\nif (out) *out = {body.stored(scope, 'long')};\nreturn {last};\n}}"

    def launched(self, text):
        """A loop over elements in a region, or in none."""
        pick = self.random.choice
        levels = pick(["", "gang", "gang vector", "gang worker", "gang worker vector", "vector", "worker", "gang vector vector_length(32)", "gang worker vector num_workers(2) vector_length(64)", "gang num_gangs(3)"])
        copies = f"copy(result) copyin({', '.join(INPUTS)})"
        loop = f"for (int e = 0; e < {ELEMENTS}; e++) {{\n{text}\n}}"
        rows = f"for (int g = 0; g < {ELEMENTS} / 8; g++) {{\n#pragma acc loop vector\nfor (int l = 0; l < 8; l++) {{\nint e = g * 8 + l;\n{text}\n}}\n}}"
        return pick([
            f"#pragma acc parallel loop {levels} {copies}\n{loop}", f"#pragma acc parallel loop {levels} {copies}\n{loop}", f"#pragma acc kernels {copies}\n{loop}", f"#pragma acc kernels loop independent {copies}\n{loop}",
            f"#pragma acc serial {copies}\n{loop}", f"#pragma acc parallel loop gang {copies}\n{rows}", loop, f"#pragma omp target teams distribute parallel for map(tofrom : result)\n{loop}",
            f"#pragma omp target parallel for simd map(tofrom : result)\n{loop}", f"#pragma omp target map(tofrom : result)\n{loop}", f"#pragma omp parallel for num_threads(2)\n{loop}",
        ])

    def program(self):
        functions, calls, helpers = [], [], []
        for number in range(self.random.randrange(4)):
            functions.append(self.helper(number, list(helpers)))
            helpers.append(f"help{number}")
        for number in range(self.random.randrange(2, 5)):
            inline = self.random.randrange(3) == 0
            leave = f"goto done{number};" if inline else "return h + 7;"
            body, scope = Body(self.random, leave, helpers, number * 1000), Scope()
            scope.leave = leave
            scope.integers.append(("e", "int", 0, ELEMENTS - 1))
            text = body.statements(scope, self.random.randrange(4, 12))
            text = f"{text}\n{body.results(scope)}"
            place = f"result[e * {RESULTS} + {number}]"
            if inline:
                calls.append(self.launched(f"unsigned long h = 1;\n{{\n{text}\n}}\ndone{number}: {place} = h;"))
            else:
                routine = self.random.choice(["", "#pragma acc routine seq\n"])
                functions.append(f"{routine}static unsigned long work{number}(int e)\n{{\nunsigned long h = 1;\n{text}\nreturn h;\n}}")
                calls.append(self.launched(f"{place} = work{number}(e);"))
        inputs = "\n".join(f"static {type} {name}[{LENGTH}];\n#pragma acc declare create({name})" for name, type in INPUTS.items())
        fill = "\n".join(f"{name}[k] = {f'(k * {self.random.randrange(1, 99)} % 211 - 100) * {self.random.choice([1, 0.5, 0.1])}' if 'f' in name[3] or name == 'of_doubles' else f'(long)(k * 2654435761u + {self.random.randrange(999)}) >> {self.random.choice([0, 3, 11, 20])}'};" for name in INPUTS)
        names = ", ".join(INPUTS)
        main = "\n".join(calls)
        return f"""{HEAD}{inputs}
#pragma omp declare target to({names})
static unsigned long result[{ELEMENTS * RESULTS}];
{chr(10).join(functions)}
int main(void)
{{
for (int k = 0; k < {LENGTH}; k++) {{
{fill}
}}
#pragma acc update device({names})
{main}
for (int k = 0; k < {ELEMENTS * RESULTS}; k++) printf("%d %lx\\n", k, result[k]);
return 0;
}}
"""


def make(seed, on_host):
    """The text of a program."""
    return Program(seed).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, WAYS)]))
