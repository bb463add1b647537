"""Rulesets on the command line: shipped ones by name, a federation's own by its file."""

from pathlib import Path

from deploy.cli.files.files import read_bytes
from deploy.failure import Failure
from deploy.imports.file_event import Requested
from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.pairing.announcement.tiebreak_codes import unknown_tiebreaks
from shared.core.language.messages import message_of, say
from shared.core.rulebook.regulations import Regulations
from shared.regulations import load, names
from shared.regulations.editions import parse_federation_set
from shared.regulations.typed_toml import TomlError, TomlSyntaxError


def set_of(named: str) -> Regulations:
    """Return the shipped ruleset of that name, or the one in the file of that name.

    Raises `Failure` if neither exists, and like `set_in`.
    """
    if named in names():
        return load(named)
    if named == "-" or Path(named).exists():
        return set_in(named)
    raise Failure(
        say(
            "unknown ruleset {named}: it is neither a file nor one of {names}",
            named=repr(named),
            names=" ".join(names()),
        )
    )


def requested(named: str | None, game: str | None) -> Requested:
    """Return the options ``--regulations`` and ``--game``. Raises `Failure` like `set_of`."""
    if named is None or named in names():
        return Requested(None if named is None else load(named), game)
    ruleset = set_of(named)
    return Requested(ruleset, game, None if named == "-" else read_bytes(named).decode())


def set_in(file: str) -> Regulations:
    """Return the ruleset in a file, or on standard input for ``-``.

    Raises `Failure`, with code 2 if the file is not UTF-8 or TOML or contains an unknown tie-break, and with code 1 if the
    ruleset is invalid in another way.
    """
    called = "standard input" if file == "-" else file
    try:
        own = parse_federation_set(read_bytes(file).decode(), called)
    except UnicodeDecodeError as error:
        raise Failure(say("{called}: not UTF-8 at byte {start}", called=called, start=error.start)) from None
    except TomlSyntaxError as error:
        raise Failure(message_of(error)) from error
    except TomlError as error:
        raise Failure(message_of(error), 1) from error
    for problem in unknown_tiebreaks(own, TIEBREAK_CODES):
        raise Failure(say("{called}: {problem}", called=called, problem=problem))
    return own
