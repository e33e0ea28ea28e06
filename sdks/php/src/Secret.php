<?php

declare(strict_types=1);

namespace Souk;

/**
 * A value that is not shown when the object that has it is printed: neither by `var_dump` and `print_r`, nor by
 * `var_export`, which prints private properties but nothing of a closure.
 *
 * @internal
 */
final class Secret
{
    public const HIDDEN = '******';

    /** @var \Closure(): string */
    private readonly \Closure $reveal;

    public function __construct(#[\SensitiveParameter] string $value)
    {
        $this->reveal = static fn (): string => $value;
    }

    public function reveal(): string
    {
        return ($this->reveal)();
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['value' => self::HIDDEN];
    }
}
