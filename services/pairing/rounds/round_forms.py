"""The form of a round's pairing: it is published as shown, withdrawn, or voided after games have begun."""

from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing.entries.absent_players import CHOICES, player_numbers
from services.pairing.layout import LAYOUT
from services.pairing.rounds.draft_rows import ANYWAY, DONE, MOST_NAMED
from services.pairing.rounds.draft_verdict import member_of, of_round, seats_of
from services.pairing.rounds.hand_forms import HAND, Sheet, respond
from services.pairing.rounds.pairing_draft import Read
from services.pairing.rounds.pairing_proposal import lots, may_number, proposal
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.formats.next_stage import stage_due
from services.pairing.rules.formats.registry import PAIRED_FORMATS, no_plan
from services.pairing.rules.pairing_settlement import EDITION, boards_begun
from services.pairing.rules.shown_pairing import ShownPairing
from services.pairing.rules.sides.participants import present_in
from shared.core.language.messages import Message, say
from shared.core.readings.authority import Permit
from shared.core.readings.concern import Concern, concern
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor
from shared.core.values.bounds import REASON
from shared.desk.desk import Desk, View
from shared.http.common_problems import unknown_round
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to_round, seq_of
from shared.web.page import link

_LONGEST_PAIRING = 100_000
"""Limit of characters in the boards of a round."""
PAIR = RULES.permit(co.PairRound)


class WithdrawalForm(Schema):
    played = fields.String(load_default="", validate=validate.OneOf(("", "yes")))
    reason = fields.String(required=True, validate=validate.Length(1, REASON.longest))


class PublicationForm(Schema):
    """A pairing as the form showed it, in the texts of `ShownPairing`."""

    boards = fields.String(load_default="", validate=validate.Length(0, _LONGEST_PAIRING))
    byes = fields.String(load_default="", validate=validate.Length(0, _LONGEST_PAIRING))
    engine = fields.String(load_default="", validate=validate.Length(0, 80))
    lots = fields.String(required=True, validate=validate.Length(1, 40))


class AbsentForm(Schema):
    """``absent``: the players who have not checked in. ``choice``: the decision about them."""

    absent = fields.Raw(required=True)
    choice = fields.String(required=True, validate=validate.OneOf(tuple(CHOICES)))


class NumbersForm(Schema):
    numbers = fields.String(required=True, validate=validate.OneOf(("strength", "lot")))


def rounds(bp: Blueprint, desk: Desk) -> None:
    """Register the form that publishes the pairing of the next round, and the form of its withdrawal."""

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>/pairing", form=True)
    def pairing_form(t: str, n: int) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.state
        if not isinstance(state, Tournament) or not 0 < n <= state.rounds_paired() + 1:
            raise unknown_round(n)
        if "choice" in request.form:
            return _decided_about_absent(desk, view, state, n)
        if "numbers" in request.form:
            return _numbered(desk, view, state, n)
        if _is_by_hand(state, n):
            return _by_hand(desk, view, state, n)
        if "boards" in request.form or n > state.rounds_paired():
            return _published(desk, view, state, n)
        return _withdrawn(desk, view, state, n)


def _published(desk: Desk, view: View, t: Tournament, n: int) -> Response:
    """Show the proposal of round ``n``, or publish it. If sent again later, the answer is that of the first time."""

    def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.PairRound:
        seed = lots(desk, t.id, seq_of(request.form))
        return co.PairRound(actor, seed=seed, shown=ShownPairing(n, **fields))

    return _proposing(desk, PAIR, view, t, n, lambda seq: _way_on(t.id, n, seq)).respond(PublicationForm, make)


def _is_by_hand(t: Tournament, n: int) -> bool:
    """Return whether the round is paired manually: because the form says so, or because its format always is."""
    if request.form.get("by") == HAND:
        return True
    due = n > t.rounds_paired() and request.method != "POST"
    return due and (request.args.get("by") == HAND or PAIRED_FORMATS[stage_due(t).format].plan is no_plan)


