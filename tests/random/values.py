"""Expressions with a known range, and assignments. What is read is what the context may read."""

from context import chance, pick
from scalars import Struct
from tree import Expr, literal

INT_LIMIT = (1 << 31) - 1
REAL_LIMIT = {"float": 1 << 23, "double": 1 << 40}


def constant(ctx, lo, hi):
    """A literal of the range."""
    near = [value for value in (0, 1, 2, 3, 7, -1, -2, -13, 31, 32, 33) if lo <= value <= hi]
    value = ctx.rng.choice(near) if near and chance(ctx.rng, 0.6) else ctx.rng.randint(max(lo, -60), min(hi, 60)) \
        if max(lo, -60) <= min(hi, 60) else lo
    return literal(value)


def squeeze(expr, lo, hi):
    """The expression, brought into a range."""
    if lo <= expr.lo and expr.hi <= hi:
        return expr
    if lo <= 0 <= hi:
        if expr.lo >= 0:
            return Expr("int", 0, hi, "(", expr, f" % {hi + 1})")
        if lo < 0:
            limit = min(hi, -lo) + 1
            return Expr("int", -limit + 1, limit - 1, "(", expr, f" % {limit})")
    text = f"(unsigned)({{}}) % {hi - lo + 1}u"
    before, after = text.split("{}")
    if lo == 0:
        return Expr("int", 0, hi, "(int)(" + before, expr, after + ")")
    return Expr("int", lo, hi, "((int)(" + before, expr, after + f") + {spell_sum(lo)})")


def spell_sum(value):
    return f"({value})" if value < 0 else str(value)


def index_below(ctx, size, depth=1):
    """An index from 0 to `size` - 1."""
    fitting = [index for index in ctx.indices if index.lo >= 0 and index.hi < size]
    if fitting and chance(ctx.rng, 0.6):
        return ctx.rng.choice(fitting)
    if size == 1 or chance(ctx.rng, 0.3):
        return literal(ctx.rng.randrange(size))
    value = integer(ctx, depth) if depth >= 0 else constant(ctx, 0, size - 1)
    if 0 <= value.lo and value.hi < size:
        return value
    return Expr("int", 0, size - 1, "(unsigned)", value, f" % {size}u")


def leaf(ctx, view, depth=0):
    """Parts of a read of some scalar in a view, its type, and whether it is an accumulator."""
    ctx.unit.reads(view.var)
    indices = [index_below(ctx, dim, depth) for dim in view.dims]
    parts = view.element(indices)
    if isinstance(view.type, Struct):
        field = ctx.rng.choice(view.type.fields)
        parts += ("." + field.name,)
        if field.length:
            parts += ("[", index_below(ctx, field.length, depth), "]")
        return parts, field.scalar, False
    return parts, view.type, view.var.sum is not None


