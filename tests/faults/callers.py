"""Those who write: entries, rulings, moves and publications, a half of them with keys."""

import http.client
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import chess

from deploy.server.settings import SERVICES
from shared.core.terms import GAMES, PAIRING, PENALTIES, STANDINGS, Role, Source
from shared.http.identity import tokens
from tests.faults.history import LIVES_SECONDS, Entry, History
from tests.log.distributed import until
from tests.offices import everywhere

SEATS = 16
"""Players of a tournament's first round, on half as many boards."""
_SECONDS = 5.0
"""Patience with one call: longer than a service waits for a broker that stands still."""
_AGAIN_SECONDS = 0.25
_REPEAT = 0.1
_UNWRITTEN = {"not-ready", "behind", "ending"}
"""Problems by which a service says that nothing was written."""
_MATCHED = ("publications", "rounds")
_MATCHES = 5
"""Tries of a command that depends on what was seen."""
_ROLES: tuple[Role, ...] = ("chief_arbiter", "arbiter", "board")


class Crashed(AssertionError):
    """A service failed of itself, or gave an answer that no caller deserves."""


class Caller:
    """Sends one command after the other. Without a key it takes an answer that did not come as the end of it; with
    one it asks until it is told."""

    def __init__(self, name: str, rng: Random, address: tuple[str, int], keys: Path, history: History) -> None:
        self.name, self.rng, self._address, self.history = name, rng, address, history
        self.given_up = threading.Event()
        """Set where nothing is waited for any more."""
        self._tokens = {role: tokens.issue(keys, role, name) for role in _ROLES}
        self._connection: http.client.HTTPConnection | None = None
        self._count = 0
        self._there: tuple[str, int] = ("", 0)
        self._boards: dict[str, chess.Board] = {}
        self._acknowledged: list[tuple[Entry, str, Any, Role, str]] = []

    def goes_to(self, t: str, group: int) -> None:
        """Write to a tournament from the next command on; a ``group`` has its own half of the boards."""
        self._there = t, group

    def write(self, stop: threading.Event, rest: float = 0.0) -> None:
        """Write until ``stop``; what has a key is asked for until it is answered.

        ``rest``: the pause between two commands, in seconds. It leaves the processors to services that start.
        """
        while not stop.wait(rest):
            kind = self.rng.random()
            t, group = self._there
            if kind < 0.4:
                self._enters(t)
            elif kind < 0.7:
                self._rules(t)
            elif kind < 0.92:
                self._moves(t, group)
            elif kind < 0.96:
                self._publishes(t)
            else:
                self._oversteps(t)
            if self._acknowledged and self.rng.random() < _REPEAT:
                self._repeats()
        self.close()

    def announces(self, t: str, callers: Sequence[str]) -> None:
        """A tournament of `SEATS` players, all callers in office, its first round paired and known to every service."""
        at, chief = f"/v1/tournaments/{t}", "chief_arbiter"
        cup: dict[str, Any] = {
            "id": t,
            "name": "Cup",
            "game": "chess",
            "format": "swiss",
            "rounds": 9,
            "regulations": "campus",
        }
        cup["officials"] = everywhere(*callers)
        players = [{"name": f"选手 {n}"} for n in range(1, SEATS + 1)]
        boards = [[n, n + 1] for n in range(1, SEATS, 2)]
        for path, body in (
            ("/v1/tournaments", cup),
            (f"{at}/entries", {"players": players}),
            (f"{at}/rounds", {"boards": boards, "reason": "as drawn"}),
        ):
            self.command(f"{path}:{t}", t, PAIRING, path, body, chief, key=True)
            until(lambda: self._call(f"/services/pairing{at}")[0] == 200, "for the tournament")
        for service in SERVICES:
            until(lambda own=f"/services/{service}{at}": b'"round":1,' in self._call(own)[2], "for the first round")

    # ------------------------------------------------------------ what is said

    def _enters(self, t: str) -> None:
        mark = self._mark()
        self.command(mark, t, PAIRING, f"/v1/tournaments/{t}/entries", {"players": [{"name": mark}]}, "chief_arbiter")

    def _rules(self, t: str) -> None:
        mark, player = self._mark(), self.rng.randint(1, SEATS)
        body = {"player": player, "round": 1, "infraction": "misconduct", "note": mark}
        self.command(mark, t, PENALTIES, f"/v1/tournaments/{t}/rulings", body, "arbiter")

    def _moves(self, t: str, group: int) -> None:
        """A legal move on one of its own boards, always with a key: the next depends on it."""
        half = SEATS // 4
        game = f"{t}.1.{group * half + self.rng.randint(1, half)}"
        board = self._boards.setdefault(game, chess.Board())
        if board.is_game_over(claim_draw=True):
            return
        move = self.rng.choice(sorted(board.legal_moves, key=str))
        ply = board.ply() + 1
        body = {"ply": ply, "moves": [move.uci()]}
        self.command(f"{game}/{ply}", t, GAMES, f"/v1/games/{game}/moves", body, "board", key=True, sheet=game)
        board.push(move)

    def _publishes(self, t: str) -> None:
        path = f"/v1/tournaments/{t}/publications"
        self.command(self._mark(), t, STANDINGS, path, {}, "chief_arbiter", key=True)

    def _oversteps(self, t: str) -> None:
        mark = self._mark()
        self.command(mark, t, PAIRING, f"/v1/tournaments/{t}/entries", {"players": [{"name": mark}]}, "board")

    def _repeats(self) -> None:
        """An acknowledged command again: where it is answered, as it was before."""
        entry, path, body, role, key = self.rng.choice(self._acknowledged)
        status, _, said = self._call(path, body, role, {"Idempotency-Key": key, **self._matching(path)})
        if status == 201:
            entry.told.append(said)
            self.history.settle("repeated")
        elif status == 503:
            self.history.settle("repeat refused")
        elif status:
            raise Crashed(f"a repeat of {entry.mark} got {status}: {said!r}")

    def _mark(self) -> str:
        self._count += 1
        return f"{self.name}-{self._there[0]}-{self._count}"

    # ------------------------------------------------------------ one command

    def command(
        self, mark: str, t: str, source: Source, path: str, body: Any, role: Role, *, key: bool | None = None,
        sheet: str | None = None,
    ) -> Entry:  # fmt: skip
        """Send one command, and what became of it; with a key until that is known."""
        stream = f"games/{sheet}" if sheet else f"tournaments/{t}"
        keyed = self.rng.random() < 0.5 if key is None else key
        sent = {"Idempotency-Key": f"{mark}"} if keyed else {}
        entry = self.history.begin(mark, stream, source)
        refusals = 0
        while not entry.ended:
            status, seq, said = self._call(path, body, role, sent | self._matching(path))
            problem = _problem(said) if status >= 400 else ""
            if status == 201:
                entry.seq = None if sheet else seq
                entry.told.append(said)
                self._done(entry, "ok", "ok")
                if keyed:
                    self._acknowledged.append((entry, path, body, role, mark))
            elif status == 412 and refusals < _MATCHES:
                refusals += 1
                self.history.settle("stale")
            elif status in (403, 412):
                self._done(entry, "refused", "refused")
            elif status in (0, 503, 507):
                self._unanswered(entry, problem, keyed)
            else:
                self._done(entry, "unknown", f"status {status}")
                raise Crashed(f"{mark} at {path}: {status} {said!r}")
        return entry

    def _unanswered(self, entry: Entry, problem: str, keyed: bool) -> None:
        if self.history.silent() > 2 * LIVES_SECONDS:
            raise Crashed(f"nothing is acknowledged any more; {entry.mark} got {problem or 'no answer'}")
        if (keyed or problem in _UNWRITTEN) and not self.given_up.wait(_AGAIN_SECONDS):
            self.history.settle(problem or "no answer")
        else:
            self._done(entry, "unknown", problem or "no answer")

    def _done(self, entry: Entry, outcome: Any, answer: str) -> None:
        self.history.end(entry, outcome)
        self.history.settle(answer)

    def _matching(self, path: str) -> dict[str, str]:
        """``If-Match`` where it is required, from what standings shows now."""
        at, _, what = path.rpartition("/")
        return {"If-Match": f'"{self._call(at)[1] or 0}"'} if what in _MATCHED else {}

    def _call(
        self, path: str, body: Any = None, role: Role = "arbiter", more: dict[str, str] | None = None
    ) -> tuple[int, int | None, bytes]:
        """(status, the number in the ETag, content); status 0 where no answer came."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection(*self._address, timeout=_SECONDS)
        headers = {"Authorization": f"Bearer {self._tokens[role]}", "Content-Type": "application/json", **(more or {})}
        method = "GET" if body is None else "POST"
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return 0, None, b""
        tag = answer.headers["ETag"]
        return answer.status, int(tag.strip('"')) if tag else None, said

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _problem(said: bytes) -> str:
    """The last part of a problem's type; a name for what is none."""
    try:
        return str(json.loads(said)["type"]).rpartition(":")[2]
    except (ValueError, KeyError, TypeError):
        return "no problem document"
