"""Clients of the open API and of the platform data API."""

from __future__ import annotations

import copy
import json
import ssl
import time
import urllib.request
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, TypeVar
from urllib.parse import quote

from . import transport
from .attempts import Attempts, OnAttempt
from .callbacks import TOLERANCE, Callbacks
from .connections import Cancellation, Connections
from .errors import AppendInterruptedError, SoukApiError, SoukConnectionError, TradeStillProcessingError
from .operations import (
    OPERATIONS,
    Dataset,
    OpenOperations,
    PlatformOperations,
    Project,
    TradeDetail,
    UploadedFile,
)
from .redaction import Redaction, Secret
from .timestamps import next_timestamp, skip_timestamps
from .wire import Operation, Page, decode, encode, encode_form, sign

SIGN_LIFETIME = 180.0
"""How long a signed request may be repeated, in seconds: the window of 5 minutes, less the age of the timestamp and
clock skew."""
MAX_COLLISIONS = 5
"""How often a request is signed again because another process has used its timestamp."""
BATCH_RECORDS = 1000
BATCH_BYTES = 4 * 1024 * 1024
EXPORT_TYPES = ("application/x-ndjson", "text/csv")

Client = TypeVar("Client", "Souk", "SoukPlatform")

PROCESSING = 1
"""The only ``transaction_status`` that changes (open-api §3.2)."""


@dataclass(frozen=True)
class NotDelivered:
    """The recipients whom a message does not reach (open-api §4.3)."""

    count: int
    """Their number."""
    reasons: dict[str, int]
    """Their numbers by reason, such as ``{"off": 2}``."""
    operation: str
    """``sendNotify`` or ``sendActivity``."""


def _read_not_delivered(operation: str, value: Any) -> Optional[NotDelivered]:
    """Returns what the header of a response says about recipients; None if there are none. The message has been sent, so
    malformed fields are left out instead of failing the call. All clients follow the same rule."""
    found = value if isinstance(value, dict) else {}
    reasons = found.get("reasons")
    given = reasons if isinstance(reasons, dict) else {}
    numbers = {reason: int(number) for reason, number in given.items() if _is_count(number)}
    count = int(found["count"]) if _is_count(found.get("count")) else sum(numbers.values())
    return NotDelivered(count, numbers, operation) if count > 0 else None


def _is_count(value: Any) -> bool:
    """Returns whether a value of JSON is a number of recipients that every client can hold."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and 0 < value < 2**31 and value == int(value)


class WaitForTrade:
    """The state of waiting for a trade: when to query it again, and when to stop."""

    def __init__(self, trade_no: str, timeout: float, interval: float) -> None:
        self._trade_no = trade_no
        self._timeout = timeout
        self._interval = interval
        self._longest = max(interval, 10.0)
        self._deadline = time.monotonic() + timeout
        self._failure: Optional[Exception] = None
        self.trade: Any = None
        """The last known state."""

    @contextmanager
    def poll(self) -> Iterator[None]:
        """Passes on errors of the query in the block, except temporary ones."""
        self._failure = None
        try:
            yield
        except (SoukApiError, SoukConnectionError) as error:
            if not transport.is_temporary(error):
                raise
            self._failure = error

    def is_over(self) -> bool:
        return self._failure is None and self.trade.transaction_status != PROCESSING

    def pause(self) -> float:
        """Returns the seconds until the next query. Raises TradeStillProcessingError after the timeout."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TradeStillProcessingError(self._trade_no, self._timeout, self.trade) from self._failure
        asked = getattr(self._failure, "retry_after", None) or 0.0
        pause = min(max(self._interval, asked), left)
        self._interval = min(self._interval * 1.5, self._longest)
        return pause


