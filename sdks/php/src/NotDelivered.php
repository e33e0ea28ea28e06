<?php

declare(strict_types=1);

namespace Souk;

/** The recipients whom a message does not reach (open-api §4.3). */
final class NotDelivered
{
    /**
     * @param array<string, int> $reasons Their numbers by reason, such as `off`: 2.
     * @param string $operation `sendNotify` or `sendActivity`.
     */
    public function __construct(
        public readonly int $count,
        public readonly array $reasons,
        public readonly string $operation,
    ) {
    }
}
