"""Checks before a server starts. A failed check ends the command with one line."""

import socket
from pathlib import Path

from deploy.failure import Failure
from deploy.server.data_folder import check_folder
from shared.core.language.messages import message_of, say
from shared.regulations.typed_toml import TomlError


def check_serving(folder: Path, host: str, port: int) -> None:
    """Settings, regulations, keys, database and address of a server that is about to start."""
    from deploy.server.settings import BadSetting, settings
    from shared.regulations import load_all

    try:
        settings()
        load_all()
    except TomlError as problem:
        raise Failure(say("the rulesets are not valid: {problem}", problem=message_of(problem))) from None
    except BadSetting as problem:
        raise Failure(say("{problem}: set another value, or unset it", problem=message_of(problem))) from None
    check_folder(folder)
    _check_address(host, port)


def _check_address(host: str, port: int) -> None:
    """An address that can be listened at, and that nobody else has."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as problem:
        why = f"{host}:{port} cannot be listened at ({problem.strerror or problem})"
        raise Failure(
            say("{why}: choose another with --host and --port, or ARBITER_HOST and ARBITER_PORT", why=why)
        ) from None
