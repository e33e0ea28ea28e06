import { hour, minute } from '@souk/contract'
import {
  checkoutSecrets,
  checkoutSettings,
  type FakeProvider,
  type Outcome,
  paytabsSecrets,
  paytabsSettings,
  type RequestFault,
  startCheckout,
  startPaytabs,
  startStripe,
  stripeSecrets,
  type Webhook,
} from '@souk/fake-providers'
import { TestClock, testSettings } from '../../../../../test/context.ts'
import { freshDatabase } from '../../../../../test/database.ts'
import { createEgress, type Egress } from '../../../../kernel/egress.ts'
import { newId } from '../../../../kernel/id.ts'
import {
  type AdapterFixture,
  type Alteration,
  describeProvider,
  describeRemoteProvider,
  type RemoteAdapterFixture,
} from './adapterSuite.ts'
import { type ProviderAccount, providerOf } from './index.ts'
import type { PaymentProvider } from './port.ts'
import { SandboxProvider } from './sandbox/sandbox.ts'

const long = 'x'.repeat(100_000)
/** Replaces the values of properties with this name. */
const replace =
  (name: string, value: unknown): Alteration =>
  (key, found) =>
    key === name ? value : found
/** Replaces properties of objects of this kind. */
const within =
  (property: string, kind: string, changes: object): Alteration =>
  (_, value) =>
    (value as Record<string, unknown> | null)?.[property] === kind ? { ...(value as object), ...changes } : value

const closedPort = 'http://localhost:9'

describeRemoteProvider('checkout', async () =>
  local(
    await startCheckout({ webhookUrl: closedPort }),
    (baseUrl, otherCredentials) => ({
      providerAccountId: 'a'.repeat(32),
      provider: 'checkout',
      settings: { ...checkoutSettings, baseUrl },
      secrets: otherCredentials ? { secretKey: 'sk_sbox_other', webhookKey: 'other' } : checkoutSecrets,
    }),
    {
      behavior: {
        whenUnpaid: 'expired',
        whenChallengeFails: 24,
        payableAfterCancel: true,
        reportsRefunds: true,
        listsPayments: true,
      },
      rejectedOrder: { order: { currency: 'riyal' as 'SAR' }, reason: 25 },
      declined: (pay) => [
        { title: 'a card', reason: 24, apply: pay('declined') },
        { title: 'an expired card', reason: 24, apply: pay('expiredCard') },
        { title: 'wallet A, not offered', order: { payMethod: 1 }, reason: 1, apply: pay('walletUnavailable') },
        { title: 'wallet A, its token', order: { payMethod: 1 }, reason: 4, apply: pay('walletToken') },
        { title: 'wallet B, not offered', order: { payMethod: 2 }, reason: 11, apply: pay('walletUnavailable') },
        { title: 'wallet B, its token', order: { payMethod: 2 }, reason: 10, apply: pay('walletToken') },
        { title: 'wallet A, no money', order: { payMethod: 1 }, reason: 24, apply: pay('insufficientFunds') },
      ],
      lifetime: 25 * hour,
      alterations: {
        'another reference': replace('reference', newId()),
        'no reference': replace('reference', undefined),
        'an authorization': replace('status', 'Authorized'),
        'a long ID': replace('id', long),
        'an ID that is not text': replace('id', 1),
        'a negative amount': replace('total_captured', -1),
        'a fraction of a cent': replace('total_captured', 12.5),
        'an amount as text': replace('total_captured', '1250'),
        'a long currency': replace('currency', long),
        'no currency': replace('currency', undefined),
      },
      refundAlterations: {
        'another amount': within('type', 'Refund', { amount: 1 }),
        'another refund': within('type', 'Refund', { reference: newId() }),
        'a capture': within('type', 'Refund', { type: 'Capture' }),
      },
    },
  ),
)

