import { type consoleOperations, type ParametersOf, type ResultOf, timelineEvents } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findRecord, listRequestsOfTrade } from '../../miniApps/index.ts'
import {
  callbacksOfTrade,
  expireIfDue,
  findMerchant,
  findTradeByTradeNo,
  listAttemptSummaries,
  listEntries,
  listEvents,
  listRefunds,
  type Trade,
  toRefundView,
  toTradeDetail,
  tradeNotFound,
} from '../../money/index.ts'
import { findUser } from '../../users/index.ts'

type Story = ResultOf<typeof consoleOperations.getTradeStory>
type Entry = Story['timeline'][number]
type Event = Entry['event']

/**
 * Returns a trade with everything that belongs to it, and a timeline of it all, oldest first.
 * @throws SoukError `trade_not_found`, `trade_archived`
 */
export async function getTradeStory(
  context: Context,
  _caller: ConsoleCaller,
  { tradeNo }: ParametersOf<typeof consoleOperations.getTradeStory>,
): Promise<Story> {
  const found = await findTradeByTradeNo(context.sql, tradeNo)
  if (!found) throw await tradeNotFound(context, tradeNo)
  const trade = await expireIfDue(context, found)
  const [app, payer, merchant, attempts, callbacks, refunds, events, requests] = await Promise.all([
    findRecord(context, trade.appid),
    findUser(context.sql, trade.payer),
    findMerchant(context, trade),
    listAttemptSummaries(context.sql, trade),
    callbacksOfTrade(context, trade),
    listRefunds(context.sql, trade),
    listEvents(context.sql, trade),
    listRequestsOfTrade(context.sql, trade),
  ])
  const references = [...attempts.map(({ attemptId }) => attemptId), ...refunds.map(({ refundNo }) => refundNo)]
  return {
    trade: toTradeDetail(trade, merchant),
    projectId: app!.projectId,
    appName: app!.name,
    appDeleted: app!.deleted,
    notifyUrl: trade.notifyUrl,
    payerName: payer?.nickName ?? null,
    attempts,
    callbacks,
    refunds: refunds.map(toRefundView),
    ledger: await listEntries(context.sql, references),
    requests,
    timeline: mergeTimeline(trade, events, callbacks),
  }
}

/** Merges events and callback attempts. At equal times, the stable sort puts events before callbacks. */
function mergeTimeline(
  trade: Trade,
  events: readonly { time: number; event: string; detail: unknown }[],
  callbacks: Story['callbacks'],
): Entry[] {
  const { amount, currency, timeExpire } = trade
  const entries = [
    entry('created', trade.ctime, { amount, currency, timeExpire }),
    ...events.map(({ event, time, detail }) => entry(event, time, detail as Record<string, unknown>)),
    ...callbacks.flatMap(({ notifyId, ctime, notifyUrl, attempts }) => [
      { ...entry('callbackQueued', ctime, { notifyUrl }), notifyId },
      ...attempts.map(({ attempt, time, ...detail }) => ({
        ...entry('callbackAttempt', time, detail),
        notifyId,
        callbackAttempt: attempt,
      })),
    ]),
  ]
  return entries.sort((a, b) => a.time - b.time)
}

function entry(name: string, time: number, detail: Record<string, unknown>): Entry {
  const event = timelineEvents.find((each) => each === name)
  if (event === undefined) throw new Error(`Unknown timeline event: ${name}`)
  const attemptId = typeof detail.attemptId === 'string' ? detail.attemptId : null
  return { time, kind: kindOf(event), event, attemptId, notifyId: null, callbackAttempt: null, detail }
}

function kindOf(event: Event): Entry['kind'] {
  if (event.startsWith('payment')) return 'payment'
  if (event.startsWith('money')) return 'money'
  return event.startsWith('callback') ? 'callback' : 'trade'
}
