"""Variables, what a piece of code may do with them, and how parts of arrays are handed to the iterations of a loop.

A program has no race by construction. A *context* is the code that one unit executes: the host, a region, an iteration of a gang loop, and
so on. It owns the views in `writes`: no other unit touches these while it is running. It may read the views in `reads`, which nobody writes in
the meantime. A partitioned loop makes a context for its iterations: what the enclosing unit owns is read-only there, except for
arrays of which every iteration gets a part of its own (`split` in `nests.py`), for variables that the loop reduces, and for those that are updated
atomically. After the loop the enclosing unit owns all of it again.

Code of a region that several gangs execute redundantly owns variables private to each gang only. Arrays of all gangs are in `outs`: a gang
loop takes those that it writes from there for good, since nothing orders gangs behind the loop.
"""

import copy
import random

from tree import Block, Expr, Named, literal
from scalars import Struct


class Var(Named):
    """A variable. `dims` are those of an array; `syntax` is how an access begins, `%` being the name."""

    def __init__(self, name, type_, dims=(), is_global=False, syntax="%"):
        super().__init__(name, is_global)
        self.type = type_
        self.dims = tuple(dims)
        self.syntax = syntax
        self.sum = None  # how large an accumulator has become
        self.operator = None  # of its reductions
        self.first = 0  # initial value of an accumulator
        self.heap = False
        self.owner = None  # the structure that has it as a member
        self.declared = None  # the clause of its `declare`
        self.is_variable = False  # an array of variable length
        self.root = self  # what it is another name of

    def start(self):
        """How an access begins."""
        before, after = self.syntax.split("%")
        return (before, self, after)

    def elements(self):
        count = 1
        for dim in self.dims:
            count *= dim
        return count

    def pointer(self):
        """How a pointer to its elements is declared, % being the name."""
        rest = "".join(f"[{dim}]" for dim in self.dims[1:])
        return f"{self.type.spelling} (*%){rest}" if rest else f"{self.type.spelling} *%"

    def declare(self, name=None):
        """Its declarator with its type."""
        name = name or self.name
        return f"{self.type.spelling} {name}{''.join(f'[{dim}]' for dim in self.dims)}"


class View:
    """A variable, or a part of an array: the elements behind `path`, from `base` on in the first dimension that is left."""

    def __init__(self, var, dims=None, path=(), base=None):
        self.var = var
        self.dims = var.dims if dims is None else tuple(dims)
        self.path = path
        self.base = base
        self.type = var.type

    def element(self, indices):
        """Parts of an access."""
        parts = [self.var.start(), self.path]
        for at, index in enumerate(indices):
            if at == 0 and self.base is not None:
                parts += ["[", self.base, " + ", index, "]"]
            else:
                parts += ["[", index, "]"]
        return tuple(parts)

    def at(self, index):
        """The view of what one index selects."""
        return View(self.var, self.dims[1:], self.path + (self.element([index])[2:],))

    def window(self, start, length):
        """`length` elements from `start` on."""
        base = start if self.base is None else Expr("int", 0, 1 << 30, self.base, " + ", start)
        return View(self.var, (length,) + self.dims[1:], self.path, base)

    def address(self):
        """A pointer to the first element, or to a scalar."""
        if self.dims:
            return ("&",) + self.element([literal(0)] * len(self.dims))
        return ("&",) + self.element([])

    def is_whole(self):
        """Whether it is all of a variable that is no pointer."""
        return not self.path and self.base is None and self.dims == self.var.dims and self.var.syntax == "%" \
            and not self.var.heap and not self.var.declared

    def is_scalar(self):
        return not self.dims and not isinstance(self.type, Struct)


class Unit:
    """A compute construct, a routine, or the host's part of a test: which variables its code uses."""

    def __init__(self):
        self.read = {}
        self.written = {}
        self.filled = {}  # written as a whole before anything is read
        self.unreduced = {}  # accumulators that loops do not reduce
        self.taken = {}  # variables that a gang loop has written
        self.tops = []  # views whose elements are all that the unit may use of a variable

    def reads(self, var):
        var = var.root
        if var not in self.filled:
            self.read[var] = True

    def writes(self, var):
        self.written[var.root] = True

    def fills(self, var):
        if var not in self.read and var not in self.written:
            self.filled[var] = True
        self.written[var] = True


LEVELS = ("gang", "worker", "vector")


class Context:
    """What the code that is being made may do, and where it goes."""

    def __init__(self, program, unit, block, times=1):
        self.program = program
        self.rng = program.rng
        self.unit = unit
        self.block = block
        self.times = times  # how often the code is executed, at most
        self.load = 1  # how many gangs execute it alike
        self.reads = []
        self.writes = []
        self.outs = []
        self.levels = ()
        self.auto = False  # loops have no clause of a level from here on
        self.is_redundant = False
        self.repeats = False  # inside of a sequential loop of the unit
        self.on_device = False
        self.certain = True  # executed whenever the unit is
        self.indices = []
        self.reductions = []  # active ones
        self.gang_reductions = []  # of variables that all gangs share: nothing but reductions touches them until the end of the region
        self.counters = []  # updated atomically
        self.gang_counters = []
        self.unprivate = []  # variables that loops have no private copies of
        self.depth = 0
        self.zero = "zero"
        self.in_loop = False  # `continue` and `break` have a loop
        self.may_return = False
        self.result = None  # type of what the function returns
        self.may_call = True
        self.may_declare = True
        self.in_kernels = False
        self.free_levels = ()  # the construct does not say how many of these there are

    def child(self, block=None, **changes):
        """A context inside of this one; lists are its own, what it declares ends with it."""
        inner = copy.copy(self)
        for name in ("reads", "writes", "outs", "indices", "reductions", "gang_reductions", "counters", "gang_counters"):
            setattr(inner, name, list(getattr(self, name)))
        inner.depth += 1
        inner.block = Block() if block is None else block
        for name, value in changes.items():
            if not hasattr(inner, name):
                raise AttributeError(name)
            setattr(inner, name, value)
        return inner

    def add(self, statement):
        return self.block.add(statement)

    def own(self, view):
        """A variable that this unit declares."""
        self.writes.append(view)

    def free_outs(self):
        """Arrays of all gangs that a gang loop may still write. In a sequential loop there are none: gangs would meet in the next round."""
        return [] if self.repeats else [view for view in self.outs if view.var not in self.unit.taken]

    def readable(self):
        return self.reads + self.writes


def pick(rng, weighted):
    """One of (value, weight)."""
    values = [value for value, _ in weighted]
    return rng.choices(values, [weight for _, weight in weighted])[0]


def chance(rng, probability):
    return rng.random() < probability


def make_random(seed):
    """The source of all decisions for a seed."""
    return random.Random(f"accrue {seed}")
