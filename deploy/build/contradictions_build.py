"""Write the page of the rule texts' contradictions and of their values: `python -m deploy.build.contradictions_build`."""

from collections.abc import Iterator
from pathlib import Path

from shared.regulations import load, names
from shared.regulations.changeable import changeable, words
from shared.regulations.contradictions import Contradiction, contradictions, settlements

PAGE = Path(__file__).parents[1] / "docs" / "contradictions.md"
HEAD = """# Contradictions of the rule texts

Rule texts and event rules contradict each other in places, or leave their meaning open. Each such question is a value of the
ruleset. This page lists its interpretations, their sources, and the shipped rulesets that use them. An organiser selects another
interpretation by `changes`, at the path above the table. Sources are quoted as rulesets and logs contain them; `house` means that
no text decides, and the interpretation is Arbiter's own choice. `make docs` writes this page from `shared/regulations`.
"""


def page() -> str:
    """Return the page in Markdown."""
    return "\n".join((HEAD, *(line for one in contradictions() for line in _section(one)))) + "\n"


def _section(contradiction: Contradiction) -> Iterator[str]:
    yield f"## {contradiction.number}. {contradiction.subject}\n"
    sets = {name: {one.path: one for one in settlements(contradiction, load(name))} for name in names()}
    for path in contradiction.paths:
        yield f"`{path}`\n\n| interpretation | source | used by |\n|---|---|---|"
        having = {name: settled[path] for name, settled in sets.items() if path in settled}
        for reading in changeable()[path].readings:
            taken = [name for name, one in having.items() if reading in one.taken]
            yield f"| {words(reading.value)} | `{reading.source.replace('|', '/')}` | {', '.join(taken)} |"
        own = [name for name, one in having.items() if not one.taken]
        if own:
            yield f"| another | the ruleset itself | {', '.join(own)} |"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
