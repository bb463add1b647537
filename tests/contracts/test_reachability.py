"""For every value of regulations there is a test that plays what it makes otherwise, over HTTP."""

from tests.rows.proofs import collected
from tests.rows.reach import OPEN, UNPLAYED, needed, unplayed


def test_every_value_of_regulations_is_played_over_http() -> None:
    assert {path: values for path, values in unplayed(collected()).items() if path not in OPEN} == {}


def test_a_value_that_no_test_plays_is_named() -> None:
    left = unplayed([])
    assert left == {path: values for path, values in needed().items() if values} and left["game.renju.forbidden"][
        :2
    ] == ["claimed", "loses"]
    assert {*needed()} >= OPEN and all(UNPLAYED.values()), "each exception has its reason"
