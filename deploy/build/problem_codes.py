"""Finds the problem codes of each operation in the code: `python -m deploy.build.problem_codes`.

The search starts at the view of the route, or at the reader of its command. It follows every function that is named there,
inside the services and `shared/core`, and from a command to the function that decides it. It does not follow methods.
"""

import ast
import inspect
import json
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any

from deploy.build.openapi_build import scratch_app
from shared.desk.desk import Desk
from shared.desk.rules_port import CommandRow
from shared.http.commands.write_routes import WriteRoute
from shared.http.openapi.operation_texts import CODES
from shared.http.operations import operation_of
from shared.http.problem_texts import FACTS
from shared.http.problems import REFUSALS
from shared.http.requests.app_context import EXTENSION

_FOLLOWED = (
    "services.",
    "shared.core.",
    "shared.http.common_problems",
    "shared.http.reads.",
    "shared.http.requests.request_parts",
)
_PERMITS = ("permit", "permit_granted", "permitted")
"""Functions whose refusals every command has; the shared answer 403 describes them."""
_STATUSES: Mapping[str, Sequence[int]] = {
    code: fact["statuses"] for code, fact in json.loads(FACTS.read_text(encoding="utf-8")).items() if "-" in code
}
"""Code -> its statuses, if the code cannot be taken for another word."""


def codes_of_operations() -> dict[str, dict[str, list[str]]]:
    """Return operation -> status -> codes, all sorted."""
    with scratch_app() as (app, _):
        desk: Desk = app.extensions[EXTENSION].desk
        rows = {command: row for rules in desk.table.values() for command, row in rules.row_of.items()}
        declared = ((operation_of(view), view) for view in app.view_functions.values())
        found = {one.name: _codes(rows, view) for one, view in declared if one is not None and one.name}
    return {name: codes for name, codes in sorted(found.items()) if codes}


def _codes(rows: Mapping[Any, CommandRow], view: Callable[..., Any]) -> dict[str, list[str]]:
    codes = defaultdict[str, set[str]](set)
    for status, code in _problems(rows, view):
        codes[status].add(code)
    return {status: sorted(each) for status, each in sorted(codes.items())}


def _problems(rows: Mapping[Any, CommandRow], view: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Yield status and code of each problem and refusal that the view, and all that it names, can make."""
    seen, todo = set[int](), [view]
    while todo:
        one = todo.pop()
        one = inspect.unwrap(one) if callable(one) else one
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, WriteRoute):
            todo.append(one.read)
        elif isinstance(one, dict | tuple | list):
            todo += [
                held for held in (one.values() if isinstance(one, dict) else one) if isinstance(held, FunctionType)
            ]
        elif isinstance(one, FunctionType) and _is_followed(one):
            names = _names(one)
            for node in _body(one):
                yield from _made(node)
                named = _named(node, names)
                if isinstance(named, type) and named in rows and ".rules." not in one.__module__:
                    named = rows[named].decide
                todo.append(named)


def _body(one: FunctionType) -> Iterator[ast.AST]:
    """Yield the nodes of a function without its decorators, which name the command at the same address."""
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(one))).body
    for statement in getattr(function, "body", ()):
        yield from ast.walk(statement)


def _is_followed(one: FunctionType) -> bool:
    return one.__module__.startswith(_FOLLOWED) and one.__name__ not in ("<lambda>", *_PERMITS)


def _names(function: FunctionType) -> Mapping[str, Any]:
    """Return what a function can name: the globals of its module, and the variables of the functions around it."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {**function.__globals__, **{name: cell.cell_contents for name, cell in cells}}


def _named(node: ast.AST, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if isinstance(names.get(name), ModuleType):
            return getattr(names[name], attribute, None)
    return None


def _made(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Call(
            func=ast.Name(id="Refusal"), args=[ast.Constant(value=str(kind)), ast.Constant(value=str(code)), *_]
        ):
            yield str(REFUSALS[kind][0]), code  # type: ignore[index]  # a kind, as the type of a refusal says
        case ast.Call(
            func=ast.Name(id="Problem"), args=[ast.Constant(value=int(status)), ast.Constant(value=str(code)), *_]
        ):
            yield str(status), code
        case ast.Call(func=ast.Name(id="say")):
            return
        case ast.Call(args=[*arguments]):
            given = (one.value for one in arguments if isinstance(one, ast.Constant))
            for code in (one for one in given if isinstance(one, str)):
                yield from ((str(status), code) for status in _STATUSES.get(code, ()))


def render() -> str:
    """Return the file: an operation per line."""
    lines = (f"{json.dumps(name)}: {json.dumps(codes)}" for name, codes in codes_of_operations().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    CODES.write_text(render(), encoding="utf-8")
