"""A pairing as a form shows it and brings it back, so that what is published is what was shown."""

from dataclasses import dataclass

from shared.core.events import RoundPaired


@dataclass(frozen=True, slots=True)
class ShownPairing:
    """The pairing of ``round`` in four texts.

    ``boards``: board, White and Black of each (``1:4-9 2:7-3``); ``byes``: player and kind (``8U``); ``engine``: name and
    version; ``lots``: the first colour and the seed, 0 where nothing was drawn.
    """

    round: int
    boards: str
    byes: str
    engine: str
    lots: str


def shown(paired: RoundPaired) -> ShownPairing:
    """What a form shows of a pairing by an engine."""
    return ShownPairing(
        paired.round,
        " ".join(f"{b.board}:{b.white}-{b.black}" for b in paired.boards),
        " ".join(f"{bye.player}{bye.kind}" for bye in paired.byes),
        f"{paired.engine.name} {paired.engine.version}" if paired.engine else "",
        f"{paired.initial_colour} {paired.seed}",
    )
