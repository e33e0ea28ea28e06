"""Timestamps that no other request of a mini app has (open-api §4.1)."""

from __future__ import annotations

import os
import secrets
import threading
import time

MINUTE = 60_000
SECOND = 1000

_lock = threading.Lock()
_last: dict[str, int] = {}
"""Last timestamp by appid. All clients share them: the same parameters would have the same sign."""
_offset = secrets.randbelow(MINUTE)
"""How far the timestamps of this process are behind its clock, in ms. It is random, so that two processes hardly
sign with the same timestamp. Of the 5 minutes that Souk allows, it leaves 4 to clocks and the network (ADR 411)."""


def next_timestamp(appid: str) -> int:
    """Returns a timestamp in ms that no other request of this process for the mini app has."""
    now = time.time_ns() // 1_000_000
    with _lock:
        previous = _last.get(appid, 0)
        # The clock was set back. Souk refuses timestamps that are minutes ahead.
        is_ahead = previous > now + MINUTE
        timestamp = now - _offset if is_ahead else max(now - _offset, previous + 1)
        _last[appid] = timestamp
    return timestamp


def skip_timestamps(appid: str) -> None:
    """Leaves out up to a second of timestamps, after another process has used one."""
    with _lock:
        _last[appid] = _last.get(appid, 0) + secrets.randbelow(SECOND)


def _start_process() -> None:
    """Chooses another offset: a forked process would have that of its parent."""
    global _lock, _offset
    _lock = threading.Lock()
    _offset = secrets.randbelow(MINUTE)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_process)
