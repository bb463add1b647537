"""Requests that 1.0.0 took, in order: a chess event with score sheets, fouls, an appeal and a table."""

from collections.abc import Sequence

from deploy.examples_walk import NAMES, PLAYERS, Step, read

__all__ = ["NAMES", "WALK"]
T, G = {"t": "open"}, {"g": "open.1.1"}
FOUL = {"player": 3, "round": 1, "infraction": "foul", "note": "touched the board twice"}
LOTS = {"boards": [[1, 4], [3, 2]], "bye": 5, "reason": "lots drawn in the hall"}
RESULT = {"round": 1, "results": [{"board": 2, "result": "1-0"}]}
WALK: Sequence[Step] = (
    Step(
        "announceTournament",
        body={"id": "open", "name": "Open", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"},
    ),
    Step("appointOfficial", body={"name": "rivera", "role": "arbiter"}, path=T),
    Step("appointOfficial", body={"name": "solheim", "role": "appeals"}, path=T),
    Step("appointOfficial", body={"name": "wang.lei", "role": "arbiter"}, path=T),
    Step("appointOfficial", body={"name": "he.jing", "role": "organiser"}, path=T),
    Step("dismissOfficial", body={"reason": "ill"}, path=T | {"name": "wang.lei"}),
    Step("enterPlayers", body={"players": PLAYERS}, path=T, keep={"text": ("events", 4, "data", "name", "text")}),
    Step("assignStartingNumbers", body={}, path=T),
    read("getTournament"),
    read("listTournaments", {}),
    read("getRulebook"),
    Step("pairRound", body=LOTS, path=T, query={"preview": "true"}, seen="open", answers=200),
    Step("pairRound", body=LOTS, path=T, seen="open"),
    read("getRound", T | {"n": 1}),
    Step("noteArrivals", "arbiter", {"player": 4, "round": 1, "late": 0}, T),
    Step("playMoves", "arbiter", {"ply": 1, "moves": [{"move": "e4", "clock": 3590}, "e5"]}, G),
    Step("takeBackMoves", "arbiter", {"to_ply": 1, "reason": "misrecorded"}, G),
    Step("makeOffer", "arbiter", {"offer": "draw", "side": "white"}, G),
    Step("makeClaim", "arbiter", {"claim": "resignation", "side": "black"}, G),
    read("getGame", G),
    read("getScoreSheet", G),
    Step("reportResults", "arbiter", RESULT, T),
    Step("correctResults", body=RESULT | {"reason": "a slip"}, path=T, seen="open"),
    Step("makeRuling", "arbiter", FOUL, T, query={"preview": "true"}, answers=200),
    Step("makeRuling", "arbiter", FOUL, T, keep={"first": ("ruling",)}),
    Step("makeRuling", "arbiter", FOUL, T, keep={"second": ("ruling",)}),
    Step("annulRuling", "appeals", {"reason": "another player"}, T | {"r": "{second}"}),
    Step("lodgeAppeal", "arbiter", {"ruling": "{first}", "by": 3, "grounds": "unseen"}, T, keep={"appeal": ("appeal",)}),
    read("listAppeals"),
    Step("decideAppeal", "appeals", {"upheld": False, "grounds": "seen by two"}, T | {"a": "{appeal}"}),
    read("listRulings"),
    read("getRuling", T | {"r": "{first}"}),
    Step("publishStandings", body={}, path=T, seen="open"),
    read("getStandings"),
    read("explainPlayer", T | {"p": 1}),
    read("getCrosstable"),
    read("getDifference", query={"from": 10, "to": 20}),
    read("listEvents", query={"limit": 2}),
    read("getConsistencyProof", query={"from": 10, "to": 20}),
    read("getInclusionProof", T | {"seq": 3}),
    read("getIntegrity"),
    Step("listTexts", path=T, answers=200),
    read("getAudit"),
    Step("grantBye", body={"player": 1, "round": 2, "kind": "H"}, path=T),
    Step("withdrawPlayer", body={"reason": "ill"}, path=T | {"p": 5}),
    Step("pairRound", body={"boards": [[2, 4]], "bye": 3, "reason": "as agreed"}, path=T, seen="open"),
    Step("withdrawPairing", body={"reason": "wrong names"}, path=T | {"n": 2}),
    Step("adoptRegulations", body={"regulations": "campus", "reason": "by vote"}, path=T),
    Step("eraseText", "organiser", path=T | {"hash": "{text}"}, answers=200),
    Step("reportResults", None, RESULT, T, answers=401),
    Step("reportResults", "arbiter", RESULT, T, answers=409),
    read("getRuling", T | {"r": "r99"}, answers=404),
)  # fmt: skip
