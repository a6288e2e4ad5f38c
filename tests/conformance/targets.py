#!/usr/bin/env python3
"""Compares programs with OpenMP `target` with what GCC makes of them without OpenMP.

    python3 tests/conformance/targets.py [--count 200] [--seed 1] [--ways host,O0,discrete,multicore,sim,sim-O0,gpu,gpu-O0]

A program goes through steps: constructs of a device (`device_nests.py` makes what is in them), data environments around some
of them, updates, and changes by the host. GCC executes the program as if no directive were in it, so every construct means what it means in
sequence; where a clause makes a copy, `SEQ(...)` has what the sequential program must do for it. Behind each step the arrays
that the host has are hashed: the first line that differs tells the step and the array. Compiled with `-DDUMP`, a program prints all elements.
"""

import random
import re
import sys

from against_gcc import WITH_OPENMP, compare
from device_nests import LOOPS, DeviceNests
from host_forms import STRUCTURES_DECLARED
from nests import INTEGERS, TYPES, Context, Slice, is_float, joined
from target_forms import DECLARED, TargetForms

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#define SEQ(...)
#define PAR(...) __VA_ARGS__
#else
#define SEQ(...) __VA_ARGS__
#define PAR(...)
static int omp_get_default_device(void) { return 0; }
static int omp_get_initial_device(void) { return 1; }
static void *omp_target_alloc(size_t size, int device) { return malloc(size); }
static void omp_target_free(void *at, int device) { free(at); }
static int omp_target_memcpy(void *to, const void *from, size_t size, size_t t, size_t f, int d, int s)
{
memcpy((char *)to + t, (const char *)from + f, size);
return 0;
}
#endif
static void show(const char *name, long value) { printf("%s is %ld\\n", name, value); }
#ifdef DUMP
#define EACH(name, value) printf("%s[%d] is %ld\\n", name, k, value)
#else
#define EACH(name, value)
#endif
#define HASH(step, name, count, element) { unsigned long h = 0; for (int k = 0; k < count; k++) { \\
long value = (long)(element); h = h * 31 + (unsigned long)value; EACH(name, value); } printf("step %d: %s %lx\\n", step, name, h); }
""" + STRUCTURES_DECLARED + "\n"


class Array:
    """An array of a program: where it is, and how its elements are written."""

    def __init__(self, name, type, length, storage, columns=0, holder=None):
        self.name, self.type, self.length, self.storage, self.columns, self.holder = name, type, length, storage, columns, holder
        self.present = False
        # How a construct names what `target data` has made the address on a device.
        self.address = ""
        # The elements that the next construct maps, if not all.
        self.window = None

    def at(self, number):
        if self.columns:
            return f"{self.name}[({number}) / {self.columns}][({number}) % {self.columns}]"
        return f"{self.name}[{number}]"

    def used(self, text):
        """Whether a text has the array."""
        return re.search(rf"(?<![\w.>]){re.escape(self.name)}(?!\w)", text)

    def declaration(self):
        length = f"length_{self.name}" if self.storage == "variable" else self.length
        shape = f"[{self.length // self.columns}][{self.columns}]" if self.columns else f"[{length}]"
        return f"{self.type} {self.name}{shape};"

    def section(self):
        if self.window:
            return f"{self.name}[{self.window[0]}:{self.window[1]}]"
        whole = self.length // self.columns if self.columns else self.length
        return f"{self.name}[0:{whole}]" + (f"[0:{self.columns}]" if self.columns else "")


class Program:
    """A program with some steps."""

    makes = DeviceNests
    mappers = ["#pragma omp declare mapper(all : struct box one) map(one)"]
    storages = ["global", "global", "static", "local", "kept", "heap", "heap", "declared", "entered", "link", "variable"]

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.bounds = {f"n{value}": value for value in self.random.sample(range(1, 20), 3)}
        self.functions = ["f1", "f2", "f3"]
        self.nests = self.makes(self.random, self.bounds, self.functions)
        self.step = 0
        self.arrays = [self.array(f"a{k}") for k in range(self.random.randrange(4, 8))]
        self.holders = {"box": ".", "way": "->"}
        for holder, member in self.holders.items():
            self.arrays += [Array(f"{holder}{member}{name}", self.random.choice(TYPES), self.length(), "member", holder=holder) for name in "xy"]

    def length(self):
        return self.random.choice([40, 64, 120, 360, 500])

    def array(self, name):
        storage = self.random.choice(self.storages)
        length = self.length()
        columns = self.random.choice([0, 0, 0, 4, 8]) if storage not in ("heap", "variable") else 0
        return Array(name, self.random.choice(self.nests.types), length, storage, columns if columns and length % columns == 0 else 0)

    # Declarations.

    def function(self, name):
        context = Context("thread", [], [], ["x", "y"])
        known = self.nests.functions
        self.nests.functions = [other for other in self.functions if other < name] or ["labs"]
        value = self.nests.value(context, 3) if self.nests.functions != ["labs"] else "x * 3 + (y ^ x) % 17"
        self.nests.functions = known
        simd = self.nests.pick("", "#pragma omp declare simd\n", "#pragma omp declare simd notinbranch simdlen(4)\n", "#pragma omp declare simd uniform(y) linear(x : 1)\n#pragma omp declare simd inbranch\n")
        text = f"{simd}static long {name}(long x, long y)\n{{\nreturn {value};\n}}"
        return self.nests.pick(text, f"#pragma omp declare target\n{text}\n#pragma omp end declare target", f"#pragma omp begin declare target\n{text}\n#pragma omp end declare target")

    def declared_reductions(self):
        """Operators of the program's own: what combines two values, and what one starts with."""
        lines = []
        for type in self.random.sample(["int", "unsigned", "long", "unsigned short"], 2):
            name = f"join_{type.replace(' ', '_')}"
            largest = ["*to = *to < value ? value : *to"] if type.startswith("unsigned") else []
            combine = self.nests.pick("*to += value", "*to ^= value", "*to |= value", *largest)
            lines.append(f"static void {name}({type} *to, {type} value)\n{{\n{combine};\n}}")
            lines.append(f"#pragma omp declare reduction({name} : {type} : {name}(&omp_out, omp_in)) initializer(omp_priv = 0)")
            self.nests.declared[type] = name
        return lines

    def procedure(self, type):
        """A function that changes elements behind a pointer, in a loop with a directive or without."""
        name = f"p_{type.replace(' ', '_')}"
        directive, alone = self.nests.pick(("", True), ("#pragma omp simd\n", True), ("#pragma omp parallel for\n", False), ("#pragma omp loop bind(thread)\n", True), ("#pragma omp parallel for simd schedule(static, 2)\n", False))
        context = Context("lane", [], [], ["x", "i", "count"])
        value = self.nests.value(context)
        value = f"({value}) % 1000" if is_float(type) else value
        text = f"static void {name}({type} *at, int count, long x)\n{{\n{directive}for (int i = 0; i < count; i++) at[i] {'=' if is_float(type) else self.nests.pick('=', '+=', '^=')} {value};\n}}"
        self.nests.procedures[type] = name, alone
        return f"#pragma omp declare target\n{text}\n#pragma omp end declare target"

    def globals(self):
        lines = []
        for array in self.arrays:
            if array.storage == "heap":
                lines.append(f"{array.type} *{array.name};")
            elif array.storage not in ("local", "kept", "member", "variable"):
                lines.append(("static " if array.storage == "static" else "") + array.declaration())
                clause = {"declared": "to", "entered": "enter", "link": "link"}.get(array.storage)
                if clause:
                    lines.append(f"#pragma omp declare target {clause}({array.name})")
        for holder in self.holders:
            members = "\n".join(f"{array.type} {array.name[-1]}[{array.length}];" for array in self.arrays if array.holder == holder)
            lines.append(f"struct {holder} {{\nint before;\n{members}\nlong behind;\n}};")
        lines.append("struct box box;")
        lines += self.mappers
        return "\n".join(lines)

    # Steps.

    def hashes(self, arrays):
        self.step += 1
        return "\n".join(f'HASH({self.step}, "{array.name}", {array.length}, {array.at("k")})' for array in arrays if not array.present)

    def synchronised(self, arrays, text):
        """Brings what is declared for devices there and back."""
        names = ", ".join(array.name for array in arrays if array.storage in ("declared", "entered"))
        return f"#pragma omp target update to({names})\n{text}\n#pragma omp target update from({names})" if names else text

    def maps(self, arrays, written, text):
        """Clauses that bring arrays to the device."""
        clauses, pick = [], self.nests.pick
        holders = set()
        for array in arrays:
            changed, section, name = array in written, array.section(), array.name
            if not array.used(text):
                continue
            if array.holder:
                if array.holder not in holders:
                    holders.add(array.holder)
                    parts = [other for other in arrays if other.holder == array.holder and other.used(text)]
                    whole = "way[0:1]" if array.holder == "way" else "box"
                    pieces = ", ".join(pick(part.name, part.section()) for part in parts)
                    clauses.append(pick("", f"map({whole})", f"map(tofrom : {pieces})", *["map(mapper(all), tofrom : box)"] * (array.holder == "box")) if array.present or array.holder == "box" else pick(f"map({whole})", f"map(tofrom : {pieces})"))
                continue
            if array.storage in ("declared", "entered"):
                clauses.append(pick("", "", f"map(tofrom : {name})", f"map(always, tofrom : {section})"))
                continue
            if array.address:
                clauses.append(array.address)
                continue
            items = [section] if array.storage == "heap" or array.window else [section, name, name]
            item = pick(*items)
            if array.window:
                clauses.append(pick(f"map(tofrom : {item})", f"map({item})", f"map(always, tofrom : {item})"))
                continue
            kinds = [f"map(tofrom : {item})", f"map({item})"]
            if array.present:
                # What the host has may be old.
                kinds += [f"map(always, from : {item})"]
                kinds += ["", "", f"map(alloc : {item})", f"map(to : {item})", f"map(present, alloc : {item})", f"map(present, tofrom : {item})", f"map(from : {item})"]
            else:
                kinds += [f"map(always, tofrom : {item})"]
                kinds += [""] * 3 if array.storage != "heap" else []
                if not changed:
                    kinds += [f"map(to : {item})"] * 2 + ([f"firstprivate({name})"] if array.storage not in ("heap", "link", "variable") else [])
            clauses.append(pick(*kinds))
        return clauses

    def target(self, wanted=None):
        """A construct of a device, which changes the array that is wanted, if any."""
        pick, random = self.nests.pick, self.random
        chosen = random.sample(self.arrays, random.randrange(2, 6))
        if wanted:
            chosen = [wanted, *(array for array in chosen if array is not wanted)]
        count = random.randrange(1, min(4, len(chosen) + 1))
        written, read = chosen[:count], chosen[count:]
        for array in written:
            # What is not mapped as a whole cannot be read as one.
            whole = array.present or array.holder or array.columns or array.storage in ("declared", "entered")
            first = random.randrange(array.length // 2)
            array.window = None if whole or random.randrange(3) else (first, random.randrange(20, array.length - first + 1))
        slices = [Slice(array, str(array.window[0]), array.window[1]) if array.window else Slice(array, "", array.length) for array in written]
        before, after, context = [], [], Context("target", slices, read, list(self.bounds))
        extra = []
        for _ in range(random.choice([0, 0, 1, 2])):
            name, type = self.nests.name("s"), random.choice(TYPES)
            operator = pick("+", "-", "max", "min") if is_float(type) else pick("+", "-", "*", "&", "|", "^", "max", "min")
            before.append(f"{type} {name} = {random.randrange(1, 9)};")
            extra.append(f"map(tofrom : {name})")
            after.append(f'show("{name}", (long){name});')
            pick(context.atomics, context.guarded).append((name, type, operator))
        self.nests.movable = not any(array.present or array.storage in ("declared", "entered") for array in chosen)
        head = ["@maps@", *extra] + ["device(omp_get_default_device())"] * self.nests.chance(8)
        wait = ""
        if self.nests.chance(5):
            head += ["nowait", pick("", f"depend(inout : {written[0].at('0')})")]
            wait = "#pragma omp taskwait"
        shape = pick("loop", "loop", "loop", "block", "block", "teams", "parallel", "reduction")
        if shape == "loop":
            if wait:
                # What is behind the loop reads last values before the wait.
                head, wait = [clause for clause in head if not clause.startswith(("nowait", "depend"))], ""
            text = self.nests.loop(context, random.choice(LOOPS["target"]).split(), head)
        elif shape == "parallel":
            text = self.nests.parallel(context.inner(level="device"), "target parallel", head)
        elif shape == "block":
            inside, held = context.inner(level="device"), []
            for _ in range(random.randrange(3)):
                name, type = self.nests.name("s"), random.choice(TYPES)
                held.append(f"{type} {name} = {random.randrange(1, 90)};")
                kind = pick("map", "map", "firstprivate", "private")
                head.append(f"map(tofrom : {name})" if kind == "map" else f"{kind}({name})")
                if kind != "map":
                    held.append(f"SEQ({type} {name}_kept = {name};)")
                    after.append(f"SEQ({name} = {name}_kept;)")
                if kind == "private":
                    held.append(f"@{name} = {random.randrange(9)};")
                inside.temporaries.append((name, type))
                after.append(f'show("{name}", (long){name});')
            before += [line for line in held if line[0] != "@"]
            first = "\n".join(line[1:] for line in held if line[0] == "@")
            body = self.nests.statements(inside, random.randrange(1, 5))
            text = f"#pragma omp target{joined(head)}\n{{\n{first}\n{body}\n}}"
        elif shape == "reduction":
            reduction, declared = self.nests.reduction(context)
            inside = context.inner(level="device", reductions=[reduction])
            before.append(declared)
            after += self.nests.results(context, reduction)
            body = self.nests.statements(inside, random.randrange(1, 4))
            clause = reduction.clause()
            text = f"#pragma omp taskgroup task_{clause}\n{{\n#pragma omp target in_{clause}{joined(head)}\n{{\n{body}\n{self.nests.update(inside, reduction)}\n}}\n}}"
        else:
            text, results = self.teams(context, head)
            after += results
        maps = self.maps(chosen, written, text)
        maps += self.others(chosen, maps, text, head)
        text = text.replace(" @maps@", joined(maps), 1)
        for array in written:
            array.window = None
        lines = [*before, text, wait, *after]
        return "{\n" + self.synchronised([array for array in chosen if array.used(text)], "\n".join(filter(None, lines))) + "\n}\n" + self.hashes(chosen)

    def others(self, arrays, maps, text, head):
        """Clauses for numbers that a construct reads, and for what no clause names."""
        pick, clauses = self.nests.pick, []
        used = [name for name in self.bounds if re.search(rf"\b{name}\b", text)]
        shares = "default(none)" in text or "shared(" in text
        told = [clause for clause in maps if clause]
        all_named = all(any(re.search(rf"\b{array.holder or array.name}\b", clause) for clause in told) for array in arrays if array.used(text) and array.storage not in ("declared", "entered"))
        kind = pick("", "", "none", "to : scalar", "firstprivate : scalar", "tofrom : scalar", "default : aggregate", "tofrom : aggregate", "default", "tofrom : pointer" if all_named else "default : pointer")
        # `simd` gives its last value to a counter that is declared in front of the construct.
        counts_outside = re.search(r"^(\w+ )+i\d+;$", text, re.M)
        if kind == "none" and (not all_named or counts_outside):
            kind = ""
        for name in used:
            needed = kind == "none"
            choices = [f"map(to : {name})", f"map(tofrom : {name})"] + ([] if shares else [f"firstprivate({name})"]) + ([] if needed else [""] * 4)
            clauses.append(pick(*choices))
        return clauses + ([f"defaultmap({kind})"] if kind else [])

    def teams(self, context, head):
        """Loops that a league shares, one after the other: no team waits for another one, so each has arrays for itself."""
        random, inside = self.random, context.inner(level="teams", owned=[])
        text = [self.nests.declaration(inside) for _ in range(random.randrange(3))]
        inside.scalars += [name for name, type in inside.temporaries if type in INTEGERS]
        before, after, reduced, maps = [], [], [], []
        for _ in range(random.choice([0, 1, 2])):
            reduction, declared = self.nests.reduction(context)
            inside.reductions.append(reduction)
            before.append(declared)
            reduced.append(reduction.clause())
            maps.append(f"map(tofrom : {reduction.name})")
            after += self.nests.results(context, reduction)
        for slice in context.owned:
            kinds = [kind for kind in LOOPS["teams"] if kind != "loop" or not reduced]
            text.append(self.nests.loop(inside.inner(owned=[slice], temporaries=[]), random.choice(kinds).split(), results=False))
        clauses = [f"num_teams({self.nests.number(random.choice([1, 2, 6]))})"] * self.nests.chance(2) + [f"thread_limit({random.choice([1, 32, 64])})"] * self.nests.chance(3)
        head, clauses = joined(head), joined(clauses + reduced)
        start = self.nests.pick(f"#pragma omp target teams{head}{clauses}", f"#pragma omp target{head}{joined(maps)}\n#pragma omp teams{clauses}")
        return "\n".join([*before, start, "{", *text, "}"]), after

    def allocated(self):
        """A construct that works on memory of the device, with copies there and back."""
        plain = [array for array in self.arrays if not array.columns and not array.present and array.storage not in ("member", "declared", "entered")]
        if not plain:
            return self.target()
        array = self.random.choice(plain)
        there = Array(self.nests.name("d"), array.type, array.length, "heap")
        there.present, there.address = True, f"is_device_ptr({there.name})"
        self.arrays.append(there)
        body = "\n".join(self.target(there) for _ in range(self.random.randrange(1, 3)))
        self.arrays.remove(there)
        size, device, host = f"{array.length} * sizeof({array.type})", "omp_get_default_device()", "omp_get_initial_device()"
        first = self.random.randrange(array.length // 2)
        part, offset = f"{self.random.randrange(1, array.length - first)} * sizeof({array.type})", f"{first} * sizeof({array.type})"
        return f"""{{
{array.type} *{there.name} = omp_target_alloc({size}, {device});
omp_target_memcpy({there.name}, {array.name}, {size}, 0, 0, {device}, {host});
{body}
omp_target_memcpy({array.name}, {there.name}, {part}, {offset}, {offset}, {host}, {device});
omp_target_free({there.name}, {device});
}}
{self.hashes([array])}"""

    def change(self):
        """The host changes an array that a device may have."""
        array = self.random.choice(self.arrays)
        factor, offset = self.random.randrange(1, 9), self.random.randrange(50)
        element = array.at("k")
        text = f"for (int k = 0; k < {array.length}; k++) {element} = (int){element} % 300 * {factor} % 1000 + k % {offset + 1};"
        if array.address:
            return ""
        if array.present and not array.holder and not array.columns and self.nests.chance(2):
            first, stride = self.random.randrange(array.length // 2), self.random.choice([1, 1, 2, 3])
            count = self.random.randrange(1, (array.length - first - 1) // stride + 1)
            section = f"{array.name}[{first}:{count}:{stride}]" if stride > 1 else f"{array.name}[{first}:{count}]"
            place = array.at(f"{first} + k * {stride}")
            text = f"for (int k = 0; k < {count}; k++) {place} = (int){place} % 300 * {factor} % 1000 + k % {offset + 1};"
            shown = f'HASH({self.step}, "{array.name} in part", {count}, {place})'
            return f"#pragma omp target update from({section})\n{shown}\n{text}\n#pragma omp target update to({section})"
        if array.present and not array.holder:
            return f"#pragma omp target update from({array.section()})\n{text}\n#pragma omp target update to({array.section()})"
        return text if not array.present else ""

    def data(self, depth):
        """Steps while a device has some of the arrays."""
        absent = [array for array in self.arrays if not array.present and array.storage not in ("declared", "entered")]
        if not absent:
            return self.target()
        chosen = self.random.sample(absent, min(len(absent), self.random.randrange(1, 5)))
        for holder in self.holders:
            if any(array.holder == holder for array in chosen):
                chosen = [array for array in chosen if array.holder != holder] + [array for array in self.arrays if array.holder == holder]
        items = [{"way": "way[0:1]", "box": "box"}.get(array.holder) or (array.section() if array.storage == "heap" else self.nests.pick(array.name, array.section())) for array in chosen]
        items = sorted(set(items))
        addresses = []
        for array in chosen:
            array.present = True
            if not array.holder and self.nests.chance(4):
                heap = array.storage == "heap"
                array.address = f"is_device_ptr({array.name})" if heap else f"has_device_addr({array.name})"
                addresses.append(f"use_device_{'ptr' if heap else 'addr'}({array.name})")
        body = "\n".join(self.some_step(depth + 1) for _ in range(self.random.randrange(1, 4)))
        for array in chosen:
            array.present, array.address = False, ""
        clauses = " ".join(f"map(tofrom : {item})" for item in items)
        if addresses:
            text = f"#pragma omp target data {clauses} {' '.join(addresses)}\n{{\n{body}\n}}"
            if self.nests.chance(2):
                listed = ", ".join(items)
                text = f"#pragma omp target enter data map(to : {listed})\n#pragma omp target data {' '.join(addresses)}\n{{\n{body}\n}}\n#pragma omp target exit data map(from : {listed})"
        elif self.nests.chance(2):
            text = f"#pragma omp target data {clauses}\n{{\n{body}\n}}"
        else:
            listed = ", ".join(items)
            text = f"#pragma omp target enter data map(to : {listed})\n{body}\n#pragma omp target exit data map(from : {listed})"
        return text + "\n" + self.hashes(chosen)

    def some_step(self, depth=0):
        kind = self.nests.pick("target", "target", "target", "target", "change", "data", "allocated", "form", "form")
        if kind == "form":
            return self.forms.block()
        if kind == "allocated":
            return self.allocated()
        if kind == "data" and depth < 3:
            return self.data(depth)
        return self.change() if kind == "change" else self.target()

    def storage(self):
        """Declares the arrays that are not global, and gives all of them values."""
        local = [("static " if array.storage == "kept" else "") + array.declaration() for array in self.arrays if array.storage in ("local", "kept")]
        local += [f"int length_{array.name} = {array.length};\n{array.declaration()}" for array in self.arrays if array.storage == "variable"]
        local += [f"{array.name} = malloc({array.length} * sizeof *{array.name});" for array in self.arrays if array.storage == "heap"]
        local += [f"for (int k = 0; k < {array.length}; k++) {array.at('k')} = (k * {self.random.randrange(1, 99)} + {self.random.randrange(99)}) % 701 - 200;" for array in self.arrays]
        return local

    def program(self):
        self.declared, self.forms = [], TargetForms(self)
        declared = self.declared_reductions()
        functions = [self.function(name) for name in self.functions]
        functions += [self.procedure(type) for type in self.random.sample(sorted({array.type for array in self.arrays}), 2)]
        steps = "\n".join(self.some_step() for _ in range(self.random.randrange(2, 6)))
        local = self.storage()
        bounds = "\n".join(f"int {name} = {value};" for name, value in self.bounds.items())
        functions = "\n".join([DECLARED, *declared, *functions, *self.declared])
        body = "\n".join(["struct way there, *way = &there;", *local, steps, self.hashes(self.arrays)])
        return f"{HEAD}{self.globals()}\n{bounds}\n{functions}\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n"


def make(seed, on_host):
    """The text of a program."""
    return Program(seed).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, WITH_OPENMP)]))
