"""Facts of a ruling: what each article asks for, by which the act is none, and that an act counts once."""

from dataclasses import replace
from typing import Any

import pytest

from services.penalties.rules import commands as co
from shared.core import events as ev
from shared.regulations import names
from tests.rules.hall import APPEALS, ARBITER, G1, PLAYER, Hall

ANY: dict[str, Any] = {}


def ruling(infraction: str, player: int = 1, **more: Any) -> co.MakeRuling:
    return co.MakeRuling(ARBITER, player, 1, infraction, **more)


# ---------------------------------------------------------------- what the articles ask for


@pytest.mark.parametrize(
    ("regulations", "game", "infraction", "facts", "effect"),
    [
        ("xiangqi-1999", "xiangqi", "missing_records", {"missed_in_a_row": 4}, "foul"),  # 7.1
        ("xiangqi-1999", "xiangqi", "missing_records", {"missed_in_a_row": 9, "seconds_left": 180}, "foul"),  # 7.2
        ("xiangqi-1999", "xiangqi", "disturbing", {"own_time": False}, "foul"),  # 9.1.1
        ("xiangqi-1999", "xiangqi", "conduct", {"grave": False}, "foul"),  # 9.1.8
        ("campus", "xiangqi", "disturbing", {"own_time": False}, "foul"),  # 4.1
        ("campus", "chess", "disturbing", ANY, "foul"),
        ("campus", "go", "advice", {"grave": False}, "warn"),  # 7.1
        ("campus", "go", "advice", ANY, "warn"),
        ("campus", "chess", "obstructing", {"grave": True}, "foul"),
        ("campus", "xiangqi", "two_moves_in_a_row", {"opponent_passed": False}, "foul"),  # 7.4
        ("campus", "xiangqi", "two_moves_in_a_row", ANY, "foul"),
        ("campus", "chess", "adjusting", ANY, "foul"),  # 7.8
        ("campus", "chess", "adjusting", {"own_time": True, "consent": False}, "foul"),
        ("campus", "chess", "adjusting", {"own_time": False, "consent": True}, "foul"),
        ("campus", "chess", "adjusting", {"own_time": True}, "foul"),
        ("campus", "go", "taking_back", {"opponent_moved": False}, "warn"),  # 围棋, 行棋 2
        ("go-campus", "go", "taking_back", {"opponent_moved": False}, "warn"),
        ("go-campus", "go", "scattering_the_board", {"by": 1}, "set_marks"),  # 围棋, 行棋 3
        ("go-campus", "go", "scattering_the_board", ANY, "set_marks"),
        ("renju", "renju", "obstructing", {"grave": True}, "foul"),
        ("gomoku-campus", "gomoku", "two_moves_in_a_row", {"opponent_passed": False}, "foul"),  # 000-B 注意 8 ⑤
    ],
)
def test_a_report_with_the_facts_of_its_article_is_taken(
    regulations: str, game: str, infraction: str, facts: dict[str, Any], effect: str
) -> None:
    made = Hall(regulations, game).ruling(1, infraction, facts=facts)[0]
    assert (made.effect.kind, made.facts) == (effect, facts)


