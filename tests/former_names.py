"""Names that servers before 2.0 accepted: line breaks, turned direction, control characters. Their logs are still shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from shared.core.values import bounds


@contextmanager
def any_name_accepted() -> Iterator[None]:
    """Accept every character in names, as a server before 2.0 did."""

    def nothing(text: str) -> None:
        return None

    with mock.patch.object(bounds, "unseen_in_name", nothing), mock.patch.object(bounds, "unseen_in_line", nothing):
        yield
