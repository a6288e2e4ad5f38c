"""Random graphs of OpenMP tasks: `python3 tests/random/generate.py --tasks --seed 7` prints a program of ten.

A graph is a list of steps on some cells and buffers. The program executes it twice: as plain C in the order of the program, and as tasks whose
`depend` clauses name what each step reads and writes. It compares cells and buffers and what the creating thread has seen on its way.

Steps are host tasks with every clause, tasks that exclude each other (`mutexinoutset`) or not (`inoutset`), groups, reductions, tasks with children that have
dependences of their own, loops of tasks, nested teams, tasks that end with an event, objects of dependences, waits for some or all tasks, and target tasks: kernels, data
directives and updates, with and without `nowait`. Which copy of a buffer holds its value, the host's or the device's, is followed, so that the result does not depend on
whether the two are one.

A graph is executed by one thread of a team, by the initial thread alone, by each thread of a team for itself, or in a task.
"""

import random

CELLS = 8
BUFFERS = 3
LENGTH = 4  # elements of a buffer
FEATURES = ("all-memory", "inoutset", "nowait-wait", "target", "detach", "nested-parallel")
KINDS = {
    "host": 6, "exclusive": 2, "set": 1.5, "group": 1, "sum": 1.5, "nested": 1.5, "wait": 1, "wait_all": 0.3, "now": 1, "detach": 1.5,
    "detach_late": 1, "depobj": 1, "iterator": 1, "loop": 1, "team": 0.5, "all_memory": 0.3, "target_cells": 1, "kernel": 3, "data": 3,
    "data_region": 0.5,
}
NEEDS = {"all_memory": "all-memory", "set": "inoutset", "detach": "detach", "detach_late": "detach", "team": "nested-parallel", "target_cells": "target",
         "kernel": "target", "data": "target", "data_region": "target"}
FORMS = ["single", "single", "single", "alone", "each", "task", "masked"]


class Buffer:
    """An array that target tasks use: which copies hold its value."""

    def __init__(self, number):
        self.name = f"b{number}"
        self.is_mapped = False
        self.on_host = True
        self.on_device = False
        self.device = ""  # the clause that names the device where it is mapped

    def section(self):
        return f"{self.name}[0:{LENGTH}]"

    def depend(self):
        return f" depend(inout : {self.name}[0])"


