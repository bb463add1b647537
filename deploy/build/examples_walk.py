"""Requests for the examples of the OpenAPI documents: small events that are played by every operation, in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.core.terms import Role

NAMES: dict[Role, str] = {
    "chief_arbiter": "he.jing",
    "organiser": "he.jing",
    "arbiter": "rivera",
    "appeals": "solheim",
    "player": "1",
}
"""Name by role. The chief arbiter is also the organiser, creates the tournaments and appoints the other officials."""


@dataclass(frozen=True)
class Step:
    """A request for one operation, with the expected status.

    ``operation``: name of the operation. ``role``: role of the sender, or None for a request without a token.
    ``body``: JSON value, or bytes for a file. ``path``, ``query``: parameters of the address.
    ``seen``: ID of the tournament that supplies the ETag for ``If-Match``, or "" to omit the header.
    ``answers``: expected status. ``keep``: path of members in the response for each value that later steps use, by name.
    A later step refers to such a value as ``{name}`` in ``path`` or in a member of ``body``.
    ``waits``: True to repeat the request until ``state`` is no longer ``running``.
    """

    operation: str
    role: Role | None = "chief_arbiter"
    body: Any = None
    path: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    seen: str = ""
    accept: str = "application/json"
    answers: int = 201
    keep: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    waits: bool = False


T, G = {"t": "open"}, {"g": "open.1.1"}
TEAMS, CUP = {"t": "league"}, {"t": "cup"}
PLAYERS = [
    {"name": "李文轩", "rating": 2210, "club": "北京"},
    {"name": "Ana Silva", "rating": 2180, "federation": "POR"},
    {"name": "Ole Bruun", "rating": 2120},
    {"name": "Mei Lin"},
    {"name": "Ivo Horvat"},
]
BY_LOT = {"boards": [[1, 4], [3, 2]], "bye": 5, "reason": "lots drawn in the hall"}
FOUL = {"player": 4, "round": 1, "infraction": "foul", "note": "touched the board twice"}


def read(operation: str, path: Mapping[str, Any] = T, **options: Any) -> Step:
    """Return a step that reads a resource. By default it is sent without a token and expects status 200."""
    return Step(operation, options.pop("role", None), path=path, answers=options.pop("answers", 200), **options)


def announced(id: str, **options: Any) -> Step:
    return Step(
        "announceTournament",
        body={
            "id": id,
            "name": "City Open",
            "discipline": "xiangqi",
            "format": "swiss",
            "rounds_planned": 3,
            "regulations": "campus",
        }
        | options,
    )


OFFICE = (
    announced("open"),
    Step("appointOfficial", body={"name": "rivera", "role": "arbiter"}, path=T),
    Step("appointOfficial", body={"name": "solheim", "role": "appeals"}, path=T),
    Step("appointOfficial", body={"name": "wang.lei", "role": "arbiter"}, path=T),
    Step("appointOfficial", body={"name": "he.jing", "role": "organiser"}, path=T),
    Step("dismissOfficial", body={"reason": "ill"}, path=T | {"name": "wang.lei"}),
    Step("enterPlayers", body={"players": PLAYERS}, path=T, keep={"text": ("events", 4, "data", "name", "text")}),
    Step("assignStartingNumbers", body={}, path=T),
    Step("correctEntry", body={"rating": 1850, "reason": "of the list of May"}, path=T | {"p": 4}),
    Step("forbidPairs", body={"pairs": [[1, 2]], "reason": "brothers"}, path=T),
    Step("fixBoard", body={"board": 2, "reason": "a wheelchair"}, path=T | {"p": 3}),
    Step("checkIn", body={"came": [1, 2, 3, 4, 5]}, path=T),
    Step("listEntries", "chief_arbiter", path=T, query={"limit": 2}, answers=200),
    read("getEntry", T | {"p": 3}),
    read("listOfficials"),
    read("getTournament"),
    read("listTournaments", {}, query={"limit": 10}),
    read("listRegulations", {}),
    read("getRegulations", {"name": "campus"}),
    read("getRulebook"),
)
BOARDS = (
    Step("pairRound", body=BY_LOT, path=T, query={"preview": "true"}, seen="open", answers=200),
    Step("pairRound", body=BY_LOT, path=T, seen="open"),
    read("getRound", T | {"n": 1}),
    read("listRounds"),
    Step("noteArrivals", "arbiter", {"player": 4, "round": 1, "late": 240}, T, keep={"arrival": ("arrival",)}),
    Step("correctArrival", "arbiter", {"late": 140, "reason": "misread"}, T | {"a": "{arrival}"}),
    read("listArrivals"),
    read("getArrival", T | {"a": "{arrival}"}),
    Step("startGame", "arbiter", {}, G),
    Step("playMoves", "arbiter", {"ply": 1, "moves": [{"move": "炮二平五", "clock": 3590}, "h9g7"]}, G),
    Step("playMoves", "arbiter", {"ply": 3, "moves": ["h0g2"]}, G),
    Step("takeBackMoves", "arbiter", {"to_ply": 1, "reason": "agreement"}, G),
    Step("takeStep", "arbiter", {"side": "white", "step": "set_clock", "values": ["3500"]}, G),
    Step("noteBreak", "arbiter", {"player": 1, "seconds": 400}, G, keep={"break": ("break",)}),
    Step("correctBreak", "arbiter", {"seconds": 340, "reason": "misread"}, G | {"b": "{break}"}),
    read("listBreaks", G),
    read("getBreak", G | {"b": "{break}"}),
    Step("makeClaim", "player", {"claim": "illegal_move", "side": "white", "move": "b9b7"}, G, keep={"claim": ("claim",)}),
    read("listClaims"),
    Step("decideClaim", "arbiter", {"upheld": False, "note": "it stood otherwise"}, G | {"c": "{claim}"}),
    Step("makeOffer", "arbiter", {"offer": "draw", "side": "white"}, G),
    read("getGame", G),
    read("getScoreSheet", G),
    Step("endGame", "arbiter", {"termination": "resignation", "side": "black"}, G),
    Step("playFile", "arbiter", b"1. h2e2 h9g7 1/2-1/2", {"g": "open.1.2"}, {"format": "pgn"}),
    Step("correctResults", body={"round": 1, "results": [{"board": 2, "result": "1-0"}], "reason": "the file was cut"},
         path=T, seen="open"),
)  # fmt: skip
RULINGS = (
    Step("makeRuling", "arbiter", FOUL, T, keep={"first": ("ruling",)}),
    Step("makeRuling", "arbiter", FOUL, T, keep={"second": ("ruling",)}),
    Step("makeRuling", "arbiter", FOUL, T),
    Step("previewCommand", "arbiter", {"path": "/v1/tournaments/open/rulings", "body": FOUL | {"player": 2}}, T, answers=200),
    Step("annulRuling", "appeals", {"reason": "it was another player"}, T | {"r": "{second}"}),
    Step("makeRuling", "arbiter", FOUL | {"player": 2}, T, keep={"slip": ("ruling",)}),
    Step("retractRuling", "arbiter", {"reason": "it was a spectator"}, T | {"r": "{slip}"}),
    Step("lodgeAppeal", "player", {"ruling": "{first}", "by": 1, "grounds": "unfair"}, T, answers=403),
    Step("lodgeAppeal", "arbiter", {"ruling": "{first}", "by": 4, "grounds": "nobody saw it"}, T, keep={"appeal": ("appeal",)}),
    read("listAppeals"),
    read("getAppeal", T | {"a": "{appeal}"}),
    Step("decideAppeal", "appeals", {"upheld": False, "grounds": "two arbiters saw it"}, T | {"a": "{appeal}"}),
    read("listRulings", query={"player": 4}),
    read("getRuling", T | {"r": "{first}"}),
)  # fmt: skip
TABLES = (
    Step("publishStandings", body={}, path=T, seen="open", keep={"command": ("events", 0, "causationid")}),
    read("getCommand", T | {"id": "{command}"}),
    read("listPublications"),
    read("listResults"),
    read("getStandings"),
    read("explainPlayer", T | {"p": 1}),
    read("getCrosstable"),
    read("getDifference", query={"from": 10, "to": 20}),
    read("listEvents", query={"limit": 2}),
    read("getConsistencyProof", query={"from": 10, "to": 20}),
    read("getInclusionProof", T | {"seq": 3}),
    read("getIntegrity"),
    Step("listTexts", "chief_arbiter", path=T, answers=200),
    read("getAudit"),
)
LATER = (
    Step("grantBye", body={"player": 1, "round": 2, "kind": "H"}, path=T),
    read("listByes"),
    Step("withdrawPlayer", body={"reason": "ill"}, path=T | {"p": 5}),
    Step("returnPlayer", body={"reason": "well again"}, path=T | {"p": 5}),
    Step("pairRound", body={"boards": [[2, 5], [4, 3]], "reason": "as agreed"}, path=T, seen="open"),
    Step("withdrawPairing", body={"reason": "wrong names"}, path=T | {"n": 2}),
    Step("adoptRegulations", body={"regulations": "campus", "reason": "by vote"}, path=T),
    Step("eraseText", "organiser", path=T | {"hash": "{text}"}, answers=200),
)
OTHERS = (
    announced("cup", name="Cup", discipline="go", regulations="go-campus", format="knockout", rounds_planned=2),
    Step("enterPlayers", body={"players": PLAYERS[:2]}, path=CUP),
    Step("assignStartingNumbers", body={}, path=CUP),
    Step("pairRound", body={"seed": 7}, path=CUP, seen="cup"),
    Step("decideGame", body={"result": "1/2-1/2", "infraction": "scattering_the_board", "reason": "upset"},
         path={"g": "cup.1.1"}),
    Step("drawLots", body={"match": 1}, path=CUP),
    read("listLots", CUP),
    announced("swiss", name="Swiss", discipline="chess", regulations="fide-2026"),
    Step("enterPlayers", body={"players": PLAYERS}, path={"t": "swiss"}),
    Step("giveVirtualPoints", body={"given": [{"player": 1, "first": 1, "last": 2, "points": 1}], "reason": "Baku"},
         path={"t": "swiss"}),
    announced("league", name="League", conditions={"team": {"kind": "lineup", "boards": 2}}),
    Step("enterPlayers", body={"players": [{"name": f"Player {n}"} for n in range(1, 5)]}, path=TEAMS),
    Step("enterTeams", body={"teams": [{"name": "north", "members": [1, 2]}, {"name": "south", "members": [3, 4]}]},
         path=TEAMS),
    Step("assignStartingNumbers", body={}, path=TEAMS),
    Step("handInLineup", body={"team": 1, "round": 1, "players": [1, 2]}, path=TEAMS),
    Step("handInLineup", body={"team": 2, "round": 1, "players": [3, 4]}, path=TEAMS),
    Step("pairRound", body={"seed": 7}, path=TEAMS, seen="league"),
    Step("reportResults", body={"round": 1, "results": [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1/2-1/2"}]},
         path=TEAMS),
    read("getTeamStandings", TEAMS),
    read("explainTeam", TEAMS | {"team": 1}),
    read("getTeamCrosstable", TEAMS),
    read("listTeams", TEAMS),
    read("getTeam", TEAMS | {"team": 1}),
    Step("withdrawTeam", body={"reason": "snow"}, path=TEAMS | {"team": 2}),
    Step("judge", None, {"id": 1, "game": "chess", "ask": "legal_moves", "fen": "7k/8/8/8/8/8/R7/K7 b - - 0 1"},
         answers=200),
    Step("revokeTokensOfName", "organiser", {"name": "wang.lei"}),
    Step("revokeToken", "organiser", path={"jti": "01a20d61-39c3-7259-b32c-538b105735a0"}, answers=200),
)  # fmt: skip
BLITZ, WINNER = {"t": "blitz"}, {"person": "{winner}"}
PEOPLE = (
    announced(
        "blitz",
        name="Blitz",
        discipline="chess",
        regulations="fide-2026",
        rounds_planned=1,
        begins="2026-05-01",
        unlisted=True,
        changes={"players.allowed_acts": ["see", "check_in", "call", "report", "claim"]},
    ),
    Step("setListing", body={"listed": True}, path=BLITZ),
    Step(
        "enterPlayers",
        body={"players": [{"name": "李文轩", "fide_id": "8603677"}, {"name": "Ana Silva", "fide_id": "1503014"}]},
        path=BLITZ,
    ),
    Step("stateIdentity", body={"public_history": True}, path=BLITZ | {"p": 1}),
    Step("setVisibility", body={"public": ["name", "club", "fide_id"]}, path=BLITZ),
    read("getVisibility", BLITZ),
    Step(
        "setVenueNotice", body={"text": "Lunch is in room 2", "round_begins": "2026-05-01T14:00:00+02:00"}, path=BLITZ
    ),
    read("getVenueNotice", BLITZ),
    Step("correctTournament", body={"place": "City Library", "reason": "moved to a larger room"}, path=BLITZ),
    Step("assignStartingNumbers", body={}, path=BLITZ),
    Step("pairRound", body={"boards": [[1, 2]], "reason": "lots drawn"}, path=BLITZ, seen="blitz"),
    Step("callArbiter", "player", {"open": True}, {"g": "blitz.1.1"}),
    Step("stateResult", "player", {"result": "1-0"}, {"g": "blitz.1.1"}),
    Step("reportResults", body={"round": 1, "results": [{"board": 1, "result": "1-0"}]}, path=BLITZ),
    Step("publishStandings", body={"final": True}, path=BLITZ, seen="blitz"),
    read(
        "listPeople", {}, keep={"winner": ("people", 0, "person"), "loser": ("people", 1, "person")}, role="organiser"
    ),
    read("listTournaments", {}, query={"state": "finished", "date_from": "2026-05-01", "q": "blitz", "order": "-date"}),
    read("getCalendar", {}, query={"game": "chess"}, accept="text/calendar"),
    read("getPerson", WINNER, role="organiser"),
    read("listEntriesOfPerson", WINNER, role="organiser"),
    read("listResultsOfPerson", WINNER, role="organiser"),
    read("getHeadToHead", WINNER | {"opponent": "{loser}"}, role="organiser"),
)
TOKENS = (
    Step("createIntegrationTokens", body={"name": "office.bot", "roles": ["arbiter"], "other_tournaments": ["cup"]}, path=T,
         keep={"program": ("tokens", 0, "id")}),
    Step("listIntegrationTokens", path=T, answers=200),
    Step("revokeIntegrationToken", path=T | {"id": "{program}"}, answers=200),
)  # fmt: skip
WEBHOOKS = tuple(
    step
    for all, under, name in (("", T, "hook"), ("OfAll", {}, "house"))
    for step in (
        Step(f"addWebhook{all}", body={"url": "https://club.example/arbiter"}, path=under, keep={name: ("id",)}),
        Step(f"listWebhooks{all}", path=under, answers=200),
        Step(f"getWebhook{all}", path=under | {"id": f"{{{name}}}"}, answers=200),
        Step(f"resumeWebhook{all}", path=under | {"id": f"{{{name}}}"}, answers=200),
        Step(f"removeWebhook{all}", path=under | {"id": f"{{{name}}}"}, answers=200),
    )
)
REPORT = b"""012 Blitz
062 2
XXR 1
001    1      Silva, Ana                                                        1.0     1     2 w 1
001    2      Bruun, Ole                                                        0.0     2     1 b 0
"""
IMPORTS = (
    Step("importReportFile", body=REPORT, query={"name": "blitz.trf"}, answers=202, keep={"import": ("id",)}),
    read("getImport", {"i": "{import}"}, role="chief_arbiter", waits=True),
)
REFUSED = (
    Step("reportResults", None, {"round": 1, "results": [{"board": 1, "result": "1-0"}]}, T, answers=401),
    Step("reportResults", "arbiter", {"round": 9, "results": [{"board": 1, "result": "1-0"}]}, T, answers=404),
    Step("reportResults", "arbiter", {"round": 1, "results": [{"board": 1, "result": "1-0"}]}, T, answers=409),
    Step("reportResults", "arbiter", {"round": 1, "results": [{"board": 1, "result": "2-0"}]}, T, answers=422),
    Step("pairRound", body={}, path=T, answers=428),
    Step("makeRuling", "arbiter", b"{", T, answers=415),
    read("getRuling", T | {"r": "r99"}, answers=404),
)
WALK: Sequence[Step] = (
    *OFFICE,
    *BOARDS,
    *RULINGS,
    *TABLES,
    *LATER,
    *OTHERS,
    *PEOPLE,
    *WEBHOOKS,
    *TOKENS,
    *IMPORTS,
    *REFUSED,
)
