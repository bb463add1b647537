"""The layout of this service's pages and forms."""

from pathlib import Path

from shared.core.terms import PENALTIES
from shared.web.page import Layout

LAYOUT = Layout(PENALTIES, Path(__file__).parent / "templates")
