import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')

/** The variable with the folder of the bundles, set during a run of the tests. */
const bundles = 'TEST_BUNDLED_PROGRAMS'

/**
 * Bundles the programs that tests start often, which takes less processor time than three starts from the sources.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[bundles]) return undefined
  // Within the repository, where packages that are not bundled are found.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'bundled-programs-'))
  // Some tests start them as another user.
  await chmod(folder, 0o755)
  await promisify(execFile)(process.execPath, [join(root, 'setup/bundlePrograms.mjs'), folder])
  process.env[bundles] = folder
  return async () => {
    delete process.env[bundles]
    await rm(folder, { recursive: true })
  }
}

/**
 * Returns the file and the variables to start a program of this repository with: of its bundle during a run of the
 * tests, else of its source, which does the same. `program` is a path such as `apps/server/src/main.ts`.
 */
export function programOf(program: string): { file: string; env: Record<string, string> } {
  const folder = process.env[bundles]
  if (!folder) return { file: join(root, program), env: {} }
  const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  return { file: join(folder, program.replace(/\.ts$/, '.mjs')), env }
}
