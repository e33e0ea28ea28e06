import type { MessageLevel } from '@souk/contract'
import { type BridgeMethods, bridgeQuestions, type HostQuestion, type Referrer } from '@souk/contract/bridge'
import {
  ApiError,
  createQueue,
  deviceMethods,
  type HostMethods,
  hostFiles,
  hostStorage,
  type Overlays,
  phoneAddress,
  type soundRecorder,
} from '@souk/host-view'
import { Problem } from '@souk/web'
import { call } from '../api/client.ts'
import type { HostUser } from '../api/session.ts'
import { type DisplayedPrice, findMismatch, type PaymentResult, type Trade } from '../cashier/trade.ts'
import { knownScopes, type OwnScope } from '../consent/dataGroups.ts'
import { withOwnScopes } from '../consent/ownScopes.ts'
import { device } from '../shell/device.ts'
import { type Application, ApplicationError, applicationStorage, handlerOf } from './application.ts'

/** The calling mini app and its page. */
interface CallContext {
  appid: string
  /** Storage key of the mini app. */
  storage: string
  isForeground(): boolean
  /** @throws CallRejected if another sheet is open */
  askConsent(scopes: readonly string[], defined: readonly OwnScope[], user: HostUser): Promise<boolean>
  /** Notifies the user that the mini app gets data that was granted before. */
  tellShared(scopes: readonly string[], defined: readonly OwnScope[]): void
  askPayment(trade: Trade, displayed: DisplayedPrice): Promise<PaymentResult>
  /** Returns undefined if the user does not decide. @throws CallRejected if another sheet is open */
  askMessages(): Promise<MessageLevel | undefined>
  /** Asks before the device does something for the mini app, after the questions that are open. */
  askAccess(access: DeviceAccess, detail?: string, image?: string): Promise<boolean>
  /** Shares a page of the mini app as a card. @throws CallRejected if the user closes the sheet */
  shareCard(card: BridgeMethods['shareMiniApp']['params']): Promise<void>
  /** Returns another mini app: its name, and the stages of its releases; undefined if the user cannot open it. */
  find(appid: string): Promise<{ name: string; stages: readonly string[] } | undefined>
  open(appid: string, path: string, how: Opening): void
  leave(): void
  restart(path: string): void
  /** @throws CallRejected if there is no inspector */
  inspect(isOn: boolean): void
  /** Returns whether a mini app that has not been reviewed may try a function of the host. */
  mayTry(name: string): boolean
  recorder: ReturnType<typeof soundRecorder>
}

/** How a mini app opens another one. */
interface Opening {
  stage: 'development' | 'review' | undefined
  referrer: Referrer
}

/** Stages of the versions that `navigateToMiniProgram` can open. */
const stages = { release: undefined, trial: 'review', develop: 'development' } as const

/** Functions of the device that the user must allow. */
export type DeviceAccess = Exclude<HostQuestion, 'messages' | 'consent' | 'payment' | 'place' | 'notice' | 'inspection'>

/** The methods that ask for one. */
type AskingMethod = {
  [M in keyof typeof bridgeQuestions]: (typeof bridgeQuestions)[M] extends DeviceAccess ? M : never
}[keyof typeof bridgeQuestions]

/** Allowed until the mini app is closed; the others are confirmed each time. */
const lasting = new Set<DeviceAccess>(['camera', 'microphone', 'location', 'motion'])

/** Rejects a call of a mini app; the message is returned to it. */
export class CallRejected extends Error {}

/**
 * Creates the host methods of one mini app for the signed-in user. The appid is the one that the host opened,
 * regardless of what arrives over the bridge. Calls with a visible effect are allowed in the foreground only.
 */
export function hostMethods(context: CallContext): HostMethods {
  const access = createAccess(context)
  const methods: OwnMethods = {
    ...accountMethods(context, access),
    ...deviceAccessMethods(context, access),
    ...navigationMethods(context, access),
    ...sharingMethods(context, access),
  }
  return {
    ...hostStorage(context.storage, applicationStorage(context.appid)),
    ...hostFiles(context.storage),
    ...(Object.fromEntries(
      Object.entries(methods).map(([name, run]) => [name, withErrors(name, run as never)]),
    ) as typeof methods),
  }
}

/** The methods other than those of storage and files. */
type OwnMethods = Omit<HostMethods, keyof ReturnType<typeof hostStorage> | keyof ReturnType<typeof hostFiles>>
type Access = ReturnType<typeof createAccess>

