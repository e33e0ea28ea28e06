package dev.souk.spring;

import dev.souk.Callbacks;
import dev.souk.model.PaymentEvent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Receives payment results in a controller of Spring MVC:
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

    private final Callbacks callbacks;
    private final Consumer<PaymentEvent> handler;

    /**
     * Creates a handler.
     *
     * @param handler Processes a payment result. Returning acknowledges it; if it throws, Souk sends it again.
     */
    public CallbackHandler(Callbacks callbacks, Consumer<PaymentEvent> handler) {
        this.callbacks = callbacks;
        this.handler = handler;
    }

    /**
     * Returns the response to a callback. Errors are logged under {@code dev.souk}.
     *
     * @param body The request's stream. A {@code @RequestBody} would not do: for forms, Spring encodes the parameters
     *     again instead of returning the body as it arrived.
     */
    public ResponseEntity<String> handle(InputStream body, Map<String, String> headers) throws IOException {
        Callbacks.Response response =
                callbacks.respond(body.readNBytes(Callbacks.MAX_BODY + 1), headers, handler);
        if (response.error() != null) {
            LOG.log(Level.ERROR, "callback not acknowledged", response.error());
        }
        return ResponseEntity.status(response.status()).contentType(PLAIN_TEXT).body(response.text());
    }
}
