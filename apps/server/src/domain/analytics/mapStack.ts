import { type consoleOperations, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import pLimit from 'p-limit'
import { runBounded, ThreadLimitError } from '../boundedThread.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { existsSourceMap, type MappedScript, readMappedScripts } from '../releases/index.ts'
import { type Place, parseStack } from './stack.ts'

type Operation = (typeof consoleOperations)['getErrorStack']
type Result = ResultOf<Operation>

export type MappedPlace = NonNullable<Result['frames'][number]['source']>

/** Input of the thread. It returns a `MappedPlace` or null for each place. */
export interface MapInput {
  scripts: MappedScript[]
  places: (Place | null)[]
}

/** Limits of the thread: source maps are foreign input. A map of 8 MB takes about 200 MB and a second. */
const limits = { heap: 512, cpuTime: 10 * second }
/** Maximum number of scripts of one stack. */
const maxScripts = 8
const oneAtATime = pLimit(1)

/**
 * Returns the stack of a group of errors, mapped by the source maps of its release.
 * @throws SoukError `error_group_not_found`, `storage_unavailable`, `storage_damaged`
 */
export async function getErrorStack(
  context: Context,
  _caller: ConsoleCaller,
  { appid, fingerprint }: ParametersOf<Operation>,
): Promise<Result> {
  const { sql } = context
  const [group] = await sql<{ message: string; stack: string; releaseId: string }[]>`
    select message, stack, replace(release_id::text, '-', '') as "releaseId" from analytics_errors
    where appid = ${appid} and fingerprint = ${fingerprint}`
  if (group === undefined) throw new SoukError('error_group_not_found')
  const { releaseId } = group
  const lines = parseStack(group.stack || group.message)
  const frames = (sources: (MappedPlace | null)[]) =>
    lines.map(({ text }, index) => ({ text, source: sources[index] ?? null }))
  if (!(await existsSourceMap(sql, releaseId))) return { releaseId, sourceMaps: 'missing', frames: frames([]) }
  try {
    return { releaseId, sourceMaps: 'found', frames: frames(await mapPlaces(context, releaseId, lines)) }
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error
    return { releaseId, sourceMaps: 'tooLarge', frames: frames([]) }
  }
}

async function mapPlaces(
  context: Context,
  releaseId: string,
  lines: readonly { place: Place | null }[],
): Promise<(MappedPlace | null)[]> {
  const places = lines.map(({ place }) => place)
  const paths = new Set(places.flatMap((place) => (place ? [place.path] : [])))
  return oneAtATime(async () => {
    const scripts = await readMappedScripts(context, releaseId, [...paths].slice(0, maxScripts))
    const input: MapInput = { scripts, places }
    return runBounded<(MappedPlace | null)[]>(new URL('./mapStack.worker.ts', import.meta.url), input, limits)
  })
}
