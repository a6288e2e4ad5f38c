"""Random code of the host's threads and tasks for `threads.py`: teams whose threads share work, graphs of tasks, and both in each other.

It has the loops and statements of `device_nests.py` and `nests.py`. What is new is where they stand: code of all threads of a team (the level `threads`), and units that one
thread executes (`initial` outside of all constructs, `thread`, `task`), which own slices of arrays until they end or meet the others. In sequence
a team has one thread and a task is executed where it is created.
"""

import re

from device_nests import LOOPS, Clause, DeviceNests
from nests import FLOATS, INTEGERS, Slice, is_float, joined

HOST_LOOPS = {
    "initial": [
        "parallel for", "parallel for", "parallel for simd", "parallel loop", "simd", "loop", "seq", "for", "for simd", "taskloop", "taskloop simd",
        "parallel masked taskloop", "parallel master taskloop", "parallel masked taskloop simd", "teams distribute parallel for",
        "teams distribute", "teams loop", "teams distribute simd", "teams distribute parallel for simd",
    ],
    "thread": ["parallel for", "parallel for simd", "parallel loop", "simd", "loop", "seq", "seq", "taskloop", "taskloop simd", "parallel masked taskloop"],
    "threads": ["for", "for", "for", "for simd", "loop", "masked taskloop", "master taskloop simd"],
    "team": ["parallel for", "parallel for simd", "parallel loop", "simd", "loop", "seq"],
    "lane": ["seq", "loop", "simd"],
}
HOST_LOOPS["task"] = HOST_LOOPS["thread"]
# Whether `parallel` and tasks may stand there.
FORKING = ("initial", "thread", "task")
# Arrays that a task shares without being told.
SHARED = ("global", "static", "kept", "heap")


def names_in(text):
    """Variables that the generator has made which are in a text: no functions, arrays and bounds."""
    return list(dict.fromkeys(re.findall(r"(?<![\w.>])([a-z]\d+(?:_held)?)\b(?!\()", text)))


