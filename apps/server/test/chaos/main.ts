import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/kernel/db/embedded.ts'
import { createLog } from '../../src/kernel/log.ts'
import { chaos } from './chaos.ts'

// node --conditions=souk-source apps/server/test/chaos/main.ts [kills] [seed]
const kills = Number(process.argv[2] ?? 500)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const log = (text: string) => console.log(text)
log(`${kills} kills, seed ${seed}`)

const directory = await mkdtemp(join(tmpdir(), 'souk-chaos-'))
// Only servers are killed, so the database need not be durable.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
const database = await startEmbedded({ directory, log: createLog('error'), settings })
try {
  const began = performance.now()
  const { kills: where, figures, faults, violations } = await chaos({ databaseUrl: database.url, kills, seed, log })
  log(`\nKilled: ${JSON.stringify(where, null, 2)}\nFinal state: ${JSON.stringify(figures, null, 2)}`)
  log(`${Math.round((performance.now() - began) / 1_000)} s, seed ${seed}`)
  for (const fault of new Set(faults)) log(`fault: ${fault}`)
  for (const violation of violations) log(`VIOLATION: ${violation}`)
  log(violations.length === 0 ? 'All guarantees hold.' : `${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  await database.stop()
  await rm(directory, { recursive: true, force: true })
}
