"""The clients for asyncio."""

import asyncio
import inspect
import json
import socket
import threading
import time
import unittest
from typing import Any, AsyncIterator

from souk import (
    AppendInterruptedError,
    AsyncSouk,
    AsyncSoukPlatform,
    Attempt,
    AttemptResult,
    Souk,
    SoukApiError,
    SoukPlatform,
    TradeStillProcessingError,
)
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


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 2\r\n\r\n"


def export(connection: socket.socket, _: int) -> None:
    while receive(connection):
        connection.sendall(HEAD + b"a")
        connection.sendall(b"b")


def store(connection: socket.socket, _: int) -> None:
    while request := connection.recv(1 << 20):
        head, body = request.split(b"\r\n\r\n", 1)
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += connection.recv(1 << 20)
        answer(connection, "200 OK", {"appended": len(json.loads(body)["records"])})


class AsyncCase(unittest.IsolatedAsyncioTestCase):
    def start(self, serve) -> Server:
        server = Server(serve)
        self.addCleanup(server.close)
        return server


class AsyncTest(AsyncCase):
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

    def test_they_have_the_same_methods(self) -> None:
        def signatures(client: type) -> dict[str, str]:
            members = inspect.getmembers(client, inspect.isfunction)
            found = {name: str(inspect.signature(member)) for name, member in members if not name.startswith("_")}
            return {name: it for name, it in found.items() if name not in ("with_options", "close")}

        self.assertEqual(signatures(AsyncSouk), signatures(Souk))
        platform = {name: it.replace("AsyncIter", "Iter") for name, it in signatures(AsyncSoukPlatform).items()}
        one = "Iterable[dict[str, Any]]"
        platform["append"] = platform["append"].replace(f"Union[{one}, {one}]", one)
        self.assertEqual(platform, signatures(SoukPlatform))


class AsyncPlatformTest(AsyncCase):
    def open(self, serve) -> AsyncSoukPlatform:
        return AsyncSoukPlatform(self.start(serve).url, api_key="key", max_retries=0)

    async def test_it_iterates_over_all_pages(self) -> None:
        def serve(connection: socket.socket, number: int) -> None:
            while request := connection.recv(65536):
                is_last = b"cursor=c" in request
                answer(connection, "200 OK", {"items": [{"a": 2 if is_last else 1}], "next": None if is_last else "c"})

        async with self.open(serve) as platform:
            self.assertEqual([record["a"] async for record in platform.records("orders")], [1, 2])

    async def test_it_reads_an_export(self) -> None:
        async with self.open(export) as platform:
            chunks = [chunk async for chunk in platform.export_records("orders", format="csv")]
            self.assertEqual(b"".join(chunks), b"ab")
            again = [chunk async for chunk in platform.with_options(timeout=5.0).export_records("orders")]
            self.assertEqual(b"".join(again), b"ab")

    async def test_an_export_that_is_not_read_or_canceled_closes_its_connection(self) -> None:
        closed = threading.Semaphore(0)

        def serve(connection: socket.socket, number: int) -> None:
            receive(connection)
            connection.sendall(HEAD + b"a")
            if connection.recv(1) == b"":
                closed.release()

        async with self.open(serve) as platform:
            async for chunk in platform.export_records("orders"):
                self.assertEqual(chunk, b"a")
                break
            self.assertTrue(await asyncio.to_thread(closed.acquire, timeout=10))

            async def read() -> None:
                async for _ in platform.export_records("orders"):
                    pass

            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(read(), 0.3)
            self.assertTrue(await asyncio.to_thread(closed.acquire, timeout=10))

    async def test_it_appends_what_is_iterated_synchronously_or_not(self) -> None:
        async def produce() -> AsyncIterator[dict[str, Any]]:
            for number in range(1001):
                yield {"number": number}

        async with self.open(store) as platform:
            self.assertEqual(await platform.append("orders", [{"number": 1}]), 1)
            self.assertEqual(await platform.append("orders", produce()), 1001)

    async def test_an_interrupted_append_says_how_many_are_stored(self) -> None:
        async def produce() -> AsyncIterator[dict[str, Any]]:
            for number in range(1001):
                yield {"number": number}
            raise KeyError("no more")

        async with self.open(store) as platform:
            with self.assertRaises(AppendInterruptedError) as caught:
                await platform.append("orders", produce())
        self.assertEqual(caught.exception.appended, 1000)
        self.assertIsInstance(caught.exception.__cause__, KeyError)


if __name__ == "__main__":
    unittest.main()
