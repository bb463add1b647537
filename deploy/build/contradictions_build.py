"""Writes the page of the texts' contradictions, how each set settles them: `python -m deploy.build.contradictions_build`."""

from collections.abc import Iterator
from pathlib import Path

from shared.regulations import load, names
from shared.regulations.changeable import changeable, words
from shared.regulations.contradictions import Contradiction, contradictions, settlements

PAGE = Path(__file__).parents[1] / "docs" / "contradictions.md"
HEAD = """# What the texts say in two ways

Where the books and the events' own rules contradict each other, or leave open what they mean, the reading is a value of the
regulations. Each is listed here with its sources and the sets that take it; an organiser chooses another by `changes`, at
`path`. This page is made from the files of `shared/regulations` by `make docs`.
"""


def page() -> str:
    """The page in Markdown."""
    return "\n".join((HEAD, *(line for one in contradictions() for line in _section(one)))) + "\n"


def _section(contradiction: Contradiction) -> Iterator[str]:
    yield f"## {contradiction.number}. {contradiction.subject}\n"
    sets = {name: {one.path: one for one in settlements(contradiction, load(name))} for name in names()}
    for path in contradiction.paths:
        yield f"`{path}`\n\n| reading | source | taken by |\n|---|---|---|"
        having = {name: settled[path] for name, settled in sets.items() if path in settled}
        for reading in changeable()[path].readings:
            taken = [name for name, one in having.items() if reading in one.taken]
            yield f"| {words(reading.value)} | {reading.source.replace('|', '/')} | {', '.join(taken)} |"
        own = [name for name, one in having.items() if not one.taken]
        if own:
            yield f"| another | the set's own | {', '.join(own)} |"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
