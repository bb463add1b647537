"""Prediction gomoku 预判 in the hall: the time that predicting takes, and games that must be decisive (001 第三条 3)."""

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.prediction.position import prediction_time
from services.games.rules.boards.prediction.verdict import Finish, Five, Verdict, judge, read_prediction, settle
from services.games.rules.boards.registry import default_rules
from services.games.rules.commands import EndByAgreement, MakeOffer, TakeStep
from services.games.rules.judge.registry import answer
from shared.core import events as ev
from shared.core.language.messages import Message
from shared.core.terms import PAIRING, PENALTIES, Actor, Period, Ply, Seconds, Side, TimeControl
from shared.regulations import load
from tests.rules.games_court import Court, end, findings
from tests.rules.games_hall import ARBITER, BOARD, G1, LOSS, PLAYER, WIN, step

SALT = "sixteen letters of salt"
STONES = "a1 c8 o15 d8"
HOUR = ((3_600, 0),)


def control(*periods: tuple[int, int], byo_yomi: int = 0) -> TimeControl:
    made = tuple(Period(Seconds(seconds), moves) for seconds, moves in periods)
    return TimeControl("prediction", made, Seconds(0), Seconds(byo_yomi), "claimed", "the announcement")


def seal(side: Side, said: str, *seconds: str) -> TakeStep:
    return step(side, "seal", sha256((SALT + said).encode()).hexdigest(), *seconds)


def agreed(colour: str, by: Actor = ARBITER) -> TakeStep:
    return TakeStep(by, G1, "black", "criterion", (colour,))


def offer(side: Side, said: str) -> MakeOffer:
    return MakeOffer(PLAYER, G1, side, said)


def a_court(*times: TimeControl, draw_predictable: bool = True) -> Court:
    """The campus regulations with these time controls, in a tournament that was just announced."""
    court = Court("prediction")
    regulations = load("campus")
    assert "prediction" in regulations.game.rules
    rules = replace(regulations.game.rules["prediction"], draw_predictable=draw_predictable)
    court.said(
        PAIRING,
        ev.RegulationsAdopted(
            replace(regulations, game=replace(regulations.game, rules={"prediction": rules}, times=times))
        ),
    )
    return court


def predicted(court: Court, first: str, second: str) -> Court:
    for side, said in (("black", first), ("white", second)):
        court.do(seal(side, said))
    for side, said in (("black", first), ("white", second)):
        court.do(step(side, "reveal", SALT, said))
    return court


# ---------------------------------------------------------------- 3(3): the time


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        (control(*HOUR), 720),
        (control((3_604, 0)), 720),
        (control((1_800, 30), (1_800, 0)), 720),
        (control(*HOUR, byo_yomi=30), 720),
        (control(byo_yomi=30), None),
    ],
)
def test_predicting_takes_at_most_a_fifth_of_the_time(time, seconds):
    """Of all periods of one side; what a move adds or always has is no part of it."""
    assert prediction_time(time, default_rules("prediction")) == seconds


@pytest.mark.parametrize(("side", "player", "marks"), [("black", 2, (WIN, LOSS)), ("white", 1, (LOSS, WIN))])
def test_who_predicts_longer_loses(side, player, marks):
    court = a_court(control(*HOUR))
    court.play(STONES)
    written = court.do(seal(side, "白子42手", "721"))
    assert findings(written) == [("flag", player)]
    assert written[-1].article == "001 第三条 3(3)"
    assert [row[0] for row in court.rulings()] == ["flag"]
    assert court.marks(G1) == marks


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        ((control(*HOUR),), ("720",)),
        ((control(*HOUR),), ()),
        ((), ("86399",)),
        ((control(byo_yomi=30),), ("9000",)),
    ],
    ids=["a fifth", "not measured", "no time control", "no whole time"],
)
def test_within_a_fifth_or_unmeasured_nothing_is_found(times, seconds):
    court = a_court(*times)
    court.play(STONES)
    (line,) = court.do(seal("white", "白子42手", *seconds))
    assert line.values[1:] == seconds, "what was measured stands on the sheet"


def test_a_game_whose_predictor_was_too_slow_stands_still_until_it_is_ruled_on():
    court = a_court(control(*HOUR))
    del court.world.rules[PENALTIES]
    court.play(STONES)
    court.do(seal("white", "白子42手", "721"))
    assert court.refused(seal("black", "白子42手")).code == "flag-found"


@pytest.mark.parametrize("seconds", ["-1", "1.5", "twelve", "123456", "", "七"])
def test_the_time_is_told_in_whole_seconds(seconds):
    court = a_court()
    court.play(STONES)
    refusal = court.refused(seal("white", "白子42手", seconds))
    assert (refusal.code, refusal.article) == ("illegal-step", "001 第三条 3(3)")


# ---------------------------------------------------------------- 3(2), after 例4: decisive games

AT_LIMIT = ("白子42手", "白子42手")
OPEN = ("白子42手", "黑子43手")


