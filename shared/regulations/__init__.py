"""The sets of competition regulations that the house knows, one TOML file each.

A tournament never reads these files again: what was adopted stands whole in its log.
"""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from shared.core.regulations import Regulations
from shared.wire.regulations import REGULATIONS, regulations_of

_NAMES = ("campus", "fide-2024", "fide-2026", "go-campus", "gomoku-campus", "renju", "xiangqi-1999")


def names() -> tuple[str, ...]:
    """Names of the regulations there are, sorted."""
    return _NAMES


@cache
def load(name: str) -> Regulations:
    """The regulations of that name, every value typed and checked.

    Raises KeyError for a name that is not in `names`; a file that does not fit
    the type is a msgspec.ValidationError.
    """
    if name not in _NAMES:
        raise KeyError(name)
    text = files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return regulations_of(msgspec.convert(tomllib.loads(text), REGULATIONS, strict=True))
