"""A small event of teams played over HTTP: two teams of two, one match, won by the first by 1.5 to 0.5, or drawn."""

from pathlib import Path
from typing import Any

from flask import Flask

from deploy.server import embedded
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits

T = "/v1/tournaments/cup"


def played(data: Path, kind: str = "fixed", tiebreaks: tuple[str, ...] = (), *, drawn: bool = False) -> Flask:
    """The house with tournament ``cup``: team 1 of 11 and 12, team 2 of 21 and 22."""
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    head = {"Authorization": f"Bearer {tokens.issue(data, 'chief_arbiter', 'chief')}"}

    def tell(path: str, json: Any) -> Any:
        client = app.test_client()
        seen = client.get(T).headers.get("ETag")
        answer = client.post(path, json=json, headers=head | ({"If-Match": seen} if seen else {}))
        assert answer.status_code == 201, answer.text
        return answer.get_json()

    cup = {"id": "cup", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 1, "regulations": "xiangqi-1999"}
    team = {"kind": kind, "boards": 2}
    tell("/v1/tournaments", cup | {"conditions": {"team": team}, "tiebreaks": list(tiebreaks)})
    tell(f"{T}/entries", {"players": [{"id": p, "name": f"选手 {p}", "rating": 2400 - p} for p in (11, 12, 21, 22)]})
    teams = [{"name": "=红队", "members": [11, 12]}, {"name": "黑队", "members": [21, 22]}]
    tell(f"{T}/teams", {"teams": teams})
    paired = tell(f"{T}/rounds", {})
    results = [
        {
            "board": b["board"],
            "result": "1/2-1/2" if drawn or b["board"] == 2 else "1-0" if b["white"] < b["black"] else "0-1",
        }
        for b in paired["boards"]
    ]
    tell(f"{T}/results", {"round": 1, "results": results})
    return app
