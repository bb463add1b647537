"""Random events of Swiss and round robin with everything that ranks, and their tables: of the product, Go program and page.

A table has one form here: ``seq``, ``rounds``, ``tiebreaks``, and ``rows`` with ``id``, ``rank``, half-points and tie-breaks.
"""

import json
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from services.pairing.rules import commands as pair
from services.standings.rules.commands import PublishStandings
from services.standings.rules.table.table import standings, table_answer
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, PAIRING, PENALTIES, STANDINGS, PlayerId, RulingId, Seconds, Seq, Source
from shared.core.trust.merkle import Tree, leaf_hash
from shared.wire.envelope import Header, write
from tests.metamorphic.history import CHIEF, ORGANISER, WHY, History
from tests.metamorphic.kinds import kinds
from tests.verifiers.programs import answers, page_answers

Table = dict[str, Any]
STEPS = 40
KINDS = ("swiss", "swiss, two games", "round robin", "double round robin")
CODES = (
    *("PTS", "BH", "BH/C1", "BH/C2", "BH/M1", "BH/C1/P", "BH/P", "SB", "SB/C1", "SB/P", "PS", "PS/C1", "WIN", "WON"),
    *("BPG", "BWG", "REP", "GE", "STD", "TPN", "SNO/R", "KS", "KS/L+1", "KS/L-2", "FOULS", "WARNED", "BARRED"),
    *("DE", "DE/P", "DE/A", "PO", "LOT"),
)
"""Tie-breaks that the Go program knows, with modifiers."""
DERIVED_FORMATS = ("swiss", "round_robin", "double_round_robin", "manual")
RANKED = (
    *("ruling that sets a result", "annulled ruling", "annulled annulment", "points by a ruling", "bye of the pairing"),
    *("requested bye", "late entry", "withdrawal", "return", "expulsion", "exclusion", "results annulled", "pairing withdrawn"),
    *("colours exchanged", "arrival corrected", "ruling contradicted", "step taken twice"),
    *("corrected result", "win by forfeit", "double forfeit", "double loss", "open game", "play-off", "lot", "shared place"),
)  # fmt: skip
"""Names of the cases that a sample must contain."""


