#!/usr/bin/env python3
"""Compares what accrue and GCC make of random copies and accesses of structures, unions, bit-fields and arrays.

    python3 tests/conformance/memory.py [--count 200] [--seed 1] [--ways host,O0,region,region-O0,gpu,gpu-O0]

Each program has structures of structures, arrays, bit-fields and a union, and a function of assignments to them and to their
parts: by value, through pointers, to and from functions, by `memcpy`, `memmove`, `memset` and compound literals, in loops, through
pointers to arrays and parameters of variable length, by `switch` with ranges. A sum over all members is kept behind each statement.
For the ways `region` and `gpu` the function is a routine of a `serial` region as well, which the simulator or a GPU runs.
"""

import random
import sys

from against_gcc import ALSO_IN_REGIONS, compare

INTEGERS = ["char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]
UNION = """union punned {
    unsigned long u; double d; float f[2]; short s[4]; unsigned char c[8];
    struct { int a : 5, b : 11; unsigned c : 16; long d : 29; } bits;
};"""
# Leaves of the union whose values are integers; the others are told by their bits.
PUNNED = ["u", "s[{3}]", "c[{7}]", "bits.a", "bits.b", "bits.c", "bits.d"]
STATEMENTS = 30
ROWS, COLUMNS = 6, 5


class Program:
    """One program."""

    def __init__(self, seed, on_host):
        self.random = random.Random(f"memory {seed}")
        self.on_host = on_host
        # By structure: (name, type, lengths of its dimensions, bits) of members.
        self.members = {}
        self.temporaries = 0

    def types(self):
        """Definitions of structures; later ones hold earlier ones."""
        told, pick = [UNION], self.random
        for number in range(pick.randint(3, 5)):
            name, members = f"struct t{number}", []
            for place in range(pick.randint(1, 6)):
                kind = pick.choice(["integer", "integer", "array", "bits", "real", "held", "held", "union", "grid"])
                held = list(self.members)
                if kind == "bits":
                    member = pick.choice([("int", 31), ("unsigned", 32), ("long", 60), ("unsigned long", 64), ("short", 16)])
                    members.append((f"m{place}", member[0], [], pick.randint(1, member[1])))
                elif kind == "real":
                    members.append((f"m{place}", pick.choice(["float", "double"]), [pick.randint(1, 3)] * pick.randint(0, 1), None))
                elif kind == "held" and held:
                    members.append((f"m{place}", pick.choice(held), [pick.randint(1, 3)] * pick.randint(0, 1), None))
                elif kind == "union":
                    members.append((f"m{place}", "union punned", [], None))
                else:
                    lengths = {"array": [pick.randint(1, 9)], "grid": [pick.randint(1, 3), pick.randint(1, 4)]}.get(kind, [])
                    members.append((f"m{place}", pick.choice(INTEGERS), lengths, None))
            self.members[name] = members
            # A pointer to what a packed structure holds would lead to less than its type is aligned to.
            is_flat = all(ty in INTEGERS or ty in ("float", "double") for _, ty, _, _ in members)
            packed = " __attribute__((packed))" if is_flat and pick.random() < 0.3 else ""
            lines = "".join(f"    {ty} {member}{''.join(f'[{n}]' for n in lengths)}{f' : {bits}' if bits else ''};\n"
                            for member, ty, lengths, bits in members)
            told.append(f"{name} {{\n{lines}}}{packed};")
        return "\n".join(told)

    def sums(self):
        """Functions that add all members of a type to a sum."""
        told = ["ROUTINE static unsigned long add_punned(unsigned long h, const union punned *x) { return h * 31 + x->u; }"]
        for name, members in self.members.items():
            body = []
            for member, ty, lengths, _ in members:
                loops = "".join(f"for (int i{d} = 0; i{d} < {n}; i{d}++) " for d, n in enumerate(lengths))
                place = f"x->{member}" + "".join(f"[i{d}]" for d in range(len(lengths)))
                if ty in self.members or ty.startswith("union"):
                    body.append(f"{loops}h = add_{ty.split()[1]}(h, (const void *)&{place});")
                elif ty in ("float", "double"):
                    body.append(f"{loops}h = h * 31 + bits_of_{ty}({place});")
                else:
                    body.append(f"{loops}h = h * 31 + (unsigned long){place};")
            told.append(f"ROUTINE static unsigned long add_{name.split()[1]}(unsigned long h, const {name} *x)\n{{\n    "
                        + "\n    ".join(body) + "\n    return h;\n}")
        return "\n".join(told)

    def index(self, length):
        """A subscript that is in range."""
        return self.random.choice([str(self.random.randrange(length)), f"(unsigned)(k + {self.random.randrange(9)}) % {length}"])

    def object(self, ty):
        """An lvalue of a structure."""
        pick = self.random
        number = ty.split()[1]
        choices = [f"s->{number}[{self.index(3)}]", f"local_{number}", f"p_{number}[{self.index(2)}]"]
        for holder, members in self.members.items():
            for member, held, lengths, _ in members:
                if held == ty and pick.random() < 0.5:
                    subscripts = "".join(f"[{self.index(n)}]" for n in lengths)
                    choices.append(f"s->{holder.split()[1]}[{self.index(3)}].{member}{subscripts}")
        return pick.choice(choices)

    def leaf(self):
        """An lvalue of an integer, and whether it has an address."""
        pick = self.random
        while True:
            ty = pick.choice(list(self.members))
            place = self.object(ty)
            while ty in self.members:
                member, ty, lengths, bits = pick.choice(self.members[ty])
                place += f".{member}" + "".join(f"[{self.index(n)}]" for n in lengths)
            if ty.startswith("union"):
                chosen = pick.choice(PUNNED)
                if "{" in chosen:
                    chosen = chosen[:chosen.index("{")] + self.index(int(chosen[chosen.index("{") + 1]) + 1) + "]"
                return f"{place}.{chosen}"
            if ty in INTEGERS:
                return place

    def value(self, depth=2):
        """An integer, computed without overflow."""
        pick = self.random
        if depth == 0 or pick.random() < 0.2:
            return pick.choice([f"{pick.randint(-99, 99)}", f"{pick.randrange(1 << 62)}", "(long)k", f"(unsigned long){self.leaf()}"])
        op = pick.choice(["+", "-", "*", "^", "&", "|", "<", ">>"])
        right = str(pick.randrange(64)) if op == ">>" else f"(unsigned long)({self.value(depth - 1)})"
        return f"((unsigned long)({self.value(depth - 1)}) {op} {right})"

    def statement(self, depth=1):
        pick = self.random
        ty = pick.choice(list(self.members))
        number = ty.split()[1]
        self.temporaries += 1
        t = f"v{self.temporaries}"
        kinds = ["leaf", "leaf", "update", "copy", "memcpy", "memmove", "memset", "call", "choice", "statement", "literal", "pointer",
                 "swap", "walk", "bytes", "text", "array", "volatile"] + ["loop", "switch", "if"] * (depth > 0)
        match pick.choice(kinds):
            case "leaf":
                return f"{self.leaf()} = {self.value()};"
            case "update":
                return f"{self.leaf()} {pick.choice(['+=', '-=', '^=', '|=', '&='])} (unsigned long)({self.value(1)}) % 97;"
            case "copy":
                return f"{self.object(ty)} = {self.object(ty)};"
            case "memcpy":
                return f"{{ {ty} {t} = {self.object(ty)}; memcpy(&{self.object(ty)}, &{t}, sizeof {t}); }}"
            case "memmove":
                size = pick.choice(["sizeof s->bytes / 2", "(unsigned)k % 17", "7", "16", "1"])
                return f"memmove(s->bytes + {self.index(24)}, s->bytes + {self.index(24)}, {size});"
            case "memset":
                return pick.choice([f"memset(&{self.object(ty)}, {pick.randrange(256)}, sizeof({ty}));",
                                    f"memset(s->bytes + {self.index(20)}, {self.value(0)} & 255, {pick.randint(1, 20)});"])
            case "call":
                return f"{self.object(ty)} = changed_{number}({self.object(ty)}, {self.value(1)});"
            case "choice":
                return f"{self.object(ty)} = ({self.value(1)}) & 1 ? {self.object(ty)} : {self.object(ty)};"
            case "statement":
                return f"{self.object(ty)} = ({{ {ty} {t} = {self.object(ty)}; {self.leaf()} = k; {t}; }});"
            case "literal":
                return f"{self.object(ty)} = ({ty}){{0}};"
            case "pointer":
                return f"{{ {ty} *{t} = &{self.object(ty)}; *{t} = {self.object(ty)}; k += &s->{number}[1] - s->{number}; }}"
            case "swap":
                a, b = self.object(ty), self.object(ty)
                return f"{{ {ty} {t} = {a}; {a} = {b}; {b} = {t}; }}"
            case "walk":
                return f"k += walk({ROWS}, {COLUMNS}, s->grid, {self.value(0)});"
            case "bytes":
                return f"k += memcmp(s->bytes + {self.index(20)}, s->bytes + {self.index(20)}, {pick.randint(1, 20)}) > 0;"
            case "text":
                return f"s->bytes[39] = 0; k += strlen((char *)s->bytes + {self.index(39)});"
            case "array":
                return f"{{ long (*{t})[{COLUMNS}] = s->grid + {self.index(ROWS)}; (*{t})[{self.index(COLUMNS)}] += {self.value(1)} % 1000u; }}"
            case "volatile":
                return f"{{ volatile {ty} {t} = {self.object(ty)}; {self.object(ty)} = {t}; }}"
            case "loop":
                return f"for (int {t} = 0; {t} < {pick.randint(2, 9)}; {t}++) {{ k += {t}; {self.statement(depth - 1)} {self.statement(depth - 1)} }}"
            case "switch":
                return (f"switch ((unsigned char)({self.value(1)})) {{ case 0 ... 63: {self.statement(depth - 1)} case 64: case 90 ... 200: "
                        f"{self.statement(depth - 1)} break; default: {self.statement(depth - 1)} }}")
            case _:
                return f"if (({self.value(1)}) & 4) {{ {self.statement(depth - 1)} }} else {{ {self.statement(depth - 1)} }}"

    def program(self):
        types = self.types()
        sums = self.sums()
        numbers = [name.split()[1] for name in self.members]
        state = "".join(f"    struct {number} {number}[3];\n" for number in numbers)
        changed = "\n".join(f"ROUTINE static struct {n} changed_{n}(struct {n} x, unsigned long by)\n{{\n    unsigned char *at = (void *)&x;\n"
                            f"    at[by % sizeof x] ^= by >> 8;\n    return x;\n}}" for n in numbers)
        places = "".join(f"    struct {n} local_{n} = s->{n}[1], *p_{n} = s->{n} + 1;\n" for n in numbers)
        told = "".join(f"    h = add_{n}(add_{n}(add_{n}(add_{n}(h, s->{n}), s->{n} + 1), s->{n} + 2), &local_{n});\n".replace("\n", " \\\n")
                       for n in numbers)
        statements = "\n".join(f"    {self.statement()}\n    TELL;" for _ in range(STATEMENTS))
        call = "work(&state);" if self.on_host else "\n#pragma acc serial copy(state)\n    work(&state);"
        return f"""#include <stdio.h>
#include <string.h>
#define ROUTINE _Pragma("acc routine seq")
{types}
struct state {{
{state}    long grid[{ROWS}][{COLUMNS}];
    unsigned char bytes[64];
    unsigned long told[{STATEMENTS}];
}};
static struct state state;
ROUTINE static unsigned long bits_of_float(float x) {{ union {{ float f; unsigned u; }} v = {{x}}; return v.u; }}
ROUTINE static unsigned long bits_of_double(double x) {{ union {{ double d; unsigned long u; }} v = {{x}}; return v.u; }}
{sums}
{changed}
ROUTINE static unsigned long walk(int rows, int columns, long grid[rows][columns], unsigned long by)
{{
    unsigned long sum = sizeof grid[0];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {{
            sum += grid[i][j];
            grid[i][j] = (unsigned long)grid[(i + by % 5) % rows][j] + i * j;
        }}
    return sum;
}}
#define TELL do {{ unsigned long h = k; \\
{told}    for (int i = 0; i < 64; i++) h = h * 31 + s->bytes[i]; \\
    for (int i = 0; i < {ROWS * COLUMNS}; i++) h = h * 31 + s->grid[i / {COLUMNS}][i % {COLUMNS}]; \\
    s->told[at++] = h; }} while (0)
ROUTINE static void work(struct state *s)
{{
    unsigned long k = 1;
    int at = 0;
{places}{statements}
}}
int main(void)
{{
    unsigned char *bytes = (void *)&state;
    for (unsigned long i = 0; i < sizeof state; i++)
        bytes[i] = i * 37 ^ i >> 3;
    {call}
    for (int i = 0; i < {STATEMENTS}; i++)
        printf("%d %lx\\n", i, state.told[i]);
}}
"""


def make(seed, on_host):
    """The text of a program."""
    return Program(seed, on_host).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, ALSO_IN_REGIONS))
