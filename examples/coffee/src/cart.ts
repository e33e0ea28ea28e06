import { computed, ref, watch } from 'vue'
import { menu } from './menu.ts'
import type { Order } from './orders.ts'

interface Cart {
  /** How many of each drink. */
  quantities: Record<string, number>
  /** The unpaid order that takes these contents; none for a new one. */
  changes?: number
}

const key = 'cart'
const tab = 1
/** Of one drink. */
const most = 20

/** What the user is about to order. It is kept from one visit to the next. */
export const cart = ref<Cart>({ quantities: {} })

/** Its drinks, as far as they are on the menu. */
export const items = computed(() =>
  menu.value.drinks
    .map((drink) => ({ ...drink, quantity: cart.value.quantities[drink.id] ?? 0 }))
    .filter(({ quantity }) => quantity > 0),
)

/** In cents. */
export const total = computed(() => items.value.reduce((sum, { price, quantity }) => sum + price * quantity, 0))

export function openCart(): void {
  cart.value = neu.getStorageSync(key) || { quantities: {} }
  watch(cart, (data) => neu.setStorage({ key, data }), { deep: true })
  watch(cart, showBadge, { deep: true, immediate: true })
}

function showBadge(): void {
  const count = Object.values(cart.value.quantities).reduce((sum, quantity) => sum + quantity, 0)
  if (count > 0) neu.setTabBarBadge({ index: tab, text: String(count) })
  else neu.removeTabBarBadge({ index: tab })
}

export function addToCart(drink: string, count: number): void {
  const { quantities } = cart.value
  quantities[drink] = Math.min(most, Math.max(0, (quantities[drink] ?? 0) + count))
}

export function emptyCart(): void {
  cart.value = { quantities: {} }
}

/** The contents of an order, to have them again or, while it is unpaid, to change them. */
export function fillCart({ id, items, state }: Order): void {
  const quantities = Object.fromEntries(items.map(({ drink, quantity }) => [drink, quantity]))
  cart.value = state === 'unpaid' ? { quantities, changes: id } : { quantities }
}
