#!/usr/bin/env python3
"""Compares where accrue and GCC put the members of random structures and unions.

    python3 tests/conformance/layouts.py [--count 200] [--seed 1]

Each program declares typedefs with alignments above and below those of their types, structures and unions of them with
`packed`, `aligned`, `#pragma pack` and bit-fields, and arrays of all. It prints their sizes and alignments, those of
their members and of what pointers lead to, and the bytes that a bit-field of ones changes. GCC's output is the reference.
"""

import random
import sys

from against_gcc import ANYWHERE, compare

SCALARS = ["char", "short", "int", "long", "unsigned char", "unsigned", "float", "double", "long double", "_Bool",
           "double _Complex", "char *", "__int128"]
INTEGERS = {"char": 8, "short": 16, "int": 32, "long": 64, "unsigned char": 8, "unsigned": 32, "_Bool": 1}
SIZES = {"char": 1, "short": 2, "int": 4, "long": 8, "unsigned char": 1, "unsigned": 4, "float": 4, "double": 8,
         "long double": 16, "_Bool": 1, "double _Complex": 16, "char *": 8, "__int128": 16}


class Layouts:
    """One program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.prints = []
        # The bits that a bit-field of the type may have; none for types that have no bit-fields.
        self.widths = {name: INTEGERS.get(name) for name in SCALARS}
        # Types that may be elements of arrays: their alignment divides their size.
        self.elements = [name for name in SCALARS]
        self.types = list(SCALARS)
        self.sizes = dict(SIZES)

    def some(self, chance):
        """True in `chance` of all cases."""
        return self.random.random() < chance

    def alignment(self, chance):
        """`aligned`, or nothing."""
        return f" __attribute__((aligned({self.random.choice([1, 2, 4, 8, 16, 32])})))" if self.some(chance) else ""

    def typedef(self, number):
        """A type with an alignment of its own, a name of another, or an array."""
        base, name = self.random.choice(self.types), f"T{number}"
        if base in self.elements and self.some(0.2):
            # An alignment that an array has is not asked of its elements.
            self.lines.append(f"typedef {base} {name}[{self.random.randint(1, 3)}]{self.alignment(0.5)};")
        else:
            align = self.random.choice([1, 2, 4, 8, 16, 32])
            given = f" __attribute__((aligned({align})))" if self.some(0.8) else ""
            self.lines.append(f"typedef {base} {name}{given};")
            # accrue refuses bit-fields of types that are aligned to more than their size.
            if not given or align <= self.sizes.get(base, 0):
                self.widths[name] = self.widths.get(base)
            if not given and base in self.elements or self.sizes.get(base, 1) % align == 0:
                self.elements.append(name)
            if base in self.sizes:
                self.sizes[name] = self.sizes[base]
        self.types.append(name)

    def member(self, number):
        """A declaration, its name, and whether it is a bit-field."""
        base = self.random.choice(self.types[-12:] if self.some(0.6) else self.types)
        name = f"m{number}"
        packed = " __attribute__((packed))" if self.some(0.1) else ""
        width = self.widths.get(base)
        if width and self.some(0.35):
            if self.some(0.1):
                return f"{base} : {self.random.choice([0, self.random.randint(1, width)])};", None, True
            return f"{base} {name} : {self.random.randint(1, width)}{self.alignment(0.15)}{packed};", name, True
        array = f"[{self.random.randint(1, 3)}]" if base in self.elements and self.some(0.2) else ""
        star = "*" if self.some(0.1) else ""
        alignas = "_Alignas(32) " if self.some(0.05) else ""
        return f"{alignas}{base} {star}{name}{array}{self.alignment(0.15)}{packed};", name, False

    def record(self, number):
        """A structure or union, with what it prints."""
        kind, name = "union" if self.some(0.2) else "struct", f"S{number}"
        pack = self.random.choice([1, 2, 4, 8]) if self.some(0.15) else None
        if pack:
            self.lines.append(f"#pragma pack(push, {pack})")
        packed = " __attribute__((packed))" if self.some(0.2) else ""
        self.lines.append(f"{kind} {name} {{")
        members = [self.member(index) for index in range(self.random.randint(1, 6))]
        if all(member is None for _, member, _ in members):
            members.append(("char last;", "last", False))
        self.lines += [f"    {text}" for text, _, _ in members]
        self.lines.append(f"}}{packed}{self.alignment(0.2)};")
        if pack:
            self.lines.append("#pragma pack(pop)")
        whole = f"{kind} {name}"
        self.prints.append(f'show("{whole}", sizeof({whole}), _Alignof({whole}), 0);')
        for _, member, bits in members:
            if member and bits:
                self.prints.append(f"{{ {whole} x; memset(&x, 0, sizeof x); x.{member} = -1; "
                                   f'bytes("{name}.{member}", &x, sizeof x); }}')
            elif member:
                self.prints.append(f'{{ {whole} x, *p = &x; show("{name}.{member}", sizeof x.{member}, '
                                   f"__alignof__(x.{member}) + 100 * __alignof__(p->{member}), "
                                   f"offsetof({whole}, {member})); }}")
        self.types.append(whole)

    def text(self):
        """The program."""
        for number in range(self.random.randint(3, 7)):
            self.typedef(number)
        for number in range(self.random.randint(3, 7)):
            self.record(number)
            if self.some(0.6):
                self.typedef(100 + number)
        for name in self.types:
            self.prints.append(f'{{ {name} *p = 0; __typeof__(*p) x; show("{name}", sizeof *p, '
                               f"__alignof__(*p) + 100 * _Alignof({name}) + 10000 * __alignof__(x), 0); }}")
        body = "\n    ".join(self.prints)
        lines = "\n".join(self.lines)
        return f"""#include <stddef.h>
#include <stdio.h>
#include <string.h>
{lines}
static void show(const char *what, size_t size, size_t align, size_t offset)
{{
    printf("%s %zu %zu %zu\\n", what, size, align, offset);
}}
static void bytes(const char *what, const void *at, size_t size)
{{
    printf("%s", what);
    for (size_t i = 0; i < size; i++)
        printf(" %02x", ((const unsigned char *)at)[i]);
    printf("\\n");
}}
int main(void)
{{
    {body}
    return 0;
}}
"""


if __name__ == "__main__":
    sys.exit(compare(__doc__, lambda seed, _: Layouts(seed).text(), ANYWHERE))
