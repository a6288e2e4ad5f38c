"""Random code of a device for `targets.py`: nests of loops with the directives of OpenMP, and what iterations do.

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
# Sets of constructs that one loop may have, by the level of the code around it.
LOOPS = {
    "target": [
        "target parallel for", "target parallel for simd", "target parallel loop", "target simd", "target teams distribute",
        "target teams distribute simd", "target teams distribute parallel for", "target teams distribute parallel for simd", "target teams loop",
    ],
    "device": ["parallel for", "parallel for simd", "parallel loop", "simd", "loop", "seq"],
    "teams": ["distribute", "distribute simd", "distribute parallel for", "distribute parallel for simd", "loop"],
    "team": ["parallel for", "parallel for simd", "parallel loop", "simd", "loop", "seq"],
    "threads": ["for", "for simd", "loop"],
    "thread": ["simd", "loop", "seq", "seq", "parallel for"],
    "lane": ["seq", "loop", "simd"],
    "task": ["seq", "simd"],
}
# Constructs that are about a loop.
LOOPING = {"distribute", "for", "simd", "loop", "taskloop"}
# Constructs behind which a directive may end, another one with the rest following it.
PARTS = {("target", "teams"), ("target", "parallel"), ("target", "simd"), ("teams", "distribute"), ("teams", "loop"), ("parallel", "for"), ("parallel", "loop")}


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

    def clause(self, modifier=""):
        return f"reduction({modifier}{self.operator} : {self.name}{self.section})"


@dataclasses.dataclass
class Clause:
    """A clause, and which constructs take it."""
    text: str
    constructs: set
    everywhere: bool = False


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

    def inner(self, **changes):
        changes = {"depth": self.depth + 1, "scalars": list(self.scalars), "temporaries": list(self.temporaries)} | changes
        return dataclasses.replace(self, **changes)


class Nests:
    """Makes code of a device."""

    def __init__(self, random, bounds, functions):
        self.random, self.bounds, self.functions, self.names = random, bounds, functions, 0
        # What variables and elements may be, and which loops stand where.
        self.types, self.loops = TYPES, LOOPS
        # Whether code may stand between the loops of a nest.
        self.between = True
        # Whether the host may execute a construct, too: no device has newer data.
        self.movable = False
        # Functions that change elements of a type: their names, and whether any thread may call them.
        self.procedures = {}
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
        return f"({self.value(context, depth)}) % 1000" if type in FLOATS else self.value(context, depth)

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
        if type in FLOATS:
            return f"{target} = {self.stored(type, context)};"
        return f"{target} {self.pick('=', '+=', '-=', '^=', '|=', '*=', '+=')} {self.value(context)};"

    def update(self, context, reduction, depth=2):
        """A change of what is reduced."""
        target = reduction.name
        if reduction.length:
            first, length = section_of(reduction)
            target += f"[{first} + (unsigned)({self.value(context, 1)}) % {length}u]" if length > 1 else f"[{first}]"
        value, small = self.value(context, depth), reduction.type in FLOATS
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
        if context.level == "target":
            return f'show("{name}", {integer(name, type)});'
        if not context.owned:
            targets = [target for target, of in context.temporaries if of not in FLOATS]
            return f"{self.random.choice(targets)} += {integer(name, type)};" if targets else ""
        target, to = self.own(context)
        value = integer(name, type)
        return f"{target} = ({value}) % 1000;" if to in FLOATS else f"{target} {self.pick('^=', '+=', '=')} {value};"

    def results(self, context, reduction):
        """Makes visible what was reduced, each element of an array."""
        elements = [f"{reduction.name}[{k}]" for k in range(reduction.length)] or [reduction.name]
        return [self.use(context, element, reduction.type) for element in elements]

    def statements(self, context, count):
        return "\n".join(self.statement(context) for _ in range(count))

    def statement(self, context):
        choices = ["assignment"] * 4 + ["declaration", "branch"]
        choices += ["update"] * 4 if context.reductions else []
        choices += ["atomic"] * 2 if context.atomics and not context.concurrent else []
        choices += ["loop"] * 3 if context.depth < 5 and context.budget > 1 else []
        choices += ["own atomic"] if context.owned and not context.concurrent else []
        choices += ["critical"] if context.guarded and not context.concurrent and context.level != "lane" and self.chance(3) else []
        choices += ["call"] * 2 if any(slice.array.type in self.procedures for slice in context.owned) else []
        choices += ["task"] if context.level in ("device", "team", "thread") and context.owned and not context.concurrent else []
        choices += ["region"] if context.level in ("device", "team") and context.depth < 4 and not context.concurrent else []
        kind = self.random.choice(choices)
        if kind == "assignment":
            return self.assignment(context)
        if kind == "declaration":
            return self.declaration(context)
        if kind == "branch":
            return self.branch(context)
        if kind == "update":
            return self.update(context, self.random.choice(context.reductions))
        if kind == "atomic":
            return self.atomic(context)
        if kind == "own atomic":
            return self.own_atomic(context)
        if kind == "critical":
            return self.critical(context)
        if kind == "call":
            return self.call(context)
        if kind == "task":
            return self.task(context)
        if kind == "region":
            return self.region(context)
        return self.loop(context, self.random.choice(self.loops[context.level]).split())

    def branch(self, context):
        then = self.statements(context.inner(), self.random.randrange(1, 3))
        text = f"if ({self.value(context)} {self.pick('&', '%')} {self.random.randrange(2, 5)}) {{\n{then}\n}}"
        if self.chance(2):
            text += f" else {{\n{self.statements(context.inner(), 1)}\n}}"
        return text

    def atomic(self, context):
        """An update of a shared variable with an operation that commutes."""
        name, type, operator = self.random.choice(context.atomics)
        value = self.value(context, 1)
        order = self.pick("", "", " seq_cst", " relaxed", " acq_rel", " hint(omp_sync_hint_none)")
        if operator in ("min", "max"):
            less = "<" if operator == "max" else ">"
            own = self.name("m")
            form = self.pick(f"if ({name} {less} {own}) {{ {name} = {own}; }}", f"{name} = {name} {less} {own} ? {own} : {name};")
            return f"{{ {type} {own} = {value};\n#pragma omp atomic compare{order}\n{form}\n}}"
        if type in FLOATS:
            value = f"({value}) % 16"
        if self.chance(4):
            own = self.name("v")
            form = self.pick(f"{own} = {name} {operator}= {value};", f"{{ {own} = {name}; {name} {operator}= {value}; }}", f"{{ {name} = {name} {operator} ({value}); {own} = {name}; }}")
            return f"{{ {type} {own};\n#pragma omp atomic capture{order}\n{form}\n}}"
        form = self.pick(f"{name} {operator}= {value};", f"{name} = {name} {operator} ({value});", f"{name} = ({value}) {operator} {name};" if operator != "-" else f"{name} -= {value};")
        return f"#pragma omp atomic{self.pick('', ' update')}{order}\n{form}"

    def own_atomic(self, context):
        """An atomic access of any form to what nobody else changes, so that what it captures is known."""
        target, type = self.own(context)
        at, own, other, small = self.name("p"), self.name("v"), self.name("x"), type in FLOATS
        x = f"*{at}"
        forms = [
            ("read", f"{other} = {x};"), ("write", f"{x} = {own};"), ("capture", f"{{ {other} = {x}; {x} = {own}; }}"),
            ("compare", f"if ({x} == {own}) {{ {x} = {other}; }}"), ("compare", f"{x} = {x} == {own} ? {other} : {x};"),
            ("compare capture", f"{{ {other} = {x}; if ({x} == {own}) {{ {x} = {self.random.randrange(9)}; }} }}"),
            ("compare capture", f"{{ if ({x} == {own}) {{ {x} = 5; }} {other} = {x}; }}"),
            ("compare capture", f"if ({x} == {own}) {{ {x} = 5; }} else {{ {other} = {x}; }}"),
        ]
        if not small:
            operator = self.pick("+", "-", "*", "&", "|", "^")
            step = self.pick("++", "--")
            update = self.pick(f"{x} {operator}= {own}", f"{x} = {x} {operator} {own}", f"{x} = {own} {operator} {x}")
            forms += [
                ("update", f"{update};"), ("", f"{update};"), ("capture", f"{other} = {update};"), ("capture", f"{{ {update}; {other} = {x}; }}"),
                ("capture", f"{{ {other} = {x}; {update}; }}"), ("capture", f"{other} = (*{at}){step};"), ("capture", f"{other} = {step}{x};"),
                ("update", f"(*{at}){step};"), ("update", f"{x} {self.pick('<<', '>>', '/')}= {self.random.randrange(1, 7)};"),
            ]
        kind, form = self.random.choice(forms)
        after = f"{x} = ((int){x} ^ (int){other}) % 1000;" if small else f"{x} ^= {other};"
        declared = f"{type} *{at} = &{target}, {own} = ({self.value(context)}) % 1000, {other} = 3;"
        return f"{{ {declared}\n#pragma omp atomic{' ' + kind if kind else ''}\n{form}\n{after}\n}}"

    def critical(self, context):
        """Updates that exclude each other, with an operator that commutes."""
        name, type, operator = self.random.choice(context.guarded)
        body = self.update(context.inner(owned=context.owned), Reduction(name, type, operator))
        return f"#pragma omp critical{self.pick('', ' (lock)', ' (lock) hint(omp_sync_hint_contended)')}\n{{\n{body}\n}}"

    def call(self, context):
        """A call of a function that changes elements behind a pointer."""
        slice = self.random.choice([slice for slice in context.owned if slice.array.type in self.procedures])
        name, works_alone = self.procedures[slice.array.type]
        if not works_alone and context.level not in ("device", "team"):
            return self.assignment(context)
        if not works_alone and context.concurrent:
            return self.assignment(context)
        return f"{name}(&{self.element(slice, '0')}, {slice.length}, {self.value(context)});"

    def task(self, context):
        """Tasks of a device, waited for."""
        scalars = [name for name, type in context.temporaries if type not in FLOATS]
        parts, kind = [], self.pick("one", "one", "loop", "group")
        if kind == "loop":
            slice = self.random.choice(context.owned)
            counter = self.name("i")
            inside = context.inner(level="task", owned=[Slice(slice.array, f"{slice.base} + {counter}" if slice.base else counter, 1)], temporaries=[], atomics=[], guarded=[], reductions=[])
            inside.scalars += [*scalars, counter]
            clause = self.pick("", " grainsize(2)", " num_tasks(3)", " if(0)")
            return f"#pragma omp taskloop{clause} {self.shared(slice)}\nfor (int {counter} = 0; {counter} < {slice.length}; {counter}++) {{\n{self.statements(inside, 2)}\n}}"
        for slice in context.owned[:self.random.randrange(1, 3)]:
            inside = context.inner(level="task", owned=[slice], temporaries=[], atomics=[], guarded=[], reductions=[])
            inside.scalars += scalars
            clause = self.pick("", " untied", " if(0)", " mergeable", " final(1)", f" depend(inout : {self.element(slice, '0')})")
            # Two slices may be of one array, but they have no element in common.
            parts.append(f"#pragma omp task{clause} {self.shared(slice)}\n{{\n{self.statements(inside, 2)}\n}}")
        text = "\n".join(parts)
        return f"#pragma omp taskgroup\n{{\n{text}\n}}" if kind == "group" else f"{text}\n#pragma omp taskwait"

    def shared(self, slice):
        """The clause without which a task copies a local array."""
        return self.pick("default(shared)", f"shared({slice.array.holder or slice.array.name})")

    def region(self, context):
        """A `parallel` whose statement is more than a loop."""
        return self.parallel(context, "parallel", [])

    def parallel(self, context, directive, clauses):
        """A team of threads that share loops and meet behind each."""
        context = context.inner(depth=context.depth)
        text, inside = [], context.inner(level="threads", temporaries=[], reductions=[], owned=[], read=context.read)
        before, after = ([self.assignment(context)], []) if "target" not in directive else ([], [])
        if before and self.chance(2):
            reduction, declared = self.reduction(context)
            before.append(declared)
            clauses = [*clauses, reduction.clause()]
            inside.reductions = [reduction]
            after += self.results(context, reduction)
        inside.scalars += [name for name, type in context.temporaries if type not in FLOATS]
        for _ in range(self.random.randrange(1, 4)):
            kind = self.pick("loop", "loop", "loop", "single", "masked", "master", "sections", "own", "scope")
            if kind == "loop":
                taken = context.owned and self.random.sample(context.owned, self.random.randrange(1, len(context.owned) + 1))
                # What the others own is for all threads to read until the loop ends.
                read = context.read + [slice.array for slice in context.owned if slice not in taken and not slice.base]
                text.append(self.loop(inside.inner(owned=taken, read=read), self.random.choice(self.loops["threads"]).split(), results=False))
            elif kind == "scope":
                text.append(f"#pragma omp scope\n{{\n{self.declaration(inside.inner())}\n}}")
            elif kind == "own":
                text.append(self.declaration(inside))
            elif kind == "sections":
                parts = [f"#pragma omp section\n{{\n{self.statements(inside.inner(level='thread', owned=[slice], temporaries=[]), 2)}\n}}" for slice in context.owned[:3]]
                text.append("#pragma omp sections\n{\n" + "\n".join(parts or ["#pragma omp section\n;"]) + "\n}")
            else:
                alone = inside.inner(level="thread", owned=context.owned, temporaries=[])
                barrier = "\n#pragma omp barrier" if kind in ("masked", "master") else ""
                text.append(f"#pragma omp {kind}\n{{\n{self.statements(alone, 2)}\n}}{barrier}")
        clauses = clauses + [f"num_threads({self.number(self.random.choice([1, 3, 32, 40]))})"] * self.chance(2)
        return "\n".join(["{", *before, f"#pragma omp {directive}{joined(clauses)}\n{{", *text, "}", *filter(None, after), "}"])

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

    def loop(self, context, constructs, head=(), results=True):
        """A loop whose iterations are shared as its constructs say; `head` are clauses of the first of them."""
        before, text, after = self.loop_parts(context, constructs, head, results, context)
        # A variable that a directive makes private and the code around declares is nobody else's.
        return "{\n" + "\n".join([*before, text, *after]) + "\n}"

    def loop_parts(self, context, constructs, head, results, outer):
        """The declarations in front of a loop, the loop, and what is behind it, in the context `outer`."""
        random = self.random
        room = min(context.budget, 40, max((slice.length for slice in context.owned), default=40))
        trips = random.choice([1, 2, 3, 5, 8, 17, 33])
        trips = max(1, min(trips, room))
        if self.chance(25):
            trips = 0
        shared = constructs != ["seq"]
        depth = random.choice([1, 1, 1, 2, 2, 3]) if shared and trips else 1
        scan = results and shared and trips and constructs[-1] in ("for", "simd") and not {"distribute", "taskloop"} & set(constructs) and self.chance(12)
        declared, counters = [], []
        triangle, closing = False, ""
        if depth == 2 and self.chance(3) and trips < 12 and not scan:
            text, counters, number, most = self.triangle(trips)
            never = triangle = True
        else:
            if scan:
                depth = 1
            texts, number, most, never = [], "", 1, trips == 0
            for level in range(depth):
                count = trips if level == 0 else random.choice([1, 2, 3, 4])
                header, counter, place, before = self.header(count)
                texts.append(header)
                counters.append(counter)
                declared.append(before)
                number = f"({number} * {count} + {place})" if number else place
                most *= max(count, 1)
            text = "\n".join(texts)
            if depth > 1 and results and self.chance(6) and self.between:
                # Code between two loops of a nest, which each iteration may execute.
                own, place = self.name("t"), self.random.randrange(1, depth)
                between = f"{{\nlong {own} = {' * 3 + '.join(counters[:place])} + {self.value(Context('lane', [], context.read, list(self.bounds)), 1)};"
                text, closing = "\n".join([*texts[:place], between, *texts[place:]]), "}"
                counters.append(own)
        level = self.level_inside(context.level, constructs)
        owned = [Slice(slice.array, f"{slice.base} + {number} * {slice.length // most}" if slice.base else f"{number} * {slice.length // most}", slice.length // most) for slice in context.owned if slice.length >= most]
        dropped = [slice for slice in context.owned if slice.length < most]
        if len(owned) > 1 and shared and self.chance(2):
            dropped.append(owned.pop(random.randrange(len(owned))))
        # Nobody changes these while the loop lasts.
        kept = {id(slice.array) for slice in owned}
        read = context.read + [slice.array for slice in dropped if not slice.base and id(slice.array) not in kept]
        inside = context.inner(level=level, owned=owned, read=read, budget=context.budget // max(most, 1), reductions=list(context.reductions))
        inside.scalars += counters
        if closing:
            scan = False
        clauses, before, after = [Clause(text, {constructs[0]}) for text in head], [], []
        if shared:
            # Temporaries of the code around are shared now.
            inside.scalars += [name for name, type in inside.temporaries if type not in FLOATS]
            inside.temporaries = []
            if not scan:
                self.data_clauses(context, inside, constructs, clauses, before, after, results, never, depth, outer)
            self.other_clauses(context.level, inside, constructs, clauses, depth, triangle)
        last = [name for name in before if name.startswith("@")]
        before = [name for name in before if not name.startswith("@")]
        if shared and results and trips and not closing and self.chance(8) and "for" in constructs and not {"distribute", "simd"} & set(constructs):
            body = self.chained(outer, inside, clauses, before, after)
        elif scan:
            body = self.scanned(outer, inside, clauses, before, after)
        else:
            body = self.statements(inside, random.randrange(1, 4))
        for line in reversed(last):
            kind, line = line[1:].split(":", 1)
            body = f"{line}\n{body}" if kind == "first" else f"{body}\n{line}"
        # `simd` gives its last value to a counter that is declared in front of the construct.
        counts_outside = any(declared) and "simd" in constructs
        self.attributes(context, constructs, clauses, f"{text}\n{body}", counts_outside, before)
        directives = self.directives(constructs, clauses) if shared else ""
        text = "\n".join([*filter(None, [directives]), f"{text} {{\n{body}\n}}{closing}"])
        return [*filter(None, declared), *before], text, [*filter(None, after)]

    def chained(self, context, inside, clauses, before, after):
        """The statements of an iteration of which a part is executed in the order of the loop."""
        name = self.name("o")
        before.append(f"unsigned {name} = {self.random.randrange(9)};")
        inside.concurrent = False
        clauses[:] = [clause for clause in clauses if not clause.text.startswith("order") and "nonmonotonic" not in clause.text]
        clauses += [Clause(f"map(tofrom : {name})", {"target"}), Clause("ordered", {"for"}), Clause(f"shared({name})", {"parallel"})]
        after.append(self.use(context, name, "unsigned"))
        first, value, last = self.statements(inside, 1), self.value(inside), self.statements(inside, 1)
        return f"{first}\n#pragma omp ordered{self.pick('', ' threads')}\n{{\n{name} = {name} * 31 + {value};\n}}\n{last}"

    def scanned(self, context, inside, clauses, before, after):
        """The statements of an iteration that reads the sum so far."""
        name, type, operator = self.name("r"), self.random.choice(["int", "long", "unsigned", "double"]), self.pick("+", "+", "max")
        reduction = Reduction(name, type, operator)
        before.append(f"{type} {name} = {self.random.randrange(9)};")
        clauses[:] = [clause for clause in clauses if not clause.text.startswith(("order", "schedule"))]
        clauses.append(Clause(reduction.clause("inscan, "), {"for", "simd"}, True))
        inside.reductions, inside.concurrent = [], False
        # What stands in front of `scan` leaves nothing else for what stands behind it.
        add = self.update(inside.inner(owned=[]), reduction, 1)
        read = self.use(inside, name, type) if inside.owned else self.declaration(inside)
        after.append(self.use(context, name, type))
        if self.chance(2):
            return f"{{\n{add}\n}}\n#pragma omp scan inclusive({name})\n{{\n{read}\n}}"
        return f"{{\n{read}\n}}\n#pragma omp scan exclusive({name})\n{{\n{add}\n}}"

    def level_inside(self, level, constructs):
        """Where the iterations of a loop stand."""
        if "simd" in constructs or level == "lane":
            return "lane"
        if "for" in constructs or "loop" in constructs:
            return "thread"
        return "team" if "distribute" in constructs else level

    def reduction(self, context):
        """A new variable that iterations reduce, and its declaration."""
        type, operator = self.random.choice(self.types), self.random.choice(COMBINERS)
        if type in FLOATS and operator in ("&", "|", "^"):
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
        pointed = length and section and context.level != "target" and self.chance(3)
        first = [str(self.random.randrange(1, 2 if operator in ("&&", "||") else 5)) for _ in range(max(length, 1))]
        text = f"{type} {name}[{length}] = {{{', '.join(first)}}};" if length else f"{type} {name} = {first[0]};"
        if pointed:
            text = f"{type} {name}_held[{length}] = {{{', '.join(first)}}}, *{name} = {name}_held;"
        return Reduction(name, type, operator, length, section), text

    def data_clauses(self, context, inside, constructs, clauses, before, after, results, never, depth, outer):
        """Variables that are private, reduced, or have last values."""
        random, looped = self.random, set(constructs) & LOOPING
        # What the code around reduces, this loop's units reduce for it. A league does so as `teams` says.
        holders = {"teams", "parallel", "for", "simd", "loop", "taskloop"} & set(constructs)
        if constructs[0] == "distribute" and not {"parallel", "simd"} & set(constructs):
            holders = set()
        inside.reductions = []
        if context.level == "threads":
            # The thread's own copies: a loop that is shared takes no clause for them.
            holders = holders if constructs == ["for"] else set()
            inside.reductions = list(context.reductions) if holders else []
        for reduction in context.reductions if holders and context.level != "threads" else []:
            if self.chance(2):
                clauses.append(Clause(reduction.clause(), holders, True))
                inside.reductions.append(reduction)
        if constructs[0] == "distribute":
            inside.reductions = inside.reductions if holders else list(context.reductions)
            results = False
        if not results:
            if self.chance(3):
                self.private(context, inside, constructs, clauses, before)
            return
        if context.level == "threads":
            holders = {"for", "simd", "taskloop"} & set(constructs)
        for _ in range(random.choice([0, 0, 1, 1, 2, 3]) if holders else 0):
            reduction, text = self.reduction(context)
            before.append(text)
            modifier = "default, " if self.chance(8) and "loop" not in constructs else ""
            clauses.append(Clause(reduction.clause(modifier), holders, True))
            inside.reductions.append(reduction)
            after += self.results(outer, reduction)
        if self.chance(3):
            self.private(outer, inside, constructs, clauses, before, None if never else after)
        if "loop" in constructs:
            return
        if not never and self.chance(3):
            name, type = self.name("l"), random.choice(self.types)
            before.append(f"{type} {name} = 1;")
            clauses.append(Clause(f"lastprivate({name})", looped))
            before.append(f"@last:{name} = {self.stored(type, inside)};")
            after.append(self.use(outer, name, type))
        if not {"distribute", "taskloop"} & looped and self.chance(6) and not never:
            name, type = self.name("l"), random.choice(INTEGERS)
            before.append(f"{type} {name} = 1;")
            clauses.append(Clause(f"lastprivate(conditional : {name})", looped))
            before.append(f"@last:if (({self.value(inside)}) % 3 == 0) {name} = {self.value(inside)};")
            after.append(self.use(outer, name, type))
        if not {"distribute", "taskloop"} & looped and self.chance(5) and depth == 1:
            name, type, step = self.name("l"), random.choice(["int", "long", "unsigned", "short"]), random.choice([1, 2, 5, -3])
            before.append(f"{type} {name} = {random.randrange(9)};")
            form = self.pick(f"linear({name} : {step})", f"linear(val({name}) : {step})", f"linear({name} : val, step({step}))", f"linear({name} : step({step}))")
            clauses.append(Clause(form if step != 1 else f"linear({name})", looped))
            before.append(f"@last:{name} += {step};")
            inside.scalars.append(name)
            after.append(self.use(outer, name, type))

    def private(self, context, inside, constructs, clauses, before, after=None):
        """A variable that each iteration sets before it reads it."""
        name, type = self.name("q"), self.random.choice(self.types)
        shape = self.pick("", "", "", "array", "structure")
        if shape:
            last = constructs[-1] in ("for", "simd") and not {"distribute", "taskloop"} & set(constructs) and self.chance(2) and after is not None
            inner = f"{name}[1]" if shape == "array" else f"{name}.b"
            before.append(f"{type} {name}[3] = {{1, 2, 3}};" if shape == "array" else f"struct {{ char a; {type} b; }} {name} = {{1, 2}};")
            clauses.append(Clause(f"{'lastprivate' if last else 'private'}({name})", {"for", "simd"} if last else {constructs[-1]}))
            before.append(f"@first:{inner} = {self.stored(type, inside)};")
            inside.temporaries.append((inner, type))
            if last:
                after.append(self.use(context, inner, type))
            return
        before.append(f"{type} {name} = 7;")
        clauses.append(Clause(f"private({name})", {constructs[-1]}))
        before.append(f"@first:{name} = {self.stored(type, inside)};")
        inside.temporaries.append((name, type))

    def other_clauses(self, around, inside, constructs, clauses, depth, triangle):
        """How the constructs share iterations."""
        random, have = self.random, set(constructs)

        def add(one_of, construct, *texts):
            if triangle and "sched" in texts[0]:
                return
            if construct in have and self.chance(one_of):
                clauses.append(Clause(random.choice(texts), {construct}))

        if depth > 1:
            clauses.append(Clause(f"collapse({depth})", have & LOOPING, False))
        linear = any("linear" in clause.text for clause in clauses)
        kinds = ["static", "static, 1", "static, 3", "dynamic", "dynamic, 2", "guided", "auto", "runtime", f"static, {self.number(4)}", "monotonic: static", "nonmonotonic: dynamic, 4"]
        kinds += ["simd: static", "simd: dynamic, 3"] if "simd" in have else []
        add(3, "for", *(f"schedule({kind})" for kind in kinds))
        add(3, "distribute", "dist_schedule(static)", "dist_schedule(static, 1)", "dist_schedule(static, 5)", f"dist_schedule(static, {self.number(3)})")
        add(3, "teams", *(f"num_teams({self.number(count)})" for count in (1, 2, 5, 30)))
        add(3, "teams", *(f"thread_limit({self.number(count)})" for count in (1, 8, 32, 64, 100)))
        add(3, "parallel", *(f"num_threads({self.number(count)})" for count in (1, 2, 7, 32, 50)))
        add(5, "simd", "simdlen(4)", "safelen(8)", "safelen(16) simdlen(2)", "safelen(1)")
        pointers = [slice.array.name for slice in inside.owned if slice.array.storage == "heap"]
        if pointers:
            add(4, "simd", f"aligned({pointers[0]} : 16)", f"nontemporal({pointers[0]})", f"aligned({pointers[0]})")
        privates = [clause.text for clause in clauses if clause.text.startswith("private")]
        if privates and "target" not in have and len(have) == 1 and not self.chance(3):
            add(2, "for", f"allocate(omp_default_mem_alloc : {named(privates[0])})", f"allocate(allocator(omp_default_mem_alloc), align(16) : {named(privates[0])})")
        condition = self.pick("1", "0", f"{self.value(inside.inner(scalars=[*self.bounds], owned=[], read=[]), 1)} > 20")
        add(8, "parallel", f"if(parallel : {condition})")
        add(10, "simd", f"if(simd : {condition})")
        add(10, "target", "if(target : 1)", f"if(target : {condition})" if self.movable else "if(1)")
        if "loop" in have:
            binding = constructs[-2] if len(constructs) > 1 else {"teams": "teams", "threads": "parallel"}.get(around, "thread")
            clauses.append(Clause(f"bind({binding})" if binding == "thread" or self.chance(2) else "", {"loop"}))
        ordered = {"for", "simd", "distribute", "loop"} & have
        if ordered and self.chance(8) and not linear and not any("conditional" in clause.text for clause in clauses):
            clauses.append(Clause(self.pick("order(concurrent)", "order(reproducible : concurrent)", "order(unconstrained : concurrent)"), ordered))
            inside.concurrent = True
        if "loop" in have:
            inside.concurrent = True

    def attributes(self, context, constructs, clauses, text, counts_outside, before):
        """Clauses for what no other clause names."""
        if {"parallel", "teams"} & set(constructs) and not counts_outside and self.chance(4):
            self.default(context, constructs, clauses, text)

    def default(self, context, constructs, clauses, text):
        """A `default` clause, and what it makes necessary."""
        kind = self.pick("none", "none", "shared") if "target" in constructs or "teams" in constructs else self.pick("none", "none", "shared", "firstprivate")
        holders = {"parallel", "teams"} & set(constructs)
        arrays = [slice.array for slice in context.owned] + context.read
        names = [*dict.fromkeys(array.holder or array.name for array in arrays), *context.scalars]
        names += [name for name, _ in context.temporaries] + [name for name, *_ in context.atomics + context.guarded]
        data = ("private", "firstprivate", "lastprivate", "linear", "reduction", "shared")
        told = " ".join(clause.text for clause in clauses if clause.text.startswith(data))
        names = [re.match(r"\w+", name)[0] for name in names]
        # What clauses of an inner construct read, a chunk for instance, the outer one must know.
        text = joined(clause.text for clause in clauses) + text
        used = [name for name in dict.fromkeys(names) if re.search(rf"\b{name}\b", text) and not re.search(rf"\b{name}\b", told)]
        if kind == "firstprivate":
            # What is changed must be shared all the same, and what is declared outside of functions is to be named.
            used = [name for name in used if name not in context.scalars or name in self.bounds]
        if kind == "shared":
            used = used[:1]
        clauses.append(Clause(f"default({kind})", holders, True))
        if used:
            clauses.append(Clause(f"shared({', '.join(used)})", holders, True))

    def directives(self, constructs, clauses):
        """The directive of a loop, or several, one behind the other, that mean the same."""
        groups = [[constructs[0]]]
        for before, construct in zip(constructs, constructs[1:]):
            composite = before == "parallel" and "distribute" in constructs
            if (before, construct) in PARTS and not composite and self.chance(4):
                groups.append([construct])
            else:
                groups[-1].append(construct)
        texts = [[] for _ in groups]
        given = [[] for _ in groups]
        for clause in clauses:
            if clause.text.startswith("default") and len(groups) > 1 and "target" not in groups[0]:
                # The outer directive would have to name what the clauses of an inner one name.
                continue
            takers = [k for k, group in enumerate(groups) if clause.constructs & set(group)]
            # Nearest to the loop; but each league and each team combines what its units reduce.
            within = [k for k in takers if "teams" not in groups[k]]
            takers = [k for k in takers if k not in within] + within[-1:] if clause.everywhere and constructs[-1] != "loop" else takers[-1:]
            for k in takers:
                given[k].append(clause.text)
        # A scalar that only an inner directive names would be a copy of the whole construct.
        if "target" in groups[0]:
            changed = [clause.text for clause in clauses if clause.text.startswith(("reduction", "lastprivate", "linear"))]
            given[0] += [f"map(tofrom : {named(text)})" for text in changed if text not in given[0]]
        for k, group in enumerate(groups):
            self.random.shuffle(given[k])
            texts[k] = f"#pragma omp {' '.join(group)}{joined(given[k])}"
        return "\n".join(texts)


def named(clause):
    """The variable of a clause: `r` of `reduction(+ : r[0:3])`."""
    inner = clause[clause.index("(") + 1:-1]
    if clause.startswith("linear"):
        return re.match(r"(?:val\()?(\w+)", inner).group(1)
    return re.sub(r"\[.*", "", inner.split(":", 1)[1] if ":" in inner.split("[")[0] else inner).strip()


def section_of(reduction):
    """The first element that a reduction of an array names, and how many."""
    found = re.match(r"\[(\d*):(\d+)\]", reduction.section)
    return (int(found.group(1) or 0), int(found.group(2))) if found else (0, reduction.length)


def integer(text, type):
    """A variable as an integer: floating point has small whole numbers."""
    return f"(int){text}" if type in FLOATS else text


def joined(clauses):
    return "".join(f" {clause}" for clause in clauses if clause)
