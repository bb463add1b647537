"""Plays and exports the golden set with ``decisions: 2``, once: ``python -m tests.golden.play_second``.

It plays the tournaments of `tests.golden.stories`, two imported files, stories of ``tests/stories``, and random histories of
each format. The exported files never change.
"""

import io
import json
import os
import tarfile
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from deploy.cli.client import clients
from services.pairing.rules.commands import AnnounceTournament, EnterPlayers, Entry, ReturnPlayer
from services.penalties.rules.commands import MakeRuling
from services.standings.files.archive import contents as c
from shared.audit.report import Report
from shared.client import Client
from shared.core.events import Effect
from shared.core.rulebook.formats import Format
from shared.core.terms import PAIRING, PENALTIES, SOURCES, Actor, Conditions, PlayerId, Role, Source
from shared.desk.desk import DeskError
from shared.regulations import load
from tests.golden import recorded
from tests.golden.stories import FORMATS, STAGES, TEAMS
from tests.golden.stories_of_games import GAMES, HALL, REMOVALS
from tests.golden.teller import CALLERS, Teller
from tests.histories import APPEALS, ARBITER, CHIEF, NAME, SOMEBODY, step
from tests.offices import appointing
from tests.random_trf import random_round_robin, random_trf
from tests.stories.hall import Embedded, Hall

