"""Messages as HTML: their templates translated and escaped, and the articles in them as links."""

from collections.abc import Callable

from markupsafe import Markup, escape

from shared.core.books import Cited
from shared.core.messages import Message, MessageFact
from shared.http.language import comma, translated


def marked(fact: MessageFact, rulebook: Callable[[], str | None]) -> Markup:
    """A message in the language of this request. ``rulebook``: the address of the page that articles are links to; None:
    they are none. What of the facts is markup already stays so."""
    if isinstance(fact, tuple):
        return escape(comma()).join(marked(one, rulebook) for one in fact)
    if not isinstance(fact, Message):
        return escape(fact)
    facts = {name: marked(value, rulebook) for name, value in fact.facts.items()}
    words = escape(translated(fact.text)).format_map(facts)
    page = rulebook() if isinstance(fact, Cited) else None
    return words if page is None else _linked(words, page, fact)


def _linked(words: Markup, page: str, cited: Message) -> Markup:
    assert isinstance(cited, Cited)
    return Markup('<a href="{}#{}">{}</a>').format(page, cited.anchor, words)
