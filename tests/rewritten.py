"""Test files as pytest compiles them, made once for all of its processes: ``python -m tests.rewritten``.

Pytest rewrites the assertions of every test file before it imports it, which takes each process 15 s of CPU in a new clone, or
where Python may write no compiled files.
"""

import ast
import importlib.util
import marshal
import os
import struct
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from _pytest.assertion import rewrite

FOLDER = Path(__file__).parent


def made(file: Path) -> Path:
    """Return where pytest looks for the compiled file."""
    return rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"


def compile_file(file: Path) -> None:
    """Write the compiled file, unless it is there and of this source."""
    pyc = made(file)
    if rewrite._read_pyc(file, pyc) is not None:
        return
    stat, source = file.stat(), file.read_bytes()
    tree = ast.parse(source, str(file))
    rewrite.rewrite_asserts(tree, source, str(file))
    code = compile(tree, str(file), "exec", dont_inherit=True)
    head = importlib.util.MAGIC_NUMBER + struct.pack(
        "<LLL", 0, int(stat.st_mtime) & 0xFFFFFFFF, stat.st_size & 0xFFFFFFFF
    )
    pyc.parent.mkdir(exist_ok=True)
    part = pyc.with_name(f"{pyc.name}.{os.getpid()}")
    part.write_bytes(head + marshal.dumps(code))
    part.replace(pyc)


def main() -> None:
    """Compile every file that pytest rewrites."""
    files = [*FOLDER.rglob("test_*.py"), *FOLDER.rglob("conftest.py")]
    with ProcessPoolExecutor() as processes:
        list(processes.map(compile_file, files, chunksize=8))


if __name__ == "__main__":
    main()
