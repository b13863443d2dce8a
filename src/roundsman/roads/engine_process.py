"""One `osrm-routed` on one map: on loopback, on a port of its own, silent about coordinates.

The port is reserved by a socket of ours that never listens: the engine shares it (it sets
SO_REUSEPORT), and nobody else is given it meanwhile. That the right map answers is told by the
version in its answers, not by the port.
"""

import signal
import socket
import subprocess
from pathlib import Path

from roundsman.kit.http import HttpClient, HttpFailure, HttpRequest
from roundsman.roads.programs import start_program

TABLE_POINTS = 300
"""Sources or targets of one table: larger ones keep the engine from everyone else for too long."""
DRIVE_POINTS = 500

_LOOPBACK = "127.0.0.1"
_STOP_SECONDS = 3.0
_PROBE_SECONDS = 2.0


class EngineProcess:
    """Started when made; the thread that makes it must outlive it."""

    def __init__(self, graph: Path) -> None:
        self._port = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self._port.bind((_LOOPBACK, 0))
        number = self._port.getsockname()[1]
        self.address = f"http://{_LOOPBACK}:{number}"
        self._process = start_program(
            "osrm-routed",
            *("--algorithm", "MLD", "--ip", _LOOPBACK, "--port", str(number)),
            *("--verbosity", "WARNING", "--mmap"),
            *("--max-table-size", str(2 * TABLE_POINTS)),
            *("--max-viaroute-size", str(DRIVE_POINTS)),
            str(graph),
        )

    @property
    def pid(self) -> int:
        """Return the process's id."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """Return how it ended, or nothing while it runs."""
        return self._process.poll()

    def answers(self, http: HttpClient) -> bool:
        """Tell whether it answers; where it looks is nobody's address."""
        request = HttpRequest(url=f"{self.address}/nearest/v1/driving/0,0")
        try:
            return http.exchange(request, _PROBE_SECONDS).is_success()
        except HttpFailure:
            return False

    def stop(self) -> None:
        """End it, gently first."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                self._process.send_signal(number)
            try:
                self._process.wait(_STOP_SECONDS)
                break
            except subprocess.TimeoutExpired:
                continue
        self._port.close()
