"""Random code of compute constructs with the directives of OpenACC, for `regions.py`."""

import dataclasses

from nests import COMBINERS, INTEGERS, TYPES, Nests, Reduction, Slice, is_float, joined, section_of

# Clauses that say which level shares a loop, by the level of the code around it; "plain" is a loop without a directive.
LOOPS = {
    # All gangs execute the code.
    "gangs": ["gang", "gang", "gang worker", "gang vector", "gang worker vector", "", "gang(dim: 2)"],
    # One gang does.
    "single": ["gang", "gang worker", "gang vector", "gang worker vector", "worker", "vector", "worker vector", "", "auto", "seq", "plain"],
    # All gangs of the first dimension do.
    "gangs of one": ["gang(dim: 1)", "gang(dim: 1) vector", "gang(dim: 1) worker vector"],
    "gang": ["worker", "worker", "vector", "vector", "worker vector", "", "auto", "seq", "plain"],
    "worker": ["vector", "vector", "", "seq", "plain"],
    "vector": ["seq", "plain"],
    # What shares the loop around is the compiler's choice.
    "open": ["", "auto", "seq", "plain"],
}
# Levels of routines that code may call.
CALLS = {"gangs": ["gang"], "single": ["gang", "worker", "vector", "seq"], "gang": ["worker", "vector", "seq"], "worker": ["vector", "seq"], "vector": ["seq"], "open": ["seq"]}


def inside_of(level, kind):
    """The level of the code in a loop."""
    if kind == "gang(dim: 2)":
        return "gangs of one"
    for word in ("vector", "worker", "gang"):
        if word in kind:
            return word
    return "open" if kind in ("", "auto") else level


