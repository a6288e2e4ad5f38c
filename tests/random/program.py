"""A whole program: tests, each with its functions, and the comparison of what the two printings compute."""

import hazards
import host
import routines
import variables
from context import Var, View, make_random
from scalars import DOUBLE, FLOAT, INT, SCALARS, SHORT, Field, Struct, packed
from tree import NUMBERS, Printer

PRELUDE = """\
#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENACC
#include <openacc.h>
/* A variable with copies of its own in a construct keeps its value; sequential code changes it. */
#define SAVE(x) __typeof__(x) saved_##x; memcpy(&saved_##x, &x, sizeof(x));
#define RESTORE(x) memcpy(&x, &saved_##x, sizeof(x));
#else
#define SAVE(x)
#define RESTORE(x)
#define acc_wait(queue)
#define acc_wait_all()
#define acc_copyin(address, size)
#define acc_create(address, size)
#define acc_copyout(address, size)
#define acc_delete(address, size)
#define acc_update_device(address, size)
#define acc_update_self(address, size)
#define acc_deviceptr(address) address
#define acc_malloc malloc
#define acc_free free
#define acc_memcpy_to_device memcpy
#define acc_memcpy_from_device memcpy
#endif

/* What the directives compute is noted, and compared with what the twin computes. */
struct entry { const char *name; int index; long long whole; double real, imaginary; };
static struct entry *seen;
static int count, room, at, in_twin, test, failures;
/* What is added to numbers that are known at run time only; the second one is for functions with `routine`. */
static int zero, zero_of_routines;
#pragma acc declare copyin(zero_of_routines)
static void note(struct entry new) {
  if (!in_twin) {
    if (count == room) seen = realloc(seen, (room = 2 * room + 64) * sizeof *seen);
    seen[count++] = new;
    return;
  }
  struct entry old = at < count ? seen[at++] : (struct entry){"nothing", 0, 0, 0, 0};
  if (old.whole == new.whole && old.real == new.real && old.imaginary == new.imaginary) return;
  if (failures++ < 3)
    printf("test %d: %s[%d] is %lld %g %g, should be %lld %g %g\\n", test, new.name, new.index, old.whole, old.real,
           old.imaginary, new.whole, new.real, new.imaginary);
}
static void show(const char *name, int index, long long value) { note((struct entry){name, index, value, 0, 0}); }
static void show_real(const char *name, int index, double value) { note((struct entry){name, index, 0, value, 0}); }
static void show_pair(const char *name, int index, double _Complex value) {
  note((struct entry){name, index, 0, creal(value), cimag(value)});
}
static void sink(void *address) { zero = address == 0; }
"""

MAIN = """\
static void compare(int number, void (*directives)(void), void (*twin)(void)) {
  test = number;
  failures = count = at = 0;
  in_twin = 0;
  directives();
  in_twin = 1;
  twin();
}
"""


WORK = 6000


class Options:
    """What the generator may use; `without` names features, separated by commas, that it leaves out. With `undeclared` the program has
    something in it that is wrong (`hazards.py`)."""

    def __init__(self, without="", undeclared=False):
        self.vla = True
        self.implied = True  # inner loops without the reduction clause that stands further out
        self.array_reductions = True
        self.struct_reductions = True
        self.gang_routines = True
        self.variable_reductions = True  # of arrays of variable length
        self.undecided = True  # loops in `kernels` with a level that nobody calls independent, `auto`
        self.not_equal = True  # loops that end with `!=`
        self.variable_bounds = False  # of sections that are reduced
        for name in filter(None, without.split(",")):
            if name not in vars(self):
                raise SystemExit(f"there is no feature `{name}`; features: {' '.join(vars(self))}")
            setattr(self, name, False)
        self.undeclared = undeclared


