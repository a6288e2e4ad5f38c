"""Finds loops and statements in the text of C programs, so that directives can be put in front of them.

A reader of statements, no parser of C: what it does not understand raises `Unreadable`. Places are offsets in
the text.
"""

import re


class Unreadable(Exception):
    """The text is not what this reader knows as C."""


NO_CODE = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', re.S | re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|<<=|>>=|->|\+\+|--|[-+*/%&|^]=|<<|>>|[<>=!]=|&&|\|\||\S")
# What a declaration begins with that no expression begins with.
TYPES = frozenset(
    "char short int long float double void signed unsigned _Bool _Complex struct union enum const volatile static extern"
    " register auto typedef inline __inline __inline__ __extension__ typeof __typeof __typeof__ __attribute__ _Alignas"
    " _Static_assert __label__ __complex__ _Atomic".split())
# Two names that nothing stands between are a type and what is declared.
DECLARATION = re.compile(r"(?:[A-Za-z_]\w* )+(?:\* )*[A-Za-z_]\w* [=;,[]")
ASSIGNMENTS = frozenset("= += -= *= /= %= &= |= ^= <<= >>=".split())


def without_comments(text):
    """The text with spaces in the place of comments, literals and lines of the preprocessor."""
    return NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


class Statement:
    """One statement: what it is, its first and last token, and the statements in it."""

    def __init__(self, kind, first):
        self.kind = kind
        self.first = first
        self.last = first
        self.inner = []
        self.header = None  # of a `for`, the tokens of its parentheses, both included

    def walk(self):
        yield self
        for statement in self.inner:
            yield from statement.walk()


