"""The forms that decide a shared place after the last round: a play-off, and lots (002-X 15.6, 000-B 9)."""

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing.layout import LAYOUT
from services.pairing.rounds.draft_verdict import of_play_off, seats_of
from services.pairing.rounds.hand_forms import Sheet, respond
from services.pairing.rounds.pairing_draft import Read, Sides, draft_of, read
from services.pairing.rounds.pairing_proposal import lots
from services.pairing.rules import RULES, play_off
from services.pairing.rules import commands as co
from shared.core.language.messages import Message, say
from shared.core.readings.concern import concern_of_tied_sides, sides_of_match
from shared.core.rounds.matches import extra_due, matches, members_of, teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor
from shared.desk.desk import Desk, View
from shared.http.common_problems import bad_fields
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to, back_to_round
from shared.web.page import link

_LONGEST = 2_000


class LotsForm(Schema):
    """A match that remained drawn, or the numbers or names of the sides that share a place, one per line."""

    match = fields.Integer(load_default=None, validate=validate.Range(1, 10**6))
    equals = fields.String(load_default=None, validate=validate.Length(1, _LONGEST))


def play_offs(bp: Blueprint, desk: Desk) -> None:
    """Register the forms of play-offs and lots."""

    @LAYOUT.serves(bp, "/t/<t>/play-offs", form=True)
    def play_off_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        return _play_off(desk, view, view.tournament)

    @LAYOUT.serves(bp, "/t/<t>/lots", form=True)
    def lots_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        return _lots(desk, view, view.tournament)


def _play_off(desk: Desk, view: View, t: Tournament) -> Response:
    """Answer the form of a play-off. It begins with the sides that share a place (``?equals=3,7``), paired in order."""
    last, sides = t.rounds_paired(), sorted(t.teams) if teams_meet(t) else t.players
    here = tuple(side for side in sides if any(play_off.may_play(t, m) for m in members_of(t, side)))
    equals = tuple(side for side in _numbers(request.values.get("equals", "")) if side in here)
    early = play_off.refuse_early(t)
    sheet = Sheet(
        desk,
        view,
        last + 1,
        of_play_off,
        0,
        equals or here,
        say("Play-off"),
        say("Publish the pairing of the play-off"),
        has_bye=False,
        why_not=None if early is None or request.method == "POST" else early.detail,
        begins=tuple(zip(equals[::2], equals[1::2], strict=False)),
    )

    def make(actor: Actor, texts: Texts, sent: dict[str, Any], meant: Read) -> co.PairPlayOff:
        return co.PairPlayOff(actor, seats_of(t, last + 1, meant.pairs), texts.ref(sent["reason"]))

    def back(seq: int | None) -> str:
        if seq is None:
            return link("standings_page", t=t.id, at=None, without=None)
        there = tournament_query.view_at(desk, t.id, after=seq).state
        return back_to_round(t.id, there.rounds_paired())(seq)

    seated = read(draft_of(request.form), sheet.sides).found.values()
    form = Form(
        desk, LAYOUT, RULES.permit(co.PairPlayOff), view, "pairing_by_hand.html", concern_of_tied_sides(t, seated), back
    )
    return respond(sheet, form, make)


def _lots(desk: Desk, view: View, t: Tournament) -> Response:
    sheet = Sheet(desk, view, t.rounds_paired() + 1, of_play_off, 0, (), say("Lots"), say("Draw lots"))
    sides = sheet.sides

    def make(actor: Actor, texts: Texts, sent: dict[str, Any]) -> co.DrawLots:
        equals = () if sent["equals"] is None else _found(sides, sent["equals"])
        if bool(sent["match"]) == bool(equals):
            raise bad_fields(None, say("give either match or equals, not both"))
        return co.DrawLots(actor, sent["match"] or 0, lots(desk, t.id, view.seq), equals)

    numbers = {side: number for number, side in sides.numbers.items()}
    equals = [side for side in _numbers(request.args.get("equals", "")) if side in sides.numbers.values()]
    context = {
        "has_matches": bool(matches(t)),
        "drawn": [m for m in matches(t).values() if not m.over and not m.open and not extra_due(t, m)],
        "equals": [sides.typed(side) for side in equals],
        "numbers": numbers,
        "names": sides.names,
        "lots": [
            *((n, (lot.winner,), lot.seq) for n, lot in t.lots.items()),
            *((0, lot.order, lot.seq) for lot in t.place_lots),
        ],
    }
    match = next(iter(_numbers(request.form.get("match", ""))), 0)
    named, _ = _named(sides, request.form.get("equals", ""))
    about = concern_of_tied_sides(t, (*named, *sides_of_match(t, match)))
    permit, back = RULES.permit(co.DrawLots), back_to("lots_form", "standings_page", t=t.id)
    return Form(desk, LAYOUT, permit, view, "lots.html", about, back, context).respond(LotsForm, make)


def _numbers(text: str) -> list[int]:
    """Return the IDs of sides in an address: ``3,7``."""
    return [int(one) for one in text[:_LONGEST].split(",") if one.isascii() and one.isdigit() and len(one) < 10]


def _named(sides: Sides, text: str) -> tuple[list[int], list[Message]]:
    """Return the sides of a text, one number or name per line, and the errors of lines that name no side."""
    found, wrong = list[int](), list[Message]()
    for line in text[:_LONGEST].splitlines():
        side = sides.found(line)
        if isinstance(side, Message):
            wrong.append(side)
        elif side is not None:
            found.append(side)
    return found, wrong


def _found(sides: Sides, text: str) -> tuple[int, ...]:
    """Return the sides of a text. Raises `Problem` 422 with each unknown one."""
    found, wrong = _named(sides, text)
    if wrong:
        raise bad_fields({"equals": wrong})
    return tuple(found)
