"""Which values regulations have, and which tests play the difference that they make."""

import re
from collections.abc import Iterable
from typing import Any

from shared.core.rulebook.effects import EFFECTS
from shared.core.rulebook.regulations import Regulations
from shared.regulations import load, names
from shared.regulations.changes import changeable
from tests.rows.proofs import Proof
from tests.rows.values import leaves, values_at

UNPLAYED = {
    r"name|rulebook\.name|edition|digest|changes\..*|articles\..*": "what a set is called, and where it comes from",
    r".*\.article|.*\.chinese|.*\.otherwise|game\.(flag|time)_articles\..*|game\.flag_article": "a text that is shown",
    r"rulebook\.(infractions\.\*\.name|ladder\.\*\.rule|findings\.\*\.name)": "the key of a row",
    r"rulebook\.authority\.\*\.(act|roles)": "every act is done by every role in tests/http/test_role_matrix.py",
    r"game\.sheet|decisions": "of the logs of 1.0.0 alone, which tests/golden audits",
    r".*\.(games|game|formats)": "where a row holds; another chapter refuses it (tests/stories/test_facts.py)",
    r"ranking\.tiebreaks|ranking\.orders\.\*\.tiebreaks": "each tie-break is announced, shown and explained in "
    "tests/contracts/test_registries.py",
}
"""What no test need play a difference of, and why: paths, ``*`` for any row."""

REFUSED = {"stages.*.format": ("manual", "teams")}
"""Values of a type that no regulations may have: of what is paired by hand nobody knows who goes on."""


def needed() -> dict[str, list[Any]]:
    """By each path its values: of a bool and of words all that there are, else those of the shipped sets and of the readings
    that an organiser may choose."""
    sets = [load(name) for name in names()]
    need = {}
    for path, values in leaves(Regulations):
        if any(re.fullmatch(pattern, path) for pattern in UNPLAYED):
            continue
        if path.endswith(".effect"):
            found = [kind for kind, row in EFFECTS.items() if row.fixed]
        elif values is not None:
            found = [value for value in values if value not in REFUSED.get(path, ())]
        else:
            shipped = [value for one in sets for value in values_at(one, path) if not isinstance(value, tuple)]
            found = [*shipped, *_readings(path)]
        need[path] = list(dict.fromkeys(found))
    return need


def _readings(path: str) -> Iterable[Any]:
    for row in changeable().values():
        if _meets(path, row.path):
            yield from (reading.value for reading in row.readings)


def _meets(path: str, other: str) -> bool:
    """Whether two paths may be the same, ``*`` being any name."""
    one, two = path.split("."), other.split(".")
    return len(one) == len(two) and all(a == b or "*" in (a, b) for a, b in zip(one, two, strict=True))


def unplayed(proofs: Iterable[Proof]) -> dict[str, list[Any]]:
    """By each path the values that no test plays."""
    played = [proof for proof in proofs if proof.under is None]
    left = {}
    for path, values in needed().items():
        seen = [value for proof in played if _meets(path, proof.claim) for value in proof.values]
        missing = [v for v in values if not any(type(v) is type(one) and v == one for one in seen)]
        if missing:
            left[path] = missing
    return left
