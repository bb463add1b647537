"""What stands, read from the bare lines of a log: a second reading that shares no code with the fold.

standing(lines)          # ruling -> whether it stands
outcome(t)               # what a fold says of games, rulings and players, without the numbers of lines
shuffled(lines, rng)     # the same lines in another order that their services could have written them in
"""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from shared.core.readings.claims import claim_state
from shared.core.state.tournament import Tournament


def _of(lines: Sequence[bytes]) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    events = [json.loads(line) for line in lines]
    return [(e["type"].removeprefix("arbiter.").rpartition(".v")[0], e["data"], e) for e in events]


def standing(lines: Sequence[bytes]) -> dict[str, bool]:
    """Every ruling and annulment, and whether it stands: nothing that stands annuls it, all that it rests on stands, the
    finding that it answers was not withdrawn, the arrival or the breaks that it follows from were not corrected, and nothing
    annuls another ruling that followed from the same."""
    because: dict[str, list[str]] = {}
    grounds: dict[str, tuple[str | None, list[str]]] = {}
    annuls: dict[str, list[str]] = {}
    withdrawn, corrected, refuted = set(), set(), set()
    for type, data, _ in _of(lines):
        match type:
            case "ruling.made":
                because[data["ruling"]] = data["because"]
                arrival = data.get("arrival")
                grounds[data["ruling"]] = data["finding"], [arrival] if arrival else data.get("breaks", [])
            case "ruling.annulled":
                because[data["ruling"]], grounds[data["ruling"]] = [], (None, [])
                annuls.setdefault(data["annuls"], []).append(data["ruling"])
            case "finding.withdrawn":
                withdrawn.add(data["finding"])
            case "arrival.corrected" | "break.corrected":
                corrected.add(data["corrects"])
            case "facts.checked" if data["contradicted"]:
                refuted.add(data["ruling"])
    known: dict[str, bool] = {}

    def siblings(notes: list[str]) -> list[str]:
        return [r for r, (_, others) in grounds.items() if others[-1:] == notes[-1:]] if notes else []

    def stands(ruling: str) -> bool:
        if ruling not in known:
            finding, notes = grounds.get(ruling, (None, []))
            known[ruling] = (
                ruling in because
                and ruling not in refuted
                and finding not in withdrawn
                and corrected.isdisjoint(notes)
                and not any(stands(a) for r in {ruling, *siblings(notes)} for a in annuls.get(r, []))
                and all(map(stands, because[ruling]))
            )
        return known[ruling]

    return {ruling: stands(ruling) for ruling in because}


def outcome(t: Tournament) -> dict[str, Any]:
    """What is so at the end, whatever the order in which independent lines came."""
    settings = {g.game: t.setting(g) for g in t.games_in_force()}
    return {
        "marks": {game: setting and (setting.white, setting.black) for game, setting in settings.items()},
        "standing": {id: t.is_in_force(id) for id in (*t.rulings, *t.annulments)},
        "effective": {id for id in t.rulings if t.has_effect(id)},
        "players": {p.player: (p.starting_number, p.left_after, p.withdrawal) for p in t.players.values()},
        "findings": {id: finding.answered is not None for id, finding in t.findings.items()},
        "claims": {key: claim_state(t, claim) for key, claim in t.claims.items()},
        "appeals": {id: appeal.decision and appeal.decision.event for id, appeal in t.appeals.items()},
        "rounds": t.rounds_paired(),
        "officials": ({name: held.roles for name, held in t.officials.items()}, set(t.dismissed)),
        "forbidden": t.forbidden,
    }


def shuffled(lines: Sequence[bytes], rng: Random) -> list[bytes]:
    """Another order: each service's lines in its own, each line after the last one that it was decided on, and the lines of
    a command together."""
    events = [json.loads(line) for line in lines]
    blocks: list[list[int]] = []
    for n, event in enumerate(events):
        if blocks and events[blocks[-1][0]]["causationid"] == event["causationid"]:
            blocks[-1].append(n)
        else:
            blocks.append([n])
    left: dict[str, list[list[int]]] = {}
    for block in blocks:
        left.setdefault(events[block[0]]["source"], []).append(block)
    order: list[int] = []
    placed = 0
    done: set[int] = set()
    while any(left.values()):
        while placed in done:
            placed += 1
        ready = [source for source, waiting in left.items() if waiting and events[waiting[0][0]]["basis"] <= placed]
        block = left[rng.choice(ready)].pop(0)
        order += block
        done |= set(block)
    return [lines[n] for n in order]
