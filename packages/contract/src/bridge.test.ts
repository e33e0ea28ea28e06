import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import {
  type BridgeMethod,
  type BridgeMethods,
  bridgeMethods,
  changes,
  entrySize,
  integer,
  readFrameMessage,
  readHello,
  storageLimits,
  utf8Length,
} from './bridge.ts'
import { hour, minute } from './time.ts'

const bars = changes({ pageId: integer(0, 9) })

function ask(method: string, params: unknown): unknown {
  return readFrameMessage({ type: 'request', id: 1, method, params }, bars)
}

/** A valid call of each method. */
const calls: { [M in BridgeMethod]: BridgeMethods[M]['params'] } = {
  login: {},
  getAuthCode: { scope: 'user.info,user.phone' },
  requestPayment: { tradeNo: '17000000000000000000000000000001', currency: 'SAR', amount: '12.50' },
  getUserProfile: { desc: 'to greet you' },
  setStorage: { key: 'cart', data: '{"type":"object"}' },
  removeStorage: { key: 'cart' },
  clearStorage: {},
  showToast: { title: 'Saved', icon: 'success', image: '', duration: 1500, mask: false, position: '' },
  hideToast: {},
  showLoading: { title: '…', mask: true },
  hideLoading: {},
  showModal: {
    title: 'Sure?',
    content: 'It cannot be undone.',
    showCancel: true,
    cancelText: 'No',
    cancelColor: '#000000',
    confirmText: 'Yes',
    confirmColor: 'rgba(0, 122, 255, 0.5)',
    editable: false,
    placeholderText: '',
  },
  hideModal: {},
  showActionSheet: { title: '', itemList: ['A', 'B'], itemColor: '#000' },
  hideActionSheet: {},
  previewImage: { urls: ['https://example.com/a.png', 'data:image/png;base64,AAAA'], current: 1 },
  closePreviewImage: {},
  setClipboardData: { data: 'text' },
  getClipboardData: {},
  exitMiniApp: {},
  vibrate: { type: 'short' },
  makePhoneCall: { phoneNumber: '+966 11 123 4567' },
  scanCode: { onlyFromCamera: false, scanType: ['qrCode', 'barCode'] },
  getLocation: { isHighAccuracy: true },
  openLocation: { latitude: 24.7136, longitude: 46.6753, name: 'Corner Coffee', address: 'Riyadh' },
  chooseLocation: { latitude: 24.7136, longitude: 46.6753 },
  saveFile: { kind: 'image', data: 'data:image/png;base64,AAAA' },
  setKeepScreenOn: { keepScreenOn: true },
  getScreenBrightness: {},
  setScreenBrightness: { value: 0.5 },
  share: { title: 'Corner Coffee', text: 'Two for one', url: 'https://coffee.example/offer', imageUrl: '' },
  openMiniApp: { appid: 'a10000000000001', path: 'pages/item/item?id=7', extraData: '{}', envVersion: 'trial' },
  shareMiniApp: { title: 'Two for one', path: 'pages/offer/offer?id=7', imageUrl: '', extraData: '{"from":1}' },
  launchApp: { url: 'bank://pay?id=7', identity: 'com.example.bank' },
  restartMiniApp: { path: '' },
  setDebug: { isOn: true },
  invokeNativePlugin: { name: 'readCard', data: '{"timeout":30}' },
  callHostFunction: { name: 'loyaltyCard', input: '{"program":"tea"}' },
  requestSubscribeMessage: {},
  readSensor: { sensor: 'compass', interval: 200 },
  startRecording: { duration: minute },
  controlRecording: { action: 'stop' },
  readRecording: {},
  readFiles: {},
  writeFile: { path: 'souk-file://usr/code.png', data: 'data:image/png;base64,AAAA' },
  removeFile: { path: 'souk-file://usr/code.png' },
  reportEvent: { kind: 'error', page: 'pages/home', message: 'x', stack: 'x', method: '', address: '', status: 0 },
  reportCustomEvent: { name: 'addToCart', fields: '{"category":"tea"}' },
}

test('accepts valid parameters of every method unchanged', () => {
  expect(bridgeMethods.toSorted()).toEqual(Object.keys(calls).toSorted())
  expectTypeOf(bridgeMethods).toEqualTypeOf<BridgeMethod[]>()
  for (const [method, params] of Object.entries(calls)) {
    expect(ask(method, params)).toEqual({ type: 'request', id: 1, method, params })
  }
})

