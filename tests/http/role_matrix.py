"""The matrix of roles: who may do what, said by hand, a row for each act over each route."""

from dataclasses import dataclass
from typing import Any

from shared.core.terms import GAMES, PAIRING, Role
from shared.core.trust.service_keys import ServiceKey

OFFICE: tuple[Role, ...] = ("organiser", "chief_arbiter")
CHIEF: tuple[Role, ...] = ("chief_arbiter",)
HALL: tuple[Role, ...] = ("chief_arbiter", "deputy_chief_arbiter", "arbiter")
BOARD: tuple[Role, ...] = (*HALL, "board", "player")
COMMITTEE: tuple[Role, ...] = ("appeals",)
T = "/v1/tournaments/<t>"
G = "/v1/games/<g>"
FOUL = {"player": 1, "round": 1, "infraction": "foul"}
GRAVE = {"player": 1, "round": 1, "infraction": "grave_misconduct"}
DRAWN = {"points": 0.5}
RESULT = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
KEY = {"key": str(ServiceKey(GAMES, bytes(32))), "reason": "the disk of games is gone"}
PAIRING_KEY = {"key": str(ServiceKey(PAIRING, bytes(32))), "reason": "the disk of pairing is gone"}
Step = tuple[str, dict[str, Any], Role]
"""A path below the tournament (or a game's, from /v1 on), a body, and the role of who sends it, who is none of the callers."""
RULED: Step = ("rulings", FOUL, "arbiter")
ANNULLED: Step = ("rulings/r1/annulment", {"reason": "by accident"}, "appeals")
APPEALED: Step = ("appeals", {"ruling": "r1", "by": 1, "grounds": "unfair"}, "arbiter")
BEGUN: Step = ("/v1/games/{t}.1.1/start", {}, "arbiter")
MOVED: Step = ("/v1/games/{t}.1.1/moves", {"ply": 1, "moves": ["h2e2"]}, "arbiter")
BOTH_LOST = {"round": 1, "results": [{"board": 1, "result": "0-0"}]}
SCATTERED = {"result": "1/2-1/2", "infraction": "scattering_the_board", "reason": "an outsider upset the board"}
CLAIMED: Step = ("/v1/games/{t}.1.1/claims", {"claim": "illegal_move", "side": "white", "move": "b9b7"}, "board")
LATE: Step = ("arrivals", {"player": 1, "round": 1, "late": 60}, "arbiter")
AWAY: Step = ("/v1/games/{t}.1.1/breaks", {"player": 1, "seconds": 60}, "arbiter")
REPORTED: Step = ("results", RESULT, "arbiter")
DONE: Step = ("results", RESULT | {"results": [{"board": n, "result": "1-0"} for n in (1, 2)]}, "arbiter")
LEFT: Step = ("entries/4/withdrawal", {"reason": "ill"}, "organiser")
GIVEN_UP: Step = ("/v1/games/{t}.1.1/steps", {"side": "black", "step": "give_up"}, "arbiter")


@dataclass(frozen=True)
class Row:
    """A request ``body`` to a ``route`` (``at`` its address, where that has parameters beyond the tournament or game
    1.1), which is an ``act`` that these roles ``may``, after the steps ``given``.

    ``first``: the status of the first who may, where what it needs is not at hand here; ``codes``: of those who may not.
    """

    route: str
    act: str
    may: tuple[Role, ...]
    body: Any
    at: str = ""
    given: tuple[Step, ...] = ()
    game: str = "xiangqi"
    query: str = ""
    first: int = 201
    codes: tuple[str, ...] = ("role-may-not",)

    @property
    def match(self) -> bool:
        """Whether the route takes ``If-Match``."""
        return self.route.endswith(("/rounds", "/play-offs", "/corrections", "/publications"))


