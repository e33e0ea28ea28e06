import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Souk } from '../../../packages/sdk/src/index.ts'
import { findRunningDatabase } from '../src/kernel/db/embedded.ts'
import { programOf } from './bundledPrograms.ts'
import { inherited, runCommand, runSouk } from './commandLine.ts'
import { emptyDatabase } from './database.ts'
import { type DebianCluster, debianPostgres, startDebianCluster, withDebianPostgres } from './debianPostgres.ts'
import { type RunningServer, startServer } from './server.ts'
import { openShop, readBooks, type Shop, sell, sellContinuously } from './shop.ts'

const passphrase = 'correct horse battery staple'
let folder: string
const environment = { SOUK_BACKUP_PASSPHRASE: passphrase }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-backups-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const souk = (args: string[], env: Record<string, string>) => runSouk(args, { folder, env: { ...environment, ...env } })
const command = (args: string[], env: Record<string, string>, before = '') =>
  runCommand(args, { folder, env: { ...environment, ...env }, before })

const hasScript = spawnSync('script', ['--version']).error === undefined

/** Runs a command on a pseudo terminal and types an answer at each prompt. Returns what the terminal has shown. */
async function typeOnTerminal(answers: string[], args: string[], env: Record<string, string>) {
  const { file, env: cache } = programOf('apps/server/src/commands.ts')
  const program = [process.execPath, '--conditions=souk-source', file, ...args]
  const child = spawn('script', ['--quiet', '--return', '--command', program.join(' '), '/dev/null'], {
    cwd: folder,
    env: { ...inherited, ...cache, ...env },
  })
  let screen = ''
  let answered = 0
  child.stdout.on('data', (part: Buffer) => {
    screen += part
    const prompts = screen.match(/(Passphrase of the backup|The same again): /g)?.length ?? 0
    while (answered < Math.min(prompts, answers.length)) child.stdin.write(`${answers[answered++]}\r`)
  })
  const [status] = await once(child, 'exit')
  return { status, screen }
}

