import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FullContext } from './domain/context.ts'
import { queuedJobs, recurringJobs } from './jobs.ts'

const context = {} as FullContext

test('the page about time says what each recurring job would do with a wrong clock', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/security/time.md'), 'utf8')
  const table = page.split('| job |')[1]!.split('\n\n')[0]!
  const rows = [...table.matchAll(/^\| `(\w+)` \| (\w.+) \|$/gm)].map(([, name]) => name)
  const names = recurringJobs(context, { url: '', folder: '', retention: 0 }).map(({ name }) => name)
  expect(rows).toEqual(names)
  expect(new Set(names).size).toBe(names.length)
})

test('every job that is enqueued is declared by a wing', () => {
  const sources = globSync('domain/**/*.ts', { cwd: import.meta.dirname, exclude: (path) => path.endsWith('.test.ts') })
  const enqueued = sources.flatMap((path) => [
    ...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/\benqueue\(tx, (?:\{ name: '(\w+)')?/g),
  ])
  const names = enqueued.map(([call, name]) => name ?? call)
  expect(names.length).toBeGreaterThan(5)
  expect(Object.keys(queuedJobs(context))).toEqual(expect.arrayContaining(names))
})