@pytest.mark.parametrize(
    ("regulations", "game", "infraction", "facts", "article", "allowed"),
    [
        ("xiangqi-1999", "xiangqi", "missing_records", {"missed_in_a_row": 3}, "002-X 7.1", "fewer than four"),
        (
            "xiangqi-1999",
            "xiangqi",
            "missing_records",
            {"missed_in_a_row": 4, "seconds_left": 179},
            "002-X 7.2",
            "recording may be postponed 可暂缓履行",
        ),
        (
            "xiangqi-1999",
            "xiangqi",
            "disturbing",
            {"own_time": True},
            "002-X 9.1.1, 8.5",
            "in the player's own time is allowed",
        ),
        ("xiangqi-1999", "xiangqi", "conduct", {"grave": True}, "002-X 9.1.8, 8.8", "grave_misconduct"),
        ("campus", "xiangqi", "disturbing", {"own_time": True}, "000-A 4.1", "in the player's own time is allowed"),
        ("campus", "go", "advice", {"grave": True}, "000-A 7.1", "obstructing"),
        ("renju", "renju", "obstructing", {"grave": False}, "000-A 7.1", "advice 劝告 comes first"),
        ("campus", "go", "two_moves_in_a_row", {"opponent_passed": True}, "000-A 7.4", "after the opponent's pass"),
        (
            "gomoku-campus",
            "gomoku",
            "two_moves_in_a_row",
            {"opponent_passed": True},
            "000-B 注意 8 ⑤",
            "after the opponent's pass",
        ),
        (
            "campus",
            "chess",
            "adjusting",
            {"own_time": True, "consent": True},
            "000-A 7.8",
            "is allowed after telling the opponent or the arbiter",
        ),
        (
            "campus",
            "go",
            "taking_back",
            {"opponent_moved": True},
            "000-A 围棋, 行棋 2",
            "before the opponent's next move",
        ),
        (
            "go-campus",
            "go",
            "scattering_the_board",
            {"by": "outsider"},
            "000-A 围棋, 行棋 3",
            "the chief arbiter decides",
        ),
        (
            "go-campus",
            "go",
            "scattering_the_board",
            {"by": 2},
            "000-A 围棋, 行棋 3",
            "a player who did not scatter the stones",
        ),
    ],
)
def test_what_the_article_says_is_none_is_refused_with_what_is_allowed(
    regulations: str, game: str, infraction: str, facts: dict[str, Any], article: str, allowed: str
) -> None:
    refused = Hall(regulations, game).no(ruling(infraction, facts=facts))
    assert (refused.kind, refused.code, refused.article) == ("rule", "no-infraction", article)
    assert f"not {infraction}, because" in str(refused.detail) and allowed in str(refused.detail)


def test_a_board_that_an_outsider_scattered_leads_to_the_decision_on_the_game() -> None:
    refused = Hall("go-campus", "go").no(ruling("scattering_the_board", facts={"by": "outsider"}))
    assert refused.see == f"/v1/games/{G1}/decision"


@pytest.mark.parametrize(
    ("regulations", "infraction", "fact", "article"),
    [
        ("xiangqi-1999", "missing_records", "missed_in_a_row", "002-X 7.1"),
        ("go-campus", "taking_back", "opponent_moved", "000-A 围棋, 行棋 2"),
        ("go-campus", "obstructing", "grave", "000-A 围棋, 违例 1"),
    ],
)
def test_a_fact_without_which_the_article_cannot_be_applied_is_asked_for(
    regulations: str, infraction: str, fact: str, article: str
) -> None:
    refused = Hall(regulations, "go").no(ruling(infraction))
    assert (refused.kind, refused.code, refused.article) == ("invalid", "fact-missing", article)
    assert refused.where == f"facts.{fact}" and f"requires the fact {fact}: " in str(refused.detail)


@pytest.mark.parametrize("regulations", names())
@pytest.mark.parametrize("infraction", ["foul", "violation"])
def test_a_bare_call_needs_no_fact(regulations: str, infraction: str) -> None:
    (made,) = Hall(regulations).ruling(1, infraction)
    assert (made.infraction, made.facts) == (infraction, {})


@pytest.mark.parametrize(
    ("infraction", "facts", "code", "says"),
    [
        (
            "advice",
            {"seconds": 4},
            "unknown-fact",
            "unknown fact 'seconds'; advice accepts these facts: grave and repeated",
        ),
        (
            "advice",
            {"seconds_left": 4},
            "fact-not-asked",
            "advice accepts these facts: grave and repeated, not seconds_left",
        ),
        ("foul", {"grave": True}, "fact-not-asked", "foul accepts these facts: none, not grave"),
        ("advice", {"grave": 1}, "bad-fact", "grave is true or false"),
        ("advice", {"grave": None}, "bad-fact", "grave is true or false"),
        ("scattering_the_board", {"by": 9}, "bad-fact", "by is the number of a player or 'outsider'"),
        ("scattering_the_board", {"by": True}, "bad-fact", "by is the number of a player or 'outsider'"),
        ("scattering_the_board", {"by": "somebody"}, "bad-fact", "by is the number of a player or 'outsider'"),
        ("scattering_the_board", {"by": ["outsider"]}, "bad-fact", "by is the number of a player or 'outsider'"),
    ],
)
def test_a_fact_of_another_name_or_type_is_refused_with_what_is_taken(
    infraction: str, facts: dict[str, Any], code: str, says: str
) -> None:
    refused = Hall("go-campus", "go").no(ruling(infraction, facts=facts))
    assert (refused.kind, refused.code, str(refused.detail)) == ("invalid", code, says)


