"""Random nests without directives, for the compiler to judge: each in a bare `kernels` region beside its twin without.

A program has many small nests, functions of their own. `main` runs each with several bounds: the form with `kernels`, then the twin
on the same data, and compares all that both have written. Subscripts are in bounds by construction: the range of each is
computed, and arrays are as large as the greatest one. Data is unsigned, so that nothing overflows, and has no fixed
points, so that a race shows. Nothing depends on an order but by dependences, which is what the compiler must find.
"""

import math
import random

from context import chance, pick

TRIPS = {1: 60, 2: 13, 3: 7, 4: 4}  # of each loop, by the depth of the nest
LONG = {1: 700, 2: 40}  # the same of scans, which have several parts, or rows for lanes
ELEMENTS = [("unsigned", 8), ("unsigned char", 1), ("unsigned short", 1), ("unsigned long", 1), ("int", 1), ("signed char", 0.3), ("short", 0.3)]
CONSTRUCTS = [("", 8), (" async(3)", 1), (" if({} > 1)", 1), (" num_gangs(3)", 0.5), (" num_gangs(2) num_workers(2) vector_length(64)", 0.5)]
COUNTERS = [("int", 8), ("long", 2), ("unsigned", 2), ("short", 0.5)]
MOST_ON_STACK = 50000  # elements of an array
UNSIGNED = [("unsigned", 8), ("unsigned long", 1), ("unsigned short", 1), ("unsigned char", 1)]  # of scalars
NUMBERS = UNSIGNED + [("long", 1), ("int", 1), ("double", 1), ("float", 0.5)]
FEATURES = ("pointers", "overlaps", "clauses", "calls", "breaks", "indirect", "wrap", "types", "directives", "steps", "flags", "halves", "statics", "labels", "sums", "places", "neighbours", "scans")


class Value:
    """An integer expression with its range."""

    def __init__(self, text, lo, hi, words=(), is_vague=False):
        self.text = text
        self.lo = lo
        self.hi = hi
        self.types = set(words)  # of the variables in it
        self.is_vague = is_vague  # a counter of a loop whose number of iterations may not be known before it


class Array:
    """An object that nests access; `needs` are the lengths of its dimensions."""

    def __init__(self, name, dims, element, storage):
        self.name = name
        self.needs = [1] * dims
        self.element = element
        self.storage = storage  # global, local, pointer, restrict, rows
        self.is_linear = False
        self.is_vague = False  # an access may be to any element, for all that is known before the region

    def dims(self):
        return [f"{self.name.upper()}_{at}" for at in range(len(self.needs))]

    def access(self, indices, counters, is_vague=False):
        """An access in the loops of some counters."""
        for at, index in enumerate(indices):
            self.needs[at] = max(self.needs[at], index.hi + 1)
        self.is_vague |= is_vague or any(value.is_vague for value in (*indices, *counters))
        return self.name + "".join(f"[{index.text}]" for index in indices)

    def declare(self):
        return f"{self.element} {self.name}{''.join(f'[{dim}]' for dim in self.dims())}"

    def parameter(self):
        if self.storage == "rows":
            return f"{self.element} (*{self.name}){''.join(f'[{dim}]' for dim in self.dims()[1:])}"
        return f"{self.element} *{'restrict ' if self.storage == 'restrict' else ''}{self.name}"

    def elements(self):
        return " * ".join(self.dims())

    def is_parameter(self):
        return self.storage in ("pointer", "restrict", "rows")


class Node:
    """A statement: a head, and what is in it. The reducer leaves nodes out by their numbers."""

    def __init__(self, number, head, body=None, tail=""):
        self.number = number
        self.head = head
        self.body = body
        self.tail = tail

    def lines(self, dropped, indent, pragma):
        """Lines of text; no directives without `pragma`."""
        if self.number in dropped or self.head.startswith("#") and not pragma:
            return
        space = "" if self.head.startswith("#") else "    " * indent
        if self.body is None:
            yield space + self.head
            return
        yield space + f"{self.head} {{".lstrip()
        for node in self.body:
            yield from node.lines(dropped, indent + 1, pragma)
        yield space + "}" + self.tail

    def is_canonical(self):
        """Whether a `loop` directive may stand before it, which makes its counter private."""
        declares = any(self.head.startswith(f"for ({type_} ") for type_, _ in COUNTERS)
        return declares and "&&" not in self.head and "," not in self.head and not any(node.head.endswith("break;") for node in self.body)


