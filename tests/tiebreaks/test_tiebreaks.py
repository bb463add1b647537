"""Every code and modifier of C.07, compared with the text itself; `make campaign NAME=tiebreaks` plays a thousand events."""

import pytest

from tests.tiebreaks.compare import differences


@pytest.mark.parametrize("block", range(10))
def test_no_value_and_no_order_differs_from_the_text_of_c07(block: int) -> None:
    assert list(differences(range(6 * block, 6 * (block + 1)))) == []
