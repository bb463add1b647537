"""For every value of regulations there is a test that plays what it makes otherwise, over HTTP."""

from tests.rows.proofs import COLLECTING, collected
from tests.rows.reach import UNPLAYED, needed, unplayed

pytestmark = COLLECTING


def test_every_value_of_regulations_is_played_over_http() -> None:
    assert unplayed(collected()) == {}


def test_a_value_that_no_test_plays_is_named() -> None:
    left = unplayed([])
    assert left == {path: values for path, values in needed().items() if values} and left["game.renju.forbidden"][
        :2
    ] == ["claimed", "loses"]
    assert all(UNPLAYED.values()), "each exception has its reason"
