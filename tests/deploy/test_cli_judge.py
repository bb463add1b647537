"""``arbiter judge``: a line in, a line out, in order; only what is no question at all ends the command."""

import io
import json
import sys

import pytest

QUESTIONS = (
    {"id": "a", "game": "chess", "ask": "legal_moves", "fen": "7k/8/8/8/8/8/8/K7 w - - 0 1"},
    {"id": "b", "game": "chess", "ask": "legal_moves", "fen": "nonsense"},
    {"id": 3, "game": "go", "ask": "replay", "size": 9, "moves": [["b", "D4"], ["w", "D4"]]},
)


@pytest.fixture
def asked(tmp_path):
    file = tmp_path / "q.jsonl"
    file.write_text("\n".join(map(json.dumps, QUESTIONS)) + "\n\n")
    return file


def test_each_question_gets_its_line_in_order_and_errors_stand_in_place(arbiter, asked):
    code, out, err = arbiter("judge", asked)
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [one["id"] for one in answers] == ["a", "b", 3]
    assert answers[0]["answer"] == {"legal": ["a1a2", "a1b1", "a1b2"]}
    assert answers[1]["error"]["type"] == "urn:arbiter:problem:unreadable-position"
    assert answers[2]["error"]["where"] == "moves[1]"


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_without_a_file_the_questions_come_from_standard_input(arbiter, asked, monkeypatch, arguments):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(asked.read_bytes())))
    code, out, _ = arbiter("judge", *arguments)
    assert code == 0 and len(out.splitlines()) == len(QUESTIONS)


@pytest.mark.parametrize(
    "line, why",
    [
        (b"{", "not JSON"),
        (b"[1]", "a question must be a JSON object"),
        (b'{"id": NaN}', "not JSON: NaN is not a JSON number"),
        (b'{"id": "\\ud800"}', "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_line_that_is_no_question_ends_the_command_with_its_place(arbiter, asked, line, why):
    asked.write_bytes(asked.read_bytes() + line + b"\n")
    code, out, err = arbiter("judge", asked)
    assert code == 2 and err.count("\n") == 1
    assert f"{asked}:5: {why}" in err
    assert len(out.splitlines()) == len(QUESTIONS)


def test_a_missing_file_is_said_in_one_line(arbiter, tmp_path):
    code, _, err = arbiter("judge", tmp_path / "none.jsonl")
    assert code == 2 and "none.jsonl" in err and err.count("\n") == 1


def test_questions_that_name_no_regulations_are_judged_by_those_of_the_command(arbiter, tmp_path):
    more_than_king = {"game": "chess", "ask": "flag_fall", "fen": "4k3/4q3/8/8/8/8/8/4K1N1 w - - 0 1", "flag": "black"}
    file = tmp_path / "q.jsonl"
    file.write_text(f"{json.dumps(more_than_king)}\n{json.dumps(more_than_king | {'regulations': 'fide-2024'})}\n")
    code, out, _ = arbiter("judge", "--regulations", "campus", file)
    assert code == 0 and [json.loads(line)["answer"]["winner"] for line in out.splitlines()] == ["white", None]


def test_regulations_that_there_are_not_end_the_command(arbiter, asked):
    code, out, err = arbiter("judge", "--regulations", "xiangqi-2099", asked)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert "--regulations: unknown ruleset 'xiangqi-2099'; available: campus, " in err


def test_a_field_that_a_question_does_not_have_is_its_error_by_name(arbiter, asked):
    asked.write_text('{"id": 1, "game": "chess", "ask": "legal_moves", "moves": ["e4"]}\n')
    code, out, _ = arbiter("judge", asked)
    error = json.loads(out)["error"]
    assert code == 0 and error["type"].endswith(":unknown-field")
    assert (
        error["where"] == "moves"
        and "chess legal_moves has id, game, ask, regulations, changes, fen" in error["detail"]
    )
