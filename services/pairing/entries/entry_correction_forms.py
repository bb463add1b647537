"""The forms that correct an entry and state its identity, from the player's page."""

from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.pairing.entries.entry_columns import COLUMNS
from services.pairing.entries.entry_rows import read_row
from services.pairing.layout import LAYOUT
from services.pairing.requests import entry_correction, identity
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.entries.entry_correction import CORRECTABLE
from services.pairing.rules.entries.identity import IDENTITY
from services.pairing.rules.entries.starting_numbers import numbers_fixed
from shared.core.readings.concern import concern
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, PlayerId
from shared.core.values.bounds import ENTRY
from shared.desk.desk import Desk
from shared.http.common_problems import bad_fields, unknown_player
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to
from shared.web.particulars import names_of, particulars_of

_CORRECTED, _STATED = (tuple(column for column in COLUMNS if column.name in names) for names in (CORRECTABLE, IDENTITY))


class EntryCorrectionForm(Schema):
    """What the entry is to say, whole, as typed: an empty field takes away what it said."""

    name = title = rating = club = federation = sex = birth_year = fide_id = fields.String()
    starting_number = fields.Integer(load_default=None, validate=validate.Range(1, ENTRY.high))
    reason = fields.String(required=True, validate=validate.Length(1, 2000))


class IdentityForm(Schema):
    """The identity as typed. An empty field removes the national ID."""

    national_id = public_history = fields.String()
    reason = fields.String(load_default=None, validate=validate.Length(1, 2000))


def identities(bp: Blueprint, desk: Desk) -> None:
    """Register the form that states a national ID and consent."""

    @LAYOUT.serves(bp, "/t/<t>/players/<int:p>/identity", form=True)
    def identity_form(t: str, p: int) -> Response:
        view = tournament_query.latest(desk, t)
        state, player = view.tournament, PlayerId(p)
        if player not in state.players:
            raise unknown_player(t, p)

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.StateIdentity:
            row = read_row(
                1, ["–", *(typed.get(name, "") for name in IDENTITY)], ["name", *IDENTITY], state.announced.game
            )
            if row.entry is None:
                raise bad_fields({IDENTITY[n - 1]: told for n, told in row.wrong.items()})
            sent = {name: row.entry[name] for name in IDENTITY} | {"reason": typed["reason"]}
            return identity(desk, state, actor, player, sent, texts)

        context = {"player": state.players[player], "now": _entry_now(desk, state, player), "columns": _STATED}
        permit, about = RULES.permit(co.StateIdentity), concern(players=[player])
        form = Form(desk, LAYOUT, permit, view, "identity.html", about, back_to("player_page", t=t, p=p), context)
        return form.respond(IdentityForm, make)


def entry_corrections(bp: Blueprint, desk: Desk) -> None:
    """Correcting an entry."""

    @LAYOUT.serves(bp, "/t/<t>/players/<int:p>/correction", form=True)
    def entry_correction_form(t: str, p: int) -> Response:
        view = tournament_query.latest(desk, t)
        state, player = view.tournament, PlayerId(p)
        if player not in state.players:
            raise unknown_player(t, p)
        now = _entry_now(desk, state, player)

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.CorrectEntry:
            sent = _typed_entry(typed, state.announced.game, erased=not now["name"])
            return entry_correction(desk, state, actor, player, sent, texts)

        context = {
            "player": state.players[player],
            "now": now,
            "columns": _CORRECTED,
            "renumbered": numbers_fixed(state) is None,
            "paired": state.rounds_paired(),
        }
        permit, about = RULES.permit(co.CorrectEntry), concern(players=[player])
        form = Form(
            desk, LAYOUT, permit, view, "entry_correction.html", about, back_to("player_page", t=t, p=p), context
        )
        return form.respond(EntryCorrectionForm, make)


def _entry_now(desk: Desk, t: Tournament, player: PlayerId) -> dict[str, str]:
    """What the entry says, by column; empty for what it does not say, and for a text that was erased."""
    entry, said = t.players[player], particulars_of(desk, t, [player])[player]
    values = {
        "name": names_of(desk, t, [player]).get(player),
        "rating": entry.rating, "title": entry.title, "federation": entry.federation, **said._asdict(),
        "public_history": "yes" if entry.public_history else "",
    }  # fmt: skip
    return {name: "" if value is None else str(value) for name, value in values.items()}


def _typed_entry(typed: dict[str, Any], game: str, erased: bool) -> dict[str, Any]:
    """What was typed as `EntryCorrectionSchema` loads it; a name that was ``erased`` may be left out. Raises `Problem` 422."""
    names = [column.name for column in _CORRECTED]
    unnamed = erased and not typed.get("name")
    row = read_row(1, ["–" if unnamed and name == "name" else typed.get(name, "") for name in names], names, game)
    if row.entry is None:
        raise bad_fields({names[n]: told for n, told in row.wrong.items()})  # fmt: skip
    if unnamed:
        del row.entry["name"]
    return row.entry | {"starting_number": typed["starting_number"], "reason": typed["reason"]}
