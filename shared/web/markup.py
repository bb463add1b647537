"""Messages as HTML: their templates translated and escaped, and the articles in them as links."""

from collections.abc import Callable

from jinja2.runtime import Context
from markupsafe import Markup, escape

from shared.core.language.messages import Instant, Message, MessageFact
from shared.core.rulebook.books import Cited
from shared.core.rulebook.regulations import Regulations
from shared.http.language.catalogue import CHINESE
from shared.http.language.language import comma, instant, language, translated, words
from shared.regulations.cited_articles import anchors
from shared.web.punctuation import full_width, full_width_around


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
