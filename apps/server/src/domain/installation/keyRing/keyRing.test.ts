import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hour, minute, SoukError, second } from '@souk/contract'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { checkInstallation } from '../../../installation.ts'
import { formatKeyRing, readKeyRing } from '../../../kernel/keyRing.ts'
import { masterKeyId, Vault } from '../../../kernel/vault.ts'
import type { AdminCaller } from '../../caller.ts'
import { AppDirectory, createApp, rotateSecret } from '../../miniApps/index.ts'
import { authenticateToken, issueAccessToken } from '../../users/oauth/accessToken.ts'
import {
  advanceKeyRotation,
  createKeyRingFollower,
  findLosses,
  getKeyRing,
  recoverKeys,
  resealValues,
  retireKey,
  rotateKeys,
} from './index.ts'
import { countSealedValues } from './store.ts'

const admin: AdminCaller = { kind: 'admin' }
const firstKey = Buffer.alloc(32, 1)
const [first, next, unrelated] = [firstKey, Buffer.alloc(32, 2), Buffer.alloc(32, 3)].map(masterKeyId) as [
  string,
  string,
  string,
]

let database: FreshDatabase
let folder: string
let context: Process

beforeEach(async () => {
  database = await freshDatabase()
  folder = mkdtempSync(join(tmpdir(), 'souk-rotation-'))
  onTestFinished(async () => {
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  context = await startProcess('a')
})

type Process = Awaited<ReturnType<typeof startProcess>>

/** Starts to follow the key ring as a server process does, with its own ring file, or with a fixed ring. */
async function startProcess(name: string, environment?: Buffer[]) {
  const ringFile = join(folder, name)
  writeFileSync(ringFile, formatKeyRing([firstKey]))
  const base = identityContext(database.sql)
  const vault = new Vault(() => environment ?? readKeyRing(ringFile))
  const process = {
    ...base,
    vault,
    keyRingFile: environment ? undefined : ringFile,
    accessTokenLifetime: hour / second,
    stopping: new AbortController().signal,
  }
  await checkInstallation(database.sql, { environment: 'sandbox' }, vault)
  const follower = createKeyRingFollower(process)
  await follower.follow()
  return Object.assign(process, { ringFile, follower, apps: new AppDirectory(process) })
}

/** Runs a job that a rotation has enqueued, as a worker does. */
async function runJobs(): Promise<void> {
  const jobs = await database.sql<{ id: number }[]>`
    select id from graphile_worker.jobs where task_identifier = 'resealValues'`
  for (const { id } of jobs) {
    await resealValues(context)
    await database.sql`select graphile_worker.complete_jobs(array[${id}]::bigint[])`
  }
}

/** Takes all steps of a rotation that are due. */
async function advance(...processes: Process[]): Promise<void> {
  await switchKey(...processes)
  for (const process of [context, ...processes]) await process.follower.follow()
  await runJobs()
  await advanceKeyRotation(context)
  await context.follower.follow()
}

/** Makes an added key current, if all processes that are alive have it. */
async function switchKey(...processes: Process[]): Promise<void> {
  for (const process of [context, ...processes]) await process.follower.follow()
  await advanceKeyRotation(context)
}

const statesOf = async () =>
  Object.fromEntries((await getKeyRing(context)).keys.map(({ keyId, state }) => [keyId, state]))

function soukError(code: string, detail?: string) {
  return expect.objectContaining({
    name: SoukError.name,
    code,
    ...(detail === undefined ? {} : { message: expect.stringContaining(detail) }),
  })
}

describe('a rotation', () => {
  test('adds a key, seals all values with it, and retires the old key when its tokens have expired', async () => {
    const apps = await Promise.all(['One', 'Two'].map((name) => createApp(context, admin, { name })))
    const claims = { openId: 'o', appid: apps[0]!.appid, scopes: ['user.info'], tokenId: 't' }
    const token = issueAccessToken(context, claims, context.clock.now())

    const { phase, keys } = await rotateKeys(context, admin)
    const added = keys[1]!.keyId
    expect(phase).toBe('distributing')
    expect(await statesOf()).toEqual({ [first]: 'current', [added]: 'added' })

    await advance()
    expect(await statesOf()).toEqual({ [first]: 'old', [added]: 'current' })
    expect(await getKeyRing(context)).toMatchObject({ phase: 'retiring', values: 2, resealed: 2 })
    expect(await countSealedValues(database.sql)).toEqual(new Map([[added, 2]]))
    for (const { appid, secret } of apps) {
      context.apps.forget(appid)
      expect((await context.apps.find(appid))?.secrets[0]?.secret).toBe(secret)
    }
    expect(await authenticateToken(context, token)).toMatchObject({ token: claims })
    expect(context.vault.keyId).toBe(added)

    context.clock.time += hour - second
    await advance()
    expect((await statesOf())[first]).toBe('old')
    context.clock.time += second
    await advance()
    expect(await statesOf()).toEqual({ [first]: 'retired', [added]: 'current' })
    expect((await getKeyRing(context)).phase).toBe('idle')
    expect(readKeyRing(context.ringFile).map(masterKeyId)).toEqual([added])
    expect(context.vault.keyIds).toEqual([added])

    const actions = await database.sql`select action, actor from audit_log where action like 'keyRing.%'`
    expect([...actions]).toEqual([
      { action: 'keyRing.rotate', actor: 'admin' },
      { action: 'keyRing.retire', actor: 'system' },
    ])
  })

  test('waits for every process that is alive, and names the one that does not have the new key', async () => {
    const other = await startProcess('b')
    const { keys } = await rotateKeys(context, admin)
    const added = keys[1]!.keyId
    await advance(other)
    expect((await statesOf())[added]).toBe('added')
    const { processes } = await getKeyRing(context)
    expect(processes.map(({ keyIds, ready }) => ({ keyIds, ready }))).toEqual(
      expect.arrayContaining([
        { keyIds: [first, added], ready: true },
        { keyIds: [first], ready: false },
      ]),
    )

    writeFileSync(other.ringFile, readFileSync(context.ringFile))
    await other.follower.follow()
    await advance(other)
    expect(await statesOf()).toEqual({ [first]: 'old', [added]: 'current' })
    expect(other.vault.keyId).toBe(added)
  })

  test('does not wait for a process that has ended or is silent', async () => {
    const [stopped, killed] = [await startProcess('b'), await startProcess('c')]
    await rotateKeys(context, admin)
    await stopped.follower.leave()
    await advance()
    expect((await statesOf())[first]).toBe('current')
    await database.sql`
      update key_ring_processes set seen_at = now() - interval '61 seconds' where ${next} <> all(key_ids)
        and cardinality(key_ids) = 1`
    await advance()
    expect((await statesOf())[first]).toBe('old')
    expect(killed.vault.keyIds).toEqual([first])
  })

  test('reads values of a key that another process has added before its next refresh', async () => {
    const late = await startProcess('b')
    await late.follower.leave()
    await rotateKeys(context, admin)
    await advance()
    const { appid, secret } = await createApp(context, admin, { name: 'New' })
    writeFileSync(late.ringFile, readFileSync(context.ringFile))
    expect(late.vault.keyIds).toEqual([first])
    expect((await late.apps.find(appid))?.secrets[0]?.secret).toBe(secret)
  })

  test('is not started while another is in progress, even if two begin at once', async () => {
    const [one, two] = await Promise.allSettled([rotateKeys(context, admin), rotateKeys(context, admin)])
    expect([one.status, two.status].sort()).toEqual(['fulfilled', 'rejected'])
    await expect(rotateKeys(context, admin)).rejects.toEqual(soukError('key_rotation_running', 'waits until'))
    expect(readKeyRing(context.ringFile)).toHaveLength(2)

    await createApp(context, admin, { name: 'One' })
    await switchKey()
    await expect(rotateKeys(context, admin)).rejects.toEqual(soukError('key_rotation_running', '1 values are still'))
    await advance()
    expect((await rotateKeys(context, admin)).keys).toHaveLength(3)
  })

  test('takes the key that an interrupted start of a rotation left in the file', async () => {
    writeFileSync(context.ringFile, formatKeyRing([firstKey, Buffer.alloc(32, 2)]))
    const { keys } = await rotateKeys(context, admin)
    expect(keys.map(({ keyId }) => keyId)).toEqual([first, next])
    expect(readKeyRing(context.ringFile)).toHaveLength(2)
  })

  test('seals more values than a batch has, while others are written, and continues after an interruption', async () => {
    const { appid } = await createApp(context, admin, { name: 'Many' })
    for (let i = 0; i < 250; i++) {
      const secretId = `0190${i.toString(16).padStart(28, '0')}`
      const { keyId, ciphertext } = context.vault.seal(`secret ${i}`, `app secret ${appid} ${secretId}`)
      await database.sql`
        insert into app_secrets (appid, secret_id, key_id, ciphertext, ctime)
        values (${appid}, ${secretId}, ${keyId}, ${ciphertext}, 0)`
    }
    await rotateKeys(context, admin)
    await switchKey()
    const stopping = new AbortController()
    const interrupted = { ...context, stopping: stopping.signal, sql: abortAfterBatch(stopping) }
    await resealValues(interrupted)
    const between = await getKeyRing(context)
    expect(between).toMatchObject({ phase: 'resealing', values: 251, resealed: 100 })

    await Promise.all([resealValues(context), resealValues(context), rotateSecret(context, admin, { appid })])
    await resealValues(context)
    expect(await getKeyRing(context)).toMatchObject({ phase: 'retiring', values: 252, resealed: 252 })
    const { secrets } = (await context.apps.find(appid))!
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(252)
  })

  /** Returns a pool that aborts the signal after the first transaction that returns something. */
  function abortAfterBatch(stopping: AbortController): typeof database.sql {
    return new Proxy(database.sql, {
      get(target, name, receiver) {
        if (name !== 'begin') return Reflect.get(target, name, receiver)
        return async (work: Parameters<typeof target.begin>[0]) => {
          const result = await target.begin(work)
          if (result) stopping.abort()
          return result
        }
      },
    })
  }
})

describe('a value that cannot be decrypted', () => {
  test('is reported by table and row, does not stop the others, and keeps the old key', async () => {
    const [damaged, foreign, sound] = await Promise.all(
      ['Damaged', 'Foreign', 'Sound'].map((name) => createApp(context, admin, { name })),
    )
    await database.sql`
      update app_secrets set ciphertext = set_byte(ciphertext, 30, get_byte(ciphertext, 30) # 1)
      where appid = ${damaged!.appid}`
    await database.sql`update app_secrets set key_id = ${unrelated} where appid = ${foreign!.appid}`
    await rotateKeys(context, admin)
    await advance()
    context.clock.time += 2 * hour
    await advance()

    const status = await getKeyRing(context)
    expect(status).toMatchObject({ phase: 'resealing', values: 3, resealed: 1, missing: [unrelated] })
    expect(await statesOf()).toMatchObject({ [first]: 'old' })
    expect(status.unreadable).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          row: expect.stringMatching(`^app_secrets \\(appid ${damaged!.appid}, secret_id [0-9a-f]{32}\\)$`),
          keyId: first,
          reason: 'damaged',
        }),
        expect.objectContaining({
          row: expect.stringContaining(foreign!.appid),
          keyId: unrelated,
          reason: 'missingKey',
        }),
      ]),
    )
    context.apps.forget(sound!.appid)
    expect((await context.apps.find(sound!.appid))?.secrets[0]?.secret).toBe(sound!.secret)
    context.apps.forget(damaged!.appid)
    await expect(context.apps.find(damaged!.appid)).rejects.toThrow(`app_secrets (appid ${damaged!.appid}`)
    await expect(retireKey(context, admin, { keyId: first })).rejects.toEqual(
      soukError('key_in_use', '1 values are still sealed with it'),
    )
  })

  test('is tried again later, and no longer reported once it is replaced or deleted', async () => {
    const { appid } = await createApp(context, admin, { name: 'Damaged' })
    await database.sql`update app_secrets set ciphertext = '\\x00'`
    await rotateKeys(context, admin)
    await advance()
    expect((await getKeyRing(context)).unreadable).toHaveLength(1)
    const isQueued = async () => {
      await advanceKeyRotation(context)
      return (await database.sql`select from graphile_worker.jobs where task_identifier = 'resealValues'`).length > 0
    }
    expect(await isQueued()).toBe(false)
    context.clock.time += 11 * minute
    expect(await isQueued()).toBe(true)
    await runJobs()
    expect(await isQueued()).toBe(false)
    await database.sql`delete from app_secrets where appid = ${appid}`
    context.clock.time += second
    expect(await isQueued()).toBe(true)
    await runJobs()
    expect(await getKeyRing(context)).toMatchObject({ phase: 'retiring', unreadable: [], values: 0 })
  })

  test('does not prevent the next rotation', async () => {
    await createApp(context, admin, { name: 'Damaged' })
    await database.sql`update app_secrets set ciphertext = '\\x00'`
    await rotateKeys(context, admin)
    await advance()
    expect((await rotateKeys(context, admin)).phase).toBe('distributing')
  })
})