class Graph:
    """The steps of a graph, as plain C and as tasks."""

    def __init__(self, rng, number, without):
        self.random = rng
        self.number = number
        self.without = without
        self.serial, self.tasks = [], []
        self.names = 0
        self.buffers = [Buffer(at) for at in range(BUFFERS)]
        kinds = {kind: weight for kind, weight in KINDS.items() if NEEDS.get(kind) not in without}
        steps = rng.randint(5, 40)
        for step, kind in enumerate(rng.choices(list(kinds), list(kinds.values()), k=steps), 1):
            getattr(self, kind)(step)
        for buffer in self.buffers:
            if buffer.is_mapped:
                self.leave(buffer)

    # Parts of steps

    def emit(self, serial, tasks):
        self.serial.append(serial)
        self.tasks.append(tasks)

    def chance(self, probability):
        return self.random.random() < probability

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def split(self, most=4):
        """Cells that a step writes, at least one, and others that it reads."""
        chosen = self.random.sample(range(CELLS), self.random.randint(1, most))
        at = self.random.randint(1, len(chosen))
        return chosen[:at], chosen[at:]

    def update(self, written, read, step):
        """Every cell that is written gets a hash of itself, the others and the step."""
        lines = []
        for cell in written:
            terms = "".join(f" ^ c[{other}] * {2 * self.random.randint(1, 500) + 1}u" for other in read + written)
            lines.append(f"c[{cell}] = mix(c[{cell}]{terms}, {step}u);")
        return " ".join(lines)

    def depend(self, kind, cells):
        return f" depend({kind} : {', '.join(f'c[{cell}]' for cell in cells)})" if cells else ""

    def depends(self, written, read):
        """Clauses for what is read and written, in some order; a written cell may be `out`, in one list or in several."""
        clauses = [self.depend("in", read)]
        clauses += [self.depend(self.random.choice(["inout", "inout", "out"]), [cell]) for cell in written]
        self.random.shuffle(clauses)
        return "".join(clauses)

    def more(self):
        """Clauses that change when or where a task is executed, and nothing else."""
        choices = ["", "", "", " untied", f" priority({self.random.randint(0, 9)})", " mergeable", " final(1)", " final(0) untied", " if(task : 1)"]
        return self.random.choice(choices)

    def task(self, clauses, body):
        return f"#pragma omp task{clauses} shared(c)\n{{ {body} }}"

    def pause(self):
        """Now and then a step takes a while, so that others overtake it."""
        return f"linger({self.random.choice((200, 2000))}); " if self.chance(0.1) else ""

    # Host tasks

    def host(self, step):
        written, read = self.split()
        body = self.update(written, read, step)
        self.emit(body, self.task(self.depends(written, read) + self.more(), self.pause() + body))

    def now(self, step):
        written, read = self.split()
        body = self.update(written, read, step)
        self.emit(body, self.task(f" if(0){self.depends(written, read)}", body))

    def exclusive(self, step):
        """Sums do not depend on the order in which the tasks exclude each other."""
        written, read = self.split()
        for part in range(self.random.randint(2, 5)):
            kept = [cell for cell in written if part == 0 or self.chance(0.8)] or written[:1]
            code = " ".join(f"c[{cell}] = c[{cell}] + {step * 7 + part * 3 + 1}u;" for cell in kept)
            clauses = self.depend("mutexinoutset", kept) + self.depend("in", read)
            self.emit(code, self.task(clauses + self.more(), self.pause() + code))

    def set(self, step):
        written, read = self.split(3)
        for part in range(self.random.randint(2, 4)):
            codes = [f"c[{cell}] += {step * 5 + part + 1}u;" for cell in written]
            atomic = "\n".join(f"#pragma omp atomic\n{code}" for code in codes)
            clauses = self.depend("inoutset", written) + self.depend("in", read)
            self.emit(" ".join(codes), f"#pragma omp task{clauses}{self.more()} shared(c)\n{{\n{atomic}\n}}")

    def group(self, step):
        """The end of a group waits for a task, and for its child: what they write is read behind it without a dependence."""
        written, read = self.split()
        body = self.update(written, read, step)
        cell = f"c[{written[0]}]"
        child = f"{cell} = mix({cell}, 3u);" if self.chance(0.4) else ""
        inner = f"{body}\n#pragma omp task shared(c)\n{child}\n" if child else body
        seen = f"seen = mix(seen ^ {cell}, {step}u);"
        self.emit(f"{body} {child} {seen}", f"#pragma omp taskgroup\n{{\n{self.task(self.depends(written, read), inner)}\n}}\n{seen}")

    def sum(self, step):
        """A reduction over tasks that read cells."""
        name = self.name("sum")
        serial, tasks = [], []
        for part in range(self.random.randint(1, 5)):
            cell = self.random.randrange(CELLS)
            code = f"{name} += c[{cell}] * {2 * part + 1}u;"
            serial.append(code)
            tasks.append(f"#pragma omp task in_reduction(+ : {name}) depend(in : c[{cell}]) shared(c)\n{{ {self.pause()}{code} }}")
        tail = f"seen = mix(seen ^ {name}, {step}u);"
        inside = "\n".join(tasks)
        self.emit(f"{{ unsigned {name} = {step}; {' '.join(serial)} {tail} }}",
                  f"{{ unsigned {name} = {step};\n#pragma omp taskgroup task_reduction(+ : {name})\n{{\n{inside}\n}}\n{tail} }}")

    def nested(self, step):
        """A task whose children have dependences among themselves."""
        written, _ = self.split()
        parts = [f"c[{cell}] = mix(c[{cell}], {step + part}u);" for part in range(self.random.randint(1, 4)) for cell in written]
        children = "\n".join(f"#pragma omp task depend(inout : {part.split(' ')[0]}){self.more()} shared(c)\n{{ {part} }}" for part in parts)
        inner = self.random.choice([f"{children}\n#pragma omp taskwait", f"#pragma omp taskgroup\n{{\n{children}\n}}"])
        final = self.random.choice(["", "", " final(1)", " untied"])
        self.emit(" ".join(parts), f"#pragma omp task{self.depends(written, [])}{final} shared(c)\n{{\n{inner}\n}}")

    def loop(self, step):
        """`taskloop` in a task, over a copy of what it writes."""
        written, read = self.split()
        clause = self.random.choice(["", " grainsize(1)", " grainsize(3)", " num_tasks(2)", " num_tasks(50)", " nogroup", " grainsize(strict : 2)"])
        name, count = self.name("t"), self.random.choice((1, 7, 16))
        seed = " + ".join(f"c[{cell}]" for cell in read + written)
        one = f"{name}[i] = mix(first + i, {step}u);"
        before = f"unsigned {name}[{count}], first = {seed}, all = 0;"
        after = f"for (int i = 0; i < {count}; i++) all = all * 31 + {name}[i]; " + " ".join(f"c[{cell}] = mix(c[{cell}], all);" for cell in written)
        wait = "\n#pragma omp taskwait" if "nogroup" in clause else ""
        plain = f"for (int i = 0; i < {count}; i++) {one}"
        self.emit(f"{{ {before} {plain} {after} }}",
                  f"#pragma omp task{self.depends(written, read)} shared(c)\n{{ {before}\n#pragma omp taskloop{clause} shared({name}) firstprivate(first)\n"
                  f"{plain}{wait}\n{after} }}")

    def team(self, step):
        """A team of its own in a task."""
        cell = self.random.randrange(CELLS)
        threads = self.random.randint(1, 3)
        one = f"sum += mix(start + i, {step}u);"
        plain = f"for (unsigned i = 0; i < 9; i++) {one}"
        before, after = f"unsigned sum = 0, start = c[{cell}];", f"c[{cell}] = mix(c[{cell}], sum);"
        if self.chance(0.5):
            inner = f"#pragma omp parallel for num_threads({threads}) reduction(+ : sum) schedule(dynamic)\n{plain}"
        else:
            inner = (f"#pragma omp parallel num_threads({threads})\n#pragma omp single\nfor (unsigned i = 0; i < 9; i++) {{\n#pragma omp task firstprivate(i) shared(sum)"
                     f"\n{{ unsigned part = mix(start + i, {step}u);\n#pragma omp atomic\nsum += part; }}\n}}")
        self.emit(f"{{ {before} {plain} {after} }}", f"#pragma omp task depend(inout : c[{cell}]) shared(c)\n{{ {before}\n{inner}\n{after} }}")

    # Dependences of other forms

    def depobj(self, step):
        written, read = self.split(3)
        body = self.update(written, read, step)
        name = self.name("d")
        first = self.random.choice(("in", "inout", "out"))
        made = f"omp_depend_t {name};\n#pragma omp depobj({name}) depend({first} : c[{written[0]}])\n"
        if first == "in" or self.chance(0.3):
            made += f"#pragma omp depobj({name}) update(inout)\n"
        clauses = f" depend(depobj : {name})" + self.depends(written[1:], read)
        self.emit(body, f"{{ {made}{self.task(clauses, body)}\n#pragma omp depobj({name}) destroy\n}}")

    def iterator(self, step):
        """A task that reads every other cell of a range, or writes it."""
        low = self.random.randint(0, CELLS - 3)
        high, by = self.random.randint(low + 1, CELLS), self.random.randint(1, 2)
        cells = list(range(low, high, by))
        is_written = self.chance(0.5)
        other = [cell for cell in range(CELLS) if cell not in cells]
        written = cells if is_written else self.random.sample(other, 1) if other else []
        if not written:
            is_written, written = True, cells
        kind = "inout" if is_written else "in"
        body = self.update(written, [] if is_written else cells, step)
        clauses = f" depend(iterator(k = {low} : {high} : {by}), {kind} : c[k])" + ("" if is_written else self.depend("inout", written))
        self.emit(body, self.task(clauses, body))

    def all_memory(self, step):
        written, read = self.split()
        body = self.update(written, read, step)
        self.emit(body, self.task(f" depend({self.random.choice(('out', 'inout'))} : omp_all_memory)", body))

    # Waits

    def wait(self, step):
        cells = self.random.sample(range(CELLS), self.random.randint(1, 2))
        code = f"seen = mix(seen ^ c[{cells[0]}], {step}u);"
        if self.chance(0.2) and "nowait-wait" not in self.without:
            # Later tasks wait, this thread does not.
            return self.emit("", f"#pragma omp taskwait{self.depend('inout', cells)} nowait")
        self.emit(code, f"#pragma omp taskwait{self.depend('in', cells)}\n{code}")

    def wait_all(self, step):
        code = f"seen = mix(seen ^ c[{step % CELLS}], {step}u);"
        self.emit(code, f"#pragma omp taskwait\n{code}")

    # Events

    def detach(self, step):
        """A task with an event, which the task itself or the next one fulfils; that one depends on nothing that comes later."""
        written, read = self.split()
        body = self.update(written, read, step)
        event = self.name("event")
        task = f"#pragma omp task detach({event}){self.depends(written, read)} shared(c)\n{{ {body}"
        if self.chance(0.3):
            self.emit(body, f"{{ omp_event_handle_t {event};\n{task} omp_fulfill_event({event}); }}\n}}")
            return
        others = [cell for cell in range(CELLS) if cell not in written]
        clauses = self.depend("in", self.random.sample(others, 1)) if others and self.chance(0.4) else ""
        clauses += self.random.choice(["", "", " if(0)"]) + f" firstprivate({event})"
        self.emit(body, f"{{ omp_event_handle_t {event};\n{task} }}\n#pragma omp task{clauses}\n{{ {self.pause()}omp_fulfill_event({event}); }}\n}}")

    def detach_late(self, step):
        """What a task with an event is about is done by the one that fulfils it."""
        cell = f"c[{self.random.randrange(CELLS)}]"
        body, behind = f"{cell} = mix({cell}, {step}u);", f"{cell} = mix({cell}, 5u);"
        event = self.name("event")
        inner = (f"#pragma omp task detach({event}) depend(out : {cell})\n{{ }}\n"
                 f"#pragma omp task firstprivate({event}) shared(c)\n{{ {self.pause()}{body} omp_fulfill_event({event}); }}\n"
                 f"#pragma omp taskwait depend(in : {cell})\n{behind}\n#pragma omp taskwait")
        self.emit(f"{body} {behind}", f"#pragma omp task depend(inout : {cell}) shared(c)\n{{ omp_event_handle_t {event};\n{inner}\n}}")

    # Target tasks

    def device(self):
        """A clause that names one of the devices, however many there are; mostly all of a graph mean the first."""
        return f" device({self.random.randrange(1, 4)} % devices)" if self.chance(0.4) else ""

    def target_cells(self, step):
        """Cells on the device, by a synchronous `target` in a task or by a target task."""
        written, read = self.split()
        body = self.update(written, read, step)
        if len(written) == 1 and not read:
            cell = written[0]
            code = f"c[{cell}] = c[{cell}] * 5u + {step}u;"
            nowait = self.random.choice((" nowait", ""))
            return self.emit(code, f"#pragma omp target{self.device()}{self.depends(written, [])}{nowait} map(tofrom : c[{cell} : 1])\n{{ {code} }}")
        # One section over all cells would make parts of it present, so that each step maps copies.
        local, names = body, ", ".join(f"in{cell}" for cell in written + read)
        for cell in written + read:
            local = local.replace(f"c[{cell}]", f"in{cell}")
        ins = "".join(f"unsigned in{cell} = c[{cell}]; " for cell in written + read)
        outs = " ".join(f"c[{cell}] = in{cell};" for cell in written)
        self.emit(body, f"#pragma omp task{self.depends(written, read)} shared(c)\n{{ {ins}\n#pragma omp target{self.device()} map(tofrom : {names})\n{{ {local} }}\n{outs} }}")

    def kernel(self, step):
        """A kernel on a buffer."""
        buffer = self.random.choice(self.buffers)
        if buffer.is_mapped and not buffer.on_device:
            self.copy(buffer, "to")
        name = buffer.name
        one = f"{name}[i] = mix({name}[i] + (unsigned)i, {step}u);"
        plain = f"for (int i = 0; i < {LENGTH}; i++) {one}"
        parallel = self.random.choice(["", " parallel for", " teams distribute parallel for"])
        nowait = self.random.choice([" nowait", " nowait", ""])
        device = buffer.device if buffer.is_mapped else self.device()
        self.emit(plain, f"#pragma omp target{parallel}{device}{nowait}{buffer.depend()} map(tofrom : {buffer.section()})\n{plain}")
        if buffer.is_mapped:
            buffer.on_host = False

    def data(self, step):
        """A data directive about a buffer, or a host task that changes it."""
        buffer = self.random.choice(self.buffers)
        kinds = ["host"]
        if not buffer.is_mapped:
            kinds += ["enter", "enter"]
        else:
            kinds += ["leave"] + (["from"] if buffer.on_device else []) + (["to"] if buffer.on_host else [])
        kind = self.random.choice(kinds)
        if kind == "enter":
            how = "to" if self.chance(0.7) else "alloc"
            buffer.device = self.device()
            self.directive("enter data", f" map({how} : {buffer.section()})", buffer)
            buffer.is_mapped, buffer.on_device = True, how == "to"
        elif kind == "leave":
            self.leave(buffer)
        elif kind in ("to", "from"):
            self.copy(buffer, kind)
        else:
            if not buffer.on_host:
                self.copy(buffer, "from")
            code = f"{buffer.name}[{step % LENGTH}] = mix({buffer.name}[{(step + 1) % LENGTH}], {step}u);"
            self.emit(code, f"#pragma omp task{buffer.depend()}{self.more()}\n{{ {self.pause()}{code} }}")
            buffer.on_device = False

    def directive(self, name, clause, buffer):
        nowait = self.random.choice([" nowait", " nowait", ""])
        self.emit("", f"#pragma omp target {name}{buffer.device}{clause}{nowait}{buffer.depend()}")

    def copy(self, buffer, way):
        self.directive("update", f" {way}({buffer.section()})", buffer)
        buffer.on_host = buffer.on_device = True

    def leave(self, buffer):
        if buffer.on_host:
            self.directive("exit data", f" map({self.random.choice(('release', 'delete'))} : {buffer.section()})", buffer)
        else:
            self.directive("exit data", f" map(from : {buffer.section()})", buffer)
        buffer.is_mapped, buffer.on_host, buffer.on_device = False, True, False

    def data_region(self, step):
        """`target data` around target tasks, which end in it."""
        name = self.name("x")
        one = [f"for (int i = 0; i < 6; i++) {name}[i] = mix({name}[i] + (unsigned)i, {step + part}u);" for part in range(self.random.randint(1, 3))]
        first = f"unsigned {name}[6] = {{ seen, {step}u }};"
        last = f"for (int i = 0; i < 6; i++) seen = seen * 31 + {name}[i];"
        device = self.device()
        inside = "\n".join(f"#pragma omp target{device} nowait depend(inout : {name}[0])\n{code}" for code in one)
        self.emit(f"{{ {first} {' '.join(one)} {last} }}",
                  f"{{ {first}\n#pragma omp target data{device} map(tofrom : {name})\n{{\n{inside}\n#pragma omp taskwait\n}}\n{last} }}")

    # Text

    def text(self):
        """The functions of the graph; `c` are its cells, `b0` and its like its buffers."""
        form = self.random.choice(FORMS)
        tasks = "\n".join(self.tasks)
        around = {
            "single": "#pragma omp parallel\n#pragma omp single\n{{\n{}\n}}",
            "masked": "#pragma omp parallel\n#pragma omp masked\n{{\n{}\n}}",
            "alone": "{}\n#pragma omp taskwait",
            "each": "{}\n#pragma omp taskwait",
            "task": "#pragma omp parallel\n#pragma omp single nowait\n#pragma omp task shared(seen)\n{{\n{}\n#pragma omp taskwait\n}}",
        }[form].format(tasks)
        buffers = " ".join(f"unsigned *b{at} = b + {at * LENGTH};" for at in range(BUFFERS))
        call = f"run({self.number}, serial{self.number}, tasks{self.number})"
        if form == "each":
            call = f"\n#pragma omp parallel reduction(+ : wrong)\n    wrong += {call}"
        else:
            call = f"wrong += {call}"
        parts = [f"static unsigned {name}{self.number}(unsigned *c, unsigned *b)\n{{\nunsigned seen = 0; {buffers}\n{{\n{code}\n}}\nreturn seen;\n}}\n"
                 for name, code in (("serial", "\n".join(self.serial)), ("tasks", around))]
        return "".join(parts), f"    {call};\n"


