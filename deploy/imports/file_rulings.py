"""The rulings that an export of ours states, made again in the imported tournament."""

from typing import TYPE_CHECKING

from shared.client import Problem
from shared.core.language.messages import message_of, say

if TYPE_CHECKING:
    from deploy.imports.file_import import FileImport


def make_rulings(story: "FileImport") -> None:
    """Make the rulings of a file after all results, and report each that is rejected.

    They cannot change a pairing any more. Rulings of the rulebook result from them, as in the exported event.
    """
    path = story.path("rulings")
    for n, stated in enumerate(story.hall.event.records.rulings, 1):
        body = story.hall.ruling(stated, story.id)
        try:
            try:
                story.post(f"ruling {n}", path, body)
            except Problem as problem:
                if story.organiser is None or problem.code != "role-may-not":
                    raise
                story.post(f"ruling by the organiser {n}", path, body, by=story.organiser)
        except Problem as problem:
            file, why = story.hall.trf.file, message_of(problem)
            story.tell(say("{file}: ruling {n} is not imported: {why}", file=file, n=n, why=why))
