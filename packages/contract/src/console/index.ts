import { Type } from 'typebox'
import { HomeItem, InboxItem, PaymentResult } from '../host/index.ts'
import { TradeDetail } from '../open/tradedetail.ts'
import { TradeNo } from '../open/tradeNo.ts'
import { operation } from '../operation.ts'
import { outcomes } from '../sandbox.ts'
import { Appid, Hex32, Long, languages, Nullable, Text } from '../schemas.ts'
import { payMethod } from '../trade.ts'

const Uid = Long({ minimum: 1, description: 'Host user id.', 'x-allowed': 'must be a user id' })
const OutcomeSchema = Type.Enum([...outcomes], { 'x-allowed': `must be one of ${outcomes.join(', ')}` })
const Limit = Type.Optional(
  Long({ minimum: 1, maximum: 1000, default: 100, 'x-allowed': 'must be a number from 1 to 1000' }),
)

/** One try to deliver a callback. `via` tells the notifyUrl from a developer's machine behind `souk listen`. */
export const CallbackAttempt = Type.Object({
  attempt: Type.Integer({ description: 'From 1.' }),
  via: Type.Enum(['notifyUrl', 'listen']),
  time: Type.Integer({ description: 'ms' }),
  duration: Type.Integer({ description: 'ms' }),
  acknowledged: Type.Boolean(),
  status: Nullable(Type.Integer({ description: 'HTTP status of the answer; null where there was none.' })),
  reply: Nullable(Type.String({ description: 'The first part of the answer’s body.' })),
  error: Nullable(Type.String({ description: 'Why there was no answer.' })),
})

/** A payment result callback with all its attempts. */
export const Callback = Type.Object({
  notifyId: Hex32(),
  appid: Type.String(),
  tradeNo: Hex32(),
  outTradeNo: Type.String(),
  transactionStatus: Type.Integer(),
  notifyUrl: Type.String(),
  state: Type.Enum(['pending', 'delivered', 'dead'], {
    description: 'dead: the schedule is used up; it can be replayed.',
  }),
  nextAttempt: Nullable(Type.Integer({ description: 'ms' })),
  ctime: Type.Integer(),
  attempts: Type.Array(CallbackAttempt),
})

const console = { surface: 'console', auth: 'adminToken' } as const

