"""Where a command says that what it made is read."""

import pytest

from shared.http.commands.command_pipeline import location

KNOWN = {"t": "cup", "command": "c7"}


@pytest.mark.parametrize(
    ("makes", "body", "where"),
    [
        ("/v1/tournaments/{t}", b"", "/v1/tournaments/cup"),
        ("/v1/tournaments/{t}/rounds/{round}", b'{"round":2,"events":[]}', "/v1/tournaments/cup/rounds/2"),
        ("/v1/tournaments/{t}/rulings/{ruling}", b'{"ruling":null}', "/v1/tournaments/cup/commands/c7"),
        ("/v1/tournaments/{t}/rulings/{ruling}", b'{"events":[]}', "/v1/tournaments/cup/commands/c7"),
        ("/v1/x/{name}", '{"name":"a/b 杯"}'.encode(), "/v1/x/a%2Fb%20%E6%9D%AF"),
    ],
)
def test_it_is_the_template_of_the_route_filled_or_else_the_command(makes, body, where):
    assert location(makes, body, **KNOWN) == where
