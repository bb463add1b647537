"""The names and particulars of entries that the reader of an answer may see, as the organiser decided."""

from collections.abc import Iterable
from functools import partial

from flask import Response, after_this_request, has_request_context

from shared.core.events import PersonalMember
from shared.core.readings.particulars import (
    PERSONAL,
    Particulars,
    hidden_members,
    particular_hashes,
    particulars_in,
    without_hidden,
)
from shared.core.rounds.matches import team_of
from shared.core.state.tournament import TournamentState
from shared.core.terms import PlayerId
from shared.desk.desk import Desk
from shared.http.requests import auth

PARTICULARS: tuple[PersonalMember, ...] = ("club", "sex", "birth_year", "fide_id", "national_id")


def hidden_from_reader(
    desk: Desk, t: TournamentState, asked: Iterable[PersonalMember] = PERSONAL
) -> frozenset[PersonalMember]:
    """Return which of the ``asked`` members of entries the reader may not see now, whatever past state is shown.

    If they are not public, caches do not give the answer to other readers. Outside a request nothing is hidden.
    """
    if not has_request_context():
        return frozenset()
    now, reader = desk.folds.current_view(t.id), auth.visitor_of(t.id)
    state = t if now is None else now.state
    if not (not_public := frozenset(asked) - state.visibility.public):
        return frozenset()
    hidden = not_public & hidden_members(state, None if reader is None else reader.actor)
    after_this_request(partial(limit_caches, personal=not hidden))
    return hidden


def limit_caches(response: Response, *, personal: bool) -> Response:
    """Let caches give a response to no other reader, and store none that has ``personal`` members."""
    if personal:
        response.headers["Cache-Control"] = "no-store"
    response.vary.update(("Authorization", "Cookie"))
    return response


def particulars_of(
    desk: Desk, t: TournamentState, players: Iterable[PlayerId] | None = None
) -> dict[PlayerId, Particulars]:
    """Return the particulars of these players, by default of all, without those that are hidden from the reader."""
    hidden = hidden_from_reader(desk, t, PARTICULARS)
    entries = [without_hidden(t.players[p], hidden) for p in (t.players if players is None else players)]
    return particulars_in(desk.called(particular_hashes(entries)), entries)


def units_of(desk: Desk, t: TournamentState, players: Iterable[PlayerId]) -> dict[PlayerId, str | None]:
    """Return the team of each of these players, or the club of a player without team, as far as the reader may see it."""
    chosen, teams = list(players), team_of(t)
    said = particulars_of(desk, t, [player for player in chosen if player not in teams])
    refs = {player: t.teams[teams[player]].name.text for player in chosen if player in teams}
    called = desk.called(refs.values())
    return {player: called.get(refs[player]) if player in refs else said[player].club for player in chosen}


def names_of(desk: Desk, t: TournamentState, players: Iterable[PlayerId]) -> dict[PlayerId, str]:
    """Return the names of these players, without those that were erased or are hidden from the reader."""
    if hidden_from_reader(desk, t, ("name",)):
        return {}
    refs = {player: t.players[player].name.text for player in players}
    called = desk.called(refs.values())
    return {player: called[ref] for player, ref in refs.items() if ref in called}
