import { Type } from 'typebox'
import { TradeNo } from '../open/tradeNo.ts'
import { operation } from '../operation.ts'
import { Appid, Hex32, Long, Nullable } from '../schemas.ts'
import { console, Flag, Page, ProjectId, paging, Time, timeRange } from './surface.ts'

/** One try to deliver a callback. `via` tells the notifyUrl from a developer's machine behind `souk listen`. */
const CallbackAttempt = Type.Object({
  attempt: Type.Integer({ description: 'From 1.' }),
  via: Type.Enum(['notifyUrl', 'listen']),
  time: Type.Integer({ description: 'ms' }),
  duration: Type.Integer({ description: 'ms' }),
  acknowledged: Type.Boolean(),
  status: Nullable(Type.Integer({ description: 'HTTP status of the answer; null where there was none.' })),
  reply: Nullable(Type.String({ description: 'The first part of the answer’s body.' })),
  error: Nullable(Type.String({ description: 'Why there was no answer.' })),
})

const states = ['pending', 'delivered', 'dead'] as const
const State = Type.Optional(Type.Enum([...states], { 'x-allowed': 'must be pending, delivered or dead' }))

/** A payment result callback with all its attempts. */
export const Callback = Type.Object({
  notifyId: Hex32(),
  appid: Type.String(),
  tradeNo: Hex32(),
  outTradeNo: Type.String(),
  transactionStatus: Type.Integer(),
  notifyUrl: Type.String(),
  state: Type.Enum([...states], { description: 'dead: the schedule is used up; it can be replayed.' }),
  nextAttempt: Nullable(Type.Integer({ description: 'ms' })),
  ctime: Type.Integer(),
  attempts: Type.Array(CallbackAttempt),
})

/** One line of the ledger. */
const CallbackRow = Type.Object({
  notifyId: Hex32(),
  appid: Type.String(),
  tradeNo: Hex32(),
  outTradeNo: Type.String(),
  transactionStatus: Type.Integer(),
  notifyUrl: Type.String(),
  state: Type.Enum([...states]),
  attemptCount: Type.Integer(),
  lastAttempt: Nullable(CallbackAttempt),
  nextAttempt: Nullable(Type.Integer({ description: 'ms' })),
  ctime: Time,
})

/** Replaying a range of callbacks: a job, with how far it is. */
const CallbackReplay = Type.Object({
  replayId: Hex32(),
  projectId: ProjectId,
  state: Type.Enum(['running', 'finished', 'canceled']),
  total: Type.Integer({ description: 'How many callbacks it set out to deliver.' }),
  done: Type.Integer({ description: 'Delivered once more, acknowledged or not.' }),
  failed: Type.Integer({ description: 'Of those, not acknowledged.' }),
  ctime: Type.Integer({ description: 'ms of real time' }),
  mtime: Type.Integer({ description: 'ms of real time' }),
})

/** The most callbacks that one replay delivers. */
export const maxReplay = 10_000

const ReplayId = Hex32({ description: 'The replay.' })
const Limit = Type.Optional(
  Long({ minimum: 1, maximum: 1000, default: 100, 'x-allowed': 'must be a number from 1 to 1000' }),
)

