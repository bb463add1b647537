"""The room of imports: its routes and pages."""

from flask import Blueprint

from services.pairing.imports import import_pages, import_routes
from services.pairing.imports.import_jobs import ImportJobs


def register(bp: Blueprint, jobs: ImportJobs) -> None:
    """Register what the room answers."""
    import_routes.imports(bp, jobs)
    import_pages.import_pages(bp, jobs)
