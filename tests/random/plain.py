"""Loops of plain C over arrays, which the host does in vectors, or keeps values of in registers from iteration to iteration.

Each loop is there twice: in its twin, what pointers lead to is `volatile`, so that nothing is moved, kept or done together. Both are
executed with pointers that may or may not overlap, and must leave the same bytes and give the same results.
"""

import random

SIGNED = {"signed char": 8, "short": 16, "int": 32, "long": 64}
UNSIGNED = {"unsigned char": 8, "unsigned short": 16, "unsigned": 32, "unsigned long": 64}
FLOATS = ("float", "double")
BITS = {**SIGNED, **UNSIGNED}
TYPES = (*BITS, *FLOATS)
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")

ELEMENTS = 1200
LONGEST = 150
OFFSETS = (0, 0, 1, 2, 3, 4, 5, 7, 8, 16, 33, 100, 300)
LENGTHS = (0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 64, 100, LONGEST)

FEATURES = ("branches", "sums", "inner", "steps", "floats", "breaks")

PRELUDE = """#include <math.h>
#include <stdio.h>
#include <string.h>

static double kept(double x)
{
    return x > -1e6 && x < 1e6 ? x : 1;
}

static int tell(int test, const char *what)
{
    printf("test %d: %s should be as in the twin\\n", test, what);
    return 1;
}
"""


def array(kind):
    """The name of the array of a type."""
    return "of_" + kind.replace(" ", "_")


def converted(text, kind, to):
    """An expression of one type as one of another; numbers that the type has not are 3."""
    if kind == to:
        return text
    if kind in FLOATS and to not in FLOATS:
        most = {8: "100", 16: "30000", 32: "1e9", 64: "1e15"}[BITS[to]]
        least = "0" if to in UNSIGNED else f"-{most}"
        return f"({to})(({text}) >= {least} && ({text}) < {most} ? ({text}) : 3)"
    return f"({to})({text})"


def modular(kind):
    """The type in which sums of a type wrap around."""
    return "unsigned long" if BITS[kind] == 64 else "unsigned"


