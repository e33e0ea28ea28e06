import { call, flag, ignored, inHost, list, number, required, text, type, unchecked, word } from './entry.ts'

/** Drawn over the page and its bars. */
export const overlays = {
  /** Shows a short message over the page. It disappears by itself. */
  showToast: call({
    ...inHost,
    module: 'toast',
    method: 'showToast',
    options: {
      /** The message, of which two lines are shown. */
      title: text,
      /** Icon above the message; `success` by default. */
      icon: word<'success' | 'error' | 'fail' | 'loading' | 'none' | 'exception'>(),
      /** Shown instead of the icon. */
      image: text,
      /** How long it is shown, in ms; 1500 by default. */
      duration: number,
      /** Blocks touches behind the toast; false by default. */
      mask: flag,
      /** Where the message is; in the middle by default. */
      position: word<'top' | 'center' | 'bottom'>(),
    },
  }),
  /** Hides the message. */
  hideToast: call({ ...inHost, module: 'toast', method: 'hideToast' }),
  /** Shows that something is loading, until `hideLoading` is called. */
  showLoading: call({
    ...inHost,
    module: 'loading',
    method: 'showLoading',
    options: {
      /** Text below the indicator. */
      title: text,
      /** Blocks touches behind it; false by default. */
      mask: flag,
    },
  }),
  /** Hides the indicator of `showLoading`. */
  hideLoading: call({ ...inHost, module: 'loading', method: 'hideLoading' }),
  /** Shows a dialog, and returns which button the user has chosen. */
  showModal: call({
    ...inHost,
    module: 'modal',
    method: 'showModal',
    options: {
      /** Title of the dialog. */
      title: text,
      /** Text of the dialog. */
      content: text,
      /** Whether there is a button to cancel; true by default. */
      showCancel: flag,
      /** Text of the button to cancel. Texts and colors of the buttons are those of the device by default. */
      cancelText: text,
      /** Color of the button to cancel. */
      cancelColor: text,
      /** Text of the button to confirm. */
      confirmText: text,
      /** Color of the button to confirm. */
      confirmColor: text,
      /** Shows an input field, whose text is returned as `content`; false by default. */
      editable: flag,
      /** Placeholder of the input field. */
      placeholderText: text,
    },
    result: type<{
      /** Whether the user has confirmed. */
      confirm: boolean
      /** Whether the user has canceled. */
      cancel: boolean
      /** What the user has entered; only with `editable`. */
      content?: string
    }>(),
  }),
  /** Closes the dialogs of `showModal`, which return `cancel`. */
  hideModal: call({ ...inHost, module: 'modal', method: 'hideModal' }),
  /** Shows a list of choices. Fails with `cancel` if nothing is chosen. */
  showActionSheet: call({
    ...inHost,
    fails: ['canceled'],
    module: 'modal',
    method: 'showActionSheet',
    options: {
      /** Title above the choices. */
      title: text,
      /** Another name for the title. */
      alertText: unchecked<string>(),
      /** Texts of the choices, at most 100. */
      itemList: required(list<string>()),
      /** Color of the choices. */
      itemColor: text,
      popover: ignored<object>(),
    },
    result: type<{
      /** Index of the choice, from 0. */
      tapIndex: number
    }>(),
  }),
  /** Closes the sheets of `showActionSheet`, which fail with `cancel`. */
  hideActionSheet: call({ ...inHost, module: 'modal', method: 'hideActionSheet' }),
  /** Shows images full-screen. */
  previewImage: call({
    ...inHost,
    fails: ['noImages', 'notApproved'],
    module: 'image',
    method: 'previewImage',
    options: {
      /** Addresses or paths of the images. */
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
    fails: ['noImages', 'notApproved'],
    module: 'image',
    method: 'previewImage',
    differs: 'leaves out videos',
    options: {
      /** The images, in their order. */
      sources: required(
        list<{
          /** Address or path. */
          url: string
          /** Kind of the file; `image` by default. */
          type?: 'image' | 'video'
          /** Not shown, because videos are left out. */
          poster?: string
        }>(),
      ),
      /** Index of the first one to show; 0 by default. */
      current: number,
      showmenu: ignored<boolean>(),
    },
  }),
  /** Closes the images of `previewImage` and `previewMedia`. */
  closePreviewImage: call({ ...inHost, module: 'image', method: 'closePreviewImage' }),
}
