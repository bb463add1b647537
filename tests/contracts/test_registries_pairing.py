"""Every row of the registries of pairing: a format is announced, paired to its end, shown and audited, an engine at hand."""

from pathlib import Path
from typing import Any, get_args

import pytest

from services.pairing.rules.engines.registry import unavailable
from services.pairing.rules.formats.registry import PAIRED_FORMATS, no_plan
from services.standings.queries import Tables, table
from services.standings.rules.explanation import explanation
from shared import regulations
from shared.core.rulebook.formats import FORMATS, Format
from shared.core.terms import Conditions
from tests.pairings.tournament import KINDS
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded

# ---------------------------------------------------------------- formats

ROOT = Path(__file__).parents[2]
ANNOUNCED: dict[Format, dict[str, Any]] = {
    "swiss": {"rounds": 3},
    "round_robin": {},
    "double_round_robin": {},
    "groups": {"conditions": {"groups": 2, "qualifiers": 2, "carried": True}},
    "knockout": {"conditions": {"places": True}},
    "double_knockout": {},
    "match": {"conditions": {"games": 2, "extra": 1}},
    "manual": {"rounds": 2},
    "teams": {"rounds": 2, "conditions": {"team": {"kind": "fixed", "boards": 2}}},
}
"""What an announcement of each format says, beside its name."""
PLAYERS: dict[Format, int] = {"match": 2, "double_round_robin": 4}
MOST_ROUNDS = 20


def test_every_format_has_a_row_in_each_table():
    assert set(get_args(Format)) == set(FORMATS) == set(PAIRED_FORMATS) == set(ANNOUNCED)


def test_every_format_that_is_paired_here_is_simulated_and_judged():
    assert {kind.format for kind in KINDS} == {f for f, row in PAIRED_FORMATS.items() if row.plan is not no_plan}


def test_the_page_of_pairing_tells_of_every_format():
    page = (ROOT / "services/pairing/README.md").read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"`{name}`" not in page] == []


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_is_announced_paired_to_its_end_shown_and_audited(format: Format, tmp_path: Path) -> None:
    story = Story(Embedded(tmp_path))
    try:
        _announce(story, format)
        kept, rounds = Tables(), list[Any]()
        while (paired := _next_round(story, len(rounds) + 1)) is not None:
            rounds.append(paired)
            assert len(rounds) < MOST_ROUNDS, "it never ends"
            _report(story, paired)
            _same_as_by_replay(story, kept)
        _shown(story, rounds)
        report = story.audited()
        assert report.findings == []
        assert (report.unchecked, report.uncovered) == ({}, 0)
        assert report.decided == report.size > 0
    finally:
        story.hall.close()


def _announce(story: Story, format: Format) -> None:
    said = {"id": "T", "name": f"Cup {format}", "game": "xiangqi", "format": format, "regulations": "campus"}
    story.tell("/v1/tournaments", said | ANNOUNCED[format])
    players = range(1, PLAYERS.get(format, 8) + 1)
    entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in players]
    story.tell(f"{T}/entries", {"players": entered})
    if format == "teams":
        teams = [{"name": f"{n} 队", "members": [n, n + 4]} for n in range(1, 5)]
        story.tell(f"{T}/teams", {"teams": teams})


def _next_round(story: Story, number: int) -> Any:
    """The next round as its format pairs it; by hand, after a publication or by lots where it asks for that."""
    for _ in range(4):
        status, code, answer = _asked_for_a_round(story)
        if status == 201:
            return answer
        if code == "no-round-left":
            return None
        if code == "no-engine":
            whites = (1, 2, 3, 4) if number % 2 else (2, 3, 4, 1)
            boards = [[white, black] for white, black in zip(whites, (5, 6, 7, 8), strict=True)]
            return story.tell(f"{T}/rounds", {"boards": boards, "reason": "this is paired by hand"})
        if code == "standings-not-published":
            story.tell(f"{T}/publications", {}, "organiser")
        elif code == "match-drawn":
            story.tell(f"{T}/lots", {"match": 1})
    return pytest.fail(f"no round: {status} {code}")


def _asked_for_a_round(story: Story) -> tuple[int, str, Any]:
    answer = story.ask("POST", f"{T}/rounds", {}, "chief_arbiter", If_Match=f'"{story.seq}"')
    if answer.status_code != 201:
        return answer.status_code, answer.json["type"].rpartition(":")[2], None
    story.seq = int(answer.headers["ETag"].strip('"'))
    return 201, "", answer.get_json()


def _report(story: Story, paired: Any) -> None:
    """The smaller number wins, but the first game of a match of two is drawn, and so are the others."""
    pair = len(paired["boards"]) == 1 and bool(paired["matches"]) and paired["matches"][0]["match"] == 1
    results = [
        {"board": b["board"], "result": "1/2-1/2" if pair else "1-0" if b["white"] < b["black"] else "0-1"}
        for b in paired["boards"]
    ]
    story.tell(f"{T}/results", {"round": paired["round"], "results": results}, "arbiter")


def _same_as_by_replay(story: Story, kept: Tables) -> None:
    """The table brought up to date line by line is the one made anew."""
    view = story.hall.desk.view("T")  # type: ignore[attr-defined]
    now, anew = kept.table(view, None, None, None), table(view)
    assert [(r.player, r.rank, r.points, r.values) for r in now.rows] == [
        (r.player, r.rank, r.points, r.values) for r in anew.rows
    ]
    assert [explanation(now, r.player) for r in now.rows] == [explanation(anew, r.player) for r in anew.rows]


def _shown(story: Story, rounds: list[Any]) -> None:
    page, announced = story.get("/t/T"), story.get(T)
    assert rounds
    assert announced["name"] in page
    for paired in rounds:
        shown = story.get(f"{T}/rounds/{paired['round']}")
        assert (shown["boards"], shown["stage"]) == (paired["boards"], paired["stage"])
    assert all(board["game"] in page for board in rounds[-1]["boards"]), "the round paired last stands on the page"


# ---------------------------------------------------------------- engines


@pytest.mark.parametrize("name", regulations.names())
def test_the_engine_that_regulations_name_is_at_hand(name: str):
    book = regulations.load(name)
    engine = PAIRED_FORMATS["swiss"].engine(book, Conditions())
    assert engine.name == book.pairing.engine
    assert unavailable(engine) is None
