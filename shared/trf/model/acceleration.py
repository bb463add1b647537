"""Acceleration (C.04.7) in a report file: the virtual points of XXA and of record 250."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from shared.core.events import VirtualPoints
from shared.core.language.messages import say
from shared.core.terms import HalfPoints, PlayerId, Refusal
from shared.trf.model.model import TrfFile

ByRound = Mapping[tuple[int, int], HalfPoints]
"""Half-points by player and round."""


def by_round(given: Collection[VirtualPoints]) -> ByRound:
    """What is said last holds; none where they are 0."""
    points = {(int(v.player), round): v.points for v in given for round in range(v.first, v.last + 1)}
    return {at: worth for at, worth in points.items() if worth}


def spans(points: ByRound) -> tuple[VirtualPoints, ...]:
    """The points by player, equal rounds that follow one another together."""
    given: list[VirtualPoints] = []
    for (player, round), worth in sorted(points.items()):
        before = given[-1] if given else None
        if before is not None and (before.player, before.last, before.points) == (player, round - 1, worth):
            given[-1] = replace(before, last=round)
        else:
            given.append(VirtualPoints(PlayerId(player), round, round, worth))
    return tuple(given)


def virtual_points(trf: TrfFile, among: Collection[int]) -> tuple[VirtualPoints, ...]:
    """The file's acceleration of these players."""
    return spans({at: worth for at, worth in by_round(trf.settings.accelerated).items() if at[0] in among})


def records_of(given: Sequence[VirtualPoints], players: Sequence[int], new: bool) -> Iterator[str]:
    """The records that say it: of edition 26 (``new``) 250, for players whose numbers follow one another; else XXA."""
    if not new:
        for player, rows in groupby(given, lambda v: v.player):
            points = {round: v.points for v in rows for round in range(v.first, v.last + 1)}
            yield f"XXA {player:4d}" + "".join(f" {points.get(n, 0) / 2:4.1f}" for n in range(1, max(points) + 1))
        return
    place = {player: n for n, player in enumerate(sorted(players))}
    for (first, last, points), rows in groupby(
        sorted(given, key=lambda v: (v.first, v.last, v.points, v.player)), lambda v: (v.first, v.last, v.points)
    ):
        for _, together in groupby(enumerate(rows), lambda row: place[row[1].player] - row[0]):
            numbers = [v.player for _, v in together]
            yield f"250 {'':4s} {points / 2:4.1f} {first:3d} {last:3d} {numbers[0]:4d} {numbers[-1]:4d}"


def without_virtual_points(trf: TrfFile) -> Refusal | None:
    """Return why a file with Baku acceleration and without its points cannot be paired (C.04.7), or None if it can: its first
    group has two interpretations."""
    system = trf.settings.system
    if system is None or not system.baku or trf.settings.accelerated:
        return None
    detail = say(
        "{file}:{line}:5: {code} without the virtual points of its players (250, XXA): the first group is "
        "ambiguous, half of the players or that number rounded up to an even number",
        file=trf.file,
        line=system.line,
        code=system.code,
    )
    return Refusal("rule", "no-virtual-points", detail, "C.04.7")
