<?php

declare(strict_types=1);

namespace Souk;

/** There was no response: the connection failed or broke, or the attempt timed out. */
final class SoukConnectionException extends SoukException
{
    /**
     * @internal
     * @param string $operation The called operation.
     * @param bool $notSent Whether the request was certainly not processed.
     */
    public function __construct(
        public readonly string $operation,
        string $reason,
        public readonly bool $notSent,
    ) {
        parent::__construct("$operation got no response: $reason");
    }
}
