package dev.souk.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.souk.Callbacks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;

class CallbackHandlerTest {
    private final Callbacks callbacks = new Callbacks("a1b2c3d4e5f6g7h", "secret");

    @Test
    void acknowledgesCallbacks() throws IOException {
        List<String> orders = new ArrayList<>();
        CallbackHandler handler = new CallbackHandler(callbacks, event -> orders.add(event.outTradeNo()));
        Callbacks.TestCallback callback = callbacks.signTestCallback(Map.of("outTradeNo", "A-1"));
        ResponseEntity<String> response =
                handler.handle(new ByteArrayInputStream(callback.body()), callback.headers());
        assertEquals("200 success", response.getStatusCode().value() + " " + response.getBody());
        assertEquals("text/plain;charset=UTF-8", response.getHeaders().getContentType().toString());
        assertEquals(List.of("A-1"), orders);
    }

    @Test
    void acknowledgesRefunds() throws IOException {
        List<String> refunds = new ArrayList<>();
        CallbackHandler handler = CallbackHandler.forRefunds(callbacks, event -> refunds.add(event.outRefundNo()));
        Callbacks.TestCallback callback = callbacks.signTestRefund(Map.of("outRefundNo", "R-1"));
        ResponseEntity<String> response =
                handler.handle(new ByteArrayInputStream(callback.body()), callback.headers());
        assertEquals("200 success", response.getStatusCode().value() + " " + response.getBody());
        assertEquals(List.of("R-1"), refunds);
    }

    @Test
    void explainsRefusals() throws IOException {
        CallbackHandler handler = new CallbackHandler(callbacks, event -> {});
        byte[] body = "a=1".getBytes(StandardCharsets.UTF_8);
        ResponseEntity<String> response = handler.handle(new ByteArrayInputStream(body), Map.of());
        assertEquals(
                "400 Callback verification failed: the body has no sign (callback_malformed)",
                response.getStatusCode().value() + " " + response.getBody());
    }
}
