"""The catalogues of other languages: every text of the source, each with its words, and nothing besides."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from deploy.build.catalogues import LANGUAGES, PACKAGES, ROOT, collected, folder, read
from shared.core.event_types.registry import EVENT_TYPES

ONES = [(language, domain) for language in LANGUAGES for domain in PACKAGES]
_PLACEHOLDER = re.compile(r"%\((\w+)\)s|(?<!\{)\{(\w+)\}(?!\})")


def both(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(text: str) -> set[str]:
    return {"".join(found) for found in _PLACEHOLDER.findall(text)}


@pytest.mark.parametrize(("language", "domain"), ONES)
def test_a_catalogue_has_every_text_of_its_package_and_no_other(language, domain):
    kept = {message.id for message in read(domain, language)}
    wanted = {message.id for message in collected(domain, language)}
    assert kept ^ wanted <= {""}, "`make messages` brings it up to date"
    assert not read(domain, language).obsolete


@pytest.mark.parametrize(("language", "domain"), ONES)
def test_every_text_is_translated_with_the_same_facts(language, domain):
    for message in read(domain, language):
        if not message.id:
            continue
        assert all(both(message.string)), message.id
        assert not message.fuzzy, message.id
        for translation in both(message.string):
            assert placeholders(translation) == placeholders(both(message.id)[-1]), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_of_two_packages_has_the_same_words_in_both(language):
    words: dict[object, set[object]] = {}
    for domain in PACKAGES:
        for message in read(domain, language):
            words.setdefault(message.id, set()).add(message.string)
    words.pop("", None)
    assert {id: translations for id, translations in words.items() if len(translations) > 1} == {}


def test_every_folder_with_texts_is_a_package_of_the_catalogues():
    said = {
        str(file.relative_to(ROOT))
        for room in ("shared", "services", "deploy")
        for file in Path(ROOT / room).rglob("*.py")
        if re.search(r"\bsay\(", file.read_text(encoding="utf-8"))
    }
    assert [f for f in said if not f.startswith(tuple(f"{folder}/" for folder in PACKAGES.values()))] == []


def test_catalogues_are_merged_easily():
    """One text after another by the alphabet, without the lines of the source or the day."""
    for language, domain in ONES:
        file = folder(language) / f"{domain}.po"
        if file.exists():
            text = file.read_text(encoding="utf-8")
            assert "#: " not in text and "POT-Creation-Date" not in text


SAID_BY = {
    "Refusal": (2,),
    "Problem": (2, 3),
    "unavailable": (1,),
    "too_many": (0,),
    "of_status": (1,),
    "bad_token": (1,),
    "IllegalMove": (0,),
    "Unclear": (0, 1),
    "Violation": (2,),
    "StageFault": (1,),
    "BadChange": (1,),
    "ValidationError": (0,),
    # the audit: findings, what is left out, what lacks, remarks
    "add": (3,),
    "leave_out": (0,),
    "lack": (0,),
    "remark": (0,),
    "Unsigned": (1,),
    "Unreadable": (0,),
    # workers: why they halt, why a tournament is stopped, what they found in topics
    "Halted": (0,),
    "Mendable": (0,),
    "halt": (2,),
    "stranger": (1,),
    "Beginning": (1,),
    "Wrong": (0, 1),
    "LogUnavailable": (0,),
    # the command, and doctor
    "Failure": (0,),
    "UsageError": (0,),
    "note": (0,),
    "Finding": (0, 1, 2),
    "NotPossible": (0,),
    "NotSigned": (0,),
    "WitnessError": (0,),
    "BadSetting": (0,),
    "BadKeys": (0,),
    "BadDatabase": (0,),
    "BadCheckpoint": (0,),
    "BadRevocation": (0,),
}
"""What says something to people: the arguments that are messages."""
SHOWN_BY = ("print", "echo", "add_columns", "Grid", "print_table")
"""What puts a text on a terminal, in the modules of the command."""
SOURCES = [file for room in ("shared", "services", "deploy") for file in sorted((ROOT / room).rglob("*.py"))]


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call, ast.AST]]:
    """Each call by name, with the function that it stands in."""
    for within in ast.walk(tree):
        for child in ast.iter_child_nodes(within):
            child.parent = within  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            within = node
            while not isinstance(within, ast.FunctionDef | ast.Module):
                within = within.parent  # type: ignore[attr-defined]
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            yield name, node, within


def said_in(node: ast.JoinedStr) -> str:
    """What an f-string says beside its facts."""
    return "".join(part.value for part in node.values if isinstance(part, ast.Constant))


def is_bare(node: ast.AST) -> bool:
    """A text that is no message: a literal, also one in a list or of two."""
    match node:
        case ast.Constant(value=str(text)):
            return bool(re.search("[A-Za-z]", text))
        case ast.JoinedStr():
            return said_in(node) != "arbiter: "
        case ast.List(elts=items) | ast.Dict(values=items):
            return any(map(is_bare, items))
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            return is_bare(one) or is_bare(other)
    return False


def bare_texts(tree: ast.AST) -> Iterator[int]:
    """The lines on which people are told a text that is no message."""
    for name, call, within in calls(tree):
        for place in SAID_BY.get(name, ()):
            said = call.args[place] if len(call.args) > place else None
            sources = [said]
            if isinstance(said, ast.Name):
                sources = [
                    n.value
                    for n in ast.walk(within)
                    if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == said.id for t in n.targets)
                ]
            if any(source is not None and is_bare(source) for source in sources):
                yield call.lineno


def trees(folder: str = "") -> dict[str, ast.AST]:
    files = (file for file in SOURCES if str(file.relative_to(ROOT)).startswith(folder))
    return {str(file.relative_to(ROOT)): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def test_whatever_is_said_to_people_is_a_message():
    found = trees()
    found.pop("shared/wire/event_data.py")  # msgspec's error of the same name, which people never see
    assert [f"{path}:{line}" for path, tree in found.items() for line in bare_texts(tree)] == []


def spoken(node: ast.AST) -> Iterator[str]:
    """The words that a printed text has beside its facts and its markup; ``arbiter`` is the name of the program."""
    match node:
        case ast.Constant(value=str(text)):
            words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\[.*?\]|https?:", "", text))
            yield from (word for word in words if word != "arbiter")
        case ast.JoinedStr():
            yield from spoken(ast.Constant(said_in(node)))
        case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
            yield from (*spoken(one), *spoken(other))


def printed_words(tree: ast.AST) -> Iterator[int]:
    """The lines on which the command prints words that are no message."""
    for name, call, _ in calls(tree):
        if name in SHOWN_BY and call.args and [*spoken(call.args[0])]:
            yield call.lineno


def test_the_command_prints_no_words_beside_the_catalogue():
    found = trees("deploy/cli")
    assert [f"{path}:{line}" for path, tree in found.items() for line in printed_words(tree)] == []


@pytest.mark.parametrize(
    "source",
    [
        'out.print("Final table")',
        'out.print(f"[bold]{a}[/], from line {b}")',
        'grid.add_columns("Name")',
        'Grid(f"{a} after {b}")',
        'click.echo("  refused now: " + why)',
    ],
)
def test_printed_words_are_found(source):
    assert list(printed_words(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        'Refusal("rule", "code", "a text")',
        'Refusal("rule", "code", f"{a} text")',
        'def view():\n    detail = f"{a}"\n    return Problem(404, "code", say("title"), detail)',
        'Problem(404, "code", "title")',
        'ValidationError(["a text"])',
        'ValidationError({"field": ["a text"]})',
        'report.add(seq, seq, "order", f"its id {id} stands before")',
        'report.lack("a key is given")',
        'Unsigned("bad", "a signature stands within its record")',
        'Finding("disk", f"{free} MiB free", "make room")',
        'raise Halted(f"{topic} is gone")',
        'Failure(f"{file}: no line in it")',
        'note("the topics are as they are to be")',
    ],
)
def test_a_bare_text_is_found(source):
    assert list(bare_texts(ast.parse(source)))


DESCRIPTIONS = ROOT / "services" / "standings" / "descriptions"
DATA = {row.data.__name__: {field.name for field in fields(row.data)} for row in EVENT_TYPES}


def filled(tree: ast.Module) -> dict[ast.Call, set[str]]:
    """Return the places that `EventDescription.sentence_of` fills in a function's sentence: the members of its event."""
    found: dict[ast.Call, set[str]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            types = [
                set(re.findall(r"ev\.(\w+)", ast.unparse(a.annotation))) for a in function.args.args if a.annotation
            ]
            events = [DATA[name] for name in set().union(*types) if name in DATA]
            members = set.intersection(*events) if events else set()
            members |= {"marks"} if {"white", "black"} <= members else set()
            found |= {call: members for call in ast.walk(function) if isinstance(call, ast.Call)}
    return found


def test_a_message_has_a_fact_for_each_place_of_its_template_and_no_other():
    wrong = []
    for file in SOURCES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        members = filled(tree) if file.parent == DESCRIPTIONS else {}
        for name, call, _ in calls(tree):
            if name != "say" or not call.args:
                continue
            text = call.args[0]
            facts = {keyword.arg for keyword in call.keywords}
            literal = isinstance(text, ast.Constant)
            own = members.get(call, set()) & placeholders(text.value) if literal else set()
            if (is_bare(text) and not literal) or (
                literal and facts and None not in facts and placeholders(text.value) != facts | own
            ):
                wrong.append(f"{file.relative_to(ROOT)}:{call.lineno}")
    assert wrong == []
