/**
 * All functions of `neu`, and those of the ecosystem that are missing on every platform. Tests compare it with `neu`;
 * the guide for projects of uni-app is generated from it.
 */
export interface ApiEntry {
  name: string
  /**
   * async: takes options, with callbacks or a promise. sync: returns its result. event: adds or removes a listener.
   * object: returns an object with methods, or is one.
   */
  kind: 'async' | 'sync' | 'event' | 'object'
  /** Place where it runs: in the mini app's own document, or in the host application over the bridge. */
  H5: 'page' | 'missing'
  /** App and Mini App. */
  frame: 'page' | 'host' | 'missing'
  /** Permission that the host asks the user for first. */
  consent?:
    | 'user data'
    | 'payment'
    | 'clipboard'
    | 'camera'
    | 'microphone'
    | 'location'
    | 'motion'
    | 'download'
    | 'link'
    | 'share'
    | 'mini app'
    | 'application'
  /** Difference to the function of this name in uni-app. */
  differs?: string
  /** Options that uni-app documents and that have no effect. */
  ignores?: readonly string[]
}

type Kind = ApiEntry['kind']
type Details = Omit<ApiEntry, 'name' | 'kind'>

/** Runs in the document on every platform. */
const inPage: Details = { H5: 'page', frame: 'page' }
/** Runs in the document on H5, and in the host of a frame. */
const inHost: Details = { H5: 'page', frame: 'host' }
/** Needs a host. On H5 only the development server has one. */
const hostOnly: Details = { H5: 'missing', frame: 'host' }
/** Sensors, which devices without them do not support. */
const motion: Details = { ...inHost, consent: 'motion' }
const missing: Details = { H5: 'missing', frame: 'missing' }

/** Options without effect, by function. Most are for the systems of other platforms. */
const ignored: Record<string, string> = {
  login: 'provider scopes timeout univerifyStyle onlyAuthorize',
  getUserProfile: 'provider lang',
  getUserInfo: 'provider withCredentials lang timeout',
  requestPayment: 'provider orderInfo timeStamp nonceStr package signType paySign',
  request:
    'sslVerify firstIpv4 enableHttp2 enableQuic enableCache enableHttpDNS httpDNSServiceId enableChunked ' +
    'forceCellularNetwork enableCookie cloudCache defer',
  downloadFile: 'filePath',
  connectSocket: 'multiple header method',
  showActionSheet: 'popover',
  previewImage: 'showmenu indicator loop longPressActions',
  previewMedia: 'showmenu',
  vibrateShort: 'type',
  scanCode: 'sound autoDecodeCharset barCodeInput hideAlbum autoZoom',
  getLocation: 'type altitude geocode highAccuracyExpireTime timeout cacheTimeout provider',
  chooseLocation: 'keyword',
  share: 'provider scene miniProgram openCustomerServiceChat corpid customerUrl',
  chooseImage: 'sizeType crop',
  chooseVideo: 'extension compressed maxDuration camera',
  chooseMedia: 'maxDuration sizeType camera',
  getFileInfo: 'digestAlgorithm',
  compressImage: 'width height rotate',
  openDocument: 'fileType showMenu',
  loadFontFace: 'global scopes',
  authorize: 'scope',
  getSetting: 'withSubscriptions',
  openSetting: 'withSubscriptions',
}

function entries(kind: Kind, names: string, details: Details): ApiEntry[] {
  return names.split(' ').map((name) => {
    const ignores = ignored[name]?.split(' ')
    return { name, kind, ...details, ...(ignores && { ignores }) }
  })
}

