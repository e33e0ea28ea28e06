import { type DeclineReason, hour, minute } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../../kernel/id.ts'
import {
  type PaymentOrder,
  type PaymentProvider,
  type ProviderResult,
  ProviderUnavailable,
  WebhookRejected,
} from './port.ts'

/** An adapter and the means to control its provider, for one test file. */
export interface AdapterFixture {
  provider: PaymentProvider
  /** Creates a payment and leaves it undecided. */
  open(order: PaymentOrder): Promise<ProviderResult>
  /** Pays as the payer. */
  pay(attemptId: string): Promise<void>
  /** Pays as the payer with 3-D Secure. */
  challenge(attemptId: string): Promise<void>
  answerChallenge(attemptId: string, passed: boolean): Promise<void>
  /** The time of the adapter's and the provider's clock, ms. */
  now(): number
  /** Moves the clock until an unpaid payment has expired. */
  waitForExpiry(): Promise<void>
  /** Webhooks since the last call, oldest first. */
  webhooks(): { rawBody: Uint8Array; headers: Record<string, string> }[]
  /** Every decline that the adapter distinguishes, and how to cause it. */
  declines: {
    title: string
    order?: Partial<PaymentOrder>
    apply(attemptId: string): Promise<void>
    reason: DeclineReason
  }[]
  behavior: {
    whenUnpaid: ProviderResult['kind']
    /** The decline reason; undefined if the page lets the payer try again. */
    whenChallengeFails: DeclineReason | undefined
    payableAfterCancel: boolean
    reportsRefunds: boolean
    /** True if the provider can list the payments of a period. */
    listsPayments: boolean
  }
  /** Counts the provider's payments with an attemptId. */
  count(attemptId: string): Promise<number>
  /** Returns the refunded amount of a payment in cents. */
  refunded(attemptId: string): Promise<number>
  close(): Promise<void>
}

/** A fixture of an external provider, with credentials and a network that can fail. */
export interface RemoteAdapterFixture extends AdapterFixture {
  /** The same account with other credentials. */
  otherCredentials: PaymentProvider
  /** The adapter with an unreachable base URL. */
  unreachable: PaymentProvider
  /** The adapter at a provider that reports this URL for every page. */
  withPage(url: string): PaymentProvider
  /** The adapter at a provider whose answers are altered, as by `JSON.parse`. */
  altered(alter: Alteration): PaymentProvider
  /** Answers about something else than the payment: another one, another kind, or values that it cannot have. */
  alterations: Record<string, Alteration>
  /** Answers about something else than the refund. */
  refundAlterations: Record<string, Alteration>
  /** Signs a body as the provider does. There must have been a webhook before. */
  signWebhook(body: string): { rawBody: Uint8Array; headers: Record<string, string> }
  /** Fails one request, after `skipped` ones. Replaces an earlier call. */
  failNext(when: 'before' | 'after' | 'error' | 'limit', skipped?: number): void
  /** An order that the provider rejects, and its failReasonType. */
  rejectedOrder: { order: Partial<PaymentOrder>; reason: DeclineReason }
}

/** Replaces a value in a response. */
export type Alteration = (key: string, value: unknown) => unknown

const huge = 'x'.repeat(100_000)

/** Bodies that are not what a provider sends. */
const malformedBodies = ['', ' ', 'null', 'true', '1', '"x"', '[]', '[null]', '{}', '{', '\0', '['.repeat(10_000)]

/** Returns copies of a value in which one property, at any depth, has another value or is missing. */
function* mutationsOf(value: unknown, others: readonly unknown[]): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    for (const other of others) yield Object.assign(structuredClone(value), { [key]: other })
    for (const mutation of mutationsOf(part, others)) yield Object.assign(structuredClone(value), { [key]: mutation })
  }
}

const success = { kind: 'succeeded', amount: 1250, currency: 'SAR' }
const refundOf = (amount: number, refundNo = newId()) => ({ refundNo, amount, currency: 'SAR' })

