"""What follows from what games found: the rows of the rulebook, each a ruling."""

from dataclasses import replace
from typing import Any

import pytest

from shared import regulations as books
from shared.core import events as ev
from shared.core.terms import PAIRING
from tests.rules.hall import CHIEF, G1, Hall


def made(hall: Hall) -> list[tuple[str, str, str, str | None]]:
    """Infraction, effect, article and counter of every ruling, in the log's order."""
    rulings = [r.event for r in hall.tournament.rulings.values()]
    return [(r.infraction, r.effect.kind, r.article, r.counter) for r in rulings]


def hall_of(game: str, regulations: str = "campus") -> Hall:
    """A hall where another game was announced."""
    hall = Hall(regulations)
    hall.tournament.announced = replace(hall.tournament.announced, game=game)
    return hall


@pytest.mark.parametrize(
    "game, regulations, kind, rulings",
    [
        ("chess", "campus", "false_claim", [("false_claim", "adjust_clock", "000-A 国际象棋, 对局结束 13(2)", None)]),
        ("chess", "fide-2026", "false_claim", [("false_claim", "adjust_clock", "Laws 9.5.3", None)]),
        (
            "chess",
            "fide-2026",
            "illegal_move",
            [
                ("illegal_move", "foul", "Laws 7.5.1, 7.5.5", "violation"),
                ("illegal_move", "adjust_clock", "Laws 7.5.5", None),
            ],
        ),
        ("xiangqi", "campus", "illegal_move", [("illegal_move", "set_marks", "000-A 2.5", None)]),
        ("xiangqi", "campus", "facing_generals", [("illegal_move", "set_marks", "000-A 2.2", None)]),
        ("xiangqi", "xiangqi-1999", "facing_generals", [("facing_generals", "set_marks", "002-X 4.1.2", None)]),
        (
            "xiangqi",
            "xiangqi-1999",
            "false_natural_limit",
            [
                ("false_natural_limit", "foul", "002-X 9.1.4, 23.3", "foul"),
                ("false_natural_limit", "adjust_clock", "002-X 23.3", None),
            ],
        ),
        ("xiangqi", "xiangqi-1999", "irregular_offer", []),
        ("go", "campus", "illegal_move", [("ko_without_a_threat", "warn", "000-A 围棋, 行棋 4", None)]),
        ("go", "campus", "forbidden_point", []),
        ("chess", "campus", "overrun", [("flag", "set_marks", "as games found it", None)]),
        ("gomoku", "gomoku-campus", "illegal_move", [("stray_stone", "foul", "000-B 2", "foul")]),
        ("xiangqi", "campus", "flag", [("flag", "set_marks", "as games found it", None)]),
    ],
)
def test_each_finding_has_the_rulings_of_its_rows(game: str, regulations: str, kind: str, rulings: list[Any]) -> None:
    hall = hall_of(game, regulations)
    hall.found(kind, 2)
    assert made(hall) == rulings
    assert hall.tournament.findings["f1"].answered is not None, "answered also where nothing follows"


def test_seconds_are_the_rulebooks() -> None:
    """对局结束 13(2): five minutes of the claimant's; Laws 9.5.3: two for the opponent."""
    for regulations, seconds in (("campus", -300), ("fide-2026", 120)):
        hall = Hall(regulations, "chess")
        hall.found("false_claim", 1)
        assert [r.event.effect.clock for r in hall.tournament.rulings.values()] == [seconds]


def test_a_lone_king_spares_the_late_side_in_chess_alone() -> None:
    """000-A 国际象棋, 对局结束 5; 002-X 22 has no such article."""
    chess, xiangqi = hall_of("chess"), hall_of("xiangqi")
    for hall in (chess, xiangqi):
        hall.flag(1, opponent_can_win=False)
    assert (chess.result(), xiangqi.result()) == ("1-1", "0-2")


def test_a_rulebook_without_rows_answers_flags_as_it_did() -> None:
    hall, old = Hall(), books.load("campus")
    old = replace(old, rulebook=replace(old.rulebook, findings=()))
    hall.happened(PAIRING, ev.RegulationsAdopted(old))
    hall.flag(1, opponent_can_win=False)
    assert hall.result() == "1-1"
    hall.found("false_claim", 1, "f2")
    assert len(made(hall)) == 1


def test_the_second_illegal_move_loses_by_the_ladder() -> None:
    """Laws 7.5.5."""
    hall = Hall("fide-2026")
    hall.found("illegal_move", 1, "f1")
    assert hall.result() is None
    hall.found("illegal_move", 1, "f2")
    assert hall.result() == "0-2"


def test_the_second_illegal_move_draws_against_an_opponent_who_cannot_mate() -> None:
    """Laws 7.5.5."""
    hall = Hall("fide-2026")
    hall.found("illegal_move", 1, "f1")
    hall.found("illegal_move", 1, "f2", opponent_can_win=False)
    assert hall.result() == "1-1"


def test_in_a_game_that_is_lost_a_foul_still_counts_and_seconds_do_not() -> None:
    hall = hall_of("xiangqi", "xiangqi-1999")
    hall.ruling(1, "refusal_to_obey", by=CHIEF)
    hall.found("false_natural_limit", 1)
    assert made(hall)[1:] == [("false_natural_limit", "foul", "002-X 9.1.4, 23.3", "foul")]
    hall.annul("r1")
    assert made(hall)[-1][:2] == ("false_natural_limit", "adjust_clock"), "with the loss gone the clock runs again"


def test_a_flag_is_due_again_when_the_loss_before_it_falls() -> None:
    hall = hall_of("xiangqi", "xiangqi-1999")
    hall.ruling(1, "refusal_to_obey", by=CHIEF)
    hall.flag(1)
    assert [r[0] for r in made(hall)] == ["refusal_to_obey"]
    hall.annul("r1")
    assert made(hall)[-1][:2] == ("flag", "set_marks") and hall.result() == "0-2"


def test_what_was_annulled_is_not_made_again_on_the_same_finding() -> None:
    hall = Hall()
    hall.found("consecutive_offer", 1)
    foul = next(iter(hall.tournament.rulings))
    hall.annul(foul)
    assert len(made(hall)) == 1 and not hall.tournament.is_in_force(foul)


def test_a_ruling_names_its_finding_and_game() -> None:
    hall = Hall()
    hall.found("consecutive_offer", 2)
    ruling = next(iter(hall.tournament.rulings.values())).event
    assert (ruling.finding, ruling.game, ruling.player, ruling.round) == ("f1", G1, 2, 1)
