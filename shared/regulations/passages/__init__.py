"""The words of the rulebooks themselves: the text of the articles that infractions rest on, as the books have it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from shared.core.rulebook.books import citation
from shared.regulations.typed_toml import TomlError, read_toml, toml_files


@dataclass(frozen=True, slots=True)
class Passage:
    """What a book says: its own ``text``, in Chinese, and what that is in ``english``. ``articles``: those that it is the text
    of; more than one where the chapters of a book repeat it word by word."""

    articles: tuple[str, ...]
    text: str
    english: str


@dataclass(frozen=True, slots=True)
class Passages:
    """What a file here holds: passages of one book."""

    passages: tuple[Passage, ...]


@cache
def passages() -> Mapping[str, Passage]:
    """Every passage by the anchor of its article. Raises `TomlError`, also for an article that has two texts, or is none."""
    found: dict[str, Passage] = {}
    for file in toml_files(__package__):
        for passage in read_toml(__package__, file, Passages).passages:
            for text in passage.articles:
                articles = citation(text).articles
                if len(articles) != 1 or articles[0].anchor in found:
                    raise TomlError(f"{file}: passages ({text}): one article, and one text of it")
                found[articles[0].anchor] = passage
    return found


def passages_of(article: str | None) -> tuple[Passage, ...]:
    """The texts of the articles that a ruling names, those that are at hand, each once."""
    anchors = (one.anchor for one in citation(article or "").articles)
    return tuple(dict.fromkeys(passages()[anchor] for anchor in anchors if anchor in passages()))
