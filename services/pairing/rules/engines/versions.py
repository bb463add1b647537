"""The installed engines and the released ones. A pairing records the version that made it.

A recorded version is that of the package, then ``+`` and the label of our own changes, if any: ``1.11.65+c04.2``.
"""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

from shared.core.events import Engine


@cache
def installed_version(package: str) -> str:
    """Return the installed version of a package, or "" if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def package_version(engine: Engine) -> str:
    """Return the version of an engine's package, without the label."""
    return engine.version.partition("+")[0]


def label(engine: Engine) -> str:
    """Return the label of our own changes to an engine, or ""."""
    return engine.version.partition("+")[2]


GACRUX = Engine("gacrux", f"{installed_version('gacrux')}+c04.2")
"""gacrux's pairs and colours on boards in the order of C.04.2."""
GACRUX_BOARDS = Engine("gacrux", installed_version("gacrux"))
"""gacrux's pairs on boards in its own order, for decision edition 1."""
PY4SWISS = Engine("py4swiss", f"{installed_version('py4swiss')}+c2")
"""Pairs by the Dutch rules of 2017, in force until 2026-01-31, with the bye (C.2) considered in the last bracket too.

It does not have a build for every machine.
"""
PY4SWISS_ALONE = Engine("py4swiss", installed_version("py4swiss"))
"""py4swiss unchanged. Its last bracket may give the bye to an ineligible player."""
DUTCH = frozenset({GACRUX.name, PY4SWISS.name})
"""The engines of the FIDE Dutch, each of an edition of its rules."""
RUSTWORKX = Engine("rustworkx", installed_version("rustworkx"))
TABLES = Engine("tables", "1")
"""The engine name for pairing tables, groups and brackets. Its version is raised if the same input pairs differently."""
EARLIER = {GACRUX: (GACRUX_BOARDS,)}
"""By engine, the engines that paired in its place in decision edition 1."""
MENDED = {PY4SWISS: (PY4SWISS_ALONE,)}
"""By engine, the engines that it replaced because of a fault.

They apply in a log before the first round by the new one.
"""
RELEASED = frozenset(
    {Engine("gacrux", "1.11.65+c04.2"), Engine("py4swiss", "0.3.1+c2"), Engine("rustworkx", "0.18.1"), TABLES}
)
"""The engines of all releases that create tournaments with ``offices: 3``. No other one makes a pairing.

An upgrade adds the new version and keeps the former ones.
"""
