"""Reductions: which variables a loop reduces, and the statements that accumulate.

Results are the same in any order of evaluation: sums of whole numbers that stay exact, products of signs, powers of two and odd numbers,
operations on bits, and minima and maxima. `Accumulated` counts how large a variable may become.
"""

from context import Var, View, chance, pick
from scalars import BOOL, OPERATORS, SCALARS, Struct, takes
from tree import Block, Expr, Group, If, Line, literal
from values import condition, index_below, integer, pair, squeeze


class Accumulated:
    """How large an accumulator may have become: the sum of magnitudes, and the number of factors of two."""

    def __init__(self, scalar, start):
        self.limit = scalar.exact()
        self.sum = abs(start)
        self.twos = 0
        self.most_twos = 0 if self.limit is None else 16

    def adds(self, times, magnitude):
        """Whether so many summands of a magnitude are still exact; they are counted if so."""
        if self.limit is not None and (self.sum + times * magnitude >= self.limit or self.twos):
            return False
        self.sum += times * magnitude
        return True

    def doubles(self, times):
        """The same for factors of two."""
        if self.sum > 1000 or self.twos + times > self.most_twos:
            return False
        self.twos += times
        return True


class Reduction:
    """A variable, all or a part of it, and the operator of its reduction."""

    def __init__(self, view, operator, item=None, on_construct=False):
        self.view = view
        self.operator = operator
        self.item = item or (view.var,)
        self.on_construct = on_construct  # the compute construct has the clause

    def fields(self):
        """Names of the members, or one empty name."""
        if isinstance(self.view.type, Struct):
            return [("." + field.name, field.scalar, field.length) for field in self.view.type.fields]
        return [("", self.view.type, None)]


def start_value(rng, scalar, operator):
    """An initial value that is not the identity if the type has another one."""
    if operator in ("&&", "||") or scalar is BOOL:
        return rng.choice((0, 1))
    if operator == "*":
        return rng.choice((1, 3, 5, -3 if scalar.family != "unsigned" else 7))
    if operator == "&":
        return rng.choice((127, 119, 63))
    return rng.randint(0, 40)


def operators_of(type_):
    return type_.operators() if isinstance(type_, Struct) else [op for op in OPERATORS if takes(op, type_)]


def pick_operator(rng, type_):
    return pick(rng, [(op, 4 if op == "+" else 1) for op in operators_of(type_)])


def random_type(program):
    """A type of a variable that is reduced."""
    rng = program.rng
    if program.options.struct_reductions and chance(rng, 0.08):
        return program.rng.choice([struct for struct in program.structs if not struct.text])
    return rng.choice(SCALARS)


def prepare(var, start, operator):
    """Makes an accumulator of a variable; it keeps its operator, so that what it may hold is known."""
    var.operator = operator
    first = var.type.fields[0].scalar if isinstance(var.type, Struct) else var.type
    var.sum = Accumulated(first, start)
    if isinstance(var.type, Struct):
        limits = [field.scalar.exact() for field in var.type.fields if field.scalar.exact()]
        var.sum.limit = min(limits, default=None)
        var.sum.most_twos = 0


def declare(ctx, operator=None):
    """A variable of the unit that loops reduce, with an initial value; now and then an array or a structure."""
    rng = ctx.rng
    type_ = random_type(ctx.program)
    while operator and operator not in operators_of(type_):
        type_ = random_type(ctx.program)
    operator = operator or pick_operator(rng, type_)
    dims = (rng.choice((1, 2, 3, 5, 8)),) if ctx.program.options.array_reductions and chance(rng, 0.12) else ()
    var = Var(ctx.program.name("r"), type_, dims)
    scalar = type_ if not isinstance(type_, Struct) else type_.fields[0].scalar
    start = start_value(rng, scalar, operator)
    prepare(var, start, operator)
    together = Group()
    define(together, var, start)
    ctx.add(together)
    ctx.own(View(var))
    return Reduction(View(var), operator)


def define(block, var, start):
    """The declaration of an accumulator with its initial value."""
    if not var.dims and not isinstance(var.type, Struct):
        block.add(Line(f"{var.type.spelling} ", var, f" = {start};"))
        return
    length = "".join(f"[{dim}]" for dim in var.dims)
    block.add(Line(f"{var.type.spelling} ", var, f"{length};", keep=True))
    assign_all(block, var, start)


def assign_all(block, var, start):
    """Gives every element and member of an accumulator its initial value."""
    braces = "".join(f"for (int k{at} = 0; k{at} < {dim}; k{at}++) " for at, dim in enumerate(var.dims))
    index = "".join(f"[k{at}]" for at in range(len(var.dims)))
    for name, _, length in Reduction(View(var), "+").fields():
        inner = f"for (int m = 0; m < {length}; m++) " if length else ""
        block.add(Line(braces + inner, var.start(), f"{index}{name}{'[m]' if length else ''} = {start};", keep=True))


