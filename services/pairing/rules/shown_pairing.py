"""A pairing in the form that a web form shows and sends back, so that only the pairing shown is published."""

from dataclasses import dataclass

from shared.core.events import RoundPaired


@dataclass(frozen=True, slots=True)
class ShownPairing:
    """The pairing of ``round`` in four texts.

    ``boards``: board, White and Black of each (``1:4-9 2:7-3``). ``byes``: player and kind (``8U``). ``engine``: name
    and version. ``lots``: the first colour and the seed, 0 if nothing was drawn.
    """

    round: int
    boards: str
    byes: str
    engine: str
    lots: str


def shown(paired: RoundPaired) -> ShownPairing:
    """Return the texts that a form shows of an engine's pairing."""
    return ShownPairing(
        paired.round,
        " ".join(f"{b.board}:{b.white}-{b.black}" for b in paired.boards),
        " ".join(f"{bye.player}{bye.kind}" for bye in paired.byes),
        f"{paired.engine.name} {paired.engine.version}" if paired.engine else "",
        f"{paired.initial_colour} {paired.seed}",
    )
