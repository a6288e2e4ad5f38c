"""Blocks of code for `regions.py`, each about one clause, directive or routine of OpenACC that its steps have no place for.

A block declares what it changes and shows what that holds at the end. Where the host and a device with memory of its own hold different
values on purpose, the sequential program has a second copy, as the objects of `region_objects.py` do: `D(name)`.
"""

from host_forms import Blocks
from nests import TYPES, Context, is_float


class RegionForms(Blocks):
    """Makes such blocks for a program."""

    def block(self):
        text = self.pick(
            self.resident, self.looked_for, self.parts_of_one, self.parts_within, self.at_run_time, self.conditional_data, self.by_type, self.chain, self.captured, self.addresses,
            self.started, self.boxes, self.list_of_pointers, self.targets_shared, self.declared_in_functions, self.interior, self.recursive, self.element, self.several_loops, self.counters_known,
            self.pointer_arithmetic, self.structures_in_rows, self.host_types,
        )()
        return "{\n" + text + "\n}"

    def value(self, *scalars, depth=2):
        return self.nests.value(Context("vector", [], [], [*scalars, *self.program.bounds]), depth)

    def type(self, floats=True):
        return self.random.choice([type for type in TYPES if floats or not is_float(type)])

    def number(self, value):
        return self.nests.number(value)

    def region(self, *clauses):
        """A construct with a loop."""
        kind = self.pick("parallel loop", "parallel loop gang vector", "parallel loop gang", "kernels loop independent", "serial loop", "parallel loop worker num_gangs(1)", "parallel loop gang worker vector", "parallel loop vector num_gangs(1) vector_length(32)")
        return f"#pragma acc {kind} {' '.join(clause for clause in clauses if clause)}".rstrip()

    def array(self, two=False):
        """An array of the block: its name, type, length, and its declaration with values."""
        name, type, length = self.name("d"), self.type(), self.random.choice([4, 12, 40])
        second = f"\nSEP({type} dev_{name}[{length}];)" if two else ""
        fill = f"for (int k = 0; k < {length}; k++) {name}[k] = (k * {self.random.randrange(1, 30)} + {self.random.randrange(9)}) % 100;"
        return name, type, length, f"{type} {name}[{length}];{second}\n{fill}"

    def changed(self, type, at, *scalars):
        """A statement that changes an element."""
        return f"{at} = {self.stored(type, *scalars, f'((int){at} % 1000)')};"

    # Where things are.

    def resident(self):
        """Variables that only a device has."""
        g, out, i, count, type = self.name("g"), self.name("d"), self.name("i"), self.random.choice([5, 40]), self.type()
        one = self.name("g")
        function = self.name("call")
        static = self.pick("", "static ")
        directive = self.pick(f"#pragma acc declare device_resident({g}, {one})", f"#pragma acc declare device_resident({g}) device_resident({one})")
        self.program.declared.append(f"{static}{type} {g}[{count}];\n{static}long {one};\n{directive}\n#pragma acc routine seq\nstatic long {function}(int at) {{ return (long){g}[at] % 100 + {one}; }}")
        lines = [f"long {out}[{count}];", f"#pragma acc serial\n{{ {one} = {self.random.randrange(9)}; }}", f"{self.region()}\nfor (int {i} = 0; {i} < {count}; {i}++) {g}[{i}] = {self.stored(type, i)};"]
        if self.chance(2):
            lines.append(f"{self.region()}\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {self.changed(type, f'{g}[{i}]', i)} }}")
        lines.append(f"{self.region(f'copyout({out})')}\nfor (int {i} = 0; {i} < {count}; {i}++) {out}[{i}] = {function}({count} - 1 - {i}) + {i};")
        return "\n".join([*lines, self.show_all(out, count)])

    def looked_for(self):
        """Data that a construct uses if it is there."""
        name, type, count, declared = self.array(True)
        there, i, other = self.random.randrange(2), self.name("i"), self.name("d")
        flag = self.name("n")
        lines = [declared, f"int {flag} = {self.number(there)};", f"long {other}[{count}];"]
        if there:
            lines.append(f"#pragma acc enter data copyin({name})\nSEP(memcpy(dev_{name}, {name}, sizeof {name});)")
            lines.append(f"for (int k = 0; k < {count}; k++) {name}[k] = 7;")
        body = f"{other}[{i}] = {i};\nif ({flag}) {other}[{i}] += D({name})[{i}];"
        if self.chance(2):
            body += f"\nif ({flag}) {{ {self.changed(type, f'D({name})[{i}]', i)} }}"
        around = self.pick("", "data")
        text = f"{self.region(f'no_create({name})' if not around else '', f'copyout({other})')}\nfor (int {i} = 0; {i} < {count}; {i}++) {{\n{body}\n}}"
        if around:
            text = f"#pragma acc data no_create({name})\n{{\n{text.replace(' copyout', f' no_create({name}) copyout')}\n}}"
        lines.append(text)
        if there:
            lines.append(f"#pragma acc exit data copyout({name})\nSEP(memcpy({name}, dev_{name}, sizeof {name});)")
        return "\n".join([*lines, self.show_all(other, count), self.show_all(name, count)])

    def parts_of_one(self):
        """Parts of one array or memory that come one after the other, and are apart."""
        name, type, count, declared = self.name("d"), self.type(), 40, ""
        i, heap = self.name("i"), self.chance(2)
        declared = f"{type} *{name} = malloc({count} * sizeof *{name});\nSEP({type} *dev_{name} = malloc({count} * sizeof *{name});)" if heap else f"{type} {name}[{count}];\nSEP({type} dev_{name}[{count}];)"
        edges = sorted(self.random.sample(range(count + 1), 4))
        parts = [(edges[0], edges[1] - edges[0]), (edges[2], edges[3] - edges[2])]
        self.random.shuffle(parts)
        item = lambda part: f"{name}[{self.number(part[0])}:{self.number(part[1])}]"
        moved = lambda part, to, source: f"SEP(memcpy({to}{name} + {part[0]}, {source}{name} + {part[0]}, {part[1]} * sizeof *{name});)"
        lines = [declared, f"for (int k = 0; k < {count}; k++) {name}[k] = k;"]
        structured = self.chance(2)
        work = []
        for part in self.random.sample(parts * 2, 3):
            found = self.pick(f"present({item(part)})", f"copy({item(part)})", f"copyin({item(part)})", f"create({item(part)})")
            at = f"D({name})[{i}]"
            work.append(f"{self.region(found)}\nfor (int {i} = {part[0]}; {i} < {sum(part)}; {i}++) {{ {self.changed(type, at, i)} }}")
            if self.chance(2):
                work.append(f"#pragma acc update self({item(part)})\n{moved(part, '', 'dev_')}\nfor (int k = {part[0]}; k < {sum(part)}; k++) {name}[k] = (int){name}[k] % 77;")
        work = "\n".join(work)
        if structured:
            enter = f"#pragma acc data copy({item(parts[0])})\n#pragma acc data copy({item(parts[1])})\n{{\n{moved(parts[0], 'dev_', '')}\n{moved(parts[1], 'dev_', '')}\n{work}\n}}"
            leave = f"{moved(parts[0], '', 'dev_')}\n{moved(parts[1], '', 'dev_')}"
        else:
            enter = "\n".join(f"#pragma acc enter data copyin({item(part)})\n{moved(part, 'dev_', '')}" for part in parts) + f"\n{work}"
            leave = "\n".join(f"#pragma acc exit data copyout({item(part)})\n{moved(part, '', 'dev_')}" for part in self.random.sample(parts, 2))
        return "\n".join([*lines, enter, leave, self.show_all(name, count)])

    def parts_within(self):
        """Smaller parts of what is there, in constructs, data constructs and routines."""
        name, type, count, declared = self.array(True)
        i, low = self.name("i"), self.random.randrange(count // 2)
        length = self.random.randrange(2, count - low + 1)
        moved = lambda to, source, first, many: f"SEP(memcpy({to}{name} + {first}, {source}{name} + {first}, {many} * sizeof *{name});)"
        lines = [declared, f"#pragma acc enter data copyin({name}[{low}:{length}])\n{moved('dev_', '', low, length)}", f"for (int k = 0; k < {count}; k++) {name}[k] = (int){name}[k] % 50 + 1;"]
        for _ in range(self.random.randrange(2, 5)):
            first = self.random.randrange(low, low + length)
            many = self.random.randrange(1, low + length - first + 1)
            section = f"{name}[{self.number(first)}:{self.number(many)}]"
            kind = self.pick("construct", "data", "update", "routine", "pointer", "counted")
            at = f"D({name})[{i}]"
            loop = f"for (int {i} = {first}; {i} < {first + many}; {i}++) {{ {self.changed(type, at, i)} }}"
            clause = self.pick("copy", "copyin", "copyout", "create", "present", "no_create")
            if kind == "construct":
                lines.append(f"{self.region(f'{clause}({section})')}\n{loop}")
            elif kind == "data":
                lines.append(f"#pragma acc data {clause}({section})\n{{\n{self.region(self.pick(f'present({section})', 'default(present)' if (first, many) == (low, length) else f'copy({section})'))}\n{loop}\n}}")
            elif kind == "update":
                direction = self.pick("self", "device")
                lines.append(f"#pragma acc update {direction}({section})\n{moved('', 'dev_', first, many) if direction == 'self' else moved('dev_', '', first, many)}")
            elif kind == "routine":
                to_device = self.chance(2)
                lines.append(f"API(acc_update_{'device' if to_device else 'self'}({name} + {first}, {many} * sizeof *{name});)\n{moved('dev_', '', first, many) if to_device else moved('', 'dev_', first, many)}")
            elif kind == "counted":
                lines.append(f"#pragma acc enter data copyin({section})\n#pragma acc exit data {self.pick('copyout', 'delete')}({section})")
            else:
                p = self.name("p")
                lines.append(f"{{ {type} *{p} = {name} + {first};\nSEP({type} *dev_{p} = dev_{name} + {first};)\n{self.region(self.pick(f'present({p}[0:{many}])', f'copy({p}[0:{many}])'))}\nfor (int {i} = 0; {i} < {many}; {i}++) {{ {self.changed(type, f'D({p})[{i}]', i)} }}\n}}")
        leave = self.pick("copyout", "delete")
        lines.append(f"#pragma acc exit data {leave}({name}[{low}:{length}])")
        lines += [moved("", "dev_", low, length)] if leave == "copyout" else []
        return "\n".join([*lines, self.show_all(name, count)])

    # Conditions.

    def at_run_time(self):
        """Constructs that a number known at run time has executed by the host, while a device has other data."""
        name, type, count, declared = self.array(True)
        i, lines = self.name("i"), []
        for _ in range(self.random.randrange(2, 5)):
            on_host = self.random.randrange(2)
            clause = self.pick(f"if({self.number(1 - on_host)})", f"self({self.number(on_host)})", f"if({self.number(1 - on_host)}) self(0)")
            lines.append(f"SEP(at_host = {on_host};)\n{self.region(clause, self.pick(f'copy({name})', '', f'copyin({name})'))}\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {self.changed(type, f'G({name})[{i}]', i)} }}\nSEP(at_host = 0;)")
            if self.chance(3):
                lines.append(f"#pragma acc update self({name}) if({self.number(on_host)})")
                if on_host:
                    lines.append(f"SEP(memcpy({name}, dev_{name}, sizeof {name});)")
        body = "\n".join(lines)
        return f"{declared}\n#pragma acc data copy({name})\n{{\nSEP(memcpy(dev_{name}, {name}, sizeof {name});)\n{body}\n}}\nSEP(memcpy({name}, dev_{name}, sizeof {name});)\n{self.show_all(name, count)}"

    def conditional_data(self):
        """Data that comes and goes if a number says so; the host does not touch it meanwhile."""
        name, type, count, declared = self.array()
        i, flag = self.name("i"), self.name("n")
        yes = self.random.randrange(2)
        body = f"{self.region(self.pick('', f'copy({name})'))}\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {self.changed(type, f'{name}[{i}]', i)} }}"
        if self.chance(2):
            body += f"\n#pragma acc host_data use_device({name}) if({flag}) if_present\n{{ {name}_at = {name}; }}"
            declared += f"\n{type} *{name}_at = 0;"
        around = self.pick(
            f"#pragma acc data copy({name}) if({flag})\n{{\n{body}\n}}", f"#pragma acc enter data copyin({name}) if({flag})\n{body}\n#pragma acc exit data copyout({name}) if({flag})",
            f"#pragma acc enter data create({name}) if({flag})\n#pragma acc update device({name}) if({flag})\n{body}\n#pragma acc update self({name}) if({flag})\n#pragma acc exit data delete({name}) if({flag})",
            f"#pragma acc data copy({name}) if(!{flag})\n#pragma acc data copy({name}) if({flag})\n{{\n{body}\n}}",
        )
        return f"{declared}\nint {flag} = {self.number(yes)};\n{around}\n{self.show_all(name, count)}"

    def by_type(self):
        """Clauses for one kind of device and for others."""
        name, type, count, declared = self.array()
        i, sum_ = self.name("i"), self.name("s")
        size = lambda: f"num_gangs({self.random.randrange(1, 5)}) {self.pick('', 'num_workers(2)', 'vector_length(32)')}"
        types = self.random.sample(["nvidia", "host", "multicore", "*"], 2)
        types.sort(key=lambda one: one == "*")
        head = f"{size()} device_type({types[0]}) {size()} " + (f"device_type({types[1]}) {size()}" if self.chance(2) else "")
        inner = self.pick("gang device_type(nvidia) gang vector device_type(*) gang worker", "device_type(nvidia) gang device_type(host, multicore) gang vector", "gang device_type(nvidia) collapse(1) gang", "device_type(*) gang vector")
        queue = self.pick("", "async device_type(*) async(1)")
        wait = "\n#pragma acc wait" if queue else ""
        if queue:
            head = f"{queue} {size()}"
        return f"{declared}\nlong {sum_} = 0;\n#pragma acc parallel copy({name}, {sum_}) {head}\n#pragma acc loop reduction(+ : {sum_}) {inner}\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {self.changed(type, f'{name}[{i}]', i)} {sum_} += (long){name}[{i}] % 30; }}{wait}\n{self.show(sum_)}\n{self.show_all(name, count)}"

    # Queues.

    def chain(self):
        """Work on several queues in the order that waits keep."""
        a, b, i, count = self.name("a"), self.name("b"), self.name("i"), self.random.choice([4, 30])
        lines, queues = [], [1, 2, 5]
        lines.append(f"#pragma acc enter data copyin({a}) async(1)\n#pragma acc enter data copyin({b}) async(2)")
        where = {a: 1, b: 2}
        for _ in range(self.random.randrange(3, 7)):
            to, of = self.random.sample([a, b], 2)
            queue = self.random.choice(queues)
            others = sorted({where[to], where[of]} - {queue})
            wait = " ".join(f"wait({other})" for other in others)
            if len(others) == 2 and self.chance(2):
                wait = f"wait({others[0]}, {others[1]})"
            loop = f"for (int {i} = 0; {i} < {count}; {i}++)"
            kind = self.pick("construct", "construct", "update", "directive", "routine")
            if kind == "update":
                lines.append(f"#pragma acc update self({to}) async({queue}) {wait}\n#pragma acc update device({to}) async({queue})")
            else:
                if kind == "directive" and others:
                    lines += [f"#pragma acc wait({other}) async({queue})" for other in others]
                    wait = ""
                elif kind == "routine" and others:
                    lines += [f"API(acc_wait_async({other}, {queue});)" for other in others]
                    wait = ""
                lines.append(f"{self.region(f'present({a}, {b})', f'async({self.number(queue)})', wait)}\n{loop} {to}[{i}] = {to}[{i}] * 3 + ({of}[{count} - 1 - {i}] ^ {i});")
            where[to] = where[of] = queue
        last = where[a]
        lines.append(self.pick(f"#pragma acc exit data copyout({a}, {b}) async({last})\n#pragma acc wait({last})", f"#pragma acc exit data copyout({a}) async({last})\n#pragma acc exit data copyout({b}) async({last})\nAPI(acc_wait_all();)", f"#pragma acc wait({last})\n#pragma acc exit data copyout({a}, {b})"))
        body = "\n".join(lines)
        return f"unsigned {a}[{count}], {b}[{count}];\nfor (int k = 0; k < {count}; k++) {a}[k] = k, {b}[k] = k * k;\n{body}\n{self.show_all(a, count)}\n{self.show_all(b, count)}"

    def captured(self):
        """Scalars and structures that work on a queue takes with it, while the host goes on to change them."""
        name, count, i, k = self.name("d"), self.random.choice([5, 33]), self.name("i"), self.name("k")
        turns, queue = self.random.randrange(2, 6), self.pick("async(1)", "async", f"async({k} % 2)")
        holder, width = self.name("h"), self.pick("int", "short", "double", "long")
        told = self.pick("", f"firstprivate({k})", f"firstprivate({k}, {holder})")
        used = f"{holder}.x" if holder in told else holder
        declared = f"struct {{ char c; {width} x; }} {holder} = {{1, 2}};" if holder in told else f"{width} {holder} = 2;"
        section = f"{name}[{k}][0:{count}]" if self.chance(2) else name
        construct = self.region(f"present({name})" if section == name else f"copy({name}[{k}:1])", told, queue)
        # `kernels` takes scalars with it without a clause.
        construct = construct.replace(told, "") if "kernels" in construct and holder not in told else construct.replace("kernels loop independent", "parallel loop")
        return f"""long {name}[{turns}][{count}];
memset({name}, 0, sizeof {name});
{declared}
#pragma acc data copy({name})
{{
for (int {k} = 0; {k} < {turns}; {k}++) {{
{used} = {k} * 7 + 1;
{construct}
for (int {i} = 0; {i} < {count}; {i}++) {name}[{k}][{i}] += (long){used} * {i} + {k};
{used} = 0;
}}
#pragma acc wait
}}
{self.show_all(name, turns * count, '{0}[k / ' + str(count) + '][k % ' + str(count) + ']')}"""

    # Addresses.

    def addresses(self):
        """Addresses of a device of parts, members and scalars."""
        s, p, i, count = self.name("s"), self.name("p"), self.name("i"), self.random.choice([6, 30])
        low = self.random.randrange(count - 1)
        many = self.random.randrange(1, count - low + 1)
        x = self.name("x")
        form = self.pick("member", "part", "scalar", "pointer")
        if form == "member":
            item, at, declared = f"{s}", f"{s}.list + {low}", f"struct {{ int n; int list[{count}]; }} {s};\nfor (int k = 0; k < {count}; k++) {s}.list[k] = k;\n{s}.n = 3;"
            use = f"#pragma acc host_data use_device({s})\n{{ {p} = {at}; }}"
            shown = self.show_all(f"{s}.list", count)
        elif form == "part":
            item, declared = f"{s}[{low}:{many}]", f"int {s}[{count}];\nfor (int k = 0; k < {count}; k++) {s}[k] = k;"
            use = self.pick(f"#pragma acc host_data use_device({s})\n{{ {p} = {s} + {low}; }}", f"{p} = API(acc_deviceptr({s} + {low})) SEQ({s} + {low});", f"#pragma acc host_data use_device({s})\n{{ {p} = &{s}[{low}]; }}")
            # The whole array has to be there for `use_device`.
            item = s if "use_device" in use else item
            shown = self.show_all(s, count)
        elif form == "scalar":
            item, declared, many = x, f"int {x} = 5;", 1
            use = f"#pragma acc host_data use_device({x})\n{{ {p} = &{x}; }}"
            shown = self.show(x)
        else:
            item, declared = f"{s}[0:{count}]", f"int {s}_held[{count + 2}], *{s} = {s}_held + 1;\nfor (int k = 0; k < {count}; k++) {s}[k] = k;"
            use = f"#pragma acc host_data use_device({s})\n{{ {p} = {s} + {low}; }}"
            shown = self.show_all(s, count)
        q = self.name("q")
        body = f"{self.region(f'deviceptr({p})')}\nfor (int {i} = 0; {i} < {many}; {i}++) {p}[{i}] += {self.value(i)};"
        if self.chance(2):
            body += f"\n{{ int *{q} = {p} + {many - 1};\n#pragma acc serial deviceptr({q})\n{{ *{q} ^= 3; }} }}"
        return f"{declared}\nint *{p};\n#pragma acc data copy({item})\n{{\n{use}\n{body}\n}}\n{shown}"

    def started(self):
        """Directives that start devices and choose one, and the default queue."""
        name, type, count, declared = self.array()
        i = self.name("i")
        first = self.pick("#pragma acc init", "#pragma acc init device_num(0)", "#pragma acc set device_num(0)", f"#pragma acc set default_async({self.number(3)})", "#pragma acc init if(1)", "#pragma acc shutdown if(0)", "#pragma acc set device_num(0) if(0)")
        return f"{declared}\n{first}\n{self.region(f'copy({name})', 'async')}\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {self.changed(type, f'{name}[{i}]', i)} }}\n{self.pick('#pragma acc wait', 'API(acc_wait(acc_get_default_async());)')}\n#pragma acc set default_async(1)\n{self.show_all(name, count)}"

    # Shapes.

    def boxes(self):
        """Updates of boxes in arrays of three dimensions."""
        m, type, i, j, k = self.name("m"), self.type(), self.name("i"), self.name("j"), self.name("k")
        sizes = [self.random.randrange(2, 6) for _ in range(3)]
        form = self.pick("array", "variable", "heap")
        shape = "".join(f"[{self.number(size) if form == 'variable' else size}]" for size in sizes)
        inner = "".join(f"[{size}]" for size in sizes[1:])
        declare = (lambda name: f"{type} (*{name}){inner} = malloc({sizes[0]} * sizeof *{name});") if form == "heap" else (lambda name: f"{type} {name}{shape};")
        everything = f"for (int {i} = 0; {i} < {sizes[0]}; {i}++) for (int {j} = 0; {j} < {sizes[1]}; {j}++) for (int {k} = 0; {k} < {sizes[2]}; {k}++)"
        at = f"[{i}][{j}][{k}]"
        whole = f"{m}[0:{sizes[0]}]{inner.replace('[', '[0:')}" if form == "heap" else m
        lines = [f"{declare(m)}\nSEP({declare(f'dev_{m}')})\n{everything} {m}{at} = {i} * 100 + {j} * 10 + {k};", f"#pragma acc enter data copyin({whole})\nSEP({everything} dev_{m}{at} = {m}{at};)"]
        for _ in range(self.random.randrange(2, 6)):
            low = [self.random.randrange(size) for size in sizes]
            many = [self.random.randrange(1, size - first + 1) for size, first in zip(sizes, low)]
            section = m + "".join(f"[{self.number(first)}:{self.number(count)}]" for first, count in zip(low, many))
            box = " ".join(f"for (int {name} = {first}; {name} < {first + count}; {name}++)" for name, first, count in zip((i, j, k), low, many))
            kind = self.pick("self", "device", "construct", "host")
            if kind == "self":
                lines.append(f"#pragma acc update self({section})\nSEP({box} {m}{at} = dev_{m}{at};)")
            elif kind == "device":
                lines.append(f"#pragma acc update device({section})\nSEP({box} dev_{m}{at} = {m}{at};)")
            elif kind == "host":
                lines.append(f"{box} {m}{at} = (int){m}{at} % 100 + 1;")
            else:
                collapse = self.pick("", "collapse(3)", "collapse(2)", "tile(2, 2)")
                lines.append(f"{self.region(f'present({whole})', collapse)}\n{box} {{ {self.changed(type, f'D({m}){at}', i, j, k)} }}")
        lines.append(f"#pragma acc exit data copyout({whole})\nSEP({everything} {m}{at} = dev_{m}{at};)")
        rows, columns = sizes[1] * sizes[2], sizes[2]
        return "\n".join([*lines, self.show_all(m, sizes[0] * rows, f"{{0}}[k / {rows}][k % {rows} / {columns}][k % {columns}]")])

    # Pointers in structures.

    def list_of_pointers(self):
        """A list of structures that lead to each other, on a device."""
        s, n, sum_ = self.name("s"), self.random.randrange(2, 6), self.name("s")
        tag = f"node_{s}"
        self.program.declared.append(f"struct {tag} {{ char c; struct {tag} *next; int value; int *more; }};")
        order = list(range(n))
        self.random.shuffle(order)
        chain = "\n".join(f"{s}[{at}].next = {f'&{s}[{to}]' if to is not None else '0'};" for at, to in zip(order, [*order[1:], None]))
        heap = self.chance(2)
        more = f"for (int k = 0; k < {n}; k++) {{ {s}[k].more = malloc(3 * sizeof(int)); {s}[k].more[0] = k; {s}[k].more[1] = 2; {s}[k].more[2] = 3 * k; {s}[k].value = k + 10; }}"
        declared = f"struct {tag} {s}{'_held' if heap else ''}[{n}]{f', *{s} = {s}_held' if heap else ''};\n{more}\n{chain}"
        enter = f"#pragma acc enter data copyin({s}[0:{n}])"
        each = f"for (int k = 0; k < {n}; k++) {{\n#pragma acc enter data copyin({s}[k].more[0:3])\n}}"
        links = f"for (int k = 0; k < {n}; k++) if ({s}[k].next) {{\n#pragma acc enter data attach({s}[k].next)\n}}"
        body = f"#pragma acc serial present({s}[0:{n}]) copyout({sum_})\n{{ {sum_} = 0; for (struct {tag} *p = &{s}[{order[0]}]; p; p = p->next) {{ {sum_} = {sum_} * 3 + p->value + p->more[1]; p->more[2] += p->value; p->value++; }} }}"
        update = f"for (int k = 0; k < {n}; k++) {{\n#pragma acc update self({s}[k].value, {s}[k].more[{self.pick('0:3', '2:1')}])\n}}"
        away = f"for (int k = 0; k < {n}; k++) if ({s}[k].next) {{\n#pragma acc exit data detach({s}[k].next)\n}}\nfor (int k = 0; k < {n}; k++) {{\n#pragma acc exit data {self.pick('delete', 'copyout')}({s}[k].more[0:3])\n}}\n#pragma acc exit data delete({s}[0:{n}])"
        return f"{declared}\nlong {sum_};\n{enter}\n{self.pick(each + chr(10) + links, links + chr(10) + each)}\n{body}\n{body}\n{update}\n{away}\n{self.show(sum_)}\n{self.show_all(s, n, '{0}[k].value * 1000L + {0}[k].more[2]')}"

    def targets_shared(self):
        """Several pointers to one array, at its start and within."""
        s, d, i, count = self.name("s"), self.name("d"), self.name("i"), self.random.choice([8, 20])
        middle = self.random.randrange(1, count)
        tag = f"shares_{s}"
        self.program.declared.append(f"struct {tag} {{ int *first; int n; int *within; }};")
        heap = self.chance(2)
        declared = f"int {d}_held[{count}], *{d} = {d}_held;" if heap else f"int {d}[{count}];"
        first = f"#pragma acc enter data copyin({d}[0:{count}])"
        enter = self.pick(f"{first}\n#pragma acc enter data copyin({s}) attach({s}.first, {s}.within)", f"{first}\n#pragma acc enter data copyin({s})\n#pragma acc enter data attach({s}.within) attach({s}.first)", f"{first}\n#pragma acc enter data copyin({s}, {s}.first[0:{count}])\n#pragma acc enter data copyin({s}.within[0:{count - middle}])")
        apart = "within[0:" in enter
        leave = f"#pragma acc exit data delete({s}.within[0:{count - middle}])\n#pragma acc exit data delete({s}.first[0:{count}], {s})" if apart else self.pick(f"#pragma acc exit data detach({s}.first, {s}.within)\n#pragma acc exit data delete({s})", f"#pragma acc exit data detach({s}.first) detach({s}.within) delete({s})")
        body = f"{self.region(f'present({s})')}\nfor (int {i} = 0; {i} < {count - middle}; {i}++) {{ {s}.within[{i}] += {self.value(i)} % 100; }}\n#pragma acc serial present({s})\n{{ {s}.first[0] += {s}.n; {s}.first[{middle}] ^= {s}.within[{count - middle - 1}]; }}"
        return f"{declared}\nfor (int k = 0; k < {count}; k++) {d}[k] = k;\nstruct {tag} {s} = {{{d}, {self.random.randrange(9)}, {d} + {middle}}};\n{enter}\n{body}\n{leave}\n#pragma acc exit data copyout({d}[0:{count}])\n{self.show_all(d, count)}\nshow(\"same\", {s}.first == {d} && {s}.within == {d} + {middle});"

    def structures_in_rows(self):
        """An array of structures, each with memory of its own, in parallel loops over both."""
        s, n, m, i, j = self.name("s"), self.random.randrange(2, 6), self.random.randrange(1, 7), self.name("i"), self.name("j")
        type = self.type()
        low = self.random.randrange(n)
        declared = f"struct {{ long sum; {type} *row; short n; }} {s}[{n}];\nfor (int k = 0; k < {n}; k++) {{ {s}[k].row = malloc({m} * sizeof *{s}[k].row); {s}[k].n = {m}; {s}[k].sum = k; for (int l = 0; l < {m}; l++) {s}[k].row[l] = k * 10 + l; }}"
        section = f"{s}[{low}:{n - low}]" if self.chance(2) else s
        low = low if section != s else 0
        enter = f"#pragma acc enter data copyin({section})\nfor (int k = {low}; k < {n}; k++) {{\n#pragma acc enter data {self.pick(f'copyin({s}[k].row[0:{m}])', f'copyin({s}[k].row[0:{s}[k].n])')}\n}}"
        inner = self.pick("", "#pragma acc loop vector\n", "#pragma acc loop seq\n")
        outer = self.pick("parallel loop gang", "parallel loop gang num_gangs(2)", "kernels loop gang independent" if not inner else "parallel loop gang worker" if "vector" in inner else "parallel loop gang")
        element = f"{s}[{i}].row[{j}]"
        loop = f"#pragma acc {outer} present({section})\nfor (int {i} = {low}; {i} < {n}; {i}++) {{\n{inner}for (int {j} = 0; {j} < {m}; {j}++) {{ {self.changed(type, element, i, j)} }}\n{s}[{i}].sum += (long){s}[{i}].row[{self.random.randrange(m)}] % 90 + {s}[{i}].n;\n}}"
        leave = f"for (int k = {low}; k < {n}; k++) {{\n#pragma acc exit data copyout({s}[k].row[0:{m}])\n#pragma acc update self({s}[k].sum)\n}}\n#pragma acc exit data delete({section})"
        return f"{declared}\n{enter}\n{loop}\n{leave}\n{self.show_all(s, n, '{0}[k].sum')}\n{self.show_all(s, n * m, '{0}[k / ' + str(m) + '].row[k % ' + str(m) + ']')}"

    # Functions.

    def declared_in_functions(self):
        """`declare` in functions, for their variables and parameters."""
        f, type, i = self.name("call"), self.type(), self.name("i")
        name, kind, count, declared = self.array()
        type = kind
        form = self.pick("copy", "copyin", "copyout", "present", "create", "own")
        body = f"for (int {i} = 0; {i} < n; {i}++) {{ p[{i}] = {self.stored(type, i)}; }}"
        if form == "own":
            length = self.random.choice([3, 9])
            directive = self.pick("create", "device_resident", "copyin")
            first = f"{type} own[{length}];\n" + (f"for (int k = 0; k < {length}; k++) own[k] = k;\n" if directive == "copyin" else "") + f"#pragma acc declare {directive}(own)\n"
            if directive == "copyin":
                first = f"{type} own[{length}] = {{1, 2, 3}};\n#pragma acc declare copyin(own)\n"
                fill = ""
            else:
                fill = f"{self.region('present(own)')}\nfor (int k = 0; k < {length}; k++) own[k] = k * 3;\n"
            text = f"static void {f}({type} *p, int n)\n{{\n{first}{fill}{self.region(self.pick('copy(p[0:n])', 'copyout(p[0:n])'), 'present(own)')}\nfor (int {i} = 0; {i} < n; {i}++) p[{i}] = (int)own[{i} % {length}] + {i};\n}}"
            call = f"{f}({name}, {count});"
        else:
            text = f"static void {f}({type} *p, int n)\n{{\n#pragma acc declare {form}(p[0:n])\n{self.region('present(p[0:n])')}\n{body}\n" + ("#pragma acc update self(p[0:n])\n" if form in ("create", "copyin") else "") + "}"
            call = f"{f}({name}, {count});"
            if form == "present":
                call = f"#pragma acc data copy({name})\n{{ {call} }}"
        self.program.declared.append(text)
        return f"{declared}\n{call}\n{self.show_all(name, count)}"

    def interior(self):
        """Functions that are given addresses within what is present, and work on parts."""
        f, i = self.name("call"), self.name("i")
        name, type, count, declared = self.array(True)
        clause = self.pick("present(p[0:n])", "copy(p[0:n])", "copyin(p[0:n])", "no_create(p[0:n])", "copyout(p[0:n])")
        shape = self.pick(f"{type} *p", f"{type} p[]", f"{type} p[restrict]")
        self.program.declared.append(f"static void {f}({shape}, int n, long x)\n{{\n{self.region(clause)}\nfor (int {i} = 0; {i} < n; {i}++) {{ {self.changed(type, f'p[{i}]', i, 'x')} }}\n}}")
        calls = []
        for _ in range(self.random.randrange(1, 4)):
            low = self.random.randrange(count)
            calls.append(f"{f}(API({name}) SEQ(D({name})) + {low}, {self.random.randrange(1, count - low + 1)}, {self.random.randrange(99)});")
        body = "\n".join(calls)
        return f"{declared}\n#pragma acc data copy({name})\n{{\nSEP(memcpy(dev_{name}, {name}, sizeof {name});)\n{body}\n}}\nSEP(memcpy({name}, dev_{name}, sizeof {name});)\n{self.show_all(name, count)}"

    def recursive(self):
        """A function with a data construct that calls itself."""
        f, i = self.name("call"), self.name("i")
        name, type, count, declared = self.array()
        clause = self.pick("copy(p[0:n])", "copy(p[low:n - low])", "copy(p[low : 1])")
        exact = clause == "copy(p[low : 1])"
        loop = f"{self.region('copy(p[low : 1])' if exact else self.pick('present(p[0:n])', '') if clause == 'copy(p[0:n])' else 'present(p[low:n - low])')}\nfor (int {i} = low; {i} < {'low + 1' if exact else 'n'}; {i}++) {{ {self.changed(type, f'p[{i}]', i)} }}"
        self.program.declared.append(f"static void {f}({type} *p, int low, int n)\n{{\nif (low >= n) return;\n#pragma acc data {clause}\n{{\n{loop}\n{f}(p, low + {self.random.randrange(1, 4)}, n);\n}}\n}}")
        return f"{declared}\n{f}({name}, {self.random.randrange(3)}, {min(count, 12)});\n{self.show_all(name, count)}"

    def element(self):
        """Single elements, and members, as variables of a construct."""
        s, i = self.name("s"), self.name("i")
        name, type, count, declared = self.array()
        at = self.random.randrange(count)
        tag = f"struct {{ short a; {type} b[4]; long c; }} {s} = {{1, {{2, 3, 4, 5}}, 6}};"
        form = self.pick("element", "member", "members", "array member")
        if form == "element":
            text = f"#pragma acc serial copy({name}[{self.number(at)}:1])\n{{ {self.changed(type, f'{name}[{at}]')} }}"
        elif form == "member":
            text = f"#pragma acc parallel num_gangs(1) copy({s}.c)\n{{ {s}.c += {self.value()}; }}"
        elif form == "members":
            text = f"#pragma acc data copy({s}.a, {s}.c)\n{{\n#pragma acc serial present({s}.a, {s}.c)\n{{ {s}.a += {s}.c; {s}.c = {self.value()}; }}\n}}"
        else:
            low = self.random.randrange(4)
            text = f"{self.region(f'copy({s}.b[{low}:{4 - low}])')}\nfor (int {i} = {low}; {i} < 4; {i}++) {{ {self.changed(type, f'{s}.b[{i}]', i)} }}"
        return f"{declared}\n{tag}\n{text}\n{self.show(f'{s}.a', f'{s}.c')}\n{self.show_all(f'{s}.b', 4)}\n{self.show_all(name, count)}"

    # Code of constructs.

    def several_loops(self):
        """Loops and code between them in one `kernels` or `serial` construct."""
        a, b, i, s, t, count = self.name("a"), self.name("b"), self.name("i"), self.name("s"), self.name("t"), self.random.choice([6, 40])
        kind = self.pick("kernels", "kernels", "serial", "parallel num_gangs(1)")
        types = self.type(False), self.type(False)
        loop = f"for (int {i} = 0; {i} < {count}; {i}++)"
        independent = "#pragma acc loop independent\n" if kind == "kernels" and self.chance(2) else ""
        lines = []
        for _ in range(self.random.randrange(2, 6)):
            lines.append(self.pick(
                f"{independent}{loop} {a}[{i}] = {self.stored(types[0], i, t)};", f"{loop} {a}[{i}] += {b}[{i}] + ({types[0]}){t};", f"{t} = {a}[{self.random.randrange(count)}] % 9;", f"for (int {i} = 1; {i} < {count}; {i}++) {b}[{i}] = {b}[{i} - 1] ^ {a}[{i}];",
                f"{s} = 0;\n{loop} {s} += {a}[{i}] % 8;", f"if ({t} > 3) {loop} {b}[{i}] = {a}[{count} - 1 - {i}];", f"{loop} if ({b}[{i}] > {t}) {t} = {b}[{i}] % 100;", f"{b}[0] = {s} + {t};",
                f"for (int r = 0; r < 3; r++) {{\n{loop} {a}[{i}] += r;\n{loop} {b}[{i}] ^= {a}[{i}];\n}}", f"{{ int w = 3; while (w-- > 0) {loop} {a}[{i}] += w + {t}; }}",
            ))
        body = "\n".join(lines)
        clauses = self.pick(f"copy({a}, {b}, {s}, {t})", f"copy({s}) copy({t})", f"copy({a}) copy({t}, {s})")
        return f"{types[0]} {a}[{count}];\n{types[1]} {b}[{count}];\nlong {s} = 1;\nint {t} = 2;\nfor (int k = 0; k < {count}; k++) {a}[k] = k % 50, {b}[k] = k * 3 % 70;\n#pragma acc {kind} {clauses}\n{{\n{body}\n}}\n{self.show(s, t)}\n{self.show_all(a, count)}\n{self.show_all(b, count)}"

    def counters_known(self):
        """Loops whose counters the program declares in front, and uses behind."""
        i, name, kind = self.name("i"), self.name("d"), self.pick("int", "long", "short", "unsigned")
        first, count, step = self.random.randrange(3), self.random.choice([4, 20]), self.random.choice([1, 2, 3])
        how = self.pick("serial", "loop", "private")
        if how == "serial":
            return f"long {name}[{count}];\n{kind} {i} = 90;\nfor (int k = 0; k < {count}; k++) {name}[k] = k;\n#pragma acc serial copy({name}, {i})\n{{\nfor ({i} = {first}; {i} < {count}; {i} += {step}) {name}[{i}] += {i};\n{name}[0] += {i};\n}}\n{self.show(i)}\n{self.show_all(name, count)}"
        clause = f"private({i})" if how == "private" else ""
        return f"long {name}[{count}];\n{kind} {i} = 90;\nfor (int k = 0; k < {count}; k++) {name}[k] = k;\n{self.region(f'copy({name})', clause)}\nfor ({i} = {first}; {i} < {count}; {i} += {step}) {name}[{i}] += {self.value(i)};\n{self.show_all(name, count)}"

    def pointer_arithmetic(self):
        """Pointers of the host and of the construct that go through what clauses bring."""
        name, type, count, declared = self.array()
        p, q, i = self.name("p"), self.name("q"), self.name("i")
        form = self.pick("walk", "difference", "table", "moved")
        if form == "walk":
            text = f"#pragma acc serial copy({name})\n{{ {type} *{p} = {name}, *{q} = {name} + {count};\nwhile ({p} != {q}) {{ {self.changed(type, f'*{p}')} {p}++; }} }}"
        elif form == "difference":
            text = f"#pragma acc parallel loop copy({name})\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {type} *{p} = &{name}[{i}]; long way = {p} - {name}; {self.changed(type, f'*{p}', 'way')} }}"
        elif form == "table":
            half = count // 2
            text = f"#pragma acc parallel loop copy({name})\nfor (int {i} = 0; {i} < {half}; {i}++) {{ {type} *both[2] = {{&{name}[{i}], &{name}[{i} + {half}]}}; for (int w = 0; w < 2; w++) {{ {self.changed(type, '*both[w]', i, 'w')} }} }}"
        else:
            low = self.random.randrange(count)
            text = f"{{ {type} *{p} = {name} + {low};\n{self.region(f'copy({p}[0:{count - low}])')}\nfor (int {i} = 0; {i} < {count - low}; {i}++) {{ {self.changed(type, f'{p}[{i}]', i)} }}\n{p} -= {low};\n{self.region(f'copy({p}[0:{count}])')}\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {self.changed(type, f'{p}[{i}]', i)} }} }}"
        return f"{declared}\n{text}\n{self.show_all(name, count)}"

    def host_types(self):
        """Types that only the host computes with, in constructs that it executes."""
        if not self.program.shared:
            return self.element()
        name, i, count, s = self.name("d"), self.name("i"), self.random.choice([5, 20]), self.name("s")
        kind = self.pick("if(0)", "self", "", "self(1)")
        reduction = self.pick(f"reduction(+ : {s})", f"reduction(max : {s})") if self.chance(2) else f"copy({s})"
        update = f"{s} = {name}[{i}] > {s} ? {name}[{i}] : {s};" if "max" in reduction else f"{s} += {name}[{i}];" if "+" in reduction else ""
        own = self.name("l")
        return f"long double {name}[{count}], {s} = 2;\nfor (int k = 0; k < {count}; k++) {name}[k] = k / 2.0L;\n#pragma acc parallel loop {kind} copy({name}) {reduction}\nfor (int {i} = 0; {i} < {count}; {i}++) {{ long double {own}[2] = {{{name}[{i}], {i}}}; {name}[{i}] = {own}[{i} & 1] * 3 + {i}; {update} }}\n{self.show(s)}\n{self.show_all(name, count)}"
