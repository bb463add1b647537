"""A federation's own set for tests: a shipped one under another name, with places written otherwise."""

from importlib.resources import files

from shared import regulations

OWN = "harbour-cup"


def own_set(of: str = "xiangqi-1999", *changes: tuple[str, str], name: str = OWN) -> str:
    """The text of the shipped set ``of`` under a name of its own, each change made at the first such place."""
    text = files(regulations).joinpath(f"{of}.toml").read_text(encoding="utf-8")
    for old, new in ((f'name = "{of}"', f'name = "{name}"'), *changes):
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
