import { currentCarrier } from '../carriers/current.ts'

export interface ModalOptions {
  title?: string
  content?: string
  showCancel?: boolean
  /** Texts and colors of the buttons; by default those of the device. */
  cancelText?: string
  cancelColor?: string
  confirmText?: string
  confirmColor?: string
  /** Shows an input field; its text is returned as `content`. */
  editable?: boolean
  placeholderText?: string
}

export function showModal(options: ModalOptions = {}): Promise<{
  confirm: boolean
  cancel: boolean
  content?: string
}> {
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

/** Fails with `cancel` if nothing is chosen. */
export function showActionSheet({
  alertText = '',
  title = alertText,
  itemList,
  itemColor = '',
}: {
  title?: string
  /** Another name for the title. */
  alertText?: string
  itemList: string[]
  itemColor?: string
}): Promise<{ tapIndex: number }> {
  return currentCarrier().call('showActionSheet', { title, itemList: itemList.map(String), itemColor })
}
