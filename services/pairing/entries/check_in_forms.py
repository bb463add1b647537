"""Check-in (签到): who has come, ticked in a list, and what becomes of who has not."""

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, ValidationError, fields, validate

from services.pairing.layout import LAYOUT
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared.core.language.messages import say
from shared.core.readings.authority import Permit
from shared.core.readings.concern import concern
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, PlayerId, Refusal
from shared.core.values.bounds import ENTRY
from shared.desk.desk import Desk, View
from shared.http.language import language
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
    if not all(map(_is_number, words)):
        raise ValidationError([say("the name of a player's login must be the player's number in the tournament")])


class TicksForm(Schema):
    """``here``: who is ticked; ``ticked``: of those listed, who was ticked already; numbers of entries."""

    here = fields.Raw(load_default="", validate=_are_numbers)
    ticked = fields.String(load_default="", validate=[validate.Length(0, _LONGEST), _are_numbers])
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
            missing = _numbers(request.form.getlist("missing"))
            permit = RULES.permit(co.GrantByes if request.form["what"] == "bye" else co.WithdrawPlayers)
            form = _form(desk, permit, view, state, missing)
            return form.respond(MissingForm, _about_missing(state, missing))
        here = set(_numbers(request.form.getlist("here")))
        ticked = set(_numbers(request.form.get("ticked", "").split()))
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


def _about_missing(t: Tournament, missing: list[PlayerId]) -> Any:
    def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.GrantByes | co.WithdrawPlayers:
        if typed["what"] == "bye":
            return co.GrantByes(actor, tuple(missing), t.rounds_paired() + 1, "Z")
        return co.WithdrawPlayers(actor, tuple(missing), texts.ref(language.words(say("did not come to the check-in"))))

    return make


def _numbers(words: list[str]) -> list[PlayerId]:
    """Return the numbers of entries among these words. The form's schema refuses the others."""
    numbers = dict.fromkeys(int(word) for word in words if _is_number(word))
    return [PlayerId(n) for n in numbers if n <= ENTRY.high]


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 6


def _form(desk: Desk, permit: Permit, view: View, t: Tournament, about: list[PlayerId]) -> Form:
    """Return the form. It is about the noted players only, so that several officials may check in at once."""
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
            "came": len(t.checked_in) if visible else None,
            "present": len(present),
            "search": search,
            "round": next_round,
            "byes_there": FORMATS[stage_now(t).format].paired_freely and next_round <= t.announced.rounds,
        }

    back = back_to("check_in_form", "office_page", t=t.id)
    return Form(desk, LAYOUT, permit, view, "check_in.html", concern(players=about), back, context)
