"""The installed engines. A pairing records the version that made it, and is re-evaluated only by that version."""

from importlib.metadata import PackageNotFoundError, version

from shared.core.events import Engine


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


GACRUX = Engine("gacrux", f"{version('gacrux')}+c04.2")
"""gacrux's pairs and colours on boards in the order of C.04.2."""
GACRUX_BOARDS = Engine("gacrux", version("gacrux"))
"""gacrux's pairs on boards in its own order, for decision edition 1."""
PY4SWISS = Engine("py4swiss", f"{_version_of('py4swiss')}+c2")
"""Pairs by the Dutch rules of 2017, in force until 2026-01-31, with the bye (C.2) considered in the last bracket too.

It does not have a build for every machine.
"""
PY4SWISS_ALONE = Engine("py4swiss", _version_of("py4swiss"))
"""py4swiss unchanged. Its last bracket may give the bye to an ineligible player."""
DUTCH = frozenset({GACRUX.name, PY4SWISS.name})
"""The engines of the FIDE Dutch, each of an edition of its rules."""
RUSTWORKX = Engine("rustworkx", version("rustworkx"))
TABLES = Engine("tables", "1")
"""The engine name for pairing tables, groups and brackets. Its version is raised if the same input pairs differently."""
EARLIER = {GACRUX: (GACRUX_BOARDS,)}
"""By engine, the engines that paired in its place in decision edition 1."""
MENDED = {PY4SWISS: (PY4SWISS_ALONE,)}
"""By engine, the engines that it replaced because of a fault.

They apply in a log before the first round by the new one.
"""
PAIRS_DUTCH = frozenset({GACRUX, GACRUX_BOARDS, PY4SWISS, PY4SWISS_ALONE})
"""All installed engines of the FIDE Dutch, with their versions."""
