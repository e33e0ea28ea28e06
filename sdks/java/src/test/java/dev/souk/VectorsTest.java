package dev.souk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.souk.model.PaymentEvent;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The golden vectors of the contract: signs and callbacks. */
class VectorsTest {
    private static final String APPID = "a1b2c3d4e5f6g7h";

    private static List<JsonNode> vectors(String file, String list) throws IOException {
        JsonNode json = Transport.JSON.readTree(new File("../../packages/contract/vectors/" + file));
        List<JsonNode> vectors = new ArrayList<>();
        json.get(list).forEach(vectors::add);
        return vectors;
    }

    @TestFactory
    Stream<DynamicTest> signs() throws IOException {
        return vectors("sign.json", "vectors").stream().map(vector -> test(vector, () -> {
            Map<String, Object> parameters = new LinkedHashMap<>();
            vector.get("parameters")
                    .forEach(pair -> parameters.put(
                            pair.get(0).asText(), Transport.JSON.convertValue(pair.get(1), Object.class)));
            String secret = vector.get("secret").asText();
            assertEquals(vector.get("canonical").asText(), Signature.canonicalString(parameters, secret));
            assertEquals(vector.get("sign").asText(), Signature.sign(parameters, secret));
        }));
    }

    @Test
    void formsEncodeWhatOtherEncodingsLeave() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("a", "b c+d~/*");
        parameters.put("e", null);
        parameters.put("f", List.of("1", "2"));
        assertEquals("a=b%20c%2Bd~%2F%2A&e=&f=1%2C2", Signature.encodeForm(parameters));
    }

    @TestFactory
    Stream<DynamicTest> acceptedCallbacks() throws IOException {
        return vectors("callback.json", "vectors").stream().map(vector -> test(vector, () -> {
            ObjectNode expected = vector.get("callback").deepCopy();
            expected.remove("sign");
            assertEquals(Transport.JSON.treeToValue(expected, PaymentEvent.class), verify(vector));
        }));
    }

    @TestFactory
    Stream<DynamicTest> refusedCallbacks() throws IOException {
        return vectors("callback.json", "refused").stream().map(vector -> test(vector, () -> {
            var error = assertThrows(CallbackVerificationException.class, () -> verify(vector));
            assertEquals(vector.get("code").asText(), error.reason());
        }));
    }

    @TestFactory
    Stream<DynamicTest> settings() throws IOException {
        return vectors("callback.json", "settings").stream().map(vector -> test(vector, () -> {
            List<String> others = new ArrayList<>();
            vector.get("otherSecrets").forEach(secret -> others.add(secret.asText()));
            Callbacks callbacks = new Callbacks(APPID, vector.get("secret").asText(), clockOf(vector))
                    .withSecrets(others)
                    .withTolerance(Duration.ofMillis(vector.path("tolerance").asLong(300_000)));
            String code = null;
            try {
                callbacks.verify(bytes(vector.get("body").asText()), headersOf(vector));
            } catch (CallbackVerificationException error) {
                code = error.reason();
            }
            assertEquals(vector.get("code").textValue(), code);
        }));
    }

    @Test
    void settingsOfCallbacksAreChecked() {
        Callbacks callbacks = new Callbacks(APPID, "secret");
        assertThrows(IllegalArgumentException.class, () -> callbacks.withSecrets(List.of("")));
        assertThrows(IllegalArgumentException.class, () -> callbacks.withTolerance(Duration.ZERO));
    }

    @Test
    void headersVouchForAnotherActiveSecret() throws IOException {
        JsonNode vector = vectors("callback.json", "vectors").get(0);
        Callbacks other = new Callbacks(APPID, "f".repeat(48), clockOf(vector));
        var error = assertThrows(
                CallbackVerificationException.class,
                () -> other.verify(bytes(vector.get("body").asText()), headersOf(vector)));
        assertEquals("sign_mismatch", error.reason());

        Callbacks.TestCallback callback = other.signTestCallback(Map.of());
        assertEquals("test-order", other.verify(callback.body(), callback.headers()).outTradeNo());
        byte[] foreignSign = bytes(new String(callback.body(), StandardCharsets.UTF_8).replace("sign=", "sign=0"));
        assertThrows(CallbackVerificationException.class, () -> other.verify(foreignSign, callback.headers()));
    }

    @Test
    void eachTestCallbackHasItsOwnNotifyId() {
        Callbacks callbacks = new Callbacks(APPID, "secret");
        assertNotEquals(
                callbacks.signTestCallback(Map.of()).headers().get("webhook-id"),
                callbacks.signTestCallback(Map.of()).headers().get("webhook-id"));
    }

    @Test
    void invalidEncodingsAreMalformed() {
        Callbacks callbacks = new Callbacks(APPID, "secret");
        for (String body : List.of("sign=%", "sign=%2", "sign=%zz", "sign=%ff", "sign=%c0%80", "sign", "a=1&&sign=1")) {
            var error = assertThrows(
                    CallbackVerificationException.class, () -> callbacks.verify(bytes(body), Map.of()), body);
            assertEquals("callback_malformed", error.reason(), body);
        }
        byte[] invalid = Arrays.copyOf(bytes("sign=a"), 7);
        invalid[6] = (byte) 0xff;
        var error = assertThrows(CallbackVerificationException.class, () -> callbacks.verify(invalid, null));
        assertEquals("callback_malformed", error.reason());
        var missing = assertThrows(CallbackVerificationException.class, () -> callbacks.verify(new byte[0], null));
        assertEquals("body_missing", missing.reason());
    }

    @Test
    void responsesSayWhetherACallbackIsAcknowledged() {
        Callbacks callbacks = new Callbacks(APPID, "secret");
        Callbacks.TestCallback callback = callbacks.signTestCallback(Map.of("outTradeNo", "A-1"));
        List<String> orders = new ArrayList<>();
        assertEquals(
                new Callbacks.Response(200, "success", null),
                callbacks.respond(callback.body(), callback.headers(), event -> orders.add(event.outTradeNo())));
        assertEquals(List.of("A-1"), orders);
        assertEquals(400, callbacks.respond(bytes("a=1"), Map.of(), event -> {}).status());
        assertEquals(
                "fail",
                callbacks
                        .respond(callback.body(), callback.headers(), event -> {
                            throw new IllegalStateException("The database is down");
                        })
                        .text());
    }

    @Test
    void timestampsFollowAClockThatWasSetBack() {
        Timestamps timestamps = new Timestamps();
        long now = System.currentTimeMillis();
        long start = now - timestamps.offset;
        assertEquals(start + 3_600_000, timestamps.next(APPID, now + 3_600_000));
        assertEquals(start, timestamps.next(APPID, now));
        assertEquals(start + 1, timestamps.next(APPID, now));
        assertEquals(start, timestamps.next("other", now));
        assertEquals(start + 2, timestamps.next(APPID, now));
    }

    @Test
    void settingsAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> new Souk("http://localhost/neuopenapi", APPID, "secret"));
        assertThrows(IllegalArgumentException.class, () -> new Souk("localhost:7070", APPID, "secret"));
        assertThrows(IllegalArgumentException.class, () -> new Souk("http://localhost:7070", APPID, "secret\n"));
        assertThrows(IllegalArgumentException.class, () -> SoukPlatform.withToken("http://localhost:7070", ""));
        var broken = assertThrows(
                IllegalArgumentException.class,
                () -> SoukPlatform.withApiKey("http://localhost:7070", "souk_a\nsouk_b"));
        assertEquals("apiKey contains a character that cannot be sent in a header", broken.getMessage());
        var withPassword = assertThrows(
                IllegalArgumentException.class, () -> new Souk("http://user:hidden@localhost:7070", APPID, "secret"));
        assertEquals(
                "baseUrl contains a user name or a password, which Souk does not use", withPassword.getMessage());
        for (String url : List.of(
                "HTTP://user:hidden@a", "ftp://user:hidden@a", "http://user:hid/den@a", "user:hidden@a:7070")) {
            var error = assertThrows(IllegalArgumentException.class, () -> new Souk(url, APPID, "secret"));
            assertFalse(error.getMessage().contains("hid"), error.getMessage());
        }
        assertDoesNotThrow(() -> new Souk("HTTP://localhost:7070", APPID, "secret"));
        assertThrows(IllegalArgumentException.class, () -> new Callbacks(APPID, ""));
        assertThrows(IllegalArgumentException.class, () -> new Callbacks(APPID, null));
        assertArrayEquals(bytes("{}"), Transport.toJson(Map.of()));
    }

    private static PaymentEvent verify(JsonNode vector) {
        Callbacks callbacks = new Callbacks(APPID, vector.get("secret").asText(), clockOf(vector));
        return callbacks.verify(bytes(vector.get("body").asText()), headersOf(vector));
    }

    private static Clock clockOf(JsonNode vector) {
        return Clock.fixed(Instant.ofEpochMilli(vector.get("now").asLong()), ZoneOffset.UTC);
    }

    private static Map<String, String> headersOf(JsonNode vector) {
        Map<String, String> headers = new LinkedHashMap<>();
        vector.path("headers").fields().forEachRemaining(header -> headers.put(
                header.getKey(), header.getValue().asText()));
        return headers;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static DynamicTest test(JsonNode vector, org.junit.jupiter.api.function.Executable executable) {
        return DynamicTest.dynamicTest(vector.get("name").asText(), executable);
    }
}
