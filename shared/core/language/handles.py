"""Login names: the names of actors and officials in the log. Two names that look alike are the same.

A person's name is an erasable text; a login name stays in the log forever. Standard library only.
"""

from functools import lru_cache
from unicodedata import category, normalize

from shared.core.language.characters import mixed_scripts, unseen_in_name
from shared.core.language.messages import Message, message_of, say

LONGEST = 100


class InvalidLoginName(ValueError):
    """The reason why a text is not a login name."""


def login_name(text: str) -> str:
    """Return the login name for a text: NFC, trimmed, case-folded (Unicode 3.13, D145).

    Raises `InvalidLoginName` if it is empty or longer than 100 characters, or contains invisible characters: control and format
    characters, surrogates, unassigned characters, and any space except single ones within.
    """
    name = fold_name(text)
    if not 1 <= len(name) <= LONGEST:
        raise InvalidLoginName(
            say("a login name has 1 to {longest} characters, not {named}", longest=LONGEST, named=len(name))
        )
    for character in name if not (name.isascii() and name.isprintable()) else ():
        if character != " " and category(character)[0] in "CZ":
            raise InvalidLoginName(
                say(
                    "a login name must not contain control characters or unusual spaces; it contains U+{ord}",
                    ord=f"{ord(character):04X}",
                )
            )
    if "  " in name:
        raise InvalidLoginName(say("a login name must not contain two spaces in a row"))
    return name


def new_login_name(text: str) -> str:
    """Return the login name for a text, as new tokens and appointments have it.

    Raises `InvalidLoginName` also for invisible characters that `login_name` accepts, and for a mix of scripts that no word has.
    """
    name = login_name(text)
    why = handle_fault(name)
    if why is not None:
        raise InvalidLoginName(why)
    return name


@lru_cache(maxsize=4096)
def handle_fault(name: str) -> Message | None:
    """Return why a text is not a login name of a log with the third edition of offices, or None.

    The characters are checked first, because Python versions differ about those that the project's table does not hold.
    """
    unseen = unseen_in_name(name)
    if unseen is not None:
        return say("a login name must have visible characters only; it contains U+{code}", code=f"{ord(unseen):04X}")
    scripts = mixed_scripts(name)
    if scripts:
        return say("a login name must be in one script; it contains {scripts}", scripts=scripts)
    try:
        written = login_name(name)
    except InvalidLoginName as problem:
        return message_of(problem)
    return None if written == name else say("{name} is written {written}", name=repr(name), written=repr(written))


def fold_name(text: str) -> str:
    """Return a text in the form of login names. Applying it twice changes nothing."""
    if text.isascii():
        return text.lower().strip()
    return normalize("NFC", normalize("NFD", normalize("NFD", text).casefold()).casefold()).strip()


def is_named(actor: str, name: str) -> bool:
    """Return whether ``name`` is the login name of ``actor``. An old log may have a name in another form, such as capitals."""
    return actor == name or actor == fold_name(name)
