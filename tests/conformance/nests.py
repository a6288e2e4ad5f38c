"""Random code of a device, whatever its directives are: what iterations do, and headers of loops.

`device_nests.py` has the directives of OpenMP, `region_nests.py` those of OpenACC.

Whatever the order in which units of execution come, they compute the same: a `Context` owns slices of arrays, and a loop
whose iterations are shared gives each of them a part of a slice that no other one touches. What is shared otherwise is only
read, reduced, or updated with operations that commute. Integers wrap; floating point has small whole numbers, so that sums are exact.
"""

import dataclasses
import re

INTEGERS = ["int", "unsigned", "long", "unsigned long", "short", "unsigned short", "signed char", "unsigned char", "long long"]
FLOATS = ["float", "double", "long double"]
TYPES = INTEGERS + FLOATS[:2]
LOWEST = {"signed char": -128, "short": -(1 << 15), "int": -(1 << 31), "long": -(1 << 63), "long long": -(1 << 63)}
HIGHEST = {
    "signed char": 127, "unsigned char": 255, "short": (1 << 15) - 1, "unsigned short": (1 << 16) - 1, "int": (1 << 31) - 1,
    "unsigned": (1 << 32) - 1, "long": (1 << 63) - 1, "unsigned long": (1 << 64) - 1, "long long": (1 << 63) - 1,
}
COMBINERS = ["+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"]


def is_float(type):
    """Whether small whole numbers are held in a floating-point type, perhaps a complex one."""
    return type.startswith(tuple(FLOATS))


@dataclasses.dataclass
class Slice:
    """Elements of an array that a unit of execution owns."""
    array: object
    base: str
    length: int


@dataclasses.dataclass
class Reduction:
    """A variable, or the elements of an array, that may be changed by one operator only."""
    name: str
    type: str
    operator: str
    length: int = 0
    section: str = ""

    @property
    def place(self):
        """How code names the variable."""
        return self.name

    def clause(self, modifier=""):
        return f"reduction({modifier}{self.operator} : {self.name}{self.section})"



@dataclasses.dataclass
class Context:
    """Where code stands, and what it may use."""
    level: str
    owned: list
    read: list
    scalars: list
    temporaries: list = dataclasses.field(default_factory=list)
    reductions: list = dataclasses.field(default_factory=list)
    atomics: list = dataclasses.field(default_factory=list)
    guarded: list = dataclasses.field(default_factory=list)
    budget: int = 4000
    concurrent: bool = False
    depth: int = 0

    @property
    def outside(self):
        """Whether it is code of the host around a construct."""
        return self.level in ("target", "host")

    def inner(self, **changes):
        changes = {"depth": self.depth + 1, "scalars": list(self.scalars), "temporaries": list(self.temporaries)} | changes
        return dataclasses.replace(self, **changes)


