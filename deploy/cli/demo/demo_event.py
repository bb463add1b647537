"""The running tournament of ``arbiter demo --serve``, with moves on its boards, a pending claim and an open appeal."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from deploy.cli.client import invitation_path
from deploy.cli.demo.demo_story import HOLDERS, SampleEvent, is_known, lodge_appeal, report_fouls
from shared.client import Client
from shared.core.language.messages import Message, say
from shared.core.terms import Role
from shared.regulations.typed_toml import read_toml

CALLERS: tuple[tuple[str, Role], ...] = (*HOLDERS, ("boards", "board"))
"""Callers of the demo: the officials of the sample, and the device that records its boards."""


@dataclass(frozen=True, slots=True)
class RunningBoard:
    """A board of the second round, with its ``moves``, White's ``fouls`` and its ``result``.

    ``illegal``: the illegal move that White claims. ``appealed``: the number of the foul, from 1, against which White appeals
    on these ``grounds``, or 0.
    """

    board: int
    moves: str
    illegal: str = ""
    fouls: tuple[str, ...] = ()
    appealed: int = 0
    grounds: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class RunningEvent(SampleEvent):
    """The data of the tournament in ``sample/autumn-open.toml``.

    ``lots``: the seed of the pairing of round 1. ``first``: the results of round 1 in board order. ``boards``: those of round 2.
    """

    lots: int
    first: tuple[str, ...]
    boards: tuple[RunningBoard, ...]


def load_running() -> RunningEvent:
    """Return the data of the tournament. Raises `TomlError`."""
    return read_toml("deploy.cli.demo.sample", "autumn-open.toml", RunningEvent)


def play_running(callers: Mapping[Role, Client], event: RunningEvent) -> None:
    """Play the tournament from its creation to the middle of round 2, unless it exists already."""
    chief, arbiter = callers["chief_arbiter"], callers["arbiter"]
    t = f"/v1/tournaments/{event.id}"
    if is_known(chief, t):
        return

    def pair(body: dict[str, Any]) -> dict[int, dict[str, Any]]:
        paired = chief.post(f"{t}/rounds", body, if_match=chief.get(t).etag)
        return {b["board"]: b for b in paired.json["boards"]}

    event.announce(chief)
    pair({"seed": event.lots})
    results = [{"board": n, "result": result} for n, result in enumerate(event.first, 1)]
    arbiter.post(f"{t}/results", {"round": 1, "results": results})
    seats = pair({})
    for board in event.boards:
        _play_board(callers, t, seats[board.board], board)


def _play_board(callers: Mapping[Role, Client], t: str, seat: dict[str, Any], board: RunningBoard) -> None:
    device, arbiter = callers["board"], callers["arbiter"]
    game = f"/v1/games/{seat['game']}"
    device.post(f"{game}/moves", {"ply": 1, "moves": board.moves.split()})
    if board.illegal:
        claim = {"claim": "illegal_move", "side": "white", "move": board.illegal}
        device.post(f"{game}/claims", claim)
    rulings = report_fouls(arbiter, t, 2, seat["white"], board.fouls)
    if board.appealed:
        lodge_appeal(callers["chief_arbiter"], t, rulings[board.appealed - 1], seat["white"], board.grounds)
    if board.result:
        result = {"round": 2, "results": [{"board": board.board, "result": board.result}]}
        arbiter.post(f"{t}/results", result)


_DAYS = 1
"""Duration of a session of the demo, in days."""


class Appeal(NamedTuple):
    """The appeal in the running tournament: its ID, the number of the player, and whether it is still undecided."""

    id: str
    by: int
    waits: bool


class Links(NamedTuple):
    """The paths of the four links, and the ``appeal``, decided or not."""

    tournament: str
    chief: str
    appeals: str
    player: str
    appeal: Appeal


def find_appeal(callers: Mapping[Role, Client], tournament: str) -> Appeal:
    """Return the appeal in the running tournament."""
    appeal = callers["chief_arbiter"].get(f"/v1/tournaments/{tournament}/appeals").json["appeals"][0]
    return Appeal(appeal["appeal"], appeal["by"], appeal["upheld"] is None)


def make_links(data: Path, tournament: str, appeal: Appeal) -> Links:
    """Invite the chief arbiter, the appeals committee and the player who appealed."""
    from deploy.server.embedded_desk import open_log, service_keys

    handles = {role: name for name, role in HOLDERS}
    with closing(open_log(data)) as log:
        keys = service_keys(data)

        def invite(role: Role, name: str) -> str:
            return invitation_path(log, keys, tournament, role, name, None, _DAYS)

        chief, appeals = invite("chief_arbiter", handles["chief_arbiter"]), invite("appeals", handles["appeals"])
        return Links(f"/t/{tournament}", chief, appeals, invite("player", str(appeal.by)), appeal)


def describe(links: Links, address: str) -> Iterator[Message]:
    """Yield the lines that list the links of a server at ``address``."""
    yield say("A second tournament is in progress, in its second round:")
    yield say("  Spectator: {link}", link=address + links.tournament)
    yield say("  Chief arbiter: {link}", link=address + links.chief)
    yield say("  Appeals committee: {link}", link=address + links.appeals)
    if links.appeal.waits:
        yield say(
            "    Appeal {appeal} is waiting for a decision: uphold it, and the standings change.",
            appeal=links.appeal.id,
        )
    yield say("  Player {number}: {link}", number=links.appeal.by, link=address + links.player)
    yield say("A login link works once, within 30 minutes. A browser holds one login: the newest link replaces it.")
