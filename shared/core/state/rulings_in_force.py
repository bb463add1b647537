"""Which rulings of a tournament are in force, which of them have effect, and why one is no longer in force.

Standard library only.
"""

from shared.core import events as ev
from shared.core.rulebook.regulations import Regulations
from shared.core.state.entities import Annulment, FactsCheck, Finding, Game, Ruling
from shared.core.terms import RulingId


class RulingsInForce:
    """The rulings of a tournament, the facts they depend on, and what annulled them (`TournamentState` holds it)."""

    __slots__ = ()

    regulations: Regulations | None
    rulings: dict[RulingId, Ruling]
    annulments: dict[RulingId, Annulment]
    annulled_by: dict[RulingId, tuple[RulingId, ...]]
    findings: dict[str, Finding]
    facts_checks: dict[RulingId, FactsCheck]
    in_force_cache: dict[RulingId, bool]
    suppressed: frozenset[RulingId]
    corrections: dict[str, str]
    consequences: dict[str, tuple[RulingId, ...]]

    def is_in_force(self, ruling: RulingId) -> bool:
        """Return whether a ruling or an annulment is in force.

        It is in force if no annulment of it is, the finding, arrival or break it results from still holds, the score sheet does
        not contradict its facts, and every ruling in its ``because`` is in force. All refer to earlier events, so this ends.
        """
        answer = self.in_force_cache.get(ruling)
        if answer is None:
            entry = self.rulings.get(ruling)
            answer = (
                (entry is not None or ruling in self.annulments)
                and ruling not in self.suppressed
                and not any(map(self.is_in_force, self.annulled_by.get(ruling, ())))
                and (entry is None or self._grounds_hold(entry.event))
            )
            self.in_force_cache[ruling] = answer
        return answer

    def annulments_in_force(self, ruling: RulingId) -> tuple[RulingId, ...]:
        """Return the annulments in force of this ruling or annulment itself.

        Annulments of the rulings that it depends on are not included.
        """
        return tuple(filter(self.is_in_force, self.annulled_by.get(ruling, ())))

    def lapsed_with(self, ruling: RulingId) -> tuple[RulingId, ...]:
        """Return the rulings that this ruling depends on and that are not in force. An annulment depends on none."""
        entry = self.rulings.get(ruling)
        return () if entry is None else tuple(one for one in entry.event.because if not self.is_in_force(one))

    def _grounds_hold(self, ruling: ev.RulingMade) -> bool:
        """Return whether everything that a ruling depends on holds: its finding, facts, arrival or breaks, and other rulings."""
        return (
            self.withdrawn_finding(ruling) is None
            and self.contradiction(ruling.ruling) is None
            and self.correction_of(ruling) is None
            and (not ruling.notes or self.pardon(ruling.notes[-1]) is None)
            and all(map(self.is_in_force, ruling.because))
        )

    def correction_of(self, ruling: ev.RulingMade) -> str | None:
        """Return the correction of an arrival or a break that a ruling results from, or None if all are in force."""
        return next((self.corrections[note] for note in ruling.notes if note in self.corrections), None)

    def pardon(self, note: str) -> RulingId | None:
        """Return the annulment in force of a ruling on this arrival or break, or None. A pardon means no further consequences."""
        rulings = self.consequences.get(note, ())
        return next((a for r in rulings for a in self.annulled_by.get(r, ()) if self.is_in_force(a)), None)

    def withdrawn_finding(self, ruling: ev.RulingMade) -> Finding | None:
        """Return the finding that a ruling answers if it is withdrawn, else None."""
        finding = None if ruling.finding is None else self.findings.get(ruling.finding)
        return None if finding is None or finding.withdrawn is None else finding

    def contradiction(self, ruling: RulingId) -> FactsCheck | None:
        """Return the check by which the score sheet contradicts a ruling's facts, or None."""
        check = self.facts_checks.get(ruling)
        return check if check is not None and check.event.contradicted else None

    def has_effect(self, ruling: RulingId) -> bool:
        """Return whether a ruling has effect: it is in force and comes first among those in force on its ladder step.

        From decision edition 2 on, a ruling that depends on others (as when both players lose) goes before one that does not.
        """
        event = self.rulings[ruling].event
        if not self.is_in_force(ruling):
            return False
        if event.rung is None:
            return True
        of_rung = [
            r.event for r in self.rulings.values() if r.event.rung == event.rung and self.is_in_force(r.event.ruling)
        ]
        resting = next((r for r in of_rung if r.because), None) if self._second_edition() else None
        return ruling == (resting or of_rung[0]).ruling

    def _second_edition(self) -> bool:
        return self.regulations is not None and self.regulations.decisions >= 2

    def rulings_with_effect(self) -> list[Ruling]:
        """Return the rulings that have effect, in the log's order."""
        return [r for i, r in self.rulings.items() if self.has_effect(i)]

    def ruling_on(self, game: Game) -> Ruling | None:
        """Return the last effective ruling that sets the results of the game, or None."""
        for ruling in reversed(game.rulings):
            if self.has_effect(ruling):
                return self.rulings[ruling]
        return None
