import { day, type NotDeliveredReasons } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import type { Context } from '../context.ts'
import { countMessages, listLevels } from './messageLevels.store.ts'

/** The recipients who get a message. */
export interface Admitted {
  /** uid by openId. */
  users: ReadonlyMap<string, number>
  /** Those of them who get it without a banner. */
  silent: ReadonlySet<number>
  /** Number of the others, by reason. */
  reasons: NotDeliveredReasons
}

/**
 * Returns the recipients who get a message of a mini app now, and counts it for them. Users who have switched messages
 * off do not get it, nor do users who have received as many today (UTC) as the operator allows.
 *
 * @param users uid by openId, locked
 * @param counted whether it counts for a user; a replaced activity message does not
 */
export async function admitRecipients(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  appid: string,
  users: ReadonlyMap<string, number>,
  counted: (openId: string) => boolean = () => true,
): Promise<Admitted> {
  const levels = await listLevels(tx, appid, [...users.values()])
  const wanted = [...users].filter(([, uid]) => levels.get(uid) !== 'off')
  const toCount = wanted.filter(([openId]) => counted(openId)).map(([, uid]) => uid)
  const within = await countMessages(tx, appid, toCount, Math.floor(clock.now() / day))
  const admitted = wanted.filter(([openId, uid]) => !counted(openId) || within.has(uid))
  return {
    users: new Map(admitted),
    silent: new Set(admitted.map(([, uid]) => uid).filter((uid) => levels.get(uid) === 'silent')),
    reasons: { off: users.size - wanted.length, daily_limit: wanted.length - admitted.length },
  }
}
