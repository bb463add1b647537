"""The form of virtual points: points that are added to a score when a round of an accelerated Swiss is paired (C.04.7)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from flask import Blueprint, Response, request

from services.pairing.layout import LAYOUT
from services.pairing.rounds import list_form
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.formats.swiss import pairs_by_points
from services.pairing.schemas import MOST_POINTS
from shared.core.events import VirtualPoints, VirtualPointsGiven
from shared.core.language.messages import Message, say
from shared.core.readings.concern import Concern
from shared.core.rounds.stages import stage_now
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, HalfPoints, PlayerId
from shared.core.values.bounds import ENTRY, ROUND
from shared.desk.desk import Desk
from shared.http.common_problems import bad_fields
from shared.http.operations import TABLE
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to
from shared.web.particulars import names_of
from shared.web.result_words import points

_MOST_ROWS = 2 * ENTRY.high
_SPAN = r"([1-9][0-9]{0,3})(?:\s*[-–]\s*([1-9][0-9]{0,3}))?"
_LINE = re.compile(rf"\s*{_SPAN}[\s,;，；]+{_SPAN}[\s,;，；]+([0-9]{{1,4}}(?:\.[05])?)\s*")
"""A line such as ``1-20 1-2 1``: the players 1 to 20 by starting number, the rounds 1 and 2, and one point."""


def read_lines(t: Tournament, text: str) -> tuple[list[VirtualPoints], list[Message]]:
    """Return the virtual points of typed lines by player, and an error for each line that is not understood.

    Lines after `_MOST_ROWS` rows are not read, because the form refuses the list.
    """
    by_number = {entry.starting_number: player for player, entry in t.players.items()}
    highest = max(by_number, default=0)
    given, faults = list[VirtualPoints](), list[Message]()
    for line in filter(str.strip, text.splitlines()[: ENTRY.high]):
        if len(given) > _MOST_ROWS:
            break
        found = _LINE.fullmatch(line)
        if found is None:
            faults.append(
                say("{line} is not understood: type players, rounds and points, such as 1-20 1-2 1", line=line[:80])
            )
            continue
        low, high, first, last = (int(found[n]) for n in (1, 1, 3, 3))
        high, last = int(found[2] or high), int(found[4] or last)
        worth = float(found[5])
        if worth > MOST_POINTS or last > ROUND.high:
            faults.append(
                say("{line} is out of bounds: at most {points} points and {rounds} rounds", line=line[:80],
                    points=MOST_POINTS, rounds=ROUND.high)
            )  # fmt: skip
        elif low > high or not any(number in by_number for number in (low, high)):
            faults.append(say("{line} does not name players: use their starting numbers", line=line[:80]))
        else:
            players = (by_number[number] for number in range(low, min(high, highest) + 1) if number in by_number)
            given += [VirtualPoints(player, first, last, HalfPoints(int(2 * worth))) for player in players]
    return given, faults


def rows_of(virtual: Iterable[tuple[tuple[PlayerId, int], HalfPoints]]) -> list[VirtualPoints]:
    """Return virtual points by player and span of rounds, by round and player."""
    worth: dict[tuple[PlayerId, HalfPoints], list[int]] = defaultdict(list)
    for (player, round), halves in virtual:
        if halves:
            worth[player, halves].append(round)
    rows = (
        VirtualPoints(player, first, last, halves)
        for (player, halves), rounds in worth.items()
        for first, last in _spans(sorted(rounds))
    )
    return sorted(rows, key=lambda row: (row.first, row.last, -row.points, row.player))


def lines_of(t: Tournament) -> str:
    """Return the virtual points in force as the lines that would be typed for them."""
    lines = []
    for (first, last, worth), rows in groupby(
        rows_of(t.virtual.items()), key=lambda row: (row.first, row.last, row.points)
    ):
        for low, high in _spans(sorted(t.players[row.player].starting_number for row in rows)):
            lines.append(f"{_typed(low, high)} {_typed(first, last)} {points(worth)}")
    return "\n".join(lines)


def _spans(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last number of each run of consecutive numbers."""
    for _, run in groupby(enumerate(numbers), key=lambda one: one[1] - one[0]):
        own = [number for _, number in run]
        yield own[0], own[-1]


def _typed(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def virtual_points(bp: Blueprint, desk: Desk) -> None:
    """Register the form that sets the virtual points."""

    @LAYOUT.serves(bp, "/t/<t>/virtual-points", form=True, cost=TABLE)
    def virtual_points_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament
        given, faults = read_lines(state, request.form.get("lines", "")[: list_form.LONGEST_LIST])

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.GiveVirtualPoints:
            if faults:
                raise bad_fields({"lines": faults})
            if len(given) > _MOST_ROWS:
                raise bad_fields(
                    {"lines": [say("{count} rows are more than {most}", count=len(given), most=_MOST_ROWS)]}
                )
            list_form.require_preview(map(_key, given), typed["seen"])
            return co.GiveVirtualPoints(actor, VirtualPointsGiven(tuple(given), texts.ref(typed["reason"])))

        def context() -> dict[str, Any]:
            sent = request.method == "POST"
            return {
                "previewed": sent and not faults,
                "lines": request.form.get("lines", "") if sent else lines_of(state),
                "rows": given if sent else rows_of(state.virtual.items()),
                "before": list_form.digest(state.virtual.items()),
                "seen": list_form.digest(map(_key, given)),
                "names": names_of(desk, state, state.players),
                "accelerated": stage_now(state).format == "swiss"
                and not pairs_by_points(state.regulations, state.announced.conditions),
            }

        permit, back = RULES.permit(co.GiveVirtualPoints), back_to("virtual_points_form", "office_page", t=t)
        form = Form(desk, LAYOUT, permit, view, "virtual_points.html", Concern(), back, context)
        return list_form.respond(form, list_form.ListForm, make, lambda current: current.virtual.items())


def _key(row: VirtualPoints) -> tuple[int, int, int, int]:
    return row.player, row.first, row.last, row.points
