"""A house that keeps back the last answers of its rulebook: the audit names what its log still calls for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.cli.main import run
from tests.attacks.forger import Forgery
from tests.attacks.logs import log_of
from tests.stories.conftest import Story, T
from tests.stories.test_facts import begun, tell
from tests.stories.test_facts_checked import XIANGQI, fed

PAGE = Path(__file__).parents[2] / "deploy" / "docs" / "auditor.md"


def contradicted(story: Story) -> None:
    """A ruling that the score sheet contradicts, and the check that says so."""
    begun(story, "xiangqi-1999", "xiangqi")
    fed(story, *XIANGQI)
    tell(story, 1, "missing_records", facts={"missed_in_a_row": 4, "seconds_left": 200}, ply=3)


def expelled(story: Story) -> None:
    """A player who is expelled, and withdrawn for it."""
    begun(story, "campus", "xiangqi")
    body = {"player": 4, "round": 1, "infraction": "grave_misconduct", "effect": {"kind": "expel"}}
    story.tell(f"{T}/rulings", body, "organiser")


def pardoned(story: Story) -> None:
    """One who was expelled and returns, since the ruling was annulled."""
    expelled(story)
    story.annul("r1")


def found(story: Story) -> None:
    """A wrong claim on a score sheet: a finding, and what it brings."""
    story.announced(game="chess", regulations="fide-2026")
    story.paired([1, 2], [3, 4])
    story.tell("/v1/games/T.1.1/start", {}, "arbiter")
    story.tell("/v1/games/T.1.1/claims", {"claim": "threefold_repetition", "side": "white"}, "board")


@pytest.mark.parametrize(
    ("played", "kept_back", "what"),
    [
        (
            contradicted,
            "arbiter.facts.checked.v",
            "the log does not record whether the score sheet of T.1.1 contradicts r1",
        ),
        (expelled, "arbiter.player.withdrew.v", "r1 expels player 4, but the withdrawal is missing"),
        (
            pardoned,
            "arbiter.player.returned.v",
            "the expulsion of player 4 has lapsed, but the withdrawal is still in force",
        ),
        (found, "arbiter.finding.answered.v", "finding f2 was not answered"),
    ],
)
def test_what_the_log_calls_for_at_its_end_is_named(played: Callable[[Story], None], kept_back: str, what: str) -> None:
    def answered(story: Story) -> None:
        played(story)
        story.until(lambda: any(f'"{kept_back}'.encode() in line for line in story.hall.lines("T")))

    forgery = Forgery(log_of(answered))
    assert not due(forgery), "the house has answered all"

    first = next(n for n, line in enumerate(forgery.lines) if line["type"].startswith(kept_back))
    assert all(line["role"] == "rulebook" for line in forgery.lines[first:])
    del forgery.lines[first:]
    report = forgery.report()
    assert report.verdict == "agrees" and report.exit_code(strict=True) == 1
    assert due(forgery) == [f"missing at the end of the log: {what}"]
    assert any(what in told for told in report.answer().remarks)


def test_the_command_reports_due_penalties_as_the_page_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "penalties still due at the end of the log. With `--strict`, a remark makes the audit fail."
    assert said in PAGE.read_text(encoding="utf-8")
    forgery, log = Forgery(log_of(expelled)), tmp_path / "log.ndjson"
    while forgery.lines[-1]["type"].startswith("arbiter.player.withdrew.v"):
        forgery.lines.pop()
    log.write_bytes(b"".join(line + b"\n" for line in forgery._made()[0]))
    assert run(["verify", str(log)]) == 0
    assert "missing at the end of the log: r1 expels player 4, but the withdrawal is missing" in capsys.readouterr().out
    assert run(["verify", str(log), "--strict"]) == 1


def due(forgery: Forgery) -> list[str]:
    return [str(why) for why in forgery.report().remarks if why.text.startswith("missing ")]
