// Generated from the table of functions by `npm run generate`.

/*
 * Names by the module that adds the functions to `neu`. `answerNames` are services that `system.ts` answers
 * before the others are loaded.
 */

export const serviceNames: readonly string[] = (
  'navigateTo redirectTo reLaunch switchTab navigateBack preloadPage navigateToMiniProgram exitMiniProgram ' +
  'restartMiniProgram launchApp setNavigationBarTitle setNavigationBarColor showNavigationBarLoading ' +
  'hideNavigationBarLoading hideHomeButton setPageMeta setBackgroundColor setBackgroundTextStyle setTabBarItem ' +
  'setTabBarStyle setTabBarBadge removeTabBarBadge showTabBarRedDot hideTabBarRedDot showTabBar hideTabBar ' +
  'showTopWindow hideTopWindow showLeftWindow hideLeftWindow showRightWindow hideRightWindow startPullDownRefresh ' +
  'stopPullDownRefresh pageScrollTo login checkSession getAuthCode getPhoneNumber getUserProfile getUserInfo ' +
  'requestSubscribeMessage getProvider requestPayment request uploadFile downloadFile connectSocket ' +
  'sendSocketMessage closeSocket onSocketOpen onSocketMessage onSocketError onSocketClose getNetworkType ' +
  'onNetworkStatusChange offNetworkStatusChange setStorage getStorage removeStorage clearStorage getStorageInfo ' +
  'showToast hideToast showLoading hideLoading showModal hideModal showActionSheet hideActionSheet previewImage ' +
  'previewMedia closePreviewImage getSystemInfo getSystemInfoAsync getHostLanguage getHostFontSize onLocaleChange ' +
  'offLocaleChange onUIStyleChange getSetting openSetting authorize onAppShow offAppShow onAppHide offAppHide ' +
  'onError offError onPageNotFound offPageNotFound onUnhandledRejection offUnhandledRejection setEnableDebug ' +
  'setClipboardData getClipboardData makePhoneCall vibrateShort vibrateLong scanCode getLocation ' +
  'startLocationUpdate stopLocationUpdate onLocationChange offLocationChange onLocationChangeError ' +
  'offLocationChangeError chooseLocation openLocation getBatteryInfo setKeepScreenOn getScreenBrightness ' +
  'setScreenBrightness hideKeyboard getSelectedTextRange onKeyboardHeightChange offKeyboardHeightChange share ' +
  'shareWithSystem shareMiniAppMessage invokeNativePlugin openPressReader startAccelerometer stopAccelerometer ' +
  'onAccelerometerChange offAccelerometerChange startGyroscope stopGyroscope onGyroscopeChange offGyroscopeChange ' +
  'startCompass stopCompass onCompassChange offCompassChange onMemoryWarning offMemoryWarning onUserCaptureScreen ' +
  'offUserCaptureScreen chooseImage chooseVideo chooseMedia chooseFile chooseMessageFile getImageInfo getVideoInfo ' +
  'getFileInfo compressImage saveImageToPhotosAlbum saveVideoToPhotosAlbum openDocument saveFile getSavedFileList ' +
  'getSavedFileInfo removeSavedFile loadFontFace canvasToTempFilePath canvasGetImageData canvasPutImageData'
).split(' ')

export const startNames: readonly string[] = 'addInterceptor removeInterceptor $on $once $off $emit'.split(' ')

export const storageNames: readonly string[] = 'setStorageSync getStorageSync removeStorageSync clearStorageSync getStorageInfoSync'.split(' ')

export const systemNames: readonly string[] = (
  'getMenuButtonBoundingClientRect getSystemInfoSync getWindowInfo getDeviceInfo getAppBaseInfo getAccountInfoSync ' +
  'getLocale setLocale onWindowResize offWindowResize onThemeChange offThemeChange getSystemSetting ' +
  'getAppAuthorizeSetting getLaunchOptionsSync getEnterOptionsSync'
).split(' ')

export const answerNames: readonly string[] = 'getSystemInfo getSystemInfoAsync'.split(' ')

export const objectNames: readonly string[] = (
  'onTabBarMidButtonTap offTabBarMidButtonTap getTopWindowStyle setTopWindowStyle getLeftWindowStyle ' +
  'setLeftWindowStyle getRightWindowStyle setRightWindowStyle createSelectorQuery createIntersectionObserver ' +
  'createMediaQueryObserver createAnimation requireNativePlugin getSubNVueById getCurrentSubNVue canIUse rpx2px ' +
  'upx2px host reportEvent env getUpdateManager getFileSystemManager createVideoContext createMapContext ' +
  'getRecorderManager createInnerAudioContext getBackgroundAudioManager arrayBufferToBase64 base64ToArrayBuffer ' +
  'createCanvasContext createOffscreenCanvas'
).split(' ')
