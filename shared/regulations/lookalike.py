"""Names of sets that look like the name of a shipped one, and are another: ``сampus`` with a Cyrillic с, ``Campus``, ``campus·``.

A reduced form of Unicode's UTS 39: names are compared without marks, case and punctuation, and similar letters are equal.
An own name may use one alphabet, in addition to Chinese, Japanese and Korean.
"""

from functools import cache
from unicodedata import category, decimal, name, normalize

from shared.core.language.messages import Message, say
from shared.regulations import names
from shared.regulations.set_names import SET_NAMES

_BESIDE = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"})
"""Scripts allowed in addition to any alphabet, by the first words of the names of their characters."""
_ALIKE = str.maketrans("oli", "011")
_PAIRS = (("rn", "m"), ("vv", "w"), ("c1", "d"))
_STROKES = "一ーㅡ丶・"
"""Letters that look like punctuation."""


def lookalike(own: str) -> Message | None:
    """Why a set of one's own is not to be called so, as people would take it for a shipped one; None where they would not."""
    if own in names():
        return None
    if not own.isascii():
        alphabets = {_alphabet(c) for c in normalize("NFKC", own) if category(c)[0] == "L"} - _BESIDE
        if len(alphabets) > 1:
            return say("the name {name} mixes alphabets: {alphabets}", name=own, alphabets=tuple(sorted(alphabets)))
    shipped = next(filter(None, map(_shipped().get, (_skeleton(own), _skeleton(_in_brackets(own))))), None)
    return (
        None
        if shipped is None
        else say("the name {name} looks like {shipped}, which is shipped", name=own, shipped=shipped)
    )


@cache
def _shipped() -> dict[str, str]:
    """Return the name of each shipped ruleset, by the skeletons of its name and of its printed name."""
    called = {_skeleton(str(said)): shipped for shipped, said in SET_NAMES.items()}
    return called | {_skeleton(shipped): shipped for shipped in names()}


def _in_brackets(text: str) -> str:
    """Return the text in brackets at the end: a printed name ends with the name of the ruleset."""
    inner, _, rest = normalize("NFKC", text).rpartition("(")[2].rpartition(")")
    return "" if rest.strip() else inner


def _alphabet(character: str) -> str:
    return name(character, "?").split()[0].split("-")[0]


def _skeleton(text: str) -> str:
    letters = "".join(map(_letter, normalize("NFKD", normalize("NFKD", text).casefold()))).translate(_ALIKE)
    plain = "".join(c for c in letters if category(c)[0] in "LN" and c not in _STROKES)
    for pair, one in _PAIRS:
        plain = plain.replace(pair, one)
    return plain


def _letter(character: str) -> str:
    """A letter of the Latin alphabet that another is made of, as the name of that says: ƒ is an f with hook; a digit of any
    script as ours."""
    if character.isdecimal():
        return str(decimal(character))
    if character.isascii() or _alphabet(character) != "LATIN":
        return character
    return next((word.lower() for word in name(character).split() if len(word) == 1), character)
