"""The score sheets of an event, as far as a desk's log holds them."""

from collections.abc import Iterator, Sequence

import msgspec

from shared.core.terms import GAMES
from shared.desk.desk import Desk


def score_sheets(desk: Desk, tournament: str) -> Iterator[tuple[str, list[bytes]]]:
    """Each game's id and the lines of its sheet, by id. A tournament's id may hold dots, so a prefix does not tell."""
    for stream in sorted(desk.streams(f"games/{tournament}.")):
        game = stream.removeprefix("games/")
        if game.rsplit(".", 2)[0] == tournament:
            yield game, [row.line for row in desk.lines(stream)]


class _Head(msgspec.Struct):
    """What a line says of where it stands."""

    source: str
    sourceseq: int
    basis: int
    causationid: str
    official: int | None = None


_HEAD = msgspec.json.Decoder(_Head)


def upto(sheet: Sequence[bytes], log: Sequence[bytes], since: Sequence[bytes]) -> list[bytes]:
    """A sheet's lines as they stood when the log had these lines; ``since`` it has had those, or has got none yet.

    Left out are last lines that rest on later ones, or whose command wrote later ones. A line within the sheet stays,
    whatever it says: it is the audit's to judge.
    """
    written = next((head.sourceseq for line in reversed(log) if (head := _head(line)) and head.source == GAMES), 0)
    commands = {head.causationid for line in since if (head := _head(line))}
    end = len(sheet)
    while end and (head := _head(sheet[end - 1])):
        if head.basis <= len(log) and (head.official or 0) <= written and head.causationid not in commands:
            break
        end -= 1
    return list(sheet[:end])


def _head(line: bytes) -> _Head | None:
    """What a line says of itself; None where it cannot be read."""
    try:
        return _HEAD.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
