"""Check-in (签到): who has come, ticked in a list, and what becomes of who has not."""

from collections.abc import Sequence
from typing import Any
from unicodedata import normalize

from flask import Blueprint, Response, request
from marshmallow import Schema, ValidationError, fields, validate

from services.pairing.entries.absent_players import CHOICES, grants_byes, is_number, player_numbers
from services.pairing.layout import LAYOUT
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared.core.language.messages import say
from shared.core.readings.authority import Permit
from shared.core.readings.concern import concern
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, PlayerId, Refusal
from shared.desk.desk import Desk, View
from shared.http.operations import TABLE
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.log.texts import Texts
from shared.web.form import Form, back_to
from shared.web.name_order import finds, name_key
from shared.web.particulars import hidden_from_reader, limit_caches, names_of, particulars_of

_LONGEST = 200_000


def _are_numbers(sent: str | list[str]) -> None:
    words = sent.split() if isinstance(sent, str) else sent
    if not all(map(is_number, words)):
        raise ValidationError([say("the name of a player's login must be the player's number in the tournament")])


def _are_typed_numbers(sent: str) -> None:
    if not player_numbers(_words(sent)) or not all(map(is_number, _words(sent))):
        raise ValidationError([say("must be the numbers of players in this list, separated by spaces")])


class TicksForm(Schema):
    """``here``: who is ticked; ``ticked``: of those listed, who was ticked already; numbers of entries.

    ``everyone``: all who are ``listed`` have come.
    """

    here = fields.Raw(load_default="", validate=_are_numbers)
    ticked = fields.String(load_default="", validate=[validate.Length(0, _LONGEST), _are_numbers])
    listed = fields.String(load_default="", validate=[validate.Length(0, _LONGEST), _are_numbers])
    everyone = q = fields.String()


class ArrivedForm(Schema):
    """``arrived``: the typed numbers of players who have come."""

    arrived = fields.String(required=True, validate=[validate.Length(1, 80), _are_typed_numbers])
    q = fields.String()


class MissingForm(Schema):
    """``missing``: who has not come; ``what``: a zero-point bye for the next round, or withdrawal."""

    missing = fields.Raw(required=True, validate=_are_numbers)
    what = fields.String(required=True, validate=validate.OneOf(("bye", "withdrawal")))
    q = fields.String()


class OwnForm(Schema):
    """A player's own check-in, which has no fields."""


def check_in(bp: Blueprint, desk: Desk) -> None:
    """Register the list, the forms about missing players, and the players' own check-in."""

    @LAYOUT.serves(bp, "/t/<t>/check-in", form=True, cost=TABLE)
    def check_in_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament
        if "what" in request.form:
            missing = tuple(player_numbers(request.form.getlist("missing")))
            permit = RULES.permit(co.GrantByes if request.form["what"] == "bye" else co.WithdrawPlayers)

            def decide(actor: Actor, texts: Texts, typed: dict[str, Any]) -> Any:
                return CHOICES[typed["what"]].make(actor, texts, missing, state.rounds_paired() + 1)

            return _form(desk, permit, view, state, missing).respond(MissingForm, decide)
        if "arrived" in request.form:
            arrived = tuple(player_numbers(_words(request.form["arrived"])))
            form = _form(desk, RULES.permit(co.CheckInPlayers), view, state, arrived, arrived=arrived)
            return form.respond(ArrivedForm, lambda actor, texts, typed: co.CheckInPlayers(actor, arrived, ()))
        here = set(player_numbers(request.form.getlist("here")))
        ticked = set(player_numbers(request.form.get("ticked", "").split()))
        if "everyone" in request.form:
            here = set(player_numbers(request.form.get("listed", "").split()))
        came, absent = sorted(here - ticked), sorted(ticked - here)

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.CheckInPlayers:
            return co.CheckInPlayers(actor, tuple(came), tuple(absent))

        return _form(desk, RULES.permit(co.CheckInPlayers), view, state, [*came, *absent]).respond(TicksForm, make)

    @LAYOUT.serves(bp, "/t/<t>/me/check-in", form=True)
    def own_check_in_form(t: str) -> Response:
        view, who = tournament_query.latest(desk, t), auth.visitor_of(t)
        player = None if who is None or _own(view.state, who.actor) is not None else PlayerId(int(who.actor.name))

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.CheckInPlayers:
            return co.CheckInPlayers(actor, (PlayerId(int(actor.name)),))

        context = {"player": player, "came": player in view.state.checked_in}
        back, about = back_to("own_board_page", t=t), concern(players=() if player is None else (player,))
        form = Form(desk, LAYOUT, _own, view, "own_check_in.html", about, back, context)
        return limit_caches(form.respond(OwnForm, make), personal=True)


def _own(t: TournamentState, actor: Actor) -> Refusal | None:
    """Return why the actor may not check in as a player of the tournament, or None."""
    if actor.role != "player":
        return Refusal(
            "authority", "role-may-not", say("only a player checks in here; officials use the check-in list")
        )
    return RULES.permit(co.CheckInPlayers)(t, actor)


def _words(typed: str) -> list[str]:
    """Return the words of a typed text, with full-width digits as others."""
    return normalize("NFKC", typed).replace(",", " ").replace("、", " ").split()


def _form(
    desk: Desk,
    permit: Permit,
    view: View,
    t: Tournament,
    about: Sequence[PlayerId],
    arrived: Sequence[PlayerId] | None = None,
) -> Form:
    """Return the form of the list. It is about those alone who are noted, so that several people may check in at once.

    ``arrived``: the players who were typed by number, which the next page repeats.
    """
    search = request.args.get("q", request.form.get("q", ""))[:80]

    def context() -> dict[str, Any]:
        visible = not hidden_from_reader(desk, t, ("checked_in",))
        present = [entry for entry in t.players.values() if entry.left_after is None]
        names, said = names_of(desk, t, t.players), particulars_of(desk, t)
        rows = [(entry.player, names.get(entry.player), said[entry.player].club) for entry in present if visible]
        next_round = t.rounds_paired() + 1
        shown = [
            row for row in rows
            if not search or search == str(row[0]) or any(finds(search, text or "") for text in row[1:])
        ]  # fmt: skip
        missing = [row for row in rows if row[0] not in t.checked_in and (row[0], next_round) not in t.byes]
        return {
            "rows": sorted(shown, key=lambda row: name_key(row[1] or "")),
            "missing": sorted(missing, key=lambda row: name_key(row[1] or "")),
            "arrived": [row for row in rows if row[0] in player_numbers(request.args.get("arrived", "").split())],
            "came": len(t.checked_in) if visible else None,
            "present": len(present),
            "search": search,
            "round": next_round,
            "byes_there": grants_byes(t, next_round),
        }

    typed = {} if arrived is None else {"arrived": " ".join(map(str, arrived))}
    back = back_to("check_in_form", "office_page", t=t.id, **typed)
    return Form(desk, LAYOUT, permit, view, "check_in.html", concern(players=about), back, context)
