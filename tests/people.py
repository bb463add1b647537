"""Two small chess events that share players with FIDE IDs, played over HTTP, for tests of people across tournaments.

Event ``a`` (final): Anna beats Berta and Cleo, who draw. Event ``b`` (in progress): Berta beats Anna; Dora has no FIDE ID.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask import Flask

from deploy.server import embedded
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call, calls_on

FIDE_IDS = {"Anna": "8603677", "Berta": "1503014", "Cleo": "4100018"}
DAYS = {"a": {"begins": "2026-03-07", "ends": "2026-03-08"}, "b": {"begins": "2026-05-01"}}


class PeopleHall:
    """The officials of both events, in a folder with an embedded server."""

    def __init__(self, data: Path, visible: str = "public") -> None:
        self.data = data
        with patch.dict(os.environ, ARBITER_PEOPLE=visible):
            self.app: Flask = embedded.make_app(data, Limits(rate=0, reads=0))
        self.call: Call = calls_on(self.app, data, "chief_arbiter")

    def tell(self, path: str, body: Any = None, method: str = "POST", **options: Any) -> Any:
        """Send a command that is accepted."""
        tournament = "/".join(path.split("/")[:4])
        seen = self.call("GET", tournament).headers.get("ETag")
        answer = self.call(method, path, body, **options, **({"If_Match": seen} if seen else {}))
        assert answer.status_code in (200, 201), answer.text
        return answer.json

    def get(self, path: str, role: Any = None, status: int = 200) -> Any:
        """Read as a caller without a token, or in a role."""
        answer = self.call("GET", path, role=role)
        assert answer.status_code == status, answer.text
        return answer.json

    def begin(self, t: str, *players: str, rounds: int = 3, **more: Any) -> None:
        """Create an event, and enter these players by name, numbered from 1."""
        event = {"id": t, "name": f"Event {t}", "game": "chess", "format": "swiss", "rounds": rounds}
        self.tell("/v1/tournaments", event | {"regulations": "fide-2026"} | DAYS.get(t, {}) | more)
        entries = [
            {"id": n, "name": name, "rating": 2000 + n} | ({"fide_id": FIDE_IDS[name]} if name in FIDE_IDS else {})
            for n, name in enumerate(players, 1)
        ]
        if entries:
            self.tell(f"/v1/tournaments/{t}/entries", {"players": entries})

    def play(self, t: str, round: int, white: int, black: int, result: str, bye: int | None = None) -> None:
        """Pair a round of one board, and report its result."""
        paired: dict[str, Any] = {"boards": [[white, black]], "reason": "as drawn"}
        self.tell(f"/v1/tournaments/{t}/rounds", paired | ({} if bye is None else {"bye": bye}))
        self.report(t, round, result)

    def report(self, t: str, round: int, result: str) -> None:
        self.tell(f"/v1/tournaments/{t}/results", {"round": round, "results": [{"board": 1, "result": result}]})

    def person(self, name: str) -> str:
        """Return the ID by which a player is known, as officials look it up."""
        (found,) = self.get(f"/v1/people?fide_id={FIDE_IDS[name]}", "organiser")["people"]
        person: str = found["person"]
        return person


def play_both(hall: PeopleHall) -> None:
    """Play event ``a`` to its final table, and the first round of event ``b``."""
    hall.begin("a", "Anna", "Berta", "Cleo")
    hall.play("a", 1, 1, 2, "1-0", bye=3)
    hall.play("a", 2, 3, 1, "0-1", bye=2)
    hall.play("a", 3, 2, 3, "1/2-1/2", bye=1)
    hall.tell("/v1/tournaments/a/publications", {"final": True})
    hall.begin("b", "Berta", "Anna", "Dora")
    hall.play("b", 1, 1, 2, "1-0", bye=3)


Play = Callable[[PeopleHall], None]
