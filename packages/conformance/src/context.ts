import { randomBytes } from 'node:crypto'
import { expectSuccess } from './expect.ts'
import type { Mailbox, Receiver } from './receiver.ts'
import type { Credentials, Sandbox } from './sandbox.ts'
import {
  type OperationName,
  type Pairs,
  type Parameters,
  pairsOf,
  type RawRequest,
  type Reply,
  request,
  requestOf,
  type Transport,
  withSign,
} from './wire.ts'

/** A user as one mini app knows it. */
export interface AppUser {
  uid: number
  openId: string
  accessToken: string
}

/** A trade (open-api §2.5); only the fields that checks read are declared. */
export interface Trade {
  [field: string]: unknown
  tradeNo: string
  merchantId: string
  transactionStatus: number
  failReasonType: number
  notifySuccess: unknown
  timeExpire: number
  ctime: number
  mtime: number
}

/** The environment of all checks. */
export class Context {
  readonly url: string
  readonly sandbox: Sandbox
  readonly receiver: Receiver
  /** Receives callbacks that no check reads. */
  readonly unusedMailbox: Mailbox
  /** Every error code that the server has returned. */
  readonly codesSeen = new Set<string>()
  #shared: Promise<MiniApp> | undefined

  constructor(url: string, sandbox: Sandbox, receiver: Receiver) {
    this.url = url
    this.sandbox = sandbox
    this.receiver = receiver
    this.unusedMailbox = receiver.mailbox()
  }

  /** Sends a request unchanged. Retries after 429 unless `retryOn429` is false. */
  async raw(raw: RawRequest, retryOn429 = true): Promise<Reply> {
    const reply = await request(this.url, raw, retryOn429)
    const code = reply.envelope?.responseHeader?.code
    if (typeof code === 'string') this.codesSeen.add(code)
    return reply
  }

  /** Returns the mini app shared by all checks that do not change its state. */
  app(): Promise<MiniApp> {
    this.#shared ??= this.newApp()
    return this.#shared
  }

  /** Creates a mini app with one user for a single check. */
  async newApp(): Promise<MiniApp> {
    const app = new MiniApp(this, await this.sandbox.createApp('Conformance'))
    app.user = await app.newUser()
    return app
  }
}

/** A mini app's backend, which signs and sends requests. */
export class MiniApp {
  readonly context: Context
  readonly appid: string
  secret: string
  /** The first user. */
  user!: AppUser
  #lastTimestamp = 0

  constructor(context: Context, { appid, secret }: Credentials) {
    this.context = context
    this.appid = appid
    this.secret = secret
  }

  /** Adds appid, its own timestamp and sign to the parameters, which may override them. */
  sign(parameters: Parameters): [string, string][] {
    this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1)
    return withSign(pairsOf({ appid: this.appid, timestamp: this.#lastTimestamp, ...parameters }), this.secret)
  }

  /** Sends pairs unchanged. */
  send(operation: OperationName, pairs: Pairs, transport?: Transport): Promise<Reply> {
    return this.context.raw(requestOf(operation, pairs, transport))
  }

  /** Signs and sends a request. */
  call(operation: OperationName, parameters: Parameters, transport?: Transport): Promise<Reply> {
    return this.send(operation, this.sign(parameters), transport)
  }

  /** Creates a user and logs it in to this mini app. */
  async newUser(): Promise<AppUser> {
    return this.login(await this.context.sandbox.createUser({ nickname: 'Amal' }))
  }

  /** Logs in a user: exchanges a code for a token and reads the user info. */
  async login(uid: number): Promise<AppUser> {
    const scope = 'user.info'
    const code = await this.context.sandbox.createCode(this.appid, uid, scope)
    const { accessToken } = expectSuccess(
      await this.call('accessToken', { code, grantType: 'authorization_code', scope }),
    ) as { accessToken: string }
    const { openId } = expectSuccess(await this.userInfo(accessToken)) as { openId: string }
    return { uid, openId, accessToken }
  }

  /** Reads user info with only the token. */
  userInfo(accessToken: string): Promise<Reply> {
    return this.send('userInfo', [['accessToken', accessToken]])
  }

  /** Returns the parameters of a valid trade, with changes. */
  tradeParameters(changes: Parameters = {}): Parameters {
    return {
      outTradeNo: unique(),
      notifyUrl: this.context.unusedMailbox.url,
      amount: 1250,
      currency: 'SAR',
      openId: this.user.openId,
      ...changes,
    }
  }

  /** Creates a trade, which must succeed, and returns its tradeNo. */
  async createTrade(changes: Parameters = {}): Promise<string> {
    const result = expectSuccess(await this.call('trade', this.tradeParameters(changes))) as { tradeNo: string }
    return result.tradeNo
  }

  /** Creates a trade with a mailbox that receives its callbacks. */
  async createTradeWithMailbox(): Promise<{ tradeNo: string; mailbox: Mailbox }> {
    const mailbox = this.context.receiver.mailbox()
    return { tradeNo: await this.createTrade({ notifyUrl: mailbox.url }), mailbox }
  }

  /** Reads a trade. */
  async detail(tradeNo: string): Promise<Trade> {
    return expectSuccess(await this.call('tradedetail', { tradeNo })) as Trade
  }

  /** Pays as the first user with the given outcome. */
  pay(tradeNo: string, outcome: string, payMethod: 'wallet-a' | 'wallet-b' | 'card' = 'card') {
    return this.context.sandbox.pay({ tradeNo, uid: this.user.uid, outcome, payMethod })
  }
}

/** Returns a unique text of characters allowed in `outTradeNo`. */
export function unique(): string {
  return `c-${randomBytes(12).toString('hex')}`
}
