"""Why a command ends early."""

from shared.core.language.messages import Message


class Failure(Exception):
    """Why a command ends early: one line, and the exit code (1: refused or differs; 2: cannot be used)."""

    def __init__(self, message: str | Message, code: int = 2) -> None:
        super().__init__(message)
        self.message, self.code = message, code
