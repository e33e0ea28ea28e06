import { maxReleaseFiles, maxReleaseSize, maxSourceMapSize, SoukError, second } from '@souk/contract'
import { runBounded, ThreadLimitError, type ThreadLimits } from '../../../kernel/boundedThread.ts'
import type { ArchiveLimits, Build } from './readArchive.ts'

const limits: ArchiveLimits = { files: maxReleaseFiles, size: maxReleaseSize, sourceMap: maxSourceMapSize }
/** Maximum CPU time for one archive, several times what the largest release takes. */
const maxCpuTime = 30 * second
/** Maximum heap of the thread in MB. The contents of files are outside it; `limits` bound them. */
const maxHeap = 64
/** Maximum heap for parsing source maps, in MB. */
const maxParserHeap = 192

/** Input of the thread. `kind` decides which files the archive may contain. */
export interface UnpackInput {
  archive: Uint8Array
  limits: ArchiveLimits
  kind: 'release' | 'sourceMaps'
}

/** The result of the thread: the build, or the reason why the archive was rejected. */
type UnpackResult = { build: Build } | { reason: string; cause: string }

/**
 * Unpacks a .tar.gz in a separate thread, so that no archive delays requests.
 *
 * @param script replaces the code of the thread, for tests
 * @throws SoukError `release_refused`, also if the thread exceeds its CPU time (ms) or its heap; the reason of
 * `signal`
 */
export async function unpack(
  archive: Uint8Array,
  {
    script = new URL('./unpack.worker.ts', import.meta.url),
    cpuTime = maxCpuTime,
    signal,
  }: { script?: URL; cpuTime?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Build> {
  const options = { script, cpuTime, heap: maxHeap, signal }
  const result = await run({ archive, limits, kind: 'release' }, options, releaseRefused)
  if ('reason' in result) throw releaseRefused(result.reason, result.cause)
  return result.build
}

/** Unpacks a .tar.gz of source maps, by the path of their script. @throws SoukError `source_maps_refused` */
export async function unpackSourceMaps(archive: Uint8Array, signal?: AbortSignal): Promise<Build['files']> {
  const script = new URL('./unpack.worker.ts', import.meta.url)
  const options = { script, cpuTime: maxCpuTime, heap: maxParserHeap, signal }
  const result = await run({ archive, limits, kind: 'sourceMaps' }, options, sourceMapsRefused)
  if ('reason' in result) throw sourceMapsRefused(result.reason, result.cause)
  return result.build.files
}

async function run(
  input: UnpackInput,
  { script, ...bounds }: ThreadLimits & { script: URL },
  refused: (reason: string) => SoukError,
): Promise<UnpackResult> {
  try {
    return await runBounded<UnpackResult>(script, input, bounds)
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error
    const { cpuTime, heap } = bounds
    if (error.exceeded === 'cpuTime') throw refused(`Unpacking it takes more than ${cpuTime / second} s of CPU time.`)
    throw refused(`Unpacking it takes more than ${heap} MB of memory, besides its files.`)
  }
}

export function releaseRefused(reason: string, internal?: string): SoukError {
  return new SoukError('release_refused', reason, internal ? { internal } : {})
}

function sourceMapsRefused(reason: string, internal?: string): SoukError {
  return new SoukError('source_maps_refused', reason, internal ? { internal } : {})
}
