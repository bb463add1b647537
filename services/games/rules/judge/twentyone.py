"""Questions about twenty-one: the payouts."""

from dataclasses import replace
from typing import Any

from services.games.rules.boards.twentyone.hands import (
    RANKS,
    STAKE,
    SUITS,
    Card,
    Fault,
    Hand,
    default_rules,
    payouts,
    readings,
)
from services.games.rules.judge import question as q
from services.games.rules.judge.question import Answer, Ask, Fields, Question, Unclear
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import TwentyoneRules

_SYMBOLS = dict(zip("♣♦♥♠", SUITS, strict=True))
_HAND = {"cards", "split", "doubled", "insured"}


def settle(question: Question) -> Answer:
    """Answer with each player's outcome, and its payout in stakes.

    A player is a list of cards (``"A"``, ``"10"``, ``"KH"``, ``"♠9"``), or an object with ``cards``, and ``split``,
    ``doubled`` or ``insured``. ``rules`` selects other interpretations of 000-F, by the names of their values.
    """
    dealer = _cards(question, "dealer")
    hands = [_hand(one, f"players[{n}]") for n, one in enumerate(q.listed(question, "players"))]
    result = payouts(dealer, hands, _rules(question))
    if isinstance(result, Fault):
        where = "dealer" if result.player is None else f"players[{result.player}]"
        raise Unclear(
            say("Impossible deal"), say("{where}: {reason}", where=where, reason=result.reason), where, result.article
        )
    return {"players": [{"outcome": one.outcome, "pays": one.pays / STAKE} for one in result]}


def _hand(value: Any, where: str) -> Hand:
    if isinstance(value, list | tuple):
        return Hand(_cards({where: value}, where))
    if not isinstance(value, dict) or "cards" not in value or set(value) - _HAND:
        raise q.wrong_field(
            say("{where} must be a list of cards, or an object of {hand}", where=where, hand=tuple(sorted(_HAND))),
            where,
        )
    return Hand(_cards(value, "cards"), q.flag(value, "split"), q.flag(value, "doubled"), q.flag(value, "insured"))


def _cards(question: Fields, field: str) -> tuple[Card, ...]:
    return tuple(_card(one, f"{field}[{n}]") for n, one in enumerate(q.moves(question, field)))


def _card(value: str, where: str) -> Card:
    text = value.upper()
    for symbol, letter in _SYMBOLS.items():
        if symbol in text:
            text = text.replace(symbol, "") + letter
    suit = text[-1] if text[-1] in SUITS else None
    rank = text[:-1] if suit else text
    if rank not in RANKS:
        raise Unclear(
            say("Unreadable card"),
            say("{where}: {value} is not one of {ranks}", where=where, value=value[:20], ranks=" ".join(RANKS)),
            where,
        )
    return Card(rank, suit)


def _rules(question: Question) -> TwentyoneRules:
    changes = question.get("rules", {})
    if not isinstance(changes, dict):
        raise q.wrong_field(say("rules is an object"), "rules")
    for name, value in changes.items():
        row = readings().get(name)
        if row is None:
            raise q.wrong_field(
                say(
                    "rules must not contain {name}, only {readings}",
                    readings=tuple(readings()),
                    name=name[: q.LONGEST_TEXT],
                ),
                "rules",
            )
        if not row.takes(value):
            raise q.wrong_field(
                say("rules.{name} must be {bounds}", name=name, bounds=row.bounds),
                f"rules.{name}",
                row.article,
            )
    return replace(default_rules(), **changes)


QUESTIONS = {"settle": Ask(settle, ("dealer", "players", "rules"))}
