import type { DeclineReason } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/id.ts'
import {
  type PaymentOrder,
  type PaymentProvider,
  type ProviderResult,
  ProviderUnavailable,
  WebhookRejected,
} from './port.ts'

/** A provider and the provider that speaks to it, for one test file. */
export interface Stand {
  provider: PaymentProvider
  /** Creates the payment and leaves it undecided. */
  open(order: PaymentOrder): Promise<ProviderResult>
  /** The payer pays, or is declined. */
  pay(attemptId: string): Promise<void>
  /** The payer pays, and 3-D Secure asks. */
  challenge(attemptId: string): Promise<void>
  answerChallenge(attemptId: string, passed: boolean): Promise<void>
  /** The time, ms, on the provider's and the provider's clock. */
  now(): number
  /** Lets as much time pass as an unpaid payment has. */
  waitForExpiry(): Promise<void>
  /** What the provider has sent since the last call, oldest first. */
  webhooks(): { rawBody: Uint8Array; headers: Record<string, string> }[]
  /** Every decline that the adapter tells apart, and how to bring it about on an open payment. */
  declines: {
    title: string
    order?: Partial<PaymentOrder>
    bringAbout(attemptId: string): Promise<void>
    reason: DeclineReason
  }[]
  /** What a payment becomes that nobody pays, and one whose 3-D Secure is refused. */
  habits: {
    lapses: ProviderResult['kind']
    /** Of a 3-D Secure that is refused; undefined where the page then lets the payer try again. */
    challengeRefused: DeclineReason | undefined
    /** Whether a payment that was cancelled can still be paid. */
    canBePaidAfterCancel: boolean
    /** Whether the provider says of a payment what was refunded of it. */
    tellsRefunds: boolean
  }
  /** How many payments the provider has under an attemptId. */
  count(attemptId: string): Promise<number>
  /** What the provider has given back of a payment, in cents. */
  refunded(attemptId: string): Promise<number>
  close(): Promise<void>
}

/** A provider elsewhere, that has secrets and to which the way can be broken. */
export interface RemoteStand extends Stand {
  /** The same account with other secrets. */
  strangers: PaymentProvider
  /** A provider at an address where nobody listens. */
  nowhere: PaymentProvider
  /** Breaks one request, after some that are spared, in place of what was to break. */
  breakNext(when: 'before' | 'after' | 'error' | 'limit', spared?: number): void
  /** An order that the provider refuses, and the reason for it. */
  refusal: { order: Partial<PaymentOrder>; reason: DeclineReason }
}

const hour = 3_600_000
const success = { kind: 'succeeded', amount: 1250, currency: 'SAR' }
const refundOf = (amount: number, refundNo = newId()) => ({ refundNo, amount, currency: 'SAR' })

/** The provider of one block of tests, with a new order for each. */
function standOf<S extends Stand>(start: () => Promise<S>) {
  let stand: S
  let order: PaymentOrder
  beforeAll(async () => {
    stand = await start()
  })
  afterAll(() => stand?.close())
  const renew = () => {
    order = {
      attemptId: newId(),
      tradeNo: newId(),
      description: 'Green tea',
      amount: 1250,
      currency: 'SAR',
      payMethod: 3,
      timeExpire: stand.now() + 2 * hour,
      returnUrl: 'http://localhost:7070/host/v1/return/1',
    }
  }
  beforeEach(renew)
  /** Opens a payment; what refers to it. */
  async function opened(changes: Partial<PaymentOrder> = {}) {
    const made = { ...order, ...changes }
    const result = await stand.open(made)
    return { attemptId: made.attemptId, payNo: 'payNo' in result ? result.payNo : null }
  }
  return {
    stand: () => stand,
    order: () => order,
    renew,
    opened,
    paid: async () => {
      const reference = await opened()
      await stand.pay(reference.attemptId)
      return reference
    },
    /** Refers to the payment by the attempt alone. */
    nameless: () => ({ attemptId: order.attemptId, payNo: null }),
  }
}

