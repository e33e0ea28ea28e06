import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { maxSigningKeys, releaseStatement } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../test/archive.ts'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { soukError } from '../../../../test/soukError.ts'
import type { AccountCaller, ConsoleCaller } from '../../caller.ts'
import { createApp } from '../apps/index.ts'
import {
  approveSigningKey,
  listReleases,
  listSigningKeys,
  publishRelease,
  registerSigningKey,
  revokeSigningKey,
  uploadRelease,
} from './index.ts'

const admin = { kind: 'admin' } as const

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string
let archive: Buffer
let noura: AccountCaller
let omar: AccountCaller

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
  archive = await archiveOf(build())
})
afterAll(() => database.drop())
beforeEach(async () => {
  context.rules.requireSignedReleases = false
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
  noura = await newAccount('Noura')
  omar = await newAccount('Omar')
})

async function newAccount(name: string, administrator = false): Promise<AccountCaller> {
  const accountId = randomBytes(16).toString('hex')
  await database.sql`
    insert into accounts (account_id, username, name, language, password, administrator, ctime)
    values (${accountId}, ${accountId}, ${name}, 'en', '', ${administrator}, 0)`
  return { kind: 'account', accountId, administrator, via: 'session' }
}

const newKey = () => generateKeyPairSync('ed25519').privateKey
const publicKeyOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' }).x as string

/** Signs an upload as the command line does. */
function signed(key: KeyObject, release: { appid?: string; version?: string; archive?: Buffer } = {}) {
  const upload = { appid, version: '1.0.0', archive, ...release }
  const archiveHash = createHash('sha256').update(upload.archive).digest('hex')
  const signature = sign(null, Buffer.from(releaseStatement({ ...upload, archiveHash })), key).toString('base64url')
  return { ...upload, signingKey: publicKeyOf(key), signature }
}

const upload = (caller: ConsoleCaller, input: Parameters<typeof uploadRelease>[2]) =>
  uploadRelease(context, caller, input)
const keyIdOf = (key: KeyObject) =>
  createHash('sha256')
    .update(Buffer.from(publicKeyOf(key), 'base64url'))
    .digest('hex')
    .slice(0, 32)
const audited = async (keyId: string) =>
  (
    await database.sql<{ action: string }[]>`select action from audit_log where subject = ${keyId} order by audit_id`
  ).map(({ action }) => action)

describe('a signed release', () => {
  test('registers the key at its first use as a pending key of the account, and shows who signed', async () => {
    const key = newKey()
    const release = await upload(noura, signed(key))
    expect(release.signedBy).toEqual({ keyId: keyIdOf(key), owner: 'Noura', state: 'pending' })
    await upload(noura, signed(key, { version: '1.0.1' }))
    expect((await listSigningKeys(context, noura)).items).toEqual([
      {
        keyId: keyIdOf(key),
        owner: 'Noura',
        state: 'pending',
        ctime: context.clock.real(),
        lastUsedAt: context.clock.real(),
      },
    ])
    expect(await audited(keyIdOf(key))).toEqual(['signingKey.register'])
    const [entry] = await database.sql`select detail from audit_log where subject = ${appid} order by audit_id desc`
    expect(entry!.detail).toMatchObject({ signedBy: keyIdOf(key) })
  })

  test('keeps the signature and what was signed, so that it can be verified again', async () => {
    const input = signed(newKey())
    const { releaseId } = await upload(noura, input)
    const [row] = await database.sql<{ hash: Buffer; signature: Buffer }[]>`
      select archive_hash as hash, signature from releases where release_id = ${releaseId}`
    expect(row!.hash).toEqual(createHash('sha256').update(archive).digest())
    expect(row!.signature.toString('base64url')).toBe(input.signature)
  })

  test('is optional by default', async () => {
    expect((await upload(noura, { appid, version: '1.0.0', archive })).signedBy).toBeNull()
  })

  test('with the admin token shows the account that the key belongs to', async () => {
    const key = newKey()
    await registerSigningKey(context, noura, { publicKey: publicKeyOf(key) })
    expect(await upload(admin, signed(key))).toMatchObject({ uploadedBy: 'admin', signedBy: { owner: 'Noura' } })
    expect((await upload(admin, signed(newKey(), { version: '1.0.1' }))).signedBy).toMatchObject({
      owner: 'admin',
      state: 'pending',
    })
  })

  test('registers a key once in concurrent first uploads', async () => {
    for (const caller of [noura, admin]) {
      const key = newKey()
      await Promise.all(
        [1, 2, 3, 4].map((count) => upload(caller, signed(key, { version: `${caller.kind}-${count}` }))),
      )
      expect(await audited(keyIdOf(key))).toEqual(['signingKey.register'])
    }
  })
})

