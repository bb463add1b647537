"""The form of an outdated pairing: each difference, to be upheld with a reason, and the way to take the pairing back."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.pairing.layout import LAYOUT
from services.pairing.rounds.hand_forms import called_teams
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared.core.events import PairingUpheld
from shared.core.language.messages import Message
from shared.core.readings.outdated_bases import OutdatedBasis
from shared.core.readings.settlement import open_bases
from shared.core.rounds.matches import teams_meet
from shared.core.rulebook.articles import own_citation
from shared.core.state.entities import Pairing
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor
from shared.core.values.bounds import REASON
from shared.desk.desk import Desk
from shared.http.common_problems import unknown_round
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to_round
from shared.web.particulars import names_of

_LONGEST = 100_000
"""Characters of a difference: every side of a stage twice."""


class UpholdingForm(Schema):
    difference = fields.String(
        required=True, validate=(validate.Length(1, _LONGEST), validate.Regexp(r"[0-9]{1,9}:[0-9.]*:[0-9.]*\Z"))
    )
    reason = fields.String(required=True, validate=validate.Length(1, REASON.longest))


class Shown(NamedTuple):
    """A difference as the form shows it: its ``value`` in the form, and the sides by their names."""

    value: str
    match: int
    boards: Sequence[int]
    seated: Sequence[str]
    due: Sequence[str]
    article: Message | None


def upholdings(bp: Blueprint, desk: Desk) -> None:
    """The outdated pairings of a round."""

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>/upholding", form=True)
    def upholding_form(t: str, n: int) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament
        pairing = state.current(n)
        if pairing is None:
            raise unknown_round(n)

        def make(actor: Actor, texts: Texts, sent: dict[str, Any]) -> co.UpholdPairing:
            match, seated, due = _difference(sent["difference"])
            return co.UpholdPairing(
                actor, PairingUpheld(pairing.event.pairing, match, seated, due, texts.required(sent["reason"]))
            )

        context = {"n": n, "last": state.rounds_paired(), "differences": _shown(desk, state, pairing)}
        permit, back = RULES.permit(co.UpholdPairing), back_to_round(t, n)
        return Form(desk, LAYOUT, permit, view, "upholding.html", None, back, context).respond(UpholdingForm, make)


def _shown(desk: Desk, t: Tournament, pairing: Pairing) -> list[Shown]:
    names: Mapping[Any, str] = called_teams(desk, t) if teams_meet(t) else names_of(desk, t, t.players)
    return [_one(t, basis, names) for basis in open_bases(t) if basis.pairing == pairing.event.pairing]


def _one(t: Tournament, basis: OutdatedBasis, names: Mapping[Any, str]) -> Shown:
    seated, due = ([names.get(side) or str(side) for side in sides if side] for sides in (basis.seated, basis.due))
    value = f"{basis.match}:{_joined(basis.seated)}:{_joined(basis.due)}"
    return Shown(value, basis.match, basis.boards, seated, due, own_citation(t.regulations, basis.article))


def _joined(sides: tuple[int, ...]) -> str:
    return ".".join(map(str, sides))


def _difference(value: str) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return the match, the sides seated and the sides due of a ``value``."""
    match, seated, due = value.split(":")
    return int(match), _sides(seated), _sides(due)


def _sides(joined: str) -> tuple[int, ...]:
    return tuple(int(side) for side in joined.split(".") if side)
