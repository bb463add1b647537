"""Repetition 棋例: the moves of a cycle named, and the pair judged (002-X 24 to 29).

Each cycle is four plies, played twice from the position given, which so stands on the board three times.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.registry import default_rules
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.geometry import BLACK, RED, move_name, move_of
from services.games.rules.boards.xiangqi.repetition import Judgement, explain, judge, outcome_of, status_of
from services.games.rules.boards.xiangqi.threats import mate
from shared.core.state.grounds import lines_of

RULES = default_rules("xiangqi")


def moves_of(text: str) -> list[int]:
    return [move_of(move) for move in text.split()]


def judged(text: str, cycle: str, times: int = 2, rules=RULES, defending=frozenset()) -> Judgement:
    board, _ = fen.read(text)
    moves = moves_of(cycle) * times
    on = board.fork()
    for move in moves:
        assert move in on.legal_moves(), move_name(move)
        on.make(move)
    assert on.key() == board.key()
    return judge(board, moves, rules, defending)


def named(judgement: Judgement) -> tuple[str, str]:
    """The kinds of the first round of the cycle, Red's and Black's."""
    return "".join(judgement.kinds(RED))[:2], "".join(judgement.kinds(BLACK))[:2]


CASES = [
    # 24.1, 26.1, 28.1, 28.10: perpetual check loses at once
    ("长将", "4k4/8R/9/9/9/9/9/9/4A4/3A1K3 w", "i8i9 e9e8 i9i8 e8e9", ("将将", "闲闲"), "black_wins"),
    # 25.2, 26.4, 28.2, 28.11: a mate threatened all along
    ("长杀", "3k5/1R7/9/6r2/9/9/6R2/9/4K4/9 w", "g3h3 g6h6 h3g3 h6g6", ("杀杀", "闲闲"), "black_wins"),
    # 26.4, 28.3, 28.12: one piece without a root chased all along
    ("长捉", "3aka3/9/c3b4/9/9/9/1R7/4B4/9/3AKA3 w", "b3a3 a7b7 a3b3 b7a7", ("捉捉", "闲闲"), "black_wins"),
    # 28.12: one piece or several, by turns
    ("长捉数子", "3aka3/9/4b3c/n8/9/R8/9/4B4/9/3AKA3 w", "a4i4 d9e8 i4a4 e8d9", ("捉捉", "闲闲"), "black_wins"),
    # 25.2, 26.4: check and chase by turns
    ("一将一捉", "4k4/9/c7R/9/9/9/9/9/4A4/3A1K3 w", "i7i9 e9e8 i9i7 e8e9", ("将捉", "闲闲"), "black_wins"),
    # 25.2: with one idle move in the cycle all are allowed
    ("数捉一闲", "3aka3/9/c3b4/9/9/9/1R7/4B4/9/3AKA3 w", "b3a3 d9e8 a3b3 e8d9", ("捉闲", "闲闲"), "draw"),
    # 28.8, 28.16: a rooted piece is only followed 跟
    ("有根", "3aka3/9/c3r4/9/9/9/1R7/4B4/9/3AKA3 w", "b3a3 a7b7 a3b3 b7a7", ("闲闲", "闲闲"), "draw"),
    # 28.16 假根: its protector is pinned
    ("假根", "3aka3/9/c3r4/9/9/4R4/1R7/9/9/3AKA3 w", "b3a3 a7b7 a3b3 b7a7", ("捉捉", "闲闲"), "black_wins"),
    # 28.16 少根, 29.1: two attack what one protects, and the full exchange wins
    ("少根", "3aka3/9/c3r4/9/9/9/1R7/R3B4/9/3AKA3 w", "b3a3 d9e8 a3b3 e8d9", ("捉闲", "闲闲"), "draw"),
    # 27.1 借帅之力: the king opposite keeps the other from taking back
    ("借帅之力", "2b1k1b2/4a4/8R/9/9/9/9/9/9/4K4 w", "i7i8 c9a7 i8i7 a7c9", ("捉捉", "闲闲"), "black_wins"),
    # 27.1: the king may be the second to take
    ("帅与车同捉", "3rka3/4a4/9/9/9/9/R8/3c5/3K5/9 w", "a3a2 e8f7 a2a3 f7e8", ("捉闲", "杀闲"), "draw"),
    # 25.3: a chariot that is protected is worth more than the horse that takes it
    ("马捉有根车", "3aka3/9/4b4/3r4r/9/9/4N4/4B4/9/3AKA3 w", "e3c4 f9e8 c4e3 e8f9", ("捉闲", "闲闲"), "draw"),
    # 25.3: the other way nothing is won
    ("车吃有根马", "3aka3/9/4b4/n3r4/9/9/1R7/4B4/9/3AKA3 w", "b3a3 f9e8 a3b3 e8f9", ("闲闲", "闲闲"), "draw"),
    # 27.1: a king's own chase is idle
    ("帅捉", "5k3/9/9/9/9/9/9/3c5/4K4/9 w", "e1e2 d2d1 e2e1 d1d2", ("闲闲", "闲闲"), "draw"),
    # 27.2: a pawn's own chase is idle
    ("兵捉", "4k4/9/4c4/3P5/9/9/9/9/9/5K3 w", "d6e6 e7d7 e6d6 d7e7", ("闲闲", "闲闲"), "draw"),
    # 27.2: but counts where both attack all along 相互长打
    ("相互长打", "3aka3/1CC6/2r1b4/1P7/9/9/9/4B4/9/3AKA3 w", "b6c6 c7b7 c6b6 b7c7", ("捉捉", "捉捉"), "draw"),
    # 28.5: like pieces that attack each other offer an exchange
    ("长兑", "3aka3/9/2r1b4/9/9/1R7/9/4B4/9/3AKA3 w", "b4c4 c7b7 c4b4 b7c7", ("闲闲", "闲闲"), "draw"),
    # 25.3: a pawn before the river is no piece
    ("未过河卒", "3aka3/9/4b4/p1p6/9/9/1R7/4B4/9/3AKA3 w", "b3a3 d9e8 a3b3 e8d9", ("闲闲", "闲闲"), "draw"),
    # 26.3: both forbidden, neither by perpetual check alone
    ("长捉对长捉", "N1N1ka3/9/r3b4/9/9/9/P1P6/4B4/2C6/3AKA3 w", "c1a1 a7c7 a1c1 c7a7", ("捉捉", "捉捉"), "draw"),
]


def in_words(judgement):
    return [str(line) for line in lines_of(explain(judgement))]


@pytest.mark.parametrize("name, text, cycle, kinds, outcome", CASES, ids=[case[0] for case in CASES])
def test_a_cycle_is_named_and_judged(name, text, cycle, kinds, outcome):
    judgement = judged(text, cycle)
    assert (named(judgement), judgement.outcome) == (kinds, outcome), in_words(judgement)


def test_no_piece_is_chased_whose_taker_would_be_mated():
    """29.4: were the chariot to leave its first rank, Black's would mate there."""
    text, cycle = "3aka3/9/c3b4/9/3r5/9/3r5/4p4/9/1R2K4 w", "b0a0 a7b7 a0b0 b7a7"
    near = replace(RULES, mate_within=1)
    assert named(judged(text, cycle, rules=near)) == ("闲闲", "闲闲")
    assert named(judged(text, cycle, rules=replace(near, sound_within=0))) == ("捉捉", "闲闲")


