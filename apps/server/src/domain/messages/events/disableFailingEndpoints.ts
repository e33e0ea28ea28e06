import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { sendToAdministrators } from '../mail/index.ts'
import { disabledAfter } from '../outbound/index.ts'
import { type EndpointWithHealth, listEndpoints, lockEndpoint, updateEndpoint } from './endpoints.store.ts'
import { recordEvent } from './recordEvent.ts'
import { updateDeliveriesToDead } from './store.ts'

const system = { kind: 'system' } as const

/**
 * Recurring job: disables endpoints that have failed for five days, with notices. Their events are kept and can be
 * replayed.
 */
export async function disableFailingEndpoints(context: Context<'mailer' | 'vault'>): Promise<void> {
  for (const endpoint of await listEndpoints(context.sql, { now: context.clock.now() })) {
    const { enabled, failingSince, lastFailure } = endpoint
    if (!enabled || failingSince === null || lastFailure === null) continue
    if (lastFailure - failingSince >= disabledAfter) await disable(context, endpoint, failingSince)
  }
}

async function disable(
  context: Context<'mailer' | 'vault'>,
  { endpointId, enabledTime }: EndpointWithHealth,
  failingSince: number,
): Promise<void> {
  const disabled = await context.sql.begin(async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId)
    // It was disabled, or disabled and enabled, in the meantime.
    if (!endpoint?.enabled || endpoint.enabledTime !== enabledTime) return false
    const { url } = endpoint
    await updateEndpoint(tx, { ...endpoint, enabled: false, failedTime: context.clock.now() })
    await updateDeliveriesToDead(tx, endpointId)
    const detail = { url, failingSince }
    await audit(context, tx, system, { action: 'eventEndpoint.disable', subject: endpointId, detail })
    await sendToAdministrators(context, tx, system, { kind: 'endpointDisabled', values: { url, failingSince } })
    await recordEvent(context, tx, { type: 'endpoint.disabled', data: { endpointId, url, failingSince } })
    return true
  })
  if (disabled) context.log.warn({ endpointId }, 'an endpoint failed for five days and is disabled')
}
