"""The checker finds each anomaly in a history made by hand, and nothing in a good one."""

import json
from dataclasses import replace

import pytest

from tests.faults.checker import Line, Operation, Read, check, compare, take

T = "tournaments/T"
A, B = "/services/a", "/services/b"


def line(id: str, mark: str | None, source: str = A, command: str | None = None) -> Line:
    return Line(id, command or f"c-{mark}", source, f"content of {id}", mark)


def said(mark: str, began: int, ended: int, *ids: str, source: str = A, seq: int | None = None) -> Operation:
    """An acknowledged operation."""
    return Operation(mark, T, source, began, ended, "ok", {id: f"content of {id}" for id in ids}, seq, (b"x",))


def unanswered(mark: str, began: int, ended: int) -> Operation:
    return Operation(mark, T, A, began, ended, "unknown", {})


def refused(mark: str, began: int, ended: int) -> Operation:
    return Operation(mark, T, A, began, ended, "refused", {})


GOOD = [said("m1", 1, 2, "e1", seq=1), said("m2", 3, 6, "e2", "e3", source=B), said("m3", 4, 5, "e4", seq=4)]
LOG = {T: [line("e1", "m1"), line("e2", "m2", B), line("e3", None, B, "c-m2"), line("e4", "m3")]}
E1, E2, E3, E4 = LOG[T]


def kinds(history=GOOD, log=LOG, reads=()) -> set[str]:
    return {anomaly.kind for anomaly in check(history, reads, log)}


def test_a_good_history_has_none():
    reads = [Read("r", T, ("e1", "e2")), Read("r", T, ()), Read("r", T, ("e1", "e2", "e3", "e4"))]
    assert kinds(reads=reads) == set()


def test_what_was_not_answered_may_be_there_once_or_not_at_all():
    history = [*GOOD, unanswered("m4", 7, 8)]
    assert kinds(history) == set()
    assert kinds(history, {T: [*LOG[T], line("e5", "m4")]}) == set()
    assert kinds(history, {T: [line("e5", "m4"), *LOG[T]]}) >= {"reordered"}
    assert "doubled" in kinds(history, {T: [*LOG[T], line("e5", "m4", command="1"), line("e6", "m4", command="2")]})


def test_what_was_refused_is_not_there():
    history = [*GOOD, refused("m4", 7, 8)]
    assert kinds(history) == set()
    assert kinds(history, {T: [*LOG[T], line("e5", "m4")]}) == {"aborted"}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([E1, E2, E3], "lost"),
        ([E2, E3, E4], "lost"),
        ([E1, E1, E2, E3, E4], "doubled"),
        ([E1, E2, E3, E4, line("e5", "m3", command="again")], "doubled"),
        ([E4, E1, E2, E3], "reordered"),
        ([E1, E2, E4, E3], "reordered"),
        ([E1, E3, E2, E4], "reordered"),
        ([*LOG[T], line("e5", None, A, "nobody's")], "unexpected"),
        ([*LOG[T], line("e5", None, A, "c-m3")], "unexpected"),
        ([E1._replace(content="other"), E2, E3, E4], "changed"),
    ],
    ids=["the tail", "the head", "an event twice", "a command twice", "one before another that was over",
         "torn apart", "turned round", "nobody's", "more than was told", "other content"],
)  # fmt: skip
def test_a_bad_log_is_found(lines, found):
    assert found in kinds(log={T: lines})


def test_what_one_service_acknowledged_stands_before_what_it_was_told_later():
    history = [said("m1", 1, 2, "e1"), said("m2", 3, 4, "e2")]
    good, bad = [line("e1", "m1"), line("e2", "m2")], [line("e2", "m2"), line("e1", "m1")]
    assert kinds(history, {T: good}) == set()
    assert kinds(history, {T: bad}) == {"reordered"}


def test_two_at_once_may_stand_either_way():
    history = [said("m1", 1, 3, "e1"), said("m2", 2, 4, "e2")]
    assert kinds(history, {T: [line("e2", "m2"), line("e1", "m1")]}) == set()


def test_between_services_only_a_place_that_was_told_binds():
    later = said("m2", 3, 4, "e2", source=B)
    log = {T: [line("e2", "m2", B), line("e1", "m1")]}
    assert kinds([said("m1", 1, 2, "e1"), later], log) == set()
    assert "reordered" in kinds([said("m1", 1, 2, "e1", seq=2), later], log)


def test_a_place_that_was_told_is_where_it_stands():
    assert kinds([said("m1", 1, 2, "e1", seq=3)], {T: [line("e1", "m1")]}) == {"changed"}


def test_a_repeat_gets_the_answer_that_was_given_before():
    assert kinds([replace(GOOD[0], answers=(b"x", b"x")), *GOOD[1:]]) == set()
    assert kinds([replace(GOOD[0], answers=(b"x", b"y")), *GOOD[1:]]) == {"changed"}


@pytest.mark.parametrize(
    ("ids", "found"),
    [(("e1", "e9"), "aborted"), (("e2", "e1"), "reordered"), (("e1", "e3"), "reordered"), (("e1", "e1"), "doubled")],
)
def test_a_bad_read_is_found(ids, found):
    assert kinds(reads=[Read("r", T, ids)]) == {found}


@pytest.mark.parametrize("other", [[b"1", b"3", b"2"], [b"1", b"2"], [b"1", b"2", b"3", b"4"], []])
def test_two_who_hold_different_logs_are_a_fork(other):
    good = {T: [b"1", b"2", b"3"]}
    assert compare({"x": good, "y": {T: [b"1", b"2", b"3"]}}) == []
    assert [a.kind for a in compare({"x": good, "y": good, "z": {T: other}})] == ["forked"]


def record(source: str, *numbers: int, text: str = "") -> bytes:
    return b"\n".join(
        json.dumps({"subject": T, "source": source, "sourceseq": n, "text": text}).encode() for n in numbers
    )


def test_a_topic_comes_to_a_log_without_repeats_and_without_what_came_too_early():
    one, two, three = record(A, 1, 2), record(B, 1), record(A, 3)
    taken = take([one, record(A, 4), two, one, three, three])
    assert taken.log == {T: b"\n".join([one, two, three]).split(b"\n")}
    assert (taken.repeats, taken.ahead, taken.anomalies) == (2, 1, [])


def test_a_used_number_with_other_bytes_is_a_fork():
    taken = take([record(A, 1), record(A, 1, text="other")])
    assert [a.kind for a in taken.anomalies] == ["forked"]
