import { parentPort, workerData } from 'node:worker_threads'
import { ArchiveError, readArchive, readSourceMaps } from './readArchive.ts'
import type { UnpackInput } from './unpack.ts'

const { archive, limits, kind } = workerData as UnpackInput
try {
  const build = kind === 'release' ? await readArchive(archive, limits) : await readSourceMaps(archive, limits)
  const contents = [...build.files.values()].map(({ content }) => content.buffer)
  parentPort!.postMessage({ build }, contents)
} catch (error) {
  if (!(error instanceof ArchiveError)) throw error
  parentPort!.postMessage({ reason: error.message, cause: String(error.cause ?? '') })
}
