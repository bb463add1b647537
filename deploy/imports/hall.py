"""The reports that an arbiter would have sent during a tournament, read from its TRF file."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from deploy.imports.file_event import FileEvent
from services.pairing.announcement.time_schemas import TimeSchema
from shared.core.rulebook.formats import FORMATS, Format
from shared.core.rulebook.regulations import Points, Regulations
from shared.core.rulebook.time_faults import time_faults
from shared.core.rulebook.time_notation import periods_of
from shared.core.state.outcomes import notation_of, stated_mark
from shared.core.terms import Mark, Seconds, TeamConditions, TimeControl
from shared.core.values.bounds import PLACE
from shared.trf.model.model import TrfFile, TrfPlayer
from shared.trf.model.personal import day, stated
from shared.trf.rounds import allocated_byes, boards, byes, format_of, with_points
from shared.trf.teams.matches import alone, matches


@dataclass(frozen=True, slots=True)
class Hall:
    """A file as its hall knows it. ``conditions``: how its teams meet. ``event``: its game and ruleset."""

    trf: TrfFile
    conditions: TeamConditions | None
    event: FileEvent

    @property
    def regulations(self) -> Regulations:
        """The ruleset of the event, with its changed values."""
        return self.event.regulations

    @property
    def ruleset(self) -> dict[str, Any]:
        """The ruleset, for the request that creates the tournament."""
        event = self.event
        body: dict[str, Any] = (
            {"regulations": event.ruleset.name} if event.text is None else {"regulations_file": event.text}
        )
        if event.changes:
            body["changes"] = dict(event.changes)
        return {**body, **({"results_only": True} if event.results_only else {})}

    @property
    def points(self) -> Points:
        """The file's point system."""
        return with_points(self.regulations, dict(self.trf.settings.points)).points

    @property
    def format(self) -> Format:
        """The format that the file names. A round robin with byes that give points, or further rounds, is imported as a Swiss."""
        named, players = format_of(self.trf), len(self.trf.players)
        if self.trf.rounds_recorded > (players - 1 + players % 2) * FORMATS[named].cycles:
            return "swiss"
        scoring = any(e is not None and e.bye in ("U", "F", "H") for p in self.trf.players for e in p.rounds)
        return "swiss" if scoring else named

    @property
    def occasion(self) -> dict[str, str]:
        """Place and days, for the request that creates the tournament.

        An invalid day is omitted, and so is a last day before the first one.
        """
        settings = self.trf.settings
        begins, ends = day(settings.begins), day(settings.ends)
        said = {"place": settings.city[: PLACE.longest], "begins": begins, "ends": ends if begins <= ends else ""}
        return {name: text for name, text in said.items() if text}

    @property
    def time(self) -> dict[str, Any] | None:
        """The time control (222), for the request that creates the tournament, or None if it is missing or unsupported."""
        periods = periods_of(self.trf.settings.time)
        if periods is None:
            return None
        time: dict[str, Any] = {"periods": [asdict(one) for one in periods], "flag": "claimed"}
        control = TimeControl(self.event.game, periods, Seconds(0), Seconds(0), "claimed", "222")
        return None if TimeSchema().validate(time) or any(time_faults(control)) else time

    @property
    def last_round(self) -> int:
        return max(self.trf.settings.rounds, self.trf.rounds_recorded, 1)

    def bye_kinds(self) -> dict[tuple[int, int], str]:
        """Return the kind of each requested bye by player and round. Members of teams have Z instead of a half-point bye."""
        kinds: dict[tuple[int, int], str] = {(p, n): kind for p, n, kind in byes(self.trf)}
        return {at: "Z" if self.conditions and kind == "H" else kind for at, kind in kinds.items()}

    def leaves(self, player: TrfPlayer, number: int, bye_kinds: Mapping[tuple[int, int], str]) -> bool:
        """Whether nothing but absence follows, to the last round: zero-point byes, or blanks in rounds that were paired.

        A zero-point bye in one last round alone is a bye.
        """
        recorded = self.trf.rounds_recorded
        if number > self.last_round or (number > recorded and number == self.last_round):
            return False
        for round in range(number, self.last_round + 1):
            entry, kind = player.entry(round), bye_kinds.get((player.id, round))
            blank = entry is None and kind is None and round <= recorded
            if not blank and kind != "Z":
                return False
        return number < self.last_round or player.entry(number) is None

    def games(self, number: int) -> list[tuple[TrfPlayer, TrfPlayer]]:
        """Return the games of a round. In a team file, games of the same match are adjacent."""
        held = matches(self.trf, number) if self.conditions else None
        return boards(self.trf, number) if held is None else [game for games in held.values() for game in games]

    def seats_nobody(self) -> int | None:
        """Return the first recorded round without a game and without a bye given by the pairing, or None."""
        rounds = range(1, self.trf.rounds_recorded + 1)
        return next((n for n in rounds if not self.games(n) and not self.free(n)), None)

    def free(self, number: int) -> tuple[int, ...]:
        """Return the players with the bye that the pairing gives, or an empty tuple.

        In a team file, these are the line-up of one team. In a Swiss, it is one player. In any other format, it is the only
        player without a game.
        """
        allocated = tuple(allocated_byes(self.trf, number))
        if self.conditions:
            return next((free for free in self._lineups(number) if set(free) == set(allocated)), ())
        if self.format == "swiss":
            return allocated[:1]
        playing = {p.id for game in boards(self.trf, number) for p in game}
        resting = tuple(p.id for p in self.trf.players if p.id not in playing)
        return resting if len(resting) == 1 else ()

    def lineups(self, number: int) -> dict[int, tuple[int, ...]]:
        """Return the players of a round by team, for each match in which only one side has players without an opponent.

        These players come last. A match in which both sides have such players is omitted: no line-ups express it.
        """
        found: dict[int, tuple[int, ...]] = {}
        held = (matches(self.trf, number) if self.conditions else None) or {}
        for pair, games in held.items():
            unopposed = {team: alone(self.trf, team, number) for team in pair}
            if sum(map(bool, unopposed.values())) == 1:
                seated = {
                    team: tuple(p.id for g in games for p in g if self.trf.places[p.id][0] == team) for team in pair
                }
                found |= {team: (*seated[team], *unopposed[team]) for team in pair}
        return found

    def ruling(self, stated: Mapping[str, Any], tournament: str) -> dict[str, Any]:
        """Return the request for a ruling that the file states, with the game of the player in that round."""
        body = dict(stated)
        if body.pop("game", False) and isinstance(round := body.get("round"), int):
            seats = enumerate(self.games(round), 1)
            board = next((n for n, seat in seats if body.get("player") in [p.id for p in seat]), None)
            body |= {} if board is None else {"game": f"{tournament}.{round}.{board}"}
        return body

    def _lineups(self, number: int) -> Iterator[tuple[int, ...]]:
        """Yield for each team its first members with a pairing-allocated bye, up to the number of boards."""
        assert self.conditions is not None
        entries = {p.id: p.entry(number) for p in self.trf.players}
        for team in self.trf.settings.teams:
            there = [m for m in team.members if (e := entries[m]) is not None and e.bye == "U"]
            yield tuple(there[: self.conditions.boards])


def as_entry(player: TrfPlayer) -> dict[str, Any]:
    """Return the JSON object of a player in the request that registers players."""
    entered = {"id": player.id, "name": player.name or f"No. {player.id}"}
    return {**entered, **{k: v for k, v in stated(player).items() if v is not None}}


def result(white: Mark, black: Mark, points: Points) -> Any:
    """Return a result in its notation. Without one, return the points of each side and whether it played."""
    return notation_of(points, white, black) or {"white": stated_mark(white), "black": stated_mark(black)}
