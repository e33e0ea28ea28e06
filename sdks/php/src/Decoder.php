<?php

declare(strict_types=1);

namespace Souk;

/**
 * Reads results. All clients follow the same rule (ADR 327): integers are exact, only what may be null can be missing,
 * unknown fields are dropped, and unknown values of enumerations are kept.
 *
 * A type is `text`, `integer`, `number`, `boolean`, `map`, `any`, or the name of a model, with `?` before it if it can be
 * null, and with `[]` after it for a list, or `{}` for a page.
 *
 * @internal
 */
final class Decoder
{
    /** The largest integer that every client reads exactly. */
    private const LARGEST_INTEGER = 2 ** 53 - 1;
    private const EXPECTED = [
        'text' => 'a text',
        'integer' => 'an integer',
        'number' => 'a number',
        'boolean' => 'a boolean',
        'list' => 'a list',
    ];

    public function __construct(private readonly string $operation)
    {
    }

    /** @throws SoukResponseException for data that the contract does not allow. */
    public function read(string $type, #[\SensitiveParameter] mixed $value, string $path = '', bool $exists = true): mixed
    {
        if ($type === 'any' || ($value === null && str_starts_with($type, '?'))) {
            return $value;
        }
        $type = ltrim($type, '?');
        $kind = str_ends_with($type, '[]') ? 'list' : $type;
        $isNumber = is_int($value) || is_float($value);
        $isObject = is_array($value) && ($value === [] || !array_is_list($value));
        $isValid = match ($kind) {
            'text' => is_string($value),
            'integer' => $isNumber && abs($value) <= self::LARGEST_INTEGER && floor($value) == $value,
            'number' => $isNumber && is_finite($value),
            'boolean' => is_bool($value),
            'list' => is_array($value) && array_is_list($value),
            default => $isObject,
        };
        if (!$isValid) {
            $expected = self::EXPECTED[$kind] ?? 'an object';
            $found = $exists ? self::describe($value, $kind) : 'missing';
            $place = $path === '' ? 'the result' : $path;
            throw new SoukResponseException($this->operation, $place, "must be $expected, but is $found");
        }
        return match (true) {
            $kind === 'integer' => (int) $value,
            $kind === 'list' => $this->list(substr($type, 0, -2), $value, $path),
            str_ends_with($type, '{}') => new Page(...$this->fields(
                ['items' => substr($type, 0, -2) . '[]', 'next' => '?text'],
                $value,
                $path,
            )),
            in_array($kind, ['text', 'number', 'boolean', 'map'], true) => $value,
            default => new $type(...$this->fields($type::FIELDS, $value, $path)),
        };
    }

    /**
     * @param array<mixed> $values
     * @return list<mixed>
     */
    private function list(string $type, #[\SensitiveParameter] array $values, string $path): array
    {
        $items = [];
        foreach ($values as $index => $value) {
            $items[] = $this->read($type, $value, "{$path}[$index]");
        }
        return $items;
    }

    /**
     * @param array<string, string> $types
     * @param array<string, mixed> $values
     * @return array<string, mixed>
     */
    private function fields(array $types, #[\SensitiveParameter] array $values, string $path): array
    {
        $fields = [];
        foreach ($types as $name => $type) {
            $inner = $path === '' ? $name : "$path.$name";
            $fields[$name] = $this->read($type, $values[$name] ?? null, $inner, array_key_exists($name, $values));
        }
        return $fields;
    }

    /** Describes a value without showing it: it can be personal data. */
    private static function describe(#[\SensitiveParameter] mixed $value, string $kind): string
    {
        return match (true) {
            $value === null => 'null',
            is_string($value) => 'a text',
            is_bool($value) => 'a boolean',
            is_array($value) => array_is_list($value) ? 'a list' : 'an object',
            $kind !== 'integer' => 'a number',
            default => abs($value) > self::LARGEST_INTEGER ? 'too large' : 'fractional',
        };
    }
}
