"""The form of forbidden pairs: the pairs of whole units 单位, and single pairs."""

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations, islice
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from marshmallow import fields

from services.pairing.layout import LAYOUT
from services.pairing.rounds import list_form
from services.pairing.rounds.hand_forms import player_sides
from services.pairing.rounds.pairing_draft import lines_of, read
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.pairing_input import players_to_seat
from shared.core.events import PairsForbidden
from shared.core.language.messages import Message, say
from shared.core.readings.concern import Concern
from shared.core.rounds.matches import team_of, teams_meet
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, PlayerId
from shared.core.values.bounds import ENTRY
from shared.desk.desk import Desk
from shared.http.common_problems import bad_fields
from shared.http.operations import TABLE
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to
from shared.web.name_order import name_key
from shared.web.particulars import names_of, particulars_of, units_of

Pair = tuple[PlayerId, PlayerId]
_PAIR = re.compile(r"([1-9][0-9]{0,3})-([1-9][0-9]{0,3})")
SHOWN = 100
"""Limit of pairs that a preview lists by name."""


class PairsForm(list_form.ListForm):
    """``unit``: a member of each ticked unit. ``pair``: the ticked single pairs, such as 3-7."""

    unit = fields.Raw(load_default=())
    pair = fields.Raw(load_default=())


class Unit(NamedTuple):
    """A unit with its players, by the lowest ID of one.

    ``pairs``: all pairs of its players who could be paired. ``forbidden``: the number of them that are forbidden now.
    """

    key: PlayerId
    name: str
    players: tuple[PlayerId, ...]
    pairs: frozenset[Pair]
    forbidden: int


class Chosen(NamedTuple):
    """The state of the form: the ticked units, the single pairs, and the errors of the typed pairs."""

    units: frozenset[PlayerId]
    single: frozenset[Pair]
    faults: tuple[Message, ...] = ()

    def pairs(self, units: Iterable[Unit]) -> frozenset[Pair]:
        """Return all pairs to forbid."""
        return self.single.union(*(unit.pairs for unit in units if unit.key in self.units))


def units(desk: Desk, t: Tournament) -> list[Unit]:
    """Return the units with at least one pair, by name. If teams meet, they are the clubs of players of different teams."""
    teams = team_of(t) if teams_meet(t) else {}
    if teams:
        own = {player: said.club for player, said in particulars_of(desk, t).items()}
    else:
        own = units_of(desk, t, t.players)
    members = defaultdict[str, list[PlayerId]](list)
    for player in sorted(t.players):
        if unit := own.get(player):
            members[unit].append(player)
    found = list[Unit]()
    for name, players in members.items():
        # A form refuses more than `ENTRY.high` pairs, so further ones of a large unit need not be made for each page.
        pairs = frozenset(islice(_pairs(players, teams), ENTRY.high + 1))
        found += [Unit(players[0], name, tuple(players), pairs, len(pairs & t.forbidden))] if pairs else []
    return sorted(found, key=lambda unit: name_key(unit.name))


def _pairs(players: list[PlayerId], teams: dict[PlayerId, int]) -> Iterable[Pair]:
    return (pair for pair in combinations(players, 2) if not teams or teams.get(pair[0]) != teams.get(pair[1]))


def chosen(desk: Desk, t: Tournament, of: list[Unit]) -> Chosen:
    """Return the choice that a form sent, or for a page that is opened, the pairs that are forbidden now."""
    if request.method != "POST":
        ticked = [unit for unit in of if unit.pairs <= t.forbidden]
        whole = frozenset[Pair]().union(*(unit.pairs for unit in ticked))
        return Chosen(frozenset(unit.key for unit in ticked), t.forbidden - whole)
    lines = lines_of(request.form.get("lines", "")[: list_form.LONGEST_LIST])
    typed = read(lines, player_sides(desk, t))
    faults = [message for _, message in typed.faults]
    if lines.bye:
        faults.append(say("{text} is one player: type the two players of a pair on one line", text=lines.bye[:80]))
    kept = (_PAIR.fullmatch(text) for text in request.form.getlist("pair")[: ENTRY.high])
    pairs = [*((int(pair[1]), int(pair[2])) for pair in kept if pair), *typed.pairs]
    keys = {unit.key for unit in of} & {int(key) for key in request.form.getlist("unit") if key.isdecimal()}
    single = frozenset((PlayerId(min(pair)), PlayerId(max(pair))) for pair in pairs)
    return Chosen(frozenset(PlayerId(key) for key in keys), single, tuple(faults))


def too_large(t: Tournament, of: Iterable[Unit]) -> list[Message]:
    """Return a warning for each unit whose players cannot all have an opponent of another unit in the next round."""
    here = {entry.player for entry in players_to_seat(t, t.rounds_paired() + 1)}
    counts = ((unit.name, len(here.intersection(unit.players))) for unit in of)
    return [
        say("{unit} has {count} of {all} players, so some of them must meet", unit=name, count=count, all=len(here))
        for name, count in counts
        if 2 * count > len(here) + len(here) % 2
    ]


def forbidden_pairs(bp: Blueprint, desk: Desk) -> None:
    """Register the form that sets the forbidden pairs."""

    @LAYOUT.serves(bp, "/t/<t>/forbidden-pairs", form=True, cost=TABLE)
    def forbidden_pairs_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament
        of = units(desk, state)
        choice = chosen(desk, state, of)
        pairs = choice.pairs(of)

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.ForbidPairs:
            if choice.faults:
                raise bad_fields({"lines": list(choice.faults)})
            if len(pairs) > ENTRY.high:
                detail = say("{count} pairs are more than {most}", count=len(pairs), most=ENTRY.high)
                raise bad_fields({"lines": [detail]})
            list_form.require_preview(pairs, typed["seen"])
            return co.ForbidPairs(actor, PairsForbidden(tuple(sorted(pairs)), texts.ref(typed["reason"])))

        def context() -> dict[str, Any]:
            ticked = [unit for unit in of if unit.key in choice.units]
            return {
                "previewed": request.method == "POST" and not choice.faults,
                "units": of,
                "chosen": choice,
                "pairs": pairs,
                "single": sorted(choice.single - frozenset().union(*(unit.pairs for unit in ticked))),
                "added": sorted(pairs - state.forbidden),
                "removed": sorted(state.forbidden - pairs),
                "too_large": too_large(state, ticked),
                "shown": SHOWN,
                "before": list_form.digest(state.forbidden),
                "seen": list_form.digest(pairs),
                "names": names_of(desk, state, state.players),
                "own_units": units_of(desk, state, state.players),
                "by_table": not FORMATS[stage_now(state).format].paired_freely,
            }

        permit, back = RULES.permit(co.ForbidPairs), back_to("forbidden_pairs_form", "office_page", t=t)
        form = Form(desk, LAYOUT, permit, view, "forbidden_pairs.html", Concern(), back, context)
        return list_form.respond(form, PairsForm, make, lambda current: current.forbidden)
