"""Random nests of loops with the directives of OpenMP for `targets.py`."""

import dataclasses
import re

from nests import INTEGERS, Nests, Reduction, Slice, is_float, joined

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
class Clause:
    """A clause, and which constructs take it."""
    text: str
    constructs: set
    everywhere: bool = False


class DeviceNests(Nests):
    """Makes code of a device with OpenMP's directives."""

    def __init__(self, random, bounds, functions):
        super().__init__(random, bounds, functions)
        # Which loops stand where, and whether code may stand between those of a nest.
        self.loops, self.parts_nests = LOOPS, True
        # Whether the host may execute a construct, too: no device has newer data.
        self.movable = False
        # Functions that change elements of a type: their names, and whether any thread may call them.
        self.procedures = {}

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
        if is_float(type):
            value = f"({value}) % 16"
        elif self.chance(5):
            return self.exchanged(name, type, operator, value)
        kind, form, declared = self.updating(name, type, operator, value)
        text = f"#pragma omp atomic{' ' + kind if kind else ''}{order}\n{form}"
        return f"{{ {declared}\n{text}\n}}" if declared else text

    def exchanged(self, name, type, operator, value):
        """An update of a shared variable by comparisons, again until nobody came in between."""
        old, done = self.name("v"), self.name("x")
        form = self.pick(
            f"{{ {done} = {name} == {old}; if ({done}) {{ {name} = {old} {operator} ({value}); }} }}",
            f"{{ {done} = {name} == {old}; if ({done}) {{ {name} = {old} {operator} ({value}); }} else {{ {old} = {name}; }} }}",
        )
        order = self.pick("", " fail(relaxed)", " seq_cst fail(acquire)", " acq_rel fail(relaxed)", " fail(seq_cst)")
        return (f"{{ {type} {old}; int {done} = 0;\nwhile (!{done}) {{\n#pragma omp atomic read\n{old} = {name};\n"
                f"#pragma omp atomic compare capture{self.pick('', ' weak')}{order}\n{form}\n}} }}")

    def own_atomic(self, context):
        """An atomic access of any form to what nobody else changes, so that what it captures is known."""
        target, type = self.own(context)
        at, own, other, small = self.name("p"), self.name("v"), self.name("x"), is_float(type)
        x = f"*{at}"
        forms = [
            *self.accesses(at, own, other, not small), ("compare", f"if ({x} == {own}) {{ {x} = {other}; }}"), ("compare", f"{x} = {x} == {own} ? {other} : {x};"),
            ("compare capture", f"{{ {other} = {x}; if ({x} == {own}) {{ {x} = {self.random.randrange(9)}; }} }}"),
            ("compare capture", f"{{ if ({x} == {own}) {{ {x} = 5; }} {other} = {x}; }}"),
            ("compare capture", f"if ({x} == {own}) {{ {x} = 5; }} else {{ {other} = {x}; }}"),
            ("compare", f"if ({own} == {x}) {{ {x} = {other}; }}"), ("compare", f"{x} = {own} == {x} ? {other} : {x};"),
            ("compare capture", f"{{ {other} = {x} == {own}; if ({other}) {{ {x} = 5; }} }}"),
            ("compare", f"{x} = {own} < {x} ? {own} : {x};"), ("compare", f"if ({own} > {x}) {{ {x} = {own}; }}"),
            ("compare capture", f"{{ {x} = {x} < {own} ? {own} : {x}; {other} = {x}; }}"), ("compare capture", f"{{ {other} = {x}; {x} = {own} < {x} ? {own} : {x}; }}"),
            ("compare capture", f"{{ {other} = {x}; if ({own} < {x}) {{ {x} = {own}; }} }}"),
        ]
        kind, form = self.random.choice(forms)
        kind += self.pick("", "", " fail(relaxed)", " fail(acquire) seq_cst") if kind.startswith("compare") else ""
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
        scalars = [name for name, type in context.temporaries if not is_float(type)]
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
        inside.scalars += [name for name, type in context.temporaries if not is_float(type)]
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


    def loop(self, context, constructs, head=(), results=True):
        """A loop whose iterations are shared as its constructs say; `head` are clauses of the first of them."""
        before, text, after = self.loop_parts(context, constructs, head, results, context)
        # A variable that a directive makes private and the code around declares is nobody else's.
        return "{\n" + "\n".join([*before, text, *after]) + "\n}"

    def loop_parts(self, context, constructs, head, results, outer):
        """The declarations in front of a loop, the loop, and what is behind it, in the context `outer`."""
        random = self.random
        trips = self.trips(context)
        shared = constructs != ["seq"]
        depth = random.choice([1, 1, 1, 2, 2, 3]) if shared and trips else 1
        scan = results and shared and trips and constructs[-1] in ("for", "simd") and not {"distribute", "taskloop"} & set(constructs) and self.chance(12)
        triangle = depth == 2 and self.chance(3) and trips < 12 and not scan
        if scan:
            depth = 1
        texts, counters, number, most, declared = self.shape(trips, depth, triangle)
        never, text, closing = triangle or trips == 0, "\n".join(texts), ""
        if depth > 1 and not triangle and results and self.chance(6) and self.parts_nests:
            text, closing = self.between(context, texts, counters), "}"
        level = self.level_inside(context.level, constructs)
        owned, read = self.shares(context, number, most, shared)
        inside = context.inner(level=level, owned=owned, read=read, budget=context.budget // max(most, 1), reductions=list(context.reductions))
        inside.scalars += counters
        if closing:
            scan = False
        clauses, before, after = [Clause(text, {constructs[0]}) for text in head], [], []
        if shared:
            # Temporaries of the code around are shared now.
            inside.scalars += [name for name, type in inside.temporaries if not is_float(type)]
            inside.temporaries = []
            if not scan:
                self.data_clauses(context, inside, constructs, clauses, before, after, results, never, depth, outer)
            self.other_clauses(context.level, inside, constructs, clauses, depth, triangle)
        last = [name for name in before if name.startswith("@")]
        before = [name for name in before if not name.startswith("@")]
        if shared and results and trips and not closing and not triangle and self.chance(8) and "for" in constructs and not {"distribute", "simd"} & set(constructs):
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