describe('retiring a key immediately', () => {
  test('ends its access tokens, and deletes it from every file', async () => {
    const other = await startProcess('b')
    const claims = { openId: 'o', appid: 'a', scopes: ['user.info'], tokenId: 't' }
    const token = issueAccessToken(context, claims, context.clock.now())
    await rotateKeys(context, admin)
    writeFileSync(other.ringFile, readFileSync(context.ringFile))
    await switchKey(other)
    await expect(retireKey(context, admin, { keyId: first })).rejects.toEqual(
      soukError('key_in_use', 'Processes do not use the current key yet'),
    )
    await advance(other)
    await expect(retireKey(context, admin, { keyId: first })).rejects.toEqual(soukError('key_in_use', 'a minute'))
    context.clock.time += minute
    await retireKey(context, admin, { keyId: first })
    for (const process of [context, other]) {
      await process.follower.follow()
      expect(readKeyRing(process.ringFile).map(masterKeyId)).toEqual([context.vault.keyId])
      await expect(authenticateToken(process, token)).rejects.toEqual(soukError('access_token_invalid'))
    }
  })

  test('refuses the current, a retired and an unknown key, and abandons one that is not in use yet', async () => {
    const { keys } = await rotateKeys(context, admin)
    const added = keys[1]!.keyId
    await expect(retireKey(context, admin, { keyId: first })).rejects.toEqual(soukError('key_in_use', 'current key'))
    await expect(retireKey(context, admin, { keyId: unrelated })).rejects.toEqual(soukError('key_not_found'))
    expect((await retireKey(context, admin, { keyId: added })).phase).toBe('idle')
    await context.follower.follow()
    expect(readKeyRing(context.ringFile)).toEqual([firstKey])
    await expect(retireKey(context, admin, { keyId: added })).rejects.toEqual(soukError('key_not_found'))
    await advance()
    expect(await statesOf()).toEqual({ [first]: 'current', [added]: 'retired' })
  })
})

