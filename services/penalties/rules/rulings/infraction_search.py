"""The search of the rulebook by an arbiter's input: English or Chinese names, and articles."""

import unicodedata
from collections.abc import Sequence

from services.penalties.rules import rulebook
from shared.core.rulebook.regulations import ARRIVAL_INFRACTIONS, InfractionRule
from shared.core.state.tournament import Tournament
from shared.regulations.passages import passages_of


def reportable(t: Tournament) -> tuple[InfractionRule, ...]:
    """Return the infractions that a person may rule on in this tournament's game.

    Infractions that result from noted arrivals and breaks are left out.
    """
    noted = {*ARRIVAL_INFRACTIONS, *([rulebook.LONG_BREAK] if t.regulations.rulebook.breaks is not None else [])}
    return tuple(row for row in rulebook.infraction_rules(t) if row.name not in noted)


def search(rows: Sequence[InfractionRule], typed: str) -> tuple[InfractionRule, ...]:
    """Return the rows in which every typed word occurs, or all rows for empty input.

    Words are searched in the name, the Chinese name, the article and its rule text. Rows whose name begins with the
    first word come first, then rows with it in name or article, then the order of the rulebook. Width and case do not
    matter, nor whether words are separated by spaces, hyphens or underscores.
    """
    words = _normalise(typed).split()
    matching = [row for row in rows if all(word in _text(row) for word in words)]
    return tuple(sorted(matching, key=lambda row: _place(row, words)))


def _text(row: InfractionRule) -> str:
    rule_text = " ".join(f"{one.text} {one.english}" for one in passages_of(row.article))
    return _normalise(f"{row.name} {row.chinese} {row.article} {rule_text}")


def _place(row: InfractionRule, words: Sequence[str]) -> int:
    if not words or _begins(row, words[0]):
        return 0
    return 1 if words[0] in _normalise(f"{row.name} {row.chinese} {row.article}") else 2


def _begins(row: InfractionRule, word: str) -> bool:
    return _normalise(row.name).startswith(word) or _normalise(row.chinese).startswith(word)


def _normalise(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("_", " ").replace("-", " ")
