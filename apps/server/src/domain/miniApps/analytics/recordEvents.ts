import { createHmac } from 'node:crypto'
import {
  type CustomEventDeclarations,
  day,
  findRefusal,
  type hostOperations,
  minute,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listDeclarations } from '../customEvents/index.ts'
import { reportOpening } from '../releases/index.ts'
import { fingerprintOf, withoutFolder } from './fingerprint.ts'
import {
  countEventsSince,
  deleteErrorsAbove,
  type ErrorOccurrence,
  findTarget,
  insertEvents,
  listErrorGroups,
  type Source,
  type StoredEvent,
  updateAddedGroups,
  upsertErrors,
  upsertErrorUsers,
  upsertUserDay,
} from './store.ts'

type Operation = (typeof hostOperations)['recordEvents']
type Event = ParametersOf<Operation>['events'][number]

/** Maximum number of events per day: of a user in a mini app, and of a mini app. */
const maxPerUser = 2000
const maxPerApp = 1_000_000
/**
 * Maximum number of groups of errors: of a mini app, where a new one replaces the one with the fewest users, and that a
 * user adds per day. Errors of further ones are counted without a name.
 */
const errorGroupLimits = { most: 1000, perUser: 20 }

/**
 * Stores what happened in a mini app. Events above the limits of a day are ignored.
 * @throws SoukError `release_not_found`
 */
export async function recordEvents(
  context: Context,
  caller: HostUserCaller,
  { appid, releaseId, opening, events }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { sql, clock } = context
  const { uid } = caller
  const target = await findTarget(sql, appid, releaseId)
  if (target === undefined) throw new SoukError('release_not_found')
  if (!target.analytics) return { stored: 0 }
  const now = clock.real()
  const today = Math.floor(now / day)
  if ((await countEventsSince(sql, appid, today * day)) >= maxPerApp) return { stored: 0 }

  const source = { appid, releaseId, userId: pseudonymOf(uid, target.salt), opening: opening?.id ?? null }
  const hasError = events.some(({ kind }) => kind === 'error')
  if (hasError) await reportOpening(context, caller, { appid, releaseId, failure: 'error' })
  const declared = events.some(({ kind }) => kind === 'custom') ? await listDeclarations(sql, appid) : {}
  return sql.begin(async (tx) => {
    const count = await upsertUserDay(tx, source, today, events.length)
    const accepted = events.slice(0, Math.max(0, maxPerUser - (count - events.length)))
    if (accepted.length === 0) return { stored: 0 }
    const pageOf = ({ page = '' }: Event) => (target.pages.includes(page) ? page : '')
    const errors = accepted
      .filter(({ kind }) => kind === 'error')
      .map((event) => errorOf(event, now - event.age, pageOf(event)))
    const groups = errors.length > 0 ? await recordErrors(tx, source, today, errors) : new Set<string>()
    let error = 0
    const rows = accepted.map((event, index): StoredEvent => {
      const common = { time: now - event.age, kind: event.kind, value: null }
      if (event.kind === 'launch') return { ...common, name: '', value: event.duration ?? 0 }
      if (event.kind === 'launchFailure') return { ...common, name: event.failure ?? '' }
      if (event.kind === 'page' || event.kind === 'card') return { ...common, name: pageOf(event) }
      if (event.kind === 'request') return { ...common, name: requestName(event.request) }
      if (event.kind === 'open') return { ...common, name: '' }
      if (event.kind === 'custom') {
        return { ...common, ...customOf(event, declared), ...(opening && { place: opening.place + index }) }
      }
      const { fingerprint } = errors[error++]!
      return { ...common, name: groups.has(fingerprint) ? fingerprint : '' }
    })
    await insertEvents(tx, source, rows)
    return { stored: rows.length }
  })
}

/** Stores errors of a user, and returns the fingerprints of the groups that they belong to. */
async function recordErrors(
  tx: Tx,
  source: Source,
  today: number,
  errors: readonly ErrorOccurrence[],
): Promise<Set<string>> {
  const { most, perUser } = errorGroupLimits
  const fingerprints = [...new Set(errors.map(({ fingerprint }) => fingerprint))]
  const known = await listErrorGroups(tx, source.appid, fingerprints)
  const added = await updateAddedGroups(tx, source, today, fingerprints.length - known.size, perUser)
  const accepted = new Set([...known, ...fingerprints.filter((each) => !known.has(each)).slice(0, added)])
  if (accepted.size === 0) return accepted
  await upsertErrors(
    tx,
    source,
    errors.filter(({ fingerprint }) => accepted.has(fingerprint)),
  )
  await upsertErrorUsers(tx, source, [...accepted])
  if (added > 0) await deleteErrorsAbove(tx, source.appid, most, [...accepted])
  return accepted
}

/** Returns a custom event, or why it is not counted. */
function customOf({ custom }: Event, declared: CustomEventDeclarations): Pick<StoredEvent, 'kind' | 'name' | 'fields'> {
  if (!custom) return { kind: 'customRefused', name: '' }
  const refusal = findRefusal(declared, custom)
  if (refusal) return { kind: 'customRefused', name: `${refusal.reason} ${refusal.name}` }
  return { kind: 'custom', name: custom.name, fields: custom.fields ?? {} }
}

/** Returns the pseudonym of a user, which differs per project, as a UUID. */
function pseudonymOf(uid: number, salt: string): string {
  return createHmac('sha256', salt).update(String(uid)).digest('hex').slice(0, 32)
}

function errorOf({ message = '', stack = '' }: Event, time: number, page: string): ErrorOccurrence {
  const own = withoutFolder(stack)
  return { fingerprint: fingerprintOf(message, own), message, stack: own, page, time }
}

/** Returns `GET api.example.com/orders/* 500`. Identifiers and e-mail addresses in the path are left out. */
function requestName(request: Event['request']): string {
  if (!request) return ''
  const { method, address, status } = request
  const [path = ''] = address.split(/[?#]/, 1)
  const parts = path.split('/').map((part, place) => (place > 0 && isIdentifier(part) ? '*' : part))
  return `${method} ${parts.join('/')} ${status}`
}

const isIdentifier = (part: string) =>
  /^[\da-f-]{8,}$/i.test(part) || /\d{3}/.test(part) || /^\d+$/.test(part) || /@|%40/.test(part)

/** Maximum time between an event and its report, ms. */
export const maxDelay = 15 * minute