class Nests:
    """Makes code of a device."""

    types, combiners = TYPES, COMBINERS

    def __init__(self, random, bounds, functions):
        self.random, self.bounds, self.functions, self.names = random, bounds, functions, 0
        # Operators that the program declares, by the type.
        self.declared = {}

    def chance(self, one_of):
        return not self.random.randrange(one_of)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def pick(self, *alternatives):
        return self.random.choice(alternatives)

    # Values.

    def number(self, value):
        """A known number, as a constant or as what a variable holds."""
        if self.chance(2):
            return str(value)
        name, held = self.random.choice(sorted(self.bounds.items()))
        return f"({name} + {value - held})" if value >= held else f"({name} - {held - value})"

    def element(self, slice, at):
        return slice.array.at(f"{slice.base} + {at}" if slice.base else at)

    def own(self, context):
        """An element that the context owns, and its type."""
        slice = self.random.choice(context.owned)
        at = str(self.random.randrange(slice.length))
        if self.chance(2) and slice.length > 1:
            at = f"(unsigned)({self.value(context, 1)}) % {slice.length}u"
        return self.element(slice, at), slice.array.type

    def value(self, context, depth=2):
        """An expression of an integer type."""
        choices = ["number"]
        if depth:
            choices += ["operation"] * 3 + ["choice", "call"]
        choices += ["scalar"] * 3 if context.scalars else []
        choices += ["temporary"] * 3 if context.temporaries else []
        choices += ["read"] * 3 if context.read and depth else []
        choices += ["own"] * 3 if context.owned and depth else []
        kind = self.random.choice(choices)
        below = lambda: self.value(context, depth - 1)
        if kind == "number":
            return str(self.random.randrange(1, 100))
        if kind == "scalar":
            return self.random.choice(context.scalars)
        if kind == "temporary":
            return integer(*self.random.choice(context.temporaries))
        if kind == "read":
            array = self.random.choice(context.read)
            return integer(array.at(f"(unsigned)({below()}) % {array.length}u"), array.type)
        if kind == "own":
            return integer(*self.own(context))
        if kind == "choice":
            return f"({below()} {self.pick('<', '>', '==', '!=', '<=')} {below()} ? {below()} : {below()})"
        if kind == "call":
            return f"{self.random.choice(self.functions)}({below()}, {below()})"
        return self.pick(
            lambda: f"({below()} {self.pick('+', '-', '*', '&', '|', '^')} {below()})",
            lambda: f"({below()} {self.pick('/', '%')} {self.random.randrange(1, 60)})",
            lambda: f"({below()} {self.pick('<<', '>>')} {self.random.randrange(8)})",
            lambda: f"({self.random.choice(INTEGERS)})({below()})", lambda: f"({self.pick('-', '~', '!')}{below()})",
        )()

    def stored(self, type, context, depth=2):
        """A value for an object of a type."""
        return f"({self.value(context, depth)}) % 1000" if is_float(type) else self.value(context, depth)

    # Statements.

    def declaration(self, context):
        """A variable of the context's own."""
        type, name = self.random.choice(self.types), self.name("t")
        text = f"{type} {name} = {self.stored(type, context)};"
        context.temporaries.append((name, type))
        return text

    def assignment(self, context):
        """A change of something that the context owns, if there is anything."""
        if context.owned and (not context.temporaries or self.random.randrange(4)):
            target, type = self.own(context)
        elif context.temporaries:
            target, type = self.random.choice(context.temporaries)
        else:
            return self.declaration(context)
        return self.change(context, target, type)

    def change(self, context, target, type):
        if is_float(type):
            return f"{target} = {self.stored(type, context)};"
        return f"{target} {self.pick('=', '+=', '-=', '^=', '|=', '*=', '+=')} {self.value(context)};"

    def update(self, context, reduction, depth=2):
        """A change of what is reduced."""
        target = reduction.place
        if reduction.length:
            first, length = section_of(reduction)
            target += f"[{first} + (unsigned)({self.value(context, 1)}) % {length}u]" if length > 1 else f"[{first}]"
        value, small = self.value(context, depth), is_float(reduction.type)
        operator = reduction.operator
        if operator == "*":
            return f"{target} *= ({value}) & 1 ? -1 : 1;" if small else f"{target} *= ({value}) | 1;"
        if operator in ("+", "-"):
            return f"{target} {operator}= ({value}) % 16;" if small else f"{target} {operator}= {value};"
        if operator in ("&", "|", "^"):
            return f"{target} {operator}= {value};"
        if operator in ("&&", "||"):
            return f"{target} = {target} {operator} ({value}) % 7;"
        if operator not in ("min", "max"):
            return f"{operator}(&{target}, {value});"
        less = "<" if operator == "min" else ">"
        own = self.name("m")
        value = f"{reduction.type} {own} = {f'({value}) % 1000' if small else value};"
        return "{ " + value + self.pick(f" if ({own} {less} {target}) {target} = {own};", f" {target} = {target} {less} {own} ? {target} : {own};") + " }"

    def use(self, context, name, type):
        """Makes visible what a variable holds behind a construct."""
        if context.outside:
            return f'show("{name}", {integer(name, type)});'
        if not context.owned:
            targets = [target for target, of in context.temporaries if not is_float(of)]
            return f"{self.random.choice(targets)} += {integer(name, type)};" if targets else ""
        target, to = self.own(context)
        value = integer(name, type)
        return f"{target} = ({value}) % 1000;" if is_float(to) else f"{target} {self.pick('^=', '+=', '=')} {value};"

    def results(self, context, reduction):
        """Makes visible what was reduced, each element of an array."""
        elements = [f"{reduction.name}[{k}]" for k in range(reduction.length)] or [reduction.name]
        return [self.use(context, element, reduction.type) for element in elements]

    def statements(self, context, count):
        return "\n".join(self.statement(context) for _ in range(count))

    def branch(self, context):
        then = self.statements(context.inner(), self.random.randrange(1, 3))
        text = f"if ({self.value(context)} {self.pick('&', '%')} {self.random.randrange(2, 5)}) {{\n{then}\n}}"
        if self.chance(2):
            text += f" else {{\n{self.statements(context.inner(), 1)}\n}}"
        return text

    def updating(self, name, type, operator, value):
        """Forms of an atomic update of a shared variable with an operation that commutes: the kind, the statement and what it captures."""
        if self.chance(4):
            own = self.name("v")
            form = self.pick(f"{own} = {name} {operator}= {value};", f"{{ {own} = {name}; {name} {operator}= {value}; }}", f"{{ {name} = {name} {operator} ({value}); {own} = {name}; }}")
            return "capture", form, f"{type} {own};"
        form = self.pick(f"{name} {operator}= {value};", f"{name} = {name} {operator} ({value});", f"{name} = ({value}) {operator} {name};" if operator != "-" else f"{name} -= {value};")
        return self.pick("", "update"), form, ""

    def accesses(self, at, own, other, is_whole):
        """Kinds and forms of atomic accesses to what a pointer leads to, which capture in `other`."""
        x = f"*{at}"
        forms = [("read", f"{other} = {x};"), ("write", f"{x} = {own};"), ("capture", f"{{ {other} = {x}; {x} = {own}; }}")]
        if is_whole:
            operator = self.pick("+", "-", "*", "&", "|", "^")
            step = self.pick("++", "--")
            update = self.pick(f"{x} {operator}= {own}", f"{x} = {x} {operator} {own}", f"{x} = {own} {operator} {x}")
            forms += [
                ("update", f"{update};"), ("", f"{update};"), ("capture", f"{other} = {update};"), ("capture", f"{{ {update}; {other} = {x}; }}"),
                ("capture", f"{{ {other} = {x}; {update}; }}"), ("capture", f"{other} = (*{at}){step};"), ("capture", f"{other} = {step}{x};"),
                ("update", f"(*{at}){step};"), ("update", f"{x} {self.pick('<<', '>>', '/')}= {self.random.randrange(1, 7)};"),
            ]
        return forms

    # Loops.

    def header(self, trips, outer=None):
        """A loop with so many iterations: its text, its counter, the number of an iteration, and a declaration in front of it."""
        random = self.random
        type, counter, step = random.choice(INTEGERS), self.name("i"), random.choice([1, 1, 1, 1, 2, 3, 7])
        while trips * step > 100 and step > 1:
            step -= 1
        span, signed = trips * step, type in LOWEST
        lowest, highest = LOWEST.get(type, 0), HIGHEST[type]
        first = random.choice([0, 0, 0, 0, 1, 5] + ([-9, -100] if signed else []))
        if self.chance(8) and outer is None:
            first = random.choice([highest - span - 8, lowest + 1])
        if first + span > highest - 8:
            first = highest - span - 8
        up = random.randrange(3) != 0
        literal = lambda value: (f"({value + 1} - 1)" if value == -(1 << 63) else f"{value}{'ul' if value > 1 << 62 else ''}") if abs(value) > 1000 else self.number(value)
        if up:
            start, end = first, first + span
            forms = [("<", end), ("<=", end - step), ("<", end - random.randrange(step))] + ([("!=", end)] if step == 1 else [])
            if trips == 0:
                forms = [("<", end), ("<", end)]
            steps = [f"{counter} += {self.number(step)}", f"{counter} = {counter} + {step}", f"{counter} = {step} + {counter}"]
            ones, number = [f"{counter}++", f"++{counter}"], "({0} - {1})"
        else:
            # One below the last must be a number of the type.
            start, end = first + span, first
            if not signed and first == 0 or first <= lowest + step:
                start, end = start + step, end + step
            forms = [(">", end), (">=", end + step), (">", end + random.randrange(step))] + ([("!=", end)] if step == 1 else [])
            if trips == 0:
                forms = [(">", end)]
            steps = [f"{counter} -= {self.number(step)}", f"{counter} = {counter} - {step}"]
            ones, number = [f"{counter}--", f"--{counter}"], "({1} - {0})"
        relation, bound = random.choice(forms)
        begin, literal_end = literal(start), literal(bound)
        condition = f"{counter} {relation} {literal_end}"
        if self.chance(6):
            condition = f"{literal_end} {relation.translate(str.maketrans('<>', '><'))} {counter}"
        advance = random.choice(ones if step == 1 and self.chance(1) and random.randrange(3) else steps)
        if relation == "!=":
            advance = random.choice(ones)
        outside = self.chance(5)
        declared = f"{type} {counter};" if outside else ""
        text = f"for ({'' if outside else type + ' '}{counter} = {begin}; {condition}; {advance})"
        cast = "(long)" if type != "unsigned long" else ""
        number = "((" + number.format(f"{cast}{counter}", f"{begin}") + f") / {step})"
        return text, counter, number, declared

    def triangle(self, trips):
        """Two loops, of which the inner one depends on the outer one."""
        type, i, j = self.random.choice(["int", "long", "short", "unsigned", "unsigned long"]), self.name("i"), self.name("i")
        second = self.random.randrange(1, trips + 1)
        factor = self.random.choice([1, 1, 2])
        inner = self.pick(
            (f"{type} {j} = 0; {j} < {factor} * {i} + {second}; {j}++", f"{j}", factor * trips + second),
            (f"{type} {j} = {i}; {j} < {trips + second}; {j}++", f"({j} - {i})", trips + second),
            (f"{type} {j} = {i}; {j} <= 3 * {i}; {j} += 2", f"({j} - {i}) / 2", trips + 1),
            (f"{type} {j} = {trips + second}; {j} > {i}; {j}--", f"({trips + second} - {j})", trips + second),
            (f"{type} {j} = 1; {j} <= {i}; {j}++", f"({j} - 1)", trips + 1),
        )
        if type.startswith("unsigned"):
            inner = (f"{type} {j} = 0; {j} < {i} + {second}; {j}++", f"{j}", trips + second)
        text = f"for ({type} {i} = 0; {i} < {trips}; {i}++)\nfor ({inner[0]})"
        return text, [i, j], f"((long){i} * {inner[2]} + {inner[1]})", trips * inner[2]

    def shape(self, trips, depth, triangular=False):
        """Loops around each other: their texts, counters, the number of an iteration, how many there are at most, and declarations in front."""
        if triangular:
            text, counters, number, most = self.triangle(trips)
            return text.split("\n"), counters, number, most, []
        texts, counters, declared, number, most = [], [], [], "", 1
        for level in range(depth):
            count = trips if level == 0 else self.random.choice([1, 2, 3, 4])
            header, counter, place, before = self.header(count)
            texts.append(header)
            counters.append(counter)
            declared.append(before)
            number = f"({number} * {count} + {place})" if number else place
            most *= max(count, 1)
        return texts, counters, number, most, declared

    def between(self, context, texts, counters):
        """Code between two loops of a nest, which each iteration may execute."""
        own, place = self.name("t"), self.random.randrange(1, len(texts))
        between = f"{{\nlong {own} = {' * 3 + '.join(counters[:place])} + {self.value(Context('lane', [], context.read, list(self.bounds)), 1)};"
        counters.append(own)
        return "\n".join([*texts[:place], between, *texts[place:]])

    def shares(self, context, number, most, shared):
        """What one of so many iterations owns, and arrays that nobody changes while the loop lasts."""
        owned = [Slice(slice.array, f"{slice.base} + {number} * {slice.length // most}" if slice.base else f"{number} * {slice.length // most}", slice.length // most) for slice in context.owned if slice.length >= most]
        dropped = [slice for slice in context.owned if slice.length < most]
        if len(owned) > 1 and shared and self.chance(2):
            dropped.append(owned.pop(self.random.randrange(len(owned))))
        kept = {id(slice.array) for slice in owned}
        return owned, context.read + [slice.array for slice in dropped if not slice.base and id(slice.array) not in kept]

    def trips(self, context):
        """How many iterations a loop has."""
        room = min(context.budget, 40, max((slice.length for slice in context.owned), default=40))
        trips = max(1, min(self.random.choice([1, 2, 3, 5, 8, 17, 33]), room))
        return 0 if self.chance(25) else trips

    def reduction(self, context):
        """A new variable that iterations reduce, and its declaration."""
        type, operator = self.random.choice(self.types), self.random.choice(self.combiners)
        if is_float(type) and operator in ("&", "|", "^"):
            operator = "+"
        if type in self.declared and self.chance(2):
            operator = self.declared[type]
        name, length, section = self.name("r"), 0, ""
        if self.chance(4):
            length = self.random.choice([1, 3, 8])
            section = self.pick("", f"[0:{length}]", f"[:{length}]")
            if length > 2 and self.chance(3):
                section = f"[1:{length - 2}]"
        # An operator that gives 0 or 1 would change other values without any iteration.
        pointed = length and section and not context.outside and self.chance(3)
        first = [str(self.random.randrange(1, 2 if operator in ("&&", "||") else 5)) for _ in range(max(length, 1))]
        text = f"{type} {name}[{length}] = {{{', '.join(first)}}};" if length else f"{type} {name} = {first[0]};"
        if pointed:
            text = f"{type} {name}_held[{length}] = {{{', '.join(first)}}}, *{name} = {name}_held;"
        return Reduction(name, type, operator, length, section), text


def section_of(reduction):
    """The first element that a reduction of an array names, and how many."""
    found = re.match(r"\[(\d*):(\d+)\]", reduction.section)
    return (int(found.group(1) or 0), int(found.group(2))) if found else (0, reduction.length)


def integer(text, type):
    """A variable as an integer: floating point has small whole numbers."""
    return f"(int){text}" if is_float(type) else text


def joined(clauses):
    return "".join(f" {clause}" for clause in clauses if clause)
