<?php

declare(strict_types=1);

namespace Souk;

/** The recipients whom a message does not reach (open-api §4.3). */
final class NotDelivered
{
    /**
     * @param int $count Their number.
     * @param array<string, int> $reasons Their numbers by reason, such as `off`: 2.
     * @param string $operation `sendNotify` or `sendActivity`.
     */
    public function __construct(
        public readonly int $count,
        public readonly array $reasons,
        public readonly string $operation,
    ) {
    }

    /**
     * Returns what the header of a response says about recipients; null if there are none. The message has been sent, so
     * malformed fields are left out instead of failing the call. All clients follow the same rule.
     *
     * @internal
     */
    public static function read(string $operation, mixed $value): ?self
    {
        $found = is_array($value) ? $value : [];
        $reasons = $found['reasons'] ?? null;
        // A list of JSON is not an object.
        $given = is_array($reasons) && !array_is_list($reasons) ? $reasons : [];
        $numbers = array_map(intval(...), array_filter($given, self::isCount(...)));
        $count = self::isCount($found['count'] ?? null) ? (int) $found['count'] : array_sum($numbers);
        return $count > 0 ? new self($count, $numbers, $operation) : null;
    }

    /** Returns whether a value of JSON is a number of recipients that every client can hold. */
    private static function isCount(mixed $value): bool
    {
        return (is_int($value) || is_float($value)) && $value > 0 && $value < 2 ** 31 && $value == (int) $value;
    }
}
