"""Cases that random events seldom contain: the Go program ranks them like the product, and as the rules say."""

from dataclasses import replace
from pathlib import Path

import pytest

from services.pairing.rules import commands as pair
from shared import regulations
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.terms import GAMES, PAIRING, PENALTIES, GameId, HalfPoints, Mark, PlayerId, RulingId, Source
from tests.builders import World, all_rules
from tests.foreign import build
from tests.metamorphic.history import CHIEF, ORGANISER, WHY
from tests.offices import appointing
from tests.verifiers.tables import go_tables, log_of, product_table

pytestmark = pytest.mark.xdist_group("go")
WIN, LOSS = (Mark(HalfPoints(n), played=True) for n in (2, 0))
EXPELS = ev.Effect("expel")


class Event(World):
    """A Swiss of four players, with any events."""

    def __init__(self, *codes: str, decisions: int = 3, book: str = "campus-chess", shared: bool = False) -> None:
        super().__init__(all_rules())
        rules = regulations.load(book)
        announced = pair.AnnounceTournament(
            ORGANISER,
            "Cup",
            "xiangqi" if book == "xiangqi-1999" else "chess",
            "swiss",
            4,
            rules,
            codes,
            officials=appointing(CHIEF),
        )
        self.do(PAIRING, announced)
        entries = tuple(pair.Entry(PlayerId(n), WHY, 2400 - 10 * n) for n in range(1, 5))
        self.do(PAIRING, pair.EnterPlayers(ORGANISER, entries))
        ranking = rules.ranking
        if shared and ranking.discipline is not None:
            ranking = replace(ranking, discipline=replace(ranking.discipline, equally_punished="shared"))
        self.write(PAIRING, ev.RegulationsAdopted(replace(rules, ranking=ranking, decisions=decisions)))

    def write(self, source: Source, data: ev.Data) -> None:
        seq, number = self.tournament.seq, self.tournament.counts.get(source, 0) + 1
        event = self._event(source, seq + 1, number, seq, f"c{len(self.events)}", CHIEF, data)
        evolve(self.tournament, event)
        self.events.append(event)

    def paired(self, round: int, *boards: tuple[int, int], pairing: int = 0) -> None:
        number = pairing or round
        seats = [
            ev.Board(n, GameId(f"T.{number}.{n}"), PlayerId(white), PlayerId(black))
            for n, (white, black) in enumerate(boards, 1)
        ]
        self.write(PAIRING, ev.RoundPaired(round, number, tuple(seats)))

    def won(self, *games: str) -> None:
        for game in games:
            self.write(GAMES, ev.ResultReported(GameId(game), WIN, LOSS))

    def ruled(self, id: str, player: int, effect: ev.Effect, infraction: str = "misconduct", **more: object) -> None:
        ruling = ev.RulingMade(RulingId(id), PlayerId(player), 1, infraction, "A", effect, **more)  # type: ignore[arg-type]
        self.write(PENALTIES, ruling)

    def annulled(self, id: str, ruling: str) -> None:
        self.write(PENALTIES, ev.RulingAnnulled(RulingId(id), RulingId(ruling), "A"))


def step_that_depends_on_others() -> Event:
    told = Event()
    told.paired(1, (1, 2), (3, 4))
    told.ruled("r1", 1, ev.Effect("warn"))
    rung = ev.Rung("third", PlayerId(1), "T.1.1", 3)
    told.ruled("r2", 1, ev.Effect("set_marks", LOSS, WIN), game="T.1.1", rung=rung)
    told.ruled("r3", 1, ev.Effect("set_marks", LOSS, LOSS), game="T.1.1", rung=rung, because=("r1",))
    return told


def pardoned_removal() -> Event:
    told = Event()
    told.paired(1, (1, 2), (3, 4))
    told.write(GAMES, ev.GameStarted(GameId("T.1.1")))
    told.ruled("r1", 1, EXPELS)
    told.ruled("r2", 1, ev.Effect("set_marks", LOSS, WIN), "removal", game="T.1.1", because=("r1",))
    told.annulled("r3", "r2")
    return told


