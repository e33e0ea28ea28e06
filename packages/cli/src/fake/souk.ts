import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  amountStrWithYuan,
  capabilities,
  day,
  hour,
  type ImageType,
  imageExtensions,
  imageType,
  magicAmounts,
  magicRefundAmounts,
  maxFileSize,
  minute,
  mostRecipients,
  noFailReason,
  type Outcome,
  type openOperations,
  type ParametersOf,
  type PayMethodName,
  type ResultOf,
  refundStatus,
  SoukError,
  sandboxDelay,
  second,
  statusName,
  transactionFlow,
  transactionStatus,
  validityTimeRule,
} from '@souk/contract'
import type { FakeApp } from './app.ts'
import type { Callbacks } from './callbacks.ts'
import type { FakeClock } from './clock.ts'
import { FakeProvider, type Payment } from './payments.ts'

type Operations = typeof openOperations
/** Name of an operation of the open API. */
export type OperationName = keyof Operations
type Given<N extends OperationName> = ParametersOf<Operations[N]>
type Result<N extends OperationName> = ResultOf<Operations[N]>

interface User {
  readonly uid: number
  readonly nickname: string
  readonly country?: string | undefined
  readonly phone?: string | undefined
  readonly email?: string | undefined
  readonly avatar?: string | undefined
}

interface Code {
  readonly app: FakeApp
  readonly user: User
  readonly scopes: readonly string[] | undefined
  readonly expires: number
  token?: string
}

interface Token {
  readonly app: FakeApp
  readonly user: User
  readonly scopes: readonly string[]
  readonly expires: number
}

/** A trade, and what its results do not show. */
interface Trade {
  readonly app: FakeApp
  readonly user: User
  readonly notifyUrl: string
  readonly given: Given<'trade'>
  detail: Result<'tradedetail'>
  /** Newest first. */
  readonly payments: Payment[]
  refunded: number
}

interface Refund {
  readonly app: FakeApp
  readonly given: Given<'refund'>
  detail: Result<'refunddetail'>
}

/** The result of a payment: 0 closed, 1 failed, 2 succeeded. */
interface Paid {
  status: 0 | 1 | 2
  failCode?: number
  challenge?: { payNo: string; prompt: string }
}

/** The `failCode` of a payment of a trade that is in this state already. */
const failCodes: ReadonlyMap<number, number> = new Map([
  [transactionStatus.succeeded, 20],
  [transactionStatus.expired, 21],
  [transactionStatus.canceled, 22],
  [transactionStatus.closed, 22],
])

/** A notification or an activity message of a user. */
interface Message {
  readonly user: User
  readonly item: Readonly<Record<string, unknown>>
}

const codeLifetime = 5 * minute
const tokenLifetime = 7 * day
/** Time until Souk asks again about a refund whose response was lost, in ms. */
const lostRefundDelay = 3 * second
const id = () => randomBytes(16).toString('hex')

/** State and rules of a Souk in memory, with one merchant per mini app. */
export class FakeSouk {
  readonly apps = new Map<string, FakeApp>()
  readonly users = new Map<number, User>()
  /** Uploaded images by their paths. */
  readonly files = new Map<string, { content: Uint8Array; type: ImageType }>()
  readonly #codes = new Map<string, Code>()
  readonly #tokens = new Map<string, Token>()
  readonly #openIds = new Map<string, { app: FakeApp; user: User }>()
  readonly #trades = new Map<string, Trade>()
  readonly #refunds = new Map<string, Refund>()
  readonly #inbox: Message[] = []
  #home: Message[] = []
  readonly #clock: FakeClock
  readonly #callbacks: Callbacks
  readonly #provider: FakeProvider
  readonly #baseUrl: () => string

  constructor(clock: FakeClock, callbacks: Callbacks, baseUrl: () => string) {
    this.#clock = clock
    this.#callbacks = callbacks
    this.#provider = new FakeProvider(clock)
    this.#baseUrl = baseUrl
  }

