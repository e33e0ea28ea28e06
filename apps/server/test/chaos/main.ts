import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/kernel/db/embedded.ts'
import { createLog } from '../../src/kernel/log.ts'
import { chaos } from './chaos.ts'

// node --conditions=souk-source apps/server/test/chaos/main.ts [kills] [seed]
const kills = Number(process.argv[2] ?? 500)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const say = (text: string) => console.log(text)
say(`${kills} kills, seed ${seed}`)

const directory = await mkdtemp(join(tmpdir(), 'souk-chaos-'))
// The database is not what is killed: it need not survive the machine.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
const database = await startEmbedded({ directory, log: createLog('error'), settings })
try {
  const began = performance.now()
  const { kills: where, figures, faults, breaches } = await chaos({ databaseUrl: database.url, kills, seed, say })
  say(`\nKilled: ${JSON.stringify(where, null, 2)}\nLeft: ${JSON.stringify(figures, null, 2)}`)
  say(`${Math.round((performance.now() - began) / 1_000)} s, seed ${seed}`)
  for (const fault of new Set(faults)) say(`fault: ${fault}`)
  for (const breach of breaches) say(`BREACH: ${breach}`)
  say(breaches.length === 0 ? 'Every promise is kept.' : `${breaches.length} breaches`)
  process.exitCode = breaches.length === 0 ? 0 : 1
} finally {
  await database.stop()
  await rm(directory, { recursive: true, force: true })
}
