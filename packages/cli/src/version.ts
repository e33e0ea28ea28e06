import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The version without its commit, for requests. */
const { version: versionNumber }: { version: string } = createRequire(import.meta.url)('../package.json')

/** Written when the command is packed (setup/build.mjs). */
const build = join(import.meta.dirname, 'build.json')

/** The version of this command, which is that of the server of the same release, and names the commit in its form. */
export const version: string = existsSync(build)
  ? JSON.parse(readFileSync(build, 'utf8')).version
  : `${versionNumber}+${findCommit(join(import.meta.dirname, '../../..'))}`

/** Returns the `User-Agent` of requests for the Souk at `serverUrl`, in the form that the server uses. */
export function userAgentOf(serverUrl: string): string {
  return `Souk/${versionNumber} (+${serverUrl}/docs/)`
}

/** As in the server's kernel/package.ts, which no package can import. */
function findCommit(clone: string): string {
  if (!existsSync(join(clone, '.git'))) return 'unknown'
  const describe = ['describe', '--always', '--abbrev=7', '--dirty=.dirty', '--exclude=*']
  try {
    const commit = execFileSync('git', ['--no-optional-locks', ...describe], { cwd: clone, stdio: 'pipe' })
    return commit.toString().trim()
  } catch {
    return 'unknown'
  }
}
