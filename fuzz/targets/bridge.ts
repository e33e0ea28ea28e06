import { bridgeMethods, bridgeVersion, openRequestsLimit, readFrameMessage, readHello } from '@souk/contract/bridge'
import fc from 'fast-check'
import { serve } from '../../packages/host-view/src/serve.ts'
import { barsCheck } from '../../packages/shell/src/bars.ts'
import { hostileText, hostileValue, type Json } from '../grammar/values.ts'
import { functionTarget, Violation } from '../target.ts'

/** Values that can be sent over a port but not written as JSON, as `{ "$": "<name>" }` in stored inputs. */
const unusual: Record<string, () => unknown> = {
  undefined: () => undefined,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  bigint: () => 10n ** 30n,
  date: () => new Date(Number.NaN),
  map: () => new Map([['a', 1]]),
  bytes: () => new Uint8Array(8),
  sparse: () => new Array(50),
  long: () => 'x'.repeat(2 ** 20),
  cycle: () => {
    const value: Record<string, unknown> = {}
    value.self = value
    return value
  },
}

function revive(value: Json): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(revive)
  const name = value.$
  if (typeof name === 'string' && Object.hasOwn(unusual, name)) return unusual[name]!()
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each)]))
}

const unusualValue: fc.Arbitrary<Json> = fc.constantFrom(...Object.keys(unusual)).map(($) => ({ $ }))
const anyValue = fc.oneof({ arbitrary: hostileValue, weight: 4 }, { arbitrary: unusualValue, weight: 1 })

/** Names and values of parameters and bars, so that many messages get past the first check. */
const words = [
  'scope user.info tradeNo amount 12.50 key data title icon success image duration mask position top content showCancel',
  'cancelColor #fff confirmColor editable itemList itemColor urls current phoneNumber +1 type long desc name currency',
  'pageId navigationBar tabBar isShown default titleColor rgba(0,0,0,.5) titleSize 17px calc(20 * var(--rpx)) buttons',
  'backgroundImage url("https://a.example/b.png") linear-gradient(#000,#fff) tabs pagePath selected transition direction',
  'forward none scrollTop orientation portrait searchInput iconfont fontFamily fontSrc data:font/woff2;base64,AA badge',
].flatMap((line) => line.split(' '))
const word = fc.constantFrom(...words)
const leaf = fc.oneof(
  { arbitrary: word as fc.Arbitrary<Json>, weight: 4 },
  { arbitrary: fc.constantFrom<Json>(true, false, 0, 1, -1, 1500, ''), weight: 3 },
  { arbitrary: anyValue, weight: 2 },
)
const tree = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.dictionary(word, tie('node'), { maxKeys: 8 }) as fc.Arbitrary<Json>,
    fc.array(tie('node'), { maxLength: 4 }),
  ),
})).node

const message: fc.Arbitrary<Json> = fc.oneof(
  {
    arbitrary: fc.record({
      type: fc.constant('request'),
      id: fc.oneof(fc.integer({ min: 1, max: 1000 }), anyValue),
      method: fc.oneof(
        { arbitrary: fc.constantFrom(...bridgeMethods), weight: 9 },
        { arbitrary: hostileText, weight: 1 },
      ),
      params: fc.oneof(fc.dictionary(word, leaf, { maxKeys: 10 }), tree) as fc.Arbitrary<Json>,
    }) as fc.Arbitrary<Json>,
    weight: 6,
  },
  {
    arbitrary: fc.record({ type: fc.constant('bars'), bars: tree }) as fc.Arbitrary<Json>,
    weight: 3,
  },
  { arbitrary: anyValue, weight: 1 },
)

/** Messages of a frame, as the host reads them. */
const reading = functionTarget({
  name: 'bridge/message',
  surface: 'bridge',
  weight: 4,
  inputs: message,
  check(input) {
    const data = revive(input)
    const received = readFrameMessage(data, barsCheck)
    if (received.type === 'refused' && received.reason.length > 1000) {
      throw new Violation('reason', `The reason of a refusal has ${received.reason.length} characters`)
    }
    if (received.type === 'request' && !bridgeMethods.includes(received.method)) {
      throw new Violation('method', `The unknown method ${received.method} is accepted`)
    }
    assertUnpolluted()
  },
})

/** First messages of a frame. */
const hello = functionTarget({
  name: 'bridge/hello',
  surface: 'bridge',
  weight: 1,
  inputs: fc.oneof(
    fc.record({
      souk: fc.oneof(fc.constant('hello'), anyValue),
      version: fc.oneof(fc.constant(bridgeVersion), anyValue),
    }),
    anyValue,
  ) as fc.Arbitrary<Json>,
  check(input) {
    const version = readHello(revive(input))
    if (version !== undefined && !Number.isInteger(version)) throw new Violation('version', `The version is ${version}`)
  },
})

/** Messages to a host whose methods never finish: requests above the limit are refused, the others wait. */
const serving = functionTarget({
  name: 'bridge/serve',
  surface: 'bridge',
  weight: 0.3,
  inputs: fc.array(message, { maxLength: openRequestsLimit * 2, size: 'large' }),
  check(inputs) {
    let refused = 0
    const postMessage = (sent: { errMsg?: string }) => {
      if (sent.errMsg?.endsWith('calls are pending')) refused++
    }
    const port = { postMessage, close: () => {}, onmessage: null } as unknown as MessagePort
    const session = serve(port, {
      methods: {} as never,
      overlays: () => new Promise<never>(() => {}),
      mayLoad: () => true,
      onBars: () => {},
    })
    const { warn } = console
    console.warn = () => {}
    try {
      for (const each of inputs) port.onmessage!({ data: revive(each) } as MessageEvent)
    } finally {
      console.warn = warn
      session.close()
    }
    const requests = inputs.filter((each) => readFrameMessage(revive(each), barsCheck).type === 'request').length
    const expected = Math.max(0, requests - openRequestsLimit)
    if (refused !== expected)
      throw new Violation('limit', `${refused} of ${requests} requests are refused, not ${expected}`)
    assertUnpolluted()
  },
})

function assertUnpolluted(): void {
  if (Object.keys(Object.prototype).length > 0) throw new Violation('prototype', 'Object.prototype has a new property')
}

export const bridge = [reading, hello, serving]
