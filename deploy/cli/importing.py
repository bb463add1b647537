"""``arbiter import``: a file played into a tournament, call by call, as if the hall had reported it."""

import hashlib
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from deploy.cli.common import Failure, data_option, read_trf, told
from deploy.cli.http import Answer, Caller, Remote
from services.games.rules.marks import notation_of
from services.pairing.rules.absolute import OVERRIDABLE
from services.standings.formats.trf import TrfFile, TrfPlayer
from services.standings.formats.trf_tournament import (
    REGULATIONS,
    allocated_byes,
    boards,
    byes,
    first_colour,
    marks,
    title,
    with_points,
)
from services.standings.rules.tiebreaks import NAMES as TIEBREAKS
from shared.regulations import load
from shared.terms import Mark, Points

DATA = Path("data")
AS_PLAYED = "as played in the file"
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
PATIENCE = 10
"""Times a call is made that the server asks to make later."""
BATCH = 200
"""Entries a call: well below the size of a body."""


@click.command("import")
@click.argument("file", metavar="FILE.trf")
@data_option
@click.option("--url", help="A running server, instead of a data folder.")
@click.option("--token", envvar="ARBITER_TOKEN", help="A chief arbiter's token for --url (or ARBITER_TOKEN).")
@click.option("--id", "tournament", help="The tournament's id; else made from the file's name.")
def import_(file: str, data: Path | None, url: str | None, token: str | None, tournament: str | None) -> int:
    """Play a TRF file into a tournament: entries, rounds, byes, results, forfeits, withdrawals.

    Run again, it goes on where it stopped.
    """
    if data is not None and url is not None:
        raise click.UsageError("--data and --url exclude each other")
    trf = read_trf(file)
    chosen = tournament or _id_of(file)
    if not ID.fullmatch(chosen):
        raise click.UsageError(f"{chosen!r} is no id of a tournament (letters, digits, . _ -, at most 64)")
    if with_points(load(REGULATIONS), dict(trf.settings.points)).points != load(REGULATIONS).points:
        raise Failure(f"{trf.file}: its point system is not that of the regulations {REGULATIONS}", 1)
    with caller(data, url, token) as to:
        Import(trf, chosen, to).run()
    told(f"{chosen}: {len(trf.players)} players, {trf.rounds_recorded} rounds")
    return 0


@contextmanager
def caller(data: Path | None, url: str | None, token: str | None) -> Iterator[Caller]:
    """Whoever makes the calls: a client of the server at ``url``, or of the embedded application."""
    if url is not None:
        yield Remote(url, token)
        return
    from deploy.cli.embedded import local

    with local(data or DATA, "import") as client:
        yield client


def _id_of(file: str) -> str:
    stem = "import" if file == "-" else Path(file).stem
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).lstrip("._-")[:64] or "import"