describe('an upload is refused and stores nothing', () => {
  const tampered: [string, (input: ReturnType<typeof signed>) => Promise<object> | object][] = [
    ['a tampered archive', async () => ({ archive: await archiveOf(build('Mini App', { 'evil.js': 'x' })) })],
    ['one more byte in the archive', () => ({ archive: Buffer.concat([archive, Buffer.from([0])]) })],
    ['another version', () => ({ version: '9.9.9' })],
    ['another mini app', async () => ({ appid: (await createApp(context, admin, { name: 'Bank' })).appid })],
    ['the public key of another', () => ({ signingKey: publicKeyOf(newKey()) })],
    [
      'a changed signature',
      ({ signature }) => ({ signature: `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}` }),
    ],
    ['a signature of zeros', () => ({ signature: 'A'.repeat(86) })],
    ['a key that is not a point', () => ({ signingKey: `_${'_'.repeat(41)}8` })],
  ]
  test.each(tampered)('with %s', async (_, change) => {
    const input = signed(newKey())
    const upset = { ...input, ...(await change(input)) }
    await expect(upload(noura, upset)).rejects.toEqual(soukError('release_signature_invalid'))
    expect(await listReleases(context, admin, { appid: upset.appid })).toEqual([])
    expect((await listSigningKeys(context, noura)).items).toEqual([])
  })

  test('with only one of key and signature', async () => {
    const { signature, signingKey, ...rest } = signed(newKey())
    await expect(upload(noura, { ...rest, signature })).rejects.toEqual(soukError('parameter_missing'))
    await expect(upload(noura, { ...rest, signingKey })).rejects.toEqual(soukError('parameter_missing'))
  })

  test('with a key of another account or of the admin token', async () => {
    const [own, installation] = [newKey(), newKey()]
    await upload(noura, signed(own))
    await upload(admin, signed(installation, { version: '2' }))
    for (const key of [own, installation])
      await expect(upload(omar, signed(key, { version: '3' }))).rejects.toEqual(soukError('signing_key_foreign'))
    expect(await listReleases(context, admin, { appid })).toHaveLength(2)
  })

  test('with a revoked key, also by the admin token; earlier releases say so', async () => {
    const key = newKey()
    await upload(noura, signed(key))
    await revokeSigningKey(context, noura, { keyId: keyIdOf(key) })
    for (const caller of [noura, admin])
      await expect(upload(caller, signed(key, { version: '2' }))).rejects.toEqual(soukError('signing_key_revoked'))
    expect(await listReleases(context, admin, { appid })).toMatchObject([{ signedBy: { state: 'revoked' } }])
  })
})

describe('an installation that requires signed releases', () => {
  beforeEach(() => {
    context.rules.requireSignedReleases = true
  })

  test('refuses unsigned releases', async () => {
    for (const caller of [noura, admin])
      await expect(upload(caller, { appid, version: '1', archive })).rejects.toEqual(soukError('release_unsigned'))
  })

  test('accepts a key only after an administrator has approved it', async () => {
    const key = newKey()
    const keyId = keyIdOf(key)
    await expect(upload(noura, signed(key))).rejects.toThrow(`souk signing-keys approve ${keyId}`)
    await expect(upload(noura, signed(key))).rejects.toEqual(soukError('signing_key_pending'))
    expect(await listReleases(context, admin, { appid })).toEqual([])
    expect(await approveSigningKey(context, await newAccount('Admin', true), { keyId })).toMatchObject({
      owner: 'Noura',
      state: 'approved',
    })
    const { releaseId } = await upload(noura, signed(key))
    await publishRelease(context, noura, { appid, releaseId })
    expect(await audited(keyId)).toEqual(['signingKey.register', 'signingKey.approve'])
  })

  test('does not publish releases that are unsigned or whose key was revoked', async () => {
    const key = newKey()
    context.rules.requireSignedReleases = false
    const unsigned = await upload(noura, { appid, version: '1', archive })
    const stolen = await upload(noura, signed(key, { version: '2' }))
    context.rules.requireSignedReleases = true
    await approveSigningKey(context, admin, { keyId: keyIdOf(key) })
    await revokeSigningKey(context, admin, { keyId: keyIdOf(key) })
    for (const { releaseId } of [unsigned, stolen])
      await expect(publishRelease(context, noura, { appid, releaseId })).rejects.toEqual(soukError('release_unsigned'))
  })
})

describe('signing keys', () => {
  test('are listed for their account, and all of them for administrators', async () => {
    const key = newKey()
    await registerSigningKey(context, noura, { publicKey: publicKeyOf(key) })
    expect((await listSigningKeys(context, omar)).items).toEqual([])
    for (const caller of [admin, await newAccount('Admin', true)])
      expect((await listSigningKeys(context, caller)).items).toContainEqual(
        expect.objectContaining({ keyId: keyIdOf(key) }),
      )
  })

  test('can be registered again by their account only, until revoked', async () => {
    const publicKey = publicKeyOf(newKey())
    const first = await registerSigningKey(context, noura, { publicKey })
    expect(await registerSigningKey(context, noura, { publicKey })).toEqual(first)
    await expect(registerSigningKey(context, omar, { publicKey })).rejects.toEqual(soukError('signing_key_foreign'))
    await revokeSigningKey(context, noura, first)
    await expect(registerSigningKey(context, noura, { publicKey })).rejects.toEqual(soukError('signing_key_revoked'))
    await expect(approveSigningKey(context, admin, first)).rejects.toEqual(soukError('signing_key_revoked'))
  })

  test('of another account cannot be revoked, nor told from unknown ones', async () => {
    const { keyId } = await registerSigningKey(context, noura, { publicKey: publicKeyOf(newKey()) })
    for (const id of [keyId, 'f'.repeat(32)])
      await expect(revokeSigningKey(context, omar, { keyId: id })).rejects.toEqual(soukError('signing_key_not_found'))
    await expect(approveSigningKey(context, admin, { keyId: 'f'.repeat(32) })).rejects.toEqual(
      soukError('signing_key_not_found'),
    )
    expect((await revokeSigningKey(context, noura, { keyId })).state).toBe('revoked')
    expect(await audited(keyId)).toEqual(['signingKey.register', 'signingKey.revoke'])
  })

  test('of an account are limited, even with concurrent registrations; revoked ones do not count', async () => {
    const register = () => registerSigningKey(context, noura, { publicKey: publicKeyOf(newKey()) })
    const ends = await Promise.allSettled(Array.from({ length: maxSigningKeys + 2 }, register))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxSigningKeys)
    await expect(register()).rejects.toEqual(soukError('signing_key_limit_reached'))
    const {
      items: [one],
    } = await listSigningKeys(context, noura)
    await revokeSigningKey(context, noura, one!)
    await register()
  })
})
