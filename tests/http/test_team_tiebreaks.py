"""Every tie-break of teams with every modifier in events that are played over HTTP: its values are those of the text of C.07."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deploy.server import embedded
from shared.core.state.outcomes import notation_of
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import calls_on
from tests.tiebreaks import oracle_teams
from tests.tiebreaks.compare import OF_TEAMS
from tests.tiebreaks.events import Teams

T = "/v1/tournaments/cup"


@pytest.mark.parametrize("seed", (3, 11))
def test_tie_breaks_of_teams_have_the_values_of_the_text(tmp_path: Path, seed: int) -> None:
    drawn = Teams(seed)
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    try:
        call = calls_on(app, tmp_path, "chief_arbiter")
        play(call, drawn)
        event = drawn.event("2026")
        for row in call("GET", f"{T}/standings/teams").json["teams"]:
            for code in OF_TEAMS:
                value, must = row["tb"][code], oracle_teams.value(event, row["id"], code)
                assert (value is None) == (must is None), code
                assert must is None or abs(Fraction(value) - must) < Fraction(1, 10_000), code
    finally:
        close(app)


def play(call: Any, drawn: Teams) -> None:
    """The random event as its hall reports it, each round paired by hand."""
    t, boards = drawn.hall.t, drawn.boards
    members = {team: [10 * team + n for n in range(1, boards + 1)] for team in drawn.matches}

    def tell(path: str, body: Any) -> Any:
        seen = call("GET", T).headers.get("ETag", "")
        answer = call("POST", path, body, **({"If_Match": seen} if seen else {}))
        assert answer.status_code == 201, answer.text
        return answer.json

    cup = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": t.rounds_paired()}
    team = {"kind": "fixed", "boards": boards}
    tell(
        "/v1/tournaments",
        cup | {"regulations": "fide-2026", "conditions": {"team": team}, "tiebreaks": list(OF_TEAMS)},
    )
    tell(
        f"{T}/entries",
        {"players": [{"id": p, "name": f"P {p}", "rating": 2500 - p} for own in members.values() for p in own]},
    )
    tell(f"{T}/teams", {"teams": [{"id": n, "name": f"Team {n}", "members": own} for n, own in members.items()]})
    for number in range(1, t.rounds_paired() + 1):
        paired = t.current(number).event
        free = [seat.player for seat in paired.byes]
        there = {p for b in paired.boards for p in (b.white, b.black)} | set(free)
        for player in (p for own in members.values() for p in own if p not in there):
            tell(f"{T}/byes", {"player": player, "round": number, "kind": "Z"})
        body = {"boards": [{"white": b.white, "black": b.black} for b in paired.boards], "reason": "as drawn"}
        body |= {"bye": free[0]} if free else {}
        body |= {"initial_colour": "white"} if number == 1 else {}
        at = {(b["white"], b["black"]): b["board"] for b in tell(f"{T}/rounds", body)["boards"]}
        marks = {b: t.setting(next(g for g in t.games_in_force() if g.game == b.game)) for b in paired.boards}
        results = [
            {"board": at[b.white, b.black], "result": notation_of(t.regulations.points, made.white, made.black)}
            for b, made in marks.items()
        ]
        tell(f"{T}/results", {"round": number, "results": results})
