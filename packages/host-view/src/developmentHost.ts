import type { hostOperations, ResultOf } from '@souk/contract'
import type { BridgeMethods, DomainRules, Domains } from '@souk/contract/bridge'
import { ApiError } from '@souk/shell/apiError'
import { deviceMethods } from '@souk/shell/device/deviceMethods'
import { hostFiles } from '@souk/shell/device/hostFiles'
import { type EntryStore, hostStorage } from '@souk/shell/device/hostStorage'
import { soundRecorder } from '@souk/shell/device/recording'
import type { HostMethods, Overlays } from '@souk/shell/host'

export interface DevelopmentOptions {
  /** The mini app's id at the server; by default the server's first mini app. */
  appid?: string
  /** Address of a Souk sandbox server, or of a proxy to it. Without it, all data is mock data. */
  server?: string
  /** The signed-in mock user of the sandbox; the first by default. */
  uid?: number
  /** Address of the project's host-functions.json, by default that of the development server. */
  hostFunctions?: string
  /** Called when the mini app is closed; shows a toast by default. */
  onExit?: () => void
}

type Results = { [Id in keyof typeof hostOperations]: ResultOf<(typeof hostOperations)[Id]> }
type SandboxApp = Results['listMiniApps']['items'][number]
type PaymentParams = BridgeMethods['requestPayment']['params']
type PaymentResult = BridgeMethods['requestPayment']['result']

/**
 * Creates a host for a mini app in development: signs in as a mock user of a Souk sandbox, asks for consent, and lets
 * the developer choose the outcome of a payment. Without a server it returns codes that contain `not-a-real-code`, so
 * that pages can be developed offline.
 */
export function developmentHost(options: DevelopmentOptions = {}): HostMethods {
  const { appid = '', onExit } = options
  const account = options.server ? sandboxAccount(options.server, options) : offlineAccount(appid)
  return {
    ...hostStorage(`development:${appid}`, typeof indexedDB === 'undefined' ? memoryStore() : undefined),
    ...hostFiles(`development:${appid}`, typeof indexedDB === 'undefined' ? memoryStore() : undefined),
    ...deviceMethods,
    ...askingMethods(),
    login: () => account.login(),
    async getAuthCode({ scope }, overlays) {
      const texts = new Map([...Object.entries(scopeTexts), ...(await account.scopeTexts())])
      const scopes = scope.split(',').filter((each) => texts.has(each))
      if (scopes.length === 0)
        throw new ApiError(`getAuthCode:fail none of the scopes is known; there are ${[...texts.keys()].join(', ')}`)
      const asked = new Set(scopes.map((each) => texts.get(each)).filter((text) => text !== undefined))
      if (asked.size > 0) {
        const { confirm } = await overlays.showModal({
          ...plainModal,
          title: `Share with ${await account.appName()}?`,
          content: `${[...asked].join('\n')}\n\nUser: ${await account.userName()}`,
          confirmText: 'Allow',
          cancelText: 'Deny',
        })
        if (!confirm) throw new ApiError('getAuthCode:fail the user refused')
      }
      return account.getAuthCode(scopes.join(','))
    },
    requestPayment: (params, overlays) => account.requestPayment(params, overlays),
    getUserProfile: () => account.getUserProfile(),
    async shareMiniApp({ title, path, imageUrl, extraData }, overlays) {
      const picture = imageUrl.startsWith('data:') ? 'a picture' : imageUrl
      const { confirm } = await overlays.showModal({
        ...plainModal,
        title: title || (await account.appName()),
        content: [path, picture, extraData].filter(Boolean).join('\n'),
        confirmText: 'Share',
        cancelText: 'Cancel',
      })
      if (!confirm) throw new ApiError('shareMiniApp:fail cancel')
      return {}
    },
    async requestSubscribeMessage(_, overlays) {
      const { confirm } = await overlays.showModal({
        ...plainModal,
        title: `Let ${await account.appName()} send you messages?`,
        content: 'A host asks once. Here you are asked each time, and nothing is stored.',
        confirmText: 'Allow',
        cancelText: 'Deny',
      })
      return { answer: confirm ? 'accept' : 'reject' }
    },
    async callHostFunction(params, overlays) {
      const { callDevelopmentFunction } = await import('./developmentFunctions.ts')
      return callDevelopmentFunction(params, overlays, options.hostFunctions)
    },
    async exitMiniApp(_, overlays) {
      if (onExit) onExit()
      else await overlays.showToast({ ...plainToast, title: 'The host closes the mini app here.' })
      return {}
    },
  }
}

