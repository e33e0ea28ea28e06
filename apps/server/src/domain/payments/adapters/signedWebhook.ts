import { createHmac, timingSafeEqual } from 'node:crypto'
import { WebhookRejected } from './port.ts'
import { asObject } from './request.ts'

/**
 * What a webhook says whose header holds the HMAC-SHA256 of its body, in hexadecimal digits.
 * @throws WebhookRejected where the signature does not fit, or the body is no JSON
 */
export function verifySignedBody(
  rawBody: Uint8Array,
  signature: string | undefined,
  key: string,
): Record<string, unknown> {
  const given = Buffer.from(signature ?? '', 'hex')
  const expected = createHmac('sha256', key).update(rawBody).digest()
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new WebhookRejected('the signature does not fit the body')
  }
  try {
    return asObject(JSON.parse(Buffer.from(rawBody).toString('utf8')))
  } catch {
    throw new WebhookRejected('the body is no JSON')
  }
}

/** The attempt or refund that a reference of ours names; null where it is somebody else's. */
export function parseReference(reference: unknown): string | null {
  return typeof reference === 'string' && /^[0-9a-f]{32}$/.test(reference) ? reference : null
}
