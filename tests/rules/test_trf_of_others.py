"""Tournament files of other programs, where they lie beside the project: taken whole, or refused with the true reason."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.standings.formats import TrfError, names, read, tournament_of, write
from services.standings.formats.trf.comparison import differences
from services.standings.formats.trf.export import trf_of
from services.standings.formats.trf.merged_file import merge
from shared.core.charset import ENCODINGS, named
from shared.regulations import load
from tests.rules.test_trf import THREE_ROUNDS
from tests.rules.test_trf_encodings import CHINESE, file_of

CASES = Path(__file__).parents[3] / "shared" / "cases"
FILES = sorted({*CASES.glob("files/**/*.trf"), *CASES.glob("real/*.trf"), *CASES.glob("swiss/**/*.trf")})
REFUSED = {
    "cp_trf2026-team.trf": "45:14: 7 is no team of the file",
    "e_cp1250.trf": "4:16: its encoding is not told by its bytes",
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
    assert {named(alias).name for alias in ("latin1", "windows-1250", "gbk", "UTF8")} <= set(ENCODINGS)
    assert named("idna") is None and named("nothing") is None


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


@settings(max_examples=300, deadline=2000)
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
