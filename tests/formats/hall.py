"""The product at rules level beside the oracle: every command is decided by the product, every event told to both."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from services.pairing.rules import commands as co
from services.standings.rules.commands import PublishStandings
from services.standings.rules.published_table import published_tiebreaks
from services.standings.rules.table.table import standings
from services.standings.rules.teams.table import team_standings
from shared import regulations
from shared.core.event_types.registry import NAMES
from shared.core.readings.outdated_bases import find_outdated_bases
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import PAIRING, STANDINGS, Actor, Conditions, PlayerId, Refusal, TextRef
from shared.wire.event_data import encode_data
from tests.builders import World
from tests.formats.oracle import Oracle
from tests.offices import appointing

CHIEF = Actor("chief", "chief_arbiter", "t1")
ORGANISER = Actor("organiser", "organiser", "t2")
ARBITER = Actor("arbiter", "arbiter", "t3")
APPEALS = Actor("appeals", "appeals", "t4")
WHY = TextRef("a" * 64)
NO_CONDITIONS = Conditions()


class Disagreement(AssertionError):
    """The product and the oracle differ."""


class Hall:
    """One competition. ``kind``: the set, the stages, the number of players, the conditions."""

    def __init__(
        self,
        book: str,
        stages: tuple[StageRule, ...],
        players: int,
        conditions: Conditions = NO_CONDITIONS,
        announce_stages: bool = True,
    ) -> None:
        self.world, self.oracle, self.seen = World(), Oracle(), Counter[str]()
        rules = regulations.load(book)
        rules = replace(rules, ranking=replace(rules.ranking, unmet="nothing", unshared=0))
        format, rounds = stages[0].format, stages[0].rounds
        if announce_stages:
            rules = replace(rules, stages=stages)
        else:
            one = stages[0]
            conditions = replace(
                conditions, groups=one.groups, qualifiers=one.qualifiers, games=one.games, best=one.best,
                extra=one.extra, places=one.places,
            )  # fmt: skip
        game = "xiangqi"
        announced = co.AnnounceTournament(
            ORGANISER, "Cup", game, format, rounds, rules, (), conditions, officials=appointing(CHIEF, ARBITER, APPEALS)
        )
        self.do(PAIRING, announced)
        entries = tuple(
            co.Entry(PlayerId(n), TextRef(f"{n:064x}"), rating=2500 - 10 * n) for n in range(1, players + 1)
        )
        self.do(PAIRING, co.EnterPlayers(ORGANISER, entries))
        team = conditions.team
        if team is not None:
            size = team.boards + team.substitutes
            members = [tuple(PlayerId(p) for p in range(n, n + size)) for n in range(1, players - size + 2, size)]
            teams = tuple(co.TeamEntry(n, TextRef(f"{n:063x}f"), own) for n, own in enumerate(members, 1))
            self.do(PAIRING, co.EnterTeams(ORGANISER, teams))

    @property
    def t(self) -> Any:
        return self.world.tournament

    def do(self, source: Any, command: Any) -> list[Any]:
        """Follow a command, and tell its events to the oracle."""
        before = len(self.world.events)
        self.world.do(source, command)
        new = self.world.events[before:]
        for event in new:
            self.oracle.tell(
                {"seq": event.seq, "type": NAMES[type(event.data)], "data": json.loads(encode_data(event.data))}
            )
        return [event.data for event in new]

    def attempt(self, source: Any, command: Any) -> Refusal | None:
        """Follow a command, or return why it was refused."""
        answer = self.world.decide(source, command)
        if isinstance(answer, Refusal):
            return answer
        self.do(source, command)
        return None

    def publish(self, round: int | None = None, final: bool = False) -> Refusal | None:
        """Publish the table after a round (default: the last)."""
        after = len(self.oracle.rounds) if round is None else round
        return self.attempt(STANDINGS, PublishStandings(CHIEF, published_tiebreaks(self.t), "2026", after, final))

    def open_bases(self) -> Any:
        """The outdated bases that the product finds."""
        return find_outdated_bases(self.t)

    # ------------------------------------------------------------ comparing

    def compare(self) -> None:
        """Compare marks, ranks, champion and outdated bases. Raises Disagreement."""
        self.compare_marks()
        if self.oracle.rounds:
            self.compare_ranks()
            self.compare_outdated()

    def compare_marks(self) -> None:
        for game in self.t.games_in_force():
            setting, due = self.t.setting(game), self.oracle.marks(game.game)
            is_now = None if setting is None else tuple((m.points, m.played) for m in (setting.white, setting.black))
            _same(
                f"marks of {game.game} (round {game.round}: {game.white}-{game.black})",
                is_now,
                due and tuple(map(tuple, due)),
            )

    def product_ranks(self) -> dict[int, int]:
        if self.oracle.of_teams:
            return {row.team: row.rank for row in team_standings(self.t).rows}
        return {row.player: row.rank for row in standings(self.t).rows}

    def compare_ranks(self) -> None:
        """Ranks and champion are equal. Sides that no text places may stand in any order among those of their round."""
        ranks, due, open = self.product_ranks(), self.oracle.ranks(), self.oracle.undecided()
        before = 0
        for block in self.oracle.blocks():
            now = {side: ranks[side] for side in block}
            if block & open:
                wrong = not set(now.values()) <= set(range(before + 1, before + len(block) + 1))
                self.seen["undecided place"] += 1
            else:
                wrong = any(rank != due[side] for side, rank in now.items())
            if wrong:
                _same("ranks", dict(sorted(ranks.items())), dict(sorted(due.items())))
                raise Disagreement("ranks")
            before += len(block)
        champion = self.oracle.champion()
        if champion:
            _same("champion", {side for side, rank in ranks.items() if rank == 1}, {champion})

    def compare_outdated(self) -> None:
        found = self.open_bases()
        matches = {(b.pairing, b.match, b.seated, b.due) for b in found if b.kind == "match"}
        parts = {b.pairing for b in found if b.kind == "qualifiers"}
        publications = {b.pairing or b.round for b in found if b.kind == "publication"}
        due = self.oracle.outdated()
        alone = {bout.number for bout in self.oracle.bouts.values() if not all(bout.sides) and not bout.empty}
        _same(
            "outdated matches",
            {one for one in matches if one[1] not in alone},
            {tuple(one) for one in due if one.match and one.match not in alone},
        )
        if not self.oracle.undecided_stage():
            _same("outdated stages", bool(parts or publications), any(not d.match for d in due))


def _same(what: str, product: Any, oracle: Any) -> None:
    if product != oracle:
        raise Disagreement(f"{what}\n  product: {product}\n  oracle:  {oracle}")
