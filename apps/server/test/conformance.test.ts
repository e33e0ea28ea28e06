import { type Report, runConformance } from '@souk/conformance'
import { commonErrors, type ErrorCode, openOperations, signErrors } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from './server.ts'

describe('conformance', () => {
  let server: RunningServer
  let report: Report
  beforeAll(async () => {
    server = await startServer()
    report = await runConformance({ url: server.url, adminToken: server.adminToken })
  }, 300_000)
  afterAll(() => server?.stop())

  it('the real server passes every check', () => {
    const failures = report.results.filter(({ passed }) => !passed)
    expect(failures.map(({ id, title, failure }) => `${id}: ${title}\n${failure}`).join('\n\n')).toBe('')
    expect(report.passed).toBeGreaterThan(500)
  })

  it('every error that the open API declares is seen', () => {
    const declared = new Set<ErrorCode>([...commonErrors.open, ...signErrors, 'route_unknown'])
    for (const { errors } of Object.values(openOperations)) for (const code of errors) declared.add(code)
    // What nobody can bring about from outside: failures of Souk itself, and a provider that will not let go of a payment.
    for (const code of ['internal', 'unavailable', 'payment_in_flight'] as const) declared.delete(code)
    // Nor what depends on releases, of which the document says nothing: http/releases.test.ts.
    declared.delete('testers_only')
    expect([...declared].filter((code) => !report.codesSeen.includes(code))).toEqual([])
  })

  it('nothing secret reaches the log of the server', () => {
    expect(server.log()).not.toMatch(/[0-9a-f]{48}|eyJ[\w-]{10,}\.|512345678/)
  })
})
