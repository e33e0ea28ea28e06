import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRunningDatabase, startEmbedded } from '../src/kernel/db/embedded.ts'
import { changeOwner, findLauncher } from '../src/kernel/db/launcher.ts'
import { createLog } from '../src/kernel/log.ts'
import { runCommand, runSouk } from './commandLine.ts'
import { debianPostgres, withDebianPostgres } from './debianPostgres.ts'
import { startServer } from './server.ts'
import { openShop, readBooks, type Shop, sell } from './shop.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-upgrade-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const upgrade = ['database', 'upgrade', '--programs', debianPostgres!, '--json']

/** Creates an embedded database of Debian's PostgreSQL, as an older version of Souk would have. */
async function createOldDatabase(home: string): Promise<number> {
  await mkdir(home, { recursive: true })
  const launcher = findLauncher(home, debianPostgres)
  const password = join(home, 'password')
  await writeFile(password, randomBytes(12).toString('hex'))
  if (launcher.owner !== undefined) changeOwner(launcher.owner, password)
  const cluster = join(home, 'cluster')
  const run = ([program = '', ...args]: string[], input = '') =>
    execFileSync(program, args, { env: launcher.env, input, stdio: ['pipe', 'ignore', 'pipe'], ...launcher.identity })
  const options = ['--username=souk', `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
  run([...launcher.initdb, '-D', cluster, ...options, '--no-sync'])
  run([...launcher.postgres, '--single', '-D', cluster, 'postgres'], 'CREATE DATABASE souk\n')
  execFileSync('mv', [password, join(cluster, 'souk.password')])
  return launcher.version
}

describe.skipIf(!debianPostgres)(withDebianPostgres('a major upgrade of the embedded PostgreSQL'), () => {
  let home: string
  let old: number
  let env: Record<string, string>
  let shop: Shop
  let tradeNo: string
  const start = () => startServer({ env, dataDir: env.SOUK_DATA_DIR! })
  const command = (args: string[]) => runCommand(args, { folder, env })

  beforeAll(async () => {
    env = { SOUK_DATA_DIR: join(folder, 'data') }
    home = join(folder, 'data/postgres')
    old = await createOldDatabase(home)
    const database = await startEmbedded({ directory: home, log: createLog('silent'), programs: debianPostgres! })
    const server = await startServer({ env: { ...env, DATABASE_URL: database.url }, dataDir: env.SOUK_DATA_DIR! })
    shop = await openShop(server)
    tradeNo = await sell(server, shop, 'before')
    await server.stop()
    await database.stop()
  })

  test('is one command with a way back: nothing is lost, and the old data is kept until it is discarded', async () => {
    await expect(start()).rejects.toThrow(
      `is of PostgreSQL ${old}, and this version of Souk brings PostgreSQL 18. Run souk`,
    )

    // A killed upgrade has left a part of its copy.
    await mkdir(join(home, 'upgrade/cluster/base'), { recursive: true })
    const upgraded = await runSouk(upgrade, { folder, env })
    expect(upgraded.status, upgraded.err).toBe(0)
    expect(JSON.parse(upgraded.out)).toMatchObject({ from: old, to: 18, rows: { all_trades: 1 }, audit: { broken: 0 } })
    expect((await readdir(home)).filter((name) => /cluster|upgrade/.test(name)).sort()).toEqual([
      'cluster',
      `cluster-${old}`,
    ])

    expect(await command(['database', 'rollback', '--json'])).toMatchObject({ status: 0, out: `{"version":${old}}\n` })
    await expect(start()).rejects.toThrow('Run souk database upgrade')
    expect(await command(['database', 'rollback'])).toMatchObject({
      status: 1,
      err: expect.stringContaining('(database_not_upgraded)'),
    })
    expect(await command(upgrade)).toMatchObject({ status: 0 })

    const server = await start()
    expect(await command(['database', 'upgrade'])).toMatchObject({ status: 0, out: expect.stringContaining('already') })
    const books = await readBooks((await findRunningDatabase(home))!)
    expect(books.trades).toEqual([{ tradeNo, callbacks: 1, captured: 1250 }])
    await sell(server, shop, 'after')
    expect(await command(['database', 'rollback', '--discard-changes'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('Another Souk server'),
    })
    await server.stop()
    expect(await command(['database', 'rollback'])).toMatchObject({
      status: 1,
      err: expect.stringContaining('(database_rollback_refused)'),
    })
    expect(await command(['database', 'discard-old'])).toMatchObject({ status: 0 })
    expect((await readdir(home)).filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
    expect(await command(['database', 'discard-old'])).toMatchObject({ status: 1 })
  })

  test('without the programs of the old version, the error says how to install them, and nothing changes', async () => {
    const other = { SOUK_DATA_DIR: join(folder, 'other') }
    await createOldDatabase(join(folder, 'other/postgres'))
    expect(await runCommand(['database', 'upgrade'], { folder, env: other })).toMatchObject({
      status: 2,
      err: expect.stringContaining(`package postgresql-${old}, and pass their folder`),
    })
    expect(
      await runCommand(['database', 'upgrade'], { folder, env: { DATABASE_URL: 'postgres://db/souk' } }),
    ).toMatchObject({
      status: 2,
      err: expect.stringContaining('DATABASE_URL is set'),
    })
    // A database without an installation: the copy fails.
    const failed = await runCommand(upgrade, { folder, env: other })
    expect(failed).toMatchObject({ status: 1, err: expect.stringContaining('(database_upgrade_failed)') })
    expect((await readdir(join(folder, 'other/postgres'))).filter((name) => /cluster|upgrade/.test(name))).toEqual([
      'cluster',
    ])
  })
})