def _by_hand(desk: Desk, view: View, t: Tournament, n: int) -> Response:
    """Answer the form that pairs the round by typed seats."""
    sheet = Sheet(
        desk,
        view,
        n,
        of_round,
        lots(desk, t.id, view.seq),
        present_in(t, n),
        say("Pair round {n} by hand", n=n),
        say("Publish the pairing of round {n}", n=n),
        why_not=say("Round {n} is already paired.", n=n) if n <= t.rounds_paired() else None,
        more={
            "proposal": PAIRED_FORMATS[stage_due(t).format].plan is not no_plan,
            "numbered_here": may_number(t),
        },
    )

    def make(actor: Actor, texts: Texts, sent: dict[str, Any], meant: Read) -> co.PairRound:
        return co.PairRound(
            actor,
            seats_of(t, n, meant.pairs),
            member_of(t, meant.bye),
            texts.ref(sent["reason"]),
            tuple(sorted(set(sent["overrides"]))),
            seed=lots(desk, t.id, seq_of(request.form)),
        )

    back = partial(_way_on, t.id, n)
    return respond(sheet, Form(desk, LAYOUT, PAIR, view, "pairing_by_hand.html", None, back), make)


def _numbered(desk: Desk, view: View, t: Tournament, n: int) -> Response:
    """Assign starting numbers before the first round, then return to the proposal that results from them."""

    def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.AssignNumbers:
        by_lot = fields["numbers"] == "lot"
        return co.AssignNumbers(actor, seed=lots(desk, t.id, seq_of(request.form)) if by_lot else 0)

    def back(seq: int | None) -> str:
        return _way_on(t.id, n, None) if seq is None else f"{request.script_root}{request.path}?after={seq}"

    return _proposing(desk, RULES.permit(co.AssignNumbers), view, t, n, back).respond(NumbersForm, make)


def _decided_about_absent(desk: Desk, view: View, t: Tournament, n: int) -> Response:
    """Write the decision about absent players, then return to the draft that results from it, which names the decision.

    The form is refused if something about these players, or a pairing, was written since the draft was shown.
    """
    players = tuple(player_numbers(request.form.getlist("absent")))
    choice = CHOICES.get(request.form["choice"], CHOICES["here"])

    def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> Any:
        return choice.make(actor, texts, players, n)

    def back(seq: int | None) -> str:
        if seq is None:
            return _way_on(t.id, n, None)
        query = {
            "after": seq,
            DONE: " ".join(map(str, players[:MOST_NAMED])),
            ANYWAY: " ".join(request.args.getlist(ANYWAY)),
        }
        return f"{request.script_root}{request.path}?{urlencode({name: one for name, one in query.items() if one})}"

    about = concern(players=players) | Concern(pairings=True)
    form = replace(_proposing(desk, RULES.permit(choice.command), view, t, n, back), about=about)
    return form.respond(AbsentForm, make)


def _proposing(desk: Desk, permit: Permit, view: View, t: Tournament, n: int, back: Any) -> Form:
    def context() -> dict[str, Any]:
        return proposal(desk, t, n, view.seq, request.form) | {"numbered_here": may_number(t)}

    return Form(desk, LAYOUT, permit, view, "publication.html", None, back, context)


def _withdrawn(desk: Desk, view: View, t: Tournament, n: int) -> Response:
    def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.WithdrawPairing:
        return co.WithdrawPairing(actor, n, texts.ref(fields["reason"]), played=fields["played"] == "yes")

    begun = _begun(t, n)
    voidable = t.regulations.decisions >= EDITION
    context = {"n": n, "why_not": _paired_on(t, n) or (None if voidable else begun), "begun": begun}
    permit, back = RULES.permit(co.WithdrawPairing), back_to_round(t.id, n)
    return Form(desk, LAYOUT, permit, view, "pairing.html", None, back, context).respond(WithdrawalForm, make)


def _way_on(t: str, n: int, seq: int | None) -> str:
    """Return the address of the paired round, or of the previous page: the previous round, or the tournament."""
    if seq is not None or n > 1:
        return back_to_round(t, n if seq is not None else n - 1)(seq)
    return link("tournament_page", t=t, at=None, without=None)


def _paired_on(t: Tournament, n: int) -> Message | None:
    """Return why the pairing of a round cannot be taken back yet, or None if it was paired last."""
    later = t.rounds_paired()
    return say("Round {round} was already paired from its results.", round=later) if n != later else None


def _begun(t: Tournament, n: int) -> Message | None:
    """Return that games of a round have begun, or None if no game has."""
    pairing = t.current(n)
    begun = [] if pairing is None else boards_begun(t, pairing.event)
    return say("Games have begun or have rulings. Boards: {boards}.", boards=tuple(begun)) if begun else None
