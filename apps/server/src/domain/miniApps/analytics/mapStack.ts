import { type consoleOperations, hour, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { LRUCache } from 'lru-cache'
import { runBounded, ThreadLimitError } from '../../../kernel/boundedThread.ts'
import { sha256 } from '../../../kernel/crypto.ts'
import { Lanes } from '../../../kernel/lanes.ts'
import { type ConsoleCaller, nameOf } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { existsSourceMap, listScriptHashes, type MappedScript, readMappedScripts } from '../releases/index.ts'
import { type Place, parseStack } from './stack.ts'
import { findErrorGroup } from './store.ts'

type Operation = (typeof consoleOperations)['getErrorStack']
type Result = ResultOf<Operation>

export type MappedPlace = NonNullable<Result['frames'][number]['source']>

/** Input of the thread. It returns a `MappedPlace` or null for each place. */
export interface MapInput {
  scripts: MappedScript[]
  places: (Place | null)[]
}

/** Limits of the thread: source maps are foreign input. A map of 8 MB takes about 200 MB and a second. */
const limits = { heap: 512, cpuTime: 5 * second }
/** Maximum number of scripts of one stack. */
const maxScripts = 8
/** A thread can take 512 MB and a core. */
const stacks = new Lanes({ work: 'stack traces', concurrency: 1, perCaller: 2, perLane: 8 })

type Places = (MappedPlace | null)[]
/** Places by everything that they depend on, so that only the first request for a stack costs something. */
const known = new LRUCache<string, Places | 'tooLarge'>({ maxSize: 16 * 1024 * 1024, max: 10_000 })
/** Time in ms after which a stack that was too large is tried again. */
const retryAfter = hour

/**
 * Returns the stack of a group of errors, mapped by the source maps of its release. Stops when `left` is aborted.
 * @throws SoukError `error_group_not_found`, `rate_limited`, `storage_unavailable`, `storage_damaged`
 */
export async function getErrorStack(
  context: Context<'objects'>,
  caller: ConsoleCaller,
  { appid, fingerprint }: ParametersOf<Operation>,
  left: () => AbortSignal = () => new AbortController().signal,
): Promise<Result> {
  const { sql } = context
  const group = await findErrorGroup(sql, appid, fingerprint)
  if (group === undefined) throw new SoukError('error_group_not_found')
  const { releaseId } = group
  const lines = parseStack(group.stack || group.message)
  const frames = (sources: Places) => lines.map(({ text }, index) => ({ text, source: sources[index] ?? null }))
  if (!(await existsSourceMap(sql, releaseId))) return { releaseId, sourceMaps: 'missing', frames: frames([]) }
  const lane = (await context.apps.find(appid))?.projectId ?? appid
  const places = await findPlaces(
    context,
    { releaseId, places: lines.map(({ place }) => place) },
    { lane, caller: nameOf(caller), signal: left() },
  )
  if (places === 'tooLarge') return { releaseId, sourceMaps: 'tooLarge', frames: frames([]) }
  return { releaseId, sourceMaps: 'found', frames: frames(places) }
}

/** Returns what is known, or maps the places in the owner's turn. */
async function findPlaces(
  context: Context<'objects'>,
  { releaseId, places }: { releaseId: string; places: (Place | null)[] },
  owner: Parameters<Lanes['run']>[0],
): Promise<Places | 'tooLarge'> {
  const paths = [...new Set(places.flatMap((place) => (place ? [place.path] : [])))].slice(0, maxScripts)
  const hashes = await listScriptHashes(context.sql, releaseId, paths)
  const key = sha256(JSON.stringify([hashes, places])).toString('base64')
  const found = known.get(key)
  if (found !== undefined) return found
  return stacks.run(owner, async () => {
    // Another request for the same stack may have been first.
    const result = known.get(key) ?? (await mapPlaces(context, { releaseId, paths, places }, owner.signal))
    const ttl = result === 'tooLarge' ? { ttl: retryAfter } : {}
    known.set(key, result, { size: JSON.stringify(result).length, ...ttl })
    return result
  })
}

async function mapPlaces(
  context: Context<'objects'>,
  { releaseId, paths, places }: { releaseId: string; paths: string[]; places: (Place | null)[] },
  signal: AbortSignal,
): Promise<Places | 'tooLarge'> {
  const scripts = await readMappedScripts(context, releaseId, paths)
  const input: MapInput = { scripts, places }
  try {
    return await runBounded<Places>(new URL('./mapStack.worker.ts', import.meta.url), input, { ...limits, signal })
  } catch (error) {
    if (error instanceof ThreadLimitError) return 'tooLarge'
    throw error
  }
}
