"""A program that OpenACC leaves undefined, for the compiler to say so: a function without `routine` reads a variable of file scope that changes and
that no `declare` names. The host has the variable's value, a device with memory of its own may have another one.

The variable's name begins with `undeclared`; the mode `undeclared` wants it in an error, or in a warning and the host's value.
"""

from context import Var
from scalars import INT
from tree import Block, Line, Named

LENGTH = 8


def add(program, test):
    """Adds the function, what it reads, and a loop that calls it to a test."""
    number = program.name("")
    variable = Var(f"undeclared{number}", INT, (), is_global=True)
    result = Var(f"u{number}", INT, (LENGTH,))
    program.globals.append(variable)
    function = Reader(f"peek{number}", variable)
    program.all_functions.append(function)
    block = test.block
    block.add(Line(variable, f" = zero + {program.rng.randint(2, 99)};", keep=True))
    block.add(Line(f"int {result.name}[{LENGTH}];", keep=True))
    block.add(Line(f"#pragma acc parallel loop copyout({result.name})", keep=True, only="directives"))
    block.add(Line(f"for (int k = 0; k < {LENGTH}; k++) {result.name}[k] = ", function, "(k);", keep=True))
    block.add(Line(f'for (int k = 0; k < {LENGTH}; k++) show("{result.name}", k, {result.name}[k]);', keep=True))


class Reader(Named):
    """The function."""

    def __init__(self, name, variable):
        super().__init__(name, True)
        self.variable = variable
        self.body = Block([Line("return a + ", variable, ";", keep=True)])

    def print(self, printer):
        if not printer.is_dropped(self):
            printer.lines.append(f"static int {printer.name(self)}(int a) {{")
            self.body.print(printer)
            printer.lines.append("}")
