"""The commands of standings."""

from dataclasses import dataclass

from shared.core.terms import Actor


@dataclass(frozen=True, slots=True)
class PublishStandings:
    """Publish the table after ``round`` rounds, by these tie-breaks and this C.07 edition.

    ``final`` closes the event: after it only rulings, appeals and publications are taken.
    """

    actor: Actor
    tiebreaks: tuple[str, ...]
    rules: str
    round: int
    final: bool
