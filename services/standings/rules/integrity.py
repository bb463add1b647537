"""The integrity list, as far as the log itself tells: what was done by right and should be looked at all the same."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from shared.events import Event, RegulationsAdopted, RoundPaired
from shared.records import Game
from shared.terms import Regulations
from shared.tournament import Tournament


def listing(t: Tournament, events: Iterable[Event]) -> dict[str, list[dict[str, Any]]]:
    """The list of a tournament and the lines that it was folded from; each entry names its line (``seq``).

    ``regulations``: changed after the first pairing, with the values that are others now;
    ``overrides``: absolute rules set aside by a pairing that stands; ``orphans``: lines that
    count nothing; ``beneath``: corrections waiting under a ruling; ``findings``: not answered.
    """
    changed, overrides = _by_line(t, events)
    orphans = [{"seq": seq, "game": game} for seq, game in t.orphans if _counts_nothing(t, t.games.get(game))]
    open_findings = [f for f in t.findings.values() if f.answered is None]
    return {
        "regulations": changed,
        "overrides": overrides,
        "orphans": orphans,
        "beneath": list(_beneath(t)),
        "findings": [{"seq": f.seq, "finding": f.made.finding, "game": f.made.game} for f in open_findings],
    }


def _by_line(t: Tournament, events: Iterable[Event]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    changed: list[dict[str, Any]] = []
    overrides: list[dict[str, Any]] = []
    former: Regulations | None = None
    paired = False
    for e in events:
        if isinstance(e.data, RegulationsAdopted):
            values = differing(former, e.data.regulations) if former is not None else []
            if paired and values:
                reason = None if e.data.reason is None else e.data.reason.text
                changed.append({"seq": e.seq, "actor": e.actor, "role": e.role, "reason": reason, "values": values})
            former = e.data.regulations
        elif isinstance(e.data, RoundPaired):
            paired = True
            if e.data.overrides and e.data.pairing not in t.unpaired:
                told = {"seq": e.seq, "round": e.data.round, "actor": e.actor, "rules": list(e.data.overrides)}
                overrides.append(told)
    return changed, overrides


def differing(former: Any, now: Any, path: str = "") -> list[str]:
    """Dotted paths of the values that are not the same; a table of rows is one value."""
    if not (is_dataclass(former) and type(former) is type(now)):
        return [] if former == now else [path]
    prefix = f"{path}." if path else ""
    return [
        value
        for f in fields(former)
        for value in differing(getattr(former, f.name), getattr(now, f.name), prefix + f.name)
    ]


def _counts_nothing(t: Tournament, game: Game | None) -> bool:
    """Lines of no standing pairing; those after a ruled end count again when the ruling has fallen."""
    return game is None or game.pairing in t.unpaired or t.ruled(game) is not None


def _beneath(t: Tournament) -> Iterator[dict[str, Any]]:
    for game in t.standing_games():
        ruling = t.ruled(game)
        if ruling is not None and game.corrected is not None and game.corrected.seq > ruling.seq:
            yield {"seq": game.corrected.seq, "game": game.game, "ruling": ruling.made.ruling}
