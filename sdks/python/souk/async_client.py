"""Clients of the open API and of the platform data API for asyncio."""

from __future__ import annotations

import asyncio
import contextvars
import copy
import functools
import ssl
from concurrent.futures import ThreadPoolExecutor
from typing import (
    Any,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Optional,
    Sequence,
    TypeVar,
    Union,
)

from .async_operations import AsyncOpenOperations, AsyncPlatformOperations
from .attempts import OnAttempt
from .callbacks import TOLERANCE
from .client import Batch, NotDelivered, Souk, SoukPlatform, WaitForTrade
from .connections import Cancellation
from .errors import AppendInterruptedError
from .operations import OPERATIONS, Dataset, Project, TradeDetail, UploadedFile
from .wire import Operation, Page

Client = TypeVar("Client", bound="_AsyncClient")
Result = TypeVar("Result")


class _AsyncClient:
    """Makes the requests of another client in threads."""

    def __init__(self, client: Any, max_concurrency: int) -> None:
        self._client = client
        self._pool = ThreadPoolExecutor(max_concurrency, thread_name_prefix="souk")

    async def __aenter__(self: Client) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the threads when their requests have ended. There can be no further calls."""
        self._pool.shutdown(wait=False)

    def with_options(
        self: Client, *, timeout: Optional[float] = None, max_retries: Optional[int] = None
    ) -> Client:
        """Returns a client with other options, for some calls. It shares connections and threads of this one."""
        changed = copy.copy(self)
        changed._client = self._client.with_options(timeout=timeout, max_retries=max_retries)
        return changed

    async def _run(self, call: Callable[[], Result], cancellation: Cancellation) -> Result:
        """Calls a function in a thread, and cancels it with the task."""
        context = contextvars.copy_context()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: context.run(call))
        except asyncio.CancelledError:
            cancellation.cancel()
            raise


class AsyncSouk(_AsyncClient, AsyncOpenOperations):
    """Client of the open API for asyncio, with the methods of ``Souk`` as coroutines.

    Each request is made by ``Souk`` in a thread of its own pool, so that the event loop never waits for the network, and no
    package is needed. Cancelling a task ends its request: the connection is closed, unless it is just being opened, which
    ends at the timeout. Functions that are options are called in these threads, in the context of the task.

    ``async with AsyncSouk(…) as souk`` closes it at the end; ``close()`` does so elsewhere.

    :param max_concurrency: How many requests are made at the same time; others wait for a thread.
    :raises ValueError: for a missing or invalid setting. The others are those of ``Souk``.
    """

    def __init__(
        self,
        base_url: str,
        appid: str,
        secret: str,
        *,
        timeout: float = 10.0,
        max_retries: int = 2,
        on_not_delivered: Optional[Callable[[NotDelivered], None]] = None,
        on_attempt: Optional[OnAttempt] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        proxy: Optional[str] = None,
        callback_secrets: Sequence[str] = (),
        callback_tolerance: float = TOLERANCE,
        max_concurrency: int = 32,
    ) -> None:
        souk = Souk(
            base_url,
            appid,
            secret,
            timeout=timeout,
            max_retries=max_retries,
            on_not_delivered=on_not_delivered,
            on_attempt=on_attempt,
            ssl_context=ssl_context,
            proxy=proxy,
            callback_secrets=callback_secrets,
            callback_tolerance=callback_tolerance,
        )
        super().__init__(souk, max_concurrency)
        self.callbacks = souk.callbacks

    async def file_upload(self, content: bytes, *, name: str = "file") -> UploadedFile:
        """Uploads an image: PNG, JPEG and the like, up to 2 MB. See open-api §4.1."""
        return await self._call(OPERATIONS["fileUpload"], {}, UploadedFile, file=(name, content))

    async def wait_for_trade(
        self, trade_no: str, *, timeout: float = 120.0, interval: float = 1.0
    ) -> TradeDetail:
        """Polls a trade until its ``transaction_status`` is final, like ``Souk``. It needs a thread for the queries only.

        :raises TradeStillProcessingError: after the timeout.
        """
        waiting = WaitForTrade(trade_no, timeout, interval)
        client = self.with_options(max_retries=0)
        while True:
            with waiting.poll():
                waiting.trade = await client.tradedetail(trade_no)
            if waiting.is_over():
                return waiting.trade
            await asyncio.sleep(waiting.pause())

    async def _call(
        self,
        operation: Operation,
        parameters: dict[str, Any],
        result: Any,
        file: Optional[tuple[str, bytes]] = None,
    ) -> Any:
        cancellation = Cancellation()
        call = functools.partial(
            self._client._call, operation, parameters, result, file=file, cancellation=cancellation
        )
        return await self._run(call, cancellation)


class AsyncSoukPlatform(_AsyncClient, AsyncPlatformOperations):
    """Client of the platform data API for asyncio, with the methods of ``SoukPlatform`` as coroutines. Its requests are made
    like those of ``AsyncSouk``.

    What ``SoukPlatform`` returns as an iterator is an asynchronous one here, and makes its first request when its first item
    is read: ``async for record in platform.records(…)``. An export that is not read to its end ends with its iterator.

    :param max_concurrency: How many requests are made at the same time; others wait for a thread.
    :raises ValueError: for a missing or invalid setting. The others are those of ``SoukPlatform``.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: Optional[str] = None,
        token: Optional[str] = None,
        timeout: float = 10.0,
        max_retries: int = 2,
        on_attempt: Optional[OnAttempt] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        proxy: Optional[str] = None,
        max_concurrency: int = 32,
    ) -> None:
        platform = SoukPlatform(
            base_url,
            api_key=api_key,
            token=token,
            timeout=timeout,
            max_retries=max_retries,
            on_attempt=on_attempt,
            ssl_context=ssl_context,
            proxy=proxy,
        )
        super().__init__(platform, max_concurrency)

    def projects(self) -> AsyncIterator[Project]:
        """Iterates over all projects, fetching page by page."""
        return _pages(lambda cursor: self.page_projects(cursor=cursor, limit=1000))

    def datasets(self, project_id: Optional[str] = None) -> AsyncIterator[Dataset]:
        """Iterates over the datasets of one or all projects, fetching page by page."""
        return _pages(lambda cursor: self.list_datasets(project_id=project_id, cursor=cursor, limit=1000))

    def records(
        self, dataset_id: str, *, filter: Optional[str] = None, fields: Optional[list[str]] = None
    ) -> AsyncIterator[dict[str, Any]]:
        """Iterates over records, newest first, fetching page by page."""
        return _pages(
            lambda cursor: self.list_records(
                dataset_id=dataset_id, filter=filter, fields=fields, cursor=cursor, limit=1000
            )
        )

    async def append(
        self, dataset_id: str, records: Union[Iterable[dict[str, Any]], AsyncIterable[dict[str, Any]]]
    ) -> int:
        """Appends any number of records in batches, and returns how many. Each batch is stored completely or
        not at all, and only once.

        :raises AppendInterruptedError: if earlier batches were stored before one failed.
        """
        appended = 0
        try:
            async for batch in _batches(records):
                stored = await self.append_records(
                    dataset_id=dataset_id, records=batch.records, batch_id=batch.id
                )
                appended += stored.appended
        except Exception as error:
            if appended == 0:
                raise
            raise AppendInterruptedError(appended, error) from error
        return appended

    async def _call(self, operation: Operation, parameters: dict[str, Any], result: Any) -> Any:
        cancellation = Cancellation()
        call = functools.partial(self._client._call, operation, parameters, result, cancellation)
        return await self._run(call, cancellation)

    async def _stream(self, operation: Operation, parameters: dict[str, Any]) -> AsyncIterator[bytes]:
        cancellation = Cancellation()
        start = functools.partial(self._client._stream, operation, parameters, cancellation)
        try:
            chunks = await self._run(start, cancellation)
            while chunk := await self._run(lambda: next(chunks, b""), cancellation):
                yield chunk
        finally:
            cancellation.cancel()  # Closes the connection unless the body has been read.


async def _pages(fetch: Callable[[Optional[str]], Awaitable[Page[Any]]]) -> AsyncIterator[Any]:
    page = await fetch(None)
    for item in page.items:
        yield item
    while page.next is not None:
        page = await fetch(page.next)
        for item in page.items:
            yield item


async def _batches(
    records: Union[Iterable[dict[str, Any]], AsyncIterable[dict[str, Any]]],
) -> AsyncIterator[Batch]:
    batch = Batch()
    async for record in _each(records):
        if not batch.add(record):
            yield batch
            batch = Batch()
            batch.add(record)
    if batch.records:
        yield batch


async def _each(items: Union[Iterable[Result], AsyncIterable[Result]]) -> AsyncIterator[Result]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