@pytest.mark.parametrize(
    ("predictions", "how", "ply", "criterion", "winner", "string"),
    [
        (AT_LIMIT, "white", 42, "black", "black", "黑42手/白42手胜"),
        (AT_LIMIT, "white", 42, "white", "white", "白42手/白42手胜"),
        (OPEN, "draw", 225, "black", "black", "黑225手/无限制胜"),
        (OPEN, "draw", 225, "white", "white", "白225手/无限制胜"),
        (AT_LIMIT, "white", 40, "black", "white", "白40手/白42手胜"),
        (AT_LIMIT, "stopped", 42, "white", "black", "黑42手/白42手胜"),
        (OPEN, "white", 40, "black", "white", "白40手/无限制胜"),
    ],
)
def test_what_would_be_drawn_is_won_by_the_colour_agreed_on_and_nothing_else_changes(
    predictions, how, ply, criterion, winner, string
):
    first, second = (read_prediction(said) for said in predictions)
    assert first is not None and second is not None
    found = judge(settle(first, second), Finish(how, Ply(ply)), default_rules("prediction"), criterion)
    assert found == Verdict(winner, string)


COLOURS = st.sampled_from(["black", "white"])
SAID = st.builds(Five, COLOURS, st.integers(5, 225).map(Ply))
FINISH = st.builds(Finish, st.sampled_from(["black", "white", "draw", "stopped"]), st.integers(5, 225).map(Ply))


@given(SAID, SAID, FINISH, COLOURS)
def test_with_a_criterion_every_game_has_a_winner_and_only_draws_are_changed(first, second, finish, criterion):
    plain = judge(settle(first, second), finish, default_rules("prediction"))
    decided = judge(settle(first, second), finish, default_rules("prediction"), criterion)
    if isinstance(plain, Message) or plain.winner is not None:
        assert decided == plain
    else:
        assert isinstance(decided, Verdict)
        assert decided.winner == criterion and decided.string.endswith("胜")


@pytest.mark.parametrize(
    ("criterion", "winner", "verdict"),
    [("black", "black", "黑10手/白10手胜"), ("white", "white", "白10手/白10手胜"), (None, None, "白10手/白10手和")],
)
def test_five_exactly_at_the_limit_is_decided_by_the_criterion(criterion, winner, verdict):
    court = a_court()
    court.play(STONES)
    if criterion is not None:
        court.do(agreed(criterion))
    predicted(court, "白子10手", "白子10手")
    ended = end(court.play("a15 e8 o1 f8 h1 g8"))
    assert ended is not None
    assert (ended.white.points > ended.black.points, ended.white == ended.black) == (winner == "white", winner is None)
    facts = court.state().position.facts()
    assert (facts["verdict"], facts.get("criterion")) == (verdict, criterion)


def test_where_regulations_ask_for_a_decision_nothing_is_predicted_before_a_criterion_is_agreed():
    court = a_court(draw_predictable=False)
    court.play(STONES)
    refusal = court.refused(seal("black", "白子42手"))
    assert (refusal.code, refusal.article) == ("illegal-step", "001 第三条 3, after 例4")
    assert "before predicting, agree on the colour" in str(refusal.detail)
    court.do(agreed("white"))
    assert court.do(seal("black", "白子42手"))


def test_an_arbiter_may_say_of_any_game_that_it_must_be_decisive_and_no_player_may():
    court = a_court()
    assert court.refused(agreed("white", PLAYER)).code == "role-may-not"
    assert court.refused(agreed("white", BOARD)).code == "role-may-not"
    line, *_ = court.do(agreed("white"))
    assert line == ev.StepTaken(Ply(0), "black", "criterion", ("white",)), "before the first stone too"


@pytest.mark.parametrize(
    ("before", "colour", "said"),
    [
        ((), "red", "black or white"),
        ((agreed("white"),), "black", "agreed on only once"),
        ((seal("black", "和"),), "black", "before predictions are sealed"),
    ],
)
def test_a_criterion_names_a_colour_once_and_in_time(before, colour, said):
    court = a_court()
    court.play(STONES)
    for command in before:
        court.do(command)
    refusal = court.refused(agreed(colour))
    assert said in str(refusal.detail) and refusal.article == "001 第三条 3, after 例4"


def test_a_draw_is_then_neither_predicted_nor_agreed_on():
    court = a_court()
    court.play(STONES)
    for command in (agreed("white"), seal("black", "和"), seal("white", "白子42手")):
        court.do(command)
    assert court.refused(step("black", "reveal", SALT, "和")).article == "001 第三条 3(2)"
    for command in (EndByAgreement(ARBITER, G1), offer("black", "draw"), offer("white", "accept")):
        refusal = court.refused(command)
        assert (refusal.code, refusal.article) == ("must-be-decisive", "001 第三条 3, after 例4")


def test_where_a_game_may_be_drawn_a_draw_is_agreed_on():
    court = a_court()
    court.play(STONES)
    ended = end(court.do(EndByAgreement(ARBITER, G1)))
    assert ended is not None and ended.termination == "agreement"


# ---------------------------------------------------------------- the judge


def asked(**question: object) -> dict:
    return answer({"game": "prediction", "ask": "verdict", "first": "白子42手", "second": "白子42手", **question})


def test_the_judge_is_told_which_colour_wins_what_would_be_drawn():
    assert asked(five="white", ply=42)["answer"] == {"winner": None, "string": "白42手/白42手和"}
    assert asked(five="white", ply=42, decisive="black")["answer"] == {"winner": "black", "string": "黑42手/白42手胜"}


@pytest.mark.parametrize(
    ("question", "where"), [({"decisive": "red"}, "decisive"), ({"decisive": "black", "second": "和"}, "second")]
)
def test_the_judge_refuses_a_criterion_that_is_no_colour_and_a_draw_predicted_beside_one(question, where):
    assert asked(five="white", ply=42, **question)["error"]["where"] == where
