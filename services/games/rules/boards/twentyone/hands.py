"""Twenty-one 21点: hands, and each player's payout (000-F), in hundredths of the stake.

It is not played in tournaments and is in no ruleset. Its rules are in ``rules.toml``; values with several
interpretations are in ``readings.toml``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import TwentyoneRules
from shared.regulations.changeable import Changeable, ChangeableValues
from shared.regulations.typed_toml import read_toml

DECK = "000-F F2, F3"
VALUES = "000-F F3, F4"
DEALER = "000-F F3, F4: 庄家16点以下要牌, 17点以上停牌"
BLACKJACK = "000-F F4"
CARDS = "000-F F1"
SEATS = "000-F F2, F3"

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
TARGET = 21
STAKE = 100

Outcome: TypeAlias = Literal["blackjack", "win", "draw", "lose", "bust"]


@dataclass(frozen=True, slots=True)
class Card:
    """A rank of `RANKS`. The suit has no effect and may be unknown."""

    rank: str
    suit: str | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's cards in the order dealt.

    ``split``: it comes from a pair. ``doubled``: on the first two cards. ``insured``: against a dealer's blackjack.
    """

    cards: tuple[Card, ...]
    split: bool = False
    doubled: bool = False
    insured: bool = False


@dataclass(frozen=True, slots=True)
class Payout:
    """A hand's outcome. ``pays``: its win (above 0) or loss in hundredths of the stake, including insurance."""

    outcome: Outcome
    pays: int


@dataclass(frozen=True, slots=True)
class Fault:
    """A reason why a deal cannot be settled. ``player``: the index of the hand, or None for the dealer or the table."""

    reason: Message
    article: str
    player: int | None = None


def total(cards: Sequence[Card], rules: TwentyoneRules) -> int:
    """Return the best total: an ace is 11 unless that is too much and the rules allow 1."""
    points = sum(_value(card) for card in cards)
    aces = sum(card.rank == "A" for card in cards) if rules.ace_or_eleven else 0
    while points > TARGET and aces:
        points, aces = points - 10, aces - 1
    return points


def is_blackjack(hand: Hand) -> bool:
    """Return whether the first two cards are an ace and a ten-card, not after a split."""
    return len(hand.cards) == 2 and not hand.split and sorted(map(_value, hand.cards)) == [10, 11]


def payouts(dealer: Sequence[Card], hands: Sequence[Hand], rules: TwentyoneRules) -> tuple[Payout, ...] | Fault:
    """Return the payout of each hand of a finished deal, or why it cannot be settled. The dealer's first card was open."""
    fault = _table_fault(dealer, hands, rules) or _dealer_fault(dealer, hands, rules)
    for n, hand in enumerate(hands):
        fault = fault or _hand_fault(hand, n, dealer, rules)
    if fault is not None:
        return fault
    return tuple(_payout(hand, Hand(tuple(dealer)), rules) for hand in hands)


def _payout(hand: Hand, dealer: Hand, rules: TwentyoneRules) -> Payout:
    outcome = _outcome(hand, dealer, rules)
    stake = 2 * STAKE if hand.doubled else STAKE
    pays = {"blackjack": rules.blackjack_pays, "win": stake, "draw": 0, "lose": -stake, "bust": -stake}[outcome]
    if hand.insured:
        half = STAKE // 2
        pays += half * rules.insurance_pays // 100 if is_blackjack(dealer) else -half
    return Payout(outcome, pays)


def _outcome(hand: Hand, dealer: Hand, rules: TwentyoneRules) -> Outcome:
    if total(hand.cards, rules) > TARGET:
        spared = rules.bust_with_dealer == "draws" and total(dealer.cards, rules) > TARGET
        return "draw" if spared else "bust"
    own, against = _strength(hand, rules), _strength(dealer, rules)
    if own > against:
        return "blackjack" if is_blackjack(hand) else "win"
    return "draw" if own == against else "lose"


def _strength(hand: Hand, rules: TwentyoneRules) -> int:
    """Return the number that compares two hands: the total, 0 for a bust, a blackjack above every other 21."""
    points = total(hand.cards, rules)
    if points > TARGET:
        return 0
    if is_blackjack(hand) and rules.blackjack_beats_21:
        return TARGET + 1
    return TARGET if rules.five_cards_win and len(hand.cards) == rules.cards_at_most else points