test('removes unknown parameters', () => {
  expect(ask('login', { appid: 'someone else’s', __proto__: { isAdmin: true } })).toEqual({
    type: 'request',
    id: 1,
    method: 'login',
    params: {},
  })
})

test.each<[string, unknown, string]>([
  ['share', { title: '', text: '', url: 'javascript:alert(1)' }, 'url must be an absolute http or https URL'],
  ['openMiniApp', { appid: '../console', path: '' }, 'appid must be the id of a mini app'],
  ['openMiniApp', { ...calls.openMiniApp, envVersion: 'beta' }, 'envVersion must be one of release, trial, develop'],
  ['openMiniApp', { ...calls.openMiniApp, extraData: '{' }, 'extraData must be JSON'],
  ['shareMiniApp', { ...calls.shareMiniApp, extraData: '{' }, 'extraData must be JSON'],
  ['shareMiniApp', { ...calls.shareMiniApp, extraData: `"${'x'.repeat(2047)}"` }, 'extraData must be at most 2048'],
  ['shareMiniApp', { ...calls.shareMiniApp, title: 'x'.repeat(201) }, 'title must be at most 200 characters'],
  ['shareMiniApp', { ...calls.shareMiniApp, imageUrl: `https://a.example/${'x'.repeat(2048)}` }, 'imageUrl must be at'],
  [
    'shareMiniApp',
    { ...calls.shareMiniApp, imageUrl: `data:image/png;base64,${'A'.repeat(180_000)}` },
    'imageUrl must be at most 131072 bytes',
  ],
  ['invokeNativePlugin', { name: 'a', data: '' }, 'data must be JSON'],
  ['openMiniApp', { ...calls.openMiniApp, extraData: 'x'.repeat(65_537) }, 'extraData must be at most 65536 bytes'],
  ...[
    'javascript:alert(1)',
    'DATA:text/html,x',
    'blob:x',
    'file:///etc',
    'java\tscript:x',
    ' javascript:x',
    '//x',
    'x',
  ].map((url): [string, unknown, string] => [
    'launchApp',
    { url, identity: '' },
    'url must be an address with the scheme',
  ]),
  ['launchApp', { url: '', identity: '../x' }, 'identity must be the identifier of an application'],
  ['shareMiniApp', { ...calls.shareMiniApp, imageUrl: 'blob:null/1' }, 'imageUrl must be an absolute'],
  ['invokeNativePlugin', { name: '', data: '{}' }, 'name must be the name of a plug-in'],
  ['callHostFunction', { name: '__proto__', input: '{}' }, 'name must be the name of a function'],
  ['callHostFunction', { name: 'a', input: '{' }, 'input must be JSON'],
  ['setScreenBrightness', { value: 1.5 }, 'value must be a number from 0'],
  ['readSensor', { sensor: 'camera', interval: 0 }, 'sensor must be one of accelerometer, gyroscope, compass'],
  ['readSensor', { sensor: 'compass', interval: -1 }, 'interval must be a number from 0'],
  ['startRecording', { duration: hour }, 'duration must be a number from 1 to 600000'],
  ['controlRecording', { action: 'start' }, 'action must be one of pause, resume, stop'],
  ['writeFile', { path: '', data: 'data:text/plain;base64,AAAA' }, 'path must be a path'],
  ['writeFile', { path: 'a', data: 'https://other.example/a' }, 'data must be a data: URL in base64'],
  ['writeFile', { path: 'a', data: `data:${'a'.repeat(201)};base64,AAAA` }, 'data must be a data: URL in base64'],
  ['getAuthCode', { scope: 'user.Everything' }, 'scope must be a comma-separated list of'],
  ['getAuthCode', { scope: ['user.info'] }, 'scope must be a string'],
  ['getAuthCode', {}, 'scope must be a string'],
  ['getAuthCode', null, 'parameters must be an object'],
  ['getAuthCode', undefined, 'parameters must be an object'],
  ['getAuthCode', [], 'parameters must be an object'],
  ['requestPayment', { tradeNo: '' }, 'tradeNo must be a transaction number'],
  ['requestPayment', { tradeNo: 'T'.repeat(65) }, 'tradeNo must be at most 64 characters long'],
  ['requestPayment', { tradeNo: 'T', amount: 12.5 }, 'amount must be a string'],
  ['requestPayment', { tradeNo: 'T', amount: '-1' }, 'amount must be an amount'],
  ['setStorage', { key: '', data: 'x' }, 'key must be a non-empty string'],
  ['setStorage', { key: 'k'.repeat(1025), data: 'x' }, 'key must be at most 1024 bytes'],
  ['setStorage', { key: 'k', data: 'ä'.repeat(524_289) }, 'data must be at most 1048576 bytes'],
  ['setStorage', { key: 'kk', data: 'x'.repeat(1_048_575) }, 'key and data together must be at most 1048576 bytes'],
  ['setStorage', { key: 'k', data: { toString: 1 } }, 'data must be a string'],
  ['showToast', { ...calls.showToast, duration: Number.NaN }, 'duration must be a number'],
  ['showToast', { ...calls.showToast, image: 'javascript:alert(1)' }, 'image must be an absolute'],
  ['showToast', { ...calls.showToast, position: 'fixed' }, 'position must be one of'],
  ['showModal', { ...calls.showModal, confirmColor: 'red;position:fixed' }, 'confirmColor must be a color'],
  ['showModal', { ...calls.showModal, confirmColor: 'url(//example.com)' }, 'confirmColor must be a color'],
  ['showModal', { ...calls.showModal, content: 'x'.repeat(100_001) }, 'content must be at most 100000'],
  [
    'showActionSheet',
    { ...calls.showActionSheet, itemList: Array(101).fill('x') },
    'itemList must be a list of at most 100',
  ],
  ['showActionSheet', { ...calls.showActionSheet, itemList: Array(2) }, 'itemList[0] must be a string'],
  ['previewImage', { urls: ['blob:null/1'], current: 0 }, 'urls[0] must be an absolute'],
  ['makePhoneCall', { phoneNumber: '1;alert(1)' }, 'phoneNumber must be a telephone number'],
  ['vibrate', { type: 'for ever' }, 'type must be one of long, short'],
])('%s refuses %j', (method, params, reason) => {
  const answer = ask(method, params)
  expect(answer).toMatchObject({ type: 'refused', id: 1 })
  expect((answer as { reason: string }).reason).toContain(`${method}:fail ${reason}`)
})

