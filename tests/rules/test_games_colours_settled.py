"""The colours that a score sheet settles are in the log, from the third edition of decisions on."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from services.games.rules.boards.registry import variant_of
from services.games.rules.commands import StartGame, TakeBack, TakeStep
from shared.core.events import (
    ColoursCorrected,
    ColoursSettled,
    GameEnded,
    GameStarted,
    MovePlayed,
    MovesTakenBack,
    RegulationsAdopted,
    StepTaken,
)
from shared.core.readings.colours import colours_of
from shared.core.terms import PAIRING, Side
from shared.regulations import load
from tests.rules.games_hall import ARBITER, G1, Hall, play

Steps = tuple[Any, ...]
OPENED = play("h8 h9 h10")
SALT = "0123456789abcdef"


def step(side: Side, name: Any, *values: str) -> TakeStep:
    return TakeStep(ARBITER, G1, side, name, values)


def back(ply: int, reason: str = "misrecorded") -> TakeBack:
    return TakeBack(ARBITER, G1, ply, reason)


def predicted(first: str, second: str) -> Steps:
    said: tuple[tuple[Side, str], ...] = (("black", first), ("white", second))
    seals = [step(side, "seal", sha256(f"{SALT}{text}".encode()).hexdigest()) for side, text in said]
    return (play("h8 a1 c1 e1"), *seals, *(step(side, "reveal", SALT, text) for side, text in said))


def hall_after(game: str, regulations: str, *commands: Any, decisions: int = 3) -> Hall:
    hall = Hall(game, regulations=regulations, decisions=decisions)
    for command in commands:
        hall.do(command)
        if decisions > 2 and hall.sheet().lines:
            agree(hall)
    return hall


def agree(hall: Hall) -> None:
    """The log and the sheet name the same seat, after every command."""
    game = hall.t.games[G1]
    variant = variant_of(hall.t, game)
    assert variant is not None
    position = hall.sheet().state(variant).position
    settled = position.colours_settled()
    assert colours_of(hall.t, game).black == (position.holder("black") if settled else None)


RENJU, GO, GOMOKU, PREDICTION = (
    ("renju", "campus"), ("go", "campus"), ("gomoku", "gomoku-campus"), ("prediction", "campus"),
)  # fmt: skip
CASES: dict[str, tuple[tuple[str, str], Steps, list[Side | None]]] = {
    "a swap": (RENJU, (OPENED, step("white", "swap")), ["white"]),
    "a swap declined": (RENJU, (OPENED, step("white", "keep")), ["black"]),
    "a swap declined by a stone": (RENJU, (play("h8 h9 h10 i10"),), ["black"]),
    "a swap taken back": (RENJU, (OPENED, step("white", "swap"), back(3)), ["white", None]),
    "a swap after one taken back": (
        RENJU, (OPENED, step("white", "swap"), back(3), step("white", "keep")), ["white", None, "black"],
    ),
    "the stone after a swap taken back": (RENJU, (OPENED, step("white", "swap"), play("i9", 5), back(4)), ["white"]),
    "predictions": (PREDICTION, predicted("白子14手", "黑子15手"), ["white"]),
    "predictions taken back": (PREDICTION, (*predicted("白子14手", "黑子15手"), back(3)), ["white", None]),
    "a right guess": (GOMOKU, (step("black", "guess", "odd", "7"),), ["black"]),
    "a wrong guess": (GOMOKU, (step("black", "guess", "odd", "8"),), ["white"]),
    "a game started before the guess": (GOMOKU, (StartGame(ARBITER, G1), step("black", "guess", "odd", "8")), ["white"]),
    "a stone without a guess": (GOMOKU, (play("h8"), play("h9", 2)), ["black"]),
    "a stone without a guess taken back": (GOMOKU, (play("h8"), back(0)), ["black", None]),
    "a correction in Go": (GO, (play("Q16"), step("white", "correct_colours")), ["white"]),
    "a correction in Go before the first stone": (GO, (step("white", "correct_colours"), play("Q16")), []),
    "a correction in Go taken back": (GO, (play("Q16"), step("white", "correct_colours"), back(0)), ["white"]),
    "two corrections in Go": (
        GO, (play("Q16"), step("white", "correct_colours"), step("white", "correct_colours")), ["white", "black"],
    ),
    "moves in Go": (GO, (play("Q16 D4"), back(1), play("D16", 2)), []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_log_records_the_colours_of_the_sheet(name: str):
    (game, regulations), commands, recorded = CASES[name]
    hall = Hall(game, regulations=regulations, decisions=3)
    written = []
    for command in commands:
        written += [d.black for d in hall.do(command) if isinstance(d, ColoursSettled)]
        if hall.sheet().lines:
            agree(hall)
    assert written == recorded


@pytest.mark.parametrize("name", CASES)
def test_second_edition_writes_no_settled_colours(name: str):
    (game, regulations), commands, _ = CASES[name]
    hall = Hall(game, regulations=regulations, decisions=2)
    assert not any(isinstance(data, ColoursSettled) for command in commands for data in hall.do(command))


def test_settled_colours_leave_those_of_the_pairings():
    for commands in (CASES["a swap"][1], CASES["a swap declined"][1]):
        assert hall_after(*RENJU, *commands).t.games[G1].reversed is None
    assert hall_after(*GO, *CASES["a correction in Go"][1]).t.games[G1].reversed is None


def test_a_correction_in_chess_needs_no_second_event():
    moves = "g1f3 g8f6 b1c3 b8c6 f3g1 f6g8 c3b1 c6b8 " * 2 + "g1f3 g8f6 f3g1 f6g8"
    hall = hall_after("chess", "fide-2026", play(moves))
    written = hall.do(step("white", "correct_colours"))
    assert [type(data) for data in written] == [StepTaken, ColoursCorrected]
    agree(hall)


def test_colours_are_settled_before_the_game_ends():
    written = hall_after(*GOMOKU).do(play("h8 h9 i8 i9 j8 j9 k8 k9 l8"))
    official = [type(data) for data in written if not isinstance(data, MovePlayed)]
    assert official == [GameStarted, ColoursSettled, GameEnded]


def test_a_swap_taken_back_names_its_cause_on_the_sheet():
    hall = hall_after(*RENJU, OPENED, step("white", "swap"))
    assert hall.do(back(3)) == [MovesTakenBack(3, "misrecorded", None), ColoursSettled(G1, None)]


def test_a_game_begun_under_the_second_edition_records_its_next_change():
    hall = hall_after(*RENJU, OPENED, decisions=2)
    hall.said(PAIRING, RegulationsAdopted(replace(load("campus"), decisions=3)))
    assert ColoursSettled(G1, "white") in hall.do(step("white", "swap"))
    assert colours_of(hall.t, hall.t.games[G1]).black == "white"
