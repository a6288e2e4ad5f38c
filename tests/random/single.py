"""Statements that one thread executes: assignments, declarations, pointers, control flow. Which of them become single mode, and
which stand inside of a partitioned loop, is a matter of the context alone."""

import nests
import atomics
import objects
import reductions
import routines
from context import Var, View, chance, pick
from scalars import SCALARS, Struct
from tree import Around, Block, Expr, For, Group, If, Line, literal
from values import condition, index_below, integer, squeeze, value_of, complex_term

MAX_DEPTH = 7


def statements(ctx, count):
    """Some statements."""
    for _ in range(count):
        if ctx.program.spend():
            statement(ctx)


def statement(ctx):
    """One statement, of a kind that the context allows."""
    deep = ctx.depth >= MAX_DEPTH
    can_fork = bool(ctx.levels or ctx.auto) and not deep
    kinds = [
        (assignment, 5 if ctx.writes else 0),
        (declare_scalar, 2),
        (declare_array, 1 if ctx.times * ctx.load <= 4000 else 0),
        (declare_struct, 1),
        (pointer, 1 if ctx.writes else 0),
        (branch, 0 if deep else 2),
        (switch, 0 if deep else 1),
        (counted, 0 if deep else 3 if can_fork else 1),
        (while_loop, 0 if deep else 1),
        (nests.partitioned, 6 if can_fork else 0),
        (reductions.update, 4 if ctx.reductions else 0),
        (atomics.statement, 2 if ctx.counters or (ctx.on_device and ctx.writes) else 0),
        (routines.call_statement, 2 if ctx.program.level_routines and ctx.may_call else 0),
        (leave_iteration, 1 if ctx.in_loop else 0),
        (leave_function, 1 if ctx.may_return else 0),
        (alias, 0 if deep else 1),
        (objects.through_pointer, 1 if ctx.writes and not deep else 0),
        (objects.walk, 0.4 if ctx.writes else 0),
        (objects.bytes_of, 0.4 if ctx.writes else 0),
        (objects.copy_structure, 0.4 if ctx.writes else 0),
        (objects.jump, 0 if deep else 0.7),
        (objects.inside_expression, 1 if ctx.writes else 0),
        (accumulate, 1),
    ]
    pick(ctx.rng, kinds)(ctx)


def assign_to(ctx, parts, scalar):
    """`parts = value`, in one of the ways in which C writes it."""
    rng = ctx.rng
    if scalar.family == "complex" and chance(rng, 0.6):
        name = ctx.program.name("t")
        part = scalar.part()
        value = complex_term(ctx, scalar)
        ctx.add(Line(f"{{ {scalar.spelling} {name} = ", value, "; ", parts, f" = ({part})((int)__real__ {name} % 41)"
                     f" + ({part})((int)__imag__ {name} % 41) * I; }}"))
        return
    ctx.add(Line(parts, " = ", value_of(ctx, scalar), ";"))


def target(ctx, view):
    """Parts of some scalar of a view, its type, and the view's variable marked as written."""
    ctx.unit.writes(view.var)
    indices = [index_below(ctx, dim) for dim in view.dims]
    parts = view.element(indices)
    if isinstance(view.type, Struct):
        field = ctx.rng.choice(view.type.fields)
        parts += ("." + field.name,)
        if field.length:
            parts += ("[", index_below(ctx, field.length), "]")
        return parts, field.scalar
    return parts, view.type


def plain(views):
    """Those that are no accumulators."""
    return [view for view in views if view.var.sum is None]


def assignment(ctx):
    """To something owned; now and then to all of an array."""
    views = plain(ctx.writes)
    if not views:
        return
    view = ctx.rng.choice(views)
    if view.dims and view.dims[0] <= 70 and ctx.times * ctx.load * view.dims[0] <= 10000 and chance(ctx.rng, 0.3):
        fill(ctx, view)
        return
    parts, scalar = target(ctx, view)
    assign_to(ctx, parts, scalar)


