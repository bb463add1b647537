"""The phrases that no text of this project uses, and their replacements (CONTRIBUTING.md, section Words)."""

import re
from typing import NamedTuple

START = r"(?:^|(?<=[.;:] )|(?<=\n)|(?<=\| ))"
"""The start of a sentence, of a clause, or of a cell."""


class Phrase(NamedTuple):
    """A banned phrase."""

    name: str
    pattern: re.Pattern[str]
    remedy: str


def _phrase(name: str, pattern: str, remedy: str) -> Phrase:
    return Phrase(name, re.compile(pattern, re.MULTILINE), remedy)


PHRASES = (
    _phrase(
        "free relative",
        START + r"(?:[Ww]ho|[Ww]hom|[Ww]hoever|[Ww]hose|[Ww]hat)\b(?![^.?\n]*\?)"
        r"|\b(?:of|by|to|for|from|with|than|beside|against|as) (?:who|whom|whoever|what)\b",
        "name the subject with a noun: users who, the events that",
    ),
    _phrase(
        "negated noun",
        r"\b(?:is|are|was|were) (?:no(?! longer| more| less)|none)\b|\bthat is none\b|\bthere (?:is|are) not\b"
        r"|\bnone of (?:this|these|those|its)\b|\bof which there (?:is|are) no",
        "negate the verb: is not a file, is invalid, does not exist",
    ),
    _phrase(
        "of first", START + r"Of (?!course)\w+", "use normal word order: in a team file, the rounds are not checked"
    ),
    _phrase(
        "value first",
        r"(?:^|(?<=[.;] )|(?<=\n))(?:None|True|False|0|``?\w+``? None): ",
        "begin with the verb: return None if",
    ),
    _phrase(
        "where for if",
        r"(?:[,;:] |^)[Ww]here (?:it|they|he|the|a|an|no|none|one|both|there|that|this|those)\b",
        "write if or when",
    ),
    _phrase(
        "archaic word",
        r"\b(?:whom|anew|for ever|otherwise than|so many|so much as|beneath|beside|by word|thereof|hitherto|but for)\b",
        "write again, forever, different from, up to N, under, next to, except",
    ),
    _phrase(
        "metaphor",
        r"\b(?:house|the hall|at hand|told|tells?|stands? in|stood in|brought|lies in|fell with|fares?)\b",
        "write operator or organiser, venue, available, reported, reports, is in, consequences, lapsed when",
    ),
    _phrase("he", r"\b(?:he|his|him|himself)\b", "write they, or the role"),
    _phrase("is to be", r"\b(?:is|are) to (?:be|have)\b", "write must, or is in the future"),
    _phrase(
        "chain",
        r"^[^\n]*;[^\n]*;[^\n]*;[^\n]*$",
        "write one sentence per fact, or a list",
    ),
)
