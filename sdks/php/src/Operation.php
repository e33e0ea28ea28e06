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
    public function __construct(
        public readonly string $name,
        public readonly string $method,
        public readonly string $path,
        public readonly Place $place,
        public readonly Retry $retry,
        public readonly bool $signed,
    ) {
    }
}