def fill(ctx, view, keep=False):
    """Assigns to every element, by loops or by one that is partitioned."""
    inner = ctx
    if (ctx.levels or ctx.auto) and len(view.dims) == 1 and not isinstance(view.type, Struct) and chance(ctx.rng, 0.5):
        nests.partitioned_fill(ctx, view, keep)
        return
    ctx.unit.writes(view.var)
    indices = []
    outer = None
    for dim in view.dims:
        shape = nests.Shape(Var(ctx.program.name("i"), nests.INT_TYPE), 0, 1, dim)
        body = Block()
        loop = For(shape, dim, body, keep=keep)
        loop.may_shrink = not keep
        inner.add(loop) if outer is None else outer.body.add(loop)
        outer = loop
        inner = inner.child(body, times=inner.times * dim, in_loop=False)
        inner.indices.append(shape.value())
        indices.append(shape.value())
    parts = view.element(indices)
    if isinstance(view.type, Struct):
        inner.add(Line(parts, f" = (struct {view.type.tag})", initialiser(inner, view.type), ";", keep=keep))
    else:
        inner.add(Line(parts, " = ", value_of(inner, view.type, 1), ";", keep=keep))


def initialiser(ctx, struct):
    """Braces with a value for every member."""
    parts = ["{"]
    for at, field in enumerate(struct.fields):
        if at:
            parts.append(", ")
        if field.length:
            parts += ["{", value_of(ctx, field.scalar, 1), ", ", value_of(ctx, field.scalar, 0), "}"]
        else:
            parts.append(value_of(ctx, field.scalar, 1))
    return tuple(parts) + ("}",)


def declare_scalar(ctx):
    """A variable of the unit."""
    var = Var(ctx.program.name("x"), ctx.rng.choice(SCALARS))
    ctx.add(Line(var.type.spelling + " ", var, " = ", value_of(ctx, var.type), ";"))
    ctx.own(View(var))


def declare_array(ctx):
    """An array with values: from braces, or from loops; sometimes of a length that is known at run time only."""
    rng = ctx.rng
    dims = (rng.choice((1, 3, 4, 8, 16, 33, 64)),) if chance(rng, 0.8) else (rng.randint(2, 5), rng.randint(2, 7))
    if ctx.times > 2000:
        dims = (min(dims[0], 4),)
    var = Var(ctx.program.name("l"), rng.choice(SCALARS + ctx.program.structs), dims)
    view = View(var)
    together = Group()
    inner = ctx.child(together)
    if len(dims) == 1 and not isinstance(var.type, Struct) and chance(rng, 0.3):
        together.add(Line(f"{var.type.spelling} ", var, f"[{dims[0]}] = {{", value_of(inner, var.type), "};"))
    else:
        length = "".join(f"[{dim}]" for dim in dims)
        if ctx.program.options.vla and chance(rng, 0.2):
            length = "".join(f"[{ctx.zero} + {dim}]" for dim in dims)
        together.add(Line(f"{var.type.spelling} ", var, f"{length};", keep=True))
        fill(inner, view, keep=True)
    ctx.add(together)
    ctx.own(view)


def declare_struct(ctx):
    """A structure, from values or from another one."""
    struct = ctx.rng.choice(ctx.program.structs)
    var = Var(ctx.program.name("s"), struct)
    same = [view for view in ctx.readable() if view.type is struct]
    functions = [function for function in ctx.program.struct_functions if function.result is struct]
    if same and functions and ctx.may_call and chance(ctx.rng, 0.5):
        view = ctx.rng.choice(same)
        ctx.unit.reads(view.var)
        source = (ctx.rng.choice(functions), "(", squeeze(integer(ctx, 1), -100, 100), ", ",
                  view.element([index_below(ctx, dim) for dim in view.dims]), ")")
    elif same and chance(ctx.rng, 0.4):
        view = ctx.rng.choice(same)
        ctx.unit.reads(view.var)
        source = view.element([index_below(ctx, dim) for dim in view.dims])
    else:
        source = initialiser(ctx, struct)
    ctx.add(Line(struct.spelling + " ", var, " = ", source, ";"))
    ctx.own(View(var))


def pointer(ctx):
    """A pointer to one of two things that are owned, and a write through it."""
    views = [view for view in plain(ctx.writes) if not isinstance(view.type, Struct)]
    if not views:
        return
    first = ctx.rng.choice(views)
    second = ctx.rng.choice([view for view in views if view.type is first.type])
    name = ctx.program.name("p")
    inner = ctx.child(Block(braces=True))
    addresses = [("&",) + target(inner, view)[0] for view in (first, second)]
    inner.add(Line(f"{first.type.spelling} *{name} = ", condition(inner), " ? ", addresses[0], " : ", addresses[1], ";", keep=True))
    assign_to(inner, (f"*{name}",), first.type)
    ctx.add(inner.block)


def branch(ctx):
    """`if`."""
    then = ctx.child(certain=False)
    statements(then, ctx.rng.randint(1, 3))
    other = None
    if chance(ctx.rng, 0.4):
        other = ctx.child(certain=False)
        statements(other, ctx.rng.randint(1, 2))
    ctx.add(If(condition(ctx), then.block, other.block if other else None))