def varied(ctx, limit):
    """An int that differs between iterations."""
    inner = integer(ctx, 1)
    if ctx.indices and chance(ctx.rng, 0.7):
        inner = squeeze(inner, -(1 << 28), 1 << 28)
        index = squeeze(ctx.rng.choice(ctx.indices), -10000, 10000)
        factor = ctx.rng.choice((1, 3, 7, 13))
        inner = Expr("int", inner.lo + factor * index.lo, inner.hi + factor * index.hi, "(", inner, " + ", index, f" * {factor})")
    return squeeze(inner, -limit, limit)


def hashed(ctx, scalar):
    """All bits of an unsigned type, from an expression."""
    factor = ctx.rng.choice((2654435761, 2246822519, 1540483477))
    inner = varied(ctx, 1 << 28)
    return Expr("int", 0, 0, f"({scalar.spelling})((unsigned)", inner, f" * {factor}u >> {ctx.rng.choice((0, 3, 19))})")


def bit(ctx, scalar):
    """One bit of a type."""
    width = {"bool": 1}.get(scalar.family, min(scalar.bits, 31))
    which = squeeze(varied(ctx, 1000), 0, width - 1)
    return Expr("int", 0, 0, f"({scalar.spelling})(1u << ", which, ")")


def summand(ctx, accumulated, scalar):
    """A value that is added, or None if nothing more can be."""
    if scalar.family == "bool":
        return condition(ctx)
    if scalar.family == "unsigned" and not scalar.is_narrow():
        return hashed(ctx, scalar)
    limit = 40 if scalar.family in ("real", "complex") else 100
    if scalar.bits == 64 and scalar.family == "int":
        limit = 10 ** 10
    if not accumulated.adds(ctx.times, limit):
        return None
    if scalar.family == "complex":
        return pair(ctx, scalar, limit)
    if limit > 1000:
        return Expr("int", -limit, limit, "(long long)", varied(ctx, 10000), " * 1000003")
    value = varied(ctx, limit)
    return value if scalar.is_integer() else Expr(scalar.spelling, value.lo, value.hi, f"({scalar.spelling})", value)


def factor(ctx, accumulated, scalar):
    """A value that is multiplied with."""
    if scalar.family == "bool":
        return condition(ctx)
    if scalar.family == "unsigned" and not scalar.is_narrow():
        return Expr("int", 0, 0, "((unsigned)", varied(ctx, 1 << 28), " * 2u + 1u)")
    if scalar.is_narrow():
        return Expr("int", 0, 0, "(", squeeze(varied(ctx, 1000), 0, 7), " * 2 + 1)")
    if accumulated.doubles(ctx.times):
        return Expr("int", 0, 0, "(", condition(ctx), " ? 2 : 1)")
    if scalar.family == "complex":
        return Expr("complex", 0, 0, "(", condition(ctx), " ? -1 : 1.0f * I)")
    return Expr("int", 0, 0, "(", condition(ctx), " ? -1 : 1)")


def contribution(ctx, accumulated, scalar, operator):
    """What one execution folds in, or None."""
    if operator == "+":
        return summand(ctx, accumulated, scalar)
    if operator == "*":
        return factor(ctx, accumulated, scalar)
    if operator in ("&&", "||"):
        rare = Expr("int", 0, 1, "(unsigned)", varied(ctx, 1 << 28), f" % {ctx.rng.choice((7, 29, 61, 509))}u == 3u")
        return Expr("int", 0, 1, "!(" if operator == "&&" else "(", rare, ")")
    if operator in ("max", "min"):
        return extreme(ctx, scalar)
    if scalar.family == "bool":
        return condition(ctx)
    if operator == "&":
        return Expr("int", 0, 0, f"({scalar.spelling})~", bit(ctx, scalar))
    if operator == "|" or chance(ctx.rng, 0.3):
        return bit(ctx, scalar)
    return hashed(ctx, scalar) if scalar.family == "unsigned" else varied(ctx, 100)


def extreme(ctx, scalar):
    """A candidate for a minimum or maximum, in the range of the type."""
    if scalar.family == "bool":
        return condition(ctx)
    if scalar.family == "unsigned":
        return hashed(ctx, scalar)
    if scalar.family == "real":
        value = varied(ctx, 1 << 20)
        return Expr(scalar.spelling, value.lo, value.hi, f"({scalar.spelling})", value)
    if scalar.bits == 64:
        return Expr("int", 0, 0, "(long long)", varied(ctx, 1 << 28), " * 7919")
    return varied(ctx, min(1 << 28, (1 << (scalar.bits - 1)) - 1))


