"""Messages as HTML: their templates translated and escaped, and the articles in them as links."""

from collections.abc import Callable

from markupsafe import Markup, escape

from shared.core.books import Cited
from shared.core.messages import Instant, Message, MessageFact
from shared.http.language import comma, instant, translated


def marked(fact: MessageFact, address: Callable[[Cited], str | None]) -> Markup:
    """A message in the language of this request. ``address``: where an article in it leads; None: nowhere. What of the facts is
    markup already stays so."""
    if isinstance(fact, tuple):
        return escape(comma()).join(marked(one, address) for one in fact)
    if isinstance(fact, Instant):
        return escape(instant(fact))
    if not isinstance(fact, Message):
        return escape(fact)
    facts = {name: marked(value, address) for name, value in fact.facts.items()}
    words = escape(translated(fact.text)).format_map(facts)
    place = address(fact) if isinstance(fact, Cited) else None
    return words if place is None else Markup('<a href="{}">{}</a>').format(place, words)