@dataclass(slots=True)
class Import:
    """One file on its way into a tournament. ``left``: players withdrawn so far."""

    trf: TrfFile
    id: str
    to: Caller
    left: set[int] = field(default_factory=set)

    def run(self) -> None:
        """Everything, in the hall's order. A refusal ends it with exit code 1."""
        self._announce()
        self._enter()
        asked = {(p, n): kind for p, n, kind in byes(self.trf)}
        for number in range(1, self.trf.rounds_recorded + 1):
            self._withdraw(number)
            self._grant(number, asked)
            self._pair(number)
            self._report(number)
            told(f"round {number}: {len(boards(self.trf, number))} boards")
        for (player, number), kind in asked.items():
            if number > self.trf.rounds_recorded and player not in self.left:
                self._bye(player, number, kind)

    def _announce(self) -> None:
        settings = self.trf.settings
        body: dict[str, Any] = {
            "id": self.id,
            "name": settings.name or self.id,
            "game": "chess",
            "format": "swiss",
            "rounds": max(settings.rounds, self.trf.rounds_recorded, 1),
            "regulations": REGULATIONS,
        }
        if settings.tiebreaks and all(n in TIEBREAKS for n in settings.tiebreaks):
            body["tiebreaks"] = list(settings.tiebreaks)
        elif settings.tiebreaks:
            told(f"{self.trf.file}:{settings.tiebreaks_line}: its tie-breaks are not known here; the regulations' hold")
        self._post("announce", "/v1/tournaments", body)

    def _enter(self) -> None:
        players = [_entry(p) for p in sorted(self.trf.players, key=lambda p: p.id)]
        for n in range(0, len(players), BATCH):
            self._post(f"entries {n}", self._path("entries"), {"players": players[n : n + BATCH]})

    def _withdraw(self, number: int) -> None:
        """Who is blank from this round on, or absent to the end for more than one round, has left."""
        for player in self.trf.players:
            if player.id not in self.left and _leaves(player, number, self.trf.rounds_recorded):
                self._post(f"withdrawal {player.id}", self._path(f"entries/{player.id}/withdrawal"), {})
                self.left.add(player.id)

    def _grant(self, number: int, asked: dict[tuple[int, int], Any]) -> None:
        """Byes asked for; a blank is an absence, and a second pairing-allocated bye one of a full point."""
        for player in sorted(self.trf.players, key=lambda p: p.id):
            if player.id in self.left:
                continue
            kind = asked.get((player.id, number))
            entry = player.entry(number)
            if kind is None and entry is None:
                kind = "Z"
            if player.id in allocated_byes(self.trf, number)[1:]:
                kind = "F"
            if kind is not None:
                self._bye(player.id, number, kind)

    def _bye(self, player: int, number: int, kind: str) -> None:
        body = {"player": player, "round": number, "kind": kind}
        self._post(f"bye {player} {number}", self._path("byes"), body)

    def _pair(self, number: int) -> None:
        """A manual pairing; where an absolute rule stands against it, said so, and set aside by name."""
        body: dict[str, Any] = {
            "boards": [{"white": w.id, "black": b.id} for w, b in boards(self.trf, number)],
            "reason": AS_PLAYED,
        }
        allocated = allocated_byes(self.trf, number)[:1]
        if allocated:
            body["bye"] = allocated[0]
        if number == 1:
            body["initial_colour"] = self.trf.settings.initial_colour or first_colour(self.trf)
        known = self.to.call("GET", f"/v1/tournaments/{self.id}")
        if known.json.get("round", 0) >= number:
            return
        seen = {"If-Match": known.headers.get("etag", "")}
        answer = self._call(f"round {number}", self._path("rounds"), body, seen)
        if answer.status == 409 and answer.json.get("type", "").endswith(":absolute-rule"):
            overrides = [rule for rule in OVERRIDABLE if f"{rule}: " in answer.json.get("detail", "")]
            told(f"round {number}: {answer.problem}; paired as played, setting aside {', '.join(overrides)}")
            answer = self._call(f"round {number}", self._path("rounds"), {**body, "overrides": overrides}, seen)
        self._expect(f"round {number}", answer)

    def _report(self, number: int) -> None:
        points = load(REGULATIONS).points
        results = []
        for board, (white, black) in enumerate(boards(self.trf, number), 1):
            both = marks(self.trf, white, black, number, points)
            if both is not None:
                results.append({"board": board, "result": result(*both, points)})
        if results:
            self._post(f"results {number}", self._path("results"), {"round": number, "results": results})

    def _path(self, resource: str) -> str:
        return f"/v1/tournaments/{self.id}/{resource}"

    def _post(self, step: str, path: str, body: Any) -> None:
        self._expect(step, self._call(step, path, body))

    def _call(self, step: str, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """One call under a key of its own, so that a second run repeats nothing; waits where it is told to."""
        key = hashlib.sha256(f"import {self.id} {step}".encode()).hexdigest()
        for _ in range(PATIENCE):
            answer = self.to.call("POST", path, body, {"Idempotency-Key": key, **(headers or {})})
            if answer.status not in (429, 503):
                break
            time.sleep(float(answer.headers.get("retry-after", "1")))
        return answer

    def _expect(self, step: str, answer: Answer) -> None:
        if answer.status not in (200, 201):
            code = 1 if answer.status in (403, 404, 409, 422) else 2
            raise Failure(f"{self.trf.file}: {step}: {answer.problem}", code)


def _entry(player: TrfPlayer) -> dict[str, Any]:
    optional = {"rating": player.rating, "title": title(player), "federation": player.federation or None}
    entered = {"id": player.id, "name": player.name or f"No. {player.id}"}
    return {**entered, **{k: v for k, v in optional.items() if v is not None}}


def _leaves(player: TrfPlayer, number: int, last: int) -> bool:
    """Whether nothing but absence follows: blanks, or zero-point byes in more than one round."""
    rest = [player.entry(n) for n in range(number, last + 1)]
    absent = all(e is None or e.bye == "Z" for e in rest) and all(e is None for e in player.rounds[last:])
    return absent and (len(rest) > 1 or rest[0] is None)


def result(white: Mark, black: Mark, points: Points) -> Any:
    """A result as the hall writes it; two marks where no sign says it."""
    return notation_of(points, white, black) or {"white": _mark(white), "black": _mark(black)}


def _mark(mark: Mark) -> dict[str, Any]:
    return {"points": mark.points / 2, "played": mark.played}
