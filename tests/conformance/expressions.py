#!/usr/bin/env python3
"""Compares what accrue and GCC make of random arithmetic on all arithmetic types.

    python3 tests/conformance/expressions.py [--count 200] [--seed 1] [--ways host,O0,region,region-O0,gpu,gpu-O0]

Each program has chains of operations on `_Bool`, integers up to 128 bits, bit-fields, enumerators, `float`, `double`,
`long double` and complex numbers, with conversions between all of them, overflow, zeros, infinities and NaNs. Each chain
is there twice, with operands that are read from volatile memory and with constants. GCC's output with `-fwrapv` is the
reference. For the ways `region` and `gpu` each chain is in a `serial` region as well, which the simulator or a GPU runs.
"""

import random
import sys

from against_gcc import ALSO_IN_REGIONS, compare

# Name: bits, whether it is signed.
INTEGERS = {
    "_Bool": (1, False), "char": (8, True), "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False),
    "int": (32, True), "unsigned": (32, False), "long": (64, True), "unsigned long": (64, False), "long long": (64, True),
    "__int128": (128, True), "unsigned __int128": (128, False),
}
REALS = ["float", "double", "long double"]
COMPLEX = ["float _Complex", "double _Complex"]
RANK = ["_Bool", "char", "short", "int", "long", "long long", "__int128"]
FIELDS = {"f3": ("int", 3), "f17": ("unsigned", 17), "f31": ("int", 31), "f1": ("unsigned", 1), "f40": ("long", 40),
          "f63": ("unsigned long", 63), "flag": ("_Bool", 1), "f7": ("short", 7)}


def promoted(name):
    """The type of an operand behind the integer promotions."""
    return "int" if name in INTEGERS and INTEGERS[name][0] < 32 else name


def rank(name):
    """Conversion rank."""
    return RANK.index({"unsigned char": "char", "unsigned short": "short", "unsigned": "int", "unsigned long": "long",
                       "unsigned __int128": "__int128"}.get(name, name))


def common(a, b):
    """The type of a binary operation (C11 6.3.1.8)."""
    a, b = promoted(a), promoted(b)
    reals = [name.removesuffix(" _Complex") for name in (a, b) if name not in INTEGERS]
    if reals:
        widest = max(reals, key=REALS.index)
        return f"{widest} _Complex" if "Complex" in a + b else widest
    if a == b:
        return a
    (bits_a, signed_a), (bits_b, signed_b) = INTEGERS[a], INTEGERS[b]
    if signed_a == signed_b:
        return a if rank(a) >= rank(b) else b
    unsigned, signed = (b, a) if signed_a else (a, b)
    if rank(unsigned) >= rank(signed):
        return unsigned
    if INTEGERS[signed][0] > INTEGERS[unsigned][0]:
        return signed
    return "unsigned long"


