import { type Capability, mostRecipients, SoukError } from '@souk/contract'
import type { App } from './app.ts'
import { findOpenIds } from './apps/index.ts'
import type { AppCaller } from './caller.ts'
import type { Context } from './context.ts'
import { listUsersByOpenId } from './identity/index.ts'
import { filterReachable } from './releases/index.ts'

/** Whom a message reaches. */
export interface Recipients {
  /** uid by openId. */
  users: ReadonlyMap<string, number>
  /** How many openIds were passed over: unknown, another mini app's, or not of a tester where only those are reached. */
  skipped: number
}

/**
 * The users behind `openIds`, each once, whom a message of the caller may reach. How many were passed over is remarked to the
 * developer.
 *
 * @throws SoukError `parameter_invalid` for too many different ones, `recipients_unknown` where not one is known,
 *   `testers_only` where not one may be reached
 */
export async function findReachableRecipients(
  context: Context,
  caller: AppCaller,
  openIds: readonly string[],
): Promise<Recipients> {
  const known = await findRecipients(context, caller, openIds)
  const reached = await filterReachable(context, caller.app, [...known.users.values()])
  const users = new Map([...known.users].filter(([, uid]) => reached.has(uid)))
  const others = known.users.size - users.size
  if (others > 0) {
    caller.remark?.(
      `No release is published, and ${others} ${others === 1 ? 'is no tester' : 'are no testers'}: skipped.`,
    )
  }
  return { users, skipped: known.skipped + others }
}

/**
 * The users behind `openIds`, each once, whether a message may reach them or not: for taking one away.
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
      `openIds must be ${mostRecipients} different ones at most; these are ${distinct.length}.`,
      { data: { parameters: ['openIds'] } },
    )
  }
  const users = await listUsersByOpenId(context.sql, app.appid, distinct)
  if (users.size === 0) throw new SoukError('recipients_unknown', 'Take them from the user info of this same mini app.')
  const skipped = distinct.length - users.size
  if (skipped > 0) {
    remark?.(
      `${skipped} of ${distinct.length} openIds ${skipped === 1 ? 'is' : 'are'} not known under this appid: skipped.`,
    )
  }
  return { users, skipped }
}

/**
 * The mini app and the openIds for a message that somebody sends from the console in its name.
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
  if (openIds.length === 0) throw new SoukError('recipients_unknown', 'None of the uids is known.')
  return { app, openIds }
}
