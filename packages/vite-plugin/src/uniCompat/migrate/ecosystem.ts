/** Functions of `uni`, as `@dcloudio/types` 3.4.32 declares them. */
export const functions: ReadonlySet<string> = new Set(
  `
  $emit $off $on $once addCard addFileToFavorites addInterceptor addPaymentPassFinish
  addPaymentPassGetCertificateData addPhoneCalendar addPhoneContact addPhoneRepeatCalendar addVideoToFavorites
  arrayBufferToBase64 authPrivateMessage authorize authorizeForMiniProgram base64ToArrayBuffer batchGetStorage
  batchGetStorageSync batchSetStorage batchSetStorageSync bindEmployeeRelation canAddSecureElementPass canIUse
  cancelIdleCallback canvasGetImageData canvasPutImageData canvasToTempFilePath checkDeviceSupportHevc
  checkEmployeeRelation checkIsAddedToMyMiniProgram checkIsOpenAccessibility checkIsPictureInPictureActive
  checkIsSoterEnrolledInDevice checkIsSupportSoterAuthentication checkSession chooseAddress chooseContact
  chooseFile chooseImage chooseInvoice chooseInvoiceTitle chooseLicensePlate chooseLocation chooseMedia
  chooseMessageFile choosePoi chooseVideo clearStorage clearStorageSync closeAuthView closeBLEConnection
  closeBluetoothAdapter closePreviewImage closeSocket compressImage compressVideo configMTLS connectSocket
  connectWifi createAnimation createAudioContext createBLEConnection createBLEPeripheralServer createBufferURL
  createCacheManager createCameraContext createCanvasContext createFullScreenVideoAd createGlobalPayment
  createInferenceSession createInnerAudioContext createInteractiveAd createIntersectionObserver
  createInterstitialAd createLivePlayerContext createLivePusherContext createMapContext createMediaAudioPlayer
  createMediaContainer createMediaQueryObserver createMediaRecorder createOffscreenCanvas createPushMessage
  createRewardedVideoAd createSelectorQuery createTCPSocket createUDPSocket createVKSession createVideoContext
  createVideoDecoder createWebAudioContext createWorker cropImage disableAlertBeforeUnload downloadFile
  editImage enableAlertBeforeUnload exitMiniProgram exitVoIPChat faceDetect getAccountInfoSync getApiCategory
  getAppAuthorizeSetting getAppBaseInfo getAvailableAudioSources getBLEDeviceCharacteristics getBLEDeviceRSSI
  getBLEDeviceServices getBLEMTU getBackgroundAudioManager getBackgroundAudioPlayerState
  getBackgroundFetchData getBackgroundFetchToken getBatteryInfo getBatteryInfoSync getBeacons
  getBluetoothAdapterState getBluetoothDevices getChannelManager getChannelsLiveInfo getChannelsLiveNoticeInfo
  getChannelsShareKey getChatToolInfo getCheckBoxState getClipboardData getCommonConfig
  getConnectedBluetoothDevices getConnectedWifi getCurrentSubNVue getDeviceBenchmarkInfo getDeviceInfo
  getDeviceVoIPList getEnterOptionsSync getExptInfoSync getExtConfig getExtConfigSync
  getFacialRecognitionMetaInfo getFileInfo getFileSystemManager getFuzzyLocation getGroupEnterInfo getHCEState
  getImageInfo getInferenceEnvInfo getLaunchOptionsSync getLeftWindowStyle getLocalIPAddress getLocale
  getLocation getLogManager getMenuButtonBoundingClientRect getNFCAdapter getNetworkType getPerformance
  getPrivacySetting getProvider getPushClientId getRandomValues getRealtimeLogManager getRecorderManager
  getRendererUserAgent getRightWindowStyle getSavedFileInfo getSavedFileList getScreenBrightness
  getScreenRecordingState getSecureElementPasses getSelectedTextRange getSetting getShareInfo
  getShowSplashAdStatus getSkylineInfo getSkylineInfoSync getStorage getStorageInfo getStorageInfoSync
  getStorageSync getSubNVueById getSystemInfo getSystemInfoAsync getSystemInfoSync getSystemSetting
  getTopWindowStyle getUniverifyManager getUpdateManager getUserCryptoManager getUserInfo getUserProfile
  getVideoInfo getWeRunData getWifiList getWindowInfo getXrFrameSystem hideHomeButton hideKeyboard
  hideLeftWindow hideLoading hideNavigationBarLoading hideRightWindow hideShareMenu hideTabBar
  hideTabBarRedDot hideToast hideTopWindow initFaceDetect isBluetoothDevicePaired isVKSupport join1v1Chat
  joinVoIPChat loadBuiltInFontFace loadFontFace login makeBluetoothPair makePhoneCall navigateBack
  navigateBackMiniProgram navigateTo navigateToMiniProgram notifyBLECharacteristicValueChange
  notifyGroupMembers offAccelerometerChange offAfterPageLoad offAfterPageUnload offApiCategoryChange
  offAppHide offAppRoute offAppRouteDone offAppShow offAudioInterruptionBegin offAudioInterruptionEnd
  offBLECharacteristicValueChange offBLEConnectionStateChange offBLEMTUChange
  offBLEPeripheralConnectionStateChanged offBatteryInfoChange offBeaconServiceChange offBeaconUpdate
  offBeforeAppRoute offBeforePageLoad offBeforePageUnload offBluetoothAdapterStateChange
  offBluetoothDeviceFound offCompassChange offCopyUrl offDeviceMotionChange offEmbeddedMiniProgramHeightChange
  offError offGeneratePoster offGetWifiList offGyroscopeChange offHCEMessage offKeyDown offKeyUp
  offKeyboardHeightChange offLazyLoadError offLocalServiceDiscoveryStop offLocalServiceFound
  offLocalServiceLost offLocalServiceResolveFail offLocationChange offLocationChangeError offMemoryWarning
  offMenuButtonBoundingClientRectWeightChange offNetworkStatusChange offNetworkWeakChange
  offOnUserTriggerTranslation offPageNotFound offParallelStateChange offPushMessage
  offScreenRecordingStateChanged offThemeChange offUnhandledRejection offUserCaptureScreen
  offVoIPChatInterrupted offVoIPChatMembersChanged offVoIPChatSpeakersChanged offVoIPChatStateChanged
  offVoIPVideoMembersChanged offWifiConnected offWifiConnectedWithPartialInfo offWindowResize
  offWindowStateChange onAccelerometerChange onAfterPageLoad onAfterPageUnload onApiCategoryChange onAppHide
  onAppRoute onAppRouteDone onAppShow onAudioInterruptionBegin onAudioInterruptionEnd
  onBLECharacteristicValueChange onBLEConnectionStateChange onBLEMTUChange
  onBLEPeripheralConnectionStateChanged onBackgroundAudioPause onBackgroundAudioPlay onBackgroundAudioStop
  onBackgroundFetchData onBatteryInfoChange onBeaconServiceChange onBeaconUpdate onBeforeAppRoute
  onBeforePageLoad onBeforePageUnload onBluetoothAdapterStateChange onBluetoothDeviceFound onCompassChange
  onCopyUrl onDeviceMotionChange onEmbeddedMiniProgramHeightChange onError onGeneratePoster onGetWifiList
  onGyroscopeChange onHCEMessage onKeyDown onKeyUp onKeyboardHeightChange onLazyLoadError
  onLocalServiceDiscoveryStop onLocalServiceFound onLocalServiceLost onLocalServiceResolveFail onLocaleChange
  onLocationChange onLocationChangeError onMemoryWarning onMenuButtonBoundingClientRectWeightChange
  onNeedPrivacyAuthorization onNetworkStatusChange onNetworkWeakChange onOnUserTriggerTranslation
  onPageNotFound onParallelStateChange onPushMessage onScreenRecordingStateChanged onSocketClose onSocketError
  onSocketMessage onSocketOpen onTabBarMidButtonTap onThemeChange onUnhandledRejection onUserCaptureScreen
  onVoIPChatInterrupted onVoIPChatMembersChanged onVoIPChatSpeakersChanged onVoIPChatStateChanged
  onVoIPVideoMembersChanged onWifiConnected onWifiConnectedWithPartialInfo onWindowResize onWindowStateChange
  openAppAuthorizeSetting openBluetoothAdapter openCard openChannelsActivity openChannelsEvent
  openChannelsLive openChannelsUserProfile openChatTool openCustomerServiceChat openDocument
  openEmbeddedMiniProgram openHKOfflinePayView openLocation openOfficialAccountArticle openOfficialAccountChat
  openOfficialAccountProfile openPrivacyContract openSetting openSingleStickerView openStickerIPView
  openStickerSetView openStoreCouponDetail openStoreOrderDetail openSystemBluetoothSetting openVideoEditor
  pageScrollTo pauseBackgroundAudio pauseVoice playBackgroundAudio playVoice pluginLogin
  postMessageToReferrerMiniProgram postMessageToReferrerPage preDownloadSubpackage preLogin preloadAssets
  preloadPage preloadSkylineView preloadWebview previewImage previewMedia reLaunch readBLECharacteristicValue
  redirectTo removeInterceptor removeSavedFile removeSecureElementPass removeStorage removeStorageSync
  removeTabBarBadge report reportAnalytics reportEvent reportMonitor reportPerformance request
  requestCommonPayment requestDeviceVoIP requestIdleCallback requestMerchantTransfer requestOrderPayment
  requestPayment requestPluginPayment requestSubscribeDeviceMessage requestSubscribeEmployeeMessage
  requestSubscribeMessage requestVirtualPayment requireNativePlugin requirePrivacyAuthorize
  reserveChannelsLive restartMiniProgram revokeBufferURL rewriteRoute rpx2px saveFile saveFileToDisk
  saveImageToPhotosAlbum saveVideoToPhotosAlbum scanCode seekBackgroundAudio selectGroupMembers sendHCEMessage
  sendSms sendSocketMessage setBLEMTU setBackgroundColor setBackgroundFetchToken setBackgroundTextStyle
  setClipboardData setEnable1v1Chat setEnableDebug setInnerAudioOption setKeepScreenOn setLeftWindowStyle
  setLocale setNavigationBarColor setNavigationBarTitle setPageMeta setRightWindowStyle setScreenBrightness
  setStorage setStorageSync setTabBarBadge setTabBarItem setTabBarStyle setTopBarText setTopWindowStyle
  setVisualEffectOnCapture setWifiList setWindowSize share shareAppMessageToGroup shareEmojiToGroup
  shareFileMessage shareFileToGroup shareImageToGroup shareToOfficialAccount shareToWeRun shareVideoMessage
  shareVideoToGroup shareWithSystem showActionSheet showKeyboard showLeftWindow showLoading showModal
  showNavigationBarLoading showRedPackage showRightWindow showShareImageMenu showShareMenu showTabBar
  showTabBarRedDot showToast showTopWindow startAccelerometer startBeaconDiscovery
  startBluetoothDevicesDiscovery startCompass startDeviceMotionListening startFacialRecognitionVerify
  startGyroscope startHCE startLocalServiceDiscovery startLocationUpdate startLocationUpdateBackground
  startPullDownRefresh startRecord startSoterAuthentication startWifi stopAccelerometer stopBackgroundAudio
  stopBeaconDiscovery stopBluetoothDevicesDiscovery stopCompass stopDeviceMotionListening stopFaceDetect
  stopGyroscope stopHCE stopLocalServiceDiscovery stopLocationUpdate stopPullDownRefresh stopRecord stopVoice
  stopWifi subscribeVoIPVideoMembers switchTab unPreloadPage updateShareMenu updateVoIPChatMuteConfig
  updateWeChatApp uploadFile upx2px vibrate vibrateLong vibrateShort writeBLECharacteristicValue
`
    .trim()
    .split(/\s+/),
)

