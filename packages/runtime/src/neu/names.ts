/*
 * Names of functions of `neu`. The build reads them to load what a project does not mention after its first page. Tests
 * compare them with the functions.
 */

/** All names in `services.ts`. */
export const serviceNames: readonly string[] = (
  'navigateTo redirectTo reLaunch switchTab navigateBack preloadPage startPullDownRefresh stopPullDownRefresh ' +
  'pageScrollTo setClipboardData getClipboardData makePhoneCall vibrateShort vibrateLong getNetworkType ' +
  'onNetworkStatusChange offNetworkStatusChange getLocation previewImage chooseImage getImageInfo showLoading ' +
  'hideLoading login getAuthCode getUserProfile getUserInfo showModal showActionSheet requestPayment ' +
  'setTabBarItem setTabBarStyle setTabBarBadge removeTabBarBadge showTabBarRedDot hideTabBarRedDot showTabBar ' +
  'hideTabBar request uploadFile downloadFile setNavigationBarTitle setNavigationBarColor ' +
  'showNavigationBarLoading hideNavigationBarLoading hideHomeButton showToast hideToast setStorage getStorage ' +
  'removeStorage clearStorage getStorageInfo getSystemInfo getSystemInfoAsync canvasToTempFilePath ' +
  'canvasGetImageData canvasPutImageData chooseVideo chooseMedia chooseFile chooseMessageFile getVideoInfo ' +
  'getFileInfo compressImage saveImageToPhotosAlbum saveVideoToPhotosAlbum openDocument scanCode openLocation ' +
  'chooseLocation setKeepScreenOn hideKeyboard onKeyboardHeightChange offKeyboardHeightChange loadFontFace ' +
  'previewMedia authorize getSetting openSetting getProvider checkSession exitMiniProgram onAppShow offAppShow ' +
  'onAppHide offAppHide onError offError onPageNotFound offPageNotFound onUnhandledRejection ' +
  'offUnhandledRejection connectSocket sendSocketMessage closeSocket onSocketOpen onSocketMessage onSocketError ' +
  'onSocketClose onLocaleChange offLocaleChange onUIStyleChange saveFile getSavedFileList getSavedFileInfo ' +
  'removeSavedFile startAccelerometer stopAccelerometer onAccelerometerChange offAccelerometerChange ' +
  'startGyroscope stopGyroscope onGyroscopeChange offGyroscopeChange startCompass stopCompass onCompassChange ' +
  'offCompassChange share shareWithSystem navigateToMiniProgram getBatteryInfo onMemoryWarning offMemoryWarning ' +
  'onUserCaptureScreen offUserCaptureScreen setPageMeta getHostLanguage getHostFontSize getPhoneNumber ' +
  'shareMiniAppMessage launchApp restartMiniProgram setEnableDebug invokeNativePlugin openPressReader'
).split(' ')

/** Functions of `start.ts` beside those. */
export const startNames: readonly string[] = 'addInterceptor removeInterceptor $on $once $off $emit'.split(' ')

/** Functions of `storage.ts` that return their result. */
export const storageNames: readonly string[] =
  'setStorageSync getStorageSync removeStorageSync clearStorageSync getStorageInfoSync'.split(' ')

/** Functions of `system.ts`. */
export const systemNames: readonly string[] = (
  'getWindowInfo getDeviceInfo getAppBaseInfo getSystemInfoSync getSystemSetting getAppAuthorizeSetting getLocale ' +
  'setLocale getLaunchOptionsSync getEnterOptionsSync getMenuButtonBoundingClientRect getAccountInfoSync ' +
  'onWindowResize offWindowResize onThemeChange offThemeChange'
).split(' ')

/** Services that are also in `system.ts`, which answers them before the others are loaded. */
export const earlyNames: readonly string[] = 'getSystemInfo getSystemInfoAsync'.split(' ')

/** All other functions. */
export const otherNames: readonly string[] = (
  'arrayBufferToBase64 base64ToArrayBuffer createAnimation createOffscreenCanvas createCanvasContext ' +
  'createVideoContext createMapContext createInnerAudioContext getBackgroundAudioManager ' +
  'createMediaQueryObserver getFileSystemManager getRecorderManager env getUpdateManager onTabBarMidButtonTap ' +
  'offTabBarMidButtonTap getSubNVueById createSelectorQuery createIntersectionObserver getCurrentSubNVue rpx2px ' +
  'upx2px canIUse'
).split(' ')
