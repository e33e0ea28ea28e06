import type { Entry, Kind } from './entry.ts'

/** A function of uni-app or of another platform that Souk does not have. Its calls fail with `not supported`. */
export interface MissingEntry extends Entry {
  readonly H5: 'missing'
  readonly frame: 'missing'
  /** Why it is missing. */
  readonly reason: string
  /** What to use instead. */
  readonly instead: string
}

type Explanation = readonly [reason: string, instead: string]

const missing = (kind: Kind, [reason, instead]: Explanation, names: string): [string, MissingEntry][] =>
  names.split(/\s+/).map((name) => [name, { kind, H5: 'missing', frame: 'missing', reason, instead }])

const noAccess = [
  'browsers have no access to it',
  'use a native plug-in of the application, by invokeNativePlugin',
] as const
const biometrics = [
  'it needs the service of the other platform',
  'use passkeys of the web, in your own backend',
] as const
const subscriptions = [
  'the host decides where messages appear',
  'send messages from your backend, see docs/spec/open-api.md',
] as const
const menus = ['the host has its own menu', 'use the hook onShareAppMessage or shareMiniAppMessage'] as const
const cards = ['it needs the wallet or the contacts of the other platform', 'use a form'] as const
const chat = ['it needs the services of the other platform', 'use launchApp or a page with web-view'] as const
const advertisements = ['Souk has no advertisements', 'use your own images and links'] as const
const live = ['browsers have no such protocol', 'use the tag video with a stream that browsers play'] as const
const recorded = ['uni-app has replaced it', 'use getRecorderManager and createInnerAudioContext'] as const
const privacy = ['the host asks the user before each function that needs it', 'call the function itself'] as const
const oneTapLogin = ['it needs a contract with an operator of mobile networks', 'use login or getPhoneNumber'] as const
const motion = 'there is no separate sensor for the orientation of the device'
const extension = ['releases have no values of other platforms', 'put the values into the project'] as const
const payments = ['it needs the wallet of the other platform', 'use requestPayment'] as const

const entries: readonly [string, MissingEntry][] = [
  ...missing('async', ['a page has one title', 'use setNavigationBarTitle'], 'setTopBarText'),
  ...missing('async', ['pages stay loaded', 'leave the call out'], 'unPreloadPage'),
  ...missing('async', ['browsers show it when the user touches a field', 'set focus of input'], 'showKeyboard'),
  ...missing('async', ['uni-app has replaced it', 'use vibrateShort or vibrateLong'], 'vibrate'),
  ...missing('async', ['browsers cannot encode videos', 'compress them in your backend'], 'compressVideo'),
  ...missing('async', ['browsers cannot edit videos', 'edit them in your backend'], 'openVideoEditor'),
  ...missing(
    'async',
    ['the user closes the map of openLocation', 'use the tag map for a map that the page closes'],
    'closeMap',
  ),
  ...missing(
    'async',
    ['browsers tell no position in the background', 'use startLocationUpdate while the app is open'],
    'startLocationUpdateBackground',
  ),
  ...missing('async', ['browsers have one kind of position', 'use getLocation'], 'getFuzzyLocation'),
  ...missing('async', ['maps have no points of interest', 'use chooseLocation'], 'choosePoi'),
  ...missing(
    'object',
    ['there is no tag camera', 'use scanCode, or chooseMedia with sourceType camera'],
    'createCameraContext',
  ),
  ...missing('object', live, 'createLivePusherContext createLivePlayerContext'),
  ...missing('async', recorded, 'startRecord stopRecord playVoice pauseVoice stopVoice setInnerAudioOption'),
  ...missing('async', [motion, 'use startAccelerometer and startGyroscope'], 'startDeviceMotionListening'),
  ...missing('async', [motion, 'use stopAccelerometer and stopGyroscope'], 'stopDeviceMotionListening'),

  ...missing('object', ['frames of hosts have no workers', 'on H5 use Worker of the web'], 'createWorker'),
  ...missing('object', advertisements, 'createRewardedVideoAd createInterstitialAd createFullScreenVideoAd'),
  ...missing('object', advertisements, 'createInteractiveAd'),
  ...missing(
    'object',
    ['the console shows errors, but no log of pages', 'report to your own backend'],
    'getRealtimeLogManager',
  ),
  ...missing(
    'object',
    ['releases have no channels', 'use getAccountInfoSync for the environment'],
    'getChannelManager',
  ),
  ...missing('object', ['browsers have it under another name', 'use performance of the web'], 'getPerformance'),
  ...missing('event', ['the console counts visits and errors by itself', 'use reportEvent for the rest'], 'report'),
  ...missing('sync', extension, 'getExtConfigSync'),
  ...missing('async', extension, 'getExtConfig getBackgroundFetchData'),
  ...missing('async', ['browsers use the certificates of the device', 'install them on the device'], 'configMTLS'),
  ...missing(
    'async',
    ['mini apps cannot install applications', 'use launchApp with the address of a store'],
    'installApk',
  ),
  ...missing('async', ['the user returns to the other mini app', 'use exitMiniProgram'], 'navigateBackMiniProgram'),
  ...missing(
    'async',
    ['settings are those of the browser or of the host', 'tell the user where they are'],
    'openAppAuthorizeSetting',
  ),

  ...missing('async', subscriptions, 'createPushMessage getPushClientId'),
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
  ...missing('async', payments, 'openBusinessView requestMerchantTransfer requestVirtualPayment sendBizRedPacket'),
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
