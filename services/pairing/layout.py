"""The layout of this service's pages and forms."""

from pathlib import Path

from shared.core.terms import PAIRING
from shared.web.page import Layout

LAYOUT = Layout(PAIRING, Path(__file__).parent / "templates")
