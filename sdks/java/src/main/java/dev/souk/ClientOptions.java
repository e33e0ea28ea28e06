package dev.souk;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Options of a client.
 *
 * @param timeout Timeout of one attempt; for an export, how long the server may be silent.
 * @param maxRetries Maximum number of retries where retrying is safe; 0 disables them.
 * @param onNotDelivered Called once when {@code sendNotify} or {@code sendActivity} has succeeded, but does not reach all
 *     recipients; may be null. The method throws what it throws; the message has been sent nevertheless.
 */
public record ClientOptions(Duration timeout, int maxRetries, Consumer<NotDelivered> onNotDelivered) {
    /** Creates options without a function for recipients who are not reached. */
    public ClientOptions(Duration timeout, int maxRetries) {
        this(timeout, maxRetries, null);
    }

    /** Returns a timeout of 10 seconds, and 2 retries. */
    public static ClientOptions defaults() {
        return new ClientOptions(Duration.ofSeconds(10), 2);
    }

    /** Returns the same options with another timeout. */
    public ClientOptions withTimeout(Duration timeout) {
        return new ClientOptions(timeout, maxRetries, onNotDelivered);
    }

    /** Returns the same options with another number of retries. */
    public ClientOptions withMaxRetries(int maxRetries) {
        return new ClientOptions(timeout, maxRetries, onNotDelivered);
    }

    /** Returns the same options with a function that is called for recipients who are not reached. */
    public ClientOptions withOnNotDelivered(Consumer<NotDelivered> onNotDelivered) {
        return new ClientOptions(timeout, maxRetries, onNotDelivered);
    }
}
