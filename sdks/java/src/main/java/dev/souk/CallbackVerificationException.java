package dev.souk;

/** A callback could not be verified. The message contains none of its values. */
public final class CallbackVerificationException extends SoukException {
    private final String reason;

    CallbackVerificationException(String reason, String explanation) {
        super("Callback verification failed: " + explanation + " (" + reason + ")", null);
        this.reason = reason;
    }

    /** Returns callback_malformed, sign_mismatch, callback_stale, other_app or body_missing. */
    public String reason() {
        return reason;
    }
}
