package dev.souk;

/** The base of all exceptions of this package. */
public abstract class SoukException extends RuntimeException {
    SoukException(String message, Throwable cause) {
        super(message, cause);
    }
}
