#!/usr/bin/env python3
"""Compares what accrue and GCC make of loops in `kernels` with random counters and subscripts.

    python3 tests/conformance/subscripts.py [--count 200] [--seed 1] [--ways kernels,discrete,multicore,gpu,gpu-O0]

Counters of all integer types go up and down, also through 0 where they have no sign; subscripts add, multiply, divide,
shift and mask counters, values that the compiler does not know and constants, in numbers of all widths, with and without
a sign, through casts, conditions and small functions. The script computes all of them as C does, and keeps what stays in
an array and overflows nowhere. So iterations meet in elements where a number has wrapped around, and a loop that is
called parallel by mistake gives another result than GCC, or a race in the simulator.
"""

import random
import sys

from against_gcc import IN_KERNELS, compare

# Name -> bits, and whether it has a sign; from the lowest rank to the highest.
TYPES = {
    "signed char": (8, True), "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False),
    "int": (32, True), "unsigned": (32, False), "long": (64, True), "unsigned long": (64, False),
}
SUFFIXES = {"int": "", "unsigned": "u", "long": "L", "unsigned long": "UL"}
# What wraps around early, or has a small inverse.
CONSTANTS = [0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 64, 127, 128, 255, 256, 32768, 65535, 65536, 65537, 0x7fffffff, 0x80000000,
             0x80000001, 0xaaaaaaab, 0xfffffffe, 0xffffffff]
ELEMENTS = 600
MOST_ITERATIONS = 60


class Undefined(Exception):
    """The program would overflow, divide by zero, or not end."""


def converted(value, name):
    """A number as one of another type."""
    bits, signed = TYPES[name]
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def promoted(name):
    """The type in which a number is computed with."""
    return "int" if TYPES[name][0] < 32 else name


def common(a, b):
    """The type of a sum of two numbers."""
    return max(promoted(a), promoted(b), key=list(TYPES).index)


def defined(value, name):
    """The result of an operation."""
    if TYPES[name][1] and converted(value, name) != value:
        raise Undefined
    return name, converted(value, name)


class Constant:
    """A constant."""

    def __init__(self, name, value):
        self.name = name
        self.number = converted(value, name)

    def __str__(self):
        return f"({self.number}{SUFFIXES[self.name]})" if self.number < 0 else f"{self.number}{SUFFIXES[self.name]}"

    def value(self, _):
        """Its type and value."""
        return self.name, self.number


class Variable:
    """A counter, a parameter, or what the compiler does not know."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    def value(self, variables):
        """Its type and value."""
        return variables[self.text]


class Operation:
    """Two operands and an operator."""

    def __init__(self, operator, a, b):
        self.operator, self.a, self.b = operator, a, b

    def __str__(self):
        return f"({self.a} {self.operator} {self.b})"

    def value(self, variables):
        """Its type and value."""
        (type_of_a, a), (type_of_b, b) = self.a.value(variables), self.b.value(variables)
        if self.operator in ("<<", ">>"):
            name = promoted(type_of_a)
            if not 0 <= b < TYPES[name][0] or self.operator == "<<" and a < 0:
                raise Undefined
            return defined(a << b if self.operator == "<<" else a >> b, name)
        name = common(type_of_a, type_of_b)
        a, b = converted(a, name), converted(b, name)
        if self.operator in ("/", "%"):
            if b == 0:
                raise Undefined
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return defined(quotient if self.operator == "/" else a - quotient * b, name)
        results = {
            "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "&": lambda: a & b, "|": lambda: a | b, "^": lambda: a ^ b,
            "<": lambda: a < b, ">": lambda: a > b, "<=": lambda: a <= b, ">=": lambda: a >= b, "==": lambda: a == b,
            "!=": lambda: a != b,
        }
        is_comparison = self.operator in ("<", ">", "<=", ">=", "==", "!=")
        return defined(int(results[self.operator]()), "int" if is_comparison else name)


class Cast:
    """A conversion."""

    def __init__(self, name, of):
        self.name, self.of = name, of

    def __str__(self):
        return f"({self.name}){self.of}"

    def value(self, variables):
        """Its type and value."""
        return self.name, converted(self.of.value(variables)[1], self.name)


class Choice:
    """`condition ? a : b`."""

    def __init__(self, condition, a, b):
        self.condition, self.a, self.b = condition, a, b

    def __str__(self):
        return f"({self.condition} ? {self.a} : {self.b})"

    def value(self, variables):
        """Its type and value."""
        types = [it.value(variables)[0] for it in (self.a, self.b)]
        chosen = self.a if self.condition.value(variables)[1] else self.b
        name = common(*types)
        return name, converted(chosen.value(variables)[1], name)


class Call:
    """A call of a function that gives one expression."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def __str__(self):
        return f"{self.function['name']}({', '.join(map(str, self.arguments))})"

    def value(self, variables):
        """Its type and value."""
        names = [name for name, _ in self.function["parameters"]]
        given = {
            name: (kind, converted(argument.value(variables)[1], kind))
            for (name, kind), argument in zip(self.function["parameters"], self.arguments)
        }
        assert len(names) == len(self.arguments)
        result = self.function["result"]
        return result, converted(self.function["body"].value(given)[1], result)