/** Creates the checks before a call has an effect on the device. */
function createAccess(context: CallContext) {
  function inForeground<A extends unknown[], R>(run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      if (!context.isForeground()) throw new CallRejected('the mini app is not in the foreground')
      return run(...args)
    }
  }

  const allowed = new Set<DeviceAccess>()
  // A mini app may need several at its start.
  const { add: enqueue } = createQueue()

  /** Asks what the user has not allowed yet, one question after the other. @throws CallRejected if the user refuses */
  function askAccess(method: AskingMethod, detail?: string, image?: string): Promise<void> {
    const access = bridgeQuestions[method]
    return enqueue(
      inForeground(async () => {
        if (allowed.has(access)) return
        if (!(await context.askAccess(access, detail, image))) throw new CallRejected('the user refused')
        // The mini app may have been hidden in the meantime.
        if (!context.isForeground()) throw new CallRejected('the mini app is not in the foreground')
        if (lasting.has(access)) allowed.add(access)
      }),
    )
  }

  return { inForeground, askAccess }
}

function accountMethods(context: CallContext, { inForeground }: Access) {
  const { appid } = context
  return {
    async login() {
      const { code } = await call('login', { appid })
      return { code }
    },
    getAuthCode: inForeground(async ({ scope }) => {
      const { read: consent, defined } = await withOwnScopes(call('getConsent', { appid }))
      // The server refuses a request without any of them.
      const scopes = knownScopes(scope.split(','), defined)
      const missing = scopes.filter((each) => !consent.scopes.includes(each))
      if (missing.length > 0 && !(await context.askConsent(missing, defined, await call('me'))))
        throw new CallRejected('the user refused')
      const granted = await call('getAuthCode', { appid, scope, consent: true })
      if (missing.length === 0) context.tellShared(scopes, defined)
      return { code: granted.code, scope: granted.scope }
    }),
    requestPayment: inForeground(async ({ tradeNo, amount, currency }) => {
      const displayed = { ...(amount === undefined ? {} : { amount }), ...(currency === undefined ? {} : { currency }) }
      const trade = await findTrade(appid, tradeNo)
      const mismatch = findMismatch(trade, displayed)
      if (mismatch) throw new CallRejected(`the displayed ${mismatch} differs from the trade`)
      return context.askPayment(trade, displayed)
    }),
    async getUserProfile() {
      const { nickName, avatar } = await call('me')
      return { userInfo: { nickName, avatarUrl: avatar, language: device.value.language } }
    },
    requestSubscribeMessage: inForeground(async () => {
      const { available, decided, level } = await call('getMessageLevel', { appid })
      if (!available) return { answer: 'ban' }
      const chosen = decided ? level : await context.askMessages()
      if (!decided && chosen !== undefined) await call('setMessageLevel', { appid, level: chosen })
      return { answer: chosen === undefined || chosen === 'off' ? 'reject' : 'accept' }
    }),
  } satisfies Partial<OwnMethods>
}

function deviceAccessMethods(context: CallContext, { inForeground, askAccess }: Access) {
  return {
    setClipboardData: inForeground(async (params, overlays) => {
      if (!hasUserActed()) throw new CallRejected('only after the user has tapped or pressed a key')
      return deviceMethods.setClipboardData(params, overlays)
    }),
    getClipboardData: inForeground(async (_, overlays) => {
      await askAccess('getClipboardData')
      return deviceMethods.getClipboardData({}, overlays)
    }),
    scanCode: inForeground(async (params, overlays) => {
      await askAccess('scanCode')
      const application = handlerOf('scanCode')
      if (application) return application.call('scanCode', params)
      return deviceMethods.scanCode(params, overlays)
    }),
    getLocation: inForeground(async (params, overlays) => {
      await askAccess('getLocation')
      const application = handlerOf('getLocation')
      if (application) return application.call('getLocation', params)
      return deviceMethods.getLocation(params, overlays)
    }),
    openLocation: inForeground(deviceMethods.openLocation),
    chooseLocation: inForeground(deviceMethods.chooseLocation),
    saveFile: inForeground(async (params, overlays) => {
      await askAccess('saveFile')
      return deviceMethods.saveFile(params, overlays)
    }),
    setKeepScreenOn: inForeground(({ keepScreenOn: isOn }) => keepScreenOn(isOn)),
    getScreenBrightness: inForeground(async () => screenOf('getScreenBrightness').call('getScreenBrightness', {})),
    setScreenBrightness: inForeground(async (params) =>
      screenOf('setScreenBrightness').call('setScreenBrightness', params),
    ),
    readSensor: inForeground(async (params, overlays) => {
      await askAccess('readSensor')
      return deviceMethods.readSensor(params, overlays)
    }),
    startRecording: inForeground(async (params, overlays) => {
      await askAccess('startRecording')
      return context.recorder.methods.startRecording(params, overlays)
    }),
    controlRecording: context.recorder.methods.controlRecording,
    readRecording: context.recorder.methods.readRecording,
    vibrate: inForeground(deviceMethods.vibrate),
    makePhoneCall: inForeground(async (params, overlays) => {
      const application = handlerOf('openUrl')
      if (!application) return deviceMethods.makePhoneCall(params, overlays)
      return application.call('openUrl', { url: phoneAddress(params.phoneNumber) })
    }),
  } satisfies Partial<OwnMethods>
}

