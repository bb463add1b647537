"""The auditor's page, a file that is saved and opened from the disk."""

from pathlib import Path

VERIFIER = Path(__file__).parents[1] / "docs" / "verify.html"
