"""Measured figures: `make bench` and campaigns record them, `make docs` renders them into the pages."""
