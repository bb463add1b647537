"""Write the pages of the rule texts' contradictions and of their values: `python -m deploy.build.contradictions_build`."""

from collections.abc import Iterator
from pathlib import Path

from flask import Flask, g

from shared.core.language.messages import Message
from shared.core.rulebook.books import citation
from shared.core.rulebook.regulations import Value
from shared.http.language.catalogue import CHINESE, in_language
from shared.regulations import load, names
from shared.regulations.changeable import changeable, words
from shared.regulations.contradictions import Contradiction, contradictions, settlements
from shared.web.markup import full_width
from shared.web.value_words import value_name, value_words

PAGE = Path(__file__).parents[1] / "docs" / "contradictions.md"
CHINESE_PAGE = PAGE.with_name("contradictions.zh-CN.md")
HEAD = """# Contradictions of the rule texts

[中文](contradictions.zh-CN.md)

Rule texts and event rules contradict each other in places, or leave their meaning open. Each such question is a value of the
ruleset. This page lists its interpretations, their sources, and the shipped rulesets that use them. An organiser selects another
interpretation by `changes`, at the path above the table. Sources are quoted as rulesets and logs contain them; `house` means that
no text decides, and the interpretation is Arbiter's own choice. `make docs` writes this page from `shared/regulations`.
"""

CHINESE_HEAD = """# 规则条文的矛盾之处

[English](contradictions.md)

规则条文和赛事规则之间有互相矛盾的地方，也有含义不明的地方。每个这样的问题都是规程中的一个数值。本页列出各种解释、出处，以及
采用该解释的自带规程。主办方可用 `changes` 改用另一种解释，路径写在各表之上，括号中的代码就是要填写的值。“默认”表示没有条文
可依，解释由本系统规定。本页由 `make docs` 根据 `shared/regulations` 写成。
"""


def page() -> str:
    """Return the page in Markdown."""
    return "\n".join((HEAD, *(line for one in contradictions() for line in _section(one)))) + "\n"


def chinese_page() -> str:
    """Return the page in Chinese, with the words that the web pages use."""
    with Flask(__name__).app_context():
        g.language = CHINESE
        return "\n".join((CHINESE_HEAD, *(line for one in contradictions() for line in _chinese_section(one)))) + "\n"


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


def _chinese_section(contradiction: Contradiction) -> Iterator[str]:
    yield f"## {contradiction.number}. {_chinese(Message(contradiction.subject))}\n"
    sets = {name: {one.path: one for one in settlements(contradiction, load(name))} for name in names()}
    for path in contradiction.paths:
        yield f"{_chinese(value_name(path))}（`{path}`）\n\n| 解释 | 出处 | 采用的规程 |\n|---|---|---|"
        having = {name: settled[path] for name, settled in sets.items() if path in settled}
        for reading in changeable()[path].readings:
            taken = [name for name, one in having.items() if reading in one.taken]
            source = full_width(_chinese(citation(reading.source).message)).replace("|", "/")
            yield f"| {_chinese_value(path, reading.value)} | {source} | {'、'.join(taken)} |"
        own = [name for name, one in having.items() if not one.taken]
        if own:
            yield f"| 另一数值 | 规程本身 | {'、'.join(own)} |"
        yield ""


def _chinese_value(path: str, value: Value) -> str:
    """Return a value in words, with its code in the ruleset if that differs."""
    said, code = _chinese(value_words(load("campus"), path, value)), str(words(value))
    return said if said == code else f"{said}（{code}）"


def _chinese(message: Message) -> str:
    return in_language(message, CHINESE)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    CHINESE_PAGE.write_text(chinese_page(), encoding="utf-8")
