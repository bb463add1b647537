"""The rulebook in force: its rows by their names."""

from dataclasses import replace

from shared.core.rulebook.regulations import (
    BREAK_INFRACTIONS,
    Breaks,
    FindingRule,
    InfractionRule,
    LadderRule,
    Lateness,
)
from shared.core.state.tournament import Tournament
from shared.core.terms import PENALTIES, RulingId

FLAG = "flag"
LONG_BREAK, LEAVING_THE_GAME = BREAK_INFRACTIONS
FINDINGS_WITHOUT_ROWS = (FindingRule("flag", "flag", draws=True),)
"""The effect of findings in rulebooks of old logs, which have no rows for them."""


def infraction_rule(t: Tournament, name: str) -> InfractionRule | None:
    """Return the rulebook's row for an infraction of this tournament's game, or None if it is unknown.

    For a fallen flag, the article is the one that the regulations give for that game.
    """
    row = next((row for row in infraction_rules(t) if row.name == name), None)
    if row is None or row.name != FLAG or t.regulations.decisions < 2:
        return row
    return replace(row, article=t.regulations.game.flag(t.announced.game))


def ruling_row(t: Tournament, row: InfractionRule) -> InfractionRule:
    """Return the ruleset's row for a reported infraction: its own row, or that of the infraction that it counts as."""
    other = infraction_rule(t, row.counts_as) if row.counts_as else row
    assert other is not None, "a rulebook knows the infractions of its own rows"
    return other


def infraction_rules(t: Tournament) -> tuple[InfractionRule, ...]:
    """Return the rows that are infractions in this tournament's game."""
    return t.regulations.rulebook.infraction_rules(t.announced.game)


def ladder_rules(t: Tournament) -> tuple[LadderRule, ...]:
    """Return the ladder steps that apply in this tournament's game."""
    rows = t.regulations.rulebook.ladder
    return tuple(row for row in rows if not row.games or t.announced.game in row.games)


def finding_rules(t: Tournament, finding: str) -> tuple[FindingRule, ...]:
    """Return the rulebook's rows for a kind of ``finding`` in this tournament's game.

    If the rulebook of an old log has no rows for findings at all, the row for a fallen flag still applies.
    """
    rows = t.regulations.rulebook.finding_rules(finding, t.announced.game)
    return rows or tuple(
        row for row in FINDINGS_WITHOUT_ROWS if row.finding == finding and not t.regulations.rulebook.findings
    )


def exceeds(rule: Lateness | Breaks, seconds: int) -> bool:
    """Return whether seconds are beyond a rule's limit, or at it if the limit is not strict."""
    return seconds > rule.limit if rule.strictly else seconds >= rule.limit


def next_ruling(t: Tournament, ahead: int = 0) -> RulingId:
    """Return the ID of the ruling that comes ``ahead`` events after the next one of penalties."""
    return RulingId(f"r{next_number(t, ahead)}")


def next_number(t: Tournament, ahead: int = 0) -> int:
    """Return the ``sourceseq`` of penalties' next event, or of the one ``ahead`` after it."""
    return t.counts.get(PENALTIES, 0) + 1 + ahead