test('refuses unknown methods, including names inherited from Object', () => {
  for (const method of ['constructor', '__proto__', 'toString', 'readStorage', '', 7, undefined]) {
    expect(readFrameMessage({ type: 'request', id: 9, method, params: {} }, bars)).toEqual({
      type: 'refused',
      reason: 'bridge:fail method must be a method of the host',
      id: 9,
    })
  }
})

test('never throws and passes nothing unlisted for any message of a frame', () => {
  const key = fc.constantFrom('type', 'id', 'method', 'params', 'bars', 'pageId', 'key', 'data', 'scope', '__proto__')
  const leaf = fc.oneof(fc.constantFrom('request', 'bars', 'login', 'setStorage'), fc.anything())
  const message = fc.oneof(
    fc.anything(),
    fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf))),
    fc.record({ type: fc.constant('request'), id: fc.nat(), method: fc.constantFrom(...bridgeMethods), params: leaf }),
  )
  fc.assert(
    fc.property(message, (data) => {
      const received = readFrameMessage(data, bars)
      if (received.type === 'request') expect(bridgeMethods).toContain(received.method)
      else expect(['bars', 'refused']).toContain(received.type)
    }),
  )
})

test('recognizes only a hello as a hello', () => {
  expect(readHello({ souk: 'hello', version: 1 })).toBe(1)
  for (const other of [null, 'hello', { souk: 'hello' }, { souk: 'hello', version: '1' }, { version: 1 }, []]) {
    expect(readHello(other)).toBeUndefined()
  }
})

test('counts UTF-8 bytes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      (each) => {
        expect(utf8Length(each)).toBe(Buffer.byteLength(each, 'utf8'))
      },
    ),
  )
  expect(entrySize('ключ', 'x'.repeat(storageLimits.entry - 8))).toBe(storageLimits.entry)
})
