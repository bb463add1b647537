"""Messages as HTML: their templates translated and escaped, and the articles in them as links."""

from collections.abc import Callable

from markupsafe import Markup, escape

from shared.core.language.messages import Instant, Message, MessageFact
from shared.core.rulebook.books import Cited
from shared.http.language.catalogue import CHINESE
from shared.http.language.language import comma, instant, language, translated, words
from shared.web.punctuation import full_width, full_width_around


def marked(fact: MessageFact, address: Callable[[Cited], str | None]) -> Markup:
    """A message in the language of this request. ``address``: where an article in it leads; None: nowhere. What of the facts is
    markup already stays so."""
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
