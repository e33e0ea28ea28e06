import { randomBytes } from 'node:crypto'
import { succeeded } from './expect.ts'
import type { Mailbox, Receiver } from './receiver.ts'
import type { Credentials, Profile, Sandbox } from './sandbox.ts'
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

/** A trade of open-api §2.5, as far as checks look at single fields. */
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

/** What every check is given. */
export class Context {
  readonly url: string
  readonly sandbox: Sandbox
  readonly receiver: Receiver
  /** Where callbacks go that no check looks at. */
  readonly anywhere: Mailbox
  /** Every error code that the server gave. */
  readonly codesSeen = new Set<string>()
  #shared: Promise<MiniApp> | undefined

  constructor(url: string, sandbox: Sandbox, receiver: Receiver) {
    this.url = url
    this.sandbox = sandbox
    this.receiver = receiver
    this.anywhere = receiver.mailbox()
  }

  /** Sends a request as it is. `patient: false` takes 429 for an answer. */
  async raw(raw: RawRequest, patient = true): Promise<Reply> {
    const reply = await request(this.url, raw, patient)
    const code = reply.envelope?.responseHeader?.code
    if (typeof code === 'string') this.codesSeen.add(code)
    return reply
  }

  /** The mini app that checks share where they leave nothing behind in it. */
  app(): Promise<MiniApp> {
    this.#shared ??= this.newApp()
    return this.#shared
  }

  /** A mini app with one user, for one check alone. */
  async newApp(): Promise<MiniApp> {
    const app = new MiniApp(this, await this.sandbox.createApp('Conformance'))
    app.user = await app.newUser()
    return app
  }
}

/** The backend of one mini app: signs and sends. */
export class MiniApp {
  readonly context: Context
  readonly appid: string
  secret: string
  /** The first user. */
  user!: AppUser

  constructor(context: Context, { appid, secret }: Credentials) {
    this.context = context
    this.appid = appid
    this.secret = secret
  }

  /** The parameters with appid, timestamp and sign; those three can be given too. */
  sign(parameters: Parameters): [string, string][] {
    return withSign(pairsOf({ appid: this.appid, timestamp: Date.now(), ...parameters }), this.secret)
  }

  /** Sends pairs as they are. */
  send(operation: OperationName, pairs: Pairs, transport?: Transport): Promise<Reply> {
    return this.context.raw(requestOf(operation, pairs, transport))
  }

  /** Signs and sends. */
  call(operation: OperationName, parameters: Parameters, transport?: Transport): Promise<Reply> {
    return this.send(operation, this.sign(parameters), transport)
  }

  /** Another user of this mini app, logged in with the scope. */
  async newUser(profile: Profile = { nickname: 'Amal' }, scope = 'user.info'): Promise<AppUser> {
    const uid = await this.context.sandbox.createUser(profile)
    return this.login(uid, scope)
  }

  /** Logs a user in: code, token, user info. */
  async login(uid: number, scope = 'user.info'): Promise<AppUser> {
    const code = await this.context.sandbox.createCode(this.appid, uid, scope)
    const { accessToken } = succeeded(
      await this.call('accessToken', { code, grantType: 'authorization_code', scope }),
    ) as { accessToken: string }
    const { openId } = succeeded(await this.userInfo(accessToken)) as { openId: string }
    return { uid, openId, accessToken }
  }

  /** Reads user info with nothing but the token. */
  userInfo(accessToken: string): Promise<Reply> {
    return this.send('userInfo', [['accessToken', accessToken]])
  }

  /** Parameters of a trade that is fine, with changes. */
  tradeParameters(changes: Parameters = {}): Parameters {
    return {
      outTradeNo: unique(),
      notifyUrl: this.context.anywhere.url,
      amount: 1250,
      currency: 'SAR',
      openId: this.user.openId,
      ...changes,
    }
  }

  /** Creates a trade that must succeed. */
  async createTrade(changes: Parameters = {}): Promise<string> {
    const result = succeeded(await this.call('trade', this.tradeParameters(changes))) as { tradeNo: string }
    return result.tradeNo
  }

  /** Creates a trade whose callbacks arrive at a mailbox of its own. */
  async createTradeWithMailbox(changes: Parameters = {}): Promise<{ tradeNo: string; mailbox: Mailbox }> {
    const mailbox = this.context.receiver.mailbox()
    return { tradeNo: await this.createTrade({ notifyUrl: mailbox.url, ...changes }), mailbox }
  }

  /** The trade as the document shows it. */
  async detail(tradeNo: string): Promise<Trade> {
    return succeeded(await this.call('tradedetail', { tradeNo })) as Trade
  }

  /** Pays as the first user, with the outcome. */
  pay(tradeNo: string, outcome: string, payMethod: 'wallet-a' | 'wallet-b' | 'card' = 'card') {
    return this.context.sandbox.pay({ tradeNo, uid: this.user.uid, outcome, payMethod })
  }
}

/** A text that nobody used before, within the characters of `outTradeNo`. */
export function unique(): string {
  return `c-${randomBytes(12).toString('hex')}`
}