export const apis: readonly ApiEntry[] = [
  // Navigation and pages.
  ...entries('async', 'navigateTo redirectTo reLaunch switchTab navigateBack preloadPage', inPage),
  ...entries('async', 'startPullDownRefresh stopPullDownRefresh pageScrollTo', inPage),
  ...entries('async', 'setNavigationBarTitle setNavigationBarColor showNavigationBarLoading', inPage),
  ...entries('async', 'hideNavigationBarLoading hideHomeButton', inPage),
  ...entries('async', 'setPageMeta', inPage),
  ...entries('async', 'setTabBarItem setTabBarStyle setTabBarBadge removeTabBarBadge', inPage),
  ...entries('async', 'showTabBarRedDot hideTabBarRedDot showTabBar hideTabBar', inPage),
  ...entries('event', 'onTabBarMidButtonTap offTabBarMidButtonTap', inPage),
  ...entries('object', 'createSelectorQuery createIntersectionObserver', inPage),
  ...entries('object', 'getSubNVueById getCurrentSubNVue', inPage),

  // Account and payment.
  ...entries('async', 'login', hostOnly),
  ...entries('async', 'getUserProfile getUserInfo', hostOnly),
  ...entries('async', 'getAuthCode getPhoneNumber', { ...hostOnly, consent: 'user data' }),
  ...entries('async', 'requestPayment', {
    ...hostOnly,
    consent: 'payment',
    differs: 'takes the tradeNo of the open API',
  }),

  // Network.
  ...entries('async', 'request uploadFile downloadFile getNetworkType', inPage),
  ...entries('event', 'onNetworkStatusChange offNetworkStatusChange', inPage),
  ...entries('async', 'connectSocket sendSocketMessage closeSocket', inPage),
  ...entries('event', 'onSocketOpen onSocketMessage onSocketError onSocketClose', inPage),

  // Storage.
  ...entries('async', 'setStorage getStorage removeStorage clearStorage getStorageInfo', inPage),
  ...entries('sync', 'setStorageSync getStorageSync removeStorageSync clearStorageSync getStorageInfoSync', inPage),

  // Overlays.
  ...entries('async', 'showToast hideToast showLoading hideLoading showModal showActionSheet previewImage', inHost),

  // System.
  ...entries('async', 'getSystemInfo getSystemInfoAsync', inPage),
  ...entries('sync', 'getSystemInfoSync getWindowInfo getDeviceInfo getAppBaseInfo canIUse', inPage),
  ...entries('async', 'getHostLanguage getHostFontSize', inPage),
  ...entries('sync', 'rpx2px upx2px', inPage),
  ...entries('event', 'onWindowResize offWindowResize onThemeChange offThemeChange', inPage),
  ...entries('event', '$on $once $off $emit', inPage),

  // Device.
  ...entries('async', 'setClipboardData makePhoneCall vibrateShort vibrateLong', inHost),
  ...entries('async', 'getClipboardData', { ...inHost, consent: 'clipboard' }),

  ...entries('async', 'hideKeyboard', inPage),
  ...entries('event', 'onKeyboardHeightChange offKeyboardHeightChange', inPage),
  ...entries('async', 'setKeepScreenOn', inHost),
  ...entries('async', 'getBatteryInfo', { ...inPage, differs: 'fails in browsers without the Battery Status API' }),
  ...entries('event', 'onMemoryWarning offMemoryWarning onUserCaptureScreen offUserCaptureScreen', {
    ...inPage,
    differs: 'browsers do not report it: no listener is ever called',
  }),
  ...entries('async', 'scanCode', {
    ...inHost,
    consent: 'camera',
    differs: 'codes other than QR codes need a browser with BarcodeDetector',
  }),
  ...entries('async', 'getLocation', { ...inHost, consent: 'location', differs: 'coordinates are always WGS 84' }),
  ...entries('async', 'chooseLocation', {
    ...inHost,
    differs: 'the user moves the map to the place and names it; there is no search',
  }),
  ...entries('async', 'startAccelerometer stopAccelerometer startGyroscope stopGyroscope', motion),
  ...entries('async', 'startCompass stopCompass', motion),
  ...entries('event', 'onAccelerometerChange offAccelerometerChange', motion),
  ...entries('event', 'onGyroscopeChange offGyroscopeChange onCompassChange offCompassChange', motion),
  ...entries('async', 'share shareWithSystem', {
    ...inHost,
    consent: 'share',
    differs: 'opens the share sheet of the device, whatever the provider',
  }),
  ...entries('async', 'navigateToMiniProgram', {
    ...hostOnly,
    consent: 'mini app',
    differs: 'opens mini apps of the same host; trial and develop versions for their testers only',
  }),
  ...entries('async', 'shareMiniAppMessage', {
    ...hostOnly,
    consent: 'share',
    differs: 'shares a link, without extraData, if the application around the host has no cards',
  }),
  ...entries('async', 'launchApp', {
    ...hostOnly,
    consent: 'application',
    differs: 'identity without url needs an application around the host',
  }),
  ...entries('async', 'openLocation', inHost),

  // Files and media.
  ...entries('async', 'chooseImage chooseVideo chooseMedia chooseFile', inPage),
  ...entries('async', 'chooseMessageFile', { ...inPage, differs: 'opens the file picker' }),
  ...entries('async', 'getImageInfo getVideoInfo getFileInfo compressImage', inPage),
  ...entries('async', 'previewMedia', { ...inHost, differs: 'leaves out videos' }),
  ...entries('async', 'saveImageToPhotosAlbum saveVideoToPhotosAlbum', {
    ...inHost,
    consent: 'download',
    differs: 'saves to the downloads',
  }),
  ...entries('async', 'openDocument', { ...inHost, consent: 'download', differs: 'saves to the downloads' }),
  ...entries('async', 'saveFile getSavedFileList getSavedFileInfo removeSavedFile', inHost),
  ...entries('object', 'getFileSystemManager', {
    ...inHost,
    differs: 'reads, writes, copies, lists and removes files, 10 MB in all; the other methods fail',
  }),
  ...entries('object', 'env', { ...inPage, differs: 'USER_DATA_PATH only' }),
  ...entries('object', 'getRecorderManager', {
    ...inHost,
    consent: 'microphone',
    differs: 'records in the format of the browser; onFrameRecorded is never called',
  }),
  ...entries('object', 'createVideoContext', { ...inPage, differs: 'comments are not drawn' }),
  ...entries('object', 'createMapContext', { ...inPage, differs: 'without layers, arcs, rotation and 3D' }),
  ...entries('object', 'createInnerAudioContext', inPage),
  ...entries('object', 'getBackgroundAudioManager', { ...inPage, differs: 'plays while the app is open' }),
  ...entries('async', 'loadFontFace', inPage),

  // Canvas and animation.
  ...entries('object', 'createCanvasContext createOffscreenCanvas', inPage),
  ...entries('async', 'canvasToTempFilePath canvasGetImageData canvasPutImageData', inPage),
  ...entries('object', 'createAnimation', inPage),

  // App.
  ...entries('sync', 'getLaunchOptionsSync getEnterOptionsSync', inPage),
  ...entries('sync', 'getLocale getAccountInfoSync', inPage),
  ...entries('sync', 'setLocale', {
    ...inPage,
    differs: 'lasts until the app is closed; the host keeps the language of the user',
  }),
  ...entries('event', 'onLocaleChange offLocaleChange onUIStyleChange', inPage),
  ...entries('sync', 'getSystemSetting', { ...inPage, differs: 'deviceOrientation only' }),
  ...entries('sync', 'getAppAuthorizeSetting', { ...inPage, differs: 'nothing is determined in advance' }),
  ...entries('sync', 'getMenuButtonBoundingClientRect', {
    ...inPage,
    differs: 'on H5 the width is 0, and tests find it missing',
  }),
  ...entries('sync', 'arrayBufferToBase64 base64ToArrayBuffer', inPage),
  ...entries('sync', 'addInterceptor removeInterceptor', {
    ...inPage,
    differs: 'intercepts functions that take options, not their Sync variants',
  }),
  ...entries('event', 'onAppShow offAppShow onAppHide offAppHide onError offError', inPage),
  ...entries('event', 'onPageNotFound offPageNotFound onUnhandledRejection offUnhandledRejection', inPage),
  ...entries('object', 'createMediaQueryObserver', inPage),
  ...entries('object', 'getUpdateManager', { ...inPage, differs: 'the host updates; no update is ever reported' }),
  ...entries('async', 'authorize getSetting openSetting', {
    ...inPage,
    differs: 'nothing is decided in advance: each function asks the user when it is called',
  }),
  ...entries('async', 'getProvider', { ...inPage, differs: 'there are no providers' }),
  ...entries('async', 'checkSession', { ...inPage, differs: 'always succeeds' }),
  ...entries('async', 'exitMiniProgram restartMiniProgram', hostOnly),
  ...entries('async', 'setEnableDebug', { ...hostOnly, differs: 'shows the inspector, in a sandbox only' }),
  ...entries('async', 'invokeNativePlugin openPressReader', {
    ...hostOnly,
    differs: 'needs an application around the host that has native plug-ins',
  }),

  // Missing.
  ...entries('sync', 'getExtConfigSync', missing),
  ...entries('event', 'onLocationChange offLocationChange', missing),
  ...entries('event', 'onBluetoothDeviceFound onBLEConnectionStateChange onBLECharacteristicValueChange', missing),
  ...entries('event', 'onPushMessage offPushMessage', missing),
  ...entries(
    'object',
    'requireNativePlugin createRewardedVideoAd createInterstitialAd createLivePusherContext ' +
      'createLivePlayerContext createCameraContext getNFCAdapter ' +
      'getRealtimeLogManager getUniverifyManager',
    missing,
  ),
  ...entries(
    'async',
    'addCard addFileToFavorites addPhoneCalendar addPhoneContact addPhoneRepeatCalendar addVideoToFavorites ' +
      'checkIsSoterEnrolledInDevice checkIsSupportFacialRecognition checkIsSupportSoterAuthentication ' +
      'chooseAddress chooseContact chooseInvoice chooseInvoiceTitle chooseLicensePlate choosePoi closeAuthView ' +
      'closeBLEConnection closeBluetoothAdapter closeMap compressVideo createBLEConnection createBLEPeripheralServer ' +
      'createPushMessage getBLEDeviceCharacteristics getBLEDeviceRSSI getBLEDeviceServices getBackgroundFetchData ' +
      'getBeacons getBluetoothAdapterState getBluetoothDevices getConnectedBluetoothDevices getConnectedWifi ' +
      'getExtConfig getFuzzyLocation getGroupEnterInfo getHCEState getPushClientId ' +
      'getScreenBrightness getShareInfo getWeRunData getWifiList hideShareMenu installApk login2 makeBluetoothPair ' +
      'navigateBackMiniProgram notifyBLECharacteristicValueChange openAddress ' +
      'openAppAuthorizeSetting openBluetoothAdapter openBusinessView openChannelsActivity openChannelsLive ' +
      'openCustomerServiceChat openEmbeddedMiniProgram openPrivacyContract openSystemBluetoothSetting ' +
      'openVideoEditor preLogin readBLECharacteristicValue requestMerchantTransfer ' +
      'requestSubscribeMessage requestVirtualPayment requirePrivacyAuthorize getPrivacySetting ' +
      'sendBizRedPacket setBLEMTU setBackgroundColor setBackgroundTextStyle setInnerAudioOption ' +
      'setScreenBrightness setTopBarText setWifiList shareFileMessage shareToWeRun shareVideoMessage ' +
      'showShareImageMenu showShareMenu soterAuthentication ' +
      'startBeaconDiscovery startBluetoothDevicesDiscovery startDeviceMotionListening ' +
      'startFacialRecognitionVerify startHCE startLocationUpdate startLocationUpdateBackground ' +
      'startRecord startSoterAuthentication startWifi stopBeaconDiscovery ' +
      'stopBluetoothDevicesDiscovery stopDeviceMotionListening stopHCE ' +
      'stopLocationUpdate stopRecord stopVoice playVoice pauseVoice stopWifi connectWifi ' +
      'updateAppMessageShareData updateShareMenu updateTimelineShareData writeBLECharacteristicValue',
    missing,
  ),
]
