"""The rulebook's rows in the language of the request."""

from shared.core.language.messages import Message
from shared.core.readings.vocabulary import FACTS
from shared.core.rulebook.books import citation
from shared.core.rulebook.effects import FactName
from shared.core.rulebook.regulations import InfractionRule
from shared.core.state.tournament import Tournament
from shared.http.language.language import words
from shared.web.value_words import effect_words, infraction, infraction_name


def infraction_words(row: InfractionRule) -> str:
    """Return the name of an infraction: in Chinese that of its rule text, otherwise that of Arbiter."""
    return words(infraction_name(row.name, row.chinese))


def infraction_named(t: Tournament, name: str) -> str:
    """An infraction by its name, one that is no longer in the rulebook too."""
    return words(infraction(t.regulations, name))


def fact_words(name: FactName) -> str:
    return words(FACTS[name])


def effect_of(t: Tournament, row: InfractionRule) -> str | None:
    """The effect that the rulebook fixes for an infraction; None where an authority chooses it."""
    return None if row.effect is None else words(effect_words(t.regulations, row.effect, row.counter))


def article_words(article: str) -> Message:
    """An article by its book's name, which a page makes a link."""
    return citation(article).message
