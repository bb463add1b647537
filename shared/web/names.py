"""Names on pages and in sentences: isolated, and with their language."""

import re
import unicodedata
from collections.abc import Mapping

from markupsafe import Markup

from shared.core.language.messages import Message, MessageFact, say
from shared.core.terms import PlayerId
from shared.core.values.titles import NAMES
from shared.http.language import language

_SCRIPTS = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"),
    "zh": re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"),
}
"""The letters by which a name is of a language: kana before Han, which Japanese has too."""
_TURNING = {"R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}
_CLOSING = "\u202c\u2069"
"""What would end an isolate, or an embedding within it, before its time."""


class Name(str):
    """A name within a sentence: a text, and on a page an element with its language."""

    __slots__ = ()

    def __html__(self) -> Markup:
        return named(str(self))


def isolated(name: str) -> Name:
    """A name within a sentence: what it holds that turns the direction of writing (UAX 9) ends with it."""
    if not any(unicodedata.bidirectional(c) in _TURNING for c in name):
        return Name(name)
    return Name(f"\u2068{''.join(c for c in name if c not in _CLOSING)}\u2069")


def called_in(names: Mapping[PlayerId, str], player: PlayerId) -> MessageFact:
    """Return a player's name within a sentence, or the number of an entry without one among ``names``."""
    return isolated(names[player]) if player in names else say("player {player}", player=player)


def named(called: str | Message | None) -> Markup:
    """A name with its language, so that the right glyphs are taken and the right voice reads it."""
    if called is None:
        return Markup('<span class="nobody">{}</span>').format(language.words(say("name unavailable")))
    name = str(language.words(called))
    return Markup('<bdi lang="{}">{}</bdi>').format(language_of(name), name)


def language_of(name: str) -> str:
    """The language of a name by its script, as BCP 47 has it; ``und``, where its script is that of many."""
    return next((language for language, letters in _SCRIPTS.items() if letters.search(name)), "und")


_RANK = re.compile(r"(\d+)([dkp])")
_RANKS = {"d": say("{number} dan"), "k": say("{number} kyu"), "p": say("{number} dan (professional)")}


def titled(title: str | None) -> str | None:
    """Return a player's title as people write it: GM, National Master for ``NM`` (大师), and 5 dan for ``5d`` (5 段)."""
    if title in NAMES:
        return language.words(NAMES[title])
    rank = _RANK.fullmatch(title or "")
    return title if rank is None else language.words(Message(_RANKS[rank[2]].text, {"number": rank[1]}))
