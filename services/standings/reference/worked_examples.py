"""Worked examples of the reference: a team event, and a foul that ends in an appeal. A test runs them as the page shows them."""

from dataclasses import dataclass
from typing import Any

from services.standings.reference.quick_start import QuickStep
from services.standings.reference.samples import Sample
from shared.core.language.messages import Message, say

_TEAMS, _APPEAL = "team-event", "foul-and-appeal"


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """Requests that belong together. ``id``: the tournament of the example, and its anchor on the page."""

    id: str
    title: Message
    introduction: Message
    steps: tuple[QuickStep, ...]


def _create(id: str, **members: Any) -> Sample:
    body = {"id": id, "discipline": "xiangqi", "format": "swiss", "rounds_planned": 1} | members
    return Sample("POST", "/v1/tournaments", body, token=True, key=True)


def _write(id: str, address: str, body: object, **more: Any) -> Sample:
    return Sample("POST", f"/v1/tournaments/{id}{address}", body, token=True, key=True, **more)


def _pair(id: str) -> Sample:
    return _write(id, "/rounds", {}, match=f"/v1/tournaments/{id}")


def _foul(purpose: Message) -> QuickStep:
    body = {"player": 1, "round": 1, "infraction": "foul", "note": "Stopped the clock."}
    return QuickStep(purpose, "makeRuling", _write(_APPEAL, "/rulings", body))


TEAM_EVENT = WorkedExample(
    _TEAMS,
    say("Example: a team event"),
    say("Two teams of two players meet. Each player stays on one board of the team."),
    (
        QuickStep(
            say("Create the tournament. The condition team makes it a team event."),
            "announceTournament",
            _create(
                _TEAMS,
                name="Team Event",
                regulations="xiangqi-1999",
                conditions={"team": {"kind": "fixed", "boards": 2}},
            ),
        ),
        QuickStep(
            say("Enter the players of all teams. The response has their numbers."),
            "enterPlayers",
            _write(_TEAMS, "/entries", {"players": [{"name": name} for name in ("Ana", "Ben", "Cai", "Dag")]}),
        ),
        QuickStep(
            say("Enter the teams. Their members are player numbers in the order of the boards."),
            "enterTeams",
            _write(
                _TEAMS,
                "/teams",
                {"teams": [{"name": "East", "members": [1, 2]}, {"name": "West", "members": [3, 4]}]},
            ),
        ),
        QuickStep(say("Pair the round."), "pairRound", _pair(_TEAMS)),
        QuickStep(
            say("Read the round. Its boards are numbered over all matches."),
            "getRound",
            Sample("GET", f"/v1/tournaments/{_TEAMS}/rounds/1"),
        ),
        QuickStep(
            say("Report the results by board."),
            "reportResults",
            _write(
                _TEAMS,
                "/results",
                {"round": 1, "results": [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1/2-1/2"}]},
            ),
        ),
        QuickStep(
            say("Read the standings of the teams."),
            "getTeamStandings",
            Sample("GET", f"/v1/tournaments/{_TEAMS}/standings/teams"),
        ),
    ),
)
APPEAL = WorkedExample(
    _APPEAL,
    say("Example: a foul that ends in an appeal"),
    say(
        "The third foul of a game loses it in this ruleset. Nobody decides an appeal against their own ruling, so the appeals "
        "committee has a token of its own in APPEALS_TOKEN, which the operator issues for the role appeals and the name bob."
    ),
    (
        QuickStep(
            say("Create the tournament, and appoint the appeals committee in it."),
            "announceTournament",
            _create(
                _APPEAL,
                name="Foul and Appeal",
                regulations="campus-xiangqi",
                officials=[{"name": "bob", "role": "appeals"}],
            ),
        ),
        QuickStep(
            say("Enter two players."),
            "enterPlayers",
            _write(_APPEAL, "/entries", {"players": [{"name": "Eva"}, {"name": "Finn"}]}),
        ),
        QuickStep(say("Pair the round of the example."), "pairRound", _pair(_APPEAL)),
        _foul(say("Report a foul. Its ID is r1.")),
        _foul(say("Report the second foul, r2.")),
        _foul(say("Report the third foul, r3. It causes the ruling r4: player 1 loses the game.")),
        QuickStep(
            say("Lodge an appeal for the player. Its ID is a5."),
            "lodgeAppeal",
            _write(_APPEAL, "/appeals", {"ruling": "r3", "by": 1, "grounds": "The clock was out of order."}),
        ),
        QuickStep(
            say("The committee upholds the appeal. The member out_of_force has r3 and r4, and reopened has the game."),
            "decideAppeal",
            _write(
                _APPEAL,
                "/appeals/a5/decision",
                {"upheld": True, "grounds": "Two players confirm it."},
                bearer="APPEALS_TOKEN",
            ),
        ),
        QuickStep(
            say("Read the appeal with its grounds and its decision."),
            "getAppeal",
            Sample("GET", f"/v1/tournaments/{_APPEAL}/appeals/a5", token=True),
        ),
    ),
)
WORKED_EXAMPLES = (TEAM_EVENT, APPEAL)
