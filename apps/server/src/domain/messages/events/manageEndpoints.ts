import {
  type consoleOperations,
  type DoctorSentence,
  day,
  doctorSentence,
  type EventEndpointState,
  maxEventEndpoints,
  type ParametersOf,
  type ResultOf,
  SoukError,
  second,
  webhookSecret,
} from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { newId, newSecret } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { explainRefusedUrl, failingAfter } from '../outbound/index.ts'
import {
  countEndpoints,
  deleteEndpoint,
  type Endpoint,
  type EndpointWithHealth,
  insertEndpoint,
  insertSecret,
  listEndpoints,
  lockAdditions,
  lockEndpoint,
  updateEndpoint,
  updateSecretsEnd,
} from './endpoints.store.ts'
import { updateDeliveriesToDead } from './store.ts'

type Operations = typeof consoleOperations
type EndpointView = ResultOf<Operations['updateEventEndpoint']>

/** Default time for which the old secret signs too, in seconds. */
const defaultOverlap = day / second

/** Lists the endpoints that get events. */
export async function listEventEndpoints(context: Context): Promise<ResultOf<Operations['listEventEndpoints']>> {
  const now = context.clock.now()
  return (await listEndpoints(context.sql, { now })).map((endpoint) => toView(endpoint, now))
}

/**
 * Adds an endpoint and returns it with its secret, which is shown only once.
 * @throws SoukError `event_url_refused`, `event_endpoint_limit_reached`
 */
export async function addEventEndpoint(
  context: Context<'egress' | 'vault'>,
  caller: ConsoleCaller,
  { url, description, types }: ParametersOf<Operations['addEventEndpoint']>,
): Promise<ResultOf<Operations['addEventEndpoint']>> {
  checkUrl(context, url)
  const now = context.clock.now()
  const secret = newSecret()
  const endpoint: Endpoint = {
    endpointId: newId(),
    url,
    description: description ?? null,
    types: types as Endpoint['types'],
    enabled: true,
    goneTime: null,
    failedTime: null,
    enabledTime: 0,
    ctime: now,
  }
  const { endpointId } = endpoint
  return context.sql.begin(async (tx) => {
    await lockAdditions(tx)
    if ((await countEndpoints(tx)) >= maxEventEndpoints) {
      throw new SoukError('event_endpoint_limit_reached', `Remove one first: there can be ${maxEventEndpoints}.`)
    }
    await insertEndpoint(tx, endpoint)
    await insertSecret(tx, context.vault, endpointId, secret, now)
    await audit(context, tx, caller, { action: 'eventEndpoint.add', subject: endpointId, detail: { url, types } })
    return { ...(await viewOf(context, tx, endpointId)), secret: webhookSecret(secret) }
  })
}

/**
 * Changes an endpoint. Disabling it gives up its pending deliveries, which can be replayed.
 * @throws SoukError `event_endpoint_not_found`, `event_url_refused`
 */
export async function updateEventEndpoint(
  context: Context<'egress'>,
  caller: ConsoleCaller,
  { endpointId, ...change }: ParametersOf<Operations['updateEventEndpoint']>,
): Promise<EndpointView> {
  if (change.url !== undefined) checkUrl(context, change.url)
  return context.sql.begin(async (tx) => {
    const before = await getLocked(tx, endpointId)
    const enabled = change.enabled ?? before.enabled
    await updateEndpoint(tx, {
      ...before,
      url: change.url ?? before.url,
      description: change.description === undefined ? before.description : change.description,
      types: (change.types as Endpoint['types'] | undefined) ?? before.types,
      enabled,
      goneTime: enabled ? null : before.goneTime,
      failedTime: enabled ? null : before.failedTime,
      enabledTime: enabled && !before.enabled ? context.clock.now() : before.enabledTime,
    })
    if (!enabled) await updateDeliveriesToDead(tx, endpointId)
    await audit(context, tx, caller, { action: 'eventEndpoint.update', subject: endpointId, detail: change })
    return viewOf(context, tx, endpointId)
  })
}

