import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Context } from './domain/context.ts'
import { recurringJobs } from './jobs.ts'

test('the decision about clocks says what each recurring job would do with a wrong clock', () => {
  const record = readFileSync(join(import.meta.dirname, '../../../docs/adr/0344-clocks.md'), 'utf8')
  const table = record.split('| job |')[1]!.split('\n\n')[0]!
  const rows = [...table.matchAll(/^\| `(\w+)` \| (\w.+) \|$/gm)].map(([, name]) => name)
  const jobs = recurringJobs({} as Context, { url: '', folder: '', retention: 0 })
  expect(rows).toEqual(jobs.map(({ name }) => name))
})
