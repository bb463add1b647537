"""The English texts in the files of regulations, which catalogues of other languages have words for."""

import re
from collections.abc import Iterator
from itertools import chain

from services.games.rules.boards.twentyone.hands import readings
from shared.core.readings.authority import ACTS
from shared.core.readings.vocabulary import UNITS
from shared.core.rulebook.books import citation
from shared.regulations import load, names
from shared.regulations.changeable import changeable
from shared.regulations.contradictions import contradictions
from shared.regulations.description import described
from shared.regulations.value_names import value_texts


def regulation_texts() -> Iterator[str]:
    """What the files of regulations say in English: the subjects of contradictions, what values are called and counted in, and
    remarks beside articles."""
    yield from (each.subject for each in contradictions())
    yield from value_texts()
    values = (*changeable().values(), *readings().values())
    yield from (row.unit for row in values if row.unit is not None and row.unit not in UNITS)
    for text in article_texts():
        remark = citation(text).text
        if _ENGLISH.search(_PLACEHOLDER.sub("", remark)):
            yield remark


_ENGLISH, _PLACEHOLDER = re.compile("[A-Za-z]{2}"), re.compile(r"\{\w+\}")


def article_texts() -> Iterator[str]:
    """Every text that names an article: of the sets, of what an organiser may set, of the acts of the office."""
    for name in names():
        whole = described(load(name))
        rows = [*whole["infractions"], *whole["ladder"], *whole["values"], *chain(*whole["rows"].values())]
        facts = chain.from_iterable(row.get("facts", ()) for row in whole["infractions"])
        yield from (row["article"] for row in (*rows, *facts) if row.get("article"))
    for value in changeable().values():
        yield from (value.article, *(reading.source for reading in value.readings))
    yield from (act.article for act in ACTS.values())
