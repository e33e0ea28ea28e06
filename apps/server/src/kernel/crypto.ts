import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Returns the SHA-256 of a text in lowercase hex, the form of `sign` (open-api §4.1). */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** Returns the SHA-256 of a text, which is stored instead of a code or token. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/**
 * Returns whether a caller sent the expected secret or signature, in time that depends on the lengths only. A missing
 * or empty one never matches, so that a secret that is not configured admits nobody.
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

/** A value encrypted with AES-256-GCM, as nonce, tag and ciphertext concatenated, with the id of the key. */
export interface Sealed {
  keyId: string
  ciphertext: Buffer
}

/**
 * Encrypts values that must be readable (app secrets) and derives keys for other uses. `context` binds a ciphertext to
 * its row: it cannot be decrypted elsewhere.
 */
export class Vault {
  readonly #key: Buffer
  readonly #signingKey: Buffer
  /** Identifies the key without revealing it. */
  readonly keyId: string

  /** @param masterKey 32 bytes */
  constructor(masterKey: Buffer) {
    if (masterKey.length !== 32) throw new RangeError(`the master key must have 32 bytes, not ${masterKey.length}`)
    this.#key = this.#derive(masterKey, 'seal')
    this.keyId = createHash('sha256').update(this.#key).digest('hex').slice(0, 16)
    this.#signingKey = this.#derive(masterKey, 'sign')
    this.tokenKey = this.#derive(masterKey, 'access token', 64)
  }

  /** The key of the access tokens (HS512). */
  readonly tokenKey: Buffer

  /** @throws RangeError if the text is empty: anyone could sign with an empty secret */
  seal(text: string, context: string): Sealed {
    if (text === '') throw new RangeError(`an empty secret cannot be stored for ${context}`)
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return { keyId: this.keyId, ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), body]) }
  }

  open(sealed: Sealed, context: string): string {
    if (sealed.keyId !== this.keyId) {
      throw new Error(`encrypted with key ${sealed.keyId}, but the master key is ${this.keyId}`)
    }
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.ciphertext.subarray(0, 12))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.ciphertext.subarray(12, 28))
    return decipher.update(sealed.ciphertext.subarray(28), undefined, 'utf8') + decipher.final('utf8')
  }

  /**
   * Returns an HMAC-SHA256 in base64url, for values that clients keep and that only this installation creates.
   * @param use what the value is for; a signature is not valid for another use
   */
  sign(use: string, text: string): string {
    return createHmac('sha256', this.#signingKey).update(`${use}\0${text}`).digest('base64url')
  }

  #derive(masterKey: Buffer, use: string, length = 32): Buffer {
    return Buffer.from(hkdfSync('sha256', masterKey, '', `souk ${use}`, length))
  }
}
