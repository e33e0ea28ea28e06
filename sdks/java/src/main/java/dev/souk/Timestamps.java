package dev.souk;

import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Timestamps in milliseconds that no other request of a mini app has (open-api §4.1). */
final class Timestamps {
    private static final int SECOND = 1000;
    private static final int MINUTE = 60 * SECOND;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Shared by all clients of the process: the same parameters would have the same sign. */
    static final Timestamps ISSUED = new Timestamps();

    /**
     * How far the timestamps are behind the clock. It is random, so that two processes hardly sign with the same
     * timestamp. Of the 5 minutes that Souk allows, it leaves 4 to clocks and the network (ADR 411).
     */
    final int offset = RANDOM.nextInt(MINUTE);
    /** The last timestamp by appid. */
    private final Map<String, Long> last = new ConcurrentHashMap<>();

    /** Returns a timestamp that no other request of this process for the mini app has. */
    long next(String appid, long now) {
        return last.compute(appid, (key, previous) -> {
            // The clock was set back. Souk refuses timestamps that are minutes ahead.
            boolean isAhead = previous != null && previous > now + MINUTE;
            return previous == null || isAhead ? now - offset : Math.max(now - offset, previous + 1);
        });
    }

    /** Leaves out up to a second of timestamps, after another process has used one. */
    void skip(String appid) {
        last.computeIfPresent(appid, (key, previous) -> previous + RANDOM.nextInt(SECOND));
    }
}
