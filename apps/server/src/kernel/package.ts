import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

// Found by its manifest, because the packed server is one file at another depth.
const manifest = findPackageJSON(import.meta.url)!

/** The folder of `@souk/server`. */
export const packageFolder = dirname(manifest)

/** True if this is a clone of the repository, and not the packed server. */
export const runsFromSources = import.meta.filename.endsWith('.ts')

/** The version without its commit, such as `1.4.0`, for packages and for requests to others. */
export const versionNumber: string = JSON.parse(readFileSync(manifest, 'utf8')).version

/**
 * The version of this Souk for operators: `1.4.0` if it was released, otherwise with the commit, as build metadata of
 * semver. `1.4.0+1a2b3c4.dirty` was built from changed files, `1.4.0+unknown` without a repository.
 */
export const soukVersion: string = runsFromSources
  ? `${versionNumber}+${findCommit(join(packageFolder, '../..'))}`
  : JSON.parse(readFileSync(join(packageFolder, 'dist/build.json'), 'utf8')).version

/**
 * Returns the `User-Agent` of all requests to others, such as `Souk/1.4.0 (+https://souk.example.com/docs/)`. Firewalls
 * drop requests without one, and operators of receivers find out who sends them.
 * @param publicUrl of this installation
 */
export function userAgentOf(publicUrl?: string): string {
  return publicUrl === undefined ? `Souk/${versionNumber}` : `Souk/${versionNumber} (+${publicUrl}/docs/)`
}

/** Returns the commit of a clone: seven digits or more, with `.dirty` if tracked files were changed, or `unknown`. */
export function findCommit(clone: string): string {
  // Otherwise git would find a repository around the sources. A worktree has a file of this name.
  if (!existsSync(join(clone, '.git'))) return 'unknown'
  const describe = ['describe', '--always', '--abbrev=7', '--dirty=.dirty', '--exclude=*']
  try {
    const commit = execFileSync('git', ['--no-optional-locks', ...describe], { cwd: clone, stdio: 'pipe' })
    return commit.toString().trim()
  } catch {
    // Git is not installed, does not trust the owner of the clone, or there is no commit.
    return 'unknown'
  }
}
