<?php

declare(strict_types=1);

namespace Souk;

/**
 * Souk answered with a result that the contract does not allow, such as text in place of an amount. The request has
 * probably been executed. The message contains none of the values.
 */
final class SoukResponseException extends SoukException
{
    /**
     * @internal
     * @param string $operation The called operation.
     * @param string $path The invalid field, such as `items[0].ctime`.
     */
    public function __construct(
        public readonly string $operation,
        public readonly string $path,
        string $reason,
    ) {
        parent::__construct("$operation returned an invalid result: $path $reason.");
    }
}
