"""The programs: servers, workers and the command line."""

import gc

gc.set_threshold(50_000, 20, 50)
"""Imports and answers leave few reference cycles. Python's default of 700 objects takes a quarter of the time of a start."""
