import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Options of WebAuthn as JSON, as far as this authenticator reads them. */
interface Options {
  challenge: string
  rpId?: string
  rp?: { id: string }
  user?: { id: string }
}

/** Deviations of a browser and its authenticator, for tests of bad answers. */
export interface Behavior {
  origin?: string
  rpId?: string
  userVerified?: boolean
  /** The count of signatures; one more than before by default. */
  counter?: number
}

const digest = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const flags = { userPresent: 1, userVerified: 4, attested: 64 }

/** A passkey with an ES256 key that counts its signatures, and the browser that it is used in. */
export class Authenticator {
  readonly id = randomBytes(16)
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0
  #owner = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Returns a new credential with attestation `none`. */
  create({ options }: { options: Options }, behavior: Behavior = {}) {
    this.#owner = options.user!.id
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x!)],
      [-3, bytes(y!)],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const authData = Buffer.concat([
      this.#authenticatorData(options, flags.attested, behavior),
      Buffer.alloc(16),
      length,
      this.id,
      isoCBOR.encode(cose),
    ])
    const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', new Uint8Array(authData)],
    ])
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options, behavior).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Signs a challenge. */
  get({ options }: { options: Options }, behavior: Behavior = {}) {
    const clientData = this.#clientData('webauthn.get', options, behavior)
    const authData = this.#authenticatorData(options, 0, behavior)
    const signature = sign('sha256', Buffer.concat([authData, digest(clientData)]), this.#keys.privateKey)
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(this.#owner && { userHandle: this.#owner }),
    })
  }

  #credential<R>(response: R) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, { challenge }: Options, { origin = this.#origin }: Behavior): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authenticatorData({ rpId, rp }: Options, more: number, behavior: Behavior): Buffer {
    this.#counter = behavior.counter ?? this.#counter + 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    const verified = behavior.userVerified === false ? 0 : flags.userVerified
    const flag = Buffer.from([flags.userPresent | verified | more])
    return Buffer.concat([digest(behavior.rpId ?? rpId ?? rp!.id), flag, counter])
  }
}

const bytes = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))
