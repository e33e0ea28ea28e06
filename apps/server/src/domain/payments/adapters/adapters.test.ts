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
} from '@souk/fake-providers'
import { TestClock } from '../../../../test/context.ts'
import { freshDatabase } from '../../../../test/database.ts'
import { createEgress } from '../../../kernel/egress.ts'
import { describeProvider, describeRemoteProvider, type RemoteStand, type Stand } from './adapterSuite.ts'
import { type ProviderAccount, providerOf } from './index.ts'
import type { PaymentProvider } from './port.ts'
import { SandboxProvider } from './sandbox/sandbox.ts'

const nobody = 'http://localhost:9'
const settings = { sandbox: true, publicUrl: 'http://localhost:7070', hostUrl: '', accessTokenLifetime: 1 }

describeRemoteProvider('checkout', async () =>
  local(
    await startCheckout({ webhookUrl: nobody }),
    (baseUrl, stranger) => ({
      providerAccountId: 'a'.repeat(32),
      provider: 'checkout',
      settings: { ...checkoutSettings, baseUrl },
      secrets: stranger ? { secretKey: 'sk_sbox_other', webhookKey: 'other' } : checkoutSecrets,
    }),
    {
      habits: { lapses: 'expired', challengeRefused: 24, canBePaidAfterCancel: true, tellsRefunds: true },
      refusal: { order: { currency: 'riyal' as 'SAR' }, reason: 25 },
      declined: (pay) => [
        { title: 'a card', reason: 24, bringAbout: pay('declined') },
        { title: 'an expired card', reason: 24, bringAbout: pay('expiredCard') },
        { title: 'wallet A, not offered', order: { payMethod: 1 }, reason: 1, bringAbout: pay('walletUnavailable') },
        { title: 'wallet A, its token', order: { payMethod: 1 }, reason: 4, bringAbout: pay('walletToken') },
        { title: 'wallet B, not offered', order: { payMethod: 2 }, reason: 11, bringAbout: pay('walletUnavailable') },
        { title: 'wallet B, its token', order: { payMethod: 2 }, reason: 10, bringAbout: pay('walletToken') },
        { title: 'wallet A, no money', order: { payMethod: 1 }, reason: 24, bringAbout: pay('insufficientFunds') },
      ],
      lifetime: 25 * 3_600_000,
    },
  ),
)

describeRemoteProvider('stripe', async () =>
  local(
    await startStripe({ webhookUrl: nobody }),
    (baseUrl, stranger) => ({
      providerAccountId: 'b'.repeat(32),
      provider: 'stripe',
      settings: { baseUrl },
      secrets: stranger ? { secretKey: 'sk_test_other', webhookSecret: 'whsec_other' } : stripeSecrets,
    }),
    {
      habits: { lapses: 'expired', challengeRefused: undefined, canBePaidAfterCancel: false, tellsRefunds: true },
      refusal: { order: { amount: 100_000_000 }, reason: 26 },
      // A decline is final once the page has lapsed: until then the payer may try another card.
      declined: (pay, lapse) => [
        { title: 'a card', reason: 27, bringAbout: lapse(pay('declined')) },
        { title: 'no money', reason: 27, bringAbout: lapse(pay('insufficientFunds')) },
        { title: 'wallet A', order: { payMethod: 1 }, reason: 1, bringAbout: lapse(pay('walletUnavailable')) },
        { title: 'wallet A, its token', order: { payMethod: 1 }, reason: 4, bringAbout: lapse(pay('walletToken')) },
        { title: 'wallet B', order: { payMethod: 2 }, reason: 11, bringAbout: lapse(pay('walletUnavailable')) },
        { title: 'wallet B, its token', order: { payMethod: 2 }, reason: 10, bringAbout: lapse(pay('walletToken')) },
      ],
      lifetime: 25 * 3_600_000,
    },
  ),
)

describeRemoteProvider('paytabs', async () =>
  local(
    await startPaytabs({ webhookUrl: nobody }),
    (baseUrl, stranger) => ({
      providerAccountId: 'c'.repeat(32),
      provider: 'paytabs',
      settings: { ...paytabsSettings, baseUrl },
      secrets: stranger ? { serverKey: 'other' } : paytabsSecrets,
    }),
    {
      habits: { lapses: 'expired', challengeRefused: 6, canBePaidAfterCancel: true, tellsRefunds: false },
      refusal: { order: { currency: 'riyal' as 'SAR' }, reason: 5 },
      declined: (pay) => [
        { title: 'a card', reason: 5, bringAbout: pay('declined') },
        { title: 'an error', reason: 5, bringAbout: pay('processingError') },
        { title: '3-D Secure', reason: 6, bringAbout: pay('challengeFailed') },
      ],
      lifetime: 21 * 60_000,
    },
  ),
)

