"""The engines at hand. The version is part of every pairing that one makes: it is decided again only by the same."""

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
"""gacrux's pairs on boards in its own order, as decisions of edition 1 have them."""
PY4SWISS = Engine("py4swiss", f"{_version_of('py4swiss')}+c2")
"""Pairs by the Dutch rules of 2017, in force until 2026-01-31, with the bye (C.2) looked at in the last bracket too; there is
not a build of it for every machine."""
PY4SWISS_ALONE = Engine("py4swiss", _version_of("py4swiss"))
"""py4swiss as it is, of which the last bracket's bye may go to who may have none."""
DUTCH = frozenset({GACRUX.name, PY4SWISS.name})
"""The engines of the FIDE Dutch, each of an edition of its rules."""
RUSTWORKX = Engine("rustworkx", version("rustworkx"))
TABLES = Engine("tables", "1")
"""What needs no engine: pairing tables, groups, brackets. Their edition, raised where the same input pairs otherwise."""
EARLIER = {GACRUX: (GACRUX_BOARDS,)}
"""By engine, those that paired in its place by decisions of edition 1."""
MENDED = {PY4SWISS: (PY4SWISS_ALONE,)}
"""By engine, those that paired in its place until a fault of theirs was mended: in a log, before the first round by it."""
PAIRS_DUTCH = frozenset({GACRUX, GACRUX_BOARDS, PY4SWISS, PY4SWISS_ALONE})
"""Those of the FIDE Dutch that are at hand here, with their versions."""
