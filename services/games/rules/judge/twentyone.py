"""Questions on twenty-one: who is paid what."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from services.games.rules.boards.twentyone.default_rules import default_rules
from services.games.rules.boards.twentyone.hands import RANKS, STAKE, SUITS, Card, Fault, Hand
from services.games.rules.boards.twentyone.hands import settle as settled
from services.games.rules.judge import question as q
from services.games.rules.judge.question import Answer, Fields, Question, Unclear
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
    found = settled(dealer, hands, _rules(question))
    if isinstance(found, Fault):
        where = "dealer" if found.player is None else f"players[{found.player}]"
        raise Unclear("Impossible deal", f"{where}: {found.reason}", where, found.article)
    return {"players": [{"outcome": one.outcome, "pays": one.pays / STAKE} for one in found]}


def _hand(said: Any, where: str) -> Hand:
    if isinstance(said, list | tuple):
        return Hand(_cards({where: said}, where))
    if not isinstance(said, dict) or "cards" not in said or set(said) - _HAND:
        raise Unclear("Wrong field", f"{where} is a list of cards, or an object of {', '.join(sorted(_HAND))}", where)
    return Hand(_cards(said, "cards"), q.flag(said, "split"), q.flag(said, "doubled"), q.flag(said, "insured"))


def _cards(question: Fields, field: str) -> tuple[Card, ...]:
    return tuple(_card(one, f"{field}[{n}]") for n, one in enumerate(q.moves(question, field)))


def _card(written: str, where: str) -> Card:
    text = written.upper()
    for symbol, letter in _SYMBOLS.items():
        if symbol in text:
            text = text.replace(symbol, "") + letter
    suit = text[-1] if text[-1] in SUITS else None
    rank = text[:-1] if suit else text
    if rank not in RANKS:
        raise Unclear("Unreadable card", f"{where}: {written[:20]} is none of {' '.join(RANKS)}", where)
    return Card(rank, suit)


def _rules(question: Question) -> TwentyoneRules:
    rules, said = default_rules(), question.get("rules", {})
    if not isinstance(said, dict):
        raise Unclear("Wrong field", "rules is an object", "rules")
    kinds = {field.name: getattr(rules, field.name) for field in fields(rules)}
    for name, value in said.items():
        if name not in kinds:
            raise Unclear("Wrong field", f"rules has {', '.join(kinds)}", "rules")
        fits = value in _WORDS[name] if name in _WORDS else type(value) is type(kinds[name])
        if not fits or (type(value) is int and not 0 <= value <= _MOST):
            raise Unclear("Wrong field", f"rules.{name} is like {kinds[name]!r}", f"rules.{name}")
    return replace(rules, **said)


ASKS: dict[str, Callable[[Question], Answer]] = {"settle": settle}
