import assert from 'node:assert/strict'
import type { Envelope, Reply } from './wire.ts'

/** An expected error: HTTP status and code, or several codes where the specification allows a choice. */
export interface ExpectedError {
  status: number
  code: string | readonly string[]
  /** Text that `msg` must contain, or a pattern that it must match. */
  message?: string | RegExp
}

/** Returns the envelope of a response after checking its form (open-api §2.2). */
function envelopeOf(reply: Reply): Envelope {
  const { envelope } = reply
  assert.ok(envelope, `not an envelope: HTTP ${reply.status} ${reply.text.slice(0, 300)}`)
  assert.ok(envelope.responseHeader, `no responseHeader: ${reply.text.slice(0, 300)}`)
  return envelope
}

/** Asserts success and returns `response`. */
export function expectSuccess(reply: Reply): unknown {
  const { responseHeader, response } = envelopeOf(reply)
  assert.equal(reply.status, 200, `HTTP ${reply.status}: ${JSON.stringify(responseHeader)}`)
  assert.equal(responseHeader.status, 200)
  assert.equal(responseHeader.msg, 'OK')
  return response
}

/** Asserts an error: HTTP and envelope status, code, message, and `response` null. */
export function expectError(reply: Reply, { status, code, message }: ExpectedError): Envelope {
  const envelope = envelopeOf(reply)
  const { responseHeader, response } = envelope
  const shown = JSON.stringify(envelope)
  assert.equal(reply.status, status, `HTTP ${reply.status}: ${shown}`)
  assert.equal(responseHeader.status, status, shown)
  assert.equal(response, null, shown)
  const codes = typeof code === 'string' ? [code] : code
  assert.ok(
    codes.includes(responseHeader.code ?? ''),
    `code is ${responseHeader.code}, expected ${codes.join(' or ')}: ${shown}`,
  )
  if (typeof message === 'string')
    assert.ok(responseHeader.msg.includes(message), `msg does not contain ${message}: ${shown}`)
  else if (message) assert.match(responseHeader.msg, message)
  return envelope
}

/** Asserts that an object has exactly these fields and that each passes its test. */
export function expectFields(value: unknown, fields: Readonly<Record<string, (field: unknown) => boolean>>): void {
  assert.ok(typeof value === 'object' && value !== null, `not an object: ${JSON.stringify(value)}`)
  assert.deepEqual(Object.keys(value).sort(), Object.keys(fields).sort())
  for (const [name, passes] of Object.entries(fields)) {
    const field = (value as Record<string, unknown>)[name]
    assert.ok(passes(field), `${name} is ${JSON.stringify(field)}`)
  }
}

export const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
export const isInteger = (value: unknown): boolean => Number.isSafeInteger(value)
export const isHex32 = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)
export const is =
  (expected: unknown) =>
  (value: unknown): boolean =>
    value === expected
export const oneOf =
  (...expected: readonly unknown[]) =>
  (value: unknown): boolean =>
    expected.includes(value)
export const orNull =
  (passes: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || passes(value)
