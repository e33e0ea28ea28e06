import { ref } from 'vue'
import { callBackend } from './backend.ts'

export interface Drink {
  id: string
  name: string
  note: string
  /** In cents. */
  price: number
}

export const menu = ref<{ currency: string; drinks: Drink[] }>({ currency: 'SAR', drinks: [] })

export async function loadMenu(): Promise<void> {
  menu.value = await callBackend('GET', '/menu')
}
