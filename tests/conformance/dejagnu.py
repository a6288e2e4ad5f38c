"""Reads the test directives that GCC's test-suites carry in comments, and judges the target selectors in them.

Only what the OpenACC C tests use is understood; anything else raises `Unknown`, so that a directive is never
silently ignored.
"""

import fnmatch
import re


class Unknown(Exception):
    """A directive or selector that this module does not know."""


# One directive a line: from the first `{ dg-` to the last `}`, as DejaGnu reads it.
DIRECTIVE = re.compile(r"\{[ \t]+(dg-[-a-z]+)[ \t]+(.*)[ \t]+\}")

# Directives about texts of GCC's own optimisers, dumps and warnings: no claim about the language.
ABOUT_GCC = {
    "dg-bogus", "dg-final", "dg-line", "dg-message", "dg-missed", "dg-note", "dg-optimized", "dg-prune-output",
    "dg-warning", "dg-process-target", "dg-timeout", "dg-compile", "dg-excess-errors",
}

# What holds on a host device, with nothing of a GPU vendor installed.
TRUE_TARGETS = {"openacc_host_selected", "c", "lp64", "weak_undefined", "lto", "exceptions"}
FALSE_TARGETS = {
    "openacc_nvidia_accel_selected", "openacc_nvidia_accel_present", "openacc_radeon_accel_selected",
    "openacc_radeon_accel_present", "openacc_cuda", "openacc_cudart", "openacc_cublas", "c++", "c++11", "c++98_only",
    "llp64", "run_expensive_tests", "skip-all-targets", "this-really-should-fail", "offload_nvptx", "ilp32",
}
NVIDIA_TARGETS = {"openacc_nvidia_accel_selected", "openacc_nvidia_accel_present", "offload_nvptx"}


def select_device(device):
    """Judges selectors for tests of a host device, or of an NVIDIA device. CUDA's headers and libraries count as missing."""
    if device == "nvidia":
        TRUE_TARGETS.difference_update({"openacc_host_selected"})
        TRUE_TARGETS.update(NVIDIA_TARGETS)
        FALSE_TARGETS.difference_update(NVIDIA_TARGETS)
        FALSE_TARGETS.add("openacc_host_selected")


TRIPLET = "x86_64-pc-linux-gnu"


def split_list(text):
    """Splits a Tcl list into its elements; braces and quotes group."""
    items, at = [], 0
    while at < len(text):
        if text[at] in " \t":
            at += 1
        elif text[at] == "{":
            depth, end = 1, at + 1
            while end < len(text) and depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            items.append(text[at + 1:end - 1].strip())
            at = end
        elif text[at] == '"':
            end = at + 1
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            items.append(_unescape(text[at + 1:end]))
            at = end + 1
        else:
            end = at
            while end < len(text) and text[end] not in " \t":
                end += 1
            items.append(text[at:end])
            at = end
    return items


def _unescape(text):
    """Backslash substitution inside Tcl's double quotes."""
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r", "t": "\t"}.get(m.group(1), m.group(1)), text)


def holds(selector):
    """Whether a target expression (`a || ! b`, `{ a } && { b }`, `*-*-*`, or a list of names) holds here."""
    words = re.findall(r"\{|\}|&&|\|\||!|[^\s{}!]+", selector)
    value, rest = _any_of(words)
    if rest:
        raise Unknown(f"selector {selector!r}")
    return value


def _any_of(words):
    value, words = _all_of(words)
    # Names side by side are alternatives too.
    while words and words[0] not in ("}", "&&"):
        if words[0] == "||":
            words = words[1:]
        right, words = _all_of(words)
        value = value or right
    return value, words


def _all_of(words):
    value, words = _single(words)
    while words and words[0] == "&&":
        right, words = _single(words[1:])
        value = value and right
    return value, words


