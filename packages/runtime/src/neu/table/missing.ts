import type { Entry, Kind } from './entry.ts'

/** A function of uni-app or of another platform that Souk does not have. Its calls fail with `not supported`. */
export interface MissingEntry extends Entry {
  readonly H5: 'missing'
  readonly frame: 'missing'
  /** Why it is missing, and what to use instead. */
  readonly why: string
}

const missing = (kind: Kind, why: string, names: string): [string, MissingEntry][] =>
  names.split(/\s+/).map((name) => [name, { kind, H5: 'missing', frame: 'missing', why }])

const noAccess = 'browsers have no access to it'
const biometrics = 'use passkeys of the web, in your own backend'
const subscriptions = 'send messages from your backend, see docs/spec/open-api.md'
const menus = 'the host has its own menu; use share or shareMiniAppMessage'
const cards = 'needs the wallet or the contacts of the other platform; use a form'
const chat = 'needs the services of the other platform; use launchApp or a page with web-view'
const advertisements = 'Souk has no advertisements'
const live = 'use the tag video with a stream that browsers play'
const recorded = 'use getRecorderManager and createInnerAudioContext'
const privacy = 'the host asks the user before each function that needs it'
const oneTapLogin = 'needs a contract with an operator of mobile networks; use login or getPhoneNumber'

const entries: readonly [string, MissingEntry][] = [
  ...missing('async', 'a page has one title; use setNavigationBarTitle', 'setTopBarText'),
  ...missing('async', 'pages stay loaded', 'unPreloadPage'),
  ...missing('async', 'browsers show it when the user touches a field; set focus of input', 'showKeyboard'),
  ...missing('async', 'use vibrateShort or vibrateLong', 'vibrate'),
  ...missing('async', 'browsers cannot encode videos; compress them in your backend', 'compressVideo'),
  ...missing('async', 'browsers cannot edit videos', 'openVideoEditor'),
  ...missing('async', 'the user closes the map of openLocation', 'closeMap'),
  ...missing('async', 'use startLocationUpdate while the app is open', 'startLocationUpdateBackground'),
  ...missing('async', 'use getLocation', 'getFuzzyLocation'),
  ...missing('async', 'use chooseLocation', 'choosePoi'),
  ...missing('object', 'use scanCode or chooseMedia with sourceType camera', 'createCameraContext'),
  ...missing('object', live, 'createLivePusherContext createLivePlayerContext'),
  ...missing('async', recorded, 'startRecord stopRecord playVoice pauseVoice stopVoice setInnerAudioOption'),
  ...missing('async', 'use startAccelerometer and startGyroscope', 'startDeviceMotionListening'),
  ...missing('async', 'use stopAccelerometer and stopGyroscope', 'stopDeviceMotionListening'),

  ...missing('object', 'frames of hosts have no workers; on H5 use Worker of the web', 'createWorker'),
  ...missing('object', advertisements, 'createRewardedVideoAd createInterstitialAd createFullScreenVideoAd'),
  ...missing('object', advertisements, 'createInteractiveAd'),
  ...missing('object', 'report to your own backend', 'getRealtimeLogManager'),
  ...missing('object', 'releases have no channels', 'getChannelManager'),
  ...missing('object', 'use performance of the web', 'getPerformance'),
  ...missing('event', 'the console counts visits and errors by itself', 'report'),
  ...missing('sync', 'put the values into the project', 'getExtConfigSync'),
  ...missing('async', 'put the values into the project', 'getExtConfig getBackgroundFetchData'),
  ...missing('async', 'browsers use the certificates of the device', 'configMTLS'),
  ...missing('async', 'mini apps cannot install applications', 'installApk'),
  ...missing('async', 'the user goes back to the other mini app', 'navigateBackMiniProgram'),
  ...missing('async', 'settings are those of the browser or of the host', 'openAppAuthorizeSetting'),

  ...missing('async', subscriptions, 'createPushMessage getPushClientId requestSubscribeMessage'),
  ...missing('event', subscriptions, 'onPushMessage offPushMessage'),
  ...missing('object', oneTapLogin, 'getUniverifyManager'),
  ...missing('async', oneTapLogin, 'preLogin closeAuthView getCheckBoxState login2'),
  ...missing(
    'async',
    biometrics,
    'checkIsSoterEnrolledInDevice checkIsSupportFacialRecognition checkIsSupportSoterAuthentication ' +
      'soterAuthentication startFacialRecognitionVerify startSoterAuthentication',
  ),
  ...missing('sync', biometrics, 'getFacialRecognitionMetaInfo'),
  ...missing('async', privacy, 'getPrivacySetting openPrivacyContract requirePrivacyAuthorize'),
  ...missing(
    'async',
    cards,
    'addCard addPhoneCalendar addPhoneContact addPhoneRepeatCalendar chooseAddress chooseContact chooseInvoice ' +
      'chooseInvoiceTitle chooseLicensePlate openAddress',
  ),
  ...missing(
    'async',
    'use requestPayment',
    'openBusinessView requestMerchantTransfer requestVirtualPayment sendBizRedPacket',
  ),
  ...missing(
    'async',
    menus,
    'addFileToFavorites addVideoToFavorites getGroupEnterInfo getShareInfo hideShareMenu shareFileMessage ' +
      'shareVideoMessage showShareImageMenu showShareMenu updateAppMessageShareData updateShareMenu ' +
      'updateTimelineShareData',
  ),
  ...missing(
    'async',
    chat,
    'getWeRunData openChannelsActivity openChannelsLive openCustomerServiceChat openEmbeddedMiniProgram shareToWeRun',
  ),

  ...missing(
    'async',
    noAccess,
    'closeBLEConnection closeBluetoothAdapter createBLEConnection createBLEPeripheralServer ' +
      'getBLEDeviceCharacteristics getBLEDeviceRSSI getBLEDeviceServices getBluetoothAdapterState ' +
      'getBluetoothDevices getConnectedBluetoothDevices makeBluetoothPair notifyBLECharacteristicValueChange ' +
      'openBluetoothAdapter openSystemBluetoothSetting readBLECharacteristicValue setBLEMTU ' +
      'startBluetoothDevicesDiscovery stopBluetoothDevicesDiscovery writeBLECharacteristicValue',
  ),
  ...missing(
    'event',
    noAccess,
    'onBluetoothAdapterStateChange onBluetoothDeviceFound onBLEConnectionStateChange onBLECharacteristicValueChange',
  ),
  ...missing('async', noAccess, 'connectWifi getConnectedWifi getWifiList setWifiList startWifi stopWifi'),
  ...missing('event', noAccess, 'onGetWifiList offGetWifiList onWifiConnected offWifiConnected'),
  ...missing('event', noAccess, 'onWifiConnectedWithPartialInfo offWifiConnectedWithPartialInfo'),
  ...missing('async', noAccess, 'getBeacons startBeaconDiscovery stopBeaconDiscovery'),
  ...missing('event', noAccess, 'onBeaconServiceChange onBeaconUpdate'),
  ...missing('async', noAccess, 'getHCEState startHCE stopHCE'),
  ...missing('object', noAccess, 'getNFCAdapter'),
]

/** By name. */
export const missingFunctions: Readonly<Record<string, MissingEntry>> = Object.fromEntries(entries)
