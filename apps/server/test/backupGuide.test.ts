import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DebianCluster, debianPostgres, startDebianCluster, withDebianPostgres } from './debianPostgres.ts'
import { startServer } from './server.ts'

const guide = join(import.meta.dirname, '../../../docs/guides/backup.md')

/** Returns the commands of a block of the guide. */
async function commandsOf(block: string): Promise<string> {
  const [, commands] = new RegExp(`\`\`\`sh ${block}\n(.*?)\`\`\``, 's').exec(await readFile(guide, 'utf8')) ?? []
  if (commands === undefined) throw new Error(`The guide has no block ${block}.`)
  return commands
}

describe.skipIf(!debianPostgres)(withDebianPostgres('the backup guide'), () => {
  let cluster: DebianCluster
  let dataDir: string
  beforeAll(async () => {
    cluster = await startDebianCluster()
    dataDir = await mkdtemp(join(tmpdir(), 'souk-guide-'))
  })
  afterAll(async () => {
    await cluster?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('recovers the moment between two changes from the archive of the write-ahead log', async () => {
    const { folder, url } = cluster
    const [PGDATA, ARCHIVE, RESTORED] = [join(folder, 'data'), join(folder, 'archive'), join(folder, 'restored')]
    const env = { PGDATA, ARCHIVE, RESTORED, DATABASE_URL: url }
    const databaseUrl = await cluster.createDatabase('souk')
    const users = async (): Promise<string[]> => {
      const names = await cluster.run(
        `psql "${databaseUrl}" -At -c "select nickname from users order by uid desc limit 2"`,
      )
      return names.trim().split('\n')
    }
    const addUser = (name: string) =>
      cluster.run(`psql "${databaseUrl}" -c "insert into users (nickname, ctime) values ('${name}', 0)"`)

    await cluster.run(await commandsOf('archive'), env)
    const settings = { env: { DATABASE_URL: databaseUrl }, dataDir }
    const server = await startServer(settings)
    try {
      await cluster.run(await commandsOf('base'), env)
      await addUser('Before')
      const MOMENT = (await cluster.run(`psql "${url}" -At -c "select clock_timestamp()"`)).trim()
      await addUser('After')
      expect(await users()).toEqual(['After', 'Before'])
      const archived = `psql "${url}" -At -c "select pg_walfile_name(pg_switch_wal())"`
      const segment = (await cluster.run(archived)).trim()
      await cluster.run(`until test -f "$ARCHIVE/wal/${segment}"; do sleep 0.1; done`, env)

      const doctor = await fetch(`${server.url}/console/v1/doctor`, {
        headers: { Authorization: `Bearer ${server.adminToken}` },
      })
      expect(await doctor.json()).toContainEqual(
        expect.objectContaining({ check: 'backup', state: 'ok', found: 'The database archives its write-ahead log.' }),
      )
      await server.stop()
      await cluster.run(`pg_ctl stop --pgdata "$PGDATA" --mode fast`, env)
      await cluster.run(await commandsOf('restore'), { ...env, MOMENT })
    } finally {
      await server.stop()
    }
    try {
      await cluster.run(`until psql "${url}" -At -c "select pg_is_in_recovery()" | grep -q f; do sleep 0.1; done`)
      expect((await users())[0]).toBe('Before')
      const restored = await startServer(settings)
      await restored.stop()
    } finally {
      await cluster.run(`pg_ctl stop --pgdata "$RESTORED" --mode immediate`, env)
    }
  })
})
