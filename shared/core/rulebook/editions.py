"""The editions that a server writes: one row for each, chosen in one place."""

from dataclasses import dataclass

from shared.core.terms import OfficesEdition


@dataclass(frozen=True, slots=True)
class Edition:
    """What a server writes into the tournaments that are created on it.

    ``decisions``: the edition that decisions are made by; ``offices``: that of officials, signatures and values.
    """

    decisions: int
    offices: OfficesEdition


_EDITIONS: dict[int, Edition] = {2: Edition(2, 2), 3: Edition(3, 3)}
NEWEST = max(_EDITIONS)


def written_edition(number: int = NEWEST) -> Edition:
    """Return what servers of this edition write; by default the newest. Raises KeyError for an edition that does not exist."""
    return _EDITIONS[number]
