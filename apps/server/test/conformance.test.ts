import { type Report, runConformance } from '@souk/conformance'
import { commonErrors, type ErrorCode, openOperations, signErrors } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from './server.ts'
import { startTestSouk, type TestSouk } from './souk.ts'

/** Exceeding the limit of a running server requires a machine that sends requests fast enough. */
const rateLimitCheck = 'limit/exceeded'

describe('conformance', () => {
  let server: RunningServer
  let limited: TestSouk
  let report: Report
  let limitReport: Report
  beforeAll(async () => {
    server = await startServer()
    report = await runConformance({ url: server.url, adminToken: server.adminToken })
    limited = await startTestSouk({ rateLimit: 5 })
    limited.clock.stop()
    limitReport = await runConformance({ url: limited.url, adminToken: limited.adminToken, only: rateLimitCheck })
  }, 600_000)
  afterAll(async () => {
    await server?.stop()
    await limited?.stop()
  })

  it('a real server passes every check', () => {
    const results = report.results.filter(({ id }) => id !== rateLimitCheck)
    const failures = [...results, ...limitReport.results].filter(({ passed }) => !passed)
    expect(failures.map(({ id, title, failure }) => `${id}: ${title}\n${failure}`).join('\n\n')).toBe('')
    expect(limitReport.passed).toBe(1)
    expect(report.passed).toBeGreaterThan(500)
  })

  it('the checks cause every error that the open API declares', () => {
    const declared = new Set<ErrorCode>([...commonErrors.open, ...signErrors, 'route_unknown'])
    for (const { errors } of Object.values(openOperations)) for (const code of errors) declared.add(code)
    // A client cannot cause failures of Souk itself, a move, an archive, or a provider that does not release a payment.
    const operators = [
      'internal',
      'unavailable',
      'read_only',
      'storage_unavailable',
      'trade_archived',
      'app_archived',
      'payment_in_flight',
    ] as const
    for (const code of operators) declared.delete(code)
    // Releases are not part of the specification; http/releases.test.ts covers them.
    declared.delete('testers_only')
    // fetch does not send another Host header; http/everySurface.test.ts does.
    declared.delete('host_unknown')
    const seen = [...report.codesSeen, ...limitReport.codesSeen]
    expect([...declared].filter((code) => !seen.includes(code))).toEqual([])
  })

  it('the server logs no secrets', () => {
    // The hash of the audit log is published on purpose.
    const log = server.log().replace(/"hash":"[0-9a-f]{64}","msg":"audit chain head"/g, '')
    expect(log).not.toMatch(/[0-9a-f]{48}|eyJ[\w-]{10,}\.|512345678/)
  })
})
