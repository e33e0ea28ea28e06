/** Methods that draw over page and bars, and that mini apps call directly. */
export const overlayMethods = [
  'showToast',
  'hideToast',
  'showLoading',
  'hideLoading',
  'showModal',
  'hideModal',
  'showActionSheet',
  'hideActionSheet',
  'previewImage',
  'closePreviewImage',
] as const

/** Methods that also draw over page and bars, but that the host application offers, which may ask the user first. */
export const offeredOverlays = ['scanCode', 'openLocation', 'chooseLocation'] as const
