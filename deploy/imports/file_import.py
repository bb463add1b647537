"""The import of a TRF file into a tournament, by the API calls with which an arbiter would have reported it."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from deploy.imports import remarks
from deploy.imports.differing_columns import differing_columns
from deploy.imports.file_rulings import make_rulings
from deploy.imports.hall import Hall, as_entry, result
from services.pairing.rules.absolute_criteria import OVERRIDABLE
from services.standings.files.file_routes import MOST_RECORDS
from shared.client import Client, Problem
from shared.core.events import VirtualPoints
from shared.core.language.messages import Message, message_of, say
from shared.trf.kept_records import to_keep
from shared.trf.model.acceleration import virtual_points
from shared.trf.rounds import allocated_byes, boards, first_colour, first_round, marks
from shared.trf.team_totals import MATCHES_GIVEN

AS_PLAYED = "as played in the file"
BATCH = 200
"""Entries per call, well below the maximum size of a body."""


@dataclass(slots=True)
class FileImport:
    """The import of one TRF file into a tournament."""

    hall: Hall
    id: str
    to: Client
    tell: Callable[[Message], None]
    """Receives each remark."""
    before: Callable[[str], None]
    """Receives the name of each step before it is sent, and may raise to end the import there."""
    order: tuple[str, ...] = ()
    """Tie-breaks of the new tournament."""
    organiser: Client | None = None
    name: str = ""
    """The client that makes the rulings that only an organiser may make, and its login name, which is the importer's."""
    entered: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)
    """Players registered and players withdrawn so far, by starting number."""
    forbidden: frozenset[tuple[int, int]] = frozenset()
    given: tuple[VirtualPoints, ...] = ()
    """Pairs that may not meet now, and the current virtual points."""
    step: str = ""
    rounds: int = 0
    """Name of the last step, and the number of rounds that were sent completely."""
    seen: str = "0"
    """ETag of the last command's response: the log position that it was made at."""

    def run(self) -> None:
        """Send the whole file, in the order in which an arbiter would have reported it.

        Raises `ClientError` for a refusal, and any exception of ``before``.
        """
        self._announce()
        bye_kinds = self.hall.bye_kinds()
        last = self.hall.trf.rounds_recorded
        for number in range(1, last + 1):
            self._prepare(number)
            if self.hall.format == "swiss":
                self._withdraw(number, bye_kinds)
                self._grant(number, bye_kinds)
            self._line_up(number)
            self._pair(number)
            self._report(number)
            self.rounds = number
            self.tell(say("round {number}: {count} boards", number=number, count=len(boards(self.hall.trf, number))))
        self._prepare(last + 1)
        if self.hall.format == "swiss":
            self._withdraw(last + 1, bye_kinds)
        for (player, number), kind in bye_kinds.items():
            if number > last and player not in self.left:
                self._bye(player, number, kind)
        self._keep()
        make_rulings(self)
        self._tell_points()
        list(map(self.tell, differing_columns(self.hall.trf, self.hall.event.records, self.to, self.id, self.seen)))

    def _keep(self) -> None:
        """Send the records that no event contains, so that exports contain them.

        They are sent together, because records of teams refer to each other. One call takes up to `MOST_RECORDS` of them.
        """
        self.to.get(f"/v1/tournaments/{self.id}?after={self.seen}")  # wait until standings know the players
        kept = [{"line": one.line, "after": one.after} for one in to_keep(self.hall.trf)]
        for n in range(0, len(kept), MOST_RECORDS):
            self.post(f"records {n}", self.path("report-file"), {"records": kept[n : n + MOST_RECORDS]})

    def _tell_points(self) -> None:
        """Report each team, or each player of a record 299, with points in the table that differ from the file."""
        trf, path, points = self.hall.trf, self.path("standings"), self.hall.regulations.points
        given = any(r.text.startswith(MATCHES_GIVEN) and not r.player for r in trf.records)
        told: Iterable[Message] = ()
        if self.hall.conditions is not None:
            told = remarks.on_points_of_teams(trf, points, self.to.get(f"{path}/teams").json["teams"], given=given)
        elif given:
            table = {row["id"]: int(2 * row["points"]) for row in self.to.get(path).json["players"]}
            told = remarks.on_points_of_players(trf, points, table)
        list(map(self.tell, told))

    def _prepare(self, number: int) -> None:
        """Send new players, the teams (once), forbidden pairs and virtual points before a round."""
        self._enter(number)
        if number == 1:
            self._teams()
        self._forbid(number)
        self._accelerate(number)

    def _announce(self) -> None:
        settings, teams, file = self.hall.trf.settings, self.hall.conditions, self.hall.trf.file
        rulings = self.hall.event.records.rulings
        body: dict[str, Any] = {
            "id": self.id,
            "name": settings.name or self.id,
            "game": self.hall.event.game,
            "format": self.hall.format,
            "rounds": self.hall.last_round,
            **self.hall.ruleset,
            **({"officials": [{"name": self.name, "role": "organiser"}]} if self.organiser and rulings else {}),
            **self.hall.occasion,
        }
        for code, said, key in (("042", settings.begins, "begins"), ("052", settings.ends, "ends")):
            if said and key not in body:
                wrong = say("{file}: record {code}: {said} is not a valid date", file=file, code=code, said=repr(said))
                self.tell(wrong)
        list(map(self.tell, (*remarks.of_persons(self.hall.trf), *remarks.of_half_points(self.hall.trf, teams))))
        if self.hall.regulations.pairing.edition == "2017":
            dutch = say(
                "{file}: by {regulations}, with the Dutch rules of 2017, in force until 2026-01-31 (C.04.3)",
                file=file,
                regulations=self.hall.regulations.name,
            )
            self.tell(dutch)
        if self.hall.points != self.hall.event.ruleset.points:
            body["points"] = {name: worth / 2 for name, worth in asdict(self.hall.points).items()}
        time = self.hall.time
        if settings.time and time is None:
            said = repr(settings.time)
            self.tell(say("{file}: record 222: {said} is not a supported time control", file=file, said=said))
        if time is not None:
            body["conditions"] = {"time": time}
        if teams is not None:
            body.setdefault("conditions", {})["team"] = asdict(teams)
        elif settings.teams:
            line = settings.teams[0].line
            self.tell(
                say("{file}:{line}: its games do not form team matches; only players are read", file=file, line=line)
            )
        body["tiebreaks"] = list(self.order)
        self.post("announce", "/v1/tournaments", body)

    def _enter(self, number: int) -> None:
        """Register the players of the file whose first round is ``number`` or earlier."""
        trf = self.hall.trf
        coming = [p for p in trf.players if p.id not in self.entered and first_round(trf, p) <= number]
        players = [as_entry(p) for p in sorted(coming, key=lambda p: p.id)]
        for n in range(0, len(players), BATCH):
            self.post(f"entries {number} {n}", self.path("entries"), {"players": players[n : n + BATCH]})
        self.entered.update(p.id for p in coming)

    def _teams(self) -> None:
        if self.hall.conditions is None:
            return
        teams = [
            {"id": team.id, "name": team.name or f"No. {team.id}", "members": list(team.members)}
            for team in self.hall.trf.settings.teams
        ]
        self.post("teams", self.path("teams"), {"teams": teams})
        own, worth = self.hall.regulations.teams, dict(self.hall.trf.settings.match_points)
        usual = {} if own is None else {"TW": own.win, "TD": own.draw, "TL": own.loss}
        if any(worth.get(symbol, points) != points for symbol, points in usual.items()):
            file, name = self.hall.trf.file, self.hall.regulations.name
            other = say("{file}: its match points (362) differ from those used, of {name}", file=file, name=name)
            self.tell(other)

    def _forbid(self, number: int) -> None:
        """Send the pairs that may not meet from this round on, if they changed. Outside a Swiss, report a remark instead."""
        pairs = frozenset(p for p in self.hall.trf.settings.forbidden_pairs(number) if self.entered.issuperset(p))
        if pairs == self.forbidden:
            return
        if self.hall.format != "swiss":
            file = self.hall.trf.file
            fixed = say(
                "{file}: in this format a table determines the pairings; the forbidden pairs have no effect", file=file
            )
            self.tell(fixed)
        else:
            body = {"pairs": [list(p) for p in sorted(pairs)]}
            self.post(f"forbidden {number}", self.path("forbidden-pairs"), body)
        self.forbidden = pairs

    def _accelerate(self, number: int) -> None:
        """Send the virtual points of the registered players, if they changed. Outside a Swiss, report a remark instead."""
        given = virtual_points(self.hall.trf, self.entered)
        if given == self.given:
            return
        if self.hall.format != "swiss":
            file = self.hall.trf.file
            self.tell(
                say(
                    "{file}: in this format a table determines the pairings; the virtual points are stored, "
                    "but have no effect on pairings",
                    file=file,
                )
            )
        else:
            rows = [{"player": v.player, "first": v.first, "last": v.last, "points": v.points / 2} for v in given]
            self.post(f"virtual points {number}", self.path("virtual-points"), {"given": rows})
        self.given = given

    def _withdraw(self, number: int, bye_kinds: Mapping[tuple[int, int], str]) -> None:
        """Withdraw each player who is absent from this round to the last."""
        for player in self.hall.trf.players:
            if player.id in self.entered - self.left and self.hall.leaves(player, number, bye_kinds):
                self.post(f"withdrawal {player.id}", self.path(f"entries/{player.id}/withdrawal"), {})
                self.left.add(player.id)

    def _grant(self, number: int, bye_kinds: Mapping[tuple[int, int], Any]) -> None:
        """Request the byes of a round, except for players who have a board or the bye of the pairing.

        A blank entry becomes a zero-point bye. Any other pairing-allocated bye becomes a full-point bye.
        """
        allocated = allocated_byes(self.hall.trf, number)
        seated = {*self.hall.free(number), *(p for players in self.hall.lineups(number).values() for p in players)}
        for player in sorted(self.hall.trf.players, key=lambda p: p.id):
            if player.id not in self.entered - self.left:
                continue
            kind = bye_kinds.get((player.id, number))
            entry = player.entry(number)
            if kind is None and entry is None:
                kind = "Z"
            if player.id in seated:
                kind = None
            elif player.id in allocated:
                kind = "F"
            if kind is not None:
                self._bye(player.id, number, kind)

    def _line_up(self, number: int) -> None:
        """Send the line-ups of matches in which a player without an opponent won a board for the team."""
        for team, players in self.hall.lineups(number).items():
            body = {"team": team, "round": number, "players": list(players)}
            self.post(f"line-up {team} {number}", self.path("lineups"), body)

    def _bye(self, player: int, number: int, kind: str) -> None:
        self.post(f"bye {player} {number}", self.path("byes"), {"player": player, "round": number, "kind": kind})

    def _pair(self, number: int) -> None:
        """Pair a round manually as in the file, unless it is already paired.

        If an absolute rule forbids the pairing, report that rule and pair again with an override that names it.
        """
        body: dict[str, Any] = {
            "boards": [{"white": w.id, "black": b.id} for w, b in self.hall.games(number)],
            "reason": AS_PLAYED,
        }
        if free := self.hall.free(number):
            body["bye"] = free[0]
        if number == 1:
            body["initial_colour"] = self.hall.trf.settings.initial_colour or first_colour(self.hall.trf)
        known = self.to.get(f"/v1/tournaments/{self.id}")
        if known.json["round"] >= number:
            return
        step, path = f"round {number}", self.path("rounds")
        try:
            self.post(step, path, body, known.etag)
        except Problem as problem:
            if problem.code != "absolute-rule":
                raise
            overrides = [rule for rule in OVERRIDABLE if re.search(rf"(?<![\w-]){rule}[:：]", problem.detail)]
            waived: dict[str, Any] = {"number": number, "problem": message_of(problem), "names": tuple(overrides)}
            self.tell(say("round {number}: {problem}; imported as played, waiving {names}", **waived))
            self.post(step, path, {**body, "overrides": overrides}, known.etag)

    def _report(self, number: int) -> None:
        points = self.hall.points
        results = []
        for board, (white, black) in enumerate(self.hall.games(number), 1):
            both = marks(self.hall.trf, white, black, number, points)
            if both is not None:
                results.append({"board": board, "result": result(*both, points)})
        if results:
            self.post(f"results {number}", self.path("results"), {"round": number, "results": results})

    def path(self, resource: str) -> str:
        """Return the path of a resource of the new tournament."""
        return f"/v1/tournaments/{self.id}/{resource}"

    def post(self, step: str, path: str, body: Any, if_match: str | None = None, by: Client | None = None) -> None:
        """Send a call with an idempotency key made from its ``step``, so that a second run repeats nothing."""
        self.step = step
        self.before(step)
        key = hashlib.sha256(f"import {self.id} {step}".encode()).hexdigest()
        self.seen = (by or self.to).post(path, body, if_match=if_match, key=key).etag.strip('"') or self.seen
