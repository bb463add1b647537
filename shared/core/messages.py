"""Messages for people: a sentence as its template and its facts, made words where somebody reads it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union

MessageFact: TypeAlias = Union[int, str, "Message", tuple["MessageFact", ...]]
"""What fills a placeholder. A tuple is a list of them, with commas between."""


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for people.

    ``text`` is its English template with named placeholders ``{team}``, and its key in the catalogues of other languages;
    a brace of the sentence itself is doubled. ``facts`` has a value for each placeholder. ``str()`` is the English sentence.
    """

    text: str
    facts: Mapping[str, MessageFact] = field(default_factory=dict, hash=False)

    def rendered(self, translate: Callable[[str], str], comma: str = ", ") -> str:
        """The sentence in a language: ``translate`` gives its template for the English one, ``comma`` stands in lists."""
        facts = {name: _rendered(fact, translate, comma) for name, fact in self.facts.items()}
        return translate(self.text).format_map(facts)

    def __str__(self) -> str:
        return self.rendered(_unchanged)


def say(text: str, /, **facts: MessageFact) -> Message:
    """A message. ``text`` is a literal: ``make messages`` collects it from the source."""
    return Message(text, facts)


def term(code: str) -> Message:
    """A word of a closed set (a side, a role, a step) in a sentence: itself in English, the rulebooks' word elsewhere."""
    return Message(code)


def message_of(problem: Exception) -> Message | str:
    """What an exception says: the message that it was raised with, else its text."""
    first = problem.args[0] if problem.args else None
    return first if isinstance(first, Message) else str(problem)


def _rendered(fact: MessageFact, translate: Callable[[str], str], comma: str) -> str:
    if isinstance(fact, Message):
        return fact.rendered(translate, comma)
    if isinstance(fact, tuple):
        return comma.join(_rendered(one, translate, comma) for one in fact)
    return str(fact)


def _unchanged(text: str) -> str:
    return text
