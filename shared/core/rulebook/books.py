"""The rule texts that articles belong to: how regulations write an article, and the printed name of text and article.

An article appears in events and regulations as "002-X 12.2", "C.04.3, 5.1" or "000-A 围棋, 违例 7", with our own remarks
around it. Text that names none of the `BOOKS` is a remark and is shown as written.

Standard library only.
"""

import re
import string
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from shared.core.language.messages import Message, say
from shared.core.rulebook.remarks import printed_remark

Numbering = Literal["split", "whole", "plain"]
"""How the Chinese text prints an article's number: 第21条4, 第9.2条, or as it is."""
_NUMBER = (
    r"(?:(?:\d+(?:\.(?:\d+|[A-Z](?!\w)))*|[A-Z](?![\w.'])|[IVX]+\.\d+|[㈠-㈩])"
    r"(?: ?\([\d一二三四五六七八九十]+\))?(?: ?[①-⑳])?|\([\d一二三四五六七八九十]+\))"
)


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """A rule text. ``code``: the name by which articles cite it.

    ``parts``: the regular expression of the codes, if one `Book` covers several parts of a text; ``{code}`` in ``name`` is
    then the cited part. ``chapters``: headings printed after the title. ``sections``: headings inside a chapter. Article
    numbers begin at 1 in each chapter and in each section. ``default``: the chapter of a citation without a chapter.
    """

    code: str
    name: Message
    numbering: Numbering = "split"
    chapters: dict[str, Message] = field(default_factory=dict)
    sections: dict[str, Message] = field(default_factory=dict)
    default: str = ""
    parts: str = ""

    @property
    def title(self) -> Message:
        """Return the title, for a row of several parts the title of them all: FIDE Handbook C.04."""
        return Message(self.name.text, {"code": self.code})

    @property
    def pattern(self) -> str:
        """Return the regular expression of the codes that an article of this text begins with."""
        return self.parts or re.escape(self.code)


_FIDE = "FIDE "
"""Optional prefix of a code of FIDE's handbook."""
BOOKS: tuple[Book, ...] = (
    Book("002-X", say("Xiangqi Rules 1999")),
    Book(
        "000-A",
        say("Campus Rules"),
        chapters={
            "中国象棋规则": say("on xiangqi"),
            "国际象棋": say("on chess"),
            "围棋": say("on Go"),
            "五子棋": say("on gomoku"),
            "瑞士制规则": say("on the Swiss system"),
            "破同分": say("on ties"),
        },
        sections={
            "轮空": say("on byes"),
            "行棋": say("on moves"),
            "违例": say("on violations"),
            "犯规": say("on fouls"),
            "处分权限": say("on powers"),
            "迟到问题": say("on lateness"),
            "贴子": say("on komi"),
            "终局": say("on the end"),
            "对局结束": say("on the end of the game"),
            "不合规则": say("on illegal moves"),
            "摸子": say("on touched pieces"),
            "和": say("on draws"),
        },
        default="中国象棋规则",
    ),
    Book("000-B", say("Rules and Notes of the Gomoku Event"), sections={"注意": say("notes")}),
    Book("000-C", say("Chinese Gomoku Rules")),
    Book("000-D", say("Network Gomoku Rules"), "plain"),
    Book(
        "000-E",
        say("Board Game Rules"),
        chapters={"围棋": say("on Go"), "五子棋": say("on gomoku")},
        sections={"判断胜负": say("on who wins"), "行棋顺序": say("on the order of play")},
    ),
    Book("000-F", say("Rules of Twenty-One"), "plain"),
    Book(
        "001",
        say("How Gomoku is Played"),
        "plain",
        sections={f"第{number}条": say("{section}", section=f"第{number}条") for number in "一二三四五六七八九十"}
        | {"例": say("example")},
    ),
    Book("003", say("Introduction to Xiangqi"), "plain", sections={"胜、负、和": say("on wins, losses and draws")}),
    Book("004", say("Gomoku Report"), "plain", sections={"line": say("line")}),
    Book("Laws", say("FIDE Laws of Chess"), "whole", sections={"Guidelines": say("Guidelines")}),
    Book("C.04", say("FIDE Handbook {code}"), "whole", parts=rf"(?:{_FIDE})?C\.\d\d(?:\.\d+)*"),
)
"""The rule texts, grouped by language."""


@dataclass(frozen=True, slots=True)
class Article:
    """An article of a ``book``: its ``number`` in a ``chapter`` and a ``section``, each "" if it has none.

    ``code`` is the code of the part, if the book has several.
    """

    book: Book
    code: str
    chapter: str
    section: str
    number: str

    @property
    def anchor(self) -> str:
        """Return the anchor of the article within a page: 002-X-21.4."""
        name = " ".join((self.code, self.chapter, self.section, self.number))
        return re.sub(r"[^\w.]+", "-", name).strip("-")

    @property
    def source(self) -> Message:
        """Return the printed name of the book, with the chapter."""
        name = Message(self.book.name.text, {"code": self.code})
        chapter = self.book.chapters.get(self.chapter)
        return name if chapter is None else say("{book}, {chapter}", book=name, chapter=chapter)

    @property
    def place(self) -> Message | None:
        """Return the place in the book, such as art. 21.4, or None if the article is the whole book or chapter."""
        section = self.book.sections.get(self.section)
        if not self.number:
            return section
        if self.section == "line":
            return say("line {number}", number=self.number)
        number = self._numbered()
        return number if section is None else say("{section}, {number}", section=section, number=number)

    def _numbered(self) -> Message:
        if self.book.numbering == "plain":
            return say("no. {number}", number=self.number)
        split = _SPLIT.fullmatch(self.number)
        if split is None or (self.book.numbering == "whole" and not split["item"]):
            return say("art. {number}", number=self.number)
        return _split(split)