def _single(words):
    if not words:
        raise Unknown("empty selector")
    head, rest = words[0], words[1:]
    if head == "!":
        value, rest = _single(rest)
        return not value, rest
    if head == "{":
        value, rest = _any_of(rest)
        if not rest or rest[0] != "}":
            raise Unknown("unbalanced selector")
        return value, rest[1:]
    if "-" in head and "*" in head:
        return fnmatch.fnmatchcase(TRIPLET, head), rest
    if head in TRUE_TARGETS:
        return True, rest
    if head in FALSE_TARGETS:
        return False, rest
    raise Unknown(f"effective target {head!r}")


def selected(clause):
    """(applies, expected to fail) for a `target EXPR`, `xfail EXPR` or `target EXPR xfail EXPR` clause."""
    match = re.fullmatch(r"(?:target\s+(.*?))?\s*(?:xfail\s+(.*))?", clause.strip())
    if not match:
        raise Unknown(f"clause {clause!r}")
    target, xfail = match.groups()
    return (holds(target) if target else True), (holds(xfail) if xfail else False)


class Test:
    """What the directives of one file say."""

    def __init__(self, path, default_do, flags):
        self.path = path
        self.text = path.read_text(encoding="utf-8", errors="replace")
        self.do = default_do
        self.options = []
        self.flags = list(flags)
        self.sources = []
        self.env = {}
        self.skip = None
        self.should_fail = False
        self.xfail_run = False
        self.output = []
        self.error_lines = set()
        self.expects_errors = False
        for number, line in enumerate(self.text.splitlines(), 1):
            found = DIRECTIVE.search(line)
            if found:
                self._directive(found.group(1), split_list(found.group(2)), number)

    def _directive(self, name, args, number):
        if name in ABOUT_GCC:
            return
        handler = getattr(self, name.replace("-", "_"), None)
        if handler is None:
            raise Unknown(f"{self.path.name}:{number}: {name}")
        handler(args, number)

    def _not_here(self, reason):
        self.skip = self.skip or reason

    def dg_do(self, args, _):
        self.do = args[0]
        if len(args) > 1:
            applies, self.xfail_run = selected(args[1])
            if not applies:
                self._not_here(f"only for {args[1]}")

    def dg_additional_options(self, args, _):
        if len(args) < 2 or selected(args[1])[0]:
            self.options += args[0].split()
            self.flags += args[0].split()

    dg_options = dg_additional_options

    def dg_additional_sources(self, args, _):
        self.sources += " ".join(args).split()

    def dg_require_effective_target(self, args, _):
        if not holds(args[0]):
            self._not_here(f"needs {args[0]}")

    def dg_skip_if(self, args, _):
        include = split_list(args[2]) if len(args) > 2 else ["*"]
        exclude = [flag for flag in split_list(args[3]) if flag] if len(args) > 3 else []
        hit = any(flag == "*" or flag in self.flags for flag in include)
        if holds(args[1]) and hit and not any(flag in self.flags for flag in exclude):
            self._not_here(f"skipped {' '.join(args).strip()}")

    def dg_xfail_run_if(self, args, _):
        include = split_list(args[2]) if len(args) > 2 else ["*"]
        if holds(args[1]) and any(flag == "*" or flag in self.flags for flag in include):
            self.xfail_run = True

    def dg_xfail_if(self, args, number):
        raise Unknown(f"{self.path.name}:{number}: dg-xfail-if")

    def dg_shouldfail(self, args, _):
        self.should_fail |= len(args) < 2 or holds(args[1])

    def dg_set_target_env_var(self, args, _):
        self.env[args[0]] = args[1]

    def dg_output(self, args, _):
        if len(args) < 2 or selected(args[1])[0]:
            self.output.append(args[0])

    def dg_ice(self, args, number):
        if holds(args[1]):
            raise Unknown(f"{self.path.name}:{number}: dg-ice for C")

    def dg_error(self, args, number):
        applies, xfail = selected(args[2]) if len(args) > 2 else (True, False)
        if not applies or xfail:
            return
        if len(args) > 3:
            number = self._line(args[3], number)
        self.expects_errors = True
        self.error_lines.add(number)

    def _line(self, text, number):
        if text.startswith("."):
            return number + int(text[1:])
        if text.isdigit():
            return int(text)
        raise Unknown(f"{self.path.name}:{number}: line {text!r}")
