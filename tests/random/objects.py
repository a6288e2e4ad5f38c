"""Statements about objects by their addresses: pointers that stand for scalars, structures and elements, pointers that walk over arrays, and bytes
that are copied or set."""

import nests
import single
from context import Var, View, chance
from scalars import Struct
from tree import Around, Block, Expr, For, Group, Line, literal
from values import index_below, value_of


def hidden(ctx, var, block):
    """A context inside of a block that does not use a variable, nor what has another name for it."""
    inner = ctx.child(block)
    for name in ("reads", "writes", "counters"):
        setattr(inner, name, [view for view in getattr(ctx, name) if view.var.root is not var.root])
    return inner


def through_pointer(ctx):
    """A block in which a pointer stands for a scalar, a structure, or one element of an array."""
    views = single.plain(ctx.writes)
    if not views:
        return
    view = ctx.rng.choice(views)
    if isinstance(view.type, Struct):
        views = [view]
    address = ("&",) + view.element([index_below(ctx, dim) for dim in view.dims])
    var = Var(ctx.program.name("o"), view.type, syntax="(*%)")
    var.root = view.var.root
    inner = hidden(ctx, view.var, Block(braces=True))
    inner.writes.append(View(var))
    # The whole variable has another name now, of which the pointer knows one element only.
    ctx.unit.reads(view.var)
    inner.add(Line(view.type.spelling + " *", var, " = ", address, ";", keep=True))
    single.statements(inner, ctx.rng.randint(1, 4))
    ctx.add(inner.block)


def walk(ctx):
    """A pointer that goes over an array from one end to the other, in one of the ways in which C has it."""
    rng = ctx.rng
    views = [view for view in single.plain(ctx.writes) if len(view.dims) == 1 and view.dims[0] <= 20
             and not isinstance(view.type, Struct)]
    if not views or ctx.times * ctx.load > 1000:
        return
    view = rng.choice(views)
    count = view.dims[0]
    ctx.unit.writes(view.var)
    inner = hidden(ctx, view.var, Block(braces=True))
    inner.times *= count
    inner.in_loop = False
    pointer, end = inner.program.name("p"), inner.program.name("e")
    if chance(rng, 0.5):
        inner.add(Line(f"{view.type.spelling} *{pointer} = ", view.address(), f", *{end} = {pointer} + {count};", keep=True))
        value = value_of(inner, view.type, 1)
        if chance(rng, 0.5):
            inner.add(Line(f"while ({pointer} != {end}) *{pointer}++ = ", value, ";", keep=True))
        else:
            inner.add(Line(f"while ({end} > {pointer}) *--{end} = ", value, ";", keep=True))
        ctx.add(inner.block)
        return
    shape = nests.Shape(Var(inner.program.name("i"), nests.INT_TYPE), 0, 1, count)
    inner.add(Line(f"{view.type.spelling} *{pointer} = ", view.address(), ";", keep=True))
    body = inner.child()
    body.indices.append(shape.value())
    body.add(Line(f"*{pointer}++ = ", value_of(body, view.type, 1), ";", keep=True))
    loop = For(shape, count, body.block, keep=True)
    loop.may_shrink = False
    inner.add(loop)
    ctx.add(inner.block)


def bytes_of(ctx):
    """`memcpy` from one array to another of the same type, or `memset`."""
    rng = ctx.rng
    views = [view for view in single.plain(ctx.writes) if len(view.dims) == 1]
    if not views or ctx.times * ctx.load > 1000:
        return
    view = rng.choice(views)
    sources = [other for other in ctx.readable() if other.type is view.type and len(other.dims) == 1
               and other.var.root is not view.var.root and other.var.sum is None]
    count = rng.randint(1, min(view.dims[0], 40))
    target = ("&",) + view.element([literal(rng.randint(0, view.dims[0] - count))])
    ctx.unit.reads(view.var)
    ctx.unit.writes(view.var)
    spelled = str(count) if chance(rng, 0.5) else f"({ctx.zero} + {count})"
    size = f"{spelled} * sizeof({view.type.spelling})"
    fitting = [other for other in sources if other.dims[0] >= count]
    if fitting and chance(rng, 0.7):
        source = rng.choice(fitting)
        ctx.unit.reads(source.var)
        start = source.element([literal(rng.randint(0, source.dims[0] - count))])
        ctx.add(Line("memcpy(", *target, ", &", start, f", {size});"))
    else:
        ctx.add(Line("memset(", *target, f", 0, {size});"))


def copy_structure(ctx):
    """A structure copied from another one, by assignment or by bytes."""
    views = [view for view in single.plain(ctx.writes) if isinstance(view.type, Struct)]
    if not views:
        return
    view = ctx.rng.choice(views)
    sources = [other for other in ctx.readable() if other.type is view.type and other.var.root is not view.var.root]
    if not sources:
        single.assignment(ctx)
        return
    source = ctx.rng.choice(sources)
    ctx.unit.reads(source.var)
    ctx.unit.writes(view.var)
    target = view.element([index_below(ctx, dim) for dim in view.dims])
    value = source.element([index_below(ctx, dim) for dim in source.dims])
    if chance(ctx.rng, 0.5):
        ctx.add(Line(target, " = ", value, ";"))
    else:
        ctx.add(Line("memcpy(&", target, ", &", value, f", sizeof({view.type.spelling}));"))


def jump(ctx):
    """`goto`, over statements or back to them a few times."""
    rng = ctx.rng
    label = ctx.program.name("l")
    if chance(rng, 0.6):
        inner = ctx.child(certain=False)
        single.statements(inner, rng.randint(1, 3))
        from values import condition
        ctx.add(Around(("if (", condition(ctx), f") goto {label}; {{"), inner.block, (f"}} {label}: ;",)))
        return
    count = rng.randint(1, 3)
    if ctx.times * ctx.load * count > 10000:
        return
    name = ctx.program.name("w")
    outer = Block(braces=True)
    inner = ctx.child(times=ctx.times * count, certain=False, repeats=True)
    inner.indices.append(Expr("int", 1, count, name))
    single.statements(inner, rng.randint(1, 3))
    outer.add(Line(f"int {name} = 0;", keep=True))
    outer.add(Around((f"{label}: {name}++; {{",), inner.block, (f"}} if ({name} < {count}) goto {label};",), keep=True))
    ctx.add(outer)


def inside_expression(ctx):
    """Assignments inside of an expression: executed or not, once."""
    rng = ctx.rng
    views = [view for view in single.plain(ctx.writes)]
    if not views:
        return
    from values import condition
    view = rng.choice(views)
    test = condition(ctx)
    value_context = hidden(ctx, view.var, ctx.block)
    parts, scalar = single.target(value_context, view)
    value = value_of(value_context, scalar, 1)
    form = rng.randrange(4)
    if form == 0:
        ctx.add(Line("(void)(", test, " && (", parts, " = ", value, ", 1));"))
    elif form == 1:
        ctx.add(Line("(void)(", test, " || (", parts, " = ", value, ", 0));"))
    elif form == 2:
        other = value_of(value_context, scalar, 0)
        ctx.add(Line("(void)(", test, " ? (", parts, " = ", value, ", 1) : (", parts, " = ", other, ", 0));"))
    else:
        var = Var(ctx.program.name("x"), scalar)
        together = Group()
        together.add(Line(f"{scalar.spelling} ", var, ";", keep=True))
        together.add(Line(var, " = ", parts, " = ", value, ";", keep=True))
        ctx.add(together)
        ctx.own(View(var))
