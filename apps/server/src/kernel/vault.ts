import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type webcrypto,
} from 'node:crypto'
import { matchesSecret } from './crypto.ts'
import { describeSealed, type SealContext } from './sealedColumns.ts'

/** A value encrypted with AES-256-GCM, as nonce, tag and ciphertext concatenated, with the id of the key. */
export interface Sealed {
  keyId: string
  ciphertext: Buffer
}

/** A value was encrypted with a master key that is not in the key ring. */
export class MissingKeyError extends Error {}

/** A sealed value cannot be decrypted: it was changed, or copied from another row. */
export class DamagedValueError extends Error {}

/** The keys that are derived from a master key. */
interface DerivedKeys {
  seal: Buffer
  sign: Buffer
  /** Key of access tokens (HS512). jose would import raw bytes again for each token. */
  token: webcrypto.CryptoKey
}

/**
 * Encrypts values that must be readable (app secrets), and signs. New values use the current master key; values of
 * every key in the ring can be read. An unknown key id makes it read the ring again, since another process may have
 * added a key (ADR 297).
 */
export class Vault {
  readonly #readRing: () => readonly Buffer[]
  #keys = new Map<string, DerivedKeys>()
  #retired: readonly string[] = []
  #keyId: string

  /**
   * The first key is current until `use` selects another one.
   * @param readRing returns the ring, oldest key first, 32 bytes each
   */
  constructor(readRing: () => readonly Buffer[]) {
    this.#readRing = readRing
    this.reload()
    this.#keyId = this.keyIds[0]!
  }

  /** Identifies the current key without revealing it. */
  get keyId(): string {
    return this.#keyId
  }

  /** The ids of all keys in the ring, oldest first. */
  get keyIds(): string[] {
    return [...this.#keys.keys()]
  }

  /** Reads the ring again. Keeps the known keys if it cannot be read. @throws SecretFileError, RangeError */
  reload(): void {
    const ring = this.#readRing()
    if (ring.length === 0) throw new RangeError('the key ring is empty')
    this.#keys = new Map(ring.map((key) => [masterKeyId(key), deriveKeys(key)]))
  }

  /**
   * Makes a key the current one.
   * @param retired keys that are no longer accepted, even if the ring still has them
   * @throws MissingKeyError
   */
  use(keyId: string, retired: readonly string[] = []): void {
    this.#retired = retired
    this.#find(keyId)
    this.#keyId = keyId
  }

  /**
   * @param context binds the value to its row: it cannot be decrypted elsewhere
   * @throws RangeError if the text is empty: anyone could sign with an empty secret
   */
  seal(text: string, context: SealContext): Sealed {
    if (text === '') throw new RangeError(`an empty secret cannot be stored in ${describeSealed(context)}`)
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#find(this.#keyId).seal, nonce).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return { keyId: this.#keyId, ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), body]) }
  }

  /** @throws MissingKeyError, DamagedValueError naming the table and the row */
  open({ keyId, ciphertext }: Sealed, context: SealContext): string {
    const { seal } = this.#find(keyId, describeSealed(context))
    try {
      // Without its length, a tag cut to four bytes would be accepted.
      const decipher = createDecipheriv('aes-256-gcm', seal, ciphertext.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(context))
        .setAuthTag(ciphertext.subarray(12, 28))
      return decipher.update(ciphertext.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      throw new DamagedValueError(
        `${describeSealed(context)} cannot be decrypted with its master key ${keyId}: ` +
          'the value was changed or belongs to another row. Restore it from a backup, or replace it.',
      )
    }
  }

  /**
   * Returns an HMAC-SHA256 in base64url, for values that clients keep and that only this installation creates.
   * @param use what the value is for; a signature is not valid for another use
   * @param keyId the current key by default
   * @throws MissingKeyError
   */
  sign(use: string, text: string, keyId: string = this.#keyId): string {
    return sign(this.#find(keyId), use, text)
  }

  /** Returns whether a signature of `sign` was made with any key of the ring. */
  isSigned(use: string, text: string, signature: string | undefined): boolean {
    return this.#accepted().some(([, keys]) => matchesSecret(signature, sign(keys, use, text)))
  }

  /**
   * Returns the key of access tokens (HS512).
   * @param keyId undefined for tokens of an earlier version, which had only one key: the oldest
   * @throws MissingKeyError
   */
  tokenKey(keyId: string = this.#accepted()[0]![0]): webcrypto.CryptoKey {
    // Any request can name a key here, so an unknown one must not read the ring.
    return this.#known(keyId, 'an access token').token
  }

  #accepted(): [keyId: string, keys: DerivedKeys][] {
    return [...this.#keys].filter(([keyId]) => !this.#retired.includes(keyId))
  }

  #find(keyId: string, owner = 'a value'): DerivedKeys {
    if (!this.#keys.has(keyId)) this.reload()
    return this.#known(keyId, owner)
  }

  #known(keyId: string, owner: string): DerivedKeys {
    const keys = this.#keys.get(keyId)
    if (keys && !this.#retired.includes(keyId)) return keys
    throw new MissingKeyError(
      `The master key ${keyId} of ${owner} is not in the key ring, which has ${this.keyIds.join(', ')}. ` +
        'Restore it from a backup of the file master-key, or add it to SOUK_MASTER_KEY.',
    )
  }
}

/** Returns the id of a master key (32 bytes), which does not reveal it. */
export function masterKeyId(key: Buffer): string {
  return createHash('sha256').update(derive(key, 'seal')).digest('hex').slice(0, 16)
}

function deriveKeys(key: Buffer): DerivedKeys {
  if (key.length !== 32) throw new RangeError(`a master key must have 32 bytes, not ${key.length}`)
  const token = createSecretKey(derive(key, 'access token', 64))
  return {
    seal: derive(key, 'seal'),
    sign: derive(key, 'sign'),
    token: token.toCryptoKey({ name: 'HMAC', hash: 'SHA-512' }, true, ['sign', 'verify']),
  }
}

function derive(masterKey: Buffer, use: string, length = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `souk ${use}`, length))
}

function sign({ sign: key }: DerivedKeys, use: string, text: string): string {
  return createHmac('sha256', key).update(`${use}\0${text}`).digest('base64url')
}
