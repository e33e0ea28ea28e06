<?php

declare(strict_types=1);

namespace Souk;

/**
 * Timestamps in milliseconds that no other request of a mini app has (open-api §4.1).
 *
 * @internal
 */
final class Timestamps
{
    private const SECOND = 1000;
    private const MINUTE = 60_000;

    /**
     * Last timestamp by appid. All clients of the process share them: the same parameters would have the same sign.
     *
     * @var array<string, int>
     */
    private static array $last = [];
    /**
     * How far the timestamps of this process are behind its clock. It is random, so that two processes, or two requests
     * to PHP, hardly sign with the same timestamp. Of the 5 minutes that Souk allows, it leaves 4 to clocks and the
     * network (ADR 411).
     */
    private static int $offset = 0;
    /** The process that the offset is for: a forked process would have that of its parent. */
    private static ?int $process = null;

    /** Returns a timestamp that no other request of this process for the mini app has. */
    public static function next(string $appid, int $now): int
    {
        if (self::$process !== getmypid()) {
            self::$process = getmypid();
            self::$offset = random_int(0, self::MINUTE - 1);
        }
        $previous = self::$last[$appid] ?? 0;
        // The clock was set back. Souk refuses timestamps that are minutes ahead.
        $isAhead = $previous > $now + self::MINUTE;
        $timestamp = $isAhead ? $now - self::$offset : max($now - self::$offset, $previous + 1);
        self::$last[$appid] = $timestamp;
        return $timestamp;
    }

    /** Leaves out up to a second of timestamps, after another process has used one. */
    public static function skip(string $appid): void
    {
        self::$last[$appid] = (self::$last[$appid] ?? 0) + random_int(0, self::SECOND - 1);
    }
}
