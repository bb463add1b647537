"""One golden line for every event version ever written: read for ever, by both readers."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from shared import regulations
from shared.core.event_types.pairing import GAMES_OF_V3
from shared.core.event_types.registry import BY_NAME, EVENT_TYPES, OFFICIAL, SHEETS, UPCASTERS
from shared.core.events import Board, OfficialAppointed, RegulationsAdopted, ResultReported, RoundPaired
from shared.core.terms import GAMES, SOURCES, Mark
from shared.wire import envelope
from shared.wire.envelope import Unreadable, read
from shared.wire.event_data import InvalidEvent, encode_data, form_of

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = sorted(GOLDEN.glob("*.json"))


def test_every_type_and_version_has_its_golden_file():
    assert {f.stem for f in FILES} == set(BY_NAME) | set(UPCASTERS)


NEWEST = [f for f in FILES if f.stem in BY_NAME]
OLDER = [f for f in FILES if f.stem not in BY_NAME]


@pytest.mark.parametrize("file", NEWEST, ids=lambda f: f.stem)
def test_a_golden_line_is_read_and_written_back_byte_for_byte(file):
    line = file.read_bytes().removesuffix(b"\n")
    got = read(line, 1)
    wire = msgspec.json.decode(line)
    assert wire["type"] == file.stem
    assert msgspec.json.encode(form_of(got.data)) == msgspec.json.encode(wire["data"]), (
        "a class that changed is a new version: its row, a lift, a golden file"
    )
    assert (got.stream, got.id) == (wire["subject"], wire["id"])


@pytest.mark.parametrize("file", OLDER, ids=lambda f: f.stem)
def test_a_line_of_an_older_version_says_the_same_in_the_newest(file):
    line = file.read_bytes().removesuffix(b"\n")
    said, got = msgspec.json.decode(line)["data"], msgspec.to_builtins(form_of(read(line, 1).data))
    if file.stem in [f"arbiter.regulations.adopted.v{n}" for n in (1, 2, 3)]:
        game = got["regulations"]["game"]
        game |= dict.fromkeys(GAMES_OF_V3) | game.pop("rules")
    if said.get("grounds") and file.stem.startswith("arbiter.claim.decided"):
        said["grounds"] = [{"code": "as_written", "facts": {"text": said["grounds"]}}]
    assert _within(said, got)


def _within(old, new):
    """Whether all of an older version stands in the newer one, which may say more."""
    if isinstance(old, dict):
        return all(name in new and _within(value, new[name]) for name, value in old.items())
    if isinstance(old, list):
        return len(old) == len(new) and all(map(_within, old, new))
    return old == new


@pytest.mark.parametrize("file", NEWEST, ids=lambda f: f.stem)
def test_a_golden_line_passes_the_check_of_what_is_written(file):
    line = file.read_bytes().removesuffix(b"\n")
    assert line.endswith(b',"data":' + encode_data(read(line, 1).data) + b"}")


def test_every_service_owns_its_types_and_no_other_does():
    assert tuple(dict.fromkeys(row.writer for row in OFFICIAL)) == SOURCES
    assert {row.writer for row in SHEETS} == {GAMES}
    assert len({row.name for row in EVENT_TYPES}) == len({row.data for row in EVENT_TYPES}) == len(EVENT_TYPES)


def test_an_older_version_is_lifted_at_the_reading_edge(monkeypatch):
    old = "arbiter.bye.granted.v0"
    lift = lambda data: {"player": data["who"], "round": data["round"], "kind": "H"}  # noqa: E731
    monkeypatch.setitem(UPCASTERS, old, (BY_NAME["arbiter.bye.granted.v1"], (lift,)))
    line = (GOLDEN / "arbiter.bye.granted.v1.json").read_bytes().strip()
    wire = msgspec.json.decode(line) | {"type": old, "data": {"who": 7, "round": 2}}
    data = read(msgspec.json.encode(wire), 1).data
    assert (data.player, data.round, data.kind) == (7, 2, "H")


LINE = (GOLDEN / "arbiter.result.reported.v1.json").read_bytes().strip()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (LINE.replace(b"reported.v1", b"reported.v9"), "unknown event type"),
        (LINE[: len(LINE) // 2], "truncated"),
        (LINE.replace(b'"points":2', b'"points":"2"'), "Expected `int`"),
        (LINE.replace(b'"specversion":"1.0"', b'"specversion":"2.0"'), "specversion"),
        (LINE.replace(b'"tokenid"', b'"tokenjd"'), "tokenjd"),
        (b"\xff\xfe", "malformed"),
        (b"", "truncated"),
        (b"[" * 100_000, "Expected `object`"),
    ],
    ids=[
        "unknown version",
        "cut in half",
        "wrong type",
        "specversion",
        "unknown attribute",
        "not UTF-8",
        "empty",
        "deep",
    ],
)
def test_a_line_that_is_no_event_is_named_with_its_number(line, why):
    with pytest.raises(Unreadable, match=why) as failure:
        read(line, 17)
    assert "line 17" in str(failure.value)


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"], ids=["NUL", "lone surrogate"])
def test_nul_and_lone_surrogates_are_refused_at_the_schema(text):
    with pytest.raises(InvalidEvent, match=r"^game: holds NUL or a lone surrogate"):
        encode_data(ResultReported(text, Mark(2, True), Mark(0, True)))


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"], ids=["NUL", "lone surrogate"])
def test_nul_and_lone_surrogates_are_named_wherever_they_stand(text):
    with pytest.raises(InvalidEvent, match=r"^boards\.1\.game: "):
        encode_data(RoundPaired(1, 1, (Board(1, "T.1.1", 1, 2), Board(2, text, 3, 4))))
    adopted = RegulationsAdopted(regulations.load("campus"))
    game = replace(adopted.regulations.game, flag_articles={text: "6"})
    with pytest.raises(InvalidEvent, match=r"^regulations\.game\.flag_articles: "):
        encode_data(replace(adopted, regulations=replace(adopted.regulations, game=game)))


def test_a_text_that_spells_an_escape_is_a_text():
    encoded = encode_data(OfficialAppointed("back\\u0000slash", "arbiter"))
    assert msgspec.json.decode(encoded)["official"] == "back\\u0000slash"


@pytest.mark.parametrize("actor", ["a\x00b", "\ud800"], ids=["NUL", "lone surrogate"])
def test_nul_and_lone_surrogates_are_refused_in_the_attributes_too(actor):
    header = envelope.Header("tournaments/T", GAMES, 0, b"\0" * 32, "c", "t", "1.0.0")
    with pytest.raises(InvalidEvent, match=r"^actor: "):
        envelope.write(header, "i", "t", 1, actor, "arbiter", ResultReported("T.1.1", Mark(2, True), Mark(0, True)))


def test_what_a_schema_refuses_is_not_written():
    with pytest.raises(InvalidEvent, match=r"^white\.points: Expected `int`, got `str`") as failure:
        encode_data(ResultReported("T.1.1", Mark("2", True), Mark(0, True)))
    assert failure.value.errors == {"white": {"points": ["Expected `int`, got `str`"]}}


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (OfficialAppointed("li", "king"), "role"),
        (ResultReported("T.1.1", Mark(2.0, True), Mark(0, True)), "white.points"),
        (ResultReported("T.1.1", Mark(2, 1), Mark(0, True)), "white.played"),
        (ResultReported(None, Mark(2, True), Mark(0, True)), "game"),
        (RoundPaired(1, 1, (Board(1, 7, 1, 2),)), "boards.0.game"),
    ],
    ids=["out of a closed set", "a float", "no truth value", "missing", "within a list"],
)
def test_a_value_of_another_kind_is_refused_with_its_field(data, where):
    with pytest.raises(InvalidEvent) as failure:
        encode_data(data)
    assert ".".join(failure.value.field) == where


def test_a_name_may_hold_a_line_separator_and_the_line_still_ends_at_lf():
    header = envelope.Header("tournaments/T", GAMES, 0, b"\0" * 32, "c", "t", "1.0.0")
    line = envelope.write(
        header, "i", "t", 1, "li\u2028wei", "arbiter", ResultReported("T.1.1", Mark(2, True), Mark(0, True))
    )
    assert envelope.split(line + b"\n") == [line]
    assert read(line, 1).actor == "li\u2028wei"
