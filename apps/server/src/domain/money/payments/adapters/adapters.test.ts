import { type ExternalProvider, externalProviderNames, hour } from '@souk/contract'
import { fakeProviders, type Outcome, type RequestFault, type Webhook } from '@souk/fake-providers'
import { TestClock, testSettings } from '../../../../../test/context.ts'
import { freshDatabase } from '../../../../../test/database.ts'
import { createEgress, type Egress } from '../../../../kernel/egress.ts'
import { type Alteration, describeProvider, describeRemoteProvider, type RemoteAdapterFixture } from './adapterSuite.ts'
import { type Expected, expectedOf } from './expected.ts'
import { type ProviderAccount, providerOf } from './index.ts'
import type { PaymentProvider } from './port.ts'
import { SandboxProvider } from './sandbox/sandbox.ts'

const closedPort = 'http://localhost:9'

for (const name of externalProviderNames) {
  const expected = await expectedOf(name)
  describeRemoteProvider(name, () => startFixture(name, expected))
}

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

type Apply = ReturnType<Parameters<Expected['declined']>[0]>

const faults = { before: 'dropBefore', after: 'dropAfter', error: 'error', limit: 'limit' } as const

/** Starts a fake provider with its fixture. */
async function startFixture(
  name: ExternalProvider,
  { declined, lifetime, ...expected }: Expected,
): Promise<RemoteAdapterFixture> {
  const account = fakeProviders[name]
  const fake = await account.start({ webhookUrl: closedPort })
  const otherSecrets = Object.fromEntries(Object.keys(account.secrets).map((field) => [field, 'other']))
  const accountAt = (baseUrl: string, otherCredentials: boolean) =>
    ({
      providerAccountId: 'a'.repeat(32),
      provider: name,
      settings: { ...account.settings, baseUrl },
      secrets: otherCredentials ? otherSecrets : account.secrets,
    }) as ProviderAccount
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
    ...expected,
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
