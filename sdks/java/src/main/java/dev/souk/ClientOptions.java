package dev.souk;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/** Options of a client. */
public final class ClientOptions {
    private final Duration timeout;
    private final int maxRetries;
    private final Consumer<NotDelivered> onNotDelivered;
    private final Function<Attempt, Consumer<AttemptResult>> onAttempt;
    private final HttpClient httpClient;

    /** Creates options; each has a method that describes it. */
    public ClientOptions(
            Duration timeout,
            int maxRetries,
            Consumer<NotDelivered> onNotDelivered,
            Function<Attempt, Consumer<AttemptResult>> onAttempt,
            HttpClient httpClient) {
        this.timeout = timeout;
        this.maxRetries = maxRetries;
        this.onNotDelivered = onNotDelivered;
        this.onAttempt = onAttempt;
        this.httpClient = httpClient;
    }

    /** Creates options without functions. */
    public ClientOptions(Duration timeout, int maxRetries) {
        this(timeout, maxRetries, null, null, null);
    }

    /** Returns a timeout of 10 seconds, and 2 retries. */
    public static ClientOptions defaults() {
        return new ClientOptions(Duration.ofSeconds(10), 2);
    }

    /** Returns the same options with another timeout. */
    public ClientOptions withTimeout(Duration timeout) {
        return new ClientOptions(timeout, maxRetries, onNotDelivered, onAttempt, httpClient);
    }

    /** Returns the same options with another number of retries. */
    public ClientOptions withMaxRetries(int maxRetries) {
        return new ClientOptions(timeout, maxRetries, onNotDelivered, onAttempt, httpClient);
    }

    /** Returns the same options with a function that is called for recipients who are not reached. */
    public ClientOptions withOnNotDelivered(Consumer<NotDelivered> onNotDelivered) {
        return new ClientOptions(timeout, maxRetries, onNotDelivered, onAttempt, httpClient);
    }

    /** Returns the same options with a function that is called before each attempt. */
    public ClientOptions withOnAttempt(Function<Attempt, Consumer<AttemptResult>> onAttempt) {
        return new ClientOptions(timeout, maxRetries, onNotDelivered, onAttempt, httpClient);
    }

    /** Returns the same options with another HTTP client. */
    public ClientOptions withHttpClient(HttpClient httpClient) {
        return new ClientOptions(timeout, maxRetries, onNotDelivered, onAttempt, httpClient);
    }

    /** Timeout of one attempt; for an export, how long the server may be silent. */
    public Duration timeout() {
        return timeout;
    }

    /** Maximum number of retries where retrying is safe; 0 disables them. */
    public int maxRetries() {
        return maxRetries;
    }

    /**
     * Called once when {@code sendNotify} or {@code sendActivity} has succeeded, but does not reach all recipients; may be
     * null. The method throws what it throws; the message has been sent nevertheless.
     */
    public Consumer<NotDelivered> onNotDelivered() {
        return onNotDelivered;
    }

    /**
     * Called before each attempt of a call, and what it returns when the attempt has ended, for logs and traces; both may
     * be null. The method throws what they throw, also if the request has been executed.
     */
    public Function<Attempt, Consumer<AttemptResult>> onAttempt() {
        return onAttempt;
    }

    /**
     * Sends the requests, with its proxy and its certificates; null for one with those of the JVM. It must not follow
     * redirects.
     */
    public HttpClient httpClient() {
        return httpClient;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ClientOptions)) return false;
        ClientOptions that = (ClientOptions) other;
        return Objects.equals(timeout, that.timeout)
                && maxRetries == that.maxRetries
                && Objects.equals(onNotDelivered, that.onNotDelivered)
                && Objects.equals(onAttempt, that.onAttempt)
                && Objects.equals(httpClient, that.httpClient);
    }

    @Override
    public int hashCode() {
        return Objects.hash(timeout, maxRetries, onNotDelivered, onAttempt, httpClient);
    }

    @Override
    public String toString() {
        return "ClientOptions[timeout=" + timeout + ", maxRetries=" + maxRetries + "]";
    }
}
