import { Type } from 'typebox'
import { TradeNo } from '../open/tradeNo.ts'
import { operation } from '../operation.ts'
import { Appid, DomainTime, Hex32, Long, Nullable, RealTime, Text } from '../schemas.ts'
import { hour } from '../time.ts'
import {
  console,
  Flag,
  Listed,
  maxListed,
  Page,
  PausedUntil,
  ProjectId,
  paging,
  SearchText,
  Sort,
  timeRange,
} from './surface.ts'

/** A delivery attempt. `via` is the notifyUrl, or a developer's machine running `souk listen`. */
const CallbackAttempt = Type.Object({
  attempt: Type.Integer({ description: 'Starts at 1.' }),
  via: Type.Enum(['notifyUrl', 'listen']),
  time: DomainTime(),
  duration: Type.Integer({ description: 'ms' }),
  acknowledged: Type.Boolean(),
  status: Nullable(Type.Integer({ description: 'HTTP status of the response; null if there was none.' })),
  reply: Nullable(Type.String({ description: 'Beginning of the response body.' })),
  error: Nullable(Type.String({ description: 'Why there was no response.' })),
})

const states = ['pending', 'delivered', 'dead'] as const
const State = Type.Optional(Type.Enum([...states], { 'x-allowed': 'must be pending, delivered or dead' }))

/** States that lists and replays select: pending ones are either waiting for their first attempt, or failing. */
const selections = [...states, 'waiting', 'failing'] as const
const Selection = Type.Optional(
  Type.Enum([...selections], {
    description: 'pending: waiting for the first attempt, or failing, which is retried.',
    'x-allowed': `must be one of ${selections.join(', ')}`,
  }),
)

/** The callback of a payment or a refund, with all delivery attempts. */
export const Callback = Type.Object({
  notifyId: Hex32(),
  appid: Type.String(),
  tradeNo: Hex32(),
  outTradeNo: Type.String(),
  refundNo: Nullable(Hex32({ description: 'The refund, whose result this is; null for the result of a payment.' })),
  transactionStatus: Type.Integer({ description: 'That of the trade; for a refund 2 succeeded, 3 failed.' }),
  notifyUrl: Type.String(),
  state: Type.Enum([...states], { description: 'dead: all scheduled attempts failed; it can be replayed.' }),
  nextAttempt: Nullable(DomainTime()),
  pausedUntil: PausedUntil('the host'),
  ctime: DomainTime(),
  attempts: Type.Array(CallbackAttempt),
})

/** A callback in a list. */
const CallbackRow = Type.Object({
  notifyId: Hex32(),
  appid: Type.String(),
  tradeNo: Hex32(),
  outTradeNo: Type.String(),
  refundNo: Nullable(Hex32({ description: 'The refund, whose result this is; null for the result of a payment.' })),
  transactionStatus: Type.Integer({ description: 'That of the trade; for a refund 2 succeeded, 3 failed.' }),
  notifyUrl: Type.String(),
  state: Type.Enum([...states]),
  attemptCount: Type.Integer(),
  lastAttempt: Nullable(CallbackAttempt),
  nextAttempt: Nullable(DomainTime()),
  pausedUntil: PausedUntil('the host'),
  ctime: DomainTime(),
})

/** A background job that replays callbacks, with its progress. */
const CallbackReplay = Type.Object({
  replayId: Hex32(),
  projectId: ProjectId,
  state: Type.Enum(['running', 'finished', 'canceled']),
  total: Type.Integer({ description: 'Number of callbacks to deliver.' }),
  done: Type.Integer({ description: 'Number of callbacks sent so far.' }),
  failed: Type.Integer({ description: 'Number of callbacks that were not acknowledged.' }),
  ctime: RealTime(),
  mtime: RealTime(),
})

/** A host that receives callbacks of a mini app, and fails. Times follow the clock of a sandbox. */
const CallbackReceiver = Type.Object({
  appid: Type.String(),
  host: Type.String({ description: 'Host and port of the notifyUrl.' }),
  state: Type.Enum(['failing', 'disabled'], {
    description:
      'failing: nothing was acknowledged for a day, or with `all` since an attempt failed; disabled: for five days, and callbacks are not sent.',
  }),
  failingSince: DomainTime('Time of the first failed attempt since the last acknowledgement, ms.'),
  disabledAt: Nullable(DomainTime()),
  failing: Type.Integer({ description: 'Callbacks that are retried, at most 10000.' }),
  dead: Type.Integer({ description: 'Dead callbacks since it began to fail, at most 10000.' }),
})

/** Maximum number of callbacks per replay. */
export const maxReplay = 10_000

const ReplayId = Hex32({ description: 'The replay.' })
const Limit = Type.Optional(
  Long({ minimum: 1, maximum: 1000, default: 100, 'x-allowed': 'must be a number from 1 to 1000' }),
)

/** Callbacks that a replay redelivers. */
const replayFilter = {
  appid: Type.Optional(Appid),
  host: Type.Optional(Text(255, { description: 'Host and port of the notifyUrl.' })),
  state: Selection,
  ...timeRange,
}