/** Starts the fixture of a block of tests, with a new order for each test. */
function useFixture<S extends AdapterFixture>(start: () => Promise<S>) {
  let fixture: S
  let order: PaymentOrder
  beforeAll(async () => {
    fixture = await start()
  })
  afterAll(() => fixture?.close())
  const renewOrder = () => {
    order = {
      attemptId: newId(),
      appid: 'teahouse00000001',
      tradeNo: newId(),
      description: 'Green tea',
      amount: 1250,
      currency: 'SAR',
      payMethod: 3,
      timeExpire: fixture.now() + 2 * hour,
      returnUrl: 'http://localhost:7070/host/v1/return/1',
    }
  }
  beforeEach(renewOrder)
  /** Opens a payment and returns its reference. */
  async function opened(changes: Partial<PaymentOrder> = {}) {
    const input = { ...order, ...changes }
    const result = await fixture.open(input)
    return { attemptId: input.attemptId, payNo: 'payNo' in result ? result.payNo : null }
  }
  return {
    fixture: () => fixture,
    order: () => order,
    renewOrder,
    opened,
    paid: async () => {
      const reference = await opened()
      await fixture.pay(reference.attemptId)
      return reference
    },
    /** References the payment by attemptId only. */
    withoutPayNo: () => ({ attemptId: order.attemptId, payNo: null }),
  }
}

