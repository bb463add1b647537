"""The articles that a set of regulations names: each has a place on the page of the set."""

from collections.abc import Iterator
from functools import lru_cache

from shared.core.rulebook.books import citation
from shared.core.rulebook.regulations import Regulations
from shared.regulations.description import described


def article_texts(one: Regulations) -> Iterator[str]:
    """Every text of a set that names an article: of its rows, its values, their bounds and their readings."""
    whole = described(one)
    for row in whole["infractions"]:
        yield row["article"]
        yield from (fact["article"] for fact in row["facts"])
    yield from (row["article"] for row in whole["ladder"])
    for rows in whole["rows"].values():
        yield from (row["article"] for row in rows if row.get("article"))
    for row in whole["values"]:
        bounds = () if row["bounds"] is None else (row["bounds"]["article"],)
        yield from filter(None, (row["article"], *bounds, *(reading["source"] for reading in row["readings"])))


def anchors(one: Regulations) -> frozenset[str]:
    """Return the anchors of the articles of a ruleset within its page."""
    return _anchors(_Same(one))


class _Same:
    """Regulations as a key: those of a log are one object as long as it is read."""

    __slots__ = ("one",)

    def __init__(self, one: Regulations) -> None:
        self.one = one

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.one is self.one

    def __hash__(self) -> int:
        return id(self.one)


@lru_cache(64)
def _anchors(key: _Same) -> frozenset[str]:
    return frozenset(article.anchor for text in article_texts(key.one) for article in citation(text).articles)