describeRemoteProvider('stripe', async () =>
  local(
    await startStripe({ webhookUrl: closedPort }),
    (baseUrl, otherCredentials) => ({
      providerAccountId: 'b'.repeat(32),
      provider: 'stripe',
      settings: { baseUrl },
      secrets: otherCredentials ? { secretKey: 'sk_test_other', webhookSecret: 'whsec_other' } : stripeSecrets,
    }),
    {
      behavior: {
        whenUnpaid: 'expired',
        whenChallengeFails: undefined,
        payableAfterCancel: false,
        reportsRefunds: true,
        listsPayments: true,
      },
      rejectedOrder: { order: { amount: 100_000_000 }, reason: 26 },
      // A decline is final when the page has expired. Until then the payer can try another card.
      declined: (pay, expire) => [
        { title: 'a card', reason: 27, apply: expire(pay('declined')) },
        { title: 'no money', reason: 27, apply: expire(pay('insufficientFunds')) },
        { title: 'wallet A', order: { payMethod: 1 }, reason: 1, apply: expire(pay('walletUnavailable')) },
        { title: 'wallet A, its token', order: { payMethod: 1 }, reason: 4, apply: expire(pay('walletToken')) },
        { title: 'wallet B', order: { payMethod: 2 }, reason: 11, apply: expire(pay('walletUnavailable')) },
        { title: 'wallet B, its token', order: { payMethod: 2 }, reason: 10, apply: expire(pay('walletToken')) },
      ],
      lifetime: 25 * hour,
      alterations: {
        'another attempt': (key, value) => (/^(attemptId|client_reference_id)$/.test(key) ? newId() : value),
        'no attempt': (key, value) => (/^(attemptId|client_reference_id)$/.test(key) ? undefined : value),
        'a setup': (key, value) => (key === 'object' && value === 'payment_intent' ? 'setup_intent' : value),
        'an authorization': (key, value) => (key === 'status' && value === 'succeeded' ? 'requires_capture' : value),
        'a long ID': replace('id', long),
        'an ID that is not text': replace('id', 1),
        'a negative amount': replace('amount_received', -1),
        'a fraction of a cent': replace('amount_received', 12.5),
        'an amount as text': replace('amount_received', '1250'),
        'a long currency': replace('currency', long),
        'no currency': replace('currency', undefined),
      },
      refundAlterations: {
        'another amount': within('object', 'refund', { amount: 1 }),
        'another currency': within('object', 'refund', { currency: 'usd' }),
        'another refund': within('object', 'refund', { metadata: { refundNo: newId() } }),
        'another payment': within('object', 'refund', { payment_intent: 'pi_other' }),
        'a charge': within('object', 'refund', { object: 'charge' }),
      },
    },
  ),
)

describeRemoteProvider('paytabs', async () =>
  local(
    await startPaytabs({ webhookUrl: closedPort }),
    (baseUrl, otherCredentials) => ({
      providerAccountId: 'c'.repeat(32),
      provider: 'paytabs',
      settings: { ...paytabsSettings, baseUrl },
      secrets: otherCredentials ? { serverKey: 'other' } : paytabsSecrets,
    }),
    {
      behavior: {
        whenUnpaid: 'expired',
        whenChallengeFails: 6,
        payableAfterCancel: true,
        reportsRefunds: false,
        listsPayments: false,
      },
      rejectedOrder: { order: { currency: 'riyal' as 'SAR' }, reason: 5 },
      declined: (pay) => [
        { title: 'a card', reason: 5, apply: pay('declined') },
        { title: 'an error', reason: 5, apply: pay('processingError') },
        { title: '3-D Secure', reason: 6, apply: pay('challengeFailed') },
      ],
      lifetime: 21 * minute,
      alterations: {
        'another cart': replace('cart_id', newId()),
        'no cart': replace('cart_id', undefined),
        'a refund': replace('tran_type', 'Refund'),
        'an authorization': replace('tran_type', 'Auth'),
        'no type': replace('tran_type', undefined),
        'a long reference': replace('tran_ref', long),
        'a reference that is not text': replace('tran_ref', 1),
        'a negative amount': replace('tran_total', '-1'),
        'a fraction of a cent': replace('tran_total', '12.505'),
        'a long amount': replace('tran_total', '1'.repeat(100_000)),
        'a long currency': replace('tran_currency', long),
      },
      refundAlterations: {
        'another amount': replace('cart_amount', '0.01'),
        'another currency': replace('cart_currency', 'USD'),
        'another refund': within('tran_type', 'Refund', { cart_id: `refund-${newId()}` }),
        'a sale': within('tran_type', 'Refund', { tran_type: 'Sale' }),
      },
    },
  ),
)

