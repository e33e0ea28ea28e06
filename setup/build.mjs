import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findCommit, versionNumber } from '../apps/server/src/kernel/package.ts'

/**
 * Returns what a packed program says of itself: its version, and the commit that it was built from. A release names the
 * commit in COMMIT and is called by its version alone; setup/release.mjs sets both variables. The Containerfile sets
 * COMMIT, since its context has no repository.
 */
export function describeBuild({ COMMIT, RELEASE } = process.env) {
  const commit = COMMIT || findCommit(dirname(import.meta.dirname))
  // The manifest of a backup contains the version.
  if (!/^(?:[0-9a-f]{7,40}(?:\.dirty)?|unknown)$/.test(commit)) {
    throw new Error(`COMMIT is ${JSON.stringify(commit)}. Set it to the output of: git rev-parse --short HEAD`)
  }
  return { version: RELEASE === versionNumber ? versionNumber : `${versionNumber}+${commit}`, commit }
}

/** Writes `build.json` beside the programs in a folder. */
export function writeBuild(folder) {
  writeFileSync(join(folder, 'build.json'), `${JSON.stringify(describeBuild())}\n`)
}
