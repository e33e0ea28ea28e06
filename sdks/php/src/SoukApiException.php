<?php

declare(strict_types=1);

namespace Souk;

/** Souk answered with an error (open-api §2.2, open-api §7). */
final class SoukApiException extends SoukException
{
    /**
     * @internal
     * @param string $operation The called operation.
     * @param int $status Status of the error, which is that of the HTTP response if it does not come from Souk.
     * @param string|null $errorCode The stable error code; null if the response does not come from Souk.
     * @param string $msg The text of the server.
     * @param string|null $requestId Identifies the request in the server's request log.
     * @param array<string, mixed>|null $data Machine-readable details, such as the differing fields of a conflict.
     * @param float|null $retryAfter The delay that the server asks for, in seconds.
     */
    public function __construct(
        public readonly string $operation,
        public readonly int $status,
        public readonly ?string $errorCode,
        public readonly string $msg,
        public readonly ?string $requestId,
        public readonly ?array $data,
        public readonly ?float $retryAfter,
        ?string $advice,
    ) {
        $facts = ["status $status"];
        if ($errorCode !== null) {
            $facts[] = "code $errorCode";
        }
        if ($requestId !== null) {
            $facts[] = "request $requestId";
        }
        $text = $advice === null ? $msg : "$msg $advice";
        parent::__construct("$operation failed: $text (" . implode(', ', $facts) . ')');
    }
}
