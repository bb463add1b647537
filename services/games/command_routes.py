"""What came of a command, over HTTP: the log tells it, and the sheets, which only games has."""

from typing import Any

import msgspec
from flask import Blueprint, Response

from services.games import answers
from shared.core.language.messages import say
from shared.desk.desk import Desk
from shared.desk.event_writer import consequent_rulings
from shared.desk.views import stream_of
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads import tournament_query


def commands(bp: Blueprint, desk: Desk) -> None:
    """Commands of all services, by their causation id."""

    @bp.get("/v1/tournaments/<t>/commands/<id>")
    @Operation(
        "Get the outcome of a command",
        name="getCommand",
        description=(
            "Returns the events that the command wrote, and those of its automatic follow-up commands. `open` "
            "counts follow-ups that are not decided yet."
        ),
        query=tournament_query.POINT,
        answer=answers.CommandAnswer,
    )
    def command(t: str, id: str) -> Response:
        view = tournament_query.view(desk, t)
        consequences = desk.consequences(t, id, upto=view.seq)
        events = consequences.events if consequences is not None else []
        sheets = _sheets(desk, t, id)
        if not events and not sheets:
            raise Problem(
                404,
                "unknown-command",
                say("No such command"),
                say("{t} has no event of the command {id} up to event {seq}", t=t, id=repr(id[:40]), seq=view.seq),
            )
        lines = desk.lines(stream_of(t), events[0].seq - 1, events[-1].seq) if events else []
        by_seq = {row.seq: msgspec.Raw(row.line) for row in lines}
        answer = {
            "tournament": t,
            "command": id,
            "seq": view.seq,
            "events": [{"seq": e.seq, "command": e.command, "event": by_seq[e.seq]} for e in events],
            "sheets": sheets,
            "rulings": consequent_rulings(events),
            "open": consequences.open if consequences is not None else 0,
        }
        return tournament_query.answer(view, answer)


def _sheets(desk: Desk, t: str, command: str) -> list[dict[str, Any]]:
    """The score sheet that a command wrote on, with the numbers of its lines there."""
    lines: dict[str, list[int]] = {}
    for row in desk.command_lines(command):
        if row.stream.startswith(f"games/{t}."):
            lines.setdefault(row.stream.partition("/")[2], []).append(row.seq)
    return [{"game": game, "lines": numbers, "sheet": f"/v1/games/{game}/sheet"} for game, numbers in lines.items()]
