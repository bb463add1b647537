"""The rulebook's rows in the language of the request."""

from shared.core.language.messages import Message
from shared.core.rulebook.books import citation
from shared.core.rulebook.regulations import InfractionRule
from shared.http.language.language import words
from shared.web.value_words import infraction_name


def infraction_words(row: InfractionRule) -> str:
    """Return the name of an infraction: in Chinese that of its rule text, otherwise that of Arbiter."""
    return words(infraction_name(row.name, row.chinese))


def article_words(article: str) -> Message:
    """An article by its book's name, which a page makes a link."""
    return citation(article).message
