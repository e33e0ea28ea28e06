import { ApiError, deviceMethods, type HostMethods, hostStorage } from '@souk/runtime/host'
import { Problem } from '@souk/web'
import { call } from '../api/client.ts'
import type { HostUser } from '../api/session.ts'
import { differsFromTrade, type PaymentResult, type Shown, type Trade } from '../cashier/trade.ts'
import { device } from '../shell/device.ts'

/** The mini app that asks, and the screen that its user is asked on. */
interface Asking {
  appid: string
  /** Under which name its storage is kept. */
  storage: string
  isInSight(): boolean
  /** One question at a time. @throws Refused while another one is open */
  askConsent(scopes: readonly string[], user: HostUser): Promise<boolean>
  askPayment(trade: Trade, shown: Shown): Promise<PaymentResult>
  /** Of the dialogue before the clipboard is read, in the user's language. */
  clipboardTexts(): { title: string; content: string; confirmText: string; cancelText: string }
  leave(): void
}

/** Why a mini app does not get what it asks for; it is told so. */
export class Refused extends Error {}

/**
 * What the host answers to one mini app, for the user who is signed in. The mini app is the one that the host opened, whatever comes
 * over the bridge. What a person would notice happens for the mini app in sight alone.
 */
export function hostMethods(asking: Asking): HostMethods {
  const { appid } = asking

  /** One text for a trade that does not exist, one of another payer, and one of another mini app. */
  async function tradeOf(tradeNo: string): Promise<Trade> {
    const unknown = new Refused('the user has no such trade in this mini app')
    if (!/^[\da-f]{32}$/i.test(tradeNo)) throw unknown
    const trade = await call('showTrade', { tradeNo }).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'trade_not_found' ? unknown : error
    })
    if (trade.appId !== appid) throw unknown
    return trade
  }

  function inSight<A extends unknown[], R>(run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      if (!asking.isInSight()) throw new Refused('the mini app is not in sight')
      return run(...args)
    }
  }

  const methods: Omit<HostMethods, keyof ReturnType<typeof hostStorage>> = {
    async login() {
      const { code } = await call('login', { appid })
      return { code }
    },
    getAuthCode: inSight(async ({ scope }) => {
      const scopes = [...new Set(scope.split(','))]
      const { scopes: granted } = await call('getConsent', { appid })
      const isGranted = scopes.every((each) => granted.includes(each))
      if (!isGranted && !(await asking.askConsent(scopes, await call('me')))) throw new Refused('the user refused')
      const { code } = await call('getAuthCode', { appid, scope: scopes.join(','), consent: true })
      return { code }
    }),
    requestPayment: inSight(async ({ tradeNo, amount, currency }) => {
      const shown = { ...(amount === undefined ? {} : { amount }), ...(currency === undefined ? {} : { currency }) }
      const trade = await tradeOf(tradeNo)
      const difference = differsFromTrade(trade, shown)
      if (difference) throw new Refused(`the ${difference} that the page shows is not the trade’s`)
      return asking.askPayment(trade, shown)
    }),
    async getUserProfile() {
      const { nickName, avatar } = await call('me')
      return { userInfo: { nickName, avatarUrl: avatar ?? '', language: device.value.language } }
    },
    setClipboardData: inSight(deviceMethods.setClipboardData),
    getClipboardData: inSight(async (_, overlays) => {
      const { confirm } = await overlays.showModal({ ...plainModal, ...asking.clipboardTexts() })
      if (!confirm) throw new Refused('the user refused')
      return deviceMethods.getClipboardData({}, overlays)
    }),
    exitMiniApp: inSight(async () => {
      asking.leave()
      return {}
    }),
    vibrate: inSight(deviceMethods.vibrate),
    makePhoneCall: inSight(deviceMethods.makePhoneCall),
  }
  return {
    ...hostStorage(asking.storage),
    ...(Object.fromEntries(
      Object.entries(methods).map(([name, run]) => [name, told(name, run as never)]),
    ) as typeof methods),
  }
}

const plainModal = { showCancel: true, cancelColor: '', confirmColor: '', editable: false, placeholderText: '' }

/** What the host or the server refuses is told to the mini app; any other trouble is the host's own. */
function told<A extends unknown[], R>(name: string, run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await run(...args)
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Problem)) throw error
      throw new ApiError(`${name}:fail ${error.message}`)
    }
  }
}
