#!/usr/bin/env python3
"""Compares what accrue and GCC make of random control flow.

    python3 tests/conformance/control.py [--count 200] [--seed 1] [--ways host,O0,region,region-O0,gpu,gpu-O0]

Each program has functions of loops, `switch` with ranges and with labels inside of loops, `goto` forwards, backwards and
into blocks, computed `goto`, `break` and `continue`, conditions with effects, statement expressions, early returns, calls
of each other, and variables with a `cleanup`. Fuel ends what does not end by itself. A number stands for the way that was
taken. GCC's output is the reference. For the ways `region` and `gpu` the functions are routines, called by a `serial`
region in the simulator or on a GPU, without computed `goto` and `cleanup`.
"""

import random
import sys

from against_gcc import ALSO_IN_REGIONS, compare


class Function:
    """One function."""

    def __init__(self, pick, number, on_host):
        self.pick = pick
        self.number = number
        self.on_host = on_host
        self.labels = pick.randint(0, 4)
        self.waiting = list(range(self.labels))
        self.counters = 0
        self.marks = 0

    def some(self, chance):
        """True in `chance` of all cases."""
        return self.pick.random() < chance

    def variable(self):
        """A variable."""
        return self.pick.choice("abcd")

    def value(self):
        """An expression without effects."""
        pick = self.pick
        return pick.choice([
            self.variable(), str(pick.randint(0, 9)), f"({self.variable()} {pick.choice('+-*^&|')} {self.variable()})",
            f"({self.variable()} >> {pick.randint(1, 9)})", f"({self.variable()} % {pick.randint(2, 9)})",
            f"({self.condition(0)} ? {self.variable()} : {pick.randint(0, 99)})",
        ])

    def condition(self, depth):
        """A condition, whose parts may have effects."""
        pick, kind = self.pick, self.pick.random()
        if depth > 0 and kind < 0.4:
            return f"({self.condition(depth - 1)} {pick.choice(['&&', '||'])} {self.condition(depth - 1)})"
        if depth > 0 and kind < 0.5:
            return f"!{self.condition(depth - 1)}"
        if depth > 0 and kind < 0.6:
            return f"({self.variable()}++ & {pick.choice([1, 2, 4])})"
        if depth > 0 and kind < 0.65:
            return f"({self.variable()} = {self.variable()} * 5 + 1, {self.variable()} & 8)"
        return f"({self.variable()} % {pick.randint(2, 7)} {pick.choice(['<', '>', '==', '!='])} {pick.randint(0, 4)})"

    def mark(self):
        """Says that control came by here."""
        self.marks += 1
        return f"way = way * 31 + {self.marks};"

    def statements(self, depth, loop, switch):
        """Some statements."""
        return " ".join(self.statement(depth, loop, switch) for _ in range(self.pick.randint(1, 4)))

    def label(self):
        """A label that is still to stand somewhere, or nothing."""
        return f"L{self.waiting.pop()}:; " if self.waiting and self.some(0.3) else ""

    def statement(self, depth, loop, switch):
        """A statement. `loop`: whether `continue` may be; `switch`: whether a label of a `switch` may."""
        pick = self.pick
        text = self.label()
        if switch is not None and self.some(0.3):
            text += self.case(switch)
        kind = pick.random()
        if depth <= 0 or kind < 0.2:
            return text + pick.choice([
                f"{self.variable()} = {self.value()};", f"{self.variable()} += {self.value()};", self.mark(), self.mark(),
                f"{self.variable()}--;",
            ])
        if kind < 0.4:
            otherwise = f" else {{ {self.statements(depth - 1, loop, switch)} }}" if self.some(0.5) else ""
            return f"{text}if ({self.condition(2)}) {{ {self.statements(depth - 1, loop, switch)} }}{otherwise}"
        if kind < 0.6:
            return text + self.loop(depth)
        if kind < 0.72:
            known = set()
            body = self.statements(depth - 1, loop, known)
            first = self.case(known)
            return f"{text}switch ({self.value()} & 15) {{ {first}{body} }}"
        if kind < 0.8 and self.labels:
            return f"{text}if (fuel-- > 0 && {self.condition(1)}) goto L{pick.randrange(self.labels)};"
        if kind < 0.83 and self.labels and self.on_host:
            table = ", ".join(f"&&L{pick.randrange(self.labels)}" for _ in range(3))
            return f"{text}if (fuel-- > 0) {{ static void *const to[] = {{ {table} }}; goto *to[{self.variable()} % 3]; }}"
        if kind < 0.88 and (loop or switch is not None):
            ways = ["break"] + (["continue"] if loop else [])
            return f"{text}if ({self.condition(1)}) {pick.choice(ways)};"
        if kind < 0.91:
            return f"{text}if ({self.condition(1)}) return {self.value()};"
        if kind < 0.95 and self.number:
            return f"{text}{self.variable()} += f{pick.randrange(self.number)}({self.value()}, {self.value()});"
        if kind < 0.97 and self.on_host:
            # A jump into the block would leave the variable without a value.
            waiting, self.waiting = self.waiting, []
            body = self.statements(depth - 1, loop, None)
            self.waiting = waiting
            return f"{text}{{ __attribute__((cleanup(ended))) unsigned held = {self.value()}; {body} }}"
        return f"{text}{self.variable()} = ({{ unsigned t = {self.value()}; if ({self.condition(1)}) t ^= {self.variable()}; t + 1; }});"

    def case(self, known):
        """A label of a `switch` that it does not have yet, or nothing."""
        if self.some(0.2) and "default" not in known:
            known.add("default")
            return "default: "
        first = self.pick.randrange(16)
        last = first + (self.pick.randint(1, 3) if self.some(0.2) else 0)
        if known & set(range(first, last + 1)):
            return ""
        known.update(range(first, last + 1))
        return f"case {first}: " if first == last else f"case {first} ... {last}: "

    def loop(self, depth):
        """A loop."""
        name = f"i{self.counters}"
        self.counters += 1
        body, count = self.statements(depth - 1, True, None), self.pick.randint(1, 6)
        return self.pick.choice([
            f"for ({name} = 0; {name} < {count} && fuel-- > 0; {name}++) {{ {body} }}",
            f"{name} = {count}; while ({name}-- > 0 && fuel-- > 0) {{ {body} }}",
            f"{name} = 0; do {{ {body} }} while (fuel-- > 0 && ++{name} < {count});",
            f"for (;;) {{ if (fuel-- <= 0 || {self.condition(1)}) break; {body} }}",
        ])

    def text(self):
        """The definition."""
        body = self.statements(4, False, None)
        while self.waiting:
            body += f" L{self.waiting.pop()}:; {self.statement(1, False, None)}"
        counters = "".join(f"    int i{index} = 0;\n" for index in range(self.counters))
        routine = "" if self.on_host else "#pragma acc routine seq\n"
        return (f"{routine}static unsigned f{self.number}(unsigned a, unsigned b)\n{{\n    unsigned c = 3, d = a ^ b;\n{counters}"
                f"    {body}\n    way = way * 31 + a + 3 * b + 5 * c + 7 * d;\n    return a + d;\n}}\n")


def program(seed, on_host):
    """The text of a seed's program."""
    pick = random.Random(seed)
    functions = [Function(pick, number, on_host).text() for number in range(pick.randint(2, 5))]
    last = len(functions) - 1
    declare = "" if on_host else "#pragma acc declare create(way, fuel)\n"
    calls = f"for (int i = 0; i < 12; i++) {{ fuel = 300; result[i] = f{last}(i * 7, i); ways[i] = way; }}"
    region = calls if on_host else f"#pragma acc serial copyout(result, ways)\n    {{ way = 1; {calls} }}"
    return "\n".join([
        "#include <stdio.h>", "static unsigned way = 1;", "static int fuel;", declare,
        "static void ended(unsigned *held) { way = way * 17 + *held; }" if on_host else "", *functions,
        "int main(void)", "{", "    unsigned result[12], ways[12];", f"    {region}",
        '    for (int i = 0; i < 12; i++)\n        printf("%u %u\\n", result[i], ways[i]);', "    return 0;", "}", ""])


if __name__ == "__main__":
    sys.exit(compare(__doc__, program, ALSO_IN_REGIONS))
