"""The check of a whole report file before an import sends any of it: its faults, and remarks on its interpretation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deploy.failure import Failure
from deploy.imports import remarks
from deploy.imports.file_event import AS_STATED, Requested, file_event
from deploy.imports.hall import Hall
from deploy.imports.tiebreak_order import order
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core.language.charset import Encoding
from shared.core.language.messages import Message, say
from shared.trf.comparison import differences
from shared.trf.model.acceleration import without_virtual_points
from shared.trf.model.columns import TrfError
from shared.trf.model.model import TrfFile
from shared.trf.reader import read
from shared.trf.teams.matches import team_conditions

MOST_PAIRS = 50_000
"""Pairs that may not meet, of all rounds: a record that names every player would have half a million, and no command takes
those."""
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that can be imported as the tournament ``id``.

    ``order``: tie-breaks of the new tournament. ``remarks``: messages that the user needs before the import.
    """

    hall: Hall
    id: str
    order: tuple[str, ...]
    remarks: tuple[Message, ...]


def check_file(
    content: bytes,
    name: str,
    encoding: Encoding | None,
    id: str | None,
    tiebreaks: str | None,
    requested: Requested = AS_STATED,
) -> CheckedFile:
    """Return the file as it will be imported.

    ``name``: the file name, for messages, and for the tournament ID if ``id`` is empty. ``requested``: game and ruleset.

    Raises `TrfError`, with line and column, for a file that cannot be read or imported, and `Failure` for another reason.
    """
    trf = read(content, name, encoding)
    chosen = id or id_of(name)
    if not _ID.fullmatch(chosen):
        raise Failure(
            say(
                'invalid tournament ID {chosen}: use letters, digits, ".", "_" or "-", at most 64 characters',
                chosen=repr(chosen),
            )
        )
    pairs = sum(len(group.players) * (len(group.players) - 1) // 2 for group in trf.settings.forbidden)
    if pairs > MOST_PAIRS:
        raise Failure(
            say(
                "{file}: {count} pairs may not meet (260, XXP), but an import accepts at most {most}: remove some",
                file=trf.file,
                count=pairs,
                most=MOST_PAIRS,
            )
        )
    hall = Hall(trf, team_conditions(trf), file_event(trf, requested))
    refusal = without_virtual_points(trf)
    if refusal is not None and trf.rounds_recorded < hall.last_round:
        raise Failure(refusal.detail)
    _refuse_empty_round(hall)
    ranked = order(trf, tiebreaks, TIEBREAKS if hall.conditions is None else TEAM_TIEBREAKS)
    return CheckedFile(hall, chosen, ranked, tuple(_remarks(trf, hall)))


def id_of(name: str) -> str:
    """Return the id of a tournament that a file's name gives it."""
    stem = "import" if name == "-" else re.sub(r"\.[^./\\]*$", "", re.split(r"[/\\]", name)[-1])
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).lstrip("._-")[:64] or "import"


def _remarks(trf: TrfFile, hall: Hall) -> Iterator[Message]:
    yield from remarks.on_regulations(trf, hall.regulations)
    yield from remarks.on_event(trf, hall.event)
    yield from remarks.on_differences(trf, differences(trf, hall.regulations.points))
    yield from remarks.on_format(trf, hall.format)
    if trf.settings.by_position and [*trf.pairing_numbers.values()] != [*trf.pairing_numbers]:
        yield say("{file}: XXC rank is not imported: further rounds are paired by starting number", file=trf.file)


def _refuse_empty_round(hall: Hall) -> None:
    """Raise `TrfError` for a round in which no one plays, although later ones have games."""
    empty = hall.seats_nobody()
    if empty is None:
        return
    entry = next((e for p in hall.trf.players if (e := p.entry(empty)) is not None), None)
    line, column = (1, 1) if entry is None else (entry.line, entry.column)
    detail = say("round {round} has no pairing, but the file contains games of later rounds", round=empty)
    raise TrfError(hall.trf.file, line, column, detail)
