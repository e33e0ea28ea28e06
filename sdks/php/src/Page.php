<?php

declare(strict_types=1);

namespace Souk;

/**
 * A page of a list.
 *
 * @template T
 */
final class Page
{
    /**
     * @param list<T> $items The items of this page.
     * @param string|null $next The `cursor` of the following page; null on the last.
     */
    public function __construct(
        public readonly array $items,
        public readonly ?string $next,
    ) {
    }
}
