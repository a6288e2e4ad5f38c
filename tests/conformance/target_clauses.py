"""More blocks for `targets.py`: clauses that say where the data of a construct are, memory that routines give, and directives around and in loops of a device.

What `target_forms.py` says of blocks holds of these, too.
"""

from host_forms import Blocks
from nests import INTEGERS, joined


class ClauseForms(Blocks):
    """Makes such blocks."""

    def loop_of_device(self, *clauses):
        """A directive that shares a loop on a device."""
        kinds = ["target parallel for", "target teams distribute parallel for", "target teams distribute", "target simd", "target teams distribute parallel for simd", "target parallel for simd", "target teams loop", "target parallel loop"]
        return f"#pragma omp {self.random.choice(kinds)}{joined(clauses)}"

    def clause_forms(self):
        """All of these blocks."""
        return [
            self.categories, self.addresses_of_objects, self.pointers_of_devices, self.mappers_in_mappers, self.modifiers, self.dependence_objects, self.asked_of_device, self.parts_of_members, self.transformed, self.assumed,
            self.reduced_tasks, self.masked, self.locals_of_functions, self.kept_within, self.windows, self.last_values, self.conditions, self.copied_later, self.in_tasks, self.dispatched,
        ]

    # Where data are.

    def categories(self):
        """What `defaultmap` says of variables of all kinds that no clause names."""
        x, a, s, p, out, i = (self.name(first) for first in "xaspoi")
        count, type = self.random.choice([3, 9]), self.type()
        declared = f"{type} {x} = 5, {a}[{count}];\nstruct pair {s} = {{3, 4}};\nint {p}_held[{count}], *{p} = {p}_held;\nlong {out} = 0;\nfor (int k = 0; k < {count}; k++) {a}[k] = k, {p}[k] = k * 2;"
        lines = [declared]
        for _ in range(self.random.randrange(1, 4)):
            scalar, aggregate = self.pick("", "firstprivate", "tofrom", "to", "none", "default"), self.pick("", "firstprivate", "tofrom", "to", "default", "alloc", "present")
            pointer = self.pick("", "default")
            clauses = [f"defaultmap({behaviour} : {category})" for behaviour, category in ((scalar, "scalar"), (aggregate, "aggregate"), (pointer, "pointer")) if behaviour]
            if self.chance(5):
                clauses, scalar, aggregate = [self.pick("defaultmap(tofrom)", "defaultmap(tofrom : all)")], "tofrom", "tofrom"
                clauses.append(f"map({p}[0:{count}])")
            keep_scalar = scalar == "tofrom"
            named = f"map(tofrom : {out})" if not keep_scalar or self.chance(2) else ""
            told = f"map(to : {', '.join([x, *self.program.bounds])})" if scalar == "none" else ""
            body = [f"{out} += {x} + {p}[{self.random.randrange(count)}];"]
            if keep_scalar:
                body.append(f"{x} = {self.stored(type)};")
            if aggregate == "alloc":
                body.append(f"for (int {i} = 0; {i} < {count}; {i}++) {a}[{i}] = {i};\n{s}.first = 2; {s}.second = 3;")
            body.append(f"{out} += (long){a}[{self.random.randrange(count)}] + {s}.first * 3;")
            changes = f"{a}[{self.random.randrange(count)}] = {self.stored(type)}; {s}.second += {x};"
            if aggregate != "to":
                body.append(changes)
            if aggregate == "firstprivate":
                lines.append(f"{{\nSEQ({type} {a}_kept[{count}]; memcpy({a}_kept, {a}, sizeof {a}); struct pair {s}_kept = {s};)")
            inner = "\n".join(body)
            construct = f"#pragma omp target{joined([named, told, *clauses])}\n{{\n{inner}\n}}"
            if aggregate == "present":
                construct = f"#pragma omp target data map(tofrom : {a}, {s}) map(tofrom : {p}[0:{count}])\n{{\n{construct}\n}}"
            elif f"map({p}[" not in construct:
                construct = construct.replace("#pragma omp target", f"#pragma omp target map(to : {p}[0:{count}])", 1)
            lines.append(construct)
            if aggregate == "alloc":
                # The host may have what the construct did, or what it had.
                lines.append(f"for (int k = 0; k < {count}; k++) {a}[k] = k * 3;\n{s} = (struct pair){{2, 6}};")
            if aggregate == "firstprivate":
                lines.append(f"SEQ(memcpy({a}, {a}_kept, sizeof {a}); {s} = {s}_kept;)\n}}")
        return "\n".join([*lines, self.show(out, x, f"{s}.first", f"{s}.second"), self.show_all(a, count)])

    def addresses_of_objects(self):
        """Objects whose device's copies a region names by their addresses."""
        x, a, s, i = (self.name(first) for first in "xasi")
        count, type, bound = self.random.choice([4, 12]), self.type(), self.random.choice(sorted(self.program.bounds.items()))
        shape = self.pick(str(count), f"{bound[0]} + {count - bound[1]}")
        declared = f"{type} {x} = 3, {a}[{shape}];\nstruct pair {s} = {{1, 2}};\nfor (int k = 0; k < {count}; k++) {a}[k] = k;"
        section = self.pick(a, f"{a}[0:{count}]")
        used = f"use_device_addr({x}, {s}, {section})" if self.chance(2) else f"use_device_addr({x}) use_device_addr({s}, {section})"
        has = f"has_device_addr({x}, {s}, {self.pick(a, f'{a}[0:{count}]')})"
        loop = f"{self.loop_of_device(has)}\nfor (int {i} = 0; {i} < {count}; {i}++) {a}[{i}] = ({type})({a}[{i}] + {x} + {s}.first);"
        block = f"#pragma omp target {has}\n{{\n{x} = {self.stored(type)};\n{s}.second += (long){a}[{self.random.randrange(count)}]; {a}[1] = {x};\n}}"
        body = "\n".join(self.random.sample([loop, block, block.replace("second", "first")], self.random.randrange(1, 4)))
        if self.chance(2):
            return f"{declared}\n#pragma omp target data map(tofrom : {x}, {s}, {a}) {used}\n{{\n{body}\n}}\n{self.show(x, f'{s}.first', f'{s}.second')}\n{self.show_all(a, count)}"
        return f"{declared}\n#pragma omp target enter data map(to : {x}, {s}, {a})\n#pragma omp target data {used}\n{{\n{body}\n}}\n#pragma omp target exit data map(from : {a}, {x}, {s})\n{self.show(x, f'{s}.first', f'{s}.second')}\n{self.show_all(a, count)}"

    def pointers_of_devices(self):
        """Addresses of a device in variables, structures and arrays that a construct has copies of."""
        d, q, i, count, type = self.name("d"), self.name("q"), self.name("i"), self.random.choice([6, 30]), self.type()
        half, form = count // 2, self.pick("two", "structure", "array", "argument")
        device = "omp_get_default_device()"
        start = f"{type} {d}_host[{count}];\nfor (int k = 0; k < {count}; k++) {d}_host[k] = k;\n{type} *{d} = omp_target_alloc(sizeof {d}_host, {device});\nomp_target_memcpy({d}, {d}_host, sizeof {d}_host, 0, 0, {device}, omp_get_initial_device());"
        change = lambda at, *scalars: f"{at} = {self.stored(type, *scalars, f'((int){at} % 1000)')};"
        if form == "two":
            body = f"{type} *{q} = {d} + {half};\n{self.loop_of_device(f'is_device_ptr({d}, {q})')}\nfor (int {i} = 0; {i} < {half}; {i}++) {{ {change(f'{d}[{i}]', i)} {change(f'{q}[{i}]', i)} }}"
        elif form == "structure":
            body = f"struct {{ {type} *at; int n; }} {q} = {{{d} + 1, {count - 1}}};\n{self.loop_of_device(self.pick(f'firstprivate({q})', f'map(to : {q})'))}\nfor (int {i} = 0; {i} < {count - 1}; {i}++) {{ {change(f'{q}.at[{i}]', i, f'{q}.n')} }}"
        elif form == "array":
            body = f"{type} *{q}[2] = {{{d}, {d} + {half}}};\n#pragma omp target map(to : {q})\nfor (int {i} = 0; {i} < {half}; {i}++) {{ {change(f'{q}[0][{i}]', i)} {change(f'{q}[1][{i}]', i)} }}"
        else:
            f = self.name("call")
            self.program.declared.append(f"static void {f}({type} *p, int n, long x)\n{{\n{self.loop_of_device(self.pick('is_device_ptr(p)', 'is_device_ptr(p) firstprivate(n, x)'))}\nfor (int {i} = 0; {i} < n; {i}++) {{ {change(f'p[{i}]', i, 'x')} }}\n}}")
            body = f"{f}({d}, {half}, {self.random.randrange(9)});\n{f}({d} + {half}, {count - half}, 2);"
        return f"{start}\n{body}\nomp_target_memcpy({d}_host, {d}, sizeof {d}_host, 0, 0, omp_get_initial_device(), {device});\nomp_target_free({d}, {device});\n{self.show_all(f'{d}_host', count)}"

    def mappers_in_mappers(self):
        """Structures in structures, each with what its mapper says."""
        tag, s, n, i = self.name("tag"), self.name("s"), self.random.randrange(2, 9), self.name("i")
        count = self.random.choice([0, 2, 3])
        inner_default = self.pick(f"map(i.n) map(i.list[0 : i.n])", f"map(i, i.list[0 : i.n])", f"map(i.list[0 : i.n], i.n)")
        named = self.chance(2)
        # A member of what is mapped as a whole has no mapper of its own here.
        outer = self.pick("map(o.m, o.one, o.tail)", "map(o.one) map(o.m) map(o.tail)")
        more = self.pick("", " map(o.data[0 : 3])")
        mapper = f"mapper({tag}_all), " if named else ""
        self.program.declared.append(f"struct in_{tag} {{ int n; int *list; }};\nstruct out_{tag} {{ long m; struct in_{tag} one; int *data; short tail[2]; }};\n#pragma omp declare mapper(struct in_{tag} i) {inner_default}\n#pragma omp declare mapper({f'{tag}_all : ' if named else ''}struct out_{tag} o) {outer}{more}")
        shape, objects = (f"[{count}]", [f"{s}[{k}]" for k in range(count)]) if count else ("", [s])
        lines = [f"struct out_{tag} {s}{shape};"]
        for at, thing in enumerate(objects):
            lines.append(f"{thing}.m = {at}; {thing}.one.n = {n}; {thing}.one.list = malloc({n} * sizeof(int)); {thing}.data = malloc(3 * sizeof(int)); {thing}.tail[0] = 1; {thing}.tail[1] = 2;\nfor (int k = 0; k < {n}; k++) {thing}.one.list[k] = k * {at + 2};\nfor (int k = 0; k < 3; k++) {thing}.data[k] = k;")
        for _ in range(self.random.randrange(1, 4)):
            body = "\n".join(f"for (int {i} = 0; {i} < {thing}.one.n; {i}++) {thing}.one.list[{i}] += {self.value(i)} % 100;\n{thing}.m += {thing}.one.list[0]; {thing}.tail[1]++;" + (f"\n{thing}.data[2] += {thing}.tail[0];" if more else "") for thing in objects)
            construct = f"#pragma omp target map({mapper}tofrom : {s})\n{{\n{body}\n}}"
            if self.chance(3):
                construct = f"#pragma omp target data map({mapper}tofrom : {s})\n{{\n#pragma omp target\n{{\n{body}\n}}\n#pragma omp target update from({mapper.replace(', ', ' : ')}{s})\n{objects[0]}.m += 5;\n#pragma omp target update to({mapper.replace(', ', ' : ')}{s})\n#pragma omp target\n{{\n{body}\n}}\n}}"
            lines.append(construct)
        for thing in objects:
            lines += [self.show(f"{thing}.m", f"{thing}.tail[1]"), self.show_all(f"{thing}.one.list", n), self.show_all(f"{thing}.data", 3)]
        return "\n".join(lines)

    def modifiers(self):
        """Modifiers of `map`, in all orders and numbers."""
        a, b, x, i, count, type = self.name("a"), self.name("b"), self.name("x"), self.name("i"), self.random.choice([4, 25]), self.type()
        modified = lambda kind, *words: "map(" + ", ".join([*self.random.sample(list(words), self.random.randrange(len(words) + 1)), kind])
        read = self.pick(f"{modified('to', 'always', 'close')} : {b})", f"map({b})", "")
        low = self.random.randrange(count)
        body = f"{self.loop_of_device(f'''{modified('tofrom', 'always', 'close')} : {a})''', read)}\nfor (int {i} = 0; {i} < {count}; {i}++) {a}[{i}] = {self.stored(type, i)} + {b}[{i}] % 10;"
        again = f"{self.loop_of_device(f'''{modified('tofrom', 'present', 'always', 'close')} : {a}[{low}:{count - low}])''', read)}\nfor (int {i} = {low}; {i} < {count}; {i}++) {a}[{i}] += {b}[{count} - 1 - {i}] % 7;"
        scalar = f"#pragma omp target {modified('tofrom', 'always', 'close')} : {x}) {read or f'map(to : {b})'}\n{x} += {b}[{self.random.randrange(count)}] + 2;"
        around = f"#pragma omp target data {modified('tofrom', 'close', 'always')} : {a})\n{{\n{again}\n#pragma omp target update {self.pick('from(', 'from(present : ')}{a})\n}}"
        lines = self.random.sample([body, around, scalar, scalar], self.random.randrange(2, 5))
        return f"{type} {a}[{count}];\nint {b}[{count}];\nlong {x} = 1;\nfor (int k = 0; k < {count}; k++) {a}[k] = k, {b}[k] = k * 3;\n" + "\n".join([*lines, self.show(x), self.show_all(a, count)])

    def parts_of_members(self):
        """Updates of parts of arrays in structures, with strides."""
        s, i, count = self.name("s"), self.name("i"), self.random.choice([6, 16])
        lines = [f"struct {{ int n; long list[{count}]; short grid[4][5]; }} {s} = {{{count}}};\nfor (int k = 0; k < {count}; k++) {s}.list[k] = k;\nfor (int k = 0; k < 20; k++) {s}.grid[k / 5][k % 5] = k;"]
        body = []
        for _ in range(self.random.randrange(2, 5)):
            first, step = self.random.randrange(count), self.random.choice([1, 2, 3])
            many = self.random.randrange(1, (count - first - 1) // step + 2)
            row, column = self.random.randrange(4), self.random.randrange(5)
            rows, columns = self.random.randrange(1, 5 - row), self.random.randrange(1, 6 - column)
            section, place, number = self.pick((f"{s}.list[{first}:{many}:{step}]", f"{s}.list[{first} + k * {step}]", many), (f"{s}.grid[{row}:{rows}][{column}:{columns}]", f"{s}.grid[{row} + k / {columns}][{column} + k % {columns}]", rows * columns), (f"{s}.n", f"{s}.n", 1))
            body.append(f"#pragma omp target\n{{\nfor (int {i} = 0; {i} < {count}; {i}++) {s}.list[{i}] += {self.value(i)} % 50;\n{s}.grid[{self.random.randrange(4)}][{self.random.randrange(5)}] += {s}.n; {s}.n++;\n}}")
            body.append(f"#pragma omp target update from({section})\nfor (int k = 0; k < {number}; k++) {{ show(\"part\", (long){place}); {place} = k * 3 + {self.random.randrange(9)}; }}\n#pragma omp target update to({section})")
        inner = "\n".join(body)
        return f"{lines[0]}\n#pragma omp target data map(tofrom : {s})\n{{\n{inner}\n}}\n{self.show(f'{s}.n')}\n{self.show_all(f'{s}.list', count)}\n{self.show_all(f'{s}.grid', 20, '{0}[k / 5][k % 5]')}"

    def windows(self):
        """Parts of arrays, of which several constructs and data constructs in each other name some."""
        a, i, count, type = self.name("a"), self.name("i"), self.random.choice([12, 40]), self.type()
        heap = self.chance(2)
        declared = f"{type} {a}_held[{count}], *{a} = {a}_held;" if heap else f"{type} {a}[{count}];"
        edges = sorted(self.random.sample(range(count + 1), 4))
        parts = [(edges[0], edges[1] - edges[0]), (edges[2], edges[3] - edges[2])]
        section = lambda part: f"{a}[{self.nests.number(part[0])} : {self.nests.number(part[1])}]"
        work = []
        for _ in range(self.random.randrange(2, 5)):
            first, many = self.random.choice(parts)
            low = self.random.randrange(first, first + many)
            high = self.random.randrange(low + 1, first + many + 1)
            inside = self.random.choice([(first, many), (low, high - low)])
            clause = self.pick(f"map(tofrom : {section(inside)})", f"map(alloc : {section(inside)})", f"map(present, to : {section(inside)})")
            work.append(f"{self.loop_of_device(clause)}\nfor (int {i} = {inside[0]}; {i} < {sum(inside)}; {i}++) {a}[{i}] = {self.stored(type, i, f'((int){a}[{i}] % 1000)')};")
            if self.chance(3):
                work.append(f"#pragma omp target update from({section(inside)})\nfor (int k = {inside[0]}; k < {sum(inside)}; k++) {a}[k] = (int){a}[k] % 50;\n#pragma omp target update to({section(inside)})")
        body = "\n".join(work)
        kind = self.pick("data", "enter")
        first, second = self.random.sample(parts, 2)
        text = f"#pragma omp target data map(tofrom : {section(first)})\n#pragma omp target data map(tofrom : {section(second)})\n{{\n{body}\n}}" if kind == "data" else f"#pragma omp target enter data map(to : {section(first)})\n#pragma omp target enter data map(to : {section(second)})\n{body}\n#pragma omp target exit data map(from : {section(first)})\n#pragma omp target exit data map(from : {section(second)})"
        return f"{declared}\nfor (int k = 0; k < {count}; k++) {a}[k] = k;\n{text}\n{self.show_all(a, count)}"

    def kept_within(self):
        """Functions that are given addresses within what is there, and map parts of it again."""
        f, a, i, count, type = self.name("call"), self.name("a"), self.name("i"), self.random.choice([8, 30]), self.type()
        clause = self.pick("map(tofrom : p[0 : n])", "map(p[:n])", "map(alloc : p[0 : n])", "")
        present = "" if clause.startswith("map(tofrom") or clause.startswith("map(p") else "needed"
        self.program.declared.append(f"static void {f}({type} *p, int n, long x)\n{{\n{self.loop_of_device(clause)}\nfor (int {i} = 0; {i} < n; {i}++) p[{i}] = {self.stored(type, i, 'x', f'((int)p[{i}] % 1000)')};\n}}")
        calls = []
        for _ in range(self.random.randrange(1, 4)):
            low = self.random.randrange(count)
            calls.append(f"{f}({a} + {low}, {self.random.randrange(1, count - low + 1)}, {self.random.randrange(99)});")
        body = "\n".join(calls)
        if present or self.chance(2):
            body = f"#pragma omp target data map(tofrom : {a})\n{{\n{body}\n}}"
        return f"{type} {a}[{count}];\nfor (int k = 0; k < {count}; k++) {a}[k] = k;\n{body}\n{self.show_all(a, count)}"

    # Routines.

    def asked_of_device(self):
        """What routines tell of addresses, and copies by them."""
        a, i, p, count = self.name("a"), self.name("i"), self.name("p"), self.random.choice([5, 20])
        low = self.random.randrange(count)
        type = self.random.choice(INTEGERS)
        return f"""{type} {a}[{count}];
for (int k = 0; k < {count}; k++) {a}[k] = k;
#pragma omp target data map(tofrom : {a})
{{
{type} *{p} = PAR(omp_get_mapped_ptr(&{a}[{low}], omp_get_default_device())) SEQ(&{a}[{low}]);
show("there", PAR(omp_target_is_present({a}, omp_get_default_device()) && {p} != 0) SEQ(1));
{self.loop_of_device(f'is_device_ptr({p})')}
for (int {i} = 0; {i} < {count - low}; {i}++) {p}[{i}] += {self.value(i)} % 50;
}}
{self.show_all(a, count)}"""

    def copied_later(self):
        """Copies as tasks, in the order that they ask for."""
        a, d, b, o, count = self.name("a"), self.name("d"), self.name("b"), self.name("o"), self.random.choice([4, 30])
        i, device, host = self.name("i"), "omp_get_default_device()", "omp_get_initial_device()"
        low = self.random.randrange(count)
        return f"""int {a}[{count}], {b}[{count}];
for (int k = 0; k < {count}; k++) {a}[k] = k * 2, {b}[k] = 0;
int *{d} = omp_target_alloc(sizeof {a}, {device});
PAR(omp_depend_t {o};)
#pragma omp depobj({o}) depend(inout : {a})
PAR(omp_target_memcpy_async({d}, {a}, sizeof {a}, 0, 0, {device}, {host}, 1, &{o});) SEQ(memcpy({d}, {a}, sizeof {a});)
#pragma omp target teams distribute parallel for is_device_ptr({d}) nowait depend({self.pick(f'inout : {a}', f'depobj : {o}')})
for (int {i} = 0; {i} < {count}; {i}++) {d}[{i}] += {self.value(i)} % 90;
PAR(omp_target_memcpy_async({b}, {d}, {count - low} * sizeof(int), {low} * sizeof(int), {low} * sizeof(int), {host}, {device}, 1, &{o});) SEQ(memcpy({b} + {low}, {d} + {low}, {count - low} * sizeof(int));)
#pragma omp taskwait
#pragma omp depobj({o}) destroy
omp_target_free({d}, {device});
{self.show_all(b, count)}"""

    # Tasks.

    def dependence_objects(self):
        """Tasks of a device and of the host whose order an object tells."""
        a, o, i, count = self.name("a"), self.name("o"), self.name("i"), self.random.choice([4, 20])
        lines = []
        for _ in range(self.random.randrange(2, 5)):
            depend = self.pick(f"depend(depobj : {o})", f"depend(inout : {a})")
            kind = self.pick("device", "host", "block", "iterator")
            if kind == "device":
                lines.append(f"{self.loop_of_device('nowait', depend)}\nfor (int {i} = 0; {i} < {count}; {i}++) {a}[{i}] = {a}[{i}] * 3 + {i};")
            elif kind == "block":
                lines.append(f"#pragma omp target nowait {depend}\n{{ {a}[0] += {a}[{count - 1}]; }}")
            elif kind == "iterator":
                lines.append(f"#pragma omp target update from({a}) depend(iterator(int k = 0 : 1), inout : {a})\n{self.show_all(a, count)}")
            else:
                lines.append(f"#pragma omp target update from({a}) nowait {depend}\n#pragma omp task {depend} shared({a})\n{a}[1] ^= 5;\n#pragma omp target update to({a}) {depend}")
        body = "\n".join(lines)
        return f"unsigned {a}[{count}];\nfor (int k = 0; k < {count}; k++) {a}[k] = k;\nPAR(omp_depend_t {o};)\n#pragma omp depobj({o}) depend(inout : {a})\n#pragma omp target enter data map(to : {a})\n{body}\n#pragma omp taskwait\n#pragma omp depobj({o}) destroy\n#pragma omp target exit data map(from : {a})\n{self.show_all(a, count)}"

    def reduced_tasks(self):
        """Tasks of devices and of the host that reduce the same variables."""
        s, i = self.name("s"), self.name("i")
        operator, type = self.pick("+", "max", "min", "^"), self.type(False)
        length = self.random.choice([0, 0, 3])
        item = f"{s}[0:{length}]" if length else s
        at = f"{s}[{i} % {length}]" if length else s
        update = lambda value: f"{at} = {at} {'<' if operator == 'max' else '>'} {value} ? {value} : {at};" if operator in ("max", "min") else f"{at} {operator}= {value};"
        lines = []
        for _ in range(self.random.randrange(1, 5)):
            # Compared values have the variable's type.
            value = f"({type})({self.value(i)})"
            kind = self.pick("target", "target", "task", "taskloop")
            loop = f"for (int {i} = 0; {i} < {self.random.choice([1, 6])}; {i}++) {{ {update(value)} }}"
            if kind == "target":
                lines.append(f"#pragma omp target in_reduction({operator} : {item}) {self.pick('', 'nowait')}\n{loop}")
            elif kind == "task":
                lines.append(f"#pragma omp task in_reduction({operator} : {item})\n{loop}")
            else:
                lines.append(f"#pragma omp taskloop in_reduction({operator} : {item}) {self.pick('', 'grainsize(2)')}\n{loop}")
        body = "\n".join(lines)
        declared = f"{type} {s}[{length}] = {{7, 8, 9}};" if length else f"{type} {s} = 7;"
        around = self.pick("", f"#pragma omp parallel num_threads(2)\n#pragma omp {self.pick('single', 'masked')}\n")
        shown = self.show_all(s, length) if length else self.show(s)
        return f"{declared}\n{around}#pragma omp taskgroup task_reduction({operator} : {item})\n{{\n{body}\n}}\n{shown}"

    def in_tasks(self):
        """Constructs of a device in tasks, with copies that the task has."""
        a, i, k, x, count, turns = self.name("a"), self.name("i"), self.name("k"), self.name("x"), self.random.choice([4, 20]), self.random.randrange(1, 5)
        holder = self.name("h")
        wait = self.pick("nowait", "")
        end = "\n#pragma omp taskwait" if wait else ""
        return f"""long {a}[{turns}][{count}];
memset({a}, 0, sizeof {a});
for (int {k} = 0; {k} < {turns}; {k}++) {{
int {x} = {k} * 3 + 1;
struct pair {holder} = {{{k}, 5}};
#pragma omp task firstprivate({k}, {x}, {holder}) shared({a}) {self.pick('', 'if(0)', 'untied')}
{{
{x} += 2; {holder}.second += {x};
{self.loop_of_device(f'map(tofrom : {a}[{k}:1])', self.pick('', f'firstprivate({x}, {holder})', f'map(to : {holder})'), wait)}
for (int {i} = 0; {i} < {count}; {i}++) {a}[{k}][{i}] += {self.value(i, x)} % 1000 + {holder}.second * {i} + {k};{end}
}}
{x} = 9; {holder}.second = 77;
}}
#pragma omp taskwait
{self.show_all(a, turns * count, '{0}[k / ' + str(count) + '][k % ' + str(count) + ']')}"""

    # Loops and threads.

    def transformed(self):
        """Loops that are changed in order and size before a device has them, and within what it has."""
        a, i, j, rows, columns, type = self.name("a"), self.name("i"), self.name("j"), self.random.randrange(1, 9), self.random.randrange(1, 9), self.type()
        header = f"for (int {i} = 0; {i} < {rows}; {i}++)\nfor (int {j} = {self.pick('0', '0', i)}; {j} < {columns}; {j}++)"
        depends = f"{j} = {i};" in header
        # A tiled nest is rectangular.
        transform = self.pick("tile sizes(2, 3)", "tile sizes(1, 4)", "interchange", "") if not depends else self.pick("", "unroll partial(2)", "reverse", "unroll")
        outer = self.pick("target teams distribute parallel for", "target parallel for", "target teams distribute", "target simd", "target teams loop")
        place = self.pick("outside", "inside")
        store = f"{a}[{i}][{j}] = {self.stored(type, i, j)};"
        if place == "outside":
            transform = transform if transform != "unroll" else "unroll partial(3)"
            collapse = self.pick("", "collapse(2)") if transform.startswith(("tile", "interchange")) else ""
            text = f"#pragma omp {outer} map(tofrom : {a}) {collapse}\n" + (f"#pragma omp {transform}\n" if transform else "") + f"{header} {store}"
        else:
            inner = self.pick("unroll full", "unroll partial(2)", "tile sizes(2)", "reverse", "unroll")
            count = self.random.randrange(1, 7)
            start = f"for (int {j} = 0; {j} < {count}; {j}++)"
            columns = max(columns, count)
            text = f"#pragma omp {outer} map(tofrom : {a})\nfor (int {i} = 0; {i} < {rows}; {i}++) {{\n#pragma omp {inner}\n{start} {store}\n}}"
        return f"{type} {a}[{rows}][{columns}];\nfor (int k = 0; k < {rows * columns}; k++) {a}[k / {columns}][k % {columns}] = k;\n{text}\n{self.show_all(a, rows * columns, '{0}[k / ' + str(columns) + '][k % ' + str(columns) + ']')}"

    def assumed(self):
        """Assumptions, errors that are none, and directives that say nothing."""
        a, i, count = self.name("a"), self.name("i"), self.random.choice([5, 20])
        told = self.pick("assume no_openmp", f"assume holds({count} > 2)", "assume no_parallelism", "assume absent(task)", "assume no_openmp_routines no_parallelism", "nothing")
        body = f"for (int {i} = 0; {i} < {count}; {i}++) {{ {a}[{i}] += {self.value(i)} % 50; }}"
        inside = f"#pragma omp target map(tofrom : {a})\n{{\n#pragma omp {told}\n{{ {body} }}\n}}"
        outside = f"#pragma omp {told}\n{{\n{self.loop_of_device(f'map(tofrom : {a})')}\n{body}\n}}"
        return f"long {a}[{count}];\nfor (int k = 0; k < {count}; k++) {a}[k] = k;\n{inside if self.chance(2) or 'no_open' in told or 'no_par' in told else outside}\n{self.show_all(a, count)}"

    def masked(self):
        """One thread of several that does something, and a scope that reduces."""
        s, t, a, i = (self.name(first) for first in "stai")
        threads = self.random.choice([1, 3, 8, 32])
        number = self.nests.number(0)
        one = self.pick("masked", f"masked filter({number})", "single", "master", "single nowait", "masked filter(0)")
        barrier = self.pick("", "\n#pragma omp barrier") if one != "single" else ""
        loop = f"#pragma omp for reduction(+ : {s})\nfor (int {i} = 0; {i} < 20; {i}++) {s} += {self.value(i)} % 40 + {a}[{i} % 4];"
        first = f"#pragma omp {one}\n{{ {a}[1] += 3; {t} = {a}[1]; }}\n#pragma omp barrier"
        scope = f"#pragma omp scope reduction(max : {t})\n{{ {t} = {t} > 5 ? {t} : 5; }}" if self.chance(2) else ""
        sections = f"#pragma omp sections\n{{\n#pragma omp section\n{a}[2] ^= 1;\n#pragma omp section\n{a}[3] += {a}[0];\n}}" if self.chance(2) else ""
        body = "\n".join(filter(None, [first, loop, sections, scope]))
        return f"long {s} = 1, {a}[4] = {{1, 2, 3, 4}};\nlong {t} = 0;\n#pragma omp target map(tofrom : {s}, {t}, {a})\n#pragma omp parallel num_threads({threads})\n{{\n{body}{barrier}\n}}\n{self.show(s, t)}\n{self.show_all(a, 4)}"

    def locals_of_functions(self):
        """Functions of a device with arrays, structures and loops of their own."""
        f, a, i, count, type = self.name("call"), self.name("a"), self.name("i"), self.random.choice([6, 30]), self.type()
        body = self.pick(
            f"long own[4] = {{x, 1, x + 2}};\nfor (int k = 1; k < 4; k++) own[k] += own[k - 1];\nreturn own[x & 3];", "struct pair p = {x, 3}, q = p;\nq.first += p.second;\ntimes_pair(&p, q);\nreturn p.first + p.second;",
            "long s = 0;\n#pragma omp simd reduction(+ : s)\nfor (int k = 0; k < 9; k++) s += k * x;\nreturn s;", "switch (x % 4) { case 0: return 3; case 1: x += 5; case 2: return x; default: break; }\nreturn -x;",
            "long s = x;\nwhile (s > 10) { if (s % 7 == 0) return s; s = s / 2 - 1; }\nreturn s;", "static const short table[5] = {3, 1, 4, 1, 5};\nreturn table[(unsigned)x % 5];",
        )
        directive = self.pick("#pragma omp declare simd\n", "")
        self.program.declared.append(f"#pragma omp begin declare target\n{directive}static long {f}(long x)\n{{\n{body}\n}}\n#pragma omp end declare target")
        return f"{type} {a}[{count}];\nfor (int k = 0; k < {count}; k++) {a}[k] = k;\n{self.loop_of_device(f'map(tofrom : {a})')}\nfor (int {i} = 0; {i} < {count}; {i}++) {a}[{i}] = {f}({i}) % 1000 + {f}((int){a}[{i}] % 9);\n{self.show_all(a, count)}"

    def last_values(self):
        """Values that a loop's last iteration leaves, of scalars, arrays and structures."""
        x, p, a, i, count = self.name("x"), self.name("p"), self.name("a"), self.name("i"), self.random.choice([1, 7, 40])
        directive = self.pick("target parallel for", "target teams distribute parallel for", "target teams distribute", "target simd", "target parallel for schedule(static, 3)", "target teams distribute parallel for dist_schedule(static, 2)", "target teams distribute simd", "target parallel for simd schedule(dynamic)")
        first = f"firstprivate({x})" if self.chance(3) and "simd" not in directive else ""
        clauses = f"lastprivate({x}, {p}, {a})" if not first else f"{first} lastprivate({x}, {p}, {a})"
        if "distribute" in directive:
            clauses = clauses.replace(first, "") if first else clauses
        return f"int {x} = 3, {a}[2] = {{5, 6}};\nstruct pair {p} = {{1, 2}};\n#pragma omp {directive} {clauses} map(tofrom : {x}, {a}, {p})\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {x} = {self.value(i)}; {p}.first = {x}; {p}.second = {i}; {a}[0] = {i} * 2; {a}[1] = {x} ^ 1; }}\n{self.show(x, f'{p}.first', f'{p}.second', f'{a}[0]', f'{a}[1]')}"

    def conditions(self):
        """Clauses that say where and how a construct is executed, by numbers known at run time."""
        a, i, count, type = self.name("a"), self.name("i"), self.random.choice([5, 30]), self.type()
        yes = self.random.randrange(2)
        directive, words = self.pick(("target parallel for", ("target", "parallel")), ("target teams distribute parallel for simd", ("target", "parallel", "simd", "teams")), ("target simd", ("target", "simd")), ("target teams distribute", ("target", "teams")), ("target parallel loop", ("target", "parallel")))
        chosen = self.random.sample(list(words), self.random.randrange(1, len(words) + 1))
        ifs = " ".join(f"if({word} : {self.nests.number(self.random.randrange(2))})" for word in chosen) if self.chance(2) else f"if({self.nests.number(yes)})"
        device = self.pick("", "device(omp_get_default_device())", "device(device_num : omp_get_default_device())", f"device({self.nests.number(0)})")
        limit = self.pick("", f"thread_limit({self.nests.number(2)})") if "teams" in words else ""
        return f"{type} {a}[{count}];\nfor (int k = 0; k < {count}; k++) {a}[k] = k;\n#pragma omp {directive} {ifs} {device} {limit} map(tofrom : {a})\nfor (int {i} = 0; {i} < {count}; {i}++) {a}[{i}] = {self.stored(type, i)};\n{self.show_all(a, count)}"

    def dispatched(self):
        """A call whose variant is given a device's address."""
        f, a, i, count = self.name("call"), self.name("a"), self.name("i"), self.random.choice([5, 20])
        self.program.declared.append(f"static long {f}_v(int *p, int n, long x)\n{{\n{self.loop_of_device('is_device_ptr(p)')}\nfor (int {i} = 0; {i} < n; {i}++) p[{i}] += {i} + x;\nreturn n;\n}}\n#pragma omp declare variant({f}_v) match(construct={{dispatch}}) adjust_args(need_device_ptr : p)\nstatic long {f}(int *p, int n, long x)\n{{\nfor (int {i} = 0; {i} < n; {i}++) p[{i}] += {i} + x;\nreturn n;\n}}")
        s = self.name("s")
        return f"int {a}[{count}];\nlong {s};\nfor (int k = 0; k < {count}; k++) {a}[k] = k;\n#pragma omp target data map(tofrom : {a})\n{{\n#pragma omp dispatch\n{s} = {f}({a}, {count}, {self.random.randrange(9)});\n}}\n{self.show(s)}\n{self.show_all(a, count)}"
