import { type openOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { isHttpUrl } from '../../../kernel/httpUrl.ts'
import { newId } from '../../../kernel/id.ts'
import { notifyEach } from '../../../kernel/outbox.ts'
import type { AppCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { recordEvent } from '../../messages/index.ts'
import { readPagePath } from '../pagePath.ts'
import { findReachableRecipients, lockRecipients } from '../recipients.ts'
import { claimSign } from '../usedSigns.ts'
import { insertNotification } from './store.ts'

type SendNotify = typeof openOperations.sendNotify
type Input = Omit<ParametersOf<SendNotify>, 'appid' | 'timestamp' | 'sign'>

/**
 * Sends a plain-text notification to every recipient known under the caller's appid (open-api §4.3). A repeated signed
 * request returns true again but sends nothing (ADR 40).
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
  await context.sql.begin(async (tx) => {
    if (!(await claimSign(context, tx, caller))) return
    await inTransaction?.(tx)
    const { users, skipped } = await lockRecipients(tx, found)
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
      skipped,
      ctime: context.clock.now(),
    })
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
      },
      uids,
    })
    await notifyEach(
      tx,
      'souk_user',
      uids.map((uid) => JSON.stringify({ uid, event: 'notification', id: notificationId })),
    )
  })
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