describeProvider('sandbox', async () => {
  const database = await freshDatabase()
  const clock = new TestClock()
  const provider = (outcome?: ConstructorParameters<typeof SandboxProvider>[1]) =>
    new SandboxProvider({ sql: database.sql, clock }, outcome)
  const nameless = (attemptId: string) => ({ attemptId, payNo: null })
  let told: string[] = []
  const decide = async (attemptId: string, outcome: 'succeeded' | 'challenge' | `failed:${27 | 1 | 10}`) => {
    const decided = await provider().resolve(attemptId, outcome)
    if (decided) told.push(decided.payNo)
  }
  return {
    provider: provider(),
    open: (order) => provider('pending').create(order),
    pay: (attemptId) => decide(attemptId, 'succeeded'),
    challenge: (attemptId) => decide(attemptId, 'challenge'),
    answerChallenge: async (attemptId, passed) => void (await provider().answerChallenge(attemptId, passed)),
    now: () => clock.now(),
    waitForExpiry: async () => {
      clock.ahead += 25 * 3_600_000
      await provider().decideDue(100)
    },
    webhooks: () => {
      const sent = told.map((payNo) => ({ rawBody: Buffer.from(payNo), headers: {} }))
      told = []
      return sent
    },
    declines: [27, 1, 10].map((reason) => ({
      title: String(reason),
      reason: reason as 27,
      bringAbout: (attemptId) => decide(attemptId, `failed:${reason as 27}`),
    })),
    habits: { lapses: 'failed', challengeRefused: 6, canBePaidAfterCancel: true, tellsRefunds: true },
    count: async (attemptId) => {
      const { count } = await database.sql`select 1 from sandbox_payments where attempt_id = ${attemptId}`
      return count
    },
    refunded: async (attemptId) => {
      const result = await provider().query(nameless(attemptId))
      return result.kind === 'succeeded' ? (result.refunded ?? 0) : 0
    },
    close: () => database.drop(),
  }
})

type BringAbout = (attemptId: string) => Promise<void>

interface LocalHabits extends Pick<RemoteStand, 'habits' | 'refusal'> {
  declined(pay: (outcome: Outcome) => BringAbout, lapse: (before: BringAbout) => BringAbout): Stand['declines']
  /** More than an unpaid page is open, ms. */
  lifetime: number
}

const faults = { before: 'dropBefore', after: 'dropAfter', error: 'error', limit: 'limit' } as const

/** A stand over a local provider, by its HTTP. */
function local(
  fake: FakeProvider,
  accountAt: (baseUrl: string, stranger: boolean) => ProviderAccount,
  { habits, refusal, declined, lifetime }: LocalHabits,
): RemoteStand {
  const egress = createEgress({ allowlist: [], loopback: true })
  let moved = 0
  const now = () => Date.now() + moved
  const clock = { now, real: now }
  const at = (baseUrl: string, stranger = false): PaymentProvider =>
    providerOf({ sql: undefined as never, clock, egress, settings }, accountAt(baseUrl, stranger))
  const provider = at(fake.url)
  const pay = (outcome: Outcome) => async (attemptId: string) => fake.pay(attemptId, outcome)
  const lapse = (before: BringAbout) => async (attemptId: string) => {
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
    strangers: at(fake.url, true),
    nowhere: at(nobody),
    habits,
    refusal,
    declines: declined(pay, lapse),
    open: (order) => provider.create(order),
    pay: pay('approved'),
    challenge: pay('challenge'),
    answerChallenge: async (attemptId, passed) => fake.answerChallenge(attemptId, passed),
    now,
    waitForExpiry: wait,
    webhooks: () =>
      fake.webhooks.held
        .splice(0)
        .map(({ body, signatureHeaders }) => ({ rawBody: Buffer.from(body), headers: signatureHeaders(body) })),
    breakNext: (when, spared = 0) => fake.failNext(...Array<RequestFault>(spared).fill('none'), faults[when]),
    count: async (attemptId) => fake.payments().filter(({ reference }) => reference === attemptId).length,
    refunded: async (attemptId) => fake.find(attemptId)?.refunds.reduce((sum, { amount }) => sum + amount, 0) ?? 0,
    close: async () => {
      await fake.close()
      await egress.close()
    },
  }
}