@pytest.mark.parametrize("value", [-1, 1_000_001, 4.0, "4", True, None, {}])
def test_a_number_of_a_fact_is_whole_and_within_its_bounds(value: Any) -> None:
    refused = Hall("xiangqi-1999", "xiangqi").no(ruling("missing_records", facts={"missed_in_a_row": value}))
    assert (refused.code, str(refused.detail)) == ("bad-fact", "missed_in_a_row is a number from 0 to 1000000")


def test_who_may_not_rule_is_told_so_before_what_is_wrong_with_his_facts() -> None:
    told = Hall().no(co.MakeRuling(PLAYER, 1, 1, "advice", facts={"grave": 4}))
    assert (told.kind, told.code) == ("authority", "role-may-not")


# ---------------------------------------------------------------- the chapters of one set


@pytest.mark.parametrize(
    ("game", "infraction", "where"),
    [
        ("chess", "illegal_move", "only in xiangqi (000-A 2.5)"),
        ("chess", "ko_without_a_threat", "only in go (000-A 围棋, 行棋 4)"),
        ("chess", "taking_back", "only in go (000-A 围棋, 行棋 2)"),
        ("go", "touching_an_unmovable_piece", "only in xiangqi and chess (000-A 4.4)"),
        ("xiangqi", "false_claim", "only in chess (000-A 国际象棋, 对局结束 13(2))"),
        ("xiangqi", "removing_stones", "only in renju (000-A 五子棋, 1.F, 2.E)"),
    ],
)
def test_an_infraction_of_another_chapter_is_none_here(game: str, infraction: str, where: str) -> None:
    refused = Hall("campus", game).no(ruling(infraction))
    assert (refused.kind, refused.code, refused.see) == ("invalid", "unknown-infraction", "/v1/tournaments/T/rulebook")
    assert str(refused.detail).endswith(where)


@pytest.mark.parametrize(("game", "result"), [("xiangqi", "0-2"), ("chess", None), ("go", None), ("renju", None)])
def test_the_third_foul_loses_in_xiangqi_alone(game: str, result: str | None) -> None:
    """000-A 2.7: the chapters of the other games have no third that loses."""
    hall = Hall(game=game)
    for _ in range(3):
        hall.ruling(1)
    assert hall.result() == result


# ---------------------------------------------------------------- repeated: 重犯


@pytest.mark.parametrize(
    ("regulations", "game", "article"),
    [
        ("campus", "xiangqi", "000-A 7.1"),
        ("go-campus", "go", "000-A 围棋, 违例 1"),
        ("campus-chess", "chess", "000-A 国际象棋, 违例 1"),
        ("renju", "renju", "000-A 7.1"),
    ],
)
def test_who_repeats_after_advice_is_in_violation_each_time(regulations: str, game: str, article: str) -> None:
    hall = Hall(regulations, game)
    assert [r.infraction for r in hall.ruling(1, "advice")] == ["advice"]
    for first, times in (("r1", 2), ("r1", 3)):
        advice, violation, *_ = hall.ruling(1, "advice")
        assert (violation.infraction, violation.counter, violation.effect.kind) == (
            "repeated_disturbance",
            "violation",
            "foul",
        )
        assert (violation.because[0], violation.because[-1], len(violation.because)) == (first, advice.ruling, times)
        assert violation.article == f"{article}: 重犯者判违例"
    assert hall.result() is None


def test_the_third_violation_may_be_a_repetition() -> None:
    """000-A 7.10."""
    hall = Hall()
    hall.ruling(1, "abuse")
    hall.ruling(1, "obstructing", facts={"grave": True})
    hall.ruling(1, "advice")
    advice, violation, loss = hall.ruling(1, "advice")
    assert (loss.infraction, loss.because) == ("third_violation", ("r1", "r2", violation.ruling))
    assert hall.result() == "0-2"
    # the first advice falls: with it the violation, and with that the loss
    hall.annul("r3")
    assert hall.result() is None
    assert [hall.tournament.is_in_force(r) for r in (advice.ruling, violation.ruling, loss.ruling)] == [
        True,
        False,
        False,
    ]


def test_of_three_disturbances_the_first_is_annulled_and_one_repetition_is_left() -> None:
    hall = Hall()
    for _ in range(3):
        hall.ruling(1, "advice")
    made = hall.annul("r1")[1:]
    assert [(r.infraction, r.because) for r in made] == [("repeated_disturbance", ("r2", "r4"))]
    counted = [r for r in hall.tournament.rulings_with_effect() if r.event.counter == "violation"]
    assert len(counted) == 1


