"""The command line, called in this process."""

import pytest

from deploy.cli.main import run


@pytest.fixture
def arbiter(capfd):
    """Runs a command line; exit code, standard output and standard error."""

    def call(*args: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run([str(a) for a in args])
        out = capfd.readouterr()
        assert "Traceback" not in out.err
        return code, out.out, out.err

    return call
