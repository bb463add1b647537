"""The interface to pairing engines, with one row for each engine of a rule system."""

from collections.abc import Callable
from dataclasses import dataclass

from services.pairing.rules.engines import gacrux, py4swiss
from services.pairing.rules.engines.versions import GACRUX, GACRUX_BOARDS, PY4SWISS, PY4SWISS_ALONE
from services.pairing.rules.pairing_input import PairingInput
from shared.core.events import Engine
from shared.core.language.messages import say
from shared.core.rulebook.ranking_rules import PairingRules
from shared.core.terms import PlayerId, Refusal


@dataclass(frozen=True, slots=True)
class EnginePairing:
    """An engine's answer: (white, black) in board order, and the player with the pairing-allocated bye."""

    boards: tuple[tuple[PlayerId, PlayerId], ...]
    bye: PlayerId | None


ENGINES: dict[tuple[str, str, Engine], Callable[[PairingInput], list[tuple[PlayerId, PlayerId]] | Refusal]] = {
    ("dutch", "2026", GACRUX): gacrux.pair,
    ("dutch", "2026", GACRUX_BOARDS): gacrux.pair_in_own_order,
    ("dutch", "2017", PY4SWISS): py4swiss.pair,
    ("dutch", "2017", PY4SWISS_ALONE): py4swiss.pair_without_looking_ahead,
}
"""Engine functions by system, its edition, and the engine with its version.

They return pairs in board order, black 0 for the bye.

A pairing is re-evaluated only by the version that made it.
"""


def run_engine(rules: PairingRules, engine: Engine, start: PairingInput) -> EnginePairing | Refusal:
    """Return the pairing of one engine. Refusals: ``engine-not-at-hand``, ``no-legal-pairing``, ``engine-failed``."""
    pair = ENGINES.get((rules.system, rules.edition, engine)) if engine.name == rules.engine else None
    if pair is None:
        wanted = f"{rules.system} {rules.edition} by {rules.engine}"
        return Refusal(
            "rule",
            "engine-not-at-hand",
            say(
                "{wanted}: {name} {version} does not pair it here",
                wanted=wanted,
                name=engine.name,
                version=engine.version,
            ),
        )
    pairs = pair(start)
    if isinstance(pairs, Refusal):
        return pairs
    byes = [white for white, black in pairs if not black]
    return EnginePairing(tuple((w, b) for w, b in pairs if b), byes[0] if byes else None)
