#!/usr/bin/env python3
"""Compares what accrue and GCC make of random initialisers.

    python3 tests/conformance/initialisers.py [--count 200] [--seed 1]

Each program has structures, unions, bit-fields and arrays of each other, and objects of them, static, automatic and
compound literals, whose initialisers leave braces out, name members and elements in any order, ranges of elements among
them, set some twice, and end early. It prints every scalar of every object. GCC's output is the reference.
"""

import random
import sys

from against_gcc import ANYWHERE, compare

SCALARS = ["char", "short", "int", "long", "unsigned", "float", "double"]


class Scalar:
    """An arithmetic type, or a bit-field of `width` bits."""

    def __init__(self, name, width=None):
        self.name = name
        self.width = width

    def declared(self, name):
        """A declaration."""
        return f"{self.name} {name}" + (f" : {self.width}" if self.width else "")

    def leaves(self, path):
        """The expressions of all scalars at `path`."""
        yield path


class Array:
    """An array."""

    def __init__(self, element, count):
        self.element = element
        self.count = count

    def declared(self, name):
        """A declaration."""
        return self.element.declared(f"{name}[{self.count}]")

    def leaves(self, path):
        """The expressions of all scalars at `path`."""
        for index in range(self.count):
            yield from self.element.leaves(f"{path}[{index}]")


class Record:
    """A structure or union; members without a name are records themselves."""

    def __init__(self, kind, name, members):
        self.kind = kind
        self.name = name
        self.members = members

    def declared(self, name):
        """A declaration."""
        return f"{self.kind} {self.name} {name}"

    def body(self):
        """The definition's members."""
        parts = []
        for name, member in self.members:
            if name is None:
                parts.append(f"{member.kind} {{ {member.body()} }};")
            else:
                parts.append(f"{member.declared(name)};")
        return " ".join(parts)

    def leaves(self, path):
        """The expressions of all scalars at `path`; of a union those of its first member."""
        for name, member in self.members[:1] if self.kind == "union" else self.members:
            yield from member.leaves(path if name is None else f"{path}.{name}")

    def named(self):
        """Members that a designator can name, with those of members without a name."""
        for name, member in self.members:
            if name is None:
                yield from member.named()
            else:
                yield name, member


