import { expect, test } from 'vitest'
import { userAgentOf, version } from './version.ts'

test('the version names the commit, and requests do not', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+\+([0-9a-f]{7,}(\.dirty)?|unknown)$/)
  expect(userAgentOf('http://localhost:7070')).toBe(`Souk/${version.split('+')[0]} (+http://localhost:7070/docs/)`)
})
