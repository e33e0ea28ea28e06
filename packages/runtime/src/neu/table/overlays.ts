import { call, flag, ignored, inHost, list, number, required, text, type, unchecked, word } from './entry.ts'

/** Drawn over the page and its bars. */
export const overlays = {
  showToast: call({
    ...inHost,
    module: 'toast',
    method: 'showToast',
    options: {
      title: text,
      icon: word<'success' | 'error' | 'fail' | 'loading' | 'none' | 'exception'>(),
      /** Shown instead of the icon. */
      image: text,
      /** In ms. */
      duration: number,
      /** Blocks touches behind the toast. */
      mask: flag,
      position: word<'top' | 'center' | 'bottom'>(),
    },
  }),
  hideToast: call({ ...inHost, module: 'toast', method: 'hideToast' }),
  showLoading: call({ ...inHost, module: 'loading', method: 'showLoading', options: { title: text, mask: flag } }),
  hideLoading: call({ ...inHost, module: 'loading', method: 'hideLoading' }),
  showModal: call({
    ...inHost,
    module: 'modal',
    method: 'showModal',
    options: {
      title: text,
      content: text,
      showCancel: flag,
      /** Texts and colors of the buttons; by default those of the device. */
      cancelText: text,
      cancelColor: text,
      confirmText: text,
      confirmColor: text,
      /** Shows an input field; its text is returned as `content`. */
      editable: flag,
      placeholderText: text,
    },
    result: type<{ confirm: boolean; cancel: boolean; content?: string }>(),
  }),
  /** Closes the dialogs of `showModal`, which return `cancel`. */
  hideModal: call({ ...inHost, module: 'modal', method: 'hideModal' }),
  /** Fails with `cancel` if nothing is chosen. */
  showActionSheet: call({
    ...inHost,
    module: 'modal',
    method: 'showActionSheet',
    options: {
      title: text,
      /** Another name for the title. */
      alertText: unchecked<string>(),
      itemList: required(list<string>()),
      itemColor: text,
      popover: ignored<object>(),
    },
    result: type<{ tapIndex: number }>(),
  }),
  /** Closes the sheets of `showActionSheet`, which fail with `cancel`. */
  hideActionSheet: call({ ...inHost, module: 'modal', method: 'hideActionSheet' }),
  /** Shows images full-screen. */
  previewImage: call({
    ...inHost,
    module: 'image',
    method: 'previewImage',
    options: {
      urls: required(unchecked<string[]>()),
      /** The first image to show: its index or its address. */
      current: unchecked<number | string>(),
      showmenu: ignored<boolean>(),
      indicator: ignored<'default' | 'number' | 'none'>(),
      loop: ignored<boolean>(),
      longPressActions: ignored<object>(),
    },
  }),
  /** Shows images full-screen. Videos are left out. */
  previewMedia: call({
    ...inHost,
    module: 'image',
    method: 'previewImage',
    differs: 'leaves out videos',
    options: {
      sources: required(list<{ url: string; type?: 'image' | 'video'; poster?: string }>()),
      current: number,
      showmenu: ignored<boolean>(),
    },
  }),
  /** Closes the images of `previewImage` and `previewMedia`. */
  closePreviewImage: call({ ...inHost, module: 'image', method: 'closePreviewImage' }),
}
