<?php

declare(strict_types=1);

namespace Souk;

/**
 * Masks what a request kept secret, in case something between client and Souk repeats it.
 *
 * @internal
 */
final class Redaction
{
    /** Shorter values are no secrets of Souk, and masking them would garble texts. */
    private const SHORTEST = 8;
    private const VALID_URL = '~^(https?:)?//(?:[^/?#\\\\@]*@)?([^/?#\\\\@:\s[\]]+|\[[0-9a-f:.]+])(:\d{1,5})?(/[^?#\\\\@]*)?(?:[?#].*)?$~Dis';

    /** @var list<Secret> */
    private readonly array $secrets;

    /**
     * @param array<mixed> $secrets Values that must not be shown; other types than strings are ignored.
     */
    public function __construct(#[\SensitiveParameter] array $secrets)
    {
        $isSecret = static fn (mixed $value): bool => is_string($value) && strlen($value) >= self::SHORTEST;
        $texts = array_filter($secrets, $isSecret);
        // Longest first, because one secret may contain another.
        usort($texts, static fn (string $a, string $b): int => strlen($b) <=> strlen($a));
        $this->secrets = array_map(static fn (string $text): Secret => new Secret($text), $texts);
    }

    /** Returns a text with the secrets masked, also percent-encoded ones, and with its URLs as `shownUrl` returns them. */
    public function text(#[\SensitiveParameter] string $text): string
    {
        foreach ($this->secrets as $secret) {
            $value = $secret->reveal();
            $encoded = rawurlencode($value);
            $notations = [rawurlencode($encoded), $encoded, urlencode($value), trim(json_encode($value) ?: '', '"'), $value];
            $text = str_ireplace(array_filter($notations), Secret::HIDDEN, $text);
        }
        $shown = static fn (array $match): string => self::shownUrl($match[0]);
        return preg_replace_callback('~[a-z]{2,10}://[^\s"\'<>]*~i', $shown, $text);
    }

    /** Returns JSON data with the secrets masked in all texts. */
    public function data(#[\SensitiveParameter] mixed $value): mixed
    {
        return match (true) {
            is_string($value) => $this->text($value),
            is_array($value) => array_map($this->data(...), $value),
            default => $value,
        };
    }

    /** Returns a URL without user name, password, query and fragment, to show it in an error. */
    public static function shownUrl(#[\SensitiveParameter] string $url): string
    {
        if (preg_match(self::VALID_URL, $url, $parts) === 1) {
            return $parts[1] . '//' . $parts[2] . ($parts[3] ?? '') . ($parts[4] ?? '');
        }
        // Not a valid URL. A password may contain the characters that end it.
        $shown = substr($url, 0, strcspn($url, '?#'));
        return str_contains(substr($url, strlen($shown)), '@') ? '…' : preg_replace('~^.*@~s', '…@', $shown);
    }
}