IMPORTED = {
    "imported": (random_trf(31, 12, 5), "correct 2.1 1/2-1/2\npost publications {}"),
    "imported-round-robin": (random_round_robin(31, 6), 'post publications {"final": true}'),
}
STORIES = tuple(
    f"tests/stories/test_{name}.py"
    for name in (
        *("arrivals", "both_absent", "breaks_and_times", "changes", "checkpoints", "clocks", "crossings", "decisions"),
        *("entry_correction", "facts", "facts_checked", "first_hand", "formats", "games", "games_claims"),
        *("games_colours", "games_kinds", "games_sealed", "leaving", "play_offs", "prediction", "repetitions"),
        *("rulings", "stages", "success", "teams", "what_follows"),
    )
)
"""Modules whose stories are recorded: on one server, and for concurrent decisions also on four services."""
HISTORIES: tuple[tuple[Format, Conditions, str], ...] = (
    ("swiss", Conditions(), "campus"),
    ("swiss", Conditions(), "fide-2026"),
    ("round_robin", Conditions(), "campus"),
    ("double_round_robin", Conditions(), "campus"),
    ("groups", Conditions(groups=2, qualifiers=1), "campus"),
    ("knockout", Conditions(), "campus"),
    ("knockout", Conditions(places=True), "fide-2026"),
    ("double_knockout", Conditions(), "campus"),
)
STEPS, REMOVED = 160, 0.04
"""Commands per random history, and the share of them that remove a player or allow a player to return."""
ORGANISER = Actor("qian", "organiser", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0005")
OFFICIALS = appointing(ARBITER, APPEALS, SOMEBODY, ORGANISER)


def download(reader: Client, id: str) -> dict[str, bytes]:
    """Return the files of a tournament's archive, and receipts of its first, middle and last event."""
    path = f"/v1/tournaments/{id}"
    with zipfile.ZipFile(io.BytesIO(reader.get(f"{path}/archive", accept="*/*").content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    last = files[c.LOG].count(b"\n")
    for seq in sorted({1, last // 2, last}):
        files[f"{recorded.RECEIPT}{seq}"] = reader.get(f"{path}/receipts/{seq}", accept="*/*").content
    return files


def play(data: Path) -> dict[str, dict[str, bytes]]:
    """Play every story and every imported file in one data folder and return their files."""
    found: dict[str, dict[str, bytes]] = {}
    with clients(data, tuple((role, role) for role in CALLERS)) as callers:
        for id, tale in {**FORMATS, **STAGES, **TEAMS, **REMOVALS, **GAMES, **HALL}.items():
            Teller(callers, id).play_story(*tale)
            found[id] = download(callers["organiser"], id)
    for id, (text, lines) in IMPORTED.items():
        file = data.parent / f"{id}.trf"
        file.write_text(text)
        assert recorded.run_arbiter("import", file, "--data", data, "--id", id)[0] == 0
        role: Role = "chief_arbiter"
        with clients(data, (("import", role),)) as callers:
            teller = Teller(callers, id)
            for line in lines.splitlines():
                teller.follow(line)
            found[id] = download(callers[role], id)
    return found


def run_stories() -> dict[str, dict[str, bytes]]:
    """Run stories of ``tests/stories`` and return their files, copied when the story is audited."""
    import pytest

    from tests.stories.conftest import Story

    found: dict[str, dict[str, bytes]] = {}
    audited = Story.audited

    def copy_and_audit(story: Story) -> Report:
        report = audited(story)
        name = os.environ["PYTEST_CURRENT_TEST"].partition(" ")[0].removeprefix("tests/stories/test_")
        found[f"stories/{name.replace('.py::test', '')}"] = copy_from(story.hall)
        return report

    Story.audited = copy_and_audit  # type: ignore[method-assign]
    assert pytest.main([*STORIES, "-q", "-p", "no:cacheprovider", "-k", "embedded or crossing"]) == 0
    return found


def copy_from(hall: Hall) -> dict[str, bytes]:
    """Return the log of tournament T, its score sheets, a checkpoint of its last event, and the key."""
    lines = hall.lines("T")
    client, path = hall.client("GET", "/v1/tournaments/T/checkpoint")
    return {
        c.LOG: _joined(lines),
        c.SHEETS: b"".join(map(_joined, hall.sheets("T").values())),
        c.CHECKPOINT: client.get(f"{path}?after={len(lines)}").data,
        c.HOUSE_KEYS: f"{hall.signer.verifier}\n".encode(),
    }


def play_at_random(folder: Path) -> dict[str, dict[str, bytes]]:
    """Play random commands of all services and return the files of each history."""
    found: dict[str, dict[str, bytes]] = {}
    for seed, (format, conditions, book) in enumerate(HISTORIES * 3):
        hall, rng = Embedded(folder / str(seed)), Random(seed)
        desk, rounds = hall.desk, 7 if format == "swiss" else 0
        announced = AnnounceTournament(
            CHIEF, "Cup", "chess", format, rounds, load(book), (), conditions, "", desk.keys.announced, OFFICIALS
        )
        entries = tuple(Entry(PlayerId(n), NAME, 2000 - 10 * n) for n in range(1, 7 + seed % 3))
        for command in (announced, EnterPlayers(CHIEF, entries)):
            assert hasattr(desk.submit(PAIRING, "T", command), "status")
        for _ in range(STEPS):
            if rng.random() < REMOVED:
                with suppress(DeskError):
                    desk.submit(*removal(rng))
            else:
                step({source: [desk] for source in SOURCES}, "T", rng)
        found[f"random/{format}-{book}-{seed}"] = copy_from(hall)
        hall.close()
    return found


def removal(rng: Random) -> tuple[Source, str, Any]:
    """Return a command that removes a player or allows a player to return."""
    player, round = PlayerId(rng.randint(1, 8)), rng.randint(1, 4)
    effect = rng.choice((Effect("expel"), Effect("exclude", rounds=(round,))))
    by = CHIEF if effect.kind == "exclude" else ORGANISER
    ruling = MakeRuling(by, player, round, "grave_misconduct", effect=effect)
    back = (PAIRING, "T", ReturnPlayer(CHIEF, player))
    return rng.choice(((PENALTIES, "T", ruling), (PENALTIES, "T", ruling), back))


def _joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def export() -> None:
    """Write the recorded files, and the verdicts, marks and tables of this version."""
    recorded.FOLDER.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        data, work = Path(folder) / "data", Path(folder) / "work"
        work.mkdir()
        found = play(data) | run_stories() | play_at_random(Path(folder) / "random")
        said, decided = dict[str, Any](), dict[str, Any]()
        for name, files in found.items():
            files.update(recorded.tables(files, work))
            said[name] = {"verify": recorded.verify(files, work), "state": recorded.state(files, work)}
            decided[name] = recorded.decisions(files, work)
        with tarfile.open(recorded.DATA, "w:xz") as tar:
            tar.add(data, "data")
    with tarfile.open(recorded.TOURNAMENTS, "w:xz") as tar:
        for tournament, files in found.items():
            for name, content in files.items():
                member = tarfile.TarInfo(f"{tournament}/{name}")
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
    write_json(recorded.EXPECTED, said)
    write_json(recorded.DECISIONS, decided)


def write_json(file: Path, said: dict[str, Any]) -> None:
    """Write one line per tournament."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(of, separators=(',', ':'))}" for name, of in said.items())
    file.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    export()
