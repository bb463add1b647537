"""The lines of a file, split when they are read, so that a file that is not a log costs nothing."""

from array import array
from collections.abc import Sequence
from typing import overload


class WholeLines(Sequence[bytes]):
    """The lines of a content that end with LF, without it. ``cut``: whether a part of a line follows them."""

    def __init__(self, content: bytes) -> None:
        self._content, self._size = content, content.count(b"\n")
        self._starts = array("Q", [0])
        self.cut = bool(content) and not content.endswith(b"\n")

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._size))]
        number = index if index >= 0 else index + self._size
        if not 0 <= number < self._size:
            raise IndexError(index)
        starts, content = self._starts, self._content
        while len(starts) <= number + 1:
            starts.append(content.index(b"\n", starts[-1]) + 1)
        return content[starts[number] : starts[number + 1] - 1]
