"""The layout of this service's pages and forms."""

from pathlib import Path

from shared.core.terms import GAMES
from shared.web.page import Layout

LAYOUT = Layout(GAMES, Path(__file__).parent / "templates")
