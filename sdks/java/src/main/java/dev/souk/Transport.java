package dev.souk;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.souk.Operation.Retry;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Sends requests, and repeats them where that is safe (ADR 50). */
final class Transport {
    static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    /** Shown in the server's request log. */
    private static final String USER_AGENT =
            "souk-java/" + Contract.VERSION + " (Java " + Runtime.version().feature() + ")";

    /** Bytes of a response that are searched for secrets before its start is quoted. */
    private static final int LONGEST_QUOTABLE = 10_000;

    /** The longest {@code Retry-After} to wait for. A longer one is left to the caller. */
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(30);

    /** Advice for developers about errors, where the server's message has none. */
    private static final Map<String, String> ADVICE = Map.of(
            "sign_mismatch",
            "Check that the secret belongs to this appid at this server, and that it was not rotated.",
            "appid_invalid",
            "Check that the mini app exists and is enabled at this server.",
            "timestamp_out_of_window",
            "Synchronize the clock of this machine with NTP; 5 minutes of difference are allowed.",
            "code_used",
            "Exchange each code once, and request a new code on the page with neu.login().",
            "code_expired",
            "A code is valid for 5 minutes: exchange it at once.",
            "access_token_invalid",
            "Exchange a new code instead of retrying.",
            "open_id_unknown",
            "An openId is valid under one appid only: use the one that userInfo returned.",
            "recipients_unknown",
            "An openId is valid under one appid only: use those that userInfo returned.",
            "api_key_invalid",
            "An account has one key, which becomes invalid when it is refreshed.");

    private final HttpClient client;
    private final ClientOptions options;

    Transport(ClientOptions options) {
        this.client = options.httpClient() == null ? newClient() : options.httpClient();
        if (client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException("The HTTP client follows redirects; build it with Redirect.NEVER");
        }
        this.options = options.withHttpClient(client);
    }

    private static HttpClient newClient() {
        return HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** Returns a transport with other options, which shares the connections. */
    Transport with(UnaryOperator<ClientOptions> change) {
        return new Transport(change.apply(options));
    }

    ClientOptions options() {
        return options;
    }

    /** Returns a setting. */
    static String requireText(String name, String value) {
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is missing or empty; check the setting that it is read from");
        }
        if (!value.equals(value.strip())) {
            throw new IllegalArgumentException(
                    name + " has surrounding white space or a line break; trim it where it is read");
        }
        return value;
    }

    /** Returns a setting that is sent in a header. The library's own exception would contain it. */
    static String requireHeader(String name, String value) {
        if (!requireText(name, value).matches("[!-~]+")) {
            throw new IllegalArgumentException(name + " contains a character that cannot be sent in a header");
        }
        return value;
    }

    /** Returns the URL before {@code prefix}, without a slash at its end. */
    static String requireBaseUrl(String value, String prefix) {
        String url = requireText("baseUrl", value);
        // The library ignores them, and errors show the address.
        if (url.matches("(?i)https?://[^/?#]*@.*")) {
            throw new IllegalArgumentException("baseUrl contains a user name or a password, which Souk does not use");
        }
        if (!url.matches("(?i)https?://(\\[[^]]+]|[^/?#:]+)(:\\d+)?(/[^?#]*)?") || url.contains(prefix)) {
            throw new IllegalArgumentException("baseUrl must be the http or https URL before " + prefix
                    + ", such as http://localhost:7070, not " + Redaction.shownUrl(url));
        }
        try {
            // The library's own exception for a request would contain its parameters.
            if (new URI(url).getHost() == null) {
                throw new IllegalArgumentException("baseUrl has an invalid host name or port: " + Redaction.shownUrl(url));
            }
        } catch (URISyntaxException error) {
            throw new IllegalArgumentException(
                    "baseUrl is not a valid URL: " + error.getReason() + " in " + Redaction.shownUrl(url));
        }
        return url.replaceAll("/+$", "");
    }

    Duration timeout() {
        return options.timeout();
    }

    int maxRetries() {
        return options.maxRetries();
    }

