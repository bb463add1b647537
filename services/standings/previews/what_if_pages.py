"""The page of what if: the table as it would be without rulings that somebody ticks off, and through what it would."""

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response

from services.standings import queries
from services.standings.descriptions.registry import sentence
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.previews.changed_rows import changed_rows, changed_teams
from services.standings.rules.diff import diff, team_diff
from shared.core.language.messages import Message, say
from shared.core.readings.reasons_without_effect import annulled_by, reason_without_effect
from shared.core.state.entities import Annulment, Game, Ruling
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RulingId
from shared.desk.desk import Desk, View
from shared.http.operations import PREVIEW
from shared.http.reads import tournament_query
from shared.web.value_words import effect


def reason_unchanged(was: Tournament, now: Tournament, ruling: RulingId) -> Message:
    """Return why ignoring a ruling or an annulment changes no result. ``was``: as ruled, ``now``: without it."""
    if ruling in was.rulings:
        why = reason_without_effect(was, was.rulings[ruling])
        if why is not None:
            return say("{ruling} has no effect in any case: {why}.", ruling=ruling, why=why)
        return _same_result(was, now, ruling)
    annulled = was.annulments[ruling].event.annuls
    why = annulled_by(was, ruling)
    if why is not None:
        return say("{ruling} has no effect in any case: {why}.", ruling=ruling, why=why)
    if annulled in now.rulings:
        why = reason_without_effect(now, now.rulings[annulled])
        if why is None:
            return _same_result(was, now, annulled)
        return say(
            "{annulled} has no effect without {ruling} either: {why}.", annulled=annulled, ruling=ruling, why=why
        )
    return say("{annulled} is in force again, and no result depends on it.", annulled=annulled)


def _same_result(was: Tournament, now: Tournament, ruling: RulingId) -> Message:
    """Return why a ruling that has an effect, as ruled or now, leaves the table as it is."""
    made = was.rulings[ruling].event
    game = None if made.game is None else was.games.get(made.game)
    if made.effect.kind != "set_marks" or game is None:
        return say("{ruling} changes no result: its effect is “{effect}”.", ruling=ruling, effect=effect(was, made))
    other = _other_ruling(was, now, game, ruling)
    if other is not None:
        return say("The result of the game of {ruling} is set by another ruling, {other}.", ruling=ruling, other=other)
    return say("The game of {ruling} has the same result with and without it.", ruling=ruling)


def _other_ruling(was: Tournament, now: Tournament, game: Game, ruling: RulingId) -> RulingId | None:
    for t in (was, now):
        found = t.ruling_on(game)
        if found is not None and found.event.ruling != ruling:
            return found.event.ruling
    return None


def what_if(bp: Blueprint, desk: Desk) -> None:
    """The page; what is ticked off stands in its address, as ``without``."""

    @LAYOUT.serves(bp, "/t/<t>/what-if", cost=PREVIEW)
    def what_if_page(t: str) -> Response:
        page = page_context(desk, t)
        as_ruled = tournament_query.view_at(desk, t, tournament_query.number("at", 1))
        gone = page.state.suppressed
        return page.render(
            "what_if.html",
            rulings=[_choice(page, one, gone) for one in _rulings(as_ruled.state) if _offered(as_ruled, one, gone)],
            **(_shown(page, as_ruled) if gone else {"falls": [], "rises": [], "rows": [], "teams": [], "reasons": []}),
        )


def _rulings(t: TournamentState) -> Iterator[Ruling | Annulment]:
    """Every ruling and every annulment, in the log's order."""
    both: list[Ruling | Annulment] = [*t.rulings.values(), *t.annulments.values()]
    yield from sorted(both, key=lambda one: one.seq)


def _offered(as_ruled: View, one: Ruling | Annulment, gone: frozenset[RulingId]) -> bool:
    """Whether a ruling can be ticked off: it stands, or it is thought away."""
    return one.event.ruling in gone or as_ruled.state.is_in_force(one.event.ruling)


def _choice(page: PageContext, one: Ruling | Annulment, gone: frozenset[RulingId]) -> dict[str, Any]:
    return {
        "ruling": one.event.ruling,
        "seq": one.seq,
        "gone": one.event.ruling in gone,
        "words": sentence(page.state, one.event, page.call),
    }


def _shown(page: PageContext, as_ruled: View) -> dict[str, Any]:
    """Return the rulings that lapse or take effect without the ignored ones, and the changed rows or why there are none."""
    was, now = as_ruled.state, page.state
    rows, teams = changed_rows(page, diff(queries.table(as_ruled), queries.table(page.view))), team_diff(was, now)
    others = [one.event for one in _rulings(was) if one.event.ruling not in now.suppressed]
    return {
        "falls": [e.ruling for e in others if _holds(was, e.ruling) and not _holds(now, e.ruling)],
        "rises": [e.ruling for e in others if _holds(now, e.ruling) and not _holds(was, e.ruling)],
        "rows": rows,
        "teams": changed_teams(page, teams),
        "reasons": [] if rows else _reasons(was, now),
    }


def _reasons(was: TournamentState, now: TournamentState) -> list[Message]:
    """Return why nothing changes, a sentence for each ignored ruling."""
    if not isinstance(was, Tournament) or not isinstance(now, Tournament):
        return []
    return [reason_unchanged(was, now, one.event.ruling) for one in _rulings(was) if one.event.ruling in now.suppressed]


def _holds(t: TournamentState, ruling: RulingId) -> bool:
    """Whether a ruling has effect, or an annulment stands."""
    return t.has_effect(ruling) if ruling in t.rulings else t.is_in_force(ruling)
