import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Souk } from '../../../packages/sdk/src/index.ts'
import { findRunningDatabase } from '../src/kernel/db/embedded.ts'
import { runCommand, runSouk } from './commandLine.ts'
import { freshDatabase } from './database.ts'
import { type DebianCluster, debianPostgres, startDebianCluster, withDebianPostgres } from './debianPostgres.ts'
import { type RunningServer, startServer } from './server.ts'
import { openShop, readBooks, type Shop, sell } from './shop.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-move-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Sells and reads until `stop`, with pauses that leave processor time for the move. Counts writes that were refused;
 * anything else that fails fails the test.
 */
function trade(server: RunningServer, shop: Shop) {
  const paid: string[] = []
  let refused = 0
  let readsMeanwhile = 0
  let isStopped = false
  const client = new Souk({ baseUrl: server.url, ...shop })
  const selling = (async () => {
    for (let number = 0; !isStopped; number++) {
      try {
        paid.push(await sell(server, shop, `order-${number}`))
      } catch (error) {
        expect(String(error)).toContain('accepts no changes at the moment')
        refused += 1
      }
      await wait(50)
    }
  })()
  const reading = (async () => {
    while (!isStopped) {
      const [tradeNo] = paid
      if (tradeNo) expect((await client.tradedetail(tradeNo)).transactionStatus).toBe(2)
      expect((await client.userInfo(shop.accessToken)).openId).toBe(shop.openId)
      if (refused > 0) readsMeanwhile += 1
      await wait(50)
    }
  })()
  const ended = Promise.all([selling, reading])
  ended.catch(() => {})
  return {
    paid,
    /** Waits for a condition, or rejects if something failed. */
    async until(condition: () => boolean): Promise<void> {
      const failed = ended.then(() => {})
      while (!condition()) await Promise.race([failed, wait(20)])
    },
    counts: () => ({ refused, readsMeanwhile }),
    stop: async () => {
      isStopped = true
      await ended
    },
  }
}

describe.skipIf(!debianPostgres)(withDebianPostgres('souk move'), () => {
  let cluster: DebianCluster
  beforeAll(async () => {
    cluster = await startDebianCluster()
  })
  afterAll(() => cluster?.stop())

  test('under load, nothing acknowledged is lost and reads continue; the data moves back and forth', async () => {
    const dataDir = join(folder, 'data')
    const url = await cluster.createDatabase('souk')
    const name = `${new URL(url).host}/souk`
    const [embedded, external] = [{ SOUK_DATA_DIR: dataDir }, { SOUK_DATA_DIR: dataDir, DATABASE_URL: url }]
    const start = (env: Record<string, string>) => startServer({ env, dataDir })
    const old = await start(embedded)
    let shop: Shop
    let paid: string[]
    try {
      shop = await openShop(old)
      const trading = trade(old, shop)
      await trading.until(() => trading.paid.length > 3)
      const moved = await runSouk(['move', '--to', url, '--json'], { folder, env: embedded })
      expect(moved.status, moved.err).toBe(0)
      expect(moved.err).toContain('Servers refuse writes from now on, and serve reads.')
      expect(JSON.parse(moved.out)).toMatchObject({ to: name, audit: { broken: 0 }, readOnly: expect.any(Number) })
      const { readsMeanwhile } = trading.counts()
      await trading.until(() => trading.counts().readsMeanwhile > readsMeanwhile)
      await trading.stop()
      paid = trading.paid
      expect(trading.counts()).toMatchObject({ refused: expect.any(Number) })
      expect(trading.counts().refused).toBeGreaterThan(0)

      // Every surface refuses writes, says when to try again, and serves reads.
      const headers = { Authorization: `Bearer ${old.adminToken}`, 'Content-Type': 'application/json' }
      const write = await fetch(`${old.url}/console/v1/sandbox/users`, {
        method: 'POST',
        headers,
        body: '{"nickname":"Omar"}',
      })
      expect(write.status).toBe(503)
      expect(write.headers.get('Retry-After')).toBe('10')
      expect(await write.json()).toMatchObject({ code: 'read_only' })
      expect((await fetch(`${old.url}/console/v1/apps`, { headers })).status).toBe(200)
      expect((await fetch(`${old.url}/readyz`)).status).toBe(200)
    } finally {
      await old.stop()
    }
    expect(await readFile(join(dataDir, 'postgres/MOVED.txt'), 'utf8')).toContain(`has moved to ${name}`)
    await expect(start(embedded)).rejects.toThrow(`The data of this installation has moved to ${name}.`)
    const environment = { ...embedded, SOUK_BACKUP_PASSPHRASE: 'correct horse battery staple' }
    expect(await runCommand(['backup', 'old.age'], { folder, env: environment })).toMatchObject({
      status: 1,
      err: expect.stringContaining('(installation_moved)'),
    })

    const server = await start(external)
    try {
      const books = await readBooks(url)
      expect(books.trades.map(({ tradeNo }) => tradeNo)).toEqual(expect.arrayContaining(paid))
      for (const each of books.trades) expect(each).toMatchObject({ callbacks: 1, captured: 1250 })
      paid.push(await sell(server, shop, 'elsewhere'))
      const { out } = await runSouk(['audit', 'verify'], { folder, env: { ...external, SOUK_URL: server.url } })
      expect(out).toMatch(/^Verified \d+ rows/)
    } finally {
      await server.stop()
    }

    const back = await runCommand(['move', '--to', 'embedded'], { folder, env: external })
    expect(back.status, back.err).toBe(0)
    expect(back.out).toContain('Restart them without DATABASE_URL.')
    expect((await readdir(dataDir)).filter((each) => each.startsWith('postgres-moved-'))).toHaveLength(1)
    await expect(start(external)).rejects.toThrow('has moved to embedded')
    const again = await start(embedded)
    try {
      const database = (await findRunningDatabase(join(dataDir, 'postgres')))!
      expect((await readBooks(database)).trades.map(({ tradeNo }) => tradeNo)).toEqual(expect.arrayContaining(paid))
      await sell(again, shop, 'at-home')
    } finally {
      await again.stop()
    }

    const undone = await runCommand(['move', '--undo', '--json'], { folder, env: external })
    expect(JSON.parse(undone.out)).toEqual({ movedTo: `embedded ${dataDir}` })
  })
})

