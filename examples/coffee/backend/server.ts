import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Language, Souk } from '@souk/sdk'
import { currency, drinkOf, isDrink, menu } from './menu.ts'
import { type Shop, ShopError } from './shop.ts'
import type { Customer, Item, Order } from './store.ts'

/** The input of a route. */
interface Call {
  shop: Shop
  language: Language
  /** The number in the path. */
  id: number
  /** The body, not validated. */
  body: Record<string, unknown>
  /** Returns the logged-in customer. @throws ShopError if the token is invalid */
  customer(): Customer
}

/** The routes by method and path. Bodies are JSON; `:id` stands for the number in the path. */
const routes: Record<string, (call: Call) => unknown> = {
  'POST /sessions': ({ shop, body }) => shop.logIn(text(body.code)),
  'GET /me': ({ customer }) => formatCustomer(customer()),
  'POST /me/phone': async ({ shop, body }) => formatCustomer(await shop.savePhone(text(body.code))),
  'GET /menu': ({ language }) => ({
    currency,
    drinks: menu.map(({ id, price, name, note }) => ({ id, price, name: name[language], note: note[language] })),
  }),
  'GET /orders': ({ shop, customer, language }) => shop.orders(customer()).map((order) => formatOrder(order, language)),
  'POST /orders': async ({ shop, customer, body, language }) =>
    formatOrder(await shop.place(customer(), items(body.items), language), language),
  'GET /orders/:id': ({ shop, customer, id, language }) => formatOrder(shop.order(customer(), id), language),
  'PUT /orders/:id': async ({ shop, customer, id, body, language }) =>
    formatOrder(await shop.change(customer(), id, items(body.items)), language),
  'POST /orders/:id/refresh': async ({ shop, customer, id, language }) =>
    formatOrder(await shop.refresh(customer(), id), language),
  'POST /orders/:id/cancel': async ({ shop, customer, id, language }) =>
    formatOrder(await shop.cancel(customer(), id), language),
  'POST /orders/:id/collect': async ({ shop, customer, id, language }) =>
    formatOrder(await shop.collect(customer(), id), language),
}

/** Mini apps run in frames with an opaque origin, so any origin is allowed. Customers are identified by their token. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
}

/** Handles requests of the mini app, and payment results from Souk at `/payment-result`. */
export function backend(shop: Shop, souk: Souk): RequestListener {
  const receivePayment = souk.callbacks.node((payment) => shop.settle(payment))

  return async (request, response) => {
    const [pathname = ''] = (request.url ?? '').split('?')
    if (pathname === '/payment-result') return receivePayment(request, response)
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
    const { status, body } = await handle(shop, request, pathname)
    response.writeHead(status, { ...cors, 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

async function handle(shop: Shop, request: IncomingMessage, pathname: string) {
  try {
    const name = `${request.method} ${pathname.replace(/\/\d+(?=\/|$)/, '/:id')}`
    if (!Object.hasOwn(routes, name)) throw new ShopError(404, 'not_found')
    const body = await routes[name]!({
      shop,
      language: languageOf(request.headers['accept-language']),
      id: Number(/\d+/.exec(pathname)?.[0]),
      body: await readJson(request),
      customer: () => shop.customer(request.headers.authorization?.replace(/^Bearer /, '') ?? ''),
    })
    return { status: 200, body }
  } catch (error) {
    if (error instanceof ShopError) return { status: error.status, body: { code: error.code } }
    console.error(error)
    return { status: 500, body: { code: 'failed' } }
  }
}

/** Listens on the port, or on the next free one. */
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
    if (text.length > 10_000) throw new ShopError(400, 'malformed')
  }
  if (text === '') return {}
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new ShopError(400, 'malformed')
  }
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new ShopError(400, 'malformed')
  return value
}

function items(value: unknown): Item[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > menu.length) throw new ShopError(400, 'malformed')
  return value.map((item) => {
    const { drink, quantity } = Object(item)
    const isItem = isDrink(drink) && Number.isInteger(quantity) && quantity >= 1 && quantity <= 20
    if (!isItem) throw new ShopError(400, 'malformed')
    return { drink, quantity }
  })
}

/** Converts an Accept-Language header to a language of Souk. */
function languageOf(header = ''): Language {
  return header.startsWith('zh') ? 'zh_CN' : header.startsWith('ar') ? 'ar_SA' : 'en_US'
}

/** Formats an order for the mini app. */
function formatOrder({ id, state, items, amount, tradeNo, time }: Order, language: Language) {
  const itemsWithNames = items.map(({ drink, quantity }) => {
    const { name, price } = drinkOf(drink)
    return { drink, quantity, name: name[language], price }
  })
  return { id, state, items: itemsWithNames, amount, currency, tradeNo, time }
}

function formatCustomer({ name, phone }: Customer) {
  return { name, phone }
}