class Maker:
    """Makes a program's parts."""

    def __init__(self, pick):
        self.pick = pick
        self.functions = []

    def some(self, chance):
        """True in `chance` of all cases."""
        return self.pick.random() < chance

    def type(self):
        """A type."""
        return self.pick.choice([*TYPES, "int", "int", "int", "unsigned", "unsigned", "long"])

    def constant(self):
        """A constant; large ones have no sign."""
        value = self.pick.choice(CONSTANTS)
        return Constant(self.pick.choice([*SUFFIXES, "int"] if value < 1 << 31 else ["unsigned", "unsigned long"]), value)

    def expression(self, names, depth):
        """An expression of some variables."""
        pick, kind = self.pick, self.pick.random()
        if self.functions and depth > 1 and self.some(0.2):
            function = pick.choice(self.functions)
            return Call(function, [self.expression(names, pick.choice([0, 0, 1])) for _ in function["parameters"]])
        if depth == 0 or kind < 0.15:
            return Variable(pick.choice(names)) if self.some(0.7) else self.constant()
        below = depth - 1
        if kind < 0.5:
            return Operation(pick.choice("++-"), self.expression(names, below), self.expression(names, below))
        if kind < 0.65:
            return Operation("*", self.expression(names, below), self.constant())
        if kind < 0.75:
            operator = pick.choice(["/", "%", "&", "&", "|", "^", ">>", "<<"])
            other = Constant("int", pick.randint(0, 9)) if operator in ("<<", ">>") else self.constant()
            return Operation(operator, self.expression(names, below), other)
        if kind < 0.88:
            return Cast(self.type(), self.expression(names, below))
        condition = Operation(pick.choice(["<", ">", "<=", ">=", "==", "!="]), self.expression(names, 0), self.expression(names, 0))
        return Choice(condition, self.expression(names, below), self.expression(names, below))

    def function(self):
        """Adds a function."""
        parameters = [(f"p{index}", self.type()) for index in range(self.pick.randint(1, 3))]
        body = self.expression([name for name, _ in parameters], 2)
        self.functions.append(
            {"name": f"f{len(self.functions)}", "parameters": parameters, "result": self.type(), "body": body})

    def loop(self, name, around):
        """A loop's counter, its type, first value, condition and step."""
        pick, kind = self.pick, self.type()
        step = pick.choice([1, 1, 1, 1, 2, 2, 3, -1, -1, -2, *pick.sample([65536, 32768, 64, 256, -65536], 3)])
        first = pick.choice([0, 0, 1, 5, 63, 250, 65530, 0xfffffff0, 20])
        count = pick.randint(2, 12)
        last = first + step * count
        operator = pick.choice(["<", "<=", "!="] if step > 0 else [">", ">=", "!="])
        bound = Constant("unsigned" if last > 0x7fffffff else pick.choice(["int", "int", "unsigned", "long"]), last)
        if around and self.some(0.2):
            bound = Operation("+", Variable(pick.choice(around)), Constant("int", pick.randint(1, 9)))
        elif self.some(0.4):
            bound = Cast(pick.choice(["int", "unsigned", "long"]), bound)
        return {"name": name, "type": kind, "first": Constant("unsigned" if first > 0x7fffffff else "int", first),
                "operator": operator, "bound": bound, "step": step}

    def nest(self, index):
        """A function with a nest in `kernels`, and its call, or nothing if it would be undefined."""
        pick = self.pick
        unknown = {f"n{number}": (kind := self.type(), converted(pick.choice([0, 1, 2, 3, 7, 60, 255, 65536, -1, -5, 0xfffffff8]), kind))
                   for number in range(3)}
        loops, names = [], list(unknown)
        for depth in range(pick.choice([1, 1, 2])):
            loops.append(self.loop("ij"[depth], names))
            names.append("ij"[depth])
        counters = [loop["name"] for loop in loops]
        accesses = [self.expression(names + 3 * counters, pick.randint(1, 3)) for _ in range(pick.choice([2, 2, 3]))]
        if self.some(0.3):
            around = self.around(loops[-1])
            accesses = [Operation("+", around, access) if self.some(0.5) else around for access in accesses]
        condition = Operation(pick.choice(["<", ">=", "!="]), self.expression(counters, 1), self.expression(names, 1))
        accesses, span = self.placed(accesses, iterations(loops, unknown, {}))
        write, *reads = accesses
        statement = pick.choice([
            f"x[{write}] = x[{reads[0]}] * 3u + {counters[-1]};", f"x[{write}] += {counters[-1]} + 1;",
            f"x[{write}] = y[{reads[0]}] + {counters[0]};", f"y[{reads[-1]}] = x[{write}] ^ x[{reads[0]}];",
        ])
        if self.some(0.2):
            for variables in iterations(loops, unknown, {}):
                condition.value(variables)
            statement = f"if ({condition})\n                {statement}"
        text, around = "", "        "
        for loop in loops:
            by = {1: "++", -1: "--"}.get(loop["step"], f" {'+' if loop['step'] > 0 else '-'}= {abs(loop['step'])}")
            text += f"{around}for ({loop['type']} {loop['name']} = {loop['first']}; " \
                f"{loop['name']} {loop['operator']} {loop['bound']}; {loop['name']}{by})\n"
            around += "    "
        parameters = ", ".join(f"{kind} {name}" for name, (kind, _) in unknown.items())
        pointers = pick.choice(["unsigned *restrict x, unsigned *restrict y", None])
        head = f"static void nest{index}({parameters}{', ' + pointers if pointers else ''})"
        # Where a pointer leads cannot always be found out.
        data = f" copy(x[0:{ELEMENTS}], y[0:{ELEMENTS}])" if pointers or self.some(0.5) else ""
        text = f"{head}\n{{\n#pragma acc kernels{data}\n    {{\n{text}{around}{statement}\n    }}\n}}\n"
        given = [f"given[{number}]" for number in range(3)] + (["x", "y"] if pointers else [])
        numbers = ", ".join(f"{value}L" for _, value in unknown.values())
        return text, f"    begin((const long[]){{{numbers}}});\n    nest{index}({', '.join(given)});\n    end({index}, {span});\n"

    def around(self, loop):
        """A product of a counter that begins at another multiple of 2^32 with each iteration, with or without a function."""
        step = abs(loop["step"])
        rest = self.pick.choice([0, 0, 1, 2, 3])
        factors = [(times * (1 << 32) + rest) // step for times in range(1, min(step, 8)) if (times * (1 << 32) + rest) % step == 0]
        factor = Constant("unsigned", self.pick.choice(factors) if factors else rest)
        if self.some(0.3):
            return Cast("int", Operation("*", Cast("unsigned", Variable(loop["name"])), factor))
        body = Operation("*", Variable("p0"), factor)
        self.functions.append({"name": f"f{len(self.functions)}", "parameters": [("p0", "unsigned")], "result": "int", "body": body})
        return Call(self.functions[-1], [Variable(loop["name"])])

    def placed(self, accesses, variables):
        """Subscripts moved by constants so that they are in an array, and how many elements they reach."""
        found, most = [], 0
        for access in accesses:
            values = [access.value(each) for each in variables]
            kind, least = values[0][0], min(value for _, value in values)
            if least != 0:
                move = -least if kind in SUFFIXES and converted(-least, kind) == -least else None
                if move is None:
                    access = Operation("-", access, Constant("long", least)) if least > 0 else Operation("+", access, Constant("long", -least))
                else:
                    access = Operation("+", access, Constant(kind, move))
            values = [access.value(each)[1] for each in variables]
            # Iterations that all access one element say little.
            if min(values) < 0 or max(values) >= ELEMENTS or min(values) == max(values) and self.some(0.6):
                raise Undefined
            found.append(access)
            most = max(most, *values)
        return found, most + 1


def iterations(loops, unknown, variables):
    """The variables in each iteration of a nest."""
    if not loops:
        return [{**unknown, **variables}]
    loop, *inside = loops
    kind, found = loop["type"], []
    counter = converted(loop["first"].value({})[1], kind)
    while True:
        own = {**variables, loop["name"]: (kind, counter)}
        test = Operation(loop["operator"], Variable(loop["name"]), loop["bound"])
        if not test.value({**unknown, **own})[1]:
            break
        found += iterations(inside, unknown, own)
        if len(found) > MOST_ITERATIONS:
            raise Undefined
        # Shorter numbers are computed with as `int`, and cut.
        name, value = defined(counter + loop["step"], promoted(kind))
        counter = converted(value, kind) if name != kind else value
    if not found:
        raise Undefined
    return found


def program(seed, _):
    """The text of a seed's program."""
    maker = Maker(random.Random(seed))
    for _ in range(maker.pick.randint(0, 4)):
        maker.function()
    nests = []
    while len(nests) < 12:
        try:
            nests.append(maker.nest(len(nests)))
        except Undefined:
            continue
    functions = [
        f"static {each['result']} {each['name']}({', '.join(f'{kind} {name}' for name, kind in each['parameters'])})\n"
        f"{{\n    return {each['body']};\n}}\n" for each in maker.functions]
    return "\n".join([
        "#include <stdio.h>", f"static unsigned x[{ELEMENTS}], y[{ELEMENTS}];", "static volatile long given[3];",
        "static void begin(const long *numbers)", "{", f"    for (int i = 0; i < {ELEMENTS}; i++) {{", "        x[i] = i * 7919u;",
        "        y[i] = i * 104729u + 1;", "    }", "    for (int i = 0; i < 3; i++)", "        given[i] = numbers[i];", "}",
        "static void end(int nest, int span)", "{", "    unsigned sum = 0;", f"    for (int i = 0; i < {ELEMENTS}; i++)",
        "        sum = sum * 31 + (x[i] ^ y[i] * 5);", '    printf("%d: %d elements, %u\\n", nest, span, sum);', "}",
        *functions, *[text for text, _ in nests], "int main(void)", "{", *[call for _, call in nests], "    return 0;", "}", ""])


if __name__ == "__main__":
    sys.exit(compare(__doc__, program, [(True, IN_KERNELS)]))
