import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Language, Souk } from '@souk/sdk'
import { currency, drinkOf, isDrink, menu } from './menu.ts'
import { Refusal, type Shop } from './shop.ts'
import type { Customer, Item, Order } from './store.ts'

/** What a route gets. */
interface Call {
  shop: Shop
  language: Language
  /** Of the path. */
  id: number
  /** As it came: not checked. */
  body: Record<string, unknown>
  /** Whose token it is. @throws Refusal */
  customer(): Customer
}

/** The shop over HTTP: JSON in and out; a number in a path is `:id`. */
const routes: Record<string, (call: Call) => unknown> = {
  'POST /sessions': ({ shop, body }) => shop.logIn(text(body.code)),
  'GET /me': ({ customer }) => me(customer()),
  'POST /me/phone': async ({ shop, body }) => me(await shop.takePhone(text(body.code))),
  'GET /menu': ({ language }) => ({
    currency,
    drinks: menu.map(({ id, price, name, note }) => ({ id, price, name: name[language], note: note[language] })),
  }),
  'GET /orders': ({ shop, customer, language }) => shop.orders(customer()).map((order) => shown(order, language)),
  'POST /orders': async ({ shop, customer, body, language }) =>
    shown(await shop.place(customer(), items(body.items), language), language),
  'GET /orders/:id': ({ shop, customer, id, language }) => shown(shop.order(customer(), id), language),
  'PUT /orders/:id': async ({ shop, customer, id, body, language }) =>
    shown(await shop.change(customer(), id, items(body.items)), language),
  'POST /orders/:id/refresh': async ({ shop, customer, id, language }) =>
    shown(await shop.refresh(customer(), id), language),
  'POST /orders/:id/cancel': async ({ shop, customer, id, language }) =>
    shown(await shop.cancel(customer(), id), language),
  'POST /orders/:id/collect': async ({ shop, customer, id, language }) =>
    shown(await shop.collect(customer(), id), language),
}

/** A mini app has an origin of nobody, so every answer is open to all, and customers are known by their token alone. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
}

/** Answers requests of the mini app, and payment results of Souk at `/payment-result`. */
export function backend(shop: Shop, souk: Souk): RequestListener {
  const receivePayment = souk.callbacks.node((payment) => shop.settle(payment))

  return async (request, response) => {
    const [pathname = ''] = (request.url ?? '').split('?')
    if (pathname === '/payment-result') return receivePayment(request, response)
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
    const { status, body } = await answer(shop, request, pathname)
    response.writeHead(status, { ...cors, 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

async function answer(shop: Shop, request: IncomingMessage, pathname: string) {
  try {
    const name = `${request.method} ${pathname.replace(/\/\d+(?=\/|$)/, '/:id')}`
    if (!Object.hasOwn(routes, name)) throw new Refusal(404, 'not_found')
    const body = await routes[name]!({
      shop,
      language: languageOf(request.headers['accept-language']),
      id: Number(/\d+/.exec(pathname)?.[0]),
      body: await readJson(request),
      customer: () => shop.customer(request.headers.authorization?.replace(/^Bearer /, '') ?? ''),
    })
    return { status: 200, body }
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { code: error.code } }
    console.error(error)
    return { status: 500, body: { code: 'failed' } }
  }
}

/** Listens on this port, or on the next one that is free. */
export async function listen(port: number, host = '127.0.0.1'): Promise<{ server: Server; port: number }> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return { server, port: (server.address() as AddressInfo).port }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listen(port + 1, host)
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > 10_000) throw new Refusal(400, 'malformed')
  }
  if (text === '') return {}
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new Refusal(400, 'malformed')
  }
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Refusal(400, 'malformed')
  return value
}

function items(value: unknown): Item[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > menu.length) throw new Refusal(400, 'malformed')
  return value.map((item) => {
    const { drink, quantity } = Object(item)
    const isItem = isDrink(drink) && Number.isInteger(quantity) && quantity >= 1 && quantity <= 20
    if (!isItem) throw new Refusal(400, 'malformed')
    return { drink, quantity }
  })
}

/** What a page says of its user, in the words of Souk. */
function languageOf(header = ''): Language {
  return header.startsWith('zh') ? 'zh_CN' : header.startsWith('ar') ? 'ar_SA' : 'en_US'
}

/** An order as its customer sees it. */
function shown({ id, state, items, amount, tradeNo, time }: Order, language: Language) {
  const named = items.map(({ drink, quantity }) => {
    const { name, price } = drinkOf(drink)
    return { drink, quantity, name: name[language], price }
  })
  return { id, state, items: named, amount, currency, tradeNo, time }
}

function me({ name, phone }: Customer) {
  return { name, phone }
}
