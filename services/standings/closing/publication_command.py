"""The duties of the signer after a publication."""

from contextlib import suppress

from shared.desk.desk import Desk
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.signer_port import NotSigned


def remember(desk: Desk, t: str) -> None:
    """Have the signer remember what a publication was signed on: in the commit that wrote it, it was no line of the log yet."""
    view = desk.view(t)
    if view is not None:
        with suppress(NotSigned):
            signed_checkpoint(desk, view)
