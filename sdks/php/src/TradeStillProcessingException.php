<?php

declare(strict_types=1);

namespace Souk;

use Souk\Model\TradeDetail;

/** `waitForTrade` timed out. The trade itself continues. */
final class TradeStillProcessingException extends SoukException
{
    /**
     * @internal
     * @param string $tradeNo Number of the trade.
     * @param TradeDetail|null $trade The last known state, or null if it could not be queried.
     */
    public function __construct(
        public readonly string $tradeNo,
        float $timeout,
        public readonly ?TradeDetail $trade,
        ?\Throwable $previous,
    ) {
        parent::__construct(
            "trade $tradeNo is still processing after $timeout s; wait again, or handle its callback",
            previous: $previous,
        );
    }
}
