import { currentCarrier } from '../carriers/current.ts'
import type { Options, Result } from './table/types.ts'

export function showModal(options: Options<'showModal'> = {}): Promise<Result<'showModal'>> {
  return currentCarrier().call('showModal', {
    title: '',
    content: '',
    showCancel: true,
    cancelText: '',
    cancelColor: '',
    confirmText: '',
    confirmColor: '',
    editable: false,
    placeholderText: '',
    // Callbacks are not sent to the host.
    ...Object.fromEntries(
      Object.entries(options).filter(([, value]) => value !== undefined && typeof value !== 'function'),
    ),
  })
}

export function showActionSheet({
  alertText = '',
  title = alertText,
  itemList,
  itemColor = '',
}: Options<'showActionSheet'>): Promise<Result<'showActionSheet'>> {
  return currentCarrier().call('showActionSheet', { title, itemList: itemList.map(String), itemColor })
}

export const hideModal = (): Promise<object> => currentCarrier().call('hideModal', {})

export const hideActionSheet = (): Promise<object> => currentCarrier().call('hideActionSheet', {})
