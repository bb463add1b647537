"""Stages with random results: decided again from the log each command gives the same, and so do the fold and the table."""

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.rules.commands import Correct, ReportResults, Result
from services.pairing.rules import commands as co
from services.standings.rules.commands import PublishStandings
from services.standings.rules.table.table import Table, standings, update_table
from shared import regulations
from shared.core.event_types.evolve import fold
from shared.core.events import PairingUpheld, RegulationsAdopted
from shared.core.readings.settlement import open_bases, settlements
from shared.core.rounds.matches import extra_due, matches, places
from shared.core.rounds.stages import begun_stages
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import GAMES, PAIRING, STANDINGS, HalfPoints, Mark, PlayerId, Refusal, Source
from tests.builders import World
from tests.rules.pairing_story import CHIEF, OFFICIALS, ORGANISER, WHY, entry
from tests.tiers import examples

CAMPUS = regulations.load("campus")
WORTH = (
    [(2, 0, True)] * 4 + [(0, 2, True)] * 4 + [(1, 1, True)] * 3 + [(2, 0, False), (0, 2, False)] + [(0, 0, False)] * 2
)


@st.composite
def stage_lists(draw: st.DrawFn) -> tuple[StageRule, ...]:
    """A first stage of any format, and brackets or a table after it."""
    length = {"games": draw(st.sampled_from((3, 5))), "best": True} if draw(st.booleans()) else {}
    extra = {"extra": draw(st.integers(0, 1))}
    first = draw(st.sampled_from(("swiss", "round_robin", "groups", "knockout")))
    last = StageRule("last", "knockout", **length, **extra)
    if first == "knockout":
        early = StageRule("early", first, qualifiers=draw(st.sampled_from((2, 4))), **extra)
        return early, last
    if first == "groups":
        early = StageRule("early", first, groups=2, qualifiers=2)
    else:
        early = StageRule("early", first, rounds=2 if first == "swiss" else 0, qualifiers=draw(st.integers(2, 5)))
    if draw(st.booleans()):
        last = replace(last, format="double_knockout", games=1, best=False)
    if first != "swiss" and draw(st.booleans()):
        return early, StageRule("middle", "round_robin", qualifiers=2), last
    return early, last


