"""The articles of a ruleset, and the texts that cite them. Standard library only."""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Any

from shared.core.language.messages import Message
from shared.core.rulebook.books import citation
from shared.core.rulebook.regulations import Regulations
from shared.core.values.identity_cache import cache_by_identity

_NUMBER, _BETWEEN = re.compile(r"[0-9]+(?:\.[0-9]+)*"), re.compile(r"[ ,;:]+")
_AROUND = re.compile(r"(?:\{[a-z]\}|[ ,;])+")
"""A text that consists of citations only."""


def is_cited_in(regulations: Regulations, text: str) -> bool:
    """Return whether a text is an article of a ruleset, or cites only articles that the ruleset cites.

    The number of such an article without its document is enough: officials at the venue write *art. 4*.
    """
    articles = _articles_of(regulations)
    if text in articles:
        return True
    if _NUMBER.fullmatch(text):
        return any(text in _BETWEEN.split(one) for one in articles)
    cited = citation(text)
    known = {article.anchor for one in articles for article in citation(one).articles}
    whole = cited.articles and _AROUND.fullmatch(cited.text)
    return bool(whole) and all(article.anchor in known for article in cited.articles)


def own_article(regulations: Regulations, text: str) -> str | None:
    """Return the parts of an article that cite only the ruleset's own rule texts, or None if every part cites others.

    Rules cite the texts in which they were found first: a FIDE event does not read the rules of another game in a refusal.
    Parts are separated by "; ". A ruleset that is played by the general Chinese rules (002-X) keeps every part.
    """
    own = _own_books(regulations)
    if _GENERAL in own:
        return text
    parts = [part for part in text.split("; ") if own.issuperset(one.book.code for one in citation(part).articles)]
    return "; ".join(parts) or None


def own_citation(regulations: Regulations, text: str) -> Message | None:
    """Return `own_article` as readers see it, or None."""
    article = own_article(regulations, text)
    return None if article is None else citation(article).message


_OWN = ("pairing.", "points.", "leaving.", "game.")
"""Values whose articles say what texts an event is played by. The others also name the sources of readings."""
_DEFAULT, _GENERAL = "house", "002-X"


@cache_by_identity(16)
def _own_books(regulations: Regulations) -> frozenset[str]:
    """Return the codes of the rule texts that the rulebook, the games or the pairing cite, except in remarks on a default."""
    found = {
        text for path, text in regulations.articles.items() if path.startswith(_OWN) and not text.startswith(_DEFAULT)
    }
    _add_articles((regulations.rulebook, regulations.game), False, found)
    return frozenset(one.book.code for text in found for one in citation(text).articles)


@cache_by_identity(16)
def _articles_of(regulations: Regulations) -> frozenset[str]:
    found: set[str] = set()
    _add_articles(regulations, False, found)
    return frozenset(found)


def _add_articles(value: Any, article: bool, found: set[str]) -> None:
    """Add the texts of all fields with "article" in their name, in a value and below it. ``article``: it is in such a field."""
    if isinstance(value, str):
        if article and value:
            found.add(value)
    elif isinstance(value, tuple):
        for one in value:
            _add_articles(one, article, found)
    elif (names := _fields(value.__class__)) is not None:
        for name, named in names:
            one = getattr(value, name)
            if one.__class__ not in _WITHOUT:
                _add_articles(one, named, found)
    elif isinstance(value, Mapping):
        for one in value.values():
            _add_articles(one, article, found)


_WITHOUT = frozenset((bool, int, NoneType))


@cache
def _fields(of: type) -> tuple[tuple[str, bool], ...] | None:
    """Return the fields of a dataclass, each with whether its name contains "article"; None for another type."""
    return tuple((field.name, "article" in field.name) for field in fields(of)) if is_dataclass(of) else None
