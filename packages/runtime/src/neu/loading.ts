import { currentCarrier } from '../carriers/current.ts'
import type { Options } from './table/types.ts'

export function showLoading({ title = '', mask = false }: Options<'showLoading'> = {}): Promise<object> {
  return currentCarrier().call('showLoading', { title, mask })
}

export function hideLoading(): Promise<object> {
  return currentCarrier().call('hideLoading', {})
}
