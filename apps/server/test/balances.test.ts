import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkBackup, makeBackup, moveInstallation, restoreBackup } from '../src/domain/installation/index.ts'
import { addUpLedger, ledgerBalances } from '../src/domain/money/index.ts'
import { masterKeyId } from '../src/kernel/vault.ts'
import { identityContext } from './context.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { admin, createTradeFixture } from './tradeFixture.ts'

const passphrase = 'correct horse battery staple'
const masterKey = randomBytes(32)
const progress = () => {}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-balances-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** How an installation gets into another database. */
const copies: Record<string, (source: FreshDatabase, target: FreshDatabase) => Promise<unknown>> = {
  async 'restore of a backup'(source, target) {
    const path = join(folder, `${randomBytes(6).toString('hex')}.age`)
    await makeBackup({ url: source.url, path, passphrase, workFactor: 10, masterKeys: [masterKey], progress })
    await restoreBackup({ url: target.url, backup: await checkBackup(path, passphrase, progress), progress })
  },
  async move(source, target) {
    await moveInstallation({ from: { url: source.url, name: 'from' }, to: { url: target.url, name: 'to' }, progress })
  },
}

const ways = Object.keys(copies)

/** Starts an installation with a paid trade, and a function that returns what was captured in a copy of it. */
async function install() {
  const source = await freshDatabase()
  await source.sql`insert into installation (environment, key_id) values ('live', ${masterKeyId(masterKey)})`
  const shop = await createTradeFixture(source.sql)
  const pay = async () => shop.pay(await shop.create(), 'succeeded')
  await pay()
  const { projectId, appid } = shop.app.app
  const capturedIn = async ({ sql }: FreshDatabase) =>
    (await ledgerBalances(identityContext(sql), admin, { projectId, appid })).map(({ captured }) => captured)
  return { source, pay, capturedIn }
}

test.each(ways)(
  'after a %s, balances are those from before, whether they were added up or not, and go on',
  async (way) => {
    const { source, pay, capturedIn } = await install()
    const target = await freshDatabase()
    await addUpLedger({ sql: source.sql })
    await pay()
    const numbers = await source.sql`
    select (select count(*)::integer from ledger_balances) as added,
      (select count(*)::integer from ledger_changes) as waiting`
    expect(numbers).toEqual([{ added: 1, waiting: 1 }])
    await copies[way]!(source, target)
    expect(await capturedIn(target)).toEqual([2500])
    await target.sql`
    insert into ledger_entries (reference, movement, debit, credit, amount, currency, appid, trade_no, time)
    select gen_random_uuid(), movement, debit, credit, 100, currency, appid, trade_no, time from ledger_entries limit 1`
    expect(await capturedIn(target)).toEqual([2600])
    await addUpLedger({ sql: target.sql })
    expect(await target.sql`select from ledger_changes`).toEqual([])
    expect(await capturedIn(target)).toEqual([2600])
    await source.drop()
    await target.drop()
  },
)

test.each(ways)(
  'after a %s of a ledger that was not added up, balances are refused until the job has done it',
  async (way) => {
    const { source, pay, capturedIn } = await install()
    const target = await freshDatabase()
    // As if the trigger had been added between the two payments.
    await source.sql`truncate ledger_balances, ledger_changes, ledger_progress`
    await pay()
    await copies[way]!(source, target)
    await expect(capturedIn(target)).rejects.toMatchObject({ code: 'balances_incomplete' })
    await addUpLedger({ sql: target.sql })
    expect(await capturedIn(target)).toEqual([2500])
    await source.drop()
    await target.drop()
  },
)

test('a new installation has its balances without the job', async () => {
  const { source, capturedIn } = await install()
  expect(await capturedIn(source)).toEqual([1250])
  await source.drop()
})
