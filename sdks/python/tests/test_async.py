"""The client for asyncio."""

import asyncio
import inspect
import json
import socket
import threading
import time
import unittest

from souk import AsyncSouk, Attempt, AttemptResult, Souk, SoukApiError, TradeStillProcessingError
from tests.test_connections import Server, receive

SETTINGS = ("a1b2c3d4e5f6g7h", "f" * 48)


def answer(connection: socket.socket, status: str, body: object) -> None:
    content = json.dumps(body).encode()
    connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content)


def succeed(connection: socket.socket, _: int) -> None:
    while receive(connection):
        answer(connection, "200 OK", {"responseHeader": {"status": 200}, "response": True})


def refuse(connection: socket.socket, _: int) -> None:
    header = {"status": 429, "code": "rate_limited", "msg": "Later."}
    while receive(connection):
        answer(connection, "429 Too Many", {"responseHeader": header, "response": None})


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    def start(self, serve) -> Server:
        server = Server(serve)
        self.addCleanup(server.close)
        return server

    async def test_the_event_loop_runs_during_calls(self) -> None:
        both = threading.Barrier(2)

        def serve(connection: socket.socket, number: int) -> None:
            receive(connection)
            both.wait(10)  # Both calls have to be under way.
            answer(connection, "200 OK", {"responseHeader": {"status": 200}, "response": True})

        async with AsyncSouk(self.start(serve).url, *SETTINGS) as souk:
            results = await asyncio.gather(souk.tradeclose("a"), souk.tradeclose("b"))
        self.assertEqual(results, [True, True])

    async def test_a_canceled_task_ends_its_request(self) -> None:
        closed = threading.Event()

        def serve(connection: socket.socket, number: int) -> None:
            receive(connection)
            if connection.recv(1) == b"":
                closed.set()

        results: list[AttemptResult] = []
        server = self.start(serve)
        async with AsyncSouk(server.url, *SETTINGS, timeout=60, on_attempt=lambda _: results.append) as souk:
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(souk.tradeclose("a"), 0.2)
            self.assertTrue(await asyncio.to_thread(closed.wait, 10))
            while not results:
                await asyncio.sleep(0.01)
        self.assertEqual([(it.status, it.error) for it in results], [(None, "canceled")])
        self.assertEqual(server.accepted, 1)

    async def test_a_canceled_task_does_not_wait_for_its_retry(self) -> None:
        async with AsyncSouk(self.start(refuse).url, *SETTINGS, max_retries=100) as souk:
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(souk.tradeclose("a"), 0.3)
            started = time.monotonic()
            await asyncio.to_thread(souk._pool.shutdown)
        self.assertLess(time.monotonic() - started, 10)

    async def test_errors_and_options_are_those_of_the_other_client(self) -> None:
        numbers: list[int] = []

        def on_attempt(attempt: Attempt) -> None:
            numbers.append(attempt.number)

        async with AsyncSouk(self.start(refuse).url, *SETTINGS, on_attempt=on_attempt) as souk:
            with self.assertRaises(SoukApiError):
                await souk.with_options(max_retries=0).tradeclose("a")
            self.assertEqual(numbers, [1])
            with self.assertRaises(TradeStillProcessingError) as caught:
                await souk.wait_for_trade("a", timeout=0.3, interval=0.1)
        self.assertIsInstance(caught.exception.__cause__, SoukApiError)
        self.assertGreater(len(numbers), 2)

    async def test_a_closed_client_makes_no_calls(self) -> None:
        server = self.start(succeed)
        async with AsyncSouk(server.url, *SETTINGS) as souk:
            self.assertTrue(await souk.tradeclose("a"))
        with self.assertRaises(RuntimeError):
            await souk.tradeclose("a")

    def test_it_has_the_same_methods(self) -> None:
        def signatures(client: type) -> dict[str, inspect.Signature]:
            members = inspect.getmembers(client, inspect.isfunction)
            found = {name: inspect.signature(member) for name, member in members if not name.startswith("_")}
            return {name: it for name, it in found.items() if name not in ("with_options", "close")}

        self.assertEqual(signatures(AsyncSouk), signatures(Souk))


if __name__ == "__main__":
    unittest.main()
