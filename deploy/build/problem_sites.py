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
from typing import Any

from shared.http.problem_texts import FACTS
from shared.http.problems import REFUSALS, STATUS_CODES, STATUS_PAGE

_ROOT = Path(__file__).parents[2]
_FOLDERS = ("services", "shared", "deploy/server")
_MAKERS = {"Refusal": 1, "Problem": 1, "unavailable": 0}
"""Function -> the position of its code. The message follows it, in a `Problem` after the title."""
_HOMES = ("shared.core.terms", "shared.http.problems")
"""The modules that define them. Functions of the same name from elsewhere are others."""
_FILE_OF_MAKERS = "shared/http/problems.py"
_FACT = re.compile(r"\{\w+\}")
_LETTERS = re.compile(r"[a-z]{2}")
_GATEWAY_MAP = re.compile(r"map \$status \$problem \{([^}]+)\}")
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


@dataclass
class Site:
    """The statuses and messages of one problem code, as the code has them."""

    statuses: set[int] = field(default_factory=set)
    messages: dict[str, None] = field(default_factory=dict)


def sites() -> dict[str, Site]:
    """Return each code that the services can report, sorted. Raise ValueError for a code that cannot be determined."""
    modules = [_Module(path, ast.parse((_ROOT / path).read_text(encoding="utf-8"))) for path in _paths()]
    found = defaultdict[str, Site](Site)
    found[STATUS_PAGE]  # reported for a status without a code of its own
    for status, code in (*STATUS_CODES.items(), *_of_gateway()):
        found[code].statuses.add(status)
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
            for code in codes:
                found[code].statuses |= {*_statuses(modules, module, function, maker, call)}
                found[code].messages |= dict.fromkeys(_messages(function, call, arguments[1:3]))
    return dict(sorted(found.items()))


def _of_gateway() -> Iterator[tuple[int, str]]:
    """Yield status and code of each problem that the gateway reports itself."""
    rows = _GATEWAY_MAP.findall((_ROOT / "deploy/nginx.conf").read_text(encoding="utf-8"))
    yield from ((int(status), code) for status, code in re.findall(r"(\d+) ([a-z-]+);", rows[0]))


def _paths() -> Iterator[str]:
    for folder in _FOLDERS:
        for path in sorted((_ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(_ROOT))


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
        before = [one for one in _assigned(function, _name(argument)) if one.lineno < call.lineno] if function else []
        for node in ast.walk(max(before, key=lambda one: one.lineno, default=argument)):
            match node:
                case ast.Call(func=ast.Name(id="say"), args=[ast.Constant(value=str(text)), *_]):
                    if _LETTERS.search(_FACT.sub("", text)):
                        yield text


def render() -> str:
    """Return the file: a code per line."""
    facts: dict[str, Any] = {
        code: {"statuses": sorted(site.statuses), "messages": [*site.messages]} for code, site in sites().items()
    }
    lines = (f"{json.dumps(code)}: {json.dumps(fact, ensure_ascii=False)}" for code, fact in facts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FACTS.write_text(render(), encoding="utf-8")