  createApp(name: string, appid = `f${randomBytes(7).toString('hex')}`, secret = newSecret()): FakeApp {
    const secrets = [{ secret, until: Number.POSITIVE_INFINITY }]
    const app = { appid, name, merchantId: id(), secrets, isEnabled: true, capabilities: new Set<string>(capabilities) }
    this.apps.set(appid, app)
    return app
  }

  /** @throws SoukError `app_not_found` */
  appOf(appid: string): FakeApp {
    const app = this.apps.get(appid)
    if (!app) throw new SoukError('app_not_found', `There is no mini app ${appid}.`)
    return app
  }

  /** Creates a secret. The earlier ones end after `overlap` seconds. */
  rotateSecret(app: FakeApp, overlap: number): string {
    const secret = newSecret()
    for (const earlier of app.secrets) earlier.until = Math.min(earlier.until, this.#clock.now() + overlap * second)
    app.secrets.unshift({ secret, until: Number.POSITIVE_INFINITY })
    return secret
  }

  activeSecrets(app: FakeApp): string[] {
    return app.secrets.filter(({ until }) => until > this.#clock.now()).map(({ secret }) => secret)
  }

  createUser(profile: Omit<User, 'uid'>): User {
    const user = { uid: 1001 + this.users.size, ...profile }
    this.users.set(user.uid, user)
    return user
  }

  /** @throws SoukError `user_not_found` */
  userOf(uid: number): User {
    const user = this.users.get(uid)
    if (!user) throw new SoukError('user_not_found', `There is no user ${uid}.`)
    return user
  }

  /** Returns a login code. With scopes, the user consents to them. */
  createCode(app: FakeApp, user: User, scopes: readonly string[] | undefined): string {
    const code = randomUUID()
    this.#codes.set(code, { app, user, scopes, expires: this.#clock.now() + codeLifetime })
    return code
  }

  /** The operations of the open API, with valid parameters. */
  readonly operations: {
    readonly [N in OperationName]: (app: FakeApp, given: Given<N>, file: Uint8Array | undefined) => Result<N>
  } = {
    accessToken: (app, { code, scope = 'user.info' }) => {
      const found = this.#codes.get(code)
      if (!found) throw new SoukError('code_unknown')
      if (found.app !== app) throw new SoukError('code_foreign')
      if (found.token !== undefined) {
        this.#tokens.delete(found.token)
        throw new SoukError('code_used', 'Request a new code on the page; the token of the first exchange is revoked.')
      }
      if (found.expires <= this.#clock.now()) throw new SoukError('code_expired')
      const asked = scope.split(',')
      const granted = asked.filter((one) => (found.scopes ?? ['user.info']).includes(one))
      if (granted.length === 0) throw new SoukError('scope_not_granted', `The user did not consent to ${scope}.`)
      const accessToken = id()
      found.token = accessToken
      const expires = this.#clock.now() + tokenLifetime
      // The code of neu.login() reveals nickname and avatar without consent.
      const scopes = found.scopes ? granted : ['login']
      this.#tokens.set(accessToken, { app, user: found.user, scopes, expires })
      return { accessToken, expire: tokenLifetime / second, tokenType: 'bearer', scope: granted.join(',') }
    },
    userInfo: (_, { accessToken }) => {
      const token = this.#tokens.get(accessToken)
      if (!token || token.expires <= this.#clock.now()) throw new SoukError('access_token_invalid')
      const { app, user, scopes } = token
      const has = (...any: string[]) => any.some((scope) => scopes.includes(scope))
      return {
        openId: this.#openIdOf(app, user),
        nickName: has('user.info', 'login') ? user.nickname : null,
        avatar: has('user.info', 'login') ? (user.avatar ?? `${this.#baseUrl()}/avatars/${user.uid}`) : null,
        email: has('user.info', 'user.email') ? (user.email ?? null) : null,
        country: has('user.phone') ? (user.country ?? null) : null,
        phone: has('user.phone') ? (user.phone ?? null) : null,
        unionId: digits(`union ${user.uid}`),
        attributes: {},
      }
    },
    trade: (app, given) => {
      const existing = [...this.#trades.values()].find(
        (trade) => trade.app === app && trade.given.outTradeNo === given.outTradeNo,
      )
      if (existing) return this.#repeatedTrade(existing, given)
      const { user } = this.#recipient(app, given.openId)
      if (given.merchantId && given.merchantId !== app.merchantId) throw new SoukError('merchant_foreign')
      checkNotifyUrl(given.notifyUrl)
      const now = this.#clock.now()
      const { timeExpire = now + 2 * hour } = given
      if (timeExpire < now + minute || timeExpire > now + 7 * day) {
        throw new SoukError('parameter_invalid', 'timeExpire must be 1 minute to 7 days ahead.')
      }
      const detail: Result<'tradedetail'> = {
        tradeNo: id(),
        appId: app.appid,
        merchantId: app.merchantId,
        merchantLogoUrl: null,
        merchantName: app.name,
        description: given.description ?? null,
        outTradeNo: given.outTradeNo,
        timeExpire,
        amount: given.amount,
        amountStrWithYuan: amountStrWithYuan(given.amount),
        currency: given.currency,
        openId: given.openId,
        payer: user.uid,
        notifySuccess: null,
        payType: null,
        payNo: null,
        payMethod: null,
        transactionFlow: transactionFlow.expense,
        transactionStatus: transactionStatus.processing,
        failReasonType: -1,
        ctime: now,
        mtime: now,
      }
      const trade = { app, user, notifyUrl: given.notifyUrl, given, detail, payments: [], refunded: 0 }
      this.#trades.set(detail.tradeNo, trade)
      this.#clock.at(timeExpire, () => this.#expireIfDue(trade))
      return { outTradeNo: detail.outTradeNo, tradeNo: detail.tradeNo }
    },
    tradedetail: (app, { tradeNo }) => {
      const trade = this.#tradeOf(app, tradeNo)
      return { ...trade.detail, notifySuccess: this.#callbacks.isAcknowledged(trade.detail.tradeNo) }
    },
    tradeclose: (app, { tradeNo }) => {
      const trade = this.#tradeOf(app, tradeNo)
      this.#cancelPayment(trade)
      const { transactionStatus: status } = trade.detail
      if (status === transactionStatus.closed) return true
      if (status !== transactionStatus.processing) {
        throw new SoukError('trade_not_processing', `It is ${statusName(status)}.`, {
          data: { transactionStatus: status },
        })
      }
      this.#end(trade, transactionStatus.closed, 22)
      return true
    },
    refund: (app, given) => {
      const existing = [...this.#refunds.values()].find(
        (refund) => refund.app === app && refund.given.outRefundNo === given.outRefundNo,
      )
      if (existing) {
        const differing = differences(existing.given, given, ['tradeNo', 'amount', 'reason', 'notifyUrl'])
        if (differing.length > 0)
          throw new SoukError('out_refund_no_conflict', `It differs in ${differing.join(', ')}.`)
        return { outRefundNo: given.outRefundNo, refundNo: existing.detail.refundNo }
      }
      const trade = this.#tradeOf(app, given.tradeNo)
      if (given.notifyUrl) checkNotifyUrl(given.notifyUrl)
      const { detail } = trade
      if (detail.transactionStatus !== transactionStatus.succeeded) {
        throw new SoukError('trade_not_refundable', `It is ${statusName(detail.transactionStatus)}.`)
      }
      if (given.amount > detail.amount - trade.refunded) {
        throw new SoukError('refund_too_large', `${detail.amount - trade.refunded} cents are left.`)
      }
      const outcome = magicRefundAmounts[given.amount]?.outcome
      if (outcome !== 'declined') trade.refunded += given.amount
      const now = this.#clock.now()
      const refund: Refund = {
        app,
        given,
        detail: {
          refundNo: id(),
          outRefundNo: given.outRefundNo,
          tradeNo: detail.tradeNo,
          outTradeNo: detail.outTradeNo,
          appId: app.appid,
          merchantId: app.merchantId,
          reason: given.reason ?? null,
          amount: given.amount,
          amountStrWithYuan: amountStrWithYuan(given.amount),
          currency: detail.currency,
          openId: detail.openId,
          transactionFlow: transactionFlow.income,
          refundStatus: refundStatus.processing,
          failReason: null,
          ctime: now,
          mtime: now,
        },
      }
      this.#refunds.set(refund.detail.refundNo, refund)
      if (outcome === 'late') this.#clock.at(now + sandboxDelay.late, () => this.#endRefund(refund, null))
      else if (outcome === 'lost') this.#clock.at(now + lostRefundDelay, () => this.#endRefund(refund, null))
      else this.#endRefund(refund, outcome === 'declined' ? 'the sandbox declines refunds of this amount' : null)
      return { outRefundNo: given.outRefundNo, refundNo: refund.detail.refundNo }
    },
    refunddetail: (app, { refundNo }) => {
      const refund = this.#refunds.get(refundNo.toLowerCase())
      if (refund?.app !== app) throw new SoukError('refund_not_found')
      return refund.detail
    },
    sendNotify: (app, { openIds, title, text, navigateType, url, link, language }) => {
      if (navigateType === '2' && !url) throw new SoukError('parameter_missing', 'Send url when navigateType is 2.')
      for (const user of this.#recipients(app, openIds)) {
        const common = { notificationId: id(), appid: app.appid, appName: app.name, title, text, navigateType }
        const item = {
          ...common,
          url: url ?? null,
          link: link ?? null,
          language,
          read: false,
          ctime: this.#clock.now(),
        }
        this.#inbox.unshift({ user, item })
      }
      return true
    },
    sendActivity: (app, { openIds, activityId, status, validityTime, ...shown }) => {
      if (status === 1 && validityTime === 0) {
        throw new SoukError('parameter_invalid', `validityTime ${validityTimeRule}.`)
      }
      const users = this.#recipients(app, openIds)
      this.#home = this.#home.filter(
        ({ user, item }) => item.appid !== app.appid || item.activityId !== activityId || !users.includes(user),
      )
      if (status === 0) return true
      const { color, templateId, title, text, iconUrl, path, language } = shown
      const now = this.#clock.now()
      for (const user of users) {
        const common = { appid: app.appid, appName: app.name, activityId, color, templateId, title, text, iconUrl }
        const times = { validUntil: now + validityTime * second, mtime: now }
        this.#home.unshift({ user, item: { ...common, path: path ?? null, language, ...times } })
      }
      return true
    },
    fileUpload: (app, _, content) => {
      if (!content) throw new SoukError('file_missing', 'Send the image in the part fileData.')
      if (content.length > maxFileSize) throw new SoukError('file_too_large', `It has more than ${maxFileSize} bytes.`)
      const type = imageType(content)
      if (!type)
        throw new SoukError('file_unsupported', 'Send PNG, JPEG, GIF or WebP; the content determines the type.')
      const digest = createHash('sha256').update(app.appid).update(content).digest('hex').slice(0, 32)
      const path = `/files/${digest}.${imageExtensions[type]}`
      this.files.set(path, { content, type })
      return { url: this.#baseUrl() + path }
    },
  }

  /**
   * Pays a trade, by default with the outcome of its amount.
   * @throws SoukError `trade_not_found`
   */
  pay(tradeNo: string, method: PayMethodName, chosen: Outcome | undefined): Paid {
    const trade = this.#anyTrade(tradeNo)
    const { detail, payments } = trade
    if (detail.transactionStatus !== transactionStatus.processing) {
      return { status: 1, failCode: failCodes.get(detail.transactionStatus) ?? 27 }
    }
    if (payments[0]?.isInFlight) return { status: 1, failCode: 23 }
    const payment = this.#provider.create(chosen ?? magicAmounts[detail.amount]?.outcome ?? 'succeeded', method)
    payments.unshift(payment)
    showPayment(trade, payment)
    this.#provider.start(payment, () => this.#settle(trade, payment))
    return paidResult(trade)
  }

  /**
   * Makes the provider decide the newest payment that it has not decided or has canceled, even of a final trade.
   * @throws SoukError `trade_not_found`, `payment_not_pending`
   */
  resolve(tradeNo: string, outcome: Outcome): Paid {
    const trade = this.#anyTrade(tradeNo)
    const isResolved = trade.payments.some((payment) =>
      this.#provider.resolve(payment, outcome, () => this.#settle(trade, payment)),
    )
    if (!isResolved) throw new SoukError('payment_not_pending')
    return paidResult(trade)
  }

  inboxOf(user: User): unknown[] {
    return this.#inbox.filter((message) => message.user === user).map(({ item }) => item)
  }

  homeOf(user: User): unknown[] {
    const now = this.#clock.now()
    const isShown = ({ user: one, item }: Message) => one === user && (item.validUntil as number) > now
    return this.#home.filter(isShown).map(({ item }) => item)
  }

  /** Applies what Souk has learned about a payment. One of a trade that has ended is refunded. */
  #settle(trade: Trade, payment: Payment): void {
    const { state, isInFlight, failReasonType } = payment
    if (state === 'pending' || state === 'challenge') {
      this.#expireIfDue(trade)
      return
    }
    payment.isInFlight = false
    if (trade.detail.transactionStatus !== transactionStatus.processing) return
    if (state === 'succeeded') {
      showPayment(trade, payment)
      this.#end(trade, transactionStatus.succeeded, noFailReason)
    } else if (isInFlight) {
      this.#end(trade, state === 'failed' ? transactionStatus.failed : transactionStatus.canceled, failReasonType)
    }
  }

  /** Cancels a payment in flight, which ends the trade if it has succeeded without a response. */
  #cancelPayment(trade: Trade): void {
    const [payment] = trade.payments
    if (!payment?.isInFlight) return
    this.#provider.cancel(payment)
    if (payment.state === 'succeeded') this.#settle(trade, payment)
    payment.isInFlight = false
  }

  /** Expires a trade when its time is over, unless a payment is in flight, which ends it. */
  #expireIfDue(trade: Trade): void {
    if (trade.detail.timeExpire > this.#clock.now() || trade.payments[0]?.isInFlight) return
    this.#end(trade, transactionStatus.expired, 21)
  }

  /** Ends a trade that is processing. */
  #end(
    trade: Trade,
    status: Result<'tradedetail'>['transactionStatus'],
    failReasonType: Result<'tradedetail'>['failReasonType'],
  ): void {
    if (trade.detail.transactionStatus !== transactionStatus.processing) return
    trade.detail = { ...trade.detail, transactionStatus: status, failReasonType, mtime: this.#clock.now() }
    // The backend has closed it itself.
    if (status !== transactionStatus.closed) this.#callbacks.sendPayment(trade.app, trade.detail, trade.notifyUrl)
  }

  /** Ends a refund, which has failed if there is a reason. */
  #endRefund(refund: Refund, failReason: string | null): void {
    const status = failReason === null ? refundStatus.succeeded : refundStatus.failed
    refund.detail = { ...refund.detail, refundStatus: status, failReason, mtime: this.#clock.now() }
    const { app, given, detail } = refund
    if (given.notifyUrl) this.#callbacks.sendRefund(app, detail, given.notifyUrl)
  }

  #repeatedTrade(trade: Trade, given: Given<'trade'>): Result<'trade'> {
    const { detail } = trade
    if (detail.transactionStatus !== transactionStatus.processing) {
      const state = statusName(detail.transactionStatus)
      throw new SoukError('out_trade_no_conflict', `Its trade is ${state}; use a new outTradeNo.`)
    }
    const names = ['amount', 'currency', 'openId', 'notifyUrl', 'description', 'timeExpire'] as const
    const differing = differences(trade.given, given, names)
    if (differing.length > 0) throw new SoukError('out_trade_no_conflict', `It differs in ${differing.join(', ')}.`)
    return { outTradeNo: detail.outTradeNo, tradeNo: detail.tradeNo }
  }

  #tradeOf(app: FakeApp, tradeNo: string): Trade {
    const trade = this.#anyTrade(tradeNo)
    if (trade.app !== app) throw new SoukError('trade_not_found')
    return trade
  }

  #anyTrade(tradeNo: string): Trade {
    const trade = this.#trades.get(tradeNo.toLowerCase())
    if (!trade) throw new SoukError('trade_not_found')
    return trade
  }

