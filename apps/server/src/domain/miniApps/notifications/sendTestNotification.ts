import { randomBytes } from 'node:crypto'
import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { findTestRecipients } from '../recipients.ts'
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
  // There is no signed request: a random sign identifies this send.
  const sign = randomBytes(32).toString('hex')
  const sent = { recipients: openIds.length, skipped: uids.length - openIds.length }
  const { projectId } = app
  await sendNotify(context, { kind: 'app', app, sign }, { ...message, notifyType: 1, openIds }, (tx) =>
    audit(context, tx, caller, { action: 'notification.sendTest', subject: appid, projectId, detail: sent }),
  )
  return sent
}
