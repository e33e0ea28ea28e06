import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minute, second } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockDirectory } from '../src/kernel/db/lock.ts'
import { connect, type Sql } from '../src/kernel/db/pool.ts'
import { createLog } from '../src/kernel/log.ts'
import { debianPostgres } from './debianPostgres.ts'
import { canStartMachines, type Machine, type Network, startNetwork } from './machines.ts'
import { type RunningServer, startServer } from './server.ts'

const isPossible = canStartMachines && debianPostgres !== undefined
const reason = isPossible ? '' : ' (skipped: needs root, iproute2 and apt-get install postgresql)'

/** Two machines with PostgreSQL, of which the second replicates the first, and one for a server that dies. */
describe.skipIf(!isPossible)(`machines that are cut off without a FIN${reason}`, () => {
  let folder: string
  let network: Network
  let primary: Machine
  let standby: Machine
  let server: RunningServer | undefined
  let sql: Sql
  const open: Sql[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'souk-silence-'))
    chownSync(folder, 65534, 65534)
    network = startNetwork()
    primary = network.add()
    standby = network.add()
    startPrimary()
    startStandby()
    sql = pool(`${urlOf(primary)}?lock_timeout=300&idle_in_transaction_session_timeout=2000`)
    await sql`create table held (n int)`
    await sql`insert into held values (0)`
  }, 2 * minute)

  afterAll(async () => {
    await Promise.all(open.map((each) => each.end({ timeout: 0 })))
    await server?.kill()
    network.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const urlOf = ({ address }: Machine, suffix = '') => `postgres://postgres@${address}${suffix}:5432/postgres`
  const pool = (url: string) => {
    const opened = connect(url)
    open.push(opened)
    return opened
  }

  function startPrimary(): void {
    primary.run(`
      cd ${folder}; export PATH=${debianPostgres}:$PATH
      initdb --pgdata primary --username postgres --auth trust --no-sync
      echo "host all all 0.0.0.0/0 trust" >> primary/pg_hba.conf
      echo "host replication all 0.0.0.0/0 trust" >> primary/pg_hba.conf
      echo "listen_addresses = '*'
      unix_socket_directories = ''
      fsync = off" >> primary/postgresql.conf
      pg_ctl start --pgdata primary --log primary.log --wait`)
  }

  function startStandby(): void {
    standby.run(`
      cd ${folder}; export PATH=${debianPostgres}:$PATH
      pg_basebackup --pgdata standby --checkpoint fast --no-sync --write-recovery-conf \
        --dbname "host=${primary.address} user=postgres"
      pg_ctl start --pgdata standby --log standby.log --wait`)
  }

  test('locks of a dead server end by the limits, and a server of its name starts immediately', async () => {
    const machine = network.add()
    const dataDir = join(folder, 'data')
    await mkdir(dataDir)
    const url = `${urlOf(primary)}?idle_in_transaction_session_timeout=2000`
    const child = fileURLToPath(new URL('silent.child.ts', import.meta.url))
    const silent = machine.spawn(process.execPath, [...process.execArgv, child, url, dataDir])
    await once(silent.stdout!, 'data')
    machine.cut()

    await expect(sql.begin((tx) => tx`update held set n = n + 1`)).rejects.toMatchObject({ code: '55P03' })
    const update = () =>
      sql
        .begin((tx) => tx`update held set n = n + 1`)
        .then(
          () => true,
          () => false,
        )
    await expect.poll(update, { timeout: 30 * second }).toBe(true)
    const lock = await lockDirectory(urlOf(primary), dataDir, createLog('silent'), () => {})
    await lock.release()
  })

  test(
    'a silent primary: readiness is refused within two seconds, and requests succeed after the promotion',
    async () => {
      const hosts = `postgres://postgres@${primary.address}:5432,${standby.address}:5432/postgres`
      const env = { DATABASE_URL: hosts, SOUK_STATEMENT_TIMEOUT: '2', SOUK_EXAMPLE: 'off' }
      server = await startServer({ env })
      const { url, adminToken, dataDir } = server
      const ready = async () => (await fetch(`${url}/readyz`)).status
      const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
      const create = async () => {
        const body = JSON.stringify({ name: 'Tea House' })
        return (await fetch(`${url}/console/v1/apps`, { method: 'POST', headers, body })).status
      }
      expect(await create()).toBe(200)
      expect(await ready()).toBe(200)

      primary.cut()
      const [unanswered] = await Promise.all([create(), create(), create()])
      expect(unanswered).toBe(503)
      // The last write counts for five seconds.
      await expect.poll(ready, { timeout: minute }).toBe(503)
      const asked = performance.now()
      expect(await ready()).toBe(503)
      expect(performance.now() - asked).toBeLessThan(5 * second)

      standby.run(`${debianPostgres}/pg_ctl promote --pgdata ${folder}/standby --wait`)
      const promoted = performance.now()
      await expect.poll(create, { timeout: minute, interval: 100 }).toBe(200)
      await expect.poll(ready, { timeout: minute, interval: 100 }).toBe(200)
      expect(performance.now() - promoted).toBeLessThan(20 * second)
      // The queue has moved as well.
      const promotedSql = pool(urlOf(standby))
      const beats = () => promotedSql`select from worker_heartbeats where beat_at > now() - interval '5 s'`
      await expect.poll(async () => (await beats()).length, { timeout: minute }).toBeGreaterThan(0)

      // A replacement of a dead server, with the dead host listed first.
      await server.kill()
      server = await startServer({ env, dataDir })
      expect(server.log()).not.toContain('could not be reached')
    },
    3 * minute,
  )
})
