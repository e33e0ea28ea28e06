import { currentCarrier } from '../carriers/current.ts'

export function showLoading({ title = '', mask = false }: { title?: string; mask?: boolean } = {}): Promise<object> {
  return currentCarrier().call('showLoading', { title, mask })
}

export function hideLoading(): Promise<object> {
  return currentCarrier().call('hideLoading', {})
}
