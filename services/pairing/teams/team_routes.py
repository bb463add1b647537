"""Teams over HTTP: entering them, and handing in their line-ups."""

from typing import Any

from services.pairing import responses
from services.pairing.answers import TeamsWrittenAnswer
from services.pairing.rules import commands as co
from services.pairing.schemas import LineupSchema, ReasonSchema, TeamsSchema
from shared.core.events import LineupHandedIn
from shared.core.terms import PAIRING, PlayerId
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.common_problems import unknown_team
from shared.http.operations import Creation
from shared.http.reads.tournament_query import permitted
from shared.log.texts import Texts


def teams(sent: Submission, t: str) -> co.EnterTeams:
    return co.EnterTeams(sent.actor, tuple(_entry(team, sent.texts) for team in sent["teams"]))


def _entry(sent: dict[str, Any], texts: Texts) -> co.TeamEntry:
    return co.TeamEntry(sent["id"], texts.required(sent["name"]), tuple(sent["members"]))


def lineup(sent: Submission, t: str) -> co.HandInLineup:
    return co.HandInLineup(sent.actor, LineupHandedIn(sent["team"], sent["round"], tuple(sent["players"])))


def withdrawal(sent: Submission, t: str, team: int) -> co.WithdrawPlayers:
    """Raises `Problem` 404 for an unknown team."""
    view, here = sent.desk.view(t), list[PlayerId]()
    if view is not None:
        state = view.state
        if team not in state.teams:
            permitted(sent.desk, t, sent.actor, "withdraw a player")
            raise unknown_team(t, team)
        here = [m for m in state.teams[team].members if state.players[m].withdrawal is None]
    return co.WithdrawPlayers(sent.actor, tuple(here), sent.text("reason"))


WRITES = (
    WriteRoute(
        PAIRING,
        f"{T}/teams",
        teams,
        Creation(
            "Register teams",
            name="enterTeams",
            description=(
                "Registers all of the teams, or none of them. Their members must already be registered as players. In "
                "a Swiss event, or if every round is paired manually, teams can be late. In other formats, all teams "
                "must be registered before round 1 is paired."
            ),
            answer=TeamsWrittenAnswer,
            body=TeamsSchema,
        ),
        responses.teams_entered,
    ),
    WriteRoute(
        PAIRING,
        f"{T}/lineups",
        lineup,
        Creation(
            "Submit a team's line-up",
            name="handInLineup",
            description=(
                "Submits the players of a team for a later round, or for the last paired round before its games "
                "begin. A short line-up forfeits the last boards."
            ),
            body=LineupSchema,
        ),
    ),
    WriteRoute(
        PAIRING,
        f"{T}/teams/<int:team>/withdrawal",
        withdrawal,
        Creation(
            "Withdraw a team",
            name="withdrawTeam",
            description=(
                "All members of the team who are still present are withdrawn together. The ruleset decides whether "
                "the team's results still count."
            ),
            body=ReasonSchema,
            optional_body=True,
        ),
    ),
)