def switch(ctx):
    """`switch`, with and without `break`."""
    cases = ctx.rng.randint(2, 3)
    selector = squeeze(integer(ctx), 0, cases)
    body = Block()
    for case in range(cases + ctx.rng.randint(0, 1)):
        inner = ctx.child(certain=False)
        statements(inner, ctx.rng.randint(1, 2))
        label = f"case {case}: {{" if case < cases else "default: {"
        body.add(Around((label,), inner.block, ("}" if chance(ctx.rng, 0.3) else "} break;",)))
    ctx.add(Around(("switch (", selector, ") {"), body, ("}",)))


def counted(ctx):
    """A sequential loop around statements, partitioned loops among them."""
    rng = ctx.rng
    limit = 4 if ctx.levels else 7
    count = rng.choice((1, 2, 3, limit))
    if ctx.times * ctx.load * count > 10000:
        return
    shape = nests.random_shape(ctx, count, plain_names=True)
    directive = ctx.on_device and chance(rng, 0.35)
    if chance(rng, 0.1):
        nests.limit_by_value(ctx, shape, nests.changeable(ctx) if directive else [])
    inner = ctx.child(times=ctx.times * max(count, 1), in_loop=True, certain=False, repeats=True)
    inner.may_return = ctx.may_return and not directive
    is_undecided = directive and ctx.program.options.undecided and not ctx.is_redundant and not ctx.auto and ctx.levels and chance(rng, 0.5)
    if is_undecided:
        inner.levels = ()
        inner.reductions = []
    inner.indices.append(shape.value())
    statements(inner, rng.randint(1, 4))
    if not directive and chance(rng, 0.25):
        inner.add(If(condition(inner), Block([Line("break;")])))
    loop = For(shape, count, inner.block)
    if is_undecided:
        loop = nests.undecided(ctx, loop)
    elif directive:
        loop = nests.sequential(ctx, loop)
    ctx.add(loop)


def while_loop(ctx):
    """`while` and `do`, with a counter of their own."""
    rng = ctx.rng
    count = rng.randint(1, 3)
    if ctx.times * ctx.load * count > 10000:
        return
    name = ctx.program.name("w")
    inner = ctx.child(times=ctx.times * count, in_loop=True, certain=False, repeats=True)
    outer = Block(braces=True)
    outer.add(Line(f"int {name} = 0;", keep=True))
    inner.add(Line(f"{name}++;", keep=True))
    inner.indices.append(Expr("int", 1, count, name))
    statements(inner, rng.randint(1, 3))
    if chance(rng, 0.5):
        outer.add(Around((f"while ({name} < {count}) {{",), inner.block, ("}",), keep=True))
    else:
        outer.add(Around(("do {",), inner.block, (f"}} while ({name} < {count});",), keep=True))
    ctx.add(outer)


def leave_iteration(ctx):
    """`if (...) continue;`"""
    ctx.add(If(condition(ctx), Block([Line("continue;")])))


def leave_function(ctx):
    """`if (...) return ...;`, alike for all threads that execute it."""
    ctx.add(If(condition(ctx), Block([Line("return ", value_of(ctx, ctx.result), ";")])))


def alias(ctx):
    """A block in which a pointer stands for an array."""
    views = [view for view in plain(ctx.writes) if len(view.dims) == 1 and not view.var.owner]
    if not views:
        return
    view = ctx.rng.choice(views)
    var = Var(ctx.program.name("q"), view.type, view.dims)
    var.heap = True
    var.root = view.var.root
    inner = ctx.child(Block(braces=True))
    inner.reads = [other for other in ctx.reads if other.var.root is not var.root]
    inner.writes = [other for other in ctx.writes if other.var.root is not var.root] + [View(var)]
    inner.counters = [other for other in ctx.counters if other.var.root is not var.root]
    inner.add(Line(view.type.spelling + " *", var, " = ", view.address(), ";", keep=True))
    # Also where no statement uses the pointer: `default(none)` wants a clause for the address.
    ctx.unit.reads(view.var)
    statements(inner, ctx.rng.randint(1, 4))
    ctx.add(inner.block)


def accumulate(ctx):
    """An accumulator that the unit owns takes part in ordinary code."""
    views = [view for view in ctx.writes if view.var.operator]
    if views:
        view = ctx.rng.choice(views)
        reductions.update(ctx, reductions.Reduction(view, view.var.operator))
    else:
        assignment(ctx)
