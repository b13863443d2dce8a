"""Runs one `osrm-routed` on one map, on loopback, with a port of its own and without access log.

The port is reserved by a bound socket that never listens. The engine shares the port (it sets
SO_REUSEPORT), and no other process can get it. The version in an answer, not the port, shows that
the right map answers.
"""

import signal
import socket
import subprocess
from pathlib import Path

from roundsman.kit.http import HttpClient, HttpFailure, OutgoingRequest
from roundsman.roads.programs import start_program

TABLE_POINTS = 300
"""Sources or targets of one table: larger tables would block other requests for too long."""
DRIVE_POINTS = 500

_LOOPBACK = "127.0.0.1"
_STOP_SECONDS = 3.0
_PROBE_SECONDS = 2.0


class EngineProcess:
    """Starts the engine; the thread that creates it must outlive it."""

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
        return self._process.pid

    def exit_code(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self._process.poll()

    def answers(self, http: HttpClient) -> bool:
        """Return whether it answers a probe, which names no customer's coordinates."""
        request = OutgoingRequest(url=f"{self.address}/nearest/v1/driving/0,0")
        try:
            return http.exchange(request, _PROBE_SECONDS).is_success()
        except HttpFailure:
            return False

    def stop(self) -> None:
        """Send SIGTERM, then SIGKILL."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                self._process.send_signal(number)
            try:
                self._process.wait(_STOP_SECONDS)
                break
            except subprocess.TimeoutExpired:
                continue
        self._port.close()
