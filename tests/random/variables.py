"""Variables of a test: where they live, and their first values."""

import single
from context import Context, Unit, Var, View, chance, pick
from reductions import assign_all, pick_operator, prepare, random_type, start_value
from scalars import SCALARS, Struct
from tree import Clause, Directive, Line

SIZES = [(1, 1), (5, 2), (16, 3), (32, 2), (33, 2), (64, 3), (100, 2), (257, 1), (1025, 2)]
PLANES = ((3, 8, 16, 33), (4, 7, 16, 32))
CUBES = ((3, 5), (4, 7), (2, 9))


class Entry:
    """What is known about a variable of a test: which copies hold its value, and who works on it."""

    def __init__(self, var):
        self.var = var
        self.mapped = None  # how it came to the device: data, enter, declare
        self.count = 0  # how many `enter data` are open
        self.window = None  # (first, length) of what was mapped
        self.host_ok = True
        self.device_ok = False
        self.queue = None  # works on it
        self.is_attached = False  # by a clause of its own

    def may_be_section(self):
        var = self.var
        return len(var.dims) in (1, 2) and var.dims[0] >= 4 and var.sum is None

    def is_aggregate(self):
        return bool(self.var.dims) or isinstance(self.var.type, Struct)


def declare_all(host):
    """Declares variables of all kinds, and then gives them values."""
    rng = host.rng
    for _ in range(rng.randint(3, 6)):
        declare_array(host)
    if chance(rng, 0.3):
        declare_member(host)
    for _ in range(rng.randint(2, 4)):
        enter(host, Var(host.program.name("v"), rng.choice(SCALARS), (), is_global=chance(rng, 0.2)))
    for _ in range(rng.randint(2, 5)):
        declare_accumulator(host)
    for entry in list(host.entries.values()):
        initialise(host, entry.var)


def enter(host, var):
    """Registers a variable and prints where it lives."""
    host.entries[var] = entry = Entry(var)
    top = host.top
    if var.is_global:
        host.program.globals.append(var)
    if var.heap:
        before, after = ("", "") if var.is_global else var.pointer().split("%")
        if var.owner:
            before, after = var.syntax.split("%")
        top.add(Line(before, var, after, f" = calloc({var.elements()}, sizeof({var.type.spelling}));", keep=True))
        host.ends.add(Line("free(", var.start(), ");", keep=True))
    elif var.is_global and var.dims and var.sum is None and chance(host.rng, 0.25):
        var.declared = host.rng.choice(("create", "copyin", "link"))
        entry.mapped = None if var.declared == "link" else "declare"
    elif var.dims and not var.is_global and var.sum is None and chance(host.rng, 0.06):
        # For as long as the function is executed.
        name = host.rng.choice(("create", "copyin", "copy"))
        var.declared = name
        entry.mapped = "declare"
        top.add(Line(var.type.spelling + " ", var, "".join(f"[{dim}]" for dim in var.dims) + ";", keep=True))
        top.add(Directive("declare", [Clause(name, [(var,)], keep=True)], True))
    elif not var.is_global:
        length = "".join(f"[{dim}]" for dim in var.dims)
        options = host.program.options
        if options.vla and (var.sum is None or options.variable_reductions) and var.dims and not isinstance(var.type, Struct) and chance(host.rng, 0.15):
            length = "".join(f"[zero + {dim}]" for dim in var.dims)
            var.is_variable = True
        top.add(Line(var.type.spelling + " ", var, length + ";", keep=True))


def declare_array(host):
    """An array of one to three dimensions, or a structure."""
    rng = host.rng
    dims = (pick(rng, SIZES),)
    if chance(rng, 0.25):
        dims = tuple(rng.choice(sizes) for sizes in (CUBES if chance(rng, 0.2) else PLANES))
    type_ = rng.choice(host.program.structs) if chance(rng, 0.12) else rng.choice(SCALARS)
    if isinstance(type_, Struct) and chance(rng, 0.4):
        dims = ()
    var = Var(host.program.name("a"), type_, dims, is_global=chance(rng, 0.4))
    var.heap = len(dims) in (1, 2) and chance(rng, 0.35)
    enter(host, var)


def declare_member(host):
    """An array that a member of a structure points to."""
    rng = host.rng
    scalar = rng.choice(SCALARS)
    length = pick(rng, SIZES)
    var = Var(host.program.name("b"), scalar, (length,), syntax="%.p")
    var.heap = True
    var.owner = f"struct {{ int n; {scalar.spelling} *p; }}"
    host.top.add(Line(var.owner + " ", var, f" = {{{length}}};", keep=True))
    enter(host, var)


def declare_accumulator(host):
    """A variable for reductions and atomics."""
    rng = host.rng
    type_ = random_type(host.program)
    operator = pick_operator(rng, type_)
    scalar = type_.fields[0].scalar if isinstance(type_, Struct) else type_
    dims = (rng.choice((1, 3, 7, 16)),) if host.program.options.array_reductions and chance(rng, 0.15) else ()
    var = Var(host.program.name("r"), type_, dims, is_global=chance(rng, 0.2))
    var.heap = bool(dims) and chance(rng, 0.3)
    var.first = start_value(rng, scalar, operator)
    prepare(var, var.first, operator)
    enter(host, var)
    if not dims and not var.is_global and chance(rng, 0.15):
        host.top.add(Line("sink(&", var, ");"))


def initialise(host, var):
    """Gives a variable its first value."""
    if var.sum is not None:
        assign_all(host.top, var, var.first)
        return
    ctx = Context(host.program, Unit(), host.top)
    if var.dims or isinstance(var.type, Struct):
        single.fill(ctx, View(var), keep=True)
    else:
        ctx.add(Line(View(var).element([]), " = ", single.value_of(ctx, var.type, 1), ";", keep=True))