def test_a_repetition_that_stands_twice_counts_once_towards_the_third_violation() -> None:
    hall = Hall()
    for _ in range(3):
        hall.ruling(1, "advice")
    annulment = hall.annul("r1")[0].ruling
    hall.annul(annulment)  # all three stand again, and the repetition that was made meanwhile stands beside
    standing = [r.event for r in hall.tournament.rulings.values() if hall.tournament.is_in_force(r.event.ruling)]
    assert [r.infraction for r in standing].count("repeated_disturbance") == 3
    assert hall.result() is None


def test_disturbances_of_two_players_are_counted_apart() -> None:
    hall = Hall()
    assert [len(hall.ruling(player, "advice")) for player in (1, 2, 3)] == [1, 1, 1]


def test_a_repetition_that_is_pardoned_is_not_made_again() -> None:
    hall = Hall()
    hall.ruling(1, "advice")
    violation = hall.ruling(1, "advice")[1]
    assert len(hall.told(co.AnnulRuling(APPEALS, violation.ruling))) == 1


def test_what_is_told_of_a_repetition_is_held_against_the_log() -> None:
    hall = Hall()
    refused = hall.no(ruling("advice", facts={"repeated": True}))
    assert (refused.kind, refused.code, refused.article) == ("rule", "fact-contradicts", "000-A 7.1")
    assert "the log has no earlier ruling" in str(refused.detail)
    hall.ruling(1, "advice", facts={"repeated": False})
    assert "ruling r1 was already made for this infraction" in str(
        hall.no(ruling("advice", facts={"repeated": False})).detail
    )
    assert hall.ruling(1, "advice", facts={"repeated": True})[1].infraction == "repeated_disturbance"
    assert hall.ruling(2, "advice", facts={"repeated": False})


# ---------------------------------------------------------------- the same act


def test_the_same_act_counts_once_while_its_ruling_stands() -> None:
    hall = Hall()
    assert hall.ruling(1, "disturbing", ply=12)[0].ply == 12
    refused = hall.no(ruling("disturbing", ply=12))
    assert (refused.kind, refused.code, refused.article, refused.where) == ("rule", "same-act", "000-A 4.1", "ply")
    assert refused.see == "/v1/tournaments/T/rulings/r1" and str(refused.detail).startswith(
        "ruling r1 already covers disturbing"
    )
    hall.annul("r1")
    assert hall.ruling(1, "disturbing", ply=12)


@pytest.mark.parametrize(
    ("player", "infraction", "ply"),
    [(2, "disturbing", 12), (1, "abuse", 12), (1, "disturbing", 13), (1, "disturbing", None)],
)
def test_another_act_is_counted_too(player: int, infraction: str, ply: int | None) -> None:
    hall = Hall()
    hall.ruling(1, "disturbing", ply=12)
    assert hall.ruling(player, infraction, ply=ply)


def test_what_an_official_ruled_on_a_ply_is_not_ruled_again_on_the_finding_of_games() -> None:
    hall = Hall()
    hall.ruling(1, "consecutive_draw_offers", ply=40)
    hall.found("consecutive_offer", 1)
    assert isinstance(hall.events[-1].data, ev.FindingAnswered)
    assert len(hall.tournament.rulings) == 1


def test_what_games_found_on_a_ply_is_not_ruled_again_by_hand() -> None:
    hall = Hall()
    hall.found("consecutive_offer", 1)
    (found,) = hall.tournament.rulings.values()
    assert found.event.ply == 40
    assert hall.no(ruling("consecutive_draw_offers", ply=40)).code == "same-act"


def test_a_ply_needs_a_game() -> None:
    assert Hall().no(ruling("misconduct", player=5, ply=1)).code == "no-game"


# ---------------------------------------------------------------- the edition before


def old(hall: Hall) -> Hall:
    """The regulations as Arbiter 1 adopted them: by its decisions."""
    before = replace(hall.tournament.regulations, decisions=1)
    hall.tournament.regulations = before
    return hall


def test_by_the_decisions_of_arbiter_1_an_act_counts_as_often_as_it_is_ruled() -> None:
    hall = old(Hall())
    assert hall.ruling(1, "disturbing", ply=12) and hall.ruling(1, "disturbing", ply=12)
    hall.found("consecutive_offer", 1)
    assert list(hall.tournament.rulings.values())[-1].event.ply is None
