"""Tournaments of the golden set with ``decisions: 2``, by format: announcement, entries, and one command per line.

They record the decisions of editions 1 and 2, including those that a later edition corrects: two champions, a forfeit that
remains after its expulsion was annulled, a table that ranks players first who dropped out early.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple


class Tale(NamedTuple):
    """The announcement of a tournament, its entries or their number, and its commands."""

    announced: dict[str, Any]
    entries: Any
    lines: str


def event(format: str, regulations: str = "campus", game: str = "chess", **more: Any) -> dict[str, Any]:
    return {"format": format, "regulations": regulations, "game": game} | more


def staged(*stages: dict[str, Any], regulations: str = "campus", game: str = "chess", **more: Any) -> dict[str, Any]:
    return event(stages[0]["format"], regulations, game, stages=list(stages), **more)


def of_teams(kind: str, boards: int, format: str, substitutes: int = 0, **more: Any) -> dict[str, Any]:
    team = {"kind": kind, "boards": boards, "substitutes": substitutes}
    return event(format, "xiangqi-1999", "xiangqi", conditions={"team": team, **more.pop("conditions", {})}, **more)


def members(teams: int, size: int) -> list[dict[str, Any]]:
    """Return entries for teams: team n has the players 10n + 1, 10n + 2, …."""
    numbers = [10 * n + k for n in range(1, teams + 1) for k in range(1, size + 1)]
    return [{"id": p, "name": f"棋手 {p}", "rating": 2400 - p} for p in numbers]


FOUR_TEAMS = "teams 11,12 21,22 31,32 41,42"
FORMATS = {
    "swiss": Tale(
        event("swiss", "campus", "xiangqi", rounds=4, points={"win": 3, "draw": 1}),
        7,
        """
        post forbidden-pairs {"pairs": [[1, 2]], "reason": "sisters"}
        post entries/3/board {"board": 2, "reason": "a wheelchair"}
        post byes {"player": 7, "round": 1, "kind": "H"}
        play
        post entries {"players": [{"id": 8, "name": "Late 来", "rating": 2390}]}
        play
        leave 5
        correct 1.1 1/2-1/2
        publish
        play
        back 5
        rule 3@3 foul
        rule 3@3 foul
        rule 3@3 foul
        play
        annul r2
        post regulations {"regulations": "xiangqi-1999", "reason": "tie-breaks of the federation"}
        final
        """,
    ),
    "dutch": Tale(
        event("swiss", "fide-2026", rounds=5, tiebreaks=["BH/C1", "BH", "SB", "DE", "WIN", "PS"]),
        9,
        """
        post starting-numbers {}
        post virtual-points {"given": [{"player": 1, "first": 1, "last": 2, "points": 1}], "reason": "accelerated"}
        play
        post byes {"player": 4, "round": 2, "kind": "H"}
        draw
        pair
        unpair 3
        play
        leave 8
        correct 2.1 1-0
        play 2
        final
        """,
    ),
    "dutch-2024": Tale(event("swiss", "fide-2024", rounds=3), 6, "play\nleave 6\ndraw\npair\nresults 3 1-0 -/+\nfinal"),
    "round-robin-left-early": Tale(
        event("round_robin", "xiangqi-1999", "xiangqi"), 5, "play\nleave 4\nplay 2\nback 4\nplay\nfinal"
    ),
    "round-robin-left-late": Tale(
        event("round_robin", "xiangqi-1999", "xiangqi"),
        6,
        "play 3\nleave 4\nplay\nback 4\nplay\nfinal",
    ),
    "double-round-robin": Tale(
        event("double_round_robin", "campus-wuziqi", "renju"),
        3,
        "play 3\ndraw\ncorrect 1.1 1/2-1/2\nplay 2\nfinal",
    ),
    "groups": Tale(
        event("groups", "xiangqi-1999", "xiangqi", conditions={"groups": 2, "qualifiers": 2, "carried": True}),
        8,
        "play 3\n?play\npublish\nplay 2\nfinal",
    ),
    "groups-corrected-before-finals": Tale(
        event("groups", "gomoku-campus", "gomoku", conditions={"groups": 2, "qualifiers": 2}),
        8,
        "play 3\npublish\ncorrect 2.1 high\ncorrect 3.1 high\ncorrect 1.1 high\nplay 3\nfinal",
    ),
    "groups-corrected-after-finals": Tale(
        event("groups", "campus", "xiangqi", conditions={"groups": 2, "qualifiers": 1}),
        6,
        "play 3\npublish\npair\ncorrect 3.1 high\ncorrect 2.1 high\nrule 3@2 foul\npublish\nresults 4 low\nfinal",
    ),
    "groups-published-again": Tale(
        event("groups", "campus", "xiangqi", conditions={"groups": 2, "qualifiers": 2}),
        8,
        "play 3\npublish\ncorrect 3.1 high\ncorrect 2.2 high\npublish\npair\nresults 4 low low\nplay 2\nfinal",
    ),
    "knockout-corrected": Tale(event("knockout"), 4, "play\npair\ncorrect 1.1 high\nresults 2 low\nfinal"),
    "knockout-corrected-in-time": Tale(event("knockout"), 4, "play\npair\nunpair 2\ncorrect 1.1 high\nplay\nfinal"),
    "knockout-annulled": Tale(
        event("knockout", "campus", "xiangqi"),
        8,
        """
        pair
        rule 1@1 foul
        rule 1@1 foul
        rule 1@1 foul
        results 1 * low high low
        play
        annul r2
        results 1 low
        play
        final
        """,
    ),
    "knockout-ruled-on": Tale(
        event("knockout", "xiangqi-1999", "xiangqi"),
        4,
        """
        play
        pair
        rule 1@2 foul
        rule 1@2 foul
        rule 1@2 foul
        annul r4
        ?unpair 2
        results 2 high
        retract r1 arbiter
        final
        """,
    ),
    "knockout-places": Tale(
        event("knockout", "gomoku-campus", "gomoku", conditions={"places": True}),
        6,
        "play\nplay\ncorrect 1.1 high\nplay\ncorrect 2.1 1/2-1/2\nfinal",
    ),
    "knockout-matches": Tale(
        event("knockout", "gomoku-campus", "gomoku", conditions={"games": 3, "best": True}),
        4,
        "play 2\ncorrect 2.1 1/2-1/2\nplay\ndraw 3\n?pair\nlots 3\nfinal",
    ),
    "knockout-both-lose": Tale(
        event("knockout"), 4, "pair\nboth_lose 1.1\nresults 1 * low\n?pair\nlots 1\nplay\nfinal"
    ),
    "knockout-nobody": Tale(
        event("knockout"), 4, "pair\nlate 1@1 absent\nlate 4@1 absent\nresults 1 * low\n?play\nfinal"
    ),
    "double-knockout": Tale(
        event("double_knockout", "gomoku-campus", "gomoku"),
        5,
        "play 3\ncorrect 2.1 high\nplay 3\n?pair\nfinal",
    ),
    "match": Tale(
        event("match", "gomoku-campus", "gomoku", conditions={"games": 3, "best": True, "extra": 1}),
        2,
        "draw 4\n?pair\nlots 1\ncorrect 2.1 1-0\nfinal",
    ),
    "manual": Tale(
        event("manual", "campus-xiangqi", "xiangqi", rounds=3),
        5,
        """
        pair 1-2 3-4 bye 5
        results 1 1-0 +/-
        ?pair 2-1 4-3 bye 5
        post rounds {"boards": [[2, 1], [4, 3]], "bye": 5, "reason": "late", "overrides": ["rematch", "bye-eligibility"]}
        results 2 1/2-1/2 0-1
        pair 1-3 5-2 bye 4
        results 3 1-0
        both_lose 3.2
        final
        """,
    ),
    "two-games-a-round": Tale(
        event("swiss", "xiangqi-folk", "xiangqi", rounds=4, conditions={"games": 2}), 4, "play 2\ndraw\nplay\nfinal"
    ),
    "play-off": Tale(
        event("swiss", "xiangqi-1999", "xiangqi", rounds=1),
        4,
        """
        draw
        ?final
        post publications {"round": 1, "tiebreaks": ["BH", "WIN"]}
        post play-offs {"boards": [[1, 2], [3, 4]], "reason": "the first place is not shared"}
        results 2 1-0 1/2-1/2
        final
        rule 1@2 grave_misconduct {"effect": {"kind": "adjust_points", "points": -1}} organiser
        final
        """,
    ),
    "lots": Tale(
        event("swiss", "xiangqi-1999", "xiangqi", rounds=1, changes={"ranking.parted_by": "lot"}),
        4,
        'draw\npost lots {"equals": [1, 2, 3, 4]}\nfinal',
    ),
}
KO, LATER = {"format": "knockout"}, ("knockout", "match", "double_knockout", "round_robin")
FIRST: tuple[tuple[dict[str, Any], int], ...] = (
    ({"format": "round_robin", "qualifiers": 4}, 5),
    ({"format": "groups", "groups": 2, "qualifiers": 1}, 3),
    ({"format": "knockout", "qualifiers": 2}, 2),
    ({"format": "swiss", "rounds": 2, "qualifiers": 2}, 2),
    ({"format": "swiss", "rounds": 1, "qualifiers": 4}, 1),
)


def two_stages() -> Iterator[tuple[str, Tale]]:
    """Yield each first stage with each second. A result of the first is corrected after the second was paired."""
    for (first, rounds), then in product(FIRST, LATER):
        left = first["qualifiers"] * first.get("groups", 1)
        if (
            (then == "round_robin" and first["format"] != "groups")
            or (then == "match" and left != 2)
            or (first["format"] == "knockout" and then != "knockout")
        ):
            continue
        begun = {"knockout": left // 2, "match": 1, "double_knockout": left - 1, "round_robin": left - 1}[then]
        publish = "" if first["format"] == "knockout" else "publish"
        lines = f"play {rounds}\n{publish}\nplay\ncorrect {rounds}.1 high\n" + "play\n" * (begun - 1)
        yield (
            f"stages-{first['format'].replace('_', '-')}-{left}-{then.replace('_', '-')}",
            Tale(staged({"name": "a", **first}, {"name": "b", "format": then}), 6, lines),
        )


STAGES = {
    "three-stages": Tale(
        staged(
            {"name": "preliminary", "format": "knockout", "games": 3, "best": True, "qualifiers": 4},
            {"name": "last_four", "games": 5, "best": True, "qualifiers": 2, "format": "knockout"},
            {"name": "final", "games": 7, "best": True, "extra": 1, "format": "knockout"},
            regulations="gomoku-campus",
            game="gomoku",
        ),
        6,
        "play 5\ncorrect 1.1 1/2-1/2\ncorrect 4.1 1/2-1/2\nplay 3\ndraw\nplay\nfinal",
    ),
    "groups-then-two-knockouts": Tale(
        staged(
            {"name": "groups", "format": "groups", "groups": 2, "qualifiers": 2},
            {"name": "semi", "format": "knockout", "qualifiers": 2, "time": "002-X 6.3"},
            {"name": "final", "format": "knockout", "games": 3, "best": True},
            regulations="xiangqi-1999",
            game="xiangqi",
        ),
        8,
        """
        play 3
        publish
        expel 3@3
        play
        correct 3.1 high
        annul r1
        post regulations {"regulations": "xiangqi-1999", "reason": "a day more", "changes": {"stages.final.games": 5}}
        play 2
        correct 4.2 high
        play
        final
        """,
    ),
    "table-then-double-knockout": Tale(
        staged(
            {"name": "table", "format": "double_round_robin", "qualifiers": 4},
            {"name": "bracket", "format": "double_knockout"},
            regulations="gomoku-free",
            game="gomoku",
        ),
        4,
        "play 6\npublish\nplay\ncorrect 7.1 high\nplay 3\nfinal",
    ),
    **dict(two_stages()),
}
TEAMS = {
    "teams-round-robin": Tale(
        of_teams("fixed", 2, "round_robin"),
        members(4, 2),
        f"{FOUR_TEAMS}\nplay\nexpel 12@1\nplay\nannul r1\ncorrect 1.1 1/2-1/2\nplay\nfinal",
    ),
    "teams-left": Tale(
        of_teams("fixed", 2, "round_robin"),
        members(4, 2),
        f'{FOUR_TEAMS}\nplay\npost teams/4/withdrawal {{"reason": "the bus broke down"}}\nplay 2\nfinal',
    ),
    "teams-swiss": Tale(
        of_teams("substitutes", 2, "swiss", 1, rounds=3),
        members(5, 3),
        """
        teams 11,12,13 21,22,23 31,32,33 41,42,43 51,52,53
        lineup 1 1 11,13
        lineup 2 1 22,23
        play
        rule 11@1 foul
        lineup 1 2 12,13
        play
        leave 31
        correct 1.1 1/2-1/2
        play
        final
        """,
    ),
    "teams-lineup": Tale(
        of_teams("lineup", 3, "swiss", rounds=2),
        members(4, 3),
        """
        teams 11,12,13 21,22,23 31,32,33 41,42,43
        pair
        lineup 2 1 23,21,22
        lineup 1 1 13,11
        results 1 1-0 1/2-1/2
        finish 1
        play
        publish
        """,
    ),
    "teams-everybody": Tale(
        of_teams("everybody", 3, "round_robin"), members(2, 3), "teams 11,12,13 21,22,23\nplay 3\nfinal"
    ),
    "teams-members": Tale(
        of_teams("members", 2, "swiss", rounds=2),
        members(3, 2),
        "teams 11,12 21,22 31,32\nplay\ncorrect 1.1 1/2-1/2\nplay\nfinal",
    ),
    "teams-knockout": Tale(
        of_teams("fixed", 2, "knockout"),
        members(4, 2),
        f"{FOUR_TEAMS}\ndraw\nlots 1\nlots 2\nplay\ncorrect 1.1 1-0\nfinal",
    ),
    "teams-groups": Tale(
        of_teams("fixed", 2, "groups", conditions={"groups": 2, "qualifiers": 1}),
        members(6, 2),
        "teams 11,12 21,22 31,32 41,42 51,52 61,62\nplay 3\npublish\npair\ncorrect 1.1 high\nresults 4 low low\nfinal",
    ),
    "teams-stages": Tale(
        staged(
            {"name": "all", "format": "round_robin", "qualifiers": 2},
            {"name": "final", "format": "knockout", "games": 2},
            regulations="xiangqi-1999",
            game="xiangqi",
            conditions={"team": {"kind": "fixed", "boards": 2}},
        ),
        members(4, 2),
        f"{FOUR_TEAMS}\nplay 3\npublish\nplay\ncorrect 3.1 high\nplay\nfinal",
    ),
    "teams-play-off": Tale(
        of_teams("fixed", 2, "double_round_robin"),
        members(2, 2),
        """
        teams 11,12 21,22
        draw 2
        post play-offs {"boards": [[11, 21], [22, 12]], "reason": "the first place is not shared"}
        results 3 1-0 1/2-1/2
        final
        """,
    ),
    "teams-fide": Tale(
        event("swiss", "fide-2026", rounds=2, conditions={"team": {"kind": "fixed", "boards": 2}}),
        members(3, 2),
        "teams 11,12 21,22 31,32\nplay\ndraw\nfinal",
    ),
}
