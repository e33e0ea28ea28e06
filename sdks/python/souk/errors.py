"""Errors of the clients."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class SoukError(Exception):
    """The base of all errors of this package."""


class SoukApiError(SoukError):
    """Souk answered with an error (open-api §2.2, open-api §7)."""

    def __init__(
        self,
        operation: str,
        *,
        status: int,
        code: Optional[str],
        msg: str,
        request_id: Optional[str] = None,
        data: Optional[Mapping[str, Any]] = None,
        retry_after: Optional[float] = None,
        advice: Optional[str] = None,
    ) -> None:
        facts = [f"status {status}", code and f"code {code}", request_id and f"request {request_id}"]
        text = f"{msg} {advice}" if advice else msg
        super().__init__(f"{operation} failed: {text} ({', '.join(fact for fact in facts if fact)})")
        self.operation = operation
        self.status = status
        self.code = code
        """The stable error code; None if the response did not come from Souk."""
        self.msg = msg
        self.request_id = request_id
        """Identifies the request in the server's request log."""
        self.data = data
        """Machine-readable details, such as the differing fields of a conflict."""
        self.retry_after = retry_after
        """The delay that the server asks for, in seconds."""


class SoukResponseError(SoukError):
    """Souk answered with a result that the contract does not allow, such as text in place of an amount. The request
    has probably been executed. The message contains none of the values."""

    def __init__(self, operation: str, path: str, reason: str) -> None:
        super().__init__(f"{operation} returned an invalid result: {path} {reason}.")
        self.operation = operation
        self.path = path
        """The invalid field, such as ``items[0].ctime``."""


class SoukConnectionError(SoukError):
    """There was no response: the connection failed or broke, or the attempt timed out."""

    def __init__(self, operation: str, reason: str, *, not_sent: bool) -> None:
        super().__init__(f"{operation} got no response: {reason}")
        self.operation = operation
        self.not_sent = not_sent
        """Whether the request was certainly not processed."""


class TradeStillProcessingError(SoukError):
    """``wait_for_trade`` timed out. The trade itself continues."""

    def __init__(self, trade_no: str, timeout: float, trade: Any) -> None:
        super().__init__(
            f"trade {trade_no} is still processing after {timeout:g} s; wait again, or handle its callback"
        )
        self.trade_no = trade_no
        self.trade = trade
        """The last known state, or None if it could not be queried."""


class AppendInterruptedError(SoukError):
    """An append failed after some batches had been stored. ``__cause__`` says why."""

    def __init__(self, appended: int, cause: Exception) -> None:
        super().__init__(f"the first {appended} records were stored, then the append failed: {cause}")
        self.appended = appended


class CallbackVerificationError(SoukError):
    """A callback could not be verified. The message contains none of its values."""

    def __init__(self, reason: str, explanation: str) -> None:
        super().__init__(f"Callback verification failed: {explanation} ({reason})")
        self.reason = reason
        """callback_malformed, sign_mismatch, callback_stale, other_app or body_missing."""