/** Tags of the ecosystem that are neither HTML elements nor components of a library. */
export const tags: ReadonlySet<string> = new Set(
  `
  ad ad-content-page ad-custom ad-draw ad-fullscreen-video ad-interactive ad-interstitial ad-rewarded-video animation-view
  arcode audio barcode block button camera canvas checkbox checkbox-group cover-image cover-view custom-tab-bar editor form
  functional-page-navigator icon image input keyboard-accessory label list-view live-player live-pusher map match-media
  movable-area movable-view navigation-bar navigator official-account open-data page-container page-meta picker picker-view
  picker-view-column progress radio radio-group rich-text root-portal scroll-view share-element slider sticky-header
  sticky-section swiper swiper-item switch text textarea unicloud-db video view voip-room web-view
`
    .trim()
    .split(/\s+/),
)

/** Tags that only native pages (.nvue, .uvue) have. In other files, `header` and components may have these names. */
export const nativeTags: ReadonlySet<string> = new Set(
  `
  cell cell-slot gcanvas header indicator list list-item loading loading-indicator nested-scroll-body nested-scroll-header
  recycle-list refresh richtext scroller waterfall web
`
    .trim()
    .split(/\s+/),
)

/** Replacements for the modules of native pages, which they get from `uni.requireNativePlugin` and `weex`. */
export const nativeModules: ReadonlyMap<string, string> = new Map([
  ['animation', 'use CSS transitions or uni.createAnimation()'],
  ['bindingx', 'use touch events with CSS transforms'],
  ['clipboard', 'use uni.setClipboardData()'],
  ['dom', "use uni.requireNativePlugin('dom')"],
  ['globalEvent', 'use uni.$on() and the hooks of pages'],
  ['meta', 'use rpx'],
  ['modal', 'use uni.showModal() and uni.showToast()'],
  ['navigator', 'use uni.navigateTo()'],
  ['picker', 'use the tag picker'],
  ['storage', 'use uni.setStorage()'],
  ['stream', 'use uni.request()'],
  ['webview', 'use the tag web-view'],
])

