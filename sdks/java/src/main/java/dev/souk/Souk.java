package dev.souk;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.souk.Operation.Place;
import dev.souk.Operation.Retry;
import dev.souk.model.TradeDetail;
import dev.souk.model.UploadedFile;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Client of the open API for the backend of a mini app. Threads may share it.
 *
 * <p>It signs requests, repeats them where that is safe, and verifies callbacks. Methods throw
 * {@link SoukApiException} for an error response and {@link SoukConnectionException} if there is no response.
 */
public final class Souk extends OpenOperations {
    /** How long a signed request may be repeated: the window of 5 minutes, less the age of the timestamp and skew. */
    private static final Duration SIGN_LIFETIME = Duration.ofMinutes(3);
    /** How often a request is signed again because another process has used its timestamp. */
    private static final int MAX_COLLISIONS = 5;
    /** The only transaction status that changes (open-api §3.2). */
    private static final int PROCESSING = 1;

    private final String baseUrl;
    private final String appid;
    private final String secret;
    private final Transport transport;
    private final Callbacks callbacks;

    /**
     * Creates a client.
     *
     * @param baseUrl URL of Souk before {@code /neuopenapi}, such as {@code http://localhost:7070}.
     * @param appid The mini app.
     * @param secret The app secret. It signs requests and is never sent.
     * @throws IllegalArgumentException for a missing or invalid setting.
     */
    public Souk(String baseUrl, String appid, String secret) {
        this(baseUrl, appid, secret, ClientOptions.defaults());
    }

    /** Creates a client with other options. */
    public Souk(String baseUrl, String appid, String secret, ClientOptions options) {
        this(
                Transport.requireBaseUrl(baseUrl, "/neuopenapi"),
                Transport.requireText("appid", appid),
                Transport.requireText("secret", secret),
                new Transport(options),
                new Callbacks(appid, secret));
    }

    private Souk(String baseUrl, String appid, String secret, Transport transport, Callbacks callbacks) {
        this.baseUrl = baseUrl;
        this.appid = appid;
        this.secret = secret;
        this.transport = transport;
        this.callbacks = callbacks;
    }

    /**
     * Returns a client with other options, for some calls. It shares the connections of this one.
     *
     * <pre>{@code
     * souk.withOptions(options -> options.withTimeout(Duration.ofSeconds(2))).tradedetail(tradeNo);
     * }</pre>
     */
    public Souk withOptions(UnaryOperator<ClientOptions> change) {
        return new Souk(baseUrl, appid, secret, transport.with(change), callbacks);
    }

    /** Returns what verifies the callbacks of this mini app. */
    public Callbacks callbacks() {
        return callbacks;
    }

    /**
     * Uploads an image: PNG, JPEG and the like, up to 2 MB. See open-api §4.1.
     *
     * @param content The file.
     * @param name The name of the file.
     */
    public UploadedFile fileUpload(byte[] content, String name) {
        FilePart file = new FilePart(content, name);
        return call(FILE_UPLOAD, Map.of(), new TypeReference<>() {}, file, transport.maxRetries());
    }

    /** Waits for up to two minutes; see {@link #waitForTrade(String, Duration, Duration)}. */
    public TradeDetail waitForTrade(String tradeNo) {
        return waitForTrade(tradeNo, Duration.ofMinutes(2), Duration.ofSeconds(1));
    }

    /**
     * Polls a trade until its {@code transactionStatus} is final. Temporary failures do not end the wait.
     *
     * @param timeout A last query may take the timeout of one attempt longer.
     * @param interval The first polling interval; it grows to 10 seconds.
     * @throws TradeStillProcessingException after the timeout, or if the thread is interrupted.
     */
    public TradeDetail waitForTrade(String tradeNo, Duration timeout, Duration interval) {
        long deadline = System.nanoTime() + timeout.toNanos();
        long longest = Math.max(interval.toNanos(), Duration.ofSeconds(10).toNanos());
        long pause = interval.toNanos();
        TradeDetail trade = null;
        while (true) {
            SoukException failure = null;
            long asked = 0;
            try {
                // The next poll is the retry.
                trade = call(TRADEDETAIL, Map.of("tradeNo", tradeNo), new TypeReference<>() {}, null, 0);
                if (trade.transactionStatus() != PROCESSING) {
                    return trade;
                }
            } catch (SoukException error) {
                if (!Transport.isTemporary(error)) {
                    throw error;
                }
                failure = error;
                // Unlike Duration.toNanos, it does not throw for a date that is centuries away.
                asked = TimeUnit.SECONDS.toNanos(Transport.retryAfter(error).toSeconds());
            }
            long left = deadline - System.nanoTime();
            if (left <= 0 || !Transport.sleep(Duration.ofNanos(Math.min(Math.max(pause, asked), left)))) {
                throw new TradeStillProcessingException(tradeNo, timeout, trade, failure);
            }
            pause = Math.min(pause + pause / 2, longest);
        }
    }

    @Override
    <T> T call(Operation operation, Map<String, ?> parameters, TypeReference<T> result) {
        return call(operation, parameters, result, null, transport.maxRetries());
    }

