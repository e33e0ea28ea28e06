import { beforeAll, expect, it, vi } from 'vitest'
import { memoryApp } from '../../test/memoryApp.ts'
import { apis } from './apis.ts'
import { services } from './services.ts'

// Constants of the build.
Object.assign(globalThis, { __SOUK_PLATFORM__: 'App', __SOUK_UNI_APP__: false })

/**
 * Options beside callbacks that uni-app or the original platform documents, by function.
 */
const documented: Record<string, string> = {
  navigateTo: 'url animationType animationDuration events',
  redirectTo: 'url',
  reLaunch: 'url',
  switchTab: 'url',
  navigateBack: 'delta animationType animationDuration',
  preloadPage: 'url',
  pageScrollTo: 'scrollTop selector duration offsetTop',
  setNavigationBarTitle: 'title',
  setNavigationBarColor: 'frontColor backgroundColor animation',
  setPageMeta:
    'pageStyle rootFontSize rootBackgroundColor backgroundColor backgroundColorTop backgroundColorBottom ' +
    'backgroundTextStyle scrollTop scrollDuration',
  setTabBarItem: 'index text iconPath selectedIconPath pagePath visible iconfont',
  setTabBarBadge: 'index text',
  removeTabBarBadge: 'index',
  showTabBarRedDot: 'index',
  hideTabBarRedDot: 'index',
  showTabBar: 'animation',
  hideTabBar: 'animation',
  login: 'provider scopes timeout univerifyStyle onlyAuthorize',
  getAuthCode: 'scope',
  getUserProfile: 'provider desc lang',
  getUserInfo: 'provider withCredentials lang timeout',
  requestPayment:
    'tradeNo transactionNo name country currency amount provider orderInfo timeStamp nonceStr package signType paySign',
  request:
    'url data header method timeout dataType responseType sslVerify withCredentials firstIpv4 enableHttp2 enableQuic ' +
    'enableCache enableHttpDNS httpDNSServiceId enableChunked forceCellularNetwork enableCookie cloudCache defer',
  uploadFile: 'url files fileType file filePath name header timeout formData',
  downloadFile: 'url header timeout filePath',
  connectSocket: 'url multiple header method protocols',
  sendSocketMessage: 'data',
  setStorage: 'key data',
  getStorage: 'key',
  removeStorage: 'key',
  showToast: 'title icon image mask duration position',
  showLoading: 'title mask',
  showModal: 'title content showCancel cancelText cancelColor confirmText confirmColor editable placeholderText',
  showActionSheet: 'title alertText itemList itemColor popover',
  previewImage: 'current showmenu urls indicator loop longPressActions',
  previewMedia: 'sources current showmenu',
  setClipboardData: 'data showToast',
  makePhoneCall: 'phoneNumber',
  vibrateShort: 'type',
  scanCode: 'onlyFromCamera scanType sound autoDecodeCharset barCodeInput hideAlbum autoZoom',
  getLocation: 'type altitude geocode highAccuracyExpireTime isHighAccuracy timeout cacheTimeout provider',
  chooseLocation: 'latitude longitude keyword',
  openLocation: 'latitude longitude scale name address',
  startAccelerometer: 'interval',
  startGyroscope: 'interval',
  share:
    'provider type title scene summary href imageUrl mediaUrl miniProgram openCustomerServiceChat corpid customerUrl',
  shareWithSystem: 'type summary href imageUrl',
  shareMiniAppMessage: 'title path imageUrl extraData',
  navigateToMiniProgram: 'appId path extraData envVersion',
  launchApp: 'url identity',
  restartMiniProgram: 'path',
  setEnableDebug: 'enableDebug',
  invokeNativePlugin: 'api_name data',
  chooseImage: 'count sizeType extension sourceType crop',
  chooseVideo: 'sourceType extension compressed maxDuration camera',
  chooseMedia: 'count mediaType sourceType maxDuration sizeType camera',
  chooseFile: 'count type extension sourceType',
  chooseMessageFile: 'count type extension',
  getImageInfo: 'src',
  getVideoInfo: 'src',
  getFileInfo: 'filePath digestAlgorithm',
  compressImage: 'src quality width height compressedWidth compressedHeight rotate',
  saveImageToPhotosAlbum: 'filePath',
  saveVideoToPhotosAlbum: 'filePath',
  openDocument: 'filePath fileType showMenu',
  saveFile: 'tempFilePath filePath',
  getSavedFileInfo: 'filePath',
  removeSavedFile: 'filePath',
  setKeepScreenOn: 'keepScreenOn',
  loadFontFace: 'family source desc global scopes',
  authorize: 'scope',
  getSetting: 'withSubscriptions',
  openSetting: 'withSubscriptions',
  getProvider: 'service',
}

/** Read when a tab bar, a connection or a canvas is found. */
const later = 'setTabBarStyle closeSocket canvasToTempFilePath canvasGetImageData canvasPutImageData'
const withoutOptions = 'startCompass getSavedFileList openPressReader'

const values: Record<string, unknown> = { url: '/pages/a/a', urls: ['a'], sources: ['a'], itemList: ['a'] }

/** Calls a function, and returns the options that it reads, now or later. */
function readOptions(name: string): Set<string> {
  const read = new Set<string>()
  const options = new Proxy({} as Record<string, unknown>, {
    get: (_, option) => {
      read.add(String(option))
      return values[String(option)]
    },
    has: (_, option) => Boolean(read.add(String(option))),
    // Spread or enumerated: all of them.
    ownKeys: () => {
      for (const option of documented[name]!.split(' ')) read.add(option)
      return []
    },
  })
  const called = services[name as 'login'] as unknown as (options: object) => unknown
  ;(async () => called(options))().catch(() => {})
  return read
}

beforeAll(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { carrier } = await memoryApp({ 'pages/a/a': {} })
  // Readings and answers of a host would not end.
  Object.assign(carrier, { call: () => new Promise(() => {}) })
})

it.each(Object.entries(documented))('%s reads its options, except those that the table lists', async (name, all) => {
  const read = readOptions(name)
  const { ignores = [] } = apis.find((api) => api.name === name)!
  const unread = () => all.split(' ').filter((option) => !read.has(option))
  await expect.poll(() => unread().sort()).toEqual([...ignores].sort())
})

it('lists the options of all functions that take some', () => {
  const taking = apis.filter(({ name, kind }) => kind === 'async' && services[name as 'share']?.length > 0)
  const others = new Set(`${later} ${withoutOptions}`.split(' '))
  expect(taking.filter(({ name }) => !documented[name] && !others.has(name))).toEqual([])
})