class Loop:
    """The function of one test."""

    def __init__(self, rng, without):
        self.rng = rng
        self.without = without
        types = [kind for kind in TYPES if kind not in FLOATS or "floats" not in without]
        some = rng.sample(types, rng.choice((1, 1, 2, 3)))
        self.types = types
        self.pointers = [(f"p{at}", rng.choice(some)) for at in range(rng.choice((1, 2, 2, 3, 4)))]
        self.scalars = [(f"s{at}", rng.choice(types)) for at in range(2)]
        sums = 0 if "sums" in without else rng.choice((0, 1, 1, 2))
        self.sums = [(f"r{at}", rng.choice(types), rng.choice((0, 1))) for at in range(sums)]
        self.locals = []
        self.counter = rng.choice(("int", "int", "int", "unsigned", "long", "unsigned short", "unsigned long"))
        self.index = "i"
        statements = " ".join(self.statements(1))
        if "breaks" not in without and rng.random() < 0.06:
            statements += " if (p0[i] == p0[i + 1] && i > 20) break;"
        self.body = f"{self.head()} {{ {statements} }}"

    def head(self):
        rng, kind = self.rng, self.counter
        way = rng.random()
        if way < 0.1 and kind != "unsigned short":
            return f"for ({kind} i = n; i-- > 0;)"
        if way < 0.2:
            return "for (int i = n - 1; i >= 0; i--)"
        if way < 0.3 and "steps" not in self.without:
            kind = "int" if kind.startswith("unsigned") else kind
            return f"for ({kind} i = {rng.randrange(3)}; i < n - {rng.randrange(4)}; i += {rng.randrange(1, 4)})"
        return f"for ({kind} i = 0; i < n; i++)"

    def subscript(self):
        rng, at = self.rng, self.index
        way = rng.random()
        if way < 0.55:
            return at
        if way < 0.75:
            return f"{at} + {rng.choice((1, 2, 3, 4, 5, 8, 16))}"
        if way < 0.82:
            return f"n + 40 - {at}"
        if way < 0.9 and "steps" not in self.without:
            return f"{rng.choice((2, 3))} * ({at}) + {rng.choice((0, 0, 1, 3))}"
        return str(rng.randrange(8)) if way < 0.96 else f"{at} + k"

    def element(self):
        name, kind = self.rng.choice(self.pointers)
        return f"{name}[{self.subscript()}]", kind

    def leaf(self, wanted):
        rng = self.rng
        way = rng.random()
        if way < 0.65:
            return converted(*self.element(), wanted)
        if way < 0.75 and self.locals:
            return converted(*rng.choice(self.locals), wanted)
        if way < 0.85:
            return converted(*rng.choice(self.scalars), wanted)
        if way < 0.93:
            return converted(self.index, "int", wanted)
        if wanted in FLOATS:
            return rng.choice(("1.5", "0.25f", "-3.0", "2.0f"))
        return f"({wanted}){rng.choice((0, 1, 2, 5, 13, 31, 100, 127, 128, 255, 1000, -1, -7, 65535))}"

    def choice(self, wanted, depth):
        """One of two values by a comparison of others."""
        kind = self.rng.choice(self.types)
        compared = [self.value(kind, depth - 2) for _ in range(2)]
        chosen = [self.value(wanted, depth - 1) for _ in range(2)]
        if self.rng.random() < 0.4:
            kind, compared = wanted, chosen
        return f"({compared[0]} {self.rng.choice(COMPARISONS)} {compared[1]} ? {chosen[0]} : {chosen[1]})"

    def value(self, wanted, depth):
        """An expression of a type."""
        rng = self.rng
        if depth <= 0:
            return self.leaf(wanted)
        way = rng.random()
        if way < 0.15:
            return self.choice(wanted, depth)
        if way < 0.3:
            kind = rng.choice(self.types)
            return converted(self.value(kind, depth - 1), kind, wanted)
        one = self.value(wanted, depth - 1)
        if wanted in FLOATS:
            if way < 0.8:
                return f"({one} {rng.choice('+-*')} {self.value(wanted, depth - 1)})"
            if way < 0.85:
                return f"({one} / {rng.choice(('4.0f', '3.0', '7'))})"
            call = rng.choice(("fabs({})", "-({})", "sqrt(fabs({}))", "floor({})", "fmax({}, 2.5)", "fmin({}, 0.0)"))
            return f"({wanted}){call.format(one)}"
        wraps = modular(wanted)
        if way < 0.7:
            return f"({wanted})(({wraps}){one} {rng.choice('+-*&|^')} ({wraps}){self.value(wanted, depth - 1)})"
        if way < 0.8:
            by = str(rng.randrange(BITS[wanted]))
            if rng.random() < 0.3:
                by = f"({self.value('unsigned', depth - 2)} & {BITS[wanted] - 1})"
            return f"({wanted})({one} >> {by})" if rng.random() < 0.5 else f"({wanted})(({wraps}){one} << {by})"
        if way < 0.87:
            return f"({wanted})({one} {rng.choice('/%')} {rng.choice((2, 3, 4, 7, 8, 10, 100))})"
        return f"({wanted}){rng.choice('~!')}{one}" if way < 0.95 else f"({wanted})-({wraps}){one}"

    def stored(self, kind, depth):
        """What a variable or an element of a type may get."""
        text = self.value(kind, depth)
        return f"kept({text})" if kind in FLOATS else text

    def store(self):
        target, kind = self.element()
        value = self.stored(kind, self.rng.choice((0, 1, 1, 2, 2, 3)))
        if kind not in FLOATS and self.rng.random() < 0.25:
            wraps = modular(kind)
            return f"{target} {self.rng.choice('+-^|&')}= ({wraps}){value};"
        return f"{target} = {value};"

    def summed(self):
        """A statement that changes what the loop gives."""
        rng = self.rng
        name, kind, _ = rng.choice(self.sums)
        value = self.stored(kind, rng.choice((0, 1, 2)))
        way = rng.random()
        if way < 0.4:
            return f"{name} = {name} {rng.choice('<>')} {value} ? {name} : {value};"
        if way < 0.55:
            return f"if ({value} {rng.choice('<>')} {name}) {name} = {value};"
        if kind in FLOATS:
            return f"{name} += {value};"
        wraps = modular(kind)
        return f"{name} = ({kind})(({wraps}){name} {rng.choice('++++-^|&*')} ({wraps}){value});"

    def statements(self, depth):
        rng = self.rng
        known, self.locals = self.locals, list(self.locals)
        made = []
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            way = rng.random()
            if way < 0.15:
                kind = rng.choice(self.types)
                name = f"t{depth}{len(self.locals)}"
                made.append(f"{kind} {name} = {self.stored(kind, 2)};")
                self.locals.append((name, kind))
            elif way < 0.3 and "branches" not in self.without:
                kind = rng.choice(self.types)
                test = f"{self.value(kind, 1)} {rng.choice(COMPARISONS)} {self.value(kind, 0)}"
                otherwise = f" else {{ {self.store()} }}" if rng.random() < 0.3 else ""
                made.append(f"if ({test}) {{ {self.store()} }}{otherwise}")
            elif way < 0.5 and self.sums:
                made.append(self.summed())
            elif way < 0.6 and depth > 0 and "inner" not in self.without:
                index, self.index = self.index, rng.choice(("j", "i + j", "j"))
                inner = " ".join(self.statements(0))
                made.append(f"for (int j = 0; j < {rng.choice(('3', '4', '8', '(int)(i & 7)', 'n / 4'))}; j++) {{ {inner} }}")
                self.index = index
            else:
                made.append(self.store())
        self.locals = known
        return made

    def function(self, name, volatile):
        words = "volatile " if volatile else ""
        params = [f"{words}{kind} *{pointer}" for pointer, kind in self.pointers]
        params += ["int n", "int k", *(f"{kind} {scalar}" for scalar, kind in self.scalars)]
        sums = "".join(f"    {kind} {sum_} = {first};\n" for sum_, kind, first in self.sums)
        result = " + ".join(["0.0", *(f"(double){sum_}" for sum_, _, _ in self.sums)])
        return f"static double {name}({', '.join(params)})\n{{\n{sums}    {self.body}\n    return {result};\n}}\n"

    def arguments(self):
        rng = self.rng
        given = [f"{array(kind)} + {rng.choice(OFFSETS)}" for _, kind in self.pointers]
        return ", ".join([*given, str(rng.choice(LENGTHS)), str(rng.randrange(5)), *(str(rng.randrange(100)) for _ in self.scalars)])


