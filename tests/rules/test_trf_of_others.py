"""Tournament files of other programs, where they lie beside the project: taken whole, or refused with the true reason."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from services.standings.files.trf.export import trf_of
from services.standings.files.trf.to_events import names, tournament_of
from shared.core.language.charset import ENCODINGS, find_encoding
from shared.core.readings.particulars import Particulars
from shared.core.terms import PlayerId
from shared.regulations import load
from shared.trf.comparison import differences
from shared.trf.kept_records import to_keep
from shared.trf.merged_file import merge
from shared.trf.model.columns import TrfError
from shared.trf.model.model import TrfFile, TrfPlayer
from shared.trf.model.personal import birth_year, fide_id, sex_said, title
from shared.trf.reader import read
from shared.trf.writer import write
from tests.rules.test_trf import THREE_ROUNDS
from tests.rules.test_trf_encodings import CHINESE, file_of
from tests.tiers import examples

CASES = Path(__file__).parents[3] / "shared" / "cases"
FILES = sorted({*CASES.glob("files/**/*.trf"), *CASES.glob("real/*.trf"), *CASES.glob("swiss/**/*.trf")})
REFUSED = {
    "cp_trf2026-team.trf": "45:14: 7 is not a team of the file",
    "e_cp1250.trf": "4:16: its encoding cannot be detected",
    "p4s_incompatible_result.trf": "2:139: round 5: 2 won against 3, who has '1'",
    "p4s_missing_result.trf": "2:132: round 5: 2 has 3 as opponent, but 3 (line 3) has nobody",
}
"""Two results that contradict each other, byes of teams that there are not, and an encoding that only its writer knows."""
POINTS = load("fide-2026").points


@pytest.mark.skipif(not FILES, reason="the files of others are not beside the project")
def test_files_of_others_are_taken_whole_or_refused_with_the_true_reason():
    counts: Counter[str] = Counter()
    for path in FILES:
        content = path.read_bytes()
        try:
            file = read(content, path.name)
        except TrfError as refusal:
            assert str(refusal).startswith(f"{path.name}:{REFUSED.get(path.name)}"), str(refusal)
            counts["refused"] += 1
            continue
        assert path.name not in REFUSED
        assert write(file) == content, path.name
        again = write(merge(trf_of(tournament_of(file), names(file)), file))
        assert not set(content.splitlines()) - set(again.splitlines()), path.name
        counts["differing" if differences(file, POINTS) else "taken"] += 1
    assert counts["refused"] == len(REFUSED) and counts["taken"] > counts["differing"], counts


def test_a_named_encoding_is_one_of_those_that_are_taken():
    assert {find_encoding(alias).name for alias in ("latin1", "windows-1250", "gbk", "UTF8")} <= set(ENCODINGS)
    assert find_encoding("idna") is None and find_encoding("nothing") is None


TEXTS = [THREE_ROUNDS.encode(), file_of(CHINESE, "cells", "gb18030"), file_of(CHINESE, "bytes", "utf-8")]
CODES = st.sampled_from([b"013", b"310", b"240", b"250", b"260", b"299", b"300", b"320", b"330", b"352", b"362", b"801", b"802",
                         b"XXS", b"XXA", b"XXP", b"XXZ", b"162", b"202", b"BBW", b"192", b"001"])  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A file with some bytes otherwise, some taken out, some put in."""
    content = bytearray(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(content) - 1))
        content[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=4))
    return bytes(content)


@st.composite
def with_a_record(draw: st.DrawFn) -> bytes:
    """A file with one more record of a known kind and any text."""
    text = draw(st.text(st.sampled_from("0123456789 +-=.,:WDLwbX*李é"), max_size=60))
    return THREE_ROUNDS.encode() + draw(CODES) + b" " + text.encode() + b"\n"


@settings(max_examples=examples(300), deadline=2000)
@given(st.one_of(st.binary(max_size=400), damaged(), with_a_record()))
def test_any_bytes_are_a_file_or_a_refusal_with_its_place(content):
    try:
        file = read(content, "any.trf")
    except TrfError as refusal:
        assert refusal.line >= 1 and refusal.column >= 1 and "any.trf:" in str(refusal)
        return
    assert write(file) == content
    differences(file, POINTS)
    tournament_of(file)


