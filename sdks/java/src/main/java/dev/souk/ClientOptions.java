package dev.souk;

import java.time.Duration;

/**
 * Options of a client.
 *
 * @param timeout Timeout of one attempt; for an export, how long the server may be silent.
 * @param maxRetries Maximum number of retries where retrying is safe; 0 disables them.
 */
public record ClientOptions(Duration timeout, int maxRetries) {
    /** Returns a timeout of 10 seconds, and 2 retries. */
    public static ClientOptions defaults() {
        return new ClientOptions(Duration.ofSeconds(10), 2);
    }

    /** Returns the same options with another timeout. */
    public ClientOptions withTimeout(Duration timeout) {
        return new ClientOptions(timeout, maxRetries);
    }

    /** Returns the same options with another number of retries. */
    public ClientOptions withMaxRetries(int maxRetries) {
        return new ClientOptions(timeout, maxRetries);
    }
}
