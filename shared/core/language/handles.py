"""Handles: what an actor or an official is called in the log. Two that look alike are one.

A person's name is a text that can be erased; a handle stays in the log for ever. Standard library only.
"""

from unicodedata import category, normalize

from shared.core.language.messages import say

LONGEST = 100


class NoHandle(ValueError):
    """Why a text is no handle."""


def handle(text: str) -> str:
    """The handle that a text names: NFC, trimmed, case-folded (Unicode 3.13, D145).

    Raises `NoHandle` for one that is empty or longer than 100 characters, or that holds what nobody sees: control and
    format characters, surrogates, characters that are none yet, and any space but single ones within.
    """
    named = folded(text)
    if not 1 <= len(named) <= LONGEST:
        raise NoHandle(say("a handle has 1 to {longest} characters, not {named}", longest=LONGEST, named=len(named)))
    for character in named if not (named.isascii() and named.isprintable()) else ():
        if character != " " and category(character)[0] in "CZ":
            raise NoHandle(
                say(
                    "a handle has no control characters and no odd spaces; here is U+{ord}", ord=f"{ord(character):04X}"
                )
            )
    if "  " in named:
        raise NoHandle(say("a handle has no two spaces in a row"))
    return named


def folded(text: str) -> str:
    """A text as handles are written: the same again for itself."""
    if text.isascii():
        return text.lower().strip()
    return normalize("NFC", normalize("NFD", normalize("NFD", text).casefold()).casefold()).strip()


def is_named(actor: str, name: str) -> bool:
    """Whether an actor is who was named: by a handle, or in a log of old by a name that was none."""
    return actor == name or actor == folded(name)