/** Removes an endpoint with its deliveries. @throws SoukError `event_endpoint_not_found` */
export async function removeEventEndpoint(
  context: Context,
  caller: ConsoleCaller,
  { endpointId }: ParametersOf<Operations['removeEventEndpoint']>,
): Promise<ResultOf<Operations['removeEventEndpoint']>> {
  return context.sql.begin(async (tx) => {
    const url = await deleteEndpoint(tx, endpointId)
    if (url === undefined) throw notFound()
    await audit(context, tx, caller, { action: 'eventEndpoint.remove', subject: endpointId, detail: { url } })
    return true
  })
}

/**
 * Creates a new secret, which signs immediately and is shown only once. Older ones also sign for `overlap` seconds.
 * @throws SoukError `event_endpoint_not_found`
 */
export async function rotateEventSecret(
  context: Context<'vault'>,
  caller: ConsoleCaller,
  { endpointId, overlap = defaultOverlap }: ParametersOf<Operations['rotateEventSecret']>,
): Promise<ResultOf<Operations['rotateEventSecret']>> {
  const secret = newSecret()
  const now = context.clock.now()
  await context.sql.begin(async (tx) => {
    await getLocked(tx, endpointId)
    // 0 instead of now, so that setting back a sandbox's clock does not revive it.
    await updateSecretsEnd(tx, endpointId, overlap === 0 ? 0 : now + overlap * second, now)
    const secretId = await insertSecret(tx, context.vault, endpointId, secret, now)
    const detail = { secretId, overlap }
    await audit(context, tx, caller, { action: 'eventEndpoint.rotateSecret', subject: endpointId, detail })
  })
  return { secret: webhookSecret(secret) }
}

/**
 * Returns a sentence for each endpoint that gets no events although it should, or undefined if there is no endpoint.
 */
export async function explainFailingEndpoints(context: Context): Promise<DoctorSentence[] | undefined> {
  const endpoints = await listEventEndpoints(context)
  if (endpoints.length === 0) return undefined
  return endpoints.flatMap(({ url, state }) =>
    state === 'failing'
      ? [doctorSentence('eventsFailing', { url })]
      : state === 'failed'
        ? [doctorSentence('eventsFailed', { url })]
        : state === 'gone'
          ? [doctorSentence('eventsGone', { url })]
          : [],
  )
}

/** Locks an endpoint. @throws SoukError `event_endpoint_not_found` */
export async function getLocked(tx: Tx, endpointId: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, endpointId)
  if (endpoint === undefined) throw notFound()
  return endpoint
}

function notFound(): SoukError {
  return new SoukError('event_endpoint_not_found', 'souk events list shows the endpoints.')
}

function checkUrl(context: Context<'egress'>, url: string): void {
  const refused = explainRefusedUrl(url, context.egress)
  if (refused === undefined) return
  throw new SoukError('event_url_refused', refused, { data: { parameters: ['url'] } })
}

async function viewOf(context: Context, sql: Sql | Tx, endpointId: string): Promise<EndpointView> {
  const now = context.clock.now()
  const [endpoint] = await listEndpoints(sql, { endpointId, now })
  return toView(endpoint!, now)
}

function toView(endpoint: EndpointWithHealth, now: number): EndpointView {
  const { enabled, goneTime, failedTime, enabledTime, lastFailure, ...view } = endpoint
  return { ...view, state: stateOf(endpoint, now) }
}

function stateOf({ enabled, goneTime, failedTime, failingSince }: EndpointWithHealth, now: number): EventEndpointState {
  if (goneTime !== null) return 'gone'
  if (failedTime !== null) return 'failed'
  if (!enabled) return 'disabled'
  return failingSince !== null && now - failingSince >= failingAfter ? 'failing' : 'enabled'
}