def test_a_piece_without_a_root_is_chased_by_way_of_a_check():
    """29.1, 29.3: the horse discovers check and takes the cannon next; how far ahead, the regulations say."""
    text, cycle = "r2ak4/9/8c/9/4N4/9/3R5/9/9/3AKA3 w", "d3e3 a9b9 e3d3 b9a9"
    near = replace(RULES, mate_within=1)
    assert named(judged(text, cycle, rules=near)) == ("捉闲", "闲闲")
    assert "e5g6" in in_words(judged(text, cycle, rules=near))[0]
    assert named(judged(text, cycle, rules=replace(near, chase_within=0))) == ("闲闲", "闲闲")


def test_a_mate_by_checks_one_after_another_is_threatened_as_far_as_the_regulations_look():
    """28.2: 在下一着照将或连续照将."""
    text, cycle = "3k5/1R7/9/6r2/9/9/6R2/9/4K4/9 w", "g3h3 g6h6 h3g3 h6g6"
    assert named(judged(text, cycle, rules=replace(RULES, mate_within=0))) == ("闲闲", "闲闲")
    board, _ = fen.read("r2ak4/9/8c/9/4N4/9/4R4/9/9/3AKA3 w")
    assert mate(board, 1) == ()
    assert [move_name(move) for move in mate(board, 2)] == ["e5d7", "e9f9", "e3e9"]


