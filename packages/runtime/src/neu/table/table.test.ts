import { bridgeMethods } from '@souk/contract/bridge'
import { expect, test } from 'vitest'
import { allFunctions, availableFunctions, missingFunctions } from './index.ts'

/** All functions of the types of uni-app, @dcloudio/types 3.4.32. */
const uniApp = (
  '$emit $off $on $once addInterceptor addPhoneContact arrayBufferToBase64 authorize base64ToArrayBuffer canIUse ' +
  'canvasGetImageData canvasPutImageData canvasToTempFilePath checkIsSoterEnrolledInDevice ' +
  'checkIsSupportSoterAuthentication checkSession chooseAddress chooseFile chooseImage chooseInvoiceTitle ' +
  'chooseLocation chooseVideo clearStorage clearStorageSync closeAuthView closeBLEConnection closeBluetoothAdapter ' +
  'closePreviewImage closeSocket compressImage compressVideo configMTLS connectSocket connectWifi createAnimation ' +
  'createBLEConnection createCameraContext createCanvasContext createFullScreenVideoAd createInnerAudioContext ' +
  'createInteractiveAd createIntersectionObserver createInterstitialAd createLivePusherContext createMapContext ' +
  'createMediaQueryObserver createPushMessage createRewardedVideoAd createSelectorQuery createVideoContext ' +
  'createWorker downloadFile getAppAuthorizeSetting getAppBaseInfo getBLEDeviceCharacteristics getBLEDeviceRSSI ' +
  'getBLEDeviceServices getBackgroundAudioManager getBatteryInfo getBeacons getBluetoothAdapterState ' +
  'getBluetoothDevices getChannelManager getCheckBoxState getClipboardData getConnectedBluetoothDevices ' +
  'getConnectedWifi getCurrentSubNVue getDeviceInfo getEnterOptionsSync getExtConfig getExtConfigSync ' +
  'getFacialRecognitionMetaInfo getFileInfo getImageInfo getLaunchOptionsSync getLeftWindowStyle getLocale ' +
  'getLocation getMenuButtonBoundingClientRect getNetworkType getProvider getPushClientId getRecorderManager ' +
  'getRightWindowStyle getSavedFileInfo getSavedFileList getScreenBrightness getSelectedTextRange getSetting ' +
  'getStorage getStorageInfo getStorageInfoSync getStorageSync getSubNVueById getSystemInfo getSystemInfoSync ' +
  'getSystemSetting getTopWindowStyle getUniverifyManager getUpdateManager getUserInfo getUserProfile getVideoInfo ' +
  'getWifiList getWindowInfo hideHomeButton hideKeyboard hideLeftWindow hideLoading hideNavigationBarLoading ' +
  'hideRightWindow hideShareMenu hideTabBar hideTabBarRedDot hideToast hideTopWindow loadFontFace login ' +
  'makePhoneCall navigateBack navigateBackMiniProgram navigateTo navigateToMiniProgram ' +
  'notifyBLECharacteristicValueChange offAccelerometerChange offCompassChange offError offGetWifiList ' +
  'offKeyboardHeightChange offLocationChange offLocationChangeError offMemoryWarning offNetworkStatusChange ' +
  'offPushMessage offThemeChange offUnhandledRejection offUserCaptureScreen offWifiConnected ' +
  'offWifiConnectedWithPartialInfo offWindowResize onAccelerometerChange onBLECharacteristicValueChange ' +
  'onBLEConnectionStateChange onBeaconServiceChange onBeaconUpdate onBluetoothAdapterStateChange ' +
  'onBluetoothDeviceFound onCompassChange onError onGetWifiList onGyroscopeChange onKeyboardHeightChange ' +
  'onLocaleChange onLocationChange onLocationChangeError onMemoryWarning onNetworkStatusChange onPushMessage ' +
  'onSocketClose onSocketError onSocketMessage onSocketOpen onTabBarMidButtonTap onThemeChange onUnhandledRejection ' +
  'onUserCaptureScreen onWifiConnected onWifiConnectedWithPartialInfo onWindowResize openAppAuthorizeSetting ' +
  'openBluetoothAdapter openDocument openLocation openSetting openVideoEditor pageScrollTo preLogin preloadPage ' +
  'previewImage reLaunch readBLECharacteristicValue redirectTo removeInterceptor removeSavedFile removeStorage ' +
  'removeStorageSync removeTabBarBadge report request requestPayment requireNativePlugin saveFile ' +
  'saveImageToPhotosAlbum saveVideoToPhotosAlbum scanCode sendSocketMessage setBLEMTU setBackgroundColor ' +
  'setBackgroundTextStyle setClipboardData setEnableDebug setKeepScreenOn setLeftWindowStyle setLocale ' +
  'setNavigationBarColor setNavigationBarTitle setPageMeta setRightWindowStyle setScreenBrightness setStorage ' +
  'setStorageSync setTabBarBadge setTabBarItem setTabBarStyle setTopWindowStyle share shareWithSystem ' +
  'showActionSheet showKeyboard showLeftWindow showLoading showModal showNavigationBarLoading showRightWindow ' +
  'showShareMenu showTabBar showTabBarRedDot showToast showTopWindow startAccelerometer startBeaconDiscovery ' +
  'startBluetoothDevicesDiscovery startCompass startFacialRecognitionVerify startGyroscope startLocationUpdate ' +
  'startPullDownRefresh startSoterAuthentication startWifi stopAccelerometer stopBeaconDiscovery ' +
  'stopBluetoothDevicesDiscovery stopCompass stopGyroscope stopLocationUpdate stopPullDownRefresh stopWifi ' +
  'switchTab unPreloadPage uploadFile upx2px vibrate vibrateLong vibrateShort writeBLECharacteristicValue'
).split(' ')

test('every function of uni-app is in the table', () => {
  expect(uniApp).toHaveLength(256)
  expect(uniApp.filter((name) => !Object.hasOwn(allFunctions, name))).toEqual([])
})

test('the table says why a function is missing, and what to use', () => {
  const unexplained = Object.entries(missingFunctions).filter(([, { reason, instead }]) => !reason || !instead)
  expect(unexplained).toEqual([])
  expect(Object.values(missingFunctions).filter(({ reason, instead }) => /;/.test(reason + instead))).toEqual([])
})

test('functions that run in the host name a method of it', () => {
  const inHost = Object.entries(availableFunctions).filter(([, { frame }]) => frame === 'host')
  const without = inHost.filter(([, { method }]) => !method || !bridgeMethods.includes(method))
  // It reads and writes files by several methods.
  expect(without.map(([name]) => name)).toEqual(['getFileSystemManager'])
})
