"""Given, when, then for rules: a world in memory that decides and folds without a log.

w = World(rules)                      # rules: {source: Rules}
w.do(command)                         # decides by the command's service; a refusal is an AssertionError
assert w.refused(command).code == "…"
"""

from collections.abc import Iterable
from typing import Any

from shared.core.event_types.evolve import evolve
from shared.core.events import Data, Event, NewEvent
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RULEBOOK, Actor, Refusal, Seq, Source
from shared.desk.rules_port import Rules, Seal


def all_rules() -> dict[Source, Rules]:
    """The four services' rules, as deployed."""
    from deploy.server.rules import RULES

    return RULES


MORNING = "2026-11-21T09:30:00.000000Z"


class World:
    """One tournament, decided and folded step by step; every event is kept in ``events``, and bears the ``time``."""

    time = MORNING

    def __init__(self, rules: dict[Source, Rules] | None = None, id: str = "T") -> None:
        self.rules = rules if rules is not None else all_rules()
        self.tournament = TournamentState(id)
        self.events: list[NewEvent] = []
        self.sheets: dict[str, Any] = {}
        self.sheet_lines: dict[str, list[NewEvent]] = {}

    @property
    def announced(self) -> Tournament:
        """The tournament, which was announced and has regulations."""
        assert isinstance(self.tournament, Tournament)
        return self.tournament

    def decide(self, source: Source, command: Any) -> Any:
        """The decision or refusal, without folding it; sheets are found by the command."""
        rules = self.rules[source]
        game = rules.sheet_of(command)
        return rules.follow(self.tournament, command, self.sheet(source, game) if game else None)

    def sheet(self, source: Source, game: str) -> Any:
        if game not in self.sheets:
            self.sheets[game] = self.rules[source].new_sheet(game)
        return self.sheets[game]

    def do(self, source: Source, command: Any) -> list[NewEvent]:
        """Decide and fold; the official events written. Also does what is due after them."""
        decision = self.decide(source, command)
        assert not isinstance(decision, Refusal), decision
        basis, name = self.tournament.seq, f"c{len(self.events)}"
        own = self.tournament.counts.get(source, 0)
        if decision.game is not None:
            sheet = self.sheet(source, decision.game)
            lines = self.sheet_lines.setdefault(decision.game, [])
            for data in decision.lines:
                event = self._event(source, len(lines) + 1, len(lines) + 1, basis, name, command.actor, data, own)
                lines.append(event._replace(game=decision.game))
                self.rules[source].evolve_sheet(sheet, event)
        written = []
        seen = self.tournament.fork()
        sheet_lines = len(self.sheet_lines.get(decision.game or "", ()))
        seal = Seal(seen, basis, b"", sheet_lines, "0" * 64, lambda *_: "")
        for i, bare in enumerate((*decision.events, *decision.brought)):
            data = self.rules[source].seal(bare, seal)
            who = command.actor if i < len(decision.events) else RULEBOOK
            seq = self.tournament.seq + 1
            event = self._event(source, seq, self.tournament.counts.get(source, 0) + 1, basis, name, who, data)
            evolve(self.tournament, event)
            self.events.append(event)
            written.append(event)
        self._due()
        return written

    def refused(self, source: Source, command: Any) -> Refusal:
        """The refusal; following the command instead is an AssertionError."""
        answer = self.decide(source, command)
        assert isinstance(answer, Refusal), f"followed: {answer}"
        return answer

    def _due(self) -> None:
        for source, rules in self.rules.items():
            for command in rules.due(self.tournament):
                self.do(source, command)
                return

    def _event(
        self,
        source: Source,
        seq: int,
        sourceseq: int,
        basis: int,
        name: str,
        actor: Actor,
        data: Data,
        official: int | None = None,
    ) -> NewEvent:
        return NewEvent(
            Seq(seq),
            source,
            sourceseq,
            Seq(basis),
            name,
            actor.name,
            actor.role,
            actor.tokenid,
            data,
            self.time,
            official,
        )


def of_type(events: Iterable[Event], kind: type) -> list[Any]:
    """The data of the events of one type."""
    return [e.data for e in events if isinstance(e.data, kind)]


def why(move: Any) -> tuple[str, str]:
    """Of what a game did not take: the reason in English, and its article."""
    return str(move.reason), move.article
