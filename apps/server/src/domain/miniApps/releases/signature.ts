import { createHash, createPublicKey, verify } from 'node:crypto'
import { releaseStatement, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { updateKeyUse } from './signingKeys.store.ts'
import { registerKey } from './signingKeys.ts'

/** A verified signature of an archive. `archiveHash` is its SHA-256. */
export interface ReleaseSignature {
  publicKey: Buffer
  signature: Buffer
  archiveHash: Buffer
}

/**
 * Verifies the signature of an archive (ADR 286); undefined for an unsigned one. Does not check whose key it is.
 * @throws SoukError `parameter_missing` if only one of key and signature is present, `release_signature_invalid`
 */
export function verifySignature(release: {
  appid: string
  version: string
  archive: Buffer
  signingKey?: string
  signature?: string
}): ReleaseSignature | undefined {
  const { appid, version, archive, signingKey, signature } = release
  if (signingKey === undefined && signature === undefined) return undefined
  if (signingKey === undefined || signature === undefined)
    throw new SoukError('parameter_missing', 'Send signingKey and signature together, or neither.')
  const archiveHash = createHash('sha256').update(archive).digest()
  const statement = releaseStatement({ appid, version, archiveHash: archiveHash.toString('hex') })
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signingKey }, format: 'jwk' })
  if (!verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64url')))
    throw new SoukError(
      'release_signature_invalid',
      'The archive, the appid or the version is not the one that was signed; upload with npx souk upload.',
    )
  return {
    publicKey: Buffer.from(signingKey, 'base64url'),
    signature: Buffer.from(signature, 'base64url'),
    archiveHash,
  }
}

/**
 * Registers the key of a signature at its first use and returns its id. Where signed releases are required, the key
 * must have been approved before.
 * @throws SoukError `release_unsigned`, `signing_key_foreign`, `signing_key_revoked`, `signing_key_pending`,
 * `signing_key_limit_reached`
 */
export async function admitSigner(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: ConsoleCaller,
  signature: ReleaseSignature | undefined,
): Promise<string | undefined> {
  const { requireSignedReleases } = context.rules
  if (signature === undefined) {
    if (requireSignedReleases)
      throw new SoukError('release_unsigned', 'Upload it with npx souk upload, which signs it.')
    return undefined
  }
  // Committed although the upload may be refused, so that an administrator can approve the key.
  const { keyId, state } = await context.sql.begin((tx) => registerKey(context, tx, caller, signature.publicKey))
  if (requireSignedReleases && state !== 'approved')
    throw new SoukError('signing_key_pending', `An administrator must approve it: souk signing-keys approve ${keyId}`)
  return keyId
}

/** Records the use of a key, in the transaction of the upload. @throws SoukError `signing_key_revoked` */
export async function useKey(context: Context, tx: Tx, keyId: string): Promise<void> {
  // The key may have been revoked since it was admitted.
  if (!(await updateKeyUse(tx, keyId, context.clock.real()))) throw new SoukError('signing_key_revoked')
}
