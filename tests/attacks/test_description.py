"""The served house against its own description: nothing that can be asked for is 5xx or answered otherwise than described.

Some ten thousand requests, which takes its time: every operation at the edges of its schema, at random, and in sequences.
"""

import os
import subprocess
import sys
from pathlib import Path

from shared.http.identity import tokens
from tests.attacks.serving import ROOT, serving
from tests.attacks.strangers import ask

FOLDER = Path(__file__).parent
HOUSE = "SCHEMATHESIS_HOUSE"
"""The environment variable by which the hooks know the house that is asked, ``host:port``."""
EXAMPLES = os.environ.get("ARBITER_FUZZING", "2")
"""Random requests to each route: more by `make campaign NAME=fuzzing N=1000`."""
SEED = os.environ.get("ARBITER_SEED", "7")
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}


def test_nothing_that_can_be_asked_for_is_answered_otherwise_than_described(tmp_path):
    tokens.ensure_keys(tmp_path)
    token = tokens.issue(tmp_path, "chief_arbiter", "li.wei")
    with serving(tmp_path, ARBITER_RATE="0", ARBITER_READS="0") as address:
        begin(address, {"Authorization": f"Bearer {token}"})
        command = [
            str(Path(sys.executable).parent / "schemathesis"),
            *("--config-file", str(FOLDER / "schemathesis.toml")),
            *("run", f"http://{address[0]}:{address[1]}/v1/openapi.json", "-H", f"Authorization: Bearer {token}"),
            *(
                "--phases",
                "coverage,fuzzing,stateful",
                "--max-examples",
                EXAMPLES,
                "--seed",
                SEED,
                "--generation-deterministic",
            ),
            *(
                "--request-timeout",
                "60",
                "--continue-on-failure",
                "--no-color",
                "--warnings",
                "off",
                "--suppress-health-check",
                "all",
            ),
        ]
        environment = os.environ | {
            "SCHEMATHESIS_HOOKS": "tests.attacks.schemathesis_hooks",
            HOUSE: f"{address[0]}:{address[1]}",
            "PYTHONPATH": str(ROOT),
        }
        ended = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600 * int(EXAMPLES),
        )
        assert ended.returncode == 0, ended.stdout[-6000:]
        assert ask(address, "GET", "/healthz")[0] == 200
    assert b'"crash"' not in (tmp_path / "stderr").read_bytes()


def begin(address: tuple[str, int], chief: dict[str, str]) -> None:
    """A round that is being played, with one result and one ruling."""

    def write(path: str, body: object, **headers: str) -> None:
        status, _, content, _ = ask(address, "POST", f"/v1/tournaments{path}", body, **chief, **headers)
        assert status == 201, content

    write("", CUP)
    write("/T/entries", {"players": [{"name": f"p{n}"} for n in range(8)]})
    write("/T/rounds", {}, If_Match=ask(address, "GET", "/v1/tournaments/T")[1]["ETag"])
    write("/T/results", {"round": 1, "results": [{"board": 2, "result": "1-0"}]})
    write("/T/rulings", {"player": 1, "round": 1, "infraction": "foul"})
