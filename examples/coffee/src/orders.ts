import { ask } from './backend.ts'
import type { words } from './words/index.ts'

export interface Order {
  id: number
  state: keyof typeof words.value.states
  /** Prices and amount in cents. */
  items: { drink: string; name: string; price: number; quantity: number }[]
  amount: number
  currency: string
  tradeNo: string
  /** Ms. */
  time: number
}

export const readOrders = () => ask<Order[]>('GET', '/orders')
export const readOrder = (id: number) => ask<Order>('GET', `/orders/${id}`)

type Contents = { drink: string; quantity: number }[]

export const placeOrder = (items: Contents) => ask<Order>('POST', '/orders', { items })
export const changeOrder = (id: number, items: Contents) => ask<Order>('PUT', `/orders/${id}`, { items })
export const cancelOrder = (id: number) => ask<Order>('POST', `/orders/${id}/cancel`)
export const collectOrder = (id: number) => ask<Order>('POST', `/orders/${id}/collect`)

/** Has the backend ask Souk for the trade, until it is not processing any more. */
export const refreshOrder = (id: number) => ask<Order>('POST', `/orders/${id}/refresh`)

/** Payment flow: the host shows its cashier. What it says afterwards proves nothing, so the backend asks. */
export async function payOrder({ id, tradeNo, amount, currency }: Order): Promise<Order> {
  const { status } = await neu.requestPayment({
    tradeNo,
    name: 'Souk Coffee',
    country: 'SA',
    currency,
    amount: (amount / 100).toFixed(2),
  })
  const isClosed = status === 0
  return isClosed ? readOrder(id) : refreshOrder(id)
}
