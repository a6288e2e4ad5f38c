"""Blocks of code for `targets.py`, each about one clause, directive or routine of devices that its constructs have no place for.

A block declares what it changes and shows what that holds at the end. What a device has never differs from what the host has where
either reads it, so that devices with and without memory of their own compute the same.
"""

import math

from host_forms import STRUCTURES
from nests import INTEGERS
from target_clauses import ClauseForms

# Structures with pointers, and what brings one to a device with all that it leads to.
DECLARED = """struct part { long sum; int count; int *list; };
struct field { char kind; int n; double *data; struct part part, *other; short tail[3]; };
#pragma omp declare mapper(struct part p) map(p, p.list[0 : p.count])
#pragma omp declare mapper(deep : struct field f) map(f.kind, f.n, f.tail) map(f.data[0 : f.n]) map(f.part)
#ifndef _OPENMP
static int omp_target_memcpy_rect(void *to, const void *from, size_t size, int count, const size_t *volume, const size_t *to_first, const size_t *from_first, const size_t *to_shape, const size_t *from_shape, int t, int f)
{
if (count == 0) { memcpy(to, from, size); return 0; }
size_t to_row = size, from_row = size;
for (int k = 1; k < count; k++) to_row *= to_shape[k], from_row *= from_shape[k];
for (size_t k = 0; k < volume[0]; k++)
omp_target_memcpy_rect((char *)to + (to_first[0] + k) * to_row, (const char *)from + (from_first[0] + k) * from_row, size, count - 1, volume + 1, to_first + 1, from_first + 1, to_shape + 1, from_shape + 1, t, f);
return 0;
}
#endif
"""


