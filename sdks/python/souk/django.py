"""A view of Django that receives payment results."""

from __future__ import annotations

import logging
from typing import Callable

from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from .callbacks import Callbacks, Handler

log = logging.getLogger("souk")


def callback_view(callbacks: Callbacks, handler: Handler) -> Callable[[HttpRequest], HttpResponse]:
    """Returns a view for ``urlpatterns``: ``path("souk/callback", callback_view(souk.callbacks, on_payment))``."""

    @csrf_exempt
    @require_POST
    def view(request: HttpRequest) -> HttpResponse:
        status, text, error = callbacks.respond(request.body, dict(request.headers), handler)
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
