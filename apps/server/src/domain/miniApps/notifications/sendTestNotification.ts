import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { findTestRecipients, sendAsApp } from '../recipients.ts'
import { sendNotify } from './sendNotify.ts'

type Operation = typeof consoleOperations.sendTestNotification

/**
 * Sends a notification on behalf of the mini app to users given by uid.
 * @throws SoukError `app_not_found`, `capability_missing`, `recipients_unknown`, `testers_only`, and
 *   those of `sendNotify`
 */
export async function sendTestNotification(
  context: Context,
  caller: ConsoleCaller,
  { appid, uids, ...message }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { app, openIds } = await findTestRecipients(context, appid, 'notification', uids)
  const { projectId } = app
  const detail = { recipients: openIds.length, skipped: uids.length - openIds.length }
  const sent = await sendAsApp(app, openIds, (asApp) =>
    sendNotify(context, asApp, { ...message, notifyType: 1, openIds }, (tx) =>
      audit(context, tx, caller, { action: 'notification.sendTest', subject: appid, projectId, detail }),
    ),
  )
  return { ...sent, skipped: detail.skipped }
}
