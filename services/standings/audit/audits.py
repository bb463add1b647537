"""Audits as the routes and pages of standings ask for them: made beside the server, by who knows every service's rules."""

from typing import Protocol

from shared.audit.report import Progress, Stage
from shared.audit.report_answer import AuditAnswer
from shared.core.language.messages import Message, say

Audited = AuditAnswer | Progress
"""An audit as ``GET …/audit`` answers it, or how far it is."""

STAGES: dict[Stage, Message] = {
    "lines": say("reading the events"),
    "sheets": say("reading the score sheets"),
    "signatures": say("checking signatures"),
    "decisions": say("re-evaluating decisions"),
}
"""What an audit does just now."""


class Audits(Protocol):
    """The audits of a server."""

    def report(self, t: str) -> AuditAnswer:
        """The audit of a tournament, waited for.

        Raises `Problem` 503 where too many wait, where it takes more time or memory than it may, and where it could not be
        made.
        """

    def look(self, t: str) -> Audited:
        """The audit of a tournament, or how far it is: one that is under way is not begun again for lines that came since.
        Raises as `report`."""

    def made(self, t: str, line: int) -> AuditAnswer | None:
        """The newest audit that is made and read this line, and is not waited for; None: one begins, where there is room."""