describe('a ring from the environment', () => {
  test('explains the two steps, and rotates once every process has another key', async () => {
    const ring = [firstKey]
    context = await startProcess('environment', ring)
    await database.sql`delete from key_ring_processes`
    await context.follower.follow()
    await createApp(context, admin, { name: 'One' })
    const refusal = await rotateKeys(context, admin).catch((error: unknown) => error)
    expect(refusal).toEqual(soukError('key_ring_fixed', '1. Add a new key'))
    expect(String((refusal as Error).message)).toContain('2. Rotate again.')

    const other = await startProcess('other environment', [firstKey])
    ring.push(Buffer.alloc(32, 2))
    const { source } = await rotateKeys(context, admin)
    expect(source).toBe('environment')
    await advance(other)
    expect((await statesOf())[next]).toBe('added')
    await other.follower.leave()
    const restarted = await startProcess('other environment', ring)
    await advance(restarted)
    expect(await statesOf()).toEqual({ [first]: 'old', [next]: 'current' })

    // A retired key is refused although the environment still has it.
    context.clock.time += 2 * hour
    await advance(restarted)
    expect(await statesOf()).toEqual({ [first]: 'retired', [next]: 'current' })
    expect(() => context.vault.tokenKey(first)).toThrow(first)
    expect(context.vault.keyIds).toEqual([first, next])
    await expect(rotateKeys(context, admin)).rejects.toEqual(soukError('key_ring_fixed'))
  })

  test('a process without a key that is in use does not start', async () => {
    await rotateKeys(context, admin)
    await advance()
    const start = (ring: Buffer[]) => startProcess('b', ring)
    await expect(start([firstKey])).rejects.toThrow(`encrypted with the master key ${context.vault.keyId}`)
    const [, added] = readKeyRing(context.ringFile)
    await expect(start([added!])).rejects.toThrow(`encrypted with the master key ${first}, but the key ring has`)
  })
})