class Souk(OpenOperations):
    """Client of the open API for the backend of a mini app. Threads may share it.

    It signs requests, repeats them where that is safe, and verifies callbacks. Methods raise
    ``SoukApiError`` for an error response and ``SoukConnectionError`` if there is no response.

    :param base_url: URL of Souk before ``/neuopenapi``, such as ``http://localhost:7070``.
    :param secret: The app secret. It signs requests and is never sent.
    :param timeout: Timeout of one attempt in seconds.
    :param max_retries: Maximum number of retries where retrying is safe; 0 disables them.
    :param on_not_delivered: Called once when ``send_notify`` or ``send_activity`` has succeeded, but does not reach
        all recipients, with their number and the reasons (open-api §4.3). The method raises what it raises; the message
        has been sent nevertheless.
    :param on_attempt: Called before each attempt of a call, and what it returns when the attempt has ended, for logs and
        traces. The method raises what they raise, also if the request has been executed.
    :param ssl_context: Certificates that are trusted, and that of the client: ``ssl.create_default_context(cafile=…)``, and
        ``load_cert_chain``. Default: those of the system.
    :param proxy: URL of a proxy, empty for none. Default: that of the environment (``HTTPS_PROXY``, ``HTTP_PROXY``,
        ``NO_PROXY``).
    :param callback_secrets: Further secrets with which callbacks may be signed, such as the previous one during a
        rotation. ``secret`` is always accepted.
    :param callback_tolerance: The maximum age of a callback in seconds, in either direction of the clock.
    :raises ValueError: for a missing or invalid setting.
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
    ) -> None:
        self._base_url = transport.require_base_url(base_url, "/neuopenapi")
        self._connections = Connections(self._base_url, ssl_context, proxy)
        self._appid = transport.require_text("appid", appid)
        self._secret = Secret(transport.require_text("secret", secret))
        self._timeout = timeout
        self._max_retries = max_retries
        self._on_not_delivered = on_not_delivered
        self._on_attempt = on_attempt
        self.callbacks = Callbacks(appid, secret, other_secrets=callback_secrets, tolerance=callback_tolerance)

    def with_options(self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None) -> Souk:
        """Returns a client with other options, for some calls. It shares the connections of this one.

        ``souk.with_options(timeout=2.0, max_retries=0).tradedetail(trade_no)``
        """
        return _changed(self, timeout, max_retries)

    def file_upload(self, content: bytes, *, name: str = "file") -> UploadedFile:
        """Uploads an image: PNG, JPEG and the like, up to 2 MB. See open-api §4.1.

        :param content: The file.
        :param name: The name of the file.
        """
        return self._call(OPERATIONS["fileUpload"], {}, UploadedFile, file=(name, content))

    def wait_for_trade(
        self, trade_no: str, *, timeout: float = 120.0, interval: float = 1.0
    ) -> TradeDetail:
        """Polls a trade until its ``transaction_status`` is final. Temporary failures do not end the wait.

        :param timeout: in seconds; a last query may take the timeout of one attempt longer.
        :param interval: The first polling interval in seconds; it grows to 10 seconds.
        :raises TradeStillProcessingError: after the timeout.
        """
        waiting = WaitForTrade(trade_no, timeout, interval)
        # The next poll is the retry.
        client = self.with_options(max_retries=0)
        while True:
            with waiting.poll():
                waiting.trade = client.tradedetail(trade_no)
            if waiting.is_over():
                return waiting.trade
            time.sleep(waiting.pause())

    def _call(
        self,
        operation: Operation,
        parameters: dict[str, Any],
        result: Any,
        file: Optional[tuple[str, bytes]] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Any:
        given = {name: value for name, value in parameters.items() if value is not None}
        signed: dict[str, Any] = {}
        collisions = 0
        canceled_by = cancellation or Cancellation()
        attempts = Attempts(self._on_attempt, self._base_url, operation)

        def attempt() -> tuple[Any, Optional[NotDelivered]]:
            nonlocal signed, collisions
            while True:
                is_repetition = bool(signed) and operation.retry == "sameSignature"
                if operation.signed and not is_repetition:
                    signed = self._sign(given)
                try:
                    answer, is_replayed, found = self._attempt(
                        operation, attempts, {**given, **signed}, file, canceled_by
                    )
                    # A repetition may get the result of its own first attempt.
                    is_own = is_repetition or operation.retry != "sameSignature" or not is_replayed
                    if is_own or collisions == MAX_COLLISIONS:
                        return decode(operation, result, answer), found
                except SoukApiError as error:
                    if error.code != "sign_reused" or collisions == MAX_COLLISIONS:
                        raise
                # Souk did not execute it, since a request of another process has the same sign (ADR 411).
                collisions += 1
                skip_timestamps(self._appid)
                signed = {}

        decoded, not_delivered = transport.repeat(
            operation, self._max_retries, attempt, cancellation=canceled_by, lifetime=SIGN_LIFETIME
        )
        # After all attempts, so that a failure of the function cannot send the message again.
        if not_delivered and self._on_not_delivered:
            self._on_not_delivered(not_delivered)
        return decoded

    def _sign(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """Returns the common parameters (open-api §4.1)."""
        common = {"appid": self._appid, "timestamp": next_timestamp(self._appid)}
        return {**common, "sign": sign({**parameters, **common}, self._secret.reveal())}

    def _attempt(
        self,
        operation: Operation,
        attempts: Attempts,
        parameters: dict[str, Any],
        file: Optional[tuple[str, bytes]],
        cancellation: Cancellation,
    ) -> tuple[Any, bool, Optional[NotDelivered]]:
        """Returns the result, whether it is that of an earlier request with the same sign, and whom it does not reach."""
        url = self._base_url + operation.path
        headers = {"Accept": "application/json"}
        body: Optional[bytes] = None
        if operation.place == "query":
            url += "?" + encode_form(parameters)
        elif file:
            headers["Content-Type"], body = _multipart(parameters, *file)
        else:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = encode_form(parameters).encode()
        request = urllib.request.Request(url, data=body, headers=headers, method=operation.method)
        redaction = Redaction([self._secret.reveal(), *(parameters.get(name) for name in operation.secrets)])
        with attempts.next(request, redaction) as exchange:
            status, answer_headers, answer = transport.exchange(
                operation,
                self._connections,
                request,
                timeout=self._timeout,
                lost="",
                redaction=redaction,
                cancellation=cancellation,
            )
            exchange.received(status, answer_headers)
            envelope = transport.json_of(answer)
            header = envelope.get("responseHeader") if isinstance(envelope, dict) else None
            if isinstance(header, dict) and header.get("status") == 200:
                if operation.is_result(envelope.get("response")):
                    is_replayed = answer_headers.get("Idempotent-Replayed") == "true"
                    not_delivered = _read_not_delivered(operation.name, header.get("notDelivered"))
                    return envelope["response"], is_replayed, not_delivered
                header = None
            transport.refuse(operation, url, status, answer_headers, answer, header, "msg", redaction)


class SoukPlatform(PlatformOperations):
    """Client of the platform data API (open-api §4.2) with exactly the permissions of an account.

    :param base_url: URL of Souk before ``/api/v1``, such as ``http://localhost:7070``.
    :param api_key: API key of an account (open-api §5.1). Use it on trusted servers only.
    :param token: A token of an account or service account, instead of the key.
    :param timeout: Timeout of one attempt in seconds; for an export, how long the server may be silent.
    :param on_attempt: Called before each attempt of a call, as that of ``Souk``, like the following options.
    :raises ValueError: for a missing or invalid setting.
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
    ) -> None:
        self._base_url = transport.require_base_url(base_url, "/api/v1")
        self._on_attempt = on_attempt
        self._connections = Connections(self._base_url, ssl_context, proxy)
        if (api_key is None) == (token is None):
            raise ValueError("give either api_key or token")
        if token is None:
            self._header, self._prefix = "X-API-Key", ""
            self._credentials = Secret(transport.require_header("api_key", api_key))
        else:
            self._header, self._prefix = "Authorization", "Bearer "
            self._credentials = Secret(transport.require_header("token", token))
        self._timeout = timeout
        self._max_retries = max_retries

    def with_options(self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None) -> SoukPlatform:
        """Returns a client with other options, for some calls. It shares the connections of this one."""
        return _changed(self, timeout, max_retries)

    def projects(self) -> Iterator[Project]:
        """Iterates over all projects, fetching page by page."""
        return _pages(lambda cursor: self.page_projects(cursor=cursor, limit=1000))

    def datasets(self, project_id: Optional[str] = None) -> Iterator[Dataset]:
        """Iterates over the datasets of one or all projects, fetching page by page."""
        return _pages(lambda cursor: self.list_datasets(project_id=project_id, cursor=cursor, limit=1000))

    def records(
        self, dataset_id: str, *, filter: Optional[str] = None, fields: Optional[list[str]] = None
    ) -> Iterator[dict[str, Any]]:
        """Iterates over records, newest first, fetching page by page."""
        return _pages(
            lambda cursor: self.list_records(
                dataset_id=dataset_id, filter=filter, fields=fields, cursor=cursor, limit=1000
            )
        )

    def append(self, dataset_id: str, records: Iterable[dict[str, Any]]) -> int:
        """Appends any number of records in batches, and returns how many. Each batch is stored completely or
        not at all, and only once.

        :raises AppendInterruptedError: if earlier batches were stored before one failed.
        """
        appended = 0
        try:
            for batch in _batches(records):
                appended += self.append_records(
                    dataset_id=dataset_id, records=batch.records, batch_id=batch.id
                ).appended
        except Exception as error:
            if appended == 0:
                raise
            raise AppendInterruptedError(appended, error) from error
        return appended

    def _call(
        self,
        operation: Operation,
        parameters: dict[str, Any],
        result: Any,
        cancellation: Optional[Cancellation] = None,
    ) -> Any:
        redaction = self._redaction(operation, parameters)
        attempts = Attempts(self._on_attempt, self._base_url, operation)
        canceled_by = cancellation or Cancellation()

        def attempt() -> Any:
            request = self._request(operation, parameters)
            with attempts.next(request, redaction) as exchange:
                status, headers, answer = transport.exchange(
                    operation,
                    self._connections,
                    request,
                    timeout=self._timeout,
                    lost=self._advice_if_lost(operation),
                    redaction=redaction,
                    cancellation=canceled_by,
                )
                exchange.received(status, headers)
                found = transport.json_of(answer)
                if status == 200 and operation.is_result(found):
                    return decode(operation, result, found)
                transport.refuse(operation, request.full_url, status, headers, answer, found, "detail", redaction)

        return transport.repeat(operation, self._max_retries, attempt, cancellation=canceled_by)

    def _stream(
        self, operation: Operation, parameters: dict[str, Any], cancellation: Optional[Cancellation] = None
    ) -> Iterator[bytes]:
        redaction = self._redaction(operation, parameters)
        attempts = Attempts(self._on_attempt, self._base_url, operation)
        canceled_by = cancellation or Cancellation()

        def attempt() -> Any:
            request = self._request(operation, parameters)
            with attempts.next(request, redaction) as exchange:
                response = transport.Download(
                    operation,
                    self._connections,
                    request,
                    timeout=self._timeout,
                    redaction=redaction,
                    cancellation=canceled_by,
                )
                status, headers = response.status, response.headers
                exchange.received(status, headers)
                if status == 200 and headers.get_content_type() in EXPORT_TYPES:
                    return response
                answer = b"".join(response.chunks())
                found = transport.json_of(answer)
                transport.refuse(operation, request.full_url, status, headers, answer, found, "detail", redaction)

        response = transport.repeat(operation, self._max_retries, attempt, cancellation=canceled_by)
        return response.chunks()

    def _redaction(self, operation: Operation, parameters: dict[str, Any]) -> Redaction:
        return Redaction([self._credentials.reveal(), *(parameters.get(name) for name in operation.secrets)])

    def _request(self, operation: Operation, parameters: dict[str, Any]) -> urllib.request.Request:
        rest = {name: value for name, value in parameters.items() if value is not None}
        path = operation.path
        for name in list(rest):
            if f"{{{name}}}" in path:
                path = path.replace(f"{{{name}}}", quote(transport.require_text(name, rest.pop(name)), safe=""))
        headers = {
            self._header: self._prefix + self._credentials.reveal(),
            "Accept": "application/json, application/x-ndjson, text/csv",
        }
        body: Optional[bytes] = None
        if operation.place == "json":
            headers["Content-Type"] = "application/json"
            body = json.dumps(encode(rest), ensure_ascii=False).encode(errors="replace")
        elif rest:
            path += "?" + encode_form(rest)
        return urllib.request.Request(
            self._base_url + path, data=body, headers=headers, method=operation.method
        )

    @staticmethod
    def _advice_if_lost(operation: Operation) -> str:
        return "It may have been processed: check before you retry." if operation.retry == "ifNotExecuted" else ""


