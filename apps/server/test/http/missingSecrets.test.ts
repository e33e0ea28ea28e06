import { consoleOperations, hostOperations, type Operation, platformOperations } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../souk.ts'

/** A server whose admin token is empty, as after a crash of an earlier version at its first start. */
let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk({ adminToken: '' })
})
afterAll(() => souk.stop())

const surfaces = { console: consoleOperations, platform: platformOperations, host: hostOperations }
const emptyCredentials: Record<string, string>[] = [
  {},
  { Authorization: '' },
  { Authorization: 'Basic x' },
  { Authorization: 'Bearer' },
  { Authorization: 'Bearer undefined' },
  { 'X-API-Key': '' },
  { Cookie: 'souk_session=', 'X-Souk-CSRF': '' },
]

describe.each(Object.entries<Record<string, Operation>>(surfaces))('%s surface', (_name, operations) => {
  const authenticated = Object.values(operations).filter(({ auth }) => auth !== 'none')

  test.each(authenticated.map((operation) => [operation.id, operation] as const))(
    '%s refuses missing and empty credentials if no secret is configured',
    async (_id, { method, path }) => {
      const url = souk.url + path.replace(/\{\w+\}/g, '0'.repeat(32))
      for (const headers of emptyCredentials) {
        const response = await fetch(url, { method, headers })
        await response.body?.cancel()
        expect([headers, response.status]).toEqual([headers, 401])
      }
    },
  )
})
