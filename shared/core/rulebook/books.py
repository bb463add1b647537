"""The books that articles are of: how regulations write an article, and what people call the book and its articles.

An article stands in events and regulations as "002-X 12.2", "C.04.3, 5.1", "000-A 围棋, 违例 7", with remarks of ours
around it. What names no book of `BOOKS` is a remark and is shown as written.

Standard library only.
"""

import re
import string
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from shared.core.language.messages import Message, say

Numbering = Literal["split", "whole", "plain"]
"""How the Chinese text says an article's number: 第21条4, 第9.2条, or as it is."""
_NUMBER = (
    r"(?:(?:\d+(?:\.(?:\d+|[A-Z](?!\w)))*|[A-Z](?![\w.'])|[IVX]+\.\d+|[㈠-㈩])"
    r"(?: ?\([\d一二三四五六七八九十]+\))?(?: ?[①-⑳])?|\([\d一二三四五六七八九十]+\))"
)


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """A book. ``code``: as articles write it; where one row stands for several parts, ``parts`` is the pattern of their codes,
    and ``{code}`` in the ``name`` is the part. ``chapters`` are named with the book, ``sections`` within a chapter, and each
    numbers its articles anew; ``default``: the chapter that is meant where none is named."""

    code: str
    name: Message
    numbering: Numbering = "split"
    chapters: dict[str, Message] = field(default_factory=dict)
    sections: dict[str, Message] = field(default_factory=dict)
    default: str = ""
    parts: str = ""

    @property
    def title(self) -> Message:
        """The name of the book, where its row stands for several parts of all of them: FIDE Handbook C.04."""
        return Message(self.name.text, {"code": self.code})

    @property
    def pattern(self) -> str:
        """That of what an article begins with."""
        return self.parts or re.escape(self.code)


_FIDE = "FIDE "
"""What may stand before a code of FIDE's handbook."""
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
"""The books, those of one language together."""


@dataclass(frozen=True, slots=True)
class Article:
    """An article of a ``book``, whose ``code`` is that of the part: its ``number`` in a ``chapter`` and a ``section``, each
    empty where it has none."""

    book: Book
    code: str
    chapter: str
    section: str
    number: str

    @property
    def anchor(self) -> str:
        """What names it within a page: 002-X-21.4."""
        whole = " ".join((self.code, self.chapter, self.section, self.number))
        return re.sub(r"[^\w.]+", "-", whole).strip("-")

    @property
    def source(self) -> Message:
        """The book, with the chapter, by the name that people know it by."""
        name = Message(self.book.name.text, {"code": self.code})
        chapter = self.book.chapters.get(self.chapter)
        return name if chapter is None else say("{book}, {chapter}", book=name, chapter=chapter)

    @property
    def place(self) -> Message | None:
        """Where in the book: art. 21.4; None where the book or the chapter is meant as a whole."""
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
    """An article's number, and that of the paragraph beside it."""
    whole, part, item = number["whole"], number["part"], number["item"].replace(" ", "")
    if part is not None:
        return say("art. {whole}.{part}", whole=whole, part=part + item)
    return say("art. {whole}{item}", whole=whole, item=item)


@dataclass(frozen=True, slots=True)
class Cited(Message):
    """An article in a message; ``anchor`` names it within the page of a rulebook, and ``book`` its book."""

    anchor: str = ""
    book: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Articles of one reference. ``named``: with the book, which the reference before it did not name."""

    articles: tuple[Article, ...]
    named: bool

    @property
    def message(self) -> Message:
        """The articles, the first of them with its book."""
        return say("{articles}", articles=tuple(self._cited(n, one) for n, one in enumerate(self.articles)))

    def _cited(self, n: int, article: Article) -> Cited:
        words = article.source
        if article.place is not None:
            with_book = say("{book}, {article}", book=article.source, article=article.place)
            words = article.place if n or not self.named else with_book
        return Cited(words.text, words.facts, article.anchor, article.book.code)


@dataclass(frozen=True, slots=True)
class Citation:
    """A text with articles in it. ``text``: what stands around them, a placeholder for each of the ``groups``."""

    text: str
    groups: tuple[Group, ...]

    @property
    def articles(self) -> tuple[Article, ...]:
        return tuple(article for group in self.groups for article in group.articles)

    @property
    def message(self) -> Message:
        """The text with the books by their names; an article of no book that is known, as it is written."""
        if not self.groups and self.text[:1].isdigit():
            return say("article {article}", article=self.text)
        return Message(self.text, {_placeholder(n): group.message for n, group in enumerate(self.groups)})


_GROUPS = len(string.ascii_lowercase)
"""So many references of a text are read, one for each placeholder; what follows is shown as written."""


def _placeholder(n: int) -> str:
    return string.ascii_lowercase[n]


@lru_cache(4096)
def citation(text: str) -> Citation:
    """A text, such as the article of a ruling, with the articles that it names."""
    around: list[str] = []
    groups: list[Group] = []
    at, source = 0, None
    while len(groups) < _GROUPS and (match := _CITED.search(text, at)):
        around.append(_literal(text[at : match.start()]))
        book = next(book for book in BOOKS if re.fullmatch(book.pattern, match.group()))
        code, chapter, section = match.group().removeprefix(_FIDE), "", ""
        at = match.end()
        reference = _reference(book).match(text, at)
        while True:
            found = _articles(book, code, reference.group() if reference else "", chapter, section)
            around.append("{" + _placeholder(len(groups)) + "}")
            groups.append(Group(found, found[0].source != source))
            chapter, section, source = found[-1].chapter, found[-1].section, found[-1].source
            at = reference.end() if reference else at
            reference = _continued(book).match(text, at)
            if reference is None or len(groups) == _GROUPS:
                break
            around.append("; ")
    return Citation("".join((*around, _literal(text[at:]))), tuple(groups))


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


_CODES = "|".join(book.pattern for book in BOOKS)
_CITED = re.compile(rf"(?<![\w.])(?:{_CODES})(?![\w])")


@cache
def _token(book: Book) -> str:
    """A number, a range of them, a chapter or a section, and not the code of a book."""
    names = sorted((*book.chapters, *book.sections), key=len, reverse=True)
    named = "".join(f"{re.escape(name)}|" for name in names)
    return rf"(?!(?:{_CODES})(?!\w))(?>{named}{_NUMBER}(?:-{_NUMBER})?)"


@cache
def _reference(book: Book) -> re.Pattern[str]:
    """The longest run of numbers and names of sections behind a code."""
    return re.compile(rf",? ?{_run(book)}(?!\w)")


@cache
def _continued(book: Book) -> re.Pattern[str]:
    """A further reference that leans on the code before it."""
    return re.compile(rf"; {_run(book)}(?=$|[:;,)]| [a-z(])")


def _run(book: Book) -> str:
    """Tokens one after another; those of numbers are apart, so that a text is read once however it ends."""
    token = _token(book)
    return rf"{token}(?:(?:, | |(?<![\d.])){token})*"


def _articles(book: Book, code: str, reference: str, chapter: str, section: str) -> tuple[Article, ...]:
    """The articles of a reference: a section holds until the next one, and a chapter until the next chapter."""
    found: list[Article] = []
    named = False
    for token in re.findall(_token(book), reference):
        if token in book.chapters:
            chapter, section, named = token, "", True
        elif token in book.sections:
            section, named = token, True
        else:
            found.append(Article(book, code, chapter or book.default, section, token.replace(" ", "")))
            named = False
    if named or not found:
        found.append(Article(book, code, chapter or (book.default if reference else ""), section, ""))
    return tuple(found)
