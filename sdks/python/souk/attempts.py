"""Reports the attempts of calls, for logs and traces."""

from __future__ import annotations

import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Optional

from .connections import Canceled
from .errors import SoukApiError, SoukConnectionError
from .redaction import Redaction, shown_url
from .wire import Operation

RESERVED = ("host", "connection", "content-length", "transfer-encoding", "user-agent")
"""Headers that the client sets when it sends a request."""


@dataclass(frozen=True)
class Attempt:
    """An attempt of a call, before its request is sent."""

    operation: str
    """The name of the operation in the contract, such as ``tradedetail``."""
    method: str
    """HTTP method."""
    server: str
    """Scheme, host and port, and the path before that of the API if ``base_url`` has one."""
    path: str
    """The path as in the contract, such as ``/api/v1/datasets/{datasetId}``."""
    number: int
    """Number of the attempt in its call, from 1."""
    retry_reason: Optional[str]
    """``error`` of the previous attempt; None for the first one."""
    headers: dict[str, str] = field(default_factory=dict)
    """Takes headers to send, such as ``traceparent``; they are not signed. Those that the client sends itself stay as
    they are."""


@dataclass(frozen=True)
class AttemptResult:
    """How an attempt ended."""

    status: Optional[int]
    """HTTP status; None without a response."""
    duration_ms: float
    """Time until the response was read, or until it began for an export."""
    request_id: Optional[str]
    """Request id of the server, under which its log has the request."""
    error: Optional[str]
    """Code of the error, or the HTTP status as text if the response did not come from Souk; ``connection_error``
    without a response, ``canceled`` if its task was, with asyncio, None if Souk answered with a result."""


OnAttempt = Callable[[Attempt], Optional[Callable[[AttemptResult], None]]]
"""Called before each attempt. Returns what is called when the attempt has ended, if anything."""


class Exchange:
    """The response of an attempt."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self.status: Optional[int] = None
        self.request_id: Optional[str] = None

    def received(self, status: int, headers: Any) -> None:
        self.status = status
        self.request_id = self._redaction.data(headers.get("X-Request-Id"))


class Attempts:
    """Reports the attempts of one call."""

    def __init__(self, on_attempt: Optional[OnAttempt], base_url: str, operation: Operation) -> None:
        self._on_attempt = on_attempt
        self._base_url = base_url
        self._operation = operation
        self._number = 0
        self._error: Optional[str] = None

    @contextmanager
    def next(self, request: urllib.request.Request, redaction: Redaction) -> Iterator[Exchange]:
        """Reports the attempt that is made in the block, and adds the headers of the function to its request."""
        self._number += 1
        operation = self._operation
        attempt = Attempt(
            operation.name,
            operation.method,
            shown_url(self._base_url),
            operation.path,
            self._number,
            self._error,
        )
        end = self._on_attempt(attempt) if self._on_attempt else None
        for name, value in attempt.headers.items():
            if name.lower() not in RESERVED and not request.has_header(name.capitalize()):
                request.add_header(name, value)
        exchange = Exchange(redaction)
        started = time.monotonic()
        self._error = None
        try:
            yield exchange
        except SoukApiError as error:
            self._error = error.code or str(error.status)
            raise
        except SoukConnectionError:
            self._error = "connection_error"
            raise
        except Canceled:
            self._error = "canceled"
            raise
        finally:
            if end:
                duration = (time.monotonic() - started) * 1000
                end(AttemptResult(exchange.status, duration, exchange.request_id, self._error))
