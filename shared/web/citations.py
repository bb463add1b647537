"""Where an article that a page names leads to: its place on the page of the regulations that the page goes by."""

from collections.abc import Callable

from jinja2.runtime import Context

from shared.core.rulebook.books import Cited
from shared.core.rulebook.regulations import Regulations
from shared.regulations.cited_articles import anchors

Link = Callable[..., str]
"""`shared.web.page.link`."""


def place(one: Regulations | None, cited: Cited) -> str:
    """The anchor of an article within the page of a set; of one that the set does not name, that of its book."""
    return cited.anchor if one is not None and cited.anchor in anchors(one) else f"book-{cited.book}"


def address(context: Context, cited: Cited, link: Link) -> str | None:
    """The address of an article for a page with this context: on the page of a set itself, of the set that is chosen, of what
    the tournament adopted, or of all books; None on paper, which leads nowhere."""
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
