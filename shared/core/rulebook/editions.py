"""The editions that a server writes: one row per edition, chosen in one place."""

from dataclasses import dataclass

from shared.core.terms import OfficesEdition


@dataclass(frozen=True, slots=True)
class Edition:
    """The editions that a server writes into the tournaments created on it.

    ``decisions``: the decision edition. ``offices``: the edition of officials, signatures and values.
    """

    decisions: int
    offices: OfficesEdition


_EDITIONS: dict[int, Edition] = {2: Edition(2, 2), 3: Edition(3, 3)}
NEWEST = max(_EDITIONS)


def written_edition(number: int = NEWEST) -> Edition:
    """Return the editions that a server writes, by ``number`` (default: the newest). Raises KeyError if unknown."""
    return _EDITIONS[number]
