import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** Returns the SHA-256 of a text in lowercase hex, the form of `sign` (open-api §4.1). */
export function sha256Hex(text: string): string {
  return hash('sha256', text)
}

/** Returns the SHA-256 of a text, which is stored instead of a code or token. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Returns the HMAC-SHA256 of a text, the form of webhook signatures (Standard Webhooks). */
export function hmacSha256(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}

/**
 * Returns whether a caller sent the expected secret or signature, in time that depends on the lengths only. A missing
 * or empty one never matches, so an unconfigured secret matches no request.
 */
export function matchesSecret(given: string | undefined, expected: string | undefined): boolean {
  if (!given || !expected) return false
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Verifies the HMAC-SHA256 of a body, in hexadecimal digits. Never matches without a key, since anyone
 * could sign with an empty one.
 */
export function matchesHmac(signature: string | undefined, body: Uint8Array, key: string | undefined): boolean {
  if (!key) return false
  return matchesSecret(signature?.toLowerCase(), createHmac('sha256', key).update(body).digest('hex'))
}
