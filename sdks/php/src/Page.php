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
     * @param list<T> $items
     * @param string|null $next The `cursor` of the following page; null on the last.
     */
    public function __construct(
        public readonly array $items,
        public readonly ?string $next,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(#[\SensitiveParameter] array $data, ?callable $decode = null): self
    {
        $items = $data['items'];
        return new self($decode === null ? $items : array_map($decode, $items), $data['next'] ?? null);
    }
}
