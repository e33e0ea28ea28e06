import type { Tx } from '../../../kernel/db/pool.ts'
import { notifyUsers } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import { recordEventsOfType } from '../../messages/index.ts'
import { removedActivity } from './sendActivity.ts'
import { deleteActivitiesOfUser } from './store.ts'

/** Removes the activity messages of a mini app from the home page of a user. */
export async function removeActivities(
  context: Context,
  tx: Tx,
  { appid, uid }: { appid: string; uid: number },
): Promise<void> {
  const removed = await deleteActivitiesOfUser(tx, appid, uid)
  await recordEventsOfType(
    context,
    tx,
    'activity.changed',
    removed.map((activityId) => ({ data: removedActivity(appid, activityId), uids: [uid] })),
  )
  await notifyUsers(
    tx,
    removed.map((id) => ({ uid, event: 'activity', id })),
  )
}