    static boolean isTemporary(SoukException error) {
        if (error instanceof SoukApiException) {
            SoukApiException answer = (SoukApiException) error;
            // A conflict without a code comes from a proxy.
            boolean isRetriedConflict = answer.status() == 409
                    && (answer.code() == null || Contract.RETRIED_CONFLICTS.contains(answer.code()));
            return isOverload(answer.status()) || isRetriedConflict;
        }
        return error instanceof SoukConnectionException;
    }

    /** Returns whether a status says that a server, or a proxy in front of it, cannot respond now. */
    private static boolean isOverload(int status) {
        return status == 429 || status >= 500;
    }

    private static boolean mayRetry(SoukException error, Retry rule) {
        if (rule != Retry.IF_NOT_EXECUTED) {
            return isTemporary(error);
        }
        return error instanceof SoukConnectionException
                ? ((SoukConnectionException) error).notSent()
                : error instanceof SoukApiException && ((SoukApiException) error).status() == 429;
    }

    /** Returns how long the server asks to wait; zero if it does not. */
    static Duration retryAfter(SoukException error) {
        Duration asked = error instanceof SoukApiException ? ((SoukApiException) error).retryAfter() : null;
        return asked == null ? Duration.ZERO : asked;
    }

    /** Returns the delay before the next attempt; null if the server asks for too long a one. */
    private static Duration retryDelay(int attempt, SoukException error) {
        Duration asked = retryAfter(error);
        if (asked.compareTo(LONGEST_RETRY_AFTER) > 0) {
            return null;
        }
        double backoff = Math.min(250.0 * Math.pow(2, attempt), 8000);
        double jitter = 0.5 + ThreadLocalRandom.current().nextDouble() / 2;
        Duration own = Duration.ofMillis(Math.round(backoff * jitter));
        return asked.compareTo(own) > 0 ? asked : own;
    }

