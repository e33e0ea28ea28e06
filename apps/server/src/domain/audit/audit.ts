import type { Tx } from '../../kernel/db/pool.ts'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { insertEntry } from './store.ts'

/** What was changed. `detail` holds no secret, and no personal data beyond names that members see of each other anyway. */
export interface AuditEntry {
  /** A word of the form `thing.change`. */
  action: string
  /** The thing: an appid, an accountId, an id of another kind. */
  subject: string
  projectId?: string | undefined
  detail?: Record<string, unknown>
}

/** Notes within the transaction of a change who made it, when (real time), and from where. */
export async function audit(
  context: Pick<Context, 'clock'>,
  tx: Tx,
  caller: Caller,
  { action, subject, projectId, detail = {} }: AuditEntry,
): Promise<void> {
  await insertEntry(tx, {
    time: context.clock.real(),
    actor: actorOf(caller),
    accountId: caller.kind === 'account' ? caller.accountId : null,
    projectId: projectId ?? null,
    address: ('address' in caller ? caller.address : undefined) ?? null,
    action,
    subject,
    detail,
  })
}

function actorOf(caller: Caller): string {
  switch (caller.kind) {
    case 'account':
      return `account ${caller.accountId}`
    case 'app':
      return `app ${caller.app.appid}`
    case 'hostUser':
      return `user ${caller.uid}`
    default:
      return caller.kind
  }
}
