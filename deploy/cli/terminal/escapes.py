"""Values on a terminal: characters that move its cursor, clear its screen or change the order of letters are escaped."""

import json
from unicodedata import category

from shared.core.language.messages import Instant, Message, MessageFact

_ESCAPED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Control and format characters, surrogates, and separators of lines and paragraphs.

Unassigned characters are printed, because newer versions of Unicode may assign them to letters of names.
"""
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Format characters in names of Persian, Sinhala and other scripts; they change the adjacent letters and nothing else."""


def escaped(text: str, also: str = _JOINERS) -> str:
    """Return a value in one line, with control and format characters escaped as in Python, except for those of ``also``."""
    if text.isprintable():
        return text
    return "".join(c.encode("unicode_escape").decode() if _is_escaped(c, also) else c for c in text)


def escaped_lines(text: str) -> str:
    """Return a text of several lines for a terminal, with its line ends and tabs."""
    return "\n".join(escaped(line.removesuffix("\r"), _JOINERS + "\t") for line in text.split("\n"))


def escaped_json(text: str) -> str:
    """Return the same JSON value, with control and format characters as JSON escapes."""
    if text.isprintable():
        return text
    return "".join(json.dumps(c)[1:-1] if _is_escaped(c, _JOINERS) else c for c in text)


def with_escaped_facts(message: Message) -> Message:
    """Return the message with escaped values. Its template is a text of the program and stays unchanged."""
    return Message(message.text, {name: _escaped_fact(fact) for name, fact in message.facts.items()})


def _escaped_fact(fact: MessageFact) -> MessageFact:
    if isinstance(fact, Message):
        return with_escaped_facts(fact)
    if isinstance(fact, tuple):
        return tuple(map(_escaped_fact, fact))
    if isinstance(fact, Instant):
        return Instant(escaped(fact.time), escaped(fact.zone))
    return escaped(fact) if isinstance(fact, str) else fact


def _is_escaped(character: str, also: str) -> bool:
    return category(character) in _ESCAPED and character not in also
