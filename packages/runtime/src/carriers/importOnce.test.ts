import { expect, test } from 'vitest'
import { importOnce } from './importOnce.ts'

test('imports a module once, and again after a failure', async () => {
  let imports = 0
  const load = importOnce(async () => {
    imports++
    if (imports === 1) throw new TypeError('Failed to fetch')
    return imports
  })
  const failures = await Promise.allSettled([load(), load()])
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all([load(), load()])).toEqual([2, 2])
  expect(await load()).toBe(2)
})