class Nest:
    """One region and all that belongs to it."""

    def __init__(self, rng, number, without, neighbours):
        self.rng = rng
        self.number = number
        self.without = without
        self.count = 0
        self.depth = pick(rng, [(1, 3), (2, 5), (3, 2), (4, 0.6)])
        self.trips = TRIPS[self.depth]
        self.symbols = []
        for at in range(rng.randint(0, 3)):
            type_ = pick(rng, [("int", 6), ("long", 1), ("unsigned", 1)])
            self.symbols.append(Value(f"n{at}", 0, self.trips, {type_}))
        self.scalars = {}  # name: type and first value
        self.kept = []  # scalars that are read behind the region
        self.statics = set()  # counters that are objects of the program, not of a call
        self.uses_break = False
        self.arrays = [self.array(f"a{number}_{at}") for at in range(rng.randint(2, 4))]
        self.written = rng.sample(self.arrays, rng.randint(1, 2))
        self.has_directives = "directives" not in without and chance(rng, 0.2)
        self.is_tame = chance(rng, 0.5)  # what is written is read at the same place only
        self.index = None
        self.is_vague = False  # of no pointer the elements are known before the region
        self.inductions = 0
        self.body = []
        self.is_apart = False  # each nest is a construct of its own
        self.is_of_scans = False
        own = random.Random()
        own.setstate(rng.getstate())  # the other programs stay what they are
        own = random.Random(f"neighbours {number} {own.random()}")
        if "neighbours" not in without and chance(own, neighbours):
            self.rng = own
            self.neighbours()
            return
        own = random.Random(f"scans {number} {own.random()}")
        self.starts = []  # what sets the scalars of scans in front of a row
        self.is_of_scans = "scans" not in without and chance(own, 0.1)
        if self.is_of_scans:
            self.rng = rng = own
            self.depth = pick(rng, [(1, 3), (2, 1)])
            self.trips = LONG[self.depth]
            for symbol in self.symbols:
                symbol.hi = self.trips
            for array in self.arrays:
                array.storage = "global" if array.storage == "rows" else array.storage
                array.needs = [1] * (self.depth if array.storage in ("global", "local") else 1)
                array.is_linear = False
        for _ in range(pick(rng, [(1, 5), (2, 3), (3, 1)])):
            self.body.append(self.loop([], 1, 1))
            if chance(rng, 0.2):
                self.body.append(self.line(f"{self.scalar('unsigned', '3')} += {rng.randint(1, 9)}u;"))

    def neighbours(self):
        """Nests one behind the other that go through the same iterations, mostly, and use the same elements, mostly: whoever makes one
        launch of some of them has to tell."""
        rng = self.rng
        depth = pick(rng, [(1, 4), (2, 4), (3, 1)])
        self.is_apart = "directives" not in self.without and chance(rng, 0.5)
        if not self.symbols:
            self.symbols.append(Value("n0", 0, TRIPS[depth], {"int"}))
        for symbol in self.symbols:
            symbol.hi = min(symbol.hi, TRIPS[depth])
        self.arrays = self.arrays[:1] if chance(rng, 0.2) else self.arrays
        for array in self.arrays:
            if array.storage != "rows":
                array.needs = [1] * (depth if array.storage in ("global", "local") else 1)
            array.is_linear = False
        limits = [(rng.randint(0, 1), rng.choice(self.symbols)) for _ in range(depth)]
        queue = pick(rng, [("", 6), (" async(3)", 2)])
        for _ in range(rng.randint(2, 4)):
            self.body.append(self.neighbour(limits, queue))
            if chance(rng, 0.1) and not queue:
                self.body.append(self.line(f"{self.scalar('unsigned', '3')} += {rng.randint(1, 9)}u;"))
        if queue and self.is_apart:
            self.body.append(self.node("", [self.line("#pragma acc wait(3)")]))

    def neighbour(self, limits, queue):
        """One of them."""
        rng = self.rng
        heads, counters, other = [], [], rng.randrange(len(limits)) if chance(rng, 0.1) else None
        for at, (low, high) in enumerate(limits):
            low += at == other
            (type_,) = high.types
            name = f"i{self.count}"
            self.count += 1
            heads.append(f"for ({type_} {name} = {low}; {name} < {high.text}; {name}++)")
            counters.append(Value(name, low, max(low, high.hi - 1), {type_}))
        written = rng.sample(self.arrays, min(len(self.arrays), rng.randint(1, 2)))
        own = [array for array in written if len(array.needs) >= len(limits)]
        body, reduced = [], ""
        for array in own if self.is_apart else written:
            target = array.access(self.element(array, counters, 0 if self.is_apart else 0.1), counters)
            terms = [target] if chance(rng, 0.5) else []
            for _ in range(rng.randint(1, 3)):
                read = rng.choice(self.arrays)
                # What a construct writes it reads at the same place, or its iterations would not be independent.
                is_plain = self.is_apart and read in own
                terms.append(read.access(self.element(read, counters, 0 if is_plain else 0.15), counters))
            value = " + ".join(f"{term} * {rng.choice((1, 3, 5))}u" for term in terms)
            body.append(self.line(f"{target} = {value} + {rng.randint(0, 9)}u;"))
            if chance(rng, 0.2):
                body[-1] = self.node(f"if (({terms[-1]} & 3u) != 1u)", [body[-1]])
        if not body or chance(rng, 0.25):
            name, read = self.scalar("unsigned", "7"), rng.choice(self.arrays)
            place = read.access(self.element(read, counters, 0 if read in own else 0.15), counters)
            body.append(self.line(f"{name} += {place} * 3u;"))
            reduced = f" reduction(+:{name})"
        nest = body
        for head in reversed(heads):
            nest = [self.node(head, nest)]
        if not self.is_apart:
            return nest[0]
        collapse = f" collapse({len(heads)})" if len(heads) > 1 else ""
        queue, waits = "" if reduced else queue, queue
        wait = " wait(3)" if reduced and waits else ""
        words = pick(rng, [("parallel loop", 6), ("kernels loop independent", 1), ("parallel loop num_gangs(3)", 1)])
        return self.node("", [self.line(f"#pragma acc {words}{collapse}{reduced}{queue}{wait}"), nest[0]])

    def element(self, array, counters, likely):
        """Subscripts by the innermost counters, seldom those of another iteration."""
        rng = self.rng
        last = counters[-len(array.needs):]
        chosen = [self.sum([], 0)] * (len(array.needs) - len(last)) + [self.sum([(1, counter)], 0) for counter in last]
        if chance(rng, likely):
            at = rng.randrange(len(chosen))
            if chance(rng, 0.3):
                rng.shuffle(chosen)
            elif at >= len(chosen) - len(last):
                chosen[at] = self.sum([(1, last[at - len(chosen)])], 1)
        return chosen

    # Objects

    def array(self, name):
        rng = self.rng
        element = pick(rng, ELEMENTS)
        kinds = [("global", 6), ("local", 1)]
        if "pointers" not in self.without:
            kinds += [("pointer", 2), ("restrict", 2), ("rows", 1)]
        storage = pick(rng, kinds)
        dims = 1 if storage in ("pointer", "restrict") else rng.randint(2, 3) if storage == "rows" else pick(rng, [(1, 3), (2, 4), (3, 1)])
        array = Array(name, dims, element, storage)
        array.is_linear = dims == 1 and chance(rng, 0.5)
        return array

    def scalar(self, type_, first):
        name = f"{'k' if type_ == 'int' else 's'}{len(self.scalars)}"
        self.scalars[name] = (type_, first)
        if chance(self.rng, 0.6):
            self.kept.append(name)
        return name

    def number_of(self, types):
        """A type of scalars."""
        return "unsigned" if "types" in self.without else pick(self.rng, types)

    def of_scalar(self, name):
        """The value of a scalar, unsigned."""
        return f"(unsigned){'(long)' if self.scalars[name][0] in ('double', 'float') else ''}{name}"

    def converted(self, type_, text):
        """A value that sums of a type hold exactly."""
        if type_ in ("double", "float"):
            return f"({text} & 63u)"
        return f"(unsigned char)({text})" if type_ in ("int", "long") else text

    def node(self, head, body=None, tail=""):
        self.count += 1
        return Node(self.count, head, body, tail)

    def line(self, text):
        return self.node(text)

    # Integers

    def sum(self, terms, constant):
        """The affine expression of (coefficient, value)s."""
        lo = hi = constant
        types, text = set(), ""
        for factor, value in terms:
            low, high = sorted((factor * value.lo, factor * value.hi))
            lo, hi = lo + low, hi + high
            types |= value.types
        if lo < 0 and "unsigned" in types:
            types |= {"long"}
        is_vague = "unsigned" in types and (constant != 0 or len(terms) > 1)  # may wrap around
        for factor, value in terms:
            name = f"(long){value.text}" if "unsigned" in value.types and types & {"long"} else value.text
            sign = "-" if factor < 0 else "+"
            term = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
            text += f" {sign} {term}" if text else f"-{term}" if factor < 0 else term
        if not text:
            return Value(str(constant), lo, hi)
        if constant:
            text += f" {'-' if constant < 0 else '+'} {abs(constant)}"
        return Value(text, lo, hi, types, is_vague)

    def subscript(self, counters, plain):
        """A subscript that is not negative."""
        rng = self.rng
        if not counters or chance(rng, 0.05):
            constant = rng.randint(0, 3)
            return Value(str(constant), constant, constant)
        if plain or chance(rng, 0.6):
            terms = [(1, rng.choice(counters))]
        else:
            chosen = rng.sample(counters, min(len(counters), pick(rng, [(1, 3), (2, 3), (3, 1)])))
            terms = [(pick(rng, [(1, 6), (2, 2), (3, 1), (-1, 3), (-2, 1), (-3, 1)]), counter) for counter in chosen]
            if self.symbols and chance(rng, 0.1):
                terms.append((rng.choice((1, 1, -1)), rng.choice(self.symbols)))
        lowest = self.sum(terms, 0).lo
        slack = pick(rng, [(0, 5), (1, 4), (2, 2), (3, 1), (rng.randint(4, 12), 1)])
        return self.sum(terms, slack - lowest if lowest < 0 or not plain else slack)

    def indices(self, array, counters, plain=False):
        """Subscripts of an access."""
        rng = self.rng
        if array.is_linear and len(counters) > 1 and chance(rng, 0.8):
            return [self.linear(counters, plain)]
        if plain and len(counters) >= len(array.needs):
            chosen = rng.sample(counters, len(array.needs)) if chance(rng, 0.4) else counters[-len(array.needs):]
            return [self.subscript([counter], True) for counter in chosen]
        return [self.subscript(counters, plain) for _ in array.needs]

    def linear(self, counters, plain):
        """`i * m + j`, the length of a row a symbol or a constant."""
        rng = self.rng
        outer, inner = self.subscript(counters[:-1], plain), self.subscript(counters[-1:], True)
        if self.symbols and chance(rng, 0.6):
            row = rng.choice(self.symbols)
        else:
            length = inner.hi + 1 if chance(rng, 0.7) else rng.randint(1, inner.hi + 3)
            row = Value(str(length), length, length)
        types = outer.types | inner.types | row.types
        cast = "(long)" if "unsigned" in types and "long" in types else ""
        outer_text = f"({outer.text})" if " " in outer.text else outer.text
        return Value(f"{cast}{outer_text} * {row.text} + {inner.text}", outer.lo * row.lo + inner.lo, outer.hi * row.hi + inner.hi, types, "unsigned" in types)

    # Expressions

    def read(self, counters):
        rng = self.rng
        others = [array for array in self.arrays if array not in self.written] if self.is_tame else self.arrays
        array = rng.choice(others or self.arrays)
        if "indirect" not in self.without and counters and chance(rng, 0.06):
            return self.indirect(array, counters)
        return array.access(self.indices(array, counters, chance(rng, 0.5)), counters)

    def indirect(self, array, counters):
        """An access whose first subscript is data."""
        self.index = array if self.index is None else self.index
        index = Value(f"index{self.number}[{self.subscript(counters, True).text} & 63]", 0, self.index.needs[0] - 1)
        rest = [self.subscript(counters, True) for _ in self.index.needs[1:]]
        return self.index.access([index, *rest], counters, True)

    def term(self, counters):
        rng = self.rng
        kind = pick(rng, [("read", 6), ("counter", 2), ("constant", 1), ("scalar", 1.2), ("symbol", 0.5), ("choice", 0.4), ("call", 0 if "calls" in self.without else 0.4)])
        if kind == "counter" and counters:
            return f"{rng.randint(1, 7)}u * (unsigned){rng.choice(counters).text}"
        if kind == "scalar" and self.scalars:
            name = rng.choice(list(self.scalars))
            return self.of_scalar(name)
        if kind == "choice" and counters:
            return f"(({self.condition(counters)}) ? {self.read(counters)} : {self.term(counters)})"
        if kind == "symbol" and self.symbols:
            return f"(unsigned){rng.choice(self.symbols).text}"
        if kind == "constant":
            return f"{rng.randint(1, 99)}u"
        if kind == "call":
            arrays = [array for array in self.arrays if array.element == "unsigned" and (not self.is_tame or array not in self.written)]
            if arrays and chance(rng, 0.3):
                return f"three_of({self.reference(rng.choice(arrays), counters, 2)})"
            return f"mix({self.read(counters)})"
        return self.read(counters)

    def expression(self, counters):
        rng = self.rng
        text = f"{self.read(counters)} * {rng.choice((1, 3, 5))}u"
        for _ in range(rng.randint(0, 3)):
            # Sums of `int` alone could overflow, and `+` is stronger than `^`.
            text += f" {rng.choice(('+', '+', '+', '-', '^ 0u +'))} {self.term(counters)}"
        return f"({text})" if "^" in text else text

    def condition(self, counters):
        rng = self.rng
        if chance(rng, 0.08):
            return f"({self.condition(counters)}) {rng.choice(('&&', '||'))} ({self.condition(counters)})"
        kind = pick(rng, [("data", 3), ("counter", 3), ("parity", 1), ("pair", 2), ("wrap", 0 if "wrap" in self.without else 0.4)])
        if kind == "data" or not counters:
            return f"({self.read(counters)} & {rng.choice((1, 3))}u) == 1u"
        counter = rng.choice(counters)
        value = rng.randint(counter.lo, counter.hi)
        if kind == "parity":
            form = rng.choice(("== 0", "== 1", "!= 0", "!= 1", "", "and"))
            return f"{counter.text} & {rng.choice((1, 3))}" if form == "and" else f"{counter.text} % {rng.choice((2, 3))} {form}".rstrip()
        if kind == "pair" and (len(counters) > 1 or self.symbols):
            other = rng.choice([one for one in counters + self.symbols if one is not counter])
            return f"(long){counter.text} {rng.choice(('<', '<=', '!=', '>', '=='))} (long){other.text}"
        if kind == "wrap":
            return f"(unsigned){counter.text} - {rng.randint(0, 5)}u < {rng.randint(1, 9)}u"
        if value < 0:
            return f"(long){counter.text} {rng.choice(('<', '>', '!='))} {value}"
        return f"{counter.text} {rng.choice(('<', '<=', '>', '!='))} {value}"

    # Statements

    def loop(self, counters, depth, times):
        rng = self.rng
        form, head, counter, trips, declared = self.head(counters, depth)
        inner = counters + [counter]
        if form == "for" and not declared and "steps" not in self.without and chance(rng, 0.05):
            head, other = self.beside(head, counter, trips)
            inner += other
        times *= trips
        body = []
        deeper = depth < self.depth
        for _ in range(pick(rng, [(0, 5), (1, 3), (2, 1)]) if deeper else pick(rng, [(1, 5), (2, 3), (3, 1)])):
            body += self.statement(inner, times)
        if deeper:
            for _ in range(pick(rng, [(1, 6), (2, 2)])):
                body.append(self.guarded(inner, self.loop(inner, depth + 1, times)))
            if chance(rng, 0.3):
                body += self.statement(inner, times)
        elif "breaks" not in self.without and chance(rng, 0.04):
            self.is_vague = True
            body.insert(rng.randint(0, len(body)), self.line(f"if ({self.condition(inner)}) break;"))
        if not deeper and "places" not in self.without and chance(rng, 0.04):
            body = [self.guarded(inner, node, 0.4) for _ in range(rng.randint(1, 3)) for node in self.location(inner, times)]
        if self.is_of_scans and not deeper:
            body = [node for _ in range(pick(rng, [(1, 4), (2, 1)])) for node in self.running(inner)]
        elif self.is_of_scans and chance(rng, 0.8):
            body[:0] = self.starts
        if "labels" not in self.without and chance(rng, 0.05):
            self.skip(body, inner)
        if form == "for":
            if chance(rng, 0.05):
                body.insert(rng.randint(0, len(body)), self.line(f"if ({self.condition(inner)}) continue;"))
            loop = self.node(head, body)
            if self.has_directives and loop.is_canonical() and chance(rng, 0.4):
                words = rng.choice(("", " auto", " auto", " seq"))
                if len(body) == 1 and body[0].is_canonical() and counter.text not in body[0].head:
                    words += " collapse(2)"
                return self.node("", [self.line(f"#pragma acc loop{words}"), loop])
            return loop
        start, test, step = head
        end = self.line(step)
        end.number = 0  # never left out
        body.append(end)
        if form == "do":
            group = self.node("do", body, f" while ({test});")
        else:
            group = self.node(f"while ({test})", body)
        return self.node("", [Node(0, start), group])

    def skip(self, body, counters):
        """A jump over some of the statements, or to the end of the iteration."""
        places = [place for place in range(len(body) + 1) if place == len(body) or not body[place].head.startswith("else")]
        first, last = sorted((self.rng.choice(places), self.rng.choice(places)))
        label = self.line(f"skip{self.count}:;")
        label.number = 0  # never left out
        body.insert(last, label)
        body.insert(first, self.line(f"if ({self.condition(counters)}) goto {label.head.removesuffix(':;')};"))

    def beside(self, head, counter, trips):
        """A head with a second counter, which goes down, and that counter; none if the head has another form."""
        (type_,) = counter.types
        first, test, advance = head.removeprefix("for (").removesuffix(")").split("; ") if head.count("; ") == 2 else ("", "", "")
        if type_ not in ("int", "long") or not advance:
            return head, []
        self.count += 1
        start = trips + self.rng.randint(0, 2)
        name = f"j{self.count}"
        return f"for ({first}, {name} = {start}; {test}; {advance}, {name}--)", [Value(name, start - trips, start, {type_}, counter.is_vague)]

    def guarded(self, counters, node, likely=0.08):
        return self.node(f"if ({self.condition(counters)})", [node]) if chance(self.rng, likely) else node

    def head(self, counters, depth):
        """(form, text, counter, most iterations, whether it is declared outside)."""
        rng = self.rng
        name = f"i{self.count}"
        self.count += 1
        type_ = pick(rng, COUNTERS)
        low, high = self.bounds(counters)
        step = pick(rng, [(1, 8), (2, 1.5), (3, 1)])
        down = chance(rng, 0.2)
        types = low.types | high.types
        if "unsigned" in types | {type_} and (low.lo < 0 or high.lo < 0):
            type_ = "long"
        if down and "unsigned" in types | {type_}:
            self.is_vague = True  # what counts changes in the test
            step = 1  # the test takes one off, and no unsigned number is less than 0
        trips = max(0, -(-(high.hi - low.lo) // step))
        # It may wrap around before it gets to its bound.
        is_vague = bool({"short", "unsigned"} & (types | {type_})) or low.is_vague or high.is_vague or self.has_directives and len(types | {type_}) > 1
        counter = Value(name, low.lo, max(low.lo, high.hi - 1), {type_}, is_vague)
        outside = chance(rng, 0.2)
        if outside:
            self.scalars[name] = (type_, "0")
            if chance(rng, 0.5):
                self.kept.append(name)
            if "statics" not in self.without and chance(rng, 0.3):
                self.statics.add(name)
        first = "" if outside else f"{type_} "
        advance = f"{name}{'--' if down else '++'}" if step == 1 else f"{name} {'-' if down else '+'}= {step}"
        if down and "unsigned" in types | {type_}:
            return "for", f"for ({first}{name} = ({type_})({high.text}); {name} > ({type_})({low.text}) && {name}-- > 0;)", counter, trips, outside
        if down:
            return "for", f"for ({first}{name} = ({type_})({high.text}) - 1; {name} >= {low.text}; {advance})", counter, trips, outside
        relation, bound = "<", high.text
        known = [symbol for symbol in self.symbols if symbol.types & {"int", "long"}]
        if step == 1 and known and "steps" not in self.without and chance(rng, 0.06):
            advance, counter.is_vague = f"{name} += {rng.choice(known).text} + 1", True
        elif step == 1 and high.lo >= low.hi and chance(rng, 0.15):
            relation, counter.is_vague = "!=", True
        elif chance(rng, 0.2) and not high.types & {"unsigned"} and high.lo > 0:
            relation, bound = "<=", self.sum([(1, high)], -1).text if high.types else str(high.hi - 1)
        test = f"{name} {relation} {bound}"
        if relation != "!=" and "sums" not in self.without and not self.has_directives and types | {type_} <= {"int", "long"} and chance(rng, 0.1):
            test = f"{name} + {(more := rng.randint(1, 4))} {relation} {bound} + {more}" if chance(rng, 0.7) else f"2 * {name} {relation} 2 * ({bound})"
        if relation == "<" and known and "sums" not in self.without and not self.has_directives and types | {type_} <= {"int"} and chance(rng, 0.1):
            test += f" && {name} < {rng.choice(known).text} + {rng.randint(0, 3)}"
        if outside and chance(rng, 0.3):
            form = "do" if high.lo > low.hi and chance(rng, 0.5) else "while"
            self.is_vague |= form == "do"
            return form, (f"{name} = {low.text};", test, advance + ";"), counter, trips, outside
        return "for", f"for ({first}{name} = {low.text}; {test}; {advance})", counter, trips, outside

    def bounds(self, counters):
        """The first value, and the one behind the last."""
        rng = self.rng
        start = pick(rng, [(0, 6), (1, 3), (2, 1), (-2, 0.5)])
        low, high = Value(str(start), start, start), None
        kind = pick(rng, [("constant", 4), ("symbol", 4), ("half", 0 if "halves" in self.without else 0.6), ("triangle", 4 if counters else 0), ("band", 2 if counters else 0), ("rest", 1 if counters else 0)])
        if kind == "symbol" and self.symbols and "steps" not in self.without and chance(rng, 0.1):
            symbol, most = rng.choice(self.symbols), rng.randint(3, self.trips)
            high = Value(f"({symbol.text} < {most} ? {symbol.text} : {most})", 0, min(symbol.hi, most), symbol.types, True)
        elif kind == "half" and self.symbols:
            symbol, part = rng.choice(self.symbols), rng.choice((2, 2, 3))
            high = Value(f"{symbol.text} / {part}", 0, symbol.hi // part, symbol.types, symbol.is_vague)
        elif kind == "symbol" and self.symbols:
            high = self.sum([(1, rng.choice(self.symbols))], pick(rng, [(0, 6), (-1, 1), (1, 1)]))
        elif kind == "triangle" and counters:
            outer = rng.choice(counters)
            if chance(rng, 0.5):
                high = self.sum([(1, outer)], rng.randint(0, 2))
            else:
                low = self.sum([(1, outer)], rng.randint(0, 1))
                high = rng.choice(self.symbols) if self.symbols and chance(rng, 0.5) else Value(str(self.trips), self.trips, self.trips)
        elif kind == "band" and counters:
            outer = rng.choice(counters)
            low, high = self.sum([(1, outer)], rng.choice((0, 0, -1))), self.sum([(1, outer)], rng.randint(2, 4))
        elif kind == "rest" and counters:
            high = self.sum([(-1, rng.choice(counters))], self.trips)
        if high is None:
            end = start + rng.randint(max(2, self.trips // 2), self.trips)
            high = Value(str(end), end, end)
        return low, high

    def statement(self, counters, times):
        """Some statements that belong together."""
        rng = self.rng
        kinds = [("store", 8), ("update", 3), ("reduction", 2), ("extremum", 1), ("private", 2), ("conditional", 0.8), ("wrapped", 0.4),
                 ("induction", 1), ("pack", 0.4), ("histogram", 0 if "indirect" in self.without else 0.5), ("scan", 0.3), ("temporary", 0.5),
                 ("product", 0.4), ("location", 0.4), ("through", 0 if "calls" in self.without else 0.6), ("swap", 0.4), ("derived", 0.4), ("flag", 0 if "flags" in self.without else 0.6),
                 ("clauses", 0 if "directives" in self.without else 0.5)]
        kind = pick(rng, kinds)
        if kind in ("induction", "pack") and (times > 4000 or self.inductions > 2):
            kind = "store"
        nodes = getattr(self, kind)(counters, times)
        if chance(rng, 0.15):
            nodes = [self.node(f"if ({self.condition(counters)})", nodes)]
            return nodes + ([self.node("else", self.store(counters, times))] if chance(rng, 0.25) else [])
        return nodes

    def target(self, counters):
        """An element to be written, and whether its subscripts are plain."""
        array = self.rng.choice(self.written)
        return array.access(self.indices(array, counters, chance(self.rng, 0.75)), counters)

    def store(self, counters, _):
        target = self.target(counters)
        own = f" + {target}" if chance(self.rng, 0.3) else ""
        return [self.line(f"{target} = {self.expression(counters)}{own};")]

    def update(self, counters, _):
        return [self.line(f"{self.target(counters)} {self.rng.choice(('+', '+', '-', '^', '*', '|', '&'))}= {self.expression(counters)};")]

    def reduction(self, counters, _):
        type_ = self.number_of(NUMBERS)
        operator = self.rng.choice("+-" if type_ in ("double", "float") else "++-^|&")
        return [self.line(f"{self.scalar(type_, '7')} {operator}= {self.converted(type_, self.expression(counters))};")]

    def product(self, counters, _):
        return [self.line(f"{self.scalar(self.number_of(UNSIGNED), '3')} *= {self.expression(counters)} | 1u;")]

    def extremum(self, counters, _):
        type_ = self.number_of(NUMBERS)
        name, value = self.scalar(type_, "100"), self.expression(counters)
        value = f"({type_})({value})" if type_ not in dict(UNSIGNED) or chance(self.rng, 0.5) else value
        relation = self.rng.choice(("<", ">", "<=", ">="))
        if chance(self.rng, 0.5):
            return [self.line(f"{name} = {value} {relation} {name} ? {value} : {name};")]
        return [self.line(f"if ({value} {relation} {name}) {name} = {value};")]

    def location(self, counters, _):
        best, at, value = self.scalar(self.number_of(UNSIGNED), "77"), self.scalar("unsigned", "0"), self.expression(counters)
        relation, counter = self.rng.choice((">", "<", ">=")), self.rng.choice(counters)
        return [self.node(f"if ({value} {relation} {best})", [self.line(f"{best} = {value};"), self.line(f"{at} = (unsigned){counter.text};")])]

    def private(self, counters, _):
        name = self.scalar(self.number_of(UNSIGNED), "5")
        first = self.line(f"{name} = {self.expression(counters)};")
        return [first, self.line(f"{self.target(counters)} = {self.of_scalar(name)} * {name} + {self.term(counters)};")]

    def conditional(self, counters, _):
        name = self.scalar(self.number_of(UNSIGNED), "6")
        first = self.line(f"if ({self.condition(counters)}) {name} = {self.expression(counters)};")
        return [first] + ([self.line(f"{self.target(counters)} = {name};")] if chance(self.rng, 0.5) else [])

    def flag(self, counters, times):
        name, value = self.scalar(self.number_of(UNSIGNED), "6"), self.rng.randint(0, 9)
        body = [self.line(f"{name} = {value};")]
        if chance(self.rng, 0.7):
            body += self.store(counters, times)
        return [self.node(f"if ({self.condition(counters)})", body)]

    def wrapped(self, counters, _):
        name = self.scalar("unsigned", "9")
        return [self.line(f"{self.target(counters)} = {name} + 1u;"), self.line(f"{name} = {self.expression(counters)};")]

    def scan(self, counters, _):
        name = self.scalar(self.number_of(UNSIGNED), "1")
        return [self.line(f"{name} += {self.expression(counters)};"), self.line(f"{self.target(counters)} = {name};")]

    def running(self, counters):
        """What a scalar has come to, stored by each iteration, or by some."""
        rng = self.rng
        type_ = pick(rng, [("unsigned", 6), ("unsigned long", 2), ("long", 2), ("int", 1), ("double", 2), ("unsigned char", 0.5)])
        name, target = self.scalar(type_, "1"), self.target(counters)
        self.starts.append(self.line(f"{name} = {rng.randint(0, 9)};"))
        value = self.converted(type_, f"(unsigned){target}" if chance(rng, 0.2) else self.expression(counters))
        form = pick(rng, [("+", 6), ("^", 0.7), ("|", 0.7), ("&", 0.7), ("max", 1.5), ("min", 1)])
        if type_ == "double" and form in "^|&":
            form = "+"
        if form in ("max", "min"):
            value = f"({type_}){value}"
            relation = ">" if form == "max" else "<"
            add = rng.choice((f"if ({value} {relation} {name}) {name} = {value};", f"{name} = {value} {relation} {name} ? {value} : {name};"))
        else:
            add = f"{name} {form}= {value};"
            if chance(rng, 0.25):
                add = f"if ({self.condition(counters)}) {add}"
        store = f"{target} = {self.of_scalar(name)}{rng.choice(('', '', f' + {self.term(counters)}'))};"
        if chance(rng, 0.1):
            store = f"if ({self.condition(counters)}) {store}"
        lines = [self.line(add), self.line(store)]
        if chance(rng, 0.3):
            lines.reverse()
        return lines + (self.store(counters, 1) if chance(rng, 0.1) else [])

    def induction(self, counters, times):
        array = self.rng.choice(self.arrays if not self.is_tame else self.written)
        if len(array.needs) > 1:
            return self.store(counters, times)
        self.inductions += 1
        name, step = self.scalar("int", "0"), self.rng.choice((1, 1, 2, 3))
        place = array.access([Value(name, 0, (times + 1) * step + 1)], counters, True)
        use, move = self.line(f"{place} = {self.expression(counters)};"), self.line(f"{name} += {step};")
        return [use, move] if chance(self.rng, 0.5) else [move, use]

    def pack(self, counters, times):
        array = self.rng.choice(self.written)
        if len(array.needs) > 1:
            return self.store(counters, times)
        self.inductions += 1
        name = self.scalar("int", "0")
        place = array.access([Value(name + "++", 0, times + 1)], counters, True)
        return [self.node(f"if ({self.condition(counters)})", [self.line(f"{place} = {self.expression(counters)};")])]

    def histogram(self, counters, _):
        place = self.indirect(self.rng.choice(self.written), counters)
        return [self.line(f"{place} {self.rng.choice(('+', '+', '^', ''))}= {self.expression(counters)};")]

    def temporary(self, counters, _):
        """An array that is filled, mostly as a whole, and read afterwards."""
        rng = self.rng
        array = Array(f"t{self.number}_{len(self.arrays)}", 1, "unsigned", rng.choice(("local", "global")))
        self.arrays.append(array)
        length = rng.randint(3, 6)
        first, second = f"i{self.count}", f"i{self.count + 1}"
        self.count += 2
        start, end = (0, length) if chance(rng, 0.7) else (rng.randint(0, 1), length - rng.randint(0, 1))
        fill = [self.line(f"{array.access([Value(first, 0, length - 1)], counters)} = {self.expression(counters)} + (unsigned){first};")]
        if chance(rng, 0.15):
            fill = [self.node(f"if ({self.condition(counters)})", fill)]
        back = array.access([Value(f"{length - 1} - {second}", 0, length - 1)], counters)
        use = [self.line(f"{self.target(counters + [Value(second, 0, length - 1, {'int'})])} = {back} + (unsigned){second};")]
        return [self.node(f"for (int {first} = {start}; {first} < {end}; {first}++)", fill),
                self.node(f"for (int {second} = 0; {second} < {length}; {second}++)", use)]

    def through(self, counters, times):
        """A function that writes through its parameters, or gets and returns a structure."""
        rng = self.rng
        value = self.expression(counters)
        form = pick(rng, [("put", 3), ("add", 1), ("three", 2), ("some", 1), ("both", 2), ("rise", 0.5), ("object", 2), ("structure", 1)])
        if form == "object":
            name = f"o{self.count}"
            lines = [f"struct two {name};", f"split(&{name}, {value});", f"{self.target(counters)} = {name}.low * 3u + {name}.high;"]
            return [self.node("", [self.line(text) for text in lines])]
        if form == "structure":
            return [self.line(f"{self.target(counters)} = exchanged((struct two){{{value}, {self.term(counters)}}}).low;")]
        arrays = [array for array in self.written if array.element == "unsigned"]
        if not arrays:
            return self.store(counters, times)
        place, more = self.reference(rng.choice(arrays), counters, {"three": 2, "some": 2, "rise": 2}.get(form, 0)), ""
        if form == "both":
            place += f", {self.reference(rng.choice(arrays), counters, 0)}"
        if form in ("some", "rise"):
            more = f", {rng.randint(0, 3)}"
        return [self.line(f"{form}({place}, {value}{more});")]

    def reference(self, array, counters, more):
        """The address of an element, with as many behind it as are wanted."""
        self.is_vague = True  # what a function does with a pointer is not known before the region
        *rows, last = self.indices(array, counters, True)
        return "&" + array.access([*rows, Value(last.text, last.lo, last.hi + more, last.types, last.is_vague)], counters)

    def swap(self, counters, _):
        name, one, other = self.scalar("unsigned", "4"), self.target(counters), self.target(counters)
        return [self.line(f"{name} = {one};"), self.line(f"{one} = {other};"), self.line(f"{other} = {name};")]

    def derived(self, counters, _):
        """A store through a pointer into an array."""
        array, name = self.rng.choice(self.written), f"q{self.count}"
        *rows, last = self.indices(array, counters, chance(self.rng, 0.75))
        if rows:
            array.access([*rows, last], counters)
            start = array.name + "".join(f"[{row.text}]" for row in rows)
        else:
            first = self.subscript(counters, True)
            array.access([Value("", first.lo + last.lo, first.hi + last.hi)], [*counters, first, last])
            start = f"{array.name} + {first.text}"
        return [self.node("", [self.line(f"{array.element} *{name} = {start};"), self.line(f"{name}[{last.text}] = {self.expression(counters)};")])]

    def clauses(self, counters, times):
        """A loop whose directive has clauses, and accesses of what they name beside it, before and behind."""
        rng = self.rng
        self.count += 1
        name, length = f"k{self.count}", rng.choice((3, 6, 33) if times < 400 else (3, 4))
        counter = Value(name, 0, length - 1, {"int"})
        inner = counters + [counter]
        kind = pick(rng, [("reduction", 3), ("private", 1), ("independent", 1), ("temporary", 1)])
        before, behind = [], []
        if kind == "independent":
            array = Array(f"t{self.number}_{len(self.arrays)}", 1, "unsigned", rng.choice(("local", "global")))
            place = array.access([counter], counters)
            words, beside = "independent", array.access([Value(str(length // 2), 0, length - 1)], counters)
            body = [self.line(f"{place} = {self.expression(inner)} * 3u + (unsigned){name};")]
            # Only from here on, so that the loop itself does not read it: its iterations are independent.
            self.arrays.append(array)
        elif kind == "temporary":
            # Each iteration sets a scalar, and some use it; its last value may be used behind the loop.
            array = Array(f"t{self.number}_{len(self.arrays)}", 1, "unsigned", rng.choice(("local", "global")))
            place, value = array.access([counter], counters), self.expression(inner)
            words, beside = "independent", self.scalar("unsigned", "2")
            body = [self.line(f"{beside} = {value} * 3u;")]
            if chance(rng, 0.3):
                body.append(self.node(f"for (int {name}_ = 0; {name}_ < 3; {name}_++)", [self.line(f"{beside} += (unsigned){name}_ * {name};")]))
            store = self.line(f"{place} {rng.choice(('', '+'))}= {beside} + (unsigned){name};")
            body.append(self.node(f"if ({name} & 1)", [store]) if chance(rng, 0.3) else store)
            before.append(self.line(f"{beside} = 5u;"))
            self.arrays.append(array)
        else:
            # What iterations compute does not read what the clause names, nor does what follows a copy.
            value, last = self.expression(inner), self.expression(counters)
            beside = self.scalar("unsigned" if kind == "private" else self.number_of(UNSIGNED), "2")
            words = f"reduction(+:{beside})" if kind == "reduction" else f"private({beside})"
            body = [self.line(f"{beside} {'+' if kind == 'reduction' else ''}= {value};")]
            if kind == "private":
                body.append(self.line(f"{self.target(inner)} = {beside} * 5u + (unsigned){name};"))
        if chance(rng, 0.4):
            before += self.store(counters, times)
        if chance(rng, 0.5):
            before.append(self.line(f"{beside} {rng.choice(('', '', '+', '^'))}= {self.expression(counters)};"))
        if chance(rng, 0.3):
            before.append(self.line(f"{self.target(counters)} = {self.of_scalar(beside) if kind == 'private' else beside};"))
        if kind == "private":
            # The twin has none, and goes on with the last iteration's.
            behind.append(self.line(f"{beside} = {last};"))
        elif chance(rng, 0.3):
            behind.append(self.line(f"{beside} {rng.choice(('', '+', '^'))}= {self.expression(counters)};"))
        if chance(rng, 0.5):
            behind.append(self.line(f"{self.target(counters)} = {beside} + {self.term(counters)};"))
        level = pick(rng, [("", 6), (" vector", 2), (" worker", 1)])
        if kind == "private":
            # A level claims independence where the analysis is undecided, and the store may reach what an iteration reads.
            level = ""
        loop = self.node(f"for (int {name} = 0; {name} < {length}; {name}++)", body)
        parts = [self.node("", [self.line(f"#pragma acc loop{level} {words}"), loop]), *behind]
        # No `break` or `continue` comes between a loop with copies and what is assigned behind it.
        return [*before, self.node("", parts)] if kind == "private" else [*before, *parts]

    # Text

    def parameters(self):
        parameters = [array.parameter() for array in self.arrays if array.is_parameter()]
        return ", ".join(parameters + [f"{type_} {symbol.text}" for symbol in self.symbols for type_ in symbol.types]) or "void"

    def function(self, name, pragma, dropped):
        """The region, or its twin."""
        lines = [f"static unsigned {name}({self.parameters()})", "{"]
        for scalar, (type_, first) in self.scalars.items():
            lines.append(f"    static {type_} {scalar};" if scalar in self.statics else f"    {type_} {scalar} = {first};")
        lines += [f"    {scalar} = {first};" for scalar, (_, first) in self.scalars.items() if scalar in self.statics]
        local = [array for array in self.arrays if array.storage == "local"]
        for array in local:
            lines += [f"    {array.declare()};", f"    fill({array.name}, sizeof {array.name}, {self.number}u);"]
        clauses = ""
        if pragma and "clauses" not in self.without:
            sections = [f"{array.name}[0:{array.dims()[0] if array.storage == 'rows' else array.elements()}]"
                        for array in self.arrays if array.is_parameter() and (self.has_clauses or self.is_vague or array.is_vague)]
            clauses = f" copy({', '.join(sections)})" if sections else ""
            clauses += self.more_clauses
        if self.is_apart:
            lines += [f"#pragma acc data{clauses.replace(self.more_clauses, '')}"] if "copy" in clauses else []
        else:
            lines += [f"#pragma acc kernels{clauses}"] if pragma else []
        lines.append("    {")
        for node in self.body:
            lines += node.lines(dropped, 2, pragma)
        lines.append("    }")
        lines += ["#pragma acc wait(3)"] if "async" in clauses else []
        lines.append("    unsigned r = 0;")
        lines += [f"    r = r * 31u + {self.of_scalar(scalar)};" for scalar in self.kept]
        lines += [f"    r = r * 31u + sum({array.name}, sizeof {array.name});" for array in local]
        return lines + ["    return r;", "}", ""]

    def text(self, dropped):
        rng = random.Random(f"main {self.number} {self.count}")
        self.has_clauses = chance(rng, 0.7 if self.is_apart else 0.3)
        self.more_clauses = pick(rng, CONSTRUCTS).format(self.symbols[0].text if self.symbols else "1")
        number = self.number
        for array in self.arrays:
            if array.storage == "local" and math.prod(array.needs) > MOST_ON_STACK:
                array.storage = "global"
        lines = [f"#define {dim} {need}" for array in self.arrays for dim, need in zip(array.dims(), array.needs)]
        lines += [f"static {array.declare()};" for array in self.arrays if array.storage == "global"]
        if self.index is not None:
            lines += [f"static int index{number}[64];"]
        lines += self.function(f"nest{number}", True, dropped)
        lines += self.function(f"twin{number}", False, dropped)
        return lines + self.test(rng)

    def test(self, rng):
        """The function that runs both and compares."""
        number = self.number
        lines = [f"static int test{number}(void)", "{", "    unsigned r[2];"]
        blocks, arguments = [], []
        pointed = [array for array in self.arrays if array.is_parameter()]
        free = [array for array in pointed if array.storage == "pointer" and not array.is_vague]
        shared = {}
        if len(free) > 1 and "overlaps" not in self.without and chance(rng, 0.5) and not self.has_clauses and not self.is_vague and not self.is_apart:
            same = [array for array in free if array.element == free[0].element]
            if len(same) > 1:
                shared[same[1]] = (same[0], rng.choice((0, 1, 2, 5)))
        for array in pointed:
            if array in shared:
                other, shift = shared[array]
                arguments.append(f"{other.name}_block + {shift}")
                continue
            more = "".join(f" + {shift} + {one.elements()}" for one, (other, shift) in shared.items() if other is array)
            if array.storage == "rows":
                lines.append(f"    static {array.declare().replace(array.name + '[', array.name + '_block[', 1)};")
            else:
                lines.append(f"    static {array.element} {array.name}_block[{array.elements()}{more}];")
            blocks.append((array.name, f"{array.name}_block", array.element))
            arguments.append(f"{array.name}_block")
        blocks += [(array.name, array.name, array.element) for array in self.arrays if array.storage == "global"]
        for _, block, element in blocks:
            lines.append(f"    static {element} {block}_saved[sizeof {block} / sizeof({element})];")
        if self.index is not None:
            rule = rng.choice((f"(i * 7 + i / 5) % {self.index.dims()[0]}", f"i % {self.index.dims()[0]}"))
            lines.append(f"    for (int i = 0; i < 64; i++) index{number}[i] = {rule};")
        for at in range(3 if self.symbols else 1):
            values = [str(symbol.hi if at == 0 else rng.randint(symbol.lo, symbol.hi) if at == 1 else rng.choice((0, 1, 2))) for symbol in self.symbols]
            lines.append("    for (int form = 0; form < 2; form++) {")
            lines += [f"        fill({block}, sizeof {block}, {at * 100 + place + 1}u);" for place, (_, block, _) in enumerate(blocks)]
            call = f"({', '.join(arguments + values)})"
            lines.append(f"        r[form] = form ? twin{number}{call} : nest{number}{call};")
            lines += [f"        if (!form) memcpy({block}_saved, {block}, sizeof {block});" for _, block, _ in blocks]
            lines.append("    }")
            for name, block, element in blocks:
                lines.append(f'    COMPARE({number}, "{name}", {element}, {block}_saved, {block});')
            lines.append(f'    if (r[0] != r[1]) return tell({number}, "scalars", 0, r[0], r[1]);')
        return lines + ["    return 0;", "}", ""]


PRELUDE = """#include <stdio.h>
#include <string.h>

static void fill(void *to, unsigned long bytes, unsigned seed)
{
    unsigned char *p = to;
    for (unsigned long i = 0; i < bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        p[i] = (unsigned char)(seed >> 24);
    }
}

static unsigned sum(const void *of, unsigned long bytes)
{
    const unsigned char *p = of;
    unsigned r = 0;
    for (unsigned long i = 0; i < bytes; i++)
        r = r * 31u + p[i];
    return r;
}

static int tell(int test, const char *name, int at, unsigned long found, unsigned long right)
{
    printf("test %d: %s[%d] is %lu, should be %lu\\n", test, name, at, found, right);
    return 1;
}

static unsigned mix(unsigned x)
{
    return (x ^ x >> 7) * 2654435761u;
}

static unsigned three_of(const unsigned *from)
{
    return from[0] + 3u * from[1] + 5u * from[2];
}

static void put(unsigned *to, unsigned value)
{
    *to = value + 3u;
}

static void add(unsigned *to, unsigned value)
{
    *to += value * 5u;
}

static void both(unsigned *to, unsigned *other, unsigned value)
{
    *to = value;
    *other = *to * 3u + 1u;
}

static void three(unsigned *to, unsigned value)
{
    for (int i = 0; i < 3; i++)
        to[i] = value + (unsigned)i;
}

static void some(unsigned *to, unsigned value, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = value * (unsigned)i;
}

static void rise(unsigned *to, unsigned value, int n)
{
    if (n > 0) {
        *to += value;
        rise(to + 1, value + 1u, n - 1);
    }
}

struct two {
    unsigned low, high;
};

static void split(struct two *to, unsigned value)
{
    to->low = value & 0xffffu;
    to->high = value >> 16;
}

static struct two exchanged(struct two pair)
{
    struct two other = {pair.high + 1u, pair.low};
    return other;
}

#define COMPARE(test, name, type, found, right) \\
    for (int i = 0; i < (int)(sizeof found / sizeof *found); i++) \\
        if (found[i] != ((const type *)right)[i]) return tell(test, name, i, found[i], ((const type *)right)[i])
"""


class Nests:
    """A program of nests."""

    def __init__(self, seed, size, without=(), only=None, dropped=frozenset(), neighbours=0.1):
        rng = random.Random(f"nests {seed}")
        self.nests = [Nest(random.Random(rng.random()), number, without, neighbours) for number in range(2 * size)]
        self.only = only
        self.dropped = dropped

    def text(self):
        chosen = [nest for nest in self.nests if self.only is None or nest.number == self.only]
        lines = [PRELUDE]
        for nest in chosen:
            lines += nest.text(self.dropped)
        lines += ["int main(void)", "{", "    int wrong = 0;"]
        lines += [f"    wrong |= test{nest.number}();" for nest in chosen]
        return "\n".join(lines + ["    return wrong;", "}", ""])
