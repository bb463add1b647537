"""What a line changed is folded from the nearest kept fold of its log, and is what it was from the first line."""

import pickle
from collections.abc import Iterator
from random import Random

import pytest

from deploy.server.jobs.audit_job import previews
from services.standings.log import line_pages
from services.standings.log.line_pages import KeptFolds, LineChange, LineChanges, Mark, Stretch, changed_by_last
from shared.desk.desk import Desk
from shared.http.limits.rate_limits import Limits
from tests.great_hall import great_hall
from tests.played import NAMES, a_desk, spring_cup

GREAT, EVERY = "great", 40


class Hall:
    """A log of some hundred lines with fouls and an annulment, folds kept every EVERY lines, and the lines that were read."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(line_pages, "EVERY", EVERY)
        self.desk, self.read = desk, list[tuple[int, int]]()
        cup = great_hall(desk, GREAT, players=61, rounds=5)
        for round in (3, 4, 5):
            cup.foul(2, round)
        cup.annul("r2")
        cup.publish(5)
        self.lines = [row.line for row in desk.lines(f"tournaments/{GREAT}")]
        monkeypatch.setattr(desk, "lines", self._lines)
        self.previews = previews(desk, Limits())
        self.changes = LineChanges(desk, self.previews)

    def _lines(self, stream: str, after: int = 0, upto: int | None = None):
        self.read.append((after, upto or 0))
        return self.desk.log.lines(stream, after, upto)

    def plain(self, seq: int) -> LineChange | None:
        """What a line changed, folded from the first."""
        change, _ = changed_by_last(Stretch(GREAT, None, self.lines[:seq], {}), KeptFolds())
        return change


@pytest.fixture
def hall(tmp_path, monkeypatch) -> Iterator[Hall]:
    desk = a_desk(tmp_path)
    hall = Hall(desk, monkeypatch)
    yield hall
    hall.previews.end()
    desk.close()


def test_lines_in_any_order_changed_what_a_fold_of_the_whole_log_says(hall: Hall):
    hall.changes.change(GREAT, len(hall.lines))
    hall.read.clear()
    asked = Random(7).sample(range(1, len(hall.lines) + 1), 40)
    for seq in asked:
        assert hall.changes.change(GREAT, seq) == hall.plain(seq), seq
    assert len(hall.read) == 40 - (len(hall.lines) in asked)
    assert max(upto - after for after, upto in hall.read) <= EVERY


def test_a_child_that_keeps_a_fold_no_longer_is_given_the_whole_log(hall: Hall):
    seq = len(hall.lines)
    hall.changes._folds = frozenset({Mark(GREAT, EVERY, hall.desk.root(GREAT, EVERY))})
    assert hall.changes.change(GREAT, seq) == hall.plain(seq)
    assert hall.read == [(EVERY, seq), (0, seq)]


def test_a_fold_of_another_log_of_that_name_is_not_gone_on_with(hall: Hall):
    hall.changes._folds = frozenset({Mark(GREAT, EVERY, b"another root")})
    hall.changes.change(GREAT, len(hall.lines))
    assert hall.read == [(0, len(hall.lines))]


def kept(folds: KeptFolds) -> list[int]:
    return sorted(mark.seq for mark in folds.marks)


def folded(folds: KeptFolds, hall: Hall, after: int, upto: int) -> None:
    mark = Mark(GREAT, after, b"") if after else None
    assert folds.fold(Stretch(GREAT, mark, hall.lines[after:upto], {upto: b""})) is not None


def test_the_fold_used_least_recently_goes_first(hall: Hall):
    folds = KeptFolds(most=2)
    folded(folds, hall, 0, 40)
    folded(folds, hall, 0, 80)
    folded(folds, hall, 40, 120)
    assert kept(folds) == [40, 120]
    assert folds.fold(Stretch(GREAT, Mark(GREAT, 80, b""), hall.lines[80:90], {})) is None


def test_kept_folds_have_so_many_bytes_and_no_more(hall: Hall):
    read = sum(map(len, hall.lines[:120]))
    folds = KeptFolds(most=1000, most_bytes=read + 60_000)
    for upto in range(40, 121):
        folded(folds, hall, 0, upto)
    assert 1 < len(folds.marks) < 81 and kept(folds)[-1] == 120, "tables of each, entries of all together"


def test_a_kept_fold_is_not_changed_by_what_is_folded_from_it(hall: Hall):
    folds = KeptFolds()
    folded(folds, hall, 0, 40)
    for _ in range(2):
        state = folds.fold(Stretch(GREAT, Mark(GREAT, 40, b""), hall.lines[40:80], {}))
        assert state is not None and state.seq == 80


def test_no_kept_fold_holds_a_text_that_can_be_erased(tmp_path):
    desk = a_desk(tmp_path)
    spring_cup(desk)
    folds = KeptFolds()
    lines = [row.line for row in desk.lines("tournaments/cup")]
    folds.fold(Stretch("cup", None, lines, {len(lines): b""}))
    desk.close()
    held = pickle.dumps(folds)
    assert b"zhou.min" in held, "handles stay"
    for text in (*NAMES, "touched a piece", "by accident"):
        assert text.encode() not in held
