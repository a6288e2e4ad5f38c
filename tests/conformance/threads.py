#!/usr/bin/env python3
"""Compares programs with OpenMP's threads and tasks of the host with what GCC makes of them without OpenMP.

    python3 tests/conformance/threads.py [--count 200] [--seed 1] [--ways 1,2,3,8,O0,discrete,multicore,cancel]

A program goes through steps: loops, teams of threads, graphs of tasks and what they do in each other (`host_teams.py` makes that), variables that threads keep, and
questions to the runtime. It computes the same with any number of threads; GCC executes it as if no directive were in it. Where a clause makes a copy, `SEQ(...)`
has what the sequential program must do for it, `PAR(...)` what it must leave. Behind each step the arrays are hashed, so that the first line that differs
tells the step. What GCC makes of a program that differs with `-fopenmp` is told beside.
"""

import re
import sys

from against_gcc import THREADS, compare
from host_forms import Forms
from host_teams import Teams
from nests import Context, Slice, is_float
from targets import HEAD, Program

STUBS = """#ifndef _OPENMP
typedef int omp_lock_t;
typedef int omp_nest_lock_t;
#define omp_init_lock(lock)
#define omp_set_lock(lock)
#define omp_test_lock(lock) 1
#define omp_unset_lock(lock)
#define omp_destroy_lock(lock)
#define omp_init_nest_lock(lock)
#define omp_set_nest_lock(lock)
#define omp_unset_nest_lock(lock)
#define omp_destroy_nest_lock(lock)
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
#endif
static struct pair swapped(struct pair of) { return (struct pair){of.second, of.first}; }
"""
# Constructs that are no statement's.
ALONE = ("barrier", "taskwait", "taskyield", "flush", "cancel", "cancellation", "depobj", "ordered depend", "ordered doacross")