_SPLIT = re.compile(r"(?P<whole>\d+)(?:\.(?P<part>\d[\d.]*))?(?P<item>(?: ?\(\w+\))?(?: ?[①-⑳])?)")


def _split(number: re.Match[str]) -> Message:
    """Return an article's number together with the number of its paragraph."""
    whole, part, item = number["whole"], number["part"], number["item"].replace(" ", "")
    if part is not None:
        return say("art. {whole}.{part}", whole=whole, part=part + item)
    return say("art. {whole}{item}", whole=whole, item=item)


@dataclass(frozen=True, slots=True)
class Cited(Message):
    """An article in a message. ``anchor`` is its anchor within the page of a ruleset, ``book`` the code of its book."""

    anchor: str = ""
    book: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Articles cited together, such as "art. 4.1 and 4.2".

    ``named``: whether the title of the book is printed, because it differs from the citation before.
    """

    articles: tuple[Article, ...]
    named: bool

    @property
    def message(self) -> Message:
        """Return the articles, the first of them with its book."""
        return say("{articles}", articles=tuple(self._cited(n, one) for n, one in enumerate(self.articles)))

    def _cited(self, n: int, article: Article) -> Cited:
        words = article.source
        if article.place is not None:
            with_book = say("{book}, {article}", book=article.source, article=article.place)
            words = article.place if n or not self.named else with_book
        return Cited(words.text, words.facts, article.anchor, article.book.code)


@dataclass(frozen=True, slots=True)
class Citation:
    """A text that cites articles. ``text``: the words around them, with a placeholder for each of the ``groups``."""

    text: str
    groups: tuple[Group, ...]

    @property
    def articles(self) -> tuple[Article, ...]:
        return tuple(article for group in self.groups for article in group.articles)

    @property
    def message(self) -> Message:
        """Return the printed text, with the names of the books. An article of an unknown book is printed as written."""
        if not self.groups and self.text[:1].isdigit():
            return say("article {article}", article=self.text)
        return Message(
            printed_remark(self.text), {_placeholder(n): group.message for n, group in enumerate(self.groups)}
        )


_GROUPS = len(string.ascii_lowercase)
"""Maximum number of citations in a text, one for each placeholder. The rest is shown as written."""


def _placeholder(n: int) -> str:
    return string.ascii_lowercase[n]


@lru_cache(4096)
def citation(text: str) -> Citation:
    """Return a text, such as the article of a ruling, with the articles that it cites."""
    parts: list[str] = []
    groups: list[Group] = []
    at, source = 0, None
    while len(groups) < _GROUPS and (match := _CITED.search(text, at)):
        parts.append(_literal(text[at : match.start()]))
        book = next(book for book in BOOKS if re.fullmatch(book.pattern, match.group()))
        code, chapter, section = match.group().removeprefix(_FIDE), "", ""
        at = match.end()
        reference = _reference(book).match(text, at)
        while True:
            articles = _articles(book, code, reference.group() if reference else "", chapter, section)
            parts.append("{" + _placeholder(len(groups)) + "}")
            groups.append(Group(articles, articles[0].source != source))
            chapter, section, source = articles[-1].chapter, articles[-1].section, articles[-1].source
            at = reference.end() if reference else at
            reference = _continued(book).match(text, at)
            if reference is None or len(groups) == _GROUPS:
                break
            parts.append("; ")
    return Citation("".join((*parts, _literal(text[at:]))), tuple(groups))


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


_CODES = "|".join(book.pattern for book in BOOKS)
_CITED = re.compile(rf"(?<![\w.])(?:{_CODES})(?![\w])")


@cache
def _token(book: Book) -> str:
    """Return the pattern of a number, a range of numbers, a chapter or a section of ``book``. It matches no code of `BOOKS`."""
    names = sorted((*book.chapters, *book.sections), key=len, reverse=True)
    alternatives = "".join(f"{re.escape(name)}|" for name in names)
    return rf"(?!(?:{_CODES})(?!\w))(?>{alternatives}{_NUMBER}(?:-{_NUMBER})?)"


@cache
def _reference(book: Book) -> re.Pattern[str]:
    """Return the pattern of the longest run of numbers and section names after a code."""
    return re.compile(rf",? ?{_run(book)}(?!\w)")


@cache
def _continued(book: Book) -> re.Pattern[str]:
    """Return the pattern of a further citation after a semicolon. It has no code, so the code before it applies."""
    return re.compile(rf"; {_run(book)}(?=$|[:;,)]| [a-z(])")


def _run(book: Book) -> str:
    """Return the pattern of one or more tokens in a row. Numbers need a separator, so that matching takes linear time."""
    token = _token(book)
    return rf"{token}(?:(?:, | |(?<![\d.])){token})*"


def _articles(book: Book, code: str, reference: str, chapter: str, section: str) -> tuple[Article, ...]:
    """Return the articles of a citation. A section applies until the next section, a chapter until the next chapter."""
    articles: list[Article] = []
    pending = False
    for token in re.findall(_token(book), reference):
        if token in book.chapters:
            chapter, section, pending = token, "", True
        elif token in book.sections:
            section, pending = token, True
        else:
            articles.append(Article(book, code, chapter or book.default, section, token.replace(" ", "")))
            pending = False
    if pending or not articles:
        articles.append(Article(book, code, chapter or (book.default if reference else ""), section, ""))
    return tuple(articles)