DOCUMENT = Path(__file__).parents[2] / "deploy" / "docs" / "report-files.md"
ADDED = {
    "012",
    "062",
    "072",
    "082",
    "092",
    "142",
    "152",
    "192",
    "212",
    "240",
    "250",
    "260",
    "352",
    "362",
    "XXR",
    "XXC",
    "###",
}
TEAMS = {"310", "801", "802"}
IN_THE_RECORDS_OF_THE_EDITION = {"240", "250", "260", "352", "362"}
"""Byes, forbidden pairs and accelerated or virtual points: the document names no numbers."""
FIELDS = {
    "title": "title", "sex": "sex", "federation": "federation", "FIDE ID": "fide_id", "birth": "birth", "points": "points",
    "rank": "rank", "name": "name", "rounds": "rounds",
}  # fmt: skip
"""The document's names of what a player's line says."""
OWN = b"""012 Cup
XXR 5
XXC white1
001    1 f  g Lind,Ada                          2100 swe     1234567 2001/02/03  1.5    0     2 W 1                   H
001    2 M wg                                   2000 GER    01234567             1.0    1     1 B 0     3 w 1
001    3      Roe,Kim                           1900                             1.0    3  0000 - U     2 b 0
"""


def exported_again(file: TrfFile) -> TrfFile:
    """The file after an import and an export: what the log keeps, and the records that are kept beside it."""
    said = {
        PlayerId(p.id): Particulars(sex=sex_said(p), fide_id=fide_id(p), birth_year=birth_year(p)) for p in file.players
    }
    capitals = tuple(
        structs.replace(p, federation=p.federation.upper()) for p in file.players
    )  # as an import enters them
    file = replace(file, players=capitals)
    return read(write(trf_of(tournament_of(file), names(file), "16", said, to_keep(file))), file.file)


def spelled_otherwise(one: TrfPlayer, other: TrfPlayer) -> set[str]:
    """In what two lines of a player differ, by the document's names."""
    return {kind for kind, field in FIELDS.items() if getattr(one, field) != getattr(other, field)}


def entries(player: TrfPlayer) -> list[tuple[object, ...]]:
    """What the rounds mean: a blank is an absence, as are those at the end."""
    meant = [
        (0, None, "Z") if e is None else (e.opponent, e.side, e.letter if e.opponent else e.bye) for e in player.rounds
    ]
    while meant and meant[-1] == (0, None, "Z"):
        meant.pop()
    return meant


def kinds_of_change(file: TrfFile) -> set[str]:
    """Each line that an export has otherwise, by its kind; nothing else may be otherwise."""
    again, kinds = exported_again(file), set[str]()
    assert [*again.numbered] == [*file.numbered]
    for id, one in file.numbered.items():
        other = again.numbered[id]
        assert (one.rating, fide_id(one)) == (other.rating, fide_id(other))
        assert entries(one) == entries(other) and (title(one) or "") == other.title
        assert one.federation.upper() == other.federation and birth_year(one) == birth_year(other)
        kinds |= spelled_otherwise(one, other)
    theirs = Counter(r.text.rstrip() for r in again.records)
    for record in file.records:
        if not record.player and record.text.strip() and not theirs[record.text.rstrip()]:
            assert record.text[:3] in TEAMS, record
            kinds.add("teams")
    ours = Counter(r.text.rstrip() for r in file.records)
    added = {r.text[:3] for r in again.records if not r.player and r.text and not ours[r.text.rstrip()]}
    assert added <= ADDED | TEAMS, added
    assert added <= TEAMS | IN_THE_RECORDS_OF_THE_EDITION | set(re.findall(r"\b\d{3}\b|XX[RC]|###", records_added())), (
        added
    )
    return kinds


def told_kinds() -> set[str]:
    """Those of the document's tables."""
    rows = [line.split("|")[1].strip() for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| ")]
    return {"teams" if set(row.split(", ")) <= TEAMS else row for row in rows} - {"field", "record"}


def records_added() -> str:
    """Return the document's list of records that an export adds."""
    return DOCUMENT.read_text("utf-8").partition("Added records")[2].partition("Other records")[0]


def test_what_an_export_spells_otherwise_is_what_the_document_says():
    """What is told by no fields (blanks, encodings, ends of lines) is in no player and no record."""
    assert kinds_of_change(read(OWN, "own.trf")) | {"teams", "spacing", "line ends and encoding"} == told_kinds()


@pytest.mark.skipif(not FILES, reason="the files of others are not beside the project")
def test_files_of_others_come_out_again_equal_but_for_what_the_document_says():
    for path in FILES:
        file = None if path.name in REFUSED else read(path.read_bytes(), path.name)
        if file is not None and not file.settings.teams:
            assert kinds_of_change(file) <= told_kinds(), path.name