def as_int(parts, scalar, accumulator):
    """An access as an int expression."""
    if scalar.family == "complex":
        which = "__real__ " if len(parts) % 2 else "__imag__ "
        if accumulator:
            return Expr("int", -100, 100, f"((int)({which}", parts, ") % 101)")
        return Expr("int", scalar.lo, scalar.hi, f"(int)({which}", parts, ")")
    if scalar.family == "real":
        if accumulator:
            return Expr("int", -100, 100, "((int)", parts, " % 101)")
        return Expr("int", scalar.lo, scalar.hi, "(int)", parts)
    if scalar.is_narrow():
        if accumulator and scalar.family != "bool":
            top = 1 << scalar.bits
            bounds = (0, top - 1) if scalar.family == "unsigned" else (-top // 2, top // 2 - 1)
            return Expr("int", *bounds, parts)
        return Expr("int", scalar.lo, scalar.hi, parts)
    if scalar.family == "unsigned":
        return Expr("int", 0, 100, "(int)(", parts, " % 101u)")
    if accumulator or scalar.bits == 64:
        return Expr("int", -100, 100, "(int)(", parts, " % 101)")
    return Expr("int", scalar.lo, scalar.hi, parts)


def readable_scalars(ctx):
    return ctx.readable()


def integer(ctx, depth=2):
    """An int expression of any range."""
    rng = ctx.rng
    if depth <= 0 or chance(rng, 0.25):
        return integer_leaf(ctx, min(depth, 0))
    form = pick(rng, [("sum", 5), ("product", 3), ("bits", 3), ("quotient", 2), ("shift", 2), ("unary", 2), ("compare", 2),
                      ("choice", 2), ("call", 2 if ctx.program.functions and ctx.may_call else 0), ("wide", 1)])
    return FORMS[form](ctx, depth)


def integer_leaf(ctx, depth):
    rng = ctx.rng
    views = readable_scalars(ctx)
    roll = rng.random()
    if ctx.indices and roll < 0.4:
        return rng.choice(ctx.indices)
    if views and roll < 0.85:
        return as_int(*leaf(ctx, rng.choice(views), depth - 1))
    return constant(ctx, -60, 60)


def bounded(ctx, depth, limit):
    """An int expression of at most a magnitude."""
    return squeeze(integer(ctx, depth), -limit, limit)


def sum_of(ctx, depth):
    left, right = bounded(ctx, depth - 1, 1 << 29), bounded(ctx, depth - 1, 1 << 29)
    if chance(ctx.rng, 0.5):
        return Expr("int", left.lo + right.lo, left.hi + right.hi, "(", left, " + ", right, ")")
    return Expr("int", left.lo - right.hi, left.hi - right.lo, "(", left, " - ", right, ")")


def product(ctx, depth):
    left, right = bounded(ctx, depth - 1, 40000), bounded(ctx, depth - 1, 40000)
    corners = [a * b for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
    return Expr("int", min(corners), max(corners), "(", left, " * ", right, ")")


def bits(ctx, depth):
    left, right = integer(ctx, depth - 1), integer(ctx, depth - 1)
    magnitude = max(abs(left.lo), abs(left.hi), abs(right.lo), abs(right.hi), 1)
    top = (1 << magnitude.bit_length()) - 1
    low = 0 if left.lo >= 0 and right.lo >= 0 else -top - 1
    if low < -INT_LIMIT:
        return left
    return Expr("int", low, top, "(", left, ctx.rng.choice((" & ", " | ", " ^ ")), right, ")")


def quotient(ctx, depth):
    left, by = integer(ctx, depth - 1), ctx.rng.choice((2, 3, 4, 5, 7, 8, 10, 16, 33))
    if chance(ctx.rng, 0.5):
        return Expr("int", -(-left.lo // by) if left.lo < 0 else left.lo // by,
                    left.hi // by if left.hi >= 0 else -(-left.hi // by), "(", left, f" / {by})")
    return Expr("int", -by + 1 if left.lo < 0 else 0, by - 1 if left.hi > 0 else 0, "(", left, f" % {by})")


def shift(ctx, depth):
    by = ctx.rng.randint(1, 4)
    if chance(ctx.rng, 0.5):
        left = integer(ctx, depth - 1)
        return Expr("int", left.lo >> by, left.hi >> by, "(", left, f" >> {by})")
    left = squeeze(integer(ctx, depth - 1), 0, 1000)
    return Expr("int", left.lo << by, left.hi << by, "(", left, f" << {by})")


def unary(ctx, depth):
    inner = bounded(ctx, depth - 1, 1 << 30)
    if chance(ctx.rng, 0.5):
        return Expr("int", -inner.hi, -inner.lo, "(-", inner, ")")
    return Expr("int", ~inner.hi, ~inner.lo, "(~", inner, ")")


def compare(ctx, depth):
    return Expr("int", 0, 1, "(", condition(ctx, depth - 1), ")")


def choice(ctx, depth):
    left, right = integer(ctx, depth - 1), integer(ctx, depth - 1)
    return Expr("int", min(left.lo, right.lo), max(left.hi, right.hi),
                "(", condition(ctx, depth - 1), " ? ", left, " : ", right, ")")


def call(ctx, depth):
    """A call of a sequential function of numbers."""
    function = ctx.rng.choice(ctx.program.functions)
    arguments = []
    for _ in range(function.values):
        arguments += [", ", squeeze(integer(ctx, depth - 1), -100, 100)]
    return Expr("int", -100, 100, function, "(", *arguments[1:], ")")


def wide(ctx, depth):
    """64-bit arithmetic that comes back to int."""
    left, right = integer(ctx, depth - 1), integer(ctx, depth - 1)
    factor = ctx.rng.choice((1000003, 65537, 77777777))
    return Expr("int", -100, 100, "(int)(((long long)", left, f" * {factor} + ", right, ") % 101)")


FORMS = {"sum": sum_of, "product": product, "bits": bits, "quotient": quotient, "shift": shift, "unary": unary, "compare": compare,
         "choice": choice, "call": call, "wide": wide}


def condition(ctx, depth=1):
    """Something to branch on, an int expression of 0 and 1."""
    rng = ctx.rng
    left = integer(ctx, depth)
    form = rng.randrange(5)
    if form == 0:
        by = rng.choice((2, 3, 5))
        return Expr("int", 0, 1, left, f" % {by} == {rng.randrange(by)}")
    if form == 1:
        return Expr("int", 0, 1, "(", left, f" & {rng.choice((1, 2, 4))}) {rng.choice(('==', '!='))} 0")
    if form == 2:
        right = integer(ctx, depth)
        return Expr("int", 0, 1, left, f" {rng.choice(('<', '<=', '>', '>=', '==', '!='))} ", right)
    if form == 3:
        return Expr("int", 0, 1, left, f" > {rng.randint(-20, 20)} {rng.choice(('&&', '||'))} ", integer(ctx, depth),
                    f" < {rng.randint(0, 60)}")
    return Expr("int", 0, 1, left, f" {rng.choice(('<', '>'))} {rng.randint(0, 40)}")


def real(ctx, kind, depth=2):
    """An expression of float or double with whole numbers, exact: sums and products that may be contracted."""
    rng = ctx.rng
    if depth <= 0 or chance(rng, 0.2):
        views = [view for view in ctx.readable() if view.type.spelling == kind and view.var.sum is None]
        if views and chance(rng, 0.7):
            parts, scalar, _ = leaf(ctx, rng.choice(views))
            return Expr(kind, scalar.lo, scalar.hi, parts)
        value = squeeze(integer(ctx, 1), -100, 100)
        return Expr(kind, value.lo, value.hi, f"({kind})", value)
    left, right = real(ctx, kind, depth - 1), real(ctx, kind, depth - 1)
    form = rng.randrange(6)
    corners = [a * b for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
    if form <= 2 and max(map(abs, corners)) < REAL_LIMIT[kind]:
        return Expr(kind, min(corners), max(corners), "(", left, " * ", right, ")")
    magnitude = max(abs(left.lo), abs(left.hi)) + max(abs(right.lo), abs(right.hi))
    if form <= 4 and magnitude < REAL_LIMIT[kind]:
        if chance(rng, 0.5):
            return Expr(kind, left.lo + right.lo, left.hi + right.hi, "(", left, " + ", right, ")")
        return Expr(kind, left.lo - right.hi, left.hi - right.lo, "(", left, " - ", right, ")")
    suffix = "f" if kind == "float" else ""
    if chance(rng, 0.3):
        top = max(abs(left.lo), abs(left.hi))
        return Expr(kind, -top, top, f"fabs{suffix}(", left, ")")
    if chance(rng, 0.5):
        return Expr(kind, min(left.lo, right.lo), max(left.hi, right.hi),
                    f"{rng.choice(('fmax', 'fmin'))}{suffix}(", left, ", ", right, ")")
    return Expr(kind, min(left.lo, right.lo), max(left.hi, right.hi),
                "(", condition(ctx, 0), " ? ", left, " : ", right, ")")


def pair(ctx, scalar, limit=None):
    """A complex value from two whole numbers."""
    limit = limit or scalar.hi
    part = scalar.part()
    real_part, imaginary = squeeze(integer(ctx, 1), -limit, limit), squeeze(integer(ctx, 1), -limit, limit)
    return Expr("complex", -limit, limit, f"(({part})", real_part, f" + ({part})", imaginary, " * I)")


def complex_term(ctx, scalar, depth=2):
    """A complex expression, exact, with products."""
    rng = ctx.rng
    if depth <= 0 or chance(rng, 0.3):
        views = [view for view in ctx.readable() if view.type is scalar and view.var.sum is None]
        if views and chance(rng, 0.7):
            return Expr("complex", scalar.lo, scalar.hi, leaf(ctx, rng.choice(views))[0])
        return pair(ctx, scalar, 40)
    left, right = complex_term(ctx, scalar, depth - 1), complex_term(ctx, scalar, depth - 1)
    top = 2 * left.hi * right.hi
    if chance(rng, 0.5) and top < 1 << 21:
        return Expr("complex", -top, top, "(", left, " * ", right, ")")
    top = left.hi + right.hi
    return Expr("complex", -top, top, "(", left, rng.choice((" + ", " - ")), right, ")")


def value_of(ctx, scalar, depth=2):
    """An expression that a variable of the type takes, within its span."""
    rng = ctx.rng
    if scalar.family == "complex":
        return pair(ctx, scalar)
    if scalar.family == "real":
        if chance(rng, 0.5):
            value = squeeze(integer(ctx, depth), scalar.lo, scalar.hi)
            return Expr(scalar.spelling, value.lo, value.hi, f"({scalar.spelling})", value)
        inner = real(ctx, scalar.spelling, depth)
        if scalar.lo <= inner.lo and inner.hi <= scalar.hi:
            return inner
        return Expr(scalar.spelling, -100, 100, f"({scalar.spelling})((int)", inner, " % 101)")
    if scalar.family == "unsigned" and not scalar.is_narrow():
        inner = integer(ctx, depth)
        factor = rng.choice((1, 2654435761, 1540483477))
        return Expr("int", 0, 0, f"({scalar.spelling})", inner, f" * {factor}u" if factor > 1 else "")
    if scalar.bits == 64:
        inner = squeeze(integer(ctx, depth), -10000, 10000)
        return Expr("int", 0, 0, "(long long)", inner, f" * {rng.choice((1, 1, 99999989, 4294967))}")
    return squeeze(integer(ctx, depth), scalar.lo, scalar.hi)


def wraps(scalar):
    """Types whose expressions print as an operand of the type itself, not as int."""
    return scalar.is_integer() and not scalar.is_narrow() and scalar.spelling != "int"
