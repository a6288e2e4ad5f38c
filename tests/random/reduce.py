#!/usr/bin/env python3
"""Shortens a random program that fails in some mode, as long as it fails in the same way.

    python3 tests/random/reduce.py --seed N --mode sim [--size 10] [--accrue target/release/accrue] > short.c
    python3 tests/random/reduce.py FILE --mode sim > short.c          the seed is in the file's first line

The generator makes the tree of the seed again; statements, clauses, variables, functions and parts of expressions are then left out of it, in
both printings (`tree.py`). A candidate counts if it fails in the same kind of way and, where gcc is at hand, its sequential form is right.
"""

import argparse
import pathlib
import re
import sys
import tempfile
import time

import modes
from program import Options, Program
from tree import Block, Clause, Construct, Directive, Expr, For, If, Named, OneLine, Statement, flatten


class Reducer:
    """A tree, the edits that were accepted, and the test."""

    def __init__(self, program, is_same, seconds, most_tries):
        self.program = program
        self.is_same = is_same
        self.edits = {}
        self.tries = 0
        self.most_tries = most_tries
        self.until = time.monotonic() + seconds

    def goes_on(self):
        return self.tries < self.most_tries and time.monotonic() < self.until

    def accepts(self, more):
        """Whether the program still fails with more edits; keeps them if so."""
        edits = {**self.edits, **more}
        text = self.program.text(edits)
        if text == self.program.text(self.edits):
            return False
        self.tries += 1
        if not self.is_same(text):
            return False
        self.edits = edits
        return True

    def remove(self, candidates):
        """Applies as many of the edits, each a (number, what), as possible: many at once, then fewer."""
        left = list(candidates)
        size = max(len(left) // 2, 1)
        changed = False
        while left and self.goes_on():
            rest = []
            for start in range(0, len(left), size):
                chunk = left[start:start + size]
                if self.goes_on() and self.accepts(dict(chunk)):
                    changed = True
                elif size > 1:
                    rest += chunk
            left = rest
            if size == 1:
                break
            size = max(size // 2, 1)
        return changed

    def run(self):
        """Until nothing more goes."""
        changed = True
        while changed and self.goes_on():
            changed = False
            for candidates in (self.roots, self.names, self.statements, self.bodies, self.clauses, self.expressions, self.counts):
                changed = self.remove(candidates()) or changed
        return self.program.text(self.edits)

    # Candidates

    def walk(self):
        """All statements that are still there, from the outside to the inside."""
        todo = [test.top for test in self.program.tests] + [function.body for function in self.program.all_functions]
        while todo:
            statement = todo.pop(0)
            if self.edits.get(statement.number) == "drop":
                continue
            yield statement
            todo = statement.bodies() + todo

    def roots(self):
        """Whole tests."""
        return [(test.top.number, "drop") for test in self.program.tests if test.top.number not in self.edits]

    def names(self):
        """Variables and functions."""
        found = {function: True for function in self.program.all_functions}
        found.update({var: True for var in self.program.globals})
        for statement in self.walk():
            for part in flatten(getattr(statement, "parts", ())):
                if isinstance(part, Named):
                    found[part] = True
        return [(named.number, "drop") for named in found if named.number not in self.edits]

    def statements(self):
        """Statements that may go; a body does not go as one."""
        return [(statement.number, "drop") for statement in self.walk()
                if not statement.keep and (type(statement) is not Block or statement.braces)]

    def bodies(self):
        return [(statement.number, "body") for statement in self.walk()
                if isinstance(statement, If) or isinstance(statement, For) and statement.may_shrink
                or isinstance(statement, Block) and statement.braces]

    def clauses(self):
        """Clauses and directives that may go."""
        found = []
        for statement in self.walk():
            for owned in statement.owned():
                if isinstance(owned, Clause) and not owned.keep and owned.number not in self.edits:
                    found.append((owned.number, "drop"))
            directive = getattr(statement, "directive", None)
            if isinstance(directive, Directive) and not directive.keep and directive.number not in self.edits:
                found.append((directive.number, "drop"))
        return found

    def all_expressions(self):
        todo = [owned for statement in self.walk() for owned in statement.owned() if isinstance(owned, Expr)]
        seen = {}
        while todo:
            expr = todo.pop(0)
            if expr.number in seen or self.edits.get(expr.number) == "literal":
                continue
            seen[expr.number] = True
            yield expr
            todo = [part for part in flatten(expr.parts) if isinstance(part, Expr)] + todo

    def expressions(self):
        """Values for expressions; where that is too much, an operand."""
        found = list(self.all_expressions())
        self.remove([(expr.number, "literal") for expr in found if len(expr.parts) > 1 or not isinstance(expr.parts[0], str)])
        return [(expr.number, ("child", child.number)) for expr in found if self.edits.get(expr.number) is None
                for child in expr.children()]

    def counts(self):
        """Fewer iterations."""
        found = []
        for statement in self.walk():
            if isinstance(statement, For) and statement.may_shrink and statement.count > 1:
                now = self.edits.get(statement.number, (None, statement.count))
                if now != "body":
                    found += [(statement.number, ("trips", count)) for count in (1, 2, 3, 8, 33) if count < now[1]]
        for one in found:
            number, what = one
            now = self.edits.get(number)
            if now is None or now[0] == "trips" and now[1] > what[1]:
                self.accepts({number: what})
        return []


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", help="a program of the generator")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--without", default="")
    parser.add_argument("--mode", required=True)
    parser.add_argument("--kind", help="wrong, crash, hang, rejected or report, instead of what happens first")
    parser.add_argument("--text", help="a regular expression that the output has to match, instead of what kind of report or panic it is")
    parser.add_argument("--accrue", default="target/release/accrue")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--tries", type=int, default=10**6, help="programs that are run at most, which is the same on a busy machine")
    parser.add_argument("--timeout", type=float, help="seconds after which a run counts as a hang")
    return parser.parse_args()


def main():
    options = parse()
    seed, size, without = options.seed, options.size, options.without
    if options.file:
        first = pathlib.Path(options.file).read_text().splitlines()[0]
        match = re.match(r"// random program: seed (\d+) size (\d+) without (\S+)", first)
        if not match:
            raise SystemExit(f"{options.file}: its first line names no seed")
        seed, size, without = int(match[1]), int(match[2]), match[3].replace("nothing", "")
    mode = modes.choose(options.mode)[0]
    if options.timeout:
        mode.timeout = options.timeout
    serial = modes.all_modes()["gcc-sanitized"] if modes.has_gcc() else None
    program = Program(seed, size, Options(without))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "p.c"

        def outcome(text):
            path.write_text(text)
            return modes.try_mode(mode, options.accrue, path, options.prefix.split())

        first = outcome(program.text())
        kind = options.kind or first.kind
        options.text = options.text or first.signature()
        if first.kind != kind or kind == "ok" or not re.search(options.text, first.text):
            raise SystemExit(f"seed {seed} is {first.kind} in {mode.name}: {first.first_line()}")

        def is_same(text):
            found = outcome(text)
            if found.kind != kind or not re.search(options.text, found.text):
                return False
            return serial is None or modes.try_mode(serial, options.accrue, path).kind == "ok"

        reducer = Reducer(program, is_same, options.seconds, options.tries)
        text = reducer.run()
        last = outcome(text)
    print(text, end="")
    print(f"{reducer.tries} tries; {kind} in {mode.name}: {last.first_line()}", file=sys.stderr)


if __name__ == "__main__":
    main()