/** What every provider behind the port has to do, whatever provider it speaks to. */
export function describeProvider(name: string, start: () => Promise<Stand>): void {
  describe(name, () => {
    const { stand, order, opened, paid, nameless } = standOf(start)

    test('a payment is created once, however often it is asked for', async () => {
      const first = await stand().open(order())
      expect(['redirect', 'pending']).toContain(first.kind)
      const again = await stand().open(order())
      expect(['redirect', 'pending']).toContain(again.kind)
      expect(again).toMatchObject({ payNo: (first as { payNo: string }).payNo })
      expect(await stand().count(order().attemptId)).toBe(1)
    })

    test('while nobody has paid it is in flight', async () => {
      const reference = await opened()
      const result = await stand().provider.query(reference)
      expect(['redirect', 'pending']).toContain(result.kind)
      expect(result).toMatchObject({ payNo: reference.payNo })
    })

    test('a payment that does not exist is unknown', async () => {
      expect(await stand().provider.query(nameless())).toEqual({ kind: 'unknown' })
      expect(await stand().provider.cancel(nameless())).toEqual({ kind: 'unknown' })
      expect(await stand().provider.refund(nameless(), refundOf(1))).toMatchObject({ kind: 'refused' })
    })

    test('what was paid is told with its amount and currency, also to who knows the attempt only', async () => {
      const reference = await paid()
      expect(await stand().provider.query(reference)).toMatchObject(success)
      expect(await stand().provider.query(nameless())).toMatchObject(success)
    })

    test('what was paid is not cancelled', async () => {
      expect(await stand().provider.cancel(await paid())).toMatchObject(success)
    })

    test('a payment in flight can be cancelled, also twice', async () => {
      const reference = await opened()
      expect(await stand().provider.cancel(reference)).toMatchObject({ kind: 'canceled' })
      expect(['canceled', 'expired']).toContain((await stand().provider.cancel(reference)).kind)
    })

    test('money that comes after a cancel is told', async () => {
      const reference = await opened()
      await stand().provider.cancel(reference)
      await stand().pay(reference.attemptId)
      const { kind } = await stand().provider.query(reference)
      expect(kind === 'succeeded').toBe(stand().habits.canBePaidAfterCancel)
    })

    test('a payment that nobody pays comes to its end', async () => {
      const reference = await opened()
      await stand().waitForExpiry()
      expect((await stand().provider.query(reference)).kind).toBe(stand().habits.lapses)
    })

    test('every decline has its failReasonType', async () => {
      for (const { title, order: changes, bringAbout, reason } of stand().declines) {
        const reference = await opened({ ...changes, attemptId: newId() })
        await bringAbout(reference.attemptId)
        const result = await stand().provider.query(reference)
        expect(result, title).toMatchObject({ kind: 'failed', failReasonType: reason })
      }
    })

    describe('3-D Secure', () => {
      test('that was passed lets the payment succeed', async () => {
        const reference = await opened()
        await stand().challenge(reference.attemptId)
        expect(['redirect', 'challenge', 'pending']).toContain((await stand().provider.query(reference)).kind)
        await stand().answerChallenge(reference.attemptId, true)
        expect(await stand().provider.query(reference)).toMatchObject(success)
      })

      test('that was refused does not', async () => {
        const reference = await opened()
        await stand().challenge(reference.attemptId)
        await stand().answerChallenge(reference.attemptId, false)
        const { challengeRefused } = stand().habits
        expect(await stand().provider.query(reference)).toMatchObject(
          challengeRefused === undefined ? { kind: 'redirect' } : { kind: 'failed', failReasonType: challengeRefused },
        )
      })
    })

    describe('refunds', () => {
      const after = (amount: number) => ({ ...success, refunded: stand().habits.tellsRefunds ? amount : null })

      test('give back in parts what was paid, each once, and no more', async () => {
        const reference = await paid()
        const part = refundOf(1000)
        expect(await stand().provider.refund(reference, part)).toEqual({ kind: 'returned' })
        expect(await stand().provider.refund(reference, part)).toEqual({ kind: 'returned' })
        expect(await stand().refunded(reference.attemptId)).toBe(1000)
        expect(await stand().provider.query(reference)).toMatchObject(after(1000))
        expect(await stand().provider.refund(reference, refundOf(251))).toMatchObject({ kind: 'refused' })
        expect(await stand().provider.refund(reference, refundOf(250))).toEqual({ kind: 'returned' })
        expect(await stand().provider.refund(reference, refundOf(1))).toMatchObject({ kind: 'refused' })
        expect(await stand().provider.query(reference)).toMatchObject(after(1250))
      })

      test('of the whole need the attempt only', async () => {
        await paid()
        // A refund may have the name of the attempt, and is not taken for its payment.
        const refund = refundOf(1250, order().attemptId)
        expect(await stand().provider.refund(nameless(), refund)).toEqual({ kind: 'returned' })
        expect(await stand().refunded(order().attemptId)).toBe(1250)
        expect(await stand().provider.query(nameless())).toMatchObject(success)
      })

      test('of what was not paid are refused', async () => {
        expect(await stand().provider.refund(await opened(), refundOf(1250))).toMatchObject({ kind: 'refused' })
      })
    })

    describe('webhooks', () => {
      test('bring what the provider has decided, also twice and in the wrong order', async () => {
        stand().webhooks()
        const { attemptId } = await paid()
        const sent = stand().webhooks()
        expect(sent.length).toBeGreaterThan(0)
        for (const { rawBody, headers } of [...sent.reverse(), ...sent]) {
          const event = await stand().provider.webhook(rawBody, headers)
          expect(event).toMatchObject({ attemptId, result: success })
        }
      })

      test('about a refund name the payment that it is of, or nothing', async () => {
        const reference = await paid()
        stand().webhooks()
        await stand().provider.refund(reference, refundOf(500))
        for (const { rawBody, headers } of stand().webhooks()) {
          const event = await stand().provider.webhook(rawBody, headers)
          if (event) expect(event).toMatchObject({ attemptId: reference.attemptId, result: success })
        }
      })

      test('that somebody has altered are refused', async () => {
        stand().webhooks()
        await paid()
        for (const { rawBody, headers } of stand().webhooks()) {
          const altered = Buffer.from(rawBody.map((byte, index) => (index === 2 ? byte ^ 1 : byte)))
          await expect(stand().provider.webhook(altered, headers)).rejects.toThrow(WebhookRejected)
        }
      })
    })
  })
}