/** Payment result callbacks. */
export const callbackOperations = {
  searchCallbacks: operation({
    ...console,
    id: 'searchCallbacks',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/callbacks',
    summary: 'List callbacks of a project, by default newest first',
    access: { action: 'callback.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      appid: Type.Optional(Appid),
      state: Selection,
      failuresFirst: Type.Optional(Flag('Same as `sort=-state`; ignored with `sort`.')),
      tradeNo: Type.Optional(TradeNo),
      text: SearchText('notifyId, tradeNo, outTradeNo or notifyUrl'),
      sort: Sort(
        ['-ctime', 'ctime', '-state', 'state'],
        '`-state`: dead ones, then pending ones with a failed attempt, then the rest, each newest first.',
      ),
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
    summary: 'Get a callback with its body and all delivery attempts',
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
    summary: 'List callbacks of a mini app with their attempts, newest first',
    access: { action: 'callback.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid, state: State, tradeNo: Type.Optional(TradeNo), limit: Limit }),
    result: Listed(Callback),
    errors: [],
    redact: [],
  }),
  replayCallback: operation({
    ...console,
    id: 'replayCallback',
    method: 'POST',
    path: '/console/v1/callbacks/{notifyId}/replay',
    summary: 'Redeliver a callback now and return the attempt',
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
    summary: `Redeliver all matching callbacks in the background, oldest first, at most ${maxReplay}`,
    access: { action: 'callback.replay', by: 'projectId' },
    body: ['json'],
    parameters: Type.Object({ projectId: ProjectId, ...replayFilter }),
    result: CallbackReplay,
    errors: ['app_not_found'],
    redact: [],
  }),
  countReplay: operation({
    ...console,
    id: 'countReplay',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/replays/count',
    summary: `Count the callbacks that a replay would redeliver, at most ${maxReplay}`,
    access: { action: 'callback.replay', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId, ...replayFilter }),
    result: Type.Object({ total: Type.Integer() }),
    errors: ['app_not_found'],
    redact: [],
  }),
  getReplay: operation({
    ...console,
    id: 'getReplay',
    method: 'GET',
    path: '/console/v1/replays/{replayId}',
    summary: 'Get the progress of a replay',
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
    summary: 'Cancel a replay; deliveries in progress are finished',
    access: { action: 'callback.replay', by: 'replayId' },
    body: ['json'],
    parameters: Type.Object({ replayId: ReplayId }),
    result: CallbackReplay,
    errors: [],
    redact: [],
  }),
  listCallbackReceivers: operation({
    ...console,
    id: 'listCallbackReceivers',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/callback-receivers',
    summary: `List hosts that have acknowledged no callback of a mini app for a day, and those that are disabled, at most ${maxListed}`,
    access: { action: 'callback.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      all: Type.Optional(Flag('Also hosts that have failed for less than a day.')),
    }),
    result: Listed(CallbackReceiver),
    errors: [],
    redact: [],
  }),
  enableCallbackReceiver: operation({
    ...console,
    id: 'enableCallbackReceiver',
    method: 'POST',
    path: '/console/v1/apps/{appid}/callback-receivers/enable',
    summary: `Send callbacks to a disabled host again, with its dead ones since a time, at most ${maxReplay}`,
    access: { action: 'callback.replay', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      host: Text(255, { description: 'Host and port of the notifyUrl.' }),
      since: Type.Optional(
        Long({
          description:
            'Also resend dead callbacks that were last tried, or stored without an attempt, since this time, ms. If absent, none are resent.',
          'x-allowed': 'must be a Unix time in ms',
          'x-clock': 'domain',
        }),
      ),
    }),
    example: { host: 'backend.example' },
    result: Type.Object({ replayed: Type.Integer({ description: 'Number of callbacks that are delivered again.' }) }),
    errors: ['callback_receiver_not_found'],
    redact: [],
  }),
  listen: operation({
    ...console,
    id: 'listen',
    method: 'GET',
    path: '/console/v1/listen',
    summary: 'Stream signed callbacks as they are sent, for forwarding to a developer machine',
    access: { action: 'callback.replay', by: 'appid' },
    stream: true,
    parameters: Type.Object({ appid: Type.Optional(Appid) }),
    result: Type.Object({
      event: Type.Enum(['callback', 'resync'], {
        description: 'resync: callbacks may have been sent without appearing in this stream.',
      }),
      data: Type.Union([
        Type.Object({
          notifyId: Hex32(),
          appid: Type.String(),
          headers: Type.Record(Type.String(), Type.String()),
          body: Type.String(),
        }),
        Type.Object({}, { description: 'Data of a resync event.' }),
      ]),
    }),
    errors: [],
    redact: ['data'],
  }),
  reportForwarded: operation({
    ...console,
    id: 'reportForwarded',
    method: 'POST',
    path: '/console/v1/callbacks/{notifyId}/attempts',
    summary: 'Report the response to a forwarded callback; an acknowledgement counts as delivery',
    access: { action: 'callback.replay', by: 'notifyId' },
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({
      notifyId: Hex32(),
      status: Type.Optional(
        Long({ minimum: 100, maximum: 599, 'x-allowed': 'must be an HTTP status from 100 to 599' }),
      ),
      reply: Type.Optional(
        Type.String({ maxLength: 4096, 'x-allowed': 'must be a string of at most 4096 characters' }),
      ),
      error: Type.Optional(Type.String({ maxLength: 512, 'x-allowed': 'must be a string of at most 512 characters' })),
      duration: Long({ maximum: hour, 'x-allowed': 'must be a number of milliseconds, at most 3600000 (one hour)' }),
    }),
    example: { status: 200, duration: 1 },
    result: Type.Boolean(),
    errors: [],
    redact: [],
  }),
}
