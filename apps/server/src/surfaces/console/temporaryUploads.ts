import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { day } from '@souk/contract'

const prefix = 'souk-upload-'
/** Name of this machine, or of this container, which may share the folder for temporary files with others. */
const ownPrefix = `${prefix}${hostname().replaceAll(/[^\w.]/g, '_')}-`
/** Age from which a file of an earlier version, whose name does not say whose it is, is not in use. */
const maxAge = day

/** Runs `work` with the path of a temporary file that it may create, and deletes that afterwards. */
export async function withTemporaryUpload<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${ownPrefix}${process.pid}-`))
  try {
    return await work(join(folder, 'archive'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Deletes uploads that processes of this machine and user left when they were killed, before this process has any.
 * Never rejects.
 */
export async function removeAbandonedUploads(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  await Promise.all(
    names
      .filter((name) => name.startsWith(prefix))
      .map(async (name) => {
        const path = join(tmpdir(), name)
        if (await isAbandoned(name, path)) await rm(path, { recursive: true, force: true })
      }),
  ).catch(() => {})
}

async function isAbandoned(name: string, path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined || found.uid !== process.getuid?.()) return false
  if (found.isFile()) return Date.now() - found.mtimeMs > maxAge
  if (!found.isDirectory() || !name.startsWith(ownPrefix)) return false
  const pid = Number(name.slice(ownPrefix.length).split('-')[0])
  // A container's process often has the id of the one before it.
  return pid === process.pid || !isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
