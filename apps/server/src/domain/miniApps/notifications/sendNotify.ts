import {
  type NotDeliveredReasons,
  type openOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { isHttpUrl } from '../../../kernel/httpUrl.ts'
import { newId } from '../../../kernel/id.ts'
import { notifyUsers } from '../../../kernel/outbox.ts'
import type { AppCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { recordEvent } from '../../messages/index.ts'
import { admitRecipients } from '../admitRecipients.ts'
import { readPagePath } from '../pagePath.ts'
import { findReachableRecipients, lockRecipients } from '../recipients.ts'
import { claimSign } from '../usedSigns.ts'
import { insertNotification } from './store.ts'

type SendNotify = typeof openOperations.sendNotify
type Input = Omit<ParametersOf<SendNotify>, 'appid' | 'timestamp' | 'sign'>

/**
 * Sends a plain-text notification to the recipients known under the caller's appid (open-api §4.3) who want messages of
 * the mini app, and reports the number of the others (ADR 414). A repeated signed request returns true again but sends
 * nothing (ADR 40).
 *
 * `inTransaction` runs in the same transaction.
 *
 * @throws SoukError `parameter_missing` (url, if navigateType is 2), `parameter_invalid` (url, link, openIds),
 *   `recipients_unknown` if no openId is known, `testers_only` if only testers are reachable and there is none
 */
export async function sendNotify(
  context: Context,
  caller: AppCaller,
  input: Input,
  inTransaction?: (tx: Tx) => Promise<void>,
): Promise<ResultOf<SendNotify>> {
  checkTarget(input)
  const { appid, pages } = caller.app
  const link = input.link ? readPagePath('link', input.link, pages) : null
  const found = await findReachableRecipients(context, caller, input.openIds)
  const notificationId = newId()
  const reasons = await context.sql.begin(async (tx): Promise<NotDeliveredReasons> => {
    if (!(await claimSign(context, tx, caller))) return {}
    await inTransaction?.(tx)
    const { users: locked, skipped } = await lockRecipients(tx, found)
    const { users, silent, reasons } = await admitRecipients(context, tx, appid, locked)
    const uids = [...users.values()]
    await insertNotification(tx, uids, {
      appid,
      notificationId,
      title: input.title,
      text: input.text,
      navigateType: input.navigateType,
      url: input.url || null,
      link,
      language: input.language,
      skipped: (skipped.unknown ?? 0) + (skipped.not_tester ?? 0),
      off: reasons.off ?? 0,
      overLimit: reasons.daily_limit ?? 0,
      ctime: context.clock.now(),
    })
    for (const isSilent of [false, true]) {
      await recordEvent(context, tx, {
        type: 'notification.created',
        data: {
          appid,
          notificationId,
          title: input.title,
          text: input.text,
          link,
          url: input.url || null,
          language: input.language,
          ctime: context.clock.now(),
          silent: isSilent,
        },
        uids: uids.filter((uid) => silent.has(uid) === isSilent),
      })
    }
    await notifyUsers(
      tx,
      // Hosts show a banner for the notification that an event names.
      uids.map((uid) => ({ uid, event: 'notification', ...(!silent.has(uid) && { id: notificationId }) })),
    )
    return { ...skipped, ...reasons }
  })
  caller.notDelivered?.(reasons)
  return true
}

function checkTarget({ navigateType, url }: Input): void {
  if (navigateType === '2' && !url) {
    throw new SoukError('parameter_missing', 'url is required if navigateType is 2.', {
      data: { parameters: ['url'] },
    })
  }
  if (url && !isHttpUrl(url)) {
    throw new SoukError('parameter_invalid', 'url must be an absolute http or https URL.', {
      data: { parameters: ['url'] },
    })
  }
}