const accessTexts = {
  scanCode: 'use the camera to scan a code',
  getLocation: 'know your location',
  saveFile: 'save a file',
  share: 'share something',
  readSensor: 'sense movement',
  startRecording: 'record sound',
} as const

/** Returns the device methods before which a host asks the user; for a sensor only once. */
function askingMethods(): Partial<HostMethods> {
  const recorder = soundRecorder().methods
  const asking = { ...deviceMethods, ...recorder }
  let isSensing = false
  const methods = Object.fromEntries(
    Object.entries(accessTexts).map(([method, text]) => [
      method,
      async (params: never, overlays: Overlays) => {
        if (method === 'readSensor' && isSensing) return deviceMethods.readSensor(params, overlays)
        const title = `Allow this mini app to ${text}?`
        const { confirm } = await overlays.showModal({
          ...plainModal,
          title,
          content: '',
          confirmText: 'Allow',
          cancelText: 'Deny',
        })
        if (!confirm) throw new ApiError(`${method}:fail the user refused`)
        isSensing ||= method === 'readSensor'
        return asking[method as keyof typeof accessTexts](params, overlays)
      },
    ]),
  )
  return { ...recorder, ...methods }
}

const plainToast = { icon: 'none', image: '', duration: 2000, mask: false, position: '' }
const plainModal = {
  showCancel: true,
  cancelColor: '',
  confirmColor: '',
  editable: false,
  placeholderText: '',
}

/** Data that each scope grants; name and picture require no consent (open-api §2.4). */
const scopeTexts = {
  'user.info': 'E-mail address',
  'user.phone': 'Country and phone number',
  'user.email': 'E-mail address',
}

/**
 * Returns the hosts that a live installation would let the mini app reach. In development others are only reported;
 * undefined if no server knows them.
 */
export async function developmentDomainRules(options: DevelopmentOptions): Promise<DomainRules | undefined> {
  const { server } = options
  if (!server) return undefined
  try {
    return { domains: await sandboxAccount(server, options).readDomains(), isStrict: false }
  } catch (error) {
    console.warn('Souk: the approved hosts of the mini app cannot be read.', error)
    return undefined
  }
}

/** The user of the mini app and the platform's answers. */
interface Account {
  appName(): Promise<string>
  userName(): Promise<string>
  /** The scopes that the operator has defined, with the data that each grants; undefined if it needs no consent. */
  scopeTexts(): Promise<[scope: string, text: string | undefined][]>
  login(): Promise<{ code: string }>
  getAuthCode(scope: string): Promise<{ code: string; scope: string }>
  getUserProfile(): Promise<BridgeMethods['getUserProfile']['result']>
  requestPayment(params: PaymentParams, overlays: Overlays): Promise<PaymentResult>
}

/** The choices of the cashier, in order. `outcome` is the sandbox's name for it. */
const outcomes = [
  { text: 'Pay', outcome: 'succeeded', offline: { status: 2 } },
  { text: 'Decline payment', outcome: 'failed:27', offline: { status: 1, failCode: 27 } },
  { text: 'Pay with 3-D Secure', outcome: 'challenge', offline: { status: 2 } },
  { text: 'Pay, with the result after 30 s', outcome: 'delayed', offline: { status: 0 } },
  { text: 'Outcome by amount', outcome: undefined, offline: { status: 2 } },
  { text: 'Cancel order', outcome: 'canceled', offline: { status: 0 } },
] as const

