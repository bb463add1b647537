"""Once the services run: `python -m deploy.server.first_organiser` prints where they are, and how the first organiser logs in.

``ARBITER_ADDRESS`` is the address of the site. The invitation is printed at the first start only, since logs are kept.
"""

import os
import sys

from deploy.server.settings import settings
from shared.http.identity import tokens

_FILE, _NAME, _DAYS = "organiser-invited", "organiser", 1
_ANOTHER = "arbiter token --role organiser --name NAME (Compose: docker compose run --rm operator token …)"
READY = "Arbiter is ready:"


def main() -> int:
    """Print the address, and at the first start a token that is valid for one day."""
    folder, site = settings().data, os.environ["ARBITER_ADDRESS"]
    print(f"{READY} {site}")
    if (folder / _FILE).exists():
        print(f"Token for an organiser: {_ANOTHER}")
        return 0
    print(f"Invitation of the first organiser. Log in at {site}/login with this token, valid for one day:")
    print(tokens.issue(folder, "organiser", _NAME, days=_DAYS))
    print(f"Token for an organiser, later: {_ANOTHER}")
    (folder / _FILE).touch(0o600)
    return 0


if __name__ == "__main__":
    sys.exit(main())
