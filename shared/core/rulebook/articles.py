"""The articles of a ruleset: whether an official's text cites one of them. Standard library only."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from shared.core.rulebook.books import citation
from shared.core.rulebook.regulations import Regulations
from shared.core.values.identity_cache import cache_by_identity

_NUMBER, _BETWEEN = re.compile(r"[0-9]+(?:\.[0-9]+)*"), re.compile(r"[ ,;:]+")
_AROUND = re.compile(r"(?:\{[a-z]\}|[ ,;])+")
"""A text that consists of citations only."""


def is_cited_in(regulations: Regulations, text: str) -> bool:
    """Return whether a text is an article of a ruleset, or cites only articles that the ruleset cites.

    The number of such an article without its document is enough: officials in a hall write *art. 4*.
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


@cache_by_identity(16)
def _articles_of(regulations: Regulations) -> frozenset[str]:
    return frozenset(_articles(regulations, ""))


def _articles(value: Any, name: str) -> Iterator[str]:
    """Yield the texts of all fields with "article" in their name, in the value of field ``name`` and below it."""
    if isinstance(value, str):
        if "article" in name and value:
            yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _articles(one, name)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _articles(one, name)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _articles(getattr(value, field.name), field.name)