class Ranked(History):
    """A history whose ranking rules, decision edition and published tie-breaks are drawn too."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed // len(KINDS) * len(kinds()) + seed % len(KINDS))
        rng, rules = self.chance, self.t.regulations
        discipline = rules.ranking.discipline
        ranking = replace(
            rules.ranking,
            bye_wins=rng.random() < 0.5,
            forfeit_wins=rng.random() < 0.5,
            unmet=rng.choice(("c07", "c07", "nothing")),
            annulled_fouls=rng.random() < 0.5,
            encounter=rng.choice(("next", "shared")),
            progressive_deductions=rng.choice(("counted", "not_counted")),
            unshared=rng.choice((0, 1, 3)),
            parted_by=rng.choice(("play_off", "lot")),
            discipline=discipline and replace(discipline, equally_punished=rng.choice(("next", "shared"))),
        )
        leaving = replace(rules.leaving, annulled_place=rng.choice(("last", "points")))
        edition = rng.choice((1, 2, 3, 3, 3))
        self.write(PAIRING, ev.RegulationsAdopted(replace(rules, ranking=ranking, leaving=leaving, decisions=edition)))

    def write(self, source: Source, data: ev.Data) -> None:
        """Add an event that no command of a history writes."""
        number, seq = self.t.counts.get(source, 0) + 1, self.t.seq
        event = self._event(source, seq + 1, number, seq, f"c{len(self.events)}", ORGANISER, data)
        evolve(self.tournament, event)
        self.events.append(event)

    def play(self) -> "Ranked":
        """Play it to its end, or for a number of steps, and publish tables."""
        for _ in range(STEPS):
            draw = self.chance.random()
            if draw < 0.3:
                self.chance.choice((self.late_entry, self.ask_bye, self.publish_by_chance, self.lose_grounds))()
            elif not self.step():
                self.part_places()
                break
        self.publish_by_chance()
        return self

    def late_entry(self) -> None:
        self.attempt(PAIRING, pair.EnterPlayers(ORGANISER, (pair.Entry(None, WHY, self.chance.randint(1000, 2400)),)))

    def ask_bye(self) -> None:
        player = PlayerId(self.chance.choice(list(self.t.players)))
        asked = ev.ByeGranted(player, self.t.rounds_paired() + 1, self.chance.choice(("H", "Z", "F")))
        self.attempt(PAIRING, pair.GrantBye(CHIEF, asked))

    def lose_grounds(self) -> None:
        """Correct an arrival, contradict a ruling by a score sheet, take a step twice, or exchange the colours of a game."""
        game, rulings, rng = self.game_by_chance(), [*self.t.rulings], self.chance
        arrivals = [one for one in self.t.arrivals.values() if one.arrival not in self.t.corrections]
        if arrivals and rng.random() < 0.5:
            one, new = rng.choice(arrivals), f"a{9000 + self.t.seq}"
            late = rng.choice((Seconds(0), Seconds(1200)))
            corrected = ev.ArrivalCorrected(new, one.arrival, one.player, one.game, late, one.place, WHY)
            self.write(PENALTIES, corrected)
        elif (steps := [one.event for one in self.t.rulings.values() if one.event.rung]) and rng.random() < 0.6:
            step = rng.choice(steps)
            because = rng.choice((step.because, ()))
            self.write(PENALTIES, replace(step, ruling=RulingId(f"r{1000 + self.t.seq}"), because=because))
        elif game is not None and rulings and rng.random() < 0.3:
            contradicted: dict[str, int] = rng.choice(({"grave": False}, {}))
            self.write(GAMES, ev.FactsChecked(rng.choice(rulings), game.game, contradicted))
        elif game is not None:
            self.write(GAMES, ev.ColoursCorrected(game.game, rng.random() < 0.8))

    def publish_by_chance(self) -> None:
        names = tuple(self.chance.sample(CODES, self.chance.randint(1, 6)))
        round = self.chance.randint(0, self.t.rounds_paired())
        self.attempt(STANDINGS, PublishStandings(CHIEF, names, self.chance.choice(("2024", "2026")), round, False))

    def part_places(self) -> None:
        """Part the players who share a place, by a play-off or by lots."""
        by_rank: dict[int, list[PlayerId]] = {}
        for row in standings(self.t).rows:
            by_rank.setdefault(row.rank, []).append(row.player)
        for equals in [equals for equals in by_rank.values() if len(equals) > 1]:
            seed = 1 + self.chance.getrandbits(30)
            self.attempt(PAIRING, pair.DrawLots(CHIEF, 0, seed, tuple(equals)))
            if self.attempt(PAIRING, pair.PairPlayOff(CHIEF, ((equals[0], equals[1]),), WHY)):
                self._report(self.open_games())

    def seen(self) -> set[str]:
        """Return which of `RANKED` occur."""
        t, annulments = self.t, {e.data.ruling: e.data for e in self.events if isinstance(e.data, ev.RulingAnnulled)}
        effects = {one.event.effect.kind for one in t.rulings.values() if t.has_effect(one.event.ruling)}
        marks = [t.setting(game) for game in t.games_in_force()]
        both = [(m.white, m.black) for m in marks if m is not None]
        pairings = [p.event for p in t.pairings if p.withdrawn is None]
        kinds = {type(e.data) for e in self.events}
        found = {
            "ruling that sets a result": "set_marks" in effects,
            "annulled ruling": any(a.annuls in t.rulings and t.is_in_force(id) for id, a in annulments.items()),
            "annulled annulment": any(a.annuls in annulments for a in annulments.values()),
            "points by a ruling": "adjust_points" in effects,
            "bye of the pairing": any(seat.kind == "U" for p in pairings for seat in p.byes),
            "requested bye": ev.ByeGranted in kinds,
            "late entry": any(p.first_round > 1 for p in t.players.values()),
            "withdrawal": any(p.withdrawal is not None for p in t.players.values()),
            "return": ev.PlayerReturned in kinds,
            "expulsion": "expel" in effects,
            "exclusion": "exclude" in effects,
            "results annulled": any(t.results_annulled(p) is not None for p in t.players),
            "pairing withdrawn": ev.PairingWithdrawn in kinds,
            "colours exchanged": any(game.reversed for game in t.games_in_force()),
            "arrival corrected": ev.ArrivalCorrected in kinds,
            "ruling contradicted": any(check.event.contradicted for check in t.facts_checks.values()),
            "step taken twice": any(t.is_in_force(id) and not t.has_effect(id) for id in t.rulings),
            "corrected result": ev.ResultCorrected in kinds,
            "win by forfeit": any(a.played is b.played is False and a.points != b.points for a, b in both),
            "double forfeit": any(a.played is b.played is False and a.points == b.points for a, b in both),
            "double loss": any(a.played and b.played and a.points == b.points == 0 for a, b in both),
            "open game": None in marks,
            "play-off": any(p.stage == "play_off" for p in pairings),
            "lot": bool(t.place_lots),
            "shared place": len({row.rank for row in standings(t).rows}) < len(t.players),
        }  # fmt: skip
        return {name for name, occurs in found.items() if occurs}


def log_of(events: Iterable[Any], tournament: str = "T") -> bytes:
    """Return events as the lines of a log without keys, each with the root of its basis."""
    tree, lines = Tree(), []
    for e in events:
        header = Header(
            f"tournaments/{tournament}", e.source, Seq(e.basis), tree.root(e.basis), e.command, e.tokenid, "2.0.0"
        )
        id = str(uuid.UUID(int=e.seq))
        lines.append(write(header, id, e.time, e.sourceseq, e.actor, e.role, e.data, e.official) + b"\n")
        tree.append(leaf_hash(lines[-1][:-1]))
    return b"".join(lines)


def is_derived(log: bytes) -> bool:
    """Return whether page and Go program derive the table of a log: of single players, in one stage, without a bracket."""
    events = [json.loads(line) for line in log.splitlines()]
    announced = events[0]["data"]
    stages = [e["data"]["regulations"].get("stages") for e in events if e["type"].startswith("arbiter.regulations.")]
    alone = not announced.get("conditions", {}).get("team")
    return announced["format"] in DERIVED_FORMATS and alone and bool(stages) and not stages[-1]


def product_table(t: Tournament) -> Table:
    """Return the product's table of an event."""
    return stated_table(msgspec.to_builtins(table_answer(standings(t))))


