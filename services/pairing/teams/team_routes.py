"""Teams over HTTP: entering them, and handing in their line-ups."""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response

from services.pairing.answers import TeamsWrittenAnswer
from services.pairing.routes import T, reason
from services.pairing.rules import commands as co
from services.pairing.schemas import LineupSchema, ReasonSchema, TeamsSchema
from shared.core.events import Event, TeamEntered
from shared.core.language.messages import say
from shared.core.terms import PAIRING, Actor, PlayerId
from shared.desk.desk import Desk
from shared.http.commands.command_pipeline import run
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads.offices import permitted
from shared.http.requests.bodies import body
from shared.log.texts import Texts


def teams(bp: Blueprint, desk: Desk) -> None:
    """Teams and line-ups."""

    @bp.post(f"{T}/teams")
    @Operation(
        "Enter teams of players who are entered, all or none",
        name="enterTeams",
        answer=TeamsWrittenAnswer,
        body=TeamsSchema,
        status=201,
    )
    def enter_teams(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.EnterTeams:
            return co.EnterTeams(actor, tuple(_entry(sent, texts) for sent in body()["teams"]))

        return run(desk, PAIRING, t, make, answer=_entered_teams)

    @bp.post(f"{T}/lineups")
    @Operation(
        "Hand in a team's line-up, before the games of its round begin",
        name="handInLineup",
        body=LineupSchema,
        status=201,
    )
    def hand_in(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.HandInLineup:
            sent = body()
            return co.HandInLineup(actor, sent["team"], sent["round"], tuple(sent["players"]))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/teams/<int:team>/withdrawal")
    @Operation(
        "Take a team out of the rounds to come", name="withdrawTeam", body=ReasonSchema, optional_body=True, status=201
    )
    def withdraw_team(t: str, team: int) -> Response:
        def make(actor: Actor, texts: Texts) -> co.WithdrawPlayers:
            view, here = desk.view(t), list[PlayerId]()
            if view is not None:
                state = view.state
                if team not in state.teams:
                    permitted(desk, t, actor, "withdraw a player")
                    raise Problem(
                        404, "unknown-team", say("No such team"), say("{t} has no team {team}", t=t, team=team)
                    )
                here = [m for m in state.teams[team].members if state.players[m].withdrawal is None]
            return co.WithdrawPlayers(actor, tuple(here), reason(texts))

        return run(desk, PAIRING, t, make)


def _entry(sent: dict[str, Any], texts: Texts) -> co.TeamEntry:
    return co.TeamEntry(sent["id"], texts.required(sent["name"]), tuple(sent["members"]))


def _entered_teams(events: Sequence[Event]) -> dict[str, Any]:
    """``teams``: the id of each that was entered."""
    data = [e.data for e in events if isinstance(e.data, TeamEntered)]
    return {"teams": [{"id": d.team, "members": list(d.members)} for d in data]}