/** Keeps the screen on, by the application if it handles that. */
export async function keepScreenOn(isOn: boolean): Promise<object> {
  const application = handlerOf('setKeepScreenOn')
  if (application) return application.call('setKeepScreenOn', { keepScreenOn: isOn })
  return deviceMethods.setKeepScreenOn({ keepScreenOn: isOn }, {} as Overlays)
}

/** @throws CallRejected without an application that handles the brightness of the screen, which browsers do not */
function screenOf(name: 'getScreenBrightness' | 'setScreenBrightness'): Application {
  const application = handlerOf(name)
  if (!application) throw new CallRejected('not supported')
  return application
}

function sharingMethods(context: CallContext, { inForeground, askAccess }: Access) {
  return {
    share: inForeground(async (params, overlays) => {
      // Its share sheet shows what is shared, so no further question is needed.
      const application = handlerOf('share')
      if (application) return application.call('share', params)
      // Without a share sheet there is nothing to ask.
      if (!navigator.share) throw new CallRejected('not supported')
      await askAccess('share', [params.title, params.text, params.url].filter(Boolean).join('\n'), params.imageUrl)
      return deviceMethods.share(params, overlays)
    }),
    shareMiniApp: inForeground(async (card) => {
      await context.shareCard(card)
      return {}
    }),
  } satisfies Partial<OwnMethods>
}

function navigationMethods(context: CallContext, { inForeground, askAccess }: Access) {
  const { appid } = context
  return {
    openMiniApp: inForeground(async (params) => {
      const { appid: other, path, extraData, envVersion = 'release' } = params
      const found = await context.find(other)
      if (!found) throw new CallRejected('the mini app is not available')
      const stage = stages[envVersion]
      if (stage && !found.stages.includes(stage))
        throw new CallRejected(`the mini app has no ${envVersion} version that the user can open`)
      await askAccess('openMiniApp', found.name)
      const application = handlerOf('openMiniApp')
      if (application) return application.call('openMiniApp', params)
      context.open(other, path, { stage, referrer: { appid, ...(extraData !== undefined && { extraData }) } })
      return {}
    }),
    launchApp: inForeground(async (params) => {
      const { url, identity } = params
      const application = handlerOf('launchApp')
      if (!application && !url) throw new CallRejected('an application can only be opened by its url here')
      await askAccess('launchApp', url || identity)
      if (application) return application.call('launchApp', params)
      const opener = /^https?:/i.test(url) ? handlerOf('openUrl') : undefined
      if (opener) return opener.call('openUrl', { url })
      openApplication(url)
      return {}
    }),
    invokeNativePlugin: inForeground(async (params) => {
      const application = handlerOf('invokeNativePlugin')
      if (!application) throw new CallRejected('the host application has no native plug-ins')
      return application.call('invokeNativePlugin', { appid, ...params })
    }),
    callHostFunction: inForeground(async (params, overlays) => {
      const { callHostFunction } = await import('./hostFunctions.ts')
      return callHostFunction(context, params, {
        overlays,
        ask: (question) => askAccess('callHostFunction', question),
      })
    }),
    restartMiniApp: inForeground(async ({ path }) => {
      context.restart(path)
      return {}
    }),
    setDebug: inForeground(async ({ isOn }) => {
      context.inspect(isOn)
      return {}
    }),
    exitMiniApp: inForeground(async () => {
      context.leave()
      return {}
    }),
  } satisfies Partial<OwnMethods>
}

/** Opens an address by a link, so that the browser finds the application of its scheme. */
function openApplication(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.rel = 'noreferrer'
  // A tab for another scheme would stay empty.
  if (/^https?:/i.test(url)) link.target = '_blank'
  link.click()
}

/**
 * Returns whether the user has tapped or pressed a key in the last seconds, in this window or a frame in it: browsers
 * report input in a frame to the pages around it, which a mini app cannot imitate. It is not known whether that was in
 * the frame of this mini app or on a bar or sheet, nor what the user wanted. Browsers that do not report it do not copy
 * without a gesture either.
 */
const hasUserActed = () => navigator.userActivation?.isActive ?? true

/**
 * Returns a trade of the signed-in user in a mini app.
 * @throws CallRejected with the same message for an unknown trade, one of another payer and one of another mini app
 * @throws Problem
 */
export async function findTrade(appid: string, tradeNo: string): Promise<Trade> {
  const unknown = new CallRejected('the user has no such trade in this mini app')
  if (!/^[\da-f]{32}$/i.test(tradeNo)) throw unknown
  const trade = await call('showTrade', { tradeNo }).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'trade_not_found' ? unknown : error
  })
  if (trade.appId !== appid) throw unknown
  return trade
}

const rejections = [CallRejected, Problem, ApplicationError]

/** Reports rejections by the host or the server to the mini app. Other errors are bugs of the host and are rethrown. */
function withErrors<A extends unknown[], R>(name: string, run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await run(...args)
    } catch (error) {
      if (error instanceof ApiError || !rejections.some((each) => error instanceof each)) throw error
      throw new ApiError(`${name}:fail ${(error as Error).message}`)
    }
  }
}
