import { randomBytes } from 'node:crypto'
import { type Capability, mostRecipients, type NotDeliveredReasons, SoukError } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import type { App } from '../app.ts'
import type { AppCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listUsersByOpenId, lockUsers } from '../users/index.ts'
import { findOpenIds } from './apps/index.ts'
import { filterReachable } from './releases/index.ts'

/** The recipients of a message. */
export interface Recipients {
  /** uid by openId. */
  users: ReadonlyMap<string, number>
  /** Number of skipped openIds: unknown, of another mini app, or not of a tester if only testers are reachable. */
  skipped: Pick<NotDeliveredReasons, 'unknown' | 'not_tester'>
}

/**
 * Returns the distinct users behind `openIds` that a message of the caller may reach, and remarks the number of skipped
 * ones in the request log.
 *
 * @throws SoukError `parameter_invalid` for too many openIds, `recipients_unknown` if none is known, `testers_only` if
 *   none is reachable
 */
export async function findReachableRecipients(
  context: Context,
  caller: AppCaller,
  openIds: readonly string[],
): Promise<Recipients> {
  const found = await findRecipients(context, caller, openIds)
  const reached = await filterReachable(context, caller.app, [...found.users.values()])
  const users = new Map([...found.users].filter(([, uid]) => reached.has(uid)))
  const others = found.users.size - users.size
  if (others > 0) {
    caller.remark?.(
      `No release is published; skipped ${others} ${others === 1 ? 'user who is not a tester' : 'users who are not testers'}.`,
    )
  }
  return { users, skipped: { ...found.skipped, not_tester: others } }
}

/**
 * Returns the distinct users behind `openIds`, reachable or not. Used to remove a message.
 * @throws SoukError `parameter_invalid`, `recipients_unknown` as above
 */
export async function findRecipients(
  context: Context,
  { app, remark }: AppCaller,
  openIds: readonly string[],
): Promise<Recipients> {
  const distinct = [...new Set(openIds)]
  if (distinct.length > mostRecipients) {
    throw new SoukError(
      'parameter_invalid',
      `openIds must contain at most ${mostRecipients} distinct openIds, not ${distinct.length}.`,
      { data: { parameters: ['openIds'] } },
    )
  }
  const users = await listUsersByOpenId(context.sql, app.appid, distinct)
  if (users.size === 0) throw noneKnown()
  const skipped = distinct.length - users.size
  if (skipped > 0) {
    remark?.(`Skipped ${skipped} of ${distinct.length} openIds: unknown under this appid.`)
  }
  return { users, skipped: { unknown: skipped } }
}

const noneKnown = () => new SoukError('recipients_unknown', 'Use openIds from the user info of this mini app.')

/**
 * Locks the recipients of a message, so that none of them is erased before it is stored, and skips those who have been
 * erased since they were found.
 * @throws SoukError `recipients_unknown` if none is left
 */
export async function lockRecipients(tx: Tx, { users, skipped }: Recipients): Promise<Recipients> {
  const uids = new Set(await lockUsers(tx, [...users.values()]))
  if (uids.size === 0) throw noneKnown()
  const locked = new Map([...users].filter(([, uid]) => uids.has(uid)))
  return { users: locked, skipped: { ...skipped, unknown: (skipped.unknown ?? 0) + users.size - locked.size } }
}

/**
 * Returns the mini app and the openIds for a test message that is sent from the console on its behalf.
 * @throws SoukError `app_not_found`, `capability_missing`, `recipients_unknown`, `testers_only`
 */
export async function findTestRecipients(
  context: Context,
  appid: string,
  capability: Capability,
  uids: readonly number[],
): Promise<{ app: App; openIds: string[] }> {
  const app = await context.apps.find(appid)
  if (app === undefined) throw new SoukError('app_not_found')
  const reached = await filterReachable(context, app, uids)
  const openIds = await findOpenIds(context, app, capability, [...reached])
  if (openIds.length === 0) throw new SoukError('recipients_unknown', 'None of the uids has an openId.')
  return { app, openIds }
}

/**
 * Sends a message on behalf of a mini app, and returns how many of the recipients get it. There is no signed request:
 * a random sign identifies the message.
 */
export async function sendAsApp(
  app: App,
  openIds: readonly string[],
  send: (caller: AppCaller) => Promise<unknown>,
): Promise<{ recipients: number; off: number; overLimit: number }> {
  let reasons: NotDeliveredReasons = {}
  const notDelivered = (given: NotDeliveredReasons) => {
    reasons = given
  }
  await send({ kind: 'app', app, sign: randomBytes(32).toString('hex'), notDelivered })
  const { off = 0, daily_limit: overLimit = 0 } = reasons
  return { recipients: openIds.length - off - overLimit, off, overLimit }
}