/** Lifecycle hooks of pages and of the app. */
export const hooks: ReadonlySet<string> = new Set(
  `
  onInit onLoad onShow onReady onHide onUnload onPullDownRefresh onReachBottom onShareAppMessage onShareTimeline
  onAddToFavorites onPageScroll onResize onTabItemTap onNavigationBarButtonTap onBackPress
  onNavigationBarSearchInputChanged onNavigationBarSearchInputConfirmed onNavigationBarSearchInputClicked onShareChat
  onCopyUrl onLaunch onExit onError onPageNotFound onUnhandledRejection onThemeChange onUniNViewMessage onSaveExitState
`
    .trim()
    .split(/\s+/),
)

/** Packages that HBuilderX bundles, with the versions that a project needs with Vue 3. */
export const bundledPackages: Readonly<Record<string, string>> = {
  less: '^4.4.0',
  pinia: '^2.3.0',
  sass: '^1.90.0',
  stylus: '^0.64.0',
  'vue-i18n': '^9.14.0',
  vuex: '^4.1.0',
}

/** Replacements for functions and objects that Souk does not have. */
export const alternatives: Readonly<Record<string, string>> = {
  'plus.runtime': 'for the version use uni.getAppBaseInfo(), for a URL a page with <web-view>',
  'plus.navigator': 'for the status bar use --status-bar-height and navigationBarTextStyle',
  'plus.screen': 'use uni.getWindowInfo()',
  'plus.device': 'use uni.getDeviceInfo()',
  'plus.os': 'use uni.getDeviceInfo()',
  'plus.storage': 'use uni.setStorageSync()',
  'plus.nativeUI': 'use uni.showModal(), uni.showToast() or uni.showActionSheet()',
  'plus.gallery': 'use uni.chooseImage()',
  'plus.camera': 'use uni.chooseImage()',
  'plus.share': 'use uni.setClipboardData()',
  'plus.webview': 'use uni.navigateTo(), or the attributes of titleNView and subNVues in pages.json',
  'plus.io': 'use uni.uploadFile() and uni.downloadFile()',
  uniCloud: 'use uni.request() and a backend of your own',
}
