"""``arbiter invite``: a link that opens one session, for a person in office, a player or a tablet."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import click

from deploy.cli.client import databases_option, invitation_path, login_name_typed, pairing_log, remote
from deploy.cli.terminal.verb import Integer, Verb, data_option, note, show, url_option
from deploy.cli.verbs.event.token import boards_option_value
from deploy.failure import Failure
from deploy.server.data_folder import folder_unless_server
from deploy.server.organiser_invitation import invite_organiser
from deploy.server.public_address import public_address
from deploy.server.settings import addresses, settings
from shared.core.language.messages import say
from shared.core.readings.token_boards import Boards
from shared.core.terms import ROLES, Role
from shared.http.addresses import is_only_here


@click.command(
    cls=Verb,
    exits={1: say("The person does not hold this role in the tournament.")},
    example="arbiter invite spring-cup --role arbiter --name rivera --data cup",
)
@click.argument("tournament", required=False)
@click.option("--role", type=click.Choice(ROLES), required=True, help="Role of the session.")
@click.option("--name", required=True, help="Login name of the appointed official, or number of the player.")
@click.option(
    "--boards", metavar="A-B", help="Boards of an arbiter's tablet: it reports results, arrivals and fouls there only."
)
@click.option("--days", default=3, show_default=True, type=Integer(1, 30), help="Session lifetime in days.")
@click.option(
    "--address",
    metavar="URL",
    help="Public address of the site (default: ARBITER_ADDRESS, else that of ARBITER_HOST and ARBITER_PORT).",
)
@click.option("--qr", is_flag=True, help="Also print the link as a QR code.")
@data_option
@url_option
@click.option(
    "--token",
    envvar="ARBITER_TOKEN",
    help="Token of an official who may appoint officials; used with --url (default: ARBITER_TOKEN).",
)
@databases_option
def invite(
    tournament: str | None, role: str, name: str, *, boards: str | None, days: int, address: str | None, qr: bool,
    data: Path | None, url: str | None, token: str | None, databases: Sequence[str],
) -> None:  # fmt: skip
    """Create a one-time login link.

    The link is printed on standard output. It opens one session, works once and expires after 30 minutes.
    Without a tournament, the role must be organiser: the session can create tournaments.
    """
    narrowed = boards_option_value(boards)
    if narrowed is not None and role != "arbiter":
        raise Failure(say("--boards requires --role arbiter"))
    if tournament is None and (role != "organiser" or url is not None):
        raise Failure(say("name a tournament; only the operator invites without one, with --role organiser and --data"))
    folder = folder_unless_server(data, url)
    if url is not None and addresses(databases):
        raise Failure(say("--url and --database cannot be used together"))
    if folder is None:
        sent = {"role": role, "name": name, "days": days} | ({} if narrowed is None else {"boards": str(narrowed)})
        link = _made_there(url or "", token, tournament or "", sent, address)
    else:
        link = _made_here(folder, databases, address, tournament, cast(Role, role), name, narrowed, days)
    show(link)
    if qr:
        _draw(link)
    if is_only_here(link):
        note(
            say(
                "Only this computer can open the link. For other devices, name their address of the site with --address."
            )
        )
    note(
        say("The link works once, within 30 minutes. {name} starts the session with the button on the page.", name=name)
    )


def _made_here(
    folder: Path, databases: Sequence[str], address: str | None, tournament: str | None, role: Role, name: str,
    boards: Boards | None, days: int,
) -> str:  # fmt: skip
    """Return the link of an invitation, made with pairing's database and key."""
    site = _site(address)
    with pairing_log(folder, databases) as (log, keys):
        if tournament is None:
            return site + invite_organiser(log, keys, login_name_typed(name), days)
        return site + invitation_path(log, keys, tournament, role, name, boards, days)


def _made_there(url: str, token: str | None, tournament: str, sent: dict[str, Any], address: str | None) -> str:
    """Return the link of an invitation made by a server, with another ``address`` if one is given."""
    site = None if address is None else _site(address)
    with remote(url, token) as server:
        link = str(server.post(f"/v1/tournaments/{tournament}/invitations", sent).json["link"])
    return link if site is None else site + urlsplit(link).path


def _site(address: str | None) -> str:
    """Return the address of the site, without a slash at its end."""
    if address is None:
        chosen = settings()
        host = f"[{chosen.host}]" if ":" in chosen.host else chosen.host
        return public_address(chosen.address, chosen.host, f"http://{host}:{chosen.port}")
    if not address.startswith(("http://", "https://")):
        raise Failure(say("--address {address} is not a URL such as http://192.168.1.5:8000", address=repr(address)))
    return address.rstrip("/")


def _draw(link: str) -> None:
    import segno

    segno.make_qr(link).terminal(compact=True)
