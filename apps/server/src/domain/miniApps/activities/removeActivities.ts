import type { Tx } from '../../../kernel/db/pool.ts'
import { notifyEach } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import { recordEvent } from '../../messages/index.ts'
import { removedActivity } from './sendActivity.ts'
import { deleteActivitiesOfUser } from './store.ts'

/** Removes the activity messages of a mini app from the home page of a user. */
export async function removeActivities(
  context: Context,
  tx: Tx,
  { appid, uid }: { appid: string; uid: number },
): Promise<void> {
  const removed = await deleteActivitiesOfUser(tx, appid, uid)
  for (const activityId of removed) {
    await recordEvent(context, tx, {
      type: 'activity.changed',
      data: removedActivity(appid, activityId),
      uids: [uid],
    })
  }
  await notifyEach(
    tx,
    'souk_user',
    removed.map((id) => JSON.stringify({ uid, event: 'activity', id })),
  )
}
