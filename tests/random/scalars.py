"""Scalar types, the values that variables of them hold, and the operators of reductions.

A *plain* variable always holds a value of `span`, so that every expression has a known range and nothing overflows. An *accumulator*
holds what a reduction or atomic has made of it; how large that may become is counted (`Accumulated` in `reductions.py`).
"""


class Scalar:
    """A scalar type. `family` is bool, int, unsigned, real or complex; narrow types are promoted to int by C."""

    def __init__(self, spelling, family, bits, lo, hi):
        self.spelling = spelling
        self.family = family
        self.bits = bits
        self.lo = lo
        self.hi = hi

    def is_integer(self):
        return self.family in ("bool", "int", "unsigned")

    def kind(self):
        """Kind of the expressions that are assigned to it."""
        if self.family == "real":
            return self.spelling
        return "complex" if self.family == "complex" else "int"

    def part(self):
        """The type of a part of a complex number."""
        return "float" if self.bits == 64 else "double"

    def is_narrow(self):
        """Whether C computes in int."""
        return self.is_integer() and self.bits < 32

    def exact(self):
        """Largest magnitude of whole numbers that are exact, or that do not overflow; None if everything wraps."""
        if self.family == "real":
            return 1 << 23 if self.bits == 32 else 1 << 30
        if self.family == "complex":
            return 1 << 22 if self.bits == 64 else 1 << 29
        if self.family == "int" and not self.is_narrow():
            return 1 << (self.bits - 2)
        return None


BOOL = Scalar("_Bool", "bool", 8, 0, 1)
INT = Scalar("int", "int", 32, -1000, 1000)
UNSIGNED = Scalar("unsigned", "unsigned", 32, 0, (1 << 32) - 1)
FLOAT = Scalar("float", "real", 32, -100, 100)
DOUBLE = Scalar("double", "real", 64, -100, 100)
FLOAT_COMPLEX = Scalar("float _Complex", "complex", 64, -40, 40)
DOUBLE_COMPLEX = Scalar("double _Complex", "complex", 128, -40, 40)
LONG_LONG = Scalar("long long", "int", 64, -(10 ** 12), 10 ** 12)
SHORT = Scalar("short", "int", 16, -1000, 1000)

SCALARS = [
    BOOL,
    Scalar("char", "int", 8, -100, 100),
    Scalar("signed char", "int", 8, -100, 100),
    Scalar("unsigned char", "unsigned", 8, 0, 200),
    SHORT,
    Scalar("unsigned short", "unsigned", 16, 0, 2000),
    INT,
    INT,
    UNSIGNED,
    Scalar("long", "int", 64, -(10 ** 12), 10 ** 12),
    Scalar("unsigned long", "unsigned", 64, 0, (1 << 64) - 1),
    LONG_LONG,
    Scalar("unsigned long long", "unsigned", 64, 0, (1 << 64) - 1),
    FLOAT,
    FLOAT,
    DOUBLE,
    DOUBLE,
    FLOAT_COMPLEX,
    DOUBLE_COMPLEX,
]

INDEX_TYPES = [
    ("int", 10), ("unsigned", 3), ("short", 2), ("unsigned short", 1), ("signed char", 1), ("unsigned char", 1), ("char", 1),
    ("long", 2), ("unsigned long", 2), ("long long", 1), ("unsigned long long", 1), ("size_t", 2),
]
INDEX_LIMITS = {"signed char": 127, "char": 127, "unsigned char": 255, "short": 32767, "unsigned short": 65535}


NARROW = Scalar("int", "int", 32, -60, 60)  # of a bit-field
FEW = Scalar("int", "int", 32, 0, 30)


def packed():
    """A structure with bit-fields and structures inside."""
    fields = [Field("u", FEW), Field("i", NARROW), Field("b", BOOL), Field("in.x", INT), Field("in.y", DOUBLE), Field("in.s", SHORT, 3),
              Field("last", LONG_LONG)]
    text = "struct packed { unsigned u : 5; int i : 7; _Bool b : 1; struct { int x; double y; short s[3]; } in; long long last; };"
    return Struct("packed", fields, text)


class Field:
    """A member of a structure, `length` of them if it is an array."""

    def __init__(self, name, scalar, length=None):
        self.name = name
        self.scalar = scalar
        self.length = length


class Struct:
    """A structure of scalars and arrays of them. `text` is its definition where it has more than those: bit-fields, structures inside.
    Its fields are the leaves then, `in.x` for instance, and no loop reduces it."""

    def __init__(self, tag, fields, text=None):
        self.tag = tag
        self.fields = fields
        self.spelling = "struct " + tag
        self.text = text

    def definition(self):
        if self.text:
            return self.text
        members = " ".join(f"{field.scalar.spelling} {field.name}{f'[{field.length}]' if field.length else ''};"
                           for field in self.fields)
        return f"struct {self.tag} {{ {members} }};"

    def operators(self):
        """Operators of reductions that all members take."""
        return [op for op in OPERATORS if all(takes(op, field.scalar) for field in self.fields)]


OPERATORS = ["+", "*", "max", "min", "&", "|", "^", "&&", "||"]


def takes(operator, scalar):
    """Whether the specification allows a reduction of the type by the operator."""
    if operator in ("max", "min"):
        return scalar.family != "complex"
    if operator in ("&", "|", "^"):
        return scalar.is_integer()
    return True