test('a move back whose answer is lost is completed by the same command', async () => {
  const source = await freshDatabase()
  await source.sql`insert into installation (environment, key_id) values ('sandbox', 'k')`
  const target = new URL(source.url)
  const proxy = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    client.on('data', (part) => {
      if (!part.includes('set moved_to')) return void database.write(part)
      // It commits although the answer is lost.
      database.end(part)
      client.destroy()
    })
    database.pipe(client)
    client.on('error', () => database.destroy()).on('end', () => database.end())
    database.on('error', () => client.destroy())
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const cut = new URL(source.url)
  cut.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const dataDir = join(folder, 'back')
  const move = (url: string) =>
    runCommand(['move', '--to', 'embedded'], { folder, env: { SOUK_DATA_DIR: dataDir, DATABASE_URL: url } })
  expect(await move(cut.href)).toMatchObject({ status: 1, err: expect.stringContaining('Run the command again') })
  proxy.close()
  expect(await move(source.url)).toMatchObject({ status: 0, err: '' })
  expect(existsSync(join(dataDir, 'postgres'))).toBe(true)
  await source.drop()
})

test('wrong input and settings have their errors and exit statuses, and nothing is created', async () => {
  const env = { SOUK_DATA_DIR: join(folder, 'none') }
  const failures: [string[], Record<string, string>, number, string][] = [
    [['move'], env, 2, 'move --to <DATABASE_URL> | --undo'],
    [['move', '--to', 'mysql://db/souk'], env, 2, '--to must be a URL such as postgres://'],
    [['move', '--to', 'postgres://db'], env, 2, '--to must be a URL such as postgres://'],
    [['move', '--to', 'embedded'], env, 2, 'uses the embedded database already'],
    [['move', '--to', 'postgres://u:secret@db/souk'], env, 2, 'has no database'],
    [['move', '--undo'], env, 2, 'has no database'],
  ]
  for (const [args, variables, status, message] of failures) {
    const result = await runCommand(args, { folder, env: variables })
    expect(result, args.join(' ')).toMatchObject({ status, out: '', err: expect.stringContaining(message) })
    expect(result.err).not.toContain('secret')
  }
  expect(existsSync(env.SOUK_DATA_DIR)).toBe(false)
})
