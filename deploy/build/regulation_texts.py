"""The English texts of the rulesets, collected for the catalogues of other languages."""

import re
from collections.abc import Iterator
from itertools import chain

from services.games.rules.boards.twentyone.hands import readings
from shared.core.readings.authority import ACTS
from shared.core.readings.vocabulary import UNITS
from shared.core.rulebook.books import citation
from shared.core.rulebook.remarks import printed_remark
from shared.regulations import load, names
from shared.regulations.changeable import changeable
from shared.regulations.contradictions import contradictions
from shared.regulations.description import described
from shared.regulations.value_names import value_texts


def regulation_texts() -> Iterator[str]:
    """Yield the English texts of the rulesets.

    These are subjects of contradictions, names and units of values, remarks next to articles, and explanations of facts.
    """
    yield from (each.subject for each in contradictions())
    yield from value_texts()
    values = (*changeable().values(), *readings().values())
    yield from (row.unit for row in values if row.unit is not None and row.unit not in UNITS)
    for text in (*article_texts(), *counter_texts()):
        remark = printed_remark(citation(text).text)
        if _ENGLISH.search(_PLACEHOLDER.sub("", remark)):
            yield remark


_ENGLISH, _PLACEHOLDER = re.compile("[A-Za-z]{2}"), re.compile(r"\{\w+\}")


def counter_texts() -> Iterator[str]:
    """Yield the texts that explain why a fact rules out an infraction."""
    facts = (fact for name in names() for row in load(name).rulebook.infractions for fact in row.facts)
    yield from (fact.otherwise for fact in facts if fact.otherwise)


def article_texts() -> Iterator[str]:
    """Yield every text that cites an article: of rulesets, of values that an organiser may set, and of the acts of roles."""
    for name in names():
        whole = described(load(name))
        rows = [*whole["infractions"], *whole["ladder"], *whole["values"], *chain(*whole["rows"].values())]
        facts = chain.from_iterable(row.get("facts", ()) for row in whole["infractions"])
        yield from (row["article"] for row in (*rows, *facts) if row.get("article"))
    for value in changeable().values():
        yield from (value.article, *(reading.source for reading in value.readings))
    yield from (act.article for act in ACTS.values())