class TargetForms(ClauseForms):
    """Makes such blocks for a program."""

    def block(self):
        text = self.pick(
            self.members, self.mapped, self.rectangles, self.rows, self.elements_updated, self.chained, self.counted_references, self.kept, self.shared_host, self.structures, self.pointers,
            self.shapes, self.associated, self.allocators, self.variants, self.copies, self.globals_declared, self.metadirective, *self.clause_forms(),
        )()
        return "{\n" + text + "\n}"

    # Structures and pointers.

    def members(self):
        """Sections that pointers in structures lead to."""
        s, i, n = self.name("s"), self.name("i"), self.random.randrange(4, 30)
        low = self.random.choice([0, 0, 1, 3])
        count = self.random.randrange(1, n - low + 1)
        way = self.chance(2)
        at, whole = (f"{s}->", f"{s}[0:1]") if way else (f"{s}.", s)
        declared = f"struct part {s}_other = {{4, {n}, malloc({n} * sizeof(int))}};\nstruct field {s}{'_held' if way else ''} = {{7, {n}, malloc({n} * sizeof(double)), {{1, {n}, malloc({n} * sizeof(int))}}, &{s}_other, {{1, 2, 3}}}}{f', *{s} = &{s}_held' if way else ''};"
        fill = f"for (int k = 0; k < {n}; k++) {at}data[k] = k, {at}part.list[k] = k * 2, {at}other->list[k] = k * 3;"
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            which = self.pick("data", "part", "both", "other", "whole", "kept")
            value = self.value(i)
            section = lambda name: f"{at}{name}[{low} : {count}]" if low or self.chance(2) else f"{at}{name}[:{count}]"
            data, numbers, others = section("data"), section("part.list"), section("other->list")
            header = f"for (int {i} = {low}; {i} < {low + count}; {i}++)"
            if which == "data":
                lines.append(f"{self.loop_of_device(f'map(tofrom : {data})')}\n{header} {at}data[{i}] = (({value}) % 100) + {i};")
            elif which == "part":
                lines.append(f"{self.loop_of_device(f'map(tofrom : {numbers})')}\n{header} {at}part.list[{i}] += {value};")
            elif which == "both":
                lines.append(f"{self.loop_of_device(f'map(to : {numbers}, {at}n)', f'map(tofrom : {data})')}\n{header} {at}data[{i}] += {at}part.list[{i}] % 50 + {at}n;")
            elif which == "other":
                lines.append(f"#pragma omp target map(tofrom : {whole}, {at}other[0:1]) map(tofrom : {others})\n{{\n{header} {at}other->list[{i}] ^= {value};\n{at}other->sum += {at}n; {at}tail[1]++;\n}}")
            elif which == "whole":
                lines.append(f"#pragma omp target map(tofrom : {whole}) map(tofrom : {data}, {numbers})\n{{\n{header} {{ {at}data[{i}] += {i}; {at}part.list[{i}]--; }}\n{at}part.sum += {at}data[{low}]; {at}kind++;\n}}")
            else:
                kind = self.pick("data", "enter")
                body = f"{self.loop_of_device()}\n{header} {at}data[{i}] = {at}data[{i}] + {i} % 7;"
                maps = self.pick(data, f"{whole}, {data}") if not way else data
                lines.append(f"#pragma omp target data map(tofrom : {maps})\n{{\n{body}\n}}" if kind == "data" else f"#pragma omp target enter data map(to : {maps})\n{body}\n#pragma omp target exit data map(from : {maps})")
        body = "\n".join(lines)
        shown = "\n".join([self.show(f"{at}kind", f"{at}n", f"{at}tail[1]", f"{at}part.sum", f"{at}other->sum"), self.show_all(f"{at}data", n), self.show_all(f"{at}part.list", n), self.show_all(f"{at}other->list", n)])
        return f"{declared}\n{fill}\n{body}\n{shown}\nfree({at}data); free({at}part.list); free({at}other->list);"

    def mapped(self):
        """Structures whose mappers say what comes with them."""
        s, i, n, count = self.name("s"), self.name("i"), self.random.randrange(3, 20), self.random.choice([0, 0, 2, 3])
        lines = []
        if count:
            declared = f"struct part {s}[{count}];\nfor (int k = 0; k < {count}; k++) {{ {s}[k] = (struct part){{k, {n}, malloc({n} * sizeof(int))}}; for (int j = 0; j < {n}; j++) {s}[k].list[j] = k * 10 + j; }}"
            for _ in range(self.random.randrange(1, 4)):
                item = self.pick(s, f"{s}[0:{count}]")
                one = self.random.randrange(count)
                item, reached = self.pick((item, f"for (int k = 0; k < {count}; k++)"), (f"{s}[{one}]", f"for (int k = {one}; k <= {one}; k++)"), (f"{s}[{one} : {count - one}]", f"for (int k = {one}; k < {count}; k++)"))
                body = f"{reached} {{\nfor (int {i} = 0; {i} < {s}[k].count; {i}++) {s}[k].list[{i}] += {self.value(i)};\n{s}[k].sum += {s}[k].list[{self.random.randrange(n)}] % 99;\n}}"
                lines.append(f"#pragma omp target map({self.pick('', 'mapper(default), ')}tofrom : {item})\n{body}")
            shown = "\n".join(f"{self.show(f'{s}[{k}].sum')}\n{self.show_all(f'{s}[{k}].list', n)}" for k in range(count))
            return "\n".join([declared, *lines, shown])
        declared = f"struct field {s} = {{7, {n}, malloc({n} * sizeof(double)), {{1, {n}, malloc({n} * sizeof(int))}}, 0, {{1, 2, 3}}}};\nfor (int k = 0; k < {n}; k++) {s}.data[k] = k, {s}.part.list[k] = k * 2;"
        change = lambda: f"for (int {i} = 0; {i} < {s}.n; {i}++) {{ {s}.data[{i}] += {i} % 5; {s}.part.list[{i}] ^= {self.value(i)}; }}\n{s}.part.sum += {s}.part.list[0]; {s}.tail[2] += 3;"
        mapper = "mapper(deep)"
        for _ in range(self.random.randrange(1, 4)):
            kind = self.pick("construct", "data", "update", "part")
            if kind == "construct":
                lines.append(f"#pragma omp target map({mapper}, tofrom : {s})\n{{\n{change()}\n}}")
            elif kind == "part":
                lines.append(f"#pragma omp target map(tofrom : {s}.part)\nfor (int {i} = 0; {i} < {s}.part.count; {i}++) {s}.part.list[{i}] += {self.value(i)};")
            else:
                update = f"#pragma omp target update from({mapper} : {s})\n{s}.data[1] += 2; {s}.part.list[{n - 1}]++; {s}.tail[0]--;\n#pragma omp target update to({mapper} : {s})\n#pragma omp target\n{{\n{change()}\n}}" if kind == "update" else ""
                lines.append(f"#pragma omp target data map({mapper}, tofrom : {s})\n{{\n#pragma omp target\n{{\n{change()}\n}}\n{update}\n}}")
        return "\n".join([declared, *lines, self.show(f"{s}.part.sum", f"{s}.tail[0]", f"{s}.tail[2]"), self.show_all(f"{s}.data", n), self.show_all(f"{s}.part.list", n)])

    def copies(self):
        """Structures, arrays, and pointers of which a construct has copies."""
        q, w, length, type = self.name("q"), self.name("w"), self.random.randrange(2, 7), self.type()
        bound, held = self.random.choice(sorted(self.program.bounds.items()))
        declared, part = self.pick(
            (f"{type} {q}[{length}];", f"{q}[{length - 1}]"), (f"struct pair {q};", f"{q}.second"), (f"{type} {q}[2][{length}];", f"{q}[1][{length - 1}]"), (f"struct {{ struct pair a[2]; {type} b[3]; }} {q};", f"{q}.b[1]"),
            (f"{type} {q}[{bound} + {length - held}];", f"{q}[{length - 1}]"), (f"_Bool {q};", q), (f"struct bits {q};", f"{q}.c"),
        )
        one = "1" if declared.startswith("_Bool") else "3"
        directive = self.pick("target", "target parallel for", "target teams distribute parallel for", "target teams distribute", "target simd")
        data = "private" if directive.endswith("simd") else self.pick("firstprivate", "firstprivate", "private")
        first = f"{part} = {one};\n" if data == "private" else ""
        body = f"{first}{w} += {part} != {one};\n{part} = 0;\n{part} = {one};"
        reduction = f"reduction(+ : {w})" if directive != "target" else ""
        loop = f"for (int i = 0; i < 9; i++) {{\n{body}\n}}"
        return f"{declared}\nint {w} = 5;\n{part} = {one};\n#pragma omp {directive} {data}({q}) map(tofrom : {w}) {reduction}\n{loop}\n{self.show(w)}\nshow(\"{q}\", (long){part});"

    def shapes(self):
        """Arrays of variable shape, and pointers to rows."""
        m, i, j, rows, columns, type = self.name("m"), self.name("i"), self.name("j"), self.random.randrange(1, 9), self.random.randrange(1, 9), self.type()
        bound, held = self.random.choice(sorted(self.program.bounds.items()))
        variable = f"({bound} + {columns - held})" if columns >= held else f"({bound} - {held - columns})"
        form = self.pick("variable", "rows", "variable rows", "list")
        low = self.random.randrange(rows)
        count = rows - low
        if form == "variable":
            declared, item = f"{type} {m}[{rows}][{variable}];", self.pick(f"map(tofrom : {m})", "", f"map(tofrom : {m}[{low} : {count}])", f"map(tofrom : {m}[{low} : {count}][0 : {columns}])")
        elif form == "list":
            declared = f"{type} {m}_held[{rows}][{columns}], *{m}[{rows}];\nfor (int k = 0; k < {rows}; k++) {m}[k] = {m}_held[k];"
            item = f"map(tofrom : {m}[{low}][0 : {columns}])"
            count = 1
        else:
            width = variable if form == "variable rows" else columns
            declared = f"{type} {m}_held[{rows}][{width}], (*{m})[{width}] = {m}_held;"
            item = self.pick(f"map(tofrom : {m}[{low} : {count}])", f"map(tofrom : {m}[{low} : {count}][0 : {columns}])")
        fill = f"for (int k = 0; k < {rows * columns}; k++) {m}[k / {columns}][k % {columns}] = k;"
        collapse = "collapse(2)" if form != "list" and self.chance(2) else ""
        directive = self.loop_of_device(item, collapse)
        if form == "list":
            return f"{declared}\n{fill}\n#pragma omp target {item}\nfor (int {j} = 0; {j} < {columns}; {j}++) {m}[{low}][{j}] = {self.stored(type, j)};\n{self.show_all(m, rows * columns, '{0}[k / ' + str(columns) + '][k % ' + str(columns) + ']')}"
        return f"{declared}\n{fill}\n{directive}\nfor (int {i} = {low}; {i} < {low + count}; {i}++)\nfor (int {j} = 0; {j} < {columns}; {j}++) {m}[{i}][{j}] = {self.stored(type, i, j)};\n{self.show_all(m, rows * columns, '{0}[k / ' + str(columns) + '][k % ' + str(columns) + ']')}"

    def pointers(self):
        """Loops of a device whose counters are pointers, and nests in another order."""
        type, count, step, data, p = self.type(), self.random.choice([10, 30]), self.random.choice([1, 1, 2, 3]), self.name("d"), self.name("p")
        first, end = sorted(self.random.sample(range(step, count), 2))
        header = self.pick(f"{type} *{p} = {data} + {first}; {p} < {data} + {end}; {p} += {step}", f"{type} *{p} = &{data}[{end - 1}]; {p} >= {data} + {first}; {p} -= {step}")
        transform = self.pick("", "", "#pragma omp tile sizes(3)\n", "#pragma omp reverse\n", "#pragma omp unroll partial(2)\n")
        return f"{type} {data}[{count}];\nfor (int k = 0; k < {count}; k++) {data}[k] = k;\n{self.loop_of_device(f'map({data})')}\n{transform}for ({header}) *{p} = {self.stored(type, f'({p} - {data})')};\n{self.show_all(data, count)}"

    # Memory of devices.

    def rectangles(self):
        """Copies of boxes between memory of the host and of a device."""
        here, there, back, wrong = self.name("h"), self.name("d"), self.name("b"), self.name("w")
        dims, type = self.random.choice([1, 2, 3]), self.random.choice(INTEGERS)
        host = [self.random.randrange(2, 7) for _ in range(dims)]
        device = [self.random.randrange(2, 7) for _ in range(dims)]
        volume = [self.random.randrange(1, min(a, b) + 1) for a, b in zip(host, device)]
        from_host = [self.random.randrange(a - v + 1) for a, v in zip(host, volume)]
        to_device = [self.random.randrange(a - v + 1) for a, v in zip(device, volume)]
        sizes = lambda numbers: f"(size_t[]){{{', '.join(map(str, numbers))}}}"
        all_there = math.prod(device)
        length = max(math.prod(host), all_there)
        copy = "omp_target_memcpy_rect({}, {}, sizeof({}), {}, {}, {}, {}, {}, {}, {}, {})"
        place = "omp_get_default_device()", "omp_get_initial_device()"
        there_to = copy.format(there, here, type, dims, sizes(volume), sizes(to_device), sizes(from_host), sizes(device), sizes(host), *place)
        to_back = copy.format(back, there, type, dims, sizes(volume), sizes(from_host), sizes(to_device), sizes(host), sizes(device), *reversed(place))
        i = self.name("i")
        return f"""{type} {here}[{length}], {back}[{length}];
int {wrong} = 0;
for (int k = 0; k < {length}; k++) {here}[k] = k * 5, {back}[k] = 0;
{type} *{there} = omp_target_alloc({length} * sizeof({type}), {place[0]});
{wrong} += omp_target_memcpy({there}, {back}, {length} * sizeof({type}), 0, 0, {place[0]}, {place[1]}) != 0;
{wrong} += {there_to} != 0;
{self.loop_of_device(f'is_device_ptr({there})')}
for (int {i} = 0; {i} < {all_there}; {i}++) {there}[{i}] += {i};
{wrong} += {to_back} != 0;
omp_target_free({there}, {place[0]});
{self.show(wrong)}
{self.show_all(back, length)}"""

    def rows(self):
        """Updates of parts of an array of two dimensions."""
        m, rows, columns, type = self.name("m"), self.random.randrange(2, 9), self.random.randrange(2, 9), self.type()
        lines, i, j = [], self.name("i"), self.name("j")

        def part(length):
            first = self.random.randrange(length)
            step = self.random.choice([1, 1, 2, 3])
            count = self.random.randrange(1, (length - first - 1) // step + 2)
            return f"[{first} : {count}{f' : {step}' if step > 1 else ''}]", first, count, step

        for _ in range(self.random.randrange(1, 4)):
            (row, r, rn, rs), (column, c, cn, cs) = part(rows), part(columns)
            place = f"{m}[{r} + k / {cn} * {rs}][{c} + k % {cn} * {cs}]"
            lines.append(f"#pragma omp target map({m})\nfor (int {i} = 0; {i} < {rows}; {i}++) for (int {j} = 0; {j} < {columns}; {j}++) {m}[{i}][{j}] = {m}[{i}][{j}] + {i} * {self.random.randrange(9)} + {j};")
            lines.append(f"#pragma omp target update from({m}{row}{column})\n{self.show_all(m, rn * cn, place.replace(m, '{0}'))}\nfor (int k = 0; k < {rn * cn}; k++) {place} = k * 2;\n#pragma omp target update to({m}{row}{column})")
        body = "\n".join(lines)
        bound, held = self.random.choice(sorted(self.program.bounds.items()))
        width = self.pick(columns, f"({bound} {'+' if columns >= held else '-'} {abs(columns - held)})")
        return f"{type} {m}[{rows}][{width}];\nfor (int k = 0; k < {rows * columns}; k++) {m}[k / {columns}][k % {columns}] = k;\n#pragma omp target data map(tofrom : {m})\n{{\n{body}\n}}\n" + self.show_all(m, rows * columns, f"{{0}}[k / {columns}][k % {columns}]")

    def elements_updated(self):
        """Updates of elements that an iterator names."""
        data, count, k = self.name("d"), self.random.choice([6, 20]), self.name("k")
        first = self.random.randrange(count - 1)
        end = self.random.randrange(first + 1, count + 1)
        # A step is a known limit.
        form = f"iterator(int {k} = {first} : {end})"
        header, i = f"for (int {k} = {first}; {k} < {end}; {k}++)", self.name("i")
        return f"""long {data}[{count}];
for (int k = 0; k < {count}; k++) {data}[k] = k;
#pragma omp target enter data map(to : {data})
{self.loop_of_device()}
for (int {i} = 0; {i} < {count}; {i}++) {data}[{i}] = {self.value(i)};
#pragma omp target update from({form} : {data}[{k}])
{header} {{ show("{data}", {data}[{k}]); {data}[{k}] = {k} * 3; }}
#pragma omp target update to({form} : {data}[{k}])
{self.loop_of_device()}
for (int {i} = 0; {i} < {count}; {i}++) {data}[{i}] += {i};
#pragma omp target exit data map(from : {data})
{self.show_all(data, count)}"""

    def associated(self):
        """Memory that the program itself makes the copy of an array."""
        data, there, count, i = self.name("d"), self.name("t"), self.random.choice([5, 40]), self.name("i")
        low = self.random.randrange(count)
        return f"""static int {data}[{count}];
for (int k = 0; k < {count}; k++) {data}[k] = k;
PAR(int *{there} = omp_target_alloc(sizeof {data}, omp_get_default_device());
int {there}_new = !omp_target_is_present({data}, omp_get_default_device());
if ({there}_new) omp_target_associate_ptr({data}, {there}, sizeof {data}, 0, omp_get_default_device());)
#pragma omp target update to({data})
{self.loop_of_device(self.pick('', f'map(tofrom : {data})', f'map({data}[{low} : {count - low}])'))}
for (int {i} = {low}; {i} < {count}; {i}++) {data}[{i}] += {self.value(i)};
#pragma omp target update from({data})
PAR(if ({there}_new) omp_target_disassociate_ptr({data}, omp_get_default_device());
omp_target_free({there}, omp_get_default_device());)
{self.show_all(data, count)}"""

    def counted_references(self):
        """Data that comes several times and goes as often."""
        data, count, type, i = self.name("d"), self.random.choice([5, 40]), self.type(), self.name("i")
        times = self.random.randrange(1, 4)
        enter = lambda: self.pick(f"map(to : {data})", f"map(to : {data}[0:{count}])", f"map(alloc : {data})")
        lines = [f"#pragma omp target enter data map(to : {data})", *(f"#pragma omp target enter data {enter()}" for _ in range(times - 1))]
        change = f"{self.loop_of_device(self.pick('', f'map(tofrom : {data})', f'map(to : {data})', f'map(present, alloc : {data})'))}\nfor (int {i} = 0; {i} < {count}; {i}++) {data}[{i}] = {self.stored(type, i)};"
        lines.append(change)
        leave = self.pick("release", "from")
        lines += [f"#pragma omp target exit data map({leave} : {data})"] * (times - 1)
        lines.append(self.pick(f"#pragma omp target exit data map(from : {data})", f"#pragma omp target update from({data})\n#pragma omp target exit data map(delete : {data})", f"#pragma omp target update from({data})\n#pragma omp target exit data map(release : {data})"))
        body = "\n".join(lines)
        return f"{type} {data}[{count}];\nfor (int k = 0; k < {count}; k++) {data}[k] = k;\n{body}\n{self.show_all(data, count)}"

    def allocators(self):
        """Copies in memory of allocators that a construct says it uses."""
        q, data, i, type = self.name("q"), self.name("d"), self.name("i"), self.type()
        allocator = self.pick("omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_pteam_mem_alloc", "omp_thread_mem_alloc", "omp_cgroup_mem_alloc")
        told = self.pick(f"uses_allocators({allocator})", f"uses_allocators({allocator}) allocate({allocator} : {q})")
        directive = self.pick("target parallel for", "target teams distribute", "target teams distribute parallel for", "target")
        kind = "firstprivate" if "allocate(" not in told or "pteam" not in allocator else "private"
        first = f"{q}[0] = {q}[1] = {q}[2] = 5;\n" if kind == "private" else ""
        return f"{type} {q}[3] = {{1, 2, 3}}, {data}[9];\nSEQ({type} {q}_kept[3]; memcpy({q}_kept, {q}, sizeof {q});)\n#pragma omp {directive} {told} {kind}({q}) map({data})\nfor (int {i} = 0; {i} < 9; {i}++) {{\n{first}{data}[{i}] = {q}[{i} % 3] + {i};\n}}\nSEQ(memcpy({q}, {q}_kept, sizeof {q});)\n{self.show_all(data, 9)}\n{self.show_all(q, 3)}"

    # Tasks and threads.

    def chained(self):
        """Tasks of the device and of the host, in the order that they ask for."""
        a, b, i, count = self.name("a"), self.name("b"), self.name("i"), self.random.choice([4, 30])
        lines = [f"#pragma omp target enter data map(to : {a}) nowait depend(out : {a})", f"#pragma omp target enter data map(to : {b}) nowait depend(out : {b})"]
        for _ in range(self.random.randrange(2, 6)):
            to, of = self.random.sample([a, b], 2)
            wait = self.pick("nowait", "nowait", "")
            kind = self.pick("one", "one", "two", "update", "host", "section")
            loop = f"for (int {i} = 0; {i} < {count}; {i}++)"
            if kind == "one":
                lines.append(f"{self.loop_of_device(wait, f'depend(inout : {to})')}\n{loop} {to}[{i}] = {to}[{i}] * 3 + {i};")
            elif kind == "two":
                lines.append(f"{self.loop_of_device(wait, f'depend(in : {of}) depend(inout : {to})')}\n{loop} {to}[{i}] ^= {of}[{count - 1} - {i}];")
            elif kind == "update":
                lines.append(f"#pragma omp target update from({to}) {wait} depend(inout : {to})\n#pragma omp task shared({to}) depend(inout : {to})\n{loop} {to}[{i}] -= {i};\n#pragma omp target update to({to}) {wait} depend(inout : {to})")
            elif kind == "section":
                low = self.random.randrange(count)
                lines.append(f"#pragma omp target {wait} depend(inout : {to}) map(alloc : {to}[{low} : {count - low}])\nfor (int {i} = {low}; {i} < {count}; {i}++) {to}[{i}] += 7;")
            else:
                lines.append(f"#pragma omp target update from({of}) depend(inout : {of})\n{self.show_all(of, count)}")
        lines += [f"#pragma omp target exit data map(from : {a}) {self.pick('nowait', '')} depend(inout : {a})", f"#pragma omp target exit data map(from : {b}) {self.pick('nowait', '')} depend(inout : {b})", self.pick("#pragma omp taskwait", f"#pragma omp taskwait depend(in : {a}, {b})")]
        body = "\n".join(lines)
        return f"unsigned {a}[{count}], {b}[{count}];\nfor (int k = 0; k < {count}; k++) {a}[k] = k, {b}[k] = k * k;\n{body}\n{self.show_all(a, count)}\n{self.show_all(b, count)}"

    def kept(self):
        """Variables that threads keep, whose values go to a device."""
        k, data, i, number = self.name("k"), self.name("d"), self.name("i"), self.random.randrange(2, 50)
        self.program.declared.append(f"static long {k};\n#pragma omp threadprivate({k})")
        threads = self.random.randrange(1, 4)
        copied = self.pick(f"copyin({k})", "")
        first = "" if copied else f"{k} = {number};\n"
        return f"""long {data}[6][5], {k}_sum = 0;
for (int k = 0; k < 30; k++) {data}[k / 5][k % 5] = k;
{k} = {number};
#pragma omp parallel for num_threads({threads}) {copied} reduction(+ : {k}_sum)
for (int k = 0; k < 6; k++) {{
{first}long own = {k} + k;
{self.loop_of_device(f'map(tofrom : {data}[k : 1])', self.pick('firstprivate(own)', 'map(to : own)'))}
for (int {i} = 0; {i} < 5; {i}++) {data}[k][{i}] += own * {i};
{k}_sum += {k};
}}
{self.show(f'{k}_sum')}
{self.show_all(data, 30, '{0}[k / 5][k % 5]')}"""

    def shared_host(self):
        """Threads and tasks of the host, each of which has constructs of the device for its part of an array."""
        data, i, j, parts, size, type = self.name("d"), self.name("i"), self.name("j"), self.random.randrange(1, 6), self.random.choice([1, 8, 33]), self.type()
        body = f"{self.loop_of_device(f'map(tofrom : {data}[{j} * {size} : {size}])', self.pick('', 'nowait'))}\nfor (int {i} = 0; {i} < {size}; {i}++) {data}[{j} * {size} + {i}] = {self.stored(type, i, j)};"
        around = self.pick("parallel for", "parallel for num_threads(2) schedule(dynamic)", f"taskloop shared({data})", f"parallel masked taskloop shared({data})")
        around = f"#pragma omp {around}\nfor (int {j} = 0; {j} < {parts}; {j}++) {{\n{body}\n}}\n#pragma omp taskwait"
        return f"{type} {data}[{parts * size}];\nfor (int k = 0; k < {parts * size}; k++) {data}[k] = k;\n{around}\n{self.show_all(data, parts * size)}"

    # Functions and what is declared for devices.

    def structures(self):
        """Reductions of structures with declared operators."""
        r, i, operator, length = self.name("r"), self.name("i"), self.pick(*STRUCTURES), self.random.choice([0, 0, 3])
        index = f"[(unsigned)({self.value(i, depth=1)}) % {length}u]" if length else ""
        change = STRUCTURES[operator][2].format(f"{r}{index}", self.value(i), self.value(i, depth=1))
        directive = self.pick("target parallel for", "target teams distribute parallel for", "target simd", "target teams distribute", "target parallel for simd", "target teams distribute parallel for simd", "target parallel for schedule(static, 2)")
        place = self.pick(r, f"{r}[0:{length}]") if length else r
        shown = self.show_all(r, length, "{0}[k].first * 7 + {0}[k].second") if length else self.show(f"{r}.first", f"{r}.second")
        return f"struct pair {r}{f'[{length}] = {{{{5, 9}}, {{1, 2}}, {{3, 4}}}}' if length else ' = {5, 9}'};\n#pragma omp {directive} reduction({operator} : {place}) map(tofrom : {r})\nfor (int {i} = 0; {i} < {self.random.choice([1, 20, 70])}; {i}++) {{\n{change}\n}}\n{shown}"

    def globals_declared(self):
        """Variables that devices have, and those that they have while a construct names them, in functions."""
        g, f, i, type = self.name("g"), self.name("call"), self.name("i"), self.type()
        count = self.random.choice([3, 20])
        kind = self.pick("enter", "to", "link", "around")
        variable = f"static {type} {g}[{count}], {g}_one = 3;"
        told = f"#pragma omp declare target {kind}({g}, {g}_one){self.pick('', ' device_type(any)')}" if kind != "around" else ""
        function = f"static long {f}(int at) {{ {g}[at] += {g}_one + at; return (long){g}[at] % 50; }}"
        function = self.pick(f"#pragma omp begin declare target{self.pick('', ' device_type(any)')}\n{function}\n#pragma omp end declare target", f"{function}\n#pragma omp declare target {self.pick('to', 'enter')}({f})")
        text = f"{variable}\n{told}\n{function}" if kind != "around" else f"#pragma omp declare target\n{variable}\n#pragma omp end declare target\n{function}"
        self.program.declared.append(text)
        s = self.name("s")
        maps = f"map(tofrom : {g}) map(tofrom : {g}_one)" if kind == "link" else ""
        first, last = ("", "") if kind == "link" else (f"#pragma omp target update to({g}, {g}_one)\n", f"#pragma omp target update from({g}, {g}_one)\n")
        directive = self.pick("target parallel for", "target teams distribute parallel for", "target simd", "target teams distribute")
        return f"long {s} = 0;\nfor (int k = 0; k < {count}; k++) {g}[k] = k;\n{g}_one = {self.random.randrange(9)};\n{first}#pragma omp {directive} reduction(+ : {s}) map(tofrom : {s}) {maps}\nfor (int {i} = 0; {i} < {count}; {i}++) {s} += {f}({i});\n{last}{self.show(s)}\n{self.show_all(g, count)}"

    def variants(self):
        """Functions that have a variant for code of `target`, on whatever device."""
        f, s, i = self.name("call"), self.name("s"), self.name("i")
        wanted, directive = self.pick(("target", "target"), ("target, parallel, for", "target parallel for"), ("target, teams", "target teams distribute"), ("target", "target teams distribute parallel for"), ("target, parallel", "target teams distribute parallel for"), ("teams", "target parallel for"))
        holds = set(wanted.split(", ")) <= set(directive.split())
        self.program.declared.append(f"#pragma omp begin declare target\nstatic long {f}_v(long x) {{ return x * 3; }}\n#pragma omp declare variant({f}_v) match(construct={{{wanted}}})\nstatic long {f}(long x) {{ return x + 100; }}\n#pragma omp end declare target")
        reduction = f"reduction(+ : {s})" if directive != "target" else ""
        return f"long {s} = 0;\n#pragma omp {directive} map(tofrom : {s}) {reduction}\nfor (int {i} = 0; {i} < 9; {i}++) {s} += PAR({f}) SEQ({f}{'_v' if holds else ''})({i});\n{s} += {f}(4);\n{self.show(s)}"

    def metadirective(self):
        """Loops whose directive depends on the device; the result does not."""
        s, out, i, count = self.name("s"), self.name("o"), self.name("i"), self.random.choice([1, 40])
        bound = self.random.choice(sorted(self.program.bounds))
        inner = lambda: self.pick("parallel for", "simd", "parallel for simd", "loop bind(thread)", "parallel for schedule(static, 2)") + f" reduction(+ : {s})"
        conditions = ["device={kind(host)}", "device={kind(nohost)}", "device={kind(gpu)}", "device={arch(nvptx)}", f"user={{condition({bound} > 7)}}", "user={condition(0)}", "construct={target}"]
        told = " ".join(f"when({condition} : {self.pick(inner(), 'nothing')})" for condition in self.random.sample(conditions, self.random.randrange(1, 3)))
        loop = f"for (int {i} = 0; {i} < {count}; {i}++) {{\n{out}[{i}] = {self.value(i)};\n{s} += {out}[{i}] % 10;\n}}"
        if self.chance(2):
            text = f"#pragma omp target map(tofrom : {s}, {out})\n#pragma omp metadirective {told} otherwise({inner()})\n{loop}"
        else:
            outer = lambda: self.pick("target parallel for", "target teams distribute parallel for", "parallel for", "target teams loop") + f" reduction(+ : {s})"
            text = f"#pragma omp metadirective when({self.random.choice(conditions)} : {outer()} ) otherwise({outer()})\n{loop}"
        return f"long {s} = 0, {out}[{count}];\n{text}\n{self.show(s)}\n{self.show_all(out, count)}"