    private <T> T call(
            Operation operation,
            Map<String, ?> parameters,
            TypeReference<T> result,
            FilePart file,
            int maxRetries) {
        Map<String, Object> given = new LinkedHashMap<>(parameters);
        given.values().removeIf(Objects::isNull);
        Map<String, Object> sent = new LinkedHashMap<>(given);
        Attempts attempts = new Attempts(transport.options(), baseUrl, operation);
        boolean keepsSignature = operation.retry() == Retry.SAME_SIGNATURE;
        Answer<T> last = transport.repeat(operation, SIGN_LIFETIME, maxRetries, () -> {
            for (int collisions = 0; ; collisions++) {
                boolean isRepetition = keepsSignature && sent.containsKey("sign");
                if (operation.signed() && !isRepetition) {
                    sent.putAll(sign(given));
                }
                try {
                    Answer<T> answer = attempt(operation, attempts, sent, result, file);
                    // A repetition may get the result of its own first attempt.
                    boolean isForeign = answer.isReplayed && keepsSignature && !isRepetition;
                    if (!isForeign || collisions == MAX_COLLISIONS) {
                        return answer;
                    }
                } catch (SoukApiException error) {
                    if (!"sign_reused".equals(error.code()) || collisions == MAX_COLLISIONS) {
                        throw error;
                    }
                }
                // Souk did not execute it, since a request of another process has the same sign (ADR 411).
                Timestamps.ISSUED.skip(appid);
                sent.remove("sign");
            }
        });
        Consumer<NotDelivered> onNotDelivered = transport.options().onNotDelivered();
        // After all attempts, so that a failure of the function cannot send the message again.
        if (last.notDelivered != null && onNotDelivered != null) {
            onNotDelivered.accept(last.notDelivered);
        }
        return last.result;
    }

    /** Returns the common parameters (open-api §4.1). */
    private Map<String, Object> sign(Map<String, Object> parameters) {
        Map<String, Object> common = new LinkedHashMap<>();
        common.put("appid", appid);
        common.put("timestamp", Timestamps.ISSUED.next(appid, System.currentTimeMillis()));
        Map<String, Object> all = new LinkedHashMap<>(parameters);
        all.putAll(common);
        common.put("sign", Signature.sign(all, secret));
        return common;
    }

    private <T> Answer<T> attempt(
            Operation operation,
            Attempts attempts,
            Map<String, Object> parameters,
            TypeReference<T> result,
            FilePart file) {
        String query = operation.place() == Place.QUERY ? "?" + Signature.encodeForm(parameters) : "";
        Redaction redaction = new Redaction(secret, operation, parameters);
        HttpRequest.Builder request =
                Transport.request(baseUrl + operation.path() + query).header("Accept", "application/json");
        if (file != null) {
            String boundary = UUID.randomUUID().toString();
            request.header("Content-Type", "multipart/form-data; boundary=" + boundary)
                    .method(operation.method(), BodyPublishers.ofByteArray(multipart(boundary, parameters, file)));
        } else if (operation.place() == Place.FORM) {
            request.header("Content-Type", "application/x-www-form-urlencoded")
                    .method(operation.method(), BodyPublishers.ofString(Signature.encodeForm(parameters)));
        } else {
            request.method(operation.method(), BodyPublishers.noBody());
        }
        return attempts.run(request, redaction, exchange -> exchange(operation, exchange, result, redaction));
    }

    private <T> Answer<T> exchange(
            Operation operation, Attempts.Exchange exchange, TypeReference<T> result, Redaction redaction) {
        HttpResponse<byte[]> response = transport.exchange(operation, exchange.request(), redaction, "");
        exchange.received(response);
        JsonNode envelope = Transport.jsonOf(response.body());
        JsonNode header = envelope.path("responseHeader");
        if (header.path("status").asInt() == 200) {
            if (operation.isResult(envelope.path("response"))) {
                boolean isReplayed = response.headers()
                        .firstValue("Idempotent-Replayed")
                        .filter("true"::equals)
                        .isPresent();
                return new Answer<>(
                        Decoder.decode(operation, envelope.path("response"), result.getType()),
                        isReplayed,
                        NotDelivered.read(operation, header.path("notDelivered")));
            }
            header = MissingNode.getInstance();
        }
        throw Transport.refusal(operation, response, response.body(), header, "msg", redaction);
    }

    /** Returns the address and the mini app, without the secret. */
    @Override
    public String toString() {
        return "Souk[baseUrl=" + baseUrl + ", appid=" + appid + "]";
    }

    private static byte[] multipart(String boundary, Map<String, Object> parameters, FilePart file) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        parameters.forEach((name, value) -> body.writeBytes(utf8("--" + boundary
                + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n")));
        String fileName =
                file.name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
        body.writeBytes(utf8("--" + boundary + "\r\nContent-Disposition: form-data; name=\"fileData\"; filename=\""
                + fileName + "\"\r\nContent-Type: application/octet-stream\r\n\r\n"));
        body.writeBytes(file.content);
        body.writeBytes(utf8("\r\n--" + boundary + "--\r\n"));
        return body.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A result, whether it is that of an earlier request with the same sign, and whom it does not reach, or null. */
    private static final class Answer<T> {
        final T result;
        final boolean isReplayed;
        final NotDelivered notDelivered;

        Answer(T result, boolean isReplayed, NotDelivered notDelivered) {
            this.result = result;
            this.isReplayed = isReplayed;
            this.notDelivered = notDelivered;
        }
    }

    private static final class FilePart {
        final byte[] content;
        final String name;

        FilePart(byte[] content, String name) {
            this.content = content;
            this.name = name;
        }
    }
}
