"""The words of the rulebooks themselves: the text of the articles that infractions rest on, as the books have it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from shared.core.rulebook.books import citation
from shared.regulations.typed_toml import TomlError, read_toml, toml_files


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a rule text: the original ``text`` in Chinese, and its translation in ``english``.

    ``articles``: the articles with this text, several if the chapters of a book repeat it.
    """

    articles: tuple[str, ...]
    text: str
    english: str


@dataclass(frozen=True, slots=True)
class Passages:
    """The content of a file: passages of one book."""

    passages: tuple[Passage, ...]


@cache
def passages() -> Mapping[str, Passage]:
    """Return every passage by the anchor of its article. Raises `TomlError`, also for an invalid or repeated article."""
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
    """Return the available texts of the articles that a ruling cites, each once."""
    anchors = (one.anchor for one in citation(article or "").articles)
    return tuple(dict.fromkeys(passages()[anchor] for anchor in anchors if anchor in passages()))
