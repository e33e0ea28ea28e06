"""Connections: timeouts, and their reuse."""

import socket
import threading
import time
import unittest
from typing import Callable

from souk import Souk, SoukApiError, SoukConnectionError, SoukPlatform

ANSWER = b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}"


class Server:
    """Calls a function with each connection and its number, from 0."""

    def __init__(self, serve: Callable[[socket.socket, int], None]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.accepted = 0
        self._serve = serve
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            number, self.accepted = self.accepted, self.accepted + 1
            threading.Thread(target=self._handle, args=(connection, number), daemon=True).start()

    def _handle(self, connection: socket.socket, number: int) -> None:
        with connection:
            try:
                self._serve(connection, number)
            except OSError:
                pass  # The client has closed it.

    def close(self) -> None:
        self._listener.close()


def receive(connection: socket.socket) -> bool:
    """Receives a request without a body, and returns whether there was one."""
    return b"\r\n\r\n" in connection.recv(65536)


def drip(connection: socket.socket, _: int) -> None:
    receive(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 1000\r\n\r\n")
    for _byte in range(20):
        time.sleep(0.05)
        connection.sendall(b"a")
    time.sleep(2)


def answer_all(connection: socket.socket, _: int) -> None:
    while receive(connection):
        connection.sendall(ANSWER)


def answer_once(connection: socket.socket, _: int) -> None:
    receive(connection)
    connection.sendall(ANSWER)


class Timeouts(unittest.TestCase):
    def setUp(self) -> None:
        server = Server(drip)
        self.addCleanup(server.close)
        self.platform = SoukPlatform(server.url, api_key="key", timeout=0.3, max_retries=0)

    def test_bound_an_attempt_of_which_bytes_arrive_one_by_one(self) -> None:
        started = time.monotonic()
        with self.assertRaisesRegex(SoukConnectionError, "none within 0.3 s"):
            self.platform.who_am_i()
        self.assertLess(time.monotonic() - started, 1)

    def test_of_an_export_bound_the_silence_of_the_server(self) -> None:
        received = 0
        with self.assertRaisesRegex(SoukConnectionError, "the server was silent for 0.3 s"):
            for chunk in self.platform.export_records(dataset_id="orders"):
                received += len(chunk)
        self.assertEqual(received, 20)


class Reuse(unittest.TestCase):
    def ask(self, serve: Callable[[socket.socket, int], None]) -> int:
        """Makes three requests, and returns the number of connections."""
        server = Server(serve)
        self.addCleanup(server.close)
        souk = Souk(server.url, "a1b2c3d4e5f6g7h", "f" * 48, max_retries=0)
        for _ in range(3):
            with self.assertRaises(SoukApiError):
                souk.user_info("token")
            time.sleep(0.05)
        return server.accepted

    def test_connections_are_reused(self) -> None:
        self.assertEqual(self.ask(answer_all), 1)

    def test_closed_connections_are_not_reused(self) -> None:
        self.assertEqual(self.ask(answer_once), 3)


if __name__ == "__main__":
    unittest.main()