class RegionNests(Nests):
    """Makes code of compute constructs."""

    combiners = [operator for operator in COMBINERS if operator != "-"]

    def __init__(self, random, bounds, functions):
        super().__init__(random, bounds, functions)
        # Functions that change elements of a type, by the type and the level.
        self.procedures = {}
        # Whether the construct is `kernels`, whose loops are analysed.
        self.analysed = False

    def number(self, value):
        return super().number(value) if self.bounds else str(value)

    def stored(self, type, context, depth=2):
        if type.endswith("_Complex"):
            return f"({self.value(context, depth)}) % 1000 + ({self.value(context, 1)}) % 50 * _Complex_I"
        return super().stored(type, context, depth)

    def reduction(self, context, behind_pointers=False):
        found, text = super().reduction(context)
        if self.chance(8):
            found.type, found.operator, found.length, found.section = self.pick("float _Complex", "double _Complex"), "+", 0, ""
            text = f"{found.type} {found.name} = 3 - 2 * _Complex_I;"
        elif self.chance(8):
            # All members of a structure, of which one changes.
            text = f"struct {{ short before; {found.type} sum; }} {found.name} = {{1, 1}};"
            found = Member(f"{found.name}.sum", found.type, found.operator)
        elif found.section.startswith("[0") and context.outside and behind_pointers and self.chance(2):
            text = f"{text.replace(found.name, f'{found.name}_held', 1)}\n{found.type} *{found.name} = {found.name}_held;"
        if found.section and self.chance(2):
            first, length = section_of(found)
            found = Spelled(found.name, found.type, found.operator, found.length, found.section, f"[{self.number(first)}:{self.number(length)}]")
        return found, text

    def trips(self, context):
        """How many iterations a loop has: now and then more than a warp has lanes."""
        many = context.budget >= 4000 and self.chance(6) and any(slice.length >= 100 for slice in context.owned)
        return 100 if many else super().trips(context)

    # Statements.

    def statement(self, context):
        choices = ["assignment"] * 4 + ["declaration", "branch", "control", "structure", "array", "table", "record"]
        choices += ["update"] * 4 if context.reductions else []
        choices += ["atomic"] * 2 if context.atomics else []
        choices += ["loop"] * 4 if context.depth < 5 and context.budget > 1 else []
        choices += ["own atomic"] if context.owned else []
        choices += ["call"] * 2 if self.callable(context) else []
        choices += ["pointer"] if context.owned else []
        choices += ["bytes"] if any(slice.array.contiguous for slice in context.owned) else []
        choices += ["chosen call"] if self.chance(6) else []
        kind = self.random.choice(choices)
        if kind == "loop":
            return self.loop(context, self.random.choice(LOOPS[context.level]))
        if kind == "update":
            return self.update(context, self.random.choice(context.reductions))
        return getattr(self, kind.replace(" ", "_"))(context)

    def structure(self, context):
        """A structure of the context's own."""
        name, types = self.name("s"), [self.random.choice(self.types) for _ in range(3)]
        text = f"struct {{ {types[0]} a; char pad; {types[1]} b[2]; unsigned c : 7; {types[2]} d; }} {name} = {{{self.stored(types[0], context, 1)}, 1, {{2, 3}}, 4, 5}};"
        context.temporaries += [(f"{name}.a", types[0]), (f"{name}.b[1]", types[1]), (f"{name}.c", "unsigned"), (f"{name}.d", types[2])]
        return text

    def record(self, context):
        """A structure that a function gives, and a copy of it."""
        name = self.name("s")
        text = f"struct pair {name} = both((struct pair){{{self.value(context, 1)}, 3}}, {self.value(context, 1)}), {name}_copy = {name};\n{name}_copy.a += {self.value(context, 1)};\n{self.pick('', f'{name} = {name}_copy;')}"
        context.temporaries += [(f"{name}.a", "long"), (f"{name}.b", "double"), (f"{name}_copy.a", "long")]
        return text

    def array(self, context):
        """An array of the context's own, whose elements loops share."""
        type, length, name = self.random.choice(self.types), self.random.choice([2, 6, 20, 70]), self.name("e")
        text = f"{type} {name}[{length}] = {{{', '.join(str(self.random.randrange(50)) for _ in range(min(length, 4)))}}};"
        array = Local(name, type, length)
        if self.chance(3):
            # One of variable length, perhaps of rows.
            array.columns = self.random.choice([0, 0, 2]) if length % 2 == 0 else 0
            shape = f"[{self.number(length // 2)}][{self.number(2)}]" if array.columns else f"[{self.number(length)}]"
            counter = self.name("k")
            text = f"{type} {name}{shape};\nfor (int {counter} = 0; {counter} < {length}; {counter}++) {array.at(counter)} = ({counter} * {self.random.randrange(1, 9)} + {self.random.randrange(9)}) % 50;"
        if context.level == "gangs":
            context.read = [*context.read, array]
        else:
            context.owned = [*context.owned, Slice(array, "", length)]
        return text

    def table(self, context):
        """Constants of the context's own, and an element of them."""
        name, own = self.name("k"), self.name("t")
        text = f"{self.pick('static const', 'const')} {self.pick('int', 'short', 'long')} {name}[4] = {{{', '.join(str(self.random.randrange(-99, 99)) for _ in range(4))}}};\nint {own} = {name}[({self.value(context, 1)}) & 3];"
        context.temporaries.append((own, "int"))
        return text

    def pointer(self, context):
        """A change through a pointer to what the context owns."""
        found = self.addressed(context)
        if not found:
            return self.assignment(context)
        target, type = found
        name = self.name("p")
        return f"{{ {type} *{name} = &{target};\n{self.change(context, f'*{name}', type)}\n{self.change(context, f'{name}[0]', type)} }}"

    def bytes(self, context):
        """Elements that are copied to an array of the context's own and back."""
        slice = self.random.choice([slice for slice in context.owned if slice.array.contiguous])
        name, count, type = self.name("b"), self.random.randrange(1, min(slice.length, 6) + 1), slice.array.type
        element = self.element(slice, str(self.random.randrange(slice.length - count + 1)))
        changed = self.change(context, f"{name}[{self.random.randrange(count)}]", type)
        size = f"{count} * sizeof({type})"
        return f"{{ {type} {name}[{count}];\nmemcpy({name}, &{element}, {size});\n{changed}\n{self.pick('memcpy', 'memmove')}(&{element}, {name}, {size}); }}"

    def chosen_call(self, context):
        """A call through a pointer to one of two functions."""
        name, own = self.name("f"), self.name("t")
        text = f"long (*{name})(long, long) = ({self.value(context, 1)}) & 1 ? f1 : f2;\nlong {own} = {name}({self.value(context, 1)}, {self.value(context, 1)});"
        context.temporaries.append((own, "long"))
        return text

    def addressed(self, context):
        """An element with an address that the context owns, and its type."""
        found = [slice for slice in context.owned if slice.array.addressable]
        return self.own(context.inner(owned=found)) if found else None

    def control(self, context):
        """Ways through code that directives have nothing to say about."""
        name, inside, trips = self.name("w"), context.inner(budget=context.budget // 4), self.random.randrange(1, 5)
        condition = f"({self.value(context, 1)}) % 5 == 1"
        kind = self.pick("while", "do", "switch", "goto", "for", "continue")
        if kind != "goto":
            inside.scalars.append(name)
        other = self.statements(inside.inner(), 1)
        body = self.statements(inside, self.random.randrange(1, 3))
        if kind == "while":
            return f"{{ int {name} = {trips};\nwhile ({name}-- > 0) {{\n{body}\n{self.pick('', f'if ({condition}) break;')}\n}} }}"
        if kind == "do":
            return f"{{ int {name} = {trips};\ndo {{\n{body}\n}} while (--{name} > 0); }}"
        if kind == "switch":
            return f"{{ int {name} = ({self.value(context)}) & 3;\nswitch ({name}) {{\ncase 0: {{\n{body}\n}} {self.pick('break;', '')}\ncase 2: {{\n{other}\n}} break;\ndefault: ;\n}} }}"
        if kind == "goto":
            return f"{{ if ({condition}) goto {name};\n{{\n{body}\n}}\n{name}: ; }}"
        if kind == "continue":
            return f"for (int {name} = 0; {name} < {trips}; {name}++) {{\nif ({condition}) continue;\n{body}\n}}"
        return f"for (int {name} = 0; ; {name}++) {{\nif ({name} >= {trips}{self.pick('', f' || {condition}')}) break;\n{body}\n}}"

    def atomic(self, context):
        """An update of a shared variable with an operation that commutes."""
        name, type, operator = self.random.choice(context.atomics)
        value = self.value(context, 1)
        kind, form, declared = self.updating(name, type, operator, f"({value}) % 16" if is_float(type) else value)
        text = f"#pragma acc atomic{' ' + kind if kind else ''}\n{form}"
        return f"{{ {declared}\n{text}\n}}"

    def own_atomic(self, context):
        """An atomic access of any form to what nobody else changes, so that what it captures is known."""
        found = [slice for slice in context.owned if slice.array.addressable and slice.array.type in TYPES]
        if not found:
            return self.assignment(context)
        target, type = self.own(context.inner(owned=found))
        at, own, other = self.name("p"), self.name("v"), self.name("x")
        kind, form = self.random.choice(self.accesses(at, own, other, not is_float(type)))
        after = f"*{at} = ((int)*{at} ^ (int){other}) % 1000;" if is_float(type) else f"*{at} ^= {other};"
        declared = f"{type} *{at} = &{target}, {own} = ({self.value(context)}) % 1000, {other} = 3;"
        return f"{{ {declared}\n#pragma acc atomic{' ' + kind if kind else ''}\n{form}\n{after}\n}}"

    def callable(self, context):
        """What a procedure may change: a slice and the procedure's name."""
        found = []
        for slice in context.owned:
            levels = self.procedures.get(slice.array.type, {}) if slice.array.contiguous else {}
            found += [(slice, levels[level]) for level in CALLS[context.level] if level in levels]
        return found

    def call(self, context):
        """A call of a function that changes elements behind a pointer."""
        slice, name = self.random.choice(self.callable(context))
        # What all gangs compute must not depend on what one of them has done.
        value = self.value(context.inner(owned=[]) if context.level == "gangs" else context)
        return f"{name}(&{self.element(slice, '0')}, {slice.length}, {value});"

    # Loops.

    def loop(self, context, kind, head=None, results=True, around=None):
        """A loop whose iterations are shared as `kind` says; `head` is a construct combined with it, whose code is of the level `around`, and its clauses."""
        random, shared = self.random, kind != "plain"
        trips = self.trips(context)
        partitioned = kind not in ("plain", "seq")
        depth = random.choice([1, 1, 1, 1, 2, 2, 3]) if shared and trips else 1
        triangle = depth == 2 and self.chance(3) and trips < 12 and "dim" not in kind
        texts, counters, number, most, declared = self.shape(trips, depth, triangle)
        level = inside_of(around or context.level, kind)
        clauses, before, after, closing, second, within = [], [], [], "", "", False
        inside = context.inner(level=level, reductions=list(context.reductions))
        self.reduce(context, inside, partitioned, clauses, before, after, results)
        if triangle and self.chance(2):
            inner = random.choice([other for other in LOOPS[level] if other != "plain"])
            inside.level = inside_of(level, inner)
            again = [reduction.clause() for reduction in inside.reductions] if inner != "seq" else []
            within = inner != "seq"
            second = f"#pragma acc loop {inner}{joined(again)}\n"
        owned, read = self.shares(context, number, most, partitioned or within)
        inside.owned, inside.read, inside.budget = owned, read, context.budget // max(most, 1)
        inside.scalars += counters
        if partitioned or within:
            # Temporaries of the code around are shared now.
            inside.scalars += [name for name, type in inside.temporaries if type in INTEGERS]
            inside.temporaries = []
        first = self.private(inside, clauses, before) if shared and not within and level != "gangs of one" and self.chance(3) else ""
        if depth > 1 and not triangle:
            # Loops of all iterations together.
            if self.chance(3) and partitioned:
                clauses.append(f"tile({', '.join(self.pick('*', '2', '4', '3') for _ in range(depth))})")
            elif self.chance(6):
                text, closing = self.between(context, texts, counters), "}"
                inside.scalars.append(counters[-1])
                clauses.append(f"collapse(force: {depth})")
            else:
                clauses.append(f"collapse({depth})")
        elif depth == 1 and partitioned and self.chance(10):
            clauses.append(f"tile({self.pick('2', '8', '*')})")
        if not closing:
            text = f"{texts[0]}\n{second}{texts[1]}" if triangle else "\n".join(texts)
        cached = self.cache(inside) if shared and self.chance(6) else ""
        if level == "gangs of one":
            # No gang waits for another one: each loop has elements for itself.
            parts = [self.loop(inside.inner(owned=[slice], temporaries=[]), random.choice(LOOPS[level]), results=False) for slice in inside.owned]
            cached, first, body = "", "", "\n".join(parts)
        else:
            body = self.statements(inside, random.randrange(1, 4))
        body = "\n".join(filter(None, [cached, first, body]))
        directive = self.directive(kind, clauses, head) if shared else ""
        if head and after:
            after.insert(0, "@wait@")
        return "{\n" + "\n".join([*filter(None, declared), *before, *filter(None, [directive]), f"{text} {{\n{body}\n}}{closing}", *filter(None, after)]) + "\n}"

    def reduce(self, context, inside, partitioned, clauses, before, after, results):
        """Variables that iterations reduce: those of the code around, and new ones."""
        if not partitioned:
            return
        inside.reductions = []
        for reduction in context.reductions:
            if self.chance(2):
                clauses.append(reduction.clause())
                inside.reductions.append(reduction)
        if not results:
            return
        for _ in range(self.random.choice([0, 0, 1, 1, 2, 3])):
            reduction, text = self.reduction(context, True)
            before.append(text)
            clauses.append(reduction.clause())
            inside.reductions.append(reduction)
            after += self.results(context, reduction)

    def private(self, inside, clauses, before):
        """A variable that each iteration sets before it reads it: the text that sets it."""
        name, type = self.name("q"), self.random.choice(self.types)
        shape = self.pick("", "", "", "array", "structure")
        inner = {"": name, "array": f"{name}[1]", "structure": f"{name}.b"}[shape]
        before.append({"": f"{type} {name} = 7;", "array": f"{type} {name}[3] = {{1, 2, 3}};", "structure": f"struct {{ char a; {type} b; }} {name} = {{1, 2}};"}[shape])
        clauses.append(f"private({name})")
        text = f"{inner} = {self.stored(type, inside)};"
        inside.temporaries.append((inner, type))
        return text

    def cache(self, inside):
        """A hint about elements that iterations read."""
        names = [array.section(0, 1) for array in inside.read if array.addressable and array.contiguous]
        return f"#pragma acc cache({self.pick('', 'readonly: ')}{self.random.choice(names)})" if names else ""

    def directive(self, kind, clauses, head):
        """The directive of a loop."""
        words = [kind] if "dim" in kind else kind.split()
        if "gang" in words and self.chance(5):
            words[words.index("gang")] = f"gang(static: {self.pick('*', '1', '3', self.number(4))})"
        if self.analysed and self.chance(5):
            words = [{"gang": "gang(num: 4)", "worker": "worker(num: 2)", "vector": "vector(length: 32)"}.get(word, word) for word in words]
        if kind not in ("seq", "auto") and self.chance(2):
            words.append("independent")
        # Clauses behind `device_type` are those of the levels.
        behind = self.pick("", "", "", "", "", "", "nvidia", "*", "host, nvidia") if words and not self.analysed else ""
        if behind:
            groups = [f"device_type({behind}) {' '.join(words)}"] + ([f"device_type(*) {' '.join(words)}"] if behind != "*" else [])
            words = []
        self.random.shuffle(clauses)
        start, given = head or ("loop", [])
        listed = [*words, *clauses, *given]
        self.random.shuffle(listed)
        return f"#pragma acc {start}{joined(listed)}{joined(groups) if behind else ''}"


class Member(Reduction):
    """A member of a structure that is reduced as a whole."""

    def clause(self, modifier=""):
        return f"reduction({modifier}{self.operator} : {self.name.split('.')[0]})"


@dataclasses.dataclass
class Spelled(Reduction):
    """Elements of an array, with other expressions for the section."""
    text: str = ""

    def clause(self, modifier=""):
        return f"reduction({modifier}{self.operator} : {self.name}{self.text})"


class Mapped(Reduction):
    """Elements of an object that a device may have."""

    def __init__(self, thing, operator, first, length):
        super().__init__(thing.name, thing.type, operator, length, f"[{first}:{length}]")
        self.thing = thing

    @property
    def place(self):
        return self.thing.place()


class Local:
    """An array that code of a device declares for itself."""

    addressable = contiguous = True

    def __init__(self, name, type, length):
        self.name, self.type, self.length, self.columns = name, type, length, 0

    def at(self, number):
        return f"{self.name}[({number}) / {self.columns}][({number}) % {self.columns}]" if self.columns else f"{self.name}[{number}]"

    def section(self, first, length):
        return f"{self.name}[0:1]" if self.columns else f"{self.name}[{first}:{length}]"
