import assert from 'node:assert/strict'
import type { Envelope, Reply } from './wire.ts'

/** A refusal that a check expects: HTTP status, and the machine word (one of several where the document leaves room). */
export interface Refusal {
  status: number
  code: string | readonly string[]
  /** What `msg` must say. */
  says?: string | RegExp
}

/** The envelope, after looking at what holds for every answer (open-api §2.2). */
function envelopeOf(reply: Reply): Envelope {
  const { envelope } = reply
  assert.ok(envelope, `not an envelope: HTTP ${reply.status} ${reply.text.slice(0, 300)}`)
  assert.ok(envelope.responseHeader, `no responseHeader: ${reply.text.slice(0, 300)}`)
  return envelope
}

/** Asserts success and gives `response`. */
export function succeeded(reply: Reply): unknown {
  const { responseHeader, response } = envelopeOf(reply)
  assert.equal(reply.status, 200, `HTTP ${reply.status}: ${JSON.stringify(responseHeader)}`)
  assert.equal(responseHeader.status, 200)
  assert.equal(responseHeader.msg, 'OK')
  return response
}

/** Asserts a refusal: HTTP status and envelope status alike, the code, `response` null, and what the message says. */
export function refused(reply: Reply, { status, code, says }: Refusal): Envelope {
  const envelope = envelopeOf(reply)
  const { responseHeader, response } = envelope
  const shown = JSON.stringify(envelope)
  assert.equal(reply.status, status, `HTTP ${reply.status}: ${shown}`)
  assert.equal(responseHeader.status, status, shown)
  assert.equal(response, null, shown)
  const codes = typeof code === 'string' ? [code] : code
  assert.ok(
    codes.includes(responseHeader.code ?? ''),
    `code ${responseHeader.code}, expected ${codes.join(' or ')}: ${shown}`,
  )
  if (typeof says === 'string') assert.ok(responseHeader.msg.includes(says), `msg should say ${says}: ${shown}`)
  else if (says) assert.match(responseHeader.msg, says)
  return envelope
}

/** Asserts that an object has exactly these fields, each passing its test. */
export function hasFields(value: unknown, fields: Readonly<Record<string, (field: unknown) => boolean>>): void {
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