class Threads(Program):
    """A program with some steps."""

    makes = Teams
    mappers = []
    storages = ["global", "global", "static", "local", "kept", "heap", "heap", "variable"]

    def function(self, name):
        return re.sub(r"#pragma omp (begin|end)? ?declare target\n?", "", super().function(name))

    def recursive(self):
        """Functions whose tasks call them again."""
        pick = self.nests.pick
        clause = lambda *more: pick("", "", " untied", " mergeable", " if(n > 2)", " final(n < 4)", *more)
        wait = lambda body: pick(f"{body}\n#pragma omp taskwait", f"#pragma omp taskgroup\n{{\n{body}\n}}")
        fork = lambda call: pick(f"{call};", f"#pragma omp parallel\n#pragma omp single{pick('', ' nowait')}\n{call};", f"#pragma omp parallel num_threads(2)\n#pragma omp masked\n{call};")
        two = wait(f"#pragma omp task shared(a){clause()}\na = fib(n - 1);\n#pragma omp task shared(b) firstprivate(n){clause()}\nb = fib(n - 2);")
        sort = wait(f"#pragma omp task{clause()}\nsort(at, j + 1);\n#pragma omp task firstprivate(i, n){clause()}\nsort(at + i, n - i);")
        loop = pick("taskloop reduction(+ : all)", "taskloop grainsize(4) reduction(+ : all)", "taskloop num_tasks(5) reduction(default, + : all)", "parallel for reduction(task, + : all)", "simd reduction(+ : all)", "parallel master taskloop reduction(+ : all)")
        count = pick("#pragma omp atomic", "#pragma omp critical (queens)", "#pragma omp atomic update relaxed")
        leaf = wait("for (int side = 0; side < 2; side++)\n#pragma omp task in_reduction(+ : total) firstprivate(side)\ntotal += tree_of(n - 1, at * 2 + side);")
        return f"""static long fib(int n)
{{
long a = 0, b = 0;
if (n < 2) return n;
{two}
return a + b;
}}
static long sum_below(int n)
{{
long all = 0;
#pragma omp {loop}
for (int k = 0; k < n; k++) all += k % 7 * k;
return all;
}}
static long placed;
static void place(int n, int row, unsigned columns, unsigned left, unsigned right)
{{
if (row == n) {{
{count}
placed++;
return;
}}
for (int k = 0; k < n; k++) {{
unsigned here = 1u << k;
if ((columns | left | right) & here) continue;
#pragma omp task firstprivate(here){clause()}
place(n, row + 1, columns | here, (left | here) << 1, (right | here) >> 1);
}}
#pragma omp taskwait
}}
static long queens(int n)
{{
long found;
#pragma omp critical (one)
{{
placed = 0;
place(n, 0, 0, 0, 0);
found = placed;
}}
return found;
}}
static void sort(int *at, int n)
{{
if (n < 2) return;
int i = 0, j = n - 1, middle = at[n / 2];
while (i <= j) {{
while (at[i] < middle) i++;
while (at[j] > middle) j--;
if (i <= j) {{ int kept = at[i]; at[i++] = at[j]; at[j--] = kept; }}
}}
{sort}
}}
static long sorted(int n, int seed)
{{
int list[n];
long all = 0;
for (int k = 0; k < n; k++) list[k] = (k * 37 + seed) % 101 - 50;
{fork("sort(list, n)")}
for (int k = 0; k < n; k++) all = all * 3 + list[k] * k;
return all;
}}
static long tree_of(int n, long at)
{{
long total = at % 5;
if (n == 0) return total;
#pragma omp taskgroup task_reduction(+ : total)
{{
{leaf}
}}
return total;
}}
static long tree(int n)
{{
long result = 0;
{fork("result = tree_of(n, 1)")}
return result;
}}"""

    def orphan(self, type):
        """A function whose loops the threads share that call it."""
        nests, pick = self.nests, self.nests.pick
        name = f"o_{type.replace(' ', '_')}"
        lines = []
        for _ in range(nests.random.randrange(1, 4)):
            value = nests.value(Context("lane", [], [], ["x", "count"]))
            value = f"({value}) % 1000" if is_float(type) else value
            change = f"{'=' if is_float(type) else pick('=', '+=', '^=')} {value}"
            schedule = pick("", "", " schedule(static, 3)", " schedule(dynamic, 2)", " schedule(runtime)", " schedule(guided)")
            lines.append(pick(
                f"#pragma omp for{schedule}\nfor (int i = 0; i < count; i++) at[i] {change};",
                f"#pragma omp for{schedule} nowait\nfor (long i = count - 1; i >= 0; i--) at[i] {change};\n#pragma omp barrier",
                f"#pragma omp for{schedule} ordered\nfor (int i = 0; i < count; i++) {{\n#pragma omp ordered\nat[i] {change};\n}}",
                f"#pragma omp single\nfor (int i = 0; i < count; i++) at[i] {change};",
                f"#pragma omp masked\nat[0] {change};\n#pragma omp barrier",
                f"#pragma omp for simd\nfor (int i = 0; i < count; i++) at[i] {change};",
            ))
        self.nests.orphans[type] = name
        body = "\n".join(lines)
        return f"static void {name}({type} *at, int count, long x)\n{{\n{body}\n}}"

    # Steps.

    def unit(self):
        """Statements that start threads and tasks."""
        pick, random = self.nests.pick, self.random
        chosen = random.sample(self.arrays, random.randrange(2, 6))
        count = random.randrange(1, min(4, len(chosen) + 1))
        written, read = chosen[:count], chosen[count:]
        context = Context("initial", [Slice(array, "", array.length) for array in written], read, list(self.bounds))
        before, after = [], []
        for _ in range(random.choice([0, 0, 1, 2])):
            name, type = self.nests.name("s"), random.choice(self.nests.types)
            operator = pick("+", "-", "max", "min") if is_float(type) else pick("+", "-", "*", "&", "|", "^", "max", "min")
            before.append(f"{type} {name} = {random.randrange(1, 9)};")
            after.append(f'show("{name}", (long){name});')
            pick(context.atomics, context.guarded).append((name, type, operator))
        for _ in range(random.choice([0, 1, 2])):
            before.append(self.nests.declaration(context))
        body = self.nests.statements(context, random.randrange(1, 3))
        make = pick(self.nests.region, self.nests.region, self.nests.graph, self.nests.group, lambda context: self.nests.loop(context, random.choice(self.nests.loops["initial"]).split()))
        return "\n".join(["{", *before, body, make(context), *after, "}", self.hashes(chosen)])

    def kept(self):
        """Variables that threads keep from one `parallel` to the next."""
        name, number, type = self.nests.name("k"), self.random.randrange(2, 50), self.nests.pick("int", "long", "double", "short", "struct pair")
        part = f"{name}.second" if type == "struct pair" else name
        self.declared.append(f"static {type} {name};\n#pragma omp threadprivate({name})")
        copied = self.nests.pick(f"#pragma omp parallel copyin({name})\n{{ }}", f"#pragma omp parallel\n{{\n#pragma omp single copyprivate({name})\n{part} = {number};\n}}")
        return f"""{{
int wrong = 0;
{part} = {number};
{copied}
#pragma omp parallel reduction(+ : wrong)
{{
wrong += {part} != {number};
{part} += 3;
}}
#pragma omp parallel reduction(+ : wrong)
wrong += {part} != {number + 3};
show("{name}", wrong * 1000 + (long){part});
}}"""

    def locked(self):
        """Locks around updates that commute."""
        name, count = self.nests.name("w"), self.random.choice([5, 20, 60])
        nested = self.nests.chance(2)
        kind = "nest_lock" if nested else "lock"
        inner = f"omp_set_nest_lock(&{name});\nsum ^= k;\nomp_unset_nest_lock(&{name});" if nested else "sum ^= k;"
        take = f"omp_set_{kind}(&{name});" if nested or self.nests.chance(2) else f"while (!omp_test_lock(&{name})) ;"
        directive = self.nests.pick("parallel for schedule(dynamic)", "parallel for", "parallel master taskloop shared(sum)", "parallel for num_threads(4)")
        return f"""{{
omp_{kind}_t {name};
long sum = 3;
omp_init_{kind}(&{name});
#pragma omp {directive}
for (int k = 0; k < {count}; k++) {{
{take}
{inner}
sum ^= k * 100;
omp_unset_{kind}(&{name});
}}
omp_destroy_{kind}(&{name});
show("locked", sum);
}}"""

    def asked(self):
        """What the runtime must answer."""
        threads = self.random.choice([1, 2, 3])
        return f"""{{
int wrong = 0;
PAR(omp_set_dynamic(0);
wrong += omp_get_level() != 0 || omp_in_parallel() || omp_get_num_threads() != 1 || omp_get_ancestor_thread_num(0) != 0 || omp_get_team_size(1) != -1;
double then = omp_get_wtime();)
#pragma omp parallel num_threads({threads}) reduction(+ : wrong)
{{
PAR(int me = omp_get_thread_num(), all = omp_get_num_threads();
wrong += all > {threads} || me < 0 || me >= all || omp_get_level() != 1 || omp_get_ancestor_thread_num(1) != me || omp_get_team_size(1) != all;
wrong += omp_in_parallel() != (all > 1) || omp_get_active_level() != (all > 1) || omp_get_ancestor_thread_num(2) != -1;)
#pragma omp parallel num_threads(2) reduction(+ : wrong)
{{
PAR(wrong += omp_get_level() != 2 || omp_get_ancestor_thread_num(1) != me || omp_get_team_size(1) != all || omp_get_team_size(2) != omp_get_num_threads();
wrong += omp_get_ancestor_thread_num(2) != omp_get_thread_num() || omp_get_ancestor_thread_num(0) != 0;)
}}
#pragma omp single
{{
#pragma omp task if(0) shared(wrong) final(1)
{{
PAR(if (!omp_in_final()) wrong += 100;)
}}
}}
}}
PAR(wrong += omp_get_wtime() < then;)
show("asked", wrong);
}}"""

    def settings(self):
        """Calls that change how threads are started, and nothing else."""
        calls = ["omp_set_max_active_levels(2);", "omp_set_max_active_levels(3);", "omp_set_dynamic(0);", "omp_set_schedule(omp_sched_dynamic, 2);", "omp_set_schedule(omp_sched_static, 0);", "omp_set_schedule(omp_sched_guided, 3);", "omp_set_num_threads(4);", "omp_set_nested(1);"]
        return f"PAR({' '.join(self.random.sample(calls, self.random.choice([0, 0, 1, 2])))})"

    def some_step(self, depth=0):
        return self.nests.pick(*[self.unit] * 8, *[self.forms.block] * 3, self.kept, self.locked, self.asked)()

    def attributed(self, text):
        """The same program, its directives as attributes."""
        alone = lambda told: ";" if told.startswith(ALONE) else ""
        return re.sub(r"^#pragma omp (.*)$", lambda found: f"[[omp::directive({found[1]})]]{alone(found[1])}", text, flags=re.M)

    def program(self):
        self.declared, self.forms = [], Forms(self)
        declared = self.declared_reductions()
        functions = [self.function(name) for name in self.functions]
        functions += [self.procedure(type) for type in self.random.sample(sorted({array.type for array in self.arrays}), 2)]
        functions += [self.orphan(type) for type in self.random.sample(sorted({array.type for array in self.arrays}), 2)]
        functions.append(self.recursive())
        steps = "\n".join(self.some_step() for _ in range(self.random.randrange(2, 6)))
        if self.nests.chance(6):
            steps = self.attributed(steps)
        bounds = "\n".join(f"int {name} = {value};" for name, value in self.bounds.items())
        body = "\n".join(["struct way there, *way = &there;", *self.storage(), self.settings(), steps, self.hashes(self.arrays)])
        return f"{HEAD}{STUBS}{self.globals()}\n{bounds}\n" + "\n".join([*self.declared, *declared, *functions]) + f"\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n"


def make(seed, on_host):
    """The text of a program."""
    return Threads(seed).program()


if __name__ == "__main__":
    sys.exit(compare(__doc__, make, [(True, THREADS)]))
