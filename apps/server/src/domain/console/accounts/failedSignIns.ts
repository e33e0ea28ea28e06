import { type ErrorCode, hour } from '@souk/contract'
import { clientNetwork } from '../../../kernel/clientNetwork.ts'
import type { AnyoneCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'

/**
 * Failed sign-ins that one process records per hour, so that anonymous requests cannot fill the disk: of all, and of
 * one network, which cannot use up the share of the others to hide what they do.
 */
const maxPerHour = 1000
const maxPerNetwork = 100

const recorded = { since: 0, count: 0, omitted: 0, byNetwork: new Map<string, number>() }

/**
 * Records a failed sign-in with name and address in the audit log. If there were more than the limits, the
 * next recorded one says how many were omitted.
 */
export async function recordFailedSignIn(
  context: Context,
  caller: AnyoneCaller,
  username: string,
  reason: ErrorCode,
): Promise<void> {
  const now = context.clock.real()
  if (Math.abs(now - recorded.since) >= hour) Object.assign(recorded, { since: now, count: 0, byNetwork: new Map() })
  const network = clientNetwork(caller.address ?? '')
  const ofNetwork = recorded.byNetwork.get(network) ?? 0
  if (recorded.count >= maxPerHour || ofNetwork >= maxPerNetwork) {
    recorded.omitted++
    return
  }
  recorded.count++
  recorded.byNetwork.set(network, ofNetwork + 1)
  const { omitted } = recorded
  recorded.omitted = 0
  const detail = { reason, ...(omitted > 0 && { omitted }) }
  await context.sql.begin((tx) =>
    audit(context, tx, caller, { action: 'account.signInFailed', subject: username, detail }),
  )
}
