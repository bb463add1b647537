"""Chess under the editions of the FIDE sets that 1.0.0 shipped: five occurrences and 75 moves are drawn on a claim alone."""

from pathlib import Path
from unittest import mock

import pytest

from shared import regulations
from shared.regulations.editions import editions
from shared.regulations.former import former, former_editions
from tests.http.boards import G, board
from tests.http.rows.answers import claim, code, followed, result

TO_AND_FRO = "g1f3 g8f6 f3g1 f6g8 "
OF_1_0_0 = [
    (name, edition, digest)
    for name in ("fide-2024", "fide-2026")
    for edition, digest in sorted(editions()[name])
    if digest in former_editions()
]


@pytest.mark.parametrize(("name", "edition", "digest"), OF_1_0_0)
def test_a_former_edition_plays_on_after_five_occurrences(tmp_path: Path, name: str, edition: str, digest: str) -> None:
    """The audit at the end finds the adopted values shipped, and every line as it would be decided."""
    before = former(name, edition, digest)
    with mock.patch.object(regulations, "load", return_value=before), board(tmp_path, "chess", name) as b:
        assert b.tournament().regulations == before
        followed(b.moves(TO_AND_FRO * 40))
        assert result(b) is None
        dead = b.call("POST", f"{G}/claims", {"claim": "dead_position"}, "arbiter")
        assert code(dead) == (409, "claim-not-in-rules")
        followed(b.moves("e2e4", 161))
        claim(b, "resignation", "player", side="black")
        assert result(b) == "1-0"
