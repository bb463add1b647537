"""A build step that pyproject.toml cannot express: the catalogues are compiled before every build or installation."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))

from deploy.build.catalogues import compile_all


class WithCatalogues(build_py):
    def run(self) -> None:
        compile_all()
        super().run()


setup(cmdclass={"build_py": WithCatalogues})