class Chains:
    """One program."""

    def __init__(self, seed, on_host):
        self.random = random.Random(seed)
        # A device has no `long double`.
        self.types = [name for name in [*INTEGERS, *REALS, *COMPLEX] if on_host or name != "long double"]
        self.temporaries = 0

    def literal(self, name):
        """A constant of a type."""
        pick = self.random
        if name in COMPLEX:
            part = name.removesuffix(" _Complex")
            return f"__builtin_complex({self.literal(part)}, {self.literal(part)})"
        if name in REALS:
            text = pick.choice(["0.0", "-0.0", "1.0", "0.5", "-3.0", "1e-310", "__builtin_inf()", "-__builtin_inf()",
                                '__builtin_nan("")', "3e38", "1.7e308", "16777217.0", "9007199254740993.0", "0.1",
                                repr(pick.uniform(-100, 100)), repr(pick.uniform(-1, 1) * 10 ** pick.randint(-40, 40)),
                                f"{pick.randint(-2**63, 2**63)}.0"])
            return f"(({name}){text})"
        bits, signed = INTEGERS[name]
        least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        value = pick.choice([0, 1, -1, least, most, least + 1, pick.randint(-10, 10), 1 << pick.randint(0, bits - 1),
                             pick.randint(least, most), pick.randint(least, most) >> pick.randint(0, bits)])
        value = (value - least) % (1 << bits) + least
        if bits == 128:
            value %= 1 << 128
            return f"(({name})((unsigned __int128){value >> 64}ul << 64 | {value & (1 << 64) - 1}ul))"
        if bits == 64:
            return f"(({name}){value % (1 << 64)}ul)"
        return f"(({name}){value if value != -2**31 else '(-2147483647 - 1)'})"

    def converted(self, target, source, value):
        """`value`, the name of a temporary, as a value of another type; out of range of an integer it is 1."""
        if target not in INTEGERS or source in INTEGERS or target == "_Bool":
            return f"({target}){value}"
        bits, signed = INTEGERS[target]
        real = f"__real__ {value}" if source in COMPLEX else value
        # What converts exactly, so that all types compare alike; one bit below the largest for `float`.
        limit = f"{float(1 << min(bits, 126) - 1):.1f}"
        least = f"-{limit}" if signed else "0.0"
        return f"({real} >= {least} && {real} < {limit} ? ({target}){value} : ({target})1)"

    def chain(self, number):
        """A function's operands, its statements, and the types of what it prints."""
        pick = self.random
        operands = [(f"v{number}_{index}", pick.choice(self.types)) for index in range(4)]
        operands = [(name, kind, self.literal(kind)) for name, kind in operands]
        known = [(name, kind) for name, kind, _ in operands]
        lines = []

        def add(kind, text):
            self.temporaries += 1
            name = f"t{self.temporaries}"
            lines.append(f"{kind} {name} = {text};")
            known.append((name, kind))

        for _ in range(pick.randint(4, 9)):
            (a, first), (b, second) = pick.choice(known[-5:]), pick.choice(known)
            both = common(first, second)
            if both == "long double _Complex":  # accrue has no such type, and says so.
                continue
            if pick.random() < 0.25:
                target = pick.choice(self.types)
                add(target, self.converted(target, first, a))
                continue
            if pick.random() < 0.15:
                field, (kind, _) = pick.choice(list(FIELDS.items()))
                if first in INTEGERS or kind == "_Bool":
                    # The value of an assignment is that of the field.
                    add(pick.choice(["int", "long", "double"]), f"(fields.{field} = {a})")
                    # Without the conversion GCC alone computes modulo the width of fields wider than `int`.
                    add("long", f"({kind})fields.{field} {pick.choice('+-*|^&')} 1")
                    continue
            if both in INTEGERS:
                signed = INTEGERS[both][1]
                bits = INTEGERS[promoted(first)][0]
                divisor = f"({b} == 0 || {b} == -1 ? ({both})3 : ({both}){b})" if signed else f"({b} ? ({both}){b} : ({both})3)"
                text, kind = pick.choice([
                    *((f"{a} {op} {b}", both) for op in "+-*&|^+-*"),
                    (f"{a} / {divisor}", both), (f"{a} % {divisor}", both),
                    (f"{a} << ({b} & {bits - 1})", promoted(first)), (f"{a} >> ({b} & {bits - 1})", promoted(first)),
                    (f"~{a}", promoted(first)), (f"-{a}", promoted(first)), (f"!{a}", "int"),
                    *((f"{a} {op} {b}", "int") for op in ("<", "<=", ">", ">=", "==", "!=", "&&", "||")),
                    (f"{a} > {b} ? {a} : {b}", both), (f"{a} ? {b} : 7", common(second, "int")),
                ])
                if pick.random() < 0.15:
                    # A compound assignment converts to the type of its target.
                    op = pick.choice(["+=", "-=", "*=", "^=", "|="])
                    text = f"({a} {op} {b})" if pick.random() < 0.7 else pick.choice([f"++{a}", f"{a}--", f"--{a}", f"{a}++"])
                    kind = first
                add(kind, text)
            elif both in REALS:
                text, kind = pick.choice([
                    *((f"{a} {op} {b}", both) for op in "+-*/+-*/"), (f"-{a}", promoted(first)), (f"!{a}", "int"),
                    *((f"{a} {op} {b}", "int") for op in ("<", "<=", ">", ">=", "==", "!=", "&&", "||")),
                    (f"{a} > {b} ? {a} : {b}", both), (f"{a} ? {b} : 7", common(second, "int")),
                    (f"__builtin_fabs({a})", "double"), (f"__builtin_floor({a})", "double"), (f"__builtin_rint({b})", "double"),
                    (f"__builtin_copysign({a}, {b})", "double"),
                    (f"__builtin_isnan((double){a})", "int"), (f"({a} == {a} && __builtin_signbit((double){a}))", "int"),
                    (f"__builtin_sqrt({a})", "double"), (f"__builtin_truncf({a})", "float"),
                ])
                if pick.random() < 0.15 and first not in INTEGERS:
                    text, kind = pick.choice([(f"({a} {op} {b})", first) for op in ("+=", "-=", "*=", "/=")] + [(f"++{a}", first)])
                add(kind, text)
            else:
                text, kind = pick.choice([
                    *((f"{a} {op} {b}", both) for op in "+-*"), (f"-{a}", promoted(first)), (f"!{a}", "int"),
                    (f"{a} == {b}", "int"), (f"{a} != {b}", "int"), (f"__real__ {a}", first.removesuffix(" _Complex")),
                    (f"__imag__ {b}", second.removesuffix(" _Complex")),
                ])
                if first in COMPLEX and pick.random() < 0.2:
                    text, kind = f"~{a}", first
                add(kind, text)
        return operands, lines, known[len(operands):]

    def shown(self, name, kind):
        """A statement that prints a temporary."""
        if kind in COMPLEX:
            return f"show_real(__real__ {name}); show_real(__imag__ {name});"
        if kind in REALS:
            return f"show_real({name});"
        return f"show_integer({name});"

    def text(self, with_regions):
        """The program."""
        volatile, functions, calls = [], [], []
        for number in range(12):
            operands, lines, results = self.chain(number)
            for name, kind, value in operands:
                volatile.append(f"static volatile {kind} {name} = {value};")
            body = "\n    ".join(lines)
            shown = "\n    ".join(self.shown(name, kind) for name, kind in results)
            read = "\n    ".join(f"{kind} r{name} = {name};" for name, kind, _ in operands)
            of_memory = body
            for name, _, _ in operands:
                of_memory = of_memory.replace(name, f"r{name}")
            constant = "\n    ".join(f"{kind} {name} = {value};" for name, kind, value in operands)
            fields = "struct fields fields = {0};"
            functions.append(f"static void read{number}(void)\n{{\n    {fields}\n    {read}\n    {of_memory}\n    {shown}\n}}\n"
                             f"static void constant{number}(void)\n{{\n    {fields}\n    {constant}\n    {body}\n    {shown}\n}}\n")
            calls += [f"read{number}();", 'puts("");', f"constant{number}();", 'puts("");']
            if with_regions:
                outer = "\n    ".join(f"{kind} o{name};" for name, kind in results)
                copies = "\n    ".join(f"o{name} = {name};" for name, _ in results)
                outs = ", ".join(f"o{name}" for name, _ in results)
                shown = "\n    ".join(self.shown(f"o{name}", kind) for name, kind in results)
                functions.append(f"static void region{number}(void)\n{{\n    {outer}\n    {read}\n#pragma acc serial copyout({outs})\n"
                                 f"    {{\n    {fields}\n    {of_memory}\n    {copies}\n    }}\n    {shown}\n}}\n")
                calls += [f"region{number}();", 'puts("");']
        fields = " ".join(f"{kind} {name} : {width};" for name, (kind, width) in FIELDS.items())
        return "\n".join(["#include <stdio.h>", f"struct fields {{ {fields} }};", *volatile, """
static void show_integer(__int128 value)
{
    printf(" %llx.%llx", (unsigned long long)(value >> 64), (unsigned long long)value);
}
static void show_real(long double value)
{
    if (value != value)
        printf(" nan");
    else
        printf(" %La", value);
}
""", *functions, "int main(void)\n{", *("    " + call for call in calls), "    return 0;\n}\n"])


if __name__ == "__main__":
    sys.exit(compare(__doc__, lambda seed, on_host: Chains(seed, on_host).text(not on_host), ALSO_IN_REGIONS))
