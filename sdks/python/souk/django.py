"""Views of Django that receive the results of payments and refunds."""

from __future__ import annotations

import logging
from typing import Callable, Mapping, Optional

from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from .callbacks import Callbacks, Handler, RefundHandler

log = logging.getLogger("souk")


def callback_view(callbacks: Callbacks, handler: Handler) -> Callable[[HttpRequest], HttpResponse]:
    """Returns a view for ``urlpatterns``: ``path("souk/callback", callback_view(souk.callbacks, on_payment))``."""
    return _view(lambda body, headers: callbacks.respond(body, headers, handler))


def refund_view(callbacks: Callbacks, handler: RefundHandler) -> Callable[[HttpRequest], HttpResponse]:
    """Returns a view for the results of refunds, like ``callback_view``."""
    return _view(lambda body, headers: callbacks.respond_refund(body, headers, handler))


def _view(
    respond: Callable[[bytes, Mapping[str, str]], tuple[int, str, Optional[Exception]]],
) -> Callable[[HttpRequest], HttpResponse]:
    @csrf_exempt
    @require_POST
    def view(request: HttpRequest) -> HttpResponse:
        status, text, error = respond(request.body, dict(request.headers))
        if error:
            _roll_back()
            log.error("callback not acknowledged", exc_info=error)
        return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")

    return view


def _roll_back() -> None:
    """Undoes what a handler that raised has written. Django with ``ATOMIC_REQUESTS`` commits, since the view returns."""
    for connection in connections.all():
        if connection.settings_dict["ATOMIC_REQUESTS"] and connection.in_atomic_block:
            connection.set_rollback(True)
