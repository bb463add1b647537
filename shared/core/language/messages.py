"""Messages for people: a sentence stored as template and facts, and put into words when somebody reads it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import TypeAlias, Union

MessageFact: TypeAlias = Union[int, str, "Instant", "Message", tuple["MessageFact", ...]]
"""The value of a placeholder. A tuple is a list, printed with commas."""


@dataclass(frozen=True, slots=True)
class Instant:
    """A point in time in a sentence: ``time`` (RFC 3339). ``zone``: IANA name of its time zone, or "" for the venue's zone."""

    time: str
    zone: str = ""

    def __str__(self) -> str:
        return self.time


Shown = Callable[[Instant], str]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for people.

    ``text`` is its English template with named placeholders ``{team}``, and its key in the catalogues of other languages.
    Braces of the sentence itself are doubled. ``facts`` has a value for each placeholder. ``str()`` is the English sentence.
    """

    text: str
    facts: Mapping[str, MessageFact] = field(default_factory=dict, hash=False)

    def rendered(self, translate: Callable[[str], str], comma: str = ", ", instant: Shown = str) -> str:
        """Return the sentence in a language.

        ``translate`` returns the template for the English one, ``comma`` separates lists, ``instant`` formats times.
        """
        facts = {name: _rendered(fact, translate, comma, instant) for name, fact in self.facts.items()}
        return translate(self.text).format_map(facts)

    def __str__(self) -> str:
        return self.rendered(_unchanged)


def say(text: str, /, **facts: MessageFact) -> Message:
    """Return a message. ``text`` is a literal: ``make messages`` collects it from the source."""
    return Message(text, facts)


def term(code: str) -> Message:
    """Return a word of a closed set (a side, a role, a step) for a sentence. It is translated with the rulebooks' word."""
    return Message(code)


def either(items: Iterable[MessageFact]) -> Message:
    """Return a message that lists items as alternatives: ``a or b``. Raises TypeError for an empty list."""
    return _reduced(items, lambda first, second: say("{first} or {second}", first=first, second=second))


def together(items: Iterable[MessageFact]) -> Message:
    """Return a message that joins items by "and": ``a and b``. Raises TypeError for an empty list."""
    return _reduced(items, lambda first, second: say("{first} and {second}", first=first, second=second))


def in_turn(items: Iterable[MessageFact]) -> Message:
    """Return a message of several sentences, joined by semicolons: ``a; b``. Raises TypeError for an empty list."""
    return _reduced(items, lambda first, second: say("{first}; {second}", first=first, second=second))


def and_more(names: Iterable[MessageFact], at_most: int) -> Message:
    """Return a message that lists at most ``at_most`` names, and counts the others: ``a, b and 3 more``."""
    listed = tuple(names)
    if len(listed) <= at_most:
        return say("{names}", names=listed)
    return say("{names} and {number} more", names=listed[:at_most], number=len(listed) - at_most)


def _reduced(items: Iterable[MessageFact], join: Callable[[MessageFact, MessageFact], Message]) -> Message:
    result = reduce(join, items)
    return result if isinstance(result, Message) else say("{names}", names=result)


def message_of(problem: Exception) -> Message:
    """Return the message that an exception was raised with, or its text if it has none."""
    first = problem.args[0] if problem.args else None
    return first if isinstance(first, Message) else say("{text}", text=str(problem))


def _rendered(fact: MessageFact, translate: Callable[[str], str], comma: str, instant: Shown) -> str:
    if isinstance(fact, Message):
        return fact.rendered(translate, comma, instant)
    if isinstance(fact, tuple):
        return comma.join(_rendered(one, translate, comma, instant) for one in fact)
    if isinstance(fact, Instant):
        return instant(fact)
    return str(fact)


def _unchanged(text: str) -> str:
    return text
