"""What a file says of its own size (062, 072, 082, 142, XXR), held against its lines."""

import re
from collections.abc import Iterator

from shared.core.language.messages import Message, say
from shared.trf.model.model import Record, TrfFile
from shared.trf.model.points import Difference

_COUNTS = ("062", "072", "082")
_ROUNDS = ("142", "XXR")


def counts_that_differ(trf: TrfFile) -> Iterator[Difference]:
    """Numbers of players, rated players and teams that are others than the file has, and of rounds that are fewer than it has."""
    made = {
        "062": len(trf.players),
        "072": sum(player.rating is not None for player in trf.players),
        "082": len(trf.settings.teams),
    }
    held = rounds_held(trf)
    for record in trf.records:
        code = record.text[:3]
        if code in _COUNTS:
            yield from _of_lines(record, made[code])
        elif code in _ROUNDS and int(record.text[4:]) < held:
            detail = say("{said} rounds are said, the file has {made}", said=int(record.text[4:]), made=held)
            yield Difference(record.line, _column(record), detail)


def rounds_held(trf: TrfFile) -> int:
    """The last round in which somebody met or had an allocated bye; of teams also one of a forfeited match."""
    given = () if trf.settings.allocated is None else trf.settings.allocated.teams
    allocated = [n for n, team in enumerate(given, 1) if team]
    return max([trf.rounds_recorded, *(f.round for f in trf.settings.forfeits), *allocated])


def rounds_told(trf: TrfFile) -> int:
    """The last round that the file knows of: what it says, or what its lines tell of if that is more."""
    return max([trf.settings.rounds, rounds_held(trf), *(len(player.rounds) for player in trf.players)])


def _of_lines(record: Record, made: int) -> Iterator[Difference]:
    """A blank says nothing; words behind the number, as programs write them there, are for people."""
    text = record.text[4:].strip()
    found = re.match(r"[0-9]{1,9}(?![^\s(])", text)
    if text and found is None:
        yield Difference(record.line, _column(record), _detail(record.text[:3], repr(text), made))
    elif found is not None and int(found[0]) != made:
        yield Difference(record.line, _column(record), _detail(record.text[:3], int(found[0]), made))


def _detail(code: str, said: int | str, made: int) -> Message:
    if code == "062":
        return say("{said} players are said, the file has {made}", said=said, made=made)
    if code == "072":
        return say("{said} rated players are said, the file has {made}", said=said, made=made)
    return say("{said} teams are said, the file has {made}", said=said, made=made)


def _column(record: Record) -> int:
    return len(record.text) - len(record.text[4:].lstrip()) + 1