def test_chasing_advisors_and_elephants_is_idle_where_the_referee_finds_a_defence_point_taken():
    """27.3 needs a referee's eye for the simple draw: it is given to the judge, never guessed."""
    text, cycle = "3aka3/9/b8/9/9/9/2R6/4B4/9/3AKA3 w", "c3a3 a7c9 a3c3 c9a7"
    assert judged(text, cycle).outcome == "black_wins"
    excused = judged(text, cycle, defending=frozenset({RED}))
    assert (named(excused), excused.outcome) == (("闲闲", "闲闲"), "draw")
    assert "27.3" in in_words(excused)[0]
    assert judged(text, cycle, defending=frozenset({BLACK})).outcome == "black_wins"


def test_a_position_that_came_twice_is_not_judged_yet():
    """24: 循环反复三次; more often is judged like three times."""
    _, text, cycle, _, _ = CASES[2]
    once = judged(text, cycle, times=1)
    assert (once.outcome, once.deeds) == ("none", ())
    assert in_words(once) == ["the position has not occurred often enough for a verdict; 002-X 24"]
    assert judged(text, cycle, times=5) == judged(text, cycle, times=2)
    assert judged(text, cycle, times=2, rules=replace(RULES, repetitions=4)).outcome == "none"


OLD_THREAT = "4k4/R8/1R7/9/9/8n/9/9/9/3K5 w", "d0d1 i4g3 d1d0 g3i4"


def test_a_move_that_only_leaves_a_threat_of_mate_standing_is_idle_where_newness_counts():
    """28.2, and 29.2 of 捉: 产生于刚走的这着棋."""
    new = replace(RULES, mate_threat="new")
    assert named(judged(*OLD_THREAT, rules=replace(RULES, mate_threat="standing"))) == ("杀杀", "闲闲")
    idle = judged(*OLD_THREAT, rules=new)
    assert (named(idle), idle.deeds[0].articles) == (("闲闲", "闲闲"), ("28.9", "28.2", "29.2"))
    assert "threat of mate by b7b9 existed before" in in_words(idle)[0]


def test_an_answer_to_a_check_leaves_the_threat_standing_that_the_check_interrupted():
    """The side in check could not mate just now: what it threatened before is no new threat."""
    text, cycle = "4k4/R8/1R7/9/9/9/9/9/9/3K4r w", "d0d1 i0i1 d1d0 i1i0"
    assert named(judged(text, cycle, rules=replace(RULES, mate_threat="new"))) == ("闲闲", "将将")
    deeper = "r2ak4/9/8c/9/4N4/9/4R4/9/9/3AK2r1 w", "e0e1 h0h1 e1e0 h1h0"
    assert named(judged(*deeper, rules=replace(RULES, mate_threat="standing")))[0] == "杀杀"
    assert "杀" not in named(judged(*deeper, rules=replace(RULES, mate_threat="new")))[0]


def test_a_mate_that_was_parried_is_threatened_anew():
    """长杀 stays 长杀, whichever reading."""
    for reading in ("standing", "new"):
        assert named(judged(*CASES[1][1:3], rules=replace(RULES, mate_threat=reading))) == CASES[1][3]


def test_the_mating_piece_that_moves_along_its_line_threatens_nothing_new():
    """29.2, as of a chariot that follows its prey along the same line."""
    text, cycle = "4k4/R8/1R7/9/9/8n/9/9/9/3K5 w", "b7b6 i4g3 b6b7 g3i4"
    assert named(judged(text, cycle, rules=replace(RULES, mate_threat="new")))[0] == "闲闲"


def test_three_checks_lose_though_idle_moves_are_among_them_where_that_is_forbidden():
    """003: 不得将三将; by 25.2 数将一闲 is allowed. The third check must have been given."""
    text, cycle = "4k4/9/8R/9/9/9/9/9/4A4/3A1K3 w", "i7i9 e9e8 i9i7 e8e9"
    loses = replace(RULES, three_checks="loses")
    assert judged(text, cycle, 2, loses).outcome == "draw"
    third = judged(text, cycle, 3, loses)
    assert (third.outcome, third.at_once, third.article) == ("black_wins", True, "003 胜负和: 不得将三将")
    assert judged(text, cycle, 3).outcome == "draw"


