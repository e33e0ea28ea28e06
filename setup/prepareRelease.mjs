import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A release that cannot be made. The message says what to do. */
export class ReleaseError extends Error {}

/**
 * Checks that the commit of a clone can be released into a folder, and writes the heading of the version into its
 * CHANGELOG.md, such as `## [1.4.0] - 2026-11-28 (1a2b3c4)`.
 * @param now ms
 * @returns the version, the commit (seven digits or more), and `undo`, which restores CHANGELOG.md
 * @throws ReleaseError; nothing was changed
 */
export function prepareRelease(root, folder, now = Date.now()) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  const succeeds = (...args) => {
    try {
      git(...args)
      return true
    } catch {
      return false
    }
  }
  if (!existsSync(join(root, '.git')) || !succeeds('rev-parse', '--verify', 'HEAD')) {
    throw new ReleaseError(`${root} is not a git repository with a commit. Release from a clone.`)
  }
  const changed = git('status', '--porcelain')
  if (changed) throw new ReleaseError(`Files differ from the commit. Commit, stash or remove them:\n${changed}`)

  // A workflow that builds a tag has only the branch of the remote.
  const branches = ['main', 'origin/main'].filter((name) => succeeds('rev-parse', '--verify', `${name}^{commit}`))
  const commit = git('rev-parse', '--short=7', 'HEAD')
  if (!branches.some((branch) => succeeds('merge-base', '--is-ancestor', 'HEAD', branch))) {
    throw new ReleaseError(
      `The commit ${commit} is not on main. Merge it, or fetch main (in a workflow: fetch-depth: 0), and release from there.`,
    )
  }

  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const next = 'Set the next version in every package.json'
  const tag = `v${version}`
  if (
    succeeds('rev-parse', '--verify', `refs/tags/${tag}`) &&
    git('rev-parse', `${tag}^{commit}`) !== git('rev-parse', 'HEAD')
  ) {
    throw new ReleaseError(`The tag ${tag} names another commit. ${next}, or check out the tag to build it again.`)
  }
  const path = join(root, 'CHANGELOG.md')
  const changelog = readFileSync(path, 'utf8')
  if (changelog.includes(`\n## [${version}]`)) {
    throw new ReleaseError(`CHANGELOG.md lists ${version} already. ${next}.`)
  }
  const unreleased = /^## \[Unreleased\]\n(?=\s*(?!## )\S)/m
  if (!unreleased.test(changelog)) {
    throw new ReleaseError('CHANGELOG.md has no changes under "## [Unreleased]". List them there, and commit the file.')
  }
  const built = existsSync(folder)
    ? readdirSync(folder).find((name) => /\.(tgz|vsix)$/.test(name) && name.includes(`-${version}.`))
    : undefined
  if (built) {
    throw new ReleaseError(
      `${join(folder, built)} exists. Remove it, or release into another folder: npm run release -- <folder>`,
    )
  }

  const date = new Date(now).toISOString().slice(0, 10)
  writeFileSync(
    path,
    changelog.replace(unreleased, (heading) => `${heading}\n## [${version}] - ${date} (${commit})\n`),
  )
  return { version, commit, undo: () => writeFileSync(path, changelog) }
}