def annulled_expulsion(decisions: int) -> Event:
    told = Event(decisions=decisions)
    told.paired(1, (1, 2), (3, 4))
    told.won("T.1.1", "T.1.2")
    told.ruled("r1", 1, EXPELS)
    left = ev.PlayerWithdrew(PlayerId(1), 1, False, 1, "20.3", ruling=RulingId("r1"))
    told.write(PAIRING, left)
    told.annulled("r2", "r1")
    return told


def equally_punished() -> Event:
    told = Event("BH", book="xiangqi-1999", shared=True)
    told.paired(1, (1, 2), (3, 4))
    told.won("T.1.1", "T.1.2")
    told.paired(2, (2, 3), (1, 4))
    told.won("T.2.1", "T.2.2")
    told.ruled("r1", 2, ev.Effect("warn"))
    told.ruled("r2", 3, ev.Effect("warn"))
    return told


def leader_who_can_be_reached() -> Event:
    told = Event("DE")
    told.paired(1, (1, 2), (3, 4))
    told.won("T.1.1", "T.1.2")
    told.paired(2, (2, 4), (3, 1))
    told.write(GAMES, ev.ResultReported(GameId("T.2.1"), WIN, LOSS))
    told.write(GAMES, ev.ResultReported(GameId("T.2.2"), LOSS, LOSS))
    return told


def return_before_a_withdrawn_pairing() -> Event:
    told = Event()
    told.paired(1, (1, 2), (3, 4))
    told.won("T.1.1", "T.1.2")
    told.write(PAIRING, ev.PlayerWithdrew(PlayerId(1), 1, True, 1, "20.4", unplayed="forfeit"))
    told.paired(2, (2, 3))
    told.write(PAIRING, ev.PlayerReturned(PlayerId(1), 3))
    told.write(PAIRING, ev.PairingWithdrawn(2, 2))
    told.paired(2, (1, 3), (2, 4), pairing=3)
    return told


CASES = {
    "a step of two rulings, one of which depends on others": (step_that_depends_on_others(), {1: 0, 2: 0}),
    "a removal whose loss was annulled": (pardoned_removal(), {1: 0, 2: 0}),
    "an annulled expulsion in edition 3": (annulled_expulsion(3), {1: 2, 2: 0}),
    "an annulled expulsion in edition 2": (annulled_expulsion(2), {1: 0, 2: 0}),
    "equally punished players": (equally_punished(), {1: 4, 2: 2, 3: 2, 4: 0}),
    "a leader who can be reached": (leader_who_can_be_reached(), {1: 2, 2: 2, 3: 2, 4: 0}),
    "a return before a withdrawn pairing": (return_before_a_withdrawn_pairing(), {1: 2, 3: 2}),
}
"""Events, and half-points of players."""


@pytest.fixture(scope="module")
def derived(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    folder = tmp_path_factory.mktemp("rare")
    logs: list[Path] = []
    for told, _ in CASES.values():
        logs.append(folder / f"{len(logs)}.ndjson")
        logs[-1].write_bytes(log_of(told.events))
    return dict(zip(CASES, go_tables(build.verifier(folder), logs), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_rare_case_is_ranked_like_the_product(derived, case):
    told, points = CASES[case]
    assert derived[case] == {"derived": True, "rows": product_table(told.announced)["rows"]}
    found = {row["id"]: row["points_half"] for row in derived[case]["rows"]}
    assert {player: found[player] for player in points} == points


def test_equally_punished_players_share_their_place(derived):
    rows = derived["equally punished players"]["rows"]
    assert [(row["rank"], row["tiebreaks"]["BH"]) for row in rows] == [(1, 1), (2, 3), (2, 1), (4, 3)]


def test_reachable_leader_is_not_parted_from_the_others(derived):
    rows = derived["a leader who can be reached"]["rows"]
    assert [(row["rank"], row["tiebreaks"]["DE"]) for row in rows if row["id"] != 4] == [(1, 1)] * 3
