"""The sets of competition regulations, one TOML file each.

A tournament never reads these files again: what was adopted stands whole in its log.
"""

from functools import cache
from importlib.resources import files

from shared.core.regulations import Regulations
from shared.regulations.consistency import contradictions
from shared.regulations.typed_toml import TomlError, parse_toml
from shared.wire.regulations import REGULATIONS, regulations_of


@cache
def names() -> tuple[str, ...]:
    """Names of the regulations there are, sorted: those of the files beside this module."""
    stems = (file.name.removesuffix(".toml") for file in files(__package__).iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(stems))


@cache
def load(name: str) -> Regulations:
    """The regulations of that name. Raises KeyError for one that is not in `names`, else as `parse` does."""
    if name not in names():
        raise KeyError(name)
    return parse(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"), name)


def load_all() -> None:
    """Read every set, as a server does at its start, so that a file that cannot be taken is told before anybody needs it.

    Raises `TomlError`.
    """
    for name in names():
        load(name)


def parse(text: str, name: str) -> Regulations:
    """The regulations that a TOML text holds, every value typed and checked.

    Raises `TomlError` for a text that does not fit the type, has a key that nothing knows or a value that nothing reads.
    """
    file = f"{name}.toml"
    regulations = regulations_of(parse_toml(text, file, REGULATIONS))
    if regulations.name != name:
        raise TomlError(f"{file}: name: the file of {regulations.name!r} is {regulations.name}.toml")
    for problem in contradictions(regulations):
        raise TomlError(f"{file}: {problem}")
    return regulations
