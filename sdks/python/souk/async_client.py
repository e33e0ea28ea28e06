"""A client of the open API for asyncio."""

from __future__ import annotations

import asyncio
import contextvars
import copy
import functools
import ssl
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Optional, Sequence

from .async_operations import AsyncOpenOperations
from .attempts import OnAttempt
from .callbacks import TOLERANCE
from .client import NotDelivered, Souk, WaitForTrade
from .connections import Cancellation
from .operations import OPERATIONS, TradeDetail, UploadedFile
from .wire import Operation


class AsyncSouk(AsyncOpenOperations):
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
        self._souk = Souk(
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
        self._pool = ThreadPoolExecutor(max_concurrency, thread_name_prefix="souk")
        self.callbacks = self._souk.callbacks

    async def __aenter__(self) -> AsyncSouk:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the threads when their requests have ended. There can be no further calls."""
        self._pool.shutdown(wait=False)

    def with_options(self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None) -> AsyncSouk:
        """Returns a client with other options, for some calls. It shares connections and threads of this one."""
        changed = copy.copy(self)
        changed._souk = self._souk.with_options(timeout=timeout, max_retries=max_retries)
        return changed

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
            self._souk._call, operation, parameters, result, file=file, cancellation=cancellation
        )
        in_context = functools.partial(contextvars.copy_context().run, call)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, in_context)
        except asyncio.CancelledError:
            cancellation.cancel()
            raise