HEAD = """#include <omp.h>
#include <stdio.h>
enum {{ CELLS = {cells}, WORDS = {words} }};
#pragma omp declare target
static unsigned mix(unsigned x, unsigned step)
{{
    x = (x ^ step) * 2654435761u;
    return x ^ x >> 15;
}}
#pragma omp end declare target
/* The number of devices, at least one: without any, number 0 is the host. */
static int devices;
static void linger(int rounds)
{{
    for (volatile int i = 0; i < rounds; i++)
        ;
}}
/* Executes both forms of a graph and compares what they leave. */
static int run(int number, unsigned (*serial)(unsigned *, unsigned *), unsigned (*tasks)(unsigned *, unsigned *))
{{
    unsigned first[CELLS + WORDS], second[CELLS + WORDS];
    int wrong = 0;
    for (unsigned i = 0; i < CELLS + WORDS; i++)
        first[i] = second[i] = i * 77 + 5;
    unsigned a = serial(first, first + CELLS), b = tasks(second, second + CELLS);
    if (a != b)
        wrong += printf("test %d: what was seen is %u, should be %u\\n", number, b, a) > 0;
    for (int i = 0; i < CELLS + WORDS; i++)
        if (first[i] != second[i])
            wrong += printf("test %d: word %d is %u, should be %u\\n", number, i, second[i], first[i]) > 0;
    return wrong;
}}
"""


class Tasks:
    """A program of some graphs."""

    def __init__(self, seed, size, without):
        rng = random.Random(seed)
        self.graphs = [Graph(rng, number, without) for number in range(size)]

    def text(self):
        texts = [graph.text() for graph in self.graphs]
        functions, calls = "".join(code for code, _ in texts), "".join(call for _, call in texts)
        head = HEAD.format(cells=CELLS, words=BUFFERS * LENGTH)
        return f"{head}{functions}int main(void)\n{{\n    int wrong = 0;\n    devices = omp_get_num_devices() > 0 ? omp_get_num_devices() : 1;\n{calls}    return wrong != 0;\n}}\n"