  #openIdOf(app: FakeApp, user: User): string {
    const openId = digits(`${app.appid} ${user.uid}`)
    this.#openIds.set(openId, { app, user })
    return openId
  }

  #recipient(app: FakeApp, openId: string) {
    const found = this.#openIds.get(openId)
    if (found?.app !== app) throw new SoukError('open_id_unknown')
    return found
  }

  #recipients(app: FakeApp, openIds: readonly string[]): User[] {
    const distinct = new Set(openIds)
    if (distinct.size > mostRecipients) {
      const explanation = `Send at most ${mostRecipients} distinct openIds, not ${distinct.size}.`
      throw new SoukError('parameter_invalid', explanation, { data: { parameters: ['openIds'] } })
    }
    const found = distinct.values().map((openId) => this.#openIds.get(openId))
    const users = [...found].flatMap((one) => (one?.app === app ? [one.user] : []))
    if (users.length === 0) throw new SoukError('recipients_unknown')
    return users
  }
}

/** Sets the fields of a trade that show its payment. */
function showPayment(trade: Trade, { payNo, payType, payMethod }: Payment): void {
  trade.detail = { ...trade.detail, payNo, payType, payMethod }
}

/** Returns what `neu.requestPayment()` gets for the state of a trade. */
function paidResult({ detail, payments: [newest] }: Trade): Paid {
  switch (detail.transactionStatus) {
    case transactionStatus.succeeded:
      return { status: 2 }
    case transactionStatus.processing:
      if (newest?.state !== 'challenge') return { status: 0 }
      return { status: 0, challenge: { payNo: newest.payNo, prompt: '3-D Secure: confirm this payment.' } }
    case transactionStatus.canceled:
      return { status: 0 }
    default:
      return { status: 1, failCode: detail.failReasonType }
  }
}

function newSecret(): string {
  return randomBytes(24).toString('hex')
}

/** Returns 32 hexadecimal digits that are always the same for a text. */
function digits(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Returns the names of parameters that differ. An absent one is the same as an empty one. */
function differences<T extends object>(one: T, other: T, names: readonly (keyof T & string)[]): string[] {
  return names.filter((name) => (one[name] ?? '') !== (other[name] ?? ''))
}

/** Rejects what the real server rejects. Without https, a backend has to be on this machine. */
function checkNotifyUrl(notifyUrl: string): void {
  const isValid = /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(notifyUrl) && URL.canParse(notifyUrl)
  const isLocal = /^http:\/\/(127\.\d|localhost\b|\[::1\])/.test(notifyUrl)
  if (isValid && (isLocal || notifyUrl.startsWith('https:'))) return
  throw new SoukError('notify_url_refused', 'notifyUrl must be an absolute https URL without query parameters.')
}
