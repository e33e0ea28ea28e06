package dev.souk.spring;

import dev.souk.Callbacks;
import dev.souk.model.PaymentEvent;
import dev.souk.model.RefundEvent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Receives results of payments or refunds in a controller of Spring MVC:
 *
 * <pre>{@code
 * @PostMapping("/souk/callback")
 * ResponseEntity<String> receive(InputStream body, @RequestHeader Map<String, String> headers) throws IOException {
 *     return callbackHandler.handle(body, headers);
 * }
 * }</pre>
 */
public final class CallbackHandler {
    private static final Logger LOG = System.getLogger("dev.souk");
    private static final MediaType PLAIN_TEXT = new MediaType("text", "plain", StandardCharsets.UTF_8);

    private final BiFunction<byte[], Map<String, String>, Callbacks.Response> respond;

    /**
     * Creates a handler.
     *
     * @param handler Processes a payment result. Returning acknowledges it; if it throws, Souk sends it again.
     */
    public CallbackHandler(Callbacks callbacks, Consumer<PaymentEvent> handler) {
        this((body, headers) -> callbacks.respond(body, headers, handler));
    }

    private CallbackHandler(BiFunction<byte[], Map<String, String>, Callbacks.Response> respond) {
        this.respond = respond;
    }

    /**
     * Creates a handler for the results of refunds.
     *
     * @param handler Processes the result of a refund. Returning acknowledges it; if it throws, Souk sends it again.
     */
    public static CallbackHandler forRefunds(Callbacks callbacks, Consumer<RefundEvent> handler) {
        return new CallbackHandler((body, headers) -> callbacks.respondRefund(body, headers, handler));
    }

    /**
     * Returns the response to a callback. Errors are logged under {@code dev.souk}.
     *
     * @param body The request's stream. A {@code @RequestBody} would not do: for forms, Spring encodes the parameters
     *     again instead of returning the body as it arrived.
     */
    public ResponseEntity<String> handle(InputStream body, Map<String, String> headers) throws IOException {
        Callbacks.Response response = respond.apply(body.readNBytes(Callbacks.MAX_BODY + 1), headers);
        if (response.error() != null) {
            LOG.log(Level.ERROR, "callback not acknowledged", response.error());
        }
        return ResponseEntity.status(response.status()).contentType(PLAIN_TEXT).body(response.text());
    }
}
