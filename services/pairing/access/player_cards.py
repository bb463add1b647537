"""Cards to cut for all players, each with the QR code of an invitation as this player. They are shown once and kept nowhere."""

from typing import NamedTuple

from flask import Response
from markupsafe import Markup
from marshmallow import Schema, fields, validate

from services.pairing.access.invitation_routes import all_invited
from services.pairing.access.invitations import DAY, DAYS, DAYS_AT_MOST, Invited
from services.pairing.layout import LAYOUT
from shared.core.language.messages import say
from shared.core.state.entities import Player
from shared.desk.desk import Desk, View
from shared.http.addresses import is_only_here
from shared.http.identity.tokens import Identity
from shared.http.language import language
from shared.http.problems import Problem
from shared.http.requests.site_address import site_address
from shared.log.invitations import Invitation
from shared.web.page import link
from shared.web.particulars import names_of, units_of
from shared.web.qr import qr
from shared.web.times import at_second

CARDS_A_PAGE = 8


class PlayerCardsForm(Schema):
    """The days for which the codes can be used, and for which the sessions last that they open."""

    days = fields.Integer(load_default=DAYS, validate=validate.Range(1, DAYS_AT_MOST))


class PlayerCard(NamedTuple):
    """A card: the player, the name and the unit if known, and the code that opens a session once."""

    player: Player
    name: str | None
    unit: str | None
    code: Markup


def player_cards(desk: Desk, view: View, sender: Identity, days: int, once: str) -> Response:
    """Return the page of cards of all present players. The unused invitations of earlier cards are withdrawn.

    Raises `Problem`: 409 without a player, and like `all_invited`.
    """
    t = view.state
    present = sorted((p for p in t.players.values() if p.left_after is None), key=lambda p: p.starting_number)
    if not present:
        raise Problem(409, "nobody-left", say("No player is present"), say("enter players first"))
    people = {f"{once} {p.player}": Invited(str(p.player), "player", None, days, days * DAY) for p in present}
    made = all_invited(desk, view, sender, people)
    desk.log.invitations.withdraw_role(t.id, "player", [row.id for _, row in made])
    names, units = names_of(desk, t, t.players), units_of(desk, t, t.players)
    title = language.words(say("QR code of the invitation"))
    cards = [
        PlayerCard(player, names.get(player.player), units.get(player.player), qr(address, title))
        for player, (address, _) in zip(present, made, strict=True)
    ]
    last: Invitation = made[-1][1]
    return LAYOUT.private_page(
        "player_cards.html", 201, t=t, on_paper=True, unreachable=is_only_here(site_address()),
        pages=[cards[n : n + CARDS_A_PAGE] for n in range(0, len(cards), CARDS_A_PAGE)],
        until=at_second(last.expires), back=link("sessions_page", t=t.id, at=None, without=None),
    )  # fmt: skip