/** Listens in front of a database, and cuts the connection of a restore after it has sent its commit. */
async function cutCommit(url: string) {
  const target = new URL(url)
  const server = createServer((client) => {
    const database = connectTo(Number(target.port), target.hostname)
    let isRestore = false
    client.on('data', (part) => {
      isRestore ||= part.includes('souk restore')
      if (!isRestore || !part.includes('commit\0')) return void database.write(part)
      // It commits although the answer is lost.
      database.end(part)
      client.destroy()
    })
    database.pipe(client)
    client.on('error', () => database.destroy()).on('end', () => database.end())
    database.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = new URL(url)
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: own.href, stop: () => new Promise((done) => server.close(done)) }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Backs up during traffic, restores into a second installation, and trades there. */
async function continueElsewhere(database: { source?: string; target?: string }): Promise<void> {
  const home = await mkdtemp(join(folder, 'home-'))
  const settings = (name: string, url: string | undefined) => ({
    SOUK_DATA_DIR: join(home, name),
    ...(url ? { DATABASE_URL: url } : {}),
  })
  const [here, there] = [settings('here', database.source), settings('there', database.target)]
  const file = join(home, 'souk.age')
  const server = await startServer({ env: here, dataDir: here.SOUK_DATA_DIR })
  let before: string[]
  let shop: Shop
  try {
    shop = await openShop(server)
    const traffic = [1, 2, 3].map((each) => sellContinuously(server, shop, `early-${each}`))
    await until(() => traffic.every(({ paid }) => paid.length > 2))
    before = traffic.flatMap(({ paid }) => [...paid])
    const made = await souk(['backup', file, '--json'], here)
    const meanwhile = traffic.flatMap(({ paid }) => paid).length - before.length
    await Promise.all(traffic.map(({ stop }) => stop()))
    expect(made.status, made.err).toBe(0)
    expect(meanwhile).toBeGreaterThan(0)
    expect(JSON.parse(made.out)).toMatchObject({ size: (await stat(file)).size, audit: { broken: 0 } })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const headers = { Authorization: `Bearer ${server.adminToken}` }
    const findings = await (await fetch(`${server.url}/console/v1/doctor`, { headers })).json()
    expect(findings).toContainEqual(expect.objectContaining({ check: 'backup', found: 'Age of the last backup: 0 h.' }))
  } finally {
    await server.stop()
  }

  const verified = await souk(['restore', file, '--verify', '--json'], there)
  expect(verified.status, verified.err).toBe(0)
  expect(existsSync(there.SOUK_DATA_DIR)).toBe(false)
  const restored = await souk(['restore', file, '--json'], there)
  expect(restored.status, restored.err).toBe(0)
  expect(JSON.parse(restored.out)).toEqual(JSON.parse(verified.out))

  const second = await startServer({ env: there, dataDir: there.SOUK_DATA_DIR })
  try {
    const url = database.target ?? (await findRunningDatabase(join(there.SOUK_DATA_DIR, 'postgres')))!
    const books = await readBooks(url)
    // Everything that was paid before is there, and everything that is there is complete.
    expect(books.trades.map(({ tradeNo }) => tradeNo)).toEqual(expect.arrayContaining(before))
    for (const trade of books.trades) expect(trade).toMatchObject({ callbacks: 1, captured: 1250 })
    expect(books.owned).toBe(1250 * books.trades.length)

    // The sealed secret of the mini app opens, its access token is valid, and its old order numbers are in use.
    const client = new Souk({ baseUrl: second.url, appid: shop.appid, secret: shop.secret })
    expect((await client.userInfo(shop.accessToken)).openId).toBe(shop.openId)
    expect((await client.tradedetail(before[0]!)).transactionStatus).toBe(2)
    await sell(second, shop, 'late')
    // Payments that were in progress at the backup may have ended since.
    const later = await readBooks(url)
    expect(later.owned).toBe(1250 * later.trades.length)
    expect(later.trades.length).toBeGreaterThan(books.trades.length)

    // Its URL is in the data directory.
    expect((await souk(['audit', 'verify'], there)).out).toMatch(/^Verified \d+ rows/)
    expect(await command(['restore', file], there)).toMatchObject({
      status: 2,
      err: expect.stringContaining('Another Souk server'),
    })
  } finally {
    await second.stop()
  }
}

test('a backup made under load restores to an installation that balances and continues to trade', () =>
  continueElsewhere({}))

describe.skipIf(!debianPostgres)(withDebianPostgres('with an external PostgreSQL'), () => {
  let cluster: DebianCluster
  beforeAll(async () => {
    cluster = await startDebianCluster()
  })
  afterAll(() => cluster?.stop())

  test('a backup made under load restores into a database whose owner is not a superuser', async () => {
    const [source, target] = [await cluster.createDatabase('souk'), await cluster.createDatabase('restored')]
    await continueElsewhere({ source, target })
  })
})

describe('souk backup and souk restore', () => {
  let server: RunningServer
  let env: Record<string, string>
  let file: string

  beforeAll(async () => {
    server = await startServer({ dataDir: join(folder, 'installation') })
    env = { SOUK_DATA_DIR: server.dataDir }
    file = join(folder, 'small.age')
    expect(await command(['backup', file], env)).toMatchObject({ status: 0, out: expect.stringContaining(file) })
  })
  afterAll(() => server?.stop())

  test('a full disk leaves no file', async () => {
    // The signal for a file that grows too large is ignored, so that writing fails as on a full disk.
    const full = await command(['backup', 'full.age'], env, `trap '' XFSZ; ulimit -f 2; `)
    expect(full).toMatchObject({ status: 1, err: expect.stringContaining('(backup_unwritable)') })
    expect((await readdir(folder)).filter((name) => name.startsWith('full'))).toEqual([])
  })

  test('a backup in a folder replaces those that have expired, once it was written and read again', async () => {
    const shelf = join(folder, 'shelf')
    await mkdir(shelf)
    const made = async (...options: string[]) => {
      const { status, out, err } = await command(['backup', shelf, ...options, '--json'], env)
      expect(status, err).toBe(0)
      return JSON.parse(out) as { file: string; size: number; deleted: string[] }
    }
    const first = await made()
    const keyId = /^.+\/souk-\d{8}T\d{6}Z-([0-9a-f]{16})\.age$/.exec(first.file)![1]!
    expect(first).toMatchObject({ size: (await stat(first.file)).size, deleted: [] })
    const expired = join(shelf, `souk-20261101T020000Z-${keyId}.age`)
    const foreign = [join(shelf, 'souk.age'), join(shelf, `souk-20261101T020000Z-${'0'.repeat(16)}.age`)]
    for (const path of [expired, ...foreign]) await writeFile(path, 'not a backup')
    const before = await readdir(shelf)

    const full = await command(['backup', shelf, '--keep-daily', '1'], env, `trap '' XFSZ; ulimit -f 2; `)
    expect(full).toMatchObject({ status: 1, err: expect.stringContaining('(backup_unwritable)') })
    expect(await readdir(shelf)).toEqual(before)

    const { file: second, deleted } = await made('--keep-daily', '1')
    expect(deleted.toSorted()).toEqual([expired, first.file].toSorted())
    expect((await readdir(shelf)).map((name) => join(shelf, name)).toSorted()).toEqual([second, ...foreign].toSorted())
    expect(await command(['restore', second, '--verify'], env)).toMatchObject({ status: 0 })

    expect(await command(['backup', join(folder, 'none'), '--keep-daily', '1'], env)).toMatchObject({
      status: 2,
      err: expect.stringContaining('none is not a folder'),
    })
    expect(await command(['backup', shelf, '--keep-daily', 'all'], env)).toMatchObject({
      status: 2,
      err: expect.stringContaining('usage: backup'),
    })
  })

  test('the newest backup of a folder is restored in a check, whose result the installation shows', async () => {
    const shelf = join(folder, 'checked')
    await mkdir(shelf)
    const check = (...options: string[]) => command(['restore', shelf, '--verify', '--record', ...options], env)
    const findings = async () => {
      const headers = { Authorization: `Bearer ${server.adminToken}` }
      const doctor = await fetch(`${server.url}/console/v1/doctor?check=restoreCheck`, { headers })
      const metrics = await (await fetch(`${server.url}/metrics`)).text()
      const [finding] = (await doctor.json()) as object[]
      return { ...finding, failed: /^souk_restore_check_failed (.*)$/m.exec(metrics)?.[1] }
    }
    expect(await check()).toMatchObject({ status: 1, err: expect.stringContaining('(backup_unreadable)') })
    expect(await findings()).toMatchObject({
      state: 'error',
      found: expect.stringContaining('unreadable'),
      failed: '1',
    })

    expect(await command(['backup', shelf], env)).toMatchObject({ status: 0 })
    // A newer one of another installation does not count.
    await writeFile(join(shelf, `souk-20991121T020000Z-${'0'.repeat(16)}.age`), 'not a backup')
    expect(await check()).toMatchObject({ status: 0, out: expect.stringMatching(/^Verified \d+ rows/) })
    expect(await findings()).toMatchObject({ state: 'ok', found: expect.stringMatching(/ 0 d\.$/), failed: '0' })

    const elsewhere = await emptyDatabase()
    const { pathname } = new URL(elsewhere.url)
    const databases = () => elsewhere.sql`
      select datname from pg_database where datname like 'souk_check_%' or datname = ${pathname.slice(1)}`
    expect(await check('--postgres', elsewhere.url)).toMatchObject({
      status: 0,
      out: expect.stringContaining('Verified'),
    })
    expect(await databases()).toHaveLength(1)
    const [newest] = (await readdir(shelf)).toSorted()
    const damaged = await readFile(join(shelf, newest!))
    await writeFile(join(shelf, newest!), damaged.subarray(0, -1))
    expect(await check('--postgres', elsewhere.url)).toMatchObject({
      status: 1,
      err: expect.stringContaining('(backup_damaged)'),
    })
    expect(await findings()).toMatchObject({ state: 'error', found: expect.stringContaining('damaged'), failed: '1' })
    await elsewhere.drop()
  })

  test.skipIf(!hasScript)('the passphrase is asked for on a terminal, twice and without showing it', async () => {
    const typed = (answers: string[], args: string[]) => typeOnTerminal(answers, args, env)
    expect(await typed([passphrase, passphrase], ['backup', 'typed.age'])).toMatchObject({
      status: 0,
      screen: expect.not.stringContaining(passphrase),
    })
    const verified = await typed([passphrase], ['restore', 'typed.age', '--verify'])
    expect(verified).toMatchObject({ status: 0, screen: expect.stringContaining('Verified') })
    expect(await typed([passphrase, 'another'], ['backup', 'differs.age'])).toMatchObject({
      status: 2,
      screen: expect.stringContaining('The passphrases differ'),
    })
    expect(await typed(['\x03'], ['backup', 'interrupted.age'])).toMatchObject({
      status: 2,
      screen: expect.stringContaining('Interrupted.'),
    })
    expect(await readdir(folder)).not.toContain('differs.age')
  })

  test('a connection lost during the commit leaves the keys, because the rows may be there', async () => {
    const target = await emptyDatabase()
    const cut = await cutCommit(target.url)
    const home = join(folder, 'cut')
    expect(await command(['restore', file], { SOUK_DATA_DIR: home, DATABASE_URL: cut.url })).toMatchObject({
      status: 1,
      err: expect.stringContaining('It is unknown whether the database has the rows'),
    })
    await cut.stop()
    expect(await target.sql`select from installation`).toHaveLength(1)
    expect(await readdir(home)).toContain('master-key')
    await target.drop()
  })

  test('wrong input and settings have their errors and exit statuses, and nothing is created', async () => {
    const empty = { SOUK_DATA_DIR: join(folder, 'empty') }
    const failures: [string[], Record<string, string>, number, string][] = [
      [['backup', file], env, 1, '(backup_exists)'],
      [['backup', 'x.age'], { ...env, SOUK_BACKUP_PASSPHRASE: 'short' }, 1, '(backup_passphrase_weak)'],
      [['backup', 'x.age'], { ...env, SOUK_BACKUP_PASSPHRASE: '' }, 2, 'set SOUK_BACKUP_PASSPHRASE'],
      [['backup', 'x.age'], empty, 2, 'has no database'],
      [['backup', 'x.age'], { ...env, SOUK_MASTER_KEY: 'ab'.repeat(32) }, 1, '(backup_key_wrong)'],
      [['restore', file], { ...empty, SOUK_BACKUP_PASSPHRASE: 'another passphrase' }, 1, '(backup_passphrase_wrong)'],
      [['restore', file], { ...empty, SOUK_MASTER_KEY: 'ab'.repeat(32) }, 2, 'SOUK_MASTER_KEY lacks keys'],
      [['restore', file], env, 2, 'Another Souk server'],
      [['restore'], empty, 2, 'usage: backup <file>'],
    ]
    for (const [args, variables, status, message] of failures) {
      const result = await command(args, variables)
      expect(result, args.join(' ')).toMatchObject({ status, out: '', err: expect.stringContaining(message) })
    }
    const programs: [string[], Record<string, string>, number, object][] = [
      [['restore', '--json'], empty, 2, { message: expect.stringContaining('usage: backup'), code: null }],
      [
        ['backup', 'x.age', '--json'],
        { ...env, SOUK_BACKUP_PASSPHRASE: 'short' },
        1,
        { message: expect.stringMatching(/\(backup_passphrase_weak\)$/), code: 'backup_passphrase_weak' },
      ],
    ]
    for (const [args, variables, status, error] of programs) {
      const result = await command(args, variables)
      expect(result).toMatchObject({ status, out: '' })
      expect(JSON.parse(result.err)).toEqual({ error: { advice: null, requestId: null, ...error } })
    }
    expect(await readdir(folder)).not.toContain('x.age')
    expect(existsSync(empty.SOUK_DATA_DIR)).toBe(false)
  })

  test('commands name a database with which no server has started, and change nothing', async () => {
    const other = await emptyDatabase()
    const settings = { SOUK_DATA_DIR: join(folder, 'other'), DATABASE_URL: other.url }
    for (const args of [
      ['backup', 'x.age'],
      ['recover', '--yes'],
      ['partitions', 'list'],
      ['move', '--undo'],
    ]) {
      expect(await command(args, settings), args.join(' ')).toMatchObject({
        status: 2,
        err: expect.stringMatching(/^souk: No server of Souk has started with the database .+\.\n$/),
      })
    }
    expect(existsSync(settings.SOUK_DATA_DIR)).toBe(false)
    await other.drop()
  })

  test('a data directory with other keys is refused, and the database that was created for it is removed', async () => {
    const used = join(folder, 'used')
    await mkdir(used)
    await writeFile(join(used, 'master-key'), 'ab'.repeat(32))
    expect(await command(['restore', file], { SOUK_DATA_DIR: used })).toMatchObject({
      status: 1,
      err: expect.stringContaining('has other keys'),
    })
    expect(await readdir(used)).toEqual(['master-key'])
  })
})
