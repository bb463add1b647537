"""The tie-breaks that there are, by what they rank: standings computes them, and its caller hands them to pairing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from shared.core.events import Decision, RegulationsAdopted, TournamentAnnounced
from shared.core.language.messages import Message, say
from shared.core.rulebook.regulations import Regulations
from shared.core.state.tournament import TournamentState
from shared.core.terms import BOUNDED_OFFICES, Refusal
from shared.desk.rules_port import Rules


class KnownTieBreaks(Protocol):
    """The tie-breaks of one kind of competitors, by a grammar: ``codes`` are those that lists offer."""

    @property
    def codes(self) -> tuple[str, ...]: ...

    @property
    def titles(self) -> Mapping[str, Message]: ...

    def __contains__(self, code: str) -> bool: ...

    def fault(self, codes: Sequence[str], n: int) -> Message | None:
        """What is wrong with the ``n``-th code of an order, from 0."""


class TieBreakCodes(NamedTuple):
    """The tie-breaks that single players may be ranked by, teams that meet, and teams that are ranked by their members'
    places."""

    players: KnownTieBreaks
    teams: KnownTieBreaks
    members: KnownTieBreaks

    def offered(self) -> dict[str, Message]:
        """Those of players or teams that lists offer, each once, with what people call it."""
        return {code: known.titles[code] for known in (self.teams, self.players) for code in known.codes}

    def title(self, code: str) -> Message:
        """What people call a code."""
        known = self.players if code in self.players else self.teams
        return known.titles[code]


def unknown_tiebreaks(regulations: Regulations, codes: TieBreakCodes) -> Iterator[Message]:
    """A sentence for each tie-break of a set that there is none of, which names the table."""
    orders = [("ranking", "players", regulations.ranking.tiebreaks)]
    orders += [(f"ranking.orders ({row.of})", row.of, row.tiebreaks) for row in regulations.ranking.orders]
    for table, of, tiebreaks in orders:
        known: KnownTieBreaks = getattr(codes, of)
        for n in range(len(tiebreaks)):
            fault = known.fault(tiebreaks, n)
            if fault is not None:
                yield say("{table}: tiebreaks of {of}: {fault}", table=table, of=of, fault=fault)


def with_known_tiebreaks(rules: Rules, codes: TieBreakCodes) -> Rules:
    """Return the rules of pairing, which also refuse ``unknown-tiebreak`` from the third edition of offices on."""

    def finish(t: TournamentState, answer: Decision | Refusal, sheet: Any) -> Decision | Refusal:
        if isinstance(answer, Refusal):
            return answer
        offices = t.offices
        for data in answer.events:
            fault = None
            if isinstance(data, TournamentAnnounced):
                offices = data.offices
                known = codes.teams if data.conditions.teams_meet else codes.players
                faults = (known.fault(data.tiebreaks, n) for n in range(len(data.tiebreaks)))
                fault = next((one for one in faults if one is not None), None)
            elif isinstance(data, RegulationsAdopted):
                fault = next(unknown_tiebreaks(data.regulations, codes), None)
            if fault is not None and offices >= BOUNDED_OFFICES:
                return Refusal("invalid", "unknown-tiebreak", fault, "C.07", "tiebreaks")
        return answer

    return replace(rules, finish=finish)
