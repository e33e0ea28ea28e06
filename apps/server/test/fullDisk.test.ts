import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../src/kernel/db/migrate.ts'
import { connect, type Sql } from '../src/kernel/db/pool.ts'
import { addIssuer, expectRetryLater } from './databaseFailures.ts'
import { type DebianCluster, debianPostgres, startDebianCluster } from './debianPostgres.ts'
import { startTestSouk, type TestSouk } from './souk.ts'

const canMount = process.getuid?.() === 0 && debianPostgres !== undefined
const reason = canMount ? '' : ' (skipped: needs root and apt-get install postgresql)'

describe.skipIf(!canMount)(`a full disk${reason}`, () => {
  let cluster: DebianCluster
  let souk: TestSouk
  let sql: Sql
  let disk: string

  beforeAll(async () => {
    cluster = await startDebianCluster()
    disk = join(cluster.folder, 'disk')
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk])
    chownSync(disk, 65534, 65534)
    await migrate(cluster.url)
    sql = connect(cluster.url, { max: 2 })
    await sql.unsafe(`create tablespace disk location '${disk}'`)
    for (const table of ['write_probes', 'issuers']) await sql.unsafe(`alter table ${table} set tablespace disk`)
    souk = await startTestSouk({ database: { url: cluster.url, sql, drop: async () => {} } })
  })
  afterAll(async () => {
    await souk?.stop()
    await sql?.end({ timeout: 0 })
    execFileSync('umount', ['--lazy', disk])
    await cluster?.stop()
  })

  test('gives 503 with Retry-After, including /readyz, until there is space', async () => {
    const file = join(disk, 'full')
    await writeFile(file, Buffer.alloc(1024 * 1024)).catch(() => {})
    await expect(sql`insert into write_probes values (repeat('x', 8000))`).rejects.toMatchObject({ code: '53100' })
    expectRetryLater(await souk.raw('GET', '/readyz', {}))
    expectRetryLater(await addIssuer(souk))
    await rm(file)
    expect((await souk.raw('GET', '/readyz', {})).status).toBe(200)
    expect((await addIssuer(souk)).status).toBe(200)
  })
})
