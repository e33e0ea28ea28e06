package dev.souk;

import dev.souk.model.PaymentEvent;
import dev.souk.model.RefundEvent;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies the callbacks of one mini app, with results of payments (open-api §6) and refunds; see {@link Souk#callbacks()}.
 */
public final class Callbacks {
    /** The largest body in bytes; a callback has about 600. */
    public static final int MAX_BODY = 64 * 1024;
    /** The default of the largest difference between a callback's timestamp and this machine's clock. */
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private final String appid;
    /** The first one signs test callbacks. */
    private final List<String> secrets;
    private final Duration tolerance;
    private final Clock clock;

    /**
     * Creates what verifies the callbacks of a mini app.
     *
     * @throws IllegalArgumentException for a missing or invalid setting: anyone can sign with an empty secret.
     */
    public Callbacks(String appid, String secret) {
        this(appid, secret, Clock.systemUTC());
    }

    Callbacks(String appid, String secret, Clock clock) {
        this(Transport.requireText("appid", appid), List.of(Transport.requireText("secret", secret)), TOLERANCE, clock);
    }

    private Callbacks(String appid, List<String> secrets, Duration tolerance, Clock clock) {
        this.appid = appid;
        this.secrets = secrets;
        this.tolerance = tolerance;
        this.clock = clock;
    }

    /**
     * Returns what also accepts callbacks signed with other secrets, such as the previous one during a rotation.
     *
     * @throws IllegalArgumentException for a missing or invalid secret.
     */
    public Callbacks withSecrets(List<String> others) {
        List<String> all = new ArrayList<>(secrets);
        others.forEach(other -> all.add(Transport.requireText("secret", other)));
        return new Callbacks(appid, List.copyOf(all), tolerance, clock);
    }

    /**
     * Returns what accepts callbacks of another age than up to 5 minutes, in either direction of the clock.
     *
     * @throws IllegalArgumentException if the tolerance is not positive.
     */
    public Callbacks withTolerance(Duration tolerance) {
        if (tolerance.isNegative() || tolerance.isZero()) {
            throw new IllegalArgumentException("the tolerance of callbacks must be positive");
        }
        return new Callbacks(appid, secrets, tolerance, clock);
    }

    /**
     * Returns the result if Souk sent it for this mini app, unchanged, within the last 5 minutes or the
     * tolerance.
     *
     * @param body The raw body as it arrived.
     * @param headers The request's headers. During a secret rotation they allow verification with either secret.
     * @throws CallbackVerificationException with the reason.
     */
    public PaymentEvent verify(byte[] body, Map<String, String> headers) {
        return verify(body, headers, Callbacks::paymentOf, PaymentEvent::timestamp);
    }

    /**
     * Returns the result of a refund, verified like that of a payment.
     *
     * @throws CallbackVerificationException with the reason.
     */
    public RefundEvent verifyRefund(byte[] body, Map<String, String> headers) {
        return verify(body, headers, Callbacks::refundOf, RefundEvent::timestamp);
    }

    private <E> E verify(
            byte[] body,
            Map<String, String> headers,
            Function<Map<String, String>, E> eventOf,
            ToLongFunction<E> timestampOf) {
        Map<String, String> fields = parse(body);
        String signed = fields.getOrDefault("sign", "");
        if (signed.isEmpty()) {
            throw malformed("the body has no sign");
        }
        boolean isSigned = false;
        for (String secret : secrets) {
            isSigned |= equal(signed, Signature.sign(fields, secret));
        }
        if (!isSigned && !vouchedBy(headers, body)) {
            throw mismatch(fields);
        }
        E event = eventOf.apply(fields);
        long skew = clock.millis() - timestampOf.applyAsLong(event);
        if (Math.abs(skew) > tolerance.toMillis()) {
            throw new CallbackVerificationException(
                    "callback_stale",
                    "the callback was signed " + Math.abs(skew) / 1000 + " s " + (skew > 0 ? "before" : "after")
                            + " the current time of this machine; more than " + tolerance.toSeconds()
                            + " s means a replayed body or a wrong clock");
        }
        return event;
    }

    /** The response to a callback. */
    public static final class Response {
        private final int status;
        private final String text;
        private final RuntimeException error;

        /** Creates one, for tests. */
        public Response(int status, String text, RuntimeException error) {
            this.status = status;
            this.text = text;
            this.error = error;
        }

        /** The HTTP status. */
        public int status() {
            return status;
        }

        /** The body, as plain text. */
        public String text() {
            return text;
        }

        /** Why the callback is not acknowledged; null if it is. */
        public RuntimeException error() {
            return error;
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Response)) return false;
            Response that = (Response) other;
            return status == that.status && Objects.equals(text, that.text) && Objects.equals(error, that.error);
        }

        @Override
        public int hashCode() {
            return Objects.hash(status, text, error);
        }

        @Override
        public String toString() {
            return "Response[status=" + status + ", text=" + text + ", error=" + error + "]";
        }
    }

    /**
     * Verifies a callback and calls {@code handler}. The status is 200 after the handler has returned, 400 if the
     * verification fails, and 500 if the handler throws, after which Souk sends the callback again.
     */
    public Response respond(byte[] body, Map<String, String> headers, Consumer<PaymentEvent> handler) {
        return respond(() -> handler.accept(verify(body, headers)));
    }

    /** Verifies the callback of a refund and calls {@code handler}, like {@link #respond}. */
    public Response respondRefund(byte[] body, Map<String, String> headers, Consumer<RefundEvent> handler) {
        return respond(() -> handler.accept(verifyRefund(body, headers)));
    }

    private static Response respond(Runnable receive) {
        try {
            receive.run();
            return new Response(200, "success", null);
        } catch (CallbackVerificationException error) {
            // Souk stores the response, so the developer sees the reason in the list of callbacks.
            return new Response(400, error.getMessage(), error);
        } catch (RuntimeException error) {
            return new Response(500, "fail", error);
        }
    }

    /** A callback to test your own handler. */
    public static final class TestCallback {
        private final byte[] body;
        private final Map<String, String> headers;

        /** Creates one, for tests. */
        public TestCallback(byte[] body, Map<String, String> headers) {
            this.body = body;
            this.headers = headers;
        }

        /** The raw body. */
        public byte[] body() {
            return body;
        }

        /** The headers of the request. */
        public Map<String, String> headers() {
            return headers;
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof TestCallback)) return false;
            TestCallback that = (TestCallback) other;
            return Arrays.equals(body, that.body)
                    && Objects.equals(headers, that.headers);
        }

        @Override
        public int hashCode() {
            return Objects.hash(Arrays.hashCode(body), headers);
        }

        /** Returns the size and the names of the headers, without the signatures. */
        @Override
        public String toString() {
            return "TestCallback[body=" + body.length + " bytes, headers=" + headers.keySet() + "]";
        }
    }

    /**
     * Signs a callback with this secret, to test your own handler. Each one has its own {@code notifyId}, since
     * handlers process a {@code notifyId} once.
     *
     * @param fields Fields that differ from those of a succeeded trade, by their names on the wire.
     */
    public TestCallback signTestCallback(Map<String, ?> fields) {
        Map<String, Object> payment = new LinkedHashMap<>();
        payment.put("transactionStatus", 2);
        payment.put("failReasonType", -1);
        payment.put("payType", 2);
        payment.put("payMethod", 3);
        payment.put("payNo", "test-payment");
        payment.putAll(fields);
        return signTest(payment);
    }

    /**
     * Signs the callback of a refund, like {@link #signTestCallback}.
     *
     * @param fields Fields that differ from those of a refund that succeeded, by their names on the wire.
     */
    public TestCallback signTestRefund(Map<String, ?> fields) {
        Map<String, Object> refund = new LinkedHashMap<>();
        refund.put("refundNo", "4123456789abcdef0123456789abcdef");
        refund.put("outRefundNo", "test-refund");
        refund.put("refundStatus", 2);
        refund.put("failReason", null);
        refund.putAll(fields);
        return signTest(refund);
    }

    private TestCallback signTest(Map<String, Object> fields) {
        long now = clock.millis();
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("notifyId", UUID.randomUUID().toString().replace("-", ""));
        event.put("notifyTime", now);
        event.put("appid", appid);
        event.put("merchantId", "1123456789abcdef0123456789abcdef");
        event.put("tradeNo", "2123456789abcdef0123456789abcdef");
        event.put("outTradeNo", "test-order");
        event.put("amount", 100);
        event.put("currency", "SAR");
        event.put("openId", "3123456789abcdef0123456789abcdef");
        event.put("timestamp", now);
        event.putAll(fields);
        String secret = secrets.get(0);
        event.put("sign", Signature.sign(event, secret));
        byte[] body = Signature.encodeForm(event).getBytes(StandardCharsets.UTF_8);
        String id = Signature.textOf(event.get("notifyId"));
        String timestamp = String.valueOf(now / 1000);
        Map<String, String> headers = Map.of(
                "content-type", "application/x-www-form-urlencoded",
                "webhook-id", id,
                "webhook-timestamp", timestamp,
                "webhook-signature", webhookSignature(id, timestamp, body, secret));
        return new TestCallback(body, headers);
    }

    /** Returns whether the Standard Webhooks headers contain a signature with one of the secrets. */
    private boolean vouchedBy(Map<String, String> headers, byte[] body) {
        Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (headers != null) {
            given.putAll(headers);
        }
        String id = given.getOrDefault("webhook-id", "");
        String timestamp = given.getOrDefault("webhook-timestamp", "");
        if (id.isEmpty() || timestamp.isEmpty()) {
            return false;
        }
        boolean found = false;
        for (String secret : secrets) {
            String expected = webhookSignature(id, timestamp, body, secret);
            for (String signature : given.getOrDefault("webhook-signature", "").split(" ")) {
                found |= equal(signature, expected);
            }
        }
        return found;
    }

    /** Returns the mini app, without the secret. */
    @Override
    public String toString() {
        return "Callbacks[appid=" + appid + "]";
    }

    private CallbackVerificationException mismatch(Map<String, String> fields) {
        if (!appid.equals(fields.get("appid"))) {
            return new CallbackVerificationException(
                    "other_app",
                    "it is not for " + appid + "; use a separate notifyUrl per mini app, or select the client by the"
                            + " appid in the body");
        }
        return new CallbackVerificationException(
                "sign_mismatch",
                "the secret does not yield the sign; either it belongs to another app, or the body was changed in"
                        + " transit: verify the raw body as it arrived");
    }

    private static Map<String, String> parse(byte[] body) {
        if (body == null || body.length == 0) {
            throw new CallbackVerificationException(
                    "body_missing",
                    "there is no body; a parser or filter may have read it already: hand over the raw body");
        }
        if (body.length > MAX_BODY) {
            throw malformed("the body is larger than a callback");
        }
        String text = decodeUtf8(body);
        if (text.stripLeading().startsWith("{")) {
            throw malformed("the body is JSON; pass the raw body as it arrived, which is form-encoded");
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw malformed("the body is not a form: a field has no value");
            }
            String name = percentDecode(pair.substring(0, equals));
            if (fields.put(name, percentDecode(pair.substring(equals + 1))) != null) {
                throw malformed("a field is repeated");
            }
        }
        return fields;
    }

    private static String percentDecode(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] != '%') {
                decoded.write(encoded[i] == '+' ? ' ' : encoded[i]);
                continue;
            }
            int high = i + 2 < encoded.length ? Character.digit(encoded[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(encoded[i + 2], 16);
            if (low < 0) {
                throw malformed("the body is not a form: a % is not followed by two hexadecimal digits");
            }
            decoded.write(high * 16 + low);
            i += 2;
        }
        return decodeUtf8(decoded.toByteArray());
    }

    /** Unlike {@code new String}, rejects invalid UTF-8. */
    private static String decodeUtf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            throw malformed("the body is not valid UTF-8");
        }
    }

    private static PaymentEvent paymentOf(Map<String, String> fields) {
        return new PaymentEvent(
                text(fields, "notifyId"),
                integer(fields, "notifyTime"),
                text(fields, "appid"),
                text(fields, "merchantId"),
                text(fields, "tradeNo"),
                text(fields, "outTradeNo"),
                integer(fields, "transactionStatus"),
                integer(fields, "failReasonType"),
                integer(fields, "amount"),
                text(fields, "currency"),
                text(fields, "openId"),
                optionalInteger(fields, "payType"),
                optionalInteger(fields, "payMethod"),
                optionalText(fields, "payNo"),
                integer(fields, "timestamp"));
    }

    private static RefundEvent refundOf(Map<String, String> fields) {
        return new RefundEvent(
                text(fields, "notifyId"),
                integer(fields, "notifyTime"),
                text(fields, "appid"),
                text(fields, "merchantId"),
                text(fields, "tradeNo"),
                text(fields, "outTradeNo"),
                text(fields, "refundNo"),
                text(fields, "outRefundNo"),
                integer(fields, "refundStatus"),
                optionalText(fields, "failReason"),
                integer(fields, "amount"),
                text(fields, "currency"),
                text(fields, "openId"),
                integer(fields, "timestamp"));
    }

    private static String text(Map<String, String> fields, String name) {
        String text = optionalText(fields, name);
        if (text == null) {
            throw malformed(name + " is missing");
        }
        return text;
    }

    private static long integer(Map<String, String> fields, String name) {
        return parseInteger(name, text(fields, name));
    }

    private static Long optionalInteger(Map<String, String> fields, String name) {
        String text = optionalText(fields, name);
        return text == null ? null : parseInteger(name, text);
    }

    private static Long parseInteger(String name, String text) {
        if (!text.matches("-?[0-9]{1,16}")) {
            throw malformed(name + " is not an integer");
        }
        return Long.valueOf(text);
    }

    /** Returns null for an empty value, which must be present too. */
    private static String optionalText(Map<String, String> fields, String name) {
        String text = fields.get(name);
        if (text == null) {
            throw malformed(name + " is missing");
        }
        return text.isEmpty() ? null : text;
    }

    private static CallbackVerificationException malformed(String explanation) {
        return new CallbackVerificationException("callback_malformed", explanation);
    }

    /** Returns the signature of Standard Webhooks; its key is the secret's bytes. */
    private static String webhookSignature(String id, String timestamp, byte[] body, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Compares in a time that depends on the lengths only. */
    private static boolean equal(String left, String right) {
        return MessageDigest.isEqual(
                left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
    }
}
