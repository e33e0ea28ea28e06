import { expect } from 'vitest'
import type { JsonAnswer, TestSouk } from './souk.ts'

/** Expects the answer of a database that cannot process a request now. */
export function expectRetryLater({ status, headers, body }: JsonAnswer): void {
  expect(body.code).toBe('unavailable')
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('2')
}

/** A write. */
export const addIssuer = (souk: TestSouk) =>
  souk.console('POST', '/console/v1/issuers', { issuer: 'http://localhost:9', audience: 'souk' })
