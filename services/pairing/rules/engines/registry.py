"""The port to pairing engines, and the table of those at hand."""

from collections.abc import Callable
from dataclasses import dataclass

from services.pairing.rules.engines.gacrux import pair as gacrux
from services.pairing.rules.engines.versions import GACRUX
from services.pairing.rules.pairing_input import Position
from shared.core.events import Engine
from shared.core.regulations import PairingRules
from shared.core.terms import PlayerId, Refusal


@dataclass(frozen=True, slots=True)
class Paired:
    """An engine's answer: (white, black) in board order, and who has the pairing-allocated bye."""

    boards: tuple[tuple[PlayerId, PlayerId], ...]
    bye: PlayerId | None


ENGINES: dict[tuple[str, str, Engine], Callable[[Position], list[tuple[PlayerId, PlayerId]] | Refusal]] = {
    ("dutch", "2026", GACRUX): gacrux,
}
"""By system, its edition, and the engine with its version: pairs in board order, black 0 for the bye.

A pairing is decided again only by the version that made it.
"""


def run(rules: PairingRules, engine: Engine, position: Position) -> Paired | Refusal:
    """Pair a position. Refusals: ``engine-not-at-hand``, ``no-legal-pairing``, ``engine-failed``."""
    pair = ENGINES.get((rules.system, rules.edition, engine)) if engine.name == rules.engine else None
    if pair is None:
        wanted = f"{rules.system} {rules.edition} by {rules.engine}"
        return Refusal("rule", "engine-not-at-hand", f"{wanted}: {engine.name} {engine.version} does not pair it here")
    pairs = pair(position)
    if isinstance(pairs, Refusal):
        return pairs
    byes = [white for white, black in pairs if not black]
    return Paired(tuple((w, b) for w, b in pairs if b), byes[0] if byes else None)