class Competition:
    """A competition played by chance to its end; every command is decided again from what it wrote."""

    def __init__(self, rng: Random, players: int, stages: tuple[StageRule, ...]) -> None:
        self.rng, self.world, self.table = rng, World(), None
        pairing = replace(
            CAMPUS.pairing,
            both_absent=rng.choice(("lots", "both_out")),
            drawn_match=rng.choice(("lots", "announced", "extra")),
        )
        book = replace(CAMPUS, pairing=pairing, stages=stages)
        rounds, format = stages[0].rounds, stages[0].format
        self.do(PAIRING, co.AnnounceTournament(ORGANISER, "Cup", "xiangqi", format, rounds, book, officials=OFFICIALS))
        self.do(PAIRING, co.EnterPlayers(ORGANISER, tuple(entry(n) for n in range(1, players + 1))))

    @property
    def t(self) -> Any:
        return self.world.tournament

    def do(self, source: Source, command: Any) -> None:
        saw, rules = self.t.fork(), self.world.rules[source]
        events = [e for e in self.world.do(source, command) if e.source == source]
        if source == PAIRING:
            again = rules.decide(saw, rules.command_of(events, ()), None)
            assert not isinstance(again, Refusal), again
            assert again.events + again.brought == tuple(e.data for e in events)
        self.table = self.same_table()

    def same_table(self) -> Table | None:
        if self.t.regulations is None or not self.t.players:
            return None
        now = self.t.fork()
        table, anew = update_table(self.table, now) if self.table else standings(now), standings(now)
        assert [(r.player, r.rank, r.points, r.values) for r in table.rows] == [
            (r.player, r.rank, r.points, r.values) for r in anew.rows
        ]
        return table

    def played(self) -> bool:
        """One more round, with what goes before and after it; False at the end."""
        pair = co.PairRound(CHIEF, seed=1 + self.rng.getrandbits(30))
        answer = self.world.decide(PAIRING, pair)
        if isinstance(answer, Refusal):
            return self.answered(answer)
        self.do(PAIRING, pair)
        paired = self.t.pairings[-1].event
        if self.rng.random() < 0.05:
            self.do(PAIRING, co.WithdrawPairing(CHIEF, paired.round, WHY))
            return True
        open = [b.game for b in paired.boards if self.t.setting(self.t.games[b.game]) is None]
        said = tuple(Result(game, *map(self.mark, self.worth())) for game in open)
        if said:
            self.do(GAMES, ReportResults(CHIEF, said))
        here = [p for p, one in self.t.players.items() if one.left_after is None]
        if self.rng.random() < 0.05 and len(here) > 4:
            self.do(PAIRING, co.WithdrawPlayer(ORGANISER, PlayerId(self.rng.choice(here)), WHY))
        if self.rng.random() < 0.05:
            self.do(PAIRING, co.WithdrawPairing(CHIEF, paired.round, WHY, played=True))
        if self.rng.random() < 0.4:
            self.corrected()
        return True

    def corrected(self) -> None:
        """Another result for any game."""
        games = [game for game in self.t.games_in_force() if self.t.setting(game) is not None]
        if games:
            result = Result(self.rng.choice(games).game, *map(self.mark, self.worth()))
            self.do(GAMES, Correct(CHIEF, (result,), WHY))

    def settled(self) -> None:
        """The first outdated basis is settled in one of the ways that are named."""
        basis = open_bases(self.t)[0]
        way = self.rng.choice(settlements(self.t, basis))
        if way.act == "publish":
            names = self.t.regulations.ranking.order(self.t.announced.format)
            self.do(STANDINGS, PublishStandings(CHIEF, names, "2026", basis.round, False))
        elif way.act == "uphold":
            command = co.UpholdPairing(CHIEF, PairingUpheld(basis.pairing, basis.match, basis.seated, basis.due, WHY))
            self.do(PAIRING, command)
        else:
            for round in way.rounds:
                self.do(PAIRING, co.WithdrawPairing(CHIEF, round, WHY, played=way.act == "void"))
        assert basis not in open_bases(self.t)

    def worth(self) -> list[tuple[int, bool]]:
        white, black, played = self.rng.choice(WORTH)
        return [(white, played), (black, played)]

    def mark(self, one: tuple[int, bool]) -> Mark:
        return Mark(HalfPoints(one[0]), one[1])

    def answered(self, refusal: Refusal) -> bool:
        """What the office does about it: the table, the lots; False where the competition is over."""
        if refusal.code == "standings-not-published":
            names = self.t.regulations.ranking.order(self.t.announced.format)
            self.do(STANDINGS, PublishStandings(CHIEF, names, "2026", self.t.rounds_paired(), False))
            self.changed()
            return True
        if refusal.code == "match-drawn":
            drawn = [m.match for m in matches(self.t).values() if not m.over and not extra_due(self.t, m)]
            for match in drawn:
                self.do(PAIRING, co.DrawLots(CHIEF, match, 1 + self.rng.getrandbits(30)))
            return True
        if refusal.code == "basis-outdated":
            self.settled()
            return True
        assert refusal.code in ("no-round-left", "too-few-players", "groups-too-small"), refusal
        return False

    def changed(self) -> None:
        """The last stage, which has not begun, becomes another; the one before it cannot."""
        stages = self.t.regulations.stages
        longer = (*stages[:-1], replace(stages[-1], extra=2))
        self.do(
            PAIRING, co.AdoptRegulations(ORGANISER, RegulationsAdopted(replace(self.t.regulations, stages=longer), WHY))
        )
        wrong = (replace(stages[0], qualifiers=stages[0].qualifiers + 1), *stages[1:])
        refused = self.world.refused(
            PAIRING, co.AdoptRegulations(ORGANISER, RegulationsAdopted(replace(self.t.regulations, stages=wrong), WHY))
        )
        assert (refused.code, refused.where) == ("stage-begun", "stages[0]")


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32), st.integers(5, 11), stage_lists())
def test_stages_with_random_results_replay_as_they_were_decided(
    seed: int, players: int, stages: tuple[StageRule, ...]
) -> None:
    one = Competition(Random(seed), players, stages)
    for _ in range(150):
        if not one.played():
            break
    else:
        raise AssertionError("a competition ends")
    assert list(places(one.t).values()).count(1) <= 1, "a bracket has one first place"
    again = fold("T", one.world.events)
    assert (again.pairings, again.games) == (one.t.pairings, one.t.games)
    assert (matches(again), places(again)) == (matches(one.t), places(one.t))
    assert [stage.name for stage in begun_stages(again)] == [stage.name for stage in stages][: len(begun_stages(again))]