def update(ctx, reduction=None):
    """A statement that accumulates into a variable whose reduction is active."""
    if not reduction:
        if not ctx.reductions:
            return
        reduction = ctx.rng.choice(ctx.reductions)
    for name, scalar, length in reduction.fields():
        if len(reduction.fields()) > 1 and chance(ctx.rng, 0.3):
            continue
        value = contribution(ctx, reduction.view.var.sum, scalar, reduction.operator)
        if value is None:
            continue
        ctx.unit.reads(reduction.view.var)
        ctx.unit.writes(reduction.view.var)
        parts = reduction.view.element([index_below(ctx, dim) for dim in reduction.view.dims])
        parts += (name,)
        if length:
            parts += ("[", index_below(ctx, length), "]")
        fold(ctx, parts, scalar, reduction.operator, value)


def fold(ctx, parts, scalar, operator, value):
    """`parts = parts OP value`, in one of the forms that C has for it."""
    rng = ctx.rng
    value = Expr(value.kind, value.lo, value.hi, "(", value, ")")
    if operator in ("max", "min"):
        fold_extreme(ctx, parts, scalar, operator, value)
    elif operator in ("&&", "||"):
        if chance(rng, 0.3):
            stop = "!(" if operator == "&&" else "("
            ctx.add(If(Expr("int", 0, 1, stop, value, ")"), Block([Line(parts, f" = {0 if operator == '&&' else 1};")])))
        else:
            ctx.add(Line(parts, " = ", parts, f" {operator} ", value, ";"))
    elif operator == "+" and scalar.is_integer() and scalar.family != "bool" and chance(rng, 0.1):
        ctx.add(Line(parts, "++;"))
    elif operator == "+" and scalar.family not in ("bool",) and chance(rng, 0.15):
        ctx.add(Line(parts, " -= -", value, ";"))
    else:
        form = rng.randrange(3)
        if form == 0:
            ctx.add(Line(parts, " = ", parts, f" {operator} ", value, ";"))
        elif form == 1:
            ctx.add(Line(parts, " = ", value, f" {operator} ", parts, ";"))
        else:
            ctx.add(Line(parts, f" {operator}= ", value, ";"))


def fold_extreme(ctx, parts, scalar, operator, value):
    name = ctx.program.name("e")
    sign = ">" if operator == "max" else "<"
    forms = [
        (f"if ({name} {sign} ", parts, ") ", parts, f" = {name};"),
        (parts, " = ", parts, f" {sign} {name} ? ", parts, f" : {name};"),
        ("if (!(", parts, f" {sign} {name})) ", parts, f" = {name};"),
    ]
    if scalar.family == "real":
        function = f"f{operator}" + ("f" if scalar.bits == 32 else "")
        forms.append((parts, f" = {function}(", parts, f", {name});"))
    ctx.add(Line(f"{{ {scalar.spelling} {name} = ", value, "; ", *ctx.rng.choice(forms), " }"))


class Chosen:
    """Reductions of a loop: those that its body may accumulate, and those that get a clause."""

    def __init__(self):
        self.active = []
        self.named = []

    def add(self, reduction, named=True):
        self.active.append(reduction)
        if named:
            self.named.append(reduction)


def choose(ctx, across_gangs):
    """Reductions of a loop that is made in the context; `across_gangs` if gangs share it that execute the code around it alike."""
    rng = ctx.rng
    chosen = Chosen()
    if across_gangs or not ctx.is_redundant:
        for reduction in ctx.gang_reductions:
            if chance(rng, 0.6):
                implied = reduction.on_construct and ctx.program.options.implied and chance(rng, 0.25)
                chosen.add(reduction, not implied)
    if across_gangs:
        return chosen
    for reduction in ctx.reductions:
        roll = rng.random()
        if roll < 0.5:
            chosen.add(reduction)
        elif roll < 0.65 and ctx.program.options.implied:
            chosen.add(reduction, False)
    if len(chosen.active) < 3 and chance(rng, 0.55):
        for _ in range(pick(rng, [(1, 5), (2, 2), (3, 1)])):
            reduction = own_accumulator(ctx, chosen)
            if reduction:
                chosen.add(reduction)
    return chosen


def own_accumulator(ctx, chosen):
    """A variable of the unit to reduce: a new one, or one that it has."""
    taken = [reduction.view.var for reduction in chosen.active + ctx.reductions]
    there = [view for view in ctx.writes if view.var.operator and view.var not in taken and view.is_whole()
             and view.var not in ctx.unit.unreduced]
    if there and (chance(ctx.rng, 0.4) or not ctx.may_declare):
        view = ctx.rng.choice(there)
        return Reduction(view, view.var.operator)
    return declare(ctx) if ctx.may_declare else None


def clauses_of(chosen, rng):
    """(operator, items) of the clauses, variables of one operator in one clause or in several."""
    groups = []
    for reduction in chosen.named:
        group = next((items for operator, items in groups if operator == reduction.operator), None)
        if group is not None and chance(rng, 0.4):
            group.append(reduction.item)
        else:
            groups.append((reduction.operator, [reduction.item]))
    return groups