/** What a provider has to do on top whose provider is elsewhere. */
export function describeRemoteProvider(name: string, start: () => Promise<RemoteStand>): void {
  describeProvider(name, start)
  describe(`${name}, where the provider`, () => {
    const { stand, order, renew, paid, nameless } = standOf(start)
    const acted = (mayHaveActed: boolean) => expect.objectContaining({ name: 'ProviderUnavailable', mayHaveActed })

    test('is another one, its webhooks are refused', async () => {
      await paid()
      const sent = stand().webhooks()
      expect(sent.length).toBeGreaterThan(0)
      for (const { rawBody, headers } of sent) {
        await expect(stand().strangers.webhook(rawBody, headers)).rejects.toThrow(WebhookRejected)
        await expect(stand().provider.webhook(rawBody, {})).rejects.toThrow(WebhookRejected)
      }
    })

    test('refuses an order, no payment exists', async () => {
      const { order: changes, reason } = stand().refusal
      const result = await stand().provider.create({ ...order(), ...changes })
      expect(result).toMatchObject({
        kind: 'failed',
        payNo: null,
        failReasonType: reason,
        reason: expect.any(String),
        credentialsRejected: false,
      })
      expect(await stand().count(order().attemptId)).toBe(0)
    })

    test('refuses the key, a creation is refused and nothing else is known', async () => {
      const { strangers } = stand()
      expect(await strangers.create(order())).toMatchObject({ kind: 'failed', payNo: null, credentialsRejected: true })
      await expect(strangers.query(nameless())).rejects.toThrow(ProviderUnavailable)
      await expect(strangers.refund(nameless(), refundOf(1))).rejects.toThrow(ProviderUnavailable)
    })

    test('cannot be reached, it has done nothing for certain', async () => {
      const { nowhere } = stand()
      await expect(nowhere.create(order())).rejects.toEqual(acted(false))
      await expect(nowhere.query(nameless())).rejects.toEqual(acted(false))
      await expect(nowhere.cancel(nameless())).rejects.toEqual(acted(false))
      await expect(nowhere.refund(nameless(), refundOf(1))).rejects.toEqual(acted(false))
    })

    test('has too much to do, it has done nothing for certain', async () => {
      stand().breakNext('limit')
      await expect(stand().provider.create(order())).rejects.toEqual(acted(false))
      expect(await stand().count(order().attemptId)).toBe(0)
    })

    test.each(['before', 'after', 'error'] as const)(
      'fails over a creation (%s), nothing is known, and asking leaves no page behind',
      async (when) => {
        stand().breakNext(when)
        await expect(stand().provider.create(order())).rejects.toEqual(acted(true))
        const { kind } = await stand().provider.query(nameless())
        expect(['unknown', 'pending', 'redirect']).toContain(kind)
        if (kind !== 'unknown') expect((await stand().provider.cancel(nameless())).kind).toBe('canceled')
      },
    )

    test('breaks off at any point of a refund, it is made once all the same', async () => {
      for (let spared = 0; spared < 5; spared++) {
        renew()
        const payment = await paid()
        const part = refundOf(500)
        stand().breakNext('after', spared)
        await stand()
          .provider.refund(payment, part)
          .catch((error) => expect(error).toEqual(acted(true)))
        stand().breakNext('after', 100)
        expect(await stand().provider.refund(payment, part)).toEqual({ kind: 'returned' })
        expect(await stand().refunded(payment.attemptId)).toBe(500)
      }
    })
  })
}
