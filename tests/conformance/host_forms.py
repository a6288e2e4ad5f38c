"""Blocks of code for `threads.py`, each about one construct or clause that the loops and teams of `host_teams.py` have no place for.

A block declares what it changes and shows what that holds at the end, so that it may stand wherever one thread executes statements.
"""

import re

from nests import Context, is_float, joined

SEQUENCE = "#ifdef _OPENMP\n{0}\n#else\n{1}\n#endif"
COUNTERS = ["int", "unsigned", "long", "short", "unsigned long", "signed char"]
# Operators of the program's own for structures: what combines, what a copy starts with, and how an iteration changes one.
STRUCTURES = {
    "both": ("omp_out.first += omp_in.first, omp_out.second ^= omp_in.second", "initializer(omp_priv = {0, 0})", "{0}.first += {1}; {0}.second ^= {2};"),
    "larger": ("omp_out = omp_in.first > omp_out.first ? omp_in : omp_out", "initializer(omp_priv = omp_orig)", "{{ long m = {1}; if (m > {0}.first) {0} = (struct pair){{m, m * 3}}; }}"),
    "times": ("times_pair(&omp_out, omp_in)", "initializer(one_pair(&omp_priv))", "times_pair(&{0}, (struct pair){{({1}) | 1, ({2}) % 3}});"),
}
STRUCTURES_DECLARED = """struct pair { long first, second; };
struct bits { int a : 5; unsigned b : 7; long c : 20; };
#pragma omp declare target
static void one_pair(struct pair *p) { p->first = 1; p->second = 0; }
static void times_pair(struct pair *to, struct pair by) { to->first *= by.first; to->second += by.second; }
#pragma omp end declare target
""" + "\n".join(f"#pragma omp declare reduction({name} : struct pair : {combine}) {initial}" for name, (combine, initial, _) in STRUCTURES.items())


class Blocks:
    """What makers of blocks have in common."""

    def __init__(self, program):
        self.program, self.nests, self.random = program, program.nests, program.random
        self.pick, self.name, self.chance = self.nests.pick, self.nests.name, self.nests.chance

    def value(self, *scalars, depth=2):
        """A number made of what is named and of numbers that do not change."""
        return self.nests.value(Context("lane", [], [], [*scalars, *self.program.bounds]), depth)

    def type(self, floats=True):
        return self.random.choice([type for type in self.nests.types if floats or not is_float(type)])

    def stored(self, type, *scalars):
        value = self.value(*scalars)
        return f"({value}) % 1000" if is_float(type) else value

    def show(self, *names):
        return "\n".join(f'show("{name}", (long){name});' for name in names)

    def show_all(self, name, count, element="{0}[k]"):
        """Shows a number that stands for the elements of an array."""
        return f'{{ unsigned long h = 0; for (int k = 0; k < {count}; k++) h = h * 31 + (unsigned long)(long)({element.format(name)}); show("{name}", (long)h); }}'


