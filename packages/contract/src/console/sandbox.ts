import { Type } from 'typebox'
import { HomeItem, InboxItem, PaymentResult } from '../host/index.ts'
import { MessageLevelSchema } from '../messageSchemas.ts'
import { TradeNo } from '../open/tradeNo.ts'
import { operation } from '../operation.ts'
import { outcomes } from '../sandbox.ts'
import { Appid, DomainTime, Long, Nullable, RealTime, ScopeList, Text } from '../schemas.ts'
import { day } from '../time.ts'
import { payMethod } from '../trade.ts'
import { console, Page, paging, Uid, WebUrl } from './surface.ts'

const OutcomeSchema = Type.Enum([...outcomes], { 'x-allowed': `must be one of ${outcomes.join(', ')}` })

/**
 * Faults that a sandbox can inject into callback deliveries: `drop` does not send the callback, `error500` sends it and
 * treats the response as a 500, `twice` sends it twice in a row.
 */
export const callbackFaults = ['drop', 'error500', 'twice'] as const
export type CallbackFault = (typeof callbackFaults)[number]

const CallbackFaultState = Type.Object({
  appid: Type.String(),
  fault: Nullable(Type.Enum([...callbackFaults])),
  remaining: Type.Integer({ description: 'Number of remaining attempts with this fault.' }),
})

/** Maximum number of moves of the clock that are remembered. */
export const maxClockMoves = 100

const Clock = Type.Object({
  now: DomainTime(),
  offset: Type.Integer({ description: 'Offset from real time, ms.' }),
  moves: Type.Array(
    Type.Object({ time: RealTime(), offset: Type.Integer({ description: 'Offset since then, ms.' }) }),
    { description: `The last ${maxClockMoves} moves, oldest first.` },
  ),
})

