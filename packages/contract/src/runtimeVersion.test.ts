import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runtimeVersion, satisfiesRuntime } from './runtimeVersion.ts'

test('is the version in package.json of the runtime', async () => {
  const text = await readFile(new URL('../../runtime/package.json', import.meta.url), 'utf8')
  expect(runtimeVersion).toBe(JSON.parse(text).version)
})

test.each([
  ['1.2.3', '1.2.3', true],
  ['1.2.3', '1.2.4', true],
  ['1.2.3', '1.10.0', true],
  ['1.2.3', '2.0.0-beta.1', true],
  ['1.2.3', '1.2.2', false],
  ['1.10.0', '1.9.9', false],
  ['2.0.0', '1.99.99', false],
  ['newest', '1.0.0', true],
])('%s is required of %s: %s', (required, version, expected) => {
  expect(satisfiesRuntime(required, version)).toBe(expected)
})
