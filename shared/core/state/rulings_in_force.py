"""Which rulings stand, and which have effect: the part of a tournament that asks it of the log's rulings, and why one fell.

Standard library only.
"""

from shared.core import events as ev
from shared.core.rulebook.regulations import Regulations
from shared.core.state.entities import Annulment, FactsCheck, Finding, Game, Ruling
from shared.core.terms import RulingId


class RulingsInForce:
    """The rulings of a tournament, all that they rest on, and what took it away (`TournamentState` holds it)."""

    __slots__ = ()

    regulations: Regulations | None
    rulings: dict[RulingId, Ruling]
    annulments: dict[RulingId, Annulment]
    annulled_by: dict[RulingId, tuple[RulingId, ...]]
    findings: dict[str, Finding]
    facts_checks: dict[RulingId, FactsCheck]
    standing: dict[RulingId, bool]
    suppressed: frozenset[RulingId]
    corrections: dict[str, str]
    consequences: dict[str, tuple[RulingId, ...]]

    def stands(self, ruling: RulingId) -> bool:
        """Whether a ruling (or an annulment) stands.

        It stands while no annulment of it stands, what it follows from is in force, the score sheet does not contradict its
        facts, and everything in its ``because`` stands. All point only to earlier events, so this ends.
        """
        known = self.standing.get(ruling)
        if known is None:
            entry = self.rulings.get(ruling)
            known = (
                (entry is not None or ruling in self.annulments)
                and ruling not in self.suppressed
                and not any(map(self.stands, self.annulled_by.get(ruling, ())))
                and (entry is None or self._grounds_hold(entry.event))
            )
            self.standing[ruling] = known
        return known

    def annulments_in_force(self, ruling: RulingId) -> tuple[RulingId, ...]:
        """Return the annulments in force that name this very ruling or annulment (and not only what it is based on)."""
        return tuple(filter(self.stands, self.annulled_by.get(ruling, ())))

    def _grounds_hold(self, ruling: ev.RulingMade) -> bool:
        """Whether all that a ruling rests on holds: its finding, its facts, its arrival or breaks, other rulings."""
        return (
            self.withdrawn_finding(ruling) is None
            and self.contradiction(ruling.ruling) is None
            and self.correction_of(ruling) is None
            and (not ruling.notes or self.pardon(ruling.notes[-1]) is None)
            and all(map(self.stands, ruling.because))
        )

    def correction_of(self, ruling: ev.RulingMade) -> str | None:
        """The correction of the arrival, or of one of the breaks, that a ruling follows from; None: all are in force."""
        return next((self.corrections[note] for note in ruling.notes if note in self.corrections), None)

    def pardon(self, note: str) -> RulingId | None:
        """The standing annulment of a ruling that followed from this arrival or break: nothing more follows from it."""
        rulings = self.consequences.get(note, ())
        return next((a for r in rulings for a in self.annulled_by.get(r, ()) if self.stands(a)), None)

    def withdrawn_finding(self, ruling: ev.RulingMade) -> Finding | None:
        """The finding that a ruling answers, where it holds no longer."""
        finding = None if ruling.finding is None else self.findings.get(ruling.finding)
        return None if finding is None or finding.withdrawn is None else finding

    def contradiction(self, ruling: RulingId) -> FactsCheck | None:
        """The check by which the score sheet contradicts a ruling's facts."""
        check = self.facts_checks.get(ruling)
        return check if check is not None and check.event.contradicted else None

    def effective(self, ruling: RulingId) -> bool:
        """Whether a ruling stands and is the first standing one of its rung; in the second edition of decisions one that
        rests on others, as where both players lose, goes before one that does not."""
        event = self.rulings[ruling].event
        if not self.stands(ruling):
            return False
        if event.rung is None:
            return True
        of_rung = [r.event for r in self.rulings.values() if r.event.rung == event.rung and self.stands(r.event.ruling)]
        resting = next((r for r in of_rung if r.because), None) if self._second_edition() else None
        return ruling == (resting or of_rung[0]).ruling

    def _second_edition(self) -> bool:
        return self.regulations is not None and self.regulations.decisions >= 2

    def standing_rulings(self) -> list[Ruling]:
        """The rulings that have effect, in the log's order."""
        return [r for i, r in self.rulings.items() if self.effective(i)]

    def ruling_on(self, game: Game) -> Ruling | None:
        """The last effective ruling that sets the game's marks."""
        for ruling in reversed(game.rulings):
            if self.effective(ruling):
                return self.rulings[ruling]
        return None
