"""Functions with `routine`: sequential ones in expressions, and ones that contain partitioned loops."""

import single
from context import Context, Unit, Var, View, chance, pick
from scalars import FLOAT, INT, SCALARS
from tree import Block, Group, Line, Named, literal
from values import integer, squeeze, value_of

LENGTHS = (8, 16, 33, 64)


class Function(Named):
    """A function, with a twin. `level` is that of its directive; None if it has none."""

    def __init__(self, name, level, values, result):
        super().__init__(name, True)
        self.level = level
        self.values = values  # parameters of type int
        self.result = result
        self.parameters = []
        self.own = None  # the array that it writes, as a view of its parameter
        self.source = None  # the array that it reads
        self.object = None  # the structure that it gets
        self.is_declared_before = False  # its directive names it, behind a declaration
        self.body = Block()
        self.unit = Unit()

    def signature(self, printer):
        parameters = [var.declare() for var in self.parameters]
        for var in (self.own, self.source):
            if var is not None:
                const = "const " if var is self.source else ""
                parameters.append(f"{const}{var.type.spelling} *{var.name}")
        if self.object is not None:
            parameters.append(self.object.declare())
        return f"static {self.result.spelling} {printer.name(self)}({', '.join(parameters)})"

    def print(self, printer):
        if printer.is_dropped(self):
            return
        if self.level and not printer.twin and self.is_declared_before:
            printer.lines.append(self.signature(printer) + ";")
            printer.lines.append(f"#pragma acc routine({self.name}) {self.level}")
        elif self.level and not printer.twin:
            printer.lines.append(f"#pragma acc routine {self.level}")
        printer.lines.append(self.signature(printer) + " {")
        self.body.print(printer)
        printer.lines.append("}")


def context_of(program, function):
    """The context of a function's body."""
    function.is_declared_before = chance(program.rng, 0.2)
    ctx = Context(program, function.unit, function.body, times=60)
    ctx.on_device = function.level is not None
    ctx.zero = "zero_of_routines"
    ctx.may_return = True
    ctx.result = function.result
    for at in range(function.values):
        var = Var("ab"[at], INT)
        function.parameters.append(var)
        function.body.add(Line(var, " %= 101;", keep=True))
        ctx.own(View(var))
    return ctx


def sequential(program):
    """A function of numbers; sometimes without its directive, which OpenACC then supplies."""
    rng = program.rng
    level = "seq" if chance(rng, 0.8) else None
    function = Function(program.name("f"), level, rng.randint(1, 2), INT)
    ctx = context_of(program, function)
    ctx.reads += program.device_globals()
    single.statements(ctx, rng.randint(0, 3))
    ctx.add(Line("return ", squeeze(integer(ctx, 2), -100, 100), ";", keep=True))
    return function


def of_structure(program):
    """A sequential function that gets a structure and gives one."""
    function = Function(program.name("f"), "seq", 1, program.rng.choice(program.structs))
    ctx = context_of(program, function)
    ctx.may_return = False
    function.object = Var("object", function.result)
    ctx.own(View(function.object))
    single.statements(ctx, program.rng.randint(1, 3))
    ctx.add(Line("return ", function.object, ";", keep=True))
    return function


def with_levels(program):
    """A function with partitioned loops."""
    rng = program.rng
    level = pick(rng, [("vector", 3), ("worker", 3), ("gang", 1 if program.options.gang_routines else 0)])
    function = Function(program.name("f"), level, 1, rng.choice(SCALARS))
    ctx = context_of(program, function)
    ctx.reads += program.device_globals()
    function.own = Var("own", rng.choice(SCALARS), (rng.choice(LENGTHS),))
    function.own.heap = True
    function.source = Var("source", rng.choice((INT, FLOAT)), (rng.choice(LENGTHS),))
    function.source.heap = True
    ctx.reads.append(View(function.source))
    ctx.levels = {"gang": ("gang", "worker", "vector"), "worker": ("worker", "vector"), "vector": ("vector",)}[level]
    own = View(function.own)
    ctx.unit.tops.append(own)
    if level == "gang":
        ctx.is_redundant = True
        ctx.outs.append(own)
    else:
        ctx.writes.append(own)
    single.statements(ctx, rng.randint(2, 5))
    ctx.add(Line("return ", value_of(ctx, function.result), ";", keep=True))
    return function


def fits(ctx, function, view):
    """Whether a view may be the array that a function writes."""
    return view.type is function.own.type and len(view.dims) == 1 and view.dims[0] >= function.own.dims[0] \
        and view.var.sum is None


def call_statement(ctx):
    """A call of a function with partitioned loops, where these may be."""
    rng = ctx.rng
    callable_ = []
    for function in ctx.program.level_routines:
        if function.level not in ctx.levels:
            continue
        if function.level != "gang" and ctx.is_redundant and "gang" in ctx.levels and chance(rng, 0.5):
            continue
        across = function.level == "gang" and ctx.is_redundant
        if function.level == "gang" and not ctx.is_redundant:
            continue
        owns = [view for view in (ctx.free_outs() if across else ctx.writes) if fits(ctx, function, view)]
        callable_ += [(function, view, across) for view in owns]
    if not callable_ or ctx.times * ctx.load > 30:
        single.assignment(ctx)
        return
    function, own, across = rng.choice(callable_)
    sources = [view for view in ctx.reads if view.type is function.source.type and len(view.dims) == 1
               and view.dims[0] >= function.source.dims[0] and view.var.sum is None]
    if not sources:
        declare_source(ctx, function, across)
        return
    source = rng.choice(sources)
    ctx.unit.reads(source.var)
    ctx.unit.reads(own.var)
    ctx.unit.writes(own.var)
    if across:
        ctx.unit.taken[own.var] = True
    arguments = []
    for _ in range(function.values):
        arguments += [squeeze(integer(ctx, 1), -100, 100), ", "]
    call = (function, "(", *arguments, own.address(), ", ", source.address(), ")")
    if chance(rng, 0.3):
        ctx.add(Line(*call, ";"))
        return
    var = Var(ctx.program.name("x"), function.result)
    ctx.add(Line(function.result.spelling + " ", var, " = ", call, ";"))
    ctx.own(View(var))


def declare_source(ctx, function, across):
    """An array for the function to read."""
    if across or ctx.times > 100:
        return
    var = Var(ctx.program.name("l"), function.source.type, function.source.dims)
    together = ctx.child(Group())
    together.add(Line(f"{var.type.spelling} ", var, f"[{var.dims[0]}];", keep=True))
    single.fill(together, View(var), keep=True)
    ctx.add(together.block)
    ctx.reads.append(View(var))
