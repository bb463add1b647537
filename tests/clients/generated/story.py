"""A Swiss of nine rounds through the generated client: ``story.py URL CHIEF ARBITER APPEALS`` (tokens), the table at the end."""

import json
import sys
from pathlib import Path
from typing import Any, TypeVar

from arbiter_generated import AuthenticatedClient
from arbiter_generated.api.common import get_tournament
from arbiter_generated.api.games import report_results
from arbiter_generated.api.pairing import (
    announce_tournament,
    enter_players,
    grant_bye,
    pair_round,
    return_player,
    withdraw_player,
)
from arbiter_generated.api.penalties import decide_appeal, lodge_appeal, make_ruling
from arbiter_generated.api.standings import get_standings, publish_standings
from arbiter_generated.models import (
    AnnouncedAnswer,
    AppealRequest,
    AppealWrittenAnswer,
    BoardResult,
    BoardResultResultType0,
    ByeRequest,
    ByeRequestKind,
    ConsequencesAnswer,
    DecisionRequest,
    EnteredAnswer,
    EntriesRequest,
    OfficialRequest,
    OfficialRequestRole,
    Player,
    PublicationRequest,
    ReasonRequest,
    ResultsRequest,
    ResultsWrittenAnswer,
    RoundRequest,
    RoundWrittenAnswer,
    RulingRequest,
    RulingWrittenAnswer,
    TableAnswer,
    TournamentRequest,
    TournamentRequestFormat,
    WrittenAnswer,
)
from arbiter_generated.types import UNSET

Answer = TypeVar("Answer")
STORY: dict[str, Any] = json.loads((Path(__file__).parent / "story.json").read_text(encoding="utf-8"))
T: str = STORY["id"]
URL, CHIEF, ARBITER, APPEALS = sys.argv[1:]
chief, arbiter, appeals = (AuthenticatedClient(URL, token) for token in (CHIEF, ARBITER, APPEALS))


def expect(kind: type[Answer], answer: object) -> Answer:
    """An answer of the kind that was wanted."""
    if not isinstance(answer, kind):
        raise SystemExit(f"no {kind.__name__}: {answer}")
    return answer


def seen() -> str:
    return str(get_tournament.sync_detailed(T, client=chief).headers["ETag"])


def enter(names: list[str]) -> None:
    body = EntriesRequest(players=[Player(name=name) for name in names])
    entered = expect(EnteredAnswer, enter_players.sync(T, client=chief, body=body))
    assert len(entered.players) == len(names)


def announce() -> None:
    officials = [
        OfficialRequest(name="rivera", role=OfficialRequestRole.ARBITER, person="Tomás Rivera"),
        OfficialRequest(name="solheim", role=OfficialRequestRole.APPEALS),
    ]
    body = TournamentRequest(
        id=T,
        name=STORY["name"],
        discipline=STORY["game"],
        format_=TournamentRequestFormat.SWISS,
        rounds_planned=STORY["rounds"],
        regulations=STORY["regulations"],
        officials=officials,
    )
    assert expect(AnnouncedAnswer, announce_tournament.sync(client=chief, body=body)).id == T
    enter(STORY["players"])


def prepare(number: int) -> None:
    """Who comes, stays away for a round, leaves and comes back before it."""
    for change in (one for one in STORY["before"] if one["round"] == number):
        for name in change.get("late", ()):
            enter([name])
        for bye in change.get("byes", ()):
            granted = ByeRequest(player=bye["player"], round_=number, kind=ByeRequestKind(bye["kind"]))
            expect(WrittenAnswer, grant_bye.sync(T, client=chief, body=granted))
        for player in change.get("leave", ()):
            expect(WrittenAnswer, withdraw_player.sync(T, player, client=chief, body=ReasonRequest(reason="ill")))
        for player in change.get("back", ()):
            expect(WrittenAnswer, return_player.sync(T, player, client=chief, body=ReasonRequest()))


def report(number: int, boards: list[int]) -> None:
    results = STORY["results"]
    body = ResultsRequest(
        round_=number,
        results=[
            BoardResult(board=board, result=BoardResultResultType0(results[(number + board) % len(results)]))
            for board in boards
        ],
    )
    expect(ResultsWrittenAnswer, report_results.sync(T, client=arbiter, body=body))


def foul(number: int, player: int, notes: list[str]) -> None:
    """Three fouls lose the game; an appeal against one is upheld, and the loss falls with it."""
    made = []
    for note in notes:
        body = RulingRequest(player=player, round_=number, infraction="foul", note=note)
        made.append(expect(RulingWrittenAnswer, make_ruling.sync(T, client=arbiter, body=body)))
    assert [len(one.brought) for one in made] == [0, 0, 1]
    contested = str(made[STORY["fouls"]["upheld"]].ruling)
    body_of_appeal = AppealRequest(ruling=contested, by=player, grounds="a spectator knocked the piece over")
    lodged = expect(AppealWrittenAnswer, lodge_appeal.sync(T, client=appeals, body=body_of_appeal))
    decision = DecisionRequest(upheld=True, grounds="the video shows it")
    expect(ConsequencesAnswer, decide_appeal.sync(T, lodged.appeal, client=appeals, body=decision))


def play(number: int) -> None:
    prepare(number)
    lots = STORY["seed"] if number == 1 else UNSET
    paired = expect(RoundWrittenAnswer, pair_round.sync(T, client=chief, body=RoundRequest(seed=lots), if_match=seen()))
    boards = [one.board for one in paired.boards]
    fouls = STORY["fouls"]
    if fouls["round"] != number:
        return report(number, boards)
    report(number, [board for board in boards if board != fouls["board"]])
    foul(number, next(one.white for one in paired.boards if one.board == fouls["board"]), fouls["notes"])
    return report(number, [fouls["board"]])


announce()
for number in range(1, STORY["rounds"] + 1):
    play(number)
expect(WrittenAnswer, publish_standings.sync(T, client=chief, body=PublicationRequest(final=True), if_match=seen()))
table = expect(TableAnswer, get_standings.sync(T, client=chief))
print(json.dumps([[row.rank, row.id, row.points] for row in table.players]))
