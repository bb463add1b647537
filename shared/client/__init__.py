"""A client of Arbiter. It imports nothing else of Arbiter's and names its own modules relatively: built from this folder
alone it is the package ``arbiter_client``."""

from .client import Client
from .errors import Answer, BadAnswer, ClientError, NoAnswer, Problem
from .stream import Line

__all__ = ["Answer", "BadAnswer", "Client", "ClientError", "Line", "NoAnswer", "Problem"]
