import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { findTestRecipients, sendAsApp } from '../recipients.ts'
import { sendActivity } from './sendActivity.ts'

type Operation = typeof consoleOperations.sendTestActivity

/**
 * Shows, replaces or removes an activity message on behalf of the mini app, for users given by uid.
 * @throws SoukError `app_not_found`, `capability_missing`, `recipients_unknown`, `testers_only`, and
 *   those of `sendActivity`
 */
export async function sendTestActivity(
  context: Context,
  caller: ConsoleCaller,
  { appid, uids, ...message }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { app, openIds } = await findTestRecipients(context, appid, 'activity', uids)
  const { projectId } = app
  const skipped = uids.length - openIds.length
  const detail = { activityId: message.activityId, status: message.status, recipients: openIds.length, skipped }
  const sent = await sendAsApp(app, openIds, (asApp) =>
    sendActivity(context, asApp, { ...message, openIds }, (tx) =>
      audit(context, tx, caller, { action: 'activity.sendTest', subject: appid, projectId, detail }),
    ),
  )
  return { ...sent, skipped }
}
