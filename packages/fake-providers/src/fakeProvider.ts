import { pageRoutes } from './pages.ts'
import { FakeProviderServer, type Fault, noTrouble, type Route, type Trouble } from './server.ts'
import { type Change, type Habits, type Method, type Outcome, type Payment, Till } from './paymentBook.ts'
import { fairWeather, type Weather, type Webhook, Webhooks } from './webhooks.ts'

/** What a provider is made of, besides what all have in common. */
export interface Protocol {
  title: string
  habits: Habits
  /** Whether its page leads the payer back by a form that it posts. */
  returnsByPost: boolean
  routes(parts: { till: Till; pageUrl: (payment: Payment) => string }): Route[]
  /** The webhooks that tell of a change. `url` is where they are to go, `now` the provider's clock. */
  webhooksOf(payment: Payment, change: Change, url: string, now: () => number): Webhook[]
}

export interface StartOptions {
  /** 0 or absent: any free one. */
  port?: number
  /** Where webhooks go, where no payment says otherwise. */
  webhookUrl?: string
}

/**
 * A provider that runs on this machine. It speaks its protocol over HTTP, has pages for payers, and can be told to fail: by
 * these methods, or by `POST /_control/<name>` with their arguments as a JSON array.
 */
export interface FakeProvider {
  readonly url: string
  webhookUrl: string | undefined
  /** What the provider knows, by page, payment or the merchant's reference. */
  find(name: string): Payment | undefined
  payments(): Payment[]
  /** Pays as a payer on the page would. */
  pay(name: string, outcome?: Outcome, method?: Method): void
  /** Answers 3-D Secure. */
  answer(name: string, passed: boolean): void
  /** The payer gives up on the page. */
  giveUp(name: string): void
  /** The payer’s bank sends back what was refunded last. */
  failRefund(name: string): void
  /** The payer disputes the payment with their bank. */
  dispute(name: string): void
  /** Moves the clock forward: pages lapse, delayed payments are decided. */
  moveClock(ms: number): void
  /** What befalls the next requests of programs, one each, in place of what was to befall them. */
  fail(...faults: Fault[]): void
  /** What befalls requests of programs by chance, from now on. */
  setTrouble(trouble: Partial<Trouble>): void
  /** How webhooks go wrong from now on. */
  setWeather(weather: Partial<Weather>): void
  readonly webhooks: Webhooks
  close(): Promise<void>
}

const control = [
  ...(['pay', 'answer', 'giveUp', 'failRefund', 'dispute'] as const),
  ...(['moveClock', 'fail', 'setTrouble', 'setWeather'] as const),
]

/** Starts a provider. @throws Error with the code EADDRINUSE where the port is taken. */
export async function startFakeProvider(protocol: Protocol, options: StartOptions): Promise<FakeProvider> {
  const webhooks = new Webhooks()
  const till = new Till(protocol.habits, (payment, change) => {
    const url = payment.webhookUrl ?? provider.webhookUrl
    if (url) for (const webhook of protocol.webhooksOf(payment, change, url, () => till.now())) webhooks.send(webhook)
  })
  const pageUrl = (payment: Payment) => `${server.url}/pay/${payment.pageId}`
  const server = new FakeProviderServer([
    ...protocol.routes({ till, pageUrl }),
    ...pageRoutes(till, protocol),
    ...controlRoutes(),
  ])
  const existing = (name: string): Payment => {
    const payment = till.find(name)
    if (!payment) throw new Error(`${protocol.title} has no payment ${name}`)
    return payment
  }
  const provider: FakeProvider = {
    url: '',
    webhookUrl: options.webhookUrl,
    webhooks,
    find: (name) => till.find(name),
    payments: () => till.all(),
    pay: (name, outcome = 'approved', method) => {
      const payment = existing(name)
      till.pay(payment, method ?? payment.methods[0]!, outcome)
    },
    answer: (name, passed) => till.answer(existing(name), passed),
    giveUp: (name) => till.giveUp(existing(name)),
    failRefund: (name) => till.failRefund(existing(name)),
    dispute: (name) => till.dispute(existing(name)),
    moveClock: (ms) => {
      till.ahead += ms
      till.all()
    },
    fail: (...faults) => void server.faults.splice(0, Infinity, ...faults),
    setTrouble: (trouble) => {
      server.trouble = { ...noTrouble, ...trouble }
    },
    setWeather: (weather) => {
      webhooks.weather = { ...fairWeather, ...weather }
    },
    close: async () => {
      clearInterval(ticking)
      webhooks.close()
      await server.close()
    },
  }
  // What time alone decides is told without anybody asking.
  const ticking = setInterval(() => till.all(), 250).unref()

  function controlRoutes(): Route[] {
    return [
      {
        kind: 'control',
        method: 'GET',
        pattern: '/_control/payments',
        handle: () => ({ status: 200, body: till.all() }),
      },
      {
        kind: 'control',
        method: 'POST',
        pattern: '/_control/webhookUrl',
        handle: ({ body }) => {
          provider.webhookUrl = String((JSON.parse(body) as unknown[])[0])
          return { status: 200, body: {} }
        },
      },
      ...control.map(
        (name): Route => ({
          kind: 'control',
          method: 'POST',
          pattern: `/_control/${name}`,
          handle: ({ body }) => {
            const given: unknown = JSON.parse(body)
            try {
              ;(provider[name] as (...args: unknown[]) => void)(...(Array.isArray(given) ? given : []))
              return { status: 200, body: {} }
            } catch (error) {
              return { status: 404, body: { error: { message: (error as Error).message } } }
            }
          },
        }),
      ),
    ]
  }

  await server.listen(options.port ?? 0).catch((error: unknown) => {
    clearInterval(ticking)
    throw error
  })
  return Object.assign(provider, { url: server.url })
}
