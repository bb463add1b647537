"""The sets of competition regulations that the house knows, one TOML file each.

A tournament never reads these files again: what was adopted stands whole in its log.
"""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from shared.terms import Regulations

_FILES = {"campus": "campus.toml", "fide-2026": "fide-2026.toml"}


def names() -> tuple[str, ...]:
    """Names of the regulations there are, sorted."""
    return tuple(sorted(_FILES))


@cache
def load(name: str) -> Regulations:
    """The regulations of that name, every value typed and checked.

    Raises KeyError for a name that is not in `names`; a file that does not fit
    the type is a msgspec.ValidationError.
    """
    text = files(__package__).joinpath(_FILES[name]).read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Regulations, strict=True)
