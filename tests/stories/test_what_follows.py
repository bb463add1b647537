"""What follows from a command stands in its answer: in one house at once, apart as soon as the others have decided it."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded, Hall
from tests.stories.rebuilt import rebuild

CLAIM = {"claim": "threefold_repetition", "side": "white", "move": "Nc3"}


def began(story: Story, regulations: str = "campus") -> None:
    """A round of chess is paired, and its first game has begun."""
    story.announced(game="chess", regulations=regulations)
    story.paired([1, 2], [3, 4])
    story.tell("/v1/games/T.1.1/moves", {"ply": 1, "moves": ["g1f3", "g8f6", "f3g1", "f6g8"]}, "board")


def types(lines: list[Any]) -> list[str]:
    return [line["type"].removeprefix("arbiter.") for line in lines]


def at(story: Story, path: str) -> Any:
    """What stands at a link of an answer."""
    return story.get(path)


def test_the_answer_of_a_claim_holds_the_ruling_that_follows_and_a_link_to_all_of_it(story: Story) -> None:
    """000-A 国际象棋, 对局结束 13(2): a wrong claim of a draw costs five minutes."""
    began(story)
    # when a claim is wrong
    claim = story.tell("/v1/games/T.1.1/claims", CLAIM, "board")
    # then the answer tells what penalties made of the finding
    assert types(claim["events"])[-1] == "finding.made.v3"
    assert types(claim["consequences"]) == ["finding.answered.v1", "ruling.made.v2"]
    assert claim["rulings"] == ["r2"] == story.standing()
    # and its link has the same lines, each with its command and its place
    told = at(story, claim["follows"])
    assert [line["event"] for line in told["events"]] == [claim["events"][-1], *claim["consequences"]]
    assert [line["command"] for line in told["events"]] == [line["event"]["causationid"] for line in told["events"]]
    assert len({line["command"] for line in told["events"]}) == 2
    assert (told["rulings"], told["open"]) == (["r2"], 0)
    assert told["sheets"] == [{"game": "T.1.1", "lines": [5, 6], "sheet": "/v1/games/T.1.1/sheet"}]
    # and who answered without a person has a link of its own
    answered = at(story, f"{T}/commands/{told['events'][-1]['command']}")
    assert types([line["event"] for line in answered["events"]]) == ["finding.answered.v1", "ruling.made.v2"]


def test_the_answer_is_at_the_line_that_it_tells_last(story: Story) -> None:
    began(story)
    story.tell("/v1/games/T.1.1/claims", CLAIM, "board")
    # what was answered was seen: a decision on what was seen is taken
    story.hall.settled()
    assert story.seq == len(story.hall.lines("T"))
    assert at(story, f"{T}/standings")["seq"] == story.seq


def test_an_expulsion_is_followed_by_the_withdrawal_and_its_annulment_by_the_return(story: Story) -> None:
    """18.3: 除名 is a withdrawal."""
    story.announced()
    story.paired([1, 2], [3, 4])
    expelled = story.tell(f"{T}/rulings", expulsion(story), "organiser")
    assert types(expelled["consequences"]) == ["player.withdrew.v2"]
    assert expelled["consequences"][0]["data"]["ruling"] == expelled["ruling"]
    assert expelled["rulings"] == expelled["brought"] == []
    annulled = story.tell(f"{T}/rulings/{expelled['ruling']}/annulment", {"reason": "it was another"}, "appeals")
    assert types(annulled["consequences"]) == ["player.returned.v1"]
    # each is listed where it came from, and nowhere else
    for answer in (expelled, annulled):
        told = at(story, answer["follows"])
        assert [line["event"] for line in told["events"]] == [*answer["events"], *answer["consequences"]]


def test_what_brings_nothing_says_so_and_a_sheets_line_has_its_link_too(story: Story) -> None:
    began(story)
    moved = story.tell("/v1/games/T.1.1/moves", {"ply": 5, "moves": ["e4"]}, "board")
    assert (moved["rulings"], moved["consequences"]) == ([], [])
    told = at(story, moved["follows"])
    assert (told["events"], told["rulings"], told["open"]) == ([], [], 0)
    assert told["sheets"] == [{"game": "T.1.1", "lines": [5], "sheet": "/v1/games/T.1.1/sheet"}]
    # nothing is written twice, so nothing can follow from it
    again = story.tell("/v1/games/T.1.1/moves", {"ply": 5, "moves": ["e4"]}, "board")
    assert "follows" not in again


def test_a_command_that_is_none_is_unknown_and_one_is_unknown_before_it_was_given(story: Story) -> None:
    began(story)
    foul = story.foul(1)
    for path in (f"{T}/commands/nobody", f"{foul['follows']}?at={story.seq - 1}"):
        story.near("GET", path)
        answer = story.ask("GET", path)
        assert (answer.status_code, answer.json["type"]) == (404, "urn:arbiter:problem:unknown-command")
    assert story.ask("GET", f"{foul['follows']}?after={story.seq + 1}").status_code == 503
    assert at(story, f"{foul['follows']}?after={story.seq}")["rulings"] == []


@pytest.mark.parametrize("path", [f"{T}/results", f"{T}/rulings", f"{T}/arrivals"])
def test_a_repeated_key_gets_the_same_answer_with_all_that_follows(story: Story, path: str) -> None:
    began(story)
    body = {
        f"{T}/results": {"round": 1, "results": [{"board": 2, "result": "1-0"}]},
        f"{T}/rulings": {"player": 1, "round": 1, "infraction": "violation"},
        f"{T}/arrivals": {"player": 3, "round": 1, "absent": True},
    }[path]
    story.near("POST", path)
    first, again = (story.ask("POST", path, body, "chief_arbiter", Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, again.data) == (201, first.data)
    assert again.headers["ETag"] == first.headers["ETag"]
    assert first.json["rulings"] == (["r2"] if path.endswith("arrivals") else [])


def test_the_repeat_of_a_claim_tells_what_came_of_it(story: Story) -> None:
    began(story)
    story.near("POST", "/v1/games/T.1.1/claims")
    first, again = (story.ask("POST", "/v1/games/T.1.1/claims", CLAIM, "board", Idempotency_Key="k") for _ in range(2))
    assert (first.json["rulings"], again.data) == (["r2"], first.data)
    assert (again.headers["ETag"], again.headers["Arbiter-Checkpoint"]) == (
        first.headers["ETag"],
        first.headers["Arbiter-Checkpoint"],
    )


@pytest.mark.parametrize("hall", ["embedded"], indirect=True)
@pytest.mark.parametrize("kept", [True, False])
def test_a_house_that_was_closed_gives_the_same_answer_also_where_it_was_not_kept(
    story: Story, hall: Hall, tmp_path: Path, kept: bool
) -> None:
    began(story)
    first = story.ask("POST", "/v1/games/T.1.1/claims", CLAIM, "board", Idempotency_Key="k")
    assert first.json["rulings"] == ["r2"]
    # given another house on the same file, or on one restored from its lines
    folder = tmp_path / "again"
    if kept:
        hall.close()
        shutil.copytree(tmp_path, folder)
    else:
        lines = [*(line for sheet in hall.sheets("T").values() for line in sheet), *hall.lines("T")]
        rebuild(folder, lines, [])
        for key in ("arbiter.key", "token.key"):
            shutil.copy(tmp_path / key, folder / key)
        shutil.copytree(tmp_path / "keys", folder / "keys")
    house = Embedded(folder)
    # when the claim comes again
    again = Story(house).ask("POST", "/v1/games/T.1.1/claims", CLAIM, "board", Idempotency_Key="k")
    written = house.lines("T")
    house.close()
    # then its answer is the first one, and nothing is written
    assert (again.status_code, again.json, again.headers["ETag"]) == (201, first.json, first.headers["ETag"])
    assert not kept or again.data == first.data
    assert f'"{len(written)}"' == first.headers["ETag"]


def expulsion(story: Story) -> dict[str, Any]:
    """An infraction whose effect the rulebook leaves to the authority, with the gravest."""
    rows = story.get(f"{T}/rulebook")["rulebook"]["infractions"]
    free = next(row["name"] for row in rows if row["effect"] is None)
    return {"player": 2, "round": 1, "infraction": free, "effect": {"kind": "expel"}}
