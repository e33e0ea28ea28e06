import type { Tx } from '../../../kernel/db/pool.ts'
import type { Caller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { insertEntry } from './store.ts'

/**
 * A change to record. `detail` must not contain secrets, nor personal data beyond the names that members see anyway.
 */
export interface AuditEntry {
  /** An action of the form `thing.change`. */
  action: string
  /** The id of the changed thing: an appid, an accountId or another id. */
  subject: string
  projectId?: string | undefined
  detail?: Record<string, unknown>
}

/** Records a change, with its author, real time and address, in the transaction that makes it. */
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
    case 'serviceAccount':
      return `serviceAccount ${caller.serviceAccountId}`
    case 'app':
      return `app ${caller.app.appid}`
    case 'hostUser':
      return `user ${caller.uid}`
    case 'provider':
      return `provider ${caller.providerAccountId ?? 'sandbox'}`
    default:
      return caller.kind
  }
}
