"""The rulings that an export of ours states, made again in the imported tournament."""

from typing import Any, Protocol

from deploy.imports.hall import Hall
from shared.client import Client, Problem
from shared.core.language.messages import Message, message_of, say


class Story(Protocol):
    """The import of a file, as far as its rulings need it (`file_import.FileImport`)."""

    hall: Hall
    id: str
    organiser: Client | None

    def tell(self, message: Message, /) -> None: ...

    def path(self, resource: str) -> str: ...

    def post(self, step: str, path: str, body: Any, *, by: Client | None = None) -> None: ...


def make_rulings(story: Story) -> None:
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