/** Opens the provider's payment page in a new window. Returns true when the payer confirms that it is done. */
async function payOnProviderPage(url: string, overlays: Overlays): Promise<boolean> {
  const title = 'Payment page'
  const prompt = { ...plainModal, title, confirmText: 'Open', cancelText: 'Not now' }
  const content = 'The payment continues on the provider’s page.'
  if (!(await overlays.showModal({ ...prompt, content })).confirm) return false
  window.open(url, '_blank', 'noreferrer')
  const done = { ...plainModal, title, confirmText: 'Done', cancelText: 'Close' }
  return (await overlays.showModal({ ...done, content: 'Return here after paying.' })).confirm
}

/** Returns the chosen outcome; undefined if the cashier was closed. */
async function chooseOutcome(title: string, overlays: Overlays): Promise<(typeof outcomes)[number] | undefined> {
  try {
    const itemList = outcomes.map(({ text }) => text)
    const { tapIndex } = await overlays.showActionSheet({ title, itemList, itemColor: '' })
    return outcomes[tapIndex]
  } catch {
    return undefined
  }
}

function offlineAccount(appid: string): Account {
  let codes = 0
  const code = (method: string) => `not-a-real-code-${method}-${++codes}`
  return {
    appName: async () => appid || 'this mini app',
    userName: async () => 'a mock user (no Souk server)',
    scopeTexts: async () => [],
    login: async () => ({ code: code('login') }),
    getAuthCode: async (scope) => ({ code: code('getAuthCode'), scope }),
    getUserProfile: async () => ({
      userInfo: { nickName: 'Mock user', avatarUrl: '', language: navigator.language },
    }),
    async requestPayment({ tradeNo, amount, currency }, overlays) {
      const shown = [amount, currency].filter(Boolean).join(' ')
      const chosen = await chooseOutcome(`Outcome for ${shown || tradeNo} (no Souk server)`, overlays)
      return chosen?.offline ?? { status: 0 }
    },
  }
}

