"""The tie-breaks that there are, by what they rank: standings computes them, and its caller hands them to pairing."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from shared.core.messages import Message, say
from shared.core.regulations import Regulations


class TieBreakCodes(NamedTuple):
    """The codes of the tie-breaks that single players may be ranked by, teams that meet, and teams that are ranked by their
    members' places; and what people call them, in English."""

    players: tuple[str, ...]
    teams: tuple[str, ...]
    members: tuple[str, ...]
    titles: Mapping[str, str] = {}

    @property
    def all(self) -> tuple[str, ...]:
        """Of players or teams, each once."""
        return tuple(dict.fromkeys((*self.players, *self.teams)))


def unknown_tiebreaks(regulations: Regulations, codes: TieBreakCodes) -> Iterator[Message]:
    """A sentence for each tie-break of a set that there is none of, which names the table."""
    orders = [("ranking", "players", regulations.ranking.tiebreaks)]
    orders += [(f"ranking.orders ({row.of})", row.of, row.tiebreaks) for row in regulations.ranking.orders]
    for table, of, tiebreaks in orders:
        known = getattr(codes, of)
        for n, code in enumerate(tiebreaks):
            if code not in known:
                yield say(
                    "{table}: tiebreaks: there is no {code} for {of}; there are {known}",
                    table=table,
                    code=repr(code),
                    of=of,
                    known=tuple(known),
                )
            elif code in tiebreaks[:n]:
                yield say("{table}: tiebreaks: {code} stands there twice", table=table, code=repr(code))
