import { callBackend } from './backend.ts'
import type { words } from './words/index.ts'

export interface Order {
  id: number
  state: keyof typeof words.value.states
  /** Prices and amount in cents. */
  items: { drink: string; name: string; price: number; quantity: number }[]
  amount: number
  currency: string
  tradeNo: string
  /** Creation time in ms. */
  time: number
}

export const readOrders = () => callBackend<Order[]>('GET', '/orders')
export const readOrder = (id: number) => callBackend<Order>('GET', `/orders/${id}`)

type Contents = { drink: string; quantity: number }[]

export const placeOrder = (items: Contents) => callBackend<Order>('POST', '/orders', { items })
export const changeOrder = (id: number, items: Contents) => callBackend<Order>('PUT', `/orders/${id}`, { items })
export const cancelOrder = (id: number) => callBackend<Order>('POST', `/orders/${id}/cancel`)
export const collectOrder = (id: number) => callBackend<Order>('POST', `/orders/${id}/collect`)

/** Makes the backend poll the trade until it is no longer processing. */
export const refreshOrder = (id: number) => callBackend<Order>('POST', `/orders/${id}/refresh`)

/** Payment flow: the host shows its cashier. Its result is not proof of payment, so the backend queries the trade. */
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
