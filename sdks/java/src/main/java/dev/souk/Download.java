package dev.souk;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A body that is read as it arrives, and that ends with an exception when the server is silent for too long. */
final class Download extends FilterInputStream {
    private final Duration timeout;
    private volatile boolean isSilent;

    Download(InputStream body, Duration timeout) {
        super(body);
        this.timeout = timeout;
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        var received = new CompletableFuture<Void>();
        received.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
            isSilent = true;
            closeQuietly();
            return null;
        });
        try {
            int count = super.read(buffer, offset, length);
            if (!received.complete(null) && isSilent) {
                throw timedOut(null);
            }
            return count;
        } catch (IOException error) {
            received.complete(null);
            throw isSilent ? timedOut(error) : error;
        }
    }

    /** Ends the read that waits for the server. */
    private void closeQuietly() {
        try {
            super.close();
        } catch (IOException error) {
            // The read fails anyway.
        }
    }

    private SocketTimeoutException timedOut(IOException cause) {
        var error = new SocketTimeoutException("the server was silent for " + timeout.toMillis() + " ms");
        error.initCause(cause);
        return error;
    }
}
