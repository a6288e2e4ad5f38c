#!/usr/bin/env python3
"""Compares programs with OpenACC's directives with what GCC makes of them without OpenACC.

    python3 tests/conformance/regions.py [--count 200] [--seed 1] [--ways host,O0,gangs,multicore,discrete,sim,sim-O0,sim-order,...,gpu,gpu-O0]

A program goes through steps: compute constructs (`region_nests.py` makes what is in them), data environments around some of them, directives and
routines that bring data there and back, and changes by the host. GCC executes the program as if no directive were in it. For devices with memory of
their own it has a second copy of what such a device may have, `D(name)`; `SEP(...)` is what it does for a copy, `SEQ(...)` for what is private.
A program for shared memory is compiled with `SHARED`, where both are one. Behind each step the host's arrays are hashed: the first line that
differs tells the step and the array. Compiled with `-DDUMP`, a program prints all elements.
"""

import random
import re
import sys

from against_gcc import compare
from nests import INTEGERS, Context, Slice, integer, is_float, joined
from region_data import Environment
from region_forms import RegionForms
from region_nests import LOOPS, Local, Mapped, RegionNests
from region_objects import TYPES, Array, Box, Deep, Part, Rows, Scalar

SHARED_WAYS = {"host": [], "O0": ["-O0"], "gangs": ["--gangs", "3"], "multicore": ["--device", "multicore"]}
SEPARATE_WAYS = {
    "discrete": ["--device", "host-discrete"], "sim": ["--device", "sim"], "sim-O0": ["--device", "sim", "-O0"],
    "sim-order": ["--device", "sim", "--races=strict", "--schedules", "2", "--queues", "lag"],
    "sim-lock": ["--device", "sim", "--reduction", "lock", "--divergence", "structured", "--verify"],
    "sim-cas": ["--device", "sim", "--reduction", "cas"],
    "sim-deterministic": ["--device", "sim", "--deterministic", "--gangs", "3"], "gpu": ["--device", "cuda"], "gpu-O0": ["--device", "cuda", "-O0"],
}
HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <complex.h>
#ifdef _OPENACC
#include <openacc.h>
#define SEQ(...)
#define API(...) __VA_ARGS__
#define DEVICE(name) acc_deviceptr(name)
#else
#define SEQ(...) __VA_ARGS__
#define API(...)
#define DEVICE(name) D(name)
static void *acc_malloc(size_t size) { return malloc(size); }
static void acc_free(void *at) { free(at); }
static void acc_memcpy_to_device(void *to, const void *from, size_t size) { memcpy(to, from, size); }
static void acc_memcpy_from_device(void *to, const void *from, size_t size) { memcpy(to, from, size); }
static void acc_memcpy_device(void *to, const void *from, size_t size) { memcpy(to, from, size); }
#endif
#if defined _OPENACC || defined SHARED
#define SEP(...)
#define D(name) name
#define BOTH(name) name
#define G(name) name
#else
static int at_host;
#define SEP(...) __VA_ARGS__
#define D(name) dev_##name
#define G(name) (at_host ? name : dev_##name)
#define BOTH(name) name, dev_##name
#endif
enum colour { RED, GREEN = 5, BLUE };
struct pair { long a; double b; };
static void show(const char *name, long value) { printf("%s is %ld\\n", name, value); }
#ifdef DUMP
#define EACH(name, value) printf("%s[%d] is %ld\\n", name, k, value)
#else
#define EACH(name, value)
#endif
#define HASH(step, name, count, element) { unsigned long h = 0; for (int k = 0; k < count; k++) { \\
long value = (long)(element); h = h * 31 + (unsigned long)value; EACH(name, value); } printf("step %d: %s %lx\\n", step, name, h); }
"""


class Program(Environment):
    """A program with some steps."""

    def __init__(self, seed, on_host):
        self.random, self.shared = random.Random(seed), on_host
        self.bounds = {f"n{value}": value for value in self.random.sample(range(1, 20), 3)}
        self.functions = ["f1", "f2", "f3"]
        self.nests = RegionNests(self.random, self.bounds, self.functions)
        self.step = 0
        # Functions with constructs, and what blocks declare outside of functions.
        self.called, self.declared = [], []
        self.forms = RegionForms(self)
        self.objects = [self.object(f"a{k}") for k in range(self.random.randrange(4, 8))]
        # What functions of a device read and no construct changes.
        self.table = Array("table", 40, self.random, "created")
        self.objects.append(self.table)
        self.types = sorted({view.type for thing in self.objects for view in thing.views if view.contiguous and view.addressable})
        self.launched = self.random.sample(self.types, min(2, len(self.types)))
        self.queues = ["1", "2", "7", "", self.nests.number(3)]

    def object(self, name):
        length = self.random.choice([40, 64, 120, 360, 500])
        return self.nests.pick(Array, Array, Array, Array, Array, Box, Deep, Deep, Rows, Scalar)(name, length, self.random)

    # Functions.

    def function(self, name):
        context = Context("vector", [], [self.table.read_by_functions()], ["x", "y"])
        known = self.nests.functions
        self.nests.functions = [other for other in self.functions if other < name]
        value = self.nests.value(context, 3) if self.nests.functions else "x * 3 + (y ^ x) % 17"
        self.nests.functions = known
        body = f"{{\nreturn {value};\n}}"
        if self.nests.chance(5):
            return f"#pragma acc routine seq\nstatic long {name}_there(long x, long y)\n{body}\n#pragma acc routine seq bind({name}_there)\nstatic long {name}(long x, long y)\n{body}"
        if self.nests.chance(4):
            return f"static long {name}(long x, long y);\n#pragma acc routine({name}) seq\nstatic long {name}(long x, long y)\n{body}"
        if self.nests.chance(4):
            # One that calls itself.
            body = f"{{\nreturn x > 0 && x < 9 ? {name}(x - 1, y * 3 + x) : {value};\n}}"
        return f"{self.nests.pick('', '#pragma acc routine seq', '#pragma acc routine seq', '#pragma acc routine device_type(nvidia) seq device_type(*) seq')}\nstatic long {name}(long x, long y)\n{body}".lstrip()

    def procedure(self, type, level):
        """A function that changes elements behind a pointer, in a loop that its level shares or in one that it does not."""
        name = f"p_{level}_{type.replace(' ', '_')}"
        kinds = {"seq": ["plain", "seq"], "vector": ["vector"], "worker": ["worker", "worker vector"], "gang": ["gang", "gang vector", "gang worker vector"]}[level]
        kind = self.random.choice(kinds)
        context = Context("vector", [], [], ["x", "i", "count"])
        bounds, self.nests.bounds = self.nests.bounds, {}
        value = self.nests.stored(type, context)
        more = ""
        if level != "gang":
            # What else its threads do with the first elements.
            level_of_code = {"seq": "vector", "vector": "worker", "worker": "gang"}[level]
            inside = Context(level_of_code, [Slice(Local("at", type, 12), "", 12)], [], ["x", "count"], budget=60, depth=2)
            more = f"\nif (count >= 12) {{\n{self.nests.statements(inside, 2)}\n}}"
        self.nests.bounds = bounds
        directive = "" if kind == "plain" else f"#pragma acc loop {kind}\n"
        text = f"#pragma acc routine {level}\nstatic void {name}({type} *at, int count, long x)\n{{\n{directive}for (int i = 0; i < count; i++) at[i] {'=' if is_float(type) else self.nests.pick('=', '+=', '^=')} {value};{more}\n}}"
        self.nests.procedures.setdefault(type, {})[level] = name
        return text

    def launcher(self, type):
        """A function with a construct that works on a device's memory."""
        context = Context("vector", [], [], ["x", "i", "count"])
        value = self.nests.stored(type, context)
        construct = self.nests.pick("parallel loop", "parallel loop gang vector", "kernels loop independent", "serial loop", "parallel loop worker num_gangs(1)")
        return f"static void launch_{type.replace(' ', '_')}({type} *at, int count, long x)\n{{\n#pragma acc {construct} deviceptr(at)\nfor (int i = 0; i < count; i++) at[i] {'=' if is_float(type) else self.nests.pick('=', '+=', '^=')} {value};\n}}"

    # Compute constructs.

    def construct(self):
        """A compute construct."""
        pick, rng, nests = self.nests.pick, self.random, self.nests
        usable = [thing for thing in self.objects if (thing.window or not thing.dynamic_only) and thing is not self.table]
        if not usable:
            return self.change()
        chosen = rng.sample(usable, min(len(usable), rng.randrange(2, 6)))
        by_host = nests.chance(8)
        queue = None if by_host else self.queue(3)
        count = rng.randrange(1, min(4, len(chosen) + 1))
        owned, read, effects, wants = [], [], [], {}
        called = nests.chance(4) and all(isinstance(thing, Array) and not thing.fields for thing in chosen)
        kept = [(thing, thing.name, thing.is_pointer) for thing in chosen]
        for thing in chosen if called else []:
            thing.name, thing.is_pointer = f"to_{thing.name}", True
        for number, thing in enumerate(chosen):
            window, lost = thing.window or (thing.whole if by_host else self.some_window(thing)), False
            if thing.window is None and not by_host and nests.chance(3):
                lost = True
                effects.append(thing.transfer(window, True))
            thing.on_device = lost or thing.window is not None and not by_host
            wants[thing.name] = (window, lost)
            views = [view if not thing.divisible or window == thing.whole or by_host else Part(view, window[0] * thing.unit, (window[1] - window[0]) * thing.unit) for view in thing.views]
            if number < count:
                owned += [Slice(view, "", view.length) for view in views]
            else:
                read += views
        before_text, clauses = self.ordered([*chosen, self.table], queue)
        before, after, head = [], [], []
        context = Context("host", owned, read, list(self.bounds))
        reduced = [thing for thing in chosen if isinstance(thing, Array) and not thing.columns and not thing.fields and thing.type in TYPES and not called and not wants[thing.name][1]]
        if reduced and nests.chance(3):
            # A loop may reduce elements of what the program has, which is then for nothing else.
            thing = rng.choice(reduced)
            low, high = wants[thing.name][0]
            first = rng.randrange(low, high)
            operator = pick("+", "max", "min") if is_float(thing.type) else pick("+", "*", "&", "|", "^", "max", "min")
            context.reductions = [Mapped(thing, operator, first, rng.randrange(1, min(high - first, 6) + 1))]
            context.owned = [slice for slice in owned if slice.array not in thing.views and getattr(slice.array, "view", None) not in thing.views]
            context.read = [view for view in read if view not in thing.views and getattr(view, "view", None) not in thing.views]
        for _ in range(rng.choice([0, 0, 1, 2])):
            name, type = nests.name("s"), rng.choice(TYPES)
            before.append(f"{type} {name} = {rng.randrange(1, 9)};")
            head.append(f"copy({name})")
            after.append(f'show("{name}", (long){name});')
            context.atomics.append((name, type, "+" if is_float(type) else pick("+", "*", "&", "|", "^")))
        construct = pick("parallel", "parallel", "parallel", "kernels", "serial")
        nests.analysed = construct == "kernels"
        make = pick(self.combined, self.combined, self.gangs, self.single)
        text, extra_before, extra_after = make(context, construct, head)
        before += extra_before
        after += extra_after
        given = self.clauses(chosen, wants, text, by_host)
        # Several numbers of gangs beside a reduction are an error.
        has_reduction = any("reduction" in clause for clause in [text, *head, *given])
        if "dim: 2" in text and "num_gangs" not in text and not has_reduction:
            given.append(pick("", f"num_gangs({nests.number(3)}, {nests.number(2)})", "num_gangs(1, 4)"))
        if by_host:
            given.append(pick("if(0)", "self", "self(1)", f"if({nests.number(0)})"))
        elif nests.chance(8):
            given.append(pick("if(1)", "self(0)", f"if({nests.number(1)})"))
        text = text.replace(" @clauses@", joined(given) + clauses, 1)
        for thing in chosen:
            thing.on_device = False
        if queue is not None and (before or after or "@wait@" in text):
            # Variables of the block end with it.
            after.insert(0, self.wait(queue))
            text = text.replace("@wait@", after[0])
        text = text.replace("@wait@", "")
        if by_host:
            text = f"SEP(at_host = 1;)\n{text}\nSEP(at_host = 0;)"
        lines = [*effects, "{", *before, text, *after, "}"]
        if nests.chance(8):
            lines = ["for (int again = 0; again < 2; again++) {", *lines, "}"]
        if called:
            function = f"step_{self.step}"
            both = [(thing.parameter(thing.name), thing.parameter(f"dev_{thing.name}")) for thing in chosen]
            given = ", ".join(host for host, _ in both), ", ".join(f"{host}, {device}" for host, device in both)
            self.called += [f"#if defined _OPENACC || defined SHARED\nstatic void {function}({given[0]})\n#else\nstatic void {function}({given[1]})\n#endif\n{{", *lines, "}"]
            for thing, name, is_pointer in kept:
                thing.name, thing.is_pointer = name, is_pointer
            lines = [f"{function}({', '.join(f'BOTH({thing.name})' for thing in chosen)});"]
        # What no queue works on, the host may see.
        return "\n".join(filter(None, [before_text, *lines, self.hashes(chosen)]))

    def clauses(self, chosen, wants, text, by_host):
        """Clauses of data."""
        pick, found = self.nests.pick, []
        default = "" if by_host else pick("", "", "", "", "none", "present")
        absent_scalar = default == "none"
        for thing in chosen:
            window, lost = wants[thing.name]
            if not re.search(rf"\b{thing.name}\b", text):
                continue
            items = ", ".join(thing.items(window))
            if by_host:
                found.append(f"copy({items})" if isinstance(thing, Scalar) else pick("", f"copy({items})" if not thing.dynamic_only else ""))
                continue
            if thing.window:
                first = thing.items(window)[0]
                kinds = [f"present({first})", f"present({items})", f"copy({items})", f"copyin({items})", f"create({items})", f"no_create({items})", f"copyout({items})"]
                if thing.dynamic_only:
                    kinds = [f"present({first})"]
                if window == thing.whole and not absent_scalar and not isinstance(thing, (Rows, Scalar)):
                    kinds += [""] * 4
                found.append(pick(*kinds))
                continue
            if lost:
                found.append(f"copyin({items})")
                continue
            kinds = [f"copy({items})", f"pcopy({items})"]
            if window == thing.whole and not thing.is_pointer and not isinstance(thing, (Deep, Scalar)) and not default:
                kinds += ["", ""]
            found.append(pick(*kinds))
        for name in self.bounds:
            if re.search(rf"\b{name}\b", text):
                found.append(pick(f"copyin({name})", f"copyin({name})" if self.nests.analysed else f"firstprivate({name})", *([] if absent_scalar or default == "present" and self.nests.analysed else ["", ""])))
        if default:
            found.append(f"default({default})")
        return found

    def sizes(self, construct, one=False):
        """How many gangs, workers and lanes there are."""
        if construct == "serial":
            return []
        number, chance = self.nests.number, self.nests.chance
        found = [f"num_gangs({number(1 if one else self.random.choice([1, 2, 5, 30]))})"] if one or chance(3) else []
        workers = self.random.choice([1, 2, 4, 8])
        found += [f"num_workers({number(workers)})"] * chance(3) + [f"vector_length({number(self.random.choice([1, 32, 64, 128]))})"] * chance(3)
        return found

    def combined(self, context, construct, head):
        """A construct with a loop."""
        one = construct == "parallel" and self.nests.chance(4)
        kinds = [kind for kind in LOOPS["single"] if kind != "plain"] if one or construct != "parallel" else LOOPS["gangs"]
        if construct == "kernels":
            kinds = [kind for kind in kinds if kind != "seq"]
        head = [*head, *self.sizes(construct, one)]
        around = "single" if one or construct != "parallel" else "gangs"
        return self.nests.loop(context, self.random.choice(kinds), (f"{construct} loop @clauses@", head), around=around), [], []

    def held(self, inside, head, before, after, may_change):
        """Variables that a construct has copies of."""
        lines = []
        for _ in range(self.random.randrange(3)):
            name, type, kind = self.nests.name("h"), self.random.choice(self.nests.types), self.nests.pick("firstprivate", "firstprivate", "private") if may_change else "firstprivate"
            shape = self.nests.pick("", "", "array", "structure")
            before.append({"": f"{type} {name} = 57;", "array": f"{type} {name}[3] = {{11, 12, 13}};", "structure": f"struct {{ char a; {type} b; }} {name} = {{1, 2}};"}[shape])
            inner = {"": name, "array": f"{name}[1]", "structure": f"{name}.b"}[shape]
            head.append(f"{kind}({name})")
            if kind == "private":
                lines.append(f"{inner} = {self.random.randrange(9)};")
            if may_change:
                before.append(f"SEQ(char {name}_kept[sizeof {name}]; memcpy({name}_kept, &{name}, sizeof {name});)")
                after.append(f"SEQ(memcpy(&{name}, {name}_kept, sizeof {name});)")
                inside.temporaries.append((inner, type))
            elif type in INTEGERS:
                inside.scalars.append(inner)
            after.append(f'show("{name}", {integer(inner, type)});')
        return lines

    def single(self, context, construct, head):
        """A construct whose code one gang executes."""
        inside, before, after = context.inner(level="single"), [], []
        head = [*head, *self.sizes(construct, construct == "parallel")]
        lines = self.held(inside, head, before, after, True) if construct != "kernels" else []
        if construct != "kernels" and self.nests.chance(3):
            reduction, declared = self.nests.reduction(context)
            inside.reductions = [*context.reductions, reduction]
            head.append(reduction.clause())
            before.append(declared)
            after += self.nests.results(context, reduction)
        body = self.nests.statements(inside, self.random.randrange(1, 6))
        return f"#pragma acc {construct}{joined(head)} @clauses@\n{{\n" + "\n".join([*lines, body]) + "\n}", before, after

    def gangs(self, context, construct, head):
        """Loops that gangs share, one after the other: no gang waits for another one, so each has arrays for itself."""
        if construct != "parallel":
            return self.single(context, construct, head)
        inside, before, after = context.inner(level="gangs", owned=[]), [], []
        head = [*head, *self.sizes(construct)]
        self.held(inside, head, before, after, False)
        text = [self.nests.pick(self.nests.declaration, self.nests.table, self.nests.array)(inside) for _ in range(self.random.randrange(3))]
        inside.scalars += [name for name, type in inside.temporaries if type in INTEGERS]
        inside.temporaries = []
        inside.reductions = list(context.reductions)
        for _ in range(self.random.choice([0, 1, 2])):
            reduction, declared = self.nests.reduction(context)
            inside.reductions.append(reduction)
            before.append(declared)
            named = reduction.name.split(".")[0]
            head.append(self.nests.pick(f"copy({named})", reduction.clause()))
            after += self.nests.results(context, reduction)
        # What one dimension of gangs shares, the gangs of another one would repeat.
        kinds = [kind for kind in LOOPS["gangs"] if "dim" not in kind] if self.random.randrange(6) else ["gang(dim: 2)"]
        for slice in context.owned:
            level = self.nests.procedures.get(slice.array.type, {}) if slice.array.contiguous else {}
            if "gang" in level and "gang" in kinds and self.nests.chance(2):
                text.append(self.nests.call(inside.inner(owned=[slice])))
                continue
            kind = self.random.choice(kinds)
            text.append(self.nests.loop(inside.inner(owned=[slice]), kind, results=False))
        return f"#pragma acc parallel{joined(head)} @clauses@\n{{\n" + "\n".join(text) + "\n}", before, after

    def some_step(self, depth=0):
        kind = self.nests.pick(*["construct"] * 8, "change", "change", "enter", "enter", "leave", "data", "data", "update", "update", "address", "address", "mapped", "ask", "form", "form")
        if kind == "form":
            return self.forms.block()
        if kind in ("data", "mapped"):
            return getattr(self, kind)(depth) if depth < 3 else self.construct()
        return getattr(self, "address_step" if kind == "address" else kind)()

    def spelled(self, text):
        """The same with other expressions in sections of data clauses."""
        def section(found):
            low, count = (self.nests.number(int(edge)) if self.nests.chance(4) else edge for edge in found.groups())
            return f"[{low}:{count}]"

        def line(text):
            is_data = re.match(r"#pragma acc (data|enter|exit|update|parallel|serial|kernels) ", text)
            return re.sub(r"(?<!\w\])\[(\d+):(\d+)\](?![^()]*\)\s*reduction)", section, text) if is_data and "reduction" not in text else text

        return "\n".join(line(one) for one in text.split("\n"))

    def program(self):
        functions = ["#pragma acc routine seq\nstatic struct pair both(struct pair of, long y)\n{\nof.a = of.a * 3 + y;\nof.b += y % 50;\nreturn of;\n}"]
        functions += [self.function(name) for name in self.functions]
        for type in self.random.sample(self.types, min(2, len(self.types))):
            functions += [self.procedure(type, level) for level in self.random.sample(["seq", "vector", "worker", "gang"], 2)]
        functions += [self.launcher(type) for type in self.launched]
        start = []
        for thing in self.objects:
            start += [thing.locals(), thing.setup(thing.name)]
            start.append(f"SEP({thing.setup(f'dev_{thing.name}')})" if thing.setup("x") else "")
            start += [f"for (int k = 0; k < {view.length}; k++) {view.place(thing.name, 'k')} = (k * {self.random.randrange(1, 99)} + {self.random.randrange(99)}) % 701 - 200;" for view in thing.views]
            if thing.declared:
                thing.window, thing.structured = thing.whole, 1
                start += [thing.update("device", thing.whole), thing.transfer(thing.whole, True)]
        steps = [self.some_step() for _ in range(self.random.randrange(4, 11))]
        for thing in self.objects:
            while thing.dynamic:
                steps.append(self.leave(thing))
        steps += [self.settled(self.objects), self.hashes(self.objects)]
        bounds = "\n".join(f"int {name} = {value};" for name, value in self.bounds.items())
        objects = "".join(thing.globals() for thing in self.objects)
        shared = "#define SHARED\n" if self.shared else ""
        body = "\n".join(line for line in "\n".join([*start, *steps]).split("\n") if line)
        body, self.called = self.spelled(body), [self.spelled(line) for line in self.called]
        return f"{shared}{HEAD}{objects}{bounds}\n" + "\n".join([*functions, *self.declared, *self.called]) + f"\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n"


def make(seed, on_host):
    """The text of a program."""
    return Program(seed, on_host).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, SHARED_WAYS), (False, SEPARATE_WAYS)]))
