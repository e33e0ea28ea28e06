<?php

declare(strict_types=1);

namespace Souk;

/**
 * An operation of the contract.
 *
 * @internal
 */
final class Operation
{
    /**
     * @param string $resultField A field that every result has; empty if the result is a boolean.
     * @param list<string> $secrets Parameters whose values errors do not show.
     */
    public function __construct(
        public readonly string $name,
        public readonly string $method,
        public readonly string $path,
        public readonly Place $place,
        public readonly Retry $retry,
        public readonly bool $signed,
        public readonly string $resultField,
        public readonly array $secrets,
    ) {
    }

    /** Returns whether JSON is a result. Other programs may answer with JSON, too. */
    public function isResult(mixed $answer): bool
    {
        return $this->resultField === '' ? is_bool($answer) : is_array($answer) && array_key_exists($this->resultField, $answer);
    }
}
