"""A small file system in memory that can be full."""

import os
import subprocess
from pathlib import Path


class Disk:
    """A file system at an empty folder. Only root may mount it, and not in every container."""

    def __init__(self, place: Path, megabytes: int) -> None:
        self.place, self._megabytes = place, megabytes
        place.mkdir(parents=True, exist_ok=True)
        self.mounted = os.geteuid() == 0 and self._mount(f"size={megabytes}m,mode=0777")

    def fill(self) -> None:
        """Leave no room."""
        used = os.statvfs(self.place)
        self._mount(f"remount,size={max(1, (used.f_blocks - used.f_bfree) * used.f_frsize // 1024)}k")

    def clear(self, megabytes: int = 0) -> None:
        """Restore the first size, or set another one in ``megabytes``."""
        self._mount(f"remount,size={megabytes or self._megabytes}m")

    def end(self) -> None:
        if self.mounted:
            subprocess.run(["umount", "-l", self.place], check=True)

    def _mount(self, options: str) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.place)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
