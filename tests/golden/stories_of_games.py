"""Tournaments of the golden set with ``decisions: 2``: removals, games with score sheets, and what an arbiter reports."""

from hashlib import sha256

from tests.federation import own_set
from tests.golden.stories import FOUR_TEAMS, Tale, event, members, of_teams

PAIRED = "pair 1-2 3-4"
REMOVALS = {
    "expelled-annulled": Tale(
        event("swiss", "xiangqi-1999", "xiangqi", rounds=3),
        4,
        f"{PAIRED}\nexpel 1@1\nannul r1\nresults 1 * 1-0\nplay\nfinal",
    ),
    "expelled-retracted": Tale(
        event("round_robin", "xiangqi-1999", "xiangqi"),
        6,
        "play\npair\nexpel 4@2\nretract r1\n?results 2 1-0 1-0 1-0\npublish",
    ),
    "expelled-lapsed": Tale(
        event("swiss", "gomoku-campus", "gomoku", rounds=3),
        4,
        f"{PAIRED}\nrule 1@1 noise\nrule 1@1 telephone\nrule 1@1 over_step_time\nannul r2\nresults 1 * 0-1\nplay\nfinal",
    ),
    "expelled-from-a-knockout": Tale(
        event("knockout", "xiangqi-1999", "xiangqi"), 4, "pair\nexpel 1@1\nannul r1\nresults 1 * low\nplay\nfinal"
    ),
    "expelled-from-a-team": Tale(
        of_teams("fixed", 2, "round_robin"),
        members(4, 2),
        f"{FOUR_TEAMS}\npair\nexpel 11@1\nannul r1\n?results 1 1-0\npublish",
    ),
    "expelled-in-progress": Tale(
        event("swiss", "xiangqi-1999", "xiangqi", rounds=3),
        4,
        f"{PAIRED}\nmoves 1.1 1 h2e2 h9g7\nexpel 1@1\nmoves 1.1 3 h0g2\n?pair\nend 1.1 white\nresults 1 * 1-0\nplay\npublish",
    ),
    "excluded-in-progress": Tale(
        event("swiss", "xiangqi-1999", "xiangqi", rounds=2),
        4,
        f"{PAIRED}\nmoves 1.1 1 h2e2\nexclude 1@1\nexclude 3@1\nmoves 1.1 2 h9g7\nresults 1 1-0 1-0\nplay\nannul r1\nfinal",
    ),
    "withdrawn-in-progress": Tale(
        event("knockout", "gomoku-campus", "gomoku"),
        4,
        "pair\nstep 1.1 black guess odd 4\nmoves 1.1 1 h8 h9\nleave 1\nmoves 1.1 3 i8\n?pair\nresults 1 high low\nplay\nfinal",
    ),
    "withdrawn-from-a-swiss-in-progress": Tale(
        event("swiss", "fide-2026", rounds=3),
        6,
        "pair\nmoves 1.1 1 e2e4 e7e5\nleave 1\nmoves 1.1 3 g1f3\nresults 1 high low low\nplay\nback 1\nplay\nfinal",
    ),
    "withdrawn-from-a-round-robin-in-progress": Tale(
        event("round_robin", "xiangqi-1999", "xiangqi"),
        6,
        "play 3\npair\nmoves 4.1 1 h2e2\nmoves 4.2 1 h2e2\nmoves 4.3 1 h2e2\nleave 1\n?pair\nresults 4 high low low\nplay\nfinal",
    ),
    "expelled-from-a-team-in-progress": Tale(
        of_teams("fixed", 2, "round_robin"),
        members(4, 2),
        f"{FOUR_TEAMS}\npair\nmoves 1.1 1 h2e2\nmoves 1.2 1 h2e2\nexpel 11@1\nexpel 22@1\nresults 1 1-0 1-0\nannul r1\npublish",
    ),
    "expelled-from-a-round-robin-annulled": Tale(
        event("round_robin", "xiangqi-1999", "xiangqi"),
        6,
        "play\nexpel 4@1\nplay\npair\nannul r1\nresults 3 low high\nplay 2\npublish",
    ),
    "third-technical-foul-in-progress": Tale(
        event("knockout", "gomoku-campus", "gomoku"),
        4,
        """
        pair
        step 1.1 black guess even 4
        moves 1.1 1 h8 h9
        rule 1@1 noise
        rule 1@1 telephone
        rule 1@1 over_step_time
        moves 1.1 3 i8
        results 1 high low
        annul r3
        play
        final
        """,
    ),
    "left-before-the-start": Tale(
        event("round_robin", "xiangqi-1999", "xiangqi"),
        5,
        'post check-in {"came": [1, 2, 3, 4], "absent": [5]} arbiter\nplay 3\nfinal',
    ),
    "both-left": Tale(
        event("knockout", "campus", "xiangqi"), 4, "pair\nleave 1\nleave 4\nresults 1 * low\nplay\nfinal"
    ),
}
WALLS = " ".join(f"K{row} L{row}" for row in range(1, 20))
MARKS = '{"effect": {"kind": "set_marks", "white": {"points": 0}, "black": {"points": 0.5}}}'
TO_AND_FRO = "g1f3 g8f6 f3g1 f6g8"
IDLE = "a0a1 a9a8 a1a0 a8a9"
SEALS = {
    "black": sha256("0123456789abcdef黑子13手".encode()).hexdigest(),
    "white": sha256("fedcba9876543210黑子15手".encode()).hexdigest(),
}
GAMES = {
    "chess": Tale(
        event("swiss", "campus-chess", rounds=2),
        8,
        f"""
        pair 1-2 3-4 5-6 7-8
        moves 1.1 1 f3 e5 g4 Qh4#
        moves 1.2 1 e4 e5
        claim 1.2 threefold_repetition white Nf3
        moves 1.2 3 Nf3
        claim 1.2 flag black
        moves 1.3 1 {TO_AND_FRO} {TO_AND_FRO}
        claim 1.3 threefold_repetition white
        moves 1.4 1 e4 e5 f1c4
        post games/1.4/claims {{"claim": "touch", "squares": ["b8"]}} arbiter
        ?moves 1.4 4 g8f6
        moves 1.4 4 b8c6
        post games/1.4/take-back {{"to_ply": 2, "reason": "misrecorded"}} arbiter
        post games/1.4/offers {{"offer": "draw", "side": "white"}} board
        moves 1.4 3 g1f3
        end 1.4 black
        publish
        annul r2
        """,
    ),
    "chess-fide": Tale(
        event("swiss", "fide-2026", rounds=2),
        4,
        f"""
        {PAIRED}
        moves 1.1 1 {" ".join([TO_AND_FRO] * 5)}
        post games/1.1/steps {{"side": "white", "step": "correct_colours"}} arbiter
        end 1.1 white
        moves 1.2 1 e4 e5
        post games/1.2/claims {{"claim": "illegal_move", "side": "black", "move": "e2e5"}} arbiter
        end 1.2
        play
        final
        """,
    ),
    "xiangqi": Tale(
        event("swiss", "xiangqi-1999", "xiangqi", rounds=2),
        6,
        f"""
        pair 1-2 3-4 5-6
        moves 1.1 1 炮二进三 炮2平5 炮二平三 包5退1 炮三进四
        moves 1.2 1 {IDLE} {IDLE}
        post games/1.2/claims {{"claim": "repetition"}} arbiter
        moves 1.3 1 炮二平五 马8进7
        claim 1.3 natural_limit white
        moves 1.3 3 马二进三
        end 1.3 black
        correct 1.2 1-0
        play
        final
        """,
    ),
    "go": Tale(
        event("swiss", "go-campus", "go", rounds=1),
        4,
        f"""
        {PAIRED}
        moves 1.1 1 {WALLS}
        moves 1.1 39 PASS C3 PASS
        step 1.1 white confirm_end
        step 1.1 black confirm_end
        step 1.1 white dead C3
        step 1.1 black dead C3
        moves 1.2 1 D4 Q16
        end 1.2 black
        final
        """,
    ),
    "go-in-campus": Tale(
        event("swiss", "campus-go", "go", rounds=1),
        4,
        f"{PAIRED}\nmoves 1.1 1 D4 Q16 D16\nend 1.1 white\nresults 1 * 0-1\ncorrect 1.2 1-0\nfinal",
    ),
    "go-friendly": Tale(
        event("swiss", "friendly-go", "go", rounds=1),
        4,
        f"{PAIRED}\nmoves 1.1 1 D4\nend 1.1 black\nresults 1 * 0-1\nfinal",
    ),
    "gomoku": Tale(
        event("swiss", "gomoku-campus", "gomoku", rounds=2),
        4,
        f"""
        {PAIRED}
        step 1.1 black guess odd 4
        moves 1.1 1 h8 h9 i8 i9 j8 j9 k8 k9 l8
        step 1.2 black guess even 4
        moves 1.2 1 h8 h9 i8 i9 j8 j9 k8 k9 l8
        publish
        """,
    ),
    "gomoku-online": Tale(
        event("swiss", "gomoku-online", "gomoku", rounds=1),
        2,
        "pair 1-2\nmoves 1.1 1 h8 h9 i8 i9 j8 j9 k8 k9 l8\nfinal",
    ),
    "renju": Tale(
        event("swiss", "campus", "renju", rounds=1),
        4,
        f"""
        {PAIRED}
        moves 1.1 1 h8 h9 h10
        step 1.1 white swap
        moves 1.1 5 o1
        step 1.1 white offer_fifth g7 j10
        step 1.1 black choose_fifth g7
        moves 1.1 7 o3 f6 o5 e5 o7
        moves 1.1 12 d4
        moves 1.2 1 h8 a1 g8 c1
        step 1.2 black offer_fifth i9 k12
        step 1.2 white choose_fifth i9
        moves 1.2 6 e1 i10 g1 i8
        claim 1.2 forbidden_point white i8
        final
        """,
    ),
    "renju-guess": Tale(
        event("swiss", "friendly-wuziqi", "renju", rounds=1),
        4,
        f"{PAIRED}\nstep 1.1 black guess odd 4\nmoves 1.1 1 h8\nend 1.1 white\nresults 1 * 1-0\nfinal",
    ),
    "renju-of-1998": Tale(
        event("swiss", "renju", "renju", rounds=1),
        4,
        f"{PAIRED}\nmoves 1.1 1 h8\nend 1.1 black\nresults 1 * 1-0\nfinal",
    ),
    "renju-agreed": Tale(event("swiss", "renju-agreed", "renju", rounds=1), 4, "play\nfinal"),
    "renju-room": Tale(
        event("swiss", "renju-room", "renju", rounds=1), 4, f"{PAIRED}\nmoves 1.1 1 h8\nend 1.1\nresults 1 * 1-0\nfinal"
    ),
    "xiangqi-friendly": Tale(
        event("swiss", "friendly-xiangqi", "xiangqi", rounds=1),
        4,
        f"{PAIRED}\nmoves 1.1 1 炮二平五\nend 1.1 black\nresults 1 * 1-0\nfinal",
    ),
    "prediction": Tale(
        event("swiss", "prediction", "prediction", rounds=1),
        4,
        f"""
        {PAIRED}
        moves 1.1 1 h8 a1 c1 e1
        step 1.1 black seal {SEALS["black"]}
        step 1.1 white seal {SEALS["white"]}
        step 1.1 black reveal 0123456789abcdef 黑子13手
        step 1.1 white reveal fedcba9876543210 黑子15手
        moves 1.1 5 i8 g1 j8 a3 k8 c3 l8
        results 1 * 1-0
        final
        """,
    ),
    "own-set": Tale(
        {"format": "swiss", "game": "xiangqi", "rounds": 2, "regulations_file": own_set("xiangqi-1999")},
        4,
        f"{PAIRED}\nlate 1@1 1000\nrule 4@1 foul\nrule 4@1 foul\nrule 4@1 foul\nplay\nfinal",
    ),
    "results-only": Tale(event("round_robin", "campus", "tiaoqi"), 4, "play 3\ncorrect 2.1 0-0\nfinal"),
}
HALL = {
    "arrivals": Tale(
        event("swiss", "campus", "xiangqi", rounds=2),
        4,
        f"""
        {PAIRED}
        late 2@1 1000
        post arrivals/a1/correction {{"late": 100, "reason": "the wrong row"}} arbiter
        late 1@1 absent
        post arrivals {{"round": 1, "boards": [{{"board": 2, "white": {{"late": 0}}, "black": {{"late": 901}}}}]}} arbiter
        annul r8
        results 1 * 1-0
        play
        post arrivals/a4/correction {{"late": 10, "reason": "a stopped watch"}} arbiter
        publish
        """,
    ),
    "breaks": Tale(
        event("swiss", "gomoku-campus", "gomoku", rounds=1),
        4,
        f"""
        {PAIRED}
        post games/1.1/breaks {{"player": 1, "seconds": 200}} arbiter
        post games/1.1/breaks {{"player": 1, "seconds": 100}} arbiter
        post games/1.1/breaks/b1/correction {{"void": true, "reason": "player 3"}} arbiter
        post games/1.1/breaks/b2/correction {{"seconds": 301, "reason": "seen on the film"}} arbiter
        results 1 * 1-0
        final
        """,
    ),
    "appeals": Tale(
        event("swiss", "campus", "xiangqi", rounds=2),
        4,
        f"""
        {PAIRED}
        rule 1@1 foul
        rule 1@1 foul
        rule 1@1 foul
        rule 3@1 misconduct
        appeal r2 1 upheld
        results 1 1/2-1/2 1-0
        appeal r5 3 rejected
        play
        rule 2@2 grave_misconduct {{"effect": {{"kind": "adjust_points", "points": -1}}}} organiser
        post officials {{"name": "Second arbiter", "role": "arbiter", "person": "李伟"}}
        post officials/Second%20arbiter/dismissal {{"reason": "left early"}}
        post entries/2/correction {{"name": "李娜", "rating": 2345, "reason": "misspelt"}}
        retract r11
        final
        rule 4@2 misconduct
        """,
    ),
    "decided-by-the-arbiter": Tale(
        event("swiss", "campus", "xiangqi", rounds=2),
        4,
        f"""
        {PAIRED}
        results 1 1-0 1-0
        rule 1@1 grave_misconduct {MARKS} chief_arbiter
        play
        annul r1
        final
        """,
    ),
}
