"""The rulebook's rows in the language of the request."""

from shared.core.books import citation
from shared.core.effects import EFFECTS, EffectKind
from shared.core.facts import FactName
from shared.core.regulations import InfractionRule
from shared.core.tournament import Tournament
from shared.core.vocabulary import FACTS, RUNGS, called
from shared.http.catalogue import CHINESE
from shared.http.language import language, words


def infraction_words(row: InfractionRule) -> str:
    """An infraction by the name that its book gives it, for who reads Chinese; else by ours."""
    return row.chinese if language() == CHINESE and row.chinese else row.name.replace("_", " ")


def infraction_named(t: Tournament, name: str) -> str:
    """An infraction by its name, one that is no longer in the rulebook too."""
    row = next((row for row in t.regulations.rulebook.infractions if row.name == name), None)
    return words(called(RUNGS, name)) if row is None else infraction_words(row)


def fact_words(name: FactName) -> str:
    return words(FACTS[name])


def effect_words(kind: EffectKind | None) -> str | None:
    """An effect that the rulebook fixes; None where an authority chooses it."""
    return None if kind is None else words(EFFECTS[kind].words)


def article_words(article: str) -> str:
    """An article by its book's name."""
    return words(citation(article).message)
