import { type openOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { announceEach } from '../../kernel/outbox.ts'
import type { AppCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { isHttpUrl } from '../httpUrl.ts'
import { checkPagePath } from '../pagePath.ts'
import { findReachableRecipients, findRecipients } from '../recipients.ts'
import { deleteActivities, upsertActivities } from './store.ts'

type SendActivity = typeof openOperations.sendActivity
type Input = Omit<ParametersOf<SendActivity>, 'appid' | 'timestamp' | 'sign'>

/**
 * Puts one activity message on the home page of every recipient that is known under the caller's appid, replaces the
 * one with the same activityId in place, or removes it (open-api §4.3, ADR 40). Removing what is not there is true.
 *
 * `within` belongs to the same transaction.
 *
 * @throws SoukError `parameter_invalid` (iconUrl, path, openIds), `recipients_unknown` where not one openId is known, `testers_only` where not one is a tester's.
 */
export async function sendActivity(
  context: Context,
  caller: AppCaller,
  input: Input,
  within?: (tx: Tx) => Promise<void>,
): Promise<ResultOf<SendActivity>> {
  checkAddress(input)
  const { appid, pages } = caller.app
  if (input.path) checkPagePath('path', input.path, pages)
  const { users } = await (input.status === 0 ? findRecipients : findReachableRecipients)(
    context,
    caller,
    input.openIds,
  )
  const { activityId } = input
  const now = context.clock.now()
  await context.sql.begin(async (tx) => {
    await within?.(tx)
    const changed =
      input.status === 0
        ? await deleteActivities(tx, appid, activityId, users)
        : await upsertActivities(tx, users, {
            appid,
            activityId,
            color: input.color,
            templateId: input.templateId,
            title: input.title,
            text: input.text,
            iconUrl: input.iconUrl,
            path: input.path || null,
            language: input.language,
            validUntil: now + input.validityTime * 1000,
            mtime: now,
          })
    await announceEach(
      tx,
      'souk_user',
      changed.map((uid) => JSON.stringify({ uid, event: 'activity', id: activityId })),
    )
  })
  return true
}

function checkAddress({ iconUrl }: Input): void {
  if (!isHttpUrl(iconUrl)) {
    throw new SoukError('parameter_invalid', 'iconUrl must be an absolute http or https URL.', {
      data: { parameters: ['iconUrl'] },
    })
  }
}
