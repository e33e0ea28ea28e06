import { lockDirectory } from '../src/kernel/db/lock.ts'
import { connect } from '../src/kernel/db/pool.ts'
import { createLog } from '../src/kernel/log.ts'

// A server that silence.test.ts takes off the network while it holds its data directory and a row.
const [url = '', dataDir = ''] = process.argv.slice(2)
await lockDirectory(url, dataDir, createLog('silent'), () => {})
await connect(url).begin(async (tx) => {
  await tx`update held set n = n + 1`
  process.stdout.write('held\n')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
})
