import {
  type EventData,
  type NotDeliveredReasons,
  type openOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
  second,
  validityTimeRule,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { isHttpUrl } from '../../../kernel/httpUrl.ts'
import { notifyUsers } from '../../../kernel/outbox.ts'
import type { AppCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { recordEvent } from '../../messages/index.ts'
import { admitRecipients } from '../admitRecipients.ts'
import { readPagePath } from '../pagePath.ts'
import { findReachableRecipients, findRecipients, lockRecipients } from '../recipients.ts'
import { claimSign } from '../usedSigns.ts'
import { deleteActivities, listShown, upsertActivities } from './store.ts'

type SendActivity = typeof openOperations.sendActivity
type Input = Omit<ParametersOf<SendActivity>, 'appid' | 'timestamp' | 'sign'>

/**
 * Shows an activity message on the home page of the recipients known under the caller's appid who want messages of the
 * mini app, or replaces or removes the one with the same activityId (open-api §4.3, ADR 41), and reports the number of
 * the others (ADR 414). Removing a missing message also returns true. A repeated signed request changes nothing, so
 * that a replay does not restore a removed message (ADR 282).
 *
 * `inTransaction` runs in the same transaction.
 *
 * @throws SoukError `parameter_invalid` (iconUrl, path, openIds, validityTime), `recipients_unknown` if no openId is
 *   known, `testers_only` if only testers are reachable and there is none
 */
export async function sendActivity(
  context: Context,
  caller: AppCaller,
  input: Input,
  inTransaction?: (tx: Tx) => Promise<void>,
): Promise<ResultOf<SendActivity>> {
  checkIconUrl(input)
  checkValidityTime(input)
  const { appid, pages } = caller.app
  const path = input.path ? readPagePath('path', input.path, pages) : null
  const found = await (input.status === 0 ? findRecipients : findReachableRecipients)(context, caller, input.openIds)
  const { activityId } = input
  const now = context.clock.now()
  const reasons = await context.sql.begin(async (tx): Promise<NotDeliveredReasons> => {
    if (!(await claimSign(context, tx, caller))) return {}
    await inTransaction?.(tx)
    const { users: locked, skipped } = await lockRecipients(tx, found)
    const { users, reasons } = await admit(context, tx, appid, locked, input)
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
            path,
            language: input.language,
            validUntil: now + input.validityTime * second,
            mtime: now,
          })
    await recordEvent(context, tx, {
      type: 'activity.changed',
      data: eventOf(appid, { ...input, path }, now),
      uids: changed,
    })
    await notifyUsers(
      tx,
      changed.map((uid) => ({ uid, event: 'activity', id: activityId })),
    )
    return { ...skipped, ...reasons }
  })
  caller.notDelivered?.(reasons)
  return true
}

/** Returns the recipients whose home page changes. A message that replaces one does not count as another one. */
async function admit(
  context: Context,
  tx: Tx,
  appid: string,
  users: ReadonlyMap<string, number>,
  { activityId, status }: Input,
): Promise<{ users: ReadonlyMap<string, number>; reasons: NotDeliveredReasons }> {
  if (status === 0) return { users, reasons: {} }
  const shown = await listShown(tx, { appid, activityId, openIds: [...users.keys()] }, context.clock.now())
  return admitRecipients(context, tx, appid, users, (openId) => !shown.has(openId))
}

type ChangedActivity = Omit<EventData<'activity.changed'>, 'users' | 'appName'>

/** Returns the data of the event of a removed message, which has no content. */
export function removedActivity(appid: string, activityId: string): ChangedActivity {
  const nothing = { title: null, text: null, iconUrl: null, color: null, templateId: null, path: null }
  return { appid, activityId, state: 'removed', ...nothing, language: null, validUntil: null }
}

/** Returns the data of the event. */
function eventOf(appid: string, input: Omit<Input, 'path'> & { path: string | null }, now: number): ChangedActivity {
  const { activityId, title, text, iconUrl, color, templateId, path, language } = input
  if (input.status === 0) return removedActivity(appid, activityId)
  const content = { title, text, iconUrl, color, templateId, path, language }
  return { appid, activityId, state: 'shown', ...content, validUntil: now + input.validityTime * second }
}

/** A removed message needs no time. */
function checkValidityTime({ status, validityTime }: Input): void {
  if (status === 0 || validityTime > 0) return
  throw new SoukError('parameter_invalid', `validityTime ${validityTimeRule}.`, {
    data: { parameters: ['validityTime'] },
  })
}

function checkIconUrl({ iconUrl }: Input): void {
  if (!isHttpUrl(iconUrl)) {
    throw new SoukError('parameter_invalid', 'iconUrl must be an absolute http or https URL.', {
      data: { parameters: ['iconUrl'] },
    })
  }
}
