"""Each of the 100 planted faults still has its place in the product, and tests that could find it."""

import pytest

from tests.mutants.faults import FAULTS, ROOT, Fault, place


def test_there_are_a_hundred_faults() -> None:
    assert len({fault.fault for fault in FAULTS}) == len(FAULTS) == 100


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.fault)
def test_planted_fault_has_one_place_and_tests(fault: Fault) -> None:
    assert place(fault).is_file() and fault.before != fault.after
    assert all(list((ROOT / "tests").glob(pattern)) for pattern in fault.tests)
