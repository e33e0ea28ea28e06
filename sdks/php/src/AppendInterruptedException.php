<?php

declare(strict_types=1);

namespace Souk;

/** An append failed after some batches had been stored. `getPrevious()` says why. */
final class AppendInterruptedException extends SoukException
{
    /**
     * @internal
     * @param int $appended Number of records that were stored, counted from the first.
     */
    public function __construct(public readonly int $appended, \Throwable $previous)
    {
        parent::__construct(
            "the first $appended records were stored, then the append failed: {$previous->getMessage()}",
            previous: $previous,
        );
    }
}