class Program:
    """The program of a seed. `size` says how long it gets."""

    def __init__(self, seed, size=10, options=None):
        NUMBERS.last = 0
        self.seed = seed
        self.size = size
        self.rng = make_random(seed)
        self.options = options or Options()
        self.names = 0
        self.fuel = 0
        self.work = 0  # iterations that loops of a test may still have
        self.structs = [Struct("rec", [Field("a", INT), Field("f", FLOAT), Field("d", DOUBLE), Field("s", SHORT, 4)]),
                        Struct("two", [Field("x", self.rng.choice(SCALARS)), Field("y", INT)]), packed()]
        self.functions = []
        self.struct_functions = []
        self.level_routines = []
        self.globals = []
        self.all_functions = []
        self.tickets = {}
        self.device_variables = []
        for _ in range(self.rng.randint(0, 2)):
            var = Var(self.name("c"), self.rng.choice((INT, DOUBLE, SHORT)), (self.rng.choice((1, 4, 9)),), is_global=True)
            var.declared = self.rng.choice(("create", "copyin"))
            self.device_variables.append(var)
        self.tests = []
        for number in range(self.rng.randint(1, 3)):
            self.make_test(number)

    def make_test(self, number):
        """A test with functions of its own, and those of the tests before."""
        for _ in range(self.rng.randint(0, 2)):
            self.fuel = 6
            self.functions.append(self.made(routines.sequential(self)))
        if self.rng.random() < 0.3:
            self.fuel = 5
            self.struct_functions.append(self.made(routines.of_structure(self)))
        for _ in range(self.rng.randint(0, 2)):
            self.fuel = 12
            self.level_routines.append(self.made(routines.with_levels(self)))
        self.work = WORK
        test = host.Host(self, number)
        self.fuel = 5
        variables.declare_all(test)
        for _ in range(self.rng.randint(2, 5)):
            test.statements(1)
        if self.options.undeclared:
            hazards.add(self, test)
        test.finish()
        self.tests.append(test)

    def made(self, function):
        self.all_functions.append(function)
        return function

    def name(self, letter):
        """A name that nothing else has."""
        self.names += 1
        return f"{letter}{self.names}"

    def spend(self):
        """Whether another statement may be made."""
        self.fuel -= 1
        return self.fuel >= 0

    def device_globals(self):
        """Variables of file scope that functions with `routine` may read."""
        return [View(var) for var in self.device_variables]

    def text(self, edits=None):
        """The program as C."""
        edits = edits or {}
        without = [name for name, value in vars(self.options).items() if not value and name != "undeclared"]
        lines = [f"// random program: seed {self.seed} size {self.size} without {','.join(without) or 'nothing'}", PRELUDE]
        lines += [struct.definition() for struct in self.structs]
        for var in self.device_variables + self.globals:
            if edits.get(var.number) != "drop":
                lines += define(var)
        for function in self.all_functions:
            lines += self.both(edits, function.print)
        for test in self.tests:
            lines += self.both(edits, lambda printer, test=test: print_test(printer, test))
        lines += [MAIN, "int main(int argc, char **argv) {", "  int bad = 0;", "  (void)argv;", "  zero = argc > 100;"]
        for var in self.device_variables:
            if edits.get(var.number) != "drop":
                lines.append(f"  for (int k = 0; k < {var.dims[0]}; k++) {var.name}[k] = R_{var.name}[k] = k * 7 % 19;")
                lines.append(f"#pragma acc update device({var.name})")
        for test in self.tests:
            if edits.get(test.top.number) != "drop":
                lines.append(f"  compare({test.number}, test{test.number}, R_test{test.number}); bad |= failures != 0;")
        lines += ["  return bad;", "}", ""]
        return "\n".join(lines)

    def both(self, edits, print_one):
        """The lines of both printings of a function."""
        lines = []
        for twin in (False, True):
            printer = Printer(twin, edits)
            print_one(printer)
            lines += printer.lines
        return lines


def define(var):
    """The two definitions of a variable of file scope."""
    lines = []
    for name in (var.name, "R_" + var.name):
        declared = var.pointer().replace("%", name) if var.heap else var.declare(name)
        lines.append(f"static {declared};")
        if var.declared and name == var.name:
            lines.append(f"#pragma acc declare {var.declared}({name})")
    return lines


def print_test(printer, test):
    """The function of a test."""
    if printer.is_dropped(test.top):
        return
    prefix = "R_" if printer.twin else ""
    printer.lines.append(f"static void {prefix}test{test.number}(void) {{")
    test.top.print(printer)
    printer.lines.append("}")