def stated_table(answer: Mapping[str, Any]) -> Table:
    """Return a table that the product has answered or recorded."""
    rows = [
        {"id": row["id"], "rank": row["rank"], "points_half": round(2 * row["points"]), "tiebreaks": row["tb"]}
        for row in answer["players"]
    ]
    head = {"derived": True, "seq": answer["seq"], "rounds": answer["rounds"], "tiebreaks": [*answer["tiebreaks"]]}
    return head | {"rows": rows}


def go_tables(verifier: Path, logs: Sequence[Path]) -> list[Table]:
    """Return the table that the Go program derives from each log. It prints rows only, and an ``id`` as a string."""
    tables: list[Table] = [
        json.loads(line) for line in answers([str(verifier), "-cases", "-table"], [[log] for log in logs])
    ]
    for row in (row for table in tables for row in table.get("rows", ())):
        row["id"] = int(row["id"])
    return tables


class Outcome:
    """Histories, what occurred in them, tables compared, and the differences."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.tables = 0
        self.differences: list[str] = []


def compare_tables(seeds: range, verifier: Path, folder: Path) -> Outcome:
    """Compare the tables of random histories: the last one, and each published one by its digest."""
    outcome, folder = Outcome(), folder / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    histories = [Ranked(seed).play() for seed in seeds]
    logs = [folder / f"{seed}.ndjson" for seed in seeds]
    for log, history in zip(logs, histories, strict=True):
        log.write_bytes(log_of(history.events))
    codes, pages = answers([str(verifier), "-cases"], [[log] for log in logs]), page_answers([[log] for log in logs])
    derived = zip(seeds, histories, codes, go_tables(verifier, logs), pages, strict=True)
    for seed, history, code, go, page in derived:
        outcome.counts.update(history.seen())
        outcome.tables += 1 + len(history.t.publications)
        right = product_table(history.t)
        if go != {"derived": True, "rows": right["rows"]}:
            outcome.differences.append(f"seed {seed}: the Go program has {go}, the product {right}")
        if page["table"] != right:
            outcome.differences.append(f"seed {seed}: the page has {page['table']}, the product {right}")
        if code == "1" or any(said[0] == "published" for said in page["said"]):
            outcome.differences.append(f"seed {seed}: a published table is not the derived one")
    return outcome
