import { mostRecipients, SoukError } from '@souk/contract'
import type { AppCaller } from './caller.ts'
import type { Context } from './context.ts'
import { usersByOpenId } from './identity/index.ts'

/** Whom a message reaches. */
export interface Recipients {
  /** uid by openId. */
  users: ReadonlyMap<string, number>
  /** How many openIds were passed over: unknown, or another mini app's. */
  skipped: number
}

/**
 * The users behind `openIds`, each once. How many were passed over is remarked to the developer.
 *
 * @throws SoukError `parameter_invalid` for too many different ones, `recipients_unknown` where not one is known.
 */
export async function recipientsOf(
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
  const users = await usersByOpenId(context.sql, app.appid, distinct)
  if (users.size === 0) throw new SoukError('recipients_unknown', 'Take them from the user info of this same mini app.')
  const skipped = distinct.length - users.size
  if (skipped > 0) {
    remark?.(
      `${skipped} of ${distinct.length} openIds ${skipped === 1 ? 'is' : 'are'} not known under this appid: skipped.`,
    )
  }
  return { users, skipped }
}