class Initialisers:
    """One program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.records = []
        self.members = 0

    def some(self, chance):
        """True in `chance` of all cases."""
        return self.random.random() < chance

    def type(self, depth):
        """A type."""
        kind = self.random.random()
        if depth > 0 and kind < 0.3:
            return Array(self.type(depth - 1), self.random.randint(1, 4))
        if self.records and kind < 0.6:
            return self.random.choice(self.records)
        if kind < 0.7:
            return Array(Scalar("char"), self.random.randint(1, 6))
        return Scalar(self.random.choice(SCALARS))

    def record(self, depth, name):
        """A structure or union."""
        members = []
        for _ in range(self.random.randint(1, 4)):
            self.members += 1
            if depth > 0 and self.some(0.15):
                members.append((None, self.record(depth - 1, "")))
            elif self.some(0.15):
                kind, bits = self.random.choice([("int", 31), ("unsigned", 32), ("long", 40)])
                members.append((f"m{self.members}", Scalar(kind, self.random.randint(1, bits))))
            else:
                members.append((f"m{self.members}", self.type(2)))
        return Record("union" if self.some(0.2) else "struct", name, members)

    def value(self, scalar):
        """A constant that the type holds."""
        if scalar.name in ("float", "double"):
            return f"{self.random.randint(-99, 99)}.5"
        bits = (scalar.width or 7) - (scalar.name != "unsigned")
        return str(self.random.randint(0, (1 << max(0, min(bits, 20))) - 1))

    def initialiser(self, kind, depth=5):
        """An initialiser of an object."""
        if isinstance(kind, Scalar):
            value = self.value(kind)
            return f"{{{value}}}" if self.some(0.1) else value
        if isinstance(kind, Array) and isinstance(kind.element, Scalar) and kind.element.name == "char" and self.some(0.5):
            text = '"' + "abcdefgh"[:self.random.randint(0, kind.count)] + '"'
            return f"{{{text}}}" if self.some(0.2) else text
        return f"{{{self.items(kind, depth)}}}"

    def items(self, kind, depth):
        """What stands inside of braces around an object."""
        pick, parts = self.random, []
        if isinstance(kind, Array):
            places = [(f"[{index}]", kind.element) for index in range(kind.count)]
        else:
            places = [(f".{name}", member) for name, member in kind.named()]
        if not places:
            return "0"
        at = 0
        positional = not (isinstance(kind, Record) and any(name is None for name, _ in kind.members))
        for _ in range(pick.randint(1, len(places) + 2)):
            if not positional or self.some(0.3):
                at = pick.randrange(len(places))
                place, part = places[at]
                if isinstance(kind, Array) and at + 1 < len(places) and self.some(0.2):
                    end = pick.randint(at + 1, len(places) - 1)
                    parts.append(f"[{at} ... {end}] = {self.initialiser(part, depth - 1)}")
                    at = end + 1
                    continue
                while not isinstance(part, Scalar) and self.some(0.4):
                    inner = [(f"[{index}]", part.element) for index in range(part.count)] if isinstance(part, Array) \
                        else [(f".{name}", member) for name, member in part.named()]
                    step, part = pick.choice(inner)
                    place += step
                parts.append(f"{place} = {self.initialiser(part, depth - 1)}")
                if part is not places[at][1]:
                    # What follows without a name would go on inside: it is said where.
                    at = len(places)
                else:
                    at += 1
                if isinstance(kind, Record) and kind.kind == "union":
                    at = len(places)
            elif at < len(places):
                part = places[at][1]
                if self.some(0.35) and not isinstance(part, Scalar):
                    parts.append(", ".join(self.elided(part)))
                else:
                    parts.append(self.initialiser(part, depth - 1))
                at = len(places) if isinstance(kind, Record) and kind.kind == "union" else at + 1
        return ", ".join(parts) + (", " if self.some(0.1) else "")

    def elided(self, kind):
        """Values for all scalars of an object, without its braces."""
        if isinstance(kind, Scalar):
            return [self.value(kind)]
        if isinstance(kind, Array):
            if isinstance(kind.element, Scalar) and kind.element.name == "char" and self.some(0.3):
                return ['"' + "xyzuvw"[:self.random.randint(0, kind.count)] + '"']
            return [value for _ in range(kind.count) for value in self.inside(kind.element)]
        members = kind.members[:1] if kind.kind == "union" else kind.members
        return [value for _, member in members for value in self.inside(member)]

    def inside(self, kind):
        """As `elided`, some of it in braces; not scalars, as braces may begin the first array that a value is in."""
        if isinstance(kind, Scalar) or self.has_anonymous(kind) or self.some(0.75):
            return self.elided(kind)
        return [self.initialiser(kind)]

    def has_anonymous(self, kind):
        """Whether braces around the object would meet members without a name first."""
        return isinstance(kind, Record) and any(name is None for name, _ in kind.members)

    def text(self):
        """The program."""
        lines, shows = [], []
        for number in range(self.random.randint(2, 5)):
            record = self.record(2, f"R{number}")
            lines.append(f"{record.kind} {record.name} {{ {record.body()} }};")
            self.records.append(record)
        statics, locals_ = [], []
        for number in range(14):
            kind = self.random.choice([*self.records, self.type(3), Array(self.random.choice(self.records), 3)])
            if isinstance(kind, Scalar):
                continue
            name = f"o{number}"
            initialiser = self.initialiser(kind)
            where = self.random.choice(["static", "local", "constant"])
            if where == "static":
                statics.append(f"static {kind.declared(name)} = {initialiser};")
            elif where == "constant":
                statics.append(f"static const {kind.declared(name)} = {initialiser};")
            else:
                locals_.append(f"{kind.declared(name)} = {initialiser};")
            leaves = [f"show({leaf});" for leaf in kind.leaves(name)]
            shows.append(" ".join(leaves) + f' puts(" {name}");')
            if isinstance(kind, Record) and self.some(0.3):
                locals_.append(f"{kind.declared('c' + name)} = ({kind.kind} {kind.name}){{{self.items(kind, 3)}}};")
                shows.append(" ".join(f"show({leaf});" for leaf in kind.leaves("c" + name)) + f' puts(" c{name}");')
        body = "\n    ".join([*locals_, *shows])
        return "\n".join(["#include <stdio.h>", *lines, *statics, "static void show(double value)", "{",
                          '    printf(" %g", value);', "}", "int main(void)", "{", f"    {body}", "    return 0;", "}", ""])


if __name__ == "__main__":
    sys.exit(compare(__doc__, lambda seed, _: Initialisers(seed).text(), ANYWHERE))
