"""Messages as HTML: their templates translated and escaped, and the articles in them as links."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from jinja2.runtime import Context
from markupsafe import Markup, escape

from shared.core.language.messages import Instant, Message, MessageFact
from shared.core.rulebook.books import Cited, citation
from shared.core.rulebook.regulations import Regulations
from shared.http.language.catalogue import CHINESE
from shared.http.language.language import comma, instant, language, translated, words
from shared.regulations.description import described

_FULL = str.maketrans(",:;?!()", "，：；？！（）")
_HAN = r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef“”]"
_BETWEEN = re.compile(rf"(?<={_HAN})[,:;?!()]|[,:;?!()](?={_HAN})")
_NUMBERED = re.compile(rf"(?<={_HAN})\((\w{{1,3}})\)")
_QUOTED = re.compile(r'"([^"]*[\u3400-\u9fff][^"]*)"')
_PLACE = re.compile(r"\{\w*\}")
_MARK = re.compile(r"([,:;])(?: |(?!\d))")


def full_width(text: str) -> str:
    """Return a Chinese text with its marks in full width; those within numbers and foreign words stay."""
    paired = _QUOTED.sub(r"“\1”", _NUMBERED.sub(r"（\1）", text))
    return _BETWEEN.sub(lambda mark: mark[0].translate(_FULL), paired)


def full_width_around(template: str) -> str:
    """Return a template without foreign words with its marks in full width, and any other template unchanged.

    A template without foreign words is, for example, an article next to the Chinese of its text.
    """
    if re.search("[A-Za-z]", _PLACE.sub("", template)):
        return template
    return full_width(_MARK.sub(lambda mark: mark[1].translate(_FULL), template))


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


def marked(fact: MessageFact, address: Callable[[Cited], str | None]) -> Markup:
    """Return a message in the language of this request; facts that are markup stay so.

    ``address``: Return the address of an article in it, or None for an article without a link.
    """
    if isinstance(fact, tuple):
        return escape(comma()).join(marked(one, address) for one in fact)
    if isinstance(fact, Instant):
        return escape(instant(fact))
    if not isinstance(fact, Message):
        return escape(fact)
    chinese = language() == CHINESE
    if isinstance(fact, Cited):
        said = escape(full_width(words(fact)) if chinese else words(fact))
        place = address(fact)
        return said if place is None else Markup('<a href="{}">{}</a>').format(place, said)
    facts = {name: marked(value, address) for name, value in fact.facts.items()}
    template = translated(fact.text)
    return escape(full_width_around(template) if chinese else template).format_map(facts)


Link = Callable[..., str]
"""`shared.web.page.link`."""


def place(one: Regulations | None, cited: Cited) -> str:
    """Return the anchor of an article on the page of a ruleset, or that of its book if the ruleset does not name it."""
    return cited.anchor if one is not None and cited.anchor in anchors(one) else f"book-{cited.book}"


def address(context: Context, cited: Cited, link: Link) -> str | None:
    """Return the address of an article for a page with this context, or None on paper.

    It is on the page of the ruleset that is shown, chosen or in force, or else on the page of all books.
    """
    if context.get("on_paper"):
        return None
    if "book" in context:
        return f"#{place(context['book'].regulations, cited)}"
    if "chosen_set" in context:
        one = context["chosen_set"]
        return f"{link('set_page', name=one.name, at=None, without=None)}#{place(one, cited)}"
    t = context.get("t")
    if t is not None and t.regulations is not None:
        return f"{link('regulations_page', t=t.id)}#{place(t.regulations, cited)}"
    return f"{link('sets_page', at=None, without=None)}#{place(None, cited)}"
