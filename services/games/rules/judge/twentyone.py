"""Questions on twenty-one: who is paid what."""

from dataclasses import fields, replace
from typing import Any

from services.games.rules.boards.twentyone.default_rules import default_rules
from services.games.rules.boards.twentyone.hands import RANKS, STAKE, SUITS, Card, Fault, Hand, payouts
from services.games.rules.judge import question as q
from services.games.rules.judge.question import Answer, Ask, Fields, Question, Unclear
from shared.core.game_rules import TwentyoneRules

_SYMBOLS = dict(zip("♣♦♥♠", SUITS, strict=True))
_HAND = {"cards", "split", "doubled", "insured"}
_WORDS = {"bust_with_dealer": ("loses", "draws")}
_MOST = 1_000


def settle(question: Question) -> Answer:
    """Each player's outcome, and what it pays in stakes.

    A player is a list of cards (``"A"``, ``"10"``, ``"KH"``, ``"♠9"``), or an object with ``cards``, and ``split``,
    ``doubled`` or ``insured``. ``rules`` changes single values of the books.
    """
    dealer = _cards(question, "dealer")
    hands = [_hand(one, f"players[{n}]") for n, one in enumerate(q.listed(question, "players"))]
    result = payouts(dealer, hands, _rules(question))
    if isinstance(result, Fault):
        where = "dealer" if result.player is None else f"players[{result.player}]"
        raise Unclear("Impossible deal", f"{where}: {result.reason}", where, result.article)
    return {"players": [{"outcome": one.outcome, "pays": one.pays / STAKE} for one in result]}


def _hand(value: Any, where: str) -> Hand:
    if isinstance(value, list | tuple):
        return Hand(_cards({where: value}, where))
    if not isinstance(value, dict) or "cards" not in value or set(value) - _HAND:
        raise Unclear("Wrong field", f"{where} is a list of cards, or an object of {', '.join(sorted(_HAND))}", where)
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
        raise Unclear("Unreadable card", f"{where}: {value[:20]} is none of {' '.join(RANKS)}", where)
    return Card(rank, suit)


def _rules(question: Question) -> TwentyoneRules:
    rules, changes = default_rules(), question.get("rules", {})
    if not isinstance(changes, dict):
        raise Unclear("Wrong field", "rules is an object", "rules")
    defaults = {field.name: getattr(rules, field.name) for field in fields(rules)}
    for name, value in changes.items():
        if name not in defaults:
            raise Unclear("Wrong field", f"rules has {', '.join(defaults)}", "rules")
        fits = value in _WORDS[name] if name in _WORDS else type(value) is type(defaults[name])
        if not fits or (type(value) is int and not 0 <= value <= _MOST):
            raise Unclear("Wrong field", f"rules.{name} is like {defaults[name]!r}", f"rules.{name}")
    return replace(rules, **changes)


QUESTIONS = {"settle": Ask(settle, ("dealer", "players", "rules"))}
