"""The forms of teams: pasted entries, line-ups, and withdrawals."""

import csv
import re
from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, pre_load, validate

from services.pairing.layout import LAYOUT
from services.pairing.rounds.hand_forms import called_teams, player_sides
from services.pairing.rounds.pairing_draft import Sides
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.sides.lineups import FIXED
from services.pairing.schemas import MOST_MEMBERS
from shared.core.events import LineupHandedIn
from shared.core.language.messages import Message, say
from shared.core.readings.concern import concern
from shared.core.readings.team_scoring import board_conditions
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, PlayerId
from shared.desk.desk import Desk, View
from shared.http.common_problems import bad_fields, unknown_team
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to
from shared.web.page import link
from shared.web.particulars import names_of

_LONGEST_PASTE = 200_000
_SEAT = re.compile(r"p([1-9][0-9]?)")


class TeamsForm(Schema):
    """One team per line: its name, and its members by number or name, in cells separated by tabs, or by commas."""

    teams = fields.String(required=True, validate=validate.Length(1, _LONGEST_PASTE))


class LineupForm(Schema):
    """The players on the boards, from the first on: ``p1``, ``p2``, …"""

    team = fields.Integer(required=True, validate=validate.Range(1, 9999))
    round = fields.Integer(required=True, validate=validate.Range(1, 100))
    players = fields.List(fields.Integer(validate=validate.Range(1, 9999)), required=True)

    @pre_load
    def _boards(self, data: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
        seats = sorted((int(name[1:]), value) for name, value in data.items() if _SEAT.fullmatch(name))
        rest = {name: value for name, value in data.items() if not _SEAT.fullmatch(name)}
        return rest | ({"players": [value for _, value in seats]} if seats else {})


class LeavingForm(Schema):
    reason = fields.String(required=True, validate=validate.Length(1, 2_000))


def teams(bp: Blueprint, desk: Desk) -> None:
    """Register the forms that enter and withdraw teams, and the form of line-ups."""

    @LAYOUT.serves(bp, "/t/<t>/teams/new", form=True)
    def teams_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        return _entered(desk, view, view.tournament)

    @LAYOUT.serves(bp, "/t/<t>/teams/<int:team>/withdrawal", form=True)
    def team_withdrawal_form(t: str, team: int) -> Response:
        view = tournament_query.latest(desk, t)
        return _leaving(desk, view, view.tournament, team)

    @LAYOUT.serves(bp, "/t/<t>/lineups", form=True)
    def lineups_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        return _lineups(desk, view, view.tournament)


def _entered(desk: Desk, view: View, t: Tournament) -> Response:
    def make(actor: Actor, texts: Texts, sent: dict[str, Any]) -> co.EnterTeams:
        pasted = _pasted(request.form["teams"], player_sides(desk, t))  # with the first cell, also where it is empty
        return co.EnterTeams(actor, tuple(_entry(texts, name, members) for name, members in pasted))

    context = {
        "team": t.announced.conditions.team,
        "players": names_of(desk, t, t.players),
        "free": [p for p in t.players if all(p not in team.members for team in t.teams.values())],
        "numbers": {p: entry.starting_number for p, entry in t.players.items()},
    }
    about = concern((), _members(request.form.get("teams", ""), player_sides(desk, t)))
    permit, back = RULES.permit(co.EnterTeams), back_to("teams_page", t=t.id)
    return Form(desk, LAYOUT, permit, view, "teams.html", about, back, context).respond(TeamsForm, make)


def _members(text: str, sides: Sides) -> set[PlayerId]:
    """Return the members of all pasted teams."""
    found = (sides.found(cell) for row in _rows(text) for cell in row[1:] if cell)
    return {PlayerId(side) for side in found if isinstance(side, int)}


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the cells of each line. A text without tabs has commas between them."""
    pasted = text[:_LONGEST_PASTE]
    if "\t" not in pasted:
        pasted = pasted.replace("，", ",")
    for cells in csv.reader(pasted.splitlines(), delimiter="\t" if "\t" in pasted else ","):
        yield [cell.strip() for cell in cells]


def _entry(texts: Texts, name: str, members: tuple[PlayerId, ...]) -> co.TeamEntry:
    return co.TeamEntry(None, texts.required(name), members)


def _pasted(text: str, sides: Sides) -> list[tuple[str, tuple[PlayerId, ...]]]:
    """Return each team's name and members. Raises `Problem` 422 with the line and the cell of an unknown member."""
    found, wrong = list[tuple[str, tuple[PlayerId, ...]]](), list[Message]()
    for n, row in enumerate(_rows(text), 1):
        if not any(row):
            continue
        if not row[0] or len(row[0]) > 200:
            wrong.append(say("line {n}: a team must have a name of at most 200 characters", n=n))
        members = [(cell, sides.found(cell)) for cell in row[1:] if cell]
        wrong += [say("line {n}: {what}", n=n, what=side) for _, side in members if isinstance(side, Message)]
        if len(members) > MOST_MEMBERS:
            wrong.append(say("line {n}: a team must not have more than {most} members", n=n, most=MOST_MEMBERS))
        found.append((row[0], tuple(PlayerId(side) for _, side in members if isinstance(side, int))))
    if wrong:
        raise bad_fields({"teams": wrong}, say("nothing was entered"))
    return found


def _leaving(desk: Desk, view: View, t: Tournament, team: int) -> Response:
    if team not in t.teams:
        raise unknown_team(t.id, team)
    here = tuple(m for m in t.teams[team].members if t.players[m].withdrawal is None)

    def make(actor: Actor, texts: Texts, sent: dict[str, Any]) -> co.WithdrawPlayers:
        return co.WithdrawPlayers(actor, here, texts.ref(sent["reason"]))

    context = {"team": team, "name": called_teams(desk, t).get(team), "still": here, "names": names_of(desk, t, here)}
    about = concern((), t.teams[team].members)
    permit, back = RULES.permit(co.WithdrawPlayers), back_to("teams_page", t=t.id)
    return Form(desk, LAYOUT, permit, view, "team_withdrawal.html", about, back, context).respond(LeavingForm, make)


def _lineups(desk: Desk, view: View, t: Tournament) -> Response:
    """Return the teams of a round (``?round=``) with line-ups, and the form for the requested team (``?team=``)."""
    round = _number("round") or t.rounds_paired() + 1
    team = t.teams.get(_number("team"))
    conditions = board_conditions(t)

    def make(actor: Actor, texts: Texts, sent: dict[str, Any]) -> co.HandInLineup:
        return co.HandInLineup(
            actor, LineupHandedIn(sent["team"], sent["round"], tuple(map(PlayerId, sent["players"])))
        )

    def back(seq: int | None) -> str:
        if seq is None:
            return link("teams_page", t=t.id, at=None, without=None)
        return f"{request.script_root}{request.path}?round={round}&after={seq}"

    handed = None if team is None else t.lineups.get((team.team, round))
    context = {
        "round": round,
        "team": team,
        "boards": 0 if conditions is None else conditions.boards,
        "fixed": conditions is None or conditions.kind in FIXED,
        "teams": t.teams,
        "called": called_teams(desk, t),
        "handed": {number: t.lineups[number, round].players for number in t.teams if (number, round) in t.lineups},
        "names": names_of(desk, t, t.players),
        "numbers": {p: entry.starting_number for p, entry in t.players.items()},
        "chosen": () if team is None else handed.players if handed is not None else team.members,
    }
    about = concern((), () if team is None else team.members)
    return Form(desk, LAYOUT, RULES.permit(co.HandInLineup), view, "lineups.html", about, back, context).respond(
        LineupForm, make
    )


def _number(name: str) -> int:
    """Return a number in the form or the address, or 0 if it is absent or invalid."""
    text = request.values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