/** Declares the tests that every adapter has to pass. */
export function describeProvider(name: string, start: () => Promise<AdapterFixture>): void {
  describe(name, () => {
    const { fixture, order, opened, paid, withoutPayNo } = useFixture(start)

    test('creates a payment once, even if it is called again', async () => {
      const first = await fixture().open(order())
      expect(['redirect', 'pending']).toContain(first.kind)
      const again = await fixture().open(order())
      expect(['redirect', 'pending']).toContain(again.kind)
      expect(again).toMatchObject({ payNo: (first as { payNo: string }).payNo })
      expect(await fixture().count(order().attemptId)).toBe(1)
    })

    test('an unpaid payment is in flight', async () => {
      const reference = await opened()
      const result = await fixture().provider.query(reference)
      expect(['redirect', 'pending']).toContain(result.kind)
      expect(result).toMatchObject({ payNo: reference.payNo })
    })

    test('a payment that does not exist is unknown', async () => {
      expect(await fixture().provider.query(withoutPayNo())).toEqual({ kind: 'unknown' })
      expect(await fixture().provider.cancel(withoutPayNo())).toEqual({ kind: 'unknown' })
      expect(await fixture().provider.refund(withoutPayNo(), refundOf(1))).toMatchObject({ kind: 'refused' })
    })

    test('reports the amount and currency of a paid payment, also by attemptId only', async () => {
      const reference = await paid()
      expect(await fixture().provider.query(reference)).toMatchObject(success)
      expect(await fixture().provider.query(withoutPayNo())).toMatchObject(success)
    })

    test('does not cancel a paid payment', async () => {
      expect(await fixture().provider.cancel(await paid())).toMatchObject(success)
    })

    test('cancels a payment in flight, also twice', async () => {
      const reference = await opened()
      expect(await fixture().provider.cancel(reference)).toMatchObject({ kind: 'canceled' })
      expect(['canceled', 'expired']).toContain((await fixture().provider.cancel(reference)).kind)
    })

    test('reports a payment after a cancellation', async () => {
      const reference = await opened()
      await fixture().provider.cancel(reference)
      await fixture().pay(reference.attemptId)
      const { kind } = await fixture().provider.query(reference)
      expect(kind === 'succeeded').toBe(fixture().behavior.payableAfterCancel)
    })

    test('an unpaid payment expires', async () => {
      const reference = await opened()
      await fixture().waitForExpiry()
      expect((await fixture().provider.query(reference)).kind).toBe(fixture().behavior.whenUnpaid)
    })

    test('maps every decline to its failReasonType', async () => {
      for (const { title, order: changes, apply, reason } of fixture().declines) {
        const reference = await opened({ ...changes, attemptId: newId() })
        await apply(reference.attemptId)
        const result = await fixture().provider.query(reference)
        expect(result, title).toMatchObject({ kind: 'failed', failReasonType: reason })
      }
    })

    describe('3-D Secure', () => {
      test('succeeds when passed', async () => {
        const reference = await opened()
        await fixture().challenge(reference.attemptId)
        expect(['redirect', 'challenge', 'pending']).toContain((await fixture().provider.query(reference)).kind)
        await fixture().answerChallenge(reference.attemptId, true)
        expect(await fixture().provider.query(reference)).toMatchObject(success)
      })

      test('fails when not passed', async () => {
        const reference = await opened()
        await fixture().challenge(reference.attemptId)
        await fixture().answerChallenge(reference.attemptId, false)
        const { whenChallengeFails } = fixture().behavior
        expect(await fixture().provider.query(reference)).toMatchObject(
          whenChallengeFails === undefined
            ? { kind: 'redirect' }
            : { kind: 'failed', failReasonType: whenChallengeFails },
        )
      })
    })

    describe('refunds', () => {
      const after = (amount: number) => ({ ...success, refunded: fixture().behavior.reportsRefunds ? amount : null })

      test('are made once each, up to the paid amount', async () => {
        const reference = await paid()
        const part = refundOf(1000)
        expect(await fixture().provider.refund(reference, part)).toEqual({ kind: 'returned' })
        expect(await fixture().provider.refund(reference, part)).toEqual({ kind: 'returned' })
        expect(await fixture().refunded(reference.attemptId)).toBe(1000)
        expect(await fixture().provider.query(reference)).toMatchObject(after(1000))
        expect(await fixture().provider.refund(reference, refundOf(251))).toMatchObject({ kind: 'refused' })
        expect(await fixture().provider.refund(reference, refundOf(250))).toEqual({ kind: 'returned' })
        expect(await fixture().provider.refund(reference, refundOf(1))).toMatchObject({ kind: 'refused' })
        expect(await fixture().provider.query(reference)).toMatchObject(after(1250))
      })

      test('need the attemptId only', async () => {
        await paid()
        // A refundNo equal to the attemptId must not be mistaken for the payment.
        const refund = refundOf(1250, order().attemptId)
        expect(await fixture().provider.refund(withoutPayNo(), refund)).toEqual({ kind: 'returned' })
        expect(await fixture().refunded(order().attemptId)).toBe(1250)
        expect(await fixture().provider.query(withoutPayNo())).toMatchObject(success)
      })

      test('are rejected for an unpaid payment', async () => {
        expect(await fixture().provider.refund(await opened(), refundOf(1250))).toMatchObject({ kind: 'refused' })
      })
    })

    describe('webhooks', () => {
      test('report results, also twice and out of order', async () => {
        fixture().webhooks()
        const { attemptId } = await paid()
        const sent = fixture().webhooks()
        expect(sent.length).toBeGreaterThan(0)
        for (const { rawBody, headers } of [...sent.reverse(), ...sent]) {
          const event = await fixture().provider.webhook(rawBody, headers)
          expect(event).toMatchObject({ attemptId, result: success })
        }
      })

      test('about a refund refer to its payment, or are ignored', async () => {
        const reference = await paid()
        fixture().webhooks()
        await fixture().provider.refund(reference, refundOf(500))
        for (const { rawBody, headers } of fixture().webhooks()) {
          const event = await fixture().provider.webhook(rawBody, headers)
          if (event) expect(event).toMatchObject({ attemptId: reference.attemptId, result: success })
        }
      })

      test('are rejected if modified', async () => {
        fixture().webhooks()
        await paid()
        for (const { rawBody, headers } of fixture().webhooks()) {
          const altered = Buffer.from(rawBody.map((byte, index) => (index === 2 ? byte ^ 1 : byte)))
          await expect(fixture().provider.webhook(altered, headers)).rejects.toThrow(WebhookRejected)
        }
      })
    })
  })
}

