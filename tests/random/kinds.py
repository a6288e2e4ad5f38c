"""The generators, by the name of what they make, for the scripts that start them."""

from functools import partial

import affine
import environment
import plain
import tasks
from program import Options, Program

KINDS = {
    "nests": "nests without directives (affine.py)",
    "neighbours": "nests that may be one launch (affine.py)",
    "tasks": "graphs of OpenMP tasks (tasks.py)",
    "environment": "data environments (environment.py)",
    "devices": "data environments of two devices (environment.py)",
    "plain": "loops of plain C (plain.py)",
}
FEATURES = {
    "nests": affine.FEATURES, "neighbours": affine.FEATURES, "tasks": tasks.FEATURES, "environment": environment.FEATURES,
    "devices": environment.FEATURES, "plain": plain.FEATURES,
}


def add_arguments(parser):
    """An option for each kind; without one of them programs have directives of all sorts."""
    for kind, text in KINDS.items():
        parser.add_argument(f"--{kind}", dest="what", action="store_const", const=kind, help=text)


def read_features(what, without):
    """The features to leave out, of names separated by commas; ends the script if one of them is no feature of the generator."""
    if what is None:
        return Options(without)
    names, known = frozenset(filter(None, without.split(","))), FEATURES[what]
    if names - set(known):
        raise SystemExit(f"there is no feature {', '.join(sorted(names - set(known)))}; features: {' '.join(known)}")
    return names


def make(what, seed, size, without, only=None, hazard=False):
    """The text of a seed's program; `only` one of its nests."""
    if what is None:
        return Program(seed, size, Options(without, hazard)).text()
    names = read_features(what, without)
    if what in ("nests", "neighbours"):
        likely = {"neighbours": 0.9} if what == "neighbours" else {}
        return affine.Nests(seed, size, names, only, **likely).text()
    generator = {
        "tasks": tasks.Tasks, "environment": environment.Environment, "devices": partial(environment.Environment, devices=2), "plain": plain.Plain,
    }[what]
    return generator(seed, size, names).text()
