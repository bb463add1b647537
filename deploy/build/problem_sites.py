"""Finds every problem code in the code, with its statuses and messages: `python -m deploy.build.problem_sites`.

A code is an argument of `Refusal`, `Problem` or `unavailable`. If the argument is a variable, its values are those that the
function assigns; if it is a parameter, those of the calls of that function.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from shared.http.problem_texts import FACTS
from shared.http.problems import REFUSALS, STATUS_CODES, STATUS_PAGE, of_status, unavailable

_ROOT = Path(__file__).parents[2]
_FOLDERS = ("services", "shared", "deploy/server")
_MAKERS = {"Refusal": 1, "Problem": 1, "unavailable": 0}
"""Function -> the position of its code. The message follows it, in a `Problem` after the title."""
_HOMES = ("shared.core.terms", "shared.http.problems")
"""The modules that define them. Functions of the same name from elsewhere are others."""
_FILE_OF_MAKERS = "shared/http/problems.py"
_FIRST = ("shared/http/common_problems.py", "shared/http/problems.py")
"""The files whose words most services use."""
_FACT = re.compile(r"\{\w+\}")
_LETTERS = re.compile(r"[a-z]{2}")
_GATEWAY_MAP = re.compile(r"map \$status \$problem \{([^}]+)\}")
_GATEWAY_TEXTS = re.compile(r'map "\$language \$status" \$(?:title|detail) \{([^}]+)\}')
_GATEWAY_TEXT = re.compile(r'"en (\d+)" "([^"]+)"')
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class _Module:
    """A module: its address, its tree, and the function around each call."""

    path: str
    tree: ast.Module

    @cached_property
    def calls(self) -> Sequence[tuple[ast.Call, _Function | None]]:
        return [*_calls(self.tree, None)]

    @cached_property
    def makers(self) -> set[str]:
        if self.path == _FILE_OF_MAKERS:
            return {*_MAKERS}
        imports = (node for node in self.tree.body if isinstance(node, ast.ImportFrom) and node.module in _HOMES)
        return {one.name for node in imports for one in node.names}

    @cached_property
    def constants(self) -> Mapping[str, ast.expr]:
        return {
            target.id: node.value
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }


class Report(NamedTuple):
    """A call that reports a problem. ``detail``: its template, or "" if the call has none."""

    status: int
    title: str
    detail: str = ""
    written: str = "no"


def _is_vague(one: Report) -> tuple[bool, bool]:
    return not one.detail, bool(_FACT.search(one.detail))


@dataclass
class Site:
    """The statuses and messages of one problem code, as the code has them, and the places that report it."""

    statuses: set[int] = field(default_factory=set)
    messages: dict[str, None] = field(default_factory=dict)
    reports: list[Report] = field(default_factory=list)

    @property
    def example(self) -> Report | None:
        """Return the first report with a detail, if possible one without places, or else any with a title."""
        return min((one for one in self.reports if one.title), key=_is_vague, default=None)


def sites() -> dict[str, Site]:
    """Return each code that the services can report, sorted. Raise ValueError for a code that cannot be determined."""
    modules = [_Module(path, ast.parse((_ROOT / path).read_text(encoding="utf-8"))) for path in _paths()]
    found = defaultdict[str, Site](Site)
    found[STATUS_PAGE]  # reported for a status without a code of its own
    plain = [(code, Report(status, str(of_status(status).title))) for status, code in STATUS_CODES.items()]
    for code, report in (*plain, *_of_gateway()):
        found[code].statuses.add(report.status)
        found[code].reports.append(report)
    for module in modules:
        for call, function in module.calls:
            maker = _name(call.func)
            if maker not in _MAKERS or maker not in module.makers:
                continue
            if module.path == _FILE_OF_MAKERS and not isinstance(call.args[_MAKERS[maker]], ast.Constant):
                continue
            arguments = call.args[_MAKERS[maker] :]
            codes = [*_values(modules, module, function, arguments[0])]
            if not codes:
                raise ValueError(f"{module.path}:{call.lineno}: the problem code is neither a constant nor a parameter")
            titles = _messages(function, call, arguments[1:2]) if maker == "Problem" else ()
            details = [*_messages(function, call, arguments[2:3] if maker == "Problem" else arguments[1:2])]
            statuses = [*_statuses(modules, module, function, maker, call)]
            reports = _reports(maker, statuses, next(iter(titles), ""), next(iter(details), ""), call)
            for code in codes:
                found[code].statuses |= {*statuses}
                found[code].messages |= dict.fromkeys(details)
                found[code].reports += reports
    return dict(sorted(found.items()))


def _reports(maker: str, statuses: Sequence[int], title: str, detail: str, call: ast.Call) -> list[Report]:
    """Return the reports of one call. Only a `Problem` has a title of its own."""
    written = [one.value.value for one in call.keywords if one.arg == "written" and isinstance(one.value, ast.Constant)]
    titles = {status: str(title) for status, title in REFUSALS.values()} if maker == "Refusal" else {}
    if maker == "unavailable":
        title = str(unavailable("", "").title)
    return [Report(one, titles.get(one, title), detail, *map(str, written)) for one in statuses]


def _of_gateway() -> Iterator[tuple[str, Report]]:
    """Yield each problem that the gateway reports itself, with its code."""
    file = (_ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    titles, details = (dict(_GATEWAY_TEXT.findall(rows)) for rows in _GATEWAY_TEXTS.findall(file))
    for status, code in re.findall(r"(\d+) ([a-z-]+);", _GATEWAY_MAP.findall(file)[0]):
        title = titles.get(status, str(of_status(int(status)).title))
        yield code, Report(int(status), title, details.get(status, ""))


def _paths() -> Iterator[str]:
    yield from _FIRST
    for folder in _FOLDERS:
        for path in sorted((_ROOT / folder).rglob("*.py")):
            if (found := str(path.relative_to(_ROOT))) not in _FIRST:
                yield found


def _calls(node: ast.AST, function: _Function | None) -> Iterator[tuple[ast.Call, _Function | None]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child, function
        yield from _calls(child, child if isinstance(child, _Function) else function)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _statuses(
    modules: Sequence[_Module], module: _Module, function: _Function | None, maker: str, call: ast.Call
) -> Iterator[int]:
    match maker, call.args[0]:
        case "Refusal", kind:
            yield from (REFUSALS[one][0] for one in _values(modules, module, function, kind))  # type: ignore[index]
        case "Problem", ast.Constant(value=int(status)):
            yield status
        case "unavailable", _:
            yield 503


def _values(modules: Sequence[_Module], module: _Module, function: _Function | None, node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression can have."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from _values(modules, module, function, body)
            yield from _values(modules, module, function, other)
        case ast.Name(id=name) if function is not None and name in _parameters(function):
            yield from _passed(modules, module, function, name)
        case ast.Name(id=name) if function is not None and (assigned := [*_assigned(function, name)]):
            for value in assigned:
                yield from _values(modules, module, None, value)
        case ast.Name(id=name):
            for other_module in (module, *modules):
                if name in other_module.constants:
                    yield from _values(modules, other_module, None, other_module.constants[name])
                    break


def _parameters(function: _Function) -> list[str]:
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def _passed(modules: Sequence[_Module], module: _Module, function: _Function, name: str) -> Iterator[str]:
    """Yield the values of a parameter: its default, and those of each call. A private function is called in its module."""
    place, defaults = _parameters(function).index(name), function.args.defaults
    first = len(function.args.args) - len(defaults)
    if place >= first and place < len(function.args.args):
        yield from _values(modules, module, None, defaults[place - first])
    for caller in [module] if function.name.startswith("_") else modules:
        for call, around in caller.calls:
            if _name(call.func) == function.name and around is not function:
                given = [*call.args[place : place + 1], *(one.value for one in call.keywords if one.arg == name)]
                for value in given:
                    yield from _values(modules, caller, around, value)


def _assigned(function: _Function, name: str) -> Iterator[ast.expr]:
    """Yield the values that a function assigns to a variable, also as one of several."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if _name(target) == name:
                    yield node.value
                elif isinstance(target, ast.Tuple):
                    yield from _unpacked(target, node.value, name)
        elif isinstance(node, ast.NamedExpr | ast.AnnAssign) and _name(node.target) == name and node.value is not None:
            yield node.value


