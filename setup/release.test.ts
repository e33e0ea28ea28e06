import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeBuild } from './build.mjs'
import { prepareRelease } from './prepareRelease.mjs'

const now = Date.parse('2026-11-28T23:00:00Z')
const changes = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Tea.\n\n## [0.1.0] - 2026-11-20\n\n- Coffee.\n'
let folder: string
let root: string
let output: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'souk-release-'))
  root = join(folder, 'clone')
  output = join(folder, 'output')
  for (const path of [root, output]) mkdirSync(path)
  git('init', '--quiet', '--initial-branch=main')
  write('package.json', '{ "version": "0.2.0" }')
  write('CHANGELOG.md', changes)
  commit()
})
afterEach(() => rmSync(folder, { recursive: true }))

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Layla', '-c', 'user.email=layla@example.com', '-c', 'commit.gpgSign=false']
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
}

const write = (name: string, text: string) => writeFileSync(join(root, name), text)
const changelog = () => readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const release = () => prepareRelease(root, output, now)

function commit(): string {
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message=Add a file')
  return git('rev-parse', '--short=7', 'HEAD')
}

test('a release gets a heading with its date and commit, which is removed if it cannot be built', () => {
  const head = commit()
  const { version, commit: released, undo } = release()
  expect([version, released]).toEqual(['0.2.0', head])
  expect(changelog()).toBe(
    changes.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [0.2.0] - 2026-11-28 (${head})\n`),
  )
  undo()
  expect(changelog()).toBe(changes)
  expect(git('status', '--porcelain')).toBe('')
})

test('the next release needs another version and further changes', () => {
  release()
  commit()
  expect(release).toThrow('CHANGELOG.md lists 0.2.0 already. Set the next version in every package.json.')
  write('package.json', '{ "version": "0.3.0" }')
  commit()
  expect(release).toThrow('no changes under "## [Unreleased]". List them there')
})

test.for(['CHANGELOG.md', 'new file'])('files that are not in the commit are refused: %s', (name) => {
  write(name, `${changes}- Cake.\n`)
  expect(release).toThrow(name)
  expect(release).toThrow('Commit, stash or remove them')
})

test('a commit outside of main is refused, also if it is not on a branch', () => {
  git('switch', '--quiet', '--create', 'feature')
  const head = commit()
  expect(release).toThrow(`The commit ${head} is not on main. Merge it, or fetch main`)
  git('switch', '--quiet', '--detach')
  git('branch', '--quiet', '--delete', '--force', 'main', 'feature')
  expect(release).toThrow('is not on main')
  // As in the workflow of a tag.
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  expect(release().commit).toBe(head)
})

test('a tag is built from its own commit only', () => {
  git('tag', '--annotate', '--message=0.2.0', 'v0.2.0')
  release().undo()
  commit()
  expect(release).toThrow('The tag v0.2.0 names another commit. Set the next version in every package.json, or check')
})

test('files of the version are not overwritten, those of other versions do not matter', () => {
  for (const name of ['souk-cli-0.1.0.tgz', 'SHA256SUMS']) writeFileSync(join(output, name), '')
  release().undo()
  writeFileSync(join(output, 'souk-cli-0.2.0.tgz'), '')
  expect(release).toThrow('souk-cli-0.2.0.tgz exists. Remove it, or release into another folder')
})

test('a folder without a repository is refused', () => {
  rmSync(join(root, '.git'), { recursive: true })
  expect(release).toThrow('is not a git repository with a commit. Release from a clone.')
})

test('only a release is called by its version alone', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../apps/server/package.json'), 'utf8'))
  const COMMIT = '1a2b3c4'
  expect(describeBuild({ COMMIT, RELEASE: version })).toEqual({ version, commit: COMMIT })
  for (const RELEASE of [undefined, '', '99.0.0']) {
    expect(describeBuild({ COMMIT, RELEASE })).toEqual({ version: `${version}+1a2b3c4`, commit: COMMIT })
  }
  expect(describeBuild({ COMMIT: 'unknown' }).version).toBe(`${version}+unknown`)
  expect(() => describeBuild({ COMMIT: 'main' })).toThrow('COMMIT is "main". Set it to')
})
