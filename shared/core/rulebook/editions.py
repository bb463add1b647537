"""The editions that a server writes: one row per edition, chosen in one place."""

from dataclasses import dataclass

from shared.core.terms import OfficesEdition


@dataclass(frozen=True, slots=True)
class Edition:
    """The editions that a server writes into the tournaments created on it.

    ``number``: as the operator names it. ``decisions``: the decision edition. ``offices``: the edition of officials, signatures
    and values. ``older``: the versions of event types that it writes instead of a newer one, which its readers do not know.
    ``unknown``: event types that it writes in no version, into tournaments of any edition, since its readers know none.
    """

    number: int
    decisions: int
    offices: OfficesEdition
    older: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


_EDITIONS = (
    Edition(
        number=2,
        decisions=2,
        offices=2,
        older=(
            "arbiter.tournament.announced.v4",
            "arbiter.regulations.adopted.v4",
            "arbiter.pairing.withdrawn.v1",
            "arbiter.key.announced.v1",
        ),
        unknown=(
            "arbiter.identity.stated.v1",
            "arbiter.visibility.set.v1",
            "arbiter.venue-notice.set.v1",
            "arbiter.tournament.corrected.v1",
            "arbiter.statement.made.v1",
            "arbiter.call.made.v1",
            "arbiter.listing.set.v1",
        ),
    ),
    Edition(number=3, decisions=3, offices=3),
)
EDITIONS = {one.number: one for one in _EDITIONS}
NEWEST = _EDITIONS[-1]
_written = [NEWEST]


def write_edition(number: int) -> None:
    """Set the edition that this process writes, once when it starts. Raises KeyError if it is unknown."""
    _written[:] = [EDITIONS[number]]


def written_edition() -> Edition:
    """Return the edition that this process writes, by default the newest."""
    return _written[0]
