import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { releaseStatement } from '@souk/contract'
import { Failure } from './failure.ts'

/**
 * Reads the Ed25519 key that signs the developer's releases from a file, and creates it if the file does not exist.
 * @throws Failure 2 if the file cannot be read or written, other users can read it, or it contains another key
 */
export async function readSigningKey(file: string): Promise<KeyObject> {
  const text = await readIfExists(file)
  if (text === undefined) {
    await createKeyFile(file)
    return readSigningKey(file)
  }
  const { mode } = await stat(file)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Failure(2, `Other users can access the signing key ${file}.`, `Protect it: chmod 600 ${file}`)
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Reported below, without the content of the file.
  }
  throw new Failure(
    2,
    `${file} does not contain an Ed25519 private key in PEM.`,
    'Delete it to create a new key, or set SOUK_SIGNING_KEY to another file.',
  )
}

const ownFile = 'Set SOUK_SIGNING_KEY to a file of yours.'

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure(2, `The signing key ${file} cannot be read: ${(error as Error).message}.`, ownFile)
  }
}

/** Writes a new key to a temporary file first, so that the file is never incomplete. */
async function createKeyFile(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const temporary = `${file}.${randomUUID()}`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(temporary, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flush: true })
    // Unlike a rename, a link never replaces the key that another process has just created.
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw new Failure(2, `The signing key ${file} cannot be created: ${(error as Error).message}.`, ownFile)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Returns the public key in base64url, and the id that the server lists it under. */
export function describeKey(key: KeyObject): { keyId: string; publicKey: string } {
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x as string
  const keyId = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 32)
  return { keyId, publicKey }
}

/** Signs a release with a developer's key. Returns the parameters of the upload. */
export function signRelease(
  key: KeyObject,
  { appid, version, archive }: { appid: string; version: string; archive: Uint8Array },
): { signingKey: string; signature: string } {
  const archiveHash = createHash('sha256').update(archive).digest('hex')
  const statement = releaseStatement({ appid, version, archiveHash })
  return {
    signingKey: describeKey(key).publicKey,
    signature: sign(null, Buffer.from(statement), key).toString('base64url'),
  }
}