test('a process with a damaged ring file keeps its keys and is still waited for', async () => {
  const lines: unknown[] = []
  const other = await startProcess('b')
  other.log.error = (...line: unknown[]) => void lines.push(line)
  writeFileSync(other.ringFile, 'damaged')
  await other.follower.follow()
  expect(JSON.stringify(lines)).toContain('is damaged: it must contain master keys')
  expect(other.vault.seal('x', 'provider account 0').keyId).toBe(first)
  expect((await getKeyRing(context)).processes).toHaveLength(2)
})

describe('a recovery from lost master keys', () => {
  /** The rest of the ring after the loss: a new key only. */
  const recovering = () => ({ ...context, vault: new Vault(() => [Buffer.alloc(32, 2)]) })

  test('is refused while nothing is lost, or a running process has the key', async () => {
    await expect(findLosses(database.sql, [first])).rejects.toEqual(soukError('recover_not_needed'))
    await expect(recoverKeys(recovering())).rejects.toEqual(
      soukError('recover_key_present', 'Copy the file master-key'),
    )
  })

  test('issues new secrets, and removes or disables what only its owner can enter again', async () => {
    const { sql } = database
    const { appid } = await createApp(context, admin, { name: 'Tea' })
    await rotateSecret(context, admin, { appid })
    const seal = (column: Parameters<Vault['seal']>[1]) => context.vault.seal('secret', column)
    const id = '0'.repeat(32)
    const account = seal(`provider account ${id}`)
    await sql`
      insert into provider_accounts
        (provider_account_id, name, provider, settings, key_id, ciphertext, ctime, mtime)
      values (${id}, 'Cards', 'stripe', '{}', ${account.keyId}, ${account.ciphertext}, 0, 0)`
    const provider = seal(`sign-on provider ${id}`)
    await sql`
      insert into sign_on_providers
        (provider_id, name, issuer, client_id, key_id, ciphertext, scopes, groups_claim, roles, ctime)
      values (${id}, 'Company', 'https://id.example', 'souk', ${provider.keyId}, ${provider.ciphertext}, '{}', 'groups',
        '[]', 0)`
    const mail = seal(`mail ${id}`)
    await sql`
      insert into mails (mail_id, kind, recipient, language, state, key_id, ciphertext, valid_until, ctime, mtime)
      values (${id}, 'invitation', 'layla@mail.example', 'en', 'waiting', ${mail.keyId}, ${mail.ciphertext}, 1, 0, 0)`
    await sql`delete from key_ring_processes`

    const after = recovering()
    const losses = await findLosses(sql, after.vault.keyIds)
    expect(losses).toMatchObject({
      keyIds: [first],
      apps: [{ appid, name: 'Tea' }],
      providerAccounts: [{ name: 'Cards', provider: 'stripe' }],
      signOnProviders: [{ issuer: 'https://id.example' }],
      mails: 1,
    })
    const recovery = await recoverKeys(after)
    expect(recovery).toMatchObject({ ...losses, keyId: next, secrets: [{ appid, secret: expect.any(String) }] })
    expect(await statesOf()).toEqual({ [first]: 'retired', [next]: 'current' })
    const apps = new AppDirectory(after)
    expect((await apps.find(appid))?.secrets).toMatchObject([{ secret: recovery.secrets[0]!.secret }])
    expect(await sql`select enabled from provider_accounts`).toMatchObject([{ enabled: false }])
    expect(await sql`select from sign_on_providers`).toHaveLength(0)
    expect(await sql`select state, error from mails`).toMatchObject([{ state: 'failed' }])
    expect(await sql`select subject from audit_log where action = 'keyRing.recover'`).toMatchObject([{ subject: next }])
    await checkInstallation(sql, { environment: 'sandbox' }, after.vault)
    await expect(recoverKeys(after)).rejects.toEqual(soukError('recover_not_needed'))
  })
})
