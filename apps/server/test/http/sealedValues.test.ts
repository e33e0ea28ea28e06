import { randomBytes } from 'node:crypto'
import { paytabsSecrets, paytabsSettings } from '@souk/fake-providers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SealedColumn } from '../../src/kernel/sealedColumns.ts'
import { sealedColumns } from '../../src/kernel/sealedColumns.ts'
import { addTotp } from '../factors.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
  await souk.setUp()
  souk.clock.stop()
})
afterAll(() => souk.stop())

interface SealedValue {
  keyId: string
  ciphertext: Buffer
}

/** What a sealed value can become if someone writes to the database, a disk fails, or a key is lost. */
const damages: Record<string, (value: SealedValue, other: SealedValue) => SealedValue> = {
  'a changed nonce': (value) => flip(value, 0),
  'a changed tag': (value) => flip(value, 12),
  'a changed ciphertext': (value) => flip(value, -1),
  'a tag that is cut': ({ ciphertext, ...value }) => ({ ...value, ciphertext: ciphertext.subarray(0, 16) }),
  'no ciphertext': (value) => ({ ...value, ciphertext: Buffer.alloc(0) }),
  'random bytes': (value) => ({ ...value, ciphertext: randomBytes(60) }),
  'the value of another row': (_, other) => other,
  'a key that is lost': (value) => ({ ...value, keyId: 'ffffffffffff' }),
}

function flip({ ciphertext, ...value }: SealedValue, at: number): SealedValue {
  const changed = Buffer.from(ciphertext)
  changed[at < 0 ? changed.length + at : at]! ^= 1
  return { ...value, ciphertext: changed }
}

/** Replaces the sealed value of a row by each of `damages` in turn, and restores it. */
async function eachDamage(
  name: keyof typeof sealedColumns,
  [id, otherId]: [string, string],
  check: (damage: string) => Promise<void>,
): Promise<void> {
  const { sql } = souk.context
  const { table, key }: SealedColumn = sealedColumns[name]
  const column = sql(Object.keys(key)[0]!)
  const find = async (row: string) =>
    (await sql<SealedValue[]>`select key_id, ciphertext from ${sql(table)} where ${column}::text = ${row}`)[0]!
  const write = async ({ keyId, ciphertext }: SealedValue) => {
    await sql`update ${sql(table)} set key_id = ${keyId}, ciphertext = ${ciphertext} where ${column}::text = ${id}`
    await sql`select pg_notify('souk_app', ${id})`
  }
  const [value, other] = [await find(id), await find(otherId)]
  for (const [title, damage] of Object.entries(damages)) {
    await write(damage(value, other))
    await check(`${name}: ${title}`)
  }
  await write(value)
}

const dashed = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const detail = '/neuopenapi/pay/transactions/tradedetail'

test('an app whose secret cannot be read is refused without the secret, and others are not concerned', async () => {
  const create = async (name: string) =>
    (await souk.console('POST', '/console/v1/apps', { name })).body as { appid: string; secret: string }
  const [app, other] = [await create('Damaged'), await create('Whole')]
  const ask = (from: typeof app) => souk.signed(from, 'GET', detail, { tradeNo: '1'.repeat(32) })
  await eachDamage('app secret', [app.appid, other.appid], async (damage) => {
    // Even signed with the secret that another row had.
    for (const secret of [app.secret, other.secret]) {
      const answer = await ask({ ...app, secret })
      expect(answer.status, damage).toBeGreaterThanOrEqual(400)
      expect(answer.code, damage).not.toBe('trade_not_found')
      expect(JSON.stringify(answer), damage).not.toMatch(
        new RegExp(`${app.secret}|${other.secret}|ciphertext|app_secrets`),
      )
    }
    expect((await ask(other)).code, damage).toBe('trade_not_found')
  })
  await expect.poll(async () => (await ask(app)).code).toBe('trade_not_found')
})

test('a second factor whose secret cannot be read is neither skipped nor fulfilled by a code', async () => {
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Factors' })).body
  const [user, other] = [await souk.join(projectId, 'editor'), await souk.join(projectId, 'editor')]
  const { newCode, recoveryCodes } = await addTotp(souk, user)
  const theirs = await addTotp(souk, other)
  const codes = [newCode(), theirs.newCode()]
  await eachDamage('totp secret', [dashed(user.accountId), dashed(other.accountId)], async (damage) => {
    const again = await souk.signIn(user)
    for (const code of codes) {
      const answer = await again.call('POST', '/console/v1/session/confirm', { code })
      expect(answer.status, damage).toBeGreaterThanOrEqual(400)
      expect(JSON.stringify(answer.body), damage).not.toContain('account_totp')
    }
    expect((await again.call('GET', '/console/v1/session')).body, damage).toMatchObject({ pending: 'secondFactor' })
    expect((await again.call('GET', '/console/v1/projects')).status, damage).not.toBe(200)
    await souk.context.sql`delete from sign_in_failures`
  })
  const again = await souk.signIn(user)
  const { body } = await again.call('POST', '/console/v1/session/confirm', { recoveryCode: recoveryCodes![0] })
  expect(body).toMatchObject({ pending: null })
})

test('a provider account whose secrets cannot be read accepts no webhook', async () => {
  const { appid } = (await souk.console('POST', '/console/v1/apps', { name: 'Paid' })).body
  const create = async (serverKey: string) => {
    const input = { appid, name: serverKey, provider: 'paytabs', settings: paytabsSettings }
    const { body } = await souk.console('POST', '/console/v1/provider-accounts', { ...input, secrets: { serverKey } })
    return body.providerAccountId as string
  }
  const [account, other] = [await create(paytabsSecrets.serverKey), await create('another key')]
  await eachDamage('provider account', [dashed(account), dashed(other)], async (damage) => {
    const answer = await souk.raw('POST', `/webhooks/${account}`, { signature: '0'.repeat(64) }, { cart_id: 'x' })
    expect(answer.status, damage).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.body), damage).not.toMatch(/provider_accounts|server-key|ciphertext/)
  })
})