def _changed(client: Client, timeout: Optional[float], max_retries: Optional[int]) -> Client:
    """Returns a copy of a client in which the options that are not None are changed."""
    changed = copy.copy(client)
    if timeout is not None:
        changed._timeout = timeout
    if max_retries is not None:
        changed._max_retries = max_retries
    return changed


def _multipart(parameters: dict[str, Any], name: str, content: bytes) -> tuple[str, bytes]:
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in parameters.items()
    ]
    safe_name = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="fileData"; filename="{safe_name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = "".join(parts).encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", body


def _pages(fetch: Callable[[Optional[str]], Page[Any]]) -> Iterator[Any]:
    page = fetch(None)
    yield from page.items
    while page.next is not None:
        page = fetch(page.next)
        yield from page.items


class Batch:
    """Records that are appended together."""

    def __init__(self) -> None:
        self.id = str(uuid.uuid4())
        self.records: list[dict[str, Any]] = []
        self._bytes = 0

    def add(self, record: dict[str, Any]) -> bool:
        """Returns whether there was room for a record."""
        size = len(json.dumps(record, ensure_ascii=False).encode(errors="replace"))
        if self.records and (len(self.records) == BATCH_RECORDS or self._bytes + size > BATCH_BYTES):
            return False
        self.records.append(record)
        self._bytes += size
        return True


def _batches(records: Iterable[dict[str, Any]]) -> Iterator[Batch]:
    batch = Batch()
    for record in records:
        if not batch.add(record):
            yield batch
            batch = Batch()
            batch.add(record)
    if batch.records:
        yield batch
