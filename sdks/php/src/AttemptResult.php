<?php

declare(strict_types=1);

namespace Souk;

/** How an attempt ended. */
final class AttemptResult
{
    /**
     * @param int|null $status HTTP status; null without a response.
     * @param float $durationMs Time until the response was read, or until it began for an export.
     * @param string|null $requestId Request id of the server, under which its log has the request.
     * @param string|null $error Code of the error, or the HTTP status as text if the response did not come from Souk;
     *     `connection_error` without a response, null if Souk answered with a result.
     */
    public function __construct(
        public readonly ?int $status,
        public readonly float $durationMs,
        public readonly ?string $requestId,
        public readonly ?string $error,
    ) {
    }
}