MATRIX = (
    # the office
    Row(
        "POST /v1/tournaments",
        "announce",
        OFFICE,
        {"id": "{t}-new", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"},
    ),
    Row(f"POST {T}/regulations", "adopt regulations", OFFICE, {"regulations": "campus", "reason": "by vote"}),
    Row(f"POST {T}/invitations", "appoint or dismiss officials", OFFICE, {"name": "arbiter", "role": "arbiter"}),
    Row(f"POST {T}/tokens", "appoint or dismiss officials", OFFICE, {"name": "office bot", "roles": ["arbiter"]}),
    Row(f"GET {T}/tokens", "appoint or dismiss officials", OFFICE, None, first=200),
    Row(f"DELETE {T}/tokens/<id>", "appoint or dismiss officials", OFFICE, None, "tokens/none", first=404),
    Row(f"POST {T}/officials", "appoint or dismiss officials", OFFICE, {"name": "zhou", "role": "arbiter"}),
    Row(
        f"POST {T}/officials/<name>/dismissal",
        "appoint or dismiss officials",
        OFFICE,
        {"reason": "bets"},
        "officials/zhou/dismissal",
    ),
    Row(f"POST {T}/entries", "enter players", OFFICE, {"players": [{"name": "late"}]}),
    Row(
        f"POST {T}/entries/<int:p>/correction",
        "correct an entry",
        OFFICE,
        {"rating": 1850, "reason": "a slip"},
        "entries/1/correction",
    ),
    Row(
        f"POST {T}/entries/<int:p>/identity",
        "correct an entry",
        OFFICE,
        {"public_history": True},
        "entries/1/identity",
    ),
    Row(f"POST {T}/details", "correct the tournament", OFFICE, {"place": "Room 2", "reason": "moved"}),
    Row(f"POST {T}/listing", "list the tournament", OFFICE, {"listed": True}, first=409),
    Row(f"POST {T}/venue-notice", "set the venue notice", ("organiser", *HALL), {"text": "Lunch"}),
    Row(f"POST {T}/visibility", "set visibility", OFFICE, {"public": ["name"]}),
    Row(f"POST {T}/starting-numbers", "assign starting numbers", OFFICE, {}),
    Row(f"POST {T}/entries/<int:p>/withdrawal", "withdraw a player", OFFICE, {"reason": "ill"}, "entries/4/withdrawal"),
    Row(f"POST {T}/entries/<int:p>/return", "let a player return", OFFICE, {}, "entries/4/return", (LEFT,)),
    Row(f"POST {T}/check-in", "check in players", ("organiser", *HALL, "player"), {"came": [1]}),
    Row(f"POST {T}/byes", "grant a bye", (*OFFICE, "player"), {"player": 1, "round": 2, "kind": "H"}),
    Row(f"POST {T}/forbidden-pairs", "forbid pairs", OFFICE, {"pairs": [[1, 3]], "reason": "brothers"}),
    Row(
        f"POST {T}/virtual-points",
        "give virtual points",
        OFFICE,
        {"given": [{"player": 1, "first": 1, "last": 2, "points": 0.5}]},
        first=409,
    ),
    Row(
        f"POST {T}/entries/<int:p>/board",
        "fix a board",
        OFFICE,
        {"board": 2, "reason": "a wheelchair"},
        "entries/1/board",
    ),
    Row(f"POST {T}/lots", "draw lots", OFFICE, {"match": 1}, first=409),
    Row(f"POST {T}/rounds", "pair a round", OFFICE, {"boards": [[1, 3], [2, 4]], "reason": "by lot"}, given=(DONE,)),
    Row(
        f"POST {T}/rounds",
        "override an absolute rule",
        CHIEF,
        {"boards": [[1, 2], [3, 4]], "reason": "as agreed", "overrides": ["rematch"]},
        given=(DONE,),
    ),
    Row(
        f"POST {T}/rounds/<int:n>/withdrawal",
        "withdraw a pairing",
        CHIEF,
        {"reason": "wrong names"},
        "rounds/1/withdrawal",
    ),
    Row(
        f"POST {T}/rounds/<int:n>/upholding",
        "uphold a pairing",
        CHIEF,
        {"match": 1, "seated": [1, 2], "due": [1, 3], "reason": "agreed"},
        "rounds/1/upholding",
        first=409,
    ),
    Row(f"POST {T}/play-offs", "pair a round", OFFICE, {"boards": [[1, 2]], "reason": "for the cup"}, first=409),
    Row(f"POST {T}/teams", "enter teams", OFFICE, {"teams": [{"name": "north", "members": [1, 2]}]}, first=409),
    Row(
        f"POST {T}/lineups",
        "hand in a line-up",
        ("organiser", *HALL),
        {"team": 1, "round": 1, "players": [1, 2]},
        first=409,
    ),
    Row(
        f"POST {T}/teams/<int:team>/withdrawal",
        "withdraw a player",
        OFFICE,
        {"reason": "gone"},
        "teams/1/withdrawal",
        first=404,
    ),
    Row(f"DELETE {T}/texts/<hash>", "erase a text", ("organiser",), None, "texts/{hash}", first=200),
    Row(f"POST {T}/keys", "announce a key", ("organiser",), KEY, first=422),
    Row(f"POST {T}/pairing-key", "announce a key", ("organiser",), PAIRING_KEY, first=422),
    Row(f"GET {T}/texts", "read texts", (*OFFICE, "auditor"), None, first=200),
    Row(f"POST {T}/webhooks", "register webhooks", OFFICE, {"url": "https://hooks.example/arbiter"}),
    Row(f"GET {T}/webhooks", "register webhooks", OFFICE, None, first=200),
    Row(f"GET {T}/webhooks/<id>", "register webhooks", OFFICE, None, "webhooks/none", first=404),
    Row(f"DELETE {T}/webhooks/<id>", "register webhooks", OFFICE, None, "webhooks/none", first=404),
    Row(f"POST {T}/webhooks/<id>/resume", "register webhooks", OFFICE, {}, "webhooks/none/resume", first=404),
    Row(f"POST {T}/publications", "publish", OFFICE, {}),
    Row(f"POST {T}/report-file", "keep a report file", OFFICE, {"records": [{"line": "132 21/11/26"}]}),
    Row(
        f"POST {T}/checkpoint/restarts",
        "restart checkpoints",
        OFFICE,
        {"reason": "the disk is gone"},
        first=409,
    ),
    # the hall and the board
    Row(f"POST {T}/results", "report results", HALL, RESULT),
    Row(f"POST {T}/corrections", "correct results", HALL, RESULT | {"reason": "as signed"}, given=(REPORTED,)),
    Row(f"POST {G}/calls", "call an arbiter", (*HALL, "player"), {"open": True}),
    Row(f"POST {G}/statements", "state a result", ("player",), {"result": "1-0"}),
    Row(f"POST {G}/start", "feed moves", BOARD, {}),
    Row(f"POST {G}/start", "set up a position", HALL, {"position": "让双马"}),
    Row(f"POST {G}/moves", "feed moves", BOARD, {"ply": 1, "moves": ["h2e2"]}),
    Row(f"POST {G}/moves/file", "feed moves", BOARD, b"1. h2e2 *", query="?format=pgn"),
    Row(f"POST {G}/take-back", "take moves back", HALL, {"to_ply": 0, "reason": "agreement"}, given=(MOVED,)),
    Row(f"POST {G}/steps", "feed moves", BOARD, {"side": "white", "step": "adjourn"}, given=(MOVED,), first=409),
    Row(
        f"POST {G}/steps", "set a clock", HALL, {"side": "white", "step": "set_clock", "values": ["60"]}, given=(MOVED,)
    ),
    Row(
        f"POST {G}/steps",
        "settle boundaries",
        CHIEF,
        {"side": "white", "step": "settle"},
        given=(BEGUN, GIVEN_UP),
        game="go",
    ),
    Row(f"POST {G}/offers", "feed moves", BOARD, {"side": "white", "offer": "draw"}, given=(MOVED,)),
    Row(f"POST {G}/claims", "make a claim", BOARD, {"claim": "resignation", "side": "white"}, given=(BEGUN,)),
    Row(f"POST {G}/claims/<c>/decision", "decide a claim", HALL, {"upheld": False}, given=(MOVED, CLAIMED)),
    Row(f"POST {G}/end", "report results", HALL, {"termination": "agreement"}, given=(MOVED,)),
    Row(f"POST {T}/arrivals", "note arrivals", HALL, {"player": 1, "round": 1, "late": 60}),
    Row(f"POST {G}/breaks", "note breaks", HALL, {"player": 1, "seconds": 60}),
    Row(f"POST {T}/results", "give a loss to both", HALL[:2], BOTH_LOST),
    Row(
        f"POST {T}/arrivals/<a>/correction",
        "note arrivals",
        HALL,
        {"late": 30, "reason": "misread"},
        "arrivals/a1/correction",
        (LATE,),
    ),
    Row(f"POST {G}/breaks/<b>/correction", "note breaks", HALL, {"seconds": 30, "reason": "misread"}, given=(AWAY,)),
    # rulings, and what becomes of them
    Row(f"POST {G}/decision", "decide a game", HALL[:2], SCATTERED, game="go"),
    Row(f"POST {T}/rulings", "apply", HALL, FOUL),
    Row(f"POST {T}/rulings", "warn", HALL, GRAVE | {"effect": {"kind": "warn"}}),
    Row(f"POST {T}/rulings", "adjust_clock", HALL, GRAVE | {"effect": {"kind": "adjust_clock", "clock": -60}}),
    Row(
        f"POST {T}/rulings",
        "set_marks",
        HALL[:2],
        GRAVE | {"effect": {"kind": "set_marks", "white": DRAWN, "black": DRAWN}},
    ),
    Row(f"POST {T}/rulings", "exclude", HALL[:2], GRAVE | {"effect": {"kind": "exclude", "rounds": [2]}}),
    Row(
        f"POST {T}/rulings",
        "adjust_points",
        ("organiser",),
        GRAVE | {"effect": {"kind": "adjust_points", "points": -0.5}},
    ),
    Row(f"POST {T}/rulings", "expel", ("organiser",), GRAVE | {"effect": {"kind": "expel"}}),
    Row(
        f"POST {T}/rulings/<r>/annulment",
        "annul",
        COMMITTEE,
        {"reason": "by accident"},
        "rulings/r1/annulment",
        (RULED,),
    ),
    Row(
        f"POST {T}/rulings/<r>/retraction",
        "retract",
        CHIEF,
        {"reason": "a slip"},
        "rulings/r2/retraction",
        (RULED, ANNULLED),
        codes=("role-may-not", "not-the-maker"),
    ),
    Row(
        f"POST {T}/appeals",
        "lodge an appeal",
        ("organiser", *HALL, *COMMITTEE, "player"),
        {"ruling": "r1", "by": 1, "grounds": "unfair"},
        given=(RULED,),
    ),
    Row(
        f"POST {T}/appeals/<a>/decision",
        "decide an appeal",
        COMMITTEE,
        {"upheld": True},
        "appeals/a2/decision",
        (RULED, APPEALED),
    ),
    Row(f"POST {T}/crossings/<int:seq>", "note a crossing", CHIEF, {}, "crossings/2"),
)
BY_ITSELF = {"answer a finding", "check facts", "draw consequences"}
"""What the rulebook does, which is no person's act and has no route."""
OF_NO_TOURNAMENT = {
    "DELETE /v1/tokens/<uuid:jti>",
    "POST /v1/tokens/revocations",
    "POST /v1/webhooks",
    "DELETE /v1/webhooks/<id>",
    "POST /v1/webhooks/<id>/resume",
    "POST /v1/imports",
}
"""Routes that write to no log, so that no office of one is asked: `test_revocation`, `test_webhooks` and `test_imports`
say who may."""
QUESTIONS = {"POST /v1/tournaments/<t>/preview"}
"""Routes that write nothing: whoever may not give a command gets no preview of it either (`test_preview`)."""