    /**
     * Makes an attempt, and again after failures that the operation's rule allows to repeat.
     *
     * @param lifetime How long the same signed request may be repeated.
     */
    <T> T repeat(Operation operation, Duration lifetime, int maxRetries, Supplier<T> attemptOnce) {
        long started = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                return attemptOnce.get();
            } catch (SoukApiException | SoukConnectionException error) {
                if (attempt > maxRetries || !mayRetry(error, operation.retry())) {
                    throw error;
                }
                Duration delay = retryDelay(attempt, error);
                if (delay == null) {
                    throw error;
                }
                Duration elapsed = Duration.ofNanos(System.nanoTime() - started);
                boolean expires = elapsed.plus(delay).compareTo(lifetime) > 0;
                if ((operation.retry() == Retry.SAME_SIGNATURE && expires) || !sleep(delay)) {
                    throw error;
                }
            }
        }
    }

    /** Returns false, and keeps the thread interrupted, if it was interrupted. */
    static boolean sleep(Duration delay) {
        try {
            Thread.sleep(delay.toMillis());
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Makes one attempt. {@code lost} says what to do without a response. */
    HttpResponse<byte[]> exchange(Operation operation, HttpRequest request, Redaction redaction, String lost) {
        return send(operation, request, BodyHandlers.ofByteArray(), redaction, lost);
    }

    /** Makes one attempt. The timeout ends when the headers have arrived if the body is a stream. */
    <T> HttpResponse<T> send(
            Operation operation, HttpRequest request, BodyHandler<T> body, Redaction redaction, String lost) {
        String name = operation.name();
        String server = serverOf(request.uri());
        CompletableFuture<HttpResponse<T>> response = client.sendAsync(request, body);
        try {
            return response.get(options.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException error) {
            response.cancel(true);
            String reason = "none within " + options.timeout().toMillis() + " ms from " + server + ". " + lost;
            throw new SoukConnectionException(name, reason.strip(), false, error);
        } catch (InterruptedException error) {
            response.cancel(true);
            Thread.currentThread().interrupt();
            throw new SoukConnectionException(name, "the thread was interrupted. " + lost, false, error);
        } catch (ExecutionException error) {
            Throwable cause = error.getCause();
            boolean notSent = cause instanceof ConnectException;
            String hint =
                    notSent ? "Check that Souk is running and that baseUrl is correct: " + server + "." : lost;
            String reason = redaction.text(describe(cause)) + ". " + hint;
            throw new SoukConnectionException(name, reason.strip(), notSent, redaction.cause(cause));
        }
    }

    private static String serverOf(URI uri) {
        return uri.resolve("/").toString().replaceAll("/$", "");
    }

    private static String describe(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return "the host name is unknown";
            }
        }
        if (error.getMessage() != null) {
            return error.getMessage();
        }
        return error instanceof ConnectException ? "the connection failed" : error.getClass().getSimpleName();
    }

    /** Returns the exception for an error response, whose text is the property {@code message} of {@code answer}. */
    static SoukApiException refusal(
            Operation operation,
            HttpResponse<?> response,
            byte[] body,
            JsonNode answer,
            String message,
            Redaction redaction) {
        HttpHeaders headers = response.headers();
        // A proxy may answer with JSON of its own.
        boolean ours = answer.path("status").isInt() && answer.path(message).isTextual();
        String code = ours && answer.hasNonNull("code") ? redaction.text(answer.get("code").asText()) : null;
        return new SoukApiException(
                operation.name(),
                ours ? answer.path("status").asInt(response.statusCode()) : response.statusCode(),
                code,
                ours ? redaction.text(answer.get(message).asText()) : foreignResponse(response, body, redaction),
                headers.firstValue("X-Request-Id").map(redaction::text).orElse(null),
                ours && answer.path("data").isObject() ? dataOf(answer.get("data"), redaction) : null,
                retryAfter(headers),
                !ours ? adviceOnForeign(response) : code == null ? null : ADVICE.get(code));
    }

    private static String adviceOnForeign(HttpResponse<?> response) {
        return isOverload(response.statusCode())
                ? "A proxy in front of Souk limits requests or cannot reach it: retry later."
                : "Check baseUrl: the request went to " + response.uri().toString().split("\\?")[0] + ".";
    }

    private static Map<String, Object> dataOf(JsonNode data, Redaction redaction) {
        Map<String, Object> fields = JSON.convertValue(data, new TypeReference<>() {});
        fields.replaceAll((name, value) -> redaction.data(value));
        return fields;
    }

    /** Returns {@code Retry-After} from now, or null. A date is one of the server's clock, which {@code Date} has. */
    private static Duration retryAfter(HttpHeaders headers) {
        String header = headers.firstValue("Retry-After").orElse("");
        if (header.matches("[0-9]{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(header));
        }
        Instant until = timeOf(header);
        if (until == null) {
            return null;
        }
        Instant sent = timeOf(headers.firstValue("Date").orElse(""));
        Duration left = Duration.between(sent == null ? Instant.now() : sent, until);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns the time of a header, or null. */
    private static Instant timeOf(String header) {
        try {
            return ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
        } catch (DateTimeException error) {
            return null;
        }
    }

    /** Returns the JSON of a body, or a missing node if it is not JSON. */
    static JsonNode jsonOf(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException error) {
            return MissingNode.getInstance();
        }
    }

    static byte[] toJson(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException error) {
            throw new IllegalArgumentException("The parameters cannot be written as JSON", error);
        }
    }

    /** Describes a response that does not come from Souk. */
    private static String foreignResponse(HttpResponse<?> response, byte[] body, Redaction redaction) {
        HttpHeaders headers = response.headers();
        if (response.statusCode() >= 300 && response.statusCode() < 400) {
            return "The server redirects to "
                    + headers.firstValue("Location")
                            .map(location -> redaction.text(Redaction.shownUrl(location)))
                            .orElse("another URL")
                    + "; requests do not follow redirects.";
        }
        // Redacted before it is cut, or the start of a secret would remain.
        int quotable = Math.min(body.length, LONGEST_QUOTABLE);
        String text = redaction.text(new String(body, 0, quotable, StandardCharsets.UTF_8).strip());
        String start = text.substring(0, Math.min(text.length(), 80));
        return "The response does not come from Souk: "
                + redaction.text(headers.firstValue("Content-Type").orElse("no content type"))
                + (start.isEmpty() ? ", empty." : ", starting with \"" + start + "\".");
    }

    static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url))
                .version(HttpClient.Version.HTTP_1_1)
                .header("User-Agent", USER_AGENT);
    }
}