class Unit:
    """The functions of one text."""

    def __init__(self, text):
        self.text = text
        found = list(TOKEN.finditer(without_comments(text)))
        self.words = [match.group() for match in found]
        self.starts = [match.start() for match in found]
        self.ends = [match.end() for match in found]
        self.functions = list(self._functions())

    def _functions(self):
        at, since = 0, 0
        while at < len(self.words):
            word = self.words[at]
            if word == "{":
                if self._is_body(since, at):
                    body, at = self.statement(at)
                    yield body
                    since = at
                    continue
                at = self._behind(at)
                continue
            at += 1
            if word == ";":
                since = at

    def _is_body(self, since, at):
        before = " ".join(self.words[since:at])
        if not before:
            return True  # behind the parameters of an old definition
        if re.search(r"\b(?:struct|union|enum)\b(?: __attribute__ \( \( .*? \) \))? ?\w*$", before):
            return False
        return before.endswith(")") and "=" not in self.words[since:at]

    def _behind(self, at):
        """The place behind the bracket that closes the one at `at`."""
        depth = 0
        for place in range(at, len(self.words)):
            word = self.words[place]
            if word in "([{":
                depth += 1
            elif word in ")]}":
                depth -= 1
                if not depth:
                    return place + 1
        raise Unreadable(f"no end of {self.words[at]!r}")

    def _word(self, at):
        if at >= len(self.words):
            raise Unreadable("ends within a function")
        return self.words[at]

    def _expect(self, at, word):
        if self._word(at) != word:
            raise Unreadable(f"{self.words[at]!r}, not {word!r}")
        return at + 1

    def statement(self, at):
        """The statement that begins at `at`, and the place behind it."""
        word = self._word(at)
        made = Statement("expression", at)
        if word == "{":
            made.kind = "block"
            at += 1
            while self._word(at) != "}":
                inner, at = self.statement(at)
                made.inner.append(inner)
            at += 1
        elif word in ("for", "while", "switch", "if"):
            made.kind = word
            header = at + 1
            if self._word(header) != "(":
                raise Unreadable(f"{word} without parentheses")
            at = self._behind(header)
            made.header = (header, at)
            inner, at = self.statement(at)
            made.inner.append(inner)
            if word == "if" and at < len(self.words) and self.words[at] == "else":
                inner, at = self.statement(at + 1)
                made.inner.append(inner)
        elif word == "do":
            made.kind = word
            inner, at = self.statement(at + 1)
            made.inner.append(inner)
            at = self._expect(self._behind(self._expect(at, "while")), ";")
        elif word in ("case", "default") or re.match(r"[A-Za-z_]", word) and self._word(at + 1) == ":":
            made.kind = "label"
            while self._word(at) != ":":
                at = self._behind(at) if self.words[at] in "([{" else at + 1
            at += 1
            if self._word(at) != "}":
                inner, at = self.statement(at)
                made.inner.append(inner)
        else:
            if word in ("return", "goto", "break", "continue"):
                made.kind = word
            elif word in ("asm", "__asm", "__asm__"):
                made.kind = "asm"
            elif word in TYPES or re.match(DECLARATION, " ".join(self.words[at:at + 8])):
                made.kind = "declaration"
            while self._word(at) != ";":
                at = self._behind(at) if self.words[at] in "([{" else at + 1
            at += 1
        made.last = at - 1
        return made, at

    def outermost(self):
        """The `for` loops that are in no other one, in order, each with the statements around it."""
        def search(statement, around):
            if statement.kind == "for":
                yield statement, around
                return
            for inner in statement.inner:
                yield from search(inner, (*around, statement))
        for body in self.functions:
            yield from search(body, ())

    def words_of(self, statement):
        return self.words[statement.first:statement.last + 1]

    def is_closed(self, statement):
        """Whether control enters the statement at its start and leaves it at its end only."""
        words = self.words_of(statement)
        if any(word in ("return", "goto", "longjmp", "__builtin_longjmp", "setjmp", "asm", "__asm__", "va_arg")
               for word in words):
            return False
        def has_own_labels(within, is_switch):
            if within.kind == "label" and not (is_switch and self.words[within.first] in ("case", "default")):
                return False
            return all(has_own_labels(inner, is_switch or within.kind == "switch") for inner in within.inner)
        return has_own_labels(statement, False)

    def declared(self, first, last):
        """Names that the declaration from `first` to `last` declares."""
        name, at = None, first
        while at < last:
            word = self.words[at]
            if word in (",", ";", "="):
                yield name
                while at < last and self.words[at] not in (",", ";"):
                    at = self._behind(at) if self.words[at] in "([{" else at + 1
            elif re.match(r"[A-Za-z_]", word):
                name = word
            at = self._behind(at) if word == "[" else at + 1
        if name:
            yield name

    def assigned(self, statement):
        """Names that the statement assigns and does not declare, in order; None if a pointer is among them."""
        words, found = self.words_of(statement), {}
        for at, word in enumerate(words):
            if not re.match(r"[A-Za-z_]", word):
                continue
            before = words[at - 1] if at else ""
            after = words[at + 1] if at + 1 < len(words) else ""
            if before in (".", "->") or after in ("[", "->"):
                continue
            if after in ASSIGNMENTS or after in ("++", "--") or before in ("++", "--"):
                found[word] = True
        declared = set()
        for inner in statement.walk():
            place, end = inner.first, inner.last
            if inner.kind == "for":
                place, end = inner.header[0] + 1, inner.header[1]
                is_declared = self.words[place] in TYPES or re.match(
                    DECLARATION, " ".join(self.words[place:place + 8]))
            else:
                is_declared = inner.kind == "declaration"
            if is_declared:
                declared.update(self.declared(place, end))
        names = [name for name in found if name not in declared and name not in TYPES]
        used_as_pointer = {words[at] for at in range(len(words) - 1) if words[at + 1] in ("[", "->")}
        used_as_pointer |= {words[at] for at in range(2, len(words)) if words[at - 1] == "*"
                            and re.match(r"\W|return", words[at - 2]) and words[at - 2] not in (")", "]")}
        return None if used_as_pointer.intersection(names) else names
