"""Twenty-one 21点: totals, blackjacks, who wins what, and deals that cannot be (000-F; B rows)."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.twentyone.hands import (
    RANKS,
    Card,
    Fault,
    Hand,
    Payout,
    default_rules,
    payouts,
    readings,
    total,
)
from shared.core.rulebook.game_rules import TwentyoneRules


def rules(**changed) -> TwentyoneRules:
    return replace(default_rules(), **changed)


def cards(written: str) -> tuple[Card, ...]:
    return tuple(map(Card, written.split()))


def hand(written: str, **how) -> Hand:
    return Hand(cards(written), **how)


def one(dealer: str, player: str, how: dict[str, bool] | None = None, **changed) -> Payout | Fault:
    found = payouts(cards(dealer), [hand(player, **(how or {}))], rules(**changed))
    return found if isinstance(found, Fault) else found[0]


@pytest.mark.parametrize(
    "held, points, eleven_only",
    [
        ("2 9", 11, 11),
        ("J Q", 20, 20),
        ("K 10 A", 21, 31),
        ("A K", 21, 21),
        ("A A", 12, 22),
        ("A A 9", 21, 31),
        ("A 6 10", 17, 27),
        ("10 9 5", 24, 24),
    ],
)
def test_face_cards_are_ten_and_an_ace_is_one_or_eleven(held, points, eleven_only):
    """F3, F4; the last text of F4 has eleven only."""
    assert total(cards(held), rules()) == points
    assert total(cards(held), rules(ace_or_eleven=False)) == eleven_only


@given(st.lists(st.sampled_from(RANKS), min_size=1, max_size=8))
def test_the_best_total_is_never_improved_by_another_count_of_an_ace(ranks):
    held = [Card(rank) for rank in ranks]
    aces = ranks.count("A")
    hard = sum(1 if r == "A" else 10 if r in "JQK" or r == "10" else int(r) for r in ranks)
    every = [hard + 10 * n for n in range(aces + 1)]
    good = [t for t in every if t <= 21]
    assert total(held, rules()) == (max(good) if good else min(every))


@pytest.mark.parametrize(
    "dealer, player, outcome, pays",
    [
        ("10 8", "10 9", "win", 100),
        ("10 9", "10 8", "lose", -100),
        ("10 9", "9 K", "draw", 0),
        ("10 7", "10 9 5", "bust", -100),
        ("10 6 9", "2 3", "win", 100),
        ("10 6 9", "10 6 9", "bust", -100),
        ("A K", "10 6 5", "lose", -100),
        ("10 6 5", "A K", "blackjack", 150),
        ("A K", "A Q", "draw", 0),
    ],
)
def test_a_hand_is_settled_against_the_dealer(dealer, player, outcome, pays):
    """F1, F3, F4: bust loses, higher wins, equal draws, a blackjack pays 3:2 unless the dealer has one."""
    assert one(dealer, player) == Payout(outcome, pays)


def test_where_the_regulations_say_so_a_bust_dealer_gives_bust_players_their_stake_back():
    """F3 at its end, against its own first sentence."""
    assert one("10 6 9", "10 6 9", bust_with_dealer="draws") == Payout("draw", 0)
    assert one("10 7", "10 6 9", bust_with_dealer="draws") == Payout("bust", -100)


def test_where_a_blackjack_is_a_21_like_others_it_draws_with_them():
    assert one("10 6 5", "A K", blackjack_beats_21=False) == Payout("draw", 0)


def test_after_a_split_ace_and_ten_are_21_and_no_blackjack():
    """F4."""
    assert one("10 9", "A K", {"split": True}) == Payout("win", 100)
    assert one("10 6 5", "A K", {"split": True}) == Payout("draw", 0)


def test_a_doubled_hand_plays_for_two_stakes():
    """F4."""
    assert one("10 9", "6 5 10", {"doubled": True}) == Payout("win", 200)
    assert one("10 9", "6 5 2", {"doubled": True}) == Payout("lose", -200)
    assert one("10 9", "6 5 10 ", {"doubled": True, "split": True}) == Payout("win", 200)


@pytest.mark.parametrize("player", ["6 5", "6 5 2 2", "A K 5"])
def test_doubling_is_for_one_card_and_not_on_a_blackjack(player):
    found = one("10 9", player, {"doubled": True})
    assert isinstance(found, Fault) and found.player == 0


def test_insurance_is_half_a_stake_at_two_to_one_against_a_dealers_blackjack():
    """F4."""
    assert one("A K", "10 9", {"insured": True}) == Payout("lose", -100 + 100)
    assert one("A 8", "10 9", {"insured": True}) == Payout("draw", -50)
    assert isinstance(one("K A", "10 9", {"insured": True}), Fault), "the dealer showed no ace"


@pytest.mark.parametrize(
    "dealer, fault",
    [
        ("10 6", "the dealer stood on 16, but must draw below 17"),
        ("10 7 2", "the dealer drew a card on 17, but must stand from 17 on"),
        ("A 6 2", "the dealer drew a card on 17, but must stand from 17 on"),
        ("10", "the dealer must have at least two cards"),
    ],
)
def test_the_dealer_draws_to_sixteen_and_stands_from_seventeen(dealer, fault):
    """F3, F4."""
    found = one(dealer, "10 9")
    assert isinstance(found, Fault) and str(found.reason) == fault


def test_a_dealer_need_not_draw_against_bust_players():
    assert one("10 6", "10 6 9") == Payout("bust", -100)


def test_a_hand_has_five_cards_at_most():
    """F1; 0 sets no limit."""
    assert isinstance(one("10 9", "2 2 2 3 3 3"), Fault)
    assert one("10 9", "2 2 2 3 3 3", cards_at_most=0) == Payout("lose", -100)
    assert one("10 9", "2 2 3 3 4") == Payout("lose", -100)


def test_five_cards_are_as_good_as_21_where_the_regulations_say_so():
    """The last text of F4."""
    assert one("10 9", "2 2 3 3 4", five_cards_win=True) == Payout("win", 100)
    assert one("10 6 5", "2 2 3 3 4", five_cards_win=True) == Payout("draw", 0)
    assert one("10 9", "10 2 3 3 4", five_cards_win=True) == Payout("bust", -100)


def test_a_bust_hand_takes_no_other_card():
    assert isinstance(one("10 9", "10 9 5 2"), Fault)


def test_a_pack_has_four_cards_of_a_rank_and_one_of_each_suit():
    """F2, F3: 52 cards; F4 at its end has three packs."""
    assert isinstance(one("10 9", "9 9 9 9"), Fault)
    same = payouts(cards("10 9"), [Hand((Card("9", "H"), Card("9", "H")))], rules())
    assert isinstance(same, Fault) and "9H" in str(same.reason)
    assert not isinstance(payouts(cards("10 9"), [Hand((Card("9", "H"), Card("9", "H")))], rules(packs=3)), Fault)


def test_as_many_sit_at_a_table_as_the_regulations_say():
    """F3: one to seven; F2: two to six."""
    seven = [hand("2 3")] * 2 + [hand("4 5")] * 2 + [hand("6 7")] * 2 + [hand("8 Q")]
    assert not isinstance(payouts(cards("10 9"), seven, rules()), Fault)
    assert isinstance(payouts(cards("10 9"), seven, rules(players_at_most=6)), Fault)
    assert isinstance(payouts(cards("10 9"), [], rules()), Fault)


def test_split_hands_are_one_player_s():
    split = [hand("8 9", split=True), hand("8 K", split=True)]
    assert not isinstance(payouts(cards("10 9"), split, rules(players_at_most=1)), Fault)


def test_every_value_of_the_game_has_its_readings_and_the_usual_one_is_among_what_is_taken():
    assert list(readings()) == [field.name for field in fields(TwentyoneRules)]
    assert all(row.takes(getattr(default_rules(), name)) and row.article for name, row in readings().items())
