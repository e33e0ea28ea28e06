import { matchesHmac } from '../../../../kernel/crypto.ts'
import { WebhookRejected } from './port.ts'
import { asObject } from './request.ts'

/**
 * Verifies the HMAC-SHA256 of a webhook's body, in hexadecimal digits, and parses the body.
 * @throws WebhookRejected if the signature does not match or the body is not valid JSON
 */
export function parseSignedBody(
  rawBody: Uint8Array,
  signature: string | undefined,
  key: string,
): Record<string, unknown> {
  if (!matchesHmac(signature, rawBody, key)) throw new WebhookRejected('The signature does not match the body.')
  try {
    return asObject(JSON.parse(Buffer.from(rawBody).toString('utf8')))
  } catch {
    throw new WebhookRejected('The body is not valid JSON.')
  }
}

/** Returns a reference if it has the form of an attemptId or refundNo, otherwise null. */
export function parseReference(reference: unknown): string | null {
  return typeof reference === 'string' && /^[0-9a-f]{32}$/.test(reference) ? reference : null
}