class Forms(Blocks):
    """Makes blocks of a program's host."""

    def block(self):
        """A block, where one thread executes statements."""
        anywhere = [
            self.pointers, self.ordered_nest, self.shared_nest, self.structures, self.sections_reduced, self.tasks_reduced, self.scanned, self.linear, self.conditional,
            self.truths, self.copies, self.allocated, self.iterated, self.cancelled, self.ordered_simd, self.asked, self.metadirective, self.dispatch,
        ]
        # Which variant is called depends on the constructs around; threads of nested teams need keep nothing.
        form = self.pick(*anywhere, self.kept, self.variants)
        text = "{\n" + form() + "\n}"
        return self.placed(text) if form in anywhere else text

    def placed(self, text):
        """The same code in a construct that one thread executes."""
        return self.pick(
            text, text, text, f"#pragma omp parallel num_threads({self.random.randrange(1, 4)})\n#pragma omp {self.pick('single', 'masked', 'single nowait', 'master')}\n{text}",
            f"#pragma omp task{self.pick('', ' if(0)', ' untied', ' final(1)')}\n{text}\n#pragma omp taskwait", f"#pragma omp taskgroup\n{text}",
        )

    def sharing(self, *names):
        """The clause without which tasks copy variables of the block."""
        return f"shared({', '.join(names)})"

    def loop_directive(self, *shared):
        """A directive whose threads or tasks share a loop, and what makes it share these variables."""
        tasks = self.sharing(*shared) if shared else ""
        alone = [f"taskloop {tasks}", f"taskloop grainsize(3) {tasks}", f"taskloop num_tasks(4) {tasks}", f"taskloop simd {tasks}"]
        return self.pick(
            "parallel for", "parallel for schedule(dynamic, 2)", "parallel for schedule(static, 1)", "parallel for simd", "simd", "parallel loop", "loop bind(thread)", "parallel for schedule(guided)",
            f"parallel master taskloop {tasks}", f"parallel masked taskloop simd {tasks}", "parallel for num_threads(3)", *alone,
        )

    # Loops.

    def pointers(self):
        """A loop whose counter is a pointer."""
        type, count, step = self.type(), self.random.choice([10, 30, 57]), self.random.choice([1, 1, 2, 3, 7])
        data, p, sum_, last = self.name("d"), self.name("p"), self.name("s"), self.name("l")
        first, end = sorted(self.random.sample(range(step, count), 2))
        up = self.chance(2)
        forms = [f"{type} *{p} = {data} + {first}; {p} < {data} + {end}; {p} += {step}", f"{type} *{p} = &{data}[{first}]; {p} <= {data} + {end - 1}; {p} = {p} + {step}", f"{type} *{p} = {data} + {first}; {data} + {end} > {p}; {p} = {step} + {p}"]
        forms += [f"{type} *{p} = {data} + {first}; {p} != {data} + {end}; {self.pick(f'{p}++', f'++{p}')}"] * (step == 1)
        down = [f"{type} *{p} = {data} + {end - 1}; {p} >= {data} + {first}; {p} -= {step}", f"{type} *{p} = &{data}[{end - 1}]; {p} > {data} + {first - 1}; {p} = {p} - {step}"]
        header = self.pick(*(forms if up else down))
        other = self.name("e")
        is_nest = self.chance(3)
        directive = self.loop_directive(data, other) if is_nest else self.loop_directive(data)
        inner, clauses, number = "", [f"reduction(+ : {sum_})"], f"({p} - {data})"
        if is_nest:
            q, columns = self.name("q"), self.random.choice([1, 2, 5])
            inner = self.pick(f"for (short *{q} = {other}; {q} < {other} + {columns}; {q}++)\n", f"for (const short *{q} = {other} + {columns}; {q} > {other}; {q}--)\n", f"for (long {q} = 0; {q} < {columns}; {q}++)\n")
            place = f"({q} - {other})" if "short" in inner else q
            clauses.append("collapse(2)")
            body = f"{sum_} += {place} * 100 + {number} + (long)*{p};"
            declared = f"short {other}[{columns + 1}];"
        else:
            body, declared = f"*{p} = {self.stored(type, number)};\n{sum_} += (long)*{p} + {number};", ""
        if not inner and "loop" not in directive.split() and self.chance(2):
            declared += f"\n{type} *{last} = {data};"
            body += f"\n{last} = {p};"
            clauses.append(f"lastprivate({last})")
            shown = f'show("{last}", {last} - {data});'
        else:
            shown = ""
        if self.chance(3) and directive != "simd" and "loop" not in directive.split():
            # The counter may be declared in front.
            if "simd" not in directive:
                clauses.append(f"private({p})")
            declared, header = f"{declared}\n{type} *{p};", header.replace(f"{type} *{p}", p, 1)
        return "\n".join([
            f"{type} {data}[{count}];", f"long {sum_} = {self.random.randrange(9)};", declared, f"for (int k = 0; k < {count}; k++) {data}[k] = k * 3;",
            f"#pragma omp {directive}{joined(clauses)}\nfor ({header})\n{inner}{{\n{body}\n}}", self.show(sum_), shown, self.show_all(data, count),
        ])

    def counted(self, trips):
        """A loop with so many iterations: its header, its counter, and the value that it has in one of them."""
        type, i = self.random.choice(COUNTERS), self.name("i")
        step, first = self.random.choice([1, 1, 2, 3]), self.random.choice([0, 0, 1, 5])
        if self.chance(3):
            first += trips * step
            condition = f"{i} > {first - trips * step}" if trips else f"{i} > {first}"
            return f"{type} {i} = {first}; {condition}; {i} -= {step}", i, type, f"{first} - {{0}} * {step}"
        less = self.pick(f"{i} < {first + trips * step}", f"{i} <= {first + trips * step - 1}" if first + trips * step else f"{i} < {first}", f"{i} < {first + trips * step - self.random.randrange(step)}" if trips else f"{i} < {first}")
        return f"{type} {i} = {first}; {less}; {i} += {step}", i, type, f"{first} + {{0}} * {step}"

    def ordered_nest(self):
        """A nest that a transformation brings in another order, which the sequential program has in loops of its own."""
        kind = self.pick("tile", "tile", "interchange", "reverse", "unroll")
        depth = {"reverse": 1, "unroll": 1}.get(kind) or self.random.choice([1, 2, 2, 3] if kind == "tile" else [2, 2, 3])
        trips = [self.random.choice([1, 2, 3, 5, 7, 0] if self.chance(4) else [2, 4, 5, 6]) for _ in range(depth)]
        loops = [self.counted(count) for count in trips]
        hash_ = self.name("h")
        body = f"{hash_} = {hash_} * 31 + {' * 100 + '.join(f'(long){loop[1]}' for loop in loops)};"
        program = "\n".join(f"for ({loop[0]})" for loop in loops) + f" {{\n{body}\n}}"
        numbers = [self.name("k") for _ in loops]
        values = "\n".join(f"{loop[2]} {loop[1]} = {loop[3].format(number)};" for loop, number in zip(loops, numbers))
        plain = [f"for (long {number} = 0; {number} < {count}; {number}++)" for number, count in zip(numbers, trips)]
        if kind == "tile":
            sizes = [self.random.choice([1, 2, 3, 4, 100]) for _ in loops]
            directive = f"tile sizes({', '.join(map(str, sizes))})"
            tiles = [f"for (long {number}_t = 0; {number}_t < {count}; {number}_t += {size})" for number, count, size in zip(numbers, trips, sizes)]
            inside = [f"for (long {number} = {number}_t; {number} < {number}_t + {size} && {number} < {count}; {number}++)" for number, count, size in zip(numbers, trips, sizes)]
            order = [*tiles, *inside]
        elif kind == "interchange":
            places = list(range(depth))
            self.random.shuffle(places)
            directive = f"interchange permutation({', '.join(str(place + 1) for place in places)})"
            if depth == 2 and places == [1, 0] and self.chance(2):
                directive = "interchange"
            order = [plain[place] for place in places]
        elif kind == "reverse":
            directive, order = "reverse", [f"for (long {numbers[0]} = {trips[0] - 1}; {numbers[0]} >= 0; {numbers[0]}--)"]
        else:
            directive, order = self.pick("unroll", "unroll full", "unroll partial", "unroll partial(3)"), plain
        sequence = "\n".join(order) + f" {{\n{values}\n{body}\n}}"
        return f"long {hash_} = 7;\n#pragma omp {directive}\n{SEQUENCE.format(program, sequence)}\n{self.show(hash_)}"

    def shared_nest(self):
        """A nest that a directive shares and others transform: any order is right."""
        depth = self.random.choice([1, 2, 2, 3])
        trips = [self.random.choice([1, 2, 3, 5, 7]) for _ in range(depth)]
        loops = [self.counted(count) for count in trips]
        sum_, data, type = self.name("s"), self.name("d"), self.type()
        total, number, counters = 1, "", [loop[1] for loop in loops]
        for count, (header, counter, _, value) in zip(trips, loops):
            # The number of the iteration, from the value of the counter.
            first, rest = value.split(" ", 1)
            step = rest.rsplit(" ", 1)[1]
            place = f"(({first} - (long){counter}) / {step})" if rest.startswith("-") else f"(((long){counter} - {first}) / {step})"
            number = f"({number} * {count} + {place})" if number else place
            total *= count
        transform = [f"tile sizes({', '.join(str(self.random.choice([1, 2, 3, 100])) for _ in loops)})", "reverse", "unroll partial(2)", "tile sizes(2)"] + ["interchange"] * (depth == 2)
        chosen = [self.pick(*transform) for _ in range(self.random.choice([1, 1, 2]))]
        chosen = [text for k, text in enumerate(chosen) if not text.startswith("unroll full") or k == len(chosen) - 1]
        directive = self.loop_directive(data)
        text = "\n".join([f"#pragma omp {directive} reduction(+ : {sum_})", *(f"#pragma omp {text}" for text in chosen), *(f"for ({loop[0]})" for loop in loops)])
        body = f"{data}[{number}] = {self.stored(type, *counters)};\n{sum_} += (long){data}[{number}] * {self.random.randrange(1, 5)} + {counters[-1]};"
        return f"{type} {data}[{total}];\nlong {sum_} = 1;\n{text} {{\n{body}\n}}\n{self.show(sum_)}\n{self.show_all(data, total)}"

    # Reductions.

    def reducing(self, operators, body, place, *shared):
        """A construct whose units reduce something by what `body` makes of a counter; the operator of the clause is chosen. Returns the code.

        `place` is what a clause names.
        """
        operator, count, i = self.pick(*operators), self.random.choice([1, 6, 25]), self.name("i")
        update = body(operator, i)
        clause = f"reduction({operator} : {place})"
        loop = f"for (int {i} = 0; {i} < {count}; {i}++) {{\n{update}\n}}"
        tasks = self.sharing(*shared) if shared else ""
        kind = self.pick("loop", "loop", "loop", "parallel", "sections", "scope", "tasks", "task loop", "nest")
        if kind == "loop":
            return f"#pragma omp {self.loop_directive(*shared)} {clause}\n{loop}"
        if kind == "parallel":
            return f"#pragma omp parallel {clause}\n{{\n#pragma omp for{self.pick('', ' nowait', ' schedule(dynamic)')}\n{loop}\n}}"
        if kind == "sections":
            parts = "\n".join(f"#pragma omp section\n{{\n{numbered(update, i, number)}\n}}" for number in range(self.random.randrange(1, 5)))
            return f"#pragma omp parallel sections {clause}\n{{\n{parts}\n}}"
        if kind == "scope":
            return f"#pragma omp parallel\n#pragma omp scope {clause}\n{{\n#pragma omp for nowait\n{loop}\n}}"
        if kind == "nest":
            return f"#pragma omp parallel for {clause} collapse(2)\nfor (int k = 0; k < 2; k++)\n{loop}"
        if kind == "task loop":
            return f"#pragma omp taskgroup task_{clause}\n{{\n#pragma omp taskloop in_{clause} {self.pick('', 'grainsize(2)', 'num_tasks(3)', 'nogroup')} {tasks}\n{loop}\n}}"
        task = f"#pragma omp task in_{clause} {self.pick('', 'untied', 'if(0)', f'firstprivate({i})')}\n{{\n{update}\n}}"
        loop = f"for (int {i} = 0; {i} < {count}; {i}++)\n{task}"
        if self.chance(2):
            directive = self.pick("for", "for schedule(dynamic)", "for schedule(static, 1)")
            return f"#pragma omp parallel {self.pick('', 'num_threads(2)')}\n#pragma omp {directive} reduction(task, {operator} : {place})\n{loop}"
        return f"#pragma omp taskgroup task_{clause}\n{{\n{loop}\n}}"

    def structures(self):
        """Reductions of structures with declared operators, and of arrays of them."""
        r, length = self.name("r"), self.random.choice([0, 0, 3])
        declared = f"struct pair {r}{f'[{length}]' if length else ''} = {{{'{5, 9}, {1, 2}, {3, 4}' if length else '5, 9'}}};"
        place = self.pick(r, f"{r}[0:{length}]", f"{r}[:{length}]", f"{r}[1:2]") if length else r
        first = 1 if place.endswith("[1:2]") else 0
        index = f"[{first} + (unsigned)({self.value()}) % {length - first}u]" if length else ""
        change = lambda operator, i: STRUCTURES[operator][2].format(f"{r}{index}", self.value(i), self.value(i, depth=1))
        shown = self.show_all(r, length, "{0}[k].first * 7 + {0}[k].second") if length else self.show(f"{r}.first", f"{r}.second")
        return f"{declared}\n{self.reducing(list(STRUCTURES), change, place)}\n{shown}"

    def sections_reduced(self):
        """Reductions of parts of arrays whose bounds are numbers of the program, behind pointers and in rows."""
        type, r, length = self.type(), self.name("r"), self.random.choice([4, 9, 20])
        bound, held = self.random.choice(sorted(self.program.bounds.items()))
        first = self.random.randrange(length - 1)
        count = self.random.randrange(1, length - first + 1)
        told = lambda value: self.pick(str(value), f"{bound} {'+' if value >= held else '-'} {abs(value - held)}")
        rows = self.chance(3)
        if rows:
            declared = f"{type} {r}[{length}][3];"
            initial = f"for (int k = 0; k < {length}; k++) for (int j = 0; j < 3; j++) {r}[k][j] = k % 3 + j;"
            place = f"{r}[{told(first)} : {told(count)}]" + self.pick("", "[0:3]", "[:]")
            target = lambda i: f"{r}[{first} + (unsigned)({self.value(i, depth=1)}) % {count}u][(unsigned)({self.value(i, depth=1)}) % 3u]"
            shown = self.show_all(r, length * 3, "{0}[k / 3][k % 3]")
        else:
            form = self.pick("array", "variable", "pointer")
            size = f"({bound} + {length - held})" if form == "variable" else length
            declared = f"{type} {r}_held[{length}], *{r} = {r}_held;" if form == "pointer" else f"{type} {r}[{size}];"
            initial = f"for (int k = 0; k < {length}; k++) {r}[k] = k % 4 + 1;"
            place = f"{r}[{told(first)} : {told(count)}]"
            target = lambda i: f"{r}[{first} + (unsigned)({self.value(i, depth=1)}) % {count}u]"
            shown = self.show_all(r, length)
        operators = ["+", "*", "max", "min"] if is_float(type) else ["+", "*", "^", "|", "&", "max", "min", "-"]

        def change(operator, i):
            place, value = target(i), self.value(i)
            if operator in ("max", "min"):
                number = f"({value}) % 1000" if is_float(type) else value
                less = "<" if operator == "max" else ">"
                return f"{{ {type} *at = &{place}, m = {number}; if (*at {less} m) *at = m; }}"
            if is_float(type):
                return f"{place} {operator}= " + (f"({value}) & 1 ? -1 : 1;" if operator == "*" else f"({value}) % 16;")
            return f"{place} {operator}= {value};"

        return f"{declared}\n{initial}\n{self.reducing(operators, change, place)}\n{shown}"

    def tasks_reduced(self):
        """Tasks and loops of tasks in each other, all of which reduce the same variables."""
        r, t, i, j = self.name("r"), self.name("t"), self.name("i"), self.name("j")
        type, other = self.type(False), self.pick("double", "long")
        operator = self.pick("+", "^", "*")
        factor = f"({self.value(i)}) | 1" if operator == "*" else self.value(i)
        clause = f"({operator} : {r}) {{0}}reduction(+ : {t})"
        inner = f"for (int {j} = 0; {j} < {self.random.randrange(1, 6)}; {j}++)\n#pragma omp task in_reduction(+ : {t}) {self.pick('', 'final(1)', f'firstprivate({i}, {j})')}\n{t} += ({i} * 3 + {j}) % 8;"
        inner = self.pick(f"{inner}\n#pragma omp taskwait", f"#pragma omp taskgroup\n{{\n{inner}\n}}", f"#pragma omp taskloop in_reduction(+ : {t}) firstprivate({i})\nfor (int {j} = 0; {j} < 4; {j}++) {t} += {j} + {i} % 3;")
        loop = f"for (int {i} = 0; {i} < {self.random.choice([1, 5, 13])}; {i}++) {{\n{r} {operator}= {factor};\n{inner}\n}}"
        kind = self.pick("group", "parallel", "loop")
        if kind == "group":
            text = f"#pragma omp taskgroup task_reduction{clause.format('task_')}\n{{\n#pragma omp taskloop {self.pick('', 'grainsize(2) ', 'nogroup ')}in_reduction{clause.format('in_')}\n{loop}\n}}"
        elif kind == "parallel":
            text = f"#pragma omp parallel reduction(task, {operator} : {r}) reduction(task, + : {t})\n{{\n#pragma omp single{self.pick('', ' nowait')}\n#pragma omp taskloop in_reduction{clause.format('in_')}\n{loop}\n}}"
        else:
            text = f"#pragma omp {self.pick('parallel masked taskloop', 'taskloop num_tasks(3)', 'parallel master taskloop')} reduction{clause.format('')}\n{loop}"
        return f"{type} {r} = 3;\n{other} {t} = 2;\n{text}\n{self.show(r, t)}"

    def scanned(self):
        """Sums so far of several variables and arrays at once."""
        i, s, m, v, out = self.name("i"), self.name("s"), self.name("m"), self.name("v"), self.name("o")
        count = self.random.choice([1, 7, 40])
        down = self.chance(3)
        header = f"for (int {i} = {count - 1}; {i} >= 0; {i}--)" if down else f"for (int {i} = 0; {i} < {count}; {i}++)"
        kind = self.pick("inclusive", "exclusive")
        add = f"{s} += {self.value(i)};\n{{ int own = {self.value(i)}; if (own > {m}) {m} = own; }}\n{v}[{i} % 3] += {i};"
        read = f"{out}[{i}] = {s} * 3 + {m} + {v}[0] * 5 + {v}[2];"
        names = f"{s}, {m}, {v}"
        body = f"{{\n{add}\n}}\n#pragma omp scan inclusive({names})\n{{\n{read}\n}}" if kind == "inclusive" else f"{{\n{read}\n}}\n#pragma omp scan exclusive({names})\n{{\n{add}\n}}"
        directive = self.pick("parallel for", "simd", "parallel for simd", "for", "for simd")
        local = f"#pragma omp parallel\n#pragma omp {directive}" if directive.startswith("for") else f"#pragma omp {directive}"
        text = f"{local} reduction(inscan, + : {s}, {v}) reduction(inscan, max : {m})\n{header} {{\n{body}\n}}"
        return f"long {s} = 5, {v}[3] = {{1, 2, 3}}, {out}[{count}];\nint {m} = -50;\n{text}\n{self.show(s, m)}\n{self.show_all(v, 3)}\n{self.show_all(out, count)}"

    # Variables.

    def linear(self):
        """Variables and pointers that advance by a step with each iteration."""
        i, p, l, data, count = self.name("i"), self.name("p"), self.name("l"), self.name("d"), self.random.choice([1, 5, 33])
        type, bound, step = self.type(), self.random.choice(sorted(self.program.bounds)), self.random.choice([1, 2, 3])
        directive = self.pick("parallel for", "parallel for simd", "simd", "parallel for schedule(static, 3)", "parallel for schedule(dynamic)", "for", "for simd")
        first = "#pragma omp parallel\n" if directive.startswith("for") else ""
        told = self.pick(f"linear({p} : {step})", f"linear(val({p}) : {step})", f"linear({p} : step({step}), val)")
        by = self.pick("{0}", "{0} * 2 - 3", "-{0}").format(bound)
        width = self.random.choice(COUNTERS)
        header = self.pick(f"int {i} = 0; {i} < {count}; {i}++", f"long {i} = {count} - 1; {i} >= 0; {i}--", f"unsigned {i} = 0; {i} < {count * 3}; {i} += 3")
        return "\n".join([
            f"{type} {data}[{count * step + 1}], *{p} = {data};\n{width} {l} = 4;", f"for (int k = 0; k <= {count * step}; k++) {data}[k] = k;",
            f"{first}#pragma omp {directive} {told} linear({l} : {by})\nfor ({header}) {{\n*{p} = {self.stored(type, l, i)};\n{p} += {step};\n{l} += {by};\n}}",
            f'show("{p}", {p} - {data});', self.show(l), self.show_all(data, count * step + 1),
        ])

    def conditional(self):
        """The value of the last section or iteration that sets a variable."""
        l, m, i = self.name("l"), self.name("m"), self.name("i")
        type, count = self.type(), self.random.choice([4, 30])
        sets = lambda number: f"if (({self.value(number)}) % 3 == 0) {l} = {self.stored(type, number)};"
        if self.chance(2):
            parts = "\n".join(f"#pragma omp section\n{{\n{self.pick(sets(str(number)), ';', f'{l} = {number};')}\n{m} = {number};\n}}" for number in range(self.random.randrange(1, 6)))
            text = f"#pragma omp parallel sections lastprivate(conditional : {l}) lastprivate({m})\n{{\n{parts}\n}}"
        else:
            directive = self.pick("parallel for", "parallel for schedule(dynamic)", "parallel for simd", "simd", "parallel for schedule(static, 1)", "parallel for schedule(nonmonotonic : dynamic, 3)")
            loop = self.pick(f"int {i} = 0; {i} < {count}; {i}++", f"long {i} = {count}; {i} > 0; {i} -= 2")
            text = f"#pragma omp {directive} lastprivate(conditional : {l}) lastprivate({m})\nfor ({loop}) {{\n{sets(i)}\n{m} = {i};\n}}"
        return f"{type} {l} = 7;\nlong {m} = 8;\n{text}\n{self.show(l, m)}"

    def truths(self):
        """Variables of type `_Bool`."""
        a, b, c, d, i = (self.name("b") for _ in range(5))
        count = self.random.choice([1, 9, 40])
        value = lambda: self.value(i)
        clause = f"reduction(&& : {a}) reduction({self.pick('||', '|')} : {b}) lastprivate({c}) firstprivate({d})"
        body = f"{a} = {a} && ({value()}) % 5;\n{b} |= ({value()}) > 70;\n{c} = {value()};\n{self.pick(f'{c} ^= {d};', f'{c} = {c} == {d};', f'{c} += {d};', f'if (!{d}) {c} = !{c};')}"
        directive = self.pick("parallel for", "parallel for simd", "parallel for schedule(dynamic)", "parallel sections", "taskloop", "simd")
        directive = directive.replace("parallel sections", "parallel for")
        clause = clause.replace(f" firstprivate({d})", "") if "simd" == directive else clause
        old, at = self.name("v"), self.name("x")
        operator = self.pick("|", "&", "^")
        access = self.pick(
            ("capture", f"{{ {old} = {at}; {at} = {value()} > 9; }}"), ("capture", f"{{ {at} {operator}= {value()} & 1; {old} = {at}; }}"), ("capture", f"{old} = {at} {operator}= 1;"), ("write", f"{at} = ({value()}) % 7;"),
            ("update", f"{at} = {at} {operator} 1;"), ("read", f"{old} = {at};"), ("update", f"{at} = {value()} * {at};"), ("compare", f"if ({at} == 1) {{ {at} = 0; }}"), ("capture", f"{old} = ++{at};"),
        )
        access = (access[0], numbered(access[1], i, 3))
        return f"""_Bool {a} = 1, {b} = {self.pick('0', '1')}, {c} = 0, {d} = {self.pick('0', '1')}, {at} = {self.pick('0', '1')}, {old} = 0;
#pragma omp {directive} {clause}
for (int {i} = 0; {i} < {count}; {i}++) {{
{body}
}}
#pragma omp atomic {access[0]}
{access[1]}
{self.show(a, b, c, at, old)}"""

    def kept(self):
        """Arrays and structures that threads keep, in all places where they may be declared."""
        k, wrong, number = self.name("k"), self.name("w"), self.random.randrange(2, 50)
        kind = self.pick("int {0}[3]", "struct pair {0}[2]", "double {0}", "struct {{ char a; long b[3]; short c; }} {0}", "long *{0}", "_Bool {0}[5]", "__int128 {0}")
        part = {"int": f"{k}[2]", "struct pair": f"{k}[1].second", "struct {": f"{k}.b[1]", "_Bool": f"{k}[4]"}
        part = next((text for begin, text in part.items() if kind.startswith(begin)), k)
        type = "_Bool" if kind.startswith("_Bool") else "long"
        value = lambda plus: f"(long *)({number + plus}L)" if kind.startswith("long *") else f"({type})({number + plus})"
        declared = f"static {kind.format(k)};\n#pragma omp threadprivate({k})"
        inside = self.chance(2)
        if not inside:
            self.program.declared.append(declared)
        copied = self.pick(
            f"#pragma omp parallel copyin({k}) reduction(+ : {wrong})\n{wrong} += {part} != {value(0)};", f"#pragma omp parallel reduction(+ : {wrong})\n{{\n#pragma omp single copyprivate({k})\n{part} = {value(0)};\n{wrong} += {part} != {value(0)};\n}}",
            f"#pragma omp parallel for copyin({k}) reduction(+ : {wrong})\nfor (int i = 0; i < 20; i++) {wrong} += {part} != {value(0)};", f"#pragma omp parallel sections copyin({k})\n{{\n#pragma omp section\n;\n#pragma omp section\n{part} = {value(0)};\n}}\n#pragma omp parallel copyin({k})\n;",
        )
        return "\n".join(filter(None, [
            f"int {wrong} = 0;", declared if inside else "", f"{part} = {value(0)};", copied, f"#pragma omp parallel reduction(+ : {wrong})\n{{\n{wrong} += {part} != {value(0)};\n{part} = {value(3)};\n}}",
            f"#pragma omp parallel reduction(+ : {wrong})\n{wrong} += {part} != {value(3)};", self.show(wrong, part),
        ]))

    def copies(self):
        """Copies of structures, pointers, and arrays of all shapes."""
        q, w, length = self.name("q"), self.name("w"), self.random.randrange(2, 7)
        bound, held = self.random.choice(sorted(self.program.bounds.items()))
        type = self.type()
        form = self.pick(
            (f"{type} {q}[{bound} + {length - held}];", f"{q}[{length - 1}]", type), (f"{type} {q}[{length}];", f"{q}[{length - 1}]", type), (f"struct pair {q};", f"{q}.second", "long"),
            (f"{type} {q}[2][{length}];", f"{q}[1][{length - 1}]", type), (f"{type} {q}[{bound} + 2][{length}];", f"{q}[{held}][1]", type), (f"struct bits {q};", f"{q}.c", "int"), (f"struct {{ struct pair a[2]; {type} b[3]; }} {q};", f"{q}.b[1]", type),
            (f"{type} _Complex {q};" if type in ("double", "float") else f"_Bool {q};", q, "int"),
        )
        declared, part, of = form
        one = "1" if declared.startswith("_Bool") else "3"
        kind = self.pick("first", "first", "last", "given", "task")
        before = f"{part} = {one};"
        if kind == "first":
            directive = self.pick("parallel", "parallel for", "parallel sections", "parallel for schedule(dynamic)")
            body = f"{w} += {part} != {one};\n{part} = 0;\n{part} = {one};"
            loop = {"parallel": body, "parallel sections": f"#pragma omp section\n{{\n{body}\n}}\n#pragma omp section\n{{\n{body}\n}}"}.get(directive, f"for (int i = 0; i < 9; i++) {{\n{body}\n}}")
            text = f"#pragma omp {directive} firstprivate({q}) reduction(+ : {w})\n{{\n{loop}\n}}" if not loop.startswith("for") else f"#pragma omp {directive} firstprivate({q}) reduction(+ : {w})\n{loop}"
        elif kind == "last":
            i, both = self.name("i"), self.pick("", f" firstprivate({q})")
            value = f"({self.value(i)}) % 16" if not declared.startswith("_Bool") else f"({self.value(i)}) % 2"
            directive = self.pick("parallel for", "parallel for schedule(dynamic)", "parallel for simd", "taskloop", "parallel for collapse(2)")
            both = "" if directive.endswith("simd") else both
            loop = f"for (int {i} = 0; {i} < 11; {i}++)" + (f"\nfor (int {i}_2 = 0; {i}_2 < 2; {i}_2++)" if "collapse" in directive else "")
            text = f"#pragma omp {directive} lastprivate({q}){both}\n{loop} {part} = {value};"
        elif kind == "given":
            text = f"#pragma omp parallel firstprivate({q}) reduction(+ : {w})\n{{\n#pragma omp single copyprivate({q})\n{part} = {one} - 1;\n{w} += {part} != {one} - 1;\nSEQ({part} = {one};)\n}}"
        else:
            text = f"#pragma omp task firstprivate({q}) shared({w}){self.pick('', ' untied', ' if(0)')}\n{{\n{w} += {part} != {one};\n{part} = {one};\n}}\n{part} = {one} - 1;\n#pragma omp taskwait"
        return f"{declared}\nint {w} = 0;\n{before}\n{text}\n{self.show(w)}\nshow(\"{q}\", (long){part});"

    def allocated(self):
        """Memory of allocators, for copies and variables, and by the routines."""
        x, w, q = self.name("x"), self.name("w"), self.name("q")
        allocator = self.pick("omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc")
        align, count = self.random.choice([16, 64, 256]), self.random.choice([3, 40])
        type = self.type()
        kind = self.pick("directive", "clause", "clause", "routines")
        if kind == "directive":
            align_clause = self.pick("", f" align({align})")
            check = f"{w} += (unsigned long)&{x} % {align} != 0;" if align_clause else ""
            storage = self.pick("", "static ")
            told = " allocator(omp_default_mem_alloc)" if storage else f" allocator({allocator})"
            text = f"{storage}{type} {x}[{count}];\n#pragma omp allocate({x}){told}{align_clause}\nPAR({check})\nfor (int k = 0; k < {count}; k++) {x}[k] = k * 3;\n{self.show_all(x, count)}"
        elif kind == "clause":
            directive = self.pick("parallel for", "parallel for schedule(dynamic)", "parallel for simd", "taskloop", "parallel sections", "parallel")
            data, told = self.pick(("firstprivate", ""), ("reduction", "+ : "), ("lastprivate", "")) if directive != "parallel" and "simd" not in directive else ("reduction", "+ : ")
            form = self.pick(f"allocate({allocator} : {q})", f"allocate(allocator({allocator}) : {q})", f"allocate(align({align}), allocator({allocator}) : {q})", f"allocate(align({align}) : {q})", f"allocate({q})")
            change = {"firstprivate": f"{q}[1] = {q}[2] + 1;", "reduction": f"{q}[1] += 2;", "lastprivate": f"{q}[0] = {q}[1] = {q}[2] = 4;"}[data]
            check = f"PAR(if ((unsigned long)&{q} % {align}) {w}_at = 1;)" if "align(" in form else ""
            loop = f"for (int i = 0; i < 7; i++) {{\n{check}\n{change}\n}}"
            loop = {"parallel": f"{{\n#pragma omp for\n{loop}\n}}", "parallel sections": f"{{\n#pragma omp section\n{{\n{check}\n{change}\n}}\n}}"}.get(directive, loop)
            kept = f"SEQ({type} {q}_1 = {q}[1];)", f"SEQ({q}[1] = {q}_1;)"
            kept = kept if data == "firstprivate" else ("", "")
            text = f"{type} {q}[3] = {{1, 2, 3}};\nint {w}_at = 0;\n{kept[0]}\n#pragma omp {directive} {data}({told}{q}) {form} reduction(| : {w}_at)\n{loop}\n{kept[1]}\n{w} += {w}_at;\n{self.show_all(q, 3)}"
        else:
            make = self.pick(f"omp_alloc({count} * sizeof *{x}, {allocator})", f"omp_aligned_alloc({align}, {count} * {align}, {allocator})", f"omp_calloc({count}, sizeof *{x}, {allocator})", f"omp_aligned_calloc({align}, {count}, {align}, {allocator})")
            check = f"{w} += (unsigned long){x} % {align} != 0;" if "aligned" in make else ""
            zero = f"for (int k = 0; k < {count}; k++) {w} += {x}[k] != 0;" if "calloc" in make else ""
            more = f"{x} = omp_realloc({x}, {count * 2} * sizeof *{x} + {align}, {allocator}, omp_null_allocator);\nfor (int k = 0; k < {count}; k++) {w} += {x}[k] != k;" if self.chance(2) else ""
            text = f"PAR({type} *{x} = {make};\n{check}\n{zero}\nfor (int k = 0; k < {count}; k++) {x}[k] = k;\n{more}\nomp_free({x}, {self.pick(allocator, 'omp_null_allocator')});)"
        return f"int {w} = 0;\n{text}\n{self.show(w)}"

    # What tells how threads and tasks go on.

    def iterated(self):
        """Tasks whose dependences are on every so-manieth element of an array."""
        data, count = self.name("d"), self.random.choice([5, 12, 20])
        lines = []
        for _ in range(self.random.randrange(2, 8)):
            k, step = self.name("k"), self.random.choice([1, 1, 2, 3])
            first, end = sorted(self.random.sample(range(count + 1), 2))
            form = self.pick(f"{k} = {first} : {end} : {step}", f"int {k} = {first} : {end} : {step}", f"long {k} = {first} : {end} : {step}")
            header = f"for (int {k} = {first}; {k} < {end}; {k} += {step})"
            if step == 1:
                form = self.pick(form, f"{k} = {first} : {end}")
            if self.chance(4):
                form, header = f"int {k} = {end - 1} : {first - 1} : -{step}", f"for (int {k} = {end - 1}; {k} > {first - 1}; {k} -= {step})"
            one = self.random.randrange(count)
            if self.chance(2):
                depend, body = f"depend(iterator({form}), {self.pick('inout', 'out')} : {data}[{k}])", f"{header} {data}[{k}] = {data}[{k}] * 3 + {self.random.randrange(9)};"
            else:
                depend, body = f"depend(iterator({form}), in : {data}[{k}]) depend(inout : {data}[{one}])", f"{header} {data}[{one}] = {data}[{one}] * 2 + ({k} == {one} ? 0 : {data}[{k}]);"
            if self.chance(8):
                lines.append(f"#pragma omp taskwait {depend}\n{body}")
            else:
                lines.append(f"#pragma omp task shared({data}) {depend} {self.pick('', 'untied', 'priority(2)', 'if(0)')}\n{body}")
        body = "\n".join(lines)
        return f"unsigned {data}[{count}];\nfor (int k = 0; k < {count}; k++) {data}[k] = k;\n#pragma omp taskgroup\n{{\n{body}\n}}\n{self.show_all(data, count)}"

    def cancelled(self):
        """A search that ends a team, a group of tasks or sections."""
        found, i, count = self.name("f"), self.name("i"), self.random.choice([3, 20, 60])
        wanted = self.random.randrange(count)
        kind = self.pick("parallel", "taskgroup", "taskloop", "sections", "for")
        store = f"#pragma omp atomic write\n{found} = {i};"
        point = lambda of: self.pick("", f"#pragma omp cancellation point {of}\n")
        condition = self.pick("", f" if({i} == {wanted})", " if(cancel : 1)")
        if kind == "parallel":
            text = f"#pragma omp parallel num_threads({self.random.randrange(1, 5)})\nfor (int {i} = omp_get_thread_num(); {i} < {count}; {i} += omp_get_num_threads()) {{\n{point('parallel')}if ({i} == {wanted}) {{\n{store}\n#pragma omp cancel parallel{condition}\n}}\n}}"
        elif kind == "taskgroup":
            body = f"{{\n{point('taskgroup')}if ({i} == {wanted}) {{\n{store}\n#pragma omp cancel taskgroup{condition}\n}}\n}}"
            text = f"#pragma omp taskgroup\nfor (int {i} = 0; {i} < {count}; {i}++)\n#pragma omp task shared({found}) firstprivate({i})\n{body}"
            # The tasks in front may end the group before one is created behind; what it finds is the same.
        elif kind == "taskloop":
            text = f"#pragma omp taskloop shared({found}) {self.pick('grainsize(1)', 'num_tasks(3)', '')}\nfor (int {i} = {wanted}; {i} < {count}; {i}++) {{\nif ({i} == {wanted}) {{\n{store}\n#pragma omp cancel taskgroup{condition}\n}}\n}}"
        elif kind == "sections":
            condition = "" if i in condition else condition
            start = self.pick("#pragma omp parallel sections", "#pragma omp parallel\n#pragma omp sections")
            others = "\n#pragma omp section\n{\n#pragma omp cancellation point sections\n}" * self.random.randrange(3)
            text = f"{start}\n{{\n#pragma omp section\n{{\n{found} = {wanted};\n#pragma omp cancel sections{condition}\n}}{others}\n}}"
        else:
            text = f"#pragma omp parallel for {self.pick('', 'schedule(dynamic)')}\nfor (int {i} = 0; {i} < {count}; {i}++) {{\n{point('for')}if ({i} == {wanted}) {{\n{store}\n#pragma omp cancel for{condition}\n}}\n}}"
        return f"long {found} = -1;\n{text}\n{self.show(found)}"

    def ordered_simd(self):
        """Iterations of vectors of which a part is executed in the order of the loop."""
        h, i, data, count = self.name("h"), self.name("i"), self.name("d"), self.random.choice([1, 9, 40])
        outer, which = self.pick(("parallel for ordered", ""), ("parallel for ordered schedule(dynamic, 2)", " threads"), ("parallel for simd ordered", " threads simd"), ("simd", " simd"), ("parallel for simd ordered schedule(static, 4)", " simd threads"))
        step = self.pick(f"int {i} = 0; {i} < {count}; {i}++", f"int {i} = {count - 1}; {i} >= 0; {i}--")
        return f"long {h} = 1, {data}[{count}];\n#pragma omp {outer}\nfor ({step}) {{\n{data}[{i}] = {self.value(i)};\n#pragma omp ordered{which}\n{{ {h} = {h} * 31 + {data}[{i}]; }}\n{data}[{i}] ^= {i};\n}}\n{self.show(h)}\n{self.show_all(data, count)}"

    def asked(self):
        """What the runtime must answer wherever it is asked."""
        w, limit = self.name("w"), self.random.choice([1, 2, 4])
        checks = [
            "omp_get_thread_limit() < 1", "omp_get_max_active_levels() < 0", "omp_get_supported_active_levels() < 1", "omp_get_num_procs() < 1", "omp_get_max_threads() < 1", "omp_get_num_teams() != 1", "omp_get_team_num() != 0",
            "omp_get_initial_device() != omp_get_num_devices()", "!omp_is_initial_device()", "omp_get_wtick() <= 0", "omp_get_max_task_priority() < 0", "omp_get_place_num() >= 0 && omp_get_num_places() == 0", "omp_get_default_allocator() == omp_null_allocator",
        ]
        chosen = " || ".join(self.random.sample(checks, 4))
        kind, level = self.pick("omp_sched_static", "omp_sched_dynamic", "omp_sched_guided"), self.name("n")
        text = self.pick(
            f"PAR(int {level} = omp_get_max_threads(); omp_set_num_threads({limit}); {w} += omp_get_max_threads() != {limit}; omp_set_num_threads({level});)",
            f"PAR(omp_sched_t kind, other; int chunk, now; omp_get_schedule(&kind, &chunk); omp_set_schedule({kind}, {limit}); omp_get_schedule(&other, &now); {w} += other != {kind} || now != {limit}; omp_set_schedule(kind, chunk);)",
            f"PAR(omp_set_num_teams({limit}); {w} += omp_get_max_teams() != {limit}; omp_set_num_teams(0);)", f"PAR(omp_set_teams_thread_limit({limit}); {w} += omp_get_teams_thread_limit() != {limit}; omp_set_teams_thread_limit(0);)",
            f"""#pragma omp parallel num_threads({limit}) reduction(+ : {w})
{{
PAR(int {level} = omp_get_level(), size = omp_get_num_threads();)
#pragma omp parallel num_threads(1) reduction(+ : {w})
{{
PAR({w} += omp_get_level() != {level} + 1 || omp_get_num_threads() != 1 || omp_get_team_size({level}) != size || omp_get_thread_num() != 0;)
}}
}}""",
        )
        return f"int {w} = 0;\nPAR({w} += {chosen};)\n{text}\n{self.show(w)}"

    # What chooses code.

    def variants(self):
        """Calls of functions with variants, of which the most particular one that holds is called."""
        f = self.name("call")
        # What holds: constructs around the call, and what each selector says, with its score.
        constructs = self.pick([], ["parallel"], ["parallel", "for"], ["parallel", "for", "simd"], ["simd"])
        candidates, declared, lines = [], [], []
        selectors = [
            ("construct={parallel}", lambda: 1 << constructs.index("parallel") if "parallel" in constructs else None), ("construct={parallel, for}", lambda: sum(1 << constructs.index(part) for part in ("parallel", "for")) if {"parallel", "for"} <= set(constructs) else None),
            ("construct={simd}", lambda: 1 << constructs.index("simd") if "simd" in constructs else None), ("construct={target}", lambda: None), ("construct={teams}", lambda: None),
            ("device={kind(host)}", lambda: 1 << len(constructs)), ("device={kind(nohost)}", lambda: None), ("device={kind(cpu)}, construct={parallel}", lambda: (1 << len(constructs)) + (1 << constructs.index("parallel")) if "parallel" in constructs else None),
            ("implementation={vendor(unknown)}", lambda: None), ("user={condition(0)}", lambda: None), ("user={condition(score(5) : 1)}", lambda: 5), ("user={condition(score(50) : 1 + 1)}", lambda: 50),
        ]
        for number, (text, score) in enumerate(self.random.sample(selectors, self.random.randrange(1, 4))):
            score, name = score(), f"{f}_{number}"
            if score is not None and any(score == other for other, _ in candidates):
                continue
            declared.append(f"static long {name}(long x, long y) {{ return x * {number + 2} - y; }}")
            lines.append(f"#pragma omp declare variant({name}) match({text})")
            if score is not None:
                candidates.append((score, name))
        base = f"static long {f}(long x, long y) {{ return x + y * 3; }}"
        self.program.declared.append("\n".join([*declared, *lines, base]))
        called = max(candidates)[1] if candidates else f
        s, i = self.name("s"), self.name("i")
        call = f"{s} += PAR({f}) SEQ({called})({i}, {self.random.randrange(9)});"
        loop = f"for (int {i} = 0; {i} < 5; {i}++) {{\n{call}\n}}"
        if not constructs:
            text = loop
        elif constructs == ["parallel"]:
            text = f"#pragma omp parallel num_threads(1)\n{{\n{loop}\n}}"
        else:
            text = f"#pragma omp {' '.join(constructs)} reduction(+ : {s})\n{loop}"
        return f"long {s} = 1;\n{text}\n{self.show(s)}"

    def metadirective(self):
        """A loop whose directive depends on what holds; the result does not."""
        s, i, out, count = self.name("s"), self.name("i"), self.name("o"), self.random.choice([1, 9, 40])
        bound = self.random.choice(sorted(self.program.bounds))
        loops = lambda: self.pick("parallel for", "simd", "parallel for simd", "parallel for schedule(dynamic)", "taskloop " + self.sharing(out), "loop bind(thread)") + f" reduction(+ : {s})"
        conditions = ["user={condition(1)}", f"user={{condition({bound} > 7)}}", f"user={{condition({bound} % 2)}}", "device={kind(host)}", "device={kind(nohost)}", "implementation={vendor(unknown)}", "construct={parallel}", "user={condition(score(9) : 0)}"]
        told = " ".join(f"when({condition} : {self.pick(loops(), loops(), 'nothing', '')})" for condition in self.random.sample(conditions, self.random.randrange(1, 4)))
        last = self.pick("", f" otherwise({loops()})", f" default({loops()})", " default(nothing)")
        loop = f"for (int {i} = 0; {i} < {count}; {i}++) {{\n{out}[{i}] = {self.value(i)};\n{s} += {out}[{i}] % 10;\n}}"
        directive = f"metadirective {told}{last}"
        if self.chance(3):
            once, other = self.random.sample(["parallel num_threads(1)", "task " + self.sharing(out, s), "taskgroup", "critical"], 2)
            text = f"#pragma omp begin metadirective when({self.random.choice(conditions)} : {once}) {self.pick('', f'otherwise({other})')}\n{{\n{loop}\n}}\n#pragma omp end metadirective\n#pragma omp taskwait"
        else:
            text = f"#pragma omp {directive}\n{loop}"
        return f"long {s} = 0, {out}[{count}];\n{text}\n{self.show(s)}\n{self.show_all(out, count)}"

    def dispatch(self):
        """Calls that `dispatch` gives to variants."""
        f, x, y = self.name("call"), self.name("x"), self.name("y")
        type = self.type()
        self.program.declared.append(f"static {type} {f}_v({type} x, {type} *at) {{ *at = x + 1; return x * 2; }}\n#pragma omp declare variant({f}_v) match(construct={{dispatch}})\nstatic {type} {f}({type} x, {type} *at) {{ *at = x - 1; return x * 3; }}")
        bound, held = self.random.choice(sorted(self.program.bounds.items()))
        limit = self.random.choice([0, 5, 10, 30])
        condition, holds = self.pick((f"{bound} > {limit}", held > limit), ("0", False), ("1", True))
        clause, never = self.pick(("", False), ("", False), (f"novariants({condition})", holds), (f"nocontext({condition})", holds))
        more = self.pick("", f"depend(inout : {x})", "device(omp_get_default_device())")
        call = self.pick(f"{x} = {{0}}(5, &{y});", f"{{0}}(7, &{y});", f"{x} = {{0}}({y}, &{y});")
        task = f"#pragma omp task shared({x}, {y}) depend(inout : {x})\n{y} = {x} + 2;\n" if "depend" in more else ""
        return f"{type} {x} = 3, {y} = 4;\n{task}#pragma omp dispatch {clause} {more}\n" + SEQUENCE.format(call.format(f), call.format(f if never else f + "_v")) + f"\n{self.show(x, y)}"



def numbered(text, counter, number):
    """The statements of one iteration."""
    return re.sub(rf"\b{counter}\b", str(number), text)