class Teams(DeviceNests):
    """Makes code of the host's threads."""

    def __init__(self, random, bounds, functions):
        super().__init__(random, bounds, functions)
        self.types = [*INTEGERS, *FLOATS, "char", "__int128", "unsigned __int128"]
        self.loops = {**LOOPS, **HOST_LOOPS}
        # Whether a program has what GCC 12 lacks, with which `-fopenmp` has no second opinion to give.
        self.newer = self.parts_nests = self.chance(3)
        # Functions that all threads of a team call, by the type of the elements that they change.
        self.orphans = {}

    def level_inside(self, level, constructs):
        if "taskloop" in constructs and "simd" not in constructs:
            return "task"
        return super().level_inside(level, constructs)

    # Statements.

    def statement(self, context):
        choices = ["plain"] * 8 + ["c"] * 2
        if context.level in FORKING and not context.concurrent and context.depth < 5:
            choices += ["region"] * 2 + ["graph"] * 2 + ["group", "orphan", "recursion"] if context.owned and context.budget > 1 else []
            # The task around may be `final`, in which `detach` must not stand.
            choices += ["detached"] if context.owned and context.level != "task" else []
        kind = self.random.choice(choices)
        if kind == "plain":
            return super().statement(context)
        if kind == "c":
            return self.c_statement(context)
        if kind == "region":
            return self.region(context)
        if kind == "graph":
            return self.graph(context)
        if kind == "group":
            return self.group(context)
        if kind == "detached":
            return self.detached(context)
        if kind == "recursion":
            return self.recursion(context)
        return self.orphan(context) if context.level == "initial" else self.region(context)

    def call(self, context):
        slice = self.random.choice([slice for slice in context.owned if slice.array.type in self.procedures])
        name, works_alone = self.procedures[slice.array.type]
        if not works_alone and (context.level not in FORKING or context.concurrent):
            return self.assignment(context)
        return f"{name}(&{self.element(slice, '0')}, {slice.length}, {self.value(context)});"

    def c_statement(self, context):
        """What C has beside assignments."""
        name, other, below = self.name("c"), self.name("c"), lambda: self.value(context, 1)
        inside = context.inner()
        inside.scalars += [name]
        body = self.assignment(inside.inner(depth=context.depth))
        count = self.random.randrange(1, 5)
        return self.pick(
            f"switch ((unsigned)({below()}) % 4u) {{\ncase 0: {{ {self.assignment(inside.inner(scalars=context.scalars))} }}\nbreak;\ncase 1: {{ {self.assignment(inside.inner(scalars=context.scalars))} }}\ndefault: ;\n}}",
            f"for (int {name} = 0; ; {name}++) {{\nif ({name} == {count}) break;\nif ({name} == {self.random.randrange(5)}) continue;\n{body}\n}}",
            f"{{\nint {name} = 0;\nagain_{name}:\n{body}\nif (++{name} < {count}) goto again_{name};\n}}",
            f"{{\nlong {name} = ({{ long {other} = {below()}; {other} * {count} + {below()}; }});\n{body}\n}}",
            f"{{\nstruct pair {other} = swapped((struct pair){{{below()}, {below()}}});\nlong {name} = {other}.first - {other}.second;\n{body}\n}}",
            f"{{\nstruct bits {other} = {{{below()}, {below()}, {below()}}};\n{other}.a += {count}; {other}.c ^= {other}.b;\nlong {name} = {other}.a * 100 + {other}.b * 10 + {other}.c;\n{body}\n}}",
            f"{{\nint {other}[({below()}) % 5 * ({below()}) % 3 + 20];\nfor (int k = 0; k < (int)(sizeof {other} / sizeof *{other}); k++) {other}[k] = k * {count};\nlong {name} = {other}[3] + (long)sizeof {other};\n{body}\n}}",
            f"{{\nlong (*{other})(long, long) = ({below()}) % 2 ? {self.random.choice(self.functions)} : {self.random.choice(self.functions)};\nlong {name} = {other}({count}, {below()});\n{body}\n}}",
            f"{{\nstatic const short {other}[] = {{3, 1, {count}, 7}};\nlong {name} = {other}[(unsigned)({below()}) % 4u];\n{body}\n}}",
            f"{{\ndouble _Complex {other} = ({below()}) % 100 + ({below()}) % 100 * 1.0i;\n{other} *= {other};\nlong {name} = (long)__real__ {other} - (long)__imag__ {other};\n{body}\n}}",
        )

    # Clauses.

    def sharing(self, context, text, before=(), kinds=("none", "shared", "firstprivate", "", "")):
        """`default` and `shared` clauses of a `parallel` or task, so that it shares what it changes; `before` is in front of it."""
        kind = self.pick(*kinds)
        arrays = {slice.array.holder or slice.array.name: slice.array for slice in context.owned}
        arrays |= {array.holder or array.name: array for array in context.read}
        used = {name: array for name, array in arrays.items() if re.search(rf"\b{name}\b", text)}
        told = " ".join(re.findall(r"\b(?:private|firstprivate|lastprivate|linear|reduction|in_reduction|task_reduction|copyprivate)\([^)]*\)", text.split("\n", 1)[0]))
        fixed = [name for name in names_in("\n".join(before)) if re.search(rf"\b{name}\b", text)]
        fixed += [name for name, *_ in context.atomics + context.guarded if re.search(rf"\b{name}\b", text)]
        fixed += [reduction.name for reduction in context.reductions if re.search(rf"\b{reduction.name}\b", text)]
        readable = [re.match(r"\w+", name)[0] for name in [*self.bounds, *context.scalars, *(name for name, _ in context.temporaries)]]
        readable = [name for name in readable if re.search(rf"\b{name}\b", text)]
        clean = lambda names: [name for name in dict.fromkeys(names) if not re.search(rf"\b{name}\b", told)]
        if kind == "none":
            copied = [name for name in clean(readable) if name not in fixed and self.chance(3)]
            shared = clean([*used, *fixed, *readable])
            shared = [name for name in shared if name not in copied]
            return ["default(none)", *([f"shared({', '.join(shared)})"] if shared else []), *([f"firstprivate({', '.join(copied)})"] if copied else [])]
        if kind == "shared":
            return ["default(shared)"]
        needed = [name for name, array in used.items() if array.storage not in SHARED and (array.holder != "box")] if kind == "" else [*used]
        # Of what is declared outside of functions, `default(firstprivate)` says nothing.
        shared = clean([*needed, *fixed, *(name for name in self.bounds if kind and name in readable)])
        return [*([f"default({kind})"] if kind else []), *([f"shared({', '.join(shared)})"] if shared else [])]

    def kept_variable(self, context):
        """A variable in front of a construct that has copies of it: its name, type, and what sequential code does before and behind."""
        name, type = self.name("q"), self.random.choice(self.types)
        before = [f"{type} {name} = {self.random.randrange(1, 90)};", f"SEQ({type} {name}_kept = {name};)"]
        return name, type, before, [f"SEQ({name} = {name}_kept;)", self.use(context, name, type)]

    # Teams.

    def region(self, context):
        return self.parallel(context)

    def parallel(self, context, directive="parallel", clauses=()):
        outer, pick = context.inner(depth=context.depth), self.pick
        before, after, text, clauses = [], [], [], list(clauses)
        inside = context.inner(level="threads", temporaries=[], reductions=[], owned=[])
        inside.scalars += [name for name, type in context.temporaries if not is_float(type) and re.fullmatch(r"\w+", name)]
        for _ in range(self.random.choice([0, 0, 1, 2])):
            reduction, declared = self.reduction(outer)
            before.append(declared)
            clauses.append(reduction.clause(pick("", "", "default, ")))
            inside.reductions.append(reduction)
            after += self.results(outer, reduction)
        if self.chance(3):
            name, type, declared, behind = self.kept_variable(outer)
            before += declared
            after += behind
            clauses.append(f"firstprivate({name})" if self.chance(2) else f"private({name})")
            if clauses[-1].startswith("private"):
                text.append(f"{name} = {self.random.randrange(99)};")
            inside.temporaries.append((name, type))
            text.append(self.change(inside.inner(temporaries=[]), name, type))
        free = list(outer.owned)
        for _ in range(self.random.randrange(1, 5)):
            free = self.of_team(outer, inside, free, text, before, after)
        if self.chance(2):
            clauses.append(f"num_threads({self.number(self.random.choice([1, 2, 3, 5]))})")
        if self.chance(6):
            clauses.append(f"if({pick('', 'parallel : ')}{pick('1', '0', self.value(outer.inner(owned=[], read=[], temporaries=[]), 1))})")
        if self.chance(6):
            clauses.append(f"proc_bind({pick('close', 'spread', 'primary')})")
        first = joined(clauses)
        body = "\n".join(text)
        clauses += self.sharing(outer, f"{first}\n{body}", before)
        self.random.shuffle(clauses)
        return "\n".join(["{", *before, f"#pragma omp {directive}{joined(clauses)}\n{{", body, "}", *filter(None, after), "}"])

    def of_team(self, outer, inside, free, text, before, after):
        """Adds something that all threads of a team come to. `free` are slices that no thread may be using; returns those behind."""
        pick, random = self.pick, self.random
        everything = [slice for slice in outer.owned]
        kind = pick("loop", "loop", "loop", "loop", "single", "masked", "sections", "own", "scope", "numbers", "given", "barrier", "chain", "orphan", "tasks", "cancelled")
        taken = random.sample(free, random.randrange(1, len(free) + 1)) if free else []
        read = inside.read + [slice.array for slice in free if slice not in taken and not slice.base and len(free) == len(everything) and slice.array not in [other.array for other in taken]]
        nowait = self.chance(4)
        rest = [slice for slice in free if slice not in taken] if nowait else everything
        # Nobody may write what somebody reads behind a construct without a barrier.
        read = inside.read if nowait or len(free) < len(everything) else read
        unit = inside.inner(level="thread", owned=taken, read=read, temporaries=[], reductions=[])
        wait = " nowait" if nowait else ""
        if kind == "loop":
            constructs = random.choice(self.loops["threads"]).split()
            parts = self.loop_parts(inside.inner(owned=taken, read=read, temporaries=[], reductions=inside.reductions if constructs == ["for"] else []), constructs, [], constructs[-1] != "loop", outer)
            before += parts[0]
            after += parts[2]
            if nowait and constructs[0] in ("for",):
                head, _, loop = parts[1].partition("\n")
                text.append(f"{head} nowait\n{loop}" if parts[1].startswith("#pragma") else parts[1])
                return rest
            text.append(parts[1] + ("\n#pragma omp barrier" if constructs[0] in ("masked", "master") else ""))
            return everything
        if kind in ("single", "masked"):
            body = self.statements(unit, random.randrange(1, 4))
            if kind == "single":
                text.append(f"#pragma omp single{wait}\n{{\n{body}\n}}")
                return rest
            which = pick("masked", "master", "masked filter(0)", "masked filter(omp_get_num_threads() - 1)", f"masked filter({random.randrange(9)} % omp_get_num_threads())")
            text.append(f"#pragma omp {which}\n{{\n{body}\n}}" + ("" if nowait else "\n#pragma omp barrier"))
            return rest
        if kind == "own":
            text.append(self.declaration(inside.inner(read=outer.read, owned=[])) if self.chance(2) else "{ " + self.declaration(inside.inner()) + " }")
        elif kind == "barrier":
            text.append(pick("#pragma omp barrier", "#pragma omp taskwait\n#pragma omp barrier", "#pragma omp flush\n#pragma omp barrier", "#pragma omp taskyield\n#pragma omp barrier", "#pragma omp flush acq_rel\n#pragma omp barrier"))
            return everything
        elif kind == "scope":
            reduction, declared = self.reduction(outer)
            before.append(declared)
            after += self.results(outer, reduction)
            loop = self.loop_parts(inside.inner(owned=taken, read=inside.read, temporaries=[], reductions=[reduction]), ["for"], [], False, outer)
            before += loop[0]
            text.append(f"#pragma omp scope {reduction.clause()}\n{{\n{loop[1]}\n}}")
            return everything
        elif kind == "sections":
            return self.sections(outer, inside, taken, rest, read, wait, text, before, after)
        elif kind == "numbers":
            counter, count = self.name("t"), random.choice([1, 2, 4, 9])
            owned = [Slice(slice.array, f"{slice.base} + {counter} * {slice.length // count}" if slice.base else f"{counter} * {slice.length // count}", slice.length // count) for slice in taken if slice.length >= count]
            mine = unit.inner(owned=owned, budget=unit.budget // count, read=inside.read)
            mine.scalars += [counter]
            text.append(f"for (int {counter} = omp_get_thread_num(); {counter} < {count}; {counter} += omp_get_num_threads()) {{\n{self.statements(mine, 2)}\n}}" + ("" if nowait else "\n#pragma omp barrier"))
            return rest
        elif kind == "given":
            name, type = self.name("g"), random.choice([type for type in self.types if not is_float(type)])
            text.append(f"{type} {name};\n#pragma omp single copyprivate({name})\n{{\n{name} = {self.value(unit)};\n{self.statements(unit, 1)}\n}}")
            inside.scalars.append(name)
            return everything
        elif kind == "tasks":
            body = self.graph(unit) if taken else ";"
            text.append(f"#pragma omp {pick('single', 'masked', 'single nowait')}\n{{\n{body}\n}}\n#pragma omp barrier")
            return everything
        elif kind == "chain":
            if not taken:
                return free
            text.append(self.doacross(taken[0]))
            return everything
        elif kind == "cancelled":
            text.append(self.cancelled(outer, before, after))
            return everything
        else:
            callable = [slice for slice in taken if slice.array.type in self.orphans]
            if not callable:
                return free
            text.append(f"{self.orphans[callable[0].array.type]}(&{self.element(callable[0], '0')}, {callable[0].length}, {self.value(inside.inner(owned=[], temporaries=[]))});")
            return everything
        return free

    def sections(self, outer, inside, taken, rest, read, wait, text, before, after):
        clauses, reductions = [], []
        if self.chance(2):
            reduction, declared = self.reduction(outer)
            before.append(declared)
            clauses.append(reduction.clause())
            reductions.append(reduction)
            after += self.results(outer, reduction)
        slices = taken[:4] or [None]
        parts = []
        for slice in slices:
            unit = inside.inner(level="thread", owned=[slice] if slice else [], temporaries=[], reductions=reductions, read=inside.read)
            parts.append(self.statements(unit, 2) if slice or reductions else ";")
        if self.chance(3):
            name, type = self.name("l"), self.random.choice(self.types)
            before.append(f"{type} {name} = 1;")
            clauses.append(f"lastprivate({name})")
            parts = [f"{name} = {number + 3};\n{part}" for number, part in enumerate(parts)]
            after.append(self.use(outer, name, type))
        body = "\n".join(f"#pragma omp section\n{{\n{part}\n}}" for part in parts)
        text.append(f"#pragma omp sections{joined(clauses)}{wait}\n{{\n{body}\n}}")
        return rest

    def orphan(self, context):
        """A call of a function with worksharing outside of any `parallel`."""
        slices = [slice for slice in context.owned if slice.array.type in self.orphans]
        if not slices:
            return self.region(context)
        slice = self.random.choice(slices)
        return f"{self.orphans[slice.array.type]}(&{self.element(slice, '0')}, {slice.length}, {self.value(context)});"

    def doacross(self, slice):
        """A loop whose iterations wait for single earlier ones."""
        rows, i, j = self.random.choice([3, 6, 9]), self.name("i"), self.name("i")
        columns = slice.length // rows
        if columns < 2:
            return "#pragma omp barrier"
        at = lambda row, column: self.element(slice, f"({row}) * {columns} + {column}")
        place, type = at(i, j), slice.array.type
        schedule = self.pick("", "", " schedule(static, 1)", " schedule(dynamic)", " schedule(guided)", " schedule(dynamic, 2)")
        whole = lambda text: f"(long){text} % 1000" if is_float(type) else text
        shape = self.pick("wave", "rows", "line")
        if shape == "wave":
            sinks = self.pick(f"depend(sink : {i} - 1, {j}) depend(sink : {i}, {j} - 1)", f"depend(sink : {i} - 1, {j}) depend(sink : {i}, {j} - 1) depend(sink : {i} - 1, {j} - 1)")
            value = f"({whole(at(i + ' - 1', j))}) + ({whole(at(i, j + ' - 1'))}) * {self.random.randrange(1, 5)} + {i}"
            collapse = self.pick("", " collapse(2)", " collapse(1)")
            return (f"#pragma omp for ordered(2){collapse}{schedule}\nfor (int {i} = 1; {i} < {rows}; {i}++)\nfor (long {j} = 1; {j} < {columns}; {j}++) {{\n"
                    f"#pragma omp ordered {sinks}\n{place} = ({value}) % 1000;\n#pragma omp ordered depend(source)\n}}")
        if shape == "rows":
            value = f"({whole(at(i + ' - 1', j))}) * 3 + {j}"
            return (f"#pragma omp for ordered(1){schedule}\nfor (unsigned {i} = 1; {i} < {rows}; {i}++) {{\n#pragma omp ordered depend(sink : {i} - 1)\n"
                    f"for (int {j} = 0; {j} < {columns}; {j}++) {place} = ({value}) % 1000;\n#pragma omp ordered depend(source)\n}}")
        step, line = self.random.choice([1, 2, 3]), lambda number: self.element(slice, number)
        distance = self.random.choice([1, 2]) * step
        return (f"#pragma omp for ordered(1){schedule}\nfor (long {i} = {slice.length - 1 - distance}; {i} >= 0; {i} -= {step}) {{\n#pragma omp ordered depend(sink : {i} + {distance})\n"
                f"{line(i)} = (({whole(line(f'{i} + {distance}'))}) * 2 + {i}) % 1000;\n#pragma omp ordered depend(source)\n}}")

    def cancelled(self, outer, before, after):
        """A search that the thread which finds something ends, where the environment lets it."""
        name, counter, count = self.name("o"), self.name("i"), self.random.choice([5, 30, 100])
        wanted = self.random.randrange(count)
        before.append(f"int {name} = -1;")
        after.append(self.use(outer, name, "int"))
        schedule = self.pick("", " schedule(dynamic)", " schedule(static, 2)", " schedule(guided)")
        point = self.pick("", "\n#pragma omp cancellation point for")
        found = f"#pragma omp {self.pick('critical', 'atomic write')}\n{name} = {counter};"
        condition = self.pick("", f" if({counter} == {wanted})")
        return (f"#pragma omp for{schedule}\nfor (int {counter} = 0; {counter} < {count}; {counter}++) {{{point}\nif ({counter} == {wanted}) {{\n{found}\n"
                f"#pragma omp cancel for{condition}\n}}\n}}")

    # Tasks.

    def conditions(self):
        """Clauses that say how a task may be executed."""
        number = lambda: self.pick("0", "1", *(f"{name} > 5" for name in self.bounds))
        texts = [f"if({self.pick('', 'task : ')}{number()})", f"final({number()})", "untied", "mergeable", f"priority({self.random.randrange(3)})"]
        return self.random.sample(texts, self.random.choice([0, 0, 1, 1, 2]))

    def one_task(self, context, owned, read, depend, reductions=()):
        """A task that owns slices, reads arrays, and may have copies of what is around."""
        inside = context.inner(level="task", owned=owned, read=read, temporaries=[], atomics=context.atomics, guarded=context.guarded, reductions=list(reductions))
        copied = [(name, type) for name, type in context.temporaries if re.fullmatch(r"\w+", name)]
        inside.scalars += [name for name, type in copied if not is_float(type)]
        clauses, before, after = [depend, *self.conditions()], [], []
        clauses += [f"in_{reduction.clause()}" for reduction in reductions]
        first = []
        if self.chance(3):
            name, type = self.name("q"), self.random.choice(self.types)
            before = [f"{type} {name} = {self.random.randrange(1, 90)};", f"SEQ({type} {name}_kept = {name};)"]
            after = [f"SEQ({name} = {name}_kept;)", f"{name} = 3;"]
            if self.chance(3):
                clauses.append(f"private({name})")
                first.append(f"{name} = {self.random.randrange(9)};")
            else:
                clauses.append(f"firstprivate({name})")
            inside.temporaries.append((name, type))
        if self.chance(5) and "mergeable" not in clauses:
            name = self.name("v")
            length = self.random.randrange(2, 9)
            before += [f"int {name}_length = {length}, {name}[{name}_length];", f"for (int k = 0; k < {length}; k++) {name}[k] = k * {self.random.randrange(1, 9)};"]
            clauses.append(f"firstprivate({name})")
            inside.temporaries.append((f"{name}[{self.random.randrange(length)}]", "int"))
            after.append(f"{name}[0] = 1000;")
            inside.scalars.append(f"{name}[{self.random.randrange(1, length)}]")
            before.append(f"SEQ(int {name}_kept[{length}]; memcpy({name}_kept, {name}, sizeof {name});)")
            after.insert(0, f"SEQ(memcpy({name}, {name}_kept, sizeof {name});)")
        # The initial values must be there when a task that is executed later comes to them: their block ends behind the wait.
        body = "\n".join([*first, self.statements(inside, self.random.randrange(1, 4)), *(self.update(inside, reduction) for reduction in reductions)])
        head = joined(clauses)
        clauses += self.sharing(inside.inner(temporaries=[], scalars=context.scalars + [name for name, _ in copied]), f"{head}\n{body}", kinds=("none", "shared", "firstprivate", "", ""))
        self.random.shuffle(clauses)
        return "\n".join([*before, f"#pragma omp task{joined(clauses)}\n{{\n{body}\n}}", *after])

    def graph(self, context):
        """Tasks whose order dependences say, waited for."""
        pick, random = self.pick, self.random
        if not context.owned:
            return self.assignment(context)
        nodes = []
        for slice in random.sample(context.owned, min(len(context.owned), random.randrange(1, 5))):
            parts = random.choice([1, 1, 2, 3]) if slice.length >= 3 else 1
            size = slice.length // parts
            nodes += [Slice(slice.array, f"{slice.base} + {k * size}" if slice.base else str(k * size), size) for k in range(parts)]
        spelled = [pick(self.element(node, "0"), self.part(node)) for node in nodes]
        lines, sets, behind = [], {}, []
        objects = {}
        for number in range(len(nodes)):
            if self.chance(6):
                objects[number] = self.name("d")
                spelled[number] = self.element(nodes[number], "0")
                lines.append(f"PAR(omp_depend_t {objects[number]};)\n#pragma omp depobj({objects[number]}) depend(inout : {spelled[number]})")
        for _ in range(random.randrange(2, 8)):
            chosen = random.sample(range(len(nodes)), min(len(nodes), random.choice([1, 1, 2])))
            others = [number for number in range(len(nodes)) if number not in chosen and not nodes[number].base.strip("0")]
            reading = random.sample(others, min(len(others), random.choice([0, 0, 1, 2])))
            clauses = [f"depend(depobj : {objects[number]})" if number in objects and self.chance(2) else f"depend({pick('out', 'inout', 'inout')} : {spelled[number]})" for number in chosen]
            whole = [number for number in reading if all(other is nodes[number] or other.array is not nodes[number].array for other in nodes)]
            clauses += [f"depend(in : {spelled[number]})" for number in whole]
            owned = [nodes[number] for number in chosen]
            taken = {id(slice.array) for slice in context.owned}
            read = [array for array in context.read if id(array) not in taken] + [nodes[number].array for number in whole]
            kind = pick("task", "task", "task", "task", "set", "target", "wait")
            if kind == "set":
                node = nodes[chosen[0]]
                # Tasks of several such sets, one after the other, are one set: their operators must commute.
                operator = sets.setdefault(chosen[0], "+" if is_float(node.array.type) else pick("+", "^"))
                lines.append(self.exclusive(context, node, spelled[chosen[0]], operator))
            elif kind == "target" and self.targets(nodes[chosen[0]]):
                lines.append(self.target_task(context, nodes[chosen[0]], spelled[chosen[0]]))
            elif kind == "wait":
                number = chosen[0]
                waits = context.inner(owned=[nodes[number]], temporaries=[], read=[array for array in context.read if id(array) not in taken], reductions=[])
                lines.append(f"#pragma omp taskwait depend({pick('inout', 'out')} : {spelled[number]})\n{self.assignment(waits)}")
            else:
                lines.append(self.one_task(context, owned, read, " ".join(clauses)))
        behind += [f"#pragma omp depobj({name}) destroy" for name in objects.values()]
        body = "\n".join(lines)
        if objects or self.chance(2):
            return "{\n" + body + "\n#pragma omp taskwait\n" + "\n".join(behind) + "\n}"
        return f"#pragma omp taskgroup\n{{\n{body}\n}}"

    def part(self, slice):
        """A section of all that a slice has."""
        array = slice.array
        if array.columns or array.holder and not self.newer:
            return self.element(slice, "0")
        return f"{array.name}[{slice.base or 0} : {slice.length}]"

    def targets(self, slice):
        """Whether a device may change a slice: its bounds are known."""
        return not slice.array.columns and not slice.array.holder and re.fullmatch(r"\d*", slice.base or "0") and slice.array.storage != "variable" and slice.array.type not in ("long double", "__int128", "unsigned __int128")

    def target_task(self, context, slice, spelled):
        """A task of a device in a graph."""
        counter, first = self.name("i"), slice.base or 0
        value = f"({slice.array.at(f'{first} + {counter}')} * 3 + {self.random.randrange(9)} + {counter})"
        value = f"(long){value} % 1000" if is_float(slice.array.type) else value
        directive = self.pick("target", "target teams distribute parallel for", "target parallel for")
        clauses = [f"depend(inout : {spelled})", f"map(tofrom : {slice.array.name}[{first} : {slice.length}])", self.pick("nowait", "nowait", "")]
        return f"#pragma omp {directive}{joined(clauses)}\nfor (int {counter} = 0; {counter} < {slice.length}; {counter}++) {slice.array.at(f'{first} + {counter}')} = {value};"

    def exclusive(self, context, slice, spelled, operator):
        """Some tasks that exclude each other, or share the elements of a slice."""
        place, count = self.element(slice, "0"), self.random.randrange(2, 5)
        shared = joined(self.sharing(context.inner(owned=[slice], read=[], scalars=[], temporaries=[]), place, kinds=("shared", "")))
        apart = slice.length >= count and self.newer and self.chance(2)
        kind, places = ("inoutset", [self.element(slice, str(number)) for number in range(count)]) if apart else ("mutexinoutset", [place] * count)
        return "\n".join(f"#pragma omp task depend({kind} : {spelled}){shared}\n{at} {operator}= {self.random.randrange(9)};" for at in places)

    def group(self, context):
        """Tasks that reduce what a `taskgroup` names."""
        before, after, reductions = [], [], []
        for _ in range(self.random.choice([1, 1, 2])):
            reduction, declared = self.reduction(context)
            before.append(declared)
            after += self.results(context, reduction)
            reductions.append(reduction)
        lines = []
        for slice in self.random.sample(context.owned, self.random.randrange(1, min(4, len(context.owned) + 1))):
            inside = context.inner()
            lines.append(self.one_task(inside, [slice], [array for array in context.read if all(array is not other.array for other in context.owned)], "", reductions))
        if self.chance(2):
            inside = context.inner(owned=[], temporaries=[])
            counter = self.name("i")
            inside.scalars.append(counter)
            clause = self.pick("", " grainsize(2)", " num_tasks(3)", " nogroup", " grainsize(strict : 3)")
            updates = "\n".join(self.update(inside.inner(read=[]), reduction) for reduction in reductions)
            told = " ".join(f"in_{reduction.clause()}" for reduction in reductions)
            lines.append(f"#pragma omp taskloop {told}{clause}\nfor (int {counter} = 0; {counter} < {self.random.choice([1, 5, 20])}; {counter}++) {{\n{updates}\n}}")
        clauses = " ".join(f"task_{reduction.clause()}" for reduction in reductions)
        body = "\n".join(lines)
        return "\n".join(["{", *before, f"#pragma omp taskgroup {clauses}\n{{\n{body}\n}}", *filter(None, after), "}"])

    def detached(self, context):
        """A task that is complete when another one says so."""
        slice = self.random.choice(context.owned)
        name, place = self.name("e"), self.element(slice, "0")
        inside = context.inner(level="task", owned=[slice], temporaries=[], reductions=[], read=[])
        first, second = self.assignment(inside), self.assignment(inside)
        shares = joined(self.sharing(inside.inner(scalars=[]), first + second, kinds=("shared", "")))
        fulfil = f"PAR(omp_fulfill_event({name});)"
        if self.chance(2):
            return f"{{\nPAR(omp_event_handle_t {name};)\n#pragma omp task detach({name}){shares}\n{{\n{first}\n{fulfil}\n}}\n#pragma omp taskwait\n{second}\n}}"
        return (f"{{\nPAR(omp_event_handle_t {name};)\n#pragma omp task detach({name}) depend(out : {place}){shares}\n{{\n{first}\n}}\n"
                f"#pragma omp task firstprivate({name}) if({self.pick('0', '1')})\n{{\n{fulfil}\n}}\n#pragma omp task depend(in : {place}){shares}\n{{\n{second}\n}}\n#pragma omp taskwait\n}}")

    def recursion(self, context):
        """A call of a function whose tasks call it again."""
        target, type = self.own(context)
        number = self.random.randrange(1, 12)
        value = self.pick(f"fib({number})", f"sum_below({number * 7})", f"queens({number % 6 + 1})", f"sorted({number * 9}, {self.random.randrange(99)})", f"tree({number % 7})")
        return f"{target} = {value} % 1000;"

    # Loops.

    def loop(self, context, constructs, head=(), results=True):
        # No tasks where the order is concurrent.
        constructs = ["seq"] if context.concurrent and "taskloop" in constructs else constructs
        # Variables of a function are private to its thread where no `parallel` in it is around the loop.
        orphaned = context.level == "initial" and constructs[0] == "for"
        return super().loop(context, constructs, head, results and not orphaned)

    def attributes(self, context, constructs, clauses, text, counts_outside, before):
        if "taskloop" not in constructs:
            super().attributes(context, constructs, clauses, text, counts_outside, before)
            return
        head = joined(clause.text for clause in clauses)
        kinds = ("shared", "firstprivate", "", "") if counts_outside else ("none", "shared", "firstprivate", "", "")
        around = context.inner()
        around.scalars = [name for name in around.scalars if not name.startswith("i")] if counts_outside else around.scalars
        clauses += [Clause(told, {"taskloop"}) for told in self.sharing(around, f"{head}\n{text}", before, kinds)]

    def other_clauses(self, around, inside, constructs, clauses, depth, triangle):
        super().other_clauses(around, inside, constructs, clauses, depth, triangle)
        if "taskloop" in constructs:
            told = self.pick("", "grainsize(2)", "num_tasks(3)", f"grainsize({self.number(4)})", "num_tasks(strict : 2)", "grainsize(strict : 5)", "grainsize(1000)")
            more = self.random.sample([f"if(taskloop : {self.pick('0', '1')})", f"final({self.pick('0', '1')})", "untied", "priority(1)"], self.random.choice([0, 0, 1]))
            clauses += [Clause(text, {"taskloop"}) for text in [told, *more]]
