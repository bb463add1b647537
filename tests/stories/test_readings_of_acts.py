"""What the texts say in two ways of draw offers, disturbing, leaving the seat and adjusting: each reading is played."""

from typing import Any

import pytest

from tests.rows.marks import plays
from tests.stories.conftest import Story, T
from tests.stories.readings_of_fouls import G, announced, each, moves, offer, refusal, reported, rulings

HALLS = ("embedded",)

# ---------------------------------------------------------------- draw offers


@each(
    "rulebook.findings.consecutive_offer.infraction",
    ("consecutive_draw_offers", ("violation", "000-A 7.7")),
    ("repeated_draw_offer", ("foul", "000-A 4.3")),
)
def test_a_second_offer_is_a_foul_or_a_violation(story: Story, path: str, value: str, then: Any) -> None:
    announced(story, path, value)
    moves(story, 1, "a0a1")
    offer(story, "draw", "white")
    offer(story, "decline", "black")
    moves(story, 2, "a9a8 a1a0")
    offer(story, "draw", "white")
    story.until(lambda: bool(rulings(story)))
    (ruling,) = story.get(f"{T}/rulings")["rulings"]
    assert (ruling["infraction"], ruling["counter"]) == (value, then[0])
    assert ruling["article"].startswith(then[1])


QUIET = {"xiangqi": ("a0a1", "a9a8 a1a0"), "chess": ("g1f3", "g8f6 f3g1")}
"""A move of the first side, and an answer with its next."""
CONSECUTIVE = [
    pytest.param(game, value, marks=plays(f"game.offers.{game}.consecutive", value))
    for game in QUIET
    for value in ("always", "after_refusal")
]


@pytest.mark.parametrize(("game", "value"), CONSECUTIVE)
def test_an_offer_is_repeated_while_it_stands(story: Story, game: str, value: str) -> None:
    """000-A 7.7 counts two in a row, 4.3 only after a refusal."""
    announced(story, f"game.offers.{game}.consecutive", value, game)
    moves(story, 1, QUIET[game][0])
    offer(story, "draw", "white")
    if value == "always":
        offer(story, "draw", "white")
        story.until(lambda: rulings(story) == [("consecutive_draw_offers", "violation")])
    else:
        assert refusal(story, f"{G}/offers", {"offer": "draw", "side": "white"}, "board")["code"] == "offer-stands"
        assert rulings(story) == []


@pytest.mark.parametrize(("game", "value"), CONSECUTIVE)
def test_an_offer_is_repeated_after_it_was_refused_by_a_move(story: Story, game: str, value: str) -> None:
    """000-A 2, 和 2: 对方口头不同意或走出轮走一着棋,则拒绝和棋."""
    announced(story, f"game.offers.{game}.consecutive", value, game)
    first, others = QUIET[game]
    moves(story, 1, first)
    offer(story, "draw", "white")
    moves(story, 2, others)
    offer(story, "draw", "white")
    story.until(lambda: rulings(story) == [("consecutive_draw_offers", "violation")])


# ---------------------------------------------------------------- disturbing, the seat, adjusting


@each(
    "rulebook.infractions.disturbing.counts_as",
    ("disturbing", [("disturbing", "foul"), ("disturbing", "foul")]),
    ("advice", [("advice", "advice"), ("advice", "advice"), ("repeated_disturbance", "violation")]),
)
def test_who_disturbs_twice_has_two_fouls_or_a_violation(story: Story, path: str, value: str, then: Any) -> None:
    """000-A 4.1; 7.1: 劝告, 重犯者判违例."""
    announced(story, path, value)
    for _ in range(2):
        reported(story, "disturbing")
    assert rulings(story) == then


@plays("rulebook.infractions.*.counts_as", None)
@each(
    "rulebook.infractions.leaving_the_seat.counts_as",
    ("advice", [("advice", "advice")]),
    ("leaving_the_area", [("leaving_the_area", "violation")]),
)
@pytest.mark.parametrize("game", ["xiangqi", "go"])
def test_who_leaves_the_seat_is_advised_or_in_violation(
    story: Story, game: str, path: str, value: str, then: Any
) -> None:
    """000-A 7.1 离座观棋; 7.5."""
    announced(story, path, value, game)
    reported(story, "leaving_the_seat")
    assert rulings(story) == then


def adjusting(value: str) -> pytest.MarkDecorator:
    """A game with this value: a first move, the square of a knight or horse that answers it, and another answer."""
    games = {"xiangqi": ("a0a1", "b9", "a9a8"), "chess": ("e2e4", "b8", "e7e5")}
    return pytest.mark.parametrize(
        ("game", "move", "square", "other"),
        [pytest.param(game, *said, marks=plays(f"game.{game}.adjusting", value)) for game, said in games.items()],
    )


@adjusting("violation")
def test_adjusting_is_a_violation_and_no_touch(story: Story, game: str, move: str, square: str, other: str) -> None:
    """000-A 7.8; 国际象棋, 违例 8."""
    announced(story, f"game.{game}.adjusting", "violation", game)
    moves(story, 1, move)
    problem = refusal(story, f"{G}/claims", {"claim": "touch", "squares": [square], "adjusting": True})
    assert (problem["status"], problem["code"], problem["see"]) == (409, "adjusting-is-violation", f"{T}/rulings")
    assert "违例" in problem["article"] and "report it as adjusting" in problem["detail"]
    assert refusal(story, f"{G}/claims", {"claim": "repetition", "adjusting": True})["code"] == "adjusting-not-asked"
    reported(story, "adjusting", 2, facts={"own_time": False})
    assert rulings(story, 2) == [("adjusting", "violation")]
    moves(story, 2, other)


@adjusting("touch")
def test_adjusting_is_a_touch_and_no_violation(story: Story, game: str, move: str, square: str, other: str) -> None:
    """000-A 3.6; 国际象棋, 摸子 6."""
    announced(story, f"game.{game}.adjusting", "touch", game)
    moves(story, 1, move)
    problem = refusal(story, f"{T}/rulings", {"player": 2, "round": 1, "infraction": "adjusting"})
    assert (problem["status"], problem["code"], problem["see"]) == (409, "claimed-as-touch", f"{G}/claims")
    assert "以摸子论处" in problem["article"] and "with the squares touched" in problem["detail"]
    claimed = story.tell(f"{G}/claims", {"claim": "touch", "squares": [square], "adjusting": True}, "arbiter")
    assert claimed["state"] == "upheld" and len(claimed["due"]) == 2
    assert refusal(story, f"{G}/moves", {"ply": 2, "moves": [other]}, "board")["code"] == "touched-piece"
