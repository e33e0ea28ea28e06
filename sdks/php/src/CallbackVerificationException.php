<?php

declare(strict_types=1);

namespace Souk;

/** A callback could not be verified. The message contains none of its values. */
final class CallbackVerificationException extends SoukException
{
    /**
     * @internal
     * @param string $reason callback_malformed, sign_mismatch, callback_stale, other_app or body_missing.
     */
    public function __construct(public readonly string $reason, string $explanation)
    {
        parent::__construct("Callback verification failed: $explanation ($reason)");
    }
}
