import { pageRoutes } from './pages.ts'
import {
  type Method,
  methods,
  type Outcome,
  outcomes,
  type PageBehavior,
  type Payment,
  PaymentBook,
  type PaymentEvent,
} from './paymentBook.ts'
import {
  FakeProviderServer,
  noRequestFaults,
  type RequestFault,
  type RequestFaults,
  type Route,
  requestFaults,
} from './server.ts'
import { noWebhookFaults, type Webhook, type WebhookFaults, WebhookSender } from './webhooks.ts'

/** The parts of a provider that differ from other providers. */
export interface Protocol {
  title: string
  pageBehavior: PageBehavior
  /** True if its page returns the payer with a form POST instead of a redirect. */
  returnsByPost: boolean
  routes(parts: { book: PaymentBook; pageUrl: (payment: Payment) => string }): Route[]
  /** Creates the webhooks that report an event. `now` reads the provider's clock. */
  webhooksFor(payment: Payment, event: PaymentEvent, url: string, now: () => number): Webhook[]
}

export interface StartOptions {
  /** 0 or absent: any free port. */
  port?: number
  /** Address to listen on, 127.0.0.1 by default. */
  host?: string
  /** Target of webhooks, unless the payment has its own URL. */
  webhookUrl?: string
}

/**
 * A fake provider on this machine. It speaks the provider's protocol over HTTP, has payment pages, and can inject
 * faults. Tests control it with these methods; other processes with `POST /_control/<method>` and the arguments as a
 * JSON array.
 */
export interface FakeProvider {
  readonly url: string
  webhookUrl: string | undefined
  /** Finds a payment by page ID, payment ID or the merchant's reference, like the `id` of the methods below. */
  find(id: string): Payment | undefined
  payments(): Payment[]
  /** Pays as a payer would on the page. */
  pay(id: string, outcome?: Outcome, method?: Method): void
  /** Completes 3-D Secure. */
  answerChallenge(id: string, passed: boolean): void
  /** Leaves the page without paying. */
  leavePage(id: string): void
  /** Fails the latest refund, as if the payer’s bank had returned the money. */
  failRefund(id: string): void
  /** Opens a dispute of the payment. */
  dispute(id: string): void
  /** Moves the clock forward: pages expire, delayed payments are decided. */
  moveClock(ms: number): void
  /** Injects these faults into the next API requests, one each. Replaces faults that are still queued. */
  failNext(...faults: RequestFault[]): void
  /** Injects faults into API requests at random from now on. */
  setRequestFaults(faults: Partial<RequestFaults>): void
  /** Injects faults into webhooks from now on. */
  setWebhookFaults(faults: Partial<WebhookFaults>): void
  readonly webhooks: WebhookSender
  close(): Promise<void>
}

/** Settings and secrets of the account at a fake provider, without its base URL, and how to start the provider. */
export interface FakeAccount {
  settings: Record<string, string>
  secrets: Record<string, string>
  start(options?: StartOptions): Promise<FakeProvider>
}

const controlMethods = [
  'pay',
  'answerChallenge',
  'leavePage',
  'failRefund',
  'dispute',
  'moveClock',
  'failNext',
  'setRequestFaults',
  'setWebhookFaults',
] as const

/** Interval at which pages expire and delayed payments are decided without a request, in ms. */
const tick = 250

/** Starts a provider. @throws Error with the code EADDRINUSE if the port is taken */
export async function startFakeProvider(protocol: Protocol, options: StartOptions): Promise<FakeProvider> {
  const webhooks = new WebhookSender()
  const book = new PaymentBook(protocol.pageBehavior, (payment, event) => {
    const url = payment.webhookUrl ?? provider.webhookUrl
    if (url) for (const webhook of protocol.webhooksFor(payment, event, url, () => book.now())) webhooks.send(webhook)
  })
  const pageUrl = (payment: Payment) => `${server.url}/pay/${payment.pageId}`
  const server = new FakeProviderServer([
    ...protocol.routes({ book, pageUrl }),
    ...pageRoutes(book, protocol),
    ...controlRoutes(() => provider),
  ])
  const get = (id: string): Payment => {
    const payment = book.find(id)
    if (!payment) throw new Error(`${protocol.title} has no payment ${id}`)
    return payment
  }
  const ticking = setInterval(() => book.processDue(), tick).unref()
  const provider: FakeProvider = {
    url: '',
    webhookUrl: options.webhookUrl,
    webhooks,
    find: (id) => book.find(id),
    payments: () => book.list(),
    pay: (id, outcome = 'approved', method) => {
      const payment = get(id)
      expectKnown([outcome], outcomes)
      if (method !== undefined) expectKnown([method], methods)
      book.pay(payment, method ?? payment.methods[0]!, outcome)
    },
    answerChallenge: (id, passed) => book.answerChallenge(get(id), passed),
    leavePage: (id) => book.leavePage(get(id)),
    failRefund: (id) => book.failRefund(get(id)),
    dispute: (id) => book.dispute(get(id)),
    moveClock: (ms) => {
      if (!Number.isFinite(ms)) throw new TypeError('The time must be a number of milliseconds.')
      book.clockOffset += ms
      book.processDue()
    },
    failNext: (...faults) => {
      expectKnown(faults, requestFaults)
      server.nextFaults.splice(0, Infinity, ...faults)
    },
    setRequestFaults: (faults) => {
      expectKnown(Object.keys(faults), Object.keys(noRequestFaults))
      server.faults = { ...noRequestFaults, ...faults }
    },
    setWebhookFaults: (faults) => {
      expectKnown(Object.keys(faults), Object.keys(noWebhookFaults))
      webhooks.faults = { ...noWebhookFaults, ...faults }
    },
    close: async () => {
      clearInterval(ticking)
      webhooks.close()
      await server.close()
    },
  }

  await server.listen(options.port ?? 0, options.host ?? '127.0.0.1').catch((error: unknown) => {
    clearInterval(ticking)
    throw error
  })
  return Object.assign(provider, { url: server.url })
}

/** Routes that let other processes control the provider. */
function controlRoutes(provider: () => FakeProvider): Route[] {
  return [
    {
      kind: 'control',
      method: 'GET',
      pattern: '/_control/payments',
      handle: () => ({ status: 200, body: provider().payments() }),
    },
    controlRoute('webhookUrl', (url) => {
      if (!URL.canParse(String(url))) throw new TypeError(`${url} is not a URL.`)
      provider().webhookUrl = String(url)
    }),
    ...controlMethods.map((name) =>
      controlRoute(name, (...args) => (provider()[name] as (...args: unknown[]) => void)(...args)),
    ),
  ]
}

function controlRoute(name: string, act: (...args: unknown[]) => void): Route {
  return {
    kind: 'control',
    method: 'POST',
    pattern: `/_control/${name}`,
    handle: ({ body }) => {
      try {
        act(...parseArguments(body))
        return { status: 200, body: {} }
      } catch (error) {
        const status = error instanceof TypeError ? 400 : 404
        return { status, body: { error: { message: (error as Error).message } } }
      }
    },
  }
}

/** @throws TypeError if the body is not a JSON array */
function parseArguments(body: string): unknown[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    // Explained below.
  }
  if (!Array.isArray(parsed)) throw new TypeError('The body must be the arguments as a JSON array.')
  return parsed
}

/** Other processes may misspell a name. @throws TypeError */
function expectKnown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${unknown} is not one of ${known.join(', ')}.`)
}
