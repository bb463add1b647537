"""Rows of twenty-one 21点 (B): deals that the judge settles for anybody."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import board
from tests.rows.marks import JUDGE, row

DEALS: list[tuple[str, str, Any, dict[str, Any], Any]] = [
    # row, dealer, player, changed rules, outcome and what it pays, or a word of the refusal
    ("B1", "10 9", "9 9 9 9", {}, "more 9s than"),
    ("B1", "10 9", "9H 9H", {}, "9H"),
    ("B1", "10 9", "9H 9H", {"packs": 3}, ("lose", -1.0)),
    ("B2", "10 9", "J Q", {}, ("win", 1.0)),
    ("B2", "10 9", "A A 9", {}, ("win", 1.0)),
    ("B2", "10 9", "A 6 10", {"ace_or_eleven": False}, ("bust", -1.0)),
    ("B3", "10 7", "10 9 5", {}, ("bust", -1.0)),
    ("B3", "10 9", "10 9 5 2", {}, "bust"),
    ("B4", "10 6", "10 9", {}, "stood on 16"),
    ("B4", "10 7 2", "10 9", {}, "drew a card on 17"),
    ("B5", "10 6 9", "2 3", {}, ("win", 1.0)),
    ("B5", "10 6 9", "10 6 9", {}, ("bust", -1.0)),
    ("B5", "10 6 9", "10 6 9", {"bust_with_dealer": "draws"}, ("draw", 0.0)),
    ("B6", "10 8", "10 9", {}, ("win", 1.0)),
    ("B6", "10 9", "10 8", {}, ("lose", -1.0)),
    ("B6", "10 9", "9 K", {}, ("draw", 0.0)),
    ("B7", "10 6 5", "A K", {}, ("blackjack", 1.5)),
    ("B7", "A K", "A Q", {}, ("draw", 0.0)),
    ("B7", "10 6 5", "A K", {"blackjack_beats_21": False}, ("draw", 0.0)),
    ("B7", "10 6 5", {"cards": ["A", "K"], "split": True}, {}, ("draw", 0.0)),
    ("B8", "10 9", {"cards": ["A", "K"], "split": True}, {}, ("win", 1.0)),
    ("B8", "10 9", {"cards": ["6", "5", "10"], "doubled": True}, {}, ("win", 2.0)),
    ("B8", "10 9", {"cards": ["A", "K", "5"], "doubled": True}, {}, "blackjack"),
    ("B8", "A K", {"cards": ["10", "9"], "insured": True}, {}, ("lose", 0.0)),
    ("B8", "K A", {"cards": ["10", "9"], "insured": True}, {}, "ace"),
    ("B9", "10 9", "2 2 2 3 3 3", {}, "not have more than 5 cards"),
    ("B9", "10 9", "2 2 2 3 3 3", {"cards_at_most": 0}, ("lose", -1.0)),
    ("B9", "10 9", "2 2 3 3 4", {"five_cards_win": True}, ("win", 1.0)),
]


def cards(deal: Any) -> Any:
    return deal.split() if isinstance(deal, str) else deal


@pytest.mark.parametrize(
    ("dealer", "player", "rules", "expected"),
    [pytest.param(*rest, marks=row(number, under=JUDGE)) for number, *rest in DEALS],
)
def test_a_deal_is_settled_or_refused(
    tmp_path: Path, dealer: str, player: Any, rules: dict[str, Any], expected: Any
) -> None:
    """000-F. Each question comes with one on a plain deal, which is answered whatever the other is."""
    question = {"id": 1, "game": "twentyone", "ask": "settle", "dealer": cards(dealer), "players": [cards(player)]}
    plain = question | {"id": 2, "dealer": ["10", "9"], "players": [["10", "8"]]}
    with board(tmp_path, "chess") as b:
        told, other = b.call("POST", "/v1/judge", [question | {"rules": rules}, plain], None).json
    assert other["answer"]["players"] == [{"outcome": "lose", "pays": -1.0}]
    if isinstance(expected, str):
        assert expected in told["error"]["detail"], told
    else:
        (paid,) = told["answer"]["players"]
        assert (paid["outcome"], paid["pays"]) == expected


@row("B9", under=JUDGE)
@pytest.mark.parametrize(("most", "settled"), [(7, True), (6, False)])
def test_as_many_sit_at_a_table_as_the_rules_say(tmp_path: Path, most: int, settled: bool) -> None:
    """000-F3: one to seven; F2: two to six."""
    players = [[card, "Q" if card == "8" else "2"] for card in "3456789"]
    question = {"id": 1, "game": "twentyone", "ask": "settle", "dealer": ["10", "9"], "players": players}
    with board(tmp_path, "chess") as b:
        asked = [question | {"rules": {"players_at_most": most, "packs": 3}}, question | {"players": players[:1]}]
        told, _ = b.call("POST", "/v1/judge", asked, None).json
    assert ("answer" in told) is settled, told
