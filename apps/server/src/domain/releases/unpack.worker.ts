import { parentPort, workerData } from 'node:worker_threads'
import { ArchiveError, type ArchiveLimits, readArchive } from './readArchive.ts'

const { archive, limits } = workerData as { archive: Uint8Array; limits: ArchiveLimits }
try {
  const build = await readArchive(archive, limits)
  const contents = [...build.files.values()].map(({ content }) => content.buffer)
  parentPort!.postMessage({ build }, contents)
} catch (error) {
  if (!(error instanceof ArchiveError)) throw error
  parentPort!.postMessage({ reason: error.message, cause: String(error.cause ?? '') })
}
