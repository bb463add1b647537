"""How many rounds there are is announced, and stays."""

import json
from pathlib import Path
from typing import Any

from tests.stories.conftest import Story, T

DOCUMENT = Path(__file__).parents[2] / "deploy" / "openapi" / "arbiter.json"


def test_the_number_of_rounds_is_changed_by_nothing_once_play_began(story: Story) -> None:
    """FIDE's checklist, 57 to 61: neither a second announcement nor other regulations nor a command besides."""
    swiss = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    story.tell("/v1/tournaments", swiss)
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.tell(f"{T}/rounds", {})
    assert story.refused("/v1/tournaments", swiss | {"rounds": 5})[0] == 409
    book = {"regulations": "campus", "reason": "a day more"}
    longer = [{"name": "all", "format": "swiss", "rounds": 5}]
    assert story.refused(f"{T}/regulations", book | {"stages": longer}) == (409, "stage-begun")
    assert story.refused(f"{T}/regulations", book | {"rounds": 5})[0] == 422
    assert story.refused(f"{T}/regulations", book | {"changes": {"rounds": 5}})[0] == 422
    assert story.get(T)["rounds"] == 3

    # and nothing else that is written takes a number of rounds
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    takes = {
        path
        for path, operations in document["paths"].items()
        if "rounds" in _numbers(document, operations.get("post", {}).get("requestBody", {}))
    }
    assert takes == {"/v1/tournaments", "/v1/tournaments/{t}/regulations"}


def _numbers(document: Any, schema: Any, seen: tuple[str, ...] = ()) -> set[str]:
    """The whole numbers that a body of requests takes, at any depth."""
    if isinstance(schema, list):
        return set[str]().union(*(_numbers(document, one, seen) for one in schema))
    if not isinstance(schema, dict):
        return set()
    found = {name for name, one in schema.get("properties", {}).items() if "integer" in str(one.get("type", ""))}
    reference = str(schema.get("$ref", ""))
    if reference and reference not in seen:
        found |= _numbers(document, document["components"]["schemas"][reference.rpartition("/")[2]], (*seen, reference))
    return found | _numbers(document, list(schema.values()), seen)