def _table_fault(dealer: Sequence[Card], hands: Sequence[Hand], rules: TwentyoneRules) -> Fault | None:
    """Return what is impossible about the cards of a round of Twenty-one, or None.

    Faults: a wrong number of players, or more cards of a kind than the packs contain.
    """
    seats = len(hands) - sum(hand.split for hand in hands) // 2
    if not 1 <= seats <= rules.players_at_most:
        return Fault(
            say("a table must have 1 to {players_at_most} players", players_at_most=rules.players_at_most), SEATS
        )
    cards = [*dealer, *(card for hand in hands for card in hand.cards)]
    for rank in RANKS:
        if sum(card.rank == rank for card in cards) > len(SUITS) * rules.packs:
            return Fault(
                say("the cards contain more {rank}s than {packs} pack(s) have", rank=rank, packs=rules.packs), DECK
            )
    for card in cards:
        if card.suit is not None and cards.count(card) > rules.packs:
            detail = say(
                "the cards contain {rank}{suit} {count} times, more often than the packs",
                rank=card.rank,
                suit=card.suit,
                count=cards.count(card),
            )
            return Fault(detail, DECK)
    return None


def _dealer_fault(dealer: Sequence[Card], hands: Sequence[Hand], rules: TwentyoneRules) -> Fault | None:
    """Return a fault of the dealer, or None.

    The dealer must draw while the total is below ``rules.dealer_stands``, and not from then on. If all players are
    bust, the dealer need not draw.
    """
    if len(dealer) < 2:
        return Fault(say("the dealer must have at least two cards"), DEALER)
    before = total(dealer[:-1], rules)
    if len(dealer) > 2 and before >= rules.dealer_stands:
        detail = say(
            "the dealer drew a card on {before}, but must stand from {dealer_stands} on",
            before=before,
            dealer_stands=rules.dealer_stands,
        )
        return Fault(detail, DEALER)
    full = rules.cards_at_most and len(dealer) >= rules.cards_at_most
    played = any(total(hand.cards, rules) <= TARGET for hand in hands)
    if played and not full and total(dealer, rules) < rules.dealer_stands:
        detail = say(
            "the dealer stood on {total}, but must draw below {dealer_stands}",
            total=total(dealer, rules),
            dealer_stands=rules.dealer_stands,
        )
        return Fault(detail, DEALER)
    return None


def _hand_fault(hand: Hand, n: int, dealer: Sequence[Card], rules: TwentyoneRules) -> Fault | None:
    cards = hand.cards
    if len(cards) < 2:
        return Fault(say("a hand must have at least two cards"), CARDS, n)
    if rules.cards_at_most and len(cards) > rules.cards_at_most:
        return Fault(
            say("a hand must not have more than {cards_at_most} cards", cards_at_most=rules.cards_at_most), CARDS, n
        )
    if total(cards[:-1], rules) > TARGET:
        return Fault(say("a hand that was already bust must not take another card"), VALUES, n)
    if hand.doubled and (len(cards) != 3 or is_blackjack(Hand(cards[:2], hand.split))):
        return Fault(
            say("doubling is possible only on the first two cards, not on a blackjack, and takes exactly one card"),
            BLACKJACK,
            n,
        )
    if hand.insured and dealer[0].rank != "A":
        return Fault(say("insurance is possible only if the dealer shows an ace"), BLACKJACK, n)
    return None


def _value(card: Card) -> int:
    return 11 if card.rank == "A" else 10 if card.rank in ("J", "Q", "K") else int(card.rank)


@cache
def default_rules() -> TwentyoneRules:
    """Return the rules of 000-F."""
    return read_toml(__package__, "rules.toml", TwentyoneRules)


@cache
def readings() -> Mapping[str, Changeable]:
    """Return the values that may be chosen differently, by name: the texts of 000-F have several interpretations of them."""
    return {row.path: row for row in read_toml(__package__, "readings.toml", ChangeableValues).values}