/** What the console and the command line need (`/console/v1`). */
export const consoleOperations = {
  createApp: operation({
    ...console,
    id: 'createApp',
    method: 'POST',
    path: '/console/v1/apps',
    summary: 'Create a mini app; the secret is shown once',
    body: ['json'],
    parameters: Type.Object({
      name: Text(64, { description: 'Name shown to users.' }),
      language: Type.Optional(
        Type.Enum([...languages], {
          description: 'Default language.',
          'x-allowed': `must be one of ${languages.join(', ')}`,
        }),
      ),
    }),
    result: Type.Object({ appid: Type.String(), secret: Type.String() }),
    errors: ['admin_token_invalid'],
    redact: ['secret'],
  }),
  listApps: operation({
    ...console,
    id: 'listApps',
    method: 'GET',
    path: '/console/v1/apps',
    summary: 'The mini apps',
    parameters: Type.Object({}),
    result: Type.Array(
      Type.Object({
        appid: Type.String(),
        name: Type.String(),
        enabled: Type.Boolean(),
        capabilities: Type.Array(Type.String()),
        merchantId: Nullable(Type.String()),
        ctime: Type.Integer(),
      }),
    ),
    errors: ['admin_token_invalid'],
    redact: [],
  }),
  updateApp: operation({
    ...console,
    id: 'updateApp',
    method: 'PATCH',
    path: '/console/v1/apps/{appid}',
    summary: 'Enable or disable a mini app, grant or take capabilities, name its merchant',
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      enabled: Type.Optional(Type.Boolean({ 'x-allowed': 'must be true or false' })),
      capabilities: Type.Optional(
        Type.Array(Type.Enum(['login', 'payment', 'notification', 'activity', 'file']), {
          'x-allowed': 'must be a list of login, payment, notification, activity, file',
        }),
      ),
      merchantName: Type.Optional(Text(128)),
      merchantLogoUrl: Type.Optional(
        Text(1024, { pattern: '^https?://[^\\s]+$', 'x-allowed': 'must be an absolute http or https address' }),
      ),
    }),
    result: Type.Boolean(),
    errors: ['admin_token_invalid', 'app_not_found'],
    redact: [],
  }),
  rotateSecret: operation({
    ...console,
    id: 'rotateSecret',
    method: 'POST',
    path: '/console/v1/apps/{appid}/secrets',
    summary: 'A new secret, shown once; the old one stays valid for the overlap',
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      overlap: Type.Optional(
        Long({
          maximum: 30 * 86_400,
          default: 86_400,
          description: 'Seconds.',
          'x-allowed': 'must be a number of seconds, at most 2592000 (30 days)',
        }),
      ),
    }),
    result: Type.Object({ secret: Type.String() }),
    errors: ['admin_token_invalid', 'app_not_found'],
    redact: ['secret'],
  }),
  createUser: operation({
    ...console,
    id: 'createUser',
    method: 'POST',
    path: '/console/v1/sandbox/users',
    summary: 'Create a mock user',
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      nickname: Text(64),
      country: Type.Optional(
        Type.String({ pattern: '^\\+[0-9]{1,4}$', 'x-allowed': 'must be a plus sign and 1 to 4 digits, such as +966' }),
      ),
      phone: Type.Optional(Type.String({ pattern: '^[0-9]{4,15}$', 'x-allowed': 'must be 4 to 15 digits' })),
      email: Type.Optional(
        Type.String({ maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$', 'x-allowed': 'must be an e-mail address' }),
      ),
      avatar: Type.Optional(
        Text(1024, { pattern: '^https?://[^\\s]+$', 'x-allowed': 'must be an absolute http or https address' }),
      ),
    }),
    result: Type.Object({ uid: Type.Integer() }),
    errors: ['admin_token_invalid', 'sandbox_only'],
    redact: ['country', 'phone', 'email'],
  }),
  createCode: operation({
    ...console,
    id: 'createCode',
    method: 'POST',
    path: '/console/v1/sandbox/codes',
    summary: 'A login code as neu.getAuthCode() would give it to this user, consent included',
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      uid: Uid,
      scope: Type.Optional(
        Type.String({
          pattern: '^user\\.(info|phone|email)(,user\\.(info|phone|email))*$',
          default: 'user.info',
          'x-allowed': 'must be a comma-separated list of user.info, user.phone, user.email',
        }),
      ),
    }),
    result: Type.Object({ code: Type.String() }),
    errors: ['admin_token_invalid', 'sandbox_only', 'app_not_found', 'user_not_found', 'capability_missing'],
    redact: ['code'],
  }),
  pay: operation({
    ...console,
    id: 'pay',
    method: 'POST',
    path: '/console/v1/sandbox/payments',
    summary: 'Pay a trade as this user, with the outcome chosen',
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      tradeNo: TradeNo,
      uid: Uid,
      method: Type.Optional(
        Type.Enum(Object.keys(payMethod), {
          default: 'card',
          'x-allowed': `must be one of ${Object.keys(payMethod).join(', ')}`,
        }),
      ),
      outcome: Type.Optional(OutcomeSchema),
    }),
    result: PaymentResult,
    errors: ['admin_token_invalid', 'sandbox_only', 'trade_not_found', 'user_not_found'],
    redact: [],
  }),
  resolvePayment: operation({
    ...console,
    id: 'resolvePayment',
    method: 'POST',
    path: '/console/v1/sandbox/results',
    summary: 'Let the sandbox processor decide a payment that is in flight, also after the trade has become final',
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({ tradeNo: TradeNo, outcome: OutcomeSchema }),
    result: PaymentResult,
    errors: ['admin_token_invalid', 'sandbox_only', 'trade_not_found', 'payment_not_pending'],
    redact: [],
  }),
  sandboxInbox: operation({
    ...console,
    id: 'sandboxInbox',
    method: 'GET',
    path: '/console/v1/sandbox/users/{uid}/inbox',
    summary: 'Notifications as this user sees them, newest first',
    sandboxOnly: true,
    parameters: Type.Object({ uid: Uid }),
    result: Type.Array(InboxItem),
    errors: ['admin_token_invalid', 'sandbox_only', 'user_not_found'],
    redact: [],
  }),
  sandboxHome: operation({
    ...console,
    id: 'sandboxHome',
    method: 'GET',
    path: '/console/v1/sandbox/users/{uid}/home',
    summary: 'Activity messages as this user sees them, newest first',
    sandboxOnly: true,
    parameters: Type.Object({ uid: Uid }),
    result: Type.Array(HomeItem),
    errors: ['admin_token_invalid', 'sandbox_only', 'user_not_found'],
    redact: [],
  }),
  moveClock: operation({
    ...console,
    id: 'moveClock',
    method: 'POST',
    path: '/console/v1/sandbox/clock',
    summary: 'Move the clock of the domain forward, or reset it; what has come due happens before the answer',
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      forward: Type.Optional(
        Long({
          minimum: 1,
          maximum: 366 * 86_400_000,
          description: 'ms',
          'x-allowed': 'must be a number of milliseconds, at most a year',
        }),
      ),
      reset: Type.Optional(Type.Boolean({ 'x-allowed': 'must be true or false' })),
    }),
    result: Type.Object({
      now: Type.Integer({ description: 'ms' }),
      offset: Type.Integer({ description: 'ms ahead of real time' }),
    }),
    errors: ['admin_token_invalid', 'sandbox_only'],
    redact: [],
  }),
  getClock: operation({
    ...console,
    id: 'getClock',
    method: 'GET',
    path: '/console/v1/sandbox/clock',
    summary: 'The clock of the domain',
    sandboxOnly: true,
    parameters: Type.Object({}),
    result: Type.Object({
      now: Type.Integer({ description: 'ms' }),
      offset: Type.Integer({ description: 'ms ahead of real time' }),
    }),
    errors: ['admin_token_invalid', 'sandbox_only'],
    redact: [],
  }),
  getTrade: operation({
    ...console,
    id: 'getTrade',
    method: 'GET',
    path: '/console/v1/trades/{tradeNo}',
    summary: 'A trade with its history',
    parameters: Type.Object({ tradeNo: TradeNo }),
    result: Type.Object({
      trade: TradeDetail,
      events: Type.Array(
        Type.Object(
          { time: Type.Integer(), event: Type.String(), detail: Type.Unknown() },
          { description: 'Oldest first.' },
        ),
      ),
    }),
    errors: ['admin_token_invalid', 'trade_not_found'],
    redact: [],
  }),
  listCallbacks: operation({
    ...console,
    id: 'listCallbacks',
    method: 'GET',
    path: '/console/v1/callbacks',
    summary: 'The ledger of callbacks, newest first, each with its attempts',
    parameters: Type.Object({
      appid: Appid,
      state: Type.Optional(
        Type.Enum(['pending', 'delivered', 'dead'], { 'x-allowed': 'must be pending, delivered or dead' }),
      ),
      tradeNo: Type.Optional(TradeNo),
      limit: Limit,
    }),
    result: Type.Array(Callback),
    errors: ['admin_token_invalid', 'app_not_found'],
    redact: [],
  }),
  replayCallback: operation({
    ...console,
    id: 'replayCallback',
    method: 'POST',
    path: '/console/v1/callbacks/{notifyId}/replay',
    summary: 'Deliver a callback once more, now; the answer tells how it went',
    body: ['json'],
    parameters: Type.Object({ notifyId: Hex32() }),
    result: Callback,
    errors: ['admin_token_invalid', 'callback_not_found'],
    redact: [],
  }),
  listen: operation({
    ...console,
    id: 'listen',
    method: 'GET',
    path: '/console/v1/listen',
    summary: 'Live: each callback as it is sent, signed, for forwarding to a developer’s own machine',
    stream: true,
    parameters: Type.Object({ appid: Type.Optional(Appid) }),
    result: Type.Object({
      event: Type.Enum(['callback']),
      data: Type.Object({
        notifyId: Hex32(),
        appid: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        body: Type.String(),
      }),
    }),
    errors: ['admin_token_invalid', 'app_not_found'],
    redact: ['data'],
  }),
  reportForwarded: operation({
    ...console,
    id: 'reportForwarded',
    method: 'POST',
    path: '/console/v1/callbacks/{notifyId}/attempts',
    summary: 'What a forwarded callback was answered; an acknowledgement counts as delivery',
    body: ['json'],
    parameters: Type.Object({
      notifyId: Hex32(),
      status: Type.Optional(Long({ minimum: 100, maximum: 599, 'x-allowed': 'must be an HTTP status' })),
      reply: Type.Optional(Type.String({ maxLength: 4096, 'x-allowed': 'must be a text of at most 4096 characters' })),
      error: Type.Optional(Type.String({ maxLength: 512, 'x-allowed': 'must be a text of at most 512 characters' })),
      duration: Long({ maximum: 3_600_000, 'x-allowed': 'must be a number of milliseconds' }),
    }),
    result: Type.Boolean(),
    errors: ['admin_token_invalid', 'callback_not_found'],
    redact: [],
  }),
  listRequests: operation({
    ...console,
    id: 'listRequests',
    method: 'GET',
    path: '/console/v1/requests',
    summary: 'The log of open API requests, newest first, with the diagnosis of a sign that did not match',
    parameters: Type.Object({
      appid: Type.Optional(Appid),
      failed: Type.Optional(Type.Boolean({ description: 'Only refused ones.', 'x-allowed': 'must be true or false' })),
      limit: Limit,
    }),
    result: Type.Array(
      Type.Object({
        requestId: Type.String(),
        time: Type.Integer({ description: 'ms, real time' }),
        appid: Nullable(Type.String()),
        operation: Type.String(),
        status: Type.Integer(),
        code: Nullable(Type.String()),
        reason: Nullable(Type.String()),
        duration: Type.Number({ description: 'ms' }),
        diagnosis: Nullable(Type.Object({ canonicalString: Type.String(), mistakes: Type.Array(Type.Unknown()) })),
      }),
    ),
    errors: ['admin_token_invalid', 'app_not_found'],
    redact: [],
  }),
}
