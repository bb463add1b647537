"""The data of events as JSON: decoded by type and version, and encoded only if their own reader accepts them."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from shared.core import events as ev
from shared.core.event_types.registry import BY_NAME, NAMES, UPCASTERS
from shared.wire.regulations import ADOPTED, from_wire, to_wire
from shared.wire.shapes import kept, within

FORMS: dict[str, type] = {name: row.data for name, row in BY_NAME.items()} | {NAMES[ev.RegulationsAdopted]: ADOPTED}
"""The type that each ``data`` is decoded as: the event itself, but adopted regulations have a form of their own."""


UNCLEAN = "holds NUL or a lone surrogate"
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
"""Characters that databases, hashes and pages do not all accept as text."""


class InvalidEvent(ValueError):
    """Data that does not fit its type. ``field``: the names and indices that lead to the fault. ``why``: the reason."""

    def __init__(self, field: tuple[str, ...], why: str) -> None:
        super().__init__(f"{'.'.join(field) or 'the event'}: {why}")
        self.field, self.why = field, why

    @property
    def errors(self) -> dict[str, Any]:
        """The same as the errors of a problem document: each name contains the next, and the last one the reasons."""
        errors: Any = [self.why]
        for name in reversed(self.field or ("_schema",)):
            errors = {name: errors}
        nested: dict[str, Any] = errors
        return nested


def form_of(data: ev.Data) -> Any:
    """Return the data of an event in the form in which it is written."""
    return to_wire(data) if isinstance(data, ev.RegulationsAdopted) else data


_CHECKS: dict[str, Callable[[bytes | msgspec.Raw], Any]] = {
    name: msgspec.json.Decoder(form, strict=True).decode for name, form in FORMS.items()
}


def _reader(name: str) -> Callable[[msgspec.Raw], Any]:
    decode: Callable[[msgspec.Raw], Any] = _CHECKS[name]
    return decode if FORMS[name] is not ADOPTED else lambda raw: _adopted(bytes(raw))


@lru_cache(32)
def _adopted(raw: bytes) -> ev.RegulationsAdopted:
    """Return adopted regulations. Thousands of logs adopt the same ones, which have 40 kB: they share one object."""
    return from_wire(_CHECKS[NAMES[ev.RegulationsAdopted]](raw))


READERS: dict[str, Callable[[msgspec.Raw], Any]] = {name: _reader(name) for name in FORMS}
"""Readers of data, by the name of the newest version of its type."""


def lifted(name: str, data: msgspec.Raw) -> Any:
    """Return data of an older version (`registry.UPCASTERS`), upcast to the newest. Raises `msgspec.ValidationError`."""
    row, upcasters = UPCASTERS[name]
    newest = msgspec.json.decode(data)
    try:
        for upcaster in upcasters:
            newest = upcaster(newest)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise msgspec.ValidationError(f"the data is not that of {name}") from None
    form: Any = msgspec.convert(newest, FORMS[row.name])
    return form if FORMS[row.name] is not ADOPTED else from_wire(form)


_ENCODE = msgspec.json.Encoder().encode
_PLACE = re.compile(r" - at `\$?(.*)`$")


def encode_data(data: ev.Data, name: str = "") -> bytes:
    """Return the JSON of an event's data in the version ``name`` of its type (default: the newest).

    Raises `InvalidEvent` if its own reader rejects it, if that version cannot express it, or like `encode_text`.
    """
    form = form_of(data)
    encoded = encode_text(form)
    if name in UPCASTERS:
        older = encode_text(within(msgspec.to_builtins(form), kept()[name]))
        if encode_text(form_of(lifted(name, msgspec.Raw(older)))) != encoded:
            raise InvalidEvent(
                (), f"{name} cannot express it; a newer version is written once ARBITER_EDITION allows it"
            )
        return older
    try:
        _CHECKS[NAMES[type(data)]](encoded)
    except msgspec.ValidationError as problem:
        why = str(problem)
        place = _PLACE.search(why)
        field = tuple(re.findall(r"\w+", place[1])) if place else ()
        raise InvalidEvent(field, _PLACE.sub("", why)) from None
    return encoded


def encode_text(value: Any) -> bytes:
    """Return the JSON of a value. Raises `InvalidEvent` if one of its texts contains NUL or a lone surrogate.

    The texts are searched only if the encoder fails, or if the JSON contains the escape of NUL.
    """
    try:
        encoded = _ENCODE(value)
        where = unclean_at(msgspec.to_builtins(value)) if b"\\u0000" in encoded else None
    except UnicodeEncodeError:
        where = unclean_at(msgspec.to_builtins(value)) or ()
    if where is not None:
        raise InvalidEvent(where, UNCLEAN)
    return encoded


def unclean_at(value: Any) -> tuple[str, ...] | None:
    """Return the path of the first text in nested objects and lists that contains NUL or a lone surrogate, or None.

    The path consists of names and indices. For such a name, it is the path of its object.
    """
    if isinstance(value, str):
        return () if _NO_TEXT.search(value) else None
    if isinstance(value, Mapping):
        for name, one in value.items():
            if unclean_at(name) is not None:
                return ()
            within = unclean_at(one)
            if within is not None:
                return (str(name), *within)
    elif isinstance(value, list | tuple):
        for place, one in enumerate(value):
            within = unclean_at(one)
            if within is not None:
                return (str(place), *within)
    return None