/** Declares additional tests for adapters of external providers. */
export function describeRemoteProvider(name: string, start: () => Promise<RemoteAdapterFixture>): void {
  describeProvider(name, start)
  describe(`${name} over the network`, () => {
    const { fixture, order, renewOrder, paid, withoutPayNo } = useFixture(start)
    const acted = (mayHaveActed: boolean) => expect.objectContaining({ name: 'ProviderUnavailable', mayHaveActed })

    test('rejects webhooks with another or no signature', async () => {
      await paid()
      const sent = fixture().webhooks()
      expect(sent.length).toBeGreaterThan(0)
      for (const { rawBody, headers } of sent) {
        await expect(fixture().otherCredentials.webhook(rawBody, headers)).rejects.toThrow(WebhookRejected)
        await expect(fixture().provider.webhook(rawBody, {})).rejects.toThrow(WebhookRejected)
      }
    })

    test('ignores or rejects signed webhooks of any other form, and never reports them for another attempt', async () => {
      const { provider, signWebhook } = fixture()
      const other = order().attemptId
      await fixture().open(order())
      renewOrder()
      fixture().webhooks()
      const reference = await paid()
      await provider.refund(reference, refundOf(500))
      const sent = fixture()
        .webhooks()
        .map(({ rawBody }) => JSON.parse(Buffer.from(rawBody).toString()) as unknown)
      expect(sent.length).toBeGreaterThan(0)
      const values = [undefined, null, -1, '', huge, [], {}, '../../x', other]
      const bodies = sent.flatMap((body) => Array.from(mutationsOf(body, values), (each) => JSON.stringify(each)))
      for (const body of [...malformedBodies, ...bodies]) {
        const { rawBody, headers } = signWebhook(body)
        const event = await provider.webhook(rawBody, headers).catch((error: unknown) => {
          if (error instanceof WebhookRejected || error instanceof ProviderUnavailable) return null
          throw new Error(`${body.slice(0, 1000)}: ${(error as Error).stack}`)
        })
        if (event?.result.kind === 'succeeded') expect(event.attemptId, body.slice(0, 1000)).toBe(reference.attemptId)
      }
    })

    test('never takes an answer about another payment, of another kind or form, for a payment', async () => {
      const { altered, alterations } = fixture()
      const reference = await paid()
      const sent = fixture().webhooks()
      expect(sent.length).toBeGreaterThan(0)
      for (const [title, alter] of Object.entries(alterations)) {
        const provider = altered(alter)
        const answers = [
          () => provider.query(reference),
          () => provider.query(withoutPayNo()),
          () => provider.cancel(reference),
          ...sent.map(
            ({ rawBody, headers }) =>
              async () =>
                (await provider.webhook(rawBody, headers))?.result,
          ),
        ]
        for (const [index, answer] of answers.entries()) {
          const result = await answer().catch((error: unknown) => {
            if (!(error instanceof ProviderUnavailable)) throw error
            expect(error.message.length, title).toBeLessThan(1000)
            return undefined
          })
          expect(result?.kind, `${title}: ${index}`).not.toBe('succeeded')
        }
      }
    })

    test('never takes an answer about another refund for a refund', async () => {
      const { altered, refundAlterations } = fixture()
      const reference = await paid()
      for (const [title, alter] of Object.entries(refundAlterations)) {
        const result = await altered(alter)
          .refund(reference, refundOf(10))
          .catch((error: unknown) => {
            if (!(error instanceof ProviderUnavailable)) throw error
            return undefined
          })
        expect(result?.kind, title).not.toBe('returned')
      }
    })

    test('lists the captured payments of a period, and no others', async () => {
      const { provider, behavior, now } = fixture()
      expect(provider.listPaid !== undefined).toBe(behavior.listsPayments)
      if (!provider.listPaid) return
      const { appid, tradeNo } = order()
      const { attemptId } = await paid()
      renewOrder()
      await fixture().open(order())
      const period = { from: now() - minute, to: now() + minute }
      const listed = await provider.listPaid(period)
      expect(listed.filter((each) => each.attemptId === order().attemptId)).toEqual([])
      expect(listed).toContainEqual({
        attemptId,
        appid,
        tradeNo,
        amount: 1250,
        currency: 'SAR',
        payNo: expect.any(String),
      })
      expect(await provider.listPaid({ from: period.from - hour, to: period.from })).toEqual([])
    })

    test('reports a rejected order without a payment', async () => {
      const { order: changes, reason } = fixture().rejectedOrder
      const result = await fixture().provider.create({ ...order(), ...changes })
      expect(result).toMatchObject({
        kind: 'failed',
        payNo: null,
        failReasonType: reason,
        reason: expect.any(String),
        credentialsRejected: false,
      })
      expect(await fixture().count(order().attemptId)).toBe(0)
    })

    test('never sends the payer to a page that is not https, except at an allowed private host', async () => {
      const pages = ['javascript:alert(1)', 'data:text/html,x', '//evil.example/', 'http://evil.example/', 'pay', '']
      for (const url of pages) {
        renewOrder()
        const provider = fixture().withPage(url)
        await expect(provider.create(order()), url).rejects.toEqual(acted(true))
        // Not all providers return the page of an existing payment.
        const again = await provider.query(withoutPayNo()).catch((error) => error)
        expect(again.kind, url).not.toBe('redirect')
        fixture().webhooks()
        await fixture().pay(order().attemptId)
        for (const { rawBody, headers } of fixture().webhooks()) {
          expect(await provider.webhook(rawBody, headers)).not.toMatchObject({ result: { kind: 'redirect' } })
        }
      }
      for (const url of ['https://pay.example/1', 'http://localhost:9/pay']) {
        renewOrder()
        expect(await fixture().withPage(url).create(order())).toMatchObject({ kind: 'redirect', url })
      }
    })

    test('reports rejected credentials for a creation and throws for other calls', async () => {
      const { otherCredentials } = fixture()
      expect(await otherCredentials.create(order())).toMatchObject({
        kind: 'failed',
        payNo: null,
        credentialsRejected: true,
      })
      await expect(otherCredentials.query(withoutPayNo())).rejects.toThrow(ProviderUnavailable)
      await expect(otherCredentials.refund(withoutPayNo(), refundOf(1))).rejects.toThrow(ProviderUnavailable)
    })

    test('knows that an unreachable provider has not acted', async () => {
      const { unreachable } = fixture()
      await expect(unreachable.create(order())).rejects.toEqual(acted(false))
      await expect(unreachable.query(withoutPayNo())).rejects.toEqual(acted(false))
      await expect(unreachable.cancel(withoutPayNo())).rejects.toEqual(acted(false))
      await expect(unreachable.refund(withoutPayNo(), refundOf(1))).rejects.toEqual(acted(false))
    })

    test('knows that a rate-limited provider has not acted', async () => {
      fixture().failNext('limit')
      await expect(fixture().provider.create(order())).rejects.toEqual(acted(false))
      expect(await fixture().count(order().attemptId)).toBe(0)
    })

    test.each(['before', 'after', 'error'] as const)(
      'a failed creation (%s) leaves the outcome unknown, and a query finds or excludes the payment',
      async (when) => {
        fixture().failNext(when)
        await expect(fixture().provider.create(order())).rejects.toEqual(acted(true))
        const { kind } = await fixture().provider.query(withoutPayNo())
        expect(['unknown', 'pending', 'redirect']).toContain(kind)
        if (kind !== 'unknown') expect((await fixture().provider.cancel(withoutPayNo())).kind).toBe('canceled')
      },
    )

    test('makes a refund once, wherever the connection breaks', async () => {
      for (let skipped = 0; skipped < 5; skipped++) {
        renewOrder()
        const payment = await paid()
        const part = refundOf(500)
        fixture().failNext('after', skipped)
        await fixture()
          .provider.refund(payment, part)
          .catch((error) => expect(error).toEqual(acted(true)))
        fixture().failNext('after', 100)
        expect(await fixture().provider.refund(payment, part)).toEqual({ kind: 'returned' })
        expect(await fixture().refunded(payment.attemptId)).toBe(500)
      }
    })
  })
}
