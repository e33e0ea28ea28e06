import * as appearance from './appearance.ts'
import * as bars from './bars.ts'
import { type ArgumentType, check } from './check.ts'
import * as clipboard from './clipboard.ts'
import * as device from './device.ts'
import * as image from './image.ts'
import * as loading from './loading.ts'
import * as login from './login.ts'
import * as modal from './modal.ts'
import * as navigation from './navigation.ts'
import './others.ts'
import * as payment from './payment.ts'
import * as rare from './rare.ts'
import * as request from './request.ts'
import * as scrolling from './scrolling.ts'
import * as socket from './socket.ts'
import { clearStorage, getStorage, getStorageInfo, removeStorage, setStorage } from './storage.ts'
import { getSystemInfo, getSystemInfoAsync } from './system.ts'
import * as tabBar from './tabBar.ts'
import { takesListener } from './takesListener.ts'
import * as toast from './toast.ts'

export { scrollTo } from '../page/scrollTo.ts'
export { createNavigation } from '../stack/navigation.ts'
export { fallback } from './fallback.ts'
export { afterCall, beforeCall } from './intercepted.ts'

/** Services that no first page needs: loaded after the first page, or when first called. */
export const services = {
  ...appearance,
  ...bars,
  ...clipboard,
  ...device,
  ...image,
  ...loading,
  ...login,
  ...modal,
  ...navigation,
  ...payment,
  ...rare,
  ...request,
  ...scrolling,
  ...socket,
  setStorage,
  getStorage,
  removeStorage,
  clearStorage,
  getStorageInfo,
  getSystemInfo,
  getSystemInfoAsync,
  ...tabBar,
  ...toast,
}

export type Services = typeof services

const index: ArgumentType = 'number!'
const url: ArgumentType = 'string!'
const key: ArgumentType = 'string!'

const args: { [N in keyof Services]?: Record<string, ArgumentType> } = {
  navigateTo: { url, events: 'object' },
  redirectTo: { url },
  reLaunch: { url },
  switchTab: { url },
  navigateBack: { delta: 'number' },
  preloadPage: { url },
  pageScrollTo: { scrollTop: 'number', selector: 'string', offsetTop: 'number', duration: 'number' },
  setNavigationBarTitle: { title: 'string!' },
  setPageMeta: {
    pageStyle: 'string',
    rootFontSize: 'string',
    rootBackgroundColor: 'string',
    backgroundColor: 'string',
    backgroundColorTop: 'string',
    backgroundColorBottom: 'string',
    backgroundTextStyle: 'string',
    scrollDuration: 'number',
  },
  setNavigationBarColor: { frontColor: 'string', backgroundColor: 'string', animation: 'object' },
  request: { url },
  uploadFile: { url },
  downloadFile: { url },
  setStorage: { key },
  getStorage: { key },
  removeStorage: { key },
  showToast: {
    title: 'string',
    icon: 'string',
    image: 'string',
    duration: 'number',
    mask: 'boolean',
    position: 'string',
  },
  showLoading: { title: 'string', mask: 'boolean' },
  showModal: {
    title: 'string',
    content: 'string',
    showCancel: 'boolean',
    cancelText: 'string',
    cancelColor: 'string',
    confirmText: 'string',
    confirmColor: 'string',
    editable: 'boolean',
    placeholderText: 'string',
  },
  showActionSheet: { title: 'string', itemList: 'array!', itemColor: 'string' },
  setClipboardData: { data: 'string!' },
  makePhoneCall: { phoneNumber: 'string!' },
  getImageInfo: { src: 'string!' },
  setTabBarItem: {
    index,
    text: 'string',
    iconPath: 'string',
    selectedIconPath: 'string',
    pagePath: 'string',
    visible: 'boolean',
    iconfont: 'object',
  },
  setTabBarStyle: { color: 'string', selectedColor: 'string', backgroundColor: 'string', borderStyle: 'string' },
  setTabBarBadge: { index, text: 'string!' },
  removeTabBarBadge: { index },
  showTabBarRedDot: { index },
  hideTabBarRedDot: { index },
  showTabBar: { animation: 'boolean' },
  hideTabBar: { animation: 'boolean' },
  connectSocket: { url },
  openLocation: { latitude: 'number!', longitude: 'number!', scale: 'number' },
  chooseLocation: { latitude: 'number', longitude: 'number' },
  loadFontFace: { family: 'string!', source: 'string!' },
  saveImageToPhotosAlbum: { filePath: 'string!' },
  saveVideoToPhotosAlbum: { filePath: 'string!' },
  openDocument: { filePath: 'string!' },
  getFileInfo: { filePath: 'string!' },
  getVideoInfo: { src: 'string!' },
  compressImage: { src: 'string!', quality: 'number' },
  previewMedia: { sources: 'array!', current: 'number' },
  setKeepScreenOn: { keepScreenOn: 'boolean!' },
  canvasPutImageData: { data: 'object!' },
  scanCode: { onlyFromCamera: 'boolean', scanType: 'array' },
  saveFile: { tempFilePath: 'string!', filePath: 'string' },
  getSavedFileInfo: { filePath: 'string!' },
  removeSavedFile: { filePath: 'string!' },
  navigateToMiniProgram: { appId: 'string!', path: 'string', envVersion: 'string' },
  launchApp: { url: 'string', identity: 'string' },
  restartMiniProgram: { path: 'string' },
  setEnableDebug: { enableDebug: 'boolean!' },
  invokeNativePlugin: { api_name: 'string!' },
  share: { title: 'string', summary: 'string', href: 'string', imageUrl: 'string', mediaUrl: 'string' },
  shareWithSystem: { summary: 'string', href: 'string', imageUrl: 'string' },
  shareMiniAppMessage: { title: 'string', path: 'string', imageUrl: 'string' },
  startAccelerometer: { interval: 'string' },
  startGyroscope: { interval: 'string' },
  chooseVideo: { sourceType: 'array' },
  chooseMedia: { count: 'number', mediaType: 'array', sourceType: 'array' },
  chooseFile: { count: 'number', extension: 'array' },
  chooseMessageFile: { count: 'number', extension: 'array' },
}

/** Calls a function. Throws if there is none of this name, or if the options are invalid. */
export function serve<N extends keyof Services>(name: N, options: never): ReturnType<Services[N]> {
  if (!Object.hasOwn(services, name)) throw new Error('not supported')
  if (!takesListener(name)) check(name, options, args[name])
  return (services[name] as unknown as (options: never) => ReturnType<Services[N]>)(options)
}