def _unpacked(target: ast.Tuple, value: ast.expr, name: str) -> Iterator[ast.expr]:
    names = [_name(one) for one in target.elts]
    choices = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
    for choice in choices:
        if name in names and isinstance(choice, ast.Tuple):
            yield choice.elts[names.index(name)]


def _messages(function: _Function | None, call: ast.Call, arguments: Sequence[ast.expr]) -> Iterator[str]:
    """Yield the templates of the sentences in these arguments: a title, a message, or both."""
    for argument in arguments:
        assigned = _assigned(function, _name(argument)) if function and _name(argument) else ()
        before = [one for one in assigned if one.lineno < call.lineno]
        for node in ast.walk(max(before, key=lambda one: one.lineno, default=argument)):
            match node:
                case ast.Call(func=ast.Name(id="say"), args=[ast.Constant(value=str(text)), *_]):
                    if _LETTERS.search(_FACT.sub("", text)):
                        yield text


def render() -> str:
    """Return the file: a code per line."""
    facts: dict[str, Any] = {
        code: {"statuses": sorted(site.statuses), "messages": [*site.messages]}
        | ({"example": site.example._asdict()} if site.example else {})
        for code, site in sites().items()
    }
    lines = (f"{json.dumps(code)}: {json.dumps(fact, ensure_ascii=False)}" for code, fact in facts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FACTS.write_text(render(), encoding="utf-8")
