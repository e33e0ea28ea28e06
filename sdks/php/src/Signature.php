<?php

declare(strict_types=1);

namespace Souk;

/** The sign of requests and callbacks (open-api §4.1). */
final class Signature
{
    /**
     * Returns the `sign` of a request or a callback: 64 lowercase hexadecimal digits.
     *
     * @param array<string, mixed> $parameters
     */
    public static function sign(#[\SensitiveParameter] array $parameters, #[\SensitiveParameter] string $secret): string
    {
        return hash('sha256', self::canonicalString($parameters, $secret));
    }

    /**
     * Returns the string whose SHA-256 is the sign.
     *
     * @param array<string, mixed> $parameters
     */
    public static function canonicalString(#[\SensitiveParameter] array $parameters, #[\SensitiveParameter] string $secret): string
    {
        unset($parameters['sign'], $parameters['fileData']);
        $parameters['secret'] = $secret;
        // Names are sorted by UTF-16 code units, in which characters beyond U+FFFF come before U+E000.
        uksort($parameters, static fn (int|string $a, int|string $b): int => strcmp(self::utf16($a), self::utf16($b)));
        $text = '';
        foreach ($parameters as $name => $value) {
            $text .= $name . '=' . self::textOf($value);
        }
        return $text;
    }

    /**
     * Returns a parameter as it is sent and signed: lists are joined with commas, null is empty.
     *
     * @internal
     */
    public static function textOf(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_array($value) => implode(',', array_map(self::textOf(...), $value)),
            default => (string) $value,
        };
    }

    /**
     * Encodes parameters for a query string or an urlencoded body; a space is `%20`.
     *
     * @internal
     * @param array<string, mixed> $parameters
     */
    public static function encodeForm(#[\SensitiveParameter] array $parameters): string
    {
        $pairs = [];
        foreach ($parameters as $name => $value) {
            $pairs[] = rawurlencode((string) $name) . '=' . rawurlencode(self::textOf($value));
        }
        return implode('&', $pairs);
    }

    /** Names such as "0" are integers as keys of an array. */
    private static function utf16(int|string $name): string
    {
        return mb_convert_encoding((string) $name, 'UTF-16BE', 'UTF-8');
    }
}