class Plain:
    """A program of `size` loops."""

    def __init__(self, seed, size, without):
        self.rng = random.Random(seed)
        self.loops = [Loop(self.rng, without) for _ in range(size)]

    def text(self):
        parts = [PRELUDE, *self.memory()]
        for at, loop in enumerate(self.loops):
            parts += [loop.function(f"loop{at}", False), loop.function(f"twin{at}", True), self.test(at, loop)]
        calls = "".join(f"    wrong |= test{at}();\n" for at in range(len(self.loops)))
        parts.append(f"int main(void)\n{{\n    int wrong = 0;\n{calls}    return wrong;\n}}\n")
        return "\n".join(parts)

    def memory(self):
        """The arrays, each with a copy, and what fills them."""
        names = [array(kind) for kind in TYPES]
        yield "".join(f"static {kind} {name}[{ELEMENTS}], {name}_saved[{ELEMENTS}];\n" for kind, name in zip(TYPES, names))
        fills = ""
        for kind, name in zip(TYPES, names):
            value = "(int)(x % 2001) - 1000" if kind in FLOATS or self.rng.random() < 0.4 else "x"
            fills += f"        {name}[i] = ({kind})({value});\n"
        yield (f"static void fill(void)\n{{\n    unsigned long x = 1;\n    for (int i = 0; i < {ELEMENTS}; i++) {{\n"
               f"        x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9ul + 77;\n{fills}    }}\n}}\n")
        saves = "".join(f"    memcpy({name}_saved, {name}, sizeof {name});\n" for name in names)
        yield f"static void save(void)\n{{\n{saves}}}\n"
        differ = " || ".join(f"memcmp({name}_saved, {name}, sizeof {name}) != 0" for name in names)
        yield f"static int differs(void)\n{{\n    return {differ};\n}}\n"

    def test(self, at, loop):
        checks = ""
        for _ in range(3):
            arguments = loop.arguments()
            checks += (f"    fill();\n    right = twin{at}({arguments});\n    save();\n    fill();\n    found = loop{at}({arguments});\n"
                       f"    if (differs()) return tell({at}, \"memory\");\n"
                       f"    if (memcmp(&found, &right, sizeof found) != 0) return tell({at}, \"the result\");\n")
        return f"static int test{at}(void)\n{{\n    double found, right;\n{checks}    return 0;\n}}\n"
