#!/usr/bin/env python3
"""Compares what arrives at calls between accrue's code and GCC's with what arrives within GCC's.

    python3 tests/conformance/calls.py [--count 200] [--seed 1] [--ways host,O0]

Each program has random types (scalars of all kinds, structures and unions of them, nested, in arrays, with bit-fields, packed and
aligned) and functions of random parameters and results, with and without `...`. Half of the functions are in a library that GCC
makes; they are called from the program, and call functions of the program by pointers. Both sides print sums of what they get.
"""

import random
import sys

from against_gcc import ANYWHERE, compare

SCALARS = ["_Bool", "char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "float", "double",
           "long double", "float _Complex", "double _Complex", "__int128", "unsigned __int128", "enum small", "char *"]
BIT_FIELDS = [("int", 32), ("unsigned", 32), ("long", 64), ("unsigned long", 64), ("short", 16), ("_Bool", 1), ("unsigned char", 8)]
# What an argument of `...` is passed as.
PROMOTED = {"_Bool": "int", "char": "int", "unsigned char": "int", "short": "int", "unsigned short": "int", "float": "double",
            "enum small": "unsigned"}
FUNCTIONS = 12


class Calls:
    """One program and its library."""

    def __init__(self, seed):
        self.random = random.Random(f"calls {seed}")
        # By aggregate: (name, type, length of an array, bits) of members.
        self.members = {}
        self.common = self.header()
        self.signatures = [self.signature() for _ in range(FUNCTIONS)]

    def header(self):
        """Types, and for each a function that makes a value and one that adds it to a sum."""
        told, pick = ["enum small { SMALL = 7 };"], self.random
        for number in range(pick.randint(5, 9)):
            kind = pick.choice(["struct", "struct", "struct", "union"])
            name, members = f"{kind} t{number}", []
            scalars = pick.sample(SCALARS, pick.randint(1, 3))
            for place in range(pick.choice([1, 1, 2, 2, 3, 4, 6])):
                choice = pick.random()
                ty = pick.choice(list(self.members)) if choice < 0.25 and self.members else pick.choice(scalars)
                length = pick.choice([0, 0, 0, 1, 2, 3])
                bits = None
                if choice > 0.8 and kind == "struct":
                    ty, most = pick.choice(BIT_FIELDS)
                    length, bits = 0, pick.randint(1, most)
                members.append((f"m{place}", ty, length, bits))
            self.members[name] = members
            attribute = pick.choice([""] * 8 + [" __attribute__((packed))", " __attribute__((aligned(16)))"])
            lines = " ".join(f"{ty} {member}{f'[{length}]' if length else ''}{f' : {bits}' if bits else ''};"
                             for member, ty, length, bits in members)
            told.append(f"{name} {{ {lines} }}{attribute};")
        for ty in [*SCALARS, *self.members]:
            told.append(self.helpers(ty))
        return "\n".join(told)

    def helpers(self, ty):
        name = self.word(ty)
        if ty not in self.members:
            made = {"char *": "(char *)(k & 4095)", "enum small": "(enum small)(k & 15)", "_Bool": "k >> 3 & 1"}.get(ty, f"({ty})(long)(k % 251) - 99")
            if "Complex" in ty:
                made = f"({ty})(k % 100) + ({ty})(k % 7) * 1.0fi"
            added = "(unsigned long)x" if ty in ("char *", "enum small") or "int" in ty or "long" == ty[-4:] or ty[-1:] in "rtld" else "x"
            added = {"__int128": "(unsigned long)x + (unsigned long)(x >> 64)", "unsigned __int128": "(unsigned long)x + (unsigned long)(x >> 64)",
                     "float": "(long)x", "double": "(long)x", "long double": "(long)x"}.get(ty, added)
            if "Complex" in ty:
                added = "(long)__real__ x * 3 + (long)__imag__ x"
            return (f"static {ty} make_{name}(unsigned long k) {{ return {made}; }}\n"
                    f"static unsigned long add_{name}(unsigned long h, {ty} x) {{ return h * 31 + {added}; }}")
        make, add = [], []
        members = self.members[ty] if ty.startswith("struct") else self.members[ty][:1]
        for member, inner, length, _ in members:
            for index in range(max(length, 1)):
                place = f"x.{member}" + (f"[{index}]" if length else "")
                make.append(f"{place} = make_{self.word(inner)}(k = k * 6364136223846793005ul + 1442695040888963407ul);")
                add.append(f"h = add_{self.word(inner)}(h, {place});")
        return (f"static {ty} make_{name}(unsigned long k) {{ {ty} x; __builtin_memset(&x, 0, sizeof x); {' '.join(make)} return x; }}\n"
                f"static unsigned long add_{name}(unsigned long h, {ty} x) {{ {' '.join(add)} return h; }}")

    def word(self, ty):
        return ty.replace(" *", "_pointer").replace(" ", "_")

    def signature(self):
        """A result, parameters, and the arguments behind them."""
        pick = self.random
        types = [*SCALARS, *list(self.members) * 3]
        params = [pick.choice(types) for _ in range(pick.choice([1, 2, 3, 4, 6, 9, 14]))]
        rest = [pick.choice(types) for _ in range(pick.randint(1, 8))] if pick.random() < 0.4 else []
        return pick.choice([*types, "void"]), params, rest

    def prototype(self, name, signature):
        result, params, rest = signature
        inside = ", ".join(f"{ty} p{number}" for number, ty in enumerate(params))
        return f"{result} {name}({inside}{', ...' if rest else ''})"

    def definition(self, name, signature, linkage):
        result, params, rest = signature
        body = [f"h = add_{self.word(ty)}(h, p{number});" for number, ty in enumerate(params)]
        if rest:
            body += ["va_list list; va_start(list, p%d);" % (len(params) - 1)]
            body += [f"h = add_{self.word(ty)}(h, va_arg(list, {PROMOTED.get(ty, ty)}));" for ty in rest]
            body += ["va_end(list);"]
        give = "" if result == "void" else f" return make_{self.word(result)}(h);"
        return (f"{linkage}{self.prototype(name, signature)}\n{{\n    unsigned long h = 1;\n    " + "\n    ".join(body)
                + f'\n    printf("{name} %lx\\n", h);{give}\n}}')

    def call(self, name, signature):
        result, params, rest = signature
        args = ", ".join(f"make_{self.word(ty)}({self.random.randrange(1 << 60)}ul)" for ty in [*params, *rest])
        if result == "void":
            return f"{name}({args});"
        return f'printf("result %lx\\n", add_{self.word(result)}(1, {name}({args})));'

    def texts(self):
        """The program and the library."""
        head = f"#include <stdarg.h>\n#include <stdio.h>\n{self.common}\n"
        prototypes, own, library, calls = [], [], [], []
        for number, signature in enumerate(self.signatures):
            pointer = self.prototype(f"(*back)", signature).replace("(*back)(", "(*back)(", 1)
            prototypes += [f"{self.prototype(f'there{number}', signature)};", f"void calls{number}({pointer});"]
            own.append(self.definition(f"here{number}", signature, "static "))
            library.append(self.definition(f"there{number}", signature, ""))
            library.append(f"void calls{number}({pointer})\n{{\n    {self.call('back', signature)}\n}}")
            calls += [f"    {self.call(f'there{number}', signature)}", f"    calls{number}(here{number});", f"    calls{number}(there{number});",
                      f"    {self.call(f'here{number}', signature)}"]
        told = "\n".join(prototypes) + "\n"
        program = head + told + "\n".join(own) + "\nint main(void)\n{\n" + "\n".join(calls) + "\n}\n"
        return program, head + told + "\n".join(library) + "\n"


def make(seed, _):
    """The text of a program, and that of its library."""
    return Calls(seed).texts()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, ANYWHERE))
