package dev.souk;

import dev.souk.model.TradeDetail;
import java.time.Duration;

/** {@link Souk#waitForTrade} timed out. The trade itself continues. */
public final class TradeStillProcessingException extends SoukException {
    private final String tradeNo;
    private final transient TradeDetail trade;

    TradeStillProcessingException(String tradeNo, Duration timeout, TradeDetail trade, Throwable cause) {
        super(
                "trade " + tradeNo + " is still processing after " + timeout.toMillis()
                        + " ms; wait again, or handle its callback",
                cause);
        this.tradeNo = tradeNo;
        this.trade = trade;
    }

    /** Number of the trade. */
    public String tradeNo() {
        return tradeNo;
    }

    /** Returns the last known state, or null if it could not be queried. */
    public TradeDetail trade() {
        return trade;
    }
}
