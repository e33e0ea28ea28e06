import type { Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import { recordEvent } from '../../messages/index.ts'
import type { Feedback } from './store.ts'

/**
 * Records the event of a message that was sent or has changed, and notifies open lists of the console.
 *
 * @param message as administrators see it
 */
export async function announce(context: Context, tx: Tx, message: Feedback): Promise<void> {
  const { appid, feedbackId, kind, reason, state, text, answer, version, page, mtime, uid } = message
  await recordEvent(context, tx, {
    type: 'feedback.changed',
    data: { appid, feedbackId, kind, reason, state, text, answer: answer?.text ?? null, version, page, mtime },
    uids: [uid!],
  })
  await notify(tx, 'souk_list', JSON.stringify({ appid, list: kind === 'report' ? 'reports' : 'feedback' }))
}
