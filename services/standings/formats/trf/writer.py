"""Writes TRF: players anew from their fields, every other line as it was read."""

from services.standings.formats.trf.columns import Measure, pad
from services.standings.formats.trf.model import Entry, TrfFile, TrfPlayer


def write(trf: TrfFile) -> bytes:
    """The file's bytes, in its own encoding, line ends and way of counting columns.

    Lines that were not understood stand where they stood.
    """
    players = {p.id: p for p in trf.players}
    lines = [player_line(players[r.player], trf.measure) if r.player else r.text for r in trf.records]
    return trf.newline.join(lines).encode(trf.encoding)


def player_line(player: TrfPlayer, measure: Measure = "characters") -> str:
    """A 001 record."""
    head = (
        f"001 {player.id:4d} {player.sex:1.1s}{player.title:>3.3s} {pad(player.name, 33, measure)} "
        f"{player.rating or '':>4} {pad(player.federation, 3, measure)} {player.fide_id:>11.11s} "
        f"{pad(player.birth, 10, measure)} {player.points:>4.4s} {player.rank:>4.4s}"
    )
    return (head + "".join(map(_round, player.rounds))).rstrip()


def _round(entry: Entry | None) -> str:
    if entry is None:
        return " " * 10
    side = "-" if entry.side is None else entry.side[0]
    return f"  {entry.opponent:4d} {side} {entry.letter or ' '}" if entry.opponent else f"  0000 - {entry.letter}"
