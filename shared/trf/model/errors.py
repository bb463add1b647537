"""What cannot be read in a report file."""

from shared.core.language.messages import Message, say


class TrfError(Exception):
    """A file that cannot be read; ``line`` and ``column`` count from 1, as FIDE's tables do."""

    def __init__(self, file: str, line: int, column: int, detail: Message) -> None:
        super().__init__(say("{file}:{line}:{column}: {detail}", file=file, line=line, column=column, detail=detail))
        self.file, self.line, self.column, self.detail = file, line, column, detail