/** Operations of a sandbox. Mock users and the clock are shared by the whole installation. */
export const sandboxOperations = {
  listUsers: operation({
    ...console,
    id: 'listUsers',
    method: 'GET',
    path: '/console/v1/sandbox/users',
    summary: 'List mock users, newest first',
    access: { action: 'sandbox.use', by: 'anyProject' },
    sandboxOnly: true,
    parameters: Type.Object({ ...paging }),
    result: Page(
      Type.Object({
        uid: Type.Integer(),
        nickname: Type.String(),
        avatar: Type.String({ description: 'URL of the profile photo, or of a generated one.' }),
        email: Nullable(Type.String()),
        country: Nullable(Type.String()),
        phone: Nullable(Type.String()),
        ctime: DomainTime(),
      }),
    ),
    errors: [],
    redact: ['items'],
  }),
  createUser: operation({
    ...console,
    id: 'createUser',
    method: 'POST',
    path: '/console/v1/sandbox/users',
    summary: 'Create a mock user',
    access: { action: 'sandbox.use', by: 'anyProject' },
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
      avatar: Type.Optional(WebUrl),
      claims: Type.Optional(
        Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
          maxProperties: 100,
          description: 'Claims of an identity provider; those that scopes of the operator name are stored.',
          'x-allowed': 'must be an object of at most 100 texts, numbers, true or false',
        }),
      ),
    }),
    example: { nickname: 'Layla' },
    result: Type.Object({ uid: Type.Integer() }),
    errors: [],
    redact: ['country', 'phone', 'email', 'claims'],
  }),
  createCode: operation({
    ...console,
    id: 'createCode',
    method: 'POST',
    path: '/console/v1/sandbox/codes',
    summary: 'Create a login code of this user like neu.login(), or with a scope like neu.getAuthCode()',
    access: { action: 'sandbox.use', by: 'appid' },
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      uid: Uid,
      scope: Type.Optional(
        ScopeList({ description: 'Scopes that the user consents to; absent for the code of neu.login().' }),
      ),
    }),
    result: Type.Object({ code: Type.String() }),
    errors: ['user_not_found', 'capability_missing', 'scope_not_granted'],
    redact: ['code'],
  }),
  pay: operation({
    ...console,
    id: 'pay',
    method: 'POST',
    path: '/console/v1/sandbox/payments',
    summary: 'Pay a trade as this user with a chosen outcome',
    access: { action: 'sandbox.use', by: 'tradeNo' },
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      tradeNo: TradeNo,
      uid: Uid,
      payMethod: Type.Optional(
        Type.Enum(Object.keys(payMethod), {
          default: 'card',
          'x-allowed': `must be one of ${Object.keys(payMethod).join(', ')}`,
        }),
      ),
      outcome: Type.Optional(OutcomeSchema),
    }),
    result: PaymentResult,
    errors: ['user_not_found'],
    redact: [],
  }),
  resolvePayment: operation({
    ...console,
    id: 'resolvePayment',
    method: 'POST',
    path: '/console/v1/sandbox/results',
    summary: 'Resolve a pending payment at the sandbox provider, even if the trade is already final',
    access: { action: 'sandbox.use', by: 'tradeNo' },
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({ tradeNo: TradeNo, outcome: OutcomeSchema }),
    example: { outcome: 'succeeded' },
    result: PaymentResult,
    errors: ['payment_not_pending'],
    redact: [],
  }),
  sandboxInbox: operation({
    ...console,
    id: 'sandboxInbox',
    method: 'GET',
    path: '/console/v1/sandbox/users/{uid}/inbox',
    summary: 'List notifications of a user from mini apps that the caller may see, newest first',
    access: { action: 'sandbox.use', by: 'anyProject' },
    sandboxOnly: true,
    parameters: Type.Object({ uid: Uid }),
    result: Type.Array(InboxItem),
    errors: ['user_not_found'],
    redact: [],
  }),
  sandboxHome: operation({
    ...console,
    id: 'sandboxHome',
    method: 'GET',
    path: '/console/v1/sandbox/users/{uid}/home',
    summary: 'List activity messages of a user from mini apps that the caller may see, newest first',
    access: { action: 'sandbox.use', by: 'anyProject' },
    sandboxOnly: true,
    parameters: Type.Object({ uid: Uid }),
    result: Type.Array(HomeItem),
    errors: ['user_not_found'],
    redact: [],
  }),
  sandboxSetMessageLevel: operation({
    ...console,
    id: 'sandboxSetMessageLevel',
    method: 'PATCH',
    path: '/console/v1/apps/{appid}/message-level',
    summary: 'Choose the level of the messages of a mini app as this user',
    access: { action: 'sandbox.use', by: 'appid' },
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({ appid: Appid, uid: Uid, level: MessageLevelSchema }),
    example: { level: 'off' },
    result: Type.Boolean(),
    errors: ['user_not_found'],
    redact: [],
  }),
  getCallbackFault: operation({
    ...console,
    id: 'getCallbackFault',
    method: 'GET',
    path: '/console/v1/apps/{appid}/callback-fault',
    summary: 'Get the injected callback fault of a mini app',
    access: { action: 'callback.read', by: 'appid' },
    sandboxOnly: true,
    parameters: Type.Object({ appid: Appid }),
    result: CallbackFaultState,
    errors: [],
    redact: [],
  }),
  setCallbackFault: operation({
    ...console,
    id: 'setCallbackFault',
    method: 'POST',
    path: '/console/v1/apps/{appid}/callback-fault',
    summary: 'Inject a fault into the next callbacks of a mini app; count 0 removes it',
    access: { action: 'sandbox.use', by: 'appid' },
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      fault: Type.Enum([...callbackFaults], { 'x-allowed': `must be one of ${callbackFaults.join(', ')}` }),
      count: Long({ maximum: 1000, description: 'Attempts.', 'x-allowed': 'must be a number from 0 to 1000' }),
    }),
    example: { fault: 'drop', count: 0 },
    result: CallbackFaultState,
    errors: [],
    redact: [],
  }),
  moveClock: operation({
    ...console,
    id: 'moveClock',
    method: 'POST',
    path: '/console/v1/sandbox/clock',
    summary: 'Move the sandbox clock forward, or reset it; due jobs run before the response',
    access: 'administrator',
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      forward: Type.Optional(
        Long({
          minimum: 1,
          maximum: 366 * day,
          description: 'ms',
          'x-allowed': 'must be a number of milliseconds from 1 to 31622400000 (366 days)',
        }),
      ),
      reset: Type.Optional(Type.Boolean({ 'x-allowed': 'must be true or false' })),
    }),
    example: { reset: true },
    result: Clock,
    errors: [],
    redact: [],
  }),
  getClock: operation({
    ...console,
    id: 'getClock',
    method: 'GET',
    path: '/console/v1/sandbox/clock',
    summary: 'Get the sandbox clock',
    access: 'signedIn',
    sandboxOnly: true,
    parameters: Type.Object({}),
    result: Clock,
    errors: [],
    redact: [],
  }),
}
