import type { Result } from '../../api/client.ts'
import { refundOf } from '../../ui/refund.ts'

export type Story = Result<'getTradeStory'>
type Refund = Story['refunds'][number]

/** How far the result of a payment has got to the merchant; undefined if it has none to get. */
type Informed = 'informed' | 'informing' | 'notInformed' | undefined

/** What support has to know of a trade first. */
export interface TradeCase {
  /** Cents that operators and the backend have refunded or that are being refunded. */
  refundedAmount: number
  refund: ReturnType<typeof refundOf>
  informed: Informed
  /** That of the payment. */
  callback: Story['callbacks'][number] | undefined
  /** The one thing that is wrong, or that the trade waits for. */
  trouble: Trouble | undefined
}

export type Trouble =
  | { kind: 'disputed' }
  | { kind: 'refundRefused' | 'refunding'; refund: Refund }
  | { kind: 'notInformed'; callback: Story['callbacks'][number] }
  | { kind: 'failed' | 'expired' | 'open' }

/** Reads the state of a trade from its records. */
export function caseOf(story: Story): TradeCase {
  const { trade, refunds, timeline } = story
  const requested = refunds.filter(({ initiator, state }) => initiator !== 'system' && state !== 'refused')
  const refundedAmount = requested.reduce((sum, { amount }) => sum + amount, 0)
  const callback = story.callbacks.find(({ refundNo }) => refundNo === null)
  const informed = informedOf(callback)
  return {
    refundedAmount,
    refund: refundOf({ amount: trade.amount ?? 0, refundedAmount }),
    informed,
    callback,
    trouble: troubleOf(),
  }

  function troubleOf(): Trouble | undefined {
    if (timeline.some(({ event }) => event === 'moneyDisputed')) return { kind: 'disputed' }
    const last = refunds.at(-1)
    if (last?.state === 'refused') return { kind: 'refundRefused', refund: last }
    if (callback && informed === 'notInformed') return { kind: 'notInformed', callback }
    if (last?.state === 'owed') return { kind: 'refunding', refund: last }
    if (trade.transactionStatus === 1) return { kind: 'open' }
    if (trade.transactionStatus === 3) return { kind: 'failed' }
    return trade.transactionStatus === 4 ? { kind: 'expired' } : undefined
  }
}

function informedOf(callback: Story['callbacks'][number] | undefined): Informed {
  if (!callback) return undefined
  if (callback.state === 'delivered') return 'informed'
  return callback.state === 'pending' && callback.attempts.length === 0 ? 'informing' : 'notInformed'
}
