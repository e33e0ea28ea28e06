import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCommit, soukVersion, userAgentOf, versionNumber } from './package.ts'

let folder: string
let clone: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'souk-commit-'))
  clone = join(folder, 'clone')
  mkdirSync(clone)
  git('init', '--quiet', '--initial-branch=main')
  writeFileSync(join(clone, 'file'), 'a')
  git('add', 'file')
})
afterEach(() => rmSync(folder, { recursive: true }))

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Layla', '-c', 'user.email=layla@example.com', '-c', 'commit.gpgSign=false']
  return execFileSync('git', [...identity, ...args], { cwd: clone, encoding: 'utf8', stdio: 'pipe' }).trim()
}

function commit(): string {
  git('commit', '--quiet', '--message=Add a file')
  return git('rev-parse', '--short=7', 'HEAD')
}

test('a clone names its commit, also in a worktree, with packed refs and on a tag', () => {
  const head = commit()
  expect(findCommit(clone)).toBe(head)
  git('tag', 'v1.0.0')
  git('pack-refs', '--all')
  expect(findCommit(clone)).toBe(head)
  const worktree = join(folder, 'worktree')
  git('worktree', 'add', '--quiet', '--detach', worktree)
  expect(findCommit(worktree)).toBe(head)
})

test('changed files are named, new ones are not', () => {
  const head = commit()
  writeFileSync(join(clone, 'notes'), 'b')
  expect(findCommit(clone)).toBe(head)
  writeFileSync(join(clone, 'file'), 'b')
  expect(findCommit(clone)).toBe(`${head}.dirty`)
})

test('without a repository or a commit it is unknown, also inside of another repository', () => {
  expect(findCommit(clone)).toBe('unknown')
  commit()
  const sources = join(clone, 'sources')
  mkdirSync(sources)
  expect(findCommit(sources)).toBe('unknown')
})

test('operators see the commit, receivers of requests do not', () => {
  expect(soukVersion).toMatch(/^\d+\.\d+\.\d+\+([0-9a-f]{7,}(\.dirty)?|unknown)$/)
  expect(userAgentOf()).toBe(`Souk/${versionNumber}`)
  expect(versionNumber).toMatch(/^\d+\.\d+\.\d+$/)
})