function sandboxAccount(server: string, options: DevelopmentOptions): Account & { readDomains(): Promise<Domains> } {
  let session: Promise<Results['signIn']> | undefined
  let app: Promise<SandboxApp> | undefined

  const currentSession = () =>
    (session ??= signIn().catch((error) => {
      session = undefined
      throw error
    }))

  async function signIn(): Promise<Results['signIn']> {
    const users = await callServer<Results['listSandboxUsers']>(server, 'GET', '/sandbox/users')
    const uid = options.uid ?? users[0]?.uid
    if (uid === undefined) throw new Error('The sandbox has no mock user: create one with `souk sandbox user`.')
    return callServer(server, 'POST', '/sessions', { uid })
  }

  /** Sends a request as the mock user. Signs in again if the session is invalid. */
  async function asUser<R>(method: string, path: string, body?: object): Promise<R> {
    const { session: token } = await currentSession()
    try {
      return await callServer<R>(server, method, path, body, token)
    } catch (error) {
      if ((error as { code?: string }).code !== 'session_invalid') throw error
      session = undefined
      return callServer<R>(server, method, path, body, (await currentSession()).session)
    }
  }

  const currentApp = () => (app ??= findApp())
  async function findApp(): Promise<SandboxApp> {
    const filter = options.appid ? `appids=${encodeURIComponent(options.appid)}` : 'limit=1'
    const [found] = (await asUser<Results['listMiniApps']>('GET', `/apps?${filter}`)).items
    if (found) return found
    app = undefined
    throw new Error(
      options.appid
        ? `The server has no mini app ${options.appid}.`
        : 'The server has no mini app: create one in the console.',
    )
  }
  const path = async (rest: string) => `/apps/${encodeURIComponent((await currentApp()).appid)}/${rest}`

  const account: ReturnType<typeof sandboxAccount> = {
    readDomains: async () => (await currentApp()).domains,
    appName: async () => (await currentApp()).name,
    userName: async () => (await currentSession()).user.nickName,
    async scopeTexts() {
      const scopes = await asUser<Results['listOwnScopes']>('GET', '/scopes')
      return scopes.map(({ scope, titles, requiresConsent }) => [scope, requiresConsent ? titles.en : undefined])
    },
    async login() {
      const { code } = await asUser<Results['login']>('POST', await path('login'), {})
      return { code }
    },
    async getAuthCode(scope) {
      const input = { scope, consent: true }
      const granted = await asUser<Results['getAuthCode']>('POST', await path('auth-code'), input)
      return { code: granted.code, scope: granted.scope }
    },
    async getUserProfile() {
      const { nickName, avatar } = await asUser<Results['me']>('GET', '/me')
      return { userInfo: { nickName, avatarUrl: avatar, language: navigator.language } }
    },
    async requestPayment({ tradeNo, amount, currency }, overlays) {
      const tradePath = `/trades/${encodeURIComponent(tradeNo)}`
      const trade = await asUser<Results['showTrade']>('GET', tradePath)
      const title = `${trade.amountStrWithYuan} ${trade.currency} to ${trade.merchantName ?? 'the merchant'}: ${trade.description ?? ''}`
      const chosen = await chooseOutcome(title, overlays)
      if (!chosen) return { status: 0 }
      let result =
        chosen.outcome === 'canceled'
          ? await asUser<Results['cancelPayment']>('POST', `${tradePath}/cancel`, {})
          : await asUser<Results['startPayment']>('POST', `${tradePath}/payments`, {
              payMethod: 'card',
              ...(amount === undefined ? {} : { amount }),
              ...(currency === undefined ? {} : { currency }),
              ...(chosen.outcome === undefined ? {} : { outcome: chosen.outcome }),
            })
      if (result.challenge) {
        const { confirm } = await overlays.showModal({
          ...plainModal,
          title: '3-D Secure',
          content: result.challenge.prompt,
          confirmText: 'Confirm',
          cancelText: 'Reject',
        })
        result = await asUser<Results['answerChallenge']>('POST', `${tradePath}/challenge`, { passed: confirm })
      }
      if (result.redirect && (await payOnProviderPage(result.redirect.url, overlays))) {
        result = await asUser<Results['paymentResult']>('GET', `${tradePath}/result`)
      }
      const { status, failCode } = result
      return failCode === undefined ? { status } : { status, failCode }
    },
  }
  return Object.fromEntries(
    Object.entries(account).map(([name, run]) => [name, (...args: never[]) => withApiErrors(name, run as never, args)]),
  ) as unknown as typeof account
}

/** Converts server errors into an `ApiError`, so that the developer sees them. */
async function withApiErrors<R>(name: string, run: (...args: never[]) => Promise<R>, args: never[]): Promise<R> {
  try {
    return await run(...args)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(`${name}:fail ${(error as Error).message}`)
  }
}

/** Calls an operation of the host surface. */
async function callServer<R>(
  server: string,
  method: string,
  path: string,
  body?: object,
  session?: string,
): Promise<R> {
  const response = await fetch(`${server.replace(/\/$/, '')}/host/v1${path}`, {
    method,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(session ? { authorization: `Bearer ${session}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch((error: Error) => {
    throw new Error(`The Souk server cannot be reached: ${error.message}`)
  })
  const text = await response.text()
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error(`${server} is not a Souk server: HTTP ${response.status}`)
  }
  if (response.ok) return parsed as R
  const { detail, title, code } = parsed as { detail?: string; title?: string; code?: string }
  throw Object.assign(new Error(detail ?? title ?? `HTTP ${response.status}`), { code })
}

/** Creates an in-memory store for browsers without IndexedDB; it lasts as long as the page. */
function memoryStore(): EntryStore {
  const entries = new Map<string, string>()
  return {
    read: async () => [...entries],
    set: async (key, text) => void entries.set(key, text),
    remove: async (key) => void entries.delete(key),
    clear: async () => entries.clear(),
  }
}
