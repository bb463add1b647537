"""Writes TRF: players who changed anew from their fields, every other line as it was read."""

from collections.abc import Mapping

from shared.core.language.charset import UTF8, Encoding
from shared.core.language.messages import say
from shared.trf.model.columns import Measure, TrfError, pad
from shared.trf.model.model import Entry, Record, TrfFile, TrfPlayer


def write(trf: TrfFile) -> bytes:
    """The file's bytes, in its own encoding, line ends and way of counting columns.

    Lines that were not understood stand where they stood, and a player who is still as he was read keeps his line.
    Raises `TrfError` where the encoding has no bytes for a character.
    """
    players = {p.id: p for p in trf.players}
    lines = [_line(trf, r, players) for r in trf.records]
    try:
        return trf.encoding.encode(trf.newline.join(lines))
    except UnicodeEncodeError as problem:
        before = str(problem.object)[: problem.start].split(trf.newline)
        why = say(
            "the character {character} does not exist in the encoding {encoding}",
            character=repr(problem.object[problem.start]),
            encoding=trf.encoding.name,
        )
        raise TrfError(trf.file, len(before), len(before[-1]) + 1, why) from problem


def _line(trf: TrfFile, record: Record, players: Mapping[int, TrfPlayer]) -> str:
    player = players.get(record.player)
    if player is None or player == record.read:
        return record.text
    return player_line(player, trf.measure, trf.encoding) + ("\r" if record.text.endswith("\r") else "")


def player_line(player: TrfPlayer, measure: Measure = "characters", encoding: Encoding = UTF8) -> str:
    """A 001 record."""

    def padded(text: str, columns: int) -> str:
        return pad(text, columns, measure, encoding)

    head = (
        f"001 {player.id:4d} {player.sex:1.1s}{player.title:>3.3s} {padded(player.name, 33)} "
        f"{player.rating or '':>4} {padded(player.federation, 3)} {player.fide_id:>11.11s} "
        f"{padded(player.birth, 10)} {player.points:>4.4s} {player.rank:>4.4s}"
    )
    return (head + "".join(map(_round, player.rounds))).rstrip()


def _round(entry: Entry | None) -> str:
    if entry is None:
        return " " * 10
    side = "-" if entry.side is None else entry.side[0]
    return f"  {entry.opponent:4d} {side} {entry.letter or ' '}" if entry.opponent else f"  0000 - {entry.letter}"
