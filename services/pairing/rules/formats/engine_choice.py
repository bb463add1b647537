"""The engine of a round: the installed one for a new pairing, the recorded one for an audit."""

from collections.abc import Iterator

from services.pairing.rules.engines.registry import unavailable
from services.pairing.rules.engines.versions import EARLIER, MENDED, RELEASED, label, package_version
from services.pairing.rules.formats.registry import installed_engine
from shared.core.events import Engine
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import BOUNDED_OFFICES, Refusal


def choose_engine(t: Tournament, recorded: Engine | None) -> Engine | Refusal:
    """Return the engine that pairs the next round: ``recorded``, or the installed one if that is None.

    In tournaments with ``offices: 3`` it must be the engine of a release. Otherwise an invented version could hide that a
    pairing was made by hand.

    Refusals: ``engine-not-released``, and ``engine-not-at-hand`` for a version that is unavailable here, or that does not pair
    this round in the tournament's decision edition.
    """
    own = installed_engine(t)
    engine = recorded or own
    if recorded is None:
        refusal = unavailable(own)
        if refusal is not None:
            return refusal
    if (recorded is None or t.offices >= BOUNDED_OFFICES) and (engine not in RELEASED or engine.name != own.name):
        return Refusal(
            "rule",
            "engine-not-released",
            say(
                "{name} {version}: no release of Arbiter pairs this round by it; install {released}",
                name=engine.name,
                version=engine.version,
                released=tuple(sorted(f"{one.name} {one.version}" for one in RELEASED if one.name == own.name)),
            ),
        )
    if engine not in _permitted(t, own, package_version(engine)):
        return Refusal(
            "rule",
            "engine-not-at-hand",
            say(
                "the engine {wanted} is not available for this format; this server uses {at_hand}",
                wanted=f"{engine.name} {engine.version}",
                at_hand=f"{own.name} {own.version}",
            ),
        )
    return unavailable(engine) or engine


def other_engines(t: Tournament, recorded: Engine) -> Iterator[Engine]:
    """Yield the available engines of the recorded one's name that may pair the next round, newest first."""
    own = installed_engine(t)
    if own.name == recorded.name:
        for engine in _permitted(t, own, package_version(own)):
            if engine != recorded and unavailable(engine) is None:
                yield engine


def _permitted(t: Tournament, own: Engine, version: str) -> list[Engine]:
    """Return the engines that may pair the next round, each with this ``version`` of its package.

    ``own``: the installed engine. An older adapter is permitted if the decision edition used it; one with a fault only
    until the corrected adapter has paired a round of this log.
    """
    families = [own]
    if t.regulations.decisions < 2:
        families += EARLIER.get(own, ())
    if not any(p.event.engine and _family(p.event.engine) == _family(own) for p in t.pairings):
        families += MENDED.get(own, ())
    return [
        Engine(name, f"{version}+{own_label}" if own_label else version) for name, own_label in map(_family, families)
    ]


def _family(engine: Engine) -> tuple[str, str]:
    return engine.name, label(engine)
