"""Checkpoints begun anew, where a log does not continue what was signed of it before."""

import re

from services.standings.rules.commands import RestartCheckpoints
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

_ROOT = re.compile(r"[0-9a-f]{64}")


def restart(t: Tournament, c: RestartCheckpoints) -> Decision | Refusal:
    """The restart, which stands in the log for ever. Refused: ``nothing-to-restart``, where the log continues all of it."""
    if c.event.size < 1 or not _ROOT.fullmatch(c.event.root):
        return Refusal("rule", "nothing-to-restart", say("the log continues every checkpoint that was signed of it"))
    return Decision((c.event,))
