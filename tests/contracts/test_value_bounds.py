"""Every value of an event has a bound, and the form of the log's text is checked where a line enters."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from shared.core.event_types.registry import BY_NAME
from shared.core.readings.value_gate import OF_TYPES, value_fault
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import TimeControl
from shared.core.values.bounds import HIGHEST, Items, Text, Whole
from shared.wire import canonical
from shared.wire.envelope import read

GOLDEN = Path(__file__).parents[1] / "golden"


def unbounded(hint: Any, path: str) -> Iterator[str]:
    """Yield the paths of whole numbers and texts below a type that no bound covers."""
    bound = (
        [one for one in get_args(hint)[1:] if isinstance(one, Whole | Text | Items)]
        if get_origin(hint) is Annotated
        else []
    )
    if hint in OF_TYPES or any(not isinstance(one, Items) for one in bound):
        return
    hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if hint in (int, str) or hasattr(hint, "__supertype__"):
        yield path
    elif get_origin(hint) in (tuple, Union, UnionType):
        for one in get_args(hint):
            yield from unbounded(one, path)
    elif isinstance(hint, type) and is_dataclass(hint) and hint not in (Regulations, TimeControl):
        for name, one in get_type_hints(hint, include_extras=True).items():
            yield from unbounded(one, f"{path}.{name}")


@pytest.mark.parametrize("name", BY_NAME)
def test_every_number_and_text_of_an_event_has_a_bound(name: str):
    hints = get_type_hints(BY_NAME[name].data, include_extras=True)
    assert [path for field, hint in hints.items() for path in unbounded(hint, field)] == []


@pytest.mark.parametrize("name", BY_NAME)
def test_an_event_as_written_is_within_the_bounds(name: str):
    assert value_fault(read((GOLDEN / f"{name}.json").read_bytes(), 1).data) is None


@pytest.mark.parametrize("name", BY_NAME)
def test_a_number_beyond_its_bound_is_named_by_its_path(name: str):
    data = read((GOLDEN / f"{name}.json").read_bytes(), 1).data
    numbers = [f.name for f in fields(data) if type(getattr(data, f.name)) is int and f.name != "offices"]
    for field in numbers:
        for value in (HIGHEST + 1, -HIGHEST - 1, 10**400):
            fault = value_fault(replace(data, **{field: value}))
            assert fault is not None and fault.where == field


def test_a_line_out_of_bounds_stops_a_log_of_the_third_edition_only():
    """As acceptance from the topic and a restore ask it, before a line is stored."""
    line: Mapping[str, Any] = msgspec.json.decode((GOLDEN / "arbiter.player.entered.v2.json").read_bytes())
    forged = {**line, "data": {**line["data"], "name": {"text": "Li Wei <b>"}}}
    written = msgspec.json.encode(forged)
    assert canonical.stopped_by(written, 2, 2) is None
    for why in (canonical.stopped_by(written, 2, 3), canonical.refusal(written, 2, 3)):
        assert why is not None and "name.text" in str(why)
