import { computed, ref, watch } from 'vue'
import { menu } from './menu.ts'
import type { Order } from './orders.ts'

interface Cart {
  /** Quantities by drink. */
  quantities: Record<string, number>
  /** The unpaid order that is being changed; undefined for a new order. */
  changes?: number
}

const key = 'cart'
const tabIndex = 1
const maxQuantity = 20

/** The cart, which is stored between visits. */
export const cart = ref<Cart>({ quantities: {} })

/** The drinks in the cart that are on the menu. */
export const items = computed(() =>
  menu.value.drinks
    .map((drink) => ({ ...drink, quantity: cart.value.quantities[drink.id] ?? 0 }))
    .filter(({ quantity }) => quantity > 0),
)

/** The price of all items in cents. */
export const total = computed(() => items.value.reduce((sum, { price, quantity }) => sum + price * quantity, 0))

export function openCart(): void {
  cart.value = neu.getStorageSync(key) || { quantities: {} }
  watch(cart, (data) => neu.setStorage({ key, data }), { deep: true })
  watch(cart, showBadge, { deep: true, immediate: true })
}

function showBadge(): void {
  const count = Object.values(cart.value.quantities).reduce((sum, quantity) => sum + quantity, 0)
  if (count > 0) neu.setTabBarBadge({ index: tabIndex, text: String(count) })
  else neu.removeTabBarBadge({ index: tabIndex })
}

export function addToCart(drink: string, count: number): void {
  const { quantities } = cart.value
  quantities[drink] = Math.min(maxQuantity, Math.max(0, (quantities[drink] ?? 0) + count))
}

export function emptyCart(): void {
  cart.value = { quantities: {} }
}

/** Fills the cart with the contents of an order: to change it while it is unpaid, otherwise to order again. */
export function fillCart({ id, items, state }: Order): void {
  const quantities = Object.fromEntries(items.map(({ drink, quantity }) => [drink, quantity]))
  cart.value = state === 'unpaid' ? { quantities, changes: id } : { quantities }
}