/** The ledger of payment result callbacks. */
export const callbackOperations = {
  searchCallbacks: operation({
    ...console,
    id: 'searchCallbacks',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/callbacks',
    summary: 'The ledger of a project’s callbacks, newest first; or those not delivered before all others',
    access: { action: 'callback.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      appid: Type.Optional(Appid),
      state: State,
      failuresFirst: Type.Optional(Flag('dead, then pending ones with a failed attempt, then the rest.')),
      tradeNo: Type.Optional(TradeNo),
      ...timeRange,
      ...paging,
    }),
    result: Page(CallbackRow),
    errors: ['app_not_found'],
    redact: [],
  }),
  getCallback: operation({
    ...console,
    id: 'getCallback',
    method: 'GET',
    path: '/console/v1/callbacks/{notifyId}',
    summary: 'One callback: what is sent, and each attempt with its reply',
    access: { action: 'callback.read', by: 'notifyId' },
    parameters: Type.Object({ notifyId: Hex32() }),
    result: Type.Object({ ...Callback.properties, fields: Type.Record(Type.String(), Type.Unknown()) }),
    errors: [],
    redact: [],
  }),
  listCallbacks: operation({
    ...console,
    id: 'listCallbacks',
    method: 'GET',
    path: '/console/v1/callbacks',
    summary: 'The ledger of an app’s callbacks, newest first, each with its attempts',
    access: { action: 'callback.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid, state: State, tradeNo: Type.Optional(TradeNo), limit: Limit }),
    result: Type.Array(Callback),
    errors: [],
    redact: [],
  }),
  replayCallback: operation({
    ...console,
    id: 'replayCallback',
    method: 'POST',
    path: '/console/v1/callbacks/{notifyId}/replay',
    summary: 'Deliver a callback once more, now; the answer tells how it went',
    access: { action: 'callback.replay', by: 'notifyId' },
    body: ['json'],
    parameters: Type.Object({ notifyId: Hex32() }),
    result: Callback,
    errors: [],
    redact: [],
  }),
  replayCallbacks: operation({
    ...console,
    id: 'replayCallbacks',
    method: 'POST',
    path: '/console/v1/projects/{projectId}/replays',
    summary: `Deliver all callbacks that match once more, at most ${maxReplay}, the oldest first; goes on in the background`,
    access: { action: 'callback.replay', by: 'projectId' },
    body: ['json'],
    parameters: Type.Object({ projectId: ProjectId, appid: Type.Optional(Appid), state: State, ...timeRange }),
    result: CallbackReplay,
    errors: ['app_not_found'],
    redact: [],
  }),
  getReplay: operation({
    ...console,
    id: 'getReplay',
    method: 'GET',
    path: '/console/v1/replays/{replayId}',
    summary: 'How far a replay is',
    access: { action: 'callback.read', by: 'replayId' },
    parameters: Type.Object({ replayId: ReplayId }),
    result: CallbackReplay,
    errors: [],
    redact: [],
  }),
  cancelReplay: operation({
    ...console,
    id: 'cancelReplay',
    method: 'POST',
    path: '/console/v1/replays/{replayId}/cancel',
    summary: 'Stop a replay; what is under way is finished',
    access: { action: 'callback.replay', by: 'replayId' },
    body: ['json'],
    parameters: Type.Object({ replayId: ReplayId }),
    result: CallbackReplay,
    errors: [],
    redact: [],
  }),
  listen: operation({
    ...console,
    id: 'listen',
    method: 'GET',
    path: '/console/v1/listen',
    summary: 'Live: each callback as it is sent, signed, for forwarding to a developer’s own machine',
    access: { action: 'callback.replay', by: 'appid' },
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
    errors: [],
    redact: ['data'],
  }),
  reportForwarded: operation({
    ...console,
    id: 'reportForwarded',
    method: 'POST',
    path: '/console/v1/callbacks/{notifyId}/attempts',
    summary: 'What a forwarded callback was answered; an acknowledgement counts as delivery',
    access: { action: 'callback.replay', by: 'notifyId' },
    body: ['json'],
    parameters: Type.Object({
      notifyId: Hex32(),
      status: Type.Optional(Long({ minimum: 100, maximum: 599, 'x-allowed': 'must be an HTTP status' })),
      reply: Type.Optional(Type.String({ maxLength: 4096, 'x-allowed': 'must be a text of at most 4096 characters' })),
      error: Type.Optional(Type.String({ maxLength: 512, 'x-allowed': 'must be a text of at most 512 characters' })),
      duration: Long({ maximum: 3_600_000, 'x-allowed': 'must be a number of milliseconds' }),
    }),
    result: Type.Boolean(),
    errors: [],
    redact: [],
  }),
}
