import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Runs the command; a status of undefined means that it did not end. */
function conformance(...args: string[]) {
  return new Promise<{ status: number | undefined; out: string; err: string }>((resolve) => {
    const program = ['--conditions=souk-source', join(import.meta.dirname, 'bin.ts'), ...args]
    execFile(process.execPath, program, { timeout: 60_000 }, (error, out, err) => {
      resolve({ status: error ? (error.code as number | undefined) : 0, out, err })
    })
  })
}

test('ends with status 2 for a server that cannot be reached', async () => {
  const { status, out, err } = await conformance('--url', 'http://127.0.0.1:9', '--only', 'trade/response')
  expect([status, err]).toEqual([2, 'The suite could not run: fetch failed\n'])
  expect(out).toContain('FAIL')
})

test('lists the same checks in every run, each id once', async () => {
  const [first, second] = await Promise.all([conformance('--list', '--json'), conformance('--list', '--json')])
  expect(first).toEqual(second)
  const ids = (JSON.parse(first.out) as { id: string }[]).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ends with status 2, and without results, if no check is chosen or an option is unknown', async () => {
  expect(await conformance('--only', 'trade/nothing')).toEqual({
    status: 2,
    out: '',
    err: 'The suite could not run: No check has an id that contains trade/nothing.\n',
  })
  const { status, out, err } = await conformance('--ony', 'trade/')
  expect([status, out]).toEqual([2, ''])
  expect(err).toMatch(/^Unknown option '--ony'/)
  expect(err).toContain('--only TEXT')
})