describeProvider('sandbox', async () => {
  const database = await freshDatabase()
  const clock = new TestClock()
  const provider = (outcome?: ConstructorParameters<typeof SandboxProvider>[1]) =>
    new SandboxProvider({ sql: database.sql, clock }, outcome)
  const withoutPayNo = (attemptId: string) => ({ attemptId, payNo: null })
  let decided: string[] = []
  const decide = async (attemptId: string, outcome: 'succeeded' | 'challenge' | `failed:${27 | 1 | 10}`) => {
    const decision = await provider().resolve(attemptId, outcome)
    if (decision) decided.push(decision.payNo)
  }
  return {
    provider: provider(),
    open: (order) => provider('pending').create(order),
    pay: (attemptId) => decide(attemptId, 'succeeded'),
    challenge: (attemptId) => decide(attemptId, 'challenge'),
    answerChallenge: async (attemptId, passed) => void (await provider().answerChallenge(attemptId, passed)),
    now: () => clock.now(),
    waitForExpiry: async () => {
      clock.ahead += 25 * hour
      await provider().decideDue(100)
    },
    webhooks: () => {
      const sent = decided.map((payNo) => ({ rawBody: Buffer.from(payNo), headers: {} }))
      decided = []
      return sent
    },
    declines: [27, 1, 10].map((reason) => ({
      title: String(reason),
      reason: reason as 27,
      apply: (attemptId) => decide(attemptId, `failed:${reason as 27}`),
    })),
    behavior: {
      whenUnpaid: 'failed',
      whenChallengeFails: 6,
      payableAfterCancel: true,
      reportsRefunds: true,
      listsPayments: false,
    },
    count: async (attemptId) => {
      const { count } = await database.sql`select 1 from sandbox_payments where attempt_id = ${attemptId}`
      return count
    },
    refunded: async (attemptId) => {
      const result = await provider().query(withoutPayNo(attemptId))
      return result.kind === 'succeeded' ? (result.refunded ?? 0) : 0
    },
    close: () => database.drop(),
  }
})

type Apply = (attemptId: string) => Promise<void>

interface FakeProviderBehavior
  extends Pick<RemoteAdapterFixture, 'behavior' | 'rejectedOrder' | 'alterations' | 'refundAlterations'> {
  declined(pay: (outcome: Outcome) => Apply, expire: (before: Apply) => Apply): AdapterFixture['declines']
  /** Time after which an unpaid page has expired, ms. */
  lifetime: number
}

const faults = { before: 'dropBefore', after: 'dropAfter', error: 'error', limit: 'limit' } as const

/** Creates the fixture of a fake provider. */
function local(
  fake: FakeProvider,
  accountAt: (baseUrl: string, otherCredentials: boolean) => ProviderAccount,
  { declined, lifetime, ...behavior }: FakeProviderBehavior,
): RemoteAdapterFixture {
  const egress = createEgress({ allowlist: [], loopback: true })
  let moved = 0
  const now = () => Date.now() + moved
  const clock = { now, real: now, difference: 0, isWrong: () => false }
  const at = (baseUrl: string, otherCredentials = false, through: Egress = egress): PaymentProvider =>
    providerOf(
      { sql: undefined as never, clock, egress: through, settings: testSettings().settings },
      accountAt(baseUrl, otherCredentials),
    )
  const altered = (alter: Alteration) =>
    at(fake.url, false, {
      ...egress,
      request: async (input) => {
        const response = await egress.request(input)
        return { ...response, body: JSON.stringify(JSON.parse(response.body, alter)) }
      },
    })
  let signatureHeaders: Webhook['signatureHeaders'] = () => ({})
  const isPage = (value: unknown) => typeof value === 'string' && value.startsWith(fake.url)
  const provider = at(fake.url)
  const pay = (outcome: Outcome) => async (attemptId: string) => fake.pay(attemptId, outcome)
  const expire = (before: Apply) => async (attemptId: string) => {
    await before(attemptId)
    await wait()
  }
  async function wait(): Promise<void> {
    moved += lifetime
    fake.moveClock(lifetime)
  }
  fake.setWebhookFaults({ hold: true })
  return {
    provider,
    otherCredentials: at(fake.url, true),
    unreachable: at(closedPort),
    // Replaces the URLs of the fake provider's own pages.
    withPage: (url) => altered((_, value) => (isPage(value) ? url : value)),
    altered,
    signWebhook: (body) => ({ rawBody: Buffer.from(body), headers: signatureHeaders(body) }),
    ...behavior,
    declines: declined(pay, expire),
    open: (order) => provider.create(order),
    pay: pay('approved'),
    challenge: pay('challenge'),
    answerChallenge: async (attemptId, passed) => fake.answerChallenge(attemptId, passed),
    now,
    waitForExpiry: wait,
    webhooks: () => {
      const sent = fake.webhooks.held.splice(0)
      signatureHeaders = sent.at(-1)?.signatureHeaders ?? signatureHeaders
      return sent.map(({ body }) => ({ rawBody: Buffer.from(body), headers: signatureHeaders(body) }))
    },
    failNext: (when, skipped = 0) => fake.failNext(...Array<RequestFault>(skipped).fill('none'), faults[when]),
    count: async (attemptId) => fake.payments().filter(({ reference }) => reference === attemptId).length,
    refunded: async (attemptId) => fake.find(attemptId)?.refunds.reduce((sum, { amount }) => sum + amount, 0) ?? 0,
    close: async () => {
      await fake.close()
      await egress.close()
    },
  }
}
