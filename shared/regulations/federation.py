"""A federation's own set of regulations: the text of a TOML file, checked exactly as the shipped ones are."""

from shared.core.rulebook.regulations import Regulations
from shared.regulations import load, names, parse
from shared.regulations.lookalike import lookalike
from shared.regulations.typed_toml import TomlError, toml_tables

MOST_BYTES = 64 * 1024
LONGEST_LINE = 2000
"""Characters: a key of ten thousand dots would keep the reader busy for seconds."""
LONGEST_NAME = 100


def parse_federation_set(text: str, file: str) -> Regulations:
    """Return the ruleset of a text. ``file``: its name in errors.

    Raises `TomlError`: as `parse`, for a text of more than `MOST_BYTES` in UTF-8, a name that is not a line of text or looks
    like that of a shipped set, and the name of a shipped set with other values than its.
    """
    if (size := len(text.encode())) > MOST_BYTES:
        raise TomlError(f"{file}: {size} bytes; a set has {MOST_BYTES} at most")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise TomlError(f"{file}: line {number} has {len(line)} characters; there are {LONGEST_LINE} at most")
    name = toml_tables(text, file).get("name")
    if not isinstance(name, str) or not is_name(name):
        raise TomlError(f"{file}: name: a line of 1 to {LONGEST_NAME} characters")
    try:
        own = parse(text, name)
    except TomlError as error:
        raise TomlError(f"{file}: {str(error).removeprefix(f'{name}.toml: ')}") from error
    if name in names() and own.digest != load(name).digest:
        raise TomlError(f"{file}: name: {name!r} is shipped with other values; a set of your own has a name of its own")
    if why := lookalike(name):
        raise TomlError(f"{file}: name: {why}")
    return own


def is_name(name: str) -> bool:
    """Whether a set may be called so: by a line of text."""
    return 0 < len(name.strip()) <= len(name) <= LONGEST_NAME and name.isprintable()