def test_the_gravest_name_counts():
    """27.4 从重: a check that also chases is a check; a threat of mate that also chases is one."""
    chase_and_check = judged("4k4/9/9/9/9/9/c7R/9/4A4/3A1K3 w", "i3i9 e9e8 i9i3 e8e9")
    assert chase_and_check.kinds(RED)[:2] == ["将", "捉"]


def test_the_explanation_names_points_pieces_roots_and_articles():
    told = in_words(judged(*CASES[2][1:3]))
    assert told[0] == (
        "Red 车八平九 (b3a3) chases, 002-X 28.3, 29; 红车a3 attacks 黑炮a7, which has no root: no piece protects it (28.16)"
    )
    assert told[-3:] == [
        "Red: always chase, forbidden; 002-X 25.2",
        "Black: idle moves, allowed; 002-X 25.2",
        "Red must vary, and loses if the cycle occurs once more; 002-X 24.3, 26.4",
    ]
    rooted = {
        "假根": "which has only a false root: 黑车e7 cannot legally take back (28.16)",
        "借帅之力": "which has only a false root: 黑将e9 cannot legally take back (28.16)",
        "少根": "which has too few roots: 黑车e7 cannot protect it",
        "帅与车同捉": "which has too few roots: 黑车d9 cannot protect it",
    }
    for name, text, cycle, _, _ in CASES:
        if name in rooted:
            assert rooted[name] in in_words(judged(text, cycle))[0]


@pytest.mark.parametrize(
    "kinds, status",
    [
        ("将将", "perpetual_check"),
        ("杀杀", "forbidden"),
        ("捉捉", "forbidden"),
        ("将杀", "forbidden"),
        ("将捉", "forbidden"),
        ("杀捉", "forbidden"),
        ("闲闲", "allowed"),
        ("将将闲", "allowed"),
        ("杀闲", "allowed"),
        ("捉捉捉闲", "allowed"),
    ],
)
def test_forbidden_and_allowed_are_those_of_25_2(kinds, status):
    assert status_of(kinds) == status


CHECK, BAD, GOOD = "perpetual_check", "forbidden", "allowed"


@pytest.mark.parametrize(
    "red, black, outcome, at_once, article",
    [
        (CHECK, GOOD, "black_wins", True, "24.1"),
        (GOOD, CHECK, "red_wins", True, "24.1"),
        (CHECK, BAD, "black_wins", True, "24.1"),
        (BAD, CHECK, "red_wins", True, "26.1"),
        (CHECK, CHECK, "draw", True, "26.3"),
        (BAD, BAD, "draw", True, "26.3"),
        (GOOD, GOOD, "draw", True, "26.2"),
        (BAD, GOOD, "black_wins", False, "24.3"),
        (GOOD, BAD, "red_wins", False, "26.4"),
    ],
)
def test_the_pair_is_judged_by_24_and_26(red, black, outcome, at_once, article):
    judged_so = outcome_of((red, black))
    assert judged_so[:2] == (outcome, at_once) and article in judged_so[2]


KINDS = st.lists(st.sampled_from("将杀捉闲"), min_size=1, max_size=8)


@given(KINDS, KINDS)
def test_swapping_the_sides_swaps_the_loser(red, black):
    mirrored = {"red_wins": "black_wins", "black_wins": "red_wins", "draw": "draw"}
    outcome, *rest = outcome_of((status_of(red), status_of(black)))
    assert outcome_of((status_of(black), status_of(red))) == (mirrored[outcome], *rest)


@given(KINDS, KINDS)
def test_who_makes_an_idle_move_never_loses(red, black):
    outcome, _, _ = outcome_of((status_of([*red, "闲"]), status_of(black)))
    assert outcome in {"draw", "red_wins"}


@pytest.mark.parametrize("name, text, cycle, kinds, outcome", CASES, ids=[case[0] for case in CASES])
def test_the_board_turned_round_is_judged_the_same(name, text, cycle, kinds, outcome):
    """Colours exchanged and the board turned: the same kinds for the other side."""
    placed, turn = text.split()
    flipped = placed[::-1].swapcase() + (" b" if turn == "w" else " w")
    moves = " ".join(move_name((89 - (move >> 7)) << 7 | (89 - (move & 127))) for move in moves_of(cycle))
    judgement = judged(flipped, moves)
    mirrored = {"red_wins": "black_wins", "black_wins": "red_wins", "draw": "draw"}
    assert (named(judgement)[::-1], judgement.outcome) == (kinds, mirrored[outcome])
