"""The interface to pairing engines, with one row for each adapter."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeAlias

from services.pairing.rules.engine_adapters import gacrux_1_11_65 as gacrux
from services.pairing.rules.engine_adapters import py4swiss_0_3_1 as py4swiss
from services.pairing.rules.engine_adapters import rustworkx_0_18_1 as rustworkx
from services.pairing.rules.engine_adapters.record import NoPairing, Pair, PairingInput, Record
from services.pairing.rules.engines.versions import PY4SWISS, TABLES, installed_version, label, package_version
from shared.core.events import Engine
from shared.core.language.messages import Message, say
from shared.core.rulebook.ranking_rules import PairingRules
from shared.core.terms import PlayerId, Refusal


@dataclass(frozen=True, slots=True)
class EnginePairing:
    """An engine's answer: (white, black) in board order, and the player with the pairing-allocated bye, if any."""

    boards: tuple[tuple[PlayerId, PlayerId], ...]
    bye: PlayerId | None


@dataclass(frozen=True, slots=True)
class Adapter:
    """A family of engine versions: the name of the package, and the label of our changes in the recorded version.

    ``pair``: returns the pairs of a record. ``pins``: the packages of its release, its own one first, as requirements of
    pip. ``article``: the rule by which a round without a legal pairing is refused.
    """

    name: str
    label: str
    pair: Callable[[Any], list[Pair]]
    pins: tuple[str, ...]
    article: str = ""


ADAPTERS = (
    Adapter("gacrux", "c04.2", gacrux.pair, gacrux.PINS, "C.04.3, 1.9.3"),
    Adapter("gacrux", "", gacrux.pair_in_own_order, gacrux.PINS, "C.04.3, 1.9.3"),
    Adapter("py4swiss", "c2", py4swiss.pair, py4swiss.PINS, "C.04.3 (2017), B.3"),
    Adapter("py4swiss", "", py4swiss.pair_without_looking_ahead, py4swiss.PINS, "C.04.3 (2017), B.3"),
    Adapter("rustworkx", "", rustworkx.match, rustworkx.PINS),
)
"""All adapters of all releases, in each family the newest first."""
_SYSTEMS = {("dutch", "2026"): "gacrux", ("dutch", "2017"): "py4swiss"}
"""The engine of a pairing system, by the edition of its rules."""


class EngineLost(Exception):
    """An engine of another version did not answer."""


Run: TypeAlias = Callable[[Record], list[Pair]]
OTHER_VERSIONS: ContextVar[Callable[[Adapter, str], Run | Message]] = ContextVar("OTHER_VERSIONS")
"""Finds the pairing function of an adapter with another version of its package, or why it is unavailable.

An audit sets it. The function raises `NoPairing`, and `EngineLost` if that version gives no answer.
"""


def adapter_of(engine: Engine) -> Adapter | None:
    """Return the adapter of this version, else the newest of its family, or None for an unknown family."""
    family = [one for one in ADAPTERS if (one.name, one.label) == (engine.name, label(engine))]
    pin = f"{engine.name}=={package_version(engine)}"
    return next((one for one in family if one.pins[0] == pin), family[0] if family else None)


def _find(engine: Engine) -> Run | Message:
    """Return the pairing function of an engine, or why it is unavailable."""
    adapter = adapter_of(engine)
    if adapter is None:
        return say("{name} {version} is unknown", name=engine.name, version=engine.version)
    wanted = package_version(engine)
    if wanted and wanted == installed_version(adapter.name):
        return adapter.pair
    if engine == PY4SWISS:
        return say("py4swiss, the engine for the Dutch rules of 2017, is not available for this machine")
    found = OTHER_VERSIONS.get(None)
    if found is None:
        return say("{name} {version} is not installed", name=engine.name, version=engine.version)
    return found(adapter, wanted)


def unavailable(engine: Engine) -> Refusal | None:
    """Return the refusal ``engine-not-at-hand``, or None if the engine is available."""
    found = None if engine == TABLES else _find(engine)
    return Refusal("rule", "engine-not-at-hand", found) if isinstance(found, Message) else None


def run_engine(rules: PairingRules, engine: Engine, start: PairingInput) -> EnginePairing | Refusal:
    """Return the pairing that this engine makes of the records in ``start``.

    Refusals: ``engine-not-at-hand`` also if the pairing rules of the regulations use another engine;
    ``no-legal-pairing``, ``engine-failed``.
    """
    if engine.name != rules.engine or _SYSTEMS.get((rules.system, rules.edition)) != engine.name:
        wanted = f"{rules.system} {rules.edition} by {rules.engine}"
        return Refusal(
            "rule",
            "engine-not-at-hand",
            say(
                "{wanted}: the engine {name} {version} is not available for this format",
                wanted=wanted,
                name=engine.name,
                version=engine.version,
            ),
        )
    pairs = run(engine, start)
    if isinstance(pairs, Refusal):
        return pairs
    boards = tuple((PlayerId(w), PlayerId(b)) for w, b in pairs if b)
    return EnginePairing(boards, next((PlayerId(white) for white, black in pairs if not black), None))


def run(engine: Engine, record: Record) -> list[Pair] | Refusal:
    """Return the pairs that an engine makes of its input.

    Refusals: ``engine-not-at-hand``, ``no-legal-pairing``, ``engine-failed``.
    """
    found = _find(engine)
    if isinstance(found, Message):
        return Refusal("rule", "engine-not-at-hand", found)
    try:
        return found(record)
    except EngineLost as lost:
        detail = say("{name} {version} failed: {lost}", name=engine.name, version=engine.version, lost=str(lost))
        return Refusal("rule", "engine-not-at-hand", detail)
    except NoPairing as refused:
        if refused.code == "engine-failed":
            detail = say("the engine could not pair the round ({failed}): pair it by hand", failed=refused.detail)
            return Refusal("rule", "engine-failed", detail)
        round = record.round if isinstance(record, PairingInput) else 0
        detail = say("round {round} has no pairing that meets the absolute criteria", round=round)
        if refused.detail:
            detail = say("{text}", text=refused.detail)
        adapter = adapter_of(engine)
        return Refusal("rule", "no-legal-pairing", detail, adapter.article if adapter else "")
